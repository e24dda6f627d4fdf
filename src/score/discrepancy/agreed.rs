//! A way to explain two scores: what both agree on, and what has to be supposed for it.

use super::fault::Fault;
use super::owner::{ByOwner, Owner};
use crate::Standing;

/// One way to explain two scores.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    /// What it comes to.
    pub(super) kind: ExplanationKind,
    /// Each ply up to the last on which the scores agree.
    pub(super) agreed: Vec<AgreedPly>,
    /// The ply of the last of them that both record.
    pub(super) by_both: usize,
    /// The score that ends before the other, if one does.
    pub(super) shorter: Option<Owner>,
    /// How many entries of each score lie before a difference: those of the last agreed ply, and
    /// those after it that do not count.
    pub(super) read: Option<[usize; 2]>,
    /// The faults, in the order of the game.
    pub(super) faults: Vec<Fault>,
    /// The order in which the entries of each sheet are read, if not as they stand.
    pub(super) orders: Option<ByOwner<Vec<usize>>>,
    /// The ply on which both scores record the same illegal move first.
    pub(super) illegal_at: Option<usize>,
    /// How many faults that are.
    pub(super) count: u32,
    /// What they cost, and what speaks against it besides.
    pub(super) cost: u32,
    /// Whether it needs no more faults than anybody would believe.
    pub(super) is_credible: bool,
    /// Whether it is dearer than another and only competes with that: the other is not proved, but
    /// nothing proves this one either.
    pub(super) is_beside: bool,
    /// Whether nothing in the scores bears out its last fault.
    pub(super) is_flimsy: bool,
}

/// One ply of the game as both scores record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AgreedPly {
    /// The position after it.
    pub(super) after: Standing,
    /// How many entries of each score lie before that position.
    pub(super) entries: [usize; 2],
}

/// What an explanation comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExplanationKind {
    /// The scores are records of one game; one may be shorter.
    OneGame,
    /// From the last agreed ply on the scores differ.
    Differ,
}
