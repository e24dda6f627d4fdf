//! What can be wrong with a sheet as a whole: its columns are exchanged, or it is a later page.

use super::fault::{Fault, FaultKind, Owner};
use super::report::{ByOwner, Case, Report, Verdict, reconcile_as_written};
use super::words::can_be_the_same;
use crate::score::{Entry, Score};

/// Columns are exchanged only where so many rows, of one more, say crosswise what the other score
/// says.
const FEWEST_ROWS: usize = 3;

/// So many places where that may begin are tried.
const PLACES: usize = 3;

/// How far apart, in entries, the same move may stand in the two scores.
const FURTHEST_APART: usize = 6;

/// So many faults may be supposed besides.
const MOST_FAULTS: usize = 3;

/// How both scores read if somebody has written White's moves into Black's column from some row on,
/// and if that makes them agree from there on, to the end or for some rows at least.
pub(super) fn with_columns_exchanged(case: &Case<'_>, owner: Owner) -> Option<Report> {
    let [own, other] = [owner, owner.other()].map(|of| case.scores.get(of).entries());
    let first = usize::from(case.start_setup().turn.is_black());
    let places = crossed_from(own, other, first);
    let reports = places.filter_map(|from| exchanged_from(case, owner, from));
    reports.min_by_key(|report| (!report.is_one_game(), report.faults.len()))
}

fn exchanged_from(case: &Case<'_>, owner: Owner, from: usize) -> Option<Report> {
    let score = case.scores.get(owner);
    let mut entries = score.entries().to_vec();
    for row in entries[from..].chunks_exact_mut(2) {
        row.swap(0, 1);
    }
    let mut exchanged = Score::new(score.keeper()).starting_from(score.start());
    for entry in entries {
        exchanged.record(entry).ok()?;
    }
    let fault = Fault {
        owner,
        entry: from,
        ply: from,
        kind: FaultKind::Columns,
    };
    let mut report = read_as(case, owner, &exchanged, fault);
    report.exchanged = Some((owner, from));
    let agrees_after = report.verdict == Verdict::GoBack
        && report
            .agreed
            .last()
            .is_some_and(|last| last.entries[owner as usize] >= from + 2 * FEWEST_ROWS);
    let is_proved = report.is_one_game() || agrees_after;
    (is_proved && report.faults.len() <= MOST_FAULTS + 1).then_some(report)
}

/// The entries, White's of a row, from which on a score can say crosswise what the other says. The
/// first whole row begins with entry `first`.
fn crossed_from(entries: &[Entry], other: &[Entry], first: usize) -> impl Iterator<Item = usize> {
    let is_crossed = |row: &[Entry], at: usize| {
        let near = at.saturating_sub(FURTHEST_APART);
        let last = (at + FURTHEST_APART + 2).min(other.len());
        other.get(near..last).is_some_and(|near| {
            near.windows(2).any(|pair| {
                can_be_the_same(&row[0].notated, &pair[1].notated)
                    && can_be_the_same(&row[1].notated, &pair[0].notated)
            })
        })
    };
    let rows: Vec<bool> = entries
        .get(first..)
        .unwrap_or_default()
        .chunks_exact(2)
        .enumerate()
        .map(|(number, row)| is_crossed(row, first + 2 * number))
        .collect();
    let places = (0..rows.len()).filter(move |&from| {
        let crossed = rows[from..].iter().take(FEWEST_ROWS + 1).filter(|is| **is);
        rows[from] && crossed.count() >= FEWEST_ROWS
    });
    places.take(PLACES).map(move |row| first + 2 * row)
}

/// Whether both scores are one game if a sheet that begins with a later number is a later page.
pub(super) fn from_a_later_page(case: &Case<'_>, owner: Owner) -> Option<Report> {
    let score = case.scores.get(owner);
    let setup = case.start_setup();
    let number = score.entries().iter().find_map(|entry| entry.place)?.number;
    let rows = number.checked_sub(setup.fullmoves.get())?;
    let before = (2 * usize::try_from(rows).ok()?).checked_sub(usize::from(setup.turn.is_black()));
    let before = before.filter(|&plies| plies > 0)?;
    let mut page = Score::new(score.keeper()).starting_from(score.start());
    page.suspend().ok()?;
    for entry in score.entries() {
        page.record(entry.clone()).ok()?;
    }
    let fault = Fault {
        owner,
        entry: 0,
        ply: before,
        kind: FaultKind::LaterPage,
    };
    let report = read_as(case, owner, &page, fault);
    let is_proved = report.is_one_game() && report.faults.len() <= MOST_FAULTS + 1;
    let begins = report
        .agreed
        .iter()
        .position(|ply| ply.entries[owner as usize] > 0);
    (is_proved && begins == Some(before)).then_some(report)
}

/// The report with another reading of one score, which is a fault of its own.
fn read_as(case: &Case<'_>, owner: Owner, reading: &Score, fault: Fault) -> Report {
    let scores = ByOwner::each(|of| {
        if of == owner {
            reading
        } else {
            *case.scores.get(of)
        }
    });
    let mut report = reconcile_as_written(&Case {
        scores,
        ..case.clone()
    });
    report.faults.insert(0, fault);
    report
}
