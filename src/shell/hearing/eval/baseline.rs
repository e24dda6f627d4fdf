//! A baseline for comparison: a plain recogniser with a flat list of words, of which every result
//! is taken.

use vosk::{CompleteResult, Recognizer};

use crate::shell::error::{Result, error};
use crate::shell::hearing::SAMPLE_RATE;
use crate::shell::hearing::session::Session;
use crate::shell::hearing::verdict::UNKNOWN;

/// The plain recogniser on the same model.
pub struct FlatWords(Recognizer);

impl FlatWords {
    /// Knows the words of the lexicon without any order.
    ///
    /// # Errors
    ///
    /// `ErrorKind::BadInput` if the model takes no grammar.
    pub fn new(session: &Session) -> Result<Self> {
        let mut words: Vec<&str> = session
            .lexicon()
            .words()
            .iter()
            .map(|entry| entry.word.as_str())
            .collect();
        words.push(UNKNOWN);
        let model = session.model();
        Recognizer::new_with_grammar(&model.vosk, SAMPLE_RATE as f32, &words)
            .map(Self)
            .ok_or_else(|| error!(BadInput, DemoNoGrammar, name = model.name()))
    }

    /// The words of a sound, without unknown ones.
    pub fn hear(mut self, sound: &[i16]) -> Vec<String> {
        // A model with another sample rate hears nothing, which is then the result.
        let _ = self.0.accept_waveform(sound);
        let text = match self.0.final_result() {
            CompleteResult::Single(one) => one.text.to_owned(),
            CompleteResult::Multiple(_) => String::new(),
        };
        text.split_whitespace()
            .filter(|word| *word != UNKNOWN)
            .map(str::to_owned)
            .collect()
    }
}
