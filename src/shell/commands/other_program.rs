//! The other programs of annexd: `annexd-practice` may do what rated play must not, and
//! `annexd-demo` shows a game.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::shell::config::language;
use crate::shell::error::{Error, Result, error};

/// The program for practice.
pub(super) const PRACTICE: &str = "annexd-practice";
/// The demonstration.
pub(super) const DEMONSTRATION: &str = "annexd-demo";

/// Becomes a program with these arguments. Returns its exit status where one program cannot become
/// another.
pub(super) fn start(
    program: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<ExitCode> {
    become_it(command(program, arguments)).map_err(|why| not_started(program, &why))
}

/// Starts a program with these arguments and waits for its end. Returns its exit status.
pub(super) fn start_and_wait(
    program: &str,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> Result<ExitCode> {
    wait_for(command(program, arguments)).map_err(|why| not_started(program, &why))
}

/// Whether a program is installed.
pub(super) fn is_installed(program: &str) -> bool {
    let program = path(program);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    program.is_absolute()
        || std::env::split_paths(&folders).any(|folder| folder.join(&program).is_file())
}

fn command(program: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(path(program));
    command
        .args(arguments)
        .env(language::VARIABLE, language::code().unwrap_or_default());
    command
}

fn not_started(program: &str, why: &std::io::Error) -> Error {
    match why.kind() {
        ErrorKind::NotFound if program == PRACTICE => error!(Missing, PracticeMissing),
        ErrorKind::NotFound => error!(Missing, ProgramMissing, program = program),
        _ => error!(Missing, ProgramNotStarted, program = program, why = why),
    }
}

/// Replaces this program by it, so that what ends one ends the other.
#[cfg(unix)]
fn become_it(mut command: Command) -> std::io::Result<ExitCode> {
    use std::os::unix::process::CommandExt as _;

    Err(command.exec())
}

#[cfg(not(unix))]
fn become_it(command: Command) -> std::io::Result<ExitCode> {
    wait_for(command)
}

fn wait_for(mut command: Command) -> std::io::Result<ExitCode> {
    let code = command.status()?.code();
    let code = code.and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// The path of a program: beside this one, or else on the search path.
fn path(program: &str) -> PathBuf {
    let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().map(|own| own.with_file_name(&name));
    beside
        .ok()
        .filter(|path| path.is_file())
        .unwrap_or_else(|| PathBuf::from(name))
}
