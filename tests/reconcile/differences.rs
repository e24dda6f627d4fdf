//! True differences with a fault shortly before them, and faults that are no difference.

use annexd_score::discrepancy::{
    ByOwner, Case, FaultKind, Owner, ReconcileReport, Verdict, reconcile,
};
use annexd_score::read_score;

use super::alike::{compared, faults, game};

/// Whether a report says that the scores differ from a ply on, or lists that.
fn names(report: &ReconcileReport, ply: usize) -> bool {
    let goes_back = |verdict: Verdict, at: usize| (verdict, at) == (Verdict::GoBack, ply);
    let mut ways = report.alternatives.iter();
    goes_back(report.verdict, report.ply)
        || report.verdict == Verdict::Ambiguous
            && report.agreed_ply <= ply
            && ways.any(|way| goes_back(way.verdict, way.ply))
}

#[test]
fn an_entry_too_many_shortly_before_a_difference_is_not_the_difference() {
    let player = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5";
    let opponent = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 h3 Nf6 O-O Bc5 c3 d6";
    let [player, opponent] = [player, opponent].map(|words| words.split(' ').collect::<Vec<_>>());
    for sheets in [[&player, &opponent], [&opponent, &player]] {
        let report = compared([sheets[0], sheets[1]]);
        assert!(names(&report, 9), "{:?} {}", report.verdict, report.ply);
    }
}

#[test]
fn a_difference_behind_a_missing_row_and_one_move_is_listed() {
    for row in [10, 12, 14] {
        let player = game();
        let mut opponent: Vec<&str> = player[..row + 3].to_vec();
        opponent.extend(["Rb8", "Na3", "Bg4", "Qe2", "Qd7"]);
        opponent.drain(row..row + 2);
        let report = compared([&player, &opponent]);
        assert!(
            names(&report, row + 3) || names(&report, row),
            "{row}: {:?} {}",
            report.verdict,
            report.ply
        );
        assert_eq!(report.verdict, Verdict::Ambiguous, "{row}");
    }
}

#[test]
fn a_slip_in_the_origin_beside_other_faults_can_be_the_difference() {
    // Both knights can go to d7, and go on from there; later on an entry is lost.
    let player = "d4 d5 c4 e6 Nc3 Nf6 Bg5 Nbd7 e3 Be7 Nf3 O-O Rc1 c6 Bd3 dxc4 Bxc4 Nb6 Bd3 h6";
    let opponent = "d4 d5 c4 e6 Nc3 Nf6 Bg5 Nfd7 e3 Be7 Nf3 O-O c6 Bd3 dxc4 Bxc4 Nb6 Bd3 h6";
    let [player, opponent] = [player, opponent].map(|words| words.split(' ').collect::<Vec<_>>());
    let report = compared([&player, &opponent]);
    assert!(names(&report, 7), "{:?} {}", report.verdict, report.ply);
    assert_eq!(report.verdict, Verdict::Ambiguous);
}

#[test]
fn a_lost_row_is_found_shortly_before_the_end_too() {
    let player = game();
    let mut opponent = game();
    opponent.drain(16..18);
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::Same, 28));
    let missing = (Owner::Opponent, 16, FaultKind::Missing);
    assert_eq!(faults(&report), [missing, missing]);
}

#[test]
fn an_illegal_move_of_both_is_sure_with_a_fault_long_before_it() {
    let mut player = game();
    player[20] = "Ba5";
    let mut opponent = player.clone();
    opponent[5] = "xyz";
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::IllegalMove, 20));
    let scrawl = (Owner::Opponent, 5, FaultKind::Unreadable);
    assert_eq!(faults(&report), [scrawl]);
}

#[test]
fn neighbours_exchanged_twice_close_together_are_no_sure_difference() {
    for at in 4..18 {
        for apart in 1..4 {
            let player = game();
            let mut opponent = game();
            opponent.swap(at, at + 1);
            opponent.swap(at + apart, at + apart + 1);
            let report = compared([&player, &opponent]);
            let is_game = report.verdict == Verdict::Same && report.ply == 28;
            assert!(
                is_game || report.verdict == Verdict::Ambiguous,
                "{at} {apart}: {:?} {}",
                report.verdict,
                report.ply
            );
        }
    }
}

#[test]
fn what_stands_twice_before_a_difference_is_not_what_differs() {
    let player = game();
    let mut opponent: Vec<&str> = player[..16].to_vec();
    opponent.extend(["O-O", "a4", "Rb8", "Na3", "Bg4", "Qe2", "Qd7"]);
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 16));
    let doubled = (Owner::Opponent, 16, FaultKind::Doubled);
    assert_eq!(faults(&report), [doubled]);
    let differing = report.differing.unwrap();
    let [ours, theirs] = [differing.player, differing.opponent].map(Option::unwrap);
    assert_eq!((ours.entry, theirs.entry), (16, 17));
}

#[test]
fn a_last_entry_that_is_no_legal_move_is_left_open() {
    let verdict = |last: &'static str, more: usize| {
        let mut player = game();
        player.truncate(11);
        player[10] = last;
        let opponent: Vec<&str> = game().into_iter().take(11 + more).collect();
        let report = compared([&player, &opponent]);
        (report.verdict, report.agreed_ply)
    };
    for (more, same) in [
        (0, Verdict::Same),
        (1, Verdict::Shorter),
        (4, Verdict::Shorter),
    ] {
        assert_eq!(verdict("---", more), (same, 11), "{more}");
        // Nothing bears out what cannot be read at the end.
        assert_eq!(verdict("xyz", more), (Verdict::Ambiguous, 10), "{more}");
        // Nor what is no legal move: it is as likely a slip for the other score's.
        for last in ["Qc6", "Kd5", "Nd7"] {
            let open = (Verdict::Ambiguous, 10);
            assert_eq!(verdict(last, more), open, "{last} {more}");
        }
    }
}

/// A sheet that leaves out a row and its number, and another game after so many more rows.
fn with_a_gap(row: usize, rows_between: usize) -> ReconcileReport {
    let player = game();
    let numbered = |words: &[&str]| -> Vec<String> {
        let rows = words.chunks(2).zip(1..);
        rows.map(|(row, number)| format!("{number}. {}", row.join(" ")))
            .collect()
    };
    let until = row + 2 + 2 * rows_between;
    let mut opponent: Vec<&str> = player[..until].to_vec();
    opponent.extend(["Kh1", "Rb8", "Rg1", "Bg4", "Rf1", "Ra8"]);
    let mut rows = numbered(&opponent);
    rows.remove(row / 2);
    let scores =
        [numbered(&player), rows].map(|rows| read_score(&rows.join("\n"), None, 1).unwrap().score);
    reconcile(&Case {
        scores: ByOwner {
            player: &scores[0],
            opponent: &scores[1],
        },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    })
}

#[test]
fn a_number_that_is_left_out_bears_out_a_missing_row() {
    for row in [10, 12, 14] {
        let report = with_a_gap(row, 0);
        assert_eq!(report.verdict, Verdict::Ambiguous, "{row}: {}", report.ply);
        assert!(names(&report, row + 2), "{row}");
        for rows_between in [1, 2] {
            let report = with_a_gap(row, rows_between);
            let difference = row + 2 + 2 * rows_between;
            assert_eq!((report.verdict, report.ply), (Verdict::GoBack, difference));
        }
    }
}
