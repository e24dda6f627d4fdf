//! Finds the games that two scores can be records of, with the fewest faults.
//!
//! An explanation is a game that both scores record as far as they agree, the faults it assumes,
//! and perhaps a point from which the scores differ permanently. Every fault has a cost, and so has
//! a permanent difference. After such a point each score is read by itself, and its own faults
//! there speak against the point. So do the same words in both scores some entries apart, because
//! two games do not continue like that. Two ways that soon meet in one position are no permanent
//! difference. The search finds all cheapest explanations. It goes cost by cost along both scores
//! at once. Equal entries cost nothing, so the work is done only around the faults.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use std::borrow::Cow;
use std::collections::HashMap;

use shakmaty::Move;

use super::agreed::{Explanation, ExplanationKind};
use super::alignment::Alignment;
use super::alone::{AlignedEntries, Alone, fewest_faults};
use super::columns::{Exchanges, Lists, exchanged_columns};
use super::costs::{
    BESIDE_UNCERTAIN, CREDIBLE, FAULT, FIVE_FAULTS, ILLEGAL, LATER_ILLEGAL, MAX_COST, MOST_FAULTS,
};
use super::fault::{FaultKind, SheetFault};
use super::owner::Owner;
use super::words::Rest;
use crate::{Entry, Meaning, Score, Standing};

/// How far, in entries of both scores together, a path may lag behind the furthest one and still be
/// followed: 24 plies of each.
const LAG: usize = 48;

/// The search stops after this many positions, so that no pair of scores takes too long.
const MOST_NODES: usize = 150_000;

/// The limits of a search.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// The greatest cost of explanations to find.
    pub(super) max_cost: u32,
    /// The greatest number of faults of explanations to find.
    pub(super) faults: u32,
}

impl Limits {
    /// No limits.
    pub(super) const NONE: Self = Self {
        max_cost: MAX_COST,
        faults: u32::MAX,
    };

    /// Limits a search to what costs no more than a known explanation, with what competes with it.
    pub(super) fn better_than(known: u32) -> Self {
        Self {
            max_cost: known.saturating_add(BESIDE_UNCERTAIN).min(MAX_COST),
            ..Self::NONE
        }
    }
}

/// Returns the cheapest explanations, or none if there are too many faults to explain. `together`
/// says that both scores are word for word the same and are read entry by entry.
pub(super) fn explain(
    start: &Standing,
    scores: [&Score; 2],
    together: bool,
    limits: Limits,
) -> Vec<Explanation> {
    let first = usize::from(start.turn().is_black());
    let plain = scores.map(Score::entries);
    let exchanges = Exchanges::of(plain, first);
    let exchanged = if exchanges.are_none() {
        [Vec::new(), Vec::new()]
    } else {
        plain.map(|entries| exchanged_columns(entries, first))
    };
    let lists = Lists {
        plain,
        exchanged: [0, 1].map(|owner| exchanged[owner].as_slice()),
        first,
    };
    let search = |limits: Limits| {
        let mut search = Search::new(lists, &exchanges, scores, together, limits);
        search.run(start);
        search
    };
    let mut believed = search(Limits {
        faults: limits.faults.min(MOST_FAULTS),
        ..limits
    });
    // Explanations with more faults matter only if they claim less than those with fewer.
    let cheapest = believed.cheapest.0.min(limits.max_cost.saturating_add(1));
    if limits.faults > MOST_FAULTS && cheapest > MOST_FAULTS + 1 {
        let further = search(Limits {
            max_cost: cheapest - 1,
            ..limits
        });
        if !further.ends.is_empty() {
            return further.explanations();
        }
        believed.broken_off_at = believed
            .broken_off_at
            .or(further.broken_off_at.filter(|&cost| cost <= FIVE_FAULTS));
    }
    believed.explanations()
}

/// Exchanged entries: the order in which they are read, and how many of them were read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ReadOrder {
    pub(super) order: &'static [usize],
    pub(super) read: usize,
}

impl ReadOrder {
    /// Returns the state after so many more entries. `None` when all were read.
    fn after(self, entries: usize) -> Option<Self> {
        let read = self.read + entries;
        (read < self.order.len()).then_some(Self { read, ..self })
    }

    /// Returns where the entry stands in its list that is read after `more` others.
    fn place(self, at: usize, more: usize) -> Option<usize> {
        let place = self.order.get(self.read + more)?;
        Some(at - self.read + place)
    }
}

/// A point of the search: how far each score is read, and the position of the game.
pub(super) struct Node {
    pub(super) at: [usize; 2],
    /// Whose columns are read exchanged.
    pub(super) exchanged: [bool; 2],
    /// Entries that are read in another order than they are written in.
    pub(super) ahead: [Option<ReadOrder>; 2],
    pub(super) ply: usize,
    /// The last node on which both scores agree, if it is not this one.
    pub(super) anchor: Option<usize>,
    pub(super) standing: Standing,
    /// The positions between the plies of a step that led here.
    pub(super) between: Vec<Standing>,
    pub(super) parent: Option<usize>,
    pub(super) cost: u32,
    /// The number of faults on the path to here.
    pub(super) count: u32,
    /// The faults of the step that led here.
    pub(super) faults: Vec<SheetFault>,
    /// Whether that step was an illegal move that both record.
    pub(super) illegal: bool,
    /// Whether the path to here has such a move.
    pub(super) after_illegal: bool,
}

/// A node at which an explanation ends.
pub(super) struct End {
    pub(super) node: usize,
    pub(super) kind: ExplanationKind,
    pub(super) cost: u32,
    /// Its cost if only its faults spoke against it.
    pub(super) undoubted: u32,
    /// The number of faults it needs. Faults after a permanent difference do not count.
    pub(super) count: u32,
    /// Whether the same words in both scores speak against it.
    pub(super) is_doubted: bool,
    /// Whether the scores differ where an entry may be missing, too many or exchanged, which may be
    /// the whole difference.
    pub(super) is_uncertain: bool,
    /// How much more the explanations may cost that compete with this one, if only later agreement
    /// supports them.
    pub(super) beside: u32,
    /// Whether the entries there name two pieces of a kind for one square. One of them can be a
    /// slip, and then the scores differ only later.
    pub(super) may_be_slip: bool,
    /// Whose own entries after the difference are not possible after his move there, and are
    /// possible after that of the other score.
    pub(super) is_refuted: [bool; 2],
    /// Whether the scores differ although they continue in the same words later, because one of
    /// them lacks an entry directly after the difference.
    pub(super) is_accounted_for: bool,
    /// Moves that only the longer score has, up to the first that is not legal.
    pub(super) tail: Vec<Standing>,
    /// Whether these moves reach the end of that score.
    pub(super) is_whole: bool,
}

/// A step along the scores: how many entries of each, and how many plies.
pub(super) struct Advance {
    pub(super) entries: [usize; 2],
    pub(super) plies: usize,
    pub(super) standing: Standing,
    pub(super) faults: Vec<SheetFault>,
    /// Whether both scores record it.
    pub(super) agreed: bool,
    /// Its cost in addition to its faults.
    pub(super) more: u32,
}

/// What makes two nodes the same. The search after them is the same too.
#[derive(PartialEq, Eq, Hash)]
struct NodeKey {
    at: [usize; 2],
    exchanged: [bool; 2],
    ahead: [Option<ReadOrder>; 2],
    ply: usize,
    position: u64,
    anchor: Option<usize>,
    after_illegal: bool,
    count: u32,
}

pub(super) struct Search<'a> {
    pub(super) lists: Lists<'a>,
    exchanges: &'a Exchanges,
    /// Whether every step takes one entry of each score.
    pub(super) together: bool,
    /// The entries before which a player did not have to record (8.4).
    suspended: [&'a [usize]; 2],
    pub(super) nodes: Vec<Node>,
    visited: HashMap<NodeKey, u32>,
    buckets: Vec<Vec<usize>>,
    pub(super) ends: Vec<End>,
    /// The greatest cost of explanations that are still wanted.
    pub(super) max_cost: u32,
    limits: Limits,
    /// The cost at which the search was stopped because there was too much to try.
    pub(super) broken_off_at: Option<u32>,
    /// The cost of the cheapest explanation so far, and how much more those that compete with it
    /// may cost.
    pub(super) cheapest: (u32, u32),
    alone: Alone,
    /// Both scores aligned, by whose columns are read exchanged.
    pub(super) alignments: [[Option<Alignment>; 2]; 2],
}

impl<'a> Search<'a> {
    fn new(
        lists: Lists<'a>,
        exchanges: &'a Exchanges,
        scores: [&'a Score; 2],
        together: bool,
        limits: Limits,
    ) -> Self {
        Self {
            lists,
            exchanges,
            together,
            suspended: scores.map(Score::suspended),
            nodes: Vec::new(),
            visited: HashMap::new(),
            buckets: Vec::new(),
            ends: Vec::new(),
            max_cost: limits.max_cost,
            limits,
            broken_off_at: None,
            cheapest: (limits.max_cost.saturating_add(1), 0),
            alone: Alone::default(),
            alignments: [[None, None], [None, None]],
        }
    }

    fn run(&mut self, start: &Standing) {
        self.push(Node {
            at: [0, 0],
            exchanged: [false; 2],
            ahead: [None; 2],
            ply: 0,
            anchor: None,
            standing: start.clone(),
            between: Vec::new(),
            parent: None,
            cost: 0,
            count: 0,
            faults: Vec::new(),
            illegal: false,
            after_illegal: false,
        });
        let mut furthest = 0;
        let mut cost = 0;
        while cost <= self.max_cost {
            // An end that is believed in spite of its cost can only be beaten by a cheap one,
            // unless something speaks against it.
            let believed = |end: &End| end.count <= MOST_FAULTS && !end.is_doubted;
            if cost > CREDIBLE && self.ends.iter().any(believed) {
                return;
            }
            let settled = self.settle(cost);
            if self.nodes.len() > MOST_NODES {
                // What is found by then is reported, but nobody knows what else there is.
                self.broken_off_at = Some(cost);
                return;
            }
            for &node in &settled {
                furthest = furthest.max(self.progress(node));
            }
            for node in settled {
                if self.nodes.len() <= MOST_NODES && self.progress(node) + LAG >= furthest {
                    self.suppose_faults(node);
                }
            }
            cost += 1;
        }
    }

    /// The entries of a score in the order in which they are read at a node.
    pub(super) fn list(&self, node: usize, owner: usize) -> &'a [Entry] {
        self.lists.of(owner, self.nodes[node].exchanged[owner])
    }

    /// The entries of both scores.
    fn both(&self, node: usize) -> [&'a [Entry]; 2] {
        [0, 1].map(|owner| self.list(node, owner))
    }

    /// Returns where in its list the entry stands that is read after so many others.
    pub(super) fn place(&self, node: usize, owner: usize, more: usize) -> usize {
        let point = &self.nodes[node];
        let at = point.at[owner];
        let ahead = point.ahead[owner].and_then(|ahead| ahead.place(at, more));
        ahead.unwrap_or(at + more)
    }

    /// Returns the entry that is read after so many others.
    pub(super) fn upcoming(&self, node: usize, owner: usize, more: usize) -> Option<&'a Entry> {
        self.list(node, owner).get(self.place(node, owner, more))
    }

    /// Returns where an entry stands on its sheet.
    pub(super) fn on_sheet(&self, node: usize, owner: usize, entry: usize) -> usize {
        let exchanged = self.nodes[node].exchanged[owner];
        self.lists.on_sheet(owner, exchanged, entry)
    }

    fn progress(&self, node: usize) -> usize {
        let [a, b] = self.nodes[node].at;
        a + b
    }

    /// Takes all nodes of a cost and follows them as long as both scores say the same.
    fn settle(&mut self, cost: u32) -> Vec<usize> {
        let mut settled = Vec::new();
        while let Some(node) = self.buckets.get_mut(cost as usize).and_then(Vec::pop) {
            let point = &self.nodes[node];
            let key = NodeKey {
                at: point.at,
                exchanged: point.exchanged,
                ahead: point.ahead,
                ply: point.ply,
                position: point.standing.key(),
                anchor: point.anchor,
                after_illegal: point.after_illegal,
                count: point.count,
            };
            if self
                .visited
                .insert(key, cost)
                .is_some_and(|known| known <= cost)
            {
                continue;
            }
            settled.push(node);
            if self.end_of_a_score(node) {
                continue;
            }
            let meant = self.meanings(node);
            match (meant[0].as_slice(), meant[1].as_slice()) {
                ([one], [other]) if one == other => {
                    self.step(node, [1, 1], *one, Vec::new(), true);
                }
                ([], []) if self.can_be_one_illegal(node) => {
                    self.illegal_step(node);
                }
                _ => {}
            }
            if self.together {
                continue;
            }
            self.unrecorded(node, &meant);
            for owner in [0, 1] {
                self.suppose_columns(node, owner);
            }
            if self.nodes.len() > MOST_NODES {
                break;
            }
        }
        settled
    }

    /// Steps over a move that one of the players did not have to record. That is no fault (8.4).
    fn unrecorded(&mut self, node: usize, meant: &[Vec<Move>; 2]) {
        for owner in [0, 1] {
            let other = 1 - owner;
            let is_suspended = self.suspended[other].contains(&self.nodes[node].at[other]);
            if let ([played], true) = (meant[owner].as_slice(), is_suspended) {
                self.step(node, one(owner), *played, Vec::new(), false);
            }
        }
    }

    /// Returns what both scores say from a node on.
    pub(super) fn rest(&self, node: usize) -> Rest<'a> {
        let point = &self.nodes[node];
        let turned = [0, 1].map(|owner| self.lists.of(owner, !point.exchanged[owner]));
        Rest::of(self.both(node), turned, point.at)
    }

    /// Returns the entries from a node on as they are read, if some are exchanged there.
    fn in_other_order(&self, node: usize, owner: usize) -> Option<Vec<Entry>> {
        let at = self.nodes[node].at[owner];
        let ahead = self.nodes[node].ahead[owner]?;
        let entries = self.list(node, owner);
        let places = (0..entries.len() - at).map(|more| ahead.place(at, more).unwrap_or(at + more));
        Some(places.map(|place| entries[place].clone()).collect())
    }

    /// Returns the entries from a node on in the order in which they are read.
    pub(super) fn rest_of(&self, node: usize, owner: usize) -> Cow<'a, [Entry]> {
        let at = self.nodes[node].at[owner];
        let as_they_stand = || Cow::Borrowed(&self.list(node, owner)[at..]);
        self.in_other_order(node, owner)
            .map_or_else(as_they_stand, Cow::Owned)
    }

    /// Returns the fewest faults that the rest of a score has by itself.
    pub(super) fn own_fault_count(&mut self, node: usize, owner: usize) -> u32 {
        let point = &self.nodes[node];
        let (at, exchanged) = (point.at[owner], point.exchanged);
        let [entries, other] = [owner, 1 - owner].map(|of| self.lists.of(of, exchanged[of]));
        let shift = point.at[1 - owner].cast_signed() - at.cast_signed();
        if let Some(entries) = self.in_other_order(node, owner) {
            let told = AlignedEntries {
                entries: &entries,
                other,
                shift: shift + at.cast_signed(),
            };
            return fewest_faults(told, 0, &point.standing);
        }
        let told = AlignedEntries {
            entries,
            other,
            shift,
        };
        let whose = (owner, exchanged);
        let faults = self.alone.faults(whose, told, at, &point.standing);
        if !exchanged[owner] {
            return faults;
        }
        // Once the scores differ, nothing shows where exchanged columns end: perhaps here, unless
        // the scores do not differ then.
        let plain = self.lists.of(owner, false);
        let straight = if self.lists.is_row(at) {
            (!self.is_right_again(node, owner)).then(|| (at, point.standing.clone()))
        } else {
            match entries.get(at).map(|entry| point.standing.read(entry)) {
                Some(Meaning::Legal(played)) => Some((at + 1, point.standing.after(played))),
                _ => None,
            }
        };
        straight.map_or(faults, |(at, standing)| {
            let mut whose = whose;
            whose.1[owner] = false;
            let told = AlignedEntries {
                entries: plain,
                ..told
            };
            faults.min(self.alone.faults(whose, told, at, &standing))
        })
    }

    /// Returns the next entry of each score.
    pub(super) fn here(&self, node: usize) -> [&Entry; 2] {
        [0, 1].map(|owner| &self.list(node, owner)[self.place(node, owner, 0)])
    }

    pub(super) fn meanings(&self, node: usize) -> [Vec<Move>; 2] {
        let standing = &self.nodes[node].standing;
        self.here(node).map(|entry| standing.meanings(entry))
    }

    fn push(&mut self, node: Node) -> usize {
        let cost = node.cost as usize;
        if self.buckets.len() <= cost {
            self.buckets.resize_with(cost + 1, Vec::new);
        }
        self.nodes.push(node);
        self.buckets[cost].push(self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Assumes that the columns of a score are exchanged from here on, or no longer.
    fn suppose_columns(&mut self, node: usize, owner: usize) {
        let point = &self.nodes[node];
        let at = point.at[owner];
        let is_busy = point.ahead[owner].is_some();
        if is_busy || !self.lists.is_row(at) || self.exchanges.are_none() {
            return;
        }
        let row = (at - self.lists.first) / 2;
        let other = point.exchanged[1 - owner];
        let (faults, may_be) = if point.exchanged[owner] {
            let can_end = self.exchanges.can_end(owner, other, row);
            (Vec::new(), can_end || self.is_right_again(node, owner))
        } else {
            let fault = SheetFault {
                owner: Owner::BOTH[owner],
                entry: at,
                ply: point.ply,
                kind: FaultKind::Columns,
                until: None,
            };
            (vec![fault], self.exchanges.can_begin(owner, other, row))
        };
        let step = Advance {
            entries: [0, 0],
            plies: 0,
            standing: point.standing.clone(),
            faults,
            agreed: point.anchor.is_none(),
            more: 0,
        };
        if may_be && let Some(next) = self.go(node, step) {
            let exchanged = &mut self.nodes[next].exchanged[owner];
            *exchanged = !*exchanged;
        }
    }

    /// Returns whether the next entry of a score with exchanged columns, as written on the sheet,
    /// is the next move of the other score.
    fn is_right_again(&self, node: usize, owner: usize) -> bool {
        let point = &self.nodes[node];
        let own = self.lists.of(owner, false).get(point.at[owner]);
        let theirs = self.upcoming(node, 1 - owner, 0);
        own.zip(theirs).is_some_and(|(own, theirs)| {
            match (point.standing.read(own), point.standing.read(theirs)) {
                (Meaning::Legal(one), Meaning::Legal(other)) => one == other,
                _ => false,
            }
        })
    }

    /// Continues with a legal move. `agreed` says that both scores record it.
    pub(super) fn step(
        &mut self,
        from: usize,
        entries: [usize; 2],
        played: Move,
        faults: Vec<SheetFault>,
        agreed: bool,
    ) {
        let standing = self.nodes[from].standing.after(played);
        let step = Advance {
            entries,
            plies: 1,
            standing,
            faults,
            agreed,
            more: 0,
        };
        self.go(from, step);
    }

    /// Returns how much less a missing row costs if the numbers on that sheet skip it.
    fn vouched(&self, from: usize, faults: &[SheetFault]) -> u32 {
        let [
            SheetFault {
                owner,
                kind: FaultKind::Missing,
                ..
            },
            _,
        ] = faults
        else {
            return 0;
        };
        let owner = usize::from(*owner != Owner::BOTH[0]);
        let left_out = self.left_out(from, owner, self.nodes[from].at[owner]);
        // If both say the same exactly there, the number is wrong and nothing is missing.
        let agree = || {
            let [ours, theirs] = self.meanings(from);
            ours.iter().any(|played| theirs.contains(played))
        };
        if is_row(faults) && left_out > 1 && !agree() {
            FAULT
        } else {
            0
        }
    }

    /// Takes a step, if its result is still wanted.
    pub(super) fn go(&mut self, from: usize, step: Advance) -> Option<usize> {
        let Advance {
            entries,
            plies,
            standing,
            faults,
            agreed,
            more,
        } = step;
        let point = &self.nodes[from];
        let faulty: u32 = faults.iter().map(|fault| fault.kind.cost()).sum();
        let row = u32::from(is_row(&faults)) + self.vouched(from, &faults);
        let cost = point.cost + faulty + more - row;
        let count = match u32::try_from(faults.len()) {
            Ok(2) if is_row(&faults) => 1,
            count => count.unwrap_or(u32::MAX),
        };
        let count = point.count + count;
        // With more faults than are believed, only the cheapest explanation counts.
        let is_useless = count > MOST_FAULTS && cost > self.cheapest.0;
        if cost > self.max_cost || count > self.limits.faults || is_useless {
            return None;
        }
        let node = Node {
            at: [point.at[0] + entries[0], point.at[1] + entries[1]],
            exchanged: point.exchanged,
            ahead: [0, 1].map(|owner| point.ahead[owner]?.after(entries[owner])),
            ply: point.ply + plies,
            anchor: (!agreed).then(|| point.anchor.unwrap_or(from)),
            standing,
            between: Vec::new(),
            parent: Some(from),
            cost,
            count,
            faults,
            illegal: false,
            after_illegal: point.after_illegal,
        };
        Some(self.push(node))
    }

    /// Takes the same illegal move of both scores as written, from the score that says more. The
    /// arbiter applies 7.5 to it.
    fn illegal_step(&mut self, from: usize) {
        let point = &self.nodes[from];
        let readings = self.here(from).map(|entry| point.standing.read(entry));
        let step = readings.iter().find_map(|reading| match reading {
            Meaning::Illegal(step) => Some(*step),
            _ => None,
        });
        let standing = step.map_or_else(
            || point.standing.passed(),
            |step| point.standing.after_step(step),
        );
        // Further illegal moves count less, and they count nothing where no move can be judged.
        let more = match (point.standing.position(), point.after_illegal) {
            (None, _) => 0,
            (Some(_), true) if self.together => 0,
            (Some(_), true) => LATER_ILLEGAL,
            (Some(_), false) => ILLEGAL,
        };
        let step = Advance {
            entries: [1, 1],
            plies: 1,
            standing,
            faults: Vec::new(),
            agreed: true,
            more,
        };
        if let Some(next) = self.go(from, step) {
            self.nodes[next].illegal = true;
            self.nodes[next].after_illegal = true;
        }
    }
}

/// Returns whether both faults are those of one row. A row is missed or written twice by one
/// mistake, which is less than two faults.
const fn is_row(faults: &[SheetFault]) -> bool {
    matches!(
        faults,
        [one, other] if matches!(
            (one.kind, other.kind),
            (FaultKind::Missing, FaultKind::Missing) | (FaultKind::Doubled, FaultKind::Doubled)
        )
    )
}

/// A step along one score only.
pub(super) const fn one(owner: usize) -> [usize; 2] {
    [1 - owner, owner]
}
