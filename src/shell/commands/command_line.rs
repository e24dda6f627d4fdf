//! The command line, typed or chosen.

use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

/// The words that were chosen last, as if they had been typed.
static CHOSEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The command line after the program's name: typed words, then chosen ones.
pub(crate) fn command_line() -> impl Iterator<Item = OsString> {
    #[cfg(windows)]
    let typed = wild::args_os();
    #[cfg(not(windows))]
    let typed = std::env::args_os();
    let chosen = CHOSEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    typed.skip(1).chain(chosen.into_iter().map(OsString::from))
}

/// Notes the words that were chosen.
pub(super) fn choose(words: Vec<String>) {
    *CHOSEN.lock().unwrap_or_else(PoisonError::into_inner) = words;
}

/// Whether words were chosen, so that what asked for them goes on afterwards.
pub(super) fn is_chosen() -> bool {
    let chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
    !chosen.is_empty()
}
