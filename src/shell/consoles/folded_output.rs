//! What a command prints for a person: plain lines, as long as his Braille display has cells.

use std::io;
use std::process;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::text_outlet::fold;
use crate::shell::error::{Error, told};

/// The longest line, in letters; 0 for any. Set once, by the command line.
static WIDTH: AtomicUsize = AtomicUsize::new(0);

/// The exit status of a program whose output nobody reads any more, as shells know it.
const READER_GONE: i32 = 141;

/// What is said where the output cannot be written. A reader that has gone away, such as
/// `annexd show | head`, is no failure, and the program ends.
pub fn unwritten(error: io::Error) -> Error {
    // Windows has another number for it, which its library does not know as such.
    let is_unconnected = cfg!(windows) && error.raw_os_error() == Some(233);
    if error.kind() == io::ErrorKind::BrokenPipe || is_unconnected {
        process::exit(READER_GONE);
    }
    told!(Unwritable, OutputUnwritable, why = error)
}

/// Folds all lines to this many letters from now on; 0 folds none.
pub fn set_width(letters: usize) {
    WIDTH.store(letters, Ordering::Relaxed);
}

/// The longest line that was asked for; 0 for any.
pub fn width_asked() -> usize {
    WIDTH.load(Ordering::Relaxed)
}

/// The longest line; 0 for any. Where nothing is set a terminal breaks lines itself, inside words
/// too: so they are as long as it is wide.
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
        // Where nobody has told it, it says 0.
        Some(Ok(size)) => usize::from(size.ws_col),
        _ => 0,
    }
}

#[cfg(windows)]
fn columns() -> usize {
    crate::shell::machine::windows::columns().unwrap_or_default()
}

/// Prints lines for a person, without signs that would steer his terminal, as the consoles do.
/// What a program reads is printed as it is.
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

/// Every sign of control but the ends of lines as a space.
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
