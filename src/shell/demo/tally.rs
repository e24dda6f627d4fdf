//! What is counted in the demonstration.

use std::collections::BTreeMap;
use std::time::Duration;

use super::plan::Mishap;

/// The counts for the summary.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// Announcements and repetitions of the player, by voice.
    pub(super) announced: usize,
    /// Taken as they were meant at the first time.
    pub(super) right: usize,
    /// Asked for again, or not noticed, and said again.
    pub(super) again: usize,
    /// Taken as something else. There must be none.
    pub(super) wrong: usize,
    /// Sounds that were no announcement and were ignored, as they must be.
    pub(super) ignored: usize,
    /// Commands said by voice and carried out.
    pub(super) commands: usize,
    latencies: Vec<Duration>,
    happened: BTreeMap<&'static str, bool>,
}

impl Tally {
    /// Notes how long an answer took.
    pub(super) fn took(&mut self, latency: Option<Duration>) {
        self.latencies.extend(latency);
    }

    /// Notes whether a mishap went as it should.
    pub(super) fn happened(&mut self, mishap: Mishap, as_it_should: bool) {
        *self.happened.entry(mishap.name()).or_insert(true) &= as_it_should;
    }

    /// What did not happen, or not as it should.
    pub(super) fn failures(&self) -> Vec<&'static str> {
        Mishap::ALL
            .into_iter()
            .map(Mishap::name)
            .filter(|name| self.happened.get(name) != Some(&true))
            .collect()
    }

    /// The latency that so many percent of the answers did not exceed.
    pub(super) fn latency(&self, percent: usize) -> Duration {
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
    fn what_did_not_happen_is_a_failure() {
        let mut tally = Tally::default();
        assert_eq!(tally.failures().len(), Mishap::ALL.len());
        tally.happened(Mishap::Cough, true);
        tally.happened(Mishap::Slip, false);
        let failures = tally.failures();
        assert!(!failures.contains(&Mishap::Cough.name()));
        assert!(failures.contains(&Mishap::Slip.name()));
    }
}
