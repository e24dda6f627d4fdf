//! The chessclock as a value: periods, increment and delay and flags.

mod chessclock;
mod side;
mod time_control;

pub use chessclock::{Chessclock, FlagFall};
pub use side::ClockSide;
pub use time_control::{Bonus, ParseTimeControlError, Period, TimeControl, TimeControlFault};
