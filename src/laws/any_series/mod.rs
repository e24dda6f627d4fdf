//! Decides "cannot checkmate by any possible series of legal moves". A decision is never wrong.
//!
//! The Laws ask this question when a flag has fallen, when a player resigns, and at the last
//! illegal move that is allowed. They also ask it of every position and both sides at once: a
//! position in which neither side can mate is dead and ends the game. The articles, by edition:
//!
//! | | 2001 | 2009 | 2014 | 2017, 2018, 2023 |
//! |---|---|---|---|---|
//! | a fallen flag | 6.10 | 6.9 | 6.9 | 6.9 |
//! | a dead position | 1.3, 5.2b | 1.3, 5.2b | 1.3, 5.2b | 1.5, 5.2.2 |
//!
//! Both sides cooperate, and moves may be as bad as they like. The fifty-move and seventy-five-move
//! rules and repetitions are ignored, because the Laws speak of any series of moves. Castling and
//! en passant count if the position allows them.
//!
//! # What the answers mean
//!
//! [`Answer::Yes`] is always a line of legal moves that ends in mate. [`mating_series`] returns the
//! line, so that anybody who doubts it can play it through. [`Answer::No`] is always a proof: from
//! the material, from squares that the pieces can never reach, or from an examination of every
//! line. If the [`Effort`] did not suffice, the answer is [`Answer::Unknown`] and the arbiter
//! decides. The same position and effort give the same answer on every machine, because effort is
//! counted in lines and positions and not in time. More effort never changes a yes or a no.
//!
//! # The method
//!
//! It follows M. Ambrona, "A Practical Algorithm for Chess Unwinnability", 11th International
//! Conference on Fun with Algorithms (FUN 2022), LIPIcs 226, 2:1-2:20,
//! <https://doi.org/10.4230/LIPIcs.FUN.2022.2>. That is a semi-static analysis, which proves most
//! impossibilities at once, and a search for a helpmate, which is guided by what a mate needs and
//! examines no position twice. No code of its authors was used. The steps:
//!
//! 1. Two lines are played out in which each side prefers what brings a mate nearer. They mate in
//!    nearly every position that comes up in games. Preferences look at where pieces can go; legal
//!    moves are listed only where that is not enough.
//! 2. The squares that each piece can ever reach are found as a least fixed point. Mate is
//!    excluded if on no square that the king can reach all flights could be covered or blocked.
//!    Unlike in the paper, each blocked square wants a piece of its own (a matching in a bipartite
//!    graph), and the squares are those of every piece by itself.
//! 3. A side without a rook or queen needs a certain picture of mate. Such pictures are drawn up
//!    from the reachable squares, and a line is played straight towards each. More lines follow.
//! 4. A proof by cases, which the paper has not: before anything is captured and a pawn moves, few
//!    squares can be reached. If mate is excluded by then, each capture and each move of a pawn
//!    that can come next is a case, with all other pieces anywhere on their squares. Walls of
//!    doubled pawns have millions of positions and some ten thousand cases.
//! 5. The search goes to the nearest position first instead of deepening step by step. Nearness is
//!    the paper's need and reward: promotions, the way to the corner, and for minor pieces alone
//!    the pictures. Where material changes, step 2 is asked again. If every position has been seen
//!    and none was mate, there is none.
//!
//! # Cost
//!
//! The general problem has no fast solution. The search may need as many positions as the effort
//! allows: some hundred thousand a second, each with 50 to 150 bytes. Nearly all positions from
//! play need no search and take some tens of microseconds. `docs/any-series.md` has the figures.
//!
//! # Example
//!
//! ```
//! use annexd_laws::{Answer, Effort, Series, can_mate_with_effort, is_dead, mating_series};
//! use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen};
//!
//! let position = |fen: &str| -> Chess {
//!     let fen: Fen = fen.parse().unwrap();
//!     fen.into_position(CastlingMode::Standard).unwrap()
//! };
//!
//! // A flag falls, and the opponent has nothing but a knight. Beside a rook it can mate ...
//! let with_rook = position("7k/8/8/8/8/8/1r6/K4N2 w - - 0 1");
//! let answer = can_mate_with_effort(&with_rook, Color::White, Effort::DECISION);
//! assert_eq!(answer, Answer::Yes);
//!
//! // ... and the arbiter may want to see how.
//! let Series::Mates(line) = mating_series(&with_rook, Color::White, Effort::DECISION) else {
//!     panic!("there is a mate");
//! };
//! let end = line.into_iter().try_fold(with_rook, Position::play).unwrap();
//! assert!(end.is_checkmate());
//!
//! // Locked pawns: the game is over (5.2.2).
//! let locked = position("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1");
//! assert_eq!(is_dead(&locked), Answer::Yes);
//! ```

mod cases;
mod distance_estimate;
mod guided;
mod lines;
mod mobility;
mod patterns;
mod preferences;
mod search;
mod seen;
mod sets;

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Chess, Color, Move, Position};

use patterns::Patterns;

/// An answer that is never wrong. If nothing is proved it is unknown, and the arbiter decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Proved.
    Yes,
    /// Disproved.
    No,
    /// Neither.
    Unknown,
}

/// What is known about the series of legal moves from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Series {
    /// These moves, played in turn by both sides, end in mate. The list is empty if the position is
    /// mate already. It is some series, not the shortest.
    Mates(Vec<Move>),
    /// No series of legal moves ends in mate by this side.
    Impossible,
    /// The effort did not suffice.
    Open,
}

impl Series {
    /// Returns the answer without the moves.
    pub const fn answer(&self) -> Answer {
        match self {
            Self::Mates(_) => Answer::Yes,
            Self::Impossible => Answer::No,
            Self::Open => Answer::Unknown,
        }
    }
}

/// How much work to spend on a position, in units that do not depend on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// How many lines to try before the search. Each takes some microseconds.
    pub lines: u32,
    /// How many different positions to keep in the search. Each takes some microseconds and 50 to
    /// 150 bytes.
    pub positions: usize,
}

impl Effort {
    /// Enough for the table: some tens of microseconds for most positions, and at most some
    /// hundredths of a second.
    pub const QUICK: Self = Self {
        lines: 12,
        positions: 20_000,
    };

    /// For a decision that may end the game: a flag, a resignation, a last illegal move. It comes
    /// once in a game and may take some tenths of a second.
    pub const DECISION: Self = Self {
        lines: 40,
        positions: 200_000,
    };

    /// For an arbiter who asks and can wait: some seconds. The hardest cases take a quarter of a
    /// minute and a quarter of a gigabyte.
    pub const THOROUGH: Self = Self {
        lines: 200,
        positions: 4_000_000,
    };
}

/// Returns whether a series of legal moves, however bad, ends with mate by `side`. Uses the effort
/// [`Effort::QUICK`].
pub fn can_mate_by_any_series(position: &Chess, side: Color) -> Answer {
    can_mate_with_effort(position, side, Effort::QUICK)
}

/// Returns whether `side` can mate, with a chosen effort. More effort leaves less unknown, and
/// never changes a yes or a no.
pub fn can_mate_with_effort(position: &Chess, side: Color, effort: Effort) -> Answer {
    mating_series(position, side, effort).answer()
}

/// Returns a series of legal moves that ends with mate by `side`, if there is one (6.9, 5.2.2). If
/// the side to move is mated or stalemated, no moves are left and the position itself is the
/// answer.
pub fn mating_series(position: &Chess, side: Color, effort: Effort) -> Series {
    if position.legal_moves().is_empty() {
        let is_mated = position.is_check() && position.turn() != side;
        return if is_mated {
            Series::Mates(Vec::new())
        } else {
            Series::Impossible
        };
    }
    if position.has_insufficient_material(side) {
        return Series::Impossible;
    }
    let mut lines = lines::Lines::new(side);
    if (0..effort.lines.min(FIRST_LINES)).any(|_| lines.finds_mate(position)) {
        return Series::Mates(lines.into_line());
    }
    if mobility::excludes_mate(position, side) {
        return Series::Impossible;
    }
    // Mates in the corners are found quickly and usually suffice.
    let corners = Patterns::of(position, side, Bitboard::CORNERS);
    let straight = |patterns| guided::line_to_picture(position, side, patterns, effort.lines);
    if let Some(line) = corners.as_ref().and_then(straight) {
        return Series::Mates(line);
    }
    if (FIRST_LINES..effort.lines).any(|_| lines.finds_mate(position)) {
        return Series::Mates(lines.into_line());
    }
    let patterns = Patterns::of(position, side, Bitboard::FULL);
    if let Some(line) = patterns.as_ref().and_then(straight) {
        return Series::Mates(line);
    }
    if cases::exclude_mate(position, side, effort.positions / POSITIONS_OF_A_CASE) {
        return Series::Impossible;
    }
    search::search(position, side, patterns.as_ref(), effort.positions)
}

/// How many positions cost as much as one case.
const POSITIONS_OF_A_CASE: usize = 50;

/// How many lines are played before anything else is tried.
const FIRST_LINES: u32 = 2;

/// Returns whether neither side can mate by any series of legal moves (5.2.2). Uses the effort
/// [`Effort::QUICK`] for each side.
pub fn is_dead(position: &Chess) -> Answer {
    let white = can_mate_by_any_series(position, Color::White);
    if white == Answer::Yes {
        return Answer::No;
    }
    match (white, can_mate_by_any_series(position, Color::Black)) {
        (_, Answer::Yes) => Answer::No,
        (Answer::No, Answer::No) => Answer::Yes,
        _ => Answer::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    #[track_caller]
    fn check(fen: &str, white: Answer, black: Answer) {
        let position: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let answers =
            Color::ALL.map(|side| can_mate_with_effort(&position, side, Effort::THOROUGH));
        assert_eq!(answers, [white, black], "{fen}: White, Black");
    }

    use Answer::{No, Yes};

    #[test]
    fn a_knight_mates_beside_a_rook_but_not_beside_a_queen() {
        check("7k/8/8/8/8/8/1r6/K4N2 w - -", Yes, Yes);
        check("7k/8/8/8/8/8/1q6/4KN2 w - -", No, Yes);
        check("7k/8/8/8/8/8/8/4KN2 w - -", No, No);
        check("7k/8/8/8/8/5n2/8/4KN2 w - -", Yes, Yes);
        check("7k/8/8/8/8/8/8/4KNN1 w - -", Yes, No);
    }

    #[test]
    fn bishops_of_one_colour_never_mate_and_of_both_they_may() {
        check("7k/8/8/8/8/8/8/4KB2 w - -", No, No);
        check("6bk/8/8/8/8/8/8/4KB2 w - -", No, No);
        check("7k/8/8/8/8/8/8/2B1KB2 w - -", Yes, No);
        check("5b1k/8/8/8/8/8/8/4KB2 w - -", Yes, Yes);
    }

    #[test]
    fn a_locked_wall_of_pawns_is_dead() {
        check("8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - -", No, No);
        check("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - -", No, No);
    }

    #[test]
    fn an_ended_game_is_judged_as_it_ended() {
        check("7k/6Q1/6K1/8/8/8/8/8 b - -", Yes, No);
        check("7k/5Q2/6K1/8/8/8/8/8 b - -", No, No);
    }

    #[test]
    fn a_minor_piece_soon_finds_the_help_it_needs() {
        for fen in [
            "b6k/8/6r1/8/2B5/4K3/8/7n b - -",
            "8/5k2/7R/5P2/4K3/7P/3b2P1/8 w - -",
            "2R5/b7/8/5P1P/3k2P1/8/2R1K3/8 w - -",
            "8/8/2PK4/1n6/7k/8/8/8 w - -",
            "8/8/8/3KB3/8/7k/6p1/8 b - -",
        ] {
            let position: Chess = fen
                .parse::<Fen>()
                .unwrap()
                .into_position(CastlingMode::Standard)
                .unwrap();
            let side = position.turn().other();
            let effort = Effort {
                lines: 2,
                positions: 20_000,
            };
            assert_eq!(can_mate_with_effort(&position, side, effort), Yes, "{fen}");
        }
    }

    #[test]
    fn a_lone_bishop_can_mate_beside_the_own_knight_of_the_king() {
        // The diagram of trap 88.
        check("K7/Nbk5/8/8/8/8/8/8 w - -", No, Yes);
    }
}
