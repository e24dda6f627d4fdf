//! The sides of a chessclock.

use serde::{Deserialize, Serialize};

/// A side of the clock, as the clock's own front has it. Which player sits there is asked once:
/// the clock does not turn round when the board does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockSide {
    /// The left display.
    Left,
    /// The right display.
    Right,
}

impl ClockSide {
    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}
