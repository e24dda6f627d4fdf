//! Hearing, without microphone and recogniser: sound and the words that a recogniser finds in it go
//! in, and what was said comes out, or that it is asked about, or ignored.
//!
//! [`front`] brings every sound to the rate of the recogniser. [`endpoint`] says when somebody has
//! finished, [`activity`], [`voicing`] and [`leak`] whether it was somebody at the table.
//! [`decide`] takes, asks or ignores what [`verdict::Evidence`] there is, with [`opinions`],
//! [`sibilants`] and [`letters`] where words resemble each other. [`left_open`] takes the answer.

#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]

pub mod activity;
pub mod decide;
pub mod endpoint;
pub mod front;
pub mod fst;
pub mod languages;
pub mod leak;
pub mod left_open;
pub mod letters;
pub mod opinions;
pub mod sibilants;
pub mod verdict;
pub mod voicing;

/// The sample rate of the recogniser in hertz.
pub const SAMPLE_RATE: u32 = 16_000;

/// The samples in one block of 20 ms, the unit of processing.
pub const BLOCK: usize = SAMPLE_RATE as usize / 50;

/// The German lexicon, for tests.
#[cfg(test)]
pub(crate) fn german() -> annexd_laws::notation::Lexicon {
    annexd_laws::notation::Lexicon::parse(
        include_str!("../../grammar/de/lexicon.toml"),
        include_str!("../../grammar/de/commands.toml"),
    )
    .unwrap()
}
