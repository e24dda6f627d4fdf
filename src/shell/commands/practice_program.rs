//! The program `annexd-practice`, which may do what rated play must not.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::shell::config::language;
use crate::shell::error::{Result, error};

const PROGRAM: &str = "annexd-practice";

/// Runs it with these arguments. Returns its exit status.
pub(super) fn start(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<ExitCode> {
    let mut command = Command::new(program());
    command
        .args(arguments)
        .env(language::VARIABLE, language::code().unwrap_or_default());
    become_it(command).map_err(|error| match error.kind() {
        ErrorKind::NotFound => error!(Missing, PracticeMissing),
        _ => error!(Missing, PracticeNotStarted, why = error),
    })
}

/// Replaces this program by it, so that what ends one ends the other.
#[cfg(unix)]
fn become_it(mut command: Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;

    Err(command.exec())
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> std::io::Result<ExitCode> {
    let code = command.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Its path: beside this program, or else on the search path.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().map(|own| own.with_file_name(&name));
    beside
        .ok()
        .filter(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from(name))
}

/// Whether it is installed.
pub(super) fn is_installed() -> bool {
    let program = program();
    let folders = std::env::var_os("PATH").unwrap_or_default();
    program.is_absolute()
        || std::env::split_paths(&folders).any(|folder| folder.join(&program).is_file())
}
