//! Replaying recordings, and the reports about them.

use super::*;
use crate::clocks::{ClockSide, SideReading};
use crate::dgt::Message;
use annexd_game::board::Reading;
use shakmaty::Square;

fn settings() -> Settings {
    Settings {
        kind: Kind::Dgt,
        position: None,
        orientation: None,
    }
}

fn moves(bytes: &[u8]) -> Vec<String> {
    replay(bytes, &settings())
        .into_iter()
        .filter_map(|line| match line {
            Line::Moved(played) => Some(played.played.to_string()),
            _ => None,
        })
        .collect()
}

fn field(square: Square, piece: char) -> Vec<u8> {
    let reading = Reading::from(shakmaty::Piece::from_char(piece));
    Message::Field { square, reading }.to_bytes()
}

#[test]
fn a_recording_without_a_dump_begins_with_the_start_position_either_way() {
    let moved = [field(Square::E2, ' '), field(Square::E4, 'P')].concat();
    assert_eq!(moves(&moved), ["e2e4"]);
    let moved = [field(Square::D7, ' '), field(Square::D5, 'P')].concat();
    assert_eq!(moves(&moved), ["e2e4"]);
}

fn dump(placement: &str) -> Vec<u8> {
    let placement: Board = placement.parse().unwrap();
    Message::Dump(Box::new(Readings::of(&placement))).to_bytes()
}

#[test]
fn a_piece_seen_on_two_squares_for_a_moment_sets_up_no_position() {
    let bytes = [
        dump("4k3/8/8/8/8/8/4P3/4K3"),
        // The first move, and one of the other side.
        field(Square::E4, 'P'),
        field(Square::E2, ' '),
        field(Square::D7, 'k'),
        field(Square::E8, ' '),
    ]
    .concat();
    assert_eq!(moves(&bytes), ["e2e4", "e8d7"]);
}

#[test]
fn the_last_piece_may_be_set_up_after_the_others() {
    let bytes = [
        dump("4k3/8/8/8/8/8/4P3/4K3"),
        field(Square::H1, 'R'),
        field(Square::E2, ' '),
        field(Square::E4, 'P'),
        field(Square::E8, ' '),
        field(Square::E7, 'k'),
        field(Square::H1, ' '),
        field(Square::H7, 'R'),
    ]
    .concat();
    assert_eq!(moves(&bytes), ["e2e4", "e8e7", "h1h7"]);
}

#[test]
fn a_first_move_that_is_taken_back_begins_no_other_game() {
    let bytes = [
        field(Square::C2, ' '),
        field(Square::C4, 'P'),
        field(Square::C4, ' '),
        field(Square::C2, 'P'),
        field(Square::D2, ' '),
        field(Square::D4, 'P'),
    ]
    .concat();
    assert_eq!(moves(&bytes), ["d2d4"]);
}

/// Changes of squares: `e2 ` empties a square, `e4P` puts a piece on one.
fn fields(changes: &str) -> Vec<u8> {
    let one = |change: &str| {
        let (square, piece) = change.split_at(2);
        let piece = piece.chars().next().unwrap_or(' ');
        field(square.parse().unwrap(), piece)
    };
    changes.split_whitespace().flat_map(one).collect()
}

fn told(bytes: &[u8]) -> Vec<String> {
    let lines = replay(bytes, &settings()).into_iter();
    lines.map(|line| line.to_words().to_string()).collect()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn castling_that_began_with_the_rook_is_reported() {
    let bare = "4k3/8/8/8/8/8/8/4K2R";
    let rook = [dump(bare), fields("h1 f1R e1 g1K e8 d8k")].concat();
    let is_told = |bytes: &[u8]| told(bytes).contains(&sentence!(RookCameFirst).to_string());
    assert!(is_told(&rook));
    let king = [dump(bare), fields("e1 g1K h1 f1R e8 d8k")].concat();
    assert!(!is_told(&king));
}

#[test]
fn a_piece_that_has_rolled_away_disturbs_no_game() {
    let played = "g1 h4N d2 d4P d7 d5p c2 c4P h4 g1N e7 e6p";
    let bytes = [dump(START), fields(played)].concat();
    assert_eq!(moves(&bytes), ["d2d4", "d7d5", "c2c4", "e7e6"]);
}

#[test]
fn castling_that_is_not_legal_is_no_move_of_the_rook() {
    let castled = "e1 g1K h1 f1R";
    let bytes = [dump("4k3/8/8/8/2b5/8/8/4K2R"), fields(castled)].concat();
    assert_eq!(moves(&bytes), [""; 0]);
}

#[test]
fn a_game_goes_on_beside_pieces_that_lie_about() {
    let down = "a2 h2 b1";
    let played = "e2 e4P e7 e5p g1 f3N";
    let ghost = "d6p b8 c6n d6";
    let bytes = [
        dump(START),
        fields(down),
        fields(played),
        fields("a2P h2P b1N"),
        fields(ghost),
        fields("f1 b5B"),
    ]
    .concat();
    assert_eq!(moves(&bytes), ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
}

#[test]
fn a_short_game_is_told_though_its_pieces_go_back_by_the_way_they_came() {
    let played = "f2 f3P e7 e5p g2 g4P d8 h4q";
    let away = "h4 d8q g4 g2P e5 e7p f3 f2P";
    let bytes = [dump(START), fields(played), fields(away), fields("d2 d4P")].concat();
    assert_eq!(moves(&bytes), ["f2f3", "e7e5", "g2g4", "d8h4", "d2d4"]);
}

#[test]
fn a_piece_that_is_told_less_exactly_was_not_touched() {
    let lines = "sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n\
                 state uuuuuuuu/uuuuuuuu/8/8/8/8/UUUU1UUU/UUUUUUUU\n\
                 state uuuuuuuu/uuuuuuuu/8/8/4U3/8/UUUU1UUU/UUUUUUUU\n\
                 state rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR\n";
    let settings = Settings {
        kind: Kind::Cpp,
        ..settings()
    };
    let told = replay(lines.as_bytes(), &settings);
    let touched = told.iter().filter(|it| matches!(it, Line::Touched { .. }));
    assert_eq!(touched.count(), 0, "{told:?}");
}

#[test]
fn a_hand_that_rests_on_a_piece_has_touched_it() {
    let clock = |seconds| {
        let side = SideReading {
            time: Duration::from_secs(seconds),
            ..SideReading::default()
        };
        Message::Clock(ClockReading {
            left: side,
            right: side,
            is_running: true,
            to_move: ClockSide::Left,
            is_battery_low: false,
        })
        .to_bytes()
    };
    let bytes = [
        dump(START),
        clock(60),
        fields("b1"),
        clock(58),
        fields("b1N g1 f3N"),
    ]
    .concat();
    assert!(told(&bytes).contains(&"touched b1 (N)".to_owned()));
    // A piece that moves and comes back later was not touched besides.
    let to_and_fro = fields("g1 f3N g8 f6n f3 g1N f6 g8n e2 e4P");
    let bytes = [dump(START), to_and_fro].concat();
    assert!(!told(&bytes).iter().any(|line| line.contains("touched")));
}

#[test]
fn play_goes_on_after_the_clock_has_stopped_if_it_is_pressed() {
    let clock = |seconds, to_move, is_running| {
        let side = SideReading {
            time: Duration::from_secs(seconds),
            ..SideReading::default()
        };
        Message::Clock(ClockReading {
            left: side,
            right: side,
            is_running,
            to_move,
            is_battery_low: false,
        })
        .to_bytes()
    };
    let game = |presses: bool| {
        let to_move = if presses {
            ClockSide::Right
        } else {
            ClockSide::Left
        };
        [
            dump("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
            clock(2, ClockSide::Left, true),
            clock(0, ClockSide::Left, false),
            field(Square::E2, ' '),
            field(Square::E4, 'P'),
            clock(0, to_move, false),
            field(Square::E7, ' '),
        ]
        .concat()
    };
    assert_eq!(moves(&game(true)), ["e2e4"]);
    assert_eq!(moves(&game(false)), [""; 0]);
}

#[test]
fn castling_that_begins_with_the_rook_is_castling() {
    let dump = "4k3/8/8/8/8/8/8/4K2R".parse().unwrap();
    let bytes = [
        Message::Dump(Box::new(Readings::of(&dump))).to_bytes(),
        field(Square::H1, ' '),
        field(Square::F1, 'R'),
        field(Square::E1, ' '),
        field(Square::G1, 'K'),
    ]
    .concat();
    assert_eq!(moves(&bytes), ["e1g1"]);
}

fn moves_of_cpp(lines: &[&str]) -> Vec<String> {
    let kind = Kind::Cpp;
    let bytes = lines.join("\n").into_bytes();
    replay(&bytes, &Settings { kind, ..settings() })
        .into_iter()
        .filter_map(|line| match line {
            Line::Moved(played) => Some(played.played.to_string()),
            _ => None,
        })
        .collect()
}

#[test]
fn moves_that_a_board_takes_back_are_gone_down_to_the_first() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    let sync = format!("sync {start}");
    let unsaid = "sync ????????/????????/8/8/8/8/????????/????????";
    let undo_e5 = format!("undo {after_e4} b KQkq - 0 1");
    let undo_e4 = format!("undo {start} w KQkq - 0 1");
    let masked = "undo ????????/????????/8/8/4?3/8/????1???/???????? b KQkq - 0 1";
    for begun in [&sync, unsaid] {
        for undone in [&undo_e5, masked] {
            let made = [begun, "move e2e4", "move e7e5", undone, "move c7c5"];
            assert_eq!(moves_of_cpp(&made), ["e2e4", "c7c5"], "{begun}, {undone}");
        }
    }
    let made = [
        &sync,
        "move e2e4",
        "move e7e5",
        "move g1f3",
        "undo rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        &undo_e5,
        &undo_e4,
        "move d2d4",
        "move d7d5",
    ];
    assert_eq!(moves_of_cpp(&made), ["d2d4", "d7d5"]);
}
