//! Chessclocks as devices.

mod reading;
mod watch;

pub use crate::clock::ClockSide;
pub use reading::{ClockReading, SideReading};
pub use watch::{ClockEvent, ClockWatch};
