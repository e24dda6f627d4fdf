//! Says what can be known about two scores, by trying everything.
//!
//! Written apart from the aligner: plain recursion over every explanation with up to four faults,
//! its own reading of entries, no order of search and no shortcuts. Slow and simple.

use std::collections::{BTreeSet, HashMap};

use annexd::score::{Entry, Notated, Standing};
use shakmaty::{Move, Position, Role, Square};

/// Four faults, and one more for a difference.
const MOST: u32 = 5;

/// What an explanation comes to, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// One game of so many plies that ends in this position.
    OneGame(usize, String),
    /// Agreement up to this ply and position only.
    Back(usize, String),
    /// The same illegal move in both at this ply.
    Illegal(usize, String),
}

/// The outcomes of all cheapest explanations; none if five are not enough.
pub(crate) fn outcomes(start: &Standing, scores: [&[Entry]; 2]) -> BTreeSet<Outcome> {
    for budget in 0..=MOST {
        let mut oracle = Oracle {
            scores,
            seen: HashMap::new(),
            found: BTreeSet::new(),
        };
        oracle.follow(&State::beginning(start), budget);
        if !oracle.found.is_empty() {
            return oracle.found;
        }
    }
    BTreeSet::new()
}

#[derive(Clone)]
struct State {
    at: [usize; 2],
    ply: usize,
    standing: Standing,
    /// Ply and position of the last agreement.
    agreed: (usize, String),
    /// Whether an entry since then says something else than the game.
    contradicted: bool,
    illegal: Option<(usize, String)>,
}

impl State {
    fn beginning(start: &Standing) -> Self {
        Self {
            at: [0, 0],
            ply: 0,
            standing: start.clone(),
            agreed: (0, place(start)),
            contradicted: false,
            illegal: None,
        }
    }

    fn moved(&self, entries: [usize; 2], to: Standing, plies: usize) -> Self {
        Self {
            at: [self.at[0] + entries[0], self.at[1] + entries[1]],
            ply: self.ply + plies,
            standing: to,
            ..self.clone()
        }
    }

    fn agreeing(mut self) -> Self {
        self.agreed = (self.ply, place(&self.standing));
        self.contradicted = false;
        self
    }

    fn contradicted(mut self, is: bool) -> Self {
        self.contradicted |= is;
        self
    }
}

/// How far both scores are read, the ply, the position, the ply of the last agreement, and whether
/// there was a contradiction since or an illegal move before.
type Key = (usize, usize, usize, String, usize, bool, bool);

struct Oracle<'a> {
    scores: [&'a [Entry]; 2],
    seen: HashMap<Key, u32>,
    found: BTreeSet<Outcome>,
}

impl Oracle<'_> {
    fn follow(&mut self, state: &State, left: u32) {
        let key = (
            state.at[0],
            state.at[1],
            state.ply,
            place(&state.standing),
            state.agreed.0,
            state.contradicted,
            state.illegal.is_some(),
        );
        // Having been here with as much left, everything from here on has been tried.
        if self.seen.get(&key).is_some_and(|&known| known >= left) {
            return;
        }
        self.seen.insert(key, left);
        let [a, b] = [0, 1].map(|owner| self.scores[owner].get(state.at[owner]));
        if a.is_none() || b.is_none() {
            self.end(state, left);
        }
        for owner in [0, 1] {
            self.repeated(state, owner, left);
        }
        let (Some(a), Some(b)) = (a, b) else { return };
        let meant = [moves(&state.standing, a), moves(&state.standing, b)];
        self.together(state, [a, b], &meant, left);
        for owner in [0, 1] {
            self.lacking(state, owner, [a, b], &meant, left);
            self.swapped(state, owner, &meant, left);
        }
        let common = meant[0].iter().any(|one| meant[1].contains(one));
        let nothing = [meant[0].is_empty(), meant[1].is_empty()];
        let differ = match nothing {
            [false, false] => !common,
            [true, true] => {
                let twice = (0..2).any(|owner| self.twice(owner, state.at[owner]));
                !alike(a, b) && !twice
            }
            _ => false,
        };
        if differ && legible(a) && legible(b) {
            if self.another_way(state, &meant, left) {
                return;
            }
            let alone = self.alone(state, 0) + self.alone(state, 1);
            if alone < left {
                let (ply, position) = state.agreed.clone();
                self.note(state, Outcome::Back(ply, position), left - alone - 1);
            }
        }
    }

    /// Notes an outcome if it has used up all that was left.
    fn note(&mut self, state: &State, outcome: Outcome, left: u32) {
        if left == 0 {
            self.found.insert(match &state.illegal {
                Some((ply, position)) => Outcome::Illegal(*ply, position.clone()),
                None => outcome,
            });
        }
    }

    fn end(&mut self, state: &State, left: u32) {
        let owner = usize::from(state.at[0] >= self.scores[0].len());
        let faults = self.alone(state, owner);
        if faults > left {
            return;
        }
        let outcome = if state.contradicted {
            Outcome::Back(state.agreed.0, state.agreed.1.clone())
        } else {
            let (mut standing, mut ply) = (state.standing.clone(), state.ply);
            for entry in &self.scores[owner][state.at[owner]..] {
                let meant = moves(&standing, entry);
                let [only] = meant.as_slice() else { break };
                standing = standing.after(*only);
                ply += 1;
            }
            Outcome::OneGame(ply, place(&standing))
        };
        self.note(state, outcome, left - faults);
    }

    /// How many entries are not legal when a score is read by itself from here.
    fn alone(&self, state: &State, owner: usize) -> u32 {
        let mut standing = state.standing.clone();
        let mut faults = 0;
        for at in state.at[owner]..self.scores[owner].len() {
            let entry = &self.scores[owner][at];
            let legal = moves(&standing, entry).len() == 1;
            faults += u32::from(!legal);
            if faults > MOST {
                break;
            }
            if legal || !self.twice(owner, at) {
                standing = standing.after_entry(entry);
            }
        }
        faults
    }

    fn twice(&self, owner: usize, at: usize) -> bool {
        (1..=2).any(|back| {
            at.checked_sub(back)
                .is_some_and(|earlier| alike(&self.scores[owner][earlier], &self.scores[owner][at]))
        })
    }

    fn repeated(&mut self, state: &State, owner: usize, left: u32) {
        let at = state.at[owner];
        let Some(entry) = self.scores[owner].get(at) else {
            return;
        };
        let twice = self.twice(owner, at);
        if (twice || entry.notated == Notated::Blank) && left > 0 {
            let next = state.moved(step(owner), state.standing.clone(), 0);
            let next = if state.agreed.0 == state.ply {
                next.agreeing()
            } else {
                next
            };
            self.follow(&next, left - 1);
        }
    }

    /// Both entries stand for one move.
    fn together(&mut self, state: &State, entries: [&Entry; 2], meant: &[Vec<Move>; 2], left: u32) {
        let open = |owner: usize| u32::from(meant[owner].len() > 1);
        for &played in &meant[0] {
            let cost = open(0) + open(1);
            if meant[1].contains(&played) && cost <= left {
                let next = state.moved([1, 1], state.standing.after(played), 1);
                self.follow(&next.agreeing(), left - cost);
            }
        }
        for owner in [0, 1] {
            let other = 1 - owner;
            let cost = 1 + open(other);
            if !meant[owner].is_empty() || cost > left {
                continue;
            }
            for &played in &meant[other] {
                let next = state.moved([1, 1], state.standing.after(played), 1);
                let next = next.contradicted(legible(entries[owner]));
                self.follow(&next, left - cost);
            }
        }
        if !meant.iter().all(Vec::is_empty) {
            return;
        }
        if alike(entries[0], entries[1]) && legible(entries[0]) {
            let mut next = state.moved([1, 1], state.standing.after_entry(entries[0]), 1);
            next.illegal = next
                .illegal
                .or_else(|| Some((state.ply, place(&state.standing))));
            self.follow(&next.agreeing(), left);
        }
        if entries.iter().any(|entry| !legible(entry)) && left >= 2 {
            let contradicts = entries.iter().any(|entry| legible(entry));
            for played in all_moves(&state.standing) {
                let next = state.moved([1, 1], state.standing.after(played), 1);
                self.follow(&next.contradicted(contradicts), left - 2);
            }
        }
    }

    /// The other score lacks this move.
    fn lacking(
        &mut self,
        state: &State,
        owner: usize,
        entries: [&Entry; 2],
        meant: &[Vec<Move>; 2],
        left: u32,
    ) {
        let cost = 1 + u32::from(meant[owner].len() > 1);
        if cost <= left {
            for &played in &meant[owner] {
                let next = state.moved(step(owner), state.standing.after(played), 1);
                self.follow(&next, left - cost);
            }
        }
        if !legible(entries[owner]) && left >= 2 {
            for played in all_moves(&state.standing) {
                let next = state.moved(step(owner), state.standing.after(played), 1);
                self.follow(&next, left - 2);
            }
        }
    }

    /// The other score has two moves in each other's place.
    fn swapped(&mut self, state: &State, owner: usize, meant: &[Vec<Move>; 2], left: u32) {
        if left == 0 || meant[owner].is_empty() {
            return;
        }
        for length in [2, 3] {
            let [ours, theirs] = [owner, 1 - owner].map(|of| {
                let rest = &self.scores[of][state.at[of]..];
                rest.iter().take(length).collect::<Vec<_>>()
            });
            if ours.len() < length || theirs.len() < length || alike(theirs[0], theirs[length - 1])
            {
                continue;
            }
            let mut standing = Some(state.standing.clone());
            for (our, their) in ours.iter().zip(theirs.iter().rev()) {
                standing = standing.and_then(|standing| {
                    let theirs = moves(&standing, their);
                    let common: Vec<Move> = moves(&standing, our)
                        .into_iter()
                        .filter(|played| theirs.contains(played))
                        .collect();
                    (common.len() == 1).then(|| standing.after(common[0]))
                });
            }
            if let Some(standing) = standing {
                let next = state.moved([length, length], standing, length);
                self.follow(&next.agreeing(), left - 1);
            }
        }
    }

    /// Both go on legally and are soon in one position again.
    fn another_way(&mut self, state: &State, meant: &[Vec<Move>; 2], left: u32) -> bool {
        if meant.iter().any(Vec::is_empty) {
            return false;
        }
        let mut ways = [state.standing.clone(), state.standing.clone()];
        for plies in 1..=8 {
            for owner in [0, 1] {
                let Some(entry) = self.scores[owner].get(state.at[owner] + plies - 1) else {
                    return false;
                };
                let meant = moves(&ways[owner], entry);
                let [only] = meant.as_slice() else {
                    return false;
                };
                ways[owner] = ways[owner].after(*only);
            }
            if place(&ways[0]) == place(&ways[1]) {
                let next = state.moved([plies, plies], ways[0].clone(), plies);
                if left > 0 {
                    self.follow(&next.agreeing(), left - 1);
                }
                return true;
            }
        }
        false
    }
}

fn step(owner: usize) -> [usize; 2] {
    if owner == 0 { [1, 0] } else { [0, 1] }
}

/// Placement, turn, rights and en-passant square, without counters.
fn place(standing: &Standing) -> String {
    let fen = standing.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn all_moves(standing: &Standing) -> Vec<Move> {
    standing
        .position()
        .map(|position| position.legal_moves().into_iter().collect())
        .unwrap_or_default()
}

/// Every legal move that an entry can mean, by looking at each.
fn moves(standing: &Standing, entry: &Entry) -> Vec<Move> {
    all_moves(standing)
        .into_iter()
        .filter(|&played| means(&entry.notated, played))
        .collect()
}

fn means(notated: &Notated, played: Move) -> bool {
    match notated {
        Notated::Castling(side) => played.castling_side() == Some(*side),
        Notated::Move(notated) => {
            let to = match played {
                Move::Castle { king, rook } => {
                    let file = if rook > king { 6 } else { 2 };
                    Square::new(u32::from(king) / 8 * 8 + file)
                }
                other => other.to(),
            };
            let whole = notated.to.square().is_some();
            let is_castling = matches!(played, Move::Castle { .. });
            let fits = |part: annexd::score::PartialSquare, square: Square| {
                part.file.is_none_or(|file| file == square.file())
                    && part.rank.is_none_or(|rank| rank == square.rank())
            };
            notated.piece.is_none_or(|role| role == played.role())
                && (!is_castling || whole && played.role() == Role::King)
                && played.from().is_some_and(|from| fits(notated.from, from))
                && fits(notated.to, to)
                && (notated.promotion.is_none() || notated.promotion == played.promotion())
        }
        Notated::Unreadable | Notated::Blank => false,
    }
}

fn legible(entry: &Entry) -> bool {
    matches!(entry.notated, Notated::Move(_) | Notated::Castling(_))
}

fn alike(one: &Entry, other: &Entry) -> bool {
    match (&one.notated, &other.notated) {
        (Notated::Castling(one), Notated::Castling(other)) => one == other,
        (Notated::Move(one), Notated::Move(other)) => {
            one.piece == other.piece
                && one.from == other.from
                && one.to == other.to
                && one.promotion == other.promotion
        }
        _ => false,
    }
}
