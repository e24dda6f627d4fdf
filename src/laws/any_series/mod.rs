//! "Cannot checkmate by any possible series of legal moves" (5.2.2, 6.9), never wrong.
//!
//! A yes is always a line of legal moves that was played out to mate. A no is always a proof: from
//! the material, from squares that no piece can ever reach ([`mobility`]), or from having seen
//! every line there is ([`search`]). Everything else is unknown and the arbiter's.
//!
//! The fifty and seventy-five moves and repetitions are left out of account, as the Laws do when
//! they speak of any series of moves.

mod lines;
mod mobility;
mod promise;
mod search;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position};

/// An answer that is never wrong. What is not proved is unknown and goes to the arbiter.
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

/// How much work to spend on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Lines to try before the search.
    pub lines: u32,
    /// Positions to look at in the search.
    pub positions: usize,
}

impl Effort {
    /// Enough for the table: some hundredths of a millisecond for most positions.
    pub const QUICK: Self = Self {
        lines: 12,
        positions: 1_000,
    };

    /// For an end of the game that hangs on it: a flag, a resignation, a last illegal move. It
    /// comes once in a game and may take a tenth of a second.
    pub const DECISION: Self = Self {
        lines: 40,
        positions: 10_000,
    };

    /// For an arbiter who asks and can wait some seconds.
    pub const THOROUGH: Self = Self {
        lines: 200,
        positions: 100_000,
    };
}

/// Whether there is a series of legal moves, however bad, that ends with `side` giving mate.
pub fn can_mate_by_any_series(position: &Chess, side: Color) -> Answer {
    can_mate_with_effort(position, side, Effort::QUICK)
}

/// The same with a chosen effort. More effort leaves less unknown; it never changes a yes or no.
pub fn can_mate_with_effort(position: &Chess, side: Color, effort: Effort) -> Answer {
    if position.legal_moves().is_empty() {
        let is_mated = position.is_check() && position.turn() != side;
        return if is_mated { Answer::Yes } else { Answer::No };
    }
    if position.has_insufficient_material(side) {
        return Answer::No;
    }
    let mut lines = lines::Lines::new(side);
    if lines.finds_mate(position) {
        return Answer::Yes;
    }
    if mobility::excludes_mate(position, side) {
        return Answer::No;
    }
    if (1..lines_worth(position, side, effort)).any(|_| lines.finds_mate(position)) {
        return Answer::Yes;
    }
    search::search(position, side, effort.positions)
}

/// How many lines are worth the while before the search. Minor pieces alone need a piece of the
/// other side in the right place, which the search knows how to fetch and a line finds by luck.
fn lines_worth(position: &Chess, side: Color, effort: Effort) -> u32 {
    let board = position.board();
    let more = board.rooks_and_queens() | board.pawns();
    if board.by_color(side).is_disjoint(more) {
        effort.lines.min(2)
    } else {
        effort.lines
    }
}

/// Whether neither side can mate by any series of legal moves (5.2.2).
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
                positions: 3_000,
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
