//! `annexd law`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Explains an article of the Laws in our own words.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd law is not built yet.",
    ))
}
