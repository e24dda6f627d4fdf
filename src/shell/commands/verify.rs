//! `annexd verify`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Checks that the record of a game is unbroken.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd verify is not built yet.",
    ))
}
