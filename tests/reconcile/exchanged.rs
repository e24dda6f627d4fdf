//! Differences beside entries that stand in each other's place, and among moves to and fro.

use annexd_score::discrepancy::{FaultKind, Owner, Verdict};

use super::alike::{compared, faults, game};

/// A game and how two sheets go on after so many entries of it.
fn after(entries: usize, player: &'static str, opponent: &'static str) -> [Vec<&'static str>; 2] {
    [player, opponent].map(|more| {
        let more = more.split_whitespace();
        game().into_iter().take(entries).chain(more).collect()
    })
}

#[test]
fn one_moved_entry_before_the_end_of_a_score_leaves_it_open() {
    let [player, _] = after(16, "d4 Nb8", "");
    let whole = game();
    for sheets in [[&player, &whole], [&whole, &player]] {
        let report = compared([sheets[0], sheets[1]]);
        assert_eq!((report.verdict, report.ply), (Verdict::Ambiguous, 16));
        let ways: Vec<_> = report
            .alternatives
            .iter()
            .map(|way| (way.verdict, way.ply))
            .collect();
        for way in [(Verdict::GoBack, 16), (Verdict::Shorter, 28)] {
            assert!(ways.contains(&way), "{ways:?}");
        }
    }
}

#[test]
fn scores_can_differ_among_exchanged_entries() {
    let [player, opponent] = after(
        16,
        "Nh2 Nb8 h3 Nbd7 Ng4 Bb7 d4 Re8",
        "h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8",
    );
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 18));
    let exchanged = (Owner::Player, 16, FaultKind::Transposed);
    assert_eq!(faults(&report), [exchanged]);

    // Two slips are as good here.
    let [player, opponent] = after(
        16,
        "Nh2 Nb8 h3 Nbd7 a4 Bb7 d4 Re8",
        "h3 Nb8 Kh2 Nbd7 a4 Bb7 d4 Re8",
    );
    let report = compared([&player, &opponent]);
    assert_eq!(report.verdict, Verdict::Ambiguous);
    let mut ways = report.alternatives.iter();
    assert!(ways.any(|way| (way.verdict, way.ply) == (Verdict::GoBack, 18)));
    assert!(ways.any(|way| way.verdict == Verdict::Same));
}

#[test]
fn moves_to_and_fro_are_no_words_that_stand_later() {
    let [player, opponent] = after(
        28,
        "Kh1 Rb8 Kg1 Ra8 Kh1 Kh8 Kg1 Kg8",
        "Kh1 Kh8 Kg1 Kg8 Kh1 Kh8 Kg1 Kg8",
    );
    for sheets in [[&player, &opponent], [&opponent, &player]] {
        let report = compared([sheets[0], sheets[1]]);
        assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 29));
        assert_eq!(faults(&report), []);
    }
}
