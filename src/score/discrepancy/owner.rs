//! Whose score or board it is.

use serde::{Deserialize, Serialize};

/// Whose score or board it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The blind player.
    Player,
    /// The opponent.
    Opponent,
}

impl Owner {
    /// Both, the player first.
    pub const BOTH: [Self; 2] = [Self::Player, Self::Opponent];

    /// The other of them.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Player => Self::Opponent,
            Self::Opponent => Self::Player,
        }
    }
}

/// Something that the player and the opponent have one each of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ByOwner<T> {
    /// The blind player's.
    pub player: T,
    /// The opponent's.
    pub opponent: T,
}

impl<T> ByOwner<T> {
    /// That of one of them.
    pub const fn get(&self, owner: Owner) -> &T {
        match owner {
            Owner::Player => &self.player,
            Owner::Opponent => &self.opponent,
        }
    }

    /// Makes one for each.
    pub fn each(mut make: impl FnMut(Owner) -> T) -> Self {
        Self {
            player: make(Owner::Player),
            opponent: make(Owner::Opponent),
        }
    }
}
