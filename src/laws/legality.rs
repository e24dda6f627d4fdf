//! Whether a move on the board is legal, and if not, why (3.10). This is for the arbiter only and
//! must not reach a player before the Laws allow it.

use serde::{Deserialize, Serialize};
use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Move, Position, Rank, Role, Square,
};

/// A move as it was made or announced, complete in form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveFacts {
    /// A piece was moved from one square to another.
    Step {
        /// The square where it stood.
        from: Square,
        /// The square where it was put.
        to: Square,
        /// The piece that it was exchanged for.
        promotion: Option<Role>,
    },
    /// Castling, by its phrase or by moving king and rook.
    Castling(CastlingSide),
}

/// Why a move is illegal, as an arbiter would say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum WhyIllegal {
    /// Nothing stood on the square of departure.
    #[error("no piece stands on the square of departure")]
    NoPiece,
    /// The piece was the opponent's.
    #[error("the piece is the opponent's")]
    OpponentsPiece,
    /// A piece of the same colour stands on the square of arrival (3.1).
    #[error("a piece of the same colour stands on the square of arrival")]
    OwnPieceThere,
    /// A king was captured (1.4.1).
    #[error("a king cannot be captured")]
    KingCaptured,
    /// The piece does not move in that way (3.2 to 3.8).
    #[error("the piece cannot go there")]
    CannotGoThere,
    /// The own king would be, or stay, in check (3.9).
    #[error("the king would be in check")]
    KingInCheck,
    /// A pawn on the last rank was not exchanged (3.7.5).
    #[error("the pawn was not exchanged for a new piece")]
    NotExchanged,
    /// A promotion where none is possible, or to a king or pawn.
    #[error("there is no such promotion")]
    NoSuchPromotion,
    /// King or rook has moved before (3.8.2).
    #[error("the right to castle has been lost")]
    CastlingRightLost,
    /// Castling is prevented for now by a piece between or an attacked square (3.8.2).
    #[error("castling is prevented for the time being")]
    CastlingPrevented,
}

impl WhyIllegal {
    /// The clause it rests on.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::NoPiece | Self::OpponentsPiece => "1.1",
            Self::OwnPieceThere => "3.1",
            Self::KingCaptured => "1.4.1",
            Self::CannotGoThere => "3.2",
            Self::KingInCheck => "3.9",
            Self::NotExchanged | Self::NoSuchPromotion => "3.7.5",
            Self::CastlingRightLost | Self::CastlingPrevented => "3.8.2",
        }
    }
}

/// Returns the legal move that these facts describe.
///
/// # Errors
/// Why there is none.
pub fn judge_move(position: &Chess, facts: MoveFacts) -> Result<Move, WhyIllegal> {
    match facts {
        MoveFacts::Castling(side) => judge_castling(position, side),
        MoveFacts::Step {
            from,
            to,
            promotion,
        } => judge_step(position, from, to, promotion),
    }
}

fn judge_castling(position: &Chess, side: CastlingSide) -> Result<Move, WhyIllegal> {
    let castling = position
        .legal_moves()
        .into_iter()
        .find(|legal| legal.castling_side() == Some(side));
    castling.ok_or_else(|| {
        if position.castles().has(position.turn(), side) {
            WhyIllegal::CastlingPrevented
        } else {
            WhyIllegal::CastlingRightLost
        }
    })
}

fn judge_step(
    position: &Chess,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Move, WhyIllegal> {
    let legal_moves = position.legal_moves();
    let steps = || {
        legal_moves
            .iter()
            .filter(move |legal| legal.from() == Some(from) && legal.to() == to)
            .filter(|legal| !legal.is_castle())
    };
    if let Some(legal) = steps().find(|legal| legal.promotion() == promotion) {
        return Ok(*legal);
    }
    if steps().next().is_some() {
        return Err(match promotion {
            None => WhyIllegal::NotExchanged,
            Some(_) => WhyIllegal::NoSuchPromotion,
        });
    }
    Err(why_not(position, from, to, promotion))
}

fn why_not(position: &Chess, from: Square, to: Square, promotion: Option<Role>) -> WhyIllegal {
    let board = position.board();
    let Some(piece) = board.piece_at(from) else {
        return WhyIllegal::NoPiece;
    };
    if piece.color != position.turn() {
        return WhyIllegal::OpponentsPiece;
    }
    match board.piece_at(to) {
        Some(there) if there.color == piece.color => return WhyIllegal::OwnPieceThere,
        Some(there) if there.role == Role::King => return WhyIllegal::KingCaptured,
        _ => {}
    }
    if !reaches(position, from, to) {
        WhyIllegal::CannotGoThere
    } else if promotion.is_some() && piece.role != Role::Pawn {
        WhyIllegal::NoSuchPromotion
    } else {
        WhyIllegal::KingInCheck
    }
}

/// Returns whether the piece could go there if kings did not matter.
fn reaches(position: &Chess, from: Square, to: Square) -> bool {
    let board = position.board();
    let (Some(role), color) = (board.role_at(from), position.turn()) else {
        return false;
    };
    if role != Role::Pawn {
        return board.attacks_from(from).contains(to);
    }
    let is_capture = from.file() != to.file();
    if is_capture {
        let target = board.color_at(to) == Some(color.other())
            || position.ep_square(EnPassantMode::Always) == Some(to);
        return target && board.attacks_from(from).contains(to);
    }
    let forward = |square: Square| square.offset(color.fold_wb(8, -8));
    let Some(one) = forward(from) else {
        return false;
    };
    let start = color.fold_wb(Rank::Second, Rank::Seventh);
    let is_free = |square| board.piece_at(square).is_none();
    is_free(one) && (one == to || from.rank() == start && forward(one) == Some(to) && is_free(to))
}

/// Returns the square where a move captures a piece. For en passant it is not the square of
/// arrival.
pub fn captured_square(played: Move) -> Option<Square> {
    match played {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        _ if played.is_capture() => Some(played.to()),
        _ => None,
    }
}

/// Returns whether a placement is plainly illegal: both kings in check, or a pawn on the first or
/// last rank (A.4.4).
pub fn is_plainly_illegal(board: &Board) -> bool {
    let in_check = |side: Color| {
        board
            .king_of(side)
            .is_some_and(|king| !board.attacks_to(king, !side, board.occupied()).is_empty())
    };
    in_check(Color::White) && in_check(Color::Black)
        || !(board.pawns() & Bitboard::BACKRANKS).is_empty()
}
