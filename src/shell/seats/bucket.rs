//! Limits how often something may be done: a number at once, and then one more at intervals.

use std::time::Duration;

use crate::moment::Moment;

/// Allows a number at once, and then one more after each interval.
#[derive(Clone, Debug)]
pub(in crate::shell) struct Bucket {
    most: u32,
    every: Duration,
    /// When everything taken will have been restored.
    full_at: Moment,
}

impl Bucket {
    /// A full bucket: `most` at once, and one more after each `every`.
    pub(in crate::shell) const fn new(most: u32, every: Duration) -> Self {
        Self {
            most,
            every,
            full_at: Moment::START,
        }
    }

    /// Takes one.
    ///
    /// # Errors
    ///
    /// How long to wait for the next one, if there is none now.
    pub(in crate::shell) fn take(&mut self, now: Moment) -> Result<(), Duration> {
        let wait = self.wait(now);
        if !wait.is_zero() {
            return Err(wait);
        }
        self.full_at = self.full_at.max(now) + self.every;
        Ok(())
    }

    /// How long to wait for the next one.
    pub(super) fn wait(&self, now: Moment) -> Duration {
        self.full_at
            .since(now + self.every * self.most.saturating_sub(1))
    }

    /// Returns one that was taken and does not count.
    pub(in crate::shell) fn give_back(&mut self) {
        let every = self.every.as_millis() as u64;
        self.full_at = Moment::from_ms(self.full_at.as_ms().saturating_sub(every));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn so_many_at_once_and_then_one_at_a_time() {
        let mut bucket = Bucket::new(3, SECOND);
        let at = Moment::from_ms;
        for _ in 0..3 {
            assert_eq!(bucket.take(at(500)), Ok(()));
        }
        assert_eq!(bucket.take(at(600)), Err(Duration::from_millis(900)));
        assert_eq!(bucket.take(at(1500)), Ok(()));
        assert_eq!(bucket.take(at(1500)), Err(SECOND));
        bucket.give_back();
        assert_eq!(bucket.take(at(1500)), Ok(()));
        for _ in 0..3 {
            assert_eq!(bucket.take(at(60_000)), Ok(()));
        }
        assert_eq!(bucket.take(at(60_000)), Err(SECOND));
    }
}
