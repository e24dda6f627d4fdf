//! The record of a game: everything that happened and everything that was decided.
//!
//! An [`Entry`] holds one input with the effects with which the game answered it. Entries are
//! chained: each hash covers the entry's text and the hash before it, so that a byte changed
//! afterwards is found and the entry named. Nothing here touches a file; `src/shell/record` stores
//! the links.

mod chain;
mod entry;
mod reach;
mod replay;

pub use chain::{Broken, Chain, Hash, Link};
pub use entry::{Body, Entry, FORMAT, Locked, Opened, PinHash, SeatEvent, SoundFile};
pub use reach::{Network, Reach};
pub use replay::{ReplayError, Replayed, replay};
