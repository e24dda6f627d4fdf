//! What a chessclock shows.

use std::time::Duration;

use crate::clock::ClockSide;

/// What one side of a clock shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SideReading {
    /// The time shown, in whole seconds.
    pub time: Duration,
    /// Time is added with each move (Fischer or Bronstein).
    pub is_per_move: bool,
    /// The flag of an earlier period is shown; the clock may go on.
    pub has_flag: bool,
    /// The flag of the last period has fallen; the clock stands at zero.
    pub is_fallen: bool,
}

/// What a clock shows at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockReading {
    /// The left display.
    pub left: SideReading,
    /// The right display.
    pub right: SideReading,
    /// Whether a side runs.
    pub is_running: bool,
    /// The side that runs, or would.
    pub to_move: ClockSide,
    /// The battery has to be changed.
    pub is_battery_low: bool,
}

impl ClockReading {
    /// One side's display.
    pub const fn side(&self, side: ClockSide) -> SideReading {
        match side {
            ClockSide::Left => self.left,
            ClockSide::Right => self.right,
        }
    }
}
