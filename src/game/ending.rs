//! How a game ends.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use crate::score::GameResult;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The points; `None` if the game is annulled.
    pub result: Option<GameResult>,
    /// Why.
    pub reason: Reason,
    /// The article of the edition in force.
    pub article: String,
}

/// Why a game ends.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Mate (5.1.1).
    Checkmate,
    /// A player resigned (5.1.2).
    Resignation(#[serde_as(as = "DisplayFromStr")] Color),
    /// Stalemate (5.2.1).
    Stalemate,
    /// Neither can mate by any series of legal moves (5.2.2).
    DeadPosition,
    /// The players agreed (5.2.3).
    Agreement,
    /// The same position for the third time, claimed (9.2).
    Threefold,
    /// Fifty moves by each, claimed (9.3).
    FiftyMoves,
    /// The same position for the fifth time (9.6.1).
    Fivefold,
    /// Seventy-five moves by each (9.6.2).
    SeventyFiveMoves,
    /// A player overstepped the time (6.9).
    Time(#[serde_as(as = "DisplayFromStr")] Color),
    /// Both flags are down and nobody knows which fell first (III.3).
    BothFlags,
    /// A player completed one illegal move too many (7.5.5).
    IllegalMoves(#[serde_as(as = "DisplayFromStr")] Color),
    /// A player came too late (6.7.1).
    Default(#[serde_as(as = "DisplayFromStr")] Color),
    /// The sealed move was ambiguous or illegal (E.8).
    SealedMove(#[serde_as(as = "DisplayFromStr")] Color),
    /// No winning attempt (III.5).
    NoWinningAttempt,
    /// A player was penalised with the loss of the game (12.9).
    Penalty(#[serde_as(as = "DisplayFromStr")] Color),
    /// The arbiter decided without giving a reason of this list.
    Arbiter,
    /// The game is annulled (7.2, 7.3).
    Annulled,
}
