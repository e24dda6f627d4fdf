//! One entry of the record.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use super::reach::Reach;
use crate::{Effect, Input, Profile};
use annexd_laws::moment::Moment;
use annexd_laws::persons::Person;
use annexd_phrases::Phrase;

/// The version of the format that this program writes. Older versions stay readable for ever.
pub const FORMAT: u32 = 1;

/// One entry: what happened at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// The number of the entry, counted from 1 without gaps.
    pub seq: u64,
    /// The moment on the game's own time line.
    pub at: Moment,
    /// The moment by the computer's clock, in milliseconds since 1970 in UTC. It may jump; only the
    /// time for which the program was closed is computed from it.
    pub wall_ms: u64,
    /// The content.
    pub body: Body,
}

/// What an entry holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// The first entry: what was agreed before play.
    Opened(Box<Opened>),
    /// The sound and voices of a rated game, and that it reaches no network.
    Reach(Reach),
    /// Something happened, and this is what the game decided.
    Step {
        /// What happened.
        input: Input,
        /// What was decided; carried out only once this entry is durable.
        effects: Vec<Effect>,
    },
    /// A step of sealing a move, whose words are encrypted (E.1.1).
    Locked(Locked),
    /// The program was started again on this game.
    Resumed {
        /// How long the program had been closed, by the computer's clock, in milliseconds.
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
        /// The number of these entries.
        entries: u64,
        /// The disk's error message.
        reason: String,
    },
    /// Reports of a device that came too fast to be taken and were left out.
    Shed {
        /// The device.
        device: String,
        /// The number of reports.
        reports: u64,
    },
    /// The sound of an utterance was kept in a file beside the record.
    Sound(SoundFile),
    /// Something about who may sit where.
    Seat {
        /// The person whose seat it is.
        person: Person,
        /// What happened.
        event: SeatEvent,
    },
    /// A remark for the arbiter: a device used, a consent given.
    Note(String),
    /// What the program said about itself at the consoles.
    Told(Phrase),
}

/// What happened to a seat. With the earlier entries, this is all that has to be known of a seat
/// when the game is resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeatEvent {
    /// The seat has this PIN from now on.
    PinMade(PinHash),
    /// The seat's PIN was lost and is void: whoever comes next makes a new one.
    PinGivenUp,
    /// Wrong PINs were given for the seat since the last entry of this kind.
    WrongPins {
        /// How many were checked.
        tried: u64,
        /// How many more were refused unchecked, because too many had been wrong.
        unheard: u64,
    },
}

/// All that is kept of a PIN: its Argon2id hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinHash {
    /// The salt, in base64.
    pub salt: String,
    /// The hash, in base64.
    pub hash: String,
}

/// The sound of one utterance, in a file of its own.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoundFile {
    /// The name of the file, in the folder of the game's sound.
    pub file: String,
    /// The owner of the microphone; `None`: the shared one.
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub microphone: Option<Color>,
    /// When the utterance was heard to its end.
    pub until: Moment,
    /// Its length in milliseconds.
    pub ms: u64,
    /// The SHA-256 hash of the file, in hexadecimal.
    pub sha256: String,
}

/// A step whose input and effects only the arbiter's passphrase decrypts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locked {
    /// The number of the last utterance after this step.
    pub utterances: u32,
    /// Whether a move is in the envelope after this step.
    pub is_sealed: bool,
    /// Whether this step put it there.
    #[serde(default = "yes")]
    pub seals: bool,
    /// The salt from which the key was derived with the passphrase (Argon2id), in base64.
    pub salt: String,
    /// The nonce of ChaCha20-Poly1305, in base64.
    pub nonce: String,
    /// The body as JSON, encrypted, in base64.
    pub text: String,
}

/// The default for records made before the field existed. They mark every step after the sealing.
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
