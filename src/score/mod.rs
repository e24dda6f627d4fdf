//! Game scores: what each player recorded (article 8, D.2.7).
//!
//! A game has two scores, and they are never mixed: what the player recorded and what the
//! opponent recorded. What the program itself saw is a third thing and belongs to the journal.

mod entry;
mod kept;
mod notated;
mod pgn_out;
mod result;
mod standing;

pub use entry::{Entry, Place, Provenance};
pub use kept::{KeepError, Score, Signature};
pub use notated::{Notated, NotatedMove, PartialSquare};
pub use pgn_out::to_pgn;
pub use result::{GameResult, ParseGameResultError};
pub use standing::{Reading, Standing, Step};
