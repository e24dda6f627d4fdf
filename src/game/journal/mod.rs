//! The record of a game: everything that happened and everything that was decided.
//!
//! An [`Entry`] holds one input with the effects the game answered it with. Entries are chained:
//! each hash covers the entry's text and the hash before it, so a byte that changes afterwards
//! is found and the entry named. Nothing here touches a file; `shell::store` keeps the links.

mod chain;
mod entry;
mod reach;
mod replay;

pub use chain::{Broken, Chain, Hash, Link};
pub use entry::{Body, Entry, FORMAT, Locked, Opened, PinHash, SeatEvent, SoundFile};
pub use reach::{Network, Reach};
pub use replay::{ReplayError, Replayed, replay};
