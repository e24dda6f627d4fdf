//! What is noticed about the computer, and about players who are not at the table.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use annexd_laws::Termination;
use annexd_laws::notation::Announcement;
use annexd_phrases::{Fault, Phrase};

/// What is reported of the server and of the player behind it.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElsewhereNotice {
    /// The server does not answer; the next try follows after this many seconds.
    Lost(u32),
    /// The server answers, but not with this game; the next try follows after this many seconds.
    Astray(u32),
    /// The server asks for no requests for this many seconds.
    Busy(u32),
    /// The server answers again.
    Back,
    /// The server no longer accepts this player's login.
    NotLetIn,
    /// The other player has gone. After this many seconds the game can be claimed; `None` if never.
    OpponentGone(Option<u32>),
    /// The other player is back.
    OpponentBack,
    /// The server does not accept the local player's last move: this many plies stand.
    MoveRefused(u32),
    /// Moves were taken back, or never reached the server: this many plies stand.
    TakenBack(u32),
    /// The player's first move is due within this many seconds.
    FirstMoveDue(u32),
    /// The other player offers a draw.
    OffersDraw,
    /// This side's offer is no longer open.
    OfferGone(#[serde_as(as = "DisplayFromStr")] Color),
    /// The other player asks to take his move back.
    WantsTakeBack,
    /// The other player no longer asks for it.
    WantsNoTakeBack,
    /// The other player declines to let the local player take his move back.
    TakeBackDeclined,
    /// The server refuses what was asked of it.
    WishRefused,
    /// The other player writes something.
    Writes(String),
    /// The game is over, and how.
    Over(ElsewhereEnd),
}

/// How a game ends according to a server.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElsewhereEnd {
    /// By a termination that the Laws know.
    By(Termination),
    /// Drawn. The reason is inferred from the game.
    Drawn,
    /// This side has left the game.
    Left(#[serde_as(as = "DisplayFromStr")] Color),
    /// The game was aborted before it had begun.
    Aborted,
    /// This side has won for an unknown reason.
    Won(#[serde_as(as = "DisplayFromStr")] Color),
    /// The result is unknown.
    Unknown,
}

/// What a player asks of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ElsewhereWish {
    /// Accept the other player's draw offer.
    AcceptDraw,
    /// Decline the other player's draw offer.
    DeclineDraw,
    /// Resign.
    Resign,
    /// Abort the game before it has begun.
    Abort,
    /// Ask to take the player's own move back.
    TakeBack,
    /// Let the other player take his move back.
    AllowTakeBack,
    /// Do not let the other player take his move back.
    RefuseTakeBack,
    /// Claim the win because the other player has gone.
    ClaimVictory,
}

/// What is noticed about the computer itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineNotice {
    /// It slept for this long and is awake again. The game's own time stood still meanwhile.
    Slept(Duration),
    /// The program was closed, and continues the game.
    Away,
    /// Its battery has come down to this many percent.
    BatteryAt(u8),
}

/// What a program that plays a side reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProgramNotice {
    /// It is ready, and waits for its opponent to begin or to go on.
    Ready,
    /// It has stopped playing, for this reason. Nobody loses the game by it: the clocks stop.
    Failed(Fault),
    /// No program can play from this position, because its opponent's move was illegal.
    CannotPlay,
    /// The move it suggests to its opponent.
    Hint(Announcement),
    /// What it teaches its opponent.
    Teaches(Phrase),
}
