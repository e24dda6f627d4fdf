//! What hearing should expect now: whose words count and what form they have. It never depends on
//! the position, nor on whether a move is legal.

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

/// What one microphone should expect.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Expectation {
    /// The side that owns the microphone; `None`: both sides share it.
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub microphone: Option<Color>,
    /// The side whose voice is expected; `None`: nobody's. A player's own microphone expects its
    /// owner whenever he may say anything.
    #[serde_as(as = "Option<DisplayFromStr>")]
    pub voice: Option<Color>,
    /// What form of words comes next, besides the commands.
    pub form: Form,
    /// While the program speaks, only Stopp, Korrektur, nein and "ich berichtige" are obeyed.
    pub urgent_only: bool,
}

/// The form of what comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Commands only: no move is expected of this voice.
    Commands,
    /// The announcement of a move.
    Announcement,
    /// The repetition of the opponent's announcement.
    Repetition,
    /// A square, the answer to "from where?", or the whole announcement again.
    Origin,
    /// A piece, the answer to "which piece?", or the whole announcement again.
    Promotion,
    /// Yes or no.
    Confirmation,
    /// Yes or no to whether he has said what he may have said, or that again.
    Answer,
    /// Nothing: muted, or the game is over.
    Nothing,
}
