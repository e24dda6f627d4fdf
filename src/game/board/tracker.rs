//! Tracks which piece stands where, on boards that cannot tell.

use shakmaty::{Board, Color, File, Piece, Role, Square};

use super::Reading;

/// Follows the pieces by the order in which they are lifted and placed.
///
/// A board with reed or Hall sensors reports that something stands on a square, not what. If one
/// piece is lifted and one placed, it has moved. Of two pieces in the hand the mover's own is the
/// one that lands. The announcement settles what remains unclear.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    shown: Board,
    /// Pieces lifted and not yet placed, in order.
    hand: Vec<(Piece, Square)>,
    /// Squares where something arrived before anything was lifted: the two changes came in the
    /// wrong order.
    unknown: Vec<Square>,
}

impl Tracker {
    /// Starts with this placement.
    pub(super) const fn new(shown: Board) -> Self {
        Self {
            shown,
            hand: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// The placement on the board, as far as known.
    pub(super) const fn shown(&self) -> &Board {
        &self.shown
    }

    /// Takes a placement as known, because it was announced or a legal move led to it.
    pub(super) fn know(&mut self, shown: &Board) {
        self.shown = shown.clone();
        self.hand.clear();
        self.unknown.clear();
    }

    /// A known position stands there: pieces in a hand were captured, and are put beside the board.
    pub(super) fn put_away(&mut self) {
        self.hand.clear();
    }

    /// Takes a changed sensor. `turn` is the side to move.
    pub(super) fn changed(&mut self, square: Square, reading: Reading, turn: Color) {
        match reading {
            Reading::Empty => self.lifted(square),
            Reading::Piece(piece) => {
                // The piece that stood there is in a hand now, and the one that arrived no longer
                // is.
                self.lifted(square);
                self.hand.retain(|(held, _)| *held != piece);
                self.shown.set_piece_at(square, piece);
            }
            Reading::Occupied => self.placed(square, None, turn),
            Reading::OfColor(color) => self.placed(square, Some(color), turn),
        }
    }

    /// The piece last lifted from a square, while it is in a hand.
    pub(super) fn held_from(&self, square: Square) -> Option<Piece> {
        let of_square = |held: &&(Piece, Square)| held.1 == square;
        self.hand.iter().rev().find(of_square).map(|held| held.0)
    }

    fn lifted(&mut self, square: Square) {
        self.unknown.retain(|unknown| *unknown != square);
        let Some(piece) = self.shown.remove_piece_at(square) else {
            return;
        };
        if let Some(arrived) = self.unknown.pop() {
            self.shown.set_piece_at(arrived, promoted(piece, arrived));
        } else {
            self.hand.push((piece, square));
        }
    }

    fn placed(&mut self, square: Square, color: Option<Color>, turn: Color) {
        if let Some(stood) = self.shown.piece_at(square) {
            if color.is_none_or(|color| color == stood.color) {
                return;
            }
            // It was replaced without having been seen empty.
            self.lifted(square);
        }
        let Some(index) = self.choose(square, color, turn) else {
            self.unknown.push(square);
            return;
        };
        let (piece, _) = self.hand.remove(index);
        self.shown.set_piece_at(square, promoted(piece, square));
    }

    /// The index of the piece in the hand that has landed on a square.
    fn choose(&self, square: Square, color: Option<Color>, turn: Color) -> Option<usize> {
        let fits = |piece: &Piece| color.is_none_or(|color| color == piece.color);
        let find = |wanted: &dyn Fn(&(Piece, Square)) -> bool| {
            self.hand
                .iter()
                .rposition(|held| fits(&held.0) && wanted(held))
        };
        let castling = castling_role(square).and_then(|role| {
            let both = [Role::King, Role::Rook]
                .map(|role| find(&|held| held.0 == Piece { color: turn, role }));
            both.iter()
                .all(Option::is_some)
                .then(|| find(&|held| held.0 == Piece { color: turn, role }))?
        });
        find(&|held| held.1 == square && held.0.color == turn)
            .or(castling)
            .or_else(|| find(&|held| held.0.color == turn))
            .or_else(|| find(&|held| held.1 == square))
            .or_else(|| find(&|_| true))
    }
}

/// The role of the piece that castling brings to a square, if any.
const fn castling_role(square: Square) -> Option<Role> {
    match square.file() {
        File::G | File::C => Some(Role::King),
        File::F | File::D => Some(Role::Rook),
        _ => None,
    }
}

/// Takes a pawn on the last rank for a queen until an announcement says otherwise.
fn promoted(piece: Piece, square: Square) -> Piece {
    let is_last_rank = square.rank() == piece.color.other().backrank();
    if piece.role == Role::Pawn && is_last_rank {
        piece.color.queen()
    } else {
        piece
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(changes: &[(Square, bool)], placement: &str) -> String {
        let mut tracker = Tracker::new(placement.parse().unwrap());
        for &(square, occupied) in changes {
            let reading = if occupied {
                Reading::Occupied
            } else {
                Reading::Empty
            };
            tracker.changed(square, reading, Color::White);
        }
        tracker.shown().to_string()
    }

    #[test]
    fn the_movers_piece_lands_whichever_was_lifted_first() {
        let before = "4k3/8/8/3p4/4P3/8/8/4K3";
        let captured = "4k3/8/8/3P4/8/8/8/4K3";
        for order in [
            [(Square::D5, false), (Square::E4, false), (Square::D5, true)],
            [(Square::E4, false), (Square::D5, false), (Square::D5, true)],
        ] {
            assert_eq!(after(&order, before), captured);
        }
    }

    #[test]
    fn a_piece_put_back_is_the_same_piece() {
        let before = "4k3/8/8/3p4/4P3/8/8/4K3";
        assert_eq!(
            after(&[(Square::D5, false), (Square::D5, true)], before),
            before
        );
    }

    #[test]
    fn an_arrival_before_the_departure_is_the_piece_that_departs() {
        assert_eq!(
            after(
                &[(Square::E3, true), (Square::E2, false)],
                "4k3/8/8/8/8/8/4P3/4K3"
            ),
            "4k3/8/8/8/8/4P3/8/4K3"
        );
    }

    #[test]
    fn king_and_rook_lifted_together_land_where_castling_puts_them() {
        for order in [[Square::G1, Square::F1], [Square::F1, Square::G1]] {
            let mut changes = vec![(Square::E1, false), (Square::H1, false)];
            changes.extend(order.map(|square| (square, true)));
            assert_eq!(
                after(&changes, "4k3/8/8/8/8/8/8/4K2R"),
                "4k3/8/8/8/8/8/8/5RK1"
            );
        }
    }
}
