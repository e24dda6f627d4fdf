//! `annexd resume`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Continues an interrupted game.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd resume is not built yet.",
    ))
}
