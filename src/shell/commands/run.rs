//! `annexd run`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Plays scenario files through the game and checks what they expect.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd run is not built yet.",
    ))
}
