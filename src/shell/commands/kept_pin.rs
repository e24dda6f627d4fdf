//! The PIN of a seat in the record of a game, which a person shows to sign or sit down there.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::console::{next_typed, pin_missing};
use crate::game::Game;
use crate::journal::{Body, Entry, Replayed, SeatEvent, replay};
use crate::persons::Person;
use crate::phrases::{Language, Phrase};
use crate::shell::consoles::folded_output;
use crate::shell::consoles::terminal::typed_pin;
use crate::shell::error::{Error, ErrorKind, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::record::catalogue;
use crate::shell::record::own_entry;
use crate::shell::record::store::Store;
use crate::shell::seats::{self, Pin, Seats, Way};
use crate::shell::table::signals;
use crate::shell::table::timeline::wall_ms;

/// Where the PIN comes from, and how its giver is answered.
pub(super) struct Shown<'a> {
    /// The file and the line of the PIN, counted from 0; `None` if it is typed unseen.
    pub file: Option<(&'a Path, usize)>,
    pub language: &'a Language,
}

impl Shown<'_> {
    /// Lets only the holder of this seat's PIN go on, if the seat has one. A wrong PIN is recorded
    /// before anybody learns that it is wrong, so that breaking off in between still counts as a
    /// try. A person who types is asked again after the waiting time. The record is not held while
    /// he types. Returns whether the seat has a PIN.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Negative` if the PIN in the file is wrong or was tried too often,
    /// `ErrorKind::Usage` if none was given, `ErrorKind::DeviceBusy` while another annexd plays the
    /// game; and those of reading and writing the record.
    pub(super) fn is_asked(&self, path: &Path, person: Person) -> Result<bool> {
        let (record, replayed) = catalogue::load(path)?;
        if !has_pin(&replayed.game, &record.entries, person) {
            return Ok(false);
        }
        loop {
            let pin = match self.file {
                Some((file, line)) => Pin::at_line(file, line)?,
                None => self.typed()?,
            };
            let Some((why, wait)) = tried(path, person, &pin)? else {
                return Ok(true);
            };
            if self.file.is_some() {
                return Err(Error::of_fault(ErrorKind::Negative, why));
            }
            self.show(&why.into());
            thread::sleep(wait);
        }
    }

    /// Gives up the lost PIN of this seat, if it has one. That is recorded and reported.
    ///
    /// # Errors
    ///
    /// Those of reading and writing the record.
    pub(super) fn is_given_up(&self, path: &Path, person: Person) -> Result<()> {
        let (mut store, entries) = Store::resume(path)?;
        let replayed = replayed(path, &entries)?;
        if has_pin(&replayed.game, &entries, person) {
            let event = SeatEvent::PinGivenUp;
            let told = seats::told_of(person, &event);
            let body = Body::Seat { person, event };
            store.append(&mut [own_entry::entry(replayed.last, body)])?;
            self.show(&told);
        }
        Ok(())
    }

    fn typed(&self) -> Result<Pin> {
        signals::show_at_end();
        typed_pin(|key| self.show(&key.into()), next_typed).ok_or_else(pin_missing)
    }

    pub(super) fn show(&self, phrase: &Phrase) {
        folded_output::print(&self.language.text_with_detail(phrase));
    }
}

/// Whether a seat has a PIN according to the record.
pub(super) fn has_pin(game: &Game, entries: &[Entry], person: Person) -> bool {
    let seats = Seats::of(game.profile()).as_recorded(entries, wall_ms());
    seats.pin(person).is_some()
}

fn replayed(path: &Path, entries: &[Entry]) -> Result<Replayed> {
    let unreadable = |error| error!(BadInput, GameUnreadable, path = path.display(), why = error);
    replay(entries).map_err(unreadable)
}

/// Why this PIN does not count, and how long to wait; `None` if it is right.
fn tried(path: &Path, person: Person, pin: &Pin) -> Result<Option<(Fault, Duration)>> {
    let (mut store, entries) = Store::resume(path)?;
    let replayed = replayed(path, &entries)?;
    let mut seats = Seats::of(replayed.game.profile()).as_recorded(&entries, wall_ms());
    let no = |reason, remedy| Fault::new(Part::Pin, reason, remedy);
    match seats.try_pin(seats::BEGIN, person, &Way::Terminal) {
        Ok(kept) if kept.as_ref().is_none_or(|kept| pin.is(kept)) => Ok(None),
        Ok(_) => {
            let (tried, unheard) = (1, 0);
            let event = SeatEvent::WrongPins { tried, unheard };
            let body = Body::Seat { person, event };
            store.append(&mut [own_entry::entry(replayed.last, body)])?;
            Ok(Some((no(Reason::Wrong, Remedy::Again), Duration::ZERO)))
        }
        Err(wait) => {
            let wait = Duration::from_secs(wait.as_secs() + 1);
            let why = no(Reason::TooOften, Remedy::WaitOrNewPin);
            Ok(Some((why.with(format!("{} s", wait.as_secs())), wait)))
        }
    }
}
