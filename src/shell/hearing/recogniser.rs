//! libvosk, used for one whole utterance at a time.

use std::panic::{AssertUnwindSafe, catch_unwind};

use vosk::{CompleteResult, Recognizer};

use super::model::HearingModel;
use super::{BLOCK, SAMPLE_RATE};
use crate::notation::Lexicon;
use crate::shell::error::{Result, error};
use crate::shell::hearing::verdict::UNKNOWN;

/// How many word sequences are requested.
const SEQUENCES: u16 = 8;

/// The sound of a quiet room, appended so that the network sees all of the utterance. It is not
/// digital silence, which no microphone gives.
static TAIL: [i16; 25 * BLOCK] = quiet_room();

const fn quiet_room() -> [i16; 25 * BLOCK] {
    let mut room = [0; 25 * BLOCK];
    let mut state = 1_u32;
    let mut index = 0;
    while index < room.len() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        room[index] = (state >> 29) as i16 - 4;
        index += 1;
    }
    room
}

/// Two recognisers on one model: one with the grammar, one that hears no words at all.
///
/// Both process the sound as it comes, so that hardly anything is left to compute at its end.
pub(super) struct Recogniser {
    words: Stream,
    garbage: Stream,
}

/// A word sequence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sequence {
    /// Canonical words of the lexicon.
    pub words: Vec<String>,
    /// Its score (a log-likelihood).
    pub score: f64,
    /// The time of each word in the sound, in seconds.
    pub times: Vec<(f32, f32)>,
}

/// A recogniser, and how much of an utterance it has heard.
struct Stream {
    recognizer: Recognizer,
    /// The number of samples of this utterance that it has heard.
    fed: usize,
    /// Whether it has also heard the quiet after them, and so can hear no more of them.
    is_closed: bool,
    /// The number of samples it heard before this utterance. Its times count from there.
    before: usize,
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
            return Err(error!(BadInput, ModelTakesNoGrammar, name = model.name()));
        };
        words.set_max_alternatives(SEQUENCES);
        words.set_words(true);
        garbage.set_max_alternatives(1);
        Ok(Self {
            words: Stream::new(words),
            garbage: Stream::new(garbage),
        })
    }

    /// Continues; `sound` is the utterance so far.
    pub(super) fn follow(&mut self, sound: &[i16]) {
        self.words.follow(sound);
        self.garbage.follow(sound);
    }

    /// The words so far, perhaps in the middle of an announcement.
    ///
    /// Their times are not requested, because libvosk's answer would then lag by more than a
    /// second.
    pub(super) fn glimpse(&mut self, lexicon: &Lexicon, sound: &[i16]) -> Vec<String> {
        self.words.close(sound);
        let words = &mut self.words.recognizer;
        guarded(|| canonical(lexicon, words.partial_result().partial)).unwrap_or_default()
    }

    /// The word sequences with their scores, best first. What was followed and glimpsed must be the
    /// beginning of this sound.
    pub(super) fn sequences(&mut self, lexicon: &Lexicon, sound: &[i16]) -> Vec<Sequence> {
        self.words.close(sound);
        self.words.scored(lexicon)
    }

    /// Forgets the glimpse, because the utterance goes on.
    pub(super) fn forget_glimpse(&mut self) {
        if self.words.is_closed {
            self.words.forget();
        }
    }

    /// Forgets the utterance.
    pub(super) fn forget(&mut self) {
        self.words.forget();
        self.garbage.forget();
    }

    /// The score of hearing no words.
    pub(super) fn garbage(&mut self, lexicon: &Lexicon, sound: &[i16]) -> f64 {
        self.garbage.close(sound);
        let best = self.garbage.scored(lexicon);
        best.first().map_or(f64::NEG_INFINITY, |best| best.score)
    }
}

/// The scores of whole phrases for one sound, best first. Each is recognised as if only these could
/// be said. `None` if the model takes no grammar.
pub(super) fn compared(
    model: &HearingModel,
    lexicon: &Lexicon,
    phrases: &[String],
    sound: &[i16],
) -> Option<Vec<Sequence>> {
    let rate = SAMPLE_RATE as f32;
    let mut recognizer = Recognizer::new_with_grammar(&model.vosk, rate, phrases)?;
    recognizer.set_max_alternatives(SEQUENCES);
    recognizer.set_words(true);
    let mut stream = Stream::new(recognizer);
    stream.close(sound);
    Some(stream.scored(lexicon))
}

impl Stream {
    const fn new(recognizer: Recognizer) -> Self {
        Self {
            recognizer,
            fed: 0,
            is_closed: false,
            before: 0,
        }
    }

    fn follow(&mut self, sound: &[i16]) {
        if let Some(new) = sound.get(self.fed..).filter(|_| !self.is_closed) {
            feed(&mut self.recognizer, new);
            self.fed = sound.len();
        }
    }

    fn close(&mut self, sound: &[i16]) {
        if !self.is_closed {
            self.follow(sound);
            feed(&mut self.recognizer, &TAIL);
            self.fed += TAIL.len();
            self.is_closed = true;
        }
    }

    /// libvosk discards the sound only when a final result is requested. Its `reset` would append
    /// what follows to the old sound, and recognise and score both together.
    fn forget(&mut self) {
        if self.fed > 0 {
            let recognizer = &mut self.recognizer;
            guarded(|| drop(recognizer.final_result()));
            self.start_anew();
        }
    }

    fn start_anew(&mut self) {
        self.before += std::mem::take(&mut self.fed);
        self.is_closed = false;
    }

    fn scored(&mut self, lexicon: &Lexicon) -> Vec<Sequence> {
        let begun = self.before as f32 / SAMPLE_RATE as f32;
        let recognizer = &mut self.recognizer;
        let sequences = guarded(|| match recognizer.final_result() {
            CompleteResult::Multiple(many) => many
                .alternatives
                .iter()
                .map(|one| Sequence {
                    words: canonical(lexicon, one.text),
                    score: f64::from(one.confidence),
                    times: one
                        .result
                        .iter()
                        .map(|word| (word.start - begun, word.end - begun))
                        .collect(),
                })
                .filter(|sequence| sequence.score.is_finite())
                .collect(),
            CompleteResult::Single(one) => vec![Sequence {
                words: canonical(lexicon, one.text),
                score: 0.0,
                times: Vec::new(),
            }],
        });
        self.start_anew();
        sequences.unwrap_or_default()
    }
}

fn canonical(lexicon: &Lexicon, text: &str) -> Vec<String> {
    text.split_whitespace()
        .map(|word| lexicon.canonical(word).unwrap_or(word).to_owned())
        .collect()
}

fn feed(recognizer: &mut Recognizer, sound: &[i16]) {
    // It fails only if the rate is below the model's. Then no words come out, and nothing more can
    // be said. Its own endpoint detection is not used: ours is in endpoint.rs.
    let _ = recognizer.accept_waveform(sound);
}

/// Guards against a panic of the crate on an answer that is no JSON, such as one with a score that
/// is no number.
fn guarded<T>(act: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(act)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::config::data;

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
            tried.follow(&sound[..part - 900]);
            tried.glimpse(&lexicon, &sound[..part]);
            tried.forget_glimpse();
        }
        let found = tried.sequences(&lexicon, &sound);
        let scores = |all: &[Sequence]| -> Vec<_> {
            let all = all.iter();
            all.map(|one| (one.words.clone(), one.score)).collect()
        };
        assert_eq!(scores(&found), scores(&expected));
        for (one, other) in found.iter().zip(&expected) {
            for (found, expected) in one.times.iter().zip(&other.times) {
                assert!(
                    (found.0 - expected.0).abs() < 0.02,
                    "{found:?} {expected:?}"
                );
            }
        }
    }
}
