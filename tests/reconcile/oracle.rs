//! Says what can be known about two scores, by trying everything.
//!
//! Written apart from the aligner: plain recursion over every explanation with up to four faults,
//! its own reading of entries, no order of search and no shortcuts. Slow and simple.
//!
//! What is reckoned, in halves: a fault costs 2; an empty place 1; an entry too many 4; the same
//! illegal move in both 3, and 1 when there was one before; a row that is missing or written twice
//! 3 in all, and counts as one fault. A difference for good costs 2, and as much for each fault
//! that a score by itself has after it, and as much as four faults if both scores go on in the same
//! words one after the other. What is found with up to 12 (four rows) holds, one game if it has no
//! more than four faults; if nothing is found, the cheapest difference holds before which there are
//! no more than four faults.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use annexd::score::{Entry, Notated, Reading, Standing};
use shakmaty::{Move, Position};

use super::meanings::{
    alike, all_moves, compatible, illegible, legible, means, names, other_piece, place,
};

/// What four faults cost at most.
const MOST: u32 = 12;

/// More faults are not believed.
pub(crate) const MOST_FAULTS: u32 = 4;

/// More faults of one score alone are not counted.
const MOST_ALONE: u32 = 4;

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

/// How the scores are read when it comes to an outcome.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    /// How many entries of each score lie before the place where it ends.
    pub(crate) read: [usize; 2],
    /// The score that ends before the other, if one does, and the position one ply before the end.
    pub(crate) shorter: Option<(usize, String)>,
    /// How many faults that needs.
    pub(crate) faults: u32,
}

pub(crate) type Outcomes = BTreeMap<Outcome, BTreeSet<Way>>;

/// The outcomes of all cheapest explanations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    /// None if four faults are not enough.
    pub(crate) outcomes: Outcomes,
    /// Whether something speaks against a difference that is all there is; then more than four
    /// faults may be the better explanation.
    pub(crate) is_doubted: bool,
    /// What it costs.
    pub(crate) cost: u32,
}

pub(crate) fn answer(start: &Standing, scores: [&[Entry]; 2]) -> Answer {
    let mut oracle = Oracle::of(scores);
    if let Some(cost) = (0..=MOST).find(|&budget| oracle.finds(start, budget)) {
        return Answer {
            outcomes: oracle.found,
            is_doubted: false,
            cost,
        };
    }
    let cheapest = oracle.differences.into_iter().next();
    let ((cost, is_doubted), outcomes) =
        cheapest.unwrap_or(((u32::MAX, false), Outcomes::default()));
    Answer {
        outcomes,
        is_doubted,
        cost,
    }
}

#[derive(Clone)]
struct State {
    at: [usize; 2],
    ply: usize,
    standing: Rc<Standing>,
    /// Ply and position of the last agreement, and the entries before it.
    agreed: (usize, Rc<Standing>, [usize; 2]),
    /// Whether an entry since then says something else than the game.
    contradicted: bool,
    /// The same of the first illegal move that both record.
    illegal: Option<(usize, Rc<Standing>, [usize; 2])>,
    /// Whether both agree right here.
    is_agreed: bool,
    /// How many faults there were.
    faults: u32,
}

impl State {
    fn beginning(start: &Standing) -> Self {
        let start = Rc::new(start.clone());
        Self {
            at: [0, 0],
            ply: 0,
            standing: Rc::clone(&start),
            agreed: (0, start, [0, 0]),
            contradicted: false,
            illegal: None,
            is_agreed: true,
            faults: 0,
        }
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
        self.agreed = (self.ply, Rc::clone(&self.standing), self.at);
        self.contradicted = false;
        self.is_agreed = true;
        self
    }

    fn contradicted(mut self, is: bool) -> Self {
        self.contradicted |= is;
        self
    }

    fn faulty(mut self, faults: u32) -> Self {
        self.faults += faults;
        self
    }
}

/// How far both scores are read, the ply, the position, the last agreement, whether there was a
/// contradiction since, and the first illegal move before.
type Key = (
    [usize; 2],
    usize,
    u64,
    (usize, [usize; 2]),
    bool,
    Option<(usize, [usize; 2])>,
    bool,
    u32,
);

struct Oracle<'a> {
    scores: [&'a [Entry]; 2],
    budget: u32,
    seen: HashMap<Key, u32>,
    found: Outcomes,
    /// Points from which the scores can differ for good, by what they cost in all.
    /// And whether the same words speak against them.
    differences: BTreeMap<(u32, bool), Outcomes>,
    /// Faults of one score from an entry and a position on, with so many left to suppose.
    alone: HashMap<(usize, usize, u64, u32), Option<u32>>,
    /// The legal moves of the positions that were met.
    legal: HashMap<u64, Rc<[Move]>>,
}

impl<'a> Oracle<'a> {
    fn of(scores: [&'a [Entry]; 2]) -> Self {
        Self {
            scores,
            budget: 0,
            seen: HashMap::new(),
            found: Outcomes::new(),
            differences: BTreeMap::new(),
            alone: HashMap::new(),
            legal: HashMap::new(),
        }
    }

    fn all(&mut self, standing: &Standing) -> Rc<[Move]> {
        let known = self.legal.entry(standing.key());
        Rc::clone(known.or_insert_with(|| all_moves(standing).into()))
    }

    /// Every legal move that an entry can mean.
    fn moves(&mut self, standing: &Standing, entry: &Entry) -> Vec<Move> {
        let all = self.all(standing);
        let meant = all.iter().filter(|&&played| means(&entry.notated, played));
        meant.copied().collect()
    }

    /// Whether there is an outcome that uses up this much.
    fn finds(&mut self, start: &Standing, budget: u32) -> bool {
        self.budget = budget;
        self.seen.clear();
        self.follow(&State::beginning(start), budget);
        !self.found.is_empty()
    }

    fn follow(&mut self, state: &State, left: u32) {
        let key = (
            state.at,
            state.ply,
            state.standing.key(),
            (state.agreed.0, state.agreed.2),
            state.contradicted,
            state.illegal.as_ref().map(|illegal| (illegal.0, illegal.2)),
            state.is_agreed,
            state.faults,
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
            self.passed_over(state, owner, left);
            self.row(state, owner, left);
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
        let common = meant[0].iter().any(|one| meant[1].contains(one));
        let nothing = [meant[0].is_empty(), meant[1].is_empty()];
        let differ = match nothing {
            [false, false] => !common,
            [true, true] => {
                let twice = (0..2).any(|owner| self.twice(owner, state.at[owner]));
                !compatible(a, b) && !twice
            }
            _ => false,
        };
        if differ && legible(a) && legible(b) {
            if self.another_way(state, &meant, left) {
                return;
            }
            let before = self.budget - left + 2;
            if before > MOST || state.faults > MOST_FAULTS {
                return;
            }
            let later = if self.goes_on_later(state) { 8 } else { 0 };
            let alone = 2 * (self.alone(state, 0) + self.alone(state, 1));
            let cost = before + later + alone;
            let (outcome, way) = parted(state);
            if cost == self.budget {
                self.found.entry(outcome).or_default().insert(way);
            } else if cost > MOST {
                let found = self.differences.entry((cost, later > 0)).or_default();
                found.entry(outcome).or_default().insert(way);
            }
        }
    }

    fn end(&mut self, state: &State, left: u32) {
        let owner = usize::from(state.at[0] >= self.scores[0].len());
        // All that was left has to be used up.
        let alone = self.alone(state, owner);
        if 2 * alone != left {
            return;
        }
        let (outcome, mut way) = if state.contradicted || state.illegal.is_some() {
            parted(state)
        } else {
            let mut way = Way {
                read: state.at,
                shorter: None,
                faults: 0,
            };
            let (mut standing, mut ply) = (state.standing.clone(), state.ply);
            if state.at[owner] < self.scores[owner].len() {
                way.shorter = Some((1 - owner, String::new()));
            }
            let mut before = standing.clone();
            for entry in &self.scores[owner][state.at[owner]..] {
                let meant = self.moves(&standing, entry);
                let [only] = meant.as_slice() else { break };
                before = standing.clone();
                standing = standing.after(*only).into();
                ply += 1;
            }
            if let Some((_, place_before)) = &mut way.shorter {
                *place_before = place(&before);
            }
            (Outcome::OneGame(ply, place(&standing)), way)
        };
        // What contradicts and is not borne out is the difference itself, and no fault.
        way.faults = state.faults + alone - u32::from(state.contradicted);
        self.found.entry(outcome).or_default().insert(way);
    }

    /// How many faults a score by itself has from here on.
    fn alone(&mut self, state: &State, owner: usize) -> u32 {
        self.alone_within(owner, state.at[owner], &state.standing, MOST_ALONE)
            .unwrap_or(MOST_ALONE)
    }

    fn alone_within(
        &mut self,
        owner: usize,
        at: usize,
        standing: &Standing,
        left: u32,
    ) -> Option<u32> {
        let Some(entry) = self.scores[owner].get(at) else {
            return Some(0);
        };
        let key = (owner, at, standing.key(), left);
        if let Some(known) = self.alone.get(&key) {
            return *known;
        }
        let meant = self.moves(standing, entry);
        let fewest = if let [only] = meant.as_slice() {
            self.alone_within(owner, at + 1, &standing.after(*only), left)
        } else if left == 0 {
            None
        } else {
            let mut ways = Vec::new();
            if self.twice(owner, at) || entry.notated == Notated::Blank {
                ways.push((at + 1, standing.clone()));
            }
            ways.extend(meant.iter().map(|&it| (at + 1, standing.after(it))));
            if meant.is_empty() {
                ways.push((at + 1, standing.after_entry(entry)));
            }
            let in_check = standing.position().is_some_and(Position::is_check);
            let unknown = if in_check {
                let all = self.all(standing);
                all.iter().map(|&it| standing.after(it)).collect()
            } else {
                vec![standing.passed()]
            };
            for unknown in unknown {
                if self.moves(&unknown, entry).len() == 1 {
                    ways.push((at, unknown.clone()));
                }
                ways.push((at + 1, unknown));
            }
            let ways = ways.iter();
            ways.filter_map(|(at, way)| self.alone_within(owner, *at, way, left - 1))
                .min()
                .map(|faults| faults + 1)
        };
        self.alone.insert(key, fewest);
        fewest
    }

    /// Whether both scores say the same words from here on, one of them some entries later.
    fn goes_on_later(&self, state: &State) -> bool {
        // How many are the same, and whether all are.
        let same = |skip: [usize; 2]| {
            let [a, b] = [0, 1].map(|owner| {
                let rest = &self.scores[owner][state.at[owner]..];
                rest.iter().skip(skip[owner]).take(24).collect::<Vec<_>>()
            });
            let both = a.len().min(b.len());
            let same = (0..both)
                .filter(|&entry| compatible(a[entry], b[entry]))
                .count();
            (same, same >= 3 && same == both && both < 24)
        };
        let (beside, _) = same([0, 0]);
        (1..=6).any(|later| {
            [same([later, 0]), same([0, later])]
                .into_iter()
                .any(|(most, is_all)| (most >= 6 || is_all) && most >= 2 * beside)
        })
    }

    fn twice(&self, owner: usize, at: usize) -> bool {
        (1..=2).any(|back| {
            at.checked_sub(back)
                .is_some_and(|earlier| alike(&self.scores[owner][earlier], &self.scores[owner][at]))
        })
    }

    /// An entry that does not count.
    fn passed_over(&mut self, state: &State, owner: usize, left: u32) {
        let at = state.at[owner];
        let Some(entry) = self.scores[owner].get(at) else {
            return;
        };
        let cost = if entry.notated == Notated::Blank {
            1
        } else if self.twice(owner, at) {
            2
        } else {
            // An entry too many stands before the move that both record, and nothing else is
            // wrong between.
            let other = self.scores[1 - owner].get(state.at[1 - owner]);
            let next = self.scores[owner].get(at + 1);
            let (Some(other), Some(next)) = (other, next) else {
                return;
            };
            let theirs = self.moves(&state.standing, other);
            let mut common = |entry: &Entry| {
                let ours = self.moves(&state.standing, entry);
                ours.iter().any(|it| theirs.contains(it))
            };
            if common(entry) || !common(next) || !state.is_agreed {
                return;
            }
            4
        };
        if cost <= left {
            let next = state.moved(step(owner), state.standing.clone(), 0);
            let next = if state.is_agreed {
                next.agreeing()
            } else {
                next
            };
            self.follow(&next.faulty(1), left - cost);
        }
    }

    /// A row that is written twice here, or that the other score lacks: less than two faults.
    fn row(&mut self, state: &State, owner: usize, left: u32) {
        let at = state.at[owner];
        if left < 3 || at + 2 > self.scores[owner].len() {
            return;
        }
        let entries = self.scores[owner];
        let both = step(owner).map(|one| one * 2);
        if at >= 2
            && alike(&entries[at], &entries[at - 2])
            && alike(&entries[at + 1], &entries[at - 1])
        {
            let next = state.moved(both, state.standing.clone(), 0);
            let next = if state.is_agreed {
                next.agreeing()
            } else {
                next
            };
            self.follow(&next.faulty(1), left - 3);
            return;
        }
        if state.at[1 - owner] == self.scores[1 - owner].len() {
            return;
        }
        if let [first] = self.moves(&state.standing, &entries[at])[..] {
            let between = state.standing.after(first);
            if let [second] = self.moves(&between, &entries[at + 1])[..] {
                let next = state.moved(both, between.after(second), 2);
                self.follow(&next.faulty(1), left - 3);
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
            if let ([_], [played]) = (meant[owner].as_slice(), meant[other].as_slice())
                && left >= 2
                && other_piece(entries[owner], *played)
            {
                let next = state.moved([1, 1], state.standing.after(*played), 1);
                self.follow(&next.contradicted(true).faulty(1), left - 2);
            }
            let cost = illegible(entries[owner]) + open(other);
            if !meant[owner].is_empty() || cost > left {
                continue;
            }
            for &played in &meant[other] {
                let mut next = state.moved([1, 1], state.standing.after(played), 1);
                if !names(entries[owner], played) {
                    next = next.contradicted(legible(entries[owner]));
                } else if meant[other].len() == 1 {
                    next = next.agreeing();
                }
                self.follow(&next.faulty(1 + open(other) / 2), left - cost);
            }
        }
        if !meant.iter().all(Vec::is_empty) {
            return;
        }
        if compatible(entries[0], entries[1]) {
            let fuller = match state.standing.read(entries[0]) {
                Reading::Illegal(_) => entries[0],
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
                .or_else(|| Some((state.ply, Rc::clone(&state.standing), state.at)));
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
                self.follow(&next.faulty(cost / 2), left - cost);
            }
        }
        let cost = 2 + illegible(entries[owner]);
        if !legible(entries[owner]) && left >= cost {
            for played in self.all(&state.standing).iter().copied() {
                let next = state.moved(step(owner), state.standing.after(played), 1);
                self.follow(&next.faulty(2), left - cost);
            }
        }
    }

    /// The other score has two moves in each other's place.
    fn swapped(&mut self, state: &State, owner: usize, meant: &[Vec<Move>; 2], left: u32) {
        if left < 2 || meant[owner].is_empty() {
            return;
        }
        for order in [vec![1, 0], vec![2, 1, 0], vec![2, 3, 0, 1]] {
            let length = order.len();
            let [ours, theirs] = [owner, 1 - owner].map(|of| {
                let rest = &self.scores[of][state.at[of]..];
                rest.iter().take(length).collect::<Vec<_>>()
            });
            if ours.len() < length || theirs.len() < length || alike(theirs[0], theirs[order[0]]) {
                continue;
            }
            let mut standing = Some(state.standing.clone());
            for (our, place) in ours.iter().zip(order) {
                standing = standing.and_then(|standing| {
                    let theirs = self.moves(&standing, theirs[place]);
                    let common: Vec<Move> = self
                        .moves(&standing, our)
                        .into_iter()
                        .filter(|played| theirs.contains(played))
                        .collect();
                    (common.len() == 1).then(|| standing.after(common[0]).into())
                });
            }
            if let Some(standing) = standing {
                let next = state.moved([length, length], standing, length);
                self.follow(&next.agreeing().faulty(1), left - 2);
            }
        }
    }

    /// Both go on legally and are soon in one position again.
    fn another_way(&mut self, state: &State, meant: &[Vec<Move>; 2], left: u32) -> bool {
        if meant.iter().any(Vec::is_empty) {
            return false;
        }
        let mut ways = [state.standing.clone(), state.standing.clone()];
        let mut played = [Vec::new(), Vec::new()];
        for plies in 1..=8 {
            for owner in [0, 1] {
                let Some(entry) = self.scores[owner].get(state.at[owner] + plies - 1) else {
                    return false;
                };
                let meant = self.moves(&ways[owner], entry);
                let [only] = meant.as_slice() else {
                    return false;
                };
                ways[owner] = ways[owner].after(*only).into();
                played[owner].push(format!("{only:?}"));
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

/// What it comes to if the scores differ after the last agreement, or record an illegal move.
fn parted(state: &State) -> (Outcome, Way) {
    let way = |read| Way {
        read,
        shorter: None,
        faults: state.faults,
    };
    match &state.illegal {
        Some((ply, position, read)) => (Outcome::Illegal(*ply, place(position)), way(*read)),
        None => {
            let (ply, position, read) = &state.agreed;
            (Outcome::Back(*ply, place(position)), way(*read))
        }
    }
}

fn step(owner: usize) -> [usize; 2] {
    if owner == 0 { [1, 0] } else { [0, 1] }
}
