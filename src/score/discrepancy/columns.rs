//! Finds rows of a sheet that have the columns exchanged, compared with the other sheet.
//!
//! A player who has written White's moves into Black's column, for some rows or from one on, has
//! made one mistake. It is assumed only where several rows support it.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use super::words::can_be_the_same;
use crate::{Entry, Notated};

/// Of so many rows, more than half must have the columns exchanged.
const ROWS: [usize; 3] = [4, 8, 16];

/// How many rows support it where either score ends soon, if they are more than half.
const FEWEST_LAST: usize = 2;

/// How far apart, in entries, the same move may stand in the two scores.
const FURTHEST_APART: usize = 6;

/// Returns the entries of one score with the columns of every row exchanged.
pub(super) fn exchanged_columns(entries: &[Entry], first: usize) -> Vec<Entry> {
    let mut exchanged = entries.to_vec();
    for row in exchanged
        .get_mut(first..)
        .unwrap_or_default()
        .chunks_exact_mut(2)
    {
        row.swap(0, 1);
        // The numbers and columns stay where they are.
        let places = [row[1].place, row[0].place];
        (row[0].place, row[1].place) = (places[0], places[1]);
    }
    // In a half-written row the empty place comes last, and has no meaning.
    let ends_in_half = entries.len().saturating_sub(first).is_multiple_of(2);
    if ends_in_half
        && exchanged
            .last()
            .is_some_and(|last| last.notated == Notated::Blank)
    {
        exchanged.pop();
    }
    exchanged
}

/// Both scores, as written and with exchanged columns.
#[derive(Clone, Copy)]
pub(super) struct Lists<'a> {
    pub(super) plain: [&'a [Entry]; 2],
    pub(super) exchanged: [&'a [Entry]; 2],
    /// The first entry of the first whole row.
    pub(super) first: usize,
}

impl<'a> Lists<'a> {
    /// Returns the entries of one score in the order in which they are read.
    pub(super) const fn of(&self, owner: usize, exchanged: bool) -> &'a [Entry] {
        if exchanged {
            self.exchanged[owner]
        } else {
            self.plain[owner]
        }
    }

    /// Returns where an entry stands on its sheet.
    pub(super) fn on_sheet(&self, owner: usize, exchanged: bool, entry: usize) -> usize {
        if !exchanged || entry < self.first {
            return entry;
        }
        let partner = ((entry - self.first) ^ 1) + self.first;
        if partner < self.plain[owner].len() {
            partner
        } else {
            entry
        }
    }

    /// Returns whether a row begins at an entry.
    pub(super) const fn is_row(&self, at: usize) -> bool {
        at >= self.first && (at - self.first).is_multiple_of(2)
    }
}

/// Where exchanged columns of either score can begin, and where they can end. The index is the
/// owner, and then whether the other score has its columns exchanged.
pub(super) struct Exchanges {
    begin: [[Vec<bool>; 2]; 2],
    end: [[Vec<bool>; 2]; 2],
}

impl Exchanges {
    /// Finds what the words of both scores support.
    pub(super) fn of(plain: [&[Entry]; 2], first: usize) -> Self {
        let mut begin = [const { [const { Vec::new() }; 2] }; 2];
        let mut end = [const { [const { Vec::new() }; 2] }; 2];
        for owner in [0, 1] {
            (begin[owner][0], end[owner][0]) = places(plain[owner], plain[1 - owner], first);
        }
        for owner in [0, 1] {
            // Both sheets are exchanged only where one of them can be exchanged by itself.
            if begin[1 - owner][0].contains(&true) {
                let other = exchanged_columns(plain[1 - owner], first);
                (begin[owner][1], end[owner][1]) = places(plain[owner], &other, first);
            }
        }
        Self { begin, end }
    }

    /// Returns whether no row of either score has exchanged columns.
    pub(super) fn are_none(&self) -> bool {
        let [one, other] = &self.begin;
        !one[0].contains(&true) && !other[0].contains(&true)
    }

    /// Returns whether exchanged columns of a score can begin at a row, counted from 0.
    pub(super) fn can_begin(&self, owner: usize, other_crossed: bool, row: usize) -> bool {
        let rows = &self.begin[owner][usize::from(other_crossed)];
        rows.get(row).copied().unwrap_or(false)
    }

    /// Returns whether exchanged columns of a score can end before a row.
    pub(super) fn can_end(&self, owner: usize, other_crossed: bool, row: usize) -> bool {
        let rows = &self.end[owner][usize::from(other_crossed)];
        rows.get(row).copied().unwrap_or(false)
    }
}

/// Returns the rows of a score that begin a block of exchanged columns, and those that belong to no
/// block. The first row of either may be half wrong, if the next supports it.
fn places(entries: &[Entry], other: &[Entry], first: usize) -> (Vec<bool>, Vec<bool>) {
    let each = |stands: &dyn Fn([&Entry; 2], usize) -> bool| -> Vec<bool> {
        let rows = entries.get(first..).unwrap_or_default().chunks_exact(2);
        rows.enumerate()
            .map(|(row, entries)| stands([&entries[0], &entries[1]], first + 2 * row))
            .collect()
    };
    let exchanged = each(&|[one, two], at| is_near([two, one], other, at));
    let straight = each(&|row, at| is_near(row, other, at));
    let half_exchanged = each(&|[one, two], at| is_half_near([two, one], other, at));
    let half_straight = each(&|row, at| is_half_near(row, other, at));
    let has = |rows: &[bool], row: usize| rows.get(row).copied().unwrap_or(false);
    let rows = 0..exchanged.len();
    // After the end of either score nothing supports or contradicts it.
    let of_both = other.len().saturating_sub(first).div_ceil(2);
    let end_of_both = exchanged.len().min(of_both);
    let begin = rows.clone().map(|from| {
        let most = |&rows: &usize| {
            let next = exchanged[from..].iter().take(rows);
            next.filter(|is| **is).count() > rows / 2
        };
        let left = from..end_of_both.max(from);
        let are_last = || {
            let last = left.clone().filter(|&row| exchanged[row] && !straight[row]);
            let last = last.count();
            left.len() < ROWS[0] && last >= FEWEST_LAST && 2 * last > left.len()
        };
        let is_half = half_exchanged[from] && !straight[from] && has(&exchanged, from + 1);
        (exchanged[from] || is_half) && (ROWS.iter().any(most) || are_last())
    });
    let end = rows.map(|row| {
        let is_half = half_straight[row] && has(&straight, row + 1);
        !exchanged[row] && (straight[row] || is_half)
    });
    (begin.collect(), end.collect())
}

/// Returns whether one of two entries of a row stands in its own place in a nearby row of the other
/// score.
fn is_half_near(row: [&Entry; 2], other: &[Entry], at: usize) -> bool {
    let near = at.saturating_sub(FURTHEST_APART);
    let last = (at + FURTHEST_APART + 2).min(other.len());
    let there = other.iter().enumerate().take(last).skip(near);
    let mut alike = there.filter(|(there, entry)| {
        let own = row[there.abs_diff(at) % 2];
        can_be_the_same(&own.notated, &entry.notated)
    });
    alike.next().is_some()
}

/// Returns whether two entries follow each other in the other score, near their place.
fn is_near(row: [&Entry; 2], other: &[Entry], at: usize) -> bool {
    let near = at.saturating_sub(FURTHEST_APART);
    let last = (at + FURTHEST_APART + 2).min(other.len());
    other.get(near..last).is_some_and(|near| {
        near.windows(2).any(|pair| {
            can_be_the_same(&row[0].notated, &pair[0].notated)
                && can_be_the_same(&row[1].notated, &pair[1].notated)
        })
    })
}
