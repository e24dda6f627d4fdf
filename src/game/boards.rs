//! Both players' boards: what stands on them, which rest and differ, what the arbiter was told of
//! that, and which squares are lit (D.2.9).
//!
//! The two boards are never assumed to be the same. Nothing here knows what should stand on them.

use std::time::Duration;

use shakmaty::{Board, Color, Square};

use super::effect::Effect;
use super::own_board::OwnBoard;
use super::position::changed;
use crate::board::Fact;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Sides;

/// A board that is back reports its placement within this time.
const FIRST_LOOK: Duration = Duration::from_secs(1);
/// How long a move that the program announces has to rest before it ends the game by itself.
const LONG_REST: Duration = Duration::from_secs(3);

/// Both boards. A single board for both players is kept as two equal ones.
#[derive(Clone, Debug)]
pub(super) struct Boards {
    of: Sides<OwnBoard>,
    /// The boards that rest and differ.
    mismatches: Sides<Option<Mismatch>>,
    /// Since when a board is connected again without having come to rest.
    back: Sides<Option<Moment>>,
    /// Whether the arbiter was told since the last move that a board differs.
    reported: Sides<bool>,
    /// Since when a move that the program announces rests without having been pressed for.
    rests_since: Option<Moment>,
    /// The lit squares of a move.
    lit: Sides<Vec<Square>>,
}

/// A resting board that differs.
#[derive(Clone, Debug)]
struct Mismatch {
    shown: Board,
    since: Moment,
    /// Whether its owner was told.
    is_told: bool,
}

impl Boards {
    /// Both boards with this placement.
    pub(super) fn new(placement: &Board) -> Self {
        Self {
            of: Sides::from_fn(|_| OwnBoard::new(placement.clone())),
            mismatches: Sides::default(),
            back: Sides::default(),
            reported: Sides::default(),
            rests_since: None,
            lit: Sides::default(),
        }
    }

    /// A player's board.
    pub(super) const fn of(&self, side: Color) -> &OwnBoard {
        match side {
            Color::White => &self.of.white,
            Color::Black => &self.of.black,
        }
    }

    /// The placement on a player's board, as far as it is known.
    pub(super) const fn placement(&self, side: Color) -> &Board {
        self.of(side).placement()
    }

    /// The placements on both boards.
    pub(super) fn placements(&self) -> Sides<Board> {
        Sides::from_fn(|side| self.placement(side).clone())
    }

    /// Whether a player's board differs from this placement.
    pub(super) fn differs(&self, side: Color, right: &Board) -> bool {
        !changed(self.placement(side), right).is_empty()
    }

    /// Takes over a fact from a board; `mover` is the side whose pieces are handled.
    pub(super) fn take(&mut self, side: Color, fact: &Fact, mover: Color) {
        self.of[side].take(fact, mover);
    }

    /// Sets the placement that a board is taken to have.
    pub(super) fn set(&mut self, side: Color, placement: Board) {
        self.of[side].set(placement);
    }

    /// Sets the placement that a person has reported. Another difference is news for the arbiter.
    pub(super) fn tell(&mut self, side: Color, placement: Board) {
        self.of[side].tell(placement);
        self.reported[side] = false;
    }

    /// Begins the next move on a board.
    pub(super) fn begin_move(&mut self, side: Color) {
        self.of[side].begin_move();
    }

    /// A move stands on a board: lifted pieces are no longer waited for.
    pub(super) fn forget_lifted(&mut self, side: Color) {
        self.of[side].forget_lifted();
    }

    /// Notes since when a board is connected again; `None` if it was lost.
    pub(super) fn note_back(&mut self, side: Color, since: Option<Moment>) {
        self.back[side] = since;
    }

    /// Whether a board that is back may still be reporting its placement.
    pub(super) fn may_be_looking(&self, side: Color, now: Moment) -> bool {
        self.back[side].is_some_and(|back| now < back + FIRST_LOOK)
    }

    /// A board has come to rest. Returns whether this is the first rest since it came back.
    pub(super) fn rests_first(&mut self, side: Color) -> bool {
        self.back[side].take().is_some()
    }

    /// Notes whether a board differs, when it rests or something about it has changed. A difference
    /// it has shown before keeps its time, and whether it was told.
    pub(super) fn watch(&mut self, side: Color, now: Moment, differs: bool) {
        if !differs {
            self.mismatches[side] = None;
            return;
        }
        let shown = self.placement(side);
        let before = self.mismatches[side].as_ref();
        if before.is_none_or(|before| before.shown != *shown) {
            self.mismatches[side] = Some(Mismatch {
                shown: shown.clone(),
                since: now,
                is_told: false,
            });
        }
    }

    /// When a board's owner is to be told that it differs, if the difference has to last this long.
    pub(super) fn mismatch_due(&self, side: Color, patience: Duration) -> Option<Moment> {
        let mismatch = self.mismatches[side].as_ref()?;
        (!mismatch.is_told).then(|| mismatch.since + patience)
    }

    /// Notes that a board's owner was told of the difference.
    pub(super) fn mismatch_told(&mut self, side: Color) {
        if let Some(mismatch) = &mut self.mismatches[side] {
            mismatch.is_told = true;
        }
    }

    /// Notes that the owner was told what is wrong on his board. Returns whether he had not been
    /// told before.
    pub(super) fn tell_mismatch(&mut self, side: Color) -> bool {
        match &mut self.mismatches[side] {
            Some(mismatch) => !std::mem::replace(&mut mismatch.is_told, true),
            None => true,
        }
    }

    /// Notes that the arbiter was told that a board differs.
    pub(super) fn difference_reported(&mut self, side: Color) {
        self.reported[side] = true;
    }

    /// Whether the arbiter was told so since the last move.
    pub(super) fn is_difference_reported(&self, side: Color) -> bool {
        self.reported[side]
    }

    /// The arbiter is to be told anew of this board.
    pub(super) fn report_anew(&mut self, side: Color) {
        self.reported[side] = false;
    }

    /// A move was made, or play went back: any difference is news again.
    pub(super) fn report_all_anew(&mut self) {
        self.reported = Sides::default();
    }

    /// A move that the program announces rests from now on.
    pub(super) const fn begin_rest(&mut self, now: Moment) {
        self.rests_since = Some(now);
    }

    /// The resting move was handled again, or another move was made.
    pub(super) const fn end_rest(&mut self) {
        self.rests_since = None;
    }

    /// When the move has rested long enough for the hand to be off it.
    pub(super) fn rest_is_over(&self) -> Option<Moment> {
        Some(self.rests_since? + LONG_REST)
    }

    /// Lights these squares of a board, and no others.
    pub(super) fn light(&mut self, side: Color, squares: Vec<Square>) -> Effect {
        self.lit[side].clone_from(&squares);
        let board = side;
        Effect::Light { board, squares }
    }

    /// The lit squares, to be lit again after an interruption.
    pub(super) fn lights(&self) -> impl Iterator<Item = Effect> + use<'_> {
        let boards = Color::ALL.into_iter();
        let lit = boards.map(|board| (board, self.lit[board].clone()));
        lit.filter(|(_, squares)| !squares.is_empty())
            .map(|(board, squares)| Effect::Light { board, squares })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};

    const PATIENCE: Duration = Duration::from_secs(4);

    fn at(seconds: u64) -> Moment {
        Moment::from_ms(1000 * seconds)
    }

    fn boards() -> Boards {
        Boards::new(&Board::new())
    }

    fn without(square: Square) -> Board {
        let mut board = Board::new();
        board.discard_piece_at(square);
        board
    }

    #[test]
    fn what_differs_has_to_last_and_is_told_once() {
        let mut boards = boards();
        boards.set(White, without(Square::E2));
        assert!(boards.differs(White, &Board::new()) && !boards.differs(Black, &Board::new()));
        boards.watch(White, at(1), true);
        boards.watch(White, at(3), true);
        assert_eq!(boards.mismatch_due(White, PATIENCE), Some(at(5)));
        boards.mismatch_told(White);
        boards.watch(White, at(6), true);
        assert_eq!(boards.mismatch_due(White, PATIENCE), None);
        boards.set(White, without(Square::D2));
        boards.watch(White, at(7), true);
        assert_eq!(
            boards.mismatch_due(White, PATIENCE),
            Some(at(11)),
            "another"
        );
        assert!(boards.tell_mismatch(White) && !boards.tell_mismatch(White));
        boards.watch(White, at(8), false);
        assert!(
            boards.tell_mismatch(White),
            "nothing is wrong that was told"
        );
    }

    #[test]
    fn each_difference_is_reported_once_a_move() {
        let mut boards = boards();
        boards.difference_reported(White);
        assert!(boards.is_difference_reported(White) && !boards.is_difference_reported(Black));
        boards.tell(White, Board::new());
        assert!(!boards.is_difference_reported(White));
        boards.difference_reported(Black);
        boards.report_all_anew();
        assert!(!boards.is_difference_reported(Black));
    }

    #[test]
    fn a_board_that_is_back_is_looked_at_first() {
        let mut boards = boards();
        assert!(!boards.may_be_looking(White, at(1)) && !boards.rests_first(White));
        boards.note_back(White, Some(at(1)));
        assert!(boards.may_be_looking(White, at(1)) && !boards.may_be_looking(White, at(2)));
        assert!(boards.rests_first(White) && !boards.rests_first(White));
    }

    #[test]
    fn a_rest_is_counted_from_its_beginning() {
        let mut boards = boards();
        boards.begin_rest(at(1));
        assert_eq!(boards.rest_is_over(), Some(at(1) + LONG_REST));
        boards.end_rest();
        assert_eq!(boards.rest_is_over(), None);
    }

    #[test]
    fn what_is_lit_is_lit_again() {
        let mut boards = boards();
        let lit = boards.light(Black, vec![Square::E2, Square::E4]);
        assert_eq!(boards.lights().collect::<Vec<_>>(), [lit]);
        boards.light(Black, Vec::new());
        assert_eq!(boards.lights().count(), 0);
    }
}
