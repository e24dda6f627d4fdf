//! annexd lets a blind player play over-the-board chess by voice under Annex D of the FIDE Laws.
//!
//! The pure crates are in the folders below `src/`: inputs and the time go in, effects come out.
//! This package is the program around them. Its [`shell`] uses the system, and so do the pages,
//! practice, and the port and game file of simulated boards.

#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]

pub use annexd_game as game;
pub use annexd_game::{board, journal, set_up};
pub use annexd_laws as laws;
pub use annexd_laws::{clock, moment, notation, persons};
pub use annexd_phrases as phrases;
pub use annexd_score as score;
pub use annexd_score::discrepancy;

#[expect(
    clippy::disallowed_methods,
    reason = "the shell touches clocks, threads, files and devices"
)]
#[allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a thread of a device that panics is a device that is lost, and the game goes on"
)]
pub mod shell;
