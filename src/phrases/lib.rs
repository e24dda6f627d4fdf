//! What annexd says: phrases as data, rendered into the words of a language.
//!
//! There are three kinds of message. A [`Phrase`] is spoken. A [`Sentence`] is an error or a part
//! of a verdict. A [`Ground`] is a reason that the arbiter reads. Each is a key with its values,
//! which a [`Language`] puts into words. A [`Spoken`] has the words of a phrase in pieces that each
//! have a clip, and as one text for consoles and system voices.

// No input may end a game. So nothing here panics on purpose, except where data of the program
// itself is wrong, and nothing indexes a place that may not exist.
#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]
#![cfg_attr(
    not(test),
    warn(clippy::unreachable, clippy::indexing_slicing, clippy::string_slice)
)]

mod about_decisions;
mod complete;
mod control;
mod fault;
mod ground;
mod language;
mod language_error;
mod law_words;
mod message;
mod phrase_key;
mod phrase_keys;
mod pieces;
mod plain;
mod private;
mod sentence;
mod sentence_key;
mod spoken;
mod terms;
mod verdict;

/// A [`Sentence`] by its key, with the values for its places:
/// `sentence!(NoKindOfBoard, name = name)`.
#[macro_export]
macro_rules! sentence {
    ($key:ident $(, $place:ident = $value:expr)* $(,)?) => {
        $crate::Sentence::new($crate::SentenceKey::$key)
            $(.with(stringify!($place), $value))*
    };
}

pub use fault::{Fault, Part as FaultPart, Reason, Remedy};
pub use ground::{Ground, GroundKey, Grounds};
pub use language::{Language, figures_of};
pub use language_error::LanguageError;
pub use law_words::LawWords;
pub use message::{Argument, Message, Phrase};
pub use phrase_key::PhraseKey;
pub use pieces::PlaceKind;
pub use plain::plain;
pub use sentence::{Sentence, Sentences, Value, in_english};
pub use sentence_key::SentenceKey;
pub use spoken::{Pause, Segment, Spoken};
pub use terms::Terms;
pub use verdict::{explanation, piece, verdict};

/// The German lexicon, for tests.
#[cfg(test)]
pub(crate) fn german() -> annexd_laws::notation::Lexicon {
    annexd_laws::notation::Lexicon::parse(
        include_str!("../../grammar/de/lexicon.toml"),
        include_str!("../../grammar/de/commands.toml"),
    )
    .unwrap()
}

/// The German language, for tests.
#[cfg(test)]
pub(crate) fn german_language() -> Language {
    Language::parse(german(), GERMAN).unwrap()
}

/// The German files.
#[cfg(test)]
pub(crate) const GERMAN: [&str; 7] = [
    include_str!("../../grammar/de/terms.toml"),
    include_str!("../../grammar/de/phrases.toml"),
    include_str!("../../grammar/de/faults.toml"),
    include_str!("../../grammar/de/controls.toml"),
    include_str!("../../grammar/de/reasons.toml"),
    include_str!("../../grammar/de/errors.toml"),
    include_str!("../../grammar/de/verdict.toml"),
];
