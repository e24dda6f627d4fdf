//! `annexd score`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Imports, exports, shows and takes dictated scores.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd score is not built yet.",
    ))
}
