//! `annexd model`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Lists, checks, chooses and fetches hearing models.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd model is not built yet.",
    ))
}
