//! Hearing: from samples to what was said. Files and microphones go the same way.

#[cfg(feature = "recognizer")]
mod activity;
pub mod decide;
pub mod endpoint;
#[cfg(feature = "recognizer")]
pub mod eval;
pub mod front;
#[cfg(feature = "recognizer")]
mod leak;
#[cfg(feature = "recognizer")]
pub mod listener;
#[cfg(feature = "audio")]
pub mod microphone;
#[cfg(feature = "recognizer")]
pub mod model;
#[cfg(feature = "recognizer")]
mod recogniser;
#[cfg(feature = "recognizer")]
pub mod report;
#[cfg(feature = "recognizer")]
pub mod session;
pub mod source;

/// Samples a second that the recogniser wants.
pub const SAMPLE_RATE: u32 = 16_000;

/// Samples in one block of 20 ms, the step of everything here.
pub const BLOCK: usize = SAMPLE_RATE as usize / 50;

/// Listens to a second of a quiet room, so that a model that does not work is found at once.
///
/// # Errors
///
/// Those of [`listener::Listener::new`].
#[cfg(feature = "recognizer")]
pub fn try_out(
    model: model::HearingModel,
    lexicon: crate::notation::Lexicon,
) -> crate::shell::error::Result<()> {
    let patience = endpoint::Patience::default();
    let mut listener = listener::Listener::new(model.into(), lexicon.into(), patience)?;
    let burst = (0..SAMPLE_RATE as usize).map(|i| if i % 2 == 0 { 4_000 } else { -4_000 });
    listener.feed(&burst.collect::<Vec<i16>>());
    listener.finish();
    Ok(())
}
