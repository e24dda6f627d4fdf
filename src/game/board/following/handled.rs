//! What people have done with the pieces.

use shakmaty::{Board, Piece, Square};

use crate::board::tracker::Tracker;

/// A piece that was lifted, if it is known, and its square.
pub(super) type Lifted = (Square, Option<Piece>);

/// What people have done with the pieces since these last rested.
#[derive(Clone, Debug)]
pub(super) struct Handled {
    /// The placement when the pieces last rested.
    at_rest: Board,
    /// The pieces lifted since, until it is known what became of them.
    lifted: Vec<Lifted>,
    /// Whether a piece has been placed since the last one was lifted.
    is_placed: bool,
}

impl Handled {
    /// Pieces that nobody has touched.
    pub(super) const fn new(at_rest: Board) -> Self {
        Self {
            at_rest,
            lifted: Vec::new(),
            is_placed: true,
        }
    }

    /// The pieces rest like this.
    pub(super) fn rest(&mut self, shown: &Board) {
        self.at_rest.clone_from(shown);
    }

    /// A piece was lifted.
    pub(super) fn lift(&mut self, lifted: Lifted) {
        self.lifted.push(lifted);
        self.is_placed = false;
    }

    /// A piece was placed.
    pub(super) const fn place(&mut self) {
        self.is_placed = true;
    }

    /// Whether a piece was placed after the last one was lifted, so that nobody holds that one.
    pub(super) const fn is_placed(&self) -> bool {
        self.is_placed
    }

    /// Whether it is known of every lifted piece what became of it.
    pub(super) const fn is_judged(&self) -> bool {
        self.lifted.is_empty()
    }

    /// Forgets what was lifted: nobody has seen who touched it.
    pub(super) fn forgive(&mut self) {
        self.lifted.clear();
    }

    /// Takes the pieces that are back where they rested, each once. A piece still in the hand is
    /// judged when it lands.
    pub(super) fn take_touched(&mut self, tracker: &Tracker) -> Vec<Lifted> {
        let mut touched: Vec<Lifted> = Vec::new();
        for (square, piece) in std::mem::take(&mut self.lifted) {
            let stands = tracker.shown().piece_at(square);
            let is_back = stands.is_some() && stands == self.at_rest.piece_at(square);
            if is_back && touched.iter().all(|(told, _)| *told != square) {
                touched.push((square, piece));
            } else if stands.is_none() && tracker.held_from(square).is_some() {
                self.lifted.push((square, piece));
            }
        }
        touched
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Reading;
    use shakmaty::Color;

    /// A king's pawn, with the changes of the sensors on its squares.
    fn after(changes: &[(Square, bool)]) -> (Handled, Tracker) {
        let mut handled = Handled::new(Board::new());
        let mut tracker = Tracker::new(Board::new());
        for &(square, is_occupied) in changes {
            let stood = tracker.shown().piece_at(square);
            let reading = match is_occupied {
                true => Reading::Occupied,
                false => Reading::Empty,
            };
            tracker.changed(square, reading, Color::White);
            match is_occupied {
                true => handled.place(),
                false => handled.lift((square, stood)),
            }
        }
        (handled, tracker)
    }

    #[test]
    fn a_piece_put_back_twice_was_touched_once() {
        let lifted_and_back = [(Square::E2, false), (Square::E2, true)];
        let (mut handled, tracker) = after(&lifted_and_back.repeat(2));
        let pawn = Some(Color::White.pawn());
        assert_eq!(handled.take_touched(&tracker), [(Square::E2, pawn)]);
        assert!(handled.is_judged() && handled.is_placed());
        assert!(handled.take_touched(&tracker).is_empty());
    }

    #[test]
    fn a_piece_in_the_hand_is_not_judged() {
        let (mut handled, tracker) = after(&[(Square::E2, false)]);
        assert!(handled.take_touched(&tracker).is_empty());
        assert!(!handled.is_judged() && !handled.is_placed());
        handled.forgive();
        assert!(handled.is_judged());
    }

    #[test]
    fn a_moved_piece_was_not_merely_touched() {
        let (mut handled, tracker) = after(&[(Square::E2, false), (Square::E4, true)]);
        assert!(handled.take_touched(&tracker).is_empty());
        assert!(handled.is_judged());
    }
}
