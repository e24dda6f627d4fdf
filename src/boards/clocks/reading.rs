//! The reading of a chessclock.

use std::time::Duration;

use annexd_laws::clock::ClockSide;

/// How late a reading may come.
const READ_LATE: Duration = Duration::from_secs(2);

/// The display of one side of a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SideReading {
    /// The time shown, in whole seconds.
    pub time: Duration,
    /// Whether time is added with each move (Fischer or Bronstein).
    pub is_per_move: bool,
    /// Whether the flag of an earlier period is shown. The clock may go on.
    pub has_flag: bool,
    /// Whether the flag of the last period has fallen. The clock stands at zero.
    pub is_fallen: bool,
}

/// The reading of a clock at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockReading {
    /// The left display.
    pub left: SideReading,
    /// The right display.
    pub right: SideReading,
    /// Whether one of the sides runs.
    pub is_running: bool,
    /// The side that runs, or would run.
    pub to_move: ClockSide,
    /// Whether the battery has to be changed.
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

    /// Whether this reading can follow `before` after so much time, if nobody has pressed or set
    /// the clock and nothing else has happened to it. Then only the running side's time is less.
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
