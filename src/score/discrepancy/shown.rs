//! What a board shows about an entry that cannot be read.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Board, Position};

use super::class::Class;
use super::fault::{FaultKind, SheetFault};
use super::report::Case;
use crate::{Meaning, Standing};

/// Returns the differences that boards show where one game explains both scores only because an
/// entry is unreadable. The board of the entry's owner does not show that game, but the game of his
/// own score with another move there.
pub(super) fn differences_shown(case: &Case<'_>, start: &Standing, game: &Class) -> Vec<Class> {
    if !game.is_game() || game.explanation.orders.is_some() {
        return Vec::new();
    }
    let faults = game.explanation.faults.iter();
    let told = faults.filter(|fault| {
        let board = case.boards.get(fault.owner).as_ref();
        is_unread(fault.kind)
            && board.is_some_and(|board| {
                board != game.position(start).board()
                    && shows_another(case, start, game, fault, board)
            })
    });
    let cut = told.map(|fault| game.parting_at(fault.ply));
    cut.collect()
}

const fn is_unread(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::Unreadable | FaultKind::Blank | FaultKind::Incomplete
    )
}

/// Returns whether a board shows the game of its owner's score with another move at a fault.
fn shows_another(
    case: &Case<'_>,
    start: &Standing,
    game: &Class,
    fault: &SheetFault,
    board: &Board,
) -> bool {
    let after = |ply: usize| game.agreed.get(ply).map(|ply| &ply.after);
    let before = fault.ply.checked_sub(1).map_or(Some(start), after);
    let entries = case.scores.get(fault.owner).entries();
    let [Some(before), Some(played)] = [before, after(fault.ply)] else {
        return false;
    };
    let (Some(position), Some((entry, rest))) = (
        before.position(),
        entries.get(fault.entry..).and_then(<[_]>::split_first),
    ) else {
        return false;
    };
    let meant = before.meanings(entry);
    let choices = if meant.is_empty() {
        position.legal_moves().into_iter().collect()
    } else {
        meant
    };
    let leads_there = |mut standing: Standing| {
        for entry in rest {
            let Meaning::Legal(played) = standing.read(entry) else {
                return false;
            };
            standing = standing.after(played);
        }
        standing.board() == board
    };
    let mut others = choices.into_iter().map(|choice| before.after(choice));
    others.any(|after| after.key() != played.key() && leads_there(after))
}
