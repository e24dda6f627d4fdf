//! What is noticed of the computer, and told of whoever plays without sitting there.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use annexd_laws::Termination;
use annexd_laws::notation::Announcement;
use annexd_phrases::{Fault, Phrase};

/// What is told of the server, and of the player behind it.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElsewhereNotice {
    /// The server does not answer, and is tried again after so many seconds.
    Lost(u32),
    /// It answers, and not with this game, and is tried again after so many seconds.
    Astray(u32),
    /// It wants to be left alone for so many seconds.
    Busy(u32),
    /// It answers again.
    Back,
    /// It does not let this player in any more.
    NotLetIn,
    /// The other player has gone; after so many seconds the game can be claimed, if ever.
    OpponentGone(Option<u32>),
    /// He is there again.
    OpponentBack,
    /// The server does not take the last move of the player here: so many plies stand.
    MoveRefused(u32),
    /// Moves were taken back, or never came there: so many plies stand.
    TakenBack(u32),
    /// The player's first move has to come within so many seconds.
    FirstMoveDue(u32),
    /// The other player offers a draw.
    OffersDraw,
    /// The offer of this side is not open any more.
    OfferGone(#[serde_as(as = "DisplayFromStr")] Color),
    /// The other player wants his move back.
    WantsTakeBack,
    /// He does not want it any more.
    WantsNoTakeBack,
    /// He does not let the player here have his.
    TakeBackDeclined,
    /// The server does not do what was wanted of it.
    WishRefused,
    /// The other player writes something.
    Writes(String),
    /// The game is over, and how.
    Over(ElsewhereEnd),
}

/// How a game ends by the word of a server.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElsewhereEnd {
    /// In a way that the Laws know.
    By(Termination),
    /// Drawn; in which way follows from the game.
    Drawn,
    /// This side has left it.
    Left(#[serde_as(as = "DisplayFromStr")] Color),
    /// It was given up before it had begun.
    Aborted,
    /// This side has won, and nothing more is known.
    Won(#[serde_as(as = "DisplayFromStr")] Color),
    /// Nothing is known.
    Unknown,
}

/// What a player wants of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElsewhereWish {
    /// The offer of the other player is accepted.
    AcceptDraw,
    /// It is declined.
    DeclineDraw,
    /// He resigns.
    Resign,
    /// The game is given up before it has begun.
    Abort,
    /// He wants his move back.
    TakeBack,
    /// The other player may have his.
    AllowTakeBack,
    /// He may not.
    RefuseTakeBack,
    /// The game is won, as the other player has gone.
    ClaimVictory,
}

/// What is noticed of the computer itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineNotice {
    /// It slept for so long and is awake again. The game's own time stood still meanwhile.
    Slept(Duration),
    /// The program was away, and goes on with the game.
    Away,
    /// Its battery has come down to so many percent.
    BatteryAt(u8),
}

/// What is told of a program that plays a side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgramNotice {
    /// It is there, and waits for its opponent to begin or to go on.
    Ready,
    /// It plays on no more, and why. That costs nobody the game: the clocks stop.
    Failed(Fault),
    /// From this position no program can play: its opponent's move was illegal.
    CannotPlay,
    /// The move that it suggests to its opponent.
    Hint(Announcement),
    /// What it teaches its opponent.
    Teaches(Phrase),
}
