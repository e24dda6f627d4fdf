//! Lets consoles in. A person who connects has little time to say who he is, shows his PIN, and
//! gets his own seat.
//!
//! Nobody can shut another out by connecting. Silent connections wait in a short queue, from which
//! the oldest is dropped when it is full, and each seat has its own consoles.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use zeroize::{Zeroize as _, Zeroizing};

use super::letterbox::Letterbox;
use super::local_socket::{Listener, Stream, listen};
use super::peer::source_of;
use super::server::{Answer, Attached, Consoles, Hello};
use super::server::{socket, write_json};
use super::text_outlet::{TextOutlet, channels_of};
use super::words::Labels;
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::consoles::languages::ConsoleLanguages;
use crate::shell::consoles::lines::read_line;
use crate::shell::consoles::named::named;
use crate::shell::consoles::words::console_words;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::seats::{Asks, Keeper, Way};
use crate::shell::table::inbox::Reports;
use crate::shell::table::{Report, Seat};

/// How long a connection has to say who it is.
const GREETING: Duration = Duration::from_secs(5);

/// How many connections may not have said yet who they are.
const GREETING_MAX: usize = 128;

/// How long a console may read nothing at all while lines wait for it.
const READS_NOTHING: Duration = Duration::from_secs(300);

/// How long a refusal may take to be written.
const REFUSING: Duration = Duration::from_millis(100);

/// How long to pause when the system has no more connections.
const NO_ROOM: Duration = Duration::from_millis(50);

/// What consoles need besides the game.
pub struct ConsoleSetup {
    /// The name of the game.
    pub game: String,
    /// The language of consoles that ask for no other.
    pub language: String,
    /// Whether it was chosen for reading, whatever the table speaks.
    pub has_own_language: bool,
    /// The languages of consoles that ask for another.
    pub console_languages: ConsoleLanguages,
    /// The keeper, who lets people to their seats.
    pub keeper: Keeper,
}

/// Lets consoles attach, each in its own threads, as long as the program runs.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if the socket cannot be created.
pub fn open(setup: ConsoleSetup, reports: Reports) -> Result<Consoles> {
    let path = socket(&setup.game)?;
    let (listener, key) = listen(&path).map_err(|error| {
        error!(
            Unwritable,
            ConsolesCannotAttach,
            path = path.display(),
            why = error
        )
        .about(
            Fault::new(Part::Console, Reason::Unusable, Remedy::GoesOn)
                .with(format!("{}: {error}", path.display())),
        )
    })?;
    let consoles = Consoles::default();
    let reception = Reception {
        setup,
        key,
        consoles: consoles.clone(),
        reports,
        greeting: Mutex::default(),
    };
    thread::spawn(move || accept_all(&listener, &Arc::new(reception)));
    Ok(consoles)
}

/// The place where consoles connect.
struct Reception {
    setup: ConsoleSetup,
    /// The key that a console has to send first, where the system lets other users connect.
    key: Option<String>,
    consoles: Consoles,
    reports: Reports,
    /// Connections that have not said yet who they are, oldest first.
    greeting: Mutex<VecDeque<(u64, Arc<Stream>)>>,
}

fn accept_all(listener: &Listener, reception: &Arc<Reception>) {
    for (number, stream) in (0..).zip(listener.incoming()) {
        let Ok(stream) = stream else {
            thread::sleep(NO_ROOM);
            continue;
        };
        let stream = Arc::new(stream);
        reception.comes(number, &stream);
        let inside = Arc::clone(reception);
        let started = thread::Builder::new().spawn(move || inside.serve(number, stream));
        if started.is_err() {
            reception.has_greeted(number);
        }
    }
}

impl Reception {
    /// Takes a new connection. If too many are still silent, the oldest of them is dropped.
    fn comes(&self, number: u64, stream: &Arc<Stream>) {
        let mut greeting = self.greeting();
        greeting.push_back((number, Arc::clone(stream)));
        let oldest = (greeting.len() > GREETING_MAX).then(|| greeting.pop_front());
        drop(greeting);
        if let Some((_, oldest)) = oldest.flatten() {
            refuse(&oldest, SAYS_NOTHING);
        }
    }

    fn has_greeted(&self, number: u64) {
        self.greeting().retain(|(of, _)| *of != number);
    }

    fn greeting(&self) -> MutexGuard<'_, VecDeque<(u64, Arc<Stream>)>> {
        self.greeting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves one console from its first line to its last.
    fn serve(&self, number: u64, stream: Arc<Stream>) {
        let mut lines = Wiped::new(Timed::new(Arc::clone(&stream), GREETING));
        let is_ours = |key: &String| read_line(&mut lines).as_ref() == Some(key);
        let is_let_in = self.key.as_ref().is_none_or(is_ours);
        let hello = is_let_in.then(|| read_line(&mut lines)).flatten();
        let hello = hello.map(Zeroizing::new);
        self.has_greeted(number);
        let Some(hello) = hello else {
            refuse(&stream, SAYS_NOTHING);
            return;
        };
        lines.from.until.set(None);
        let attached = self.admit(number, &stream, &hello).and_then(|admitted| {
            let person = admitted.person;
            self.attach(number, &stream, admitted).map(|()| person)
        });
        drop(hello);
        let person = match attached {
            Ok(person) => person,
            Err(why) => {
                refuse(&stream, why);
                return;
            }
        };
        self.remark(PhraseKey::ConsoleAttached, person);
        self.take_lines(person, &mut lines);
        self.consoles.take_away(number);
        self.setup.keeper.remove_place(person);
        self.remark(PhraseKey::ConsoleGone, person);
    }

    fn take_lines(&self, person: Person, lines: &mut impl BufRead) {
        let seat = Seat::Of(person);
        while let Some(text) = read_line(lines) {
            let is_taken = self.setup.keeper.may_type(seat, &text);
            if is_taken && self.reports.send(Report::Typed { seat, text }).is_err() {
                return;
            }
        }
    }

    /// Admits a person, or not. Returns him with the language of his console.
    fn admit(
        &self,
        number: u64,
        stream: &Arc<Stream>,
        hello: &str,
    ) -> std::result::Result<Admitted, Fault> {
        let other = Fault::new(Part::Console, Reason::OtherVersion, Remedy::UseOther);
        let hello: Hello = serde_json::from_str(hello).map_err(|_| other)?;
        let (setup, person) = (&self.setup, hello.person);
        let way = Way::Connection(source_of(stream, number));
        let mut waits = || answer(stream, &Answer::Waits);
        setup.keeper.admit(person, &hello.pin, &way, &mut waits)?;
        setup.keeper.may_attach(person)?;
        let code = hello.language.as_ref().unwrap_or(&setup.language);
        let of_language = |error: Error| error.fault(Part::Language);
        let language = data::language(code).map_err(of_language)?;
        let labels = console_words(code).map_err(of_language)?.labels;
        Ok(Admitted {
            person,
            language,
            labels,
            has_own_language: hello.language.is_some() || setup.has_own_language,
        })
    }

    fn attach(
        &self,
        number: u64,
        stream: &Arc<Stream>,
        admitted: Admitted,
    ) -> std::result::Result<(), Fault> {
        let Admitted {
            person,
            language,
            labels,
            has_own_language,
        } = admitted;
        let code = language.lexicon().language().to_owned();
        let welcome = Answer::Welcome {
            game: self.setup.game.clone(),
            language: code.clone(),
        };
        let new = || {
            let mut letters = self.letterbox(person, stream, &language, &labels);
            // A person who has gone meanwhile is noticed when his lines are read.
            let _ = write_json(&mut letters, &welcome).and_then(|()| letters.flush());
            let out = Box::new(letters.clone());
            let (seat, channels) = (Seat::Of(person), channels_of(person));
            let outlet = TextOutlet::new(out, seat, channels, language, labels, 0);
            Attached {
                number,
                person,
                outlet: outlet
                    .with_clock()
                    .with_guide()
                    .following_table(!has_own_language),
                letters,
                stream: Arc::clone(stream),
            }
        };
        let is_reserved = self.setup.keeper.asks(person) != Asks::Nothing;
        self.consoles.attach(person, is_reserved, new)?;
        self.setup.console_languages.set(person, &code);
        self.setup.keeper.add_place(person);
        Ok(())
    }

    /// The letterbox in which a console's lines wait.
    fn letterbox(
        &self,
        person: Person,
        stream: &Arc<Stream>,
        language: &Language,
        labels: &Labels,
    ) -> Letterbox {
        let _ = stream.set_write_timeout(Some(READS_NOTHING));
        let (language, label) = (language.clone(), labels.remark.clone());
        let left_out = move |lines| {
            let lines = Argument::Number(u32::try_from(lines).unwrap_or(u32::MAX));
            let phrase = Phrase::new(PhraseKey::LinesNotRead, [lines]);
            format!("{label}: {}", language.text(&phrase))
        };
        let (line, reports) = (Arc::clone(stream), self.reports.clone());
        let done = move |why: Option<io::Error>| {
            let is_slow =
                |why: io::Error| matches!(why.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock);
            if why.is_some_and(is_slow) {
                let _ = reports.send(about(PhraseKey::ConsoleReadsNothing, person));
            }
            let _ = line.shutdown(std::net::Shutdown::Both);
        };
        Letterbox::new(Writer(Arc::clone(stream)), left_out, done)
    }

    fn remark(&self, key: PhraseKey, person: Person) {
        let _ = self.reports.send(about(key, person));
    }
}

/// An admitted person, and how he reads.
struct Admitted {
    person: Person,
    language: Language,
    labels: Labels,
    has_own_language: bool,
}

/// Why a silent connection is dropped.
const SAYS_NOTHING: Fault = Fault::new(Part::Console, Reason::Silent, Remedy::Again);

/// What everybody is told about a person's console.
fn about(key: PhraseKey, person: Person) -> Report {
    let who = Argument::Phrase(Box::new(named(person)));
    Report::Note(Phrase::new(key, [who]))
}

/// Answers a person who is not admitted yet. Nobody waits long for him to read it.
fn answer(stream: &Arc<Stream>, answer: &Answer) {
    let _ = stream.set_write_timeout(Some(REFUSING));
    let _ = write_json(&mut Writer(Arc::clone(stream)), answer);
}

/// Tells why a person is not admitted, and closes the connection.
fn refuse(stream: &Arc<Stream>, why: Fault) {
    answer(stream, &Answer::Refused(why));
    let _ = stream.shutdown(std::net::Shutdown::Both);
}

/// The writing side of a connection.
struct Writer(Arc<Stream>);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (&*self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.0).flush()
    }
}

/// The reading side of a connection, with a time limit.
struct Timed {
    stream: Arc<Stream>,
    /// When the time is over; `None`: never.
    until: Cell<Option<Instant>>,
}

impl Timed {
    fn new(stream: Arc<Stream>, patience: Duration) -> Self {
        let until = Cell::new(Some(Instant::now() + patience));
        Self { stream, until }
    }
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let until = self.until.get();
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(left)?;
        (&*self.stream).read(buffer)
    }
}

/// Reads ahead, and wipes what was taken: it may have been a PIN.
struct Wiped<R> {
    from: R,
    buffer: Box<[u8; 4096]>,
    start: usize,
    end: usize,
}

impl<R: Read> Wiped<R> {
    fn new(from: R) -> Self {
        Self {
            from,
            buffer: Box::new([0; 4096]),
            start: 0,
            end: 0,
        }
    }
}

impl<R: Read> BufRead for Wiped<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
            self.end = self.from.read(&mut self.buffer[..])?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, bytes: usize) {
        let next = (self.start + bytes).min(self.end);
        self.buffer[self.start..next].zeroize();
        self.start = next;
    }
}

impl<R: Read> Read for Wiped<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_wiped_and_what_follows_is_not() {
        let mut lines = Wiped::new(&b"7305\nuhr\n"[..]);
        assert_eq!(read_line(&mut lines).as_deref(), Some("7305"));
        assert!(!lines.buffer.contains(&b'7'));
        assert_eq!(read_line(&mut lines).as_deref(), Some("uhr"));
        assert_eq!(read_line(&mut lines), None);
    }
}
