//! The any-series question: never wrong, and nearly nothing left open.
//!
//! A yes is played through as a legal series to its mate. A no is held against known answers and,
//! where all positions that can arise are few, against a search through all of them that shares
//! nothing with ours but the rules of chess.
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads the positions, where they are"
)]

use std::collections::HashSet;
use std::path::Path;

use annexd::laws::{Answer, Effort, Series, is_dead, mating_series, position_of};
use shakmaty::fen::Fen;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Rank, Role,
    Setup, Square,
};

/// A position from a line of a file.
fn position(fen: &str) -> Chess {
    let setup = fen.parse::<Fen>().expect("a FEN").into_setup();
    position_of(&setup).expect("a position")
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// The answer, after its line has been played through if it has one.
#[track_caller]
fn checked(position: &Chess, side: Color, effort: Effort) -> Answer {
    let series = mating_series(position, side, effort);
    if let Series::Mates(line) = &series {
        let mut end = position.clone();
        for &step in line {
            assert!(end.is_legal(step), "{step:?} in {}", fen(position));
            end.play_unchecked(step);
        }
        let is_mate = end.is_checkmate() && end.turn() != side;
        assert!(
            is_mate,
            "no mate by {side} after {line:?}: {}",
            fen(position)
        );
    }
    series.answer()
}

fn file(name: &str) -> Option<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/unwinnable");
    let file = file.join(name);
    let text = std::fs::read_to_string(&file).ok();
    if text.is_none() {
        eprintln!("skipped: {} is not there", file.display());
    }
    text
}

/// Checks every `step`th line with known answers and gives the share decided in percent.
fn share_of_known(step: usize, effort: Effort) -> Option<f64> {
    let text = file("positions.txt")?;
    let (mut questions, mut decided) = (0, 0);
    for (number, line) in text.lines().enumerate().step_by(step) {
        let Some((answers, fen)) = line.split_once(' ') else {
            continue;
        };
        let position = position(fen);
        for (side, letter) in [Color::White, Color::Black]
            .into_iter()
            .zip(answers.chars())
        {
            questions += 1;
            let answer = checked(&position, side, effort);
            let expected = if letter == '-' {
                Answer::No
            } else {
                Answer::Yes
            };
            if answer == Answer::Unknown {
                eprintln!("open: line {}: {side} in {line}", number + 1);
            } else {
                decided += 1;
                assert_eq!(answer, expected, "line {}: {side} in {line}", number + 1);
            }
        }
    }
    let share = 100.0 * f64::from(decided) / f64::from(questions.max(1));
    eprintln!("{decided} of {questions} questions decided ({share:.1} %), none wrong");
    Some(share)
}

#[test]
fn no_answer_is_wrong_on_positions_with_known_answers() {
    let effort = Effort {
        lines: 4,
        positions: 20_000,
    };
    if let Some(share) = share_of_known(10, effort) {
        assert!(share > 85.0, "{share}");
    }
}

#[test]
#[ignore = "some minutes without optimisation; make soak runs it"]
fn nearly_every_position_with_a_known_answer_is_decided() {
    if let Some(share) = share_of_known(1, Effort::THOROUGH) {
        assert!(share >= 99.5, "{share}");
    }
}

/// Checks every `step`th game lost on time: the other side can mate in all of them.
fn check_lost_on_time(step: usize) {
    let Some(text) = file("timeouts.fen") else {
        return;
    };
    for line in text.lines().step_by(step) {
        let position = position(line);
        let answer = checked(&position, position.turn().other(), Effort::THOROUGH);
        assert_ne!(answer, Answer::Unknown, "{line}");
    }
}

#[test]
fn no_game_lost_on_time_is_left_open() {
    check_lost_on_time(50);
}

#[test]
#[ignore = "some minutes without optimisation; make soak runs it"]
fn none_of_5000_games_lost_on_time_is_left_open() {
    check_lost_on_time(1);
}

/// Chance that is the same every time (xorshift).
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound
    }

    fn put(&mut self, board: &mut Board, color: Color, role: Role) {
        loop {
            let square = Square::new(self.below(64));
            let is_last = matches!(square.rank(), Rank::First | Rank::Eighth);
            if board.piece_at(square).is_none() && !(role == Role::Pawn && is_last) {
                board.set_piece_at(square, Piece { color, role });
                return;
            }
        }
    }

    /// Pawns that stand against each other on every second file, a wall for the kings as long as
    /// it stands, with a few bishops.
    fn blocked(&mut self) -> Board {
        let mut board = Board::empty();
        let (rank, first) = (2 + self.below(3), self.below(2));
        for file in (first..8).step_by(2) {
            for (color, up) in [(Color::White, 0), (Color::Black, 1)] {
                let square = Square::new(8 * (rank + up) + file);
                let role = Role::Pawn;
                board.set_piece_at(square, Piece { color, role });
            }
        }
        for color in Color::ALL {
            self.put(&mut board, color, Role::King);
            for _ in 0..self.below(2) {
                self.put(&mut board, color, Role::Bishop);
            }
        }
        board
    }

    /// Kings and up to three other pieces.
    fn ending(&mut self) -> Board {
        const ROLES: [Role; 4] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook];
        let mut board = Board::empty();
        for color in Color::ALL {
            self.put(&mut board, color, Role::King);
        }
        for _ in 0..1 + self.below(3) {
            let color = [Color::White, Color::Black][self.below(2) as usize];
            let role = ROLES[self.below(4) as usize];
            self.put(&mut board, color, role);
        }
        board
    }

    fn position(&mut self, board: Board) -> Option<Chess> {
        let turn = [Color::White, Color::Black][self.below(2) as usize];
        let setup = Setup {
            board,
            turn,
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Standard).ok()
    }
}

/// Whether a side can mate, from all positions that can arise, if they are at most `limit`.
fn exhausted(start: &Chess, side: Color, limit: usize) -> Option<bool> {
    let mut seen = HashSet::from([start.clone()]);
    let mut waiting = vec![start.clone()];
    while let Some(position) = waiting.pop() {
        if position.is_checkmate() && position.turn() != side {
            return Some(true);
        }
        for step in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(step);
            if seen.insert(after.clone()) {
                waiting.push(after);
            }
        }
        if seen.len() > limit {
            return None;
        }
    }
    Some(false)
}

/// Holds answers on positions by chance against the search through all positions; gives how many
/// noes were held and how many questions stayed open.
fn check_by_chance(seed: u64, positions: usize, effort: Effort, limit: usize) -> (u32, u32) {
    let mut rng = Rng(seed);
    let (mut noes, mut open, mut made) = (0, 0, 0);
    while made < positions {
        let board = if made % 2 == 0 {
            rng.blocked()
        } else {
            rng.ending()
        };
        let Some(position) = rng.position(board) else {
            continue;
        };
        made += 1;
        for side in Color::ALL {
            match checked(&position, side, effort) {
                Answer::Yes => {}
                Answer::Unknown => open += 1,
                Answer::No => match exhausted(&position, side, limit) {
                    Some(true) => panic!("{side} can mate after all: {}", fen(&position)),
                    Some(false) => noes += 1,
                    None => {}
                },
            }
        }
    }
    (noes, open)
}

#[test]
fn no_answer_is_wrong_on_positions_by_chance() {
    let effort = Effort {
        lines: 4,
        positions: 3_000,
    };
    let (noes, open) = check_by_chance(0x5eed_0001, 60, effort, 30_000);
    assert!(
        noes >= 2,
        "{noes} noes were held, {open} questions stayed open"
    );
}

#[test]
#[ignore = "some minutes; make soak runs it"]
fn no_answer_is_wrong_on_hundreds_of_positions_by_chance() {
    let (noes, open) = check_by_chance(0x5eed_0001, 240, Effort::QUICK, 100_000);
    eprintln!("{noes} noes were held against all positions, {open} questions stayed open");
    assert!(noes >= 2, "{noes}");
}

/// Games played by chance from the usual beginning and from endings, each position asked.
fn check_games(games: u32, plies: u32, effort: Effort) {
    let mut rng = Rng(0x5eed_0003);
    for game in 0..games {
        let board = if game % 2 == 0 {
            Board::new()
        } else {
            rng.ending()
        };
        let Some(mut position) = rng.position(board) else {
            continue;
        };
        for _ in 0..plies {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            for side in Color::ALL {
                checked(&position, side, effort);
            }
            position.play_unchecked(legal[rng.below(legal.len() as u32) as usize]);
        }
    }
}

#[test]
fn every_line_can_be_played_in_games_by_chance() {
    let effort = Effort {
        lines: 4,
        positions: 500,
    };
    check_games(6, 60, effort);
}

#[test]
#[ignore = "some minutes without optimisation; make soak runs it"]
fn every_line_can_be_played_in_hundreds_of_games_by_chance() {
    check_games(400, 200, Effort::QUICK);
}

#[test]
fn a_pawn_taken_in_passing_is_no_way_out_where_none_jumps() {
    // Each side's pawns stand beside the other's on the fifth rank, and none of them can jump.
    let locked = position("8/1p3k2/pPp3p1/P1Pp1pPp/2bP1P1P/2B1BK2/7B/4B3 b - - 0 1");
    assert_eq!(checked(&locked, Color::White, Effort::QUICK), Answer::No);
}

#[test]
fn one_bishop_blocks_one_square_only() {
    // Both squares beside a corner would have to be blocked, and there is one bishop to do it.
    for fen in [
        "8/4kb2/8/1p1p1p1p/1P1P1P1P/1b6/3B1K2/8 b - - 0 1",
        "3k4/4b3/3b4/p1pBp1p1/P1PbP1P1/8/8/1B1K4 b - - 0 1",
    ] {
        let locked = position(fen);
        assert_eq!(
            checked(&locked, Color::Black, Effort::QUICK),
            Answer::No,
            "{fen}"
        );
    }
    let two = position("k7/1b6/2b5/8/8/1pB5/pP6/K7 w - - 0 1");
    assert_eq!(checked(&two, Color::White, Effort::DECISION), Answer::Yes);
    assert_eq!(is_dead(&two), Answer::No);
}
