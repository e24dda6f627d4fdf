//! Differing positions and scores, and the procedure of D.2.9.
//!
//! [`reconcile`] compares two scores and the boards and returns a [`ReconcileReport`]: what the
//! Laws demand, with the reasons. The arbiter confirms or changes it, and
//! [`ReconcileReport::restored`] carries that out.

mod agreed;
mod alignment;
mod alike;
mod alone;
mod as_written;
mod behind_slip;
mod both;
mod class;
mod columns;
mod competing;
mod concerned;
mod costs;
mod doubted;
mod ends;
mod explain;
mod explanation;
mod fault;
mod handwriting;
mod owner;
mod placement;
mod reconcile;
mod report;
mod restore;
mod shown;
mod suppose;
mod tail;
mod times;
mod whole_sheet;
mod words;

pub use fault::{FaultKind, SheetFault};
pub use owner::{ByOwner, Owner};
pub use placement::{Correction, ParsePlacementError, corrections, read_placement};
pub use reconcile::reconcile;
pub use report::{
    Alternative, Case, ClockTimes, Concerned, DifferingEntry, DifferingSquare, LoneOffer, Position,
    ReconcileReport, Verdict,
};
pub use restore::{Decision, RestoreError, Restored};
pub use times::allotted;
