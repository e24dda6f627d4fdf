//! Chess960: which initial positions are valid, and where castling leads (Annex F, Guidelines II).

use shakmaty::{Bitboard, Board, CastlingSide, Color, Rank, Role, Square};

/// What is wrong with a Chess960 initial position (F.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Wrong960 {
    /// White's pawns do not stand on the second rank, or Black's on the seventh.
    #[error("the pawns do not stand on the second and the seventh rank")]
    Pawns,
    /// The first rank does not hold king, queen, two rooks, two bishops and two knights.
    #[error("the first rank does not hold king, queen and two rooks, bishops and knights")]
    Pieces,
    /// The king does not stand between the rooks.
    #[error("the king does not stand between the rooks")]
    King,
    /// The bishops stand on squares of one colour.
    #[error("the bishops stand on squares of the same colour")]
    Bishops,
    /// Black's pieces do not mirror White's.
    #[error("the pieces of Black do not stand opposite those of White")]
    Mirror,
}

/// Returns the initial position with this number, 0 to 959, in the usual numbering; 518 is that of
/// ordinary chess.
pub fn chess960_start(number: u32) -> Option<Board> {
    (number < 960).then(|| Board::chess960(number))
}

/// Checks that a placement is one of the 960 initial positions.
///
/// # Errors
/// What is wrong with it, in the arbiter's terms.
pub fn check_chess960_start(board: &Board) -> Result<(), Wrong960> {
    let own = |side: Color, role: Role| board.by_color(side) & board.by_role(role);
    if own(Color::White, Role::Pawn) != Bitboard::from_rank(Rank::Second)
        || own(Color::Black, Role::Pawn) != Bitboard::from_rank(Rank::Seventh)
    {
        return Err(Wrong960::Pawns);
    }
    let first = Bitboard::from_rank(Rank::First);
    let count = |role| (own(Color::White, role) & first).count();
    let is_full = [
        (Role::King, 1),
        (Role::Queen, 1),
        (Role::Rook, 2),
        (Role::Bishop, 2),
        (Role::Knight, 2),
    ]
    .into_iter()
    .all(|(role, expected)| count(role) == expected);
    if !is_full || board.white().count() != 16 {
        return Err(Wrong960::Pieces);
    }
    let rooks = own(Color::White, Role::Rook);
    let king = own(Color::White, Role::King).first();
    let is_between = king.is_some_and(|king| {
        rooks.first().is_some_and(|rook| rook < king) && rooks.last().is_some_and(|r| r > king)
    });
    if !is_between {
        return Err(Wrong960::King);
    }
    let bishops = own(Color::White, Role::Bishop);
    if bishops.is_disjoint(Bitboard::LIGHT_SQUARES) || bishops.is_disjoint(Bitboard::DARK_SQUARES) {
        return Err(Wrong960::Bishops);
    }
    let mut mirrored = board.clone();
    mirrored.mirror();
    if mirrored == *board {
        Ok(())
    } else {
        Err(Wrong960::Mirror)
    }
}

/// Returns where king and rook stand after castling to a side, from any initial position (F.3c). On
/// the c side that is king c and rook d, on the g side king g and rook f.
pub const fn castled(side: CastlingSide, color: Color) -> (Square, Square) {
    (side.king_to(color), side.rook_to(color))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_960_starts_are_right_and_no_other_number_is() {
        for number in 0..960 {
            let board = chess960_start(number).unwrap();
            assert_eq!(check_chess960_start(&board), Ok(()), "{number}");
        }
        assert_eq!(chess960_start(960), None);
        assert_eq!(chess960_start(518), Some(Board::new()));
    }

    #[test]
    fn a_wrong_start_says_what_is_wrong() {
        #[track_caller]
        fn check(placement: &str, expected: Wrong960) {
            let board: Board = placement.parse().unwrap();
            assert_eq!(check_chess960_start(&board), Err(expected));
        }
        check(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR",
            Wrong960::Pawns,
        );
        check(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBRR",
            Wrong960::Pieces,
        );
        check(
            "krnbqbnr/pppppppp/8/8/8/8/PPPPPPPP/KRNBQBNR",
            Wrong960::King,
        );
        check(
            "rbnbkqnr/pppppppp/8/8/8/8/PPPPPPPP/RBNBKQNR",
            Wrong960::Bishops,
        );
        check(
            "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            Wrong960::Mirror,
        );
    }
}
