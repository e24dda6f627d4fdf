//! Turns the results of a search into explanations.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use std::ops::Range;

use super::agreed::{AgreedPly, Explanation, ExplanationKind};
use super::competing::AGREED_LONG;
use super::costs::{BESIDE_UNCERTAIN, DIFFERENCE, MOST_FAULTS};
use super::explain::{End, Search};
use super::fault::{FaultKind, SheetFault};
use super::owner::{ByOwner, Owner};
use crate::Standing;

/// How many plies must agree between a fault and a difference. With fewer, the difference may as
/// well come before the fault.
const BORNE_OUT: usize = 2;

/// How close, in plies, no fault may be assumed to an illegal move that both record. The move may
/// be a part of such a fault.
const BESIDE: usize = 4;

impl Search<'_> {
    /// Returns all cheapest explanations, and those that compete with them.
    pub(super) fn explanations(&self) -> Vec<Explanation> {
        let mut ends: Vec<&End> = self.ends.iter().collect();
        ends.retain(|end| !self.is_beaten(end));
        let Some(cheapest) = ends.iter().map(|end| end.cost).min() else {
            return Vec::new();
        };
        let ends = ends.as_slice();
        let each = || ends.iter().copied();
        let first: Vec<&End> = each().filter(|end| end.cost == cheapest).collect();
        let needs_more =
            |end: &&End| end.is_uncertain || self.nodes[end.node].after_illegal && !self.together;
        let wanted = if first.iter().any(needs_more) {
            cheapest + BESIDE_UNCERTAIN
        } else {
            cheapest
        };
        let is_outweighed = |end: &End| {
            let agreed = |it: &&End| self.agreed_after(it.node, end.node);
            first.iter().any(|it| agreed(it) >= AGREED_LONG)
        };
        let is_worth_it = |end: &End| {
            let mut first = first.iter();
            end.kind == ExplanationKind::OneGame
                || first.any(|first| self.gains(end, first, 3) && !self.falls_short(end, first))
        };
        let best = || {
            each().filter(|end| {
                end.cost == cheapest
                    || end.cost <= wanted && end.count <= MOST_FAULTS && is_worth_it(end)
                    // What speaks against it may be wrong, if everything else costs more and has
                    // little support.
                    || end.undoubted < cheapest && !is_outweighed(end)
            })
        };
        let may_be_slip: Vec<usize> = best()
            .filter(|end| end.may_be_slip)
            .map(|end| self.nodes[end.node].ply)
            .collect();
        let later = each().filter(|end| {
            let is_dearer = (wanted + 1..=cheapest + DIFFERENCE).contains(&end.cost);
            is_dearer
                && end.count <= MOST_FAULTS
                && self.supposes_slip(end.node, &may_be_slip)
                && first
                    .iter()
                    .any(|it| self.agrees_further(end.node, it.node))
        });
        let beside = each().filter(|end| {
            end.cost > wanted
                && end.count <= MOST_FAULTS
                && !end.is_doubted
                && first.iter().any(|first| self.competes(end, first))
        });
        let all = best().chain(later);
        let hidden: Vec<End> = first.iter().flat_map(|end| self.hidden_on(end)).collect();
        let mut all: Vec<Explanation> = all.flat_map(|end| self.points_of(end)).collect();
        let beside = beside.chain(&hidden);
        let beside = beside.flat_map(|end| self.points_of(end));
        all.extend(beside.map(|explanation| Explanation {
            is_rival: true,
            ..explanation
        }));
        // Faults directly beside an illegal move of both can be the better explanation of it. They
        // cannot explain an illegal move elsewhere that needs no fault.
        let is_illegal = |it: &Explanation| it.illegal_at.is_some();
        let is_clear = |it: &Explanation| it.cost == cheapest && is_illegal(it) && it.is_credible;
        if all.iter().any(is_clear) {
            all.retain(|it| it.cost == cheapest || !is_illegal(it) || it.is_credible);
        }
        all
    }

    /// Returns the differences that an explanation treats as slips beside a missing entry. An entry
    /// that it calls impossible is a legal move where both agreed last, or after the missing move.
    fn hidden_on(&self, end: &End) -> Vec<End> {
        let path = self.path_to(end.node);
        let mut hidden = Vec::new();
        for (at, &node) in path.iter().enumerate() {
            let mut faults = self.nodes[node].faults.iter();
            let slip = faults.find(|fault| fault.kind == FaultKind::NotLegal);
            let Some((slip, parent)) = slip.zip(self.nodes[node].parent) else {
                continue;
            };
            let lacks_one = |node: usize| {
                let lacking = (slip.owner, FaultKind::Missing);
                let faults = self.nodes[node].faults.as_slice();
                matches!(faults, [only] if (only.owner, only.kind) == lacking)
            };
            let before = self.nodes[parent].anchor;
            hidden.extend(before.filter(|&it| self.can_part_at(it, parent, slip.owner as usize)));
            if path.get(at + 1).is_some_and(|&next| lacks_one(next)) {
                let ends = self.ends.iter().map(|end| end.node);
                let after = |node: &usize| self.nodes[*node].parent == Some(parent);
                hidden.extend(ends.filter(after).filter(|&node| lacks_one(node)));
            }
        }
        hidden
            .into_iter()
            .map(|node| self.difference_at(node))
            .collect()
    }

    /// Returns whether both scores have a legal move at a node, and not the same, where the entry
    /// of a score is still the next at a later node.
    fn can_part_at(&self, node: usize, later: usize, owner: usize) -> bool {
        let [here, there] = [node, later].map(|node| &self.nodes[node]);
        let is_next = here.at[owner] == there.at[owner]
            && here.at[1 - owner] < self.list(node, 1 - owner).len()
            && here.exchanged == there.exchanged
            && [here.ahead, there.ahead] == [[None; 2]; 2];
        is_next && {
            let [one, other] = self.meanings(node);
            let agree = one.iter().any(|played| other.contains(played));
            !one.is_empty() && !other.is_empty() && !agree
        }
    }

    /// Returns a node, the one before it, and so on to the first.
    pub(super) fn back_from(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |&node| self.nodes[node].parent)
    }

    /// Returns the points to which an explanation can lead. If the scores differ directly after a
    /// fault, the point before that fault is one too, because nothing supports the fault.
    fn points_of(&self, end: &End) -> Vec<Explanation> {
        let first = self.explanation(end);
        if let Some(before) = self.before_slip(end.node)
            && !self.is_slip_for_sure(before, end)
        {
            let path = self.path_to(end.node);
            return vec![self.cut(&first, &path, before), first];
        }
        if first.illegal_at.is_some() {
            return vec![first];
        }
        if end.kind == ExplanationKind::OneGame {
            let is_difference = first.kind == ExplanationKind::Differ;
            if !is_difference {
                let readings = self.readings_of_tail(end);
                // An entry that is only passed over leaves nothing open.
                let is_passed_over = |reading: &Explanation| {
                    let last = reading.faults.last().map(|fault| fault.kind);
                    matches!(last, Some(FaultKind::Doubled | FaultKind::Blank))
                };
                let cut = (!matches!(readings.as_slice(), [only] if is_passed_over(only)))
                    .then_some(first);
                return cut.into_iter().chain(readings).collect();
            }
            // An illegal entry of one score alone can be a slip for the other's move.
            let as_game = end.tail.len() >= BORNE_OUT || self.slips_are_illegal(end);
            let game =
                (is_difference && as_game).then(|| self.leading_to(end, ExplanationKind::OneGame));
            return [Some(first), game].into_iter().flatten().collect();
        }
        let mut path = self.path_to(end.node);
        let mut points = Vec::new();
        if self.nodes[end.node].anchor.is_some() {
            points.push(self.cut(&first, &path, end.node));
        }
        let anchor = self.nodes[end.node].anchor.unwrap_or(end.node);
        path.retain(|&node| node <= anchor);
        if let Some(before) = self.unsupported(&path) {
            points.push(self.cut(&first, &path, before));
        }
        points.insert(0, first);
        points
    }

    /// Returns the node before the last faults of a path, if fewer than [`BORNE_OUT`] plies support
    /// them.
    fn unsupported(&self, path: &[usize]) -> Option<usize> {
        let mut borne_out = 0;
        let mut before = None;
        for two in path.windows(2).rev() {
            let [from, to] = [two[0], two[1]];
            let shifts = self.nodes[to]
                .faults
                .iter()
                .any(|fault| fault.kind.shifts());
            if shifts {
                before = Some(from);
                borne_out = 0;
            } else {
                borne_out += self.nodes[to].ply - self.nodes[from].ply;
            }
            if borne_out >= BORNE_OUT {
                break;
            }
        }
        before
    }

    /// Returns the explanation that leads to another node of its path.
    fn cut(&self, explanation: &Explanation, path: &[usize], at: usize) -> Explanation {
        let before: Vec<usize> = path.iter().copied().filter(|&node| node <= at).collect();
        let agreed: Vec<AgreedPly> = before
            .iter()
            .flat_map(|&node| self.plies_to(node))
            .collect();
        Explanation {
            kind: ExplanationKind::Differ,
            read: Some(self.nodes[at].at),
            by_both: agreed.len(),
            agreed,
            shorter: None,
            illegal_at: None,
            is_unsupported: false,
            faults: self.faults_on(&before),
            ..explanation.clone()
        }
    }

    pub(super) fn path_to(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<usize> = self.back_from(node).collect();
        path.reverse();
        path
    }

    /// Returns the plies of the step that led to a node.
    fn plies_to(&self, node: usize) -> Vec<AgreedPly> {
        let point = &self.nodes[node];
        let Some(parent) = point.parent else {
            return Vec::new();
        };
        let before = self.nodes[parent].at;
        let mut plies: Vec<_> = point
            .between
            .iter()
            .enumerate()
            .map(|(ply, after)| AgreedPly {
                after: after.clone(),
                // A score that lacks these plies stays where it is.
                entries: [0, 1].map(|owner| (before[owner] + ply + 1).min(point.at[owner])),
            })
            .collect();
        if point.ply > self.nodes[parent].ply {
            plies.push(AgreedPly {
                after: point.standing.clone(),
                entries: point.at,
            });
        }
        plies
    }

    /// Returns the faults of a path. For exchanged columns it adds where they end.
    fn faults_on(&self, path: &[usize]) -> Vec<SheetFault> {
        let mut faults: Vec<SheetFault> = Vec::new();
        let mut before = [false, false];
        for &node in path {
            let point = &self.nodes[node];
            for owner in [0, 1] {
                if before[owner] && !point.exchanged[owner] {
                    let columns = |fault: &&mut SheetFault| {
                        fault.owner as usize == owner && fault.kind == FaultKind::Columns
                    };
                    if let Some(fault) = faults.iter_mut().rev().find(columns) {
                        fault.until = Some(point.at[owner]);
                    }
                }
            }
            before = point.exchanged;
            faults.extend(point.faults.iter().copied());
        }
        faults
    }

    /// Returns the order in which a path reads the entries of each sheet, or `None` for the order
    /// on the sheets.
    fn orders(&self, path: &[usize]) -> Option<ByOwner<Vec<usize>>> {
        let as_it_stands = |&node: &usize| {
            let point = &self.nodes[node];
            point.exchanged == [false, false] && point.ahead == [None, None]
        };
        if path.iter().all(as_it_stands) {
            return None;
        }
        Some(ByOwner::each(|owner| {
            let of = owner as usize;
            let all = self.lists.plain[of].len();
            let ends = path.iter().skip(1).map(|&next| self.nodes[next].at[of]);
            let steps = path.iter().zip(ends.chain([all]));
            let read = steps.flat_map(|(&node, end)| {
                let more = 0..end - self.nodes[node].at[of];
                more.map(move |more| self.on_sheet(node, of, self.place(node, of, more)))
            });
            read.collect()
        }))
    }

    fn explanation(&self, end: &End) -> Explanation {
        let kind = if self.contradicts(end) {
            ExplanationKind::Differ
        } else {
            end.kind
        };
        self.leading_to(end, kind)
    }

    /// Returns whether something was treated as a slip without the support of any later agreement.
    fn contradicts(&self, end: &End) -> bool {
        let anchor = self.nodes[end.node].anchor.unwrap_or(end.node);
        let faults = self.faults_on(&self.path_to(end.node));
        faults
            .iter()
            .any(|fault| fault.ply >= self.nodes[anchor].ply && fault.kind.contradicts())
    }

    /// Returns whether all contradictions without the support of a later agreement are entries that
    /// are no legal move.
    fn slips_are_illegal(&self, end: &End) -> bool {
        let anchor = self.nodes[end.node].anchor.unwrap_or(end.node);
        let mut after = self.back_from(end.node).take_while(|&node| node > anchor);
        after.all(|node| {
            let mut faults = self.nodes[node].faults.iter();
            faults.all(|it| !it.kind.contradicts() || it.kind == FaultKind::NotLegal)
        })
    }

    pub(super) fn leading_to(&self, end: &End, kind: ExplanationKind) -> Explanation {
        self.leading_through(end, kind, (&end.tail, 0..0))
    }

    /// Returns the explanation with these moves after the end of the shorter score. The given
    /// entries of the longer one after that end are passed over.
    pub(super) fn leading_through(
        &self,
        end: &End,
        kind: ExplanationKind,
        (tail, passed_over): (&[Standing], Range<usize>),
    ) -> Explanation {
        let path = self.path_to(end.node);
        let anchor = self.nodes[end.node].anchor.unwrap_or(end.node);
        let differ = kind == ExplanationKind::Differ;
        let contradicted = self.contradicts(end);
        let upto = if differ { anchor } else { end.node };
        let mut agreed: Vec<AgreedPly> = path
            .iter()
            .take_while(|&&node| node <= upto)
            .flat_map(|&node| self.plies_to(node))
            .collect();
        let (by_both, mut shorter) = (agreed.len(), None);
        let [a, b] = self.nodes[end.node].at;
        let longer = usize::from(a >= self.list(end.node, 0).len());
        if !differ && [a, b][longer] < self.list(end.node, longer).len() {
            shorter = Some(Owner::BOTH[1 - longer]);
            for (more, after) in tail.iter().enumerate() {
                let mut entries = [a, b];
                let passed = if more >= passed_over.start {
                    passed_over.len()
                } else {
                    0
                };
                entries[longer] += more + 1 + passed;
                agreed.push(AgreedPly {
                    after: after.clone(),
                    entries,
                });
            }
        }
        let illegal_at = path
            .iter()
            .find(|&&node| self.nodes[node].illegal)
            .map(|&node| self.nodes[node].ply - 1);
        let faults = self.faults_on(&path);
        // If both record the same illegal move, nothing else may be wrong near it.
        let is_beside =
            |fault: &SheetFault| illegal_at.is_some_and(|at| fault.ply.abs_diff(at) <= BESIDE);
        let is_clearly_illegal = !faults.iter().any(is_beside);
        Explanation {
            kind,
            agreed,
            by_both,
            shorter,
            read: differ.then(|| self.nodes[anchor].at),
            faults,
            orders: self.orders(&path),
            illegal_at,
            // A contradiction without support is the difference itself and not a fault.
            count: end.count,
            cost: end.cost,
            // The same words later also lower credibility, where the rest after the difference is
            // confused.
            is_credible: !end.is_doubted
                && !end.is_uncertain
                && is_clearly_illegal
                && self.broken_off_at.is_none()
                && (differ || end.is_whole || illegal_at.is_some())
                && end.count <= MOST_FAULTS + u32::from(contradicted),
            is_rival: false,
            is_unsupported: self.is_unsupported(end),
        }
    }
}
