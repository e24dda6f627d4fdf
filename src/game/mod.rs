//! The protocol of Annex D as a state machine: inputs and the time in, effects out.

mod effect;
mod input;

pub use effect::{Effect, Priority};
pub use input::{Input, Origin};

pub use crate::notation::{Command, Heard, Said};
