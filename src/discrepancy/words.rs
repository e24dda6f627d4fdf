//! Compares what entries say, without asking where.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use crate::score::{Entry, Notated, PartialSquare};

/// Two games that differ do not go on in the same words, one some entries after the other; so far
/// such words are looked for.
const FURTHEST_SHIFT: usize = 6;

/// So many entries are looked at, and so many of them have to be the same.
const LOOKED_AT: usize = 24;
const SAME: usize = 6;

/// Or so many at least, if they are all that is left.
const FEWEST_SAME: usize = 3;

/// Whether two entries say the same, whatever marks of capture and check they carry.
pub(super) fn same_words(one: &Notated, other: &Notated) -> bool {
    match (one, other) {
        (Notated::Move(one), Notated::Move(other)) => {
            (one.piece, one.from, one.to, one.promotion)
                == (other.piece, other.from, other.to, other.promotion)
        }
        (Notated::Castling(one), Notated::Castling(other)) => one == other,
        _ => false,
    }
}

/// Whether two entries can be the same move, one in long and the other in short form.
pub(super) fn can_be_the_same(one: &Notated, other: &Notated) -> bool {
    match (one, other) {
        (Notated::Move(one), Notated::Move(other)) => {
            can_be_one(one.piece, other.piece)
                && can_be_one_square(one.from, other.from)
                && can_be_one_square(one.to, other.to)
                && can_be_one(one.promotion, other.promotion)
        }
        (Notated::Castling(one), Notated::Castling(other)) => one == other,
        _ => false,
    }
}

/// Whether two entries name the same piece and square of arrival, and not the same square of
/// departure.
pub(super) fn differ_in_origin(one: &Notated, other: &Notated) -> bool {
    let (Notated::Move(one), Notated::Move(other)) = (one, other) else {
        return false;
    };
    one.piece.is_some()
        && (one.piece, one.to, one.promotion) == (other.piece, other.to, other.promotion)
        && !can_be_one_square(one.from, other.from)
}

/// Whether an entry says what one of the two before it said.
pub(super) fn is_doubled(entries: &[Entry], at: usize) -> bool {
    entries[at.saturating_sub(2)..at]
        .iter()
        .any(|earlier| same_words(&earlier.notated, &entries[at].notated))
}

/// Whether two scores go on in the same words, one of them some entries after the other: then an
/// entry too few or too many stands here, and they are no two games.
pub(super) fn same_words_later(scores: [&[Entry]; 2], at: [usize; 2]) -> bool {
    let [one, other] = [0, 1].map(|owner| scores[owner].get(at[owner]..).unwrap_or_default());
    let side_by_side = same_in(one, other);
    (1..=FURTHEST_SHIFT).any(|shift| {
        [(one, other), (other, one)].into_iter().any(|(from, to)| {
            let later = from.get(shift..).unwrap_or_default();
            let same = same_in(later, to);
            let is_all = same >= FEWEST_SAME && same == later.len().min(to.len());
            (same >= SAME || is_all) && same >= 2 * side_by_side
        })
    })
}

fn same_in(one: &[Entry], other: &[Entry]) -> usize {
    one.iter()
        .zip(other)
        .take(LOOKED_AT)
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
