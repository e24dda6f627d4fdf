//! Finds the games that two scores can be records of, with the fewest faults.
//!
//! An explanation is a game that both scores record as far as they agree, the faults with which
//! they do so, and perhaps a point from which they differ for good. Every fault costs 1 and a
//! difference for good costs 1; after such a point each score is read by itself, and every entry
//! that is not legal there costs 1 more. Where two ways soon meet in one position again, that is
//! no difference for good. All cheapest explanations are found. The search goes
//! cost by cost along both scores at once; where both say the same it costs nothing, so the work
//! is done around the faults only.

use std::collections::HashMap;

use shakmaty::{Move, Position};

use super::fault::{Fault, FaultKind, Owner};
use crate::score::{Entry, Notated, Reading, Standing};

/// What a difference for good costs.
const DIFFERENCE: u32 = 1;

/// Four faults and a difference: what needs more may be so, but is not taken for proved.
const CREDIBLE: u32 = 5;

/// Dearer explanations are not looked for at all.
const DEAREST: u32 = 40;

/// How far, in entries of both scores together, a path may lag behind the furthest one and still
/// be followed: 24 plies of each.
const LAG: usize = 48;

/// The search stops after this many positions, so that no pair of scores takes for ever.
const MOST_NODES: usize = 150_000;

/// Scores that reach the same position by different ways do so within this many plies.
const OTHER_ORDER: usize = 8;

/// One way to explain two scores.
#[derive(Clone, Debug)]
pub(super) struct Explanation {
    /// What it comes to.
    pub(super) kind: ExplanationKind,
    /// Each ply up to the last on which the scores agree.
    pub(super) agreed: Vec<AgreedPly>,
    /// The score that ends before the other, if one does.
    pub(super) shorter: Option<Owner>,
    /// The faults, in the order of the game.
    pub(super) faults: Vec<Fault>,
    /// The ply on which both scores record the same illegal move first.
    pub(super) illegal_at: Option<usize>,
    /// Whether it needs no more faults than anybody would believe.
    pub(super) is_credible: bool,
}

/// One ply of the game as both scores record it.
#[derive(Clone, Debug)]
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
pub(super) fn explain(start: &Standing, scores: [&[Entry]; 2]) -> Vec<Explanation> {
    let mut search = Search {
        scores,
        nodes: Vec::new(),
        visited: HashMap::new(),
        buckets: Vec::new(),
        ends: Vec::new(),
        dearest: DEAREST,
    };
    search.push(Node {
        at: [0, 0],
        ply: 0,
        anchor: None,
        standing: start.clone(),
        between: Vec::new(),
        parent: None,
        cost: 0,
        faults: Vec::new(),
        illegal: false,
        after_illegal: false,
    });
    search.run();
    search.explanations()
}

/// A point on the way: how far each score is read, and where the game stands.
struct Node {
    at: [usize; 2],
    ply: usize,
    /// The last node on which both scores agree, if it is not this one.
    anchor: Option<usize>,
    standing: Standing,
    /// The positions that a step of several plies has gone through before it came here.
    between: Vec<Standing>,
    parent: Option<usize>,
    cost: u32,
    /// The faults of the step that led here.
    faults: Vec<Fault>,
    /// Whether that step was an illegal move that both record.
    illegal: bool,
    /// Whether there was such a move on the way here.
    after_illegal: bool,
}

/// What makes two nodes the same: everything from there on is the same too.
#[derive(PartialEq, Eq, Hash)]
struct Place {
    at: [usize; 2],
    ply: usize,
    position: u64,
    anchor: Option<usize>,
    after_illegal: bool,
}

/// A node at which an explanation ends.
struct End {
    node: usize,
    kind: ExplanationKind,
    cost: u32,
    /// Moves that only the longer score has, up to the first that is not legal.
    tail: Vec<Standing>,
}

struct Search<'a> {
    scores: [&'a [Entry]; 2],
    nodes: Vec<Node>,
    visited: HashMap<Place, u32>,
    buckets: Vec<Vec<usize>>,
    ends: Vec<End>,
    /// Explanations dearer than this are not wanted any more.
    dearest: u32,
}

impl Search<'_> {
    fn run(&mut self) {
        let mut furthest = 0;
        let mut cost = 0;
        while cost <= self.dearest {
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
            let [meant_a, meant_b] = self.meanings(node);
            match (meant_a.as_slice(), meant_b.as_slice()) {
                ([one], [other]) if one == other => {
                    self.step(node, [1, 1], *one, Vec::new(), true);
                }
                ([], []) if same_words(&a.notated, &b.notated) && a.notated.is_legible() => {
                    self.illegal_step(node);
                }
                _ => {}
            }
            if self.nodes.len() > MOST_NODES {
                break;
            }
        }
        settled
    }

    /// Notes that a score ends here, and says whether one does.
    fn end_of_a_score(&mut self, node: usize) -> bool {
        let [a, b] = self.nodes[node].at;
        let [longer_a, longer_b] = [a < self.scores[0].len(), b < self.scores[1].len()];
        if longer_a && longer_b {
            return false;
        }
        let owner = usize::from(longer_b);
        let (cost, tail) = self.read_alone(node, owner);
        self.end(node, ExplanationKind::OneGame, cost, tail);
        true
    }

    fn end(&mut self, node: usize, kind: ExplanationKind, more: u32, tail: Vec<Standing>) {
        let cost = self.nodes[node].cost + more;
        if cost <= self.dearest {
            self.dearest = cost;
            self.ends.push(End {
                node,
                kind,
                cost,
                tail,
            });
        }
    }

    /// The entries that come next.
    fn here(&self, node: usize) -> [&Entry; 2] {
        let [a, b] = self.nodes[node].at;
        [&self.scores[0][a], &self.scores[1][b]]
    }

    fn meanings(&self, node: usize) -> [Vec<Move>; 2] {
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
    fn step(
        &mut self,
        from: usize,
        entries: [usize; 2],
        played: Move,
        faults: Vec<Fault>,
        agreed: bool,
    ) {
        let standing = self.nodes[from].standing.after(played);
        self.go(from, entries, 1, standing, faults, agreed);
    }

    fn go(
        &mut self,
        from: usize,
        entries: [usize; 2],
        plies: usize,
        standing: Standing,
        faults: Vec<Fault>,
        agreed: bool,
    ) -> Option<usize> {
        let point = &self.nodes[from];
        let cost = point.cost + faults.len() as u32;
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
            faults,
            illegal: false,
            after_illegal: point.after_illegal,
        };
        Some(self.push(node))
    }

    /// Both record the same illegal move: it is carried out as it is (7.5 is for the arbiter).
    fn illegal_step(&mut self, from: usize) {
        let point = &self.nodes[from];
        let standing = match point.standing.read(self.here(from)[0]) {
            Reading::Illegal(step) => point.standing.after_step(step),
            _ => point.standing.passed(),
        };
        if let Some(next) = self.go(from, [1, 1], 1, standing, Vec::new(), true) {
            self.nodes[next].illegal = true;
            self.nodes[next].after_illegal = true;
        }
    }

    /// Supposes every fault that can be here.
    fn suppose_faults(&mut self, node: usize) {
        for owner in [0, 1] {
            self.suppose_doubled(node, owner);
        }
        let [a, b] = self.nodes[node].at;
        if a >= self.scores[0].len() || b >= self.scores[1].len() {
            return;
        }
        let meant = self.meanings(node);
        self.suppose_misread(node, &meant);
        for owner in [0, 1] {
            self.suppose_missing(node, owner, &meant);
            self.suppose_transposed(node, owner, &meant);
        }
        if self.can_differ(node, &meant) {
            if self.suppose_other_order(node, &meant) {
                return;
            }
            let alone: u32 = [0, 1]
                .map(|owner| self.read_alone(node, owner).0)
                .iter()
                .sum();
            self.end(
                node,
                ExplanationKind::Differ,
                DIFFERENCE + alone,
                Vec::new(),
            );
        }
    }

    /// Whether the scores can differ for good here: each says a legal move, but not the same; or
    /// neither does. Where only one does, the other is misread first.
    fn can_differ(&self, node: usize, meant: &[Vec<Move>; 2]) -> bool {
        let [a, b] = self.here(node);
        if !a.notated.is_legible() || !b.notated.is_legible() {
            return false;
        }
        if meant.iter().all(Vec::is_empty) {
            let at = self.nodes[node].at;
            !same_words(&a.notated, &b.notated)
                && !(0..2).any(|owner| self.is_doubled(owner, at[owner]))
        } else {
            !meant.iter().any(Vec::is_empty)
                && !meant[0].iter().any(|played| meant[1].contains(played))
        }
    }

    fn fault(&self, node: usize, owner: usize, kind: FaultKind) -> Fault {
        Fault {
            owner: Owner::BOTH[owner],
            entry: self.nodes[node].at[owner],
            ply: self.nodes[node].ply,
            kind,
        }
    }

    /// An entry says what one of the two before it said, or an empty place stands between.
    fn suppose_doubled(&mut self, node: usize, owner: usize) {
        let at = self.nodes[node].at[owner];
        let Some(entry) = self.scores[owner].get(at) else {
            return;
        };
        let kind = if entry.notated == Notated::Blank {
            FaultKind::Blank
        } else if self.is_doubled(owner, at) {
            FaultKind::Doubled
        } else {
            return;
        };
        let fault = self.fault(node, owner, kind);
        let standing = self.nodes[node].standing.clone();
        let agreed = self.nodes[node].anchor.is_none();
        self.go(node, one(owner), 0, standing, vec![fault], agreed);
    }

    /// Whether an entry says what one of the two before it said.
    fn is_doubled(&self, owner: usize, at: usize) -> bool {
        let entries = self.scores[owner];
        entries[at.saturating_sub(2)..at]
            .iter()
            .any(|earlier| same_words(&earlier.notated, &entries[at].notated))
    }

    /// One entry or both are incomplete, illegible or not legal.
    fn suppose_misread(&mut self, node: usize, meant: &[Vec<Move>; 2]) {
        let incomplete = [0, 1].map(|owner| meant[owner].len() > 1);
        for &played in &meant[0] {
            if meant[1].contains(&played) && incomplete.contains(&true) {
                let faults = self.incomplete(node, incomplete);
                self.step(node, [1, 1], played, faults, true);
            }
        }
        for owner in [0, 1] {
            let other = 1 - owner;
            if !meant[owner].is_empty() || meant[other].is_empty() {
                continue;
            }
            let notated = &self.here(node)[owner].notated;
            let choices: Vec<_> = meant[other]
                .iter()
                .map(|&played| (played, misreading(notated, played)))
                .collect();
            for (played, kind) in choices {
                let mut faults = self.incomplete(node, incomplete);
                faults.push(self.fault(node, owner, kind));
                self.step(node, [1, 1], played, faults, false);
            }
        }
        let illegible = self.here(node).map(|entry| !entry.notated.is_legible());
        if meant.iter().all(Vec::is_empty) && illegible.contains(&true) {
            let kinds = self.here(node).map(|entry| unread(&entry.notated));
            let faults = vec![self.fault(node, 0, kinds[0]), self.fault(node, 1, kinds[1])];
            self.any_move(node, [1, 1], &faults);
        }
    }

    fn incomplete(&self, node: usize, incomplete: [bool; 2]) -> Vec<Fault> {
        (0..2)
            .filter(|&owner| incomplete[owner])
            .map(|owner| self.fault(node, owner, FaultKind::Incomplete))
            .collect()
    }

    /// A move of which nobody has a legible record.
    fn any_move(&mut self, node: usize, entries: [usize; 2], faults: &[Fault]) {
        let Some(position) = self.nodes[node].standing.position() else {
            return;
        };
        for played in position.legal_moves() {
            self.step(node, entries, played, faults.to_vec(), false);
        }
    }

    /// The other score lacks the move that this one has.
    fn suppose_missing(&mut self, node: usize, owner: usize, meant: &[Vec<Move>; 2]) {
        let missing = self.fault(node, 1 - owner, FaultKind::Missing);
        let mut faults = vec![missing];
        if meant[owner].len() > 1 {
            faults.push(self.fault(node, owner, FaultKind::Incomplete));
        }
        for &played in &meant[owner] {
            self.step(node, one(owner), played, faults.clone(), false);
        }
        let notated = &self.here(node)[owner].notated;
        if !notated.is_legible() {
            faults.push(self.fault(node, owner, unread(notated)));
            self.any_move(node, one(owner), &faults);
        }
    }

    /// The other score has two neighbouring moves, or two moves of one side, in each other's
    /// place.
    fn suppose_transposed(&mut self, node: usize, owner: usize, meant: &[Vec<Move>; 2]) {
        let other = 1 - owner;
        for order in [&[1, 0][..], &[2, 1, 0]] {
            let mut standing = self.nodes[node].standing.clone();
            let [right, swapped] = [owner, other].map(|of| {
                let at = self.nodes[node].at[of];
                self.scores[of].get(at..at + order.len())
            });
            let (Some(right), Some(swapped)) = (right, swapped) else {
                continue;
            };
            if meant[owner].is_empty()
                || same_words(&swapped[0].notated, &swapped[order[0]].notated)
            {
                continue;
            }
            let mut between = Vec::new();
            let fits = order.iter().enumerate().all(|(ply, &place)| {
                let theirs = standing.meanings(&swapped[place]);
                let mut both = standing.meanings(&right[ply]);
                both.retain(|played| theirs.contains(played));
                match both.as_slice() {
                    [played] => {
                        standing = standing.after(*played);
                        between.push(standing.clone());
                        true
                    }
                    _ => false,
                }
            });
            if fits {
                let fault = self.fault(node, other, FaultKind::Transposed);
                let entries = [order.len(), order.len()];
                between.pop();
                if let Some(next) = self.go(node, entries, order.len(), standing, vec![fault], true)
                {
                    self.nodes[next].between = between;
                }
            }
        }
    }

    /// Both scores go on by themselves and soon meet again in the same position, if they do.
    fn suppose_other_order(&mut self, node: usize, meant: &[Vec<Move>; 2]) -> bool {
        if meant.iter().any(Vec::is_empty) {
            return false;
        }
        let mut ways = [0, 1].map(|_| self.nodes[node].standing.clone());
        let mut between = Vec::new();
        for plies in 1..=OTHER_ORDER {
            for owner in [0, 1] {
                let at = self.nodes[node].at[owner] + plies - 1;
                let Some(entry) = self.scores[owner].get(at) else {
                    return false;
                };
                let Reading::Legal(played) = ways[owner].read(entry) else {
                    return false;
                };
                ways[owner] = ways[owner].after(played);
            }
            if ways[0].key() == ways[1].key() {
                let fault = self.fault(node, 1, FaultKind::OtherOrder);
                let [standing, _] = ways;
                let next = self.go(node, [plies, plies], plies, standing, vec![fault], true);
                if let Some(next) = next {
                    self.nodes[next].between = between;
                }
                return true;
            }
            between.push(ways[0].clone());
        }
        false
    }

    /// How many of the remaining entries of a score are not legal when it is read by itself, and
    /// the positions up to the first such entry. Counting stops where nobody asks any more.
    fn read_alone(&self, node: usize, owner: usize) -> (u32, Vec<Standing>) {
        let point = &self.nodes[node];
        let enough = self.dearest.saturating_sub(point.cost) + 1;
        let mut standing = point.standing.clone();
        let (mut faults, mut tail) = (0, Vec::new());
        for at in point.at[owner]..self.scores[owner].len() {
            let entry = &self.scores[owner][at];
            let legal = matches!(standing.read(entry), Reading::Legal(_));
            if !legal && self.is_doubled(owner, at) {
                faults += 1;
                continue;
            }
            standing = standing.after_entry(entry);
            if !legal {
                faults += 1;
            } else if faults == 0 {
                tail.push(standing.clone());
            }
            if faults >= enough {
                break;
            }
        }
        (faults, tail)
    }

    fn explanations(&self) -> Vec<Explanation> {
        self.ends
            .iter()
            .filter(|end| end.cost == self.dearest)
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
                entries: before.map(|entries| entries + ply + 1),
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
        let mut shorter = None;
        if !differ && !end.tail.is_empty() {
            let [a, b] = self.nodes[end.node].at;
            let longer = usize::from(a >= self.scores[0].len());
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
        Explanation {
            kind: if differ {
                ExplanationKind::Differ
            } else {
                ExplanationKind::OneGame
            },
            agreed,
            shorter,
            faults,
            illegal_at: path
                .iter()
                .find(|&&node| self.nodes[node].illegal)
                .map(|&node| self.nodes[node].ply - 1),
            is_credible: end.cost <= CREDIBLE,
        }
    }
}

const fn one(owner: usize) -> [usize; 2] {
    [1 - owner, owner]
}

/// Why an entry without a meaning here can still stand for a move.
fn misreading(notated: &Notated, played: Move) -> FaultKind {
    match notated {
        Notated::Unreadable => FaultKind::Unreadable,
        Notated::Blank => FaultKind::Blank,
        Notated::Move(notated)
            if notated.piece.is_none_or(|role| role == played.role())
                && notated.to.fits(played.to()) =>
        {
            FaultKind::WrongOrigin
        }
        Notated::Move(_) | Notated::Castling(_) => FaultKind::NotLegal,
    }
}

fn unread(notated: &Notated) -> FaultKind {
    match notated {
        Notated::Blank => FaultKind::Blank,
        Notated::Unreadable => FaultKind::Unreadable,
        Notated::Move(_) | Notated::Castling(_) => FaultKind::NotLegal,
    }
}

/// Whether two entries say the same, whatever marks of capture and check they carry.
pub(super) fn same_words(one: &Notated, other: &Notated) -> bool {
    match (one, other) {
        (Notated::Move(one), Notated::Move(other)) => {
            (one.piece, one.from, one.to, one.promotion)
                == (other.piece, other.from, other.to, other.promotion)
        }
        (Notated::Castling(one), Notated::Castling(other)) => one == other,
        _ => false,
    }
}
