//! What a board shows: placements, handling of pieces, and the moves they amount to.

mod agreement;
mod difference;
mod event;
mod fact;
mod following;
mod hindsight;
mod identify;
mod path;
mod reading;
mod reconstructor;
mod retrace;
mod sight;
mod tracker;

pub use agreement::Agreement;
pub use difference::{
    SquareDifference, differences, differing_squares, fewest_differences, placement_after,
};
pub use event::{Event, Observation, Patience, PlayedMove};
pub use fact::{AsLetter, Fact};
pub use hindsight::{Hindsight, PastGame};
pub use path::Gesture;
pub use reading::{Orientation, Reading, Readings};
pub use reconstructor::Reconstructor;
pub use retrace::{Retrace, Retraced};
