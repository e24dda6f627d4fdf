//! One entry of a score.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Color, Square};

use super::english::english;
use super::notated::Notated;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;

/// One recorded move with the notes beside it on the sheet (8.1.4).
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The meaning of the entry.
    pub notated: Notated,
    /// The text on the sheet, if it came from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
    /// The square that the piece left, if a board showed it although nobody said it.
    #[serde_as(as = "Option<DisplayFromStr>")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Square>,
    /// The number and column under which the entry stands on the sheet, right or wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<SheetPlace>,
    /// Whether a draw was offered with this move: (=) (8.1.5).
    #[serde(default, skip_serializing_if = "is_false")]
    pub offer: bool,
    /// The time that the player has left after the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Duration>,
    /// When it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// Slips of the tongue or pen that this entry has replaced, oldest first (D.2.8).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slips: Vec<Notated>,
    /// Moves that were heard and read back before although nobody said them, oldest first
    /// (D.2.10.2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub misheard: Vec<Notated>,
    /// How the entry came into the score.
    #[serde(default, skip_serializing_if = "Provenance::is_recorded")]
    pub provenance: Provenance,
}

/// A number and a column on a sheet.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SheetPlace {
    /// The number of the move.
    pub number: u32,
    /// The column.
    #[serde_as(as = "DisplayFromStr")]
    pub side: Color,
}

/// How an entry came into a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provenance {
    /// Recorded move by move during the game (8.1.1).
    #[default]
    Recorded,
    /// Filled in from the arbiter's or the opponent's sheet (8.5.1, 8.5.2).
    Completed,
    /// Reconstructed on a board under the arbiter's control (8.5.3).
    Reconstructed,
}

impl Entry {
    /// Makes an entry with this meaning and nothing more.
    pub const fn new(notated: Notated) -> Self {
        Self {
            notated,
            written: None,
            left: None,
            place: None,
            offer: false,
            clock: None,
            at: None,
            slips: Vec::new(),
            misheard: Vec::new(),
            provenance: Provenance::Recorded,
        }
    }

    /// Makes the entry that a player records by announcing or repeating a move, with its time.
    pub fn announced(announced: &Announcement, at: Moment) -> Self {
        Self {
            at: Some(at),
            ..Self::new(Notated::from(announced))
        }
    }
}

impl Entry {
    /// The text on the sheet, or the move in English letters if it never was on one.
    pub fn words(&self) -> String {
        self.written
            .clone()
            .unwrap_or_else(|| english(&self.notated))
    }
}

impl Provenance {
    const fn is_recorded(&self) -> bool {
        matches!(self, Self::Recorded)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
const fn is_false(value: &bool) -> bool {
    !*value
}
