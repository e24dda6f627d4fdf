//! What can go wrong outside the game, classified by what the user can do about it.

use std::fmt;
use std::process::ExitCode;

use crate::phrases::{Language, Phrase, SentenceKey};

pub use crate::phrases::Sentence;
pub use crate::phrases::{Fault, FaultPart as Part, Reason, Remedy};

/// The kind of remedy of an error, which determines the program's exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The command line or a setting is wrong: correct it.
    Usage,
    /// A file is missing, cannot be read, or has the wrong content: name another.
    BadInput,
    /// A part that is needed is not installed: install it.
    Missing,
    /// A device is in use elsewhere: close the other program and try again.
    DeviceBusy,
    /// A device has gone: plug it in again.
    DeviceLost,
    /// The disk is full or cannot be written: make room.
    Unwritable,
    /// Something was done, and the answer is no (a check failed, an expectation was not met).
    Negative,
}

impl ErrorKind {
    /// The exit status: 1 for a negative answer, 2 for usage, 3 for bad input, 4 for something
    /// missing, 5 for a device, 6 for storage.
    pub const fn exit_status(self) -> u8 {
        match self {
            Self::Negative => 1,
            Self::Usage => 2,
            Self::BadInput => 3,
            Self::Missing => 4,
            Self::DeviceBusy | Self::DeviceLost => 5,
            Self::Unwritable => 6,
        }
    }
}

/// An error for the user: one clear sentence that names the thing, and the remedy.
#[derive(Debug)]
pub struct Error {
    /// The kind of remedy.
    pub kind: ErrorKind,
    /// What happened and what to do, in whole sentences.
    pub message: String,
    /// The same as data, for any language.
    sentence: Option<Box<Sentence>>,
    /// The same for the player, for any language.
    fault: Option<Box<Fault>>,
    /// Whether the message is already in the user's language.
    is_told: bool,
}

/// As [`annexd_phrases::sentence`], of which the values may also be errors and paths:
/// `sentence!(Unreadable, path = path.display(), why = error)`.
#[macro_export]
#[doc(hidden)]
macro_rules! sentence {
    ($key:ident $(, $place:ident = $value:expr)* $(,)?) => {
        $crate::phrases::sentence!(
            $key $(, $place = $crate::shell::errors_in_words::AsValue::as_value(&$value))*
        )
    };
}
pub use sentence;

/// An [`Error`] of a kind with its sentence: `error!(BadInput, SoundEmpty, name = name)`.
#[macro_export]
#[doc(hidden)]
macro_rules! error {
    ($kind:ident, $($sentence:tt)+) => {
        $crate::shell::error::Error::of(
            $crate::shell::error::ErrorKind::$kind,
            $crate::shell::error::sentence!($($sentence)+),
        )
    };
}
pub use error;

impl Error {
    /// An error of a kind with its sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        let message = without_double_stops(&message.into());
        Self {
            kind,
            message,
            sentence: None,
            fault: None,
            is_told: false,
        }
    }

    /// An error that can be told in any language.
    pub fn of(kind: ErrorKind, sentence: Sentence) -> Self {
        let message = sentence.to_string();
        let sentence = Some(Box::new(sentence));
        Self {
            sentence,
            ..Self::new(kind, message)
        }
    }

    /// An error that is told in the words for the player.
    pub fn of_fault(kind: ErrorKind, fault: Fault) -> Self {
        let names: [&str; 3] = [fault.part.into(), fault.reason.into(), fault.remedy.into()];
        Self::new(kind, names.join(", ")).about(fault)
    }

    /// Its sentence, for use within another sentence.
    pub fn sentence(&self) -> Sentence {
        let as_it_is = || Sentence::new(SentenceKey::AsItIs).with("text", self.message.as_str());
        self.sentence
            .as_deref()
            .map_or_else(as_it_is, Sentence::clone)
    }

    /// Its content for the diary, without names of games, files and people.
    pub fn outline(&self) -> String {
        let sentence = self.sentence.as_deref().map(Sentence::outline);
        let fault = self.fault.as_deref().map(|fault| {
            let names: [&str; 3] = [fault.part.into(), fault.reason.into(), fault.remedy.into()];
            names.join(", ")
        });
        let kind = format!("{:?}", self.kind);
        let parts = [Some(kind), sentence, fault].into_iter().flatten();
        parts.collect::<Vec<_>>().join(": ")
    }

    /// Whether its sentence has this key.
    pub fn is_of(&self, key: SentenceKey) -> bool {
        self.sentence.as_deref().is_some_and(|it| it.key == key)
    }

    /// Adds what the player is told, for any language.
    #[must_use]
    pub fn about(mut self, fault: Fault) -> Self {
        self.fault = Some(Box::new(fault));
        self
    }

    /// What the player is told. An error without such words is ascribed to this part, with the
    /// usual remedy of its kind, and its own sentence as the system's message.
    pub fn fault(&self, part: Part) -> Fault {
        if let Some(fault) = &self.fault {
            return (**fault).clone();
        }
        let (reason, remedy) = match self.kind {
            ErrorKind::Usage => (Reason::Wrong, Remedy::CorrectLine),
            ErrorKind::BadInput => (Reason::Unreadable, Remedy::Reinstall),
            ErrorKind::Missing => (Reason::Absent, Remedy::Check),
            ErrorKind::DeviceBusy => (Reason::Busy, Remedy::CloseOther),
            ErrorKind::DeviceLost => (Reason::Gone, Remedy::Reconnect),
            ErrorKind::Unwritable => (Reason::Unwritable, Remedy::MakeRoom),
            ErrorKind::Negative => (Reason::Forbidden, Remedy::Check),
        };
        Fault::new(part, reason, remedy).with(self.message.clone())
    }

    /// The error in this language.
    #[must_use]
    pub fn in_language(mut self, language: &Language) -> Self {
        if std::mem::replace(&mut self.is_told, true) {
            return self;
        }
        if let Some(sentence) = &self.sentence {
            self.message = language.sentence(sentence);
            return self;
        }
        if self.fault.is_none() && language.lexicon().language() == "en" {
            return self;
        }
        let part = match self.kind {
            ErrorKind::Usage => Part::Option,
            ErrorKind::Unwritable => Part::Disk,
            _ => Part::Program,
        };
        let message = language.text_with_detail(&Phrase::from(self.fault(part)));
        Self { message, ..self }
    }
}

/// Removes doubled full stops: other programs' messages may end with their own before ours.
fn without_double_stops(text: &str) -> String {
    let single = text.replace(".. ", ". ");
    match single.strip_suffix("..") {
        Some(start) => format!("{start}."),
        None => single,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<&Error> for ExitCode {
    fn from(error: &Error) -> Self {
        Self::from(error.kind.exit_status())
    }
}

/// The result of everything in the shell.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_with_one_full_stop() {
        let foreign = "It is gone.";
        let error = Error::new(
            ErrorKind::DeviceLost,
            format!("The board cannot be read: {foreign}. Plug it in: {foreign}."),
        );
        let wanted = "The board cannot be read: It is gone. Plug it in: It is gone.";
        assert_eq!(error.message, wanted);
        let path = Error::new(ErrorKind::BadInput, "There is no ../games.");
        assert_eq!(path.message, "There is no ../games.");
    }
}
