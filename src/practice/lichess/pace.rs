//! How long is waited before a server is asked again.

use std::time::Duration;

/// The first wait, and the longest, in units; who was asked to be patient waits at least so long.
const FIRST: u32 = 1;
const LONGEST: u32 = 60;
const WHEN_BUSY: u32 = 60;

/// No server is waited for longer, whatever it says.
const BUSY_AT_MOST: u32 = 3600;

/// Waits that grow with each failure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// A second; in tests less.
    unit: Duration,
    next: u32,
}

impl Pace {
    /// The pace with this for a second.
    pub(super) const fn new(unit: Duration) -> Self {
        Self { unit, next: FIRST }
    }

    /// It has failed: so many units to wait.
    pub(super) fn fails(&mut self) -> u32 {
        let wait = self.next;
        self.next = (wait * 2).min(LONGEST);
        wait
    }

    /// What was there for so long has ended. Only what lasts is a reason to begin anew: a server
    /// that lets in and throws out is asked ever more seldom.
    pub(super) fn ends(&mut self, lasted: Duration) {
        if lasted > self.time(self.next) {
            self.succeeds();
        }
    }

    /// It works again.
    pub(super) const fn succeeds(&mut self) {
        self.next = FIRST;
    }

    /// How long so many units are.
    pub(super) fn time(&self, units: u32) -> Duration {
        self.unit * units
    }
}

/// How many units a server that is asked too often is left alone; it may say how many.
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
