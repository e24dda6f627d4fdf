//! The subcommands, one file each: `Arguments` and `run`.

pub(crate) mod alone;
pub(crate) mod board;
#[cfg(all(feature = "serial", unix))]
mod board_simulate;
mod board_watch;
mod bundle;
pub(crate) mod check;
pub(crate) mod clock;
pub(crate) mod console;
pub(crate) mod demo;
pub(crate) mod dictate;
pub(crate) mod eval;
pub(crate) mod games;
mod held;
mod kept;
mod kept_pin;
pub(crate) mod law;
pub(crate) mod learn;
pub(crate) mod listen;
pub(crate) mod manual;
mod mark;
pub(crate) mod model;
mod overwriting;
pub(crate) mod play;
pub mod practice;
pub(crate) mod reconcile;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod say;
pub(crate) mod score;
pub(crate) mod show;
mod show_decisions;
mod side;
mod sign;
mod sign_kept;
pub(crate) mod verify;
