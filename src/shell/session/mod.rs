//! How a game is put together: who sits where, which devices are opened.

pub mod assemble;
pub mod guest;
pub mod open_devices;
#[cfg(not(feature = "page"))]
mod without_pages;
