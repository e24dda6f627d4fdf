//! Compares two scores in the order in which they are written.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Board, Square};

use super::agreed::AgreedPly;
use super::alike::{after_two_slips, are_the_same};
use super::behind_slip::differences_behind_slip;
use super::both::with_one_fault;
use super::class::{Class, add_new, classes, decide_by_boards, shapes};
use super::concerned::concerned;
use super::doubted::differences_written;
use super::explain::{Limits, explain};
use super::owner::{ByOwner, Owner};
use super::placement::corrections;
use super::report::{
    Alternative, Case, DifferingEntry, DifferingSquare, Position, ReconcileReport, Verdict,
};
use super::shown::differences_shown;
use super::times::{clocks, lone_offers, offer_only_of, open_offer};
use crate::{Score, Standing};

/// Compares two scores and the boards, with each score read as it is written.
pub(super) fn reconcile_as_written(case: &Case<'_>, limits: Limits) -> ReconcileReport {
    let start = Standing::of(case.start_setup());
    let scores = [case.scores.player, case.scores.opponent];
    let search = |together| classes(explain(&start, scores, together, limits), &start);
    let mut classes = search(false);
    if are_the_same(scores) && (classes.is_empty() || !classes.iter().all(Class::is_of_both)) {
        classes = search(true);
    }
    if let [
        Class {
            verdict: Verdict::GoBack,
            ..
        },
    ] = classes.as_slice()
    {
        let others = after_two_slips(scores, &start, &classes[0]);
        classes.extend(others);
    }
    if let Some(illegal) = classes
        .iter()
        .position(|it| it.verdict == Verdict::IllegalMove)
    {
        let games = with_one_fault(scores, &start, &classes[illegal]);
        classes.extend(games);
    }
    let written: Vec<Class> = classes
        .iter()
        .flat_map(|class| {
            let written = differences_written(case, &start, class);
            [written, differences_behind_slip(case, &start, class)].concat()
        })
        .collect();
    add_new(&mut classes, written, &start);
    let mut decided_by_boards = false;
    if classes.len() > 1 {
        decided_by_boards = decide_by_boards(&mut classes, case);
    }
    if !classes.iter().all(|class| class.explanation.is_unsupported) {
        classes.retain(|class| !class.explanation.is_unsupported);
    }
    if let [game] = classes.as_slice() {
        let others = differences_shown(case, &start, game);
        classes.extend(others);
    }
    let mut found = classes.into_iter();
    match (found.next(), found.next()) {
        (Some(only), None) if !only.explanation.is_credible => ambiguous(case, &start, vec![only]),
        (Some(only), None) => {
            let mut report = report_of(case, &start, only);
            report.decided_by_boards = decided_by_boards;
            report
        }
        (None, _) => ambiguous(case, &start, Vec::new()),
        (Some(first), Some(second)) => {
            let all = [first, second].into_iter().chain(found).collect();
            ambiguous(case, &start, all)
        }
    }
}

fn report_of(case: &Case<'_>, start: &Standing, class: Class) -> ReconcileReport {
    let target = class.position(start).board().clone();
    // A board that is only one ply behind needs no correction, whatever the other shows.
    let boards = ByOwner::each(|owner| {
        let board = case.boards.get(owner).as_ref()?;
        let is_behind = is_behind(board, owner, start, &class);
        Some(if is_behind {
            Vec::new()
        } else {
            corrections(board, &target)
        })
    });
    let is_wrong = |owner: Owner| {
        boards
            .get(owner)
            .as_ref()
            .is_some_and(|steps| !steps.is_empty())
    };
    let verdict = match class.verdict {
        Verdict::Same | Verdict::Shorter if Owner::BOTH.into_iter().any(is_wrong) => {
            Verdict::CorrectBoard
        }
        verdict => verdict,
    };
    let explanation = &class.explanation;
    let agreed = &class.agreed;
    let is_parting = matches!(verdict, Verdict::GoBack | Verdict::IllegalMove);
    let differing = is_parting.then(|| differing_of(case, &class));
    let is_game = matches!(class.verdict, Verdict::Same | Verdict::Shorter);
    let of_both = if is_game { explanation.by_both } else { 0 };
    ReconcileReport {
        verdict,
        agreed_ply: agreed.len().min(explanation.by_both),
        ply: agreed.len(),
        entries: ByOwner::each(|owner| case.scores.get(owner).entries().len()),
        shorter: explanation.shorter,
        differing,
        position: Position::after(start, agreed),
        open_offer: open_offer(case, start, read_by(&class)),
        offer_only_of: offer_only_of(case, read_by(&class)),
        lone_offers: lone_offers(case, read_by(&class), of_both),
        clocks: clocks(case, start, read_by(&class)),
        boards,
        faults: explanation.faults.clone(),
        alternatives: Vec::new(),
        decided_by_boards: false,
        boards_alike: false,
        boards_follow: Vec::new(),
        results: None,
        count: class.explanation.count,
        cost: class.explanation.cost,
        orders: explanation.orders.clone(),
        agreed: class.agreed,
        start: start.clone(),
    }
}

/// Returns whether a board shows what its owner's own shorter score says, one ply before the end.
/// That is no difference (8.1.3).
fn is_behind(board: &Board, owner: Owner, start: &Standing, class: &Class) -> bool {
    let is_one_game = matches!(class.verdict, Verdict::Same | Verdict::Shorter);
    let before = class.agreed.len().checked_sub(2);
    let last = before.and_then(|ply| class.agreed.get(ply));
    is_one_game
        && class.explanation.shorter == Some(owner)
        && board == last.map_or(start, |ply| &ply.after).board()
}

/// Returns the first entries that differ, for an explanation that ends in a difference.
fn differing_of(case: &Case<'_>, class: &Class) -> ByOwner<Option<DifferingEntry>> {
    let agreed = class.agreed.last().map_or([0, 0], |ply| ply.entries);
    let explanation = &class.explanation;
    let before = explanation
        .read
        .filter(|_| class.verdict == Verdict::GoBack);
    first_differing(case, explanation.orders.as_ref(), before.unwrap_or(agreed))
}

fn first_differing(
    case: &Case<'_>,
    orders: Option<&ByOwner<Vec<usize>>>,
    read: [usize; 2],
) -> ByOwner<Option<DifferingEntry>> {
    let on_sheet = |owner: Owner, at: usize| {
        let order = orders.map(|orders| orders.get(owner));
        order.and_then(|order| order.get(at).copied()).unwrap_or(at)
    };
    ByOwner::each(|owner| {
        let at = on_sheet(owner, read[owner as usize]);
        DifferingEntry::at(case.scores.get(owner), at)
    })
}

/// Reports that nothing is decided: what all explanations agree on, and each of them.
fn ambiguous(case: &Case<'_>, start: &Standing, classes: Vec<Class>) -> ReconcileReport {
    let agreed = match classes.split_first() {
        None => read_alike(case, start),
        Some((first, others)) => {
            let alike = |ply: &usize| {
                others.iter().all(|other| {
                    other
                        .agreed
                        .get(*ply)
                        .is_some_and(|theirs| theirs.after.key() == first.agreed[*ply].after.key())
                })
            };
            let plies = (0..first.agreed.len()).take_while(alike).count();
            first.agreed[..plies].to_vec()
        }
    };
    let target = agreed
        .last()
        .map_or(start, |ply| &ply.after)
        .board()
        .clone();
    let alternatives = shapes(&classes)
        .into_iter()
        .map(|(class, positions)| Alternative {
            positions,
            open_offer: open_offer(case, start, read_by(class)),
            clocks: clocks(case, start, read_by(class)),
            // Positions at different plies can differ in any square.
            squares: classes
                .first()
                .filter(|first| first.agreed.len() == class.agreed.len())
                .map_or_else(Vec::new, |first| {
                    let first = first.position(start).board();
                    differing_squares(first, class.position(start).board())
                }),
            verdict: class.verdict,
            agreed_ply: class.agreed.len().min(class.explanation.by_both),
            ply: class.agreed.len(),
            fen: class.position(start).fen(),
            faults: class.explanation.faults.clone(),
            entries: concerned(case, class, || differing_of(case, class)),
            agreed: class.agreed.clone(),
            orders: class.explanation.orders.clone(),
        })
        .collect();
    let read = agreed.last().map_or([0, 0], |ply| ply.entries);
    let orders = classes
        .first()
        .and_then(|it| it.explanation.orders.as_ref());
    ReconcileReport {
        verdict: Verdict::Ambiguous,
        agreed_ply: agreed.len(),
        ply: agreed.len(),
        entries: ByOwner::each(|owner| case.scores.get(owner).entries().len()),
        shorter: None,
        differing: Some(first_differing(case, orders, read)),
        position: Position::after(start, &agreed),
        open_offer: open_offer(case, start, (&agreed, orders)),
        offer_only_of: offer_only_of(case, (&agreed, orders)),
        lone_offers: Vec::new(),
        clocks: clocks(case, start, (&agreed, orders)),
        boards: ByOwner::each(|owner| {
            let board = case.boards.get(owner).as_ref()?;
            Some(corrections(board, &target))
        }),
        faults: Vec::new(),
        count: classes.first().map_or(u32::MAX, |it| it.explanation.count),
        cost: classes.first().map_or(u32::MAX, |it| it.explanation.cost),
        alternatives,
        decided_by_boards: false,
        boards_alike: false,
        boards_follow: Vec::new(),
        results: None,
        orders: orders.cloned(),
        agreed,
        start: start.clone(),
    }
}

/// Returns the plies of an explanation, and the order in which it reads the sheets.
fn read_by(class: &Class) -> (&[AgreedPly], Option<&ByOwner<Vec<usize>>>) {
    (&class.agreed, class.explanation.orders.as_ref())
}

fn differing_squares(first: &Board, here: &Board) -> Vec<DifferingSquare> {
    Square::ALL
        .into_iter()
        .filter(|&square| first.piece_at(square) != here.piece_at(square))
        .map(|square| DifferingSquare {
            square,
            first: first.piece_at(square),
            here: here.piece_at(square),
        })
        .collect()
}

/// Returns the plies from the start on that both scores record alike, without assuming any fault.
pub(super) fn read_alike(case: &Case<'_>, start: &Standing) -> Vec<AgreedPly> {
    let mut agreed = Vec::new();
    let mut standing = start.clone();
    let [player, opponent] = [case.scores.player, case.scores.opponent].map(Score::entries);
    for (ply, (one, other)) in player.iter().zip(opponent).enumerate() {
        let (ours, theirs) = (standing.meanings(one), standing.meanings(other));
        match (ours.as_slice(), theirs.as_slice()) {
            ([played], [same]) if played == same => standing = standing.after(*played),
            _ => break,
        }
        agreed.push(AgreedPly {
            after: standing.clone(),
            entries: [ply + 1, ply + 1],
        });
    }
    agreed
}
