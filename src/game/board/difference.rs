//! How one placement differs from another, square by square.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, uci::UciMove};

use super::AsLetter;
use annexd_laws::notation::as_words;

/// A square on which a board shows something else than it should.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SquareDifference {
    /// The square.
    #[serde_as(as = "DisplayFromStr")]
    pub square: Square,
    /// The piece that should stand on the square.
    #[serde_as(as = "Option<AsLetter>")]
    pub expected: Option<Piece>,
    /// The piece that stands on the square.
    #[serde_as(as = "Option<AsLetter>")]
    pub shown: Option<Piece>,
}

impl fmt::Display for SquareDifference {
    /// Writes "white pawn missing on e2". The words that people hear are in `grammar/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |piece: Piece| format!("{} {}", piece.color, as_words::role::word(piece.role));
        let square = self.square;
        match (self.expected, self.shown) {
            (Some(expected), None) => write!(f, "{} missing on {square}", name(expected)),
            (None, Some(shown)) => write!(f, "{} extra on {square}", name(shown)),
            (Some(expected), Some(shown)) => {
                let (shown, expected) = (name(shown), name(expected));
                write!(f, "{shown} instead of {expected} on {square}")
            }
            (None, None) => write!(f, "nothing on {square}"),
        }
    }
}

/// The squares on which two placements differ.
pub fn differing_squares(one: &Board, other: &Board) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for color in Color::ALL {
        squares |= one.by_color(color) ^ other.by_color(color);
    }
    for role in Role::ALL {
        squares |= one.by_role(role) ^ other.by_role(role);
    }
    squares
}

/// All differences of the shown placement from the expected one, from a1 to h8.
pub fn differences(expected: &Board, shown: &Board) -> Vec<SquareDifference> {
    differing_squares(expected, shown)
        .into_iter()
        .map(|square| SquareDifference {
            square,
            expected: expected.piece_at(square),
            shown: shown.piece_at(square),
        })
        .collect()
}

/// The shortest description of what a board shows, among several placements that it might be meant
/// to show: the differences from the one that differs on the fewest squares (the first of equals).
pub fn fewest_differences<'a>(
    expected: impl IntoIterator<Item = &'a Board>,
    shown: &Board,
) -> Vec<SquareDifference> {
    expected
        .into_iter()
        .min_by_key(|expected| differing_squares(expected, shown).count())
        .map(|expected| differences(expected, shown))
        .unwrap_or_default()
}

/// The placement after a move executed as announced, legal or not. Castling is a king's move of two
/// squares from its own square, and moves the rook too. A pawn that moves diagonally to an empty
/// square captures the pawn beside it. `None` if no piece stands on the square of departure, or if
/// it is no move on a board.
pub fn placement_after(board: &Board, played: UciMove) -> Option<Board> {
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = played
    else {
        return None;
    };
    let mut after = board.clone();
    let piece = after.remove_piece_at(from)?;
    let captures_nothing = after.piece_at(to).is_none();
    let aslant = from.file() != to.file();
    if piece.role == Role::Pawn && aslant && captures_nothing {
        let beside = Square::from_coords(to.file(), from.rank());
        if after.piece_at(beside) == Some(piece.color.other().pawn()) {
            after.discard_piece_at(beside);
        }
    }
    let role = promotion.unwrap_or(piece.role);
    after.set_piece_at(to, Piece { role, ..piece });
    if piece.role == Role::King && from.rank() == to.rank() {
        let step = to.file() as i32 - from.file() as i32;
        if from.file() == shakmaty::File::E && step.abs() == 2 {
            let side = shakmaty::CastlingSide::from_king_side(step > 0);
            let corner = Square::from_coords(
                if step > 0 {
                    shakmaty::File::H
                } else {
                    shakmaty::File::A
                },
                from.rank(),
            );
            if after.piece_at(corner) == Some(piece.color.rook()) {
                after.discard_piece_at(corner);
                after.set_piece_at(side.rook_to(piece.color), piece.color.rook());
            }
        }
    }
    Some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

    fn board(placement: &str) -> Board {
        placement.parse().unwrap()
    }

    fn uci(text: &str) -> UciMove {
        text.parse().unwrap()
    }

    #[test]
    fn a_difference_reads_as_words() {
        let shown = board("rnbqkbnr/pppppppp/8/8/6n1/8/PPPP1PPP/RNBQKBNR");
        let words: Vec<String> = differences(&Board::new(), &shown)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            words,
            ["white pawn missing on e2", "black knight extra on g4"]
        );
    }

    #[test]
    fn the_shortest_description_wins() {
        let start = Board::new();
        let after = placement_after(&start, uci("e2e4")).unwrap();
        let mut shown = after.clone();
        shown.discard_piece_at(Square::A7);
        let found = fewest_differences([&start, &after], &shown);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].square, Square::A7);
    }

    #[test]
    fn an_announced_move_is_executed_even_if_it_is_illegal() {
        let after = placement_after(&Board::new(), uci("g1g5")).unwrap();
        assert_eq!(after.piece_at(Square::G5), Some(Color::White.knight()));
        assert_eq!(placement_after(&Board::new(), uci("e4e5")), None);
    }

    #[test]
    fn executing_a_legal_move_as_announced_gives_the_position_of_the_rules() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
            "8/P6k/8/8/8/8/p6K/1N6 b - - 0 1",
        ] {
            let setup: Fen = fen.parse().unwrap();
            let position: Chess = setup.into_position(CastlingMode::Standard).unwrap();
            for legal in position.legal_moves() {
                let announced = legal.to_uci(CastlingMode::Standard);
                let after = position.clone().play(legal).unwrap();
                assert_eq!(
                    placement_after(position.board(), announced).as_ref(),
                    Some(after.board()),
                    "{announced} in {fen}"
                );
            }
        }
    }
}
