//! `annexd check`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Says for each part whether it works, and what to do.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd check is not built yet.",
    ))
}
