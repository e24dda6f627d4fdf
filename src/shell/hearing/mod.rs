//! Hearing at the table: the recogniser and its models; microphones and files, treated alike.
//! [`annexd_hearing`] decides what was said.

#[cfg(all(feature = "audio", target_os = "linux"))]
mod capture;
#[cfg(feature = "recognizer")]
pub mod catalogue;
#[cfg(feature = "recognizer")]
pub mod enrolled;
#[cfg(feature = "recognizer")]
pub mod eval;
#[cfg(feature = "recognizer")]
pub mod libvosk;
#[cfg(feature = "recognizer")]
pub mod listener;
#[cfg(feature = "recognizer")]
pub mod listeners;
#[cfg(feature = "audio")]
pub mod microphone;
#[cfg(feature = "recognizer")]
pub mod model;
#[cfg(feature = "recognizer")]
mod offer_after_move;
#[cfg(feature = "recognizer")]
mod recogniser;
#[cfg(feature = "recognizer")]
pub mod report;
#[cfg(feature = "recognizer")]
pub mod session;
pub mod somebody_speaks;
pub mod source;
#[cfg(all(feature = "audio", feature = "recognizer"))]
pub mod table_microphones;
#[cfg(feature = "recognizer")]
pub mod try_in_process;
#[cfg(feature = "recognizer")]
mod try_model;

pub use annexd_hearing::{
    activity, decide, endpoint, enrolment, fst, languages, left_open, letters, opinions, sibilants,
    verdict, voicing,
};
pub use annexd_sound::{BLOCK, SAMPLE_RATE, front};
use front::{Front, Unhearable};
#[cfg(feature = "recognizer")]
pub use try_model::try_out;

use super::error::{Error, ErrorKind, Result};
use crate::phrases::{Value, sentence};

/// A converter for sound of this rate, with this many interleaved channels.
///
/// # Errors
///
/// `ErrorKind::BadInput` for a rate that cannot be converted to [`SAMPLE_RATE`].
pub fn front_for(rate: u32, channels: usize) -> Result<Front> {
    Front::new(rate, channels).map_err(|why| {
        let why = match why {
            Unhearable::NoSound => Value::from(sentence!(NoSoundInIt)),
            Unhearable::Rate(why) => Value::from(why),
        };
        let unhearable = sentence!(UnhearableRate, rate = rate.to_string(), why = why);
        Error::of(ErrorKind::BadInput, unhearable)
    })
}
