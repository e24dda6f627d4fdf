//! What can be wrong with a score, and by how much.

use serde::{Deserialize, Serialize};

use super::costs::{EMPTY, FAULT, PASSED_OVER};
use super::owner::Owner;

/// Something wrong with one score that does not make the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fault {
    /// Whose score it is in.
    pub owner: Owner,
    /// The entry in that score, counted from 0. For a missing move, the entry before which it is
    /// missing.
    pub entry: usize,
    /// The ply of the game, counted from 0.
    pub ply: usize,
    /// What is wrong.
    pub kind: FaultKind,
    /// Of exchanged columns the entry from which they are right again, if they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<usize>,
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A move was not written down.
    Missing,
    /// A move was written down twice.
    Doubled,
    /// Two moves stand in each other's place: the columns of one row, or the same column of two
    /// rows.
    Transposed,
    /// From here on, or for some rows, White's moves stand in Black's column and Black's in
    /// White's.
    Columns,
    /// The sheet is a later page: it begins with this move.
    LaterPage,
    /// The same moves stand in another order, and the same position arises.
    OtherOrder,
    /// Nothing can be read.
    Unreadable,
    /// The place is empty.
    Blank,
    /// More than one move fits what is written.
    Incomplete,
    /// The piece and the square of arrival are right, the square of departure or the promotion is
    /// not possible.
    WrongOrigin,
    /// The piece and the square of arrival are right; another piece of that kind could go there
    /// too and is named.
    OtherOrigin,
    /// An entry stands there that is no move of the game; the move itself follows it.
    Extra,
    /// It is a legal move, but not the one that was played: a slip, of which the rest of the score
    /// may say so.
    OtherMove,
    /// No such move is legal there.
    NotLegal,
}

impl FaultKind {
    /// Whether the entry says something else than the other score, so that nothing but later
    /// agreement can explain it away.
    pub(super) const fn contradicts(self) -> bool {
        matches!(self, Self::OtherOrigin | Self::OtherMove | Self::NotLegal)
    }

    /// Whether entries are passed over for it, so that others stand side by side.
    pub(super) const fn shifts(self) -> bool {
        matches!(self, Self::Missing | Self::Doubled | Self::Extra)
    }

    /// What it costs to suppose it, in halves: 2 as a rule. An empty place contradicts nothing. To
    /// pass over an entry, or a legal move, needs as much as two faults.
    pub(super) const fn cost(self) -> u32 {
        match self {
            Self::Blank => EMPTY,
            Self::Extra | Self::OtherMove => PASSED_OVER,
            _ => FAULT,
        }
    }
}
