//! The spoken set-up: asks by loudspeaker, hears by microphone, keys and gamepad, and stores the
//! answers. The questions and the meaning of answers are in [`crate::set_up`]. annexd without a
//! command asks what to do in the same way.

mod asking;
#[cfg(all(feature = "audio", feature = "recognizer"))]
mod ear;
mod keep;
mod lobby;
mod read;
mod room;
mod voice;
mod welcome;

use std::path::Path;
use std::time::Duration;

pub use asking::End;
pub use keep::{answers_of, kept, with_answers};
pub use lobby::wait;
pub use welcome::choose;

use self::asking::Dialogue;
use self::room::room;
use super::error::Result;
use crate::phrases::{Language, PhraseKey};
use crate::set_up::{AfterReply, Answers, Level, Place, Question, Reply, SetUp, Topic};
use crate::shell::config::data;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::words::console_words;

/// Asks everything. `None` if it was left before the end; then nothing is stored.
///
/// # Errors
///
/// If the words of a language are missing or wrong.
pub fn ask(settings: &Settings, has_devices: bool) -> Result<Option<Answers>> {
    let (room, answers) = (room(has_devices)?, answers_of(settings, has_devices));
    // Each set-up stores the language.
    let was_kept = settings.text.language.is_some();
    let set_up = match was_kept {
        true => SetUp::again(room, answers),
        false => SetUp::new(room, answers),
    };
    Ok(match asking::ask(settings, has_devices, set_up)? {
        End::Answered(set_up) => Some(set_up.answers().clone()),
        End::Left | End::Unanswered => None,
    })
}

impl Dialogue for SetUp {
    const BETWEEN: &'static str = " ";
    const OUTLIVES_KEYS: bool = false;

    fn first(&mut self) -> AfterReply {
        self.begin()
    }

    fn answered(&mut self, reply: Reply, level: Option<Level>) -> AfterReply {
        self.hear(reply, level)
    }

    fn waits(&self) -> Duration {
        self.patience()
    }

    fn devices(&self) -> Place<'_> {
        self.place()
    }

    fn farewell(&self) -> Option<(&str, PhraseKey)> {
        Some((self.answers().languages.own.as_str(), PhraseKey::SetUpLeft))
    }

    /// At the question for the language, a line is read in any language; a code such as "en" is not
    /// read as a number there, nor is a name. The topic to change is chosen by its words, as long
    /// as no other begins like them.
    fn read(&self, line: &str, reply: Reply, language: &Language) -> Result<Reply> {
        let text = line.trim();
        let is_text = match self.question() {
            Question::Name(_) => matches!(reply, Reply::Number(_)),
            Question::Language => data::languages()?.contains(&text.to_lowercase()),
            _ => false,
        };
        if is_text {
            return Ok(Reply::Text(text.to_owned()));
        }
        if !matches!(reply, Reply::Text(_)) {
            return Ok(reply);
        }
        if self.question() == Question::Topic {
            let topics = self.topics().into_iter().map(Topic::phrase);
            // What he wants to change is asked for anyway.
            return Ok(match read::chosen(line, topics, language) {
                Some(Reply::Likely(number)) => Reply::Number(number),
                chosen => chosen.unwrap_or(reply),
            });
        }
        if self.question() != Question::Language {
            return Ok(reply);
        }
        let mut read = Vec::new();
        for code in data::languages()? {
            read.push((data::language(&code)?, console_words(&code)?));
        }
        let among: Vec<_> = read
            .iter()
            .map(|(language, words)| (language, words))
            .collect();
        Ok(read::typed_reply_in_any(line, &among).unwrap_or(reply))
    }
}

/// Stores the answers in the settings file, by default the user's own, and returns the settings.
///
/// # Errors
///
/// If the file cannot be read, understood or written.
pub fn keep(named: Option<&Path>, answers: &Answers) -> Result<Settings> {
    keep::write(named, answers)?;
    let settings = Settings::load(named)?;
    Ok(with_answers(settings, answers))
}
