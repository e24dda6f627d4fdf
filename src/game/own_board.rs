//! The placement on one player's board, and what was done there since his turn began.

use shakmaty::{Bitboard, Board, Color, Piece, Square};

use crate::board::Fact;
use annexd_laws::moment::Moment;

/// One player's board.
#[derive(Clone, Debug)]
pub(super) struct OwnBoard {
    placement: Board,
    /// Pieces off their squares, in the order in which they were lifted.
    hand: Vec<Piece>,
    /// Squares where something was done since the placement was last known.
    disturbed: Bitboard,
    /// Squares with something on them that nobody was seen lifting: a new piece, or one whose peg
    /// was in its new hole before the old hole was seen empty.
    unnamed: Bitboard,
    /// Squares emptied since the last move stood here, and those filled again since. A hole sensor
    /// cannot tell what stands in such a hole now.
    emptied: Bitboard,
    refilled: Bitboard,
    /// Whether a person has looked and reported the placement, and nothing was done since.
    is_told: bool,
}

/// A piece touched with intent (4.3). On a tactile board that means taken out of its hole (D.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) square: Square,
    pub(super) piece: Option<Piece>,
    pub(super) at: Moment,
}

impl OwnBoard {
    pub(super) const fn new(placement: Board) -> Self {
        Self {
            placement,
            hand: Vec::new(),
            disturbed: Bitboard::EMPTY,
            unnamed: Bitboard::EMPTY,
            emptied: Bitboard::EMPTY,
            refilled: Bitboard::EMPTY,
            is_told: false,
        }
    }

    pub(super) const fn placement(&self) -> &Board {
        &self.placement
    }

    /// Takes a fact over. A placed piece that the board cannot name is taken for the last one
    /// lifted in the mover's colour, because captured pieces are not put back.
    pub(super) fn take(&mut self, fact: &Fact, mover: Color) {
        if let Fact::Lifted { square, .. } | Fact::Placed { square, .. } = *fact {
            self.disturbed.add(square);
        }
        match *fact {
            Fact::Lifted { square, piece } => {
                let stood = self.placement.remove_piece_at(square);
                self.lifted(square, piece.or(stood));
            }
            Fact::Placed { square, piece } => {
                let last = |color: Option<Color>| {
                    self.hand
                        .iter()
                        .rposition(|held| color.is_none_or(|color| held.color == color))
                };
                let held = match piece {
                    Some(piece) => self.hand.iter().rposition(|&held| held == piece),
                    None => last(Some(mover)).or_else(|| last(None)),
                };
                let held = held.map(|index| self.hand.remove(index));
                if self.emptied.contains(square) {
                    self.refilled.add(square);
                }
                match piece.or(held) {
                    Some(piece) => self.placement.set_piece_at(square, piece),
                    None if self.placement.piece_at(square).is_none() => self.unnamed.add(square),
                    None => {}
                }
            }
            Fact::Settled(ref placement) => {
                let count = |board: &Board, piece| board.by_piece(piece).count();
                let mut hand = std::mem::take(&mut self.hand);
                // A lifted piece stays in the hand across a rest that does not show it.
                hand.retain(|&held| count(placement, held) <= count(&self.placement, held));
                hand.extend(
                    self.taken_by(placement)
                        .filter(|piece| piece.color == mover),
                );
                let (disturbed, unnamed) = (self.disturbed, self.unnamed);
                self.set(placement.clone());
                // A rest does not tell which piece stands in a hole.
                self.unnamed = unnamed & !placement.occupied();
                if !hand.is_empty() {
                    (self.hand, self.disturbed) = (hand, disturbed);
                }
            }
        }
    }

    /// Notes a lifted piece as in the hand, unless its peg was already seen in another hole.
    fn lifted(&mut self, square: Square, piece: Option<Piece>) {
        self.unnamed.discard(square);
        self.refilled.discard(square);
        self.emptied.add(square);
        match (piece, self.unnamed.single_square()) {
            (Some(piece), Some(arrived)) => {
                self.unnamed = Bitboard::EMPTY;
                self.placement.set_piece_at(arrived, piece);
            }
            (piece, _) => self.hand.extend(piece),
        }
    }

    /// The piece in a hand, if the board only shows that its one square is empty now.
    fn taken_by(&self, shown: &Board) -> Option<Piece> {
        let square = super::position::changed(&self.placement, shown).single_square()?;
        let is_empty = shown.piece_at(square).is_none();
        self.placement.piece_at(square).filter(|_| is_empty)
    }

    /// Sets the placement that the board is taken to have.
    pub(super) fn set(&mut self, placement: Board) {
        self.placement = placement;
        self.hand.clear();
        self.disturbed = Bitboard::EMPTY;
        self.unnamed = Bitboard::EMPTY;
        self.is_told = false;
    }

    /// Whether a piece of this colour was lifted and stands nowhere yet.
    pub(super) fn is_holding(&self, side: Color) -> bool {
        self.hand.iter().any(|held| held.color == side)
    }

    /// Whether only pieces that are in the hand are missing, and nothing else is wrong.
    pub(super) fn is_felt(&self, right: &Board) -> bool {
        let mut hand = self.hand.clone();
        let wrong = super::position::changed(&self.placement, right);
        !wrong.is_empty()
            && (wrong & self.placement.occupied()).is_empty()
            && wrong.into_iter().all(|square| {
                let held = right
                    .piece_at(square)
                    .and_then(|piece| hand.iter().position(|&held| held == piece));
                held.map(|index| hand.remove(index)).is_some()
            })
    }

    /// A move stands here now: pieces lifted for it are no longer waited for.
    pub(super) fn forget_lifted(&mut self) {
        self.hand.clear();
        self.begin_move();
    }

    /// Begins the next move: what was put into holes for the move before is settled.
    pub(super) const fn begin_move(&mut self) {
        self.emptied = Bitboard::EMPTY;
        self.refilled = Bitboard::EMPTY;
    }

    /// Whether a new piece may stand on a square: something was put there that was not lifted, or
    /// was put back where a captured piece had stood.
    pub(super) fn may_hold_new_piece(&self, square: Square) -> bool {
        self.unnamed.contains(square) || self.refilled.contains(square)
    }

    /// Sets the placement that a person has reported after looking.
    pub(super) fn tell(&mut self, placement: Board) {
        self.set(placement);
        self.is_told = true;
    }

    /// Whether a person has reported the placement.
    pub(super) const fn is_told(&self) -> bool {
        self.is_told
    }

    /// Whether this placement can stand on a board that knows only its filled holes. While a piece
    /// is in the hand, a captured piece looks as if it still stood, so its square must have been
    /// empty once. A pawn lifted after its new piece was placed stays in the hand; `promoted` is
    /// the square of the new piece.
    pub(super) fn may_be(&self, said: &Board, promoted: Option<Square>) -> bool {
        let both = self.placement.occupied() & said.occupied();
        let replaced = super::position::changed(&self.placement, said) & both;
        let new = promoted.filter(|&square| self.may_hold_new_piece(square));
        let disturbed = self.disturbed | new.map_or(Bitboard::EMPTY, Bitboard::from);
        self.placement.occupied() | self.unnamed == said.occupied()
            && (self.hand.is_empty() || (replaced & !disturbed).is_empty())
    }

    /// The squares to which pieces of a side have come since the board looked like `before`.
    pub(super) fn arrived(&self, side: Color, before: &Board) -> Bitboard {
        let came = super::position::changed(before, &self.placement);
        came & self.placement.by_color(side)
    }

    /// The squares of `before` that pieces of a side have left.
    pub(super) fn left(&self, side: Color, before: &Board) -> Bitboard {
        before.by_color(side) & !self.placement.by_color(side)
    }

    /// How many pieces of a side are gone from the board compared with `before`.
    pub(super) fn gone(&self, side: Color, before: &Board) -> usize {
        let count = |board: &Board| board.by_color(side).count();
        count(before).saturating_sub(count(&self.placement))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lifted(square: Square) -> Fact {
        Fact::Lifted {
            square,
            piece: None,
        }
    }

    fn placed(square: Square) -> Fact {
        Fact::Placed {
            square,
            piece: None,
        }
    }

    #[test]
    fn a_capturer_in_the_hand_has_not_captured_yet() {
        let before = "4k3/8/8/4n3/8/5N2/8/4K3".parse::<Board>().unwrap();
        let after = "4k3/8/8/4N3/8/8/8/4K3".parse::<Board>().unwrap();
        let mut board = OwnBoard::new(before);
        board.take(&lifted(Square::F3), Color::White);
        assert!(!board.may_be(&after, None));
        board.take(&lifted(Square::E5), Color::White);
        board.take(&placed(Square::E5), Color::White);
        assert!(board.may_be(&after, None));
        let mut pushed = OwnBoard::new(board.placement().clone());
        pushed.take(&Fact::Settled(after.clone()), Color::White);
        assert!(pushed.may_be(&after, None), "it rests there");
    }

    #[test]
    fn a_capture_in_any_order_leaves_the_capturing_piece() {
        let before = "4k3/8/8/4n3/8/5N2/8/4K3".parse::<Board>().unwrap();
        for facts in [
            [lifted(Square::E5), lifted(Square::F3), placed(Square::E5)],
            [lifted(Square::F3), lifted(Square::E5), placed(Square::E5)],
        ] {
            let mut board = OwnBoard::new(before.clone());
            for fact in facts {
                board.take(&fact, Color::White);
            }
            assert_eq!(board.placement().to_string(), "4k3/8/8/4N3/8/8/8/4K3");
            assert_eq!(board.gone(Color::Black, &before), 1);
            assert_eq!(
                board.arrived(Color::White, &before),
                Bitboard::from_square(Square::E5)
            );
        }
    }
}
