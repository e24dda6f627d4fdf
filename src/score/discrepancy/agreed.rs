//! One way to explain two scores: what both agree on, and the faults it assumes.

use super::fault::SheetFault;
use super::owner::{ByOwner, Owner};
use crate::Standing;

/// One way to explain two scores.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    /// The result of the explanation.
    pub(super) kind: ExplanationKind,
    /// Each ply up to the last on which the scores agree.
    pub(super) agreed: Vec<AgreedPly>,
    /// The last of these plies that both scores record.
    pub(super) by_both: usize,
    /// The score that ends before the other, if one does.
    pub(super) shorter: Option<Owner>,
    /// How many entries of each score lie before a difference: those up to the last agreed ply, and
    /// those after it that do not count.
    pub(super) read: Option<[usize; 2]>,
    /// The faults, in the order of the game.
    pub(super) faults: Vec<SheetFault>,
    /// The order in which the entries of each sheet are read, or `None` for the order on the
    /// sheets.
    pub(super) orders: Option<ByOwner<Vec<usize>>>,
    /// The first ply on which both scores record the same illegal move.
    pub(super) illegal_at: Option<usize>,
    /// The number of faults.
    pub(super) count: u32,
    /// The cost of the faults and of everything else that speaks against the explanation.
    pub(super) cost: u32,
    /// Whether the number of faults is credible.
    pub(super) is_credible: bool,
    /// Whether it costs more than another explanation with which it competes: the other is not
    /// proved, but nothing proves this one either.
    pub(super) is_rival: bool,
    /// Whether nothing in the scores supports its last fault.
    pub(super) is_unsupported: bool,
}

/// One ply of the game as both scores record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AgreedPly {
    /// The position after it.
    pub(super) after: Standing,
    /// How many entries of each score lie before that position.
    pub(super) entries: [usize; 2],
}

/// The result of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExplanationKind {
    /// The scores are records of one game. One may be shorter.
    OneGame,
    /// The scores differ from the last agreed ply on.
    Differ,
}
