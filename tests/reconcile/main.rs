//! Dirty scores with known truth, the aligner and an exhaustive oracle against each other.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the games are files, and a test fails by panicking"
)]

mod boards;
mod dirty;
mod games;
mod meanings;
mod oracle;
mod sheets;
mod whole;

use std::collections::BTreeMap;
use std::path::Path;

use annexd::discrepancy::{ByOwner, Case, Correction, Owner, Report, Verdict, reconcile};
use boards::asked;
use dirty::{KINDS, Kind, Pair, pair};
use games::{Dice, random_game, real_games};
use oracle::Outcome;
use shakmaty::{Board, Move};
use whole::{Judged, judged};

fn reconciled(pair: &Pair) -> Report {
    let (_, [player, opponent]) = pair.boards.clone();
    reconcile(&Case {
        scores: ByOwner {
            player: &pair.scores[0],
            opponent: &pair.scores[1],
        },
        boards: ByOwner { player, opponent },
        start: None,
        clock_log: &[],
    })
}

fn answered(pair: &Pair) -> Judged {
    let scores = [pair.scores[0].entries(), pair.scores[1].entries()];
    judged(scores, &pair.boards.1)
}

/// What the report comes to, as an outcome: whether play goes back, whether a move is illegal, and
/// the ply.
fn found(report: &Report) -> (bool, bool, usize) {
    (
        report.verdict == Verdict::GoBack,
        report.verdict == Verdict::IllegalMove,
        report.ply,
    )
}

/// The same of what the oracle says.
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

impl Tally {
    const fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.ambiguous += other.ambiguous;
        self.misleading += other.misleading;
        self.beyond += other.beyond;
    }
}

/// Checks one pair against the oracle and its truth; gives the fault in words.
fn check(pair: &Pair, tally: &mut Tally) -> Result<(), String> {
    let judged = answered(pair);
    let (is_beyond, is_doubted) = (judged.is_beyond(), judged.answer.is_doubted);
    let outcomes = judged.outcomes;
    let report = reconciled(pair);
    let found = found(&report);
    let says = |what: &str| {
        Err(format!(
            "{:?} {found:?}, but {what}: {outcomes:?}",
            report.verdict
        ))
    };
    if report.agreed_ply > report.ply {
        return says("agreed after its end");
    }
    leads_to_position(pair, &report)?;
    let is_ambiguous = report.verdict == Verdict::Ambiguous;
    let mut all = outcomes.iter();
    match (all.next(), all.next()) {
        (None, _) if !is_ambiguous => says("it needs five faults"),
        (Some(_), Some(_)) if !is_ambiguous => says("it is ambiguous"),
        (Some(_), None) if is_beyond && !is_ambiguous => says("it needs five faults"),
        (Some(_), None) if is_beyond || is_doubted && is_ambiguous => {
            tally.beyond += 1;
            Ok(())
        }
        (None, _) => {
            tally.beyond += 1;
            Ok(())
        }
        (Some(_), Some(_)) => {
            tally.ambiguous += 1;
            Ok(())
        }
        (Some((only, ways)), None) => {
            if is_ambiguous || found != expected(only) {
                return says("it is decided");
            }
            let asked = asked(only, ways, &pair.boards.1);
            let corrected = Owner::BOTH.map(|owner| {
                let steps = report.boards.get(owner).as_ref();
                steps.is_some_and(|steps| !steps.is_empty())
            });
            let is_game = matches!(only, Outcome::OneGame(..));
            let needs = is_game && asked.contains(&true);
            if corrected != asked || needs != (report.verdict == Verdict::CorrectBoard) {
                return says(&format!("boards {corrected:?} instead of {asked:?}"));
            }
            let is_true = found == (pair.differ, false, pair.ply) && asked == pair.to_correct;
            let kind = if is_true {
                &mut tally.right
            } else {
                &mut tally.misleading
            };
            *kind += 1;
            Ok(())
        }
    }
}

/// Whether the steps at each board lead to the position of the report, carried out by hand.
fn leads_to_position(pair: &Pair, report: &Report) -> Result<(), String> {
    let target = report.position.fen.split(' ').next().unwrap_or_default();
    for owner in Owner::BOTH {
        let shown = &pair.boards.1[owner as usize];
        let (Some(board), Some(steps)) = (shown, report.boards.get(owner)) else {
            if shown.is_some() != report.boards.get(owner).is_some() {
                return Err(format!("{owner:?}: a board that is not there"));
            }
            continue;
        };
        if !steps.is_empty() && carried_out(board, steps).to_string() != target {
            return Err(format!("{owner:?}: {steps:?} do not lead to {target}"));
        }
    }
    Ok(())
}

/// One step after the other, each onto an empty square.
fn carried_out(board: &Board, steps: &[Correction]) -> Board {
    let mut board = board.clone();
    for step in steps {
        if let Correction::Remove { from, piece } | Correction::Move { from, piece, .. } = *step {
            assert_eq!(board.remove_piece_at(from), Some(piece));
        }
        if let Correction::Move { to, piece, .. } | Correction::Place { to, piece } = *step {
            assert_eq!(board.piece_at(to), None);
            board.set_piece_at(to, piece);
        }
    }
    board
}

/// Keeps a pair that went wrong, so that `annexd reconcile` can be asked about it.
fn keep(folder: &Path, number: u64, pair: &Pair) {
    for (owner, sheet) in ["player", "opponent"].iter().zip(&pair.sheets) {
        std::fs::write(folder.join(format!("{number}-{owner}.txt")), sheet).unwrap();
    }
}

/// The pair of a number. Every second one has faults of one kind only, so that each kind can be
/// told.
fn made(
    real: &[Vec<Move>],
    number: u64,
    most_plies: usize,
    most_faults: usize,
) -> (Option<Kind>, Pair) {
    let mut dice = Dice::new(number);
    let game = match dice.below(4) {
        0 => random_game(&mut dice, most_plies),
        _ => dice.choose(real).cloned().unwrap_or_default(),
    };
    let plies = most_plies.min(game.len());
    let faults = dice.below(most_faults + 1);
    let kind = number
        .is_multiple_of(2)
        .then(|| KINDS[dice.below(KINDS.len())]);
    let pair = pair(&mut dice, &game[..plies], faults, kind);
    (kind, pair)
}

/// `most_misled` is in percent.
fn check_pairs(count: usize, seed: u64, most_plies: usize, most_faults: usize, most_misled: usize) {
    let real = real_games();
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut wrong, mut misled) = (Vec::new(), Vec::new());
    for number in 0..count {
        let (kind, pair) = made(&real, seed + number as u64, most_plies, most_faults);
        let name = match (kind, pair.kinds.len()) {
            (_, 0) => "clean".to_owned(),
            (Some(kind), _) => format!("{kind:?}"),
            (None, made) => format!("{made} of any kind"),
        };
        let name = format!("{name}{}", if pair.differ { ", differing" } else { "" });
        let mut tally = Tally::default();
        if let Err(fault) = check(&pair, &mut tally) {
            wrong.push(format!(
                "pair {}: {:?}, boards {:?}: {fault}",
                seed + number as u64,
                pair.kinds,
                pair.boards.0
            ));
            if let Ok(folder) = std::env::var("ANNEXD_PAIRS_KEPT") {
                keep(Path::new(&folder), seed + number as u64, &pair);
            }
        }
        if tally.misleading > 0 {
            misled.push((seed + number as u64, name.clone()));
        }
        if (number + 1) % 500 == 0 {
            eprintln!("{} of {count}: {} wrong", number + 1, wrong.len());
        }
        for name in [name, format!("boards: {:?}", pair.boards.0)] {
            tallies.entry(name).or_default().add(&tally);
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
    eprintln!("another thing than the truth: {misled:?}");
    // The truth binds too, not only the oracle. Another piece that could move as well, with a legal
    // game after it, is a difference in truth; and faults can be so close that fewer explain them.
    assert!(
        misled.len() * 100 <= most_misled * count,
        "{} of {count} say another thing than the truth: {misled:?}",
        misled.len()
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
