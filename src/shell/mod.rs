//! The one place that touches the world: devices, files, clocks, the terminal.

pub mod beat;
pub mod cli;
mod commands;
pub mod data;
pub mod error;
pub mod folders;
#[cfg(feature = "recognizer")]
pub mod libvosk;
pub mod store;
