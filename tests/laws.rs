//! The Laws as tables: each row is one case, and a failure names its row.

use std::time::Duration;

use annexd::laws::{
    BothColoursTouched, Bound, ClaimCase, ClaimVerdict, DrawClaim, Edition, Fault, FaultRecord,
    GameType, LossOrDraw, MoveFacts, Penalty, PositionKey, Supervision, Termination, Touched,
    decide_claim, judge_move, obligation, penalty, position_of,
};
use shakmaty::fen::Fen;
use shakmaty::{CastlingSide, Chess, Color, Role, Square};

/// The rows of a table with their line numbers, without comments.
fn rows(table: &str) -> impl Iterator<Item = (usize, Vec<&str>)> {
    table
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty())
        .map(|(number, line)| (number + 1, line.split(';').map(str::trim).collect()))
}

fn position(fen: &str) -> Option<Chess> {
    position_of(&fen.parse::<Fen>().ok()?.into_setup()).ok()
}

fn game(name: &str) -> GameType {
    GameType::ALL
        .into_iter()
        .find(|game| game.to_string() == name)
        .expect("a type of game")
}

fn supervision(name: &str) -> Supervision {
    match name {
        "adequate" => Supervision::Adequate,
        "inadequate" => Supervision::Inadequate,
        other => panic!("no supervision: {other}"),
    }
}

#[test]
fn illegal_moves_cost_what_the_edition_says() {
    for (row, cells) in rows(include_str!("laws/penalties.csv")) {
        let [edition, type_name, watched, number, expected] = cells[..] else {
            panic!("row {row}: five cells are expected");
        };
        let edition: Edition = edition.parse().expect("an edition");
        let number: u32 = number.parse().expect("a number");
        let mut record = FaultRecord::default();
        for earlier in 1..number {
            record.note(10 * earlier, Fault::IllegalMove);
        }
        let found = penalty(
            edition.rules(),
            (game(type_name), supervision(watched)),
            &record,
            (10 * number, Fault::IllegalMove),
            Color::White,
            Some(&Chess::default()),
        );
        let words = match found {
            Penalty::OpponentGains { time, .. } => format!("+{}", time.as_secs() / 60),
            Penalty::GameOver {
                end: LossOrDraw::Ended(Termination::IllegalMoves(Color::White)),
                ..
            } => "lost".to_owned(),
            other => format!("{other:?}"),
        };
        assert_eq!(words, expected, "row {row}: {edition}");
    }
}

#[test]
fn touched_pieces_bind_as_the_table_says() {
    for (row, cells) in rows(include_str!("laws/touch_move.csv")) {
        let [fen, squares, flags, expected, clause] = cells[..] else {
            panic!("row {row}: five cells are expected");
        };
        let position = position(fen).expect("a position");
        let touched = Touched {
            squares: squares
                .split_whitespace()
                .map(|square| square.parse().expect("a square"))
                .collect(),
            is_order_unclear: flags.contains('u'),
            meant_to_castle: flags.contains('c'),
            is_chess960: flags.contains('9'),
            both_colours: if flags.contains('o') {
                BothColoursTouched::OneOfEach
            } else {
                BothColoursTouched::FirstOfEach
            },
        };
        let found = obligation(&position, &touched);
        let words = match found.bound {
            Bound::Free => "free".to_owned(),
            Bound::Move(square) => format!("move {square}"),
            Bound::Capture(square) => format!("capture {square}"),
            Bound::CaptureWith { piece, captured } => format!("capture {captured} with {piece}"),
            Bound::Castle(rook) => format!("castle {rook}"),
            Bound::King(king) => format!("king {king}"),
        };
        assert_eq!(
            (words.as_str(), found.clause),
            (expected, clause),
            "row {row}"
        );
        assert!(!found.moves.is_empty(), "row {row}: nothing meets it");
    }
}

fn move_facts(text: &str) -> MoveFacts {
    let words: Vec<&str> = text.split_whitespace().collect();
    let square = |word: &str| word.parse::<Square>().expect("a square");
    match words[..] {
        ["O-O"] => MoveFacts::Castling(CastlingSide::KingSide),
        ["O-O-O"] => MoveFacts::Castling(CastlingSide::QueenSide),
        [from, to] => MoveFacts::Step {
            from: square(from),
            to: square(to),
            promotion: None,
        },
        [from, to, "=", role] => MoveFacts::Step {
            from: square(from),
            to: square(to),
            promotion: role.chars().next().and_then(Role::from_char),
        },
        _ => panic!("no move: {text}"),
    }
}

#[test]
fn an_illegal_move_says_why_it_is_illegal() {
    for (row, cells) in rows(include_str!("laws/illegal_moves.csv")) {
        let [fen, made, expected] = cells[..] else {
            panic!("row {row}: three cells are expected");
        };
        let found = match position(fen) {
            None => "none".to_owned(),
            Some(position) => match judge_move(&position, move_facts(made)) {
                Ok(_) => "legal".to_owned(),
                Err(why) => format!("{why:?}"),
            },
        };
        assert_eq!(found, expected, "row {row}: {made}");
    }
}

#[test]
fn a_wrong_claim_costs_what_the_edition_says() {
    for (row, cells) in rows(include_str!("laws/wrong_claims.csv")) {
        let [edition, type_name, left, minutes, afterwards] = cells[..] else {
            panic!("row {row}: five cells are expected");
        };
        let edition: Edition = edition.parse().expect("an edition");
        let seconds = |text: &str| Duration::from_secs(text.parse().expect("seconds"));
        let start = Chess::default();
        let verdict = decide_claim(&ClaimCase {
            rules: edition.rules(),
            game_type: game(type_name),
            claim: DrawClaim::Repetition,
            history: &[PositionKey::of(&start)],
            position: &start,
            quiet_plies: 0,
            intended: None,
            claimant_left: seconds(left),
        });
        let ClaimVerdict::Wrong { consequences, .. } = verdict else {
            panic!("row {row}: a first appearance is no third");
        };
        let gained = consequences.opponent_gains.as_secs() / 60;
        assert_eq!(gained.to_string(), minutes, "row {row}");
        let kept = consequences.claimant_left.unwrap_or(seconds(left));
        assert_eq!(kept, seconds(afterwards), "row {row}");
    }
}

#[test]
fn counters_are_joint_or_split_by_the_edition() {
    let standard = (GameType::Standard, Supervision::Adequate);
    for (edition, is_over) in [(Edition::E2017July, false), (Edition::E2018, true)] {
        let mut record = FaultRecord::default();
        record.note(5, Fault::IllegalMove);
        let fault = (9, Fault::PressWithoutMove);
        let start = Chess::default();
        let found = penalty(
            edition.rules(),
            standard,
            &record,
            fault,
            Color::Black,
            Some(&start),
        );
        assert_eq!(
            matches!(found, Penalty::GameOver { .. }),
            is_over,
            "{edition}"
        );
        let same_move = (5, Fault::TwoHands { pressed: true });
        let found = penalty(
            edition.rules(),
            standard,
            &record,
            same_move,
            Color::Black,
            Some(&start),
        );
        assert_eq!(found, Penalty::CountedAlready, "{edition}");
    }
}

#[test]
fn a_loss_by_illegal_moves_is_a_draw_against_a_bare_king_since_2009() {
    let bare = position("4k3/8/8/8/8/8/3Q4/4K3 w - -").expect("a position");
    let standard = (GameType::Standard, Supervision::Adequate);
    for edition in Edition::ALL {
        let mut record = FaultRecord::default();
        record.note(5, Fault::IllegalMove);
        record.note(6, Fault::IllegalMove);
        let fault = (9, Fault::IllegalMove);
        let found = penalty(
            edition.rules(),
            standard,
            &record,
            fault,
            Color::White,
            Some(&bare),
        );
        let Penalty::GameOver { end, .. } = found else {
            panic!("{edition}: the third illegal move ends the game");
        };
        let expected = if edition == Edition::E2001 {
            Termination::IllegalMoves(Color::White)
        } else {
            Termination::IllegalMovesDrawn(Color::White)
        };
        assert_eq!(end, LossOrDraw::Ended(expected), "{edition}");
    }
}

#[test]
fn each_edition_has_the_values_of_the_matrix() {
    for (row, cells) in rows(include_str!("laws/editions.csv")) {
        let (key, expected) = cells.split_first().expect("a key");
        assert_eq!(expected.len(), Edition::ALL.len(), "row {row}: six values");
        for (edition, expected) in Edition::ALL.into_iter().zip(expected) {
            let values = edition.rules().values();
            let found = values.get(*key).map_or("-", String::as_str);
            assert_eq!(found, *expected, "row {row}: {key} of {edition}");
        }
    }
}

/// Values that are words or lists of words, each with a test of its own or none to be had.
const IN_WORDS: [&str; 2] = ["adjournment.faulty_seal_exceptions", "conduct.sanctions"];

#[test]
fn no_value_of_an_edition_is_missing_from_the_matrix() {
    let table = include_str!("laws/editions.csv");
    let keys: Vec<&str> = rows(table)
        .filter_map(|(_, cells)| cells.first().copied())
        .collect();
    for edition in Edition::ALL {
        for key in edition.rules().values().keys() {
            let is_known = keys.contains(&key.as_str()) || IN_WORDS.contains(&key.as_str());
            assert!(is_known, "{key} of {edition} is in no row");
        }
    }
}

#[test]
fn each_edition_has_its_penalties_and_its_exceptions_for_a_faulty_seal() {
    let sanctions = Edition::ALL.map(|edition| edition.rules().conduct.sanctions.len());
    assert_eq!(sanctions, [7, 7, 8, 9, 9, 9], "12.9, 13.4 in 2001 and 2009");
    let exceptions = |edition: Edition| {
        let values = edition.rules().values();
        let all = values["adjournment.faulty_seal_exceptions"].clone();
        let mut all: Vec<&str> = all.split('"').filter(|it| it.contains('.')).collect();
        all.sort_unstable();
        all.join(" ")
    };
    assert_eq!(exceptions(Edition::E2001), "5.2.2 6.9");
    assert_eq!(exceptions(Edition::E2009), "5.1.1 5.2.1 5.2.2 6.9");
    for edition in [
        Edition::E2014,
        Edition::E2017July,
        Edition::E2018,
        Edition::E2023,
    ] {
        let expected = "5.1.1 5.2.1 5.2.2 6.9 9.6.1 9.6.2";
        assert_eq!(exceptions(edition), expected, "{edition}");
    }
}
