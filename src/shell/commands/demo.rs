//! `annexd demo`.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::shell::error::Result;

/// Plays a whole game by voice with no hardware: the blind player's words are spoken by
/// espeak-ng, mixed with the noise of a room and heard as from a microphone. It ends with a
/// summary, and fails if anything went wrong.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A PGN file whose first game is played instead.
    #[arg(long, value_name = "PGN")]
    game: Option<PathBuf>,
    /// The voice of espeak-ng that speaks for the player, such as de+f2.
    #[arg(long, default_value = "de+m3")]
    voice: String,
    /// Another number gives another order of mishaps, other thinking times, other noise.
    #[arg(long, default_value_t = 1858)]
    seed: u64,
    /// Play it in real time, for an audience.
    #[arg(long)]
    aloud: bool,
}

/// Runs the command.
#[cfg(feature = "recognizer")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    use crate::shell::demo::{Choices, play};

    play(&Choices {
        game: arguments.game,
        voice: arguments.voice,
        seed: arguments.seed,
        is_aloud: arguments.aloud,
    })
}

/// Runs the command.
#[cfg(not(feature = "recognizer"))]
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    use crate::shell::error::error;

    Err(error!(Missing, BuiltWithoutRecogniser))
}
