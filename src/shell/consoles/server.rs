//! Consoles of other persons: a second terminal attaches to the game over a local socket.

use std::io::{BufRead as _, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;
use serde::{Deserialize, Serialize};

use super::local_socket::{Listener, Stream, listen};
use super::text_outlet::{TextOutlet, channels_of};
use crate::game::{Effect, Game, Input};
use crate::moment::Moment;
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::config::folders;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, told};
use crate::shell::session::assemble::console_words;
use crate::shell::table::inbox::Reports;
use crate::shell::table::{Outlet, Report, Seat};

/// How many lines may wait for a console that does not read before it is given up.
const LINES_MAX: usize = 256;

/// How many consoles may be attached at once.
const CONSOLES_MAX: usize = 16;

/// Longer lines are cut.
pub const LINE_BYTES_MAX: u64 = 4096;

/// How long one has to wait after a wrong PIN, so that it cannot be tried out.
const WRONG_PIN_WAIT: Duration = Duration::from_secs(2);

/// What a console says first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Who sits there.
    pub person: Person,
    /// His PIN; empty for a player, who has none.
    pub pin: String,
    /// The language of what he reads and types; that of the game if he says none.
    pub language: Option<String>,
}

/// What is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Attached to this game.
    Welcome {
        /// Its name.
        game: String,
        /// The language of this console.
        language: String,
    },
    /// Not attached, for this reason.
    Refused(Fault),
}

/// The PINs of those whose role has power. The first that is used is the right one from then
/// on: they are at the table when play is prepared.
#[derive(Clone, Debug, Default)]
pub struct Pins(Arc<Mutex<Vec<(Person, String)>>>);

impl Pins {
    /// Sets a PIN beforehand.
    pub fn set(&self, person: Person, pin: &str) {
        lock(&self.0).push((person, pin.to_owned()));
    }

    /// Whether this person may come in with this PIN.
    pub fn admits(&self, person: Person, pin: &str) -> bool {
        if matches!(person, Person::Player(_)) {
            return true;
        }
        if pin.is_empty() {
            return false;
        }
        let mut pins = lock(&self.0);
        match pins.iter().find(|(of, _)| *of == person) {
            Some((_, right)) => right == pin,
            None => {
                pins.push((person, pin.to_owned()));
                true
            }
        }
    }
}

/// The languages of the consoles that have one of their own.
#[derive(Clone, Debug, Default)]
pub struct Tongues(Arc<Mutex<Vec<(Person, String)>>>);

impl Tongues {
    /// Notes the language of a person's console.
    fn set(&self, person: Person, language: &str) {
        let mut tongues = lock(&self.0);
        tongues.retain(|(of, _)| *of != person);
        tongues.push((person, language.to_owned()));
    }

    /// The language of a person's console, if it has one of its own.
    pub fn of(&self, person: Person) -> Option<String> {
        let tongues = lock(&self.0);
        let found = tongues.iter().find(|(of, _)| *of == person);
        found.map(|(_, language)| language.clone())
    }
}

/// All consoles that are attached, as one place where effects go.
#[derive(Clone, Default)]
pub struct Consoles(Arc<Mutex<Vec<Attached>>>);

/// A console that is attached, with the number of its connection.
struct Attached {
    number: u64,
    person: Person,
    outlet: TextOutlet,
}

impl Consoles {
    /// Takes a console away. Returns whether it was the last one of its person.
    fn take_away(&self, number: u64, person: Person) -> bool {
        let mut consoles = lock(&self.0);
        consoles.retain(|it| it.number != number);
        consoles.iter().all(|it| it.person != person)
    }
}

impl Outlet for Consoles {
    fn carry_out(&mut self, now: Moment, game: &Game, effect: &Effect) -> bool {
        for console in lock(&self.0).iter_mut() {
            console.outlet.carry_out(now, game, effect);
        }
        false
    }

    fn shows(&self, game: &Game, effect: &Effect) -> bool {
        let consoles = lock(&self.0);
        consoles.iter().any(|it| it.outlet.shows(game, effect))
    }

    fn seats(&self, person: Person) -> bool {
        lock(&self.0).iter().any(|it| it.person == person)
    }

    fn remark(&mut self, to: Option<Seat>, phrase: &Phrase) {
        let mut consoles = lock(&self.0);
        for console in consoles.iter_mut() {
            console.outlet.remark(to, phrase);
        }
        consoles.retain(|it| it.outlet.is_open());
    }
}

/// What a console needs besides the game.
pub struct ConsoleSetup {
    /// The name of the game.
    pub game: String,
    /// The language of consoles that ask for no other.
    pub language: String,
    /// Whether somebody has chosen it for what is read, whatever the table speaks.
    pub has_own_language: bool,
    /// The languages of those that do.
    pub tongues: Tongues,
    /// Who may come in.
    pub pins: Pins,
    /// Who sits at the terminal the game was started in: nobody else takes that seat.
    pub taken: Seat,
}

/// Lets consoles attach, each on threads of its own, as long as the program runs.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if the socket cannot be made.
pub fn open(setup: ConsoleSetup, reports: Reports) -> Result<Consoles> {
    let path = socket(&setup.game)?;
    let listener = listen(&path).map_err(|error| {
        told!(
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
    let attached = consoles.clone();
    thread::spawn(move || accept_all(&listener, &Arc::new(setup), &attached, &reports));
    Ok(consoles)
}

/// The socket of a game.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if its folder cannot be made.
pub fn socket(game: &str) -> Result<PathBuf> {
    Ok(folders::runtime_folder()?.join(format!("{game}.socket")))
}

/// The names of the games to which a console can attach.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if the folder of the sockets cannot be made.
pub fn open_games() -> Result<Vec<String>> {
    let folder = folders::runtime_folder()?;
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "socket"))
        .filter(|path| super::local_socket::connect(path).is_ok())
        .map(|path| stem(&path))
        .collect();
    names.sort();
    Ok(names)
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

fn accept_all(
    listener: &Listener,
    setup: &Arc<ConsoleSetup>,
    consoles: &Consoles,
    reports: &Reports,
) {
    for (number, stream) in (0..).zip(listener.incoming().flatten()) {
        if lock(&consoles.0).len() >= CONSOLES_MAX {
            continue;
        }
        let (setup, consoles) = (Arc::clone(setup), consoles.clone());
        let reports = reports.clone();
        thread::spawn(move || serve((number, stream), &setup, &consoles, &reports));
    }
}

/// One console from its first line to its last.
fn serve(
    (number, stream): (u64, Stream),
    setup: &ConsoleSetup,
    consoles: &Consoles,
    reports: &Reports,
) {
    let Ok(mut answers) = stream.try_clone() else {
        return;
    };
    let Ok(line) = stream.try_clone() else {
        return;
    };
    let mut lines = BufReader::new(stream);
    let Some(hello) = read_line(&mut lines) else {
        return;
    };
    let (person, language, has_own_language) = match admit(&hello, setup) {
        Ok(admitted) => admitted,
        Err(why) => {
            thread::sleep(WRONG_PIN_WAIT);
            let _ = write_json(&mut answers, &Answer::Refused(why));
            return;
        }
    };
    let code = language.lexicon().language().to_owned();
    let Ok(words) = console_words(&code) else {
        return;
    };
    let welcome = Answer::Welcome {
        game: setup.game.clone(),
        language: code.clone(),
    };
    setup.tongues.set(person, &code);
    if write_json(&mut answers, &welcome).is_err() {
        return;
    }
    let seat = Seat::Of(person);
    let outlet = TextOutlet::new(
        Box::new(Patient::write_to(answers, line)),
        seat,
        channels_of(person),
        language,
        words.labels,
        0,
    );
    lock(&consoles.0).push(Attached {
        number,
        person,
        outlet: outlet.with_clock().following_table(!has_own_language),
    });
    tell_console(person, true, reports);
    let remark = |key: PhraseKey| {
        let who = Argument::Phrase(Box::new(named(person)));
        Report::Note(Phrase::new(key, [who]))
    };
    let _ = reports.send(remark(PhraseKey::ConsoleAttached));
    while let Some(text) = read_line(&mut lines) {
        if reports.send(Report::Typed { seat, text }).is_err() {
            return;
        }
    }
    if consoles.take_away(number, person) {
        tell_console(person, false, reports);
    }
    let _ = reports.send(remark(PhraseKey::ConsoleGone));
}

/// A player who has a console of his own is spoken to there, and not at the table.
fn tell_console(person: Person, present: bool, reports: &Reports) {
    if let Person::Player(side) = person {
        let _ = reports.send(Report::Input(Input::Console { side, present }));
    }
}

/// Who comes in, and the language of his console.
fn admit(
    hello: &str,
    setup: &ConsoleSetup,
) -> std::result::Result<(Person, Language, bool), Fault> {
    let other = Fault::new(Part::Console, Reason::OtherVersion, Remedy::UseOther);
    let hello: Hello = serde_json::from_str(hello).map_err(|_| other)?;
    if setup.taken == Seat::Of(hello.person) {
        return Err(Fault::new(Part::Console, Reason::Taken, Remedy::SayWhich));
    }
    if !setup.pins.admits(hello.person, &hello.pin) {
        return Err(Fault::new(Part::Pin, Reason::Wrong, Remedy::Again));
    }
    let code = hello.language.as_ref().unwrap_or(&setup.language);
    let language = data::language(code).map_err(|error| error.fault(Part::Language))?;
    let has_own_language = hello.language.is_some() || setup.has_own_language;
    Ok((hello.person, language, has_own_language))
}

/// What a person is called.
pub fn named(person: Person) -> Phrase {
    match person {
        Person::Player(side) => Phrase::new(PhraseKey::WhoPlayer, [Argument::Side(side)]),
        Person::Assistant(side) => Phrase::new(PhraseKey::WhoAssistant, [Argument::Side(side)]),
        Person::Arbiter => PhraseKey::WhoArbiter.into(),
    }
}

/// A line without its end; nothing at the end of the stream.
pub fn read_line(from: &mut impl std::io::BufRead) -> Option<String> {
    let mut line = Vec::new();
    match from.take(LINE_BYTES_MAX).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(String::from_utf8_lossy(&line).trim().to_owned()),
    }
}

/// Writes a value as one line.
///
/// # Errors
///
/// Those of the stream.
pub fn write_json(to: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    let json = serde_json::to_string(value).map_err(std::io::Error::other)?;
    writeln!(to, "{json}")
}

/// A writer that never lets the table wait: a thread of its own writes, and a console that does
/// not read is given up.
struct Patient {
    lines: Sender<Vec<u8>>,
    /// To hang up on a console that is given up: then it counts as gone.
    line: Stream,
}

impl Patient {
    fn write_to(mut stream: Stream, line: Stream) -> Self {
        let (sender, lines) = crossbeam_channel::bounded::<Vec<u8>>(LINES_MAX);
        thread::spawn(move || {
            for line in lines {
                if stream.write_all(&line).is_err() {
                    return;
                }
            }
        });
        Self {
            lines: sender,
            line,
        }
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.lines.try_send(bytes.to_vec()) {
            Ok(()) => Ok(bytes.len()),
            Err(_) => {
                let _ = self.line.shutdown(std::net::Shutdown::Both);
                Err(std::io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A lock is never poisoned for good: no code under one can leave its data half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

    #[test]
    fn the_first_pin_counts_and_players_need_none() {
        let pins = Pins::default();
        assert!(!pins.admits(Person::Arbiter, ""));
        assert!(pins.admits(Person::Arbiter, "1234"));
        assert!(!pins.admits(Person::Arbiter, "4321"));
        assert!(pins.admits(Person::Arbiter, "1234"));
        assert!(pins.admits(Person::Assistant(Color::White), "77"));
        assert!(pins.admits(Person::Player(Color::Black), ""));
    }
}
