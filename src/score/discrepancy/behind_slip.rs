//! A difference just behind a slip: where the scores seem to differ, one of them has written
//! another move than it goes on from, or the other's move badly, or has exchanged a row.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::agreed::AgreedPly;
use super::alone::read_on;
use super::class::Class;
use super::fault::{Fault, FaultKind};
use super::handwriting::{SheetLetters, Written};
use super::owner::{ByOwner, Owner};
use super::report::{Case, Verdict};
use super::suppose::misreading;
use crate::{Entry, Reading, Standing};

/// By so many entries more a score has to go on from the other's move than from its own.
const GOOD_WHILE: usize = 4;

/// The same scores, if what one of them has where they seem to differ is a slip that the rest of
/// it refutes, and the true difference stands behind it.
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

/// Where the scores seem to differ, and what each says from there on.
struct Point<'a> {
    parting: &'a Class,
    before: &'a Standing,
    at: [usize; 2],
    lists: [&'a [Entry]; 2],
}

impl Point<'_> {
    /// The difference behind a slip of this owner.
    fn behind_slip(&self, owner: Owner, letters: &SheetLetters) -> Option<Class> {
        let (own, rest) = self.lists[owner as usize].split_first()?;
        let other = self.lists[1 - owner as usize].first()?;
        let Reading::Legal(right) = self.before.read(other) else {
            return None;
        };
        let kind = match self.before.read(own) {
            Reading::Legal(own) => {
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

    /// Whether an entry that is no legal move fits this one better than any other.
    fn says_best(&self, entry: &Entry, right: Move, letters: &SheetLetters) -> bool {
        let written = Written::of(entry, letters);
        let misfit = written.misfit(right, letters);
        let legal = self.before.position().map(Position::legal_moves);
        let mut others = legal.into_iter().flatten().filter(|it| *it != right);
        written.says_something(letters)
            && self.before.meanings(entry).is_empty()
            && others.all(|other| written.misfit(other, letters) > misfit)
    }

    /// The difference in a row that this owner has exchanged, of which one move is the other's.
    fn behind_row(&self, owner: Owner) -> Option<Class> {
        let of = owner as usize;
        let ([first, second, ..], [other, next, ..]) = (self.lists[of], self.lists[1 - of]) else {
            return None;
        };
        let read = |entry: &Entry| self.before.read(entry);
        let (Reading::Legal(white), Reading::Legal(right)) = (read(second), read(other)) else {
            return None;
        };
        let after = self.before.after(white);
        let is_row = self.before.turn().is_white()
            && white == right
            && self.before.meanings(first).is_empty()
            && matches!(after.read(first), Reading::Legal(_))
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

    /// The same scores, if both have this move here, which an owner has written badly.
    fn after(&self, owner: Owner, right: Move, kind: FaultKind) -> Class {
        let mut behind = self.parting.clone();
        behind.explanation.faults.push(Fault {
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

    /// The difference that comes next, if both are legal up to there.
    fn next_difference(mut behind: Class, rests: [&[Entry]; 2]) -> Option<Class> {
        let last = behind.agreed.last()?;
        let (mut standing, mut entries) = (last.after.clone(), last.entries);
        for (one, other) in rests[0].iter().zip(rests[1]) {
            let (Reading::Legal(one), Reading::Legal(other)) =
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
