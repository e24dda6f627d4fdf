//! `annexd demo`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Plays a whole game with no hardware.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd demo is not built yet.",
    ))
}
