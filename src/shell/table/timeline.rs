//! Turns the computer's clocks into moments of the game.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::moment::Moment;

/// The time line of a game that is being played.
///
/// It follows the computer's monotonic clock and starts where the game was left.
#[derive(Clone, Copy, Debug)]
pub struct Timeline {
    origin: Instant,
    offset: Moment,
}

impl Timeline {
    /// Makes a time line whose moment is `start` now.
    pub fn starting_at(start: Moment) -> Self {
        Self {
            origin: Instant::now(),
            offset: start,
        }
    }

    /// The moment now.
    pub fn now(&self) -> Moment {
        self.offset + self.origin.elapsed()
    }

    /// The moment of an instant. For an instant before the time line began it is the start.
    pub fn at(&self, then: Instant) -> Moment {
        self.offset + then.saturating_duration_since(self.origin)
    }

    /// The time from now until a moment, or zero if the moment has passed.
    pub fn until(&self, moment: Moment) -> Duration {
        moment.since(self.now())
    }
}

/// Milliseconds since 1970-01-01 in UTC.
pub fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}
