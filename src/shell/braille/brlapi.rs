//! BrlAPI, by which programs reach the Braille display that BRLTTY drives: its packets, and one
//! connection over BRLTTY's local socket.
//!
//! We speak the protocol ourselves instead of loading its library. The library may wait for ever
//! for an answer, and uses the network if the socket is missing, which a rated game must not. The
//! protocol has had the same version since 2012 and is described in `brlapi_protocol.h`. We need
//! ten kinds of packets.
//!
//! All numbers have 32 bits, highest byte first. A packet is the length of its data, its kind, and
//! its data.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use super::view::{Cell, Pan};

const VERSION: u32 = 8;
/// How long BRLTTY may take to answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// No packet of BRLTTY is longer.
const PACKET_MAX: usize = 1 << 16;
/// No display is longer.
const CELLS_MAX: usize = 200;
/// The length of a packet's head.
const HEAD: usize = 8;

/// The message about a socket with another protocol.
const FOREIGN: &str = "not BrlAPI";

/// The kinds of packets.
mod kind {
    pub(super) const VERSION: u32 = b'v' as u32;
    pub(super) const AUTHORISATION: u32 = b'a' as u32;
    pub(super) const DRIVER: u32 = b'n' as u32;
    pub(super) const SIZE: u32 = b's' as u32;
    pub(super) const ENTER: u32 = b't' as u32;
    pub(super) const LEAVE: u32 = b'L' as u32;
    pub(super) const IGNORE: u32 = b'm' as u32;
    pub(super) const ACCEPT: u32 = b'u' as u32;
    pub(super) const WRITE: u32 = b'w' as u32;
    pub(super) const KEY: u32 = b'k' as u32;
    pub(super) const DONE: u32 = b'A' as u32;
    pub(super) const REFUSED: u32 = b'e' as u32;
}

/// The authorisation method that needs no key.
const FREELY: u32 = b'N' as u32;
const BY_KEY: u32 = b'K' as u32;

/// The fields of a write: the region, its text, two masks, the cursor and the charset.
const FIELDS: u32 = 0x02 | 0x04 | 0x08 | 0x10 | 0x20 | 0x40;
const CHARSET: &[u8] = b"UTF-8";

/// The flag of a key that stands for a BRLTTY command, not for a driver's own code.
const COMMAND: u32 = 0x2000_0000;
/// The commands that we take, by their first and last number. All others stay with BRLTTY: help,
/// its menu, the way to another console.
const TAKEN: [(u32, u32); 5] = [(1, 6), (9, 12), (21, 26), (29, 29), (31, 31)];

/// The commands that we take while the screen is shown: the way back. All others serve for reading
/// the screen.
const TAKEN_ON_SCREEN: [(u32, u32); 2] = [(29, 29), (31, 31)];

/// The step that a command stands for.
const fn pan_of(command: u32) -> Option<Pan> {
    Some(match command {
        1 | 3 | 5 => Pan::Up,
        2 | 4 | 6 => Pan::Down,
        9 | 11 => Pan::Top,
        10 | 12 | 29 | 31 => Pan::Bottom,
        21 | 23 | 25 => Pan::Left,
        22 | 24 | 26 => Pan::Right,
        _ => return None,
    })
}

/// What BRLTTY reports unasked, or has answered meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DisplayEvent {
    /// A key was pressed.
    Key(Pan),
    /// The display has this many cells; 0: there is no display.
    Cells(usize),
}

/// A connection to BRLTTY.
pub(super) struct Connection {
    stream: UnixStream,
    /// Bytes read that are no complete packet yet.
    read: Vec<u8>,
    told: VecDeque<DisplayEvent>,
    /// Whether BRLTTY has given us the console.
    is_entered: bool,
    /// Whether our lines are shown instead of the screen.
    is_shown: bool,
}

struct Packet {
    kind: u32,
    data: Vec<u8>,
}

impl Connection {
    /// Connects to the socket and authorises, if BRLTTY demands it with the key stored in a file.
    ///
    /// # Errors
    ///
    /// `PermissionDenied` if BRLTTY refuses us; `Other` if it speaks another version or another
    /// protocol; otherwise why the socket does not answer.
    pub(super) fn open(socket: &Path, key_file: &Path) -> io::Result<Self> {
        let mut connection = Self {
            stream: UnixStream::connect(socket)?,
            read: Vec::new(),
            told: VecDeque::new(),
            is_entered: false,
            is_shown: false,
        };
        connection.stream.set_write_timeout(Some(ANSWERS_WITHIN))?;
        let version = connection.answer(kind::VERSION)?;
        match numbers(&version).first() {
            Some(&VERSION) => {}
            Some(other) => return Err(io::Error::other(format!("BrlAPI {other}"))),
            None => return Err(io::Error::other(FOREIGN)),
        }
        connection.send(kind::VERSION, &VERSION.to_be_bytes())?;
        let ways = connection.answer(kind::AUTHORISATION)?;
        let ways = numbers(&ways);
        if ways.contains(&FREELY) {
            return Ok(connection);
        }
        let no_key = |_| io::Error::from(ErrorKind::PermissionDenied);
        let key = std::fs::read(key_file).map_err(no_key)?;
        let data = [&BY_KEY.to_be_bytes()[..], &key].concat();
        connection.send(kind::AUTHORISATION, &data)?;
        connection.done().map_err(|error| match error.kind() {
            ErrorKind::Other => ErrorKind::PermissionDenied.into(),
            _ => error,
        })?;
        Ok(connection)
    }

    /// The name of the display's driver.
    pub(super) fn driver(&mut self) -> io::Result<String> {
        self.send(kind::DRIVER, &[])?;
        let name = self.answer(kind::DRIVER)?;
        let name = String::from_utf8_lossy(&name);
        Ok(name.trim_matches(|it: char| it.is_control()).to_owned())
    }

    /// The number of the display's cells; 0: there is no display.
    pub(super) fn cells(&mut self) -> io::Result<usize> {
        self.ask_cells()?;
        self.answer(kind::SIZE).map(|size| cells_of(&size))
    }

    /// Asks for the number of cells. [`Self::poll`] brings the answer.
    pub(super) fn ask_cells(&mut self) -> io::Result<()> {
        self.send(kind::SIZE, &[])
    }

    /// Shows a line in place of the screen on the console with this path.
    pub(super) fn show(&mut self, line: &[Cell], width: usize, path: &[u32]) -> io::Result<()> {
        if !self.is_entered {
            self.send(kind::ENTER, &console(path))?;
            self.done()?;
            self.is_entered = true;
        }
        if !self.is_shown {
            self.take_keys(&TAKEN)?;
            self.is_shown = true;
        }
        self.send(kind::WRITE, &written(line, width))
    }

    /// Shows the screen again. Leaving the console completely would give us no key that leads back.
    pub(super) fn show_screen(&mut self) -> io::Result<()> {
        if !self.is_shown {
            return Ok(());
        }
        self.take_keys(&TAKEN_ON_SCREEN)?;
        self.is_shown = false;
        self.send(kind::WRITE, &bytes(&[0]))
    }

    fn take_keys(&mut self, taken: &[(u32, u32)]) -> io::Result<()> {
        self.send(kind::IGNORE, &ranges(&[(0, u32::MAX)]))?;
        self.done()?;
        let taken = taken.iter();
        let taken: Vec<_> = taken.map(|(a, b)| (COMMAND | a, COMMAND | b)).collect();
        self.send(kind::ACCEPT, &ranges(&taken))?;
        self.done()
    }

    /// The next report, waiting at most this long.
    pub(super) fn poll(&mut self, wait: Duration) -> io::Result<Option<DisplayEvent>> {
        if self.told.is_empty()
            && let Some(packet) = self.packet(Instant::now() + wait)?
        {
            self.take(&packet);
        }
        Ok(self.told.pop_front())
    }

    fn take(&mut self, packet: &Packet) {
        match (packet.kind, numbers(&packet.data).as_slice()) {
            (kind::KEY, [_, code]) => {
                let command = code.checked_sub(COMMAND);
                let step = command.and_then(pan_of);
                self.told.extend(step.map(DisplayEvent::Key));
            }
            (kind::SIZE, _) => self
                .told
                .push_back(DisplayEvent::Cells(cells_of(&packet.data))),
            _ => {}
        }
    }

    fn done(&mut self) -> io::Result<()> {
        self.answer(kind::DONE).map(|_| ())
    }

    /// Waits for a packet of this kind. Earlier packets are kept.
    fn answer(&mut self, kind: u32) -> io::Result<Vec<u8>> {
        let until = Instant::now() + ANSWERS_WITHIN;
        loop {
            let Some(packet) = self.packet(until)? else {
                return Err(ErrorKind::TimedOut.into());
            };
            match packet.kind {
                it if it == kind => return Ok(packet.data),
                kind::REFUSED => {
                    let codes = format!("BrlAPI error {:?}", numbers(&packet.data).first());
                    return Err(io::Error::other(codes));
                }
                _ => self.take(&packet),
            }
        }
    }

    fn send(&mut self, kind: u32, data: &[u8]) -> io::Result<()> {
        let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
        let head = [length.to_be_bytes(), kind.to_be_bytes()].concat();
        self.stream.write_all(&[&head, data].concat())
    }

    /// The next packet, if one comes until then.
    fn packet(&mut self, until: Instant) -> io::Result<Option<Packet>> {
        loop {
            if let Some(packet) = self.whole_packet()? {
                return Ok(Some(packet));
            }
            let wait = until.saturating_duration_since(Instant::now());
            if wait.is_zero() {
                return Ok(None);
            }
            self.stream.set_read_timeout(Some(wait))?;
            let mut bytes = [0; 4096];
            match self.stream.read(&mut bytes) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(count) => self.read.extend(bytes.iter().take(count)),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => return Err(error),
                },
            }
        }
    }

    fn whole_packet(&mut self) -> io::Result<Option<Packet>> {
        let head = self.read.get(..HEAD).map(numbers);
        let Some([length, kind]) = head.as_deref() else {
            return Ok(None);
        };
        let (length, kind) = (*length as usize, *kind);
        if length > PACKET_MAX {
            return Err(io::Error::other(FOREIGN));
        }
        if self.read.len() < HEAD + length {
            return Ok(None);
        }
        let data = self.read.drain(..HEAD + length).skip(HEAD).collect();
        Ok(Some(Packet { kind, data }))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // BRLTTY shows the screen again when the socket is closed; leaving first is only polite.
        if self.is_entered {
            let _ = self.send(kind::LEAVE, &[]);
        }
    }
}

fn numbers(data: &[u8]) -> Vec<u32> {
    let (numbers, _) = data.as_chunks::<4>();
    numbers.iter().copied().map(u32::from_be_bytes).collect()
}

fn bytes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|it| it.to_be_bytes()).collect()
}

/// The number of cells in a row, from the size. Of several rows the first is used.
fn cells_of(size: &[u8]) -> usize {
    match numbers(size).as_slice() {
        [width, rows] if *rows > 0 => CELLS_MAX.min(*width as usize),
        _ => 0,
    }
}

/// The path of a console, and the wish to get keys as commands, not by a driver's name.
fn console(path: &[u32]) -> Vec<u8> {
    let length = u32::try_from(path.len()).unwrap_or_default();
    let mut data = bytes(&[&[length], path].concat());
    data.push(0);
    data
}

/// Ranges of keys, with any flags.
fn ranges(codes: &[(u32, u32)]) -> Vec<u8> {
    let each = codes
        .iter()
        .flat_map(|(first, last)| [0, *first, u32::MAX, *last]);
    bytes(&each.collect::<Vec<_>>())
}

/// A line over the whole width. For cells given as dots the masks take the character away.
fn written(line: &[Cell], width: usize) -> Vec<u8> {
    let blanks = std::iter::repeat(Cell::Letter(' '));
    let cells: Vec<Cell> = line.iter().copied().chain(blanks).take(width).collect();
    let letter = |cell: &Cell| match cell {
        Cell::Letter(letter) => *letter,
        Cell::Dots(_) => ' ',
    };
    let text: String = cells.iter().map(letter).collect();
    let masks = |cell: &Cell| match cell {
        Cell::Letter(_) => (u8::MAX, 0),
        Cell::Dots(dots) => (0, *dots),
    };
    let (kept, added): (Vec<u8>, Vec<u8>) = cells.iter().map(masks).unzip();
    let count = |length: usize| u32::try_from(length).unwrap_or_default();
    let mut data = bytes(&[FIELDS, 1, count(width), count(text.len())]);
    data.extend(text.as_bytes());
    data.extend(kept);
    data.extend(added);
    // No cursor.
    data.extend(bytes(&[0]));
    data.push(CHARSET.len() as u8);
    data.extend(CHARSET);
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::braille::view::letters;

    #[test]
    fn a_write_names_its_region_text_masks_and_charset() {
        let line = [Cell::Letter('ä'), Cell::Dots(0b100_0101)];
        let data = written(&line, 3);
        let (head, rest) = data.split_at(16);
        assert_eq!(numbers(head), [0x7e, 1, 3, 4]);
        let expected = [
            "ä  ".as_bytes(),
            &[0xff, 0, 0xff],
            &[0, 0b100_0101, 0],
            &[0; 4],
            b"\x05UTF-8",
        ];
        assert_eq!(rest, expected.concat());
        // What is longer than the display is cut, and nothing is written beyond it.
        let long = written(&letters("abcdef"), 3);
        assert_eq!(numbers(&long[..16]), [0x7e, 1, 3, 3]);
        assert_eq!(&long[16..19], b"abc");
    }

    #[test]
    fn every_key_that_is_taken_leads_somewhere() {
        for (first, last) in TAKEN {
            assert!((first..=last).all(|it| pan_of(it).is_some()), "{first}");
        }
        assert_eq!(pan_of(0), None);
        assert_eq!(pan_of(30), None);
    }

    #[test]
    fn what_is_no_protocol_of_ours_is_an_error_and_no_more() {
        for (sent, kind) in [
            (&b"\0\0\0\x04\0\0\0v\0\0\0\x07"[..], ErrorKind::Other),
            (b"HTTP/1.1 400 Bad Request\r\n", ErrorKind::Other),
            (b"\0\0\0\x00\0\0\0v", ErrorKind::Other),
            (b"\0\0", ErrorKind::UnexpectedEof),
            (b"", ErrorKind::UnexpectedEof),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("0");
            let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
            let server = std::thread::spawn(move || {
                let (mut stream, _) = listener.accept().unwrap();
                stream.write_all(sent).unwrap();
            });
            let opened = Connection::open(&path, Path::new("/none"));
            assert_eq!(opened.err().map(|it| it.kind()), Some(kind), "{sent:?}");
            server.join().unwrap();
        }
    }
}
