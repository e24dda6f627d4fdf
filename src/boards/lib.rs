//! Electronic boards and their chessclocks, without any port: bytes and the time go in, and what
//! happened on the board comes out.
//!
//! Each protocol has a codec of its own behind [`Board`]. A [`Follower`] turns what a board says
//! into moves, facts and presses. [`Attended`] is a board with its follower: bytes in, reports out.
//! [`recording`] and [`replay`] read what was recorded. The program owns the ports.

#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]

mod attended;
pub mod chesslink;
pub mod clocks;
pub mod cpp;
mod device;
pub mod dgt;
mod driver;
mod follower;
mod line;
pub mod occupancy;
pub mod recording;
mod remarks;
pub mod replay;
mod rise;
mod rush;
mod talk;
pub mod wire;

pub use attended::Attended;
pub use device::{Board, Capabilities, DeviceCommand, DeviceEvent, Kind, Senses};
pub use driver::driver;
pub use follower::{Follower, Report};
pub use remarks::Remarks;
