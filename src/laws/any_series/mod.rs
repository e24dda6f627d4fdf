//! "Cannot checkmate by any possible series of legal moves" (5.2.2, 6.9), never wrong.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

/// An answer that is never wrong. What is not proved is unknown and goes to the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Proved.
    Yes,
    /// Disproved.
    No,
    /// Neither.
    Unknown,
}

/// Whether there is a series of legal moves, however bad, that ends with `side` giving mate.
pub fn can_mate_by_any_series(position: &Chess, side: Color) -> Answer {
    let _ = (position, side);
    Answer::Unknown
}

/// Whether neither side can mate by any series of legal moves (5.2.2).
pub fn is_dead(position: &Chess) -> Answer {
    match (
        can_mate_by_any_series(position, Color::White),
        can_mate_by_any_series(position, Color::Black),
    ) {
        (Answer::No, Answer::No) => Answer::Yes,
        (Answer::Yes, _) | (_, Answer::Yes) => Answer::No,
        _ => Answer::Unknown,
    }
}
