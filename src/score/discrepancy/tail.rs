//! The entries of the longer score after the end of the shorter one, where one of them is no legal
//! move.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::Position;

use super::agreed::{Explanation, ExplanationKind};
use super::alone::read_on;
use super::costs::MOST_FAULTS;
use super::explain::{End, Search};
use super::fault::{FaultKind, SheetFault};
use super::owner::Owner;
use super::suppose::{is_doubled_row, misreading};
use super::words::is_doubled;
use crate::{Notated, Standing};

impl Search<'_> {
    /// Returns the games in which the longer score is right to its end except for the one entry at
    /// which it stops. Nobody else has recorded that move, so it can be any move that fits the
    /// rest. There are none if another such entry follows. Doubled entries and empty places are
    /// passed over.
    pub(super) fn readings_of_tail(&self, end: &End) -> Vec<Explanation> {
        if end.is_whole || self.nodes[end.node].after_illegal {
            return Vec::new();
        }
        let at = self.nodes[end.node].at;
        let longer = usize::from(at[0] >= self.list(end.node, 0).len());
        let rest = self.rest_of(end.node, longer);
        let read = end.tail.len();
        let before = end.tail.last().unwrap_or(&self.nodes[end.node].standing);
        let Some((entry, position)) = rest.get(read).zip(before.position()) else {
            return Vec::new();
        };
        let fault = |kind: FaultKind| SheetFault {
            owner: Owner::BOTH[longer],
            entry: self.on_sheet(end.node, longer, self.place(end.node, longer, read)),
            ply: self.nodes[end.node].ply + read,
            kind,
            until: None,
        };
        let reading = |more: Vec<Standing>, passed_over: usize, kind: FaultKind| {
            let tail = [end.tail.clone(), more].concat();
            let game = ExplanationKind::OneGame;
            let passed = read..read + passed_over;
            let mut reading = self.leading_through(end, game, (&tail, passed));
            let first = fault(kind);
            reading.faults.push(first);
            if passed_over > 1 {
                reading.faults.push(SheetFault {
                    entry: first.entry + 1,
                    ..first
                });
            }
            reading.is_credible = !end.is_doubted && end.count <= MOST_FAULTS;
            reading
        };
        if is_doubled_row(&rest, &rest, read) && is_doubled_row(&rest, &rest, read + 1) {
            let (to, _, passed) = read_on(&rest, read + 2, before.clone());
            if to == rest.len() {
                return vec![reading(passed, 2, FaultKind::Doubled)];
            }
        }
        let is_again = is_doubled(&rest, read);
        let (to, _, passed) = read_on(&rest, read + 1, before.clone());
        if to == rest.len() && (is_again || entry.notated == Notated::Blank) {
            let kind = if is_again {
                FaultKind::Doubled
            } else {
                FaultKind::Blank
            };
            return vec![reading(passed, 1, kind)];
        }
        let meant = before.meanings(entry);
        let choices = if meant.is_empty() {
            position.legal_moves().into_iter().collect()
        } else {
            meant.clone()
        };
        let ways = choices.into_iter().filter_map(|played| {
            let after = before.after(played);
            let (to, _, mut more) = read_on(&rest, read + 1, after.clone());
            more.insert(0, after);
            let kind = if meant.is_empty() {
                misreading(&entry.notated, played)
            } else {
                FaultKind::Incomplete
            };
            (to == rest.len()).then(|| reading(more, 0, kind))
        });
        ways.collect()
    }
}
