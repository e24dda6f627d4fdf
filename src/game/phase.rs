//! How far a game has come.

use serde::{Deserialize, Serialize};

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the start.
    BeforePlay,
    /// Moves are made.
    Playing,
    /// The clocks are stopped: something is to be decided.
    Stopped,
    /// A player seals his move.
    Sealing,
    /// The game is adjourned.
    Adjourned,
    /// It is over.
    Ended,
}
