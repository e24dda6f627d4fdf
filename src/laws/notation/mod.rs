//! Moves in words: how they are announced, written, heard and said.

mod announcement;
pub mod as_words;
mod lexicon;
mod part;
mod question;
mod said;
mod typed;
mod understand;
mod value;
mod words;

pub use announcement::{Announcement, Castling, CheckMark, MoveAnnouncement};
pub use lexicon::{Lexicon, LexiconError, Word};
pub use part::Part;
pub use question::Question;
pub use said::{Command, Heard, Said};
pub use typed::{typed, typed_at_table, without_en_passant};
pub use understand::{Completeness, completeness, understand};
pub use value::{CastlingWord, CommandName, Value};
pub use words::{Style, sentence, words};

/// The German lexicon, for tests.
#[cfg(test)]
pub(crate) fn german() -> Lexicon {
    Lexicon::parse(
        include_str!("../../../grammar/de/lexicon.toml"),
        include_str!("../../../grammar/de/commands.toml"),
    )
    .unwrap()
}
