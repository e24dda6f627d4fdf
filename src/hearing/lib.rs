//! Hearing without microphone and recogniser. Sound and a recogniser's words go in; out comes what
//! was said, or that it has to be asked again, or that it is ignored.
//!
//! `annexd_sound` brings every sound to the recogniser's rate. [`activity`] finds sound louder than
//! the room, [`voicing`] says whether it is a voice, and [`leak`] how loud annexd's own voice is.
//! [`endpoint`] says where an utterance begins and ends. [`decide`] takes, asks or ignores what
//! [`verdict::Evidence`] there is, with [`opinions`], [`sibilants`] and [`letters`] where words
//! resemble each other. [`left_open`] takes the answer to what is asked, [`languages`] chooses
//! between two of them, [`fst`] checks the files of a model, and [`enrolment`] tunes its networks
//! to whoever has read to it.

#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]

pub mod activity;
pub mod decide;
pub mod endpoint;
pub mod enrolment;
pub mod fst;
pub mod languages;
pub mod leak;
pub mod left_open;
pub mod letters;
pub mod opinions;
pub mod sibilants;
pub mod verdict;
pub mod voicing;

pub(crate) use annexd_sound::{BLOCK, SAMPLE_RATE};

/// The German lexicon, for tests.
#[cfg(test)]
pub(crate) fn german() -> annexd_laws::notation::Lexicon {
    annexd_laws::notation::Lexicon::parse(
        include_str!("../../grammar/de/lexicon.toml"),
        include_str!("../../grammar/de/commands.toml"),
    )
    .unwrap()
}
