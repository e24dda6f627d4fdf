//! The faults that can explain why two scores do not say the same.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use shakmaty::{Move, Position};

use super::explain::{Search, Step, one};
use super::fault::{Fault, FaultKind, Owner};
use super::words::{can_be_the_same, differ_in_origin, is_doubled, same_words};
use crate::score::{Entry, Notated, Reading};

/// Scores that reach the same position by different ways do so within this many plies.
const OTHER_ORDER: usize = 8;

impl Search<'_> {
    /// Supposes every fault that can be here.
    pub(super) fn suppose_faults(&mut self, node: usize) {
        for owner in [0, 1] {
            self.suppose_extra(node, owner);
            self.suppose_row(node, owner);
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
        if self.can_differ(node, &meant) && !self.suppose_other_order(node, &meant) {
            self.end_in_difference(node);
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
            !can_be_the_same(&a.notated, &b.notated)
                && !(0..2).any(|owner| is_doubled(self.scores[owner], at[owner]))
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

    /// An entry does not count: it says what one of the two before it said, or an empty place
    /// stands between, or nothing that fits.
    fn suppose_extra(&mut self, node: usize, owner: usize) {
        let at = self.nodes[node].at;
        let Some(entry) = self.scores[owner].get(at[owner]) else {
            return;
        };
        let standing = &self.nodes[node].standing;
        let kind = if entry.notated == Notated::Blank {
            FaultKind::Blank
        } else if is_doubled(self.scores[owner], at[owner]) {
            FaultKind::Doubled
        } else {
            let meant = |entry: Option<&Entry>| {
                entry.map_or_else(Vec::new, |entry| standing.meanings(entry))
            };
            let theirs = meant(self.scores[1 - owner].get(at[1 - owner]));
            let is_theirs = |ours: Vec<Move>| ours.iter().any(|it| theirs.contains(it));
            // Right after it the move itself has to stand, and both must agree until here: a move
            // that stands in the place of another is no entry too many.
            let follows = is_theirs(meant(self.scores[owner].get(at[owner] + 1)));
            if self.nodes[node].anchor.is_some() || is_theirs(meant(Some(entry))) || !follows {
                return;
            }
            FaultKind::Extra
        };
        let fault = self.fault(node, owner, kind);
        let standing = standing.clone();
        let agreed = self.nodes[node].anchor.is_none();
        let step = Step {
            entries: one(owner),
            plies: 0,
            standing,
            faults: vec![fault],
            agreed,
            more: 0,
        };
        self.go(node, step);
    }

    /// Two entries of a score are missing in the other, or stand there for the second time.
    fn suppose_row(&mut self, node: usize, owner: usize) {
        let at = self.nodes[node].at[owner];
        let entries = self.scores[owner];
        let (Some(first), Some(second)) = (entries.get(at), entries.get(at + 1)) else {
            return;
        };
        let row = |owner: usize, kind: FaultKind, plies: [usize; 2]| {
            plies.map(|more| {
                let mut fault = self.fault(node, owner, kind);
                fault.ply += more;
                fault
            })
        };
        if at >= 2 && [at, at + 1].iter().all(|&at| is_doubled_row(entries, at)) {
            let mut faults = row(owner, FaultKind::Doubled, [0, 0]);
            faults[1].entry += 1;
            let step = Step {
                entries: one(owner).map(|entries| 2 * entries),
                plies: 0,
                standing: self.nodes[node].standing.clone(),
                faults: faults.to_vec(),
                agreed: self.nodes[node].anchor.is_none(),
                more: 0,
            };
            self.go(node, step);
            return;
        }
        let other = 1 - owner;
        if self.nodes[node].at[other] >= self.scores[other].len() {
            return;
        }
        let before = &self.nodes[node].standing;
        let Reading::Legal(played) = before.read(first) else {
            return;
        };
        let between = before.after(played);
        let Reading::Legal(answer) = between.read(second) else {
            return;
        };
        let step = Step {
            entries: one(owner).map(|entries| 2 * entries),
            plies: 2,
            standing: between.after(answer),
            faults: row(other, FaultKind::Missing, [0, 1]).to_vec(),
            agreed: false,
            more: 0,
        };
        if let Some(next) = self.go(node, step) {
            self.nodes[next].between = vec![between];
        }
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
            if let ([_], [played]) = (meant[owner].as_slice(), meant[other].as_slice())
                && differ_in_origin(&self.here(node)[owner].notated, &Notated::of_move(*played))
            {
                let fault = self.fault(node, owner, FaultKind::OtherOrigin);
                self.step(node, [1, 1], *played, vec![fault], false);
            }
            if !meant[owner].is_empty() || meant[other].is_empty() {
                continue;
            }
            let notated = &self.here(node)[owner].notated;
            let choices: Vec<_> = meant[other]
                .iter()
                .map(|&played| (played, misreading(notated, played)))
                .collect();
            let is_one = choices.len() == 1;
            for (played, kind) in choices {
                let mut faults = self.incomplete(node, incomplete);
                faults.push(self.fault(node, owner, kind));
                // Who names a square from which it cannot be means the only move there is.
                let agreed = is_one && kind == FaultKind::WrongOrigin;
                self.step(node, [1, 1], played, faults, agreed);
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

    /// The other score has two neighbouring moves, two moves of one side, or two rows in each
    /// other's place.
    fn suppose_transposed(&mut self, node: usize, owner: usize, meant: &[Vec<Move>; 2]) {
        let other = 1 - owner;
        for order in [&[1, 0][..], &[2, 1, 0], &[2, 3, 0, 1]] {
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
                between.pop();
                let step = Step {
                    entries: [order.len(), order.len()],
                    plies: order.len(),
                    standing,
                    faults: vec![fault],
                    agreed: true,
                    more: 0,
                };
                if let Some(next) = self.go(node, step) {
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
        let mut moves: [Vec<Move>; 2] = [Vec::new(), Vec::new()];
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
                moves[owner].push(played);
            }
            if ways[0].key() == ways[1].key() {
                let [mut left, others] = moves;
                for played in &others {
                    if let Some(at) = left.iter().position(|it| it == played) {
                        left.swap_remove(at);
                    }
                }
                // Other moves that lead to the same position are other moves.
                if !left.is_empty() {
                    return false;
                }
                let fault = self.fault(node, 1, FaultKind::OtherOrder);
                let [standing, _] = ways;
                let step = Step {
                    entries: [plies, plies],
                    plies,
                    standing,
                    faults: vec![fault],
                    agreed: true,
                    more: 0,
                };
                if let Some(next) = self.go(node, step) {
                    self.nodes[next].between = between;
                }
                return true;
            }
            between.push(ways[0].clone());
        }
        false
    }
}

/// Whether an entry says what the one two before it said, as in a row that stands twice.
fn is_doubled_row(entries: &[Entry], at: usize) -> bool {
    let earlier = at.checked_sub(2).and_then(|at| entries.get(at));
    earlier.is_some_and(|earlier| same_words(&earlier.notated, &entries[at].notated))
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
