//! The one place that touches the world: devices, files, clocks, the terminal.

pub mod beat;
pub mod boards;
pub mod cli;
pub mod clocks;
mod commands;
pub mod console;
pub mod console_words;
pub mod controls;
pub mod data;
#[cfg(feature = "recognizer")]
pub mod demo;
pub mod devices;
pub mod door;
pub mod earcons;
#[cfg(all(feature = "audio", feature = "recognizer"))]
pub mod ears;
pub mod error;
pub mod folders;
#[cfg(feature = "gamepad")]
pub mod gamepad;
pub mod games;
pub mod hearing;
#[cfg(feature = "recognizer")]
pub mod libvosk;
pub mod local_socket;
pub mod mouth;
mod patient;
pub mod recorder;
pub mod rescue;
mod score_sound;
pub mod screen;
mod scribe;
mod seal;
pub mod seating;
pub mod setting_up;
pub mod settings;
mod settings_check;
mod signals;
pub mod sound;
#[cfg(all(feature = "audio", feature = "recognizer"))]
pub mod sound_keeper;
pub mod sound_kept;
pub mod store;
mod store_log;
mod store_place;
mod store_reading;
pub mod table;
pub mod talk;
pub mod terminal;
pub mod text_outlet;
pub mod timeline;
mod told;
pub mod tongue;
mod typed_rulings;
mod typed_sheet;
pub mod typing;
pub mod vault;
pub mod voice;
pub mod watchdog;
pub mod wired;

/// The German lexicon, for tests.
#[cfg(test)]
pub(crate) fn german() -> crate::notation::Lexicon {
    crate::notation::Lexicon::parse(
        include_str!("../../grammar/de/lexicon.toml"),
        include_str!("../../grammar/de/commands.toml"),
    )
    .unwrap()
}
