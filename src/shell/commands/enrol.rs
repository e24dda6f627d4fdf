//! `annexd enrol`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Learns a voice from a few read sentences.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd enrol is not built yet.",
    ))
}
