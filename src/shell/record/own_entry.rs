//! Entries that no input of the game causes.

use crate::journal::{Body, Entry};
use crate::moment::Moment;
use crate::shell::table::timeline::wall_ms;

/// An entry made by the shell itself.
pub fn entry(at: Moment, body: Body) -> Entry {
    Entry {
        seq: 0,
        at,
        wall_ms: wall_ms(),
        body,
    }
}
