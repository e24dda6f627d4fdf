//! The persons at the table, and the channels on which they are spoken to.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

/// A person at the table.
///
/// The Laws give each person different rights. A player announces, claims and resigns. An assistant
/// does the duties of D.2.10 (of D.2.11 on the sighted side). The arbiter decides.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    /// The player of this colour.
    Player(#[serde_as(as = "DisplayFromStr")] Color),
    /// The assistant of the player of this colour.
    Assistant(#[serde_as(as = "DisplayFromStr")] Color),
    /// The arbiter.
    Arbiter,
}

impl Person {
    /// The side this person belongs to; the arbiter belongs to none.
    pub const fn side(self) -> Option<Color> {
        match self {
            Self::Player(side) | Self::Assistant(side) => Some(side),
            Self::Arbiter => None,
        }
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(side) => write!(f, "{side}"),
            Self::Assistant(side) => write!(f, "{side}'s assistant"),
            Self::Arbiter => f.write_str("arbiter"),
        }
    }
}

/// A place where something is said or shown.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Private to the player of this colour (the catalogue's EAR).
    Ear(#[serde_as(as = "DisplayFromStr")] Color),
    /// Heard by both players (TABLE). Its text is also what the sighted side reads (SP, D.2.11).
    Table,
    /// The console of the assistant of the player of this colour.
    Assistant(#[serde_as(as = "DisplayFromStr")] Color),
    /// The arbiter's console (ARBC).
    Arbiter,
}

impl Channel {
    /// Returns whether the channel is private to one person.
    pub const fn is_private(self) -> bool {
        !matches!(self, Self::Table)
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ear(side) => write!(f, "EAR {side}"),
            Self::Table => f.write_str("TABLE"),
            Self::Assistant(side) => write!(f, "ASSISTANT {side}"),
            Self::Arbiter => f.write_str("ARBITER"),
        }
    }
}

/// A pair of values, one for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sides<T> {
    /// White's value.
    #[serde(default)]
    pub white: T,
    /// Black's value.
    #[serde(default)]
    pub black: T,
}

impl<T> Sides<T> {
    /// Calls a function for each side and keeps the results.
    pub fn from_fn(mut of: impl FnMut(Color) -> T) -> Self {
        Self {
            white: of(Color::White),
            black: of(Color::Black),
        }
    }
}

impl<T> Index<Color> for Sides<T> {
    type Output = T;

    fn index(&self, side: Color) -> &T {
        match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

impl<T> IndexMut<Color> for Sides<T> {
    fn index_mut(&mut self, side: Color) -> &mut T {
        match side {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}
