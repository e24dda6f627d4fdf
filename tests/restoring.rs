//! Boards that differ, and what happens on the arbiter's word (D.2.9).

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use annexd::discrepancy::{
    ByOwner, Case, ClockTimes, Decision, ReconcileReport, RestoreError, Verdict, read_placement,
    reconcile,
};
use annexd::laws::GameResult;
use annexd::score::{Score, Signature, read_score};
use shakmaty::{Board, Color};

const AFTER_3_BB5: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";

fn score(moves: &str) -> Score {
    read_score(moves, None, 1).unwrap().score
}

fn board(placement: &str) -> Board {
    read_placement(placement).unwrap()
}

fn report(scores: [&Score; 2], boards: [Option<&str>; 2], log: &[ClockTimes]) -> ReconcileReport {
    reconcile(&Case {
        scores: ByOwner {
            player: scores[0],
            opponent: scores[1],
        },
        boards: ByOwner {
            player: boards[0].map(board),
            opponent: boards[1].map(board),
        },
        start: None,
        clock_log: log,
    })
}

#[test]
fn the_board_that_deviates_is_corrected_and_the_clocks_stay() {
    let scores = [
        score("1. e4 e5 2. Nf3 Nc6 3. Bb5"),
        score("1. e2-e4 e7-e5 2. Sf3 Sc6 3. Lb5"),
    ];
    let wrong = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R";
    let both = [&scores[0], &scores[1]];
    let found = report(both, [Some(AFTER_3_BB5), Some(AFTER_3_BB5)], &[]);
    assert_eq!(found.verdict, Verdict::Same);
    let found = report(both, [Some(AFTER_3_BB5), Some(wrong)], &[]);
    assert_eq!(found.verdict, Verdict::CorrectBoard);
    assert_eq!(found.boards.player.as_ref().unwrap().len(), 0);
    assert_eq!(found.boards.opponent.as_ref().unwrap().len(), 1);
    assert_eq!(found.proposal().clocks, None);
    // A placement that no play can reach is compared as it is.
    let found = report(both, [Some("QQ6/8/8/8/8/8/8/8"), None], &[]);
    assert_eq!(found.verdict, Verdict::CorrectBoard);
}

#[test]
fn a_board_that_is_one_move_behind_with_its_score_is_no_difference() {
    let scores = [
        score("1. e4 e5 2. Nf3 Nc6"),
        score("1. e4 e5 2. Nf3 Nc6 3. Bb5"),
    ];
    let before = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let both = [&scores[0], &scores[1]];
    let found = report(both, [Some(before), Some(AFTER_3_BB5)], &[]);
    assert_eq!(found.verdict, Verdict::Shorter);
    // But the board of the longer score may not be behind it.
    let found = report(both, [Some(before), Some(before)], &[]);
    assert_eq!(found.verdict, Verdict::CorrectBoard);
}

#[test]
fn going_back_restores_rights_counters_and_times() {
    let scores = [
        score("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 (=) 4. e4 Nxe4 5. Ke2"),
        score("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. e3 Ne4 5. Ke2"),
    ];
    let log = [2, 6, 9].map(|ply| ClockTimes {
        ply,
        white_ms: Some(1000 - ply as u64),
        black_ms: Some(2000 - ply as u64),
    });
    let found = report([&scores[0], &scores[1]], [None, None], &log);
    assert_eq!((found.verdict, found.agreed_ply), (Verdict::GoBack, 6));
    assert_eq!(found.open_offer, Some(Color::Black));
    assert_eq!(found.clocks, Some(log[1]));
    let restored = found.restored(found.proposal()).unwrap();
    assert_eq!(restored.position.occurrences, 2);
    assert_eq!(restored.position.halfmove_clock, 6);
    assert!(restored.position.fen.contains("w KQkq -"));
    assert_eq!(restored.history.len(), 7);
    assert_eq!(restored.clocks, Some(log[1]));
    let left = restored.entries;
    assert_eq!((left.player, left.opponent), (6, 6));
    // The arbiter may choose an earlier ply, but none on which the scores do not agree.
    let earlier = Decision {
        ply: 4,
        clocks: None,
    };
    assert_eq!(found.restored(earlier).unwrap().position.occurrences, 2);
    let later = Decision {
        ply: 7,
        clocks: None,
    };
    assert_eq!(found.restored(later), Err(RestoreError::NotAgreed(6)));
}

#[test]
fn signed_scores_are_not_struck_out() {
    let mut opponent = score("1. e4 e5 2. Nc3");
    opponent.set_result(Some(GameResult::Draw)).unwrap();
    for side in Color::ALL {
        opponent.sign(Signature { side, at: None }).unwrap();
    }
    assert!(opponent.truncate(2).is_err());
    assert_eq!(opponent.entries().len(), 3);
}

#[test]
fn the_boards_decide_what_the_scores_leave_open() {
    let both = score("1. Nf3 d5 2. d3 Nf6 3. Nd2 g6");
    let open = report([&both, &both], [None, None], &[]);
    assert_eq!(open.verdict, Verdict::Ambiguous);
    assert_eq!(open.alternatives.len(), 2);
    let shown = "rnbqkb1r/ppp1pp1p/5np1/3p4/8/3P1N2/PPPNPPPP/R1BQKB1R";
    let decided = report([&both, &both], [Some(shown), Some(shown)], &[]);
    assert_eq!(decided.verdict, Verdict::Same);
    assert!(decided.decided_by_boards);
}

#[test]
fn the_same_words_from_different_positions_are_not_the_same_moves() {
    let scores = [
        score("1. e4 e5 2. Nf3 Nc6 3. Bc4"),
        score("1. e3 e5 2. Nf3 Nc6 3. Bc4"),
    ];
    let found = report([&scores[0], &scores[1]], [None, None], &[]);
    assert_eq!((found.verdict, found.agreed_ply), (Verdict::GoBack, 0));
}

#[test]
fn an_illegal_move_in_both_scores_is_for_article_7_5() {
    let scores = [score("1. e4 e5 2. Ke3 d6"), score("1. e4 e5 2. Ke3 d6")];
    let found = report([&scores[0], &scores[1]], [None, None], &[]);
    assert_eq!((found.verdict, found.agreed_ply), (Verdict::IllegalMove, 2));
}
