//! A difference just behind a slip: where the scores seem to differ, one of them has written
//! another move than it goes on from.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use super::agreed::AgreedPly;
use super::alone::read_on;
use super::class::Class;
use super::fault::{Fault, FaultKind};
use super::owner::Owner;
use super::report::{Case, Verdict};
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
    let behind = Owner::BOTH.into_iter();
    let behind = behind.filter_map(|owner| behind_slip_of(owner, parting, start, at, lists));
    behind.collect()
}

fn behind_slip_of(
    owner: Owner,
    parting: &Class,
    start: &Standing,
    at: [usize; 2],
    lists: [&[Entry]; 2],
) -> Option<Class> {
    let before = parting.position(start);
    let ([one, ..], [other, ..]) = (lists[0], lists[1]) else {
        return None;
    };
    let (Reading::Legal(one), Reading::Legal(other)) = (before.read(one), before.read(other))
    else {
        return None;
    };
    let (own, right) = match owner {
        Owner::Player => (one, other),
        Owner::Opponent => (other, one),
    };
    let rest = &lists[owner as usize][1..];
    let [as_written, as_right] =
        [own, right].map(|played| read_on(rest, 0, before.after(played)).0);
    let is_refuted = as_written < rest.len() && as_right >= rest.len().min(as_written + GOOD_WHILE);
    if !is_refuted {
        return None;
    }
    let mut behind = parting.clone();
    behind.explanation.faults.push(Fault {
        owner,
        entry: at[owner as usize],
        ply: behind.agreed.len(),
        kind: FaultKind::OtherMove,
        until: None,
    });
    let mut standing = before.after(right);
    let mut entries = at.map(|at| at + 1);
    behind.agreed.push(AgreedPly {
        after: standing.clone(),
        entries,
    });
    for [one, other] in lists[0][1..]
        .iter()
        .zip(&lists[1][1..])
        .map(|(a, b)| [a, b])
    {
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
