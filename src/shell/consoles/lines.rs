//! Lines from outside, limited in length.

use std::io::{BufRead as _, Read as _};

use zeroize::Zeroize as _;

/// Longer lines are cut.
pub const LINE_BYTES_MAX: u64 = 4096;

/// A line without its end; `None` at the end of the stream, or if it cannot be read.
pub fn read_line(from: &mut impl std::io::BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = from.take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
    let is_line = read.is_ok_and(|bytes| bytes > 0);
    let text = is_line.then(|| String::from_utf8_lossy(&line).trim().to_owned());
    // It may have been a PIN.
    line.zeroize();
    text
}
