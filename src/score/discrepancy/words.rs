//! Compares what entries say, wherever they stand.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use crate::{Entry, Notated, PartialSquare};

/// How far, in entries, the same words are searched for in the other score. Two games that differ
/// do not continue in the same words some entries apart.
const FURTHEST_SHIFT: usize = 6;

/// The conditions for the same words: the number of entries, how many of them must be the same in
/// succession, and how many at most may be the same entry by entry.
const RUNS: [(usize, usize, usize); 2] = [(4, 4, 0), (6, 5, 1)];

/// After one differing entry: the number of entries, and how many must continue in the same words.
const AFTER_SLIP: (usize, usize) = (6, 3);

/// How many entries are enough if they are all that is left.
const FEWEST_SAME: usize = 3;

/// The range, the number of entries, and how many of these must be the same.
const LONG_RUN: (usize, usize, usize) = (8, 10, 9);

/// How many entries are examined where the same words need not begin at once.
const LOOKED_AT: usize = 24;
const SAME: usize = 6;

/// Returns whether two entries say the same, whatever marks of capture and check they have.
pub(super) fn same_words(one: &Notated, other: &Notated) -> bool {
    match (one, other) {
        (Notated::Move(one), Notated::Move(other)) => {
            (one.piece, one.from, one.to, one.takes, one.promotion)
                == (
                    other.piece,
                    other.from,
                    other.to,
                    other.takes,
                    other.promotion,
                )
        }
        (Notated::Castling(one), Notated::Castling(other)) => one.side == other.side,
        _ => false,
    }
}

/// Returns whether two entries can be the same move, one in long and the other in short form.
pub(super) fn can_be_the_same(one: &Notated, other: &Notated) -> bool {
    match (one, other) {
        (Notated::Move(one), Notated::Move(other)) => {
            can_be_one(one.piece, other.piece)
                && can_be_one_square(one.from, other.from)
                && can_be_one_square(one.to, other.to)
                && can_be_one(one.takes, other.takes)
                && can_be_one(one.promotion, other.promotion)
        }
        (Notated::Castling(one), Notated::Castling(other)) => one.side == other.side,
        _ => false,
    }
}

/// Returns whether two entries name the same piece and square of arrival, but different squares of
/// departure.
pub(super) fn differ_in_origin(one: &Notated, other: &Notated) -> bool {
    let (Notated::Move(one), Notated::Move(other)) = (one, other) else {
        return false;
    };
    one.piece.is_some()
        && (one.piece, one.to, one.promotion) == (other.piece, other.to, other.promotion)
        && !can_be_one_square(one.from, other.from)
}

/// Returns whether an entry has a capture mark.
pub(super) const fn marks_capture(entry: &Entry) -> bool {
    matches!(&entry.notated, Notated::Move(notated) if notated.capture)
}

/// Returns whether an entry repeats one of the two before it.
pub(super) fn is_doubled(entries: &[Entry], at: usize) -> bool {
    entries[at.saturating_sub(2)..at]
        .iter()
        .any(|earlier| same_words(&earlier.notated, &entries[at].notated))
}

/// Two scores from some place on: as they are read, and with the columns of their rows exchanged.
pub(super) struct Rest<'a> {
    read: [&'a [Entry]; 2],
    turned: [&'a [Entry]; 2],
}

impl<'a> Rest<'a> {
    pub(super) fn of(scores: [&'a [Entry]; 2], turned: [&'a [Entry]; 2], at: [usize; 2]) -> Self {
        let from = |lists: [&'a [Entry]; 2]| {
            [0, 1].map(|owner| lists[owner].get(at[owner]..).unwrap_or_default())
        };
        Self {
            read: from(scores),
            turned: from(turned),
        }
    }

    /// Returns whether the scores continue at once in the same words, some entries apart or with
    /// exchanged columns. Then an entry is missing or too many here, or the columns change, and the
    /// scores are not two games. `passed` entries are passed over already, of the first score if it
    /// is positive and of the second if it is negative.
    pub(super) fn is_the_same_later(&self, passed: isize) -> bool {
        let [one, other] = self.read;
        let side_by_side = RUNS.map(|(length, ..)| same_in(one, other, length));
        // A piece that moves to and fro also gives the same words later.
        let [turned_one, turned_other] = self.turned;
        let is_mostly_side_by_side = [(one, other), (turned_one, other), (one, turned_other)]
            .iter()
            .any(|(one, other)| {
                let left = LOOKED_AT.min(one.len()).min(other.len());
                2 * same_in(one, other, LOOKED_AT) > left
            });
        self.any_shift(passed, |later, to, shift| {
            let runs = RUNS.iter().zip(side_by_side);
            let is_all = || {
                let left = later.len().min(to.len());
                left >= FEWEST_SAME
                    && same_in(later, to, left) == left
                    && left <= LOOKED_AT
                    && (shift == 0 || !is_mostly_side_by_side)
                    && 2 * same_in(one, other, left) <= left
            };
            runs.into_iter().any(|(&(length, fewest, most), beside)| {
                beside <= most && same_in(later, to, length) >= fewest
            }) || is_all()
        })
    }

    /// Returns the score that lacks one entry directly after the next, if both continue in the same
    /// words then. Their next entries differ, so the scores can differ there nevertheless.
    pub(super) fn lacks_one_behind(&self) -> Option<usize> {
        let [one, other] = self.read;
        let (length, fewest, most) = RUNS[1];
        if same_in(one, other, length) > most {
            return None;
        }
        [(one, other, 1), (other, one, 0)]
            .into_iter()
            .find_map(|(later, to, lacking)| {
                let later = later.get(1..)?;
                let [first, same] = [1, length].map(|of| same_in(later, to, of));
                (first == 0 && same >= fewest).then_some(lacking)
            })
    }

    /// Returns whether the scores continue in the same words, entry by entry, after one entry of
    /// each.
    pub(super) fn goes_on_side_by_side(&self) -> bool {
        let [one, other] = self
            .read
            .map(|entries| entries.get(1..).unwrap_or_default());
        let (length, fewest) = AFTER_SLIP;
        let left = length.min(one.len()).min(other.len());
        same_in(one, other, length) >= fewest.min(left)
    }

    /// Returns whether one score has the next entry of the other one or two entries later.
    pub(super) fn begins_again(&self) -> bool {
        let [one, other] = self.read;
        let same = |one: Option<&Entry>, other: Option<&Entry>| {
            one.zip(other)
                .is_some_and(|(one, other)| can_be_the_same(&one.notated, &other.notated))
        };
        (1..=2)
            .any(|later| same(one.first(), other.get(later)) || same(one.get(later), other.first()))
    }

    /// Returns whether they soon continue for long in the same words, but not entry by entry: some
    /// entries apart, or with exchanged columns.
    pub(super) fn goes_on_later(&self) -> bool {
        let [one, other] = self.read;
        let (within, length, fewest) = LONG_RUN;
        let is_run = |later: &[Entry], to: &[Entry], _: usize| {
            (0..within).any(|from| {
                let [later, to] = [later, to].map(|it| it.get(from..).unwrap_or_default());
                same_in(later, to, length) >= fewest
            })
        };
        let is_side_by_side = is_run(one, other, 0);
        !is_side_by_side && self.any_shift(0, is_run)
    }

    /// Returns whether they do so sooner or later.
    pub(super) fn is_mostly_the_same_later(&self) -> bool {
        let [one, other] = self.read;
        let side_by_side = same_in(one, other, LOOKED_AT);
        self.any_shift(0, |later, to, _| {
            let same = same_in(later, to, LOOKED_AT);
            same >= SAME && same >= 2 * side_by_side
        })
    }

    fn any_shift(&self, passed: isize, is: impl Fn(&[Entry], &[Entry], usize) -> bool) -> bool {
        let [one, other] = self.read;
        let [turned_one, turned_other] = self.turned;
        let after = |first: &[Entry], second: &[Entry], shift: usize| {
            is(&first[shift.min(first.len())..], second, shift)
        };
        let either = |one: &[Entry], other: &[Entry], shift: usize| {
            after(one, other, shift) || after(other, one, shift)
        };
        let by = |shift: usize| shift.cast_signed();
        (1..=FURTHEST_SHIFT).any(|shift| {
            passed != by(shift) && after(one, other, shift)
                || passed != -by(shift) && after(other, one, shift)
        }) || (0..=FURTHEST_SHIFT)
            .any(|shift| either(turned_one, other, shift) || either(one, turned_other, shift))
    }
}

fn same_in(one: &[Entry], other: &[Entry], length: usize) -> usize {
    one.iter()
        .zip(other)
        .take(length)
        .filter(|(one, other)| can_be_the_same(&one.notated, &other.notated))
        .count()
}

fn can_be_one<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    }
}

fn can_be_one_square(one: PartialSquare, other: PartialSquare) -> bool {
    can_be_one(one.file, other.file) && can_be_one(one.rank, other.rank)
}
