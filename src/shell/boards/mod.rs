//! Electronic boards as devices: a pure codec for each, and one thin port.

mod attended;
pub mod chesslink;
pub mod clocks;
pub mod cpp;
mod device;
pub mod dgt;
mod driver;
mod find;
mod follower;
mod line;
pub mod occupancy;
pub mod outlet;
mod port;
pub mod recording;
mod remarks;
pub mod replay;
mod rise;
mod rush;
pub mod simulate;
mod talk;
pub mod wire;

pub use attended::Attended;
pub use device::{Board, Capabilities, DeviceCommand, DeviceEvent, Kind, Senses};
pub use driver::driver;
pub use find::ports;
pub use follower::{Follower, Report};
pub use port::{BoardPort, PortReport, PortSettings, recognised};
pub use remarks::Remarks;
