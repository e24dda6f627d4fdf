//! Which explanations compete with the cheapest ones, and which are not worth their faults.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use super::agreed::ExplanationKind;
use super::costs::{DIFFERENCE, FAULT, MOST_BESIDE_SLIP, MOST_FAULTS};
use super::explain::{End, Search};
use super::fault::{FaultKind, SheetFault};
use super::owner::Owner;

/// How many agreed moves support a fault against everything that says the scores differ there.
pub(super) const AGREED_LONG: usize = 8;

/// So few moves of the longer score, after the last entry that is missing or passed over, support
/// nothing.
const SOON_OVER: usize = 2;

impl Search<'_> {
    /// Returns whether a difference loses against an explanation that costs a little more, in which
    /// both agree for long after it, but not entry by entry.
    pub(super) fn is_beaten(&self, end: &End) -> bool {
        let [one, other] = self.nodes[end.node].at;
        end.kind == ExplanationKind::Differ
            && !end.is_accounted_for
            && self.ends.iter().any(|it| {
                let anchor = self.nodes[it.node].anchor.unwrap_or(it.node);
                let at = self.nodes[anchor].at;
                let more = it.beside.max(if it.may_be_slip { DIFFERENCE } else { 0 });
                at[0] >= one + AGREED_LONG
                    && at[1] >= other + AGREED_LONG
                    && it.cost <= end.cost + end.beside
                    && it.count <= MOST_FAULTS
                    && !it.is_doubted
                    // Whatever competes with it must have been found too.
                    && it.cost + more <= self.max_cost
                    && self.agreed_after(it.node, end.node) >= AGREED_LONG
                    && !self.slips_after(it.node, end.node)
            })
    }

    /// Returns whether an explanation that costs more competes with a cheapest one. In one case the
    /// cheapest assumes a slip in the square of departure, and this one lets the scores differ
    /// there. In the other the cheapest lets them differ, and in this one they agree further on
    /// without treating a legal move as a slip.
    pub(super) fn competes(&self, dearer: &End, cheapest: &End) -> bool {
        if dearer.cost > cheapest.cost + cheapest.beside {
            return false;
        }
        let parts = |end: &End| end.kind == ExplanationKind::Differ;
        let is_near = dearer.cost <= cheapest.cost + FAULT;
        if is_near && parts(dearer) && self.origins_on(cheapest.node).contains(&dearer.node) {
            return true;
        }
        if self.slips_at(dearer.node, cheapest) {
            return true;
        }
        parts(cheapest)
            && self.agreed_after(dearer.node, cheapest.node) > 0
            && self.gains(dearer, cheapest, 1)
            && !self.slips_after(dearer.node, cheapest.node)
            && !self.slips_elsewhere(dearer.node, cheapest.node)
    }

    /// Returns whether an explanation that costs more, and also ends in a difference, is worth its
    /// faults. Both scores must agree in it on two more moves for each additional fault, less
    /// `free`.
    pub(super) fn gains(&self, dearer: &End, cheapest: &End, free: usize) -> bool {
        let more = dearer.count.saturating_sub(cheapest.count) as usize;
        let wanted = (2 * more).saturating_sub(free);
        self.agreed_after(dearer.node, cheapest.node) >= wanted
    }

    /// Returns whether the scores differ, in an explanation that costs more, at a point where both
    /// still agree in the other, whose path does not even pass that point.
    pub(super) fn falls_short(&self, dearer: &End, cheapest: &End) -> bool {
        let is_there = |&node: &usize| node == dearer.node;
        !self.is_after(dearer.node, self.nodes[cheapest.node].at)
            && !self.path_to(cheapest.node).iter().any(is_there)
    }

    /// Returns whether the path to a node treats a legal move as a slip that the path to another
    /// node does not.
    fn slips_elsewhere(&self, node: usize, differing: usize) -> bool {
        let known = self.path_to(differing);
        let is_slip = |fault: &SheetFault| fault.kind == FaultKind::OtherMove;
        let mut path = self.path_to(node).into_iter();
        path.any(|node| self.nodes[node].faults.iter().any(is_slip) && !known.contains(&node))
    }

    /// Returns whether the path to a node treats any legal move as a slip after the entries at
    /// which the scores differ in another explanation.
    fn slips_after(&self, node: usize, differing: usize) -> bool {
        self.path_after(node, differing).iter().any(|&node| {
            let mut faults = self.nodes[node].faults.iter();
            faults.any(|it| matches!(it.kind, FaultKind::OtherMove | FaultKind::OtherOrigin))
        })
    }

    /// Returns whether the path to a node treats a legal move as a slip exactly where the scores
    /// differ in another explanation, and the score of that move refutes it.
    fn slips_at(&self, node: usize, differing: &End) -> bool {
        self.back_from(node).any(|node| {
            let point = &self.nodes[node];
            let mut faults = point.faults.iter();
            point.parent == Some(differing.node)
                && faults.any(|it| {
                    it.kind == FaultKind::OtherMove && differing.is_refuted[it.owner as usize]
                })
        })
    }

    /// Counts the moves after the entries of a difference that the path to a node has in both
    /// scores without any fault. In one game both scores are similar entry by entry even where they
    /// differ. So only moves that are shifted or reordered in one score support a fault.
    pub(super) fn agreed_after(&self, node: usize, differing: usize) -> usize {
        let anchor = self.nodes[node].anchor.unwrap_or(node);
        let shift = |node: usize| {
            let [one, other] = self.nodes[node].at.map(usize::cast_signed);
            one - other
        };
        let beside = [Some(differing), self.nodes[differing].anchor];
        let beside = beside.map(|node| node.map_or_else(|| shift(differing), shift));
        let path = self.path_after(node, differing);
        // A reordering that starts exactly there has read no entry yet.
        let from = self.nodes[differing].at;
        let is_there = |node: &usize| self.nodes[*node].at == from;
        let known: Vec<usize> = self.back_from(differing).take_while(is_there).collect();
        let before = path
            .first()
            .map_or(Some(node), |first| self.nodes[*first].parent);
        let back = before.into_iter().flat_map(|node| self.back_from(node));
        let mut just_there: Vec<usize> = back.take_while(is_there).collect();
        just_there.retain(|node| !known.contains(node));
        let reorders = |node: &usize| {
            let mut faults = self.nodes[*node].faults.iter();
            faults.any(|it| matches!(it.kind, FaultKind::Transposed | FaultKind::Columns))
        };
        let is_reordered = path.iter().any(reorders)
            || just_there
                .iter()
                .any(|node| reorders(node) && self.moves_two(*node));
        let agrees = |&&node: &&usize| {
            let point = &self.nodes[node];
            let before = point.parent.map_or([0, 0], |parent| self.nodes[parent].at);
            node <= anchor
                && point.faults.is_empty()
                && (0..2).all(|of| point.at[of] > before[of])
                && (is_reordered || !beside.contains(&shift(node)))
        };
        path.iter().filter(agrees).count()
    }

    /// Returns whether a path leads to a later agreement, after the slip it begins with.
    pub(super) fn agrees_further(&self, node: usize, differing: usize) -> bool {
        let anchor = self.nodes[node].anchor.unwrap_or(node);
        let [from, to] = [differing, anchor].map(|node| self.nodes[node].ply);
        to > from + 1
    }

    /// Returns the part of a path after the entries of another node.
    fn path_after(&self, node: usize, other: usize) -> Vec<usize> {
        let from = self.nodes[other].at;
        let after = self.back_from(node);
        let mut path: Vec<usize> = after
            .take_while(|&node| self.is_after(node, from))
            .collect();
        path.reverse();
        path
    }

    /// Returns whether a node lies after these entries, in one score at least.
    fn is_after(&self, node: usize, entries: [usize; 2]) -> bool {
        let at = self.nodes[node].at;
        at[0] > entries[0] || at[1] > entries[1]
    }

    /// Returns whether the path to a node assumes a slip at one of these plies.
    pub(super) fn supposes_slip(&self, node: usize, plies: &[usize]) -> bool {
        let mut at = (!plies.is_empty()).then_some(node);
        while let Some(here) = at {
            let mut faults = self.nodes[here].faults.iter();
            if faults.any(|it| it.kind == FaultKind::OtherOrigin && plies.contains(&it.ply)) {
                return true;
            }
            at = self.nodes[here].parent;
        }
        false
    }

    /// Returns the node before a legal move that is treated as a slip. The scores may also differ
    /// there.
    pub(super) fn before_slip(&self, node: usize) -> Option<usize> {
        let path = self.path_to(node);
        let slips = |&node: &usize| {
            let mut faults = self.nodes[node].faults.iter();
            faults.any(|fault| fault.kind == FaultKind::OtherMove)
        };
        self.nodes[*path.iter().find(|node| slips(node))?].parent
    }

    /// Returns whether an explanation that treats a legal move as a slip is better by a fault than
    /// a difference there. The later entries of that sheet are impossible otherwise.
    pub(super) fn is_slip_for_sure(&self, before: usize, end: &End) -> bool {
        let whose = self.slip_behind(before, end.node);
        // A later difference must have support too.
        let margin = match end.kind {
            ExplanationKind::OneGame => FAULT,
            ExplanationKind::Differ => 2 * FAULT,
        };
        let is_other = |it: &End| {
            let differs = it.kind == ExplanationKind::Differ && it.node == before;
            let other = self.slip_behind(before, it.node);
            differs && it.undoubted < end.cost + margin
                // If it may be a slip of either player, nobody can tell.
                || other.is_some() && other != whose && it.cost < end.cost + margin
        };
        end.count <= MOST_BESIDE_SLIP && !self.ends.iter().any(is_other)
    }

    /// Returns whose legal move the path to a node treats as a slip directly after another node.
    fn slip_behind(&self, before: usize, node: usize) -> Option<Owner> {
        let mut back = self.back_from(node);
        let behind = back.find(|&node| self.nodes[node].parent == Some(before))?;
        let mut faults = self.nodes[behind].faults.iter();
        let slip = faults.find(|fault| fault.kind == FaultKind::OtherMove)?;
        Some(slip.owner)
    }

    /// Returns whether nothing supports the last entry that is missing or passed over. The aligned
    /// scores may also differ there, and one of them ends at once.
    pub(super) fn is_unsupported(&self, end: &End) -> bool {
        let path = self.path_to(end.node);
        let steps = path.windows(2).rev();
        let mut since = steps.take_while(|two| {
            let [from, to] = [two[0], two[1]].map(|node| &self.nodes[node]);
            !(to.faults.is_empty() && (0..2).all(|owner| to.at[owner] > from.at[owner]))
        });
        let shifts = |node: usize| self.nodes[node].faults.iter().any(|it| it.kind.shifts());
        let last = since.find(|two| shifts(two[1])).map(|two| two[0]);
        let differs = |node: usize| {
            let mut ends = self.ends.iter();
            ends.any(|it| {
                let is_there = (it.kind, it.node) == (ExplanationKind::Differ, node);
                is_there && it.cost <= end.cost
            })
        };
        end.kind == ExplanationKind::OneGame
            && end.tail.len() <= SOON_OVER
            && last.is_some_and(differs)
    }
}
