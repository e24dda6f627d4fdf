//! The program around the core: it touches devices, files, clocks and the terminal.

pub mod boards;
#[cfg(unix)]
mod braille;
pub mod cli;
mod commands;
pub mod config;
pub mod consoles;
mod diary;
pub mod error;
#[doc(hidden)]
pub mod errors_in_words;
pub mod hearing;
mod help;
mod machine;
#[cfg(feature = "page")]
pub mod page;
mod reach;
pub mod record;
mod score_files;
pub mod seats;
pub mod session;
pub mod setting_up;
pub mod speech;
pub mod table;
pub mod typed;

pub use commands::demo;
pub use commands::manual::paragraphs as manual_paragraphs;
pub use commands::practice;

/// The German lexicon, for tests.
#[cfg(test)]
pub(crate) fn german() -> crate::notation::Lexicon {
    crate::notation::Lexicon::parse(
        include_str!("../../grammar/de/lexicon.toml"),
        include_str!("../../grammar/de/commands.toml"),
    )
    .unwrap()
}
