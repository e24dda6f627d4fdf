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
}

/// How far an utterance has got.
pub(super) struct Glimpse {
    /// The words so far, perhaps in the middle of an announcement.
    pub(super) words: Vec<String>,
    /// When the last of them ended, in milliseconds from the start of the sound.
    pub(super) last_word_ends_ms: u32,
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
        words.set_partial_words(true);
        garbage.set_max_alternatives(1);
        Ok(Self {
            words,
            garbage,
            tail: tail(),
        })
    }

    /// The words so far.
    pub(super) fn glimpse(&mut self, sound: &[i16]) -> Glimpse {
        feed(&mut self.words, sound);
        feed(&mut self.words, &self.tail);
        let words = &mut self.words;
        let glimpse = guarded(|| {
            let partial = words.partial_result();
            let ends = partial.partial_result.last().map_or(0.0, |word| word.end);
            Glimpse {
                words: partial
                    .partial
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect(),
                last_word_ends_ms: (ends * 1000.0).max(0.0) as u32,
            }
        });
        self.words.reset();
        glimpse.unwrap_or(Glimpse {
            words: Vec::new(),
            last_word_ends_ms: 0,
        })
    }

    /// The word sequences with their scores, best first; canonical words of the lexicon.
    pub(super) fn sequences(
        &mut self,
        lexicon: &Lexicon,
        sound: &[i16],
    ) -> Vec<(Vec<String>, f64)> {
        feed(&mut self.words, sound);
        feed(&mut self.words, &self.tail);
        scored(&mut self.words)
            .into_iter()
            .map(|(text, score)| {
                let words = text
                    .split_whitespace()
                    .map(|word| lexicon.canonical(word).unwrap_or(word).to_owned())
                    .collect();
                (words, score)
            })
            .collect()
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
