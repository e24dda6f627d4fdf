//! Starts annexd-practice, the program that may reach the network.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::shell::config::language;
use crate::shell::error::{Result, told};

const PROGRAM: &str = "annexd-practice";

/// Lets it do what these arguments say, and ends as it ends.
pub(super) fn start(arguments: &[&str]) -> Result<ExitCode> {
    let status = Command::new(program())
        .args(arguments)
        .env(language::VARIABLE, language::code().unwrap_or_default())
        .status()
        .map_err(|error| match error.kind() {
            ErrorKind::NotFound => told!(Missing, PracticeMissing),
            _ => told!(Missing, PracticeNotStarted, why = error),
        })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The one beside this program; else whichever the system finds.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().map(|own| own.with_file_name(&name));
    beside
        .ok()
        .filter(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from(name))
}
