//! Says what can be known about two scores, by trying everything.
//!
//! Written apart from the aligner: plain recursion over every explanation with up to four faults,
//! its own reading of entries, no order of search and no shortcuts. Slow and simple.
//!
//! What is reckoned, in halves: a fault costs 2; an empty place 1; an entry too many, or a legal
//! move that is a slip, 4; the same illegal move in both 3, and 1 when there was one before; a row
//! that is missing or written twice 3 in all, and counts as one fault; moves in each other's place
//! 2; columns exchanged from a row on, to the end or for some rows, 2. A difference for good costs
//! 2, and as much for each fault that a score by itself has after it (a move that it lacks can be
//! any, or what the other says there); 1 more where both scores go on in the same words, one some
//! entries after the other. Where the scores differ right after a
//! fault, nothing says whether before or after it. After the end of the shorter score the longer
//! one alone says what was played; an entry there that is no one legal move can be any that fits
//! what follows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use annexd_score::{Entry, Meaning, Notated, Standing};
use shakmaty::Move;

use super::meanings::{
    alike, all_moves, compatible, illegible, legible, means, names, other_piece, place,
    stands_there, unsigned,
};
use super::rests::Rests;

/// Dearer explanations are not looked for.
const MOST: u32 = 14;

/// More faults are not believed.
pub(crate) const MOST_FAULTS: u32 = 4;

/// More faults of one score alone are not counted.
pub(super) const MOST_ALONE: u32 = 4;

/// So many plies have to agree after a fault that moves entries before a difference is there and
/// nowhere else.
pub(super) const BORNE_OUT: usize = 2;

/// What an explanation comes to, and where.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// One game of so many plies that ends in this position.
    OneGame(usize, String),
    /// Agreement up to this ply and position only.
    Back(usize, String),
    /// The same illegal move in both at this ply.
    Illegal(usize, String),
    /// Faults that are not counted here: the scores differ where entries may be missing, too many
    /// or in each other's place, and that may be all.
    Uncounted,
}

/// What it costs at least that the scores come to each outcome, as far as that is cheap.
pub(crate) type Outcomes = BTreeMap<Outcome, u32>;

/// The outcomes of the cheapest explanations, and of those that cost a little more.
pub(crate) fn outcomes(start: &Standing, scores: [&[Entry]; 2]) -> Outcomes {
    let mut oracle = Oracle::of(scores);
    let mut all = Outcomes::new();
    let mut cheapest = MOST;
    // A little dearer than the dearest is looked for too, or that would look decided.
    for budget in 0..=MOST + 1 {
        if budget > cheapest + 1 {
            break;
        }
        for outcome in oracle.finds(start, budget) {
            cheapest = cheapest.min(budget);
            all.entry(outcome).or_insert(budget);
        }
    }
    all
}

/// A point at which both agree: ply and position.
pub(super) type Point = (usize, Rc<Standing>);

#[derive(Clone)]
pub(super) struct State {
    pub(super) at: [usize; 2],
    /// The order in which the entries of each score are read.
    pub(super) order: [Rc<[usize]>; 2],
    /// Up to where entries stand in each other's place, and which way.
    pub(super) busy: [(usize, usize); 2],
    /// Whether the columns are exchanged.
    pub(super) crossed: [bool; 2],
    pub(super) ply: usize,
    pub(super) standing: Rc<Standing>,
    pub(super) agreed: Point,
    /// Whether an entry since then says something else than the game.
    pub(super) contradicted: bool,
    /// The first illegal move that both record.
    pub(super) illegal: Option<Point>,
    /// Whether both agree right here.
    pub(super) is_agreed: bool,
    /// How many plies agree since the last fault that moves entries, and where both agreed before
    /// it and before others close to it.
    pub(super) since: usize,
    pub(super) before: Option<Point>,
    /// How many faults there were.
    pub(super) faults: u32,
}

impl State {
    fn beginning(start: &Standing, scores: [&[Entry]; 2]) -> Self {
        let start = Rc::new(start.clone());
        Self {
            at: [0, 0],
            order: scores.map(|entries| (0..entries.len()).collect()),
            busy: [(0, 0); 2],
            crossed: [false; 2],
            ply: 0,
            standing: Rc::clone(&start),
            agreed: (0, start),
            contradicted: false,
            illegal: None,
            is_agreed: true,
            since: BORNE_OUT,
            before: None,
            faults: 0,
        }
    }

    /// After a fault that moves the entries of a score against those of the other.
    fn shifted(mut self, from: &Self) -> Self {
        if from.since >= BORNE_OUT {
            self.before = Some(from.agreed.clone());
        }
        self.since = 0;
        self
    }

    fn is_busy(&self) -> bool {
        (0..2).any(|owner| self.at[owner] < self.busy[owner].0)
    }

    fn moved(&self, entries: [usize; 2], to: impl Into<Rc<Standing>>, plies: usize) -> Self {
        Self {
            at: [self.at[0] + entries[0], self.at[1] + entries[1]],
            ply: self.ply + plies,
            standing: to.into(),
            is_agreed: false,
            ..self.clone()
        }
    }

    fn agreeing(mut self) -> Self {
        if self.ply > self.agreed.0 {
            self.since = (self.since + 1).min(BORNE_OUT);
        }
        self.agreed = (self.ply, Rc::clone(&self.standing));
        self.contradicted = false;
        self.is_agreed = true;
        self
    }

    fn contradicted(mut self, is: bool) -> Self {
        self.contradicted |= is;
        self
    }

    pub(super) fn faulty(mut self, faults: u32) -> Self {
        self.faults += faults;
        self
    }
}

/// Everything in which two states can differ.
type Key = (
    [usize; 2],
    [(usize, usize); 2],
    [bool; 2],
    usize,
    u64,
    usize,
    bool,
    Option<usize>,
    bool,
    (usize, Option<usize>),
    u32,
);

/// Whose entries, whose columns are exchanged, from where on, how far the other score is shifted,
/// the position, and how many faults may be supposed.
type Asked = (usize, [bool; 2], usize, isize, u64, u32);

pub(super) struct Oracle<'a> {
    pub(super) scores: [&'a [Entry]; 2],
    pub(super) budget: u32,
    pub(super) seen: HashMap<Key, u32>,
    pub(super) found: BTreeSet<Outcome>,
    /// Faults of one score from an entry and a position on, with so many left to suppose.
    pub(super) alone: HashMap<Asked, Option<u32>>,
    /// Both scores beside each other, by whose columns are exchanged.
    pub(super) rests: HashMap<[bool; 2], Rests<'a>>,
    /// The legal moves of the positions that were met.
    pub(super) legal: HashMap<u64, Rc<[Move]>>,
}

impl<'a> Oracle<'a> {
    fn of(scores: [&'a [Entry]; 2]) -> Self {
        Self {
            scores,
            budget: 0,
            seen: HashMap::new(),
            found: BTreeSet::new(),
            alone: HashMap::new(),
            rests: HashMap::new(),
            legal: HashMap::new(),
        }
    }

    /// The entry that is read after so many others.
    pub(super) fn entry(&self, state: &State, owner: usize, more: usize) -> Option<&'a Entry> {
        let place = state.order[owner].get(state.at[owner] + more)?;
        self.scores[owner].get(*place)
    }

    pub(super) fn all(&mut self, standing: &Standing) -> Rc<[Move]> {
        let known = self.legal.entry(standing.key());
        Rc::clone(known.or_insert_with(|| all_moves(standing).into()))
    }

    /// Every legal move that an entry can mean.
    pub(super) fn moves(&mut self, standing: &Standing, entry: &Entry) -> Vec<Move> {
        let all = self.all(standing);
        let meant = all.iter().filter(|&&played| means(&entry.notated, played));
        meant.copied().collect()
    }

    /// The outcomes of explanations that use up this much.
    fn finds(&mut self, start: &Standing, budget: u32) -> BTreeSet<Outcome> {
        self.budget = budget;
        self.seen.clear();
        self.follow(&State::beginning(start, self.scores), budget);
        std::mem::take(&mut self.found)
    }

    pub(super) fn follow(&mut self, state: &State, left: u32) {
        if state.faults > MOST_FAULTS {
            return;
        }
        let key = (
            state.at,
            [0, 1].map(|owner| match state.busy[owner] {
                busy if state.at[owner] < busy.0 => busy,
                _ => (0, 0),
            }),
            state.crossed,
            state.ply,
            state.standing.key(),
            state.agreed.0,
            state.contradicted,
            state.illegal.as_ref().map(|illegal| illegal.0),
            state.is_agreed,
            (state.since, state.before.as_ref().map(|before| before.0)),
            state.faults,
        );
        // Having been here with as much left, everything from here on has been tried.
        if self.seen.get(&key).is_some_and(|&known| known >= left) {
            return;
        }
        self.seen.insert(key, left);
        let [a, b] = [0, 1].map(|owner| self.entry(state, owner, 0));
        if a.is_none() || b.is_none() {
            self.end(state, left);
        }
        for owner in [0, 1] {
            self.passed_over(state, owner, left);
            self.row(state, owner, left);
            self.columns(state, owner, left);
        }
        let (Some(a), Some(b)) = (a, b) else { return };
        let meant = [
            self.moves(&state.standing, a),
            self.moves(&state.standing, b),
        ];
        self.together(state, [a, b], &meant, left);
        for owner in [0, 1] {
            self.lacking(state, owner, [a, b], &meant, left);
            self.swapped(state, owner, &meant, left);
        }
        let differ = self.differ(state, [a, b], &meant);
        if differ && self.is_told(state) && legible(a) && legible(b) {
            if self.another_way(state, &meant, left) {
                return;
            }
            let alone = 2 * (self.alone(state, 0) + self.alone(state, 1));
            // Two games hardly go on in the same words, one some entries after the other.
            let shifted = u32::from(self.parts_in_words(state, 1));
            if alone + 2 + shifted == left {
                self.parted(state);
                if state.illegal.is_none() {
                    let is_senseless = (0..2).any(|owner| self.is_senseless(state, owner));
                    if is_senseless || self.parts_in_words(state, 2) {
                        self.found.insert(Outcome::Uncounted);
                    }
                    // Perhaps before the last faults, perhaps after them.
                    let here = (state.ply, Rc::clone(&state.standing));
                    let before = state.before.clone().filter(|_| state.since < BORNE_OUT);
                    for (ply, position) in [Some(here), before].into_iter().flatten() {
                        self.found.insert(Outcome::Back(ply, place(&position)));
                    }
                }
            }
        }
    }

    /// Whether the entries say different moves, and it can be for good.
    fn differ(&mut self, state: &State, [a, b]: [&Entry; 2], meant: &[Vec<Move>; 2]) -> bool {
        let common = meant[0].iter().any(|one| meant[1].contains(one));
        let nothing = [meant[0].is_empty(), meant[1].is_empty()];
        let may_be_slip = [(a, 0), (b, 1)].map(|(entry, owner)| {
            unsigned(entry, &meant[owner])
                || nothing[owner] && !self.says_another(state, entry, &meant[1 - owner])
        });
        match nothing {
            [true, true] => {
                let twice = (0..2).any(|owner| self.twice(state, owner));
                !compatible(a, b) && !twice
            }
            _ if may_be_slip == [false, false] => !common,
            _ => {
                // After a slip both go on in the same words.
                let both = |more: &usize| {
                    let [one, other] = [0, 1].map(|owner| self.entry(state, owner, *more));
                    one.zip(other)
                };
                let pairs: Vec<_> = (1..=6).filter_map(|more| both(&more)).collect();
                let alike = pairs.iter().filter(|(one, other)| compatible(one, other));
                !common && alike.count() < pairs.len().min(3)
            }
        }
    }

    /// Whether the scores, set beside each other, do not stand side by side where they differ, or
    /// within so many entries.
    fn parts_in_words(&mut self, state: &State, entries: usize) -> bool {
        let scores = self.scores;
        let rests = self.rests.entry(state.crossed).or_insert_with(|| {
            Rests::of([0, 1].map(|owner| {
                let mut list: Vec<_> = scores[owner].iter().collect();
                if state.crossed[owner] {
                    list.chunks_exact_mut(2).for_each(|row| row.swap(0, 1));
                }
                list
            }))
        });
        rests.part_within(state.at, entries)
    }

    /// What it comes to if the scores differ after the last agreement, or record an illegal move.
    pub(super) fn parted(&mut self, state: &State) {
        self.found.insert(match &state.illegal {
            Some((ply, position)) => Outcome::Illegal(*ply, place(position)),
            None => Outcome::Back(state.agreed.0, place(&state.agreed.1)),
        });
    }

    fn twice(&self, state: &State, owner: usize) -> bool {
        self.is_twice(state, owner, state.at[owner])
    }

    pub(super) fn is_twice(&self, state: &State, owner: usize, at: usize) -> bool {
        let entry = |at: usize| &self.scores[owner][state.order[owner][at]];
        at >= state.busy[owner].0
            && (1..=2).any(|back| {
                at.checked_sub(back)
                    .is_some_and(|earlier| alike(entry(earlier), entry(at)))
            })
    }

    /// An entry that does not count.
    fn passed_over(&mut self, state: &State, owner: usize, left: u32) {
        let Some(entry) = self.entry(state, owner, 0) else {
            return;
        };
        let cost = if entry.notated == Notated::Blank {
            1
        } else if self.twice(state, owner) {
            2
        } else {
            4
        };
        if cost <= left {
            let next = state.moved(step(owner), state.standing.clone(), 0);
            let next = if state.is_agreed {
                next.agreeing()
            } else {
                next
            };
            let next = next.faulty(1);
            let is_blank = entry.notated == Notated::Blank;
            let next = if is_blank { next } else { next.shifted(state) };
            self.follow(&next, left - cost);
        }
    }

    /// A row that is written twice here, or that the other score lacks: less than two faults.
    fn row(&mut self, state: &State, owner: usize, left: u32) {
        let at = state.at[owner];
        if left < 3 || at + 2 > self.scores[owner].len() {
            return;
        }
        let [Some(first), Some(second)] = [0, 1].map(|more| self.entry(state, owner, more)) else {
            return;
        };
        let both = step(owner).map(|one| one * 2);
        let earlier = |back: usize| {
            let place = state.order[owner].get(at.checked_sub(back)?)?;
            self.scores[owner].get(*place)
        };
        if at >= state.busy[owner].0
            && let [Some(one), Some(other)] = [2, 1].map(earlier)
            && alike(first, one)
            && alike(second, other)
        {
            let next = state.moved(both, state.standing.clone(), 0);
            let next = if state.is_agreed {
                next.agreeing()
            } else {
                next
            };
            self.follow(&next.faulty(1).shifted(state), left - 3);
            return;
        }
        if state.at[1 - owner] == self.scores[1 - owner].len() {
            return;
        }
        if let [first] = self.moves(&state.standing, first)[..] {
            let between = state.standing.after(first);
            if let [second] = self.moves(&between, second)[..] {
                let next = state.moved(both, between.after(second), 2);
                self.follow(&next.faulty(1).shifted(state), left - 3);
            }
        }
    }

    /// Both entries stand for one move.
    fn together(&mut self, state: &State, entries: [&Entry; 2], meant: &[Vec<Move>; 2], left: u32) {
        let open = |owner: usize| 2 * u32::from(meant[owner].len() > 1);
        for &played in &meant[0] {
            let cost = open(0) + open(1);
            if meant[1].contains(&played) && cost <= left {
                let next = state.moved([1, 1], state.standing.after(played), 1);
                self.follow(&next.agreeing().faulty(cost / 2), left - cost);
            }
        }
        for owner in [0, 1] {
            let other = 1 - owner;
            if let [one] = meant[owner].as_slice() {
                let is_sure = meant[other].len() == 1;
                for &played in &meant[other] {
                    let is_slip = is_sure && played != *one;
                    let (faults, cost) = match other_piece(entries[owner], played) {
                        true => (1 + open(other) / 2, 2 + open(other)),
                        false if is_slip => (1, 4),
                        false => continue,
                    };
                    if cost <= left {
                        let next = state.moved([1, 1], state.standing.after(played), 1);
                        self.follow(&next.contradicted(true).faulty(faults), left - cost);
                    }
                }
            }
            let is_unsigned = unsigned(entries[owner], &meant[owner]);
            let cost = illegible(entries[owner]) + open(other);
            let are_alike = meant[owner] == meant[other];
            if !(meant[owner].is_empty() || is_unsigned && !are_alike) || cost > left {
                continue;
            }
            // Another move with a wrong origin is no more this one than a legal move is.
            let says_other = self.says_another(state, entries[owner], &meant[other]);
            for &played in &meant[other] {
                let is_other = says_other && !names(entries[owner], played);
                let cost = cost + 2 * u32::from(is_other);
                if cost > left {
                    continue;
                }
                let mut next = state.moved([1, 1], state.standing.after(played), 1);
                if !names(entries[owner], played) {
                    next = next.contradicted(legible(entries[owner]));
                } else if meant[other].len() == 1 {
                    next = next.agreeing();
                }
                self.follow(&next.faulty(1 + open(other) / 2), left - cost);
            }
        }
        if meant.iter().all(Vec::is_empty) {
            self.neither_legal(state, entries, left);
        }
    }

    /// Both entries stand for one move, and neither says a legal one.
    fn neither_legal(&mut self, state: &State, entries: [&Entry; 2], left: u32) {
        let named = self.with_other_origins(state, entries);
        if !named.is_empty() && left >= 4 {
            for &played in &named {
                let next = state.moved([1, 1], state.standing.after(played), 1);
                let next = if named.len() == 1 {
                    next.agreeing()
                } else {
                    next
                };
                self.follow(&next.faulty(2), left - 4);
            }
        }
        let is_same = named.is_empty() || stands_there(&state.standing, entries);
        if compatible(entries[0], entries[1]) && is_same {
            let fuller = match state.standing.read(entries[0]) {
                Meaning::Illegal(_) => entries[0],
                _ => entries[1],
            };
            let mut next = state.moved([1, 1], state.standing.after_entry(fuller), 1);
            let cost = match (state.standing.position(), &state.illegal) {
                (None, _) => 0,
                (Some(_), Some(_)) => 1,
                (Some(_), None) => 3,
            };
            next.illegal = next
                .illegal
                .or_else(|| Some((state.ply, Rc::clone(&state.standing))));
            if cost <= left {
                self.follow(&next.agreeing(), left - cost);
            }
        }
        let cost = illegible(entries[0]) + illegible(entries[1]);
        if entries.iter().any(|entry| !legible(entry)) && left >= cost {
            let contradicts = entries.iter().any(|entry| legible(entry));
            for played in self.all(&state.standing).iter().copied() {
                let next = state.moved([1, 1], state.standing.after(played), 1);
                self.follow(&next.contradicted(contradicts).faulty(2), left - cost);
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
        let cost = 2 + 2 * u32::from(meant[owner].len() > 1);
        if cost <= left {
            for &played in &meant[owner] {
                let next = state.moved(step(owner), state.standing.after(played), 1);
                self.follow(&next.faulty(cost / 2).shifted(state), left - cost);
            }
        }
        let cost = 2 + illegible(entries[owner]);
        if !legible(entries[owner]) && left >= cost {
            for played in self.all(&state.standing).iter().copied() {
                let next = state.moved(step(owner), state.standing.after(played), 1);
                self.follow(&next.faulty(2).shifted(state), left - cost);
            }
        }
    }

    /// Both go on legally and are soon in one position again.
    fn another_way(&mut self, state: &State, meant: &[Vec<Move>; 2], left: u32) -> bool {
        if meant.iter().any(Vec::is_empty) || state.is_busy() {
            return false;
        }
        let mut ways = [state.standing.clone(), state.standing.clone()];
        let mut played = [Vec::new(), Vec::new()];
        for plies in 1..=8 {
            for owner in [0, 1] {
                let Some(entry) = self.entry(state, owner, plies - 1) else {
                    return false;
                };
                let meant = self.moves(&ways[owner], entry);
                let [only] = meant.as_slice() else {
                    return false;
                };
                ways[owner] = ways[owner].after(*only).into();
                // Whatever it captures.
                let named = (only.from(), only.to(), only.promotion());
                played[owner].push(format!("{named:?}"));
            }
            if place(&ways[0]) == place(&ways[1]) {
                played.iter_mut().for_each(|moves| moves.sort());
                if played[0] != played[1] {
                    return false;
                }
                let next = state.moved([plies, plies], ways[0].clone(), plies);
                if left >= 2 {
                    self.follow(&next.agreeing().faulty(1), left - 2);
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
