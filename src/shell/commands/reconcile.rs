//! `annexd reconcile`.

use std::process::ExitCode;

use crate::shell::error::{Error, ErrorKind, Result};

/// Settles differing scores and positions (D.2.9).
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd reconcile is not built yet.",
    ))
}
