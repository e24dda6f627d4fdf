//! Everything that can happen to a game.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use super::act::Act;
use super::notices::ElsewhereNotice;
use super::notices::MachineNotice;
use super::notices::ProgramNotice;
use super::ruling::Ruling;
use crate::board::Fact;
use annexd_laws::clock::ClockSide;
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Command, Heard, Said};
use annexd_laws::persons::{Channel, Person, Sides};
use annexd_phrases::Fault;

/// One thing that happened. Closed on purpose: a device, a key or a person that cannot be said
/// here cannot change a game.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Somebody spoke, typed or pressed a key, and this is what was made of it.
    Heard {
        /// Where it came from.
        origin: Origin,
        /// What was made of it.
        heard: Heard,
        /// When a microphone began to hear it; nothing if it was typed or keyed. What was said
        /// before the program spoke, or before the microphone was muted, counts as said then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begun: Option<Moment>,
        /// When it ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ended: Option<Moment>,
    },
    /// A person did something that no word or command says.
    Act {
        /// Who.
        person: Person,
        /// What.
        act: Act,
    },
    /// The arbiter decided. Only his console makes one; in a game without an arbiter only
    /// [`Ruling::Start`], [`Ruling::Stop`] and [`Ruling::Restart`] are taken.
    Ruling(Ruling),
    /// A board, or a person on behalf of a board without sensors, has seen something.
    Board {
        /// Whose board.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
        /// What.
        fact: Fact,
    },
    /// A player's clock was stopped and the opponent's started.
    Pressed {
        /// Whose move it ends.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// How.
        means: Means,
    },
    /// What a chessclock shows, read from it.
    ClockReads {
        /// The time left to each.
        left: Sides<Duration>,
        /// Whose clock runs.
        #[serde_as(as = "Option<DisplayFromStr>")]
        running: Option<Color>,
    },
    /// What a chessclock shows besides its times, or what was noticed at it.
    ClockTells(ClockNotice),
    /// At which side of the chessclock White sits: somebody was asked, or it was seen when the
    /// clock was started. It does not turn round when the board does.
    WhiteSitsAt(ClockSide),
    /// How far a voice has come with what was to be said.
    Voice {
        /// Where.
        channel: Channel,
        /// The number of [`super::Effect::Say`].
        utterance: u32,
        /// How far.
        mark: VoiceMark,
    },
    /// Words that were clear were said into a player's microphone over the program's voice, and
    /// were not taken. Which they were stands nowhere: they may belong into the envelope.
    Unheeded {
        /// Whose.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// When they were begun.
        begun: Moment,
        /// When they ended.
        ended: Moment,
    },
    /// A microphone was muted, opened, or is held open by its key.
    Microphone {
        /// Whose; `None`: the shared one.
        #[serde_as(as = "Option<DisplayFromStr>")]
        side: Option<Color>,
        /// Its new state.
        state: MicrophoneState,
    },
    /// A player has a console of his own that nobody else reads, or has it no more.
    Console {
        /// Whose.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// Whether it is there.
        present: bool,
    },
    /// What is said into the ear of a player comes out of a device that all at the table hear, or
    /// not any more. Until this is said it is his alone.
    Ear {
        /// Whose.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// Whether all hear it.
        shared: bool,
    },
    /// A device has gone, or is there again.
    Device {
        /// Which.
        device: Device,
        /// Whether it is there.
        present: bool,
    },
    /// Something does not work, and this is why: said to whoever it concerns, and to the arbiter.
    Failed {
        /// The device that is lost by it, if one is.
        device: Option<Device>,
        /// Whom it concerns, if no device says so; nobody: both players.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person: Option<Person>,
        /// What, why, and what to do.
        fault: Fault,
    },
    /// Something was noticed of the computer that the game runs on.
    Machine(MachineNotice),
    /// The chess program that plays a side has told something, or failed.
    Program(ProgramNotice),
    /// The server has told something through which a player elsewhere plays.
    Elsewhere(ElsewhereNotice),
    /// The program was away and was started again on this game.
    Resumed,
    /// A step of sealing whose words the record keeps under lock (E.1.1). It stands for the real
    /// input wherever a game is built again from its record.
    Locked {
        /// The number of the last utterance after it.
        utterances: u32,
        /// Whether a move was sealed since.
        is_sealed: bool,
    },
    /// The moment of [`super::Game::deadline`] has come.
    Deadline,
}

impl Input {
    /// What was typed, keyed, or decided in the moment it was said.
    pub const fn heard(origin: Origin, heard: Heard) -> Self {
        Self::Heard {
            origin,
            heard,
            begun: None,
            ended: None,
        }
    }

    /// An act that was typed or keyed. One letter is enough to sign, so a player is asked back as
    /// when he says it.
    pub fn typed(person: Person, act: Act) -> Self {
        match (person, act) {
            (Person::Player(_), Act::Sign) => {
                let said = Said::Command(Command::SignResult);
                Self::heard(Origin::Console(person), Heard::Clear(said))
            }
            (_, act) => Self::Act { person, act },
        }
    }
}

/// Where words come from. Who spoke into a microphone is for the game to decide.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A microphone: one side's own, or one that both share.
    Microphone(#[serde_as(as = "Option<DisplayFromStr>")] Option<Color>),
    /// The console, keys or gamepad of a person.
    Console(Person),
}

/// What a chessclock shows besides its times, or what was noticed at it.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockNotice {
    /// The flag of a period of this side is shown; the clock may go on.
    FlagShown(#[serde_as(as = "DisplayFromStr")] Color),
    /// The last flag of this side has fallen.
    FlagFallen(#[serde_as(as = "DisplayFromStr")] Color),
    /// A side's time has changed, and neither its running nor a press explains it: somebody has
    /// set it, or it is defective.
    Jumped(#[serde_as(as = "DisplayFromStr")] Color),
    /// It says that it runs, and its times stand still.
    Frozen,
    /// Its battery has to be changed.
    BatteryLow,
}

/// How a clock was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// On a chessclock: it has happened, whether it was allowed or not.
    Chessclock,
    /// By a key of this person: it is a request that can be refused (D.2.4).
    Key(Person),
}

/// How far a voice has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoiceMark {
    /// The first word is being said.
    Begun,
    /// The last word has been said.
    Finished,
    /// It was not said but shown as text, to whoever may read it.
    Shown,
    /// It was cut off, or neither said nor shown.
    Unheard,
}

/// The state of a microphone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MicrophoneState {
    /// It listens all the time.
    Open,
    /// It listens to nothing.
    Muted,
    /// Its key is held down: it listens now.
    KeyDown,
    /// Its key was let go: it listens to nothing until the key is held again.
    KeyUp,
    /// It listens to the next words, and to nothing after them.
    Once,
}

/// A device that can vanish.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Device {
    /// A player's board.
    Board(#[serde_as(as = "DisplayFromStr")] Color),
    /// The chessclock.
    Clock,
    /// A microphone.
    Microphone(#[serde_as(as = "Option<DisplayFromStr>")] Option<Color>),
    /// What speaks on a channel: nothing is heard there any more.
    Voice(Channel),
    /// The system voice of a channel; recorded words are heard there instead.
    SystemVoice(Channel),
    /// The gamepad of a player.
    Gamepad(#[serde_as(as = "DisplayFromStr")] Color),
    /// The Braille display of a player. He is told there what is his alone.
    Braille(#[serde_as(as = "DisplayFromStr")] Color),
    /// The disk on which the record is kept.
    Disk,
}
