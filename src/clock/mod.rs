//! The chessclock as a value: periods, increment and delay, flags, adjustments.

mod chessclock;
mod time_control;

pub use chessclock::{Adjustment, Chessclock, FlagFall};
pub use time_control::{Bonus, ParseTimeControlError, Period, TimeControl};
