//! Everything a game can ask of the world.

use serde::{Deserialize, Serialize};

use crate::persons::Channel;
use crate::phrases::Phrase;

/// One thing to do. The shell records input and effects together, durably, before it does any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Say (and on consoles: show) a phrase.
    Say {
        /// To whom.
        channel: Channel,
        /// What.
        phrase: Phrase,
        /// How urgently.
        priority: Priority,
    },
    /// Fall silent on a channel at once.
    Silence(Channel),
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
