//! The terminal: lines typed in, lines appended. It is a complete way to play.

use std::io::{BufRead as _, Read as _};
use std::sync::OnceLock;
use std::thread;

use crossbeam_channel::{Receiver, bounded};

use crate::shell::table::inbox::Reports;
use crate::shell::table::{Report, Seat};

/// Longer lines are cut: no announcement is as long.
const LINE_BYTES_MAX: u64 = 4096;

/// Reads typed lines on a thread of their own. The end of the input, and `quit`, leave the game.
pub fn read_lines(seat: Seat, reports: Reports) {
    thread::spawn(move || {
        for text in lines() {
            if is_leaving(&text) {
                break;
            }
            if reports.send(Report::Typed { seat, text }).is_err() {
                return;
            }
        }
        let _ = reports.send(Report::Leave);
    });
}

/// Whether who types this wants to leave.
pub fn is_leaving(line: &str) -> bool {
    matches!(line, "quit" | "ende")
}

/// The lines that are typed, for whoever asks next: the set-up, and then the game. They end with
/// the input.
pub fn lines() -> &'static Receiver<String> {
    static LINES: OnceLock<Receiver<String>> = OnceLock::new();
    LINES.get_or_init(|| {
        let (typed, lines) = bounded(0);
        thread::spawn(move || {
            let mut input = std::io::stdin().lock();
            loop {
                let mut line = Vec::new();
                match input
                    .by_ref()
                    .take(LINE_BYTES_MAX)
                    .read_until(b'\n', &mut line)
                {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                if typed.send(text).is_err() {
                    return;
                }
            }
        });
        lines
    })
}
