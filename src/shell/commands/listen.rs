//! `annexd listen`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::shell::error::Result;
#[cfg(not(feature = "recognizer"))]
use crate::shell::error::error;
#[cfg(feature = "recognizer")]
use crate::shell::hearing::session;

/// Hears announcements in sound files or in the microphone.
///
/// One line for each utterance: what was said, and what would be done: taken, asked for again, or
/// ignored. With --json one object per line with the fields file, utterance, language, words (word
/// and confidence), announcement (piece, from, to, capture, promotion, castling, command) or null,
/// decision (take, ask, ignore), alternatives, audio_s, compute_s and latency_ms, which is null
/// without --realtime. A file without speech gives one object without words. Castling is kingside
/// or queenside; command is a name of grammar/LANGUAGE/commands.toml. Exit status 3 if a file could
/// not be heard; the others are heard all the same.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// WAV or FLAC files, of any rate and channel count.
    #[arg(value_name = "FILE", required_unless_present = "mic")]
    files: Vec<PathBuf>,
    /// Listen to the microphone until interrupted; DEVICE is a part of its name.
    #[arg(long, value_name = "DEVICE", num_args = 0..=1, conflicts_with = "files")]
    mic: Option<Option<String>>,
    /// The language that is spoken; several with commas between them, such as de,en.
    #[arg(long, default_value = "de")]
    language: String,
    /// The folder of another hearing model.
    #[arg(long, value_name = "FOLDER")]
    model: Option<PathBuf>,
    /// Feed files as fast as they were spoken, and tell the latency.
    #[arg(long)]
    realtime: bool,
    /// Print one JSON object per line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
#[cfg(feature = "recognizer")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let session = session::Session::new(
        &arguments.language,
        arguments.model.as_deref(),
        arguments.json,
    )?;
    match arguments.mic {
        Some(device) => session.microphone(device.as_deref()),
        None => session.files(&arguments.files, arguments.realtime),
    }
}

/// Reports why the command is impossible.
#[cfg(not(feature = "recognizer"))]
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(error!(Missing, BuiltWithoutRecogniser))
}
