//! `annexd clock`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Tries chess clocks.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd clock is not built yet.",
    ))
}
