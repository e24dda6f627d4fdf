//! The one place that touches the world: devices, files, clocks, the terminal.

pub mod cli;
mod commands;
pub mod error;
#[cfg(feature = "recognizer")]
pub mod libvosk;
