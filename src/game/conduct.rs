//! The faults that count against the players, points given or taken, and the clause by which the
//! game would be annulled (7.5, 10.2, 12.9).

use shakmaty::Color;

use annexd_laws::persons::Sides;
use annexd_laws::{Fault, FaultRecord, Points};

/// What counts against the players. It stays when play goes back (D.2.9, 7.5.1).
#[derive(Clone, Debug)]
pub(super) struct Conduct {
    faults: Sides<FaultRecord>,
    /// The numbers of the moves in which the faults were made.
    fault_moves: Sides<Vec<u32>>,
    /// The number of moves and of presses without a move, those taken back included.
    acts: u32,
    /// The earlier act that is being judged, if it is not the last one.
    judged: Option<u32>,
    /// Half points given or taken by penalties (12.9).
    points: Sides<i32>,
    annulled_by: &'static str,
}

impl Conduct {
    pub(super) fn new() -> Self {
        Self {
            faults: Sides::default(),
            fault_moves: Sides::default(),
            acts: 0,
            judged: None,
            points: Sides::default(),
            annulled_by: "7.2.1",
        }
    }

    /// Begins another act: a move was made, or the clock pressed without one. A fault in it counts
    /// besides earlier ones (7.5.5).
    pub(super) const fn begin_act(&mut self) {
        self.acts += 1;
    }

    /// The act being judged: the last one, unless an earlier one was named.
    pub(super) fn act(&self) -> u32 {
        self.judged.unwrap_or(self.acts)
    }

    /// Names the act about which a decision is made; `None` means the last one.
    pub(super) const fn judge(&mut self, act: Option<u32>) {
        self.judged = act;
    }

    /// Counts a fault against a player in the move of this number, once for each act (7.5.5).
    pub(super) fn count_fault(&mut self, side: Color, fault: Fault, number: u32) {
        let counted = self.faults[side].faults().len();
        let act = self.act();
        self.faults[side].note(act, fault);
        if self.faults[side].faults().len() > counted {
            self.fault_moves[side].push(number);
        }
    }

    /// The faults that count against a player.
    pub(super) fn faults(&self, side: Color) -> &FaultRecord {
        &self.faults[side]
    }

    /// The numbers of the moves in which a player made his faults, in order.
    pub(super) fn fault_moves(&self, side: Color) -> &[u32] {
        &self.fault_moves[side]
    }

    /// Gives a player half points, or with a negative number takes them (12.9).
    pub(super) fn penalise(&mut self, side: Color, change: i32) {
        self.points[side] += change;
    }

    /// The points with both players' penalties counted; `None` if there are no penalties. Nobody
    /// gets less than nothing or more than a win. If capped, both together get no more than the
    /// game is worth (10.2).
    pub(super) fn points_after(&self, given: Points, win: i32, is_capped: bool) -> Option<Points> {
        if self.points == Sides::default() {
            return None;
        }
        let base = Sides {
            white: given.white.cast_signed(),
            black: given.black.cast_signed(),
        };
        let mut after = Sides::from_fn(|side| (base[side] + self.points[side]).clamp(0, win));
        for side in Color::ALL.into_iter().filter(|_| is_capped) {
            if self.points[side] > 0 {
                after[side] = after[side].min(win - after[!side]).max(base[side].min(win));
            }
        }
        let [white, black] = [after.white, after.black].map(i32::unsigned_abs);
        Some(Points { white, black })
    }

    /// Notes the clause by which the arbiter is to annul the game.
    pub(super) const fn would_annul(&mut self, clause: &'static str) {
        self.annulled_by = clause;
    }

    /// The clause by which the game would be annulled.
    pub(super) const fn annulled_by(&self) -> &'static str {
        self.annulled_by
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};

    #[test]
    fn what_is_wrong_in_one_act_counts_once() {
        let mut conduct = Conduct::new();
        conduct.begin_act();
        conduct.count_fault(White, Fault::IllegalMove, 7);
        conduct.count_fault(White, Fault::TwoHands { pressed: true }, 7);
        assert_eq!(conduct.fault_moves(White), [7]);
        conduct.begin_act();
        conduct.count_fault(White, Fault::IllegalMove, 8);
        assert_eq!(conduct.fault_moves(White), [7, 8]);
        assert_eq!(conduct.faults(White).faults().len(), 2);
        assert!(conduct.fault_moves(Black).is_empty());
    }

    #[test]
    fn an_earlier_act_is_judged_as_that() {
        let mut conduct = Conduct::new();
        conduct.begin_act();
        let first = conduct.act();
        conduct.begin_act();
        conduct.count_fault(Black, Fault::IllegalMove, 2);
        conduct.judge(Some(first));
        conduct.count_fault(Black, Fault::PressWithoutMove, 1);
        conduct.count_fault(Black, Fault::IllegalMove, 1);
        conduct.judge(None);
        conduct.count_fault(Black, Fault::TwoHands { pressed: false }, 2);
        assert_eq!(conduct.fault_moves(Black), [2, 1]);
    }

    #[test]
    fn nobody_gets_less_than_nothing_or_more_than_a_win() {
        let draw = Points { white: 1, black: 1 };
        let mut conduct = Conduct::new();
        assert_eq!(conduct.points_after(draw, 2, true), None);
        conduct.penalise(White, -5);
        conduct.penalise(Black, 4);
        let after = Points { white: 0, black: 2 };
        assert_eq!(conduct.points_after(draw, 2, false), Some(after));
        assert_eq!(conduct.points_after(draw, 2, true), Some(after));
    }

    #[test]
    fn both_together_get_no_more_than_the_game_is_worth_where_points_are_capped() {
        let draw = Points { white: 1, black: 1 };
        let mut conduct = Conduct::new();
        conduct.penalise(White, 1);
        let uncapped = Points { white: 2, black: 1 };
        assert_eq!(conduct.points_after(draw, 2, false), Some(uncapped));
        assert_eq!(conduct.points_after(draw, 2, true), Some(draw));
    }
}
