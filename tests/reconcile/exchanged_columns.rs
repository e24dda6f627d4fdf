//! Columns that are exchanged and end in half a row, in one sheet and in both.

use annexd_score::discrepancy::{FaultKind, Owner, Verdict};

use super::alike::{compared, faults, game};

/// The first entries of the game with the columns exchanged; of a half row the move stands in
/// Black's column.
fn crosswise(plies: usize) -> Vec<&'static str> {
    let mut words: Vec<&str> = game().into_iter().take(plies).collect();
    if plies % 2 == 1 {
        words.push("---");
    }
    words.chunks_exact_mut(2).for_each(|row| row.swap(0, 1));
    words
}

#[test]
fn half_a_row_of_exchanged_columns_is_half_a_row() {
    for plies in [13, 19, 27] {
        let exchanged = crosswise(plies);
        for more in [0, 1] {
            let plain: Vec<&str> = game().into_iter().take(plies + more).collect();
            let report = compared([&exchanged, &plain]);
            let verdict = [Verdict::Same, Verdict::Shorter][more];
            assert_eq!(
                (report.verdict, report.ply),
                (verdict, plies + more),
                "{plies}"
            );
            assert_eq!(faults(&report), [(Owner::Player, 0, FaultKind::Columns)]);
        }
    }
}

#[test]
fn last_moves_that_differ_behind_exchanged_columns_are_the_difference() {
    for (plies, other) in [(13, "d3"), (19, "a4"), (27, "a4")] {
        let mut plain: Vec<&str> = game().into_iter().take(plies).collect();
        plain[plies - 1] = other;
        for exchanged in [crosswise(plies), {
            // Or the last stands in its own column.
            let mut words = crosswise(plies - 1);
            words.push(game()[plies - 1]);
            words
        }] {
            let report = compared([&exchanged, &plain]);
            assert_eq!((report.verdict, report.ply), (Verdict::GoBack, plies - 1));
        }
    }
}

#[test]
fn both_sheets_are_exchanged_and_end_in_half_a_row() {
    for plies in [5, 13, 27] {
        let words = crosswise(plies);
        let report = compared([&words, &words]);
        assert_eq!((report.verdict, report.ply), (Verdict::Same, plies));
    }
    // A difference soon after the first moves is found too.
    let mut other = crosswise(16);
    other[5] = "Bc4";
    let report = compared([&crosswise(16), &other]);
    let mut ways = report.alternatives.iter();
    let is_listed = ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 4));
    assert!(is_listed || (report.verdict, report.ply) == (Verdict::GoBack, 4));
}

#[test]
fn both_sheets_are_exchanged_and_their_last_moves_differ() {
    // The last row is half a row in one of them, and has an empty place in the other.
    for (plies, last) in [(13, "d3"), (19, "a4"), (27, "a4")] {
        let one = crosswise(plies);
        let other = [crosswise(plies - 1), vec![last]].concat();
        for sheets in [[&one, &other], [&other, &one]] {
            let report = compared([sheets[0], sheets[1]]);
            assert_eq!((report.verdict, report.ply), (Verdict::GoBack, plies - 1));
        }
    }
}

#[test]
fn a_difference_behind_a_slip_is_listed_beside_it() {
    // The queen goes on from a square to which she has not gone, by what is written.
    let words = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Nxe4 d4 b5 Bb3 d5 dxe5 Be6 Be3 Be7 c3";
    let player = format!("{words} Bg5 Nbd2 Rd8 h3 O-O Bc2 Bf5 Re1 Qe6 Nb3 Qg6");
    let opponent = format!("{words} Qd7 Nh4 Rd8 h3 O-O Bc2 Bf5 Re1 Qe6 Qf3 Qg6");
    let [player, opponent] = [&player, &opponent].map(|it| it.split(' ').collect::<Vec<_>>());
    for sheets in [[&player, &opponent], [&opponent, &player]] {
        let report = compared([sheets[0], sheets[1]]);
        assert_eq!(report.verdict, Verdict::Ambiguous);
        for ply in [19, 20] {
            let mut ways = report.alternatives.iter();
            let is_listed = ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, ply));
            assert!(is_listed, "{ply}");
        }
    }
}

#[test]
fn two_last_rows_with_exchanged_columns_are_one_fault() {
    // The first of them, how much of the other score there is, and what stands behind them.
    for (from, other, behind) in [
        (10, 14, ""),
        (10, 15, ""),
        (16, 20, ""),
        (16, 20, "Nbd2 Bb7"),
    ] {
        let mut exchanged: Vec<&str> = game().into_iter().take(from + 4).collect();
        exchanged.extend(behind.split_whitespace());
        for row in exchanged[from..].chunks_exact_mut(2) {
            row.swap(0, 1);
        }
        let plain: Vec<&str> = game().into_iter().take(other).collect();
        for (sheets, owner) in [
            ([&exchanged, &plain], Owner::Player),
            ([&plain, &exchanged], Owner::Opponent),
        ] {
            let report = compared([sheets[0], sheets[1]]);
            assert!(report.is_one_game(), "{from} {other}: {:?}", report.verdict);
            assert_eq!(report.ply, other.max(exchanged.len()));
            assert_eq!(faults(&report), [(owner, from, FaultKind::Columns)]);
        }
    }
}

#[test]
fn half_a_row_behind_two_exchanged_ones_is_compared() {
    let plain: Vec<&str> = game().into_iter().take(15).collect();
    let mut exchanged = plain.clone();
    exchanged[14] = "d3";
    exchanged.insert(14, "---");
    for row in exchanged[10..14].chunks_exact_mut(2) {
        row.swap(0, 1);
    }
    for sheets in [[&exchanged, &plain], [&plain, &exchanged]] {
        let report = compared([sheets[0], sheets[1]]);
        assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 14));
    }
}

#[test]
fn both_sheets_are_exchanged_in_some_rows() {
    for (from, until, rest) in [(0, 8, ""), (4, 10, ""), (4, 10, "d3")] {
        let crossed = |until: usize| {
            let mut sheet: Vec<&str> = game().into_iter().take(20).collect();
            for row in sheet[from..until].chunks_exact_mut(2) {
                row.swap(0, 1);
            }
            sheet
        };
        let (one, mut other) = (crossed(until), crossed(until));
        if !rest.is_empty() {
            other[14] = rest;
            other.truncate(15);
        }
        let report = compared([&one, &other]);
        if rest.is_empty() {
            assert!(report.is_one_game(), "{from} {until}: {:?}", report.verdict);
            assert_eq!(report.ply, 20);
        } else {
            assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 14));
        }
        let columns = |owner| (owner, from, FaultKind::Columns);
        assert_eq!(
            faults(&report),
            [Owner::Player, Owner::Opponent].map(columns)
        );
    }
}
