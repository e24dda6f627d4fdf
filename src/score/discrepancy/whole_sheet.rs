//! Faults of a sheet as a whole: its rows are out of order, or it is a later page.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use super::alone::read_on;
use super::as_written::reconcile_as_written;
use super::columns::exchanged_columns;
use super::costs::{FAULT, MOST_BESIDE_ORDER};
use super::explain::Limits;
use super::fault::{FaultKind, SheetFault};
use super::owner::{ByOwner, Owner};
use super::report::{Alternative, Case, ReconcileReport, Verdict};
use super::words::can_be_the_same;
use crate::{Entry, Score, Standing};

/// How far apart, in entries, the same move may stand in the two scores.
const FURTHEST_APART: usize = 6;

/// How many plies must support exchanged columns on both sheets.
const CROSSWISE: usize = 8;

/// How many plies must support them if neither sheet has a legal first move as written.
const FROM_THE_FIRST: usize = 4;

/// The scores in another order of entries than on the sheets.
#[derive(Clone)]
pub(super) struct Reordered<'a> {
    case: &'a Case<'a>,
    scores: ByOwner<Score>,
    orders: ByOwner<Vec<usize>>,
    /// The faults that this order assumes.
    faults: Vec<SheetFault>,
}

impl<'a> Reordered<'a> {
    pub(super) fn as_written(case: &'a Case<'a>) -> Self {
        let scores = ByOwner::each(|owner| (*case.scores.get(owner)).clone());
        Self {
            orders: ByOwner::each(|owner| (0..scores.get(owner).entries().len()).collect()),
            scores,
            case,
            faults: Vec::new(),
        }
    }

    /// Returns the scores with the entries of one of them in another order.
    pub(super) fn reorder(&self, owner: Owner, order: &[usize], fault: SheetFault) -> Option<Self> {
        let entries = self.scores.get(owner).entries();
        let read: Option<Vec<Entry>> = order.iter().map(|&at| entries.get(at).cloned()).collect();
        self.read_as(owner, order, read?, fault)
    }

    /// Reads one score in another order. The numbers may stay where they are.
    fn read_as(
        &self,
        owner: Owner,
        order: &[usize],
        read: Vec<Entry>,
        fault: SheetFault,
    ) -> Option<Self> {
        let old = self.scores.get(owner);
        let mut score = Score::new(old.keeper()).starting_from(old.start());
        for entry in read {
            score.record(entry).ok()?;
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

    /// Returns the report, with each entry where it stands on its sheet.
    pub(super) fn report(self, limits: Limits) -> ReconcileReport {
        let mut report = reconcile_as_written(
            &Case {
                scores: ByOwner {
                    player: &self.scores.player,
                    opponent: &self.scores.opponent,
                },
                ..self.case.clone()
            },
            limits,
        );
        let on_sheet = |owner: Owner, entry: usize| {
            let order = self.orders.get(owner);
            order.get(entry).copied().unwrap_or(entry)
        };
        for fault in &mut report.faults {
            fault.entry = on_sheet(fault.owner, fault.entry);
            fault.until = fault.until.map(|entry| on_sheet(fault.owner, entry));
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
        // An empty place at the end may have been left out.
        report.entries = ByOwner::each(|owner| self.case.scores.get(owner).entries().len());
        report.cost = report.cost.saturating_add(FAULT * self.faults.len() as u32);
        report.faults.splice(0..0, self.faults);
        let inner = report.orders.take();
        report.orders = Some(match inner {
            None => self.orders,
            Some(inner) => ByOwner::each(|owner| {
                let order = inner.get(owner).iter();
                order.map(|&entry| on_sheet(owner, entry)).collect()
            }),
        });
        report
    }
}

/// Returns the report with the entries of either sheet in the order of their numbers, if that
/// explains more than it assumes.
pub(super) fn in_order_of_numbers(case: &Case<'_>, written: ReconcileReport) -> ReconcileReport {
    let mut best = (Reordered::as_written(case), written);
    for owner in Owner::BOTH {
        let entries = best.0.scores.get(owner).entries();
        let Some(order) = by_numbers(entries) else {
            continue;
        };
        let moved = order.iter().enumerate().find(|(at, from)| at != *from);
        let ply = moved.map_or(0, |(at, _)| at);
        let fault = SheetFault {
            owner,
            entry: ply,
            ply,
            kind: FaultKind::Transposed,
            until: None,
        };
        let Some(reading) = best.0.reorder(owner, &order, fault) else {
            continue;
        };
        let other = best.0.scores.get(owner.other()).entries();
        let [in_order, as_written] = alike(entries, &order, other);
        let again = reading.clone().report(Limits::better_than(best.1.cost));
        // As written, the numbers are wrong.
        let as_good = in_order > as_written && again.cost <= best.1.cost.saturating_add(FAULT);
        if again.cost < best.1.cost || as_good {
            best = (reading, again);
        }
    }
    best.1
}

/// Counts the entries moved by an order that stand where the other score has the same, within some
/// entries: read in that order, and as written.
fn alike(entries: &[Entry], order: &[usize], other: &[Entry]) -> [usize; 2] {
    let most = |read: &dyn Fn(usize) -> usize| {
        let same = |shift: usize| {
            let moved = (0..order.len()).filter(|&at| order[at] != at);
            let alike = moved.filter(|&at| {
                let there = (at + shift).checked_sub(FURTHEST_APART);
                let there = there.and_then(|there| other.get(there));
                there.is_some_and(|it| can_be_the_same(&entries[read(at)].notated, &it.notated))
            });
            alike.count()
        };
        (0..=2 * FURTHEST_APART).map(same).max().unwrap_or(0)
    };
    [most(&|at| order[at]), most(&|at| at)]
}

/// Returns the order by numbers and columns, if they are all different and not in order as written.
fn by_numbers(entries: &[Entry]) -> Option<Vec<usize>> {
    let mut places: Vec<(u32, bool)> = Vec::new();
    for entry in entries {
        // Black's move stands beside White's number.
        let follows = places
            .last()
            .map(|&(number, is_black)| (number + u32::from(is_black), !is_black));
        let own = entry
            .place
            .map(|place| (place.number, place.side.is_black()));
        places.push(own.or(follows)?);
    }
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&at| places[at]);
    let are_different = order.windows(2).all(|two| places[two[0]] != places[two[1]]);
    (are_different && !order.is_sorted()).then_some(order)
}

/// Returns the report if both scores are one game when a sheet that begins with a later number is a
/// later page.
pub(super) fn from_a_later_page(case: &Case<'_>, owner: Owner) -> Option<ReconcileReport> {
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
    let fault = SheetFault {
        owner,
        entry: 0,
        ply: before,
        kind: FaultKind::LaterPage,
        until: None,
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
    let report = reading.report(Limits {
        faults: MOST_BESIDE_ORDER,
        ..Limits::NONE
    });
    let is_proved = report.is_one_game() && report.count <= MOST_BESIDE_ORDER;
    let begins = report
        .agreed
        .iter()
        .position(|ply| ply.entries[owner as usize] > 0);
    (is_proved && begins == Some(before)).then_some(report)
}

/// Returns the report with the columns of both sheets exchanged from the start, if that explains
/// what does not fit as written. Further on, a move missing in both looks the same, and nobody can
/// tell.
pub(super) fn both_crosswise(
    case: &Case<'_>,
    written: &ReconcileReport,
) -> Option<ReconcileReport> {
    let from = usize::from(Standing::of(case.start_setup()).turn().is_black());
    let mut reading = Reordered::as_written(case);
    for owner in Owner::BOTH {
        let entries = case.scores.get(owner).entries();
        let mut order: Vec<usize> = (0..entries.len()).collect();
        for row in order.get_mut(from..)?.chunks_exact_mut(2) {
            row.swap(0, 1);
        }
        let read = exchanged_columns(entries, from);
        order.truncate(read.len());
        let fault = SheetFault {
            owner,
            entry: from,
            ply: from,
            kind: FaultKind::Columns,
            until: None,
        };
        reading = reading.read_as(owner, &order, read, fault)?;
    }
    // What both scores say as written is not given up for an explanation that costs more.
    let limits = match written.verdict {
        Verdict::GoBack => Limits::better_than(written.cost),
        _ => Limits::NONE,
    };
    let report = reading.report(Limits {
        faults: MOST_BESIDE_ORDER,
        ..limits
    });
    let is_dearer = written.verdict == Verdict::GoBack && report.cost >= written.cost;
    // If not even the first move is legal as written, less support is enough, and so it is if the
    // verdict is open.
    let is_none = written.agreed_ply <= from && written.verdict != Verdict::GoBack;
    let wanted = if is_none { FROM_THE_FIRST } else { CROSSWISE };
    let is_open = is_none && report.verdict == Verdict::Ambiguous;
    let is_proved = (report.is_one_game() || report.verdict == Verdict::GoBack || is_open)
        && !is_dearer
        && report.count <= MOST_BESIDE_ORDER
        && report.agreed_ply >= from + wanted
        && report.agreed_ply > written.agreed_ply;
    is_proved.then_some(report)
}

/// Rows of one sheet with exchanged columns.
struct Block {
    first: usize,
    /// The entry at which the exchanged columns end, if they do.
    until: Option<usize>,
    read: Vec<Entry>,
    order: Vec<usize>,
    /// How far the sheet can be read with this block.
    to: usize,
}

/// Returns the report with the columns of both sheets exchanged in a block of rows, if that makes a
/// legal game of each by itself. If both have exchanged them, neither can show it of the other.
pub(super) fn both_in_blocks(
    case: &Case<'_>,
    written: &ReconcileReport,
) -> Option<ReconcileReport> {
    let says_illegal = |it: &Alternative| it.verdict == Verdict::IllegalMove;
    let is_illegal = match written.verdict {
        Verdict::IllegalMove => true,
        Verdict::Ambiguous => written.alternatives.iter().all(says_illegal),
        _ => false,
    };
    if !is_illegal && written.verdict != Verdict::Ambiguous {
        return None;
    }
    let start = Standing::of(case.start_setup());
    let mut reading = Reordered::as_written(case);
    for owner in Owner::BOTH {
        let block = Block::of(case.scores.get(owner).entries(), &start)?;
        let fault = SheetFault {
            owner,
            entry: block.first,
            ply: block.first,
            kind: FaultKind::Columns,
            until: block.until,
        };
        reading = reading.read_as(owner, &block.order, block.read, fault)?;
    }
    let report = reading.report(Limits {
        faults: MOST_BESIDE_ORDER,
        ..Limits::NONE
    });
    let is_decided = report.is_one_game() || report.verdict == Verdict::GoBack;
    let is_proved = is_decided && report.count <= MOST_BESIDE_ORDER;
    (is_proved && (is_illegal || report.cost < written.cost)).then_some(report)
}

impl Block {
    /// Returns the block with which a sheet can be read furthest, if that is far enough.
    fn of(entries: &[Entry], start: &Standing) -> Option<Self> {
        let from = usize::from(start.turn().is_black());
        let (stop, _, passed) = read_on(entries, 0, start.clone());
        let before = |at: usize| match at.checked_sub(1) {
            None => Some(start),
            Some(last) => passed.get(last),
        };
        let begins = rows_at(stop, from).filter(|_| stop < entries.len());
        let blocks = begins.filter_map(|first| Self::from(entries, first, before(first)?, from));
        let best = blocks.max_by_key(|block| block.to)?;
        let wanted = if best.to == best.read.len() {
            FROM_THE_FIRST
        } else {
            CROSSWISE
        };
        (best.to >= stop + wanted).then_some(best)
    }

    /// Returns the block that begins with a row, as far as it has support.
    fn from(entries: &[Entry], first: usize, before: &Standing, from: usize) -> Option<Self> {
        let exchanged = exchanged_columns(entries, first);
        let (stop, _, passed) = read_on(&exchanged, first, before.clone());
        let order = |until: usize, entries: usize| -> Vec<usize> {
            let is_crossed = |at: usize| (first..until).contains(&at);
            let place = |at: usize| ((at - from) ^ 1) + from;
            let places = 0..entries;
            places
                .map(|at| {
                    if is_crossed(at) && place(at) < until {
                        place(at)
                    } else {
                        at
                    }
                })
                .collect()
        };
        let whole = Self {
            first,
            until: None,
            order: order(entries.len(), exchanged.len()),
            to: stop,
            read: exchanged,
        };
        let ends = rows_at(stop, from).filter(|until| *until > first + 2);
        let blocks = ends.filter_map(|until| {
            let mut read = whole.read.get(..until)?.to_vec();
            read.extend_from_slice(entries.get(until..)?);
            let standing = passed.get(until.checked_sub(first + 1)?)?;
            let (to, ..) = read_on(&read, until, standing.clone());
            let order = order(until, entries.len());
            Some(Self {
                first,
                until: Some(until),
                read,
                order,
                to,
            })
        });
        let blocks: Vec<Self> = blocks.collect();
        blocks
            .into_iter()
            .chain([whole])
            .max_by_key(|block| block.to)
    }
}

/// Returns the row of an entry and the row before it, because exchanged moves can be legal by
/// chance.
fn rows_at(entry: usize, from: usize) -> impl Iterator<Item = usize> {
    let row = entry - entry.saturating_sub(from) % 2;
    [row, row.saturating_sub(2)]
        .into_iter()
        .filter(move |row| *row >= from)
}
