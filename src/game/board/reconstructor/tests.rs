use std::time::Duration;

use shakmaty::{CastlingMode, Piece, Position as _, Square, fen::Fen};

use super::*;
use crate::board::{Fact, Reading, Readings};

/// A board on a table, and what is reported of it.
struct Table {
    reconstructor: Reconstructor,
    /// The placement, by squares of the game.
    pieces: Board,
    lies: Orientation,
    is_nameless: bool,
    now: Moment,
    told: Vec<Event>,
}

impl Table {
    fn new(placement: &str, lies: Orientation, is_nameless: bool) -> Self {
        Self {
            reconstructor: Reconstructor::new(Patience::default()),
            pieces: placement.parse().unwrap(),
            lies,
            is_nameless,
            now: Moment::START,
            told: Vec::new(),
        }
    }

    fn at(mut self, fen: &str) -> Self {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        self.pieces = position.board().clone();
        self.reconstructor = self.reconstructor.from_position(position, Moment::START);
        self
    }

    fn observe(&mut self, observation: Observation) {
        self.now = self.now + Duration::from_millis(30);
        let told = self.reconstructor.handle(self.now, observation);
        self.told.extend(told);
    }

    /// All sensors report, and the pieces rest.
    fn look(&mut self) {
        self.look_in_passing();
        self.wait(1);
    }

    fn look_in_passing(&mut self) {
        let mut readings = Readings::of(&self.pieces);
        if self.is_nameless {
            for square in self.pieces.occupied() {
                readings.set(square, Reading::Occupied);
            }
        }
        self.observe(Observation::Snapshot(self.lies.readings(&readings)));
    }

    fn wait(&mut self, seconds: u64) {
        for _ in 0..seconds * 10 {
            self.now = self.now + Duration::from_millis(100);
            let told = self.reconstructor.handle(self.now, Observation::Time);
            self.told.extend(told);
        }
    }

    /// Hands do this slowly enough for the sensors: `e2-` lifts, `e4P` places.
    fn hands(&mut self, deeds: &str) {
        for deed in deeds.split(' ') {
            let square: Square = deed[..2].parse().unwrap();
            match Piece::from_char(deed.chars().last().unwrap()) {
                Some(piece) => self.pieces.set_piece_at(square, piece),
                None => self.pieces.discard_piece_at(square),
            }
            self.look_in_passing();
        }
        self.wait(1);
    }

    fn announce(&mut self, played: &str) {
        self.observe(Observation::Announced(played.parse().unwrap()));
    }

    fn moves(&self) -> String {
        let moves = self.reconstructor.moves();
        let moves: Vec<String> = moves.iter().map(|it| it.played.to_string()).collect();
        moves.join(" ")
    }

    fn has_told(&self, is_it: impl Fn(&Event) -> bool) -> bool {
        self.told.iter().any(is_it)
    }

    fn has_departed(&self) -> bool {
        self.has_told(|it| matches!(it, Event::Departs(_)))
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn the_first_move_tells_how_a_board_lies_that_knows_occupancy_only() {
    for lies in Orientation::BOTH {
        let mut table = Table::new(START, lies, true);
        table.look();
        let is_open = |it: &Event| {
            matches!(
                it,
                Event::Began {
                    orientation: None,
                    ..
                }
            )
        };
        assert!(table.has_told(is_open), "{:?}", table.told);
        assert_eq!(table.reconstructor.orientation(), None);
        // Adjusting a piece of either side tells nothing.
        table.hands("d8- d8q b1- b1N");
        assert_eq!(table.reconstructor.orientation(), None);
        let lifted = |it: &Event| matches!(it, Event::Fact(Fact::Lifted { .. }));
        assert!(!table.has_told(lifted), "nobody knows from which square");
        table.hands("e2- e4P");
        assert!(table.has_told(|it| *it == Event::OrientationShown(lies)));
        table.hands("e7- e5p g1- f3N b8- c6n");
        assert_eq!(table.moves(), "e2e4 e7e5 g1f3 b8c6");
        let e2 = Event::Fact(Fact::Lifted {
            square: Square::E2,
            piece: Piece::from_char('P'),
        });
        assert!(table.has_told(|it| *it == e2), "{:?}", table.told);
        assert!(table.has_told(|it| matches!(it, Event::Touched(Square::B1, _))));
    }
}

#[test]
fn an_announcement_tells_how_it_lies_also_if_the_move_is_illegal_or_not_the_first() {
    for lies in Orientation::BOTH {
        let mut table = Table::new(START, lies, true);
        table.look();
        table.announce("e2e5");
        table.hands("e2- e5P");
        assert_eq!(table.reconstructor.orientation(), Some(lies));
        // Black has executed his own reply before White's move.
        let mut table = Table::new(START, lies, true);
        table.look();
        table.announce("e2e4");
        table.hands("c7- c5p");
        assert_eq!(table.reconstructor.orientation(), None);
        table.hands("e2- e4P");
        assert_eq!(table.reconstructor.orientation(), Some(lies));
        assert_eq!(table.moves(), "e2e4 c7c5");
    }
}

#[test]
fn an_illegal_first_move_that_nobody_announces_tells_it_after_a_while() {
    for lies in Orientation::BOTH {
        let mut table = Table::new(START, lies, true);
        table.look();
        table.hands("g1- g3N");
        assert_eq!(table.reconstructor.orientation(), None);
        table.wait(5);
        assert_eq!(table.reconstructor.orientation(), Some(lies));
        assert!(table.has_departed());
    }
}

#[test]
fn a_position_that_is_not_the_same_from_both_sides_tells_it_at_once() {
    for lies in Orientation::BOTH {
        let mut table = Table::new(START, lies, true).at("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
        table.look();
        assert_eq!(table.reconstructor.orientation(), Some(lies));
        table.hands("e2- e4P");
        assert_eq!(table.moves(), "e2e4");
    }
}

#[test]
fn what_was_said_beforehand_is_never_asked() {
    let mut table = Table::new(START, Orientation::Rotated, true);
    table.reconstructor = table.reconstructor.with_orientation(Orientation::Rotated);
    table.look();
    table.hands("e2- e4P");
    assert_eq!(table.moves(), "e2e4");
    let lies = |it: &Event| matches!(it, Event::OrientationShown(_));
    assert!(!table.has_told(lies));
}

#[test]
fn another_game_on_it_may_lie_the_other_way() {
    let mut table = Table::new(START, Orientation::Normal, true);
    table.look();
    table.hands("e2- e4P e7- e5p g1- f3N");
    table.pieces = START.parse().unwrap();
    table.lies = Orientation::Rotated;
    table.look();
    assert_eq!(table.reconstructor.orientation(), None);
    table.hands("d2- d4P");
    assert_eq!(
        table.reconstructor.orientation(),
        Some(Orientation::Rotated)
    );
    assert_eq!(table.moves(), "d2d4");
}

#[test]
fn a_board_is_followed_that_was_first_seen_with_a_piece_in_a_hand() {
    for (is_nameless, lies) in [false, true]
        .map(|it| Orientation::BOTH.map(|o| (it, o)))
        .concat()
    {
        let lifted = "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR";
        let mut table = Table::new(lifted, lies, is_nameless);
        table.look();
        table.hands("e4P");
        table.hands("c7- c5p");
        assert_eq!(table.moves(), "e2e4 c7c5");
    }
    // In the middle of a game the board is followed from the next rest on.
    let lifted = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/8/PPPP1PPP/RNBQKB1R";
    let mut table = Table::new(lifted, Orientation::Normal, false);
    table.look();
    table.hands("f3N");
    table.hands("g8- f6n");
    assert_eq!(table.moves(), "g8f6");
    assert!(!table.has_departed(), "{:?}", table.told);
}

#[test]
fn a_wrong_first_look_does_not_renumber_the_game() {
    let wrong = "rnbqkbnq/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for wrong in [wrong, "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR"] {
        let mut table = Table::new(wrong, Orientation::Normal, false);
        table.look();
        table.hands("e2- e4P");
        table.hands("e7- e5p");
        // The next look is right.
        for (square, piece) in START.parse::<Board>().unwrap() {
            if ![Square::E2, Square::E7].contains(&square) {
                table.pieces.set_piece_at(square, piece);
            }
        }
        table.look();
        table.hands("g1- f3N");
        table.hands("b8- c6n");
        assert_eq!(table.moves(), "e2e4 e7e5 g1f3 b8c6", "{wrong}");
        let back = |it: &Event| matches!(it, Event::TakenBack { .. });
        assert!(!table.has_told(back) && !table.has_departed());
    }
}

#[test]
fn a_piece_that_stands_where_it_may_not_is_no_wrong_first_look() {
    let mut table = Table::new("4k3/8/8/8/8/8/4P3/4K2R", Orientation::Normal, false);
    table.look();
    table.hands("e2- e3P");
    table.hands("h1- g3R");
    table.wait(5);
    assert!(table.has_departed());
    assert_eq!(table.moves(), "e2e3");
}

const EN_PASSANT: &str = "4k3/5p2/8/3pP3/8/8/8/4K3 w - d6 0 1";

#[test]
fn a_pawn_that_should_have_been_taken_off_hides_nothing_after_it() {
    for is_nameless in [false, true] {
        let mut table = Table::new(START, Orientation::Normal, is_nameless).at(EN_PASSANT);
        table.look();
        table.hands("e5- d6P");
        table.wait(5);
        assert!(table.has_departed(), "it is said");
        table.hands("e8- d7k");
        table.hands("e1- e2K");
        assert_eq!(table.moves(), "e5d6 e8d7 e1e2");
        let departures = |it: &&Event| matches!(it, Event::Departs(_));
        assert_eq!(table.told.iter().filter(departures).count(), 1);
        assert!(!table.has_told(|it| *it == Event::Agrees));
        table.hands("d5-");
        assert!(table.has_told(|it| *it == Event::Agrees));
        table.hands("d7- e6k");
        assert_eq!(table.moves(), "e5d6 e8d7 e1e2 d7e6");
    }
}

const PROMOTION: &str = "7k/4P3/8/8/8/8/8/K7 w - - 0 1";

#[test]
fn what_a_pawn_has_become_is_settled_by_what_it_does() {
    for (deeds, moves) in [
        ("e7- e8N h8- g8k e8- f6N", "e7e8n h8g8 e8f6"),
        ("e7- e8Q h8- h7k e8- e4Q", "e7e8q h8h7 e8e4"),
        // A queen would have given check, and this is no reply to it.
        ("e7- e8B h8- g8k e8- b5B", "e7e8b h8g8 e8b5"),
    ] {
        let mut table = Table::new(START, Orientation::Normal, true).at(PROMOTION);
        table.look();
        for deed in deeds.split(' ').collect::<Vec<_>>().chunks(2) {
            table.hands(&deed.join(" "));
        }
        assert_eq!(table.moves(), moves);
    }
    // A queen could capture another piece from there, but nobody has emptied that square.
    let mut table = Table::new(START, Orientation::Normal, true);
    table = table.at("1n2k3/P1p5/8/8/8/8/8/4K3 w - - 0 1");
    table.look();
    for deeds in ["a7- a8N", "e8- f7k", "c7- a8- c7N", "f7- e7k"] {
        table.hands(deeds);
    }
    assert_eq!(table.moves(), "a7a8n e8f7 a8c7 f7e7");
    // An announced move needs no question.
    let mut table = Table::new(START, Orientation::Normal, true).at(PROMOTION);
    table.look();
    table.announce("e7e8q");
    table.hands("e7- e8Q");
    table.hands("h8- h7k");
    table.hands("e8- f6Q");
    table.wait(5);
    assert_eq!(table.moves(), "e7e8q h8h7");
    assert!(table.has_departed(), "no move of a queen");
}

#[test]
fn a_board_that_is_turned_in_the_middle_of_a_game_is_called_turned() {
    for is_nameless in [false, true] {
        let mut table = Table::new(START, Orientation::Normal, is_nameless);
        table.look();
        table.hands("e2- e4P");
        table.hands("c7- c5p");
        table.told.clear();
        table.lies = Orientation::Rotated;
        table.look();
        assert_eq!(table.told, [Event::Turned(Orientation::Rotated)]);
        table.hands("g1- f3N");
        assert_eq!(table.moves(), "e2e4 c7c5 g1f3");
        table.wait(5);
        assert!(!table.has_departed());
        // A hand may take all pieces off and set them up again.
        let squares: Vec<(Square, Piece)> = table.pieces.clone().into_iter().collect();
        for (square, _) in &squares {
            table.hands(&format!("{square}-"));
        }
        table.lies = Orientation::Normal;
        for (square, piece) in squares {
            table.hands(&format!("{square}{}", piece.char()));
        }
        assert!(table.has_told(|it| *it == Event::Turned(Orientation::Normal)));
        table.hands("d7- d6p");
        assert_eq!(table.moves(), "e2e4 c7c5 g1f3 d7d6");
    }
}

/// The opponent drags it over a square to which it might have gone, or over its own, before the
/// pieces have rested and before the clock was heard.
#[test]
fn a_piece_that_is_taken_and_dragged_off_had_not_gone_on() {
    for aside in ["a4", "a5"] {
        let mut table = Table::new(START, Orientation::Normal, false);
        table = table.at("7k/8/8/8/r1B5/8/8/7K b - - 0 1");
        table.look();
        table.hands(&format!("a4- a6r a6- {aside}r {aside}- c4- a6B"));
        assert_eq!(table.moves(), "a4a6 c4a6", "dragged over {aside}");
    }
    // Captor and victim of both captures are alike, so the board shows only two changed squares.
    let mut table = Table::new(START, Orientation::Normal, false);
    table = table.at("7k/8/8/8/2q5/2P5/3P4/7K b - - 0 1");
    table.look();
    table.hands("c4- c3- c3q c3- d4q d4- d2- c3P");
    assert_eq!(table.moves(), "c4c3 d2c3");
    // Without a reply where it had been, it has gone on.
    let mut table = Table::new(START, Orientation::Normal, false);
    table = table.at("7k/8/8/8/r1B5/8/8/7K b - - 0 1");
    table.look();
    table.hands("a4- a5r a5- a6r a6- c4- a6B");
    assert_eq!(table.moves(), "a4a6 c4a6");
}

/// The next player lifts a piece before anything has rested.
#[test]
fn castling_that_began_with_the_rook_stays_so_when_the_next_player_is_quick() {
    let began = |deeds: &str| {
        let mut table = Table::new(START, Orientation::Normal, false);
        table = table.at("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        table.look();
        table.hands(deeds);
        assert_eq!(table.moves(), "e1g1 e8d8");
        table.has_told(|it| matches!(it, Event::RookFirst(_)))
    };
    assert!(began("h1- f1R e1- g1K e8- d8k"));
    assert!(!began("e1- g1K h1- f1R e8- d8k"));
}

/// Several captures follow before anything has rested. A captured piece does not come back.
#[test]
fn what_was_taken_is_not_in_the_hand_any_more() {
    let mut table = Table::new(START, Orientation::Normal, true);
    table = table.at("4k3/8/2p5/3n4/4P3/8/6B1/4K3 w - - 0 1");
    table.look();
    table.hands("d5- e4- d5P d5- c6- d5p d5- g2- d5B");
    assert_eq!(table.moves(), "e4d5 c6d5 g2d5");
}

/// Lost data came from the clock, or was sent twice: all squares report what was seen.
#[test]
fn moves_that_were_seen_while_something_was_lost_stay_as_they_were_seen() {
    let mut table = Table::new(START, Orientation::Normal, false);
    table.look();
    table.observe(Observation::Lost);
    for (square, piece) in [
        (Square::E2, None),
        (Square::E3, Piece::from_char('P')),
        (Square::E7, None),
        (Square::E6, Piece::from_char('p')),
        (Square::E3, None),
        (Square::E4, Piece::from_char('P')),
    ] {
        match piece {
            Some(piece) => table.pieces.set_piece_at(square, piece),
            None => table.pieces.discard_piece_at(square),
        }
        table.observe(Observation::Square(square, Reading::from(piece)));
    }
    table.look();
    assert_eq!(table.moves(), "e2e3 e7e6 e3e4");
}
