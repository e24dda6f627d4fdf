//! `annexd demo`: starts annexd-demo, the program that plays the demonstration.

use std::path::PathBuf;
use std::process::ExitCode;

use super::command_line::{command_line, is_chosen};
use super::other_program::{DEMONSTRATION, start, start_and_wait};
use crate::shell::error::Result;

/// Plays a whole game by voice with no hardware: the blind player's words are spoken by
/// espeak-ng, mixed with the noise of a room and heard as from a microphone. It ends with a
/// summary, and fails if anything went wrong.
#[derive(clap::Args)]
pub struct Arguments {
    /// A PGN file whose first game is played instead.
    #[arg(long, value_name = "PGN")]
    pub game: Option<PathBuf>,
    /// The voice of espeak-ng that speaks for the player, such as de+f2.
    #[arg(long, default_value = "de+m3")]
    pub voice: String,
    /// Another number gives another order of mishaps, other thinking times, other noise.
    #[arg(long, default_value_t = 1858)]
    pub seed: u64,
    /// Play it in real time, for an audience.
    #[arg(long)]
    pub aloud: bool,
}

/// Starts it with the same command line.
pub(crate) fn run() -> Result<ExitCode> {
    match is_chosen() {
        true => start_and_wait(DEMONSTRATION, command_line()),
        false => start(DEMONSTRATION, command_line()),
    }
}
