//! `annexd eval`.

#[cfg(feature = "recognizer")]
mod evaluation;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::shell::error::Result;
#[cfg(not(feature = "recognizer"))]
use crate::shell::error::error;

/// Measures hearing on recordings of which the words are known.
///
/// MANIFEST is a table parted by tabs with the columns file, text, speaker and perhaps kind. Told
/// are, for each speaker, each kind and all: announcements taken exactly, asked for, ignored and
/// silently wrong; false takes in talk and noise; latency and real-time factor; confused words.
/// With --json one object for each recording, then one for each group. Files that are not there or
/// cannot be read are named and left out; the exit status is then 3.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The table.
    manifest: PathBuf,
    /// The language that is spoken. Others that are heard too follow behind commas.
    #[arg(long, default_value = "de")]
    language: String,
    /// The folder of another hearing model.
    #[arg(long, value_name = "FOLDER")]
    model: Option<PathBuf>,
    /// Only recordings of this kind.
    #[arg(long)]
    kind: Option<String>,
    /// Mix in noise of this kind.
    #[cfg(feature = "recognizer")]
    #[arg(long, value_enum)]
    noise: Option<crate::shell::hearing::eval::Noise>,
    /// How much louder than the noise speech is, in decibels: one run for each.
    #[cfg(feature = "recognizer")]
    #[arg(long, value_delimiter = ',', default_value = "20")]
    snr: Vec<f32>,
    /// Also the same recordings through the recogniser with a flat list of words.
    #[arg(long)]
    baselines: bool,
    /// Also what other limits would have come to: silently wrong against asked. The confidence that
    /// is needed is stepped, the other limits stay. Slower, since everything is heard at all
    /// speeds; with --json the grounds of every decision are told.
    #[arg(long)]
    curve: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
#[cfg(feature = "recognizer")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    evaluation::run(&arguments)
}

/// Reports why the command is impossible.
#[cfg(not(feature = "recognizer"))]
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(error!(Missing, BuiltWithoutRecogniser))
}
