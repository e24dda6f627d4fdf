//! What the oracle says when it may also read a sheet in another order: by its numbers, or with the
//! columns exchanged from some row on.

use annexd::score::{Entry, Reading, Standing};
use shakmaty::fen::Fen;
use shakmaty::{Board, Setup};

use super::boards::decided;
use super::meanings::compatible;
use super::oracle::{self, Answer, Outcome, Outcomes};

/// Rows that are crossed from some row on: at least so many of one more have to agree.
const CROSSED_ROWS: usize = 3;

/// So many rows, two of three, stand in the same columns if the exchange is right.
const ALIKE_ROWS: usize = 6;

/// So many entries of both are legal after the point to which play goes back.
const LEGAL_ENTRIES: usize = 4;

/// With an exchange no more faults are supposed than these.
const FAULTS_BESIDE: u32 = 3;

/// What is known about two sheets.
pub(crate) struct Judged {
    pub(crate) answer: Answer,
    /// With the boards: whatever they leave open stays open.
    pub(crate) outcomes: Outcomes,
}

impl Judged {
    fn of(scores: &[Vec<Entry>; 2], boards: &[Option<Board>; 2]) -> Self {
        let start = Standing::of(Setup::initial());
        let scores = [&scores[0][..], &scores[1][..]];
        let answer = oracle::answer(&start, scores);
        let outcomes = decided(&answer, scores, boards);
        Self { answer, outcomes }
    }

    fn faults(&self) -> u32 {
        let ways = self.outcomes.values().flatten();
        ways.map(|way| way.faults).min().unwrap_or(u32::MAX)
    }

    /// Whether nothing explains it with four faults.
    pub(crate) fn is_beyond(&self) -> bool {
        self.outcomes.len() == 1 && self.faults() > oracle::MOST_FAULTS
    }

    fn is_one_game(&self) -> bool {
        self.outcomes.len() == 1
            && !self.is_beyond()
            && matches!(self.outcomes.keys().next(), Some(Outcome::OneGame(..)))
    }

    /// The position to which play goes back.
    fn position(&self) -> Option<Standing> {
        let Outcome::Back(_, place) = self.outcomes.keys().next()? else {
            return None;
        };
        let fen: Fen = format!("{place} 0 1").parse().ok()?;
        Some(Standing::of(fen.into_setup()))
    }

    /// How many entries of a score lie before the point to which play goes back.
    fn back_after(&self, owner: usize) -> Option<usize> {
        if self.outcomes.len() != 1 || self.is_beyond() {
            return None;
        }
        let (outcome, ways) = self.outcomes.iter().next()?;
        let read = ways.iter().map(|way| way.read[owner]).min();
        read.filter(|_| matches!(outcome, Outcome::Back(..)))
    }
}

/// The answer, by whatever order of the entries explains most.
pub(crate) fn judged(scores: [&[Entry]; 2], boards: &[Option<Board>; 2]) -> Judged {
    let mut scores = scores.map(<[Entry]>::to_vec);
    let mut best = Judged::of(&scores, boards);
    if best.is_one_game() {
        return best;
    }
    let mut supposed = 0;
    for owner in [0, 1] {
        let mut sorted = scores.clone();
        if !sort_by_numbers(&mut sorted[owner]) {
            continue;
        }
        let again = Judged::of(&sorted, boards);
        if again.answer.cost.saturating_add(supposed + 2)
            < best.answer.cost.saturating_add(supposed)
        {
            supposed += 2;
            (scores, best) = (sorted, again);
        }
    }
    if best.is_one_game() {
        return best;
    }
    let mut found = Vec::new();
    for owner in [0, 1] {
        for (row, once) in exchanges(&scores, owner) {
            let judged = Judged::of(&once, boards);
            if let Some(rank) = rank(&judged, &once, owner, row, FAULTS_BESIDE) {
                found.push((rank, judged));
                if rank == 0 {
                    continue;
                }
            }
            for (row, twice) in exchanges(&once, 1 - owner) {
                let judged = Judged::of(&twice, boards);
                if let Some(rank) = rank(&judged, &twice, 1 - owner, row, FAULTS_BESIDE - 1) {
                    found.push((rank, judged));
                }
            }
        }
    }
    let exchanged = found
        .into_iter()
        .min_by_key(|(rank, judged)| (*rank, judged.faults()));
    exchanged.map_or(best, |(_, judged)| judged)
}

/// Puts the entries in the order of their numbers, if all are different and that is another order.
fn sort_by_numbers(entries: &mut [Entry]) -> bool {
    let number = |entry: &Entry| {
        let place = entry.place?;
        Some(2 * place.number + u32::from(place.side.is_black()))
    };
    let Some(mut numbers) = entries.iter().map(number).collect::<Option<Vec<_>>>() else {
        return false;
    };
    if numbers.is_sorted() {
        return false;
    }
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.len() < entries.len() {
        return false;
    }
    entries.sort_by_key(|entry| number(entry));
    true
}

/// The scores with the columns of one exchanged from each row on from which that can be.
fn exchanges(scores: &[Vec<Entry>; 2], owner: usize) -> Vec<(usize, [Vec<Entry>; 2])> {
    let rows = scores[owner].len() / 2;
    let crossed: Vec<bool> = (0..rows)
        .map(|row| stands(scores, owner, row, [1, 0]))
        .collect();
    (0..rows)
        .filter(|&row| {
            let next = crossed[row..].iter().take(CROSSED_ROWS + 1);
            crossed[row] && next.filter(|is| **is).count() >= CROSSED_ROWS
        })
        .take(3)
        .flat_map(|row| {
            let right_again = |row: &usize| {
                stands(scores, owner, *row, [0, 1]) && !stands(scores, owner, *row, [1, 0])
            };
            let end = (row + CROSSED_ROWS..rows).find(right_again);
            [Some(rows), end]
                .into_iter()
                .flatten()
                .map(move |to| (row, to))
        })
        .map(|(row, to)| {
            let mut exchanged = scores.clone();
            for at in row..to {
                exchanged[owner].swap(2 * at, 2 * at + 1);
            }
            (row, exchanged)
        })
        .collect()
}

/// How well an exchange is borne out, if it is: 0 is one game to the end.
fn rank(
    judged: &Judged,
    scores: &[Vec<Entry>; 2],
    owner: usize,
    row: usize,
    most: u32,
) -> Option<u8> {
    if judged.faults() > most {
        return None;
    }
    if judged.is_one_game() {
        return Some(0);
    }
    let read = [judged.back_after(0)?, judged.back_after(1)?];
    if read[owner] >= 2 * (row + CROSSED_ROWS) {
        return Some(1);
    }
    let rows = scores[owner].len() / 2;
    let alike = (row..rows)
        .filter(|&row| stands(scores, owner, row, [0, 1]))
        .count();
    let goes_on = alike >= ALIKE_ROWS && 3 * alike >= 2 * (rows - row);
    let position = judged.position()?;
    let is_legal = |of: &usize| {
        let mut standing = position.clone();
        let rest = &scores[*of][read[*of]..];
        rest.iter().take(LEGAL_ENTRIES).all(|entry| {
            let Reading::Legal(played) = standing.read(entry) else {
                return false;
            };
            standing = standing.after(played);
            true
        })
    };
    (goes_on && [0, 1].iter().all(is_legal)).then_some(2)
}

/// Whether the entries of a row stand near in the other score, in this order of columns.
fn stands(scores: &[Vec<Entry>; 2], owner: usize, row: usize, order: [usize; 2]) -> bool {
    let own = [&scores[owner][2 * row], &scores[owner][2 * row + 1]];
    let other = &scores[1 - owner];
    (0..other.len().saturating_sub(1)).any(|there| {
        there.abs_diff(2 * row) <= 6
            && compatible(own[order[0]], &other[there])
            && compatible(own[order[1]], &other[there + 1])
    })
}
