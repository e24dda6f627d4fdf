//! How long to wait before the server is asked again.

use std::time::Duration;

/// The shortest and the longest wait, in units, and the least wait after the server has answered
/// that it is busy.
const FIRST: u32 = 1;
const LONGEST: u32 = 60;
const WHEN_BUSY: u32 = 60;

/// The longest wait for a busy server, whatever it says.
const BUSY_AT_MOST: u32 = 3600;

/// Waits that grow with each failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// The length of a unit: a second, or less in tests.
    unit: Duration,
    next: u32,
}

impl Pace {
    /// Makes a pace with this unit.
    pub(super) const fn new(unit: Duration) -> Self {
        Self { unit, next: FIRST }
    }

    /// Records a failure. Returns how many units to wait.
    pub(super) fn fails(&mut self) -> u32 {
        let wait = self.next;
        self.next = (wait * 2).min(LONGEST);
        wait
    }

    /// Records that a connection has ended after this time. Only one that lasted resets the wait,
    /// so that a server that accepts and closes connections is asked less and less often.
    pub(super) fn ends(&mut self, lasted: Duration) {
        if lasted > self.time(self.next) {
            self.succeeds();
        }
    }

    /// Records a success.
    pub(super) const fn succeeds(&mut self) {
        self.next = FIRST;
    }

    /// Returns the length of so many units.
    pub(super) fn time(&self, units: u32) -> Duration {
        self.unit * units
    }
}

/// Returns how many units to leave a busy server alone. The server may have said how many.
pub(super) fn when_busy(said: Option<u32>) -> u32 {
    said.unwrap_or(WHEN_BUSY).clamp(WHEN_BUSY, BUSY_AT_MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_minute_and_begin_anew() {
        let mut pace = Pace::new(Duration::from_secs(1));
        let waits: Vec<u32> = (0..8).map(|_| pace.fails()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
        pace.succeeds();
        let wait = pace.fails();
        assert_eq!(pace.time(wait), Duration::from_secs(1));
    }

    #[test]
    fn what_does_not_last_is_no_reason_to_begin_anew() {
        let mut pace = Pace::new(Duration::from_secs(1));
        let mut wait_after = |lasted: u64| {
            pace.ends(Duration::from_secs(lasted));
            pace.fails()
        };
        let waits = [0, 1, 2, 4, 60, 3600].map(&mut wait_after);
        assert_eq!(waits, [1, 2, 4, 8, 1, 1]);
    }

    #[test]
    fn a_busy_server_is_left_alone_for_a_minute_at_least() {
        for (said, waits) in [
            (None, 60),
            (Some(5), 60),
            (Some(90), 90),
            (Some(u32::MAX), 3600),
        ] {
            assert_eq!(when_busy(said), waits);
        }
    }
}
