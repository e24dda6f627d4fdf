//! From what the recogniser heard to take, ask or ignore.
//!
//! Pure, and blind to the position: it weighs sounds and words only (silent legality, X1). The
//! limits are data beside the model, `decisions.toml`, set on voices that no figure is reported on.

use serde::Deserialize;

use crate::notation::{Announcement, CheckMark, Heard, Lexicon, Said, understand};

/// What recognisers call a sound that is no word of theirs.
pub const UNKNOWN: &str = "[unk]";

/// What is done with an utterance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    /// It is taken and read back.
    Take,
    /// The speaker is asked.
    Ask,
    /// It was no announcement.
    Ignore,
}

impl Decision {
    /// Its word in `--json`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Take => "take",
            Self::Ask => "ask",
            Self::Ignore => "ignore",
        }
    }
}

/// The limits, and how scores are weighed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Whether the model's own graph is the strict grammar. Others are given words at run time.
    pub strict_graph: bool,
    /// What a difference of scores weighs when it becomes a confidence.
    pub scale: f64,
    /// For moves in the long form, and castling.
    pub long: Limit,
    /// For moves in a short form.
    pub short: Limit,
    /// For commands, answers and single words.
    pub command: Limit,
}

/// The limits of one kind of phrase.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The least confidence (0 to 1) in its meaning with which a phrase is taken.
    pub sure: f64,
    /// The least gain over garbage with which a phrase is taken, a second of speech.
    pub clear: f64,
    /// Below this gain it is ignored; between the two it is asked.
    pub speech: f64,
}

impl Default for Limits {
    /// For models that bring none of their own: cautious.
    fn default() -> Self {
        let limit = Limit {
            sure: 0.9,
            clear: 0.0,
            speech: -5.0,
        };
        Self {
            strict_graph: false,
            scale: 1.0,
            long: limit,
            short: limit,
            command: limit,
        }
    }
}

/// What the recogniser made of an utterance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// The word sequences it finds possible, best first, with their scores (log-likelihoods).
    pub sequences: Vec<(Vec<String>, f64)>,
    /// The score of the best way to hear no word at all in it.
    pub garbage: f64,
    /// How long the speech lasted, in seconds.
    pub speech_s: f64,
}

/// One possible meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its words.
    pub words: Vec<String>,
    /// What they mean, if they are a phrase.
    pub readings: Vec<Said>,
    /// How probable the recogniser finds this meaning, 0 to 1.
    pub confidence: f64,
}

/// What was decided, and on what grounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The decision.
    pub decision: Decision,
    /// Whether it sounded like words of the lexicon at all.
    pub is_speech: bool,
    /// The possible meanings, best first, without garbage.
    pub alternatives: Vec<Alternative>,
    /// The gain of the best of them over garbage, a second of speech.
    pub gain: f64,
}

/// Decides.
pub fn decide(lexicon: &Lexicon, limits: &Limits, evidence: &Evidence) -> Verdict {
    let is_words = |words: &[String]| words.iter().any(|word| word != UNKNOWN);
    let sequences: Vec<&(Vec<String>, f64)> = evidence
        .sequences
        .iter()
        .filter(|(words, _)| is_words(words))
        .collect();
    let Some((_, best_score)) = sequences.first() else {
        return Verdict {
            decision: Decision::Ignore,
            is_speech: false,
            alternatives: Vec::new(),
            gain: f64::NEG_INFINITY,
        };
    };
    let gain = (best_score - evidence.garbage) / evidence.speech_s.max(0.2);
    let alternatives = meanings(lexicon, limits, &sequences, *best_score);
    let limit = alternatives
        .first()
        .map_or(limits.command, |best| limits.of(best));
    let is_speech = gain >= limit.speech;
    let decision = match alternatives.first() {
        Some(best) if is_speech => judge(limit, best, gain),
        _ => Decision::Ignore,
    };
    Verdict {
        decision,
        is_speech,
        alternatives,
        gain,
    }
}

fn judge(limit: Limit, best: &Alternative, gain: f64) -> Decision {
    if is_word_alone(best) {
        Decision::Ignore
    } else if best.readings.len() == 1 && best.confidence >= limit.sure && gain >= limit.clear {
        Decision::Take
    } else {
        Decision::Ask
    }
}

/// "Schach" that comes late belongs to the announcement before it, and "drei" alone to nothing.
fn is_word_alone(best: &Alternative) -> bool {
    best.readings.is_empty() && best.words.len() == 1
}

impl Limits {
    fn of(&self, alternative: &Alternative) -> Limit {
        match alternative.readings.first() {
            Some(Said::Move(announcement) | Said::Correction(Some(announcement))) => {
                match announcement {
                    Announcement::Move(m) if m.from.is_none() => self.short,
                    _ => self.long,
                }
            }
            Some(Said::Square(_)) => self.short,
            Some(_) | None => self.command,
        }
    }
}

/// Joins sequences of the same meaning and turns scores into confidences.
fn meanings(
    lexicon: &Lexicon,
    limits: &Limits,
    sequences: &[&(Vec<String>, f64)],
    best: f64,
) -> Vec<Alternative> {
    let weight = |score: f64| ((score - best) * limits.scale).clamp(-60.0, 0.0).exp();
    let total: f64 = sequences.iter().map(|(_, s)| weight(*s)).sum();
    let mut alternatives: Vec<Alternative> = Vec::new();
    for (words, score) in sequences {
        let readings = understand(lexicon, words);
        let confidence = weight(*score) / total;
        let same = alternatives.iter_mut().find(|other| {
            other.words == *words
                || (!readings.is_empty() && same_meaning(&other.readings, &readings))
        });
        match same {
            Some(other) => other.confidence += confidence,
            None => alternatives.push(Alternative {
                words: words.clone(),
                readings,
                confidence,
            }),
        }
    }
    alternatives
}

/// Whether two phrases mean the same. "Schach" makes no other move of it, nor does "matt".
pub fn same_meaning(one: &[Said], other: &[Said]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(a, b)| without_mark(a) == without_mark(b))
}

fn without_mark(said: &Said) -> Said {
    const UNSAID: Option<CheckMark> = None;
    let mut said = said.clone();
    if let Said::Move(announcement) | Said::Correction(Some(announcement)) = &mut said {
        match announcement {
            Announcement::Move(m) => m.mark = UNSAID,
            Announcement::Castling(c) => c.mark = UNSAID,
        }
    }
    said
}

impl Verdict {
    /// What the game is told; nothing if it is to be ignored.
    pub fn heard(&self) -> Option<Heard> {
        let best = self.alternatives.first()?;
        match self.decision {
            Decision::Ignore => None,
            Decision::Take => best.readings.first().cloned().map(Heard::Clear),
            Decision::Ask => {
                let mut readings: Vec<Said> = Vec::new();
                for reading in self.alternatives.iter().flat_map(|a| &a.readings) {
                    if readings.len() < 2 && !readings.contains(reading) {
                        readings.push(reading.clone());
                    }
                }
                Some(Heard::Unclear(readings))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::{Style, german, words};
    use shakmaty::{Role, Square};

    fn evidence(sequences: &[(&str, f64)], garbage: f64) -> Evidence {
        Evidence {
            sequences: sequences
                .iter()
                .map(|(text, score)| (text.split_whitespace().map(str::to_owned).collect(), *score))
                .collect(),
            garbage,
            speech_s: 2.0,
        }
    }

    #[track_caller]
    fn check(sequences: &[(&str, f64)], garbage: f64, expected: Decision) -> Verdict {
        let verdict = decide(&german(), &Limits::default(), &evidence(sequences, garbage));
        assert_eq!(verdict.decision, expected, "{verdict:?}");
        verdict
    }

    const MOVE: &str = "springer gustav eins felix drei";
    const OTHER: &str = "springer gustav eins felix zwei";

    #[test]
    fn one_clear_meaning_is_taken() {
        check(&[(MOVE, 100.0), (OTHER, 95.0)], 90.0, Decision::Take);
        let with_mark = format!("{MOVE} schach");
        check(&[(MOVE, 100.0), (&with_mark, 99.9)], 90.0, Decision::Take);
    }

    #[test]
    fn two_close_meanings_are_asked_in_full() {
        let verdict = check(&[(MOVE, 100.0), (OTHER, 99.0)], 90.0, Decision::Ask);
        assert!(matches!(verdict.heard(), Some(Heard::Unclear(two)) if two.len() == 2));
        let verdict = check(&[("rochade", 100.0)], 90.0, Decision::Ask);
        assert!(matches!(verdict.heard(), Some(Heard::Unclear(two)) if two.len() == 2));
    }

    #[test]
    fn noise_talk_and_a_late_schach_are_ignored() {
        for sequences in [
            vec![],
            vec![("", 100.0)],
            vec![(UNKNOWN, 100.0), ("", 99.9)],
            vec![("schach", 100.0)],
        ] {
            let verdict = check(&sequences, 90.0, Decision::Ignore);
            assert_eq!(verdict.heard(), None);
        }
        check(&[(MOVE, 100.0)], 120.0, Decision::Ignore);
        check(&[(MOVE, 100.0)], 102.0, Decision::Ask);
    }

    proptest! {
        #[test]
        fn every_long_move_is_decided_alike(
            piece in 0..6_usize, from in 0..64_u32, to in 0..64_u32
        ) {
            let german = german();
            let announced = Announcement::of_move(
                Role::ALL[piece], Square::new(from), Square::new(to),
            );
            let words = words(&german, &announced, Style::Long);
            let evidence = Evidence {
                sequences: vec![(words, 100.0)],
                garbage: 95.0,
                speech_s: 2.0,
            };
            let verdict = decide(&german, &Limits::default(), &evidence);
            prop_assert_eq!(verdict.heard(), Some(Heard::Clear(Said::Move(announced))));
        }
    }
}
