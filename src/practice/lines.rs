//! Puts bytes together to lines.

/// No line of a chess program or a server is longer, not even one with the longest line of play.
const LINE_MAX: usize = 64 * 1024;

/// The line got so long that no end is to be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Endless;

/// Puts bytes together to lines.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    /// The lines that end in these bytes. What is no UTF-8 stands as the sign for that.
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
