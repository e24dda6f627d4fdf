//! What a board shows: placements, handling of pieces, and the moves they amount to.

mod difference;
mod event;
mod fact;
mod following;
mod identify;
mod path;
mod reading;
mod reconstructor;
mod tracker;

pub use difference::{
    SquareDifference, differences, differing_squares, fewest_differences, placement_after,
};
pub use event::{Event, Observation, Patience, PlayedMove};
pub use fact::{AsLetter, Fact};
pub use path::{Gesture, is_rook_of, unmoved_rooks};
pub use reading::{Orientation, Reading, Readings};
pub use reconstructor::Reconstructor;
