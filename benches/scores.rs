//! How long two sheets of 300 moves take to settle: clean, dirty, truly different, and made to be
//! hard.
//!
//! Prints one line for each pair with the median of 51 runs.

use std::time::{Duration, Instant};

use annexd::discrepancy::{ByOwner, Case, Verdict, reconcile};
use annexd::score::{Entry, Notated, Score};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position};

const PLIES: usize = 600;
const RUNS: usize = 51;

fn main() {
    let game = long_game();
    let clean = score_of(&game);
    let mut entries: Vec<Entry> = clean.entries().to_vec();
    entries.remove(200);
    entries[399] = Entry::new(Notated::Unreadable);
    entries.swap(80, 81);
    let dirty = score(entries);
    // From the middle on, the other player has recorded another game.
    let mut parted = game[..PLIES / 2].to_vec();
    play_on(&mut parted, 77);
    let parted = score_of(&parted);
    let mut entries: Vec<Entry> = parted.entries().to_vec();
    entries.remove(100);
    entries.insert(200, entries[350].clone());
    let parted_and_dirty = score(entries);
    // Who moves to and fro says the same again and again.
    let to_and_fro = score_of(&to_and_fro());
    let mut entries: Vec<Entry> = to_and_fro.entries().to_vec();
    entries.remove(400);
    entries.remove(200);
    entries.swap(60, 61);
    entries[500] = Entry::new(Notated::Unreadable);
    let lost_count = score(entries);
    let settled = [Verdict::Same, Verdict::Shorter];
    measure("equal", [&clean, &clean], &settled);
    measure("three faults", [&clean, &dirty], &settled);
    let differing = [Verdict::GoBack];
    measure(
        "differing from the middle on",
        [&clean, &parted],
        &differing,
    );
    let open = [Verdict::GoBack, Verdict::Ambiguous];
    measure(
        "differing from the middle on, one missing and one too many before",
        [&clean, &parted_and_dirty],
        &open,
    );
    let open = [Verdict::Same, Verdict::Shorter, Verdict::Ambiguous];
    measure("to and fro, four faults", [&to_and_fro, &lost_count], &open);
}

/// Knights and rooks that go out and come back.
fn to_and_fro() -> Vec<Move> {
    let mut position = Chess::default();
    let words = [
        "g1f3", "g8f6", "h1g1", "h8g8", "g1h1", "g8h8", "f3g1", "f6g8",
    ];
    let moves = words.iter().cycle().take(PLIES).filter_map(|word| {
        let uci: UciMove = word.parse().ok()?;
        let played = uci.to_move(&position).ok()?;
        position.play_unchecked(played);
        Some(played)
    });
    moves.collect()
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn measure(name: &str, [player, opponent]: [&Score; 2], verdicts: &[Verdict]) {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            let report = reconcile(&Case {
                scores: ByOwner { player, opponent },
                boards: ByOwner::default(),
                start: None,
                clock_log: &[],
            });
            let took = begun.elapsed();
            assert!(
                verdicts.contains(&report.verdict),
                "{name}: {:?}",
                report.verdict
            );
            took
        })
        .collect();
    times.sort_unstable();
    println!(
        "two sheets of {} moves, {name}: median {:.2?}, longest {:.2?}",
        PLIES / 2,
        times[RUNS / 2],
        times[RUNS - 1]
    );
}

/// The first random game without captures that lasts long enough.
fn long_game() -> Vec<Move> {
    (1..)
        .map(|seed| {
            let mut moves = Vec::new();
            play_on(&mut moves, seed);
            moves
        })
        .find(|moves| moves.len() == PLIES)
        .unwrap_or_default()
}

fn play_on(moves: &mut Vec<Move>, seed: u64) {
    let mut position = Chess::default();
    for &played in moves.iter() {
        position.play_unchecked(played);
    }
    let mut dice = seed.wrapping_mul(0xD129_0D3C_6E5B_4F97) | 1;
    while moves.len() < PLIES {
        let legal = position.legal_moves();
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let quiet: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|played| !played.is_capture())
            .collect();
        let choice = if quiet.is_empty() { &legal[..] } else { &quiet };
        let Some(&played) = choice.get((dice >> 20) as usize % choice.len().max(1)) else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
}

fn score_of(moves: &[Move]) -> Score {
    score(
        moves
            .iter()
            .map(|&played| Entry::new(Notated::of_move(played)))
            .collect(),
    )
}

fn score(entries: Vec<Entry>) -> Score {
    let mut score = Score::new(None);
    for entry in entries {
        score.record(entry).expect("nobody has signed it");
    }
    score
}
