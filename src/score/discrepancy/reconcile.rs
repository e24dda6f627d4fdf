//! Compares two scores and the boards: with the scores as written, in the order of their numbers,
//! or as sheets that are wrong as a whole.

use super::as_written::reconcile_as_written;
use super::explain::Limits;
use super::owner::{ByOwner, Owner};
use super::report::{Case, ReconcileReport};
use super::whole_sheet::{both_crosswise, both_in_blocks, from_a_later_page, in_order_of_numbers};
use crate::Standing;

/// Compares two scores and the boards.
pub fn reconcile(case: &Case<'_>) -> ReconcileReport {
    let mut report = reconcile_scores(case);
    if let (Some(board), Some(same)) = (&case.boards.player, &case.boards.opponent)
        && board == same
    {
        let leads_there = |owner: &Owner| {
            let mut standing = Standing::of(case.start_setup());
            for entry in case.scores.get(*owner).entries() {
                standing = standing.after_entry(entry);
            }
            standing.board() == board
        };
        report.boards_alike = true;
        report.boards_follow = Owner::BOTH.into_iter().filter(leads_there).collect();
    }
    let results = case
        .scores
        .player
        .result()
        .zip(case.scores.opponent.result());
    report.results = results
        .filter(|(player, opponent)| player != opponent)
        .map(|(player, opponent)| ByOwner { player, opponent });
    report
}

fn reconcile_scores(case: &Case<'_>) -> ReconcileReport {
    let report = reconcile_as_written(case, Limits::NONE);
    let pages = Owner::BOTH.into_iter();
    let page = pages
        .filter_map(|owner| from_a_later_page(case, owner))
        .min_by_key(|page| page.cost);
    if report.is_one_game() {
        return page
            .filter(|page| page.cost < report.cost)
            .unwrap_or(report);
    }
    let report = in_order_of_numbers(case, report);
    if report.is_one_game() {
        return report;
    }
    page.or_else(|| both_in_blocks(case, &report))
        .or_else(|| both_crosswise(case, &report))
        .unwrap_or(report)
}
