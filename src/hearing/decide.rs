//! Decides whether to take, ask about or ignore what the recogniser heard.
//!
//! Pure, and blind to the position: it weighs sounds and words only (silent legality, X1). The
//! limits are data beside the model, `decisions.toml`. They were set on voices for which no figures
//! are reported.

use serde::Deserialize;

use super::letters::Letters;
use super::opinions::{Opinions, are_unanimous, with_opinions};
use super::sibilants::Sibilants;
use super::verdict::{
    Alternative, Decision, EachSound, Evidence, Gain, InNoise, Limit, UNKNOWN, Verdict, is_words,
};
use annexd_laws::notation::{Announcement, Lexicon, Said, understand};

/// The limits, and how scores are weighed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Whether the model's own graph is the strict grammar. Other models are given words at run
    /// time.
    pub strict_graph: bool,
    /// The weight of a difference of scores when it becomes a confidence.
    pub scale: f64,
    /// The limit for moves in the long form, and castling.
    pub long: Limit,
    /// The limit for moves in a short form.
    pub short: Limit,
    /// The limit for commands, answers and single words.
    pub command: Limit,
    /// When the same sound is recognised again at other speeds; `None`: never.
    #[serde(default)]
    pub opinions: Option<Opinions>,
    /// By how many decibels the first and last word may be fainter than the others. Fainter ones
    /// may be somebody else's.
    #[serde(default = "any_difference")]
    pub fainter: f64,
    /// Additional limits in noise.
    #[serde(default)]
    pub noise: Option<InNoise>,
    /// Words that a hiss distinguishes.
    #[serde(default)]
    pub sibilants: Option<Sibilants>,
    /// Bare letters that sound alike.
    #[serde(default)]
    pub letters: Option<Letters>,
}

const fn any_difference() -> f64 {
    f64::INFINITY
}

impl Default for Limits {
    /// Cautious limits for models without their own.
    fn default() -> Self {
        let limit = Limit {
            sure: 0.9,
            clear: 0.0,
            speech: -5.0,
            unanimous: false,
            each_sound: None,
        };
        Self {
            strict_graph: false,
            scale: 1.0,
            long: limit,
            short: limit,
            command: limit,
            opinions: None,
            fainter: any_difference(),
            noise: None,
            sibilants: None,
            letters: None,
        }
    }
}

/// Decides about an utterance.
pub fn decide(lexicon: &Lexicon, limits: &Limits, evidence: &Evidence) -> Verdict {
    let mut evidence = evidence.clone();
    let sibilants = limits.sibilants.as_ref();
    let (is_contradicted, settled) = sibilants
        .map(|sibilants| sibilants.settle(&mut evidence))
        .unwrap_or_default();
    let mut alternatives = meanings(lexicon, limits, &evidence.sequences);
    let best_score = evidence.sequences.iter().find(|(words, _)| is_words(words));
    let best = alternatives.first().filter(|best| !is_talk(lexicon, best));
    let (Some((_, best_score)), Some(best)) = (best_score, best) else {
        alternatives.retain(|it| !is_talk(lexicon, it));
        return Verdict {
            decision: Decision::Ignore,
            is_speech: false,
            wants_opinions: false,
            is_one_enough: false,
            alternatives,
            gain: f64::NEG_INFINITY,
        };
    };
    let sounds = lexicon.sounds(&best.words);
    let gain = Gain::new(best_score - evidence.garbage, evidence.speech_s, sounds);
    let limit = limits.of(best);
    let is_speech = limit.is_speech(gain);
    let noise = limits.noise.filter(|_| evidence.is_noisy);
    let fainter = noise.map_or(limits.fainter, |noise| noise.fainter);
    let is_whole = evidence.is_of_one_voice(fainter);
    let clear = limit.clear.max(evidence.clear_in(noise));
    let is_clear = is_speech && limit.is_clear(gain, clear) && is_whole && !is_contradicted;
    let is_sure = best.confidence >= limit.sure;
    let is_doubtful = evidence.is_noisy || limit.unanimous || !is_sure;
    let can_help = |opinions: &&Opinions| match is_sure {
        true => is_doubtful || opinions.suspect(&best.words, &settled),
        false => !opinions.are_deaf_to(&alternatives),
    };
    let opinions = limits.opinions.as_ref();
    let opinions = opinions.filter(|_| is_clear && best.readings.len() == 1);
    let opinions = opinions.filter(can_help);
    let wants_opinions = opinions.is_some() && evidence.opinions.is_empty();
    let is_sure_alone = is_sure;
    let (mut alternatives, is_sure) = match opinions {
        Some(opinions) if !wants_opinions => {
            let others = evidence.opinions.iter();
            let others: Vec<_> = others
                .map(|heard| meanings(lexicon, limits, heard))
                .collect();
            if is_sure && !is_doubtful {
                let agree = are_unanimous(&alternatives, &others);
                (alternatives, agree)
            } else {
                with_opinions(alternatives, &others, opinions, limit, evidence.is_noisy)
            }
        }
        _ => (alternatives, is_sure),
    };
    let decision = match alternatives.first() {
        Some(best) if is_word_alone(best) || is_talk(lexicon, best) => Decision::Ignore,
        Some(best) if is_clear && is_sure && best.readings.len() == 1 => Decision::Take,
        Some(_) if is_speech => Decision::Ask,
        _ => Decision::Ignore,
    };
    let is_one_enough = is_sure_alone && !is_doubtful;
    alternatives.retain(|it| !is_talk(lexicon, it));
    let mut verdict = Verdict {
        decision,
        is_speech,
        wants_opinions,
        is_one_enough,
        alternatives,
        gain: gain.each_second,
    };
    if let Some(letters) = &limits.letters {
        letters.ask(lexicon, &mut verdict);
    }
    verdict
}

/// Whether it is talk, or has an unknown word in place of a command's word: "ich möchte" followed
/// by an unknown word.
fn is_talk(lexicon: &Lexicon, best: &Alternative) -> bool {
    lexicon.is_talk(&best.words) || best.words.iter().any(|word| word == UNKNOWN)
}

/// Whether it is a single word without meaning. A late "Schach" belongs to the announcement before
/// it, and "drei" alone to nothing.
fn is_word_alone(best: &Alternative) -> bool {
    best.readings.is_empty() && best.words.len() == 1
}

impl Limits {
    /// The same limits with another required confidence for everything.
    #[must_use]
    pub fn with_sure(&self, sure: f64) -> Self {
        let of = |limit: Limit| Limit { sure, ..limit };
        Self {
            long: of(self.long),
            short: of(self.short),
            command: of(self.command),
            opinions: self.opinions.clone().map(|opinions| Opinions {
                sure,
                sure_in_noise: sure,
                ..opinions
            }),
            ..self.clone()
        }
    }

    fn of(&self, alternative: &Alternative) -> Limit {
        match alternative.readings.first() {
            Some(Said::Move(announcement) | Said::Correction(Some(announcement))) => {
                match announcement {
                    Announcement::Move(m) if m.from.is_none() => self.short,
                    _ => self.long,
                }
            }
            Some(Said::Square(_)) => self.short,
            // A piece alone does nothing but answer what is asked.
            Some(Said::Piece(_)) => Limit {
                each_sound: self.command.each_sound.map(EachSound::of_an_answer),
                ..self.command
            },
            // A word alone is never obeyed, but it may name the file that was asked for.
            None if alternative.words.len() == 1 => Limit {
                each_sound: None,
                ..self.command
            },
            Some(_) | None => self.command,
        }
    }
}

/// Joins word sequences of the same meaning and turns scores into confidences. Garbage is left out.
fn meanings(
    lexicon: &Lexicon,
    limits: &Limits,
    sequences: &[(Vec<String>, f64)],
) -> Vec<Alternative> {
    let sequences = || sequences.iter().filter(|(words, _)| is_words(words));
    let best = sequences().next().map_or(0.0, |(_, score)| *score);
    let weight = |score: f64| ((score - best) * limits.scale).clamp(-60.0, 0.0).exp();
    let total: f64 = sequences().map(|(_, s)| weight(*s)).sum();
    let mut alternatives: Vec<Alternative> = Vec::new();
    for (words, score) in sequences() {
        let alternative = Alternative {
            words: words.clone(),
            readings: understand(lexicon, words),
            confidence: weight(*score) / total,
        };
        match alternatives
            .iter_mut()
            .find(|other| other.is_same(&alternative))
        {
            Some(other) => other.confidence += alternative.confidence,
            None => alternatives.push(alternative),
        }
    }
    alternatives
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::german;
    use crate::opinions::Confused;
    use annexd_laws::notation::{Heard, Style, words};
    use shakmaty::{Role, Square};

    fn evidence(sequences: &[(&str, f64)], garbage: f64) -> Evidence {
        Evidence {
            sequences: sequences
                .iter()
                .map(|(text, score)| (text.split_whitespace().map(str::to_owned).collect(), *score))
                .collect(),
            garbage,
            speech_s: 2.0,
            ..Evidence::default()
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
    fn what_only_resembles_a_command_is_not_obeyed() {
        let mut limits = Limits::default();
        limits.command.each_sound = Some(EachSound {
            clear: 1.6,
            speech: 0.9,
        });
        let decided = |text: &str, gain: f64| {
            let evidence = evidence(&[(text, gain)], 0.0);
            decide(&german(), &limits, &evidence).decision
        };
        // Seven sounds: "ich gebe auf".
        assert_eq!(decided("ich gebe auf", 11.3), Decision::Take);
        assert_eq!(decided("ich gebe auf", 11.1), Decision::Ask);
        assert_eq!(decided("ich gebe auf", 6.2), Decision::Ignore);
        // "dame" has four.
        assert_eq!(decided("dame", 3.7), Decision::Take);
        assert_eq!(decided("dame", 3.5), Decision::Ignore);
        // "drei" alone does nothing, but is heard.
        assert_eq!(decided("drei", 1.0), Decision::Ignore);
        // Moves have limits of their own.
        assert_eq!(decided(MOVE, 6.2), Decision::Take);
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
        let sights = [("ich möchte [unk]", 100.0), ("ich möchte gehen", 98.0)];
        let verdict = check(&sights, 50.0, Decision::Ignore);
        assert_eq!(
            verdict.alternatives.len(),
            1,
            "what was not said has no name"
        );
        check(&[("ruhe bitte", 100.0)], 50.0, Decision::Ignore);
        let leaving = [("ich möchte gehen", 100.0), ("ich möchte [unk]", 99.0)];
        check(&leaving, 50.0, Decision::Ask);
        check(&[(MOVE, 100.0)], 120.0, Decision::Ignore);
        check(&[(MOVE, 100.0)], 102.0, Decision::Ask);
    }

    /// Decides with second opinions, each given by its best words and their lead.
    #[track_caller]
    fn check_opinions(is_noisy: bool, opinions: [(&str, f64); 2], expected: Decision) {
        let limits = Limits {
            opinions: Some(Opinions {
                speeds: vec![0.9, 1.1],
                scale: 0.5,
                sure: 0.9,
                sure_in_noise: 0.7,
                each_in_noise: 0.7,
                hiss: None,
                confused: Vec::new(),
            }),
            ..Limits::default()
        };
        let mut evidence = evidence(&[(MOVE, 100.0), (OTHER, 99.0)], 90.0);
        evidence.is_noisy = is_noisy;
        assert!(decide(&german(), &limits, &evidence).wants_opinions);
        evidence.opinions = opinions
            .iter()
            .map(|(text, by)| {
                let other = if *text == MOVE { OTHER } else { MOVE };
                let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
                vec![(words(text), 100.0), (words(other), 100.0 - by)]
            })
            .collect();
        let verdict = decide(&german(), &limits, &evidence);
        assert_eq!(verdict.decision, expected, "{verdict:?}");
        assert!(!verdict.wants_opinions);
    }

    #[test]
    fn second_opinions_make_sure_what_was_not() {
        check_opinions(false, [(MOVE, 3.0), (MOVE, 4.0)], Decision::Take);
        check_opinions(false, [(OTHER, 3.0), (MOVE, 3.0)], Decision::Ask);
        check_opinions(false, [(OTHER, 4.0), (OTHER, 4.0)], Decision::Take);
    }

    #[test]
    fn in_noise_they_must_all_agree() {
        check_opinions(true, [(MOVE, 1.0), (MOVE, 1.0)], Decision::Take);
        check_opinions(true, [(MOVE, 9.0), (OTHER, 0.1)], Decision::Ask);
        check_opinions(true, [(MOVE, 9.0), (MOVE, 0.5)], Decision::Ask);
    }

    #[test]
    fn a_word_of_somebody_else_is_asked_in_noise() {
        let limits = Limits {
            noise: Some(InNoise {
                clear: 0.0,
                fainter: 8.0,
                clear_among_voices: 0.0,
            }),
            ..Limits::default()
        };
        let take = |is_noisy: bool, last: f64| {
            let text = "bauer eva zwei eva vier läufer";
            let mut evidence = evidence(&[(text, 100.0)], 90.0);
            evidence.is_noisy = is_noisy;
            evidence.levels = vec![-20.0, -21.0, -19.0, -20.0, -22.0, last];
            decide(&german(), &limits, &evidence).decision
        };
        assert_eq!(take(true, -27.0), Decision::Take);
        assert_eq!(take(true, -29.0), Decision::Ask);
        assert_eq!(take(false, -29.0), Decision::Take);
    }

    #[test]
    fn among_loud_voices_it_must_be_clearer() {
        let limits = Limits {
            noise: Some(InNoise {
                clear: 8.0,
                fainter: 8.0,
                clear_among_voices: 16.0,
            }),
            ..Limits::default()
        };
        let decided = |is_among_voices: bool, garbage: f64| {
            let mut evidence = evidence(&[(MOVE, 100.0)], garbage);
            evidence.speech_s = 1.0;
            (evidence.is_noisy, evidence.is_among_voices) = (true, is_among_voices);
            decide(&german(), &limits, &evidence).decision
        };
        assert_eq!(decided(false, 90.0), Decision::Take);
        assert_eq!(decided(true, 90.0), Decision::Ask);
        assert_eq!(decided(true, 80.0), Decision::Take);
    }

    #[test]
    fn what_every_opinion_confuses_is_asked() {
        let opinions = Opinions {
            speeds: vec![0.9],
            scale: 0.5,
            sure: 0.9,
            sure_in_noise: 0.9,
            each_in_noise: 0.0,
            hiss: None,
            confused: vec![Confused {
                said: "drei".to_owned(),
                heard: "zwei".to_owned(),
            }],
        };
        let limits = Limits {
            opinions: Some(opinions),
            ..Limits::default()
        };
        for (best, next, are_sought) in [(OTHER, MOVE, false), (MOVE, OTHER, true)] {
            let evidence = evidence(&[(best, 100.0), (next, 99.0)], 90.0);
            let verdict = decide(&german(), &limits, &evidence);
            assert_eq!(verdict.wants_opinions, are_sought, "{best}");
            assert_eq!(verdict.decision, Decision::Ask);
        }
        for (opinion, expected) in [(OTHER, Decision::Take), (MOVE, Decision::Ask)] {
            let mut sure = evidence(&[(OTHER, 100.0)], 90.0);
            assert!(decide(&german(), &limits, &sure).wants_opinions);
            sure.opinions = vec![evidence(&[(opinion, 100.0)], 90.0).sequences];
            assert_eq!(decide(&german(), &limits, &sure).decision, expected);
        }
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
                ..Evidence::default()
            };
            let verdict = decide(&german, &Limits::default(), &evidence);
            prop_assert_eq!(verdict.heard(), Some(Heard::Clear(Said::Move(announced))));
        }
    }
}
