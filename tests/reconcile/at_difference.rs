//! Faults just at a true difference, or so shortly before it that they hide where it is.

use annexd_score::discrepancy::{FaultKind, Owner, ReconcileReport, Verdict};

use super::alike::{compared, faults, game};

/// Whether a report says that the scores differ from a ply on, or lists that.
fn names(report: &ReconcileReport, ply: usize) -> bool {
    let mut ways = report.alternatives.iter();
    (report.verdict, report.ply) == (Verdict::GoBack, ply)
        || ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, ply))
}

/// The first entries of the game, and more.
fn after(entries: usize, more: &'static str) -> Vec<&'static str> {
    let first = game().into_iter().take(entries);
    first.chain(more.split_whitespace()).collect()
}

#[test]
fn columns_are_right_again_shortly_before_a_difference() {
    let player = game();
    // Where the other score goes on otherwise, and how.
    let others = [
        (12, "Bxc6 dxc6 d3 Bg4 h3 Bh5"),
        (13, "d5 c3 dxe4 Rxe4 Bb7 Re1"),
        (14, "a4 Bb7 c4 h6 axb5 axb5"),
        (15, "Bb7 d3 Na5 Bc2 h6 h3"),
    ];
    for (parts, other) in others {
        let mut opponent = after(parts, other);
        for row in opponent[4..12].chunks_exact_mut(2) {
            row.swap(0, 1);
        }
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = compared([sheets[0], sheets[1]]);
            assert!(names(&report, parts), "{parts}: {:?}", report.verdict);
            if parts > 12 {
                assert_eq!(report.verdict, Verdict::GoBack, "{parts}");
                let kinds: Vec<_> = report.faults.iter().map(|fault| fault.kind).collect();
                assert_eq!(kinds, [FaultKind::Columns], "{parts}");
            }
        }
    }
}

#[test]
fn a_pawn_that_takes_without_sign_and_file_is_a_slip() {
    let player = "d4 d5 c4 e6 Nf3 Nf6 Nc3 c6 Qd3 dxc4 Qxc4 b5 Qd3 Bb7 e4 b4 Na4 Nbd7 e5 Nd5";
    let opponent = "d4 d5 c4 e6 Nf3 Nf6 Nc3 c4 Qd3 dxc4 Qxc4 b5 Qd3 Bb7 e4 b4 Ne2 c5 e5 Nd5";
    let [player, opponent] = [player, opponent].map(|words| words.split(' ').collect::<Vec<_>>());
    for (sheets, owner) in [
        ([&player, &opponent], Owner::Opponent),
        ([&opponent, &player], Owner::Player),
    ] {
        let report = compared([sheets[0], sheets[1]]);
        assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 16));
        assert_eq!(faults(&report), [(owner, 7, FaultKind::NotLegal)]);
    }
    // Who names the file has taken.
    let mut opponent = opponent;
    opponent[7] = "dc4";
    let report = compared([&player, &opponent]);
    assert!(names(&report, 7), "{:?} {}", report.verdict, report.ply);
}

#[test]
fn entries_exchanged_at_a_difference_are_no_two_slips() {
    // He has played another move, and written it behind the answer.
    for other in ["a4", "d3", "Qe2"] {
        let player = game();
        let mut opponent = game();
        opponent[16] = other;
        opponent.swap(16, 17);
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = compared([sheets[0], sheets[1]]);
            assert!(names(&report, 16), "{other}: {:?}", report.verdict);
        }
    }
}

#[test]
fn rows_exchanged_at_a_difference_name_the_later_point() {
    let player = game();
    let mut opponent = after(18, "a4 Rb8 Na3 Bb7 Bc2 Re8");
    opponent[16..20].rotate_left(2);
    for sheets in [[&player, &opponent], [&opponent, &player]] {
        let report = compared([sheets[0], sheets[1]]);
        assert!(names(&report, 18), "{:?} {}", report.verdict, report.ply);
    }
    // One move that comes later in the other game is as likely that: nothing is exchanged.
    let mut opponent = after(18, "a4 Nbd7 Na3 Bb7 Bc2 Re8");
    opponent.swap(16, 18);
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 16));
}

#[test]
fn a_move_with_an_impossible_origin_is_not_the_other_move() {
    let player = game();
    let mut opponent = game();
    opponent[22] = "Qgc2";
    let report = compared([&player, &opponent]);
    assert!(names(&report, 22), "{:?} {}", report.verdict, report.ply);
    // Without a legal move of that piece it may be a slip, if it looks like the other move.
    opponent[22] = "Bgc3";
    let report = compared([&player, &opponent]);
    let mut ways = report.alternatives.iter();
    let is_listed = ways.any(|way| (way.verdict, way.ply) == (Verdict::Same, 28));
    assert!(is_listed || (report.verdict, report.ply) == (Verdict::Same, 28));
    opponent[22] = "Qgc3";
    let report = compared([&player, &opponent]);
    assert!(report.verdict == Verdict::Ambiguous && names(&report, 22));
}

#[test]
fn two_impossible_origins_are_two_slips_and_no_illegal_move() {
    // No bishop stands on c2, and none on the a-file.
    for [one, other] in [["Bcb5", "B2b5"], ["Bab5", "Bab5"], ["Bcb5", "Bgb5"]] {
        let [mut player, mut opponent] = [game(), game()];
        player[4] = one;
        opponent[4] = other;
        let report = compared([&player, &opponent]);
        assert_eq!(
            (report.verdict, report.ply),
            (Verdict::Same, 28),
            "{one} {other}"
        );
        let slips = Owner::BOTH.map(|owner| (owner, 4, FaultKind::WrongOrigin));
        assert_eq!(faults(&report), slips);
    }
    // A bishop does stand on c1; or a row in which one goes to c4 is missing in both.
    let mut player = game();
    player[4] = "Bcb5";
    let report = compared([&player, &player]);
    assert_eq!(report.verdict, Verdict::Ambiguous);
    let ways = &report.alternatives;
    assert!(
        ways.iter()
            .any(|way| (way.verdict, way.ply) == (Verdict::IllegalMove, 4))
    );
    assert!(ways.iter().all(|way| way.verdict != Verdict::GoBack));
}

#[test]
fn a_row_that_stands_twice_after_the_end_of_the_other_score_is_passed_over() {
    for row in [20, 22, 24, 26] {
        let player: Vec<&str> = game().into_iter().take(20).collect();
        let mut opponent = game();
        opponent.insert(row + 2, opponent[row]);
        opponent.insert(row + 3, opponent[row + 1]);
        let report = compared([&player, &opponent]);
        assert_eq!(
            (report.verdict, report.ply),
            (Verdict::Shorter, 28),
            "{row}"
        );
        let again = [row + 2, row + 3].map(|at| (Owner::Opponent, at, FaultKind::Doubled));
        assert_eq!(faults(&report), again, "{row}");
    }
}

#[test]
fn what_is_missing_right_behind_a_difference_does_not_hide_it() {
    // The ply, the other move there, and what the game goes on with.
    let others = [
        (16, "a4", "Nb8 d4 Nbd7"),
        (18, "d3", "Nbd7 Nbd2 Bb7"),
        (19, "h6", "Nbd2 Bb7 Bc2"),
        (22, "a4", "Re8 Nf1 Bf8"),
    ];
    for (parts, other, more) in others {
        let player = game();
        let mut opponent = after(parts, other);
        // It lacks the answer.
        opponent.extend(more.split(' ').skip(1));
        opponent.extend(player.iter().skip(parts + 4));
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = compared([sheets[0], sheets[1]]);
            assert!(
                names(&report, parts),
                "{parts}: {:?} {}",
                report.verdict,
                report.ply
            );
        }
    }
}

#[test]
fn a_slip_that_its_own_score_refutes_does_not_hide_a_later_difference() {
    // Where the slip stands, what is written there, and what is not possible after that.
    for (at, slip) in [(4, "Bc4"), (6, "Bxc6"), (9, "Ne7")] {
        for (parts, other) in [(16, "a4"), (18, "d3")] {
            let player = game();
            let mut opponent = game();
            opponent[at] = slip;
            opponent[parts] = other;
            for sheets in [[&player, &opponent], [&opponent, &player]] {
                let report = compared([sheets[0], sheets[1]]);
                let is_sure = report.verdict != Verdict::Ambiguous;
                let is_named = names(&report, parts);
                assert!(
                    is_named,
                    "{slip} {parts}: {:?} {}",
                    report.verdict, report.ply
                );
                assert!(!is_sure || report.ply == parts, "{slip} {parts}");
            }
        }
    }
}

#[test]
fn moves_of_one_side_are_exchanged_two_rows_apart() {
    for at in [4, 8] {
        let player = game();
        let mut opponent = game();
        opponent.swap(at, at + 4);
        for (sheets, owner) in [
            ([&player, &opponent], Owner::Opponent),
            ([&opponent, &player], Owner::Player),
        ] {
            let report = compared([sheets[0], sheets[1]]);
            assert_eq!((report.verdict, report.ply), (Verdict::Same, 28), "{at}");
            assert_eq!(faults(&report), [(owner, at, FaultKind::Transposed)]);
        }
    }
}

#[test]
fn a_pawn_that_takes_on_its_own_file_has_not_gone_forward() {
    let words = "d4 e5 dxe5 Nc6 Nf3 Qe7 Bf4 Qb4 Bd2 Qxb2 Nc3 Bb4 Rb1 Qa3";
    let player: Vec<&str> = words.split(' ').collect();
    let mut opponent = player.clone();
    opponent[2] = "dxd5";
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::Same, 14));
    let slip = (Owner::Opponent, 2, FaultKind::NotLegal);
    assert_eq!(faults(&report), [slip]);
    // Or the scores differ later.
    let other = ["a3", "Nf6", "Nc3", "Qb6"];
    opponent.splice(10.., other);
    let report = compared([&player, &opponent]);
    assert!(
        names(&report, 10) && !names(&report, 2),
        "{:?}",
        report.verdict
    );
    // If they differ at once, nobody can tell which it was.
    let opponent = "d4 e5 dxd5 c6 e4 cxd5 exd5 Qh4 Nf3 Qe4 Be3 Qxd5 c4 Qd6";
    let opponent: Vec<&str> = opponent.split(' ').collect();
    let report = compared([&player, &opponent]);
    assert_eq!(report.verdict, Verdict::Ambiguous);
    assert!(names(&report, 2));
}

#[test]
fn what_cannot_be_read_is_not_what_its_own_score_refutes() {
    let opponent = game();
    // Without d4 neither pawn takes there.
    let mut player = after(16, "xyz exd4 cxd4 Bg4 Nc3 Rb8");
    for unread in ["xyz", "---"] {
        player[16] = unread;
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = compared([sheets[0], sheets[1]]);
            assert!(
                report.verdict == Verdict::Ambiguous && names(&report, 16),
                "{unread}: {:?} {}",
                report.verdict,
                report.ply
            );
        }
    }
    let mut player = game();
    player[14] = "xyz";
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::Same, 28));
}

#[test]
fn a_legal_move_beside_a_missing_entry_is_not_passed_off_as_a_slip() {
    let player = game();
    // Where the scores differ, what stands there, and which entries are missing from it on.
    for (parts, other, lost) in [
        (7, "d6", 1..3),
        (9, "Bc5", 1..3),
        (13, "d5", 1..3),
        (17, "Na5", 1..3),
        (10, "c3", -1..0),
        (13, "h6", -1..0),
        (16, "a4", 1..2),
    ] {
        let mut opponent = game();
        opponent[parts] = other;
        let lost = [lost.start, lost.end].map(|more| parts.strict_add_signed(more));
        opponent.drain(lost[0]..lost[1]);
        for sheets in [[&player, &opponent], [&opponent, &player]] {
            let report = compared([sheets[0], sheets[1]]);
            assert!(names(&report, parts), "{parts}: {:?}", report.verdict);
        }
    }
}
