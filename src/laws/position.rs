//! From a placement of pieces to a position that the Laws can judge.

use shakmaty::{
    CastlingMode, Chess, FromSetup, Position, PositionError, PositionErrorKinds, Setup,
};

/// Why a placement is not a position with legal moves to judge. It is a matter for the arbiter: the
/// pieces may have been displaced, or a king may be off the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAPosition {
    /// A side has no king, or more than one.
    #[error("each side must have exactly one king on the board")]
    Kings,
    /// A pawn stands on the first or the last rank.
    #[error("a pawn stands on the first or the last rank")]
    PawnOnLastRank,
    /// The king of the side that has just moved can be taken.
    #[error("the side that does not have the move is in check")]
    OppositeCheck,
    /// Something else that shakmaty does not accept.
    #[error("the pieces do not form a position in which moves can be judged")]
    Other,
}

/// Returns the position of a placement with its side to move, castling rights (as rook squares, so
/// that Chess960 works) and en passant square. Rights and squares that do not fit the placement are
/// dropped, because a wrong note must not make a game impossible to judge.
///
/// # Errors
/// If the placement is not a position.
pub fn position_of(setup: &Setup) -> Result<Chess, NotAPosition> {
    let mode = CastlingMode::Chess960;
    Chess::from_setup(setup.clone(), mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| reason(error.kinds()))
}

/// Returns the setup of a position, as the other functions here take it.
pub fn setup_of(position: &Chess) -> Setup {
    position.to_setup(shakmaty::EnPassantMode::Always)
}

fn reason(kinds: PositionErrorKinds) -> NotAPosition {
    if kinds.intersects(
        PositionErrorKinds::EMPTY_BOARD
            | PositionErrorKinds::MISSING_KING
            | PositionErrorKinds::TOO_MANY_KINGS,
    ) {
        NotAPosition::Kings
    } else if kinds.contains(PositionErrorKinds::PAWNS_ON_BACKRANK) {
        NotAPosition::PawnOnLastRank
    } else if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) {
        NotAPosition::OppositeCheck
    } else {
        NotAPosition::Other
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[track_caller]
    fn check(fen: &str, expected: Option<NotAPosition>) {
        let setup = fen.parse::<Fen>().unwrap().into_setup();
        assert_eq!(position_of(&setup).err(), expected, "{fen}");
    }

    #[test]
    fn a_placement_that_is_no_position_says_why() {
        check("8/8/8/8/8/8/8/K7 w - -", Some(NotAPosition::Kings));
        check("8/8/8/8/8/8/8/8 w - -", Some(NotAPosition::Kings));
        check(
            "k6P/8/8/8/8/8/8/K7 w - -",
            Some(NotAPosition::PawnOnLastRank),
        );
        check(
            "k6R/8/8/8/8/8/8/K7 w - -",
            Some(NotAPosition::OppositeCheck),
        );
    }

    #[test]
    fn odd_positions_are_still_positions() {
        check("kqqqqqqq/qqqqqqqq/8/8/8/8/8/K7 w - -", None);
        check("k7/8/8/8/8/8/8/K7 w KQkq e6", None);
    }
}
