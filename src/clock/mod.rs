//! The chessclock as a value: periods, increment and delay, flags, adjustments.

mod time_control;

pub use time_control::{Bonus, ParseTimeControlError, Period, TimeControl};
