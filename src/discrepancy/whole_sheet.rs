//! What can be wrong with a sheet as a whole: its columns are exchanged, or it is a later page.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use super::alone::read_on;
use super::explain::FAULT;
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

/// Or so many rows, two of three, stand in the other score as they do in this one.
const MOST_ROWS: usize = 6;

/// So many entries of both have to be legal then.
const FEWEST_LEGAL: usize = 4;

/// So many faults may be supposed besides.
const MOST_FAULTS: u32 = 3;

/// The scores in another order of entries than on the sheets.
#[derive(Clone)]
pub(super) struct Reordered<'a> {
    case: &'a Case<'a>,
    scores: ByOwner<Score>,
    orders: ByOwner<Vec<usize>>,
    /// What is supposed for it.
    faults: Vec<Fault>,
}

impl<'a> Reordered<'a> {
    fn as_written(case: &'a Case<'a>) -> Self {
        let scores = ByOwner::each(|owner| (*case.scores.get(owner)).clone());
        Self {
            orders: ByOwner::each(|owner| (0..scores.get(owner).entries().len()).collect()),
            scores,
            case,
            faults: Vec::new(),
        }
    }

    /// The entries of one score in another order.
    fn reorder(&self, owner: Owner, order: &[usize], fault: Fault) -> Option<Self> {
        let entries = self.scores.get(owner).entries();
        let old = self.scores.get(owner);
        let mut score = Score::new(old.keeper()).starting_from(old.start());
        for &at in order {
            score.record(entries.get(at)?.clone()).ok()?;
        }
        let sheet: Vec<usize> = order.iter().map(|&at| self.orders.get(owner)[at]).collect();
        let mut faults = self.faults.clone();
        faults.push(fault);
        Some(Self {
            case: self.case,
            scores: ByOwner::each(|of| {
                let scores = [&score, self.scores.get(of)];
                scores[usize::from(of != owner)].clone()
            }),
            orders: ByOwner::each(|of| {
                let orders = [&sheet, self.orders.get(of)];
                orders[usize::from(of != owner)].clone()
            }),
            faults,
        })
    }

    /// What comes of it, each entry where it stands on its sheet.
    fn report(self) -> Report {
        let mut report = reconcile_as_written(&Case {
            scores: ByOwner {
                player: &self.scores.player,
                opponent: &self.scores.opponent,
            },
            ..self.case.clone()
        });
        let on_sheet = |owner: Owner, entry: usize| {
            let order = self.orders.get(owner);
            order.get(entry).copied().unwrap_or(entry)
        };
        for fault in &mut report.faults {
            fault.entry = on_sheet(fault.owner, fault.entry);
        }
        if let Some(differing) = &mut report.differing {
            for (owner, entry) in [
                (Owner::Player, &mut differing.player),
                (Owner::Opponent, &mut differing.opponent),
            ] {
                if let Some(entry) = entry {
                    entry.entry = on_sheet(owner, entry.entry);
                }
            }
        }
        report.cost = report.cost.saturating_add(FAULT * self.faults.len() as u32);
        report.faults.splice(0..0, self.faults);
        report.orders = Some(self.orders);
        report
    }
}

/// The report, with the entries of either sheet in the order of their numbers if that explains more
/// than it supposes.
pub(super) fn in_order_of_numbers<'a>(
    case: &'a Case<'a>,
    written: Report,
) -> (Reordered<'a>, Report) {
    let mut best = (Reordered::as_written(case), written);
    for owner in Owner::BOTH {
        let entries = best.0.scores.get(owner).entries();
        let Some(order) = by_numbers(entries) else {
            continue;
        };
        let moved = order.iter().enumerate().find(|(at, from)| at != *from);
        let ply = moved.map_or(0, |(at, _)| at);
        let fault = Fault {
            owner,
            entry: ply,
            ply,
            kind: FaultKind::Transposed,
        };
        let Some(reading) = best.0.reorder(owner, &order, fault) else {
            continue;
        };
        let again = reading.clone().report();
        if again.cost < best.1.cost {
            best = (reading, again);
        }
    }
    best
}

/// The order of the numbers and columns, if they are all different and not in order as they stand.
fn by_numbers(entries: &[Entry]) -> Option<Vec<usize>> {
    let places: Option<Vec<_>> = entries
        .iter()
        .map(|entry| {
            entry
                .place
                .map(|place| (place.number, place.side.is_black()))
        })
        .collect();
    let places = places?;
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&at| places[at]);
    let are_different = order.windows(2).all(|two| places[two[0]] != places[two[1]]);
    (are_different && !order.is_sorted()).then_some(order)
}

/// How both scores read if somebody has written White's moves into Black's column from some row on,
/// or both have, and if that makes them agree from there on: to the end, for some rows at least, or
/// in most of what they say.
pub(super) fn with_columns_exchanged(reading: &Reordered<'_>) -> Option<Report> {
    let mut found: Vec<(u8, Report)> = Vec::new();
    for owner in Owner::BOTH {
        for (from, once) in exchanges(reading, owner) {
            let report = proved(&once, owner, from);
            let is_one_game = report.as_ref().is_some_and(|(rank, _)| *rank == 0);
            found.extend(report);
            if is_one_game {
                continue;
            }
            let other = owner.other();
            let twice = exchanges(&once, other).into_iter();
            found.extend(twice.filter_map(|(from, twice)| proved(&twice, other, from)));
        }
    }
    let best = found
        .into_iter()
        .min_by_key(|(rank, report)| (*rank, report.count));
    best.map(|(_, report)| report)
}

/// The readings with the columns of one score exchanged from a row on, to the end or to the row
/// from which they are right again.
fn exchanges<'a>(reading: &Reordered<'a>, owner: Owner) -> Vec<(usize, Reordered<'a>)> {
    let [own, other] = [owner, owner.other()].map(|of| reading.scores.get(of).entries());
    let first = usize::from(reading.case.start_setup().turn.is_black());
    let blocks = crossed_from(own, other, first).flat_map(|from| {
        let rows = (from + 2 * FEWEST_ROWS..own.len().saturating_sub(1)).step_by(2);
        let right_again = |at: &usize| {
            let row = &own[*at..*at + 2];
            stands_near(row, other, *at) && !is_crossed(row, other, *at)
        };
        let end = rows.into_iter().find(right_again);
        std::iter::once((from, own.len())).chain(end.map(|end| (from, end)))
    });
    let exchanged = blocks.filter_map(|(from, to)| {
        let mut order: Vec<usize> = (0..own.len()).collect();
        for row in order[from..to].chunks_exact_mut(2) {
            row.swap(0, 1);
        }
        let fault = Fault {
            owner,
            entry: from,
            ply: from,
            kind: FaultKind::Columns,
        };
        Some((from, reading.reorder(owner, &order, fault)?))
    });
    exchanged.collect()
}

/// The report, if it bears out that the columns were exchanged from an entry on, and how well: 0 is
/// one game to the end.
fn proved(reading: &Reordered<'_>, owner: Owner, from: usize) -> Option<(u8, Report)> {
    let report = reading.clone().report();
    let last = report.agreed.last();
    let read = last.map_or([0, 0], |last| last.entries);
    let agrees_after = read[owner as usize] >= from + 2 * FEWEST_ROWS;
    let rank = match report.verdict {
        _ if report.is_one_game() => 0,
        Verdict::GoBack if agrees_after => 1,
        Verdict::GoBack if goes_on_alike(reading, owner, from) && go_on(reading, &report) => 2,
        _ => return None,
    };
    let supposed = u32::try_from(reading.faults.len()).unwrap_or(u32::MAX);
    let most = (MOST_FAULTS + 1).saturating_sub(supposed);
    (report.count <= most).then_some((rank, report))
}

/// Whether each score goes on by itself after the point to which play goes back.
fn go_on(reading: &Reordered<'_>, report: &Report) -> bool {
    let last = report.agreed.last();
    let standing = last.map_or(&report.start, |last| &last.after);
    Owner::BOTH.into_iter().all(|owner| {
        let entries = reading.scores.get(owner).entries();
        let at = last.map_or(0, |last| last.entries[owner as usize]);
        let (end, ..) = read_on(entries, at, standing.clone());
        end == entries.len() || end >= at + FEWEST_LEGAL
    })
}

/// Whether most of what comes in one score stands in the same column in the other too.
fn goes_on_alike(reading: &Reordered<'_>, owner: Owner, from: usize) -> bool {
    let [own, other] = [owner, owner.other()].map(|of| reading.scores.get(of).entries());
    let rows = own.len().saturating_sub(from) / 2;
    let alike = (0..rows)
        .map(|row| from + 2 * row)
        .filter(|&at| stands_near(&own[at..at + 2], other, at))
        .count();
    alike >= MOST_ROWS && 3 * alike >= 2 * rows
}

fn is_crossed(row: &[Entry], other: &[Entry], at: usize) -> bool {
    let [white, black] = [&row[0], &row[1]].map(Clone::clone);
    stands_near(&[black, white], other, at)
}

/// Whether two entries stand one after the other in the other score, not far from their place.
fn stands_near(row: &[Entry], other: &[Entry], at: usize) -> bool {
    let near = at.saturating_sub(FURTHEST_APART);
    let last = (at + FURTHEST_APART + 2).min(other.len());
    other.get(near..last).is_some_and(|near| {
        near.windows(2).any(|pair| {
            can_be_the_same(&row[0].notated, &pair[0].notated)
                && can_be_the_same(&row[1].notated, &pair[1].notated)
        })
    })
}

/// The entries, White's of a row, from which on a score can say crosswise what the other says. The
/// first whole row begins with entry `first`.
fn crossed_from(entries: &[Entry], other: &[Entry], first: usize) -> impl Iterator<Item = usize> {
    let rows: Vec<bool> = entries
        .get(first..)
        .unwrap_or_default()
        .chunks_exact(2)
        .enumerate()
        .map(|(number, row)| is_crossed(row, other, first + 2 * number))
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
    let orders = ByOwner::each(|owner| (0..case.scores.get(owner).entries().len()).collect());
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
    let reading = Reordered {
        scores: ByOwner::each(|of| {
            let scores = [&page, *case.scores.get(of)];
            scores[usize::from(of != owner)].clone()
        }),
        orders,
        case,
        faults: vec![fault],
    };
    let report = reading.report();
    let is_proved = report.is_one_game() && report.count <= MOST_FAULTS;
    let begins = report
        .agreed
        .iter()
        .position(|ply| ply.entries[owner as usize] > 0);
    (is_proved && begins == Some(before)).then_some(report)
}
