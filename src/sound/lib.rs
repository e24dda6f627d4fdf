//! Sound as the recogniser needs it, and its spectrum. Nothing here knows what is heard.
//!
//! This is a crate of its own because the transforms of `rustfft` are compiled anew in each crate
//! that asks for them, which takes longer than all of hearing.

#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]

pub mod front;
pub mod spectrum;

/// The sample rate of the recogniser in hertz.
pub const SAMPLE_RATE: u32 = 16_000;

/// The samples in one block of 20 ms, the unit of processing.
pub const BLOCK: usize = SAMPLE_RATE as usize / 50;
