//! libvosk, asked about a whole utterance at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use vosk::{CompleteResult, Recognizer};

use super::decide::UNKNOWN;
use super::model::HearingModel;
use super::{BLOCK, SAMPLE_RATE};
use crate::notation::Lexicon;
use crate::shell::error::{Error, ErrorKind, Result};

/// How many word sequences are asked for.
const SEQUENCES: u16 = 8;

/// Quiet that is put behind the sound so that the network sees all of it.
const TAIL: usize = 25 * BLOCK;

/// Two recognisers on one model: one hears the grammar, one hears no word in anything.
pub(super) struct Recogniser {
    words: Recognizer,
    garbage: Recognizer,
    tail: Vec<i16>,
    /// Whether `words` has heard the sound of the last glimpse.
    is_fed: bool,
}

impl Recogniser {
    pub(super) fn new(model: &HearingModel) -> Result<Self> {
        let rate = SAMPLE_RATE as f32;
        let words = match &model.grammar {
            None => Recognizer::new(&model.vosk, rate),
            Some(grammar) => Recognizer::new_with_grammar(&model.vosk, rate, grammar),
        };
        let garbage = Recognizer::new_with_grammar(&model.vosk, rate, &[UNKNOWN]);
        let (Some(mut words), Some(mut garbage)) = (words, garbage) else {
            return Err(Error::new(
                ErrorKind::BadInput,
                format!(
                    "The hearing model {} cannot be listened with: its graph is not one that \
                     takes grammars. Use another model.",
                    model.name()
                ),
            ));
        };
        words.set_max_alternatives(SEQUENCES);
        words.set_words(true);
        garbage.set_max_alternatives(1);
        Ok(Self {
            words,
            garbage,
            tail: tail(),
            is_fed: false,
        })
    }

    /// The words so far, perhaps in the middle of an announcement.
    ///
    /// Their times are not asked for: with them libvosk's answer lags by more than a second.
    pub(super) fn glimpse(&mut self, lexicon: &Lexicon, sound: &[i16]) -> Vec<String> {
        self.forget();
        self.hear(sound);
        let words = &mut self.words;
        guarded(|| canonical(lexicon, words.partial_result().partial)).unwrap_or_default()
    }

    /// The word sequences with their scores, best first; canonical words of the lexicon. After a
    /// glimpse the sound must be the same.
    pub(super) fn sequences(
        &mut self,
        lexicon: &Lexicon,
        sound: &[i16],
    ) -> Vec<(Vec<String>, f64)> {
        self.hear(sound);
        self.is_fed = false;
        scored(&mut self.words)
            .into_iter()
            .map(|(text, score)| (canonical(lexicon, &text), score))
            .collect()
    }

    fn hear(&mut self, sound: &[i16]) {
        if !self.is_fed {
            feed(&mut self.words, sound);
            feed(&mut self.words, &self.tail);
            self.is_fed = true;
        }
    }

    /// Forgets what was glimpsed: the utterance goes on.
    ///
    /// Only asking for a final result makes libvosk throw the sound away; its `reset` puts what
    /// follows behind the old sound, which then is heard with it and scored with it.
    pub(super) fn forget(&mut self) {
        if self.is_fed {
            scored(&mut self.words);
            self.is_fed = false;
        }
    }

    /// The score of hearing no word.
    pub(super) fn garbage(&mut self, sound: &[i16]) -> f64 {
        feed(&mut self.garbage, sound);
        feed(&mut self.garbage, &self.tail);
        scored(&mut self.garbage)
            .first()
            .map_or(f64::NEG_INFINITY, |(_, score)| *score)
    }
}

fn canonical(lexicon: &Lexicon, text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| lexicon.canonical(word).unwrap_or(word).to_owned())
        .collect()
}

fn feed(recognizer: &mut Recognizer, sound: &[i16]) {
    // It fails only where the rate is below the model's; then no words come out, which is all
    // that can be said. Its own notion of an end is not asked for: ours is in endpoint.rs.
    let _ = recognizer.accept_waveform(sound);
}

fn scored(recognizer: &mut Recognizer) -> Vec<(String, f64)> {
    let sequences = guarded(|| match recognizer.final_result() {
        CompleteResult::Multiple(many) => many
            .alternatives
            .iter()
            .map(|one| (one.text.to_owned(), f64::from(one.confidence)))
            .filter(|(_, score)| score.is_finite())
            .collect(),
        CompleteResult::Single(one) => vec![(one.text.to_owned(), 0.0)],
    });
    sequences.unwrap_or_default()
}

/// The crate panics on an answer that is no JSON, such as one with a score that is no number.
fn guarded<T>(act: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(act)).ok()
}

/// A quiet room: not digital silence, which no microphone gives.
fn tail() -> Vec<i16> {
    let mut state = 1_u32;
    (0..TAIL)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 29) as i16 - 4
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::data;

    #[test]
    fn what_was_glimpsed_and_forgotten_changes_nothing() {
        let lexicon = data::lexicon("de").unwrap();
        let model = match HearingModel::bundled(&lexicon) {
            Ok(model) => model,
            Err(error) => {
                eprintln!("skipped: {error}");
                return;
            }
        };
        let sound: Vec<i16> = (0..20_000)
            .map(|index| ((f64::from(index) / (9.0 + f64::from(index) / 3e3)).sin() * 6e3) as i16)
            .collect();
        let mut fresh = Recogniser::new(&model).unwrap();
        let expected = fresh.sequences(&lexicon, &sound);
        assert!(!expected.is_empty());
        let mut tried = Recogniser::new(&model).unwrap();
        for part in [7_000, 12_000, 17_000] {
            tried.glimpse(&lexicon, &sound[..part]);
            tried.forget();
        }
        assert_eq!(tried.sequences(&lexicon, &sound), expected);
    }
}
