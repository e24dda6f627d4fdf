//! Reports to the table, and the seats that they come from.

use crossbeam_channel::Sender;

use crate::game::{Input, Ruling};
use crate::journal::{Reach, SeatEvent, SoundFile};
use crate::persons::Person;
use crate::phrases::Phrase;

/// A report to the table.
#[derive(Clone, Debug)]
pub enum Report {
    /// Something happened in the game.
    Input(Input),
    /// Somebody typed a line at a console.
    Typed {
        /// The seat where it was typed.
        seat: Seat,
        /// The line.
        text: String,
    },
    /// Something happened to a seat.
    Seat {
        /// Whose seat it is.
        person: Person,
        /// The event.
        event: SeatEvent,
        /// What everybody is told of it, if it is told now.
        told: Option<Phrase>,
        /// The channel that waits until the event is recorded.
        kept: Option<Sender<()>>,
    },
    /// This person says that play may go on although the record cannot be written.
    GoOnUnrecorded(Person),
    /// The sound of an utterance was kept.
    Sound(SoundFile),
    /// The sound and voice devices of the game, and what it reaches.
    Reach(Reach),
    /// The arbiter's passphrase for the envelope of an adjourned game. It is not recorded.
    Passphrase {
        /// The console that it comes from.
        seat: Seat,
        /// The passphrase.
        passphrase: String,
        /// The order to seal that comes with it.
        ruling: Ruling,
    },
    /// The arbiter opens the envelope with his passphrase. The player who has to reply to the
    /// sealed move is present (E.7).
    OpenEnvelope {
        /// The console that it comes from.
        seat: Seat,
        /// The passphrase.
        passphrase: String,
    },
    /// Something that only the record and the consoles need to know.
    Note(Phrase),
    /// An answer to a question about the program itself. It is not recorded.
    Tell {
        /// Who asked.
        seat: Seat,
        /// What he is told.
        phrase: Phrase,
    },
    /// A device was faster than the table, and some of its reports were dropped.
    Shed {
        /// The device.
        device: String,
        /// How many reports were dropped.
        reports: u64,
    },
    /// The user wants to leave the program.
    Leave,
    /// Somebody has typed that he leaves. An arbiter's game is left when he has typed it twice.
    Quit {
        /// The seat where it was typed.
        seat: Seat,
        /// The channel that waits for the answer: whether the program is left.
        is_left: Sender<bool>,
    },
}

/// Where somebody types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// At the console of a person.
    Of(Person),
    /// At the page of a person. It may be on another computer, so it cannot name files of this one.
    Page(Person),
    /// At the one terminal that all share. A word before the line says who types.
    Shared,
    /// At the shared terminal, by a person who has shown his PIN for this line.
    SharedAs(Person),
}

impl Seat {
    /// Returns whether this is the shared terminal.
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::Shared | Self::SharedAs(_))
    }

    /// The person at this seat, if it is the seat of one person.
    pub const fn person(self) -> Option<Person> {
        match self {
            Self::Of(person) | Self::Page(person) => Some(person),
            Self::Shared | Self::SharedAs(_) => None,
        }
    }

    /// Returns whether what is meant for the person at another seat is read at this one. A page
    /// shows everything that a console of its person shows.
    pub fn reads_for(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Page(own), Self::Of(of)) if own == of)
    }

    /// Returns whether both seats are the same place.
    pub fn is_at(self, other: Self) -> bool {
        self == other || self.is_shared() && other.is_shared()
    }
}
