//! Explanations with the same result, and what the boards say about them.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Board;

use super::agreed::{AgreedPly, Explanation, ExplanationKind};
use super::owner::Owner;
use super::report::{Case, Verdict};
use crate::{Score, Standing};

/// Explanations with the same result.
#[derive(Clone)]
pub(super) struct Class {
    pub(super) verdict: Verdict,
    pub(super) agreed: Vec<AgreedPly>,
    pub(super) explanation: Explanation,
    /// How many entries of each score lie before the position, in each of the explanations.
    read: Vec<[usize; 2]>,
}

impl Class {
    pub(super) fn of(mut explanation: Explanation) -> Self {
        let verdict = match (explanation.illegal_at, explanation.kind) {
            (Some(_), _) => Verdict::IllegalMove,
            (None, ExplanationKind::Differ) => Verdict::GoBack,
            (None, ExplanationKind::OneGame) if explanation.shorter.is_some() => Verdict::Shorter,
            (None, ExplanationKind::OneGame) => Verdict::Same,
        };
        let mut agreed = std::mem::take(&mut explanation.agreed);
        if let Some(illegal_at) = explanation.illegal_at {
            agreed.truncate(illegal_at);
        }
        let read = vec![agreed.last().map_or([0, 0], |ply| ply.entries)];
        Self {
            verdict,
            agreed,
            explanation,
            read,
        }
    }

    pub(super) fn position<'a>(&'a self, start: &'a Standing) -> &'a Standing {
        self.agreed.last().map_or(start, |ply| &ply.after)
    }

    pub(super) const fn is_game(&self) -> bool {
        matches!(self.verdict, Verdict::Same | Verdict::Shorter)
    }

    /// Returns the explanation in which the scores differ at one of its plies.
    pub(super) fn parting_at(&self, ply: usize) -> Self {
        let mut parting = self.explanation.clone();
        parting.kind = ExplanationKind::Differ;
        parting.agreed = self.agreed[..ply].to_vec();
        parting.by_both = ply;
        parting.shorter = None;
        parting.illegal_at = None;
        parting.read = Some(parting.agreed.last().map_or([0, 0], |ply| ply.entries));
        parting.faults.retain(|fault| fault.ply < ply);
        Self::of(parting)
    }

    /// Returns whether it treats an owner's entry at a ply as a slip.
    fn contradicts(&self, owner: Owner, ply: usize) -> bool {
        let mut faults = self.explanation.faults.iter();
        faults.any(|fault| (fault.owner, fault.ply) == (owner, ply) && fault.kind.contradicts())
    }

    /// The result. Explanations with the same result are one.
    fn outcome(&self, start: &Standing) -> (Verdict, usize, u64) {
        let verdict = match self.verdict {
            Verdict::Shorter => Verdict::Same,
            verdict => verdict,
        };
        (verdict, self.agreed.len(), self.position(start).key())
    }
}

/// Groups the explanations by their result.
pub(super) fn classes(explanations: Vec<Explanation>, start: &Standing) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    let mut known = BTreeMap::new();
    let mut all: Vec<Class> = explanations.into_iter().map(Class::of).collect();
    // A score that can be called the same or shorter is called the same.
    all.sort_by_key(|class| class.verdict == Verdict::Shorter);
    for class in all {
        let place = *known.entry(class.outcome(start)).or_insert(classes.len());
        match classes.get_mut(place) {
            Some(known) => {
                let passed = |it: &Explanation| it.read.map(|[a, b]| a + b);
                // Entries that are doubled or empty are not what differs.
                let is_past = class.explanation.cost == known.explanation.cost
                    && passed(&class.explanation) > passed(&known.explanation);
                known.read.extend(class.read);
                if is_past {
                    let Explanation {
                        faults,
                        read,
                        orders,
                        ..
                    } = &class.explanation;
                    let explanation = &mut known.explanation;
                    explanation.faults.clone_from(faults);
                    explanation.orders.clone_from(orders);
                    explanation.read = *read;
                }
                let known = &mut known.explanation;
                known.is_credible |= class.explanation.is_credible;
                known.is_rival &= class.explanation.is_rival;
                known.is_unsupported &= class.explanation.is_unsupported;
                known.cost = known.cost.min(class.explanation.cost);
                known.count = known.count.min(class.explanation.count);
            }
            None => classes.push(class),
        }
    }
    // The order must not depend on the order of the search.
    classes.sort_by_cached_key(|class| {
        let cost = class.explanation.cost;
        (cost, class.agreed.len(), class.position(start).fen())
    });
    classes
}

/// Adds the explanations whose result is not known yet. Unreadable sheets have thousands of
/// explanations, so each result is computed once.
pub(super) fn add_new(known: &mut Vec<Class>, others: Vec<Class>, start: &Standing) {
    let mut outcomes: BTreeSet<_> = known.iter().map(|class| class.outcome(start)).collect();
    known.extend(
        others
            .into_iter()
            .filter(|other| outcomes.insert(other.outcome(start))),
    );
}

/// Keeps the explanations that the boards support, if they support some more than others.
///
/// If a board shows what its owner's own score says, it supports a difference as much as the game
/// in which that score is right. So only a board that contradicts its owner's score decides.
pub(super) fn decide_by_boards(classes: &mut Vec<Class>, case: &Case<'_>) -> bool {
    let start = Standing::of(case.start_setup());
    let given = Owner::BOTH.into_iter().filter_map(|owner| {
        let board = case.boards.get(owner).as_ref()?;
        Some((owner, board))
    });
    let seen: Vec<Vec<bool>> = given
        .map(|(owner, board)| supported_by(board, owner, classes, case, &start))
        .collect();
    let count = |class: usize| seen.iter().filter(|borne_out| borne_out[class]).count();
    let counts: Vec<usize> = (0..classes.len()).map(count).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let is_rival = |(class, count): (&Class, &usize)| *count == most && class.explanation.is_rival;
    if most == 0
        || counts.iter().filter(|&&count| count == most).count() > 1
        || classes.iter().zip(&counts).any(is_rival)
    {
        return false;
    }
    let mut counts = counts.into_iter();
    classes.retain(|_| counts.next() == Some(most));
    true
}

/// Returns which explanations the board of an owner supports.
fn supported_by(
    board: &Board,
    owner: Owner,
    classes: &[Class],
    case: &Case<'_>,
    start: &Standing,
) -> Vec<bool> {
    // A player whose score is shorter may have played no further.
    let shows = |class: &Class| {
        let whole = class.agreed.len();
        let own = match class.explanation.shorter {
            Some(shorter) if shorter == owner => class.explanation.by_both.min(whole),
            _ => whole,
        };
        (own..=whole).any(|plies| {
            let last = plies.checked_sub(1).and_then(|last| class.agreed.get(last));
            board == last.map_or(start, |ply| &ply.after).board()
        })
    };
    let last =
        |class: &Class| last_boards(class, start, case.scores.get(owner), owner).contains(board);
    // Each is asked for often.
    let shown: Vec<bool> = classes.iter().map(shows).collect();
    let reached: Vec<bool> = classes.iter().map(last).collect();
    // In every reading his own score gives no information on where the other's begins to differ.
    let by_own_score = |parting: usize| {
        let mut each = classes.iter().zip(shown.iter().zip(&reached));
        each.any(|(other, (&shown, &reached))| match other.verdict {
            Verdict::GoBack => reached,
            _ => other.is_game() && shown && !other.contradicts(owner, parting),
        })
    };
    let each = classes.iter().zip(shown.iter().zip(&reached));
    each.map(|(class, (&shown, &reached))| match class.verdict {
        Verdict::Same | Verdict::Shorter => shown,
        Verdict::GoBack => by_own_score(class.agreed.len()),
        _ => reached,
    })
    .collect()
}
/// Returns what the board of an owner can show if he continued by his own score from the agreed
/// position.
fn last_boards(class: &Class, start: &Standing, score: &Score, owner: Owner) -> Vec<Board> {
    let boards = class.read.iter().map(|read| {
        let mut standing = class.position(start).clone();
        let orders = class.explanation.orders.as_ref();
        let order = orders.map(|orders| orders.get(owner));
        for at in read[owner as usize]..score.entries().len() {
            let on_sheet = order.and_then(|order| order.get(at).copied()).unwrap_or(at);
            if let Some(entry) = score.entries().get(on_sheet) {
                standing = standing.after_entry(entry);
            }
        }
        standing.board().clone()
    });
    boards.collect()
}

/// How many positions of one shape are listed singly.
const FEW: usize = 4;

/// Groups explanations of one shape, which differ only in moves that nobody can read. Each group
/// has the number of positions it leaves open, unless they are few.
pub(super) fn shapes(classes: &[Class]) -> Vec<(&Class, usize)> {
    let mut shapes: Vec<(&Class, usize)> = Vec::new();
    for class in classes {
        let known = shapes.iter_mut().find(|(known, _)| {
            known.verdict == class.verdict
                && known.agreed.len() == class.agreed.len()
                && known.explanation.faults == class.explanation.faults
        });
        match known {
            Some((_, positions)) => *positions += 1,
            None => shapes.push((class, 1)),
        }
    }
    if shapes.iter().all(|(_, positions)| *positions <= FEW) {
        return classes.iter().map(|class| (class, 1)).collect();
    }
    shapes
}
