//! The counts of the demonstration.

use std::collections::BTreeMap;
use std::time::Duration;

use super::plan::Check;

/// The counts for the summary.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// The player's announcements and repetitions by voice.
    pub(crate) announced: usize,
    /// Those understood at the first try.
    pub(crate) right: usize,
    /// Those asked for again, or missed, and said again.
    pub(crate) again: usize,
    /// Those typed because they were not understood by voice.
    pub(crate) typed: usize,
    /// Words taken for others, including commands. There must be none.
    pub(crate) wrong: usize,
    /// Sounds that were no announcement and were rightly ignored.
    pub(crate) ignored: usize,
    /// Commands said by voice and carried out.
    pub(crate) commands: usize,
    latencies: Vec<Duration>,
    happened: BTreeMap<Check, bool>,
}

impl Tally {
    /// Notes how long an answer took.
    pub(crate) fn took(&mut self, latency: Option<Duration>) {
        self.latencies.extend(latency);
    }

    /// Notes whether something went as it should, this time.
    pub(crate) fn happened(&mut self, check: Check, as_it_should: bool) {
        *self.happened.entry(check).or_insert(true) &= as_it_should;
    }

    /// Whether at most one in twenty had to be typed in the end. Otherwise the game was not really
    /// played by voice.
    pub(crate) const fn is_heard_enough(&self) -> bool {
        self.typed * 20 <= self.announced + self.commands
    }

    /// Whether something has happened, and every time as it should.
    pub(crate) fn is_met(&self, check: Check) -> bool {
        self.happened.get(&check) == Some(&true)
    }

    /// What did not happen, or not as it should.
    pub(crate) fn failures(&self) -> Vec<Check> {
        let is_failure = |check: &Check| !self.is_met(*check);
        Check::ALL.into_iter().filter(is_failure).collect()
    }

    /// The latency that this percentage of answers did not exceed.
    pub(crate) fn latency(&self, percent: usize) -> Duration {
        let mut sorted = self.latencies.clone();
        sorted.sort();
        let index = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(index).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_what_was_measured() {
        let mut tally = Tally::default();
        assert_eq!(tally.latency(95), Duration::ZERO);
        for ms in 1..=100 {
            tally.took(Some(Duration::from_millis(ms)));
        }
        assert_eq!(tally.latency(50), Duration::from_millis(50));
        assert_eq!(tally.latency(95), Duration::from_millis(95));
    }

    #[test]
    fn what_did_not_happen_or_failed_once_is_a_failure() {
        let mut tally = Tally::default();
        assert_eq!(tally.failures(), Check::ALL);
        tally.happened(Check::Cough, true);
        tally.happened(Check::Executions, false);
        tally.happened(Check::Executions, true);
        let failures = tally.failures();
        assert!(!failures.contains(&Check::Cough));
        assert!(failures.contains(&Check::Executions));
    }
}
