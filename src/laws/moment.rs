//! Points on the time line of a game.

use std::fmt;
use std::ops::{Add, Sub};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A point in time, in milliseconds since the game was opened.
///
/// Only the shell makes one from a clock. All other code gets it as an argument. It never goes
/// backwards, and it continues where it was when a game is resumed.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Moment(u64);

impl Moment {
    /// The moment at which the game was opened.
    pub const START: Self = Self(0);

    /// The moment `ms` milliseconds after the start.
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the start.
    pub const fn as_ms(self) -> u64 {
        self.0
    }

    /// The time from `earlier` to this moment, or zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time.as_millis() as u64))
    }
}

impl Sub<Self> for Moment {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.since(earlier)
    }
}

impl fmt::Display for Moment {
    /// Hours, minutes, seconds and milliseconds: `0:12:05.250`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, ms) = (self.0 / 1000, self.0 % 1000);
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        write!(f, "{hours}:{minutes:02}:{:02}.{ms:03}", seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_reads_as_hours_minutes_seconds() {
        assert_eq!(Moment::from_ms(725_250).to_string(), "0:12:05.250");
    }

    #[test]
    fn time_since_a_later_moment_is_nothing() {
        assert_eq!(Moment::START.since(Moment::from_ms(5)), Duration::ZERO);
    }
}
