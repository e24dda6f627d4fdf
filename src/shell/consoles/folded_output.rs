//! Prints a command's output for people: plain lines, no longer than a Braille display.

use std::io;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::text_outlet::fold;
use crate::shell::error::{Error, error};

/// The longest line in characters; 0 for any length. Set once, by the command line.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// The exit status of a program whose output nobody reads any more, as in shells.
const READER_GONE: i32 = 141;

/// The error if the output cannot be written. A reader that has gone away, as in
/// `annexd show | head`, is no failure, and the program ends.
pub fn unwritten(error: io::Error) -> Error {
    // Windows has another error number for it, which the standard library does not recognise.
    let is_unconnected = cfg!(windows) && error.raw_os_error() == Some(233);
    if error.kind() == io::ErrorKind::BrokenPipe || is_unconnected {
        process::exit(READER_GONE);
    }
    error!(Unwritable, OutputUnwritable, why = error)
}

/// Folds all lines to this many characters from now on; 0 folds none.
pub fn set_width(letters: usize) {
    WIDTH.store(letters, Ordering::Relaxed);
}

/// The longest line asked for; 0 for any length.
pub fn width_asked() -> usize {
    WIDTH.load(Ordering::Relaxed)
}

/// The longest line; 0 for any length. By default it is as wide as the terminal, which would
/// otherwise break lines inside words.
pub fn width() -> usize {
    match width_asked() {
        0 => columns(),
        set => set,
    }
}

#[cfg(unix)]
fn columns() -> usize {
    use std::io::IsTerminal as _;

    let output = io::stdout();
    let size = output
        .is_terminal()
        .then(|| rustix::termios::tcgetwinsize(&output));
    match size {
        // A terminal whose size is unknown reports 0.
        Some(Ok(size)) => usize::from(size.ws_col),
        _ => 0,
    }
}

#[cfg(windows)]
fn columns() -> usize {
    crate::shell::machine::windows::columns().unwrap_or_default()
}

/// Prints lines for people, without control characters that would affect a terminal. Output for
/// programs is printed unchanged.
#[expect(clippy::print_stdout, reason = "this is what was asked for")]
pub fn print(text: &str) {
    let text = &without_controls(text);
    let width = width();
    if width == 0 || text.is_empty() {
        println!("{text}");
        return;
    }
    for line in text.lines() {
        for line in fold(line, width) {
            println!("{line}");
        }
    }
}

/// The text with every control character except line ends replaced by a space.
pub(crate) fn without_controls(text: &str) -> String {
    let is_kept = |sign: char| sign == '\n' || !sign.is_control();
    text.chars()
        .map(|sign| if is_kept(sign) { sign } else { ' ' })
        .collect()
}

/// Prints lines for a person, as `println!` does.
#[macro_export]
#[doc(hidden)]
macro_rules! show {
    () => { $crate::shell::consoles::folded_output::print("") };
    ($($text:tt)*) => { $crate::shell::consoles::folded_output::print(&format!($($text)*)) };
}
