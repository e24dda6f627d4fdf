//! What the Laws of Chess say, edition by edition.
//!
//! The Laws judge, for the arbiter; they are not the state of the game. Everything here takes
//! facts and gives a decision with the clause it rests on; [`Rules::article`] turns a clause into
//! the article of the edition in force.

mod adaptation;
mod any_series;
mod articles;
mod choices;
mod edition;
mod game_type;
mod position;
mod result;
mod rules;
mod termination;

pub use adaptation::{Adaptation, AdaptationError};
pub use any_series::{Answer, can_mate_by_any_series, is_dead};
pub use articles::Articles;
pub use choices::*;
pub use edition::{Edition, UnknownEdition};
pub use game_type::{GameType, Supervision};
pub use position::{NotAPosition, bare, judged, setup_of};
pub use result::{GameResult, Points, PointsError};
pub use rules::*;
pub use termination::{ImmediateEnd, LossOrDraw, Termination, immediate_end, resignation};
