//! The cost of each assumption, in halves of a usual fault, and the limits of what is believed.
//!
//! | assumption | cost |
//! |---|---|
//! | a usual fault: missing, doubled, exchanged, unreadable, not legal | 2 |
//! | an empty place, which contradicts nothing | 1 |
//! | a row that is missing or doubled: both faults by one mistake | 3 |
//! | an entry too many, or a legal move that is a slip | 4 |
//! | a permanent difference | 2 |
//! | the same illegal move in both; another after it | 3; 1 |
//!
//! The cheapest explanation is the verdict, unless another one costs so little more that nobody can
//! tell.

/// The cost of a usual fault.
pub(super) const FAULT: u32 = 2;

/// The cost of an empty place.
pub(super) const EMPTY: u32 = 1;

/// The cost of an entry that is passed over, or of a legal move that is a slip: two faults.
pub(super) const PASSED_OVER: u32 = 2 * FAULT;

/// The cost of a permanent difference.
pub(super) const DIFFERENCE: u32 = 2;

/// The cost of the same illegal move in both scores, which happens but rarely.
pub(super) const ILLEGAL: u32 = 3;

/// The cost of another such move after the first of them.
pub(super) const LATER_ILLEGAL: u32 = 1;

/// The cost added to a difference if both scores continue in the same words, but not entry by
/// entry. Four faults of the most expensive kind and a later difference are then the better
/// explanation.
pub(super) const SAME_WORDS_LATER: u32 = 4 * PASSED_OVER + DIFFERENCE;

/// How much more the explanations cost that are listed beside an uncertain difference: two faults.
pub(super) const BESIDE_UNCERTAIN: u32 = 2 * FAULT;

/// How much more the explanations cost that compete with a difference after which both scores,
/// sooner or later, continue for long in the same words, but not entry by entry: three faults.
pub(super) const BESIDE_SAME_WORDS: u32 = 3 * FAULT;

/// The greatest number of faults that is taken as proved. More faults are possible but unproved.
pub(super) const MOST_FAULTS: u32 = 4;

/// How many faults may be assumed besides, if a sheet is read in another order than it is written
/// in.
pub(super) const MOST_BESIDE_ORDER: u32 = 3;

/// With more faults than these, a legal move is not taken for a slip with certainty.
pub(super) const MOST_BESIDE_SLIP: u32 = 3;

/// Numbers of faults above this in one score by itself are treated as equal.
pub(super) const MOST_ALONE: u32 = 4;

/// The greatest cost of four faults and a difference after them.
pub(super) const CREDIBLE: u32 = 4 * PASSED_OVER + DIFFERENCE;

/// The usual cost of five faults, and a little more. If it is unknown whether so many explain the
/// scores for less, nothing that costs more is certain.
pub(super) const FIVE_FAULTS: u32 = 5 * FAULT + 2;

/// Explanations that cost more are not searched for.
pub(super) const MAX_COST: u32 = 60;
