//! Tries whether a model works at all.

use super::{SAMPLE_RATE, endpoint, listener, model, source};

/// Listens to a second of noise and to every word that has a clip, so that a model that does not
/// work, or crashes the process, is found at once.
///
/// # Errors
///
/// Those of [`listener::Listener::new`].
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

/// The clips of the lexicon's words, one after the other. A language may have none.
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
