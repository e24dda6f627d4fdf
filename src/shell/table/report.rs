//! What arrives at the table, and from which seat.

use crossbeam_channel::Sender;

use crate::game::{Input, Ruling};
use crate::journal::{Reach, SeatEvent, SoundFile};
use crate::persons::Person;
use crate::phrases::Phrase;

/// What arrives at the table.
#[derive(Clone, Debug)]
pub enum Report {
    /// Something happened.
    Input(Input),
    /// Somebody typed a line at a console.
    Typed {
        /// At which.
        seat: Seat,
        /// What.
        text: String,
    },
    /// Something happened to a seat.
    Seat {
        /// Whose.
        person: Person,
        /// What.
        event: SeatEvent,
        /// Who waits until it is recorded.
        kept: Option<Sender<()>>,
    },
    /// Play may go on although the record cannot be written, says this person.
    GoOnUnrecorded(Person),
    /// The sound of an utterance was kept.
    Sound(SoundFile),
    /// With what the game sounds and is spoken, and what it reaches.
    Reach(Reach),
    /// The arbiter's passphrase for the envelope of an adjourned game. It is not recorded.
    Passphrase {
        /// From which console.
        seat: Seat,
        /// What.
        passphrase: String,
        /// The order to seal that comes with it.
        ruling: Ruling,
    },
    /// The arbiter opens the envelope with his passphrase; the replier is present (E.7).
    OpenEnvelope {
        /// From which console.
        seat: Seat,
        /// The passphrase.
        passphrase: String,
    },
    /// Something that only the record and the consoles need to know.
    Note(Phrase),
    /// Something that somebody asked about the program itself; it is not recorded.
    Tell {
        /// Who.
        seat: Seat,
        /// What he is told.
        phrase: Phrase,
    },
    /// A device was faster than the table, and some of its reports were left out.
    Shed {
        /// Which.
        device: String,
        /// How many.
        reports: u64,
    },
    /// Whoever started the program wants to leave it.
    Leave,
}

/// Where somebody types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// At the console of a person.
    Of(Person),
    /// At the page of a person. It may be on another computer, so it names no file of this one.
    Page(Person),
    /// At the one terminal that all use; a word before the line says who.
    Shared,
    /// There, by a person who has shown his PIN for this line.
    SharedAs(Person),
}

impl Seat {
    /// Whether it is the terminal that all use.
    pub const fn is_shared(self) -> bool {
        matches!(self, Self::Shared | Self::SharedAs(_))
    }

    /// Who sits there, where that is one person.
    pub const fn person(self) -> Option<Person> {
        match self {
            Self::Of(person) | Self::Page(person) => Some(person),
            Self::Shared | Self::SharedAs(_) => None,
        }
    }

    /// Whether what is meant for whoever sits at another seat is read at this one: a page has all
    /// that a console of its person has.
    pub fn reads_for(self, other: Self) -> bool {
        self == other || matches!((self, other), (Self::Page(own), Self::Of(of)) if own == of)
    }

    /// Whether what is typed at both is typed at one place.
    pub fn is_at(self, other: Self) -> bool {
        self == other || self.is_shared() && other.is_shared()
    }
}
