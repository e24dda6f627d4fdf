//! What the Laws of Chess say, edition by edition.

mod edition;

pub use edition::{Edition, GameType, Supervision};
