//! What a chessclock shows.

use std::time::Duration;

use crate::clock::ClockSide;

/// A reading may come so much late.
const READ_LATE: Duration = Duration::from_secs(2);

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

    /// Whether this may be shown so long after `before` if nobody has pressed or set the clock
    /// and nothing else has happened to it: the running side has less time, and all else is the
    /// same.
    pub fn goes_on_from(&self, before: &Self, passed: Duration) -> bool {
        let is_same = |side: ClockSide| {
            let (was, is) = (before.side(side), self.side(side));
            let runs = self.is_running && self.to_move == side;
            let may_fall = if runs {
                passed + READ_LATE
            } else {
                Duration::ZERO
            };
            let marks = |it: SideReading| (it.is_per_move, it.has_flag, it.is_fallen);
            marks(was) == marks(is)
                && is.time <= was.time
                && was.time.saturating_sub(is.time) <= may_fall
        };
        self.is_running == before.is_running
            && self.to_move == before.to_move
            && self.is_battery_low == before.is_battery_low
            && is_same(ClockSide::Left)
            && is_same(ClockSide::Right)
    }
}
