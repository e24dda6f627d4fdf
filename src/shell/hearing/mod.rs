//! Hearing: from samples to what was said. Files and microphones go the same way.

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
mod voicing;

/// Samples a second that the recogniser wants.
pub const SAMPLE_RATE: u32 = 16_000;

/// Samples in one block of 20 ms, the step of everything here.
pub const BLOCK: usize = SAMPLE_RATE as usize / 50;

/// Listens to a second of noise and to every word of which there is a clip, so that a model that
/// does not work, or that ends the process at some sound, is found at once.
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
    let words = spoken_words(&lexicon);
    let mut listener = listener::Listener::new(model.into(), lexicon.into(), patience)?;
    let burst = (0..SAMPLE_RATE as usize).map(|i| if i % 2 == 0 { 4_000 } else { -4_000 });
    listener.feed(&burst.collect::<Vec<i16>>());
    listener.feed(&words);
    listener.finish();
    Ok(())
}

/// The clips of the lexicon's words, one behind the other. A language may have none.
#[cfg(feature = "recognizer")]
fn spoken_words(lexicon: &crate::notation::Lexicon) -> Vec<i16> {
    use crate::phrases::Spoken;
    let Ok(folder) = crate::shell::config::data::folder() else {
        return Vec::new();
    };
    let folder = folder.join("assets/voice").join(lexicon.language());
    let clip = |word: &str| folder.join(Spoken::clip_name(word)).with_extension("flac");
    let clips = lexicon.words().iter().map(|word| clip(&word.word));
    clips
        .filter_map(|path| source::read_whole(&path).ok())
        .flatten()
        .collect()
}
