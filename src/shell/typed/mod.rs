//! What people type and press, as inputs of the game.

mod confirmation;
pub mod controls;
#[cfg(feature = "gamepad")]
pub mod gamepad;
pub(crate) mod help;
pub mod line;
mod questions;
mod readings;
pub(crate) mod rulings;
pub(crate) mod sheet;
