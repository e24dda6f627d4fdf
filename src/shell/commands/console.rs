//! `annexd console`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Attaches a second terminal for another person.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd console is not built yet.",
    ))
}
