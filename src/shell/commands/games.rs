//! `annexd games`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Lists the games that are kept.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd games is not built yet.",
    ))
}
