//! annexd lets a blind player play over-the-board chess by voice under Annex D of the FIDE Laws.
//!
//! Everything here is pure unless it stands under [`shell`]: inputs and the time go in, effects
//! come out. The order below is the order of dependence; a module uses only what stands above it.

// No input may end a game: nothing here panics on purpose but where data of the program itself
// is wrong, and nothing looks at a place that may not be there.
#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]
#![cfg_attr(
    not(test),
    warn(clippy::unreachable, clippy::indexing_slicing, clippy::string_slice)
)]

pub mod moment;
pub mod persons;

pub mod laws;
pub mod notation;

pub mod clock;

pub mod board;

pub mod score;

pub mod discrepancy;

pub mod phrases;

pub mod game;

pub mod journal;

pub mod set_up;

#[expect(
    clippy::disallowed_methods,
    reason = "the shell is the one place that touches clocks, threads, files and devices"
)]
#[allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a thread of a device that panics is a device that is lost, and the game goes on"
)]
pub mod shell;
