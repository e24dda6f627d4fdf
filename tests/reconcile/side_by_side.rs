//! Everyday faults side by side, what only the longer score says, and illegal moves of both.

use annexd_score::discrepancy::{ByOwner, Case, ReconcileReport, Verdict, reconcile};
use annexd_score::{Standing, read_score};
use shakmaty::Board;

use super::alike::{compared, game};

/// Whether the pair comes out as the whole game, or is left open.
fn is_game_or_open(report: &ReconcileReport) -> bool {
    match report.verdict {
        Verdict::Same => report.ply == game().len(),
        verdict => verdict == Verdict::Ambiguous,
    }
}

/// Two lists of moves, and boards that both show what a third one leads to.
fn with_boards(player: &str, opponent: &str, shown: &str) -> ReconcileReport {
    let [player, opponent, shown] =
        [player, opponent, shown].map(|words| read_score(words, None, 1).unwrap().score);
    let mut standing = Standing::of(shown.start());
    for entry in shown.entries() {
        standing = standing.after_entry(entry);
    }
    let board: Option<Board> = Some(standing.board().clone());
    reconcile(&Case {
        scores: ByOwner {
            player: &player,
            opponent: &opponent,
        },
        boards: ByOwner {
            player: board.clone(),
            opponent: board,
        },
        start: None,
        clock_log: &[],
    })
}

#[test]
fn what_the_longer_score_says_after_a_scrawl_is_not_dropped() {
    let report = compared([&["e4", "e5"], &["e4", "e5", "???", "Nc6", "Bb5", "a6"]]);
    assert_eq!((report.verdict, report.agreed_ply), (Verdict::Ambiguous, 2));
    let mut ways = report.alternatives.iter();
    assert!(ways.any(|way| (way.verdict, way.ply) == (Verdict::Shorter, 6)));

    // Both boards know what was played, and neither is sent back.
    let short = "1. e4 e5";
    let report = with_boards(
        short,
        "1. e4 e5 2. ??? Nc6 3. Bb5 a6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
    );
    assert_eq!((report.verdict, report.ply), (Verdict::Shorter, 6));
    assert!(report.decided_by_boards);
    assert_eq!(report.boards.player, Some(Vec::new()));
    assert_eq!(report.boards.opponent, Some(Vec::new()));

    // Two entries of which nobody knows anything.
    let report = with_boards(
        short,
        "1. e4 e5 2. ??? ??? 3. Bb5 a6",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
    );
    assert_eq!(report.verdict, Verdict::Ambiguous);
}

#[test]
fn what_the_longer_score_says_twice_or_not_at_all_stops_nothing() {
    for more in [["Nf3", "Nf3", "Nc6"], ["Nf3", "---", "Nc6"]] {
        let longer = [["e4", "e5"].as_slice(), &more].concat();
        let report = compared([&["e4", "e5"], &longer]);
        assert_eq!(
            (report.verdict, report.ply),
            (Verdict::Shorter, 4),
            "{more:?}"
        );
    }
}

#[test]
fn a_scrawl_beside_an_entry_too_many_is_no_illegal_move() {
    for at in 2..22 {
        for more in ["Qh5", "Nd4", "a3", "Kf8"] {
            let [mut player, mut opponent] = [game(), game()];
            player[at] = "Xyz";
            opponent.insert(at + 1, more);
            for sheets in [[&player, &opponent], [&opponent, &player]] {
                let report = compared([sheets[0], sheets[1]]);
                assert!(
                    is_game_or_open(&report),
                    "{at} {more}: {:?}",
                    report.verdict
                );
            }
        }
    }
}

#[test]
fn moves_of_one_side_exchanged_beside_a_wrong_digit_are_no_illegal_move() {
    for at in 2..20 {
        for (beside, wrong) in [(1, "Kd5"), (3, "Ra5")] {
            let [mut player, mut opponent] = [game(), game()];
            player.swap(at, at + 2);
            opponent[at + beside] = wrong;
            let report = compared([&player, &opponent]);
            assert!(
                is_game_or_open(&report),
                "{at} {beside}: {:?}",
                report.verdict
            );
        }
    }
}

#[test]
fn columns_of_a_block_beside_exchanged_neighbours_are_no_illegal_move() {
    for from in [2, 4, 6, 8] {
        for at in from.max(3) - 3..from + 8 {
            let [mut player, mut opponent] = [game(), game()];
            for row in player[from..from + 10].chunks_exact_mut(2) {
                row.swap(0, 1);
            }
            opponent.swap(at, at + 1);
            let report = compared([&player, &opponent]);
            assert!(
                is_game_or_open(&report),
                "{from} {at}: {:?}",
                report.verdict
            );
        }
    }
}

#[test]
fn a_difference_right_after_a_missing_row_is_not_the_same() {
    let player = game();
    for (row, parts, other) in [(14, 16, "a4"), (16, 18, "d3"), (24, 26, "Ne3")] {
        let mut opponent = game();
        opponent[parts] = other;
        opponent.drain(row..row + 2);
        let report = compared([&player, &opponent]);
        let goes_back = |way: Verdict, ply: usize| way == Verdict::GoBack && ply <= parts;
        let mut ways = report.alternatives.iter();
        assert!(
            goes_back(report.verdict, report.ply)
                || report.verdict == Verdict::Ambiguous
                    && ways.any(|way| goes_back(way.verdict, way.ply)),
            "{row}: {:?} {}",
            report.verdict,
            report.ply
        );
    }
}

#[test]
fn a_score_that_makes_no_sense_after_a_difference_leaves_it_open() {
    // Sheets whose columns are exchanged from here on, with other faults beside that.
    let player = game();
    let mut opponent = game();
    opponent[7] = "h6";
    for row in opponent[8..].chunks_exact_mut(2) {
        row.swap(0, 1);
    }
    opponent.remove(9);
    opponent.remove(12);
    let report = compared([&player, &opponent]);
    assert_ne!(report.verdict, Verdict::IllegalMove);
    assert!(report.verdict != Verdict::GoBack || report.ply == 7);
}

#[test]
fn an_illegal_move_is_sure_only_with_nothing_else_beside_it() {
    let mut both = game();
    both[16] = "Qa5";
    let report = compared([&both, &both]);
    assert_eq!((report.verdict, report.ply), (Verdict::IllegalMove, 16));

    let mut opponent = both.clone();
    opponent.insert(15, "a5");
    let report = compared([&both, &opponent]);
    assert_eq!(report.verdict, Verdict::Ambiguous);
}
