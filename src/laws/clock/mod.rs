//! The chessclock as a value: periods, increment and delay, flags, adjustments.

mod chessclock;
mod side;
mod time_control;

pub use chessclock::{Adjustment, Chessclock, FlagFall};
pub use side::ClockSide;
pub use time_control::{Bonus, ParseTimeControlError, Period, TimeControl, TimeControlFault};
