//! What annexd says: phrases as data, rendered into the words of a language.
//!
//! The game says a [`Phrase`], which is a key and its arguments. A [`Language`] puts it into
//! words: [`Spoken`] has them in pieces that each have a clip, and as one text for consoles and
//! system voices.

// No input may end a game: nothing here panics on purpose but where data of the program itself
// is wrong, and nothing looks at a place that may not be there.
#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]
#![cfg_attr(
    not(test),
    warn(clippy::unreachable, clippy::indexing_slicing, clippy::string_slice)
)]

mod about_decisions;
mod control;
mod fault;
mod ground;
mod language;
mod language_error;
mod law_words;
mod phrase;
mod phrase_key;
mod plain;
mod private;
mod sentence;
mod sentence_key;
mod spoken;
mod template;
mod terms;

pub use fault::{Fault, Part as FaultPart, Reason, Remedy};
pub use ground::{Ground, GroundKey, Grounds};
pub use language::{Language, LanguageError};
pub use language_error::ParseLanguageError;
pub use law_words::LawWords;
pub use phrase::{Argument, Phrase};
pub use phrase_key::PhraseKey;
pub use plain::plain;
pub use sentence::{Sentence, Sentences, Value};
pub use sentence_key::SentenceKey;
pub use spoken::{Pause, Segment, Spoken};
pub use template::{Place, Template};
pub use terms::Terms;

/// The German lexicon, for tests.
#[cfg(test)]
pub(crate) fn german() -> annexd_laws::notation::Lexicon {
    annexd_laws::notation::Lexicon::parse(
        include_str!("../../grammar/de/lexicon.toml"),
        include_str!("../../grammar/de/commands.toml"),
    )
    .unwrap()
}
