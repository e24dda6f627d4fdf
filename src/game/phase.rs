//! How far a game has come.

use serde::{Deserialize, Serialize};

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the start.
    BeforePlay,
    /// Moves are being made.
    Playing,
    /// The clocks are stopped because something has to be decided.
    Stopped,
    /// A player is sealing his move.
    Sealing,
    /// The game is adjourned.
    Adjourned,
    /// The game is over.
    Ended,
}
