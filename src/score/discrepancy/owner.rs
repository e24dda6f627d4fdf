//! The owner of a score or board.

use serde::{Deserialize, Serialize};

/// The owner of a score or board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The blind player.
    Player,
    /// The opponent.
    Opponent,
}

impl Owner {
    /// Both owners, the player first.
    pub const BOTH: [Self; 2] = [Self::Player, Self::Opponent];

    /// The other owner.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Player => Self::Opponent,
            Self::Opponent => Self::Player,
        }
    }
}

/// A pair of values, one for the player and one for the opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ByOwner<T> {
    /// The blind player's value.
    pub player: T,
    /// The opponent's value.
    pub opponent: T,
}

impl<T> ByOwner<T> {
    /// The value of one owner.
    pub const fn get(&self, owner: Owner) -> &T {
        match owner {
            Owner::Player => &self.player,
            Owner::Opponent => &self.opponent,
        }
    }

    /// Makes a value for each owner.
    pub fn each(mut make: impl FnMut(Owner) -> T) -> Self {
        Self {
            player: make(Owner::Player),
            opponent: make(Owner::Opponent),
        }
    }
}
