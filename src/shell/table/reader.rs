//! Who reads what is typed at the table.

use super::report::{Report, Seat};
use crate::game::Game;
use crate::phrases::Phrase;

/// Puts what somebody typed into reports, or says why it cannot.
pub trait Reader {
    /// Reads one line. It never gives another [`Report::Typed`].
    ///
    /// # Errors
    ///
    /// What whoever typed it is told.
    fn read(&mut self, game: &Game, seat: Seat, text: &str) -> Result<Vec<Report>, Phrase>;
}
