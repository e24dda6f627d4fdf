//! Assembles bytes into lines.

/// The greatest length of a line in bytes. No chess program or server writes a longer one, not even
/// with the longest variation.
const LINE_MAX: usize = 64 * 1024;

/// The line is so long that no end is to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endless;

/// Assembles bytes into lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    /// Returns the lines that end in these bytes. Bytes that are not UTF-8 become replacement
    /// characters.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<Vec<String>, Endless> {
        let mut ended = Vec::new();
        for byte in bytes {
            match byte {
                b'\n' | b'\r' => {
                    if !self.rest.is_empty() {
                        ended.push(String::from_utf8_lossy(&self.rest).into_owned());
                        self.rest.clear();
                    }
                }
                _ if self.rest.len() == LINE_MAX => return Err(Endless),
                other => self.rest.push(*other),
            }
        }
        Ok(ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_they_end_however_they_come() {
        let mut lines = Lines::default();
        assert_eq!(lines.take(b"uci").unwrap(), Vec::<String>::new());
        assert_eq!(lines.take(b"ok\r\n\nid na").unwrap(), ["uciok"]);
        assert_eq!(lines.take(b"me \xff\n").unwrap(), ["id name \u{fffd}"]);
        assert!(lines.take(&vec![b'x'; LINE_MAX]).is_ok());
        assert_eq!(lines.take(b"x"), Err(Endless));
    }
}
