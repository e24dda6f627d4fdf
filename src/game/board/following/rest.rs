//! Whether the pieces on a board rest.

use std::time::Duration;

use crate::board::Patience;
use annexd_laws::moment::Moment;

/// How long a busy line can keep the pieces from counting as at rest.
const BUSY_MAX: Duration = Duration::from_millis(1_500);

/// Whether the pieces on a board rest, and for how long nothing has changed.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    patience: Patience,
    last_change: Moment,
    /// Until when more data may come on the line.
    busy: Moment,
    /// Whether something has changed since the pieces last rested.
    is_astir: bool,
    /// Whether something has changed since the placement last counted as settled.
    is_unsettled: bool,
}

impl Rest {
    /// Pieces that nobody has moved yet.
    pub(super) const fn new(patience: Patience) -> Self {
        Self {
            patience,
            last_change: Moment::START,
            busy: Moment::START,
            is_astir: false,
            is_unsettled: false,
        }
    }

    /// How long the board has to be quiet.
    pub(super) const fn patience(&self) -> Patience {
        self.patience
    }

    /// Counts the time without a change from now, without a piece having moved.
    pub(super) const fn begin(&mut self, now: Moment) {
        self.last_change = now;
    }

    /// Something has changed on the board.
    pub(super) const fn disturb(&mut self, now: Moment) {
        self.last_change = now;
        self.is_astir = true;
        self.is_unsettled = true;
    }

    /// Data may come on the line until then, so that what is seen may be old.
    pub(super) const fn line_is_busy(&mut self, until: Moment) {
        self.busy = until;
    }

    /// Whether the pieces rest.
    pub(super) const fn is_at_rest(&self) -> bool {
        !self.is_astir
    }

    /// Whether moving pieces have been quiet long enough to count as at rest.
    pub(super) fn is_due(&self, now: Moment) -> bool {
        self.is_astir && now >= self.quiet_due()
    }

    fn quiet_due(&self) -> Moment {
        let quiet = self.last_change + self.patience.quiet;
        quiet.max(self.busy.min(quiet + BUSY_MAX))
    }

    /// The pieces rest.
    pub(super) const fn come_to_rest(&mut self) {
        self.is_astir = false;
    }

    fn patience_ends(&self) -> Moment {
        self.last_change + self.patience.mismatch
    }

    /// Whether people had the time to put something right.
    pub(super) fn is_patience_over(&self, now: Moment) -> bool {
        now >= self.patience_ends()
    }

    /// The placement counts as settled. Returns whether it did not before.
    pub(super) const fn settle(&mut self) -> bool {
        std::mem::replace(&mut self.is_unsettled, false)
    }

    /// When something has to be done if nothing changes: the pieces count as at rest, or patience
    /// ends, if anything is to be done then.
    pub(super) fn deadline(&self, is_anything_wrong: bool) -> Option<Moment> {
        let quiet = self.is_astir.then(|| self.quiet_due());
        let is_patient = self.is_unsettled || is_anything_wrong;
        quiet.or_else(|| is_patient.then(|| self.patience_ends()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Moment {
        Moment::from_ms(ms)
    }

    fn disturbed() -> Rest {
        let mut rest = Rest::new(Patience::default());
        rest.disturb(at(1_000));
        rest
    }

    #[test]
    fn pieces_rest_after_a_quiet_moment() {
        let rest = disturbed();
        assert!(!rest.is_at_rest());
        assert!(!rest.is_due(at(1_249)));
        assert!(rest.is_due(at(1_250)));
        assert_eq!(rest.deadline(false), Some(at(1_250)));
    }

    #[test]
    fn a_busy_line_delays_rest_but_not_for_ever() {
        let mut rest = disturbed();
        rest.line_is_busy(at(2_000));
        assert_eq!(rest.deadline(false), Some(at(2_000)));
        rest.line_is_busy(at(60_000));
        assert_eq!(rest.deadline(false), Some(at(2_750)));
    }

    #[test]
    fn pieces_at_rest_are_settled_once_and_only_until_the_next_change() {
        let mut rest = disturbed();
        rest.come_to_rest();
        assert_eq!(rest.deadline(false), Some(at(4_500)));
        assert!(rest.settle());
        assert!(!rest.settle());
        assert_eq!(rest.deadline(false), None);
        rest.disturb(at(5_000));
        assert!(rest.settle());
    }

    #[test]
    fn something_wrong_waits_for_patience_to_end() {
        let mut rest = disturbed();
        rest.come_to_rest();
        rest.settle();
        assert_eq!(rest.deadline(true), Some(at(4_500)));
        assert!(!rest.is_patience_over(at(4_499)));
        assert!(rest.is_patience_over(at(4_500)));
    }
}
