//! The table: the one owner of the game, its inbox, its outlets and its time.

pub mod inbox;
mod outlet;
mod owner;
mod reader;
mod report;
pub(crate) mod signals;
pub mod timeline;
pub mod watchdog;

pub use outlet::{Outlet, Shown};
pub use owner::{Left, Table};
pub use reader::Reader;
pub use report::{Report, Seat};
