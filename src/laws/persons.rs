//! Who is at the table, and by which channels they are spoken to.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

/// A person at the table.
///
/// The Laws give each of them different rights: a player announces, claims and resigns; an
/// assistant does the duties of D.2.10 (of D.2.11 on the sighted side); the arbiter decides.
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

/// Where something is said or shown.
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
    /// Whether a player must not see or hear what is said here unless it is his own.
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

/// Something that each side has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Sides<T> {
    /// White's.
    #[serde(default)]
    pub white: T,
    /// Black's.
    #[serde(default)]
    pub black: T,
}

impl<T> Sides<T> {
    /// What each side gets from a function of its colour.
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
