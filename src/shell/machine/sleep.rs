//! Measures how long the computer slept by two clocks, one of which stops during sleep.

use std::time::Duration;

/// Both clocks at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BothClocks {
    /// The clock that stops while the computer sleeps.
    pub awake: Duration,
    /// The clock that goes on.
    pub all: Duration,
}

/// Compares the clocks at each check with the previous one.
pub(super) struct SleepWatch<C> {
    clocks: C,
    /// A shorter difference is no sleep.
    least: Duration,
    last: Option<BothClocks>,
}

impl<C: FnMut() -> Option<BothClocks>> SleepWatch<C> {
    pub(super) fn new(mut clocks: C, least: Duration) -> Self {
        let last = clocks();
        Self {
            clocks,
            least,
            last,
        }
    }

    /// How long the computer slept since the last check, if it did.
    pub(super) fn slept(&mut self) -> Option<Duration> {
        let now = (self.clocks)()?;
        let before = self.last.replace(now)?;
        let awake = now.awake.saturating_sub(before.awake);
        let all = now.all.saturating_sub(before.all);
        let slept = all.saturating_sub(awake);
        (slept >= self.least).then_some(slept)
    }
}

/// The clocks of this system, and the least difference that means sleep.
#[cfg(target_os = "linux")]
pub(super) fn clocks() -> (impl FnMut() -> Option<BothClocks>, Duration) {
    use rustix::time::{ClockId, clock_gettime};

    /// Reading may be interrupted between the two clocks. They must have been read this close
    /// together.
    const TOGETHER: Duration = Duration::from_millis(100);

    let at = |clock| Duration::try_from(clock_gettime(clock)).unwrap_or_default();
    let read = move || {
        (0..8).find_map(|_| {
            let awake = at(ClockId::Monotonic);
            let all = at(ClockId::Boottime);
            let after = at(ClockId::Monotonic);
            (after.saturating_sub(awake) < TOGETHER).then_some(BothClocks { awake, all })
        })
    };
    (read, Duration::from_secs(1))
}

/// On other systems the wall clock is used. It is adjusted now and then, by a little.
#[cfg(not(target_os = "linux"))]
pub(super) fn clocks() -> (impl FnMut() -> Option<BothClocks>, Duration) {
    use std::time::{Instant, SystemTime};

    let begun = Instant::now();
    let read = move || {
        let all = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Some(BothClocks {
            awake: begun.elapsed(),
            all: all.ok()?,
        })
    };
    (read, Duration::from_secs(20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_one_clock_stood_still_for_is_the_sleep() {
        let at = |awake, all| {
            let [awake, all] = [awake, all].map(Duration::from_millis);
            Some(BothClocks { awake, all })
        };
        let readings = [
            at(0, 7_000),
            at(2_000, 9_000),
            // A clock that was read late means no sleep, before or after.
            at(4_000, 11_300),
            at(6_000, 13_000),
            at(8_000, 45_500),
            None,
            at(10_000, 47_500),
            // Somebody has set the clock back.
            at(12_000, 3_000),
            at(14_000, 5_000),
        ];
        let mut readings = readings.into_iter();
        let clocks = || readings.next().unwrap();
        let mut watch = SleepWatch::new(clocks, Duration::from_secs(1));
        let slept: Vec<_> = (0..8).filter_map(|_| watch.slept()).collect();
        assert_eq!(slept, [Duration::from_millis(30_500)]);
    }

    #[test]
    fn the_clocks_of_this_system_go() {
        let (mut read, least) = clocks();
        let (one, other) = (read().unwrap(), read().unwrap());
        assert!(other.awake >= one.awake && other.all >= one.all);
        let mut watch = SleepWatch::new(read, least);
        assert_eq!(watch.slept(), None);
    }
}
