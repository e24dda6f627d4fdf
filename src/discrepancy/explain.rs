//! Finds the games that two scores can be records of, with the fewest faults.
//!
//! An explanation is a game that both scores record as far as they agree, the faults with which
//! they do so, and perhaps a point from which they differ for good. Every fault costs something
//! and a difference for good does; after such a point each score is read by itself, and its own
//! faults there speak against the point. So do the same words in both scores, one of them some
//! entries after the other: two games do not go on so. Where two ways soon meet in one position
//! again, that is no difference for good. All cheapest explanations are found. The search goes
//! cost by cost along both scores at once; where both say the same it costs nothing, so the work
//! is done around the faults only.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use std::collections::HashMap;

use shakmaty::Move;

use super::alone::{Alone, read_on};
use super::fault::{Fault, FaultKind, Owner};
use super::words::{can_be_the_same, same_words_later};
use crate::score::{Entry, Reading, Score, Standing};

/// What a usual fault costs.
pub(super) const FAULT: u32 = 2;

/// What a difference for good costs.
const DIFFERENCE: u32 = 2;

/// What speaks against a difference if both scores go on in the same words, but not side by side:
/// four faults of any kind are the better explanation.
const SAME_WORDS_LATER: u32 = 4 * FAULT;

/// What it costs that both record the same illegal move: that happens, but seldom.
const ILLEGAL: u32 = 3;
const LATER_ILLEGAL: u32 = 1;

/// What needs more faults than these may be so, but is not taken for proved.
const MOST_FAULTS: u32 = 4;

/// What four faults cost at most: four rows.
const CREDIBLE: u32 = 4 * (FAULT + 1);

/// Dearer explanations are not looked for at all.
const DEAREST: u32 = 60;

/// How far, in entries of both scores together, a path may lag behind the furthest one and still
/// be followed: 24 plies of each.
const LAG: usize = 48;

/// The search stops after this many positions, so that no pair of scores takes for ever.
const MOST_NODES: usize = 150_000;

/// One way to explain two scores.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    /// What it comes to.
    pub(super) kind: ExplanationKind,
    /// Each ply up to the last on which the scores agree.
    pub(super) agreed: Vec<AgreedPly>,
    /// The ply of the last of them that both record.
    pub(super) by_both: usize,
    /// The score that ends before the other, if one does.
    pub(super) shorter: Option<Owner>,
    /// The faults, in the order of the game.
    pub(super) faults: Vec<Fault>,
    /// The ply on which both scores record the same illegal move first.
    pub(super) illegal_at: Option<usize>,
    /// How many faults that are.
    pub(super) count: u32,
    /// What they cost, and what speaks against it besides.
    pub(super) cost: u32,
    /// Whether it needs no more faults than anybody would believe.
    pub(super) is_credible: bool,
}

/// One ply of the game as both scores record it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AgreedPly {
    /// The position after it.
    pub(super) after: Standing,
    /// How many entries of each score lie before that position.
    pub(super) entries: [usize; 2],
}

/// What an explanation comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExplanationKind {
    /// The scores are records of one game; one may be shorter.
    OneGame,
    /// From the last agreed ply on the scores differ.
    Differ,
}

/// The cheapest explanations, or nothing if there are too many faults to explain.
pub(super) fn explain(start: &Standing, scores: [&Score; 2]) -> Vec<Explanation> {
    let mut search = Search {
        scores: scores.map(Score::entries),
        suspended: scores.map(Score::suspended),
        nodes: Vec::new(),
        visited: HashMap::new(),
        buckets: Vec::new(),
        ends: Vec::new(),
        dearest: DEAREST,
        alone: Alone::default(),
    };
    search.push(Node {
        at: [0, 0],
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
    search.run();
    search.explanations()
}

/// A point on the way: how far each score is read, and where the game stands.
pub(super) struct Node {
    pub(super) at: [usize; 2],
    pub(super) ply: usize,
    /// The last node on which both scores agree, if it is not this one.
    pub(super) anchor: Option<usize>,
    pub(super) standing: Standing,
    /// The positions that a step of several plies has gone through before it came here.
    pub(super) between: Vec<Standing>,
    parent: Option<usize>,
    cost: u32,
    /// How many faults there were on the way here.
    count: u32,
    /// The faults of the step that led here.
    faults: Vec<Fault>,
    /// Whether that step was an illegal move that both record.
    illegal: bool,
    /// Whether there was such a move on the way here.
    after_illegal: bool,
}

/// A step along the scores: so many entries of each, so many plies.
pub(super) struct Step {
    pub(super) entries: [usize; 2],
    pub(super) plies: usize,
    pub(super) standing: Standing,
    pub(super) faults: Vec<Fault>,
    /// Whether both scores record it.
    pub(super) agreed: bool,
    /// What it costs beside its faults.
    pub(super) more: u32,
}

/// What makes two nodes the same: everything from there on is the same too.
#[derive(PartialEq, Eq, Hash)]
struct Place {
    at: [usize; 2],
    ply: usize,
    position: u64,
    anchor: Option<usize>,
    after_illegal: bool,
    count: u32,
}

/// A node at which an explanation ends.
struct End {
    node: usize,
    kind: ExplanationKind,
    cost: u32,
    /// How many faults it needs. What comes after a difference for good is nobody's concern.
    count: u32,
    /// Whether the same words in both scores speak against it.
    is_doubted: bool,
    /// Moves that only the longer score has, up to the first that is not legal.
    tail: Vec<Standing>,
}

pub(super) struct Search<'a> {
    pub(super) scores: [&'a [Entry]; 2],
    /// The entries before which a player did not have to record (8.4).
    suspended: [&'a [usize]; 2],
    pub(super) nodes: Vec<Node>,
    visited: HashMap<Place, u32>,
    buckets: Vec<Vec<usize>>,
    ends: Vec<End>,
    /// Explanations dearer than this are not wanted any more.
    dearest: u32,
    alone: Alone,
}

impl Search<'_> {
    fn run(&mut self) {
        let mut furthest = 0;
        let mut cost = 0;
        while cost <= self.dearest {
            // What is believed in spite of its cost can only be beaten by what costs little, unless
            // something speaks against it.
            let believed = |end: &End| end.count <= MOST_FAULTS && !end.is_doubted;
            if cost > CREDIBLE && self.ends.iter().any(believed) {
                return;
            }
            let settled = self.settle(cost);
            if self.nodes.len() > MOST_NODES {
                // Too many faults: what was found so far need not be the cheapest.
                self.ends.clear();
                return;
            }
            for &node in &settled {
                furthest = furthest.max(self.progress(node));
            }
            for node in settled {
                if self.progress(node) + LAG >= furthest {
                    self.suppose_faults(node);
                }
            }
            cost += 1;
        }
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
            let key = Place {
                at: point.at,
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
            let [a, b] = self.here(node);
            let meant = self.meanings(node);
            match (meant[0].as_slice(), meant[1].as_slice()) {
                ([one], [other]) if one == other => {
                    self.step(node, [1, 1], *one, Vec::new(), true);
                }
                ([], []) if can_be_the_same(&a.notated, &b.notated) => {
                    self.illegal_step(node);
                }
                _ => {}
            }
            self.unrecorded(node, &meant);
            if self.nodes.len() > MOST_NODES {
                break;
            }
        }
        settled
    }

    /// A move that one of the players did not have to record is no fault (8.4).
    fn unrecorded(&mut self, node: usize, meant: &[Vec<Move>; 2]) {
        for owner in [0, 1] {
            let other = 1 - owner;
            let is_suspended = self.suspended[other].contains(&self.nodes[node].at[other]);
            if let ([played], true) = (meant[owner].as_slice(), is_suspended) {
                self.step(node, one(owner), *played, Vec::new(), false);
            }
        }
    }

    /// Notes that a score ends here, and says whether one does.
    fn end_of_a_score(&mut self, node: usize) -> bool {
        let at = self.nodes[node].at;
        let owner = match [0, 1].map(|owner| at[owner] < self.scores[owner].len()) {
            [true, true] => return false,
            [_, other] => usize::from(other),
        };
        let more = self.alone(node, owner);
        let cost = self.nodes[node].cost + FAULT * more;
        if cost <= self.dearest {
            let standing = self.nodes[node].standing.clone();
            let (_, _, tail) = read_on(self.scores[owner], at[owner], standing);
            self.dearest = cost;
            self.ends.push(End {
                node,
                kind: ExplanationKind::OneGame,
                cost,
                count: self.nodes[node].count + more,
                is_doubted: false,
                tail,
            });
        }
        true
    }

    /// Notes that the scores differ for good from here on.
    pub(super) fn end_in_difference(&mut self, node: usize) {
        let before = self.nodes[node].cost + DIFFERENCE;
        let count = self.nodes[node].count;
        if before > CREDIBLE || count > MOST_FAULTS {
            return;
        }
        let mut cost = before;
        let is_doubted = same_words_later(self.scores, self.nodes[node].at);
        if is_doubted {
            cost += SAME_WORDS_LATER;
        }
        let alone: u32 = [0, 1]
            .map(|owner| FAULT * self.alone(node, owner))
            .iter()
            .sum();
        cost += alone;
        if cost <= self.dearest {
            self.dearest = cost;
            self.ends.push(End {
                node,
                kind: ExplanationKind::Differ,
                cost,
                count,
                is_doubted,
                tail: Vec::new(),
            });
        }
    }

    fn alone(&mut self, node: usize, owner: usize) -> u32 {
        let point = &self.nodes[node];
        let at = point.at[owner];
        self.alone
            .faults(owner, self.scores[owner], at, &point.standing)
    }

    /// The entries that come next.
    pub(super) fn here(&self, node: usize) -> [&Entry; 2] {
        let [a, b] = self.nodes[node].at;
        [&self.scores[0][a], &self.scores[1][b]]
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

    /// Goes on by a legal move. `agreed` says that both scores record it.
    pub(super) fn step(
        &mut self,
        from: usize,
        entries: [usize; 2],
        played: Move,
        faults: Vec<Fault>,
        agreed: bool,
    ) {
        let standing = self.nodes[from].standing.after(played);
        let step = Step {
            entries,
            plies: 1,
            standing,
            faults,
            agreed,
            more: 0,
        };
        self.go(from, step);
    }

    /// Takes a step, if what it leads to is still wanted.
    pub(super) fn go(&mut self, from: usize, step: Step) -> Option<usize> {
        let Step {
            entries,
            plies,
            standing,
            faults,
            agreed,
            more,
        } = step;
        let point = &self.nodes[from];
        let faulty: u32 = faults.iter().map(|fault| fault.kind.cost()).sum();
        let cost = point.cost + faulty + more - u32::from(is_row(&faults));
        let count = match u32::try_from(faults.len()) {
            Ok(2) if is_row(&faults) => 1,
            count => count.unwrap_or(u32::MAX),
        };
        if cost > self.dearest {
            return None;
        }
        let node = Node {
            at: [point.at[0] + entries[0], point.at[1] + entries[1]],
            ply: point.ply + plies,
            anchor: (!agreed).then(|| point.anchor.unwrap_or(from)),
            standing,
            between: Vec::new(),
            parent: Some(from),
            cost,
            count: point.count + count,
            faults,
            illegal: false,
            after_illegal: point.after_illegal,
        };
        Some(self.push(node))
    }

    /// Both record the same illegal move: it is carried out as it is (7.5 is for the arbiter), as
    /// the one says that says more.
    fn illegal_step(&mut self, from: usize) {
        let point = &self.nodes[from];
        let readings = self.here(from).map(|entry| point.standing.read(entry));
        let step = readings.iter().find_map(|reading| match reading {
            Reading::Illegal(step) => Some(*step),
            _ => None,
        });
        let standing = step.map_or_else(
            || point.standing.passed(),
            |step| point.standing.after_step(step),
        );
        // What comes after the first is of less weight, and where nothing can be judged, of none.
        let more = match (point.standing.position(), point.after_illegal) {
            (None, _) => 0,
            (Some(_), true) => LATER_ILLEGAL,
            (Some(_), false) => ILLEGAL,
        };
        let step = Step {
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

    fn explanations(&self) -> Vec<Explanation> {
        let cheapest = self.ends.iter().map(|end| end.cost).min();
        self.ends
            .iter()
            .filter(|end| Some(end.cost) == cheapest)
            .map(|end| self.explanation(end))
            .collect()
    }

    /// The plies of the step that led to a node.
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

    fn explanation(&self, end: &End) -> Explanation {
        let mut path = vec![end.node];
        let mut first = end.node;
        while let Some(parent) = self.nodes[first].parent {
            path.push(parent);
            first = parent;
        }
        path.reverse();
        let anchor = self.nodes[end.node].anchor.unwrap_or(end.node);
        let faults: Vec<Fault> = path
            .iter()
            .flat_map(|&node| self.nodes[node].faults.iter().copied())
            .collect();
        // What was explained away as a slip, but is not borne out by any later agreement.
        let contradicted = faults
            .iter()
            .any(|fault| fault.ply >= self.nodes[anchor].ply && fault.kind.contradicts());
        let differ = contradicted || end.kind == ExplanationKind::Differ;
        let upto = if differ { anchor } else { end.node };
        let mut agreed: Vec<AgreedPly> = path
            .iter()
            .take_while(|&&node| node <= upto)
            .flat_map(|&node| self.plies_to(node))
            .collect();
        let (by_both, mut shorter) = (agreed.len(), None);
        let [a, b] = self.nodes[end.node].at;
        let longer = usize::from(a >= self.scores[0].len());
        if !differ && [a, b][longer] < self.scores[longer].len() {
            shorter = Some(Owner::BOTH[1 - longer]);
            for (more, after) in end.tail.iter().enumerate() {
                let mut entries = [a, b];
                entries[longer] += more + 1;
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
        Explanation {
            kind: if differ {
                ExplanationKind::Differ
            } else {
                ExplanationKind::OneGame
            },
            agreed,
            by_both,
            shorter,
            faults,
            illegal_at,
            // What contradicts and is not borne out is the difference itself, and no fault.
            count: end.count,
            cost: end.cost,
            // So do the same words later, where what follows the difference is a mess.
            is_credible: !(end.is_doubted && end.cost > CREDIBLE)
                && end.count <= MOST_FAULTS + u32::from(contradicted),
        }
    }
}

/// Whether both faults are those of one row: it is missed or written twice at a stroke, which is
/// less than two faults.
const fn is_row(faults: &[Fault]) -> bool {
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
