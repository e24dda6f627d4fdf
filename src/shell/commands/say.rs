//! `annexd say`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Says an announcement or a text, aloud or into a file.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd say is not built yet.",
    ))
}
