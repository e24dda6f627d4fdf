//! Everything that a game can ask the shell to do.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Color, Square};

use super::ending::Ending;
use super::expectation::Expectation;
use super::notices::ElsewhereWish;
use super::ruling::Ruling;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Ground, Phrase};

/// One thing to do. The shell records the input and its effects together, durably, before it
/// carries out any of them.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Say (and on consoles: show) a phrase.
    Say {
        /// The number by which [`super::Input::Voice`] refers to it. Counted from 1.
        utterance: u32,
        /// Who hears it.
        channel: Channel,
        /// The phrase.
        phrase: Phrase,
        /// The urgency.
        priority: Priority,
    },
    /// Stop speaking on a channel at once.
    Silence(Channel),
    /// Play a short sound.
    Earcon {
        /// Who hears it.
        channel: Channel,
        /// The sound.
        earcon: Earcon,
    },
    /// Bring the chessclock into this state. A software clock only displays it.
    Clock {
        /// The side whose clock runs; `None`: both are stopped.
        #[serde_as(as = "Option<DisplayFromStr>")]
        running: Option<Color>,
        /// The time left to each.
        left: Sides<Duration>,
    },
    /// Expect these words from a microphone from now on.
    Listen(Expectation),
    /// Light these squares on a board that has lights, and no others. They are the squares of an
    /// announced move that is to be executed there.
    Light {
        /// The player whose board it is.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
        /// The squares; empty turns the lights off.
        #[serde_as(as = "Vec<DisplayFromStr>")]
        squares: Vec<Square>,
    },
    /// Show the arbiter (without one, both players) a decision that could be made now.
    /// [`Ruling::Accept`] with this number makes it.
    Propose {
        /// The number of the proposal, counted from 1.
        proposal: u32,
        /// The rulings it would carry out, in this order.
        rulings: Vec<Ruling>,
        /// The reason: the facts with their article.
        because: Phrase,
    },
    /// Show the arbiter the reasons for a proposal, or for the end of the game (11.9).
    Explain(Explanation),
    /// Ask the chess program for a hint for this player, its opponent.
    AskHint(#[serde_as(as = "DisplayFromStr")] Color),
    /// Send a wish to the server through which a player elsewhere plays.
    Elsewhere(ElsewhereWish),
    /// The game has ended.
    Ended(Ending),
}

/// The grounds of a proposal or decision, and the alternatives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The number of the proposal; `None` for the end of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<u32>,
    /// The article of the edition in force.
    pub article: String,
    /// The facts, with their times.
    pub facts: Vec<Ground>,
    /// What the arbiter can decide instead, besides putting the proposal aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub otherwise: Vec<Phrase>,
}

/// How urgently something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// After everything that waits; dropped when it has become stale.
    Normal,
    /// After the announcement being said, before everything else. Moves are said so.
    Next,
    /// At once: whatever is being said is cut off, unless it is the announcement of a move.
    Now,
}

/// Short sounds. None of them depends on whether a move is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Earcon {
    /// The repetition was right.
    Taken,
    /// The press was taken: the player's own clock stands.
    PressTaken,
    /// Please say it again.
    Again,
    /// The player's own clock was started: it is his turn.
    Pressed,
    /// It cannot be done now.
    Refused,
    /// A device was lost.
    Lost,
    /// A microphone was opened.
    Listening,
}
