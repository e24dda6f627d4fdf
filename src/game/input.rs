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

/// One thing that happened. The list is closed: a device, key or person with no input here cannot
/// change a game.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Somebody spoke, typed or pressed a key, and this is how it was understood.
    Heard {
        /// The source of the words.
        origin: Origin,
        /// How it was understood.
        heard: Heard,
        /// When a microphone began to hear it; `None` if it was typed or keyed. Words begun before
        /// the program spoke, or before the microphone was muted, count as said then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        begun: Option<Moment>,
        /// When it ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ended: Option<Moment>,
    },
    /// A person did something that no spoken word or command expresses.
    Act {
        /// The person.
        person: Person,
        /// What the person did.
        act: Act,
    },
    /// The arbiter decided. Only the arbiter's console sends rulings. In a game without an arbiter
    /// only [`Ruling::Start`], [`Ruling::Stop`] and [`Ruling::Restart`] are taken.
    Ruling(Ruling),
    /// A board, or a person for a board without sensors, has observed something.
    Board {
        /// The player whose board it is.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
        /// What was observed.
        fact: Fact,
    },
    /// A player's clock was stopped and the opponent's started.
    Pressed {
        /// The side whose move it ends.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// How the clock was pressed.
        means: Means,
    },
    /// What a chessclock shows.
    ClockReads {
        /// The time left to each.
        left: Sides<Duration>,
        /// The side whose clock runs; `None`: both are stopped.
        #[serde_as(as = "Option<DisplayFromStr>")]
        running: Option<Color>,
    },
    /// What a chessclock shows besides its times, or what was noticed about it.
    ClockTells(ClockNotice),
    /// At which side of the chessclock White sits, as somebody said or as was seen when the clock
    /// was started. It does not change when the board is turned.
    WhiteSitsAt(ClockSide),
    /// How far a voice has come with what was to be said.
    Voice {
        /// The channel.
        channel: Channel,
        /// The number of [`super::Effect::Say`].
        utterance: u32,
        /// How far it has come.
        mark: VoiceMark,
    },
    /// Clear words were said into a player's microphone over the program's voice, and were not
    /// taken. The words themselves are kept nowhere: they may be a move to be sealed.
    Unheeded {
        /// The side whose microphone it is.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// When they were begun.
        begun: Moment,
        /// When they ended.
        ended: Moment,
    },
    /// A microphone was muted, opened, or is held open by its key.
    Microphone {
        /// The owner; `None`: the shared one.
        #[serde_as(as = "Option<DisplayFromStr>")]
        side: Option<Color>,
        /// Its new state.
        state: MicrophoneState,
    },
    /// A player has or no longer has a console of his own that nobody else reads.
    Console {
        /// The player.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// Whether it is there.
        present: bool,
    },
    /// Whether everybody at the table hears the device that speaks into a player's ear. Without
    /// this input the ear is his alone.
    Ear {
        /// The player.
        #[serde_as(as = "DisplayFromStr")]
        side: Color,
        /// Whether everybody hears it.
        shared: bool,
    },
    /// A device has gone or is back.
    Device {
        /// The device.
        device: Device,
        /// Whether it is there.
        present: bool,
    },
    /// Something does not work. The person concerned and the arbiter are told why.
    Failed {
        /// The device that is lost by it, if one is.
        device: Option<Device>,
        /// The person concerned, if the device does not tell; `None`: both players.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        person: Option<Person>,
        /// The fault, its cause, and what to do.
        fault: Fault,
    },
    /// Something was noticed about the computer that runs the game.
    Machine(MachineNotice),
    /// The chess program that plays a side has reported something, or failed.
    Program(ProgramNotice),
    /// The server through which a player elsewhere plays has reported something.
    Elsewhere(ElsewhereNotice),
    /// The program was closed and was started again with this game.
    Resumed,
    /// A step of sealing whose words the record keeps encrypted (E.1.1). It stands in for the real
    /// input when a game is rebuilt from its record.
    Locked {
        /// The number of the last utterance after this step.
        utterances: u32,
        /// Whether a move has been sealed since.
        is_sealed: bool,
    },
    /// The moment of [`super::Game::deadline`] has come.
    Deadline,
}

impl Input {
    /// What was typed or keyed, or was decided at the moment it was said.
    pub const fn heard(origin: Origin, heard: Heard) -> Self {
        Self::Heard {
            origin,
            heard,
            begun: None,
            ended: None,
        }
    }

    /// An act that was typed or keyed. One letter is enough to sign, so the player is asked back as
    /// if he had said it.
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

/// The source of words. For a microphone the game decides who spoke.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A microphone: one side's own, or one that both share.
    Microphone(#[serde_as(as = "Option<DisplayFromStr>")] Option<Color>),
    /// The console, keys or gamepad of a person.
    Console(Person),
}

/// What a chessclock shows besides its times, or what was noticed about it.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockNotice {
    /// The flag of this side's period is shown. The clock may go on.
    FlagShown(#[serde_as(as = "DisplayFromStr")] Color),
    /// The last flag of this side has fallen.
    FlagFallen(#[serde_as(as = "DisplayFromStr")] Color),
    /// A side's time has changed in a way that neither running nor a press explains: somebody has
    /// set the clock, or it is defective.
    Jumped(#[serde_as(as = "DisplayFromStr")] Color),
    /// The clock reports that it runs, but its times do not change.
    Frozen,
    /// The battery has to be changed.
    BatteryLow,
}

/// How a clock was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// On a chessclock: it has happened, whether or not it was allowed.
    Chessclock,
    /// By this person's key: a request that can be refused (D.2.4).
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
    /// It listens while its key is held down.
    KeyDown,
    /// Its key was released: it listens to nothing until the key is held again.
    KeyUp,
    /// It listens to the next words, and then to nothing.
    Once,
}

/// A device that can be lost.
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
    /// The voice of a channel: nothing can be heard there.
    Voice(Channel),
    /// The system voice of a channel. Recorded words are heard there instead.
    SystemVoice(Channel),
    /// The gamepad of a player.
    Gamepad(#[serde_as(as = "DisplayFromStr")] Color),
    /// A player's Braille display. It shows him what is his alone.
    Braille(#[serde_as(as = "DisplayFromStr")] Color),
    /// The disk on which the record is kept.
    Disk,
}
