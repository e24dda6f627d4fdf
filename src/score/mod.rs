//! Game scores: what each player recorded (article 8, D.2.7).
//!
//! A game has two scores, and they are never mixed: what the player recorded and what the
//! opponent recorded. What the program itself saw is a third thing and belongs to the journal.

mod entry;
mod kept;
mod letters;
mod notated;
mod pgn_out;
mod result;
mod scan;
mod sheet_in;
mod standing;
mod written;

pub use entry::{Entry, Place, Provenance};
pub use kept::{KeepError, Score, Signature};
pub use letters::{Letters, ParseLettersError};
pub use notated::{Notated, NotatedMove, PartialSquare};
pub use pgn_out::to_pgn;
pub use result::{GameResult, ParseGameResultError};
pub use sheet_in::{
    ReadNote, ReadNoteKind, ReadScore, ReadScoreError, ReadScoreErrorKind, read_score,
};
pub use standing::{Reading, Standing, Step};
pub use written::{read_move, write_move};
