//! Chessclocks as devices.

mod reading;
mod watch;

pub use reading::{ClockReading, ClockSide, SideReading};
pub use watch::{ClockEvent, ClockWatch, TimeLeft};
