//! What it costs to suppose something, in halves of a usual fault, and how much is believed.
//!
//! | what is supposed | costs |
//! |---|---|
//! | a usual fault: missing, twice, exchanged, unreadable, not legal | 2 |
//! | an empty place, which contradicts nothing | 1 |
//! | a row that is missing or stands twice: both faults at a stroke | 3 |
//! | an entry too many, or a legal move that is a slip | 4 |
//! | that the scores differ for good | 2 |
//! | the same illegal move in both; another behind it | 3; 1 |
//!
//! The cheapest explanation is the verdict, unless another comes so near that nobody can tell.

/// A usual fault.
pub(super) const FAULT: u32 = 2;

/// An empty place.
pub(super) const EMPTY: u32 = 1;

/// An entry that is passed over, or a legal move that is a slip: as much as two faults.
pub(super) const PASSED_OVER: u32 = 2 * FAULT;

/// A difference for good.
pub(super) const DIFFERENCE: u32 = 2;

/// That both record the same illegal move: that happens, but seldom.
pub(super) const ILLEGAL: u32 = 3;

/// The same behind the first of them.
pub(super) const LATER_ILLEGAL: u32 = 1;

/// What speaks against a difference if both scores go on in the same words, but not side by side:
/// four faults of the dearest kind and a difference later on are the better explanation.
pub(super) const SAME_WORDS_LATER: u32 = 4 * PASSED_OVER + DIFFERENCE;

/// So much dearer explanations are listed beside an uncertain difference: two faults.
pub(super) const BESIDE_UNCERTAIN: u32 = 2 * FAULT;

/// So much dearer explanations compete with a difference after which both scores sooner or later
/// go on for long in the same words, but not side by side: three faults.
pub(super) const BESIDE_SAME_WORDS: u32 = 3 * FAULT;

/// What needs more faults than these may be so, but is not taken for proved.
pub(super) const MOST_FAULTS: u32 = 4;

/// So many may be supposed besides, if a sheet is read in another order than it is written in.
pub(super) const MOST_BESIDE_ORDER: u32 = 3;

/// With more than these a legal move is not taken for a slip for sure.
pub(super) const MOST_BESIDE_SLIP: u32 = 3;

/// More faults than this in one score by itself are not told apart.
pub(super) const MOST_ALONE: u32 = 4;

/// What four faults cost at most, and a difference after them.
pub(super) const CREDIBLE: u32 = 4 * PASSED_OVER + DIFFERENCE;

/// What five faults cost as a rule, and a little more: if nobody knows whether so many explain the
/// scores for less, nothing dearer is sure.
pub(super) const FIVE_FAULTS: u32 = 5 * FAULT + 2;

/// Dearer explanations are not looked for at all.
pub(super) const DEAREST: u32 = 60;
