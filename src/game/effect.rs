//! Everything a game can ask of the world.

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

/// One thing to do. The shell records input and effects together, durably, before it does any.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Say (and on consoles: show) a phrase.
    Say {
        /// The number by which [`super::Input::Voice`] speaks of it. Counted from 1.
        utterance: u32,
        /// To whom.
        channel: Channel,
        /// What.
        phrase: Phrase,
        /// How urgently.
        priority: Priority,
    },
    /// Fall silent on a channel at once.
    Silence(Channel),
    /// Play a short sound.
    Earcon {
        /// To whom.
        channel: Channel,
        /// Which.
        earcon: Earcon,
    },
    /// Bring the chessclock into this state; a software clock only shows it.
    Clock {
        /// Whose clock runs; `None`: both are stopped.
        #[serde_as(as = "Option<DisplayFromStr>")]
        running: Option<Color>,
        /// The time left to each.
        left: Sides<Duration>,
    },
    /// Expect this from a microphone from now on.
    Listen(Expectation),
    /// Light these squares on a board that can, and no others: the squares of a move that was
    /// announced and is to be executed there.
    Light {
        /// Whose board.
        #[serde_as(as = "DisplayFromStr")]
        board: Color,
        /// The squares; none: put the lights out.
        #[serde_as(as = "Vec<DisplayFromStr>")]
        squares: Vec<Square>,
    },
    /// Show the arbiter (without one, both players) what could be decided now. It takes effect
    /// by [`Ruling::Accept`] with this number.
    Propose {
        /// The number of the proposal. Counted from 1.
        proposal: u32,
        /// What it would do, in this order.
        rulings: Vec<Ruling>,
        /// Why: the facts with their article.
        because: Phrase,
    },
    /// Show the arbiter why: for a proposal, or for the end of the game (11.9).
    Explain(Explanation),
    /// Ask the chess program for a hint for this player, its opponent.
    AskHint(#[serde_as(as = "DisplayFromStr")] Color),
    /// Bring a wish to the server through which a player elsewhere plays.
    Elsewhere(ElsewhereWish),
    /// The game has ended.
    Ended(Ending),
}

/// On what a proposal or a decision rests, and what else was open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The number of the proposal; `None`: the end of the game.
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
    /// After the announcement that is being said, before everything else. Moves are said so.
    Next,
    /// At once: what is being said is cut off, unless it is the announcement of a move.
    Now,
}

/// Short sounds. None of them depends on whether a move is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Earcon {
    /// The repetition was right.
    Taken,
    /// The press was taken: one's own clock stands.
    PressTaken,
    /// Please say it again.
    Again,
    /// One's own clock was started: it is one's turn.
    Pressed,
    /// It cannot be done now.
    Refused,
    /// A device was lost.
    Lost,
    /// A microphone was opened.
    Listening,
}
