//! A BRLTTY of our own: it listens on a socket, lets a program in, and tells what a reader would
//! feel. Its display has keys and can be unplugged.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Longer than anything takes that still comes.
const PATIENCE: Duration = Duration::from_secs(60);

/// Keys, as BRLTTY numbers them.
pub(crate) const LINE_UP: u32 = 1;
pub(crate) const LINE_DOWN: u32 = 2;
pub(crate) const TOP: u32 = 9;
pub(crate) const RIGHT: u32 = 24;
pub(crate) const HOME: u32 = 29;

/// What a reader feels.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Felt {
    /// A program shows a line in place of the screen.
    Line(String),
    /// The screen.
    Screen,
}

/// How a program is let in.
#[derive(Clone)]
pub(crate) enum Door {
    Open,
    /// With this key.
    Key(Vec<u8>),
}

pub(crate) struct Brltty {
    path: PathBuf,
    felt: Receiver<Felt>,
    inside: Arc<Inside>,
}

struct Inside {
    cells: Mutex<u32>,
    door: Door,
    /// The connection that is there.
    stream: Mutex<Option<UnixStream>>,
    /// The keys that the program wants, from one to another; all others are BRLTTY's.
    wanted: Mutex<Vec<(u32, u32)>>,
    feels: Mutex<Sender<Felt>>,
}

impl Brltty {
    /// Starts it on this socket, with a display of so many cells.
    pub(crate) fn start(path: &Path, cells: u32, door: Door) -> Self {
        let (feels, felt) = channel();
        let inside = Arc::new(Inside {
            cells: Mutex::new(cells),
            door,
            stream: Mutex::default(),
            wanted: Mutex::default(),
            feels: Mutex::new(feels),
        });
        let listener = UnixListener::bind(path).unwrap();
        let server = Arc::clone(&inside);
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                server.serve(stream);
            }
        });
        Self {
            path: path.to_path_buf(),
            felt,
            inside,
        }
    }

    /// Goes on until this is felt; what was felt before it is given.
    #[track_caller]
    pub(crate) fn feel(&self, felt: &Felt) -> Vec<Felt> {
        let mut before = Vec::new();
        loop {
            match self.felt.recv_timeout(PATIENCE) {
                Ok(it) if it == *felt => return before,
                Ok(other) => before.push(other),
                Err(_) => panic!("{felt:?} was not felt, but {before:#?}"),
            }
        }
    }

    /// The same, for a line.
    #[track_caller]
    pub(crate) fn reads(&self, line: &str) -> Vec<Felt> {
        self.feel(&Felt::Line(line.to_owned()))
    }

    /// Goes on until a line with this in it is felt; what was felt before it is given.
    #[track_caller]
    pub(crate) fn felt_with(&self, part: &str) -> Vec<Felt> {
        let mut before = Vec::new();
        loop {
            match self.felt.recv_timeout(PATIENCE) {
                Ok(Felt::Line(line)) if line.contains(part) => return before,
                Ok(other) => before.push(other),
                Err(_) => panic!("no line with {part:?} was felt, but {before:#?}"),
            }
        }
    }

    /// Presses a key, and says what is felt next.
    #[track_caller]
    pub(crate) fn press(&self, key: u32) -> Felt {
        assert!(self.is_wanted(key), "{key} is BRLTTY's own");
        let code = [0, 0, 0, 8, 0, 0, 0, b'k', 0, 0, 0, 0];
        let key = (0x2000_0000 | key).to_be_bytes();
        let mut stream = self.inside.stream.lock().unwrap();
        let stream = stream.as_mut().expect("a program is connected");
        stream.write_all(&[&code[..], &key].concat()).unwrap();
        self.felt.recv_timeout(PATIENCE).unwrap()
    }

    /// Whether the program gets this key.
    pub(crate) fn is_wanted(&self, key: u32) -> bool {
        let wanted = self.inside.wanted.lock().unwrap();
        wanted
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&(0x2000_0000 | key)))
    }

    /// The display has so many cells from now on; none: it is unplugged.
    pub(crate) fn set_cells(&self, cells: u32) {
        *self.inside.cells.lock().unwrap() = cells;
    }

    /// BRLTTY ends.
    pub(crate) fn end(self) {
        std::fs::remove_file(&self.path).unwrap();
        let stream = self.inside.stream.lock().unwrap().take();
        if let Some(stream) = stream {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

impl Inside {
    /// Until the program is gone; then the screen is felt again.
    fn serve(&self, stream: UnixStream) {
        let mut is_shown = false;
        // What was asked by a program that is gone is answered by nobody.
        let _ = self.talk(stream, &mut is_shown);
        self.wanted.lock().unwrap().clear();
        if is_shown {
            self.tell(Felt::Screen);
        }
    }

    fn talk(&self, mut stream: UnixStream, is_shown: &mut bool) -> std::io::Result<()> {
        send(&mut stream, b'v', &numbers(&[8]))?;
        let (_, version) = receive(&mut stream)?;
        assert_eq!(version, numbers(&[8]));
        match &self.door {
            Door::Open => send(&mut stream, b'a', &numbers(&[u32::from(b'N')]))?,
            Door::Key(key) => {
                let ways = [u32::from(b'C'), u32::from(b'K')];
                send(&mut stream, b'a', &numbers(&ways))?;
                let (_, given) = receive(&mut stream)?;
                let expected = [&numbers(&[u32::from(b'K')])[..], key].concat();
                if given != expected {
                    return send(&mut stream, b'e', &numbers(&[11, u32::from(b'a')]));
                }
                send(&mut stream, b'A', &[])?;
            }
        }
        *self.stream.lock().unwrap() = Some(stream.try_clone()?);
        loop {
            let (kind, data) = receive(&mut stream)?;
            match kind {
                b'n' => send(&mut stream, b'n', b"Fake\0")?,
                b's' => {
                    let cells = *self.cells.lock().unwrap();
                    let rows = u32::from(cells > 0);
                    send(&mut stream, b's', &numbers(&[cells, rows]))?;
                }
                b't' => {
                    *is_shown = true;
                    send(&mut stream, b'A', &[])?;
                }
                b'm' => {
                    assert_eq!(data, numbers(&[0, 0, u32::MAX, u32::MAX]));
                    self.wanted.lock().unwrap().clear();
                    send(&mut stream, b'A', &[])?;
                }
                b'u' => {
                    self.wanted.lock().unwrap().extend(ranges(&data));
                    send(&mut stream, b'A', &[])?;
                }
                b'w' if data == [0; 4] => self.tell(Felt::Screen),
                b'L' => {
                    *is_shown = false;
                    self.tell(Felt::Screen);
                    send(&mut stream, b'A', &[])?;
                }
                b'w' => {
                    assert!(*is_shown, "it writes where it has not asked for room");
                    self.tell(Felt::Line(line(&data, *self.cells.lock().unwrap())));
                }
                other => panic!("what is {:?}?", char::from(other)),
            }
        }
    }

    fn tell(&self, felt: Felt) {
        let _ = self.feels.lock().unwrap().send(felt);
    }
}

/// The line of a write: its text, with the dots that the masks put in place of letters.
fn line(data: &[u8], cells: u32) -> String {
    let number = |at: usize| u32::from_be_bytes(data[at..at + 4].try_into().unwrap());
    assert_eq!(number(0), 0x7e, "which fields there are");
    assert_eq!(number(4), 1, "where it begins");
    let (width, length) = (number(8) as usize, number(12) as usize);
    assert!(
        width <= cells as usize || cells == 0,
        "it writes beyond the display"
    );
    let (text, rest) = data[16..].split_at(length);
    let text: Vec<char> = std::str::from_utf8(text).unwrap().chars().collect();
    assert_eq!(text.len(), width, "a letter for each cell");
    let (kept, rest) = rest.split_at(width);
    let (added, rest) = rest.split_at(width);
    assert_eq!(rest, b"\0\0\0\0\x05UTF-8");
    let masks = kept.iter().zip(added);
    let cell = |(letter, (kept, added)): (&char, (&u8, &u8))| match (kept, added) {
        (0xff, 0) => *letter,
        (0, dots) => char::from_u32(0x2800 + u32::from(*dots)).unwrap(),
        other => panic!("{other:?} is half a letter"),
    };
    let line: String = text.iter().zip(masks).map(cell).collect();
    line.trim_end().to_owned()
}

/// Keys from one to another, with any flags.
fn ranges(data: &[u8]) -> Vec<(u32, u32)> {
    let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
    let range = |data: &[u8]| match data.chunks(4).map(number).collect::<Vec<_>>()[..] {
        [0, first, u32::MAX, last] => (first, last),
        ref other => panic!("{other:?} is no range"),
    };
    data.chunks(16).map(range).collect()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|it| it.to_be_bytes()).collect()
}

fn send(stream: &mut UnixStream, kind: u8, data: &[u8]) -> std::io::Result<()> {
    let head = numbers(&[u32::try_from(data.len()).unwrap(), u32::from(kind)]);
    stream.write_all(&[&head, data].concat())
}

fn receive(stream: &mut UnixStream) -> std::io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 8];
    stream.read_exact(&mut head)?;
    let [a, b, c, d, 0, 0, 0, kind] = head else {
        panic!("no packet begins with {head:?}");
    };
    let mut data = vec![0; u32::from_be_bytes([a, b, c, d]) as usize];
    stream.read_exact(&mut data)?;
    Ok((kind, data))
}
