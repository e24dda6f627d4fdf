//! `annexd play`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Plays a game with the microphone, voices, keyboard, boards and clocks that there are.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd play is not built yet.",
    ))
}
