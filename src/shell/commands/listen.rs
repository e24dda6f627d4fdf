//! `annexd listen`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Hears announcements in sound files or in the microphone.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd listen is not built yet.",
    ))
}
