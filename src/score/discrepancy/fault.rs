//! The faults of a score, and their costs.

use serde::{Deserialize, Serialize};

use super::costs::{EMPTY, FAULT, PASSED_OVER};
use super::owner::Owner;

/// A fault of one score that does not make the two differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SheetFault {
    /// Whose score it is in.
    pub owner: Owner,
    /// The entry in that score, counted from 0. For a missing move it is the entry before which the
    /// move is missing.
    pub entry: usize,
    /// The ply of the game, counted from 0.
    pub ply: usize,
    /// The kind of fault.
    pub kind: FaultKind,
    /// For exchanged columns, the entry at which they end, if they do.
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
    /// Two moves are exchanged: the columns of one row, or the same column of two rows.
    Transposed,
    /// From here on, or for some rows, White's moves stand in Black's column and Black's in
    /// White's.
    Columns,
    /// The sheet is a later page: it begins with this move.
    LaterPage,
    /// The same moves stand in another order, and lead to the same position.
    OtherOrder,
    /// Nothing can be read.
    Unreadable,
    /// The place is empty.
    Blank,
    /// More than one move fits what is written.
    Incomplete,
    /// The piece and the square of arrival are right. The square of departure or the promotion is
    /// not possible.
    WrongOrigin,
    /// The piece and the square of arrival are right. Another piece of that kind, which could go
    /// there too, is named.
    OtherOrigin,
    /// The entry is no move of the game. The move itself follows it.
    Extra,
    /// It is a legal move, but not the one that was played: a slip, which the rest of the score may
    /// confirm.
    OtherMove,
    /// No such move is legal there.
    NotLegal,
}

impl FaultKind {
    /// Returns whether the entry contradicts the other score, so that only later agreement can
    /// explain it as a slip.
    pub(super) const fn contradicts(self) -> bool {
        matches!(self, Self::OtherOrigin | Self::OtherMove | Self::NotLegal)
    }

    /// Returns whether the fault passes over entries, so that others are aligned.
    pub(super) const fn shifts(self) -> bool {
        matches!(self, Self::Missing | Self::Doubled | Self::Extra)
    }

    /// The cost of assuming it, in halves of a fault: 2 as a rule. An empty place contradicts
    /// nothing and costs 1. To pass over an entry or a legal move costs two faults.
    pub(super) const fn cost(self) -> u32 {
        match self {
            Self::Blank => EMPTY,
            Self::Extra | Self::OtherMove => PASSED_OVER,
            _ => FAULT,
        }
    }
}
