//! One entry of the record.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use super::reach::Reach;
use crate::{Effect, Input, Profile};
use annexd_laws::moment::Moment;
use annexd_laws::persons::Person;
use annexd_phrases::Phrase;

/// The version of the format written by this program. Older ones stay readable for ever.
pub const FORMAT: u32 = 1;

/// One entry: what happened at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The number of the entry, counted from 1 without gaps.
    pub seq: u64,
    /// When, on the game's own time line.
    pub at: Moment,
    /// When, by the computer's clock: milliseconds since 1970 in UTC. It may jump; nothing is
    /// computed from it but the time for which the program was away.
    pub wall_ms: u64,
    /// What.
    pub body: Body,
}

/// What an entry holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The first entry: what was agreed before play.
    Opened(Box<Opened>),
    /// With what a rated game sounds and is spoken, and that it reaches no network.
    Reach(Reach),
    /// Something happened, and this is what the game decided.
    Step {
        /// What happened.
        input: Input,
        /// What was decided; carried out only once this entry is durable.
        effects: Vec<Effect>,
    },
    /// A step of sealing a move: its words are under lock (E.1.1).
    Locked(Locked),
    /// The program was started again on this game.
    Resumed {
        /// For how long it had been away, by the computer's clock.
        away_ms: u64,
        /// Whether that time was charged to the clock that was running.
        charged: bool,
        /// The program that resumed.
        program: String,
    },
    /// The entries up to here could not be written when they happened, and play went on.
    Gap {
        /// The moment of the first of them.
        since: Moment,
        /// How many there are.
        entries: u64,
        /// What the disk said.
        reason: String,
    },
    /// Reports of a device that came faster than they could be taken and were left out.
    Shed {
        /// Which device.
        device: String,
        /// How many.
        reports: u64,
    },
    /// The sound of an utterance was kept in a file beside the record.
    Sound(SoundFile),
    /// Something about who may sit where.
    Seat {
        /// Whose seat.
        person: Person,
        /// What.
        event: SeatEvent,
    },
    /// A remark for the arbiter: a device used, a consent given.
    Note(String),
    /// What the program said of itself at the consoles.
    Told(Phrase),
}

/// What happened to a seat. With the entries before it, it is all that has to be known of a seat
/// when the game is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatEvent {
    /// It has this PIN from now on.
    PinMade(PinHash),
    /// Its PIN was lost and holds no longer: whoever comes next makes a new one.
    PinGivenUp,
    /// Wrong PINs were given for it since the last entry of this kind.
    WrongPins {
        /// How many were tried.
        tried: u64,
        /// How many more were refused without a look, because too many had been wrong.
        unheard: u64,
    },
}

/// All that is kept of a PIN: what Argon2id makes of it, by which it is known again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinHash {
    /// What it was made with besides the PIN, in base64.
    pub salt: String,
    /// What came of it, in base64.
    pub hash: String,
}

/// The sound of one utterance, in a file of its own.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoundFile {
    /// The name of the file, in the folder of the game's sound.
    pub file: String,
    /// Whose microphone heard it; `None`: the shared one.
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub microphone: Option<Color>,
    /// When the utterance had been heard to its end.
    pub until: Moment,
    /// How long it is, in milliseconds.
    pub ms: u64,
    /// The SHA-256 hash of the file, in hexadecimal.
    pub sha256: String,
}

/// A step whose input and effects only the arbiter's passphrase opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locked {
    /// The number of the last utterance after it.
    pub utterances: u32,
    /// Whether a move lies in the envelope after it.
    pub is_sealed: bool,
    /// Whether this step is the one that put it there.
    #[serde(default = "yes")]
    pub seals: bool,
    /// What the key was made with besides the passphrase (Argon2id), in base64.
    pub salt: String,
    /// The number used once of ChaCha20-Poly1305, in base64.
    pub nonce: String,
    /// The body as JSON, encrypted, in base64.
    pub text: String,
}

/// Records from before the field was kept say it of every step after the sealing.
const fn yes() -> bool {
    true
}

/// What was agreed before play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The version of this format.
    pub format: u32,
    /// The program and its version.
    pub program: String,
    /// What the players and the arbiter agreed.
    pub profile: Profile,
}
