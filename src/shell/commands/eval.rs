//! `annexd eval`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Measures hearing on a set of recordings.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd eval is not built yet.",
    ))
}
