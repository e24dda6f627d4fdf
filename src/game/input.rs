//! Everything that can happen to a game.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use crate::notation::Heard;
use crate::persons::Person;

/// One thing that happened. Closed on purpose: a device, a key or a person that cannot be said
/// here cannot change a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Input {
    /// Somebody spoke, typed or pressed a key, and this is what was made of it.
    Heard {
        /// Where it came from.
        origin: Origin,
        /// What was made of it.
        heard: Heard,
    },
    /// The moment of [`super::Game::deadline`] has come.
    Deadline,
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
