//! The line between a simulated board and its driver.

use std::io;

#[cfg(unix)]
use std::io::{Read as _, Write as _};

#[cfg(unix)]
use serialport::TTYPort;

/// The largest piece carried at once. It fits the buffer of any pseudo-terminal.
#[cfg(unix)]
const CHUNK: usize = 256;

/// A line that carries bytes at once. The time this would take is simulated.
pub(crate) enum Wire {
    /// A pseudo-terminal; the board's end comes first.
    #[cfg(unix)]
    Terminal(Box<(TTYPort, TTYPort)>),
    /// A direct connection, where the system has no pseudo-terminals.
    Direct,
}

impl Wire {
    /// A pseudo-terminal if possible.
    pub(crate) fn open() -> Self {
        #[cfg(unix)]
        if let Ok(ends) = TTYPort::pair() {
            return Self::Terminal(Box::new(ends));
        }
        Self::Direct
    }

    /// Carries bytes from the board to the driver.
    pub(crate) fn carry_to_driver(&mut self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        match self {
            #[cfg(unix)]
            Self::Terminal(ends) => carry(&mut ends.0, &mut ends.1, &bytes),
            Self::Direct => Ok(bytes),
        }
    }

    /// Carries bytes from the driver to the board.
    pub(crate) fn carry_to_board(&mut self, bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        match self {
            #[cfg(unix)]
            Self::Terminal(ends) => carry(&mut ends.1, &mut ends.0, &bytes),
            Self::Direct => Ok(bytes),
        }
    }
}

#[cfg(unix)]
fn carry(from: &mut TTYPort, to: &mut TTYPort, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut arrived = vec![0; bytes.len()];
    for (sent, received) in bytes.chunks(CHUNK).zip(arrived.chunks_mut(CHUNK)) {
        from.write_all(sent)?;
        to.read_exact(received)?;
    }
    Ok(arrived)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_arrives_as_it_was_sent_in_both_directions() {
        let mut wire = Wire::open();
        let all: Vec<u8> = (0..=255).cycle().take(2000).collect();
        assert_eq!(wire.carry_to_driver(all.clone()).unwrap(), all);
        assert_eq!(wire.carry_to_board(all.clone()).unwrap(), all);
        assert!(wire.carry_to_board(Vec::new()).unwrap().is_empty());
    }
}
