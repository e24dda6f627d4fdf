//! Reads what is typed at the table.

use super::report::{Report, Seat};
use crate::game::Game;
use crate::phrases::Phrase;

/// Turns a typed line into reports, or says why it cannot.
pub trait Reader {
    /// Reads one line. It never returns another [`Report::Typed`].
    ///
    /// # Errors
    ///
    /// The phrase that tells the typist why.
    fn read(&mut self, game: &Game, seat: Seat, text: &str) -> Result<Vec<Report>, Phrase>;
}
