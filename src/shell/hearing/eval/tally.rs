//! Counts the results of recordings.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::shell::hearing::verdict::Evidence;

/// The result of one recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// An announcement was taken as it was made.
    Exact,
    /// An announcement was asked for again.
    Asked,
    /// An announcement was ignored.
    Ignored,
    /// Another announcement was taken.
    SilentlyWrong,
    /// A single word without meaning was heard correctly.
    WordHeard,
    /// A single word was heard as another, or not at all.
    WordMissed,
    /// Talk or noise was ignored.
    Left,
    /// Talk or noise was asked about.
    TalkAsked,
    /// Talk or noise was taken.
    FalseTake,
}

/// The result of one recording, with its grounds.
#[derive(Clone, Debug, Serialize)]
pub struct Result {
    /// The file.
    pub file: String,
    /// The speaker.
    pub speaker: String,
    /// The kind of recording.
    pub kind: String,
    /// The result.
    pub outcome: Outcome,
    /// What was said.
    pub said: String,
    /// What was heard.
    pub heard: String,
    /// How sure the recogniser was, 0 to 1.
    pub confidence: f64,
    /// The gain over garbage, per second of speech.
    pub gain: f64,
    /// Whether the best meaning was the announced one.
    pub is_best_right: bool,
    /// Milliseconds from the end of speech to the decision; only without added noise.
    pub latency_ms: Option<f64>,
    /// The length of the recording in seconds.
    pub audio_s: f64,
    /// The computing time in seconds.
    pub compute_s: f64,
    /// The evidence of each utterance, if it is to be decided again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// Counts of a group of recordings.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Tally {
    /// The number of announcements.
    pub announcements: usize,
    /// Those taken correctly.
    pub exact: usize,
    /// Those asked for again.
    pub asked: usize,
    /// Those ignored.
    pub ignored: usize,
    /// Those taken as something else.
    pub silently_wrong: usize,
    /// The number of single words.
    pub words: usize,
    /// Those heard correctly.
    pub words_right: usize,
    /// Hours of talk and noise.
    pub talk_h: f64,
    /// The number of false takes in it.
    pub false_takes: usize,
    /// The number of questions about it.
    pub talk_asked: usize,
    /// Median milliseconds to the decision.
    pub latency_median_ms: Option<f64>,
    /// The 95th percentile of milliseconds to the decision.
    pub latency_95_ms: Option<f64>,
    /// Computing time per second of sound.
    pub real_time_factor: f64,
}

impl Tally {
    /// Counts results.
    pub fn of<'a>(results: impl IntoIterator<Item = &'a Result>) -> Self {
        let mut tally = Self::default();
        let mut latencies = Vec::new();
        let (mut audio_s, mut compute_s) = (0.0, 0.0);
        for result in results {
            tally.count(result);
            latencies.extend(result.latency_ms);
            audio_s += result.audio_s;
            compute_s += result.compute_s;
        }
        latencies.sort_by(f64::total_cmp);
        tally.latency_median_ms = quantile(&latencies, 0.5);
        tally.latency_95_ms = quantile(&latencies, 0.95);
        tally.real_time_factor = compute_s / f64::max(audio_s, 1e-9);
        tally
    }

    fn count(&mut self, result: &Result) {
        match result.outcome {
            Outcome::Exact => self.exact += 1,
            Outcome::Asked => self.asked += 1,
            Outcome::Ignored => self.ignored += 1,
            Outcome::SilentlyWrong => self.silently_wrong += 1,
            Outcome::WordHeard => self.words_right += 1,
            Outcome::FalseTake => self.false_takes += 1,
            Outcome::TalkAsked => self.talk_asked += 1,
            Outcome::WordMissed | Outcome::Left => {}
        }
        match result.outcome {
            Outcome::Exact | Outcome::Asked | Outcome::Ignored | Outcome::SilentlyWrong => {
                self.announcements += 1;
            }
            Outcome::WordHeard | Outcome::WordMissed => self.words += 1,
            Outcome::Left | Outcome::TalkAsked | Outcome::FalseTake => {
                self.talk_h += result.audio_s / 3600.0;
            }
        }
    }

    /// The shares of results of announcements, for people.
    pub fn decisions(&self) -> String {
        let share = |count: usize| 100.0 * count as f64 / self.announcements.max(1) as f64;
        format!(
            "{} announcements: exact {:.1} %, asked {:.1} %, ignored {:.1} %, silently wrong \
             {:.2} %",
            self.announcements,
            share(self.exact),
            share(self.asked),
            share(self.ignored),
            share(self.silently_wrong)
        )
    }

    /// One line for people.
    pub fn line(&self) -> String {
        let mut parts = Vec::new();
        if self.announcements > 0 {
            parts.push(self.decisions());
        }
        if self.words > 0 {
            parts.push(format!(
                "{} of {} words alone",
                self.words_right, self.words
            ));
        }
        if self.talk_h > 0.0 {
            parts.push(format!(
                "{} false takes and {} questions in {:.2} hours of talk and noise",
                self.false_takes, self.talk_asked, self.talk_h
            ));
        }
        if let (Some(median), Some(late)) = (self.latency_median_ms, self.latency_95_ms) {
            parts.push(format!(
                "decided after {median:.0} ms, 95 % within {late:.0} ms"
            ));
        }
        parts.push(format!("{:.3} of real time", self.real_time_factor));
        parts.join("; ")
    }
}

fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * share).round() as usize).copied()
}

/// Which words were heard for which others, most frequent first.
pub fn confusions<'a>(
    results: impl IntoIterator<Item = &'a Result>,
) -> Vec<(String, String, usize)> {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for result in results {
        let said: Vec<&str> = result.said.split_whitespace().collect();
        let heard: Vec<&str> = result.heard.split_whitespace().collect();
        for (said, heard) in aligned(&said, &heard) {
            if said != heard {
                *counts
                    .entry((said.to_owned(), heard.to_owned()))
                    .or_default() += 1;
            }
        }
    }
    let mut confusions: Vec<_> = counts.into_iter().map(|((a, b), n)| (a, b, n)).collect();
    confusions.sort_by_key(|confusion| std::cmp::Reverse(confusion.2));
    confusions
}

/// Aligns the words of two phrases with the fewest differences; "-" stands for a missing word.
fn aligned<'a>(said: &[&'a str], heard: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    let width = heard.len() + 1;
    let mut cost = vec![0_usize; (said.len() + 1) * width];
    for row in 0..=said.len() {
        for column in 0..=heard.len() {
            cost[row * width + column] = match (row, column) {
                (0, other) | (other, 0) => other,
                _ => {
                    let differs = usize::from(said[row - 1] != heard[column - 1]);
                    (cost[(row - 1) * width + column - 1] + differs)
                        .min(cost[(row - 1) * width + column] + 1)
                        .min(cost[row * width + column - 1] + 1)
                }
            };
        }
    }
    let (mut row, mut column) = (said.len(), heard.len());
    let mut pairs = Vec::new();
    while row > 0 || column > 0 {
        let here = cost[row * width + column];
        if row > 0 && column > 0 {
            let differs = usize::from(said[row - 1] != heard[column - 1]);
            if cost[(row - 1) * width + column - 1] + differs == here {
                pairs.push((said[row - 1], heard[column - 1]));
                (row, column) = (row - 1, column - 1);
                continue;
            }
        }
        if row > 0 && cost[(row - 1) * width + column] + 1 == here {
            pairs.push((said[row - 1], "-"));
            row -= 1;
        } else {
            pairs.push(("-", heard[column - 1]));
            column -= 1;
        }
    }
    pairs.reverse();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(outcome: Outcome, said: &str, heard: &str) -> Result {
        Result {
            file: String::new(),
            speaker: String::new(),
            kind: String::new(),
            outcome,
            said: said.to_owned(),
            heard: heard.to_owned(),
            confidence: 1.0,
            gain: 1.0,
            is_best_right: true,
            latency_ms: Some(200.0),
            audio_s: 1.8,
            compute_s: 0.09,
            evidence: Vec::new(),
        }
    }

    #[test]
    fn outcomes_are_counted_apart() {
        let results = [
            result(Outcome::Exact, "felix drei", "felix drei"),
            result(Outcome::SilentlyWrong, "felix drei", "felix eins"),
            result(Outcome::FalseTake, "blaubeere", "ja"),
            result(Outcome::WordHeard, "drei", "drei"),
        ];
        let tally = Tally::of(&results);
        assert_eq!(
            (tally.announcements, tally.exact, tally.silently_wrong),
            (2, 1, 1)
        );
        assert_eq!(
            (tally.words, tally.words_right, tally.false_takes),
            (1, 1, 1)
        );
        assert!((tally.real_time_factor - 0.05).abs() < 1e-9);
        assert!(tally.line().contains("exact 50.0 %"), "{}", tally.line());
    }

    #[test]
    fn confused_words_are_found_beside_added_ones() {
        let results = [result(
            Outcome::SilentlyWrong,
            "springer gustav eins felix drei",
            "springer gustav zwei felix drei schach",
        )];
        let expected = [("-", "schach"), ("eins", "zwei")];
        let found = confusions(&results);
        assert_eq!(found.len(), expected.len());
        for (said, heard) in expected {
            assert!(
                found.contains(&(said.to_owned(), heard.to_owned(), 1)),
                "{found:?}"
            );
        }
    }
}
