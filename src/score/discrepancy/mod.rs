//! Differing positions and scores, and the remedy of D.2.9.
//!
//! [`reconcile`] compares two scores and the boards and gives a [`Report`]: what the Laws ask for,
//! with its reasons. The arbiter confirms or changes it; [`Report::restored`] carries that out.

mod alike;
mod alone;
mod beside;
mod both;
mod class;
mod columns;
mod competing;
mod concerned;
mod ends;
mod explain;
mod explanation;
mod fault;
mod paragraph;
mod placement;
mod report;
mod restore;
mod shown;
mod suppose;
mod tail;
mod times;
mod whole_sheet;
mod words;

pub use concerned::Concerned;
pub use fault::{Fault, FaultKind, Owner};
pub use paragraph::{Wording, WordingError};
pub use placement::{Correction, ParsePlacementError, corrections, read_placement};
pub use report::{
    Alternative, ByOwner, Case, ClockTimes, DifferingEntry, DifferingSquare, Position, Report,
    Verdict, reconcile,
};
pub use restore::{Decision, RestoreError, Restored};
pub use times::{LoneOffer, allotted};
