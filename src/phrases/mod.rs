//! What annexd says: phrases as data, rendered into the words of a language.

mod phrase;

pub use phrase::{Argument, Phrase, PhraseKey};
