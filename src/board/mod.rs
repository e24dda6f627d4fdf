//! What a board shows: placements, handling of pieces, and the moves they amount to.

mod fact;

pub use fact::{AsLetter, Fact};
