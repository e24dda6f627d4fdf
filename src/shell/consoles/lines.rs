//! Lines from outside, limited in length.

use std::io::{BufRead as _, Read as _};

use zeroize::Zeroize as _;

/// Longer lines are cut.
pub const LINE_BYTES_MAX: u64 = 4096;

/// A line without its end; `None` at the end of the stream, or if it cannot be read. What is cut
/// off is no line of its own that somebody would obey.
pub fn read_line(from: &mut impl std::io::BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read = from.take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
    let is_cut = line.len() as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n");
    let is_line = read.is_ok_and(|bytes| bytes > 0) && (!is_cut || from.skip_until(b'\n').is_ok());
    let text = is_line.then(|| String::from_utf8_lossy(&line).trim().to_owned());
    // It may have been a PIN.
    line.zeroize();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_a_long_line_is_no_line() {
        let long = "x ".repeat(2048) + "resign\nyes\n";
        let mut from = long.as_bytes();
        assert_eq!(read_line(&mut from).map(|line| line.len()), Some(4095));
        assert_eq!(read_line(&mut from).as_deref(), Some("yes"));
        assert_eq!(read_line(&mut from), None);
    }
}
