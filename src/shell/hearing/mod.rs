//! Hearing: from samples to what was said. Files and microphones are treated alike.

#[cfg(feature = "recognizer")]
mod activity;
#[cfg(feature = "recognizer")]
mod behind;
#[cfg(all(feature = "audio", target_os = "linux"))]
mod capture;
#[cfg(feature = "recognizer")]
pub mod catalogue;
pub mod decide;
pub mod endpoint;
#[cfg(feature = "recognizer")]
pub mod eval;
pub mod front;
#[cfg(feature = "recognizer")]
mod fst;
#[cfg(feature = "recognizer")]
mod leak;
pub mod letters;
#[cfg(feature = "recognizer")]
pub mod libvosk;
#[cfg(feature = "recognizer")]
pub mod listener;
#[cfg(feature = "audio")]
pub mod microphone;
#[cfg(feature = "recognizer")]
pub mod model;
pub mod opinions;
#[cfg(feature = "recognizer")]
mod recogniser;
#[cfg(feature = "recognizer")]
pub mod report;
#[cfg(feature = "recognizer")]
pub mod session;
pub mod sibilants;
pub mod somebody_speaks;
pub mod source;
#[cfg(all(feature = "audio", feature = "recognizer"))]
pub mod table_microphones;
#[cfg(feature = "recognizer")]
pub mod trial;
#[cfg(feature = "recognizer")]
mod trying_out;
pub mod verdict;
#[cfg(feature = "recognizer")]
mod voicing;

#[cfg(feature = "recognizer")]
pub use trying_out::try_out;

/// The sample rate of the recogniser in hertz.
pub const SAMPLE_RATE: u32 = 16_000;

/// The samples in one block of 20 ms, the unit of processing.
pub const BLOCK: usize = SAMPLE_RATE as usize / 50;
