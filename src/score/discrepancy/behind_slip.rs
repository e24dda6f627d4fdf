//! A difference just after a slip. Where the scores seem to differ, one of them has a move that
//! does not fit its own continuation, or has the other's move badly written, or has exchanged a
//! row.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::agreed::AgreedPly;
use super::alone::read_on;
use super::class::Class;
use super::fault::{FaultKind, SheetFault};
use super::handwriting::{HandwrittenMove, SheetLetters};
use super::owner::{ByOwner, Owner};
use super::report::{Case, Verdict};
use super::suppose::misreading;
use crate::{Entry, Meaning, Standing};

/// How many more entries of a score must fit the other's move than its own.
const GOOD_WHILE: usize = 4;

/// Returns the true differences behind a slip. Where the scores seem to differ, one of them has a
/// slip that its own rest refutes, and the true difference comes after it.
pub(super) fn differences_behind_slip(
    case: &Case<'_>,
    start: &Standing,
    parting: &Class,
) -> Vec<Class> {
    let is_plain = parting.verdict == Verdict::GoBack && parting.explanation.orders.is_none();
    let Some(at) = parting.explanation.read.filter(|_| is_plain) else {
        return Vec::new();
    };
    let scores = [case.scores.player, case.scores.opponent];
    let lists = [0, 1].map(|of| scores[of].entries().get(at[of]..).unwrap_or_default());
    let letters = [0, 1].map(|of| SheetLetters::of(scores[of].entries()));
    let point = Point {
        parting,
        before: parting.position(start),
        at,
        lists,
    };
    let behind = Owner::BOTH.into_iter().flat_map(|owner| {
        let letters = &letters[owner as usize];
        [point.behind_slip(owner, letters), point.behind_row(owner)]
    });
    behind.flatten().collect()
}

/// The point where the scores seem to differ, and the rest of each score from there.
struct Point<'a> {
    parting: &'a Class,
    before: &'a Standing,
    at: [usize; 2],
    lists: [&'a [Entry]; 2],
}

impl Point<'_> {
    /// Returns the difference after a slip of this owner.
    fn behind_slip(&self, owner: Owner, letters: &SheetLetters) -> Option<Class> {
        let (own, rest) = self.lists[owner as usize].split_first()?;
        let other = self.lists[1 - owner as usize].first()?;
        let Meaning::Legal(right) = self.before.read(other) else {
            return None;
        };
        let kind = match self.before.read(own) {
            Meaning::Legal(own) => {
                let [as_written, as_right] =
                    [own, right].map(|played| read_on(rest, 0, self.before.after(played)).0);
                let is_refuted =
                    as_written < rest.len() && as_right >= rest.len().min(as_written + GOOD_WHILE);
                is_refuted.then_some(FaultKind::OtherMove)
            }
            _ => self
                .says_best(own, right, letters)
                .then(|| misreading(&own.notated, right)),
        };
        let behind = self.after(owner, right, kind?);
        Self::next_difference(behind, self.lists.map(|list| &list[1..]))
    }

    /// Returns whether an entry that is no legal move fits this move better than any other.
    fn says_best(&self, entry: &Entry, right: Move, letters: &SheetLetters) -> bool {
        let written = HandwrittenMove::of(entry, letters);
        let misfit = written.misfit(right, letters);
        let legal = self.before.position().map(Position::legal_moves);
        let mut others = legal.into_iter().flatten().filter(|it| *it != right);
        written.says_something(letters)
            && self.before.meanings(entry).is_empty()
            && others.all(|other| written.misfit(other, letters) > misfit)
    }

    /// Returns the difference in a row that this owner has exchanged, one move of which is the
    /// other's.
    fn behind_row(&self, owner: Owner) -> Option<Class> {
        let of = owner as usize;
        let ([first, second, ..], [other, next, ..]) = (self.lists[of], self.lists[1 - of]) else {
            return None;
        };
        let read = |entry: &Entry| self.before.read(entry);
        let (Meaning::Legal(white), Meaning::Legal(right)) = (read(second), read(other)) else {
            return None;
        };
        let after = self.before.after(white);
        let is_row = self.before.turn().is_white()
            && white == right
            && self.before.meanings(first).is_empty()
            && matches!(after.read(first), Meaning::Legal(_))
            && !after.meanings(next).is_empty()
            && after.read(first) != after.read(next);
        let mut behind = is_row.then(|| self.after(owner, right, FaultKind::Transposed))?;
        behind.explanation.orders = Some(ByOwner::each(|each| {
            let begin = self.at[each as usize];
            let mut order: Vec<usize> = (0..begin + self.lists[each as usize].len()).collect();
            if each == owner {
                order.swap(begin, begin + 1);
            }
            order
        }));
        Some(behind.parting_at(behind.agreed.len()))
    }

    /// Returns the explanation in which both have this move here, and an owner has written it
    /// badly.
    fn after(&self, owner: Owner, right: Move, kind: FaultKind) -> Class {
        let mut behind = self.parting.clone();
        behind.explanation.faults.push(SheetFault {
            owner,
            entry: self.at[owner as usize],
            ply: behind.agreed.len(),
            kind,
            until: None,
        });
        behind.agreed.push(AgreedPly {
            after: self.before.after(right),
            entries: self.at.map(|at| at + 1),
        });
        behind
    }

    /// Returns the next difference, if both scores are legal up to there.
    fn next_difference(mut behind: Class, rests: [&[Entry]; 2]) -> Option<Class> {
        let last = behind.agreed.last()?;
        let (mut standing, mut entries) = (last.after.clone(), last.entries);
        for (one, other) in rests[0].iter().zip(rests[1]) {
            let (Meaning::Legal(one), Meaning::Legal(other)) =
                (standing.read(one), standing.read(other))
            else {
                return None;
            };
            if one != other {
                let ply = behind.agreed.len();
                return Some(behind.parting_at(ply));
            }
            standing = standing.after(one);
            entries = entries.map(|entries| entries + 1);
            behind.agreed.push(AgreedPly {
                after: standing.clone(),
                entries,
            });
        }
        None
    }
}
