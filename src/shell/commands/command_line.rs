//! The command line, whoever wrote it.

use std::ffi::OsString;
use std::sync::OnceLock;

/// What was chosen, as it would have been typed.
static CHOSEN: OnceLock<Vec<String>> = OnceLock::new();

/// The command line behind the name of the program: what was typed, and then what was chosen.
pub(crate) fn command_line() -> impl Iterator<Item = OsString> {
    #[cfg(windows)]
    let typed = wild::args_os();
    #[cfg(not(windows))]
    let typed = std::env::args_os();
    let chosen = CHOSEN.get().into_iter().flatten();
    typed.skip(1).chain(chosen.map(OsString::from))
}

/// Notes what was chosen. Only the first counts.
pub(super) fn choose(words: Vec<String>) {
    let _ = CHOSEN.set(words);
}
