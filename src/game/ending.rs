//! How a game ends.

use serde::{Deserialize, Serialize};

use crate::laws::{GameResult, Termination};

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The points; `None` if the game is annulled.
    pub result: Option<GameResult>,
    /// Why; `None` if the arbiter gave a result without naming a reason.
    pub termination: Option<Termination>,
    /// The article of the edition in force.
    pub article: String,
}
