//! Dirty scores with known truth, the aligner and an exhaustive oracle against each other.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the games are files, and a test fails by panicking"
)]

mod dirty;
mod games;
mod oracle;

use std::collections::BTreeMap;

use annexd::discrepancy::{ByOwner, Case, Report, Verdict, reconcile};
use annexd::score::Standing;
use dirty::{KINDS, Pair, pair};
use games::{Dice, random_game, real_games};
use oracle::Outcome;
use shakmaty::Setup;

fn reconciled(pair: &Pair) -> Report {
    reconcile(&Case {
        scores: ByOwner {
            player: &pair.scores[0],
            opponent: &pair.scores[1],
        },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    })
}

/// What the oracle's only outcome says, in the words of the report.
fn expected(outcome: &Outcome) -> (bool, bool, usize) {
    match outcome {
        Outcome::OneGame(ply, _) => (false, false, *ply),
        Outcome::Back(ply, _) => (true, false, *ply),
        Outcome::Illegal(ply, _) => (false, true, *ply),
    }
}

/// How the pairs of one kind came out.
#[derive(Default)]
struct Tally {
    /// Decided, and the truth.
    right: usize,
    /// Not decidable, which is said.
    ambiguous: usize,
    /// The oracle too finds a cheaper explanation than the truth: nobody could tell.
    misleading: usize,
    /// No explanation has four faults or fewer, which is said.
    beyond: usize,
}

/// Checks one pair against the oracle and its truth; gives the fault in words.
fn check(pair: &Pair, tally: &mut Tally) -> Result<(), String> {
    let start = Standing::of(Setup::initial());
    let scores = [pair.scores[0].entries(), pair.scores[1].entries()];
    let (outcomes, doubted) = oracle::outcomes(&start, scores);
    let report = reconciled(pair);
    if doubted && report.verdict == Verdict::Ambiguous {
        tally.beyond += 1;
        return Ok(());
    }
    let all = outcomes.clone();
    let found = (
        report.verdict == Verdict::GoBack,
        report.verdict == Verdict::IllegalMove,
        report.ply,
    );
    if report.agreed_ply > report.ply {
        return Err(format!("{} after {}", report.agreed_ply, report.ply));
    }
    let mut outcomes = outcomes.iter();
    match (outcomes.next(), outcomes.next()) {
        (None, _) => {
            if report.verdict != Verdict::Ambiguous {
                return Err(format!("needs five faults, not {:?}", report.verdict));
            }
            tally.beyond += 1;
        }
        (Some(_), Some(_)) => {
            if report.verdict != Verdict::Ambiguous {
                return Err(format!(
                    "should be ambiguous, not {:?} {found:?}: {all:?}",
                    report.verdict
                ));
            }
            tally.ambiguous += 1;
        }
        (Some(only), None) => {
            let expected = expected(only);
            if found != expected || report.verdict == Verdict::Ambiguous {
                return Err(format!("{:?} {found:?}, but {only:?}", report.verdict));
            }
            if expected == (pair.differ, false, pair.ply) {
                tally.right += 1;
            } else {
                tally.misleading += 1;
            }
        }
    }
    Ok(())
}

/// `most_misled` is in percent.
fn check_pairs(count: usize, seed: u64, most_plies: usize, most_faults: usize, most_misled: usize) {
    let real = real_games();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    for number in 0..count {
        let mut dice = Dice::new(seed + number as u64);
        let game = match dice.below(4) {
            0 => random_game(&mut dice, most_plies),
            _ => dice.choose(&real).cloned().unwrap_or_default(),
        };
        let plies = most_plies.min(game.len());
        let faults = dice.below(most_faults + 1);
        // Every second pair has faults of one kind only, so that each kind can be told.
        let kind = (number % 2 == 0).then(|| KINDS[dice.below(KINDS.len())]);
        let pair = pair(&mut dice, &game[..plies], faults, kind);
        let name = match (kind, pair.kinds.len()) {
            (_, 0) => "clean".to_owned(),
            (Some(kind), _) => format!("{kind:?}"),
            (None, made) => format!("{made} of any kind"),
        };
        let name = format!("{name}{}", if pair.differ { ", differing" } else { "" });
        let tally = tallies.entry(name).or_default();
        if let Err(fault) = check(&pair, tally) {
            wrong.push(format!(
                "pair {}: {:?}: {fault}",
                seed + number as u64,
                pair.kinds
            ));
        }
    }
    for (name, tally) in &tallies {
        let all = tally.right + tally.ambiguous + tally.misleading + tally.beyond;
        eprintln!(
            "{name}: {} right, {} ambiguous ({:.0} %), {} misleading, {} beyond four faults",
            tally.right,
            tally.ambiguous,
            100.0 * tally.ambiguous as f64 / all.max(1) as f64,
            tally.misleading,
            tally.beyond
        );
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    // The truth binds too, not only the oracle. Another piece that could move as well, with a legal
    // game after it, is a difference in truth; and faults can be so close that fewer explain them.
    let misled: usize = tallies.values().map(|tally| tally.misleading).sum();
    assert!(
        misled * 100 <= most_misled * count,
        "{misled} of {count} say another thing than the truth"
    );
}

#[test]
fn the_aligner_says_what_the_oracle_says() {
    check_pairs(200, 1, 44, 2, 5);
}

#[test]
#[ignore = "takes minutes: make soak"]
fn five_thousand_dirty_pairs() {
    let count = std::env::var("ANNEXD_PAIRS").map_or(5000, |text| text.parse().unwrap());
    check_pairs(count, 100_000, 100, 4, 8);
}
