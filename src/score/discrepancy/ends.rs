//! Where explanations end: the scores differ, or one of them ends.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::agreed::ExplanationKind;
use super::alignment::Alignment;
use super::alone::read_on;
use super::costs::{
    BESIDE_SAME_WORDS, BESIDE_UNCERTAIN, DIFFERENCE, FAULT, MOST_ALONE, MOST_FAULTS,
    SAME_WORDS_LATER,
};
use super::explain::{End, Node, Search};
use super::fault::{FaultKind, SheetFault};
use super::suppose::takes_on_own_file;
use super::words::{can_be_the_same, differ_in_origin};
use crate::Notated;

/// A difference is uncertain if within so many entries after it an entry is aligned with none, or
/// exchanged.
const NEAR: usize = 2;

/// A score that cannot be read by itself within so many entries after a difference may have faults
/// there that are the whole difference.
const SOON: usize = 2;

/// How many entries count as a long continuation.
const GOOD_WHILE: usize = 4;

impl Search<'_> {
    /// Records the end if a score ends here. Returns whether one does.
    pub(super) fn end_of_a_score(&mut self, node: usize) -> bool {
        let at = self.nodes[node].at;
        let owner = match [0, 1].map(|owner| at[owner] < self.list(node, owner).len()) {
            [true, true] => return false,
            [_, other] => usize::from(other),
        };
        let more = self.own_fault_count(node, owner);
        let mut cost = self.nodes[node].cost + FAULT * more;
        let anchor = self.nodes[node].anchor.unwrap_or(node);
        let is_doubted = self.is_contradicted(node) && self.rest(anchor).is_mostly_the_same_later();
        if is_doubted {
            cost += SAME_WORDS_LATER;
        }
        if cost <= self.max_cost {
            let standing = self.nodes[node].standing.clone();
            let rest = self.rest_of(node, owner);
            let (read, _, tail) = read_on(&rest, 0, standing);
            // If both record the same illegal move, that must be the only good explanation. The
            // same holds for a slip in the square of departure with further faults.
            let is_illegal = self.nodes[node].after_illegal && !self.together;
            let is_slip = self.nodes[node].count > 2 && !self.origins_on(node).is_empty()
                || self.before_slip(node).is_some();
            let more = if is_illegal || is_slip {
                BESIDE_UNCERTAIN
            } else {
                0
            };
            self.ends_at(cost, more);
            self.ends.push(End {
                node,
                kind: ExplanationKind::OneGame,
                cost,
                undoubted: cost,
                count: self.nodes[node].count,
                is_doubted,
                is_uncertain: false,
                beside: more,
                may_be_slip: false,
                is_refuted: [false; 2],
                is_accounted_for: false,
                tail,
                is_whole: read == rest.len(),
            });
        }
        true
    }

    /// Lowers the greatest cost of interest: that of the cheapest explanation and what competes
    /// with it.
    fn ends_at(&mut self, cost: u32, beside: u32) {
        let (cheapest, most) = self.cheapest;
        if cost < cheapest {
            self.cheapest = (cost, beside);
        } else if cost == cheapest {
            self.cheapest = (cost, beside.max(most));
        }
        let (cheapest, most) = self.cheapest;
        self.max_cost = cheapest + most;
    }

    /// Records that the scores differ permanently from here on.
    pub(super) fn end_in_difference(&mut self, node: usize) {
        let before = self.nodes[node].cost + DIFFERENCE;
        let count = self.nodes[node].count;
        if count > MOST_FAULTS {
            return;
        }
        let is_behind_gap = [0, 1].map(|owner| self.is_behind_gap(node, owner)) != [false; 2];
        let says = self.here(node).map(|entry| &entry.notated);
        let is_unread = says.iter().any(|it| !it.is_legible());
        let is_odd = |it: &&Notated| matches!(it, Notated::Move(it) if takes_on_own_file(it));
        let is_doubtful = is_unread || says.iter().any(is_odd);
        let gap = if is_behind_gap { FAULT } else { 0 } + u32::from(is_unread);
        // If it already costs too much, the rest need not be read.
        if before + gap > self.max_cost {
            return;
        }
        let anchor = self.nodes[node].anchor.unwrap_or(node);
        let alone = [0, 1].map(|owner| self.own_fault_count_from(node, owner));
        let undoubted = before + gap + FAULT * (alone[0] + alone[1]);
        if undoubted > self.max_cost {
            return;
        }
        // A score that lacks an entry directly after the difference has a fault of its own there.
        let lacks_one = self.rest(node).lacks_one_behind();
        let is_accounted_for = lacks_one.is_some_and(|owner| alone[owner] > 0);
        let is_doubted = self.stands_in_another_order(node)
            || !is_accounted_for && self.rest(node).is_the_same_later(0)
            || anchor != node
                && self
                    .rest(anchor)
                    .is_the_same_later(self.passed(anchor, node));
        let cost = undoubted + if is_doubted { SAME_WORDS_LATER } else { 0 };
        let [a, b] = [0, 1].map(|owner| self.in_full(node, owner));
        let may_be_slip = differ_in_origin(&a, &b);
        let is_senseless =
            |owner: usize| alone[owner] == MOST_ALONE && self.stops_soon(node, owner);
        let is_senseless = [0, 1].into_iter().any(is_senseless);
        let is_uncertain = !is_doubted
            && (is_senseless || is_behind_gap || is_doubtful || self.is_uncertain(node));
        let is_refuted = [0, 1].map(|owner| alone[owner] > 0 && self.refutes_itself(node, owner));
        let beside = if is_doubted {
            0
        } else if self.rest(node).goes_on_later() {
            BESIDE_SAME_WORDS
        } else if is_uncertain
            || self.rest(node).begins_again()
            || count > 1 && !self.origins_on(node).is_empty()
            || is_refuted.contains(&true)
        {
            BESIDE_UNCERTAIN
        } else {
            0
        };
        let more = beside.max(if may_be_slip { DIFFERENCE } else { 0 });
        self.ends_at(cost, more);
        self.ends.push(End {
            node,
            kind: ExplanationKind::Differ,
            cost,
            undoubted,
            count,
            is_doubted,
            is_uncertain,
            beside,
            may_be_slip,
            is_refuted,
            is_accounted_for,
            tail: Vec::new(),
            is_whole: true,
        });
    }

    /// The end at which the scores differ from a node on, without anything else that speaks against
    /// it.
    pub(super) fn difference_at(&self, node: usize) -> End {
        let Node { cost, count, .. } = self.nodes[node];
        End {
            node,
            kind: ExplanationKind::Differ,
            cost: cost + DIFFERENCE,
            undoubted: cost + DIFFERENCE,
            count,
            is_doubted: false,
            is_uncertain: false,
            beside: 0,
            may_be_slip: false,
            is_refuted: [false; 2],
            is_accounted_for: false,
            tail: Vec::new(),
            is_whole: true,
        }
    }

    /// Returns whether a score refutes its own move: what follows its next entry is not possible
    /// after its move there, and is possible for a long continuation after the other score's move.
    fn refutes_itself(&self, node: usize, owner: usize) -> bool {
        let meant = self.meanings(node);
        let ([own], [other]) = (meant[owner].as_slice(), meant[1 - owner].as_slice()) else {
            return false;
        };
        let standing = &self.nodes[node].standing;
        let rest = self.rest_of(node, owner);
        let [own, other] = [own, other].map(|&played| {
            let (read, ..) = read_on(&rest, 1, standing.after(played));
            read
        });
        own < rest.len() && other >= rest.len().min(own + GOOD_WHILE)
    }

    /// Returns whether an unreadable entry is not the move that the other score has there, because
    /// the rest of its own score is not possible after that move.
    pub(super) fn is_no_such_move(&self, node: usize, meant: &[Vec<Move>; 2]) -> bool {
        let here = self.here(node);
        (0..2).any(|owner| {
            let [own, other] = [owner, 1 - owner].map(|of| here[of].notated.is_legible());
            let played = meant[1 - owner].as_slice();
            let rests = [owner, 1 - owner].map(|of| self.rest_of(node, of));
            let is_against = |played: &Move| {
                let after = self.nodes[node].standing.after(*played);
                let (read, ..) = read_on(&rests[0], 1, after);
                let says_both = |at: usize| {
                    let pair = rests[0].get(at).zip(rests[1].get(at));
                    pair.is_some_and(|(it, other)| can_be_the_same(&it.notated, &other.notated))
                };
                // If both are equally impossible, the reason is another. An unreadable entry gives
                // no information.
                let stops = rests[0].get(read);
                stops.is_some_and(|it| it.notated.is_legible()) && !(1..=read).all(says_both)
            };
            self.nodes[node].ahead == [None, None]
                && !own
                && other
                && matches!(played, [only] if is_against(only))
        })
    }

    /// Returns the fewest faults that the rest of a score has by itself from where the scores
    /// differ. An unreadable entry there can be any move.
    fn own_fault_count_from(&mut self, node: usize, owner: usize) -> u32 {
        let as_it_stands = self.own_fault_count(node, owner);
        let is_legible = self.here(node)[owner].notated.is_legible();
        let position = self.nodes[node].standing.position();
        let (false, Some(position)) = (is_legible, position) else {
            return as_it_stands;
        };
        let rest = self.rest_of(node, owner);
        let is_read = |played: Move| {
            let after = self.nodes[node].standing.after(played);
            read_on(&rest, 1, after).0 == rest.len()
        };
        if as_it_stands > 1 && position.legal_moves().into_iter().any(is_read) {
            return 1;
        }
        as_it_stands
    }

    /// Returns whether a score by itself can soon not be read on.
    fn stops_soon(&self, node: usize, owner: usize) -> bool {
        let rest = self.rest_of(node, owner);
        let soon = &rest[..rest.len().min(SOON)];
        let (read, ..) = read_on(soon, 0, self.nodes[node].standing.clone());
        read < soon.len()
    }

    /// Returns whether the numbers on a sheet skip moves directly before the next entry, or before
    /// the previous one. The skipped moves may be the whole difference.
    fn is_behind_gap(&self, node: usize, owner: usize) -> bool {
        let point = &self.nodes[node];
        let at = point.at[owner];
        // If both say the same directly after it and nothing is missing, the number is wrong.
        let before = point
            .parent
            .map(|parent| self.nodes[parent].faults.as_slice());
        let is_missing = |fault: &SheetFault| fault.kind == FaultKind::Missing;
        self.left_out(node, owner, at) > 0
            || before.is_some_and(|faults| faults.iter().any(is_missing))
                && self.left_out(node, owner, at.saturating_sub(1)) > 0
    }

    /// Returns how many plies the numbers on a sheet skip directly before an entry.
    pub(super) fn left_out(&self, node: usize, owner: usize, entry: usize) -> usize {
        let entries = self.list(node, owner);
        let numbered = |entry: usize| {
            let written = entries.get(entry)?.place?;
            let plies = 2 * written.number as usize + usize::from(written.side.is_black());
            Some((entry, plies))
        };
        let before = (0..entry).rev().find_map(numbered);
        let (Some((earlier, counted)), Some((_, plies))) = (before, numbered(entry)) else {
            return 0;
        };
        plies.saturating_sub(counted + entry - earlier)
    }

    /// Returns whether both scores, aligned from a node on, are not aligned entry by entry there.
    fn is_uncertain(&mut self, node: usize) -> bool {
        let Node { at, exchanged, .. } = self.nodes[node];
        let known = &mut self.alignments[usize::from(exchanged[0])][usize::from(exchanged[1])];
        let lists = [0, 1].map(|owner| self.lists.of(owner, exchanged[owner]));
        let alignment = known.get_or_insert_with(|| Alignment::of(lists[0], lists[1]));
        alignment.shifts_within(at, NEAR)
    }

    /// Returns how many more entries of the first score than of the second are read between two
    /// nodes.
    fn passed(&self, from: usize, to: usize) -> isize {
        let [before, after] = [from, to].map(|node| {
            let [one, other] = self.nodes[node].at.map(usize::cast_signed);
            one - other
        });
        after - before
    }

    /// Returns whether the path to a node has a fault since its anchor that contradicts the other
    /// score.
    fn is_contradicted(&self, node: usize) -> bool {
        let anchor = self.nodes[node].anchor;
        let mut at = Some(node).filter(|_| anchor.is_some());
        while let Some(here) = at.filter(|&here| Some(here) != anchor) {
            let mut faults = self.nodes[here].faults.iter();
            if faults.any(|fault| fault.kind.contradicts()) {
                return true;
            }
            at = self.nodes[here].parent;
        }
        false
    }

    /// Returns the nodes on the path to a node at which a legal move is treated as a slip in the
    /// square of departure, although both scores name such a square and both moves are possible. It
    /// leaves out nodes where the score with the slip refutes it by its later entries.
    pub(super) fn origins_on(&self, node: usize) -> Vec<usize> {
        let mut origins = Vec::new();
        let mut at = node;
        while let Some(parent) = self.nodes[at].parent {
            let mut faults = self.nodes[at].faults.iter();
            let is_open = |fault: &SheetFault| {
                fault.kind == FaultKind::OtherOrigin
                    && !self.refutes_itself(parent, fault.owner as usize)
            };
            if faults.any(is_open) {
                origins.push(parent);
            }
            at = parent;
        }
        origins
    }
}
