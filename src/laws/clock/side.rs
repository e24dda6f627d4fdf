//! The two sides of a chessclock.

use serde::{Deserialize, Serialize};

/// A side of the clock, as seen from its front. The program asks once which player sits there, for
/// the clock does not turn when the board does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockSide {
    /// The left display.
    Left,
    /// The right display.
    Right,
}

impl ClockSide {
    /// The other side.
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}
