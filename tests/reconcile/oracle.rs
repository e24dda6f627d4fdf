//! Says what can be known about two scores, by trying everything.
//!
//! Written apart from the aligner: plain recursion over every explanation with up to four faults,
//! its own reading of entries, no order of search and no shortcuts. Slow and simple.
//!
//! What is reckoned, in halves: a fault costs 2; an empty place 1; an entry too many 4; another
//! piece of the kind that could move too 3; the same illegal move in both 3, and 1 when there was
//! one before; a row that is missing or written twice 3 in all. A difference for good costs 2, and
//! as much for each fault that a score by itself has after it (but no more than 3 right after an
//! agreement, where they do not name two pieces of a kind), and as much as four faults if both
//! scores go on in the same words one after the other. What is found with up to 10 holds, one game
//! with up to 8, which is four faults; if nothing is found, the cheapest difference holds before
//! which there are no more than four faults.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use annexd::score::{Entry, Notated, Reading, Standing};
use shakmaty::{Move, Position};

use super::meanings::{
    alike, all_moves, compatible, illegible, legible, moves, other_piece, place, two_pieces,
};

/// Four faults, and a difference.
const MOST: u32 = 10;

/// Four faults.
const MOST_FAULTS: u32 = 8;

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
    /// Whether it is one game only with more than four faults.
    pub(crate) is_beyond: bool,
}

pub(crate) fn answer(start: &Standing, scores: [&[Entry]; 2]) -> Answer {
    let mut oracle = Oracle::of(scores);
    if let Some(budget) = (0..=MOST).find(|&budget| oracle.finds(start, budget)) {
        let one_game = |outcome: &Outcome| matches!(outcome, Outcome::OneGame(..));
        let is_beyond =
            budget > MOST_FAULTS && oracle.found.len() == 1 && oracle.found.keys().all(one_game);
        return Answer {
            outcomes: oracle.found,
            is_doubted: false,
            is_beyond,
        };
    }
    let cheapest = oracle.differences.into_iter().next();
    let ((_, is_doubted), outcomes) = cheapest.unwrap_or_default();
    Answer {
        outcomes,
        is_doubted,
        is_beyond: false,
    }
}

/// Rows that are crossed from some row on: at least so many have to agree.
const CROSSED_ROWS: usize = 3;

/// Three faults.
const THREE_FAULTS: u32 = 6;

/// The answer when the columns of one score are exchanged from some row on, if that makes the
/// scores agree with three faults at most: to the end, or over three rows at least.
pub(crate) fn columns_exchanged(start: &Standing, scores: [&[Entry]; 2]) -> Option<Answer> {
    let mut best: Option<((bool, u32), Outcomes)> = None;
    for owner in [0, 1] {
        let rows = 0..scores[owner].len() / 2;
        for row in rows.filter(|row| is_crosswise(scores, owner, 2 * row)) {
            let Some((cost, outcomes)) = exchanged_from(start, scores, owner, row) else {
                continue;
            };
            let parted = outcomes.keys().any(|it| matches!(it, Outcome::Back(..)));
            if best
                .as_ref()
                .is_none_or(|(known, _)| (parted, cost) < *known)
            {
                best = Some(((parted, cost), outcomes));
            }
        }
    }
    best.map(|(_, outcomes)| Answer {
        outcomes,
        ..Answer::default()
    })
}

/// The only outcome, and what it costs, if the columns are exchanged from this row on.
fn exchanged_from(
    start: &Standing,
    scores: [&[Entry]; 2],
    owner: usize,
    row: usize,
) -> Option<(u32, Outcomes)> {
    let mut entries = scores[owner].to_vec();
    for at in row..entries.len() / 2 {
        entries.swap(2 * at, 2 * at + 1);
    }
    let mut read = scores;
    read[owner] = &entries;
    let mut oracle = Oracle::of(read);
    let cost = (0..=THREE_FAULTS).find(|&budget| oracle.finds(start, budget))?;
    let holds = |(outcome, ways): (&Outcome, &BTreeSet<Way>)| match outcome {
        Outcome::OneGame(..) => true,
        Outcome::Back(..) => ways
            .iter()
            .all(|way| way.read[owner] >= 2 * (row + CROSSED_ROWS)),
        Outcome::Illegal(..) => false,
    };
    let holds = oracle.found.len() == 1 && oracle.found.iter().all(holds);
    holds.then_some((cost, oracle.found))
}

/// Whether White's and Black's entry of this row stand the other way round in the other score.
fn is_crosswise(scores: [&[Entry]; 2], owner: usize, at: usize) -> bool {
    let [white, black] = [&scores[owner][at], &scores[owner][at + 1]];
    let other = scores[1 - owner];
    (0..other.len().saturating_sub(1)).any(|there| {
        there.abs_diff(at) <= 6
            && compatible(white, &other[there + 1])
            && compatible(black, &other[there])
    })
}

#[derive(Clone)]
struct State {
    at: [usize; 2],
    ply: usize,
    standing: Standing,
    /// Ply and position of the last agreement, and the entries before it.
    agreed: (usize, String, [usize; 2]),
    /// Whether an entry since then says something else than the game.
    contradicted: bool,
    /// The same of the first illegal move that both record.
    illegal: Option<(usize, String, [usize; 2])>,
    /// Whether both agree right here.
    is_agreed: bool,
}

impl State {
    fn beginning(start: &Standing) -> Self {
        Self {
            at: [0, 0],
            ply: 0,
            standing: start.clone(),
            agreed: (0, place(start), [0, 0]),
            contradicted: false,
            illegal: None,
            is_agreed: true,
        }
    }

    fn moved(&self, entries: [usize; 2], to: Standing, plies: usize) -> Self {
        Self {
            at: [self.at[0] + entries[0], self.at[1] + entries[1]],
            ply: self.ply + plies,
            standing: to,
            is_agreed: false,
            ..self.clone()
        }
    }

    fn agreeing(mut self) -> Self {
        self.agreed = (self.ply, place(&self.standing), self.at);
        self.contradicted = false;
        self.is_agreed = true;
        self
    }

    fn contradicted(mut self, is: bool) -> Self {
        self.contradicted |= is;
        self
    }
}

/// How far both scores are read, the ply, the position, the last agreement, whether there was a
/// contradiction since, and the first illegal move before.
type Key = (
    [usize; 2],
    usize,
    String,
    (usize, [usize; 2]),
    bool,
    Option<(usize, [usize; 2])>,
    bool,
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
    alone: HashMap<(usize, usize, String, u32), Option<u32>>,
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
        }
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
            place(&state.standing),
            (state.agreed.0, state.agreed.2),
            state.contradicted,
            state.illegal.as_ref().map(|illegal| (illegal.0, illegal.2)),
            state.is_agreed,
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
                !compatible(a, b) && !twice
            }
            _ => false,
        };
        if differ && legible(a) && legible(b) {
            if self.another_way(state, &meant, left) {
                return;
            }
            let before = self.budget - left + 2;
            if before > MOST {
                return;
            }
            let later = if self.goes_on_later(state) { 8 } else { 0 };
            let mut alone = 2 * (self.alone(state, 0) + self.alone(state, 1));
            // Right after an agreement two different moves speak for themselves.
            if state.is_agreed && !two_pieces(a, b) {
                alone = alone.min(3);
            }
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
        if 2 * self.alone(state, owner) != left {
            return;
        }
        let (outcome, way) = if state.contradicted || state.illegal.is_some() {
            parted(state)
        } else {
            let mut way = Way {
                read: state.at,
                shorter: None,
            };
            let (mut standing, mut ply) = (state.standing.clone(), state.ply);
            if state.at[owner] < self.scores[owner].len() {
                way.shorter = Some((1 - owner, String::new()));
            }
            let mut before = standing.clone();
            for entry in &self.scores[owner][state.at[owner]..] {
                let meant = moves(&standing, entry);
                let [only] = meant.as_slice() else { break };
                before = standing.clone();
                standing = standing.after(*only);
                ply += 1;
            }
            if let Some((_, place_before)) = &mut way.shorter {
                *place_before = place(&before);
            }
            (Outcome::OneGame(ply, place(&standing)), way)
        };
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
        let key = (owner, at, standing.fen(), left);
        if let Some(known) = self.alone.get(&key) {
            return *known;
        }
        let meant = moves(standing, entry);
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
                let all = all_moves(standing);
                all.into_iter().map(|it| standing.after(it)).collect()
            } else {
                vec![standing.passed()]
            };
            for unknown in unknown {
                if moves(&unknown, entry).len() == 1 {
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
        let same = |skip: [usize; 2]| {
            let [a, b] = [0, 1].map(|owner| {
                let rest = &self.scores[owner][state.at[owner]..];
                rest.iter().skip(skip[owner]).take(24).collect::<Vec<_>>()
            });
            (0..a.len().min(b.len()))
                .filter(|&entry| compatible(a[entry], b[entry]))
                .count()
        };
        let beside = same([0, 0]);
        (1..=6).any(|later| {
            let most = same([later, 0]).max(same([0, later]));
            most >= 6 && most >= 2 * beside
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
            let theirs = moves(&state.standing, other);
            let common = |entry: &Entry| {
                let ours = moves(&state.standing, entry);
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
            self.follow(&next, left - cost);
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
            self.follow(&next, left - 3);
            return;
        }
        if state.at[1 - owner] == self.scores[1 - owner].len() {
            return;
        }
        if let [first] = moves(&state.standing, &entries[at])[..] {
            let between = state.standing.after(first);
            if let [second] = moves(&between, &entries[at + 1])[..] {
                let next = state.moved(both, between.after(second), 2);
                self.follow(&next, left - 3);
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
                self.follow(&next.agreeing(), left - cost);
            }
        }
        for owner in [0, 1] {
            let other = 1 - owner;
            if let ([_], [played]) = (meant[owner].as_slice(), meant[other].as_slice())
                && left >= 3
                && other_piece(entries[owner], *played)
            {
                let next = state.moved([1, 1], state.standing.after(*played), 1);
                self.follow(&next.contradicted(true), left - 3);
            }
            let cost = illegible(entries[owner]) + open(other);
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
                .or_else(|| Some((state.ply, place(&state.standing), state.at)));
            if cost <= left {
                self.follow(&next.agreeing(), left - cost);
            }
        }
        let cost = illegible(entries[0]) + illegible(entries[1]);
        if entries.iter().any(|entry| !legible(entry)) && left >= cost {
            let contradicts = entries.iter().any(|entry| legible(entry));
            for played in all_moves(&state.standing) {
                let next = state.moved([1, 1], state.standing.after(played), 1);
                self.follow(&next.contradicted(contradicts), left - cost);
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
                self.follow(&next, left - cost);
            }
        }
        let cost = 2 + illegible(entries[owner]);
        if !legible(entries[owner]) && left >= cost {
            for played in all_moves(&state.standing) {
                let next = state.moved(step(owner), state.standing.after(played), 1);
                self.follow(&next, left - cost);
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
                    let theirs = moves(&standing, theirs[place]);
                    let common: Vec<Move> = moves(&standing, our)
                        .into_iter()
                        .filter(|played| theirs.contains(played))
                        .collect();
                    (common.len() == 1).then(|| standing.after(common[0]))
                });
            }
            if let Some(standing) = standing {
                let next = state.moved([length, length], standing, length);
                self.follow(&next.agreeing(), left - 2);
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
                let meant = moves(&ways[owner], entry);
                let [only] = meant.as_slice() else {
                    return false;
                };
                ways[owner] = ways[owner].after(*only);
                played[owner].push(format!("{only:?}"));
            }
            if place(&ways[0]) == place(&ways[1]) {
                played.iter_mut().for_each(|moves| moves.sort());
                if played[0] != played[1] {
                    return false;
                }
                let next = state.moved([plies, plies], ways[0].clone(), plies);
                if left >= 2 {
                    self.follow(&next.agreeing(), left - 2);
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
    };
    match &state.illegal {
        Some((ply, position, read)) => (Outcome::Illegal(*ply, position.clone()), way(*read)),
        None => {
            let (ply, position, read) = state.agreed.clone();
            (Outcome::Back(ply, position), way(read))
        }
    }
}

fn step(owner: usize) -> [usize; 2] {
    if owner == 0 { [1, 0] } else { [0, 1] }
}
