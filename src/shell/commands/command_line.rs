//! The command line, typed or chosen.

use std::ffi::OsString;
use std::sync::OnceLock;

/// The words that were chosen, as if they had been typed.
static CHOSEN: OnceLock<Vec<String>> = OnceLock::new();

/// The command line after the program's name: typed words, then chosen ones.
pub(crate) fn command_line() -> impl Iterator<Item = OsString> {
    #[cfg(windows)]
    let typed = wild::args_os();
    #[cfg(not(windows))]
    let typed = std::env::args_os();
    let chosen = CHOSEN.get().into_iter().flatten();
    typed.skip(1).chain(chosen.map(OsString::from))
}

/// Notes the words that were chosen. Only the first call counts.
pub(super) fn choose(words: Vec<String>) {
    let _ = CHOSEN.set(words);
}
