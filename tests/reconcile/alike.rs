//! Sheets with the same mistake: word for word the same, both with exchanged columns, or neither
//! with a legal move at the same place.

use annexd_score::discrepancy::{
    ByOwner, Case, FaultKind, Owner, ReconcileReport, Verdict, reconcile,
};
use annexd_score::{Score, Standing, read_score};
use shakmaty::{Board, Square};

/// A game of 28 plies.
const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 \
    Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 Ng3 g6";

pub(super) fn game() -> Vec<&'static str> {
    GAME.split_whitespace().collect()
}

fn score(words: &[&str]) -> Score {
    let rows = words.chunks(2).zip(1..);
    let rows: Vec<String> = rows
        .map(|(row, number)| format!("{number}. {}", row.join(" ")))
        .collect();
    read_score(&rows.join("\n"), None, 1).unwrap().score
}

pub(super) fn compared(sheets: [&[&str]; 2]) -> ReconcileReport {
    let [player, opponent] = sheets.map(score);
    reconcile(&Case {
        scores: ByOwner {
            player: &player,
            opponent: &opponent,
        },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    })
}

/// With the columns of each row from an entry on exchanged.
fn crosswise(mut words: Vec<&str>, from: usize) -> Vec<&str> {
    for row in words.get_mut(from..).unwrap().chunks_exact_mut(2) {
        row.swap(0, 1);
    }
    words
}

pub(super) fn faults(report: &ReconcileReport) -> Vec<(Owner, usize, FaultKind)> {
    let faults = report.faults.iter();
    faults
        .map(|fault| (fault.owner, fault.entry, fault.kind))
        .collect()
}

#[test]
fn two_equal_sheets_never_differ() {
    // The entry that is missing in both, and the first that is no legal move then.
    for missing in 0..27 {
        let mut words = game();
        words.remove(missing);
        let report = compared([&words, &words]);
        let illegal = |ply: usize| (missing..=missing + 2).contains(&ply);
        if report.verdict == Verdict::IllegalMove {
            assert!(report.faults.is_empty(), "without {missing}");
            assert!(illegal(report.ply), "without {missing}: {}", report.ply);
            continue;
        }
        // It may be missing in both, if enough follows.
        assert_eq!(report.verdict, Verdict::Ambiguous, "without {missing}");
        let ways = &report.alternatives;
        let is_illegal = |verdict| verdict == Verdict::IllegalMove;
        assert!(
            ways.iter()
                .any(|way| is_illegal(way.verdict) && illegal(way.ply))
        );
        assert!(ways.iter().any(|way| way.verdict == Verdict::Same));
        assert!(ways.iter().all(|way| way.verdict != Verdict::GoBack));
    }
}

#[test]
fn what_is_exchanged_or_missing_in_both_sheets_is_listed_beside_an_illegal_move() {
    let exchanged = |at: usize, order: &[usize]| {
        let mut words = game();
        let read: Vec<&str> = order.iter().map(|place| words[at + place]).collect();
        words.splice(at..at + order.len(), read);
        words
    };
    let without_row = |at: usize| {
        let mut words = game();
        words.drain(at..at + 2);
        words
    };
    for (words, kind) in [
        (exchanged(14, &[1, 0]), FaultKind::Transposed),
        (exchanged(8, &[2, 1, 0]), FaultKind::Transposed),
        (exchanged(4, &[2, 3, 0, 1]), FaultKind::Transposed),
        (without_row(8), FaultKind::Missing),
    ] {
        // Word for word the same, and one a little shorter.
        for less in [0, 2] {
            let shorter = &words[..words.len() - less];
            let report = compared([&words, shorter]);
            let ways = &report.alternatives;
            assert!(ways.iter().any(|way| way.verdict == Verdict::IllegalMove));
            let is_of_both = ways.iter().any(|way| {
                let kinds: Vec<_> = way.faults.iter().map(|fault| fault.kind).collect();
                let of = |owner| way.faults.iter().any(|fault| fault.owner == owner);
                way.ply == 28
                    && kinds.iter().all(|it| *it == kind)
                    && Owner::BOTH.map(of) == [true; 2]
            });
            assert!(is_of_both, "{kind:?} {less}: {:?}", report.verdict);
        }
    }
}

#[test]
fn both_sheets_can_have_their_columns_exchanged() {
    let words = crosswise(game(), 0);
    for opponent in [28, 27, 22] {
        let shorter = crosswise(game().into_iter().take(opponent).collect(), 0);
        let report = compared([&words, &shorter]);
        let columns = |owner| (owner, 0, FaultKind::Columns);
        assert!(
            matches!(report.verdict, Verdict::Same | Verdict::Shorter),
            "{opponent} entries: {:?}",
            report.verdict
        );
        assert_eq!(
            faults(&report),
            [columns(Owner::Player), columns(Owner::Opponent)],
            "{opponent} entries"
        );
    }
}

#[test]
fn two_slips_at_one_place_are_no_sure_difference() {
    for (at, slips) in [
        (2, ["Qg3", "Ndf3"]),
        (10, ["Qh8", "Rh5"]),
        (16, ["Qh8", "Rh5"]),
    ] {
        let [mut player, mut opponent] = [game(), game()];
        player[at] = slips[0];
        opponent[at] = slips[1];
        let report = compared([&player, &opponent]);
        assert_eq!(report.verdict, Verdict::Ambiguous, "{slips:?}");
        assert_eq!(report.agreed_ply, at, "{slips:?}");
        let mut ways = report.alternatives.iter();
        assert!(ways.any(|way| way.verdict == Verdict::GoBack && way.ply == at));
        assert!(ways.any(|way| way.verdict == Verdict::Same && way.ply == 28));
    }
}

#[test]
fn two_slips_before_other_moves_are_a_difference() {
    let [mut player, mut opponent] = [game(), game()];
    player[16] = "Qh8";
    opponent[16] = "Rh5";
    opponent[18] = "d3";
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 16));
}

#[test]
fn a_board_that_shows_its_owners_score_decides_nothing() {
    let [player, mut opponent] = [game(), game()];
    opponent[16] = "a4";
    opponent[20] = "Qh8";
    let sheets = [&player, &opponent].map(|words| score(words));
    let after = |at: usize, other: &str| {
        let mut words = game();
        words[at] = other;
        let mut standing = Standing::of(sheets[0].start());
        for entry in score(&words).entries() {
            standing = standing.after_entry(entry);
        }
        standing.board().clone()
    };
    let [as_player, as_opponent] = ["h3", "a4"].map(|pawn| after(16, pawn));
    let reconciled = |boards: [Option<&Board>; 2]| {
        let [player, opponent] = boards.map(Option::<&Board>::cloned);
        reconcile(&Case {
            scores: ByOwner {
                player: &sheets[0],
                opponent: &sheets[1],
            },
            boards: ByOwner { player, opponent },
            start: None,
            clock_log: &[],
        })
    };
    let mut fallen = as_player.clone();
    fallen.discard_piece_at(Square::A8);
    for boards in [
        [None, Some(&as_opponent)],
        [Some(&fallen), Some(&as_opponent)],
        [Some(&as_player), None],
    ] {
        let report = reconciled(boards);
        assert_eq!(report.verdict, Verdict::Ambiguous);
        assert!(!report.decided_by_boards);
    }
    // Each board as its owner's score: they differ, as the scores do.
    let report = reconciled([Some(&as_player), Some(&as_opponent)]);
    assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 16));
    // A board that shows what the other has recorded.
    let report = reconciled([None, Some(&as_player)]);
    assert_eq!(report.verdict, Verdict::Same);
    assert!(report.decided_by_boards);
}
