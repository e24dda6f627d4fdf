//! Other people's consoles: a second terminal attaches to the game over a local socket. Here are
//! the protocol between both ends and the outlet; `reception` lets consoles in.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::letterbox::Letterbox;
use super::local_socket::Stream;
use super::text_outlet::TextOutlet;
use crate::game::{Effect, Game};
use crate::moment::Moment;
use crate::persons::Person;
use crate::phrases::{Phrase, PhraseKey};
use crate::shell::config::folders;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result};
use crate::shell::seats::Pin;
use crate::shell::table::{Outlet, Seat};

/// How many consoles of one seat may be attached at once. Beyond that the oldest is dropped,
/// because the holder of the PIN may have lost it behind a hanging terminal.
const CONSOLES_A_SEAT: usize = 3;

/// The first message of a console.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The person who sits there.
    pub person: Person,
    /// The PIN of the seat; empty if he was not asked for one yet.
    pub pin: Pin,
    /// The language in which he reads and types; by default the game's.
    pub language: Option<String>,
}

/// The answer to a console.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Attached to this game.
    Welcome {
        /// The game's name.
        game: String,
        /// The language of this console.
        language: String,
    },
    /// Not attached yet: others are showing PINs for this seat too, and only a few are checked at a
    /// time.
    Waits,
    /// Not attached, for this reason.
    Refused(Fault),
    /// The last line of an attached console: why there are no more.
    Closed(Phrase),
}

/// All attached consoles, as one outlet.
#[derive(Clone, Default)]
pub struct Consoles(Arc<Mutex<Vec<Attached>>>);

/// A console that is attached, with the number of its connection.
pub(super) struct Attached {
    /// The number of its connection.
    pub(super) number: u64,
    /// The person who sits there.
    pub(super) person: Person,
    /// The outlet for what he may read.
    pub(super) outlet: TextOutlet,
    /// The letterbox in which it waits.
    pub(super) letters: Letterbox,
    /// The connection.
    pub(super) stream: Arc<Stream>,
}

impl Consoles {
    /// Attaches a person's console. A seat without a PIN has one console. Any other may have
    /// several, of which the oldest is dropped if there are too many.
    ///
    /// # Errors
    ///
    /// If somebody else sits there.
    pub(super) fn attach(
        &self,
        person: Person,
        is_reserved: bool,
        new: impl FnOnce() -> Attached,
    ) -> std::result::Result<(), Fault> {
        let mut consoles = lock(&self.0);
        let count = consoles.iter().filter(|it| it.person == person).count();
        if count > 0 && !is_reserved {
            return Err(Fault::new(Part::Console, Reason::Taken, Remedy::CloseOther));
        }
        if count >= CONSOLES_A_SEAT
            && let Some(oldest) = consoles.iter().position(|it| it.person == person)
        {
            let oldest = consoles.remove(oldest);
            oldest.letters.close(closed(PhraseKey::ConsoleReplaced));
            let _ = oldest.stream.shutdown(std::net::Shutdown::Read);
        }
        consoles.push(new());
        Ok(())
    }

    /// Removes a console.
    pub(super) fn take_away(&self, number: u64) {
        let mut consoles = lock(&self.0);
        for gone in consoles.extract_if(.., |it| it.number == number) {
            gone.letters.close(Vec::new());
        }
    }

    /// Tells all consoles that the game is left, and waits this long until they have read it.
    pub fn leave(&self, patience: Duration) {
        let until = Instant::now() + patience;
        let consoles = lock(&self.0);
        for console in consoles.iter() {
            console.letters.close(closed(PhraseKey::GameLeft));
        }
        for console in consoles.iter() {
            let left = until.saturating_duration_since(Instant::now());
            console.letters.finish(left);
        }
    }
}

/// The last line of a console.
fn closed(why: PhraseKey) -> Vec<u8> {
    let mut line = Vec::new();
    let _ = write_json(&mut line, &Answer::Closed(why.into()));
    line
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

    fn seats(&self, seat: Seat) -> bool {
        let consoles = lock(&self.0);
        consoles.iter().any(|it| seat == Seat::Of(it.person))
    }

    fn look(&mut self, now: Moment, game: &Game) {
        for console in lock(&self.0).iter_mut() {
            console.outlet.look(now, game);
        }
    }

    fn remark(&mut self, to: Option<Seat>, phrase: &Phrase) {
        for console in lock(&self.0).iter_mut() {
            console.outlet.remark(to, phrase);
        }
    }
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

/// Writes a value as one line of JSON.
///
/// # Errors
///
/// Those of the stream.
pub fn write_json(to: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    let json = serde_json::to_string(value).map_err(std::io::Error::other)?;
    writeln!(to, "{json}")
}

/// A poisoned lock is used all the same: no code under one can leave its data half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
