//! `annexd board`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Tries, replays and simulates electronic boards.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd board is not built yet.",
    ))
}
