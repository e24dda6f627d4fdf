//! Chessclocks as devices.

mod reading;
mod watch;

pub use annexd_laws::clock::ClockSide;
pub use reading::{ClockReading, SideReading};
pub use watch::{ClockEvent, ClockWatch};
