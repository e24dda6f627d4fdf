//! What has changed on the squares of a board.

use std::collections::BTreeSet;

use shakmaty::{Board, Square};

use annexd_game::board::{Reading, Readings};

/// The first changes after a game, which show whether its pieces are put on their starting squares.
const CLEARING_MAX: u64 = 4;

/// When squares have changed, counted in changes, and which have since a known position was shown.
#[derive(Clone, Debug)]
pub(super) struct Changes {
    count: u64,
    /// When each square last changed.
    last: [u64; 64],
    /// When a known position was last shown.
    shown: u64,
    /// Squares that have changed since.
    disturbed: BTreeSet<Square>,
    /// Squares from which pieces were lifted since.
    lifted: Vec<Square>,
    /// Whether one of the first changes since put a piece on its starting square.
    goes_home: bool,
}

impl Changes {
    /// Nothing has changed yet.
    pub(super) const fn new() -> Self {
        Self {
            count: 0,
            last: [0; 64],
            shown: 0,
            disturbed: BTreeSet::new(),
            lifted: Vec::new(),
            goes_home: false,
        }
    }

    /// Notes what has changed on the way from one reading of the board to another. `expected` is
    /// the placement that should stand there.
    pub(super) fn note(&mut self, before: &Readings, after: &Readings, expected: &Board) {
        self.count += 1;
        for (square, reading) in after.iter() {
            let before = before.at(square);
            let stood = expected.piece_at(square);
            if before == reading
                || before.is_occupied() && before.fits(stood) && reading.fits(stood)
            {
                // The same as before, only more or less exact.
                continue;
            }
            if let Some(last) = self.last.get_mut(square as usize) {
                *last = self.count;
            }
            self.disturbed.insert(square);
            self.lifted.retain(|&lifted| lifted != square);
            if before.is_occupied() {
                self.lifted.push(square);
            }
        }
        let is_placed_home = |(square, reading): (Square, Reading)| {
            reading.is_occupied()
                && reading != before.at(square)
                && reading.fits(Board::new().piece_at(square))
        };
        let is_first = self.count <= self.shown + CLEARING_MAX;
        self.goes_home |= is_first && after.iter().any(is_placed_home);
    }

    /// A known position is shown. Unless it is whole, pieces are missing, which stay lifted.
    pub(super) fn show(&mut self, board: &Board, readings: &Readings, is_whole: bool) {
        self.shown = self.count;
        self.goes_home = false;
        self.disturbed.clear();
        self.lifted.retain(|&square| {
            !is_whole && board.piece_at(square).is_some() && !readings.at(square).is_occupied()
        });
    }

    /// How many changes there were.
    pub(super) const fn count(&self) -> u64 {
        self.count
    }

    /// When a square last changed, counted in changes.
    pub(super) fn last(&self, square: Square) -> u64 {
        self.last.get(square as usize).copied().unwrap_or_default()
    }

    /// Whether a square has changed since a known position was shown.
    pub(super) fn has_disturbed(&self, square: Square) -> bool {
        self.disturbed.contains(&square)
    }

    /// The squares that have changed since a known position was shown.
    pub(super) fn disturbed(&self) -> impl Iterator<Item = Square> {
        self.disturbed.iter().copied()
    }

    /// The squares from which pieces were lifted since then, in this order.
    pub(super) fn lifted(&self) -> impl Iterator<Item = Square> {
        self.lifted.iter().copied()
    }

    /// Whether one of the first changes since then put a piece on its starting square.
    pub(super) const fn goes_home(&self) -> bool {
        self.goes_home
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    /// The start position, with pieces put on these squares, or lifted from them.
    fn start_but_for(changes: &[(Square, Reading)]) -> Readings {
        let mut readings = Readings::of(&Board::new());
        for &(square, reading) in changes {
            readings.set(square, reading);
        }
        readings
    }

    fn lifted(changes: &Changes) -> Vec<Square> {
        changes.lifted().collect()
    }

    #[test]
    fn a_square_changes_when_its_piece_does() {
        let start = start_but_for(&[]);
        let nameless = start_but_for(&[(Square::E2, Reading::Occupied)]);
        let empty = start_but_for(&[(Square::E2, Reading::Empty)]);
        let mut changes = Changes::new();
        changes.note(&start, &nameless, &Board::new());
        assert!(!changes.has_disturbed(Square::E2));
        changes.note(&nameless, &empty, &Board::new());
        assert_eq!((changes.count(), changes.last(Square::E2)), (2, 2));
        assert_eq!(lifted(&changes), [Square::E2]);
    }

    #[test]
    fn a_piece_put_back_is_not_lifted_but_disturbed() {
        let (start, empty) = (
            start_but_for(&[]),
            start_but_for(&[(Square::E2, Reading::Empty)]),
        );
        let mut changes = Changes::new();
        changes.note(&start, &empty, &Board::new());
        changes.note(&empty, &start, &Board::new());
        assert!(lifted(&changes).is_empty());
        assert!(changes.disturbed().eq([Square::E2]));
        assert!(changes.goes_home());
        changes.show(&Board::new(), &start, true);
        assert_eq!(changes.disturbed().count(), 0);
        assert!(!changes.goes_home());
    }

    #[test]
    fn a_missing_piece_stays_lifted_while_the_position_is_known() {
        let lifts = [(Square::E2, Reading::Empty), (Square::D2, Reading::Empty)];
        let (start, missing) = (start_but_for(&[]), start_but_for(&lifts));
        let mut changes = Changes::new();
        changes.note(&start, &missing, &Board::new());
        let mut board = Board::new();
        board.discard_piece_at(Square::D2);
        changes.show(&board, &missing, false);
        assert_eq!(lifted(&changes), [Square::E2]);
        changes.show(&board, &missing, true);
        assert!(lifted(&changes).is_empty());
    }

    #[test]
    fn a_piece_goes_home_only_soon_after_the_game() {
        let pawn = Reading::Piece(Color::White.pawn());
        let (start, empty) = (
            start_but_for(&[(Square::E2, pawn)]),
            start_but_for(&[(Square::E2, Reading::Empty)]),
        );
        let mut changes = Changes::new();
        for _ in 0..CLEARING_MAX {
            changes.note(&start, &empty, &Board::new());
        }
        changes.note(&empty, &start, &Board::new());
        assert!(!changes.goes_home());
    }
}
