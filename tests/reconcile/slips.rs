//! One word that is wrong, and what else on the sheets or the boards tells so; last rows in which
//! only the numbers or one entry differ.

use annexd_score::discrepancy::{
    ByOwner, Case, FaultKind, Owner, ReconcileReport, Verdict, reconcile,
};
use annexd_score::{Score, read_score};
use shakmaty::Board;

use super::alike::{compared, faults};

/// A game of 32 plies.
const GAME: &str = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2 e5 Nb3 Be7 O-O O-O Be3 Be6 f3 Nbd7 \
    Nd5 Nxd5 exd5 Bf5 Qd2 a5 a4 Nb6 c4 Bg6 Rac1 f5";

fn game() -> Vec<&'static str> {
    GAME.split_whitespace().collect()
}

fn with(at: usize, word: &'static str) -> Vec<&'static str> {
    let mut words = game();
    words[at] = word;
    words
}

fn ways(report: &ReconcileReport) -> Vec<(Verdict, usize)> {
    let ways = report.alternatives.iter();
    ways.map(|way| (way.verdict, way.ply)).collect()
}

fn sheet(text: &str) -> Score {
    read_score(text, None, 1).unwrap().score
}

fn with_board(sheets: [&Score; 2], of_opponent: &str) -> ReconcileReport {
    reconcile(&Case {
        scores: ByOwner {
            player: sheets[0],
            opponent: sheets[1],
        },
        boards: ByOwner {
            player: None,
            opponent: Some(Board::from_ascii_board_fen(of_opponent.as_bytes()).unwrap()),
        },
        start: None,
        clock_log: &[],
    })
}

#[test]
fn a_slip_that_its_own_sheet_refutes_twice_is_no_difference() {
    // With a queen on d4 neither knight can go to b3, nor the pawn to f3.
    for (at, slip) in [(6, "Qxd4"), (3, "Nc6")] {
        let player = with(at, slip);
        let report = compared([&player, &game()]);
        assert_eq!((report.verdict, report.ply), (Verdict::Same, 32), "{slip}");
        let slip = (Owner::Player, at, FaultKind::OtherMove);
        assert_eq!(faults(&report), [slip]);
    }
}

#[test]
fn a_slip_that_its_own_sheet_refutes_once_may_be_the_difference() {
    let report = compared([&with(4, "d3"), &game()]);
    assert_eq!(report.verdict, Verdict::Ambiguous);
    assert_eq!(
        ways(&report),
        [(Verdict::GoBack, 4), (Verdict::Same, 32)],
        "the likeliest first"
    );
}

#[test]
fn another_pawn_that_takes_is_a_slip_in_short_form_too() {
    let game = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Bg5 Qb6 Bxf6 gxf6 Nb3 Qb4 Qd3 Qb6 a4 Nc6 a5 \
        Qb4 Ra4 Qxa4 Nxa4 b5 axb6 Rb8 b7 Rxb7";
    let game: Vec<&str> = game.split_whitespace().collect();
    // The pawn of the e-file for that of the g-file.
    for slip in ["exf6", "ef"] {
        let mut opponent = game.clone();
        opponent[13] = slip;
        let report = compared([&game, &opponent]);
        let says_so =
            report.verdict == Verdict::Same || ways(&report).contains(&(Verdict::Same, game.len()));
        assert!(says_so, "{slip}: {:?} {:?}", report.verdict, ways(&report));
    }
}

#[test]
fn a_slip_that_fits_two_pieces_is_listed() {
    let game = "d4 d5 Nf3 Nf6 e3 e6 Bd3 Be7 O-O O-O b3 b6 Bb2 Bb7 Nbd2 Nbd7 Qe2 Qc8 Rfe1 Re8 Rad1 \
        Bf8 Ne5 Nxe5 dxe5 Nd7 f4 c5";
    let game: Vec<&str> = game.split_whitespace().collect();
    let mut opponent = game.clone();
    // Both rooks can go there, and then neither to where it goes.
    opponent[18] = "Rd1";
    let report = compared([&game, &opponent]);
    let says_so =
        report.verdict == Verdict::Same || ways(&report).contains(&(Verdict::Same, game.len()));
    assert!(says_so, "{:?} {:?}", report.verdict, ways(&report));
}

#[test]
fn moves_of_a_side_stand_in_another_order_where_the_other_sheet_ends() {
    let mut player = game();
    player.swap(20, 22);
    for end in 20..=23 {
        let report = compared([&player, &game()[..end]]);
        let is_game = (report.verdict, report.ply) == (Verdict::Shorter, 32);
        assert!(
            is_game || ways(&report).contains(&(Verdict::Shorter, 32)),
            "{end}: {:?} {:?}",
            report.verdict,
            ways(&report)
        );
    }
}

#[test]
fn a_row_that_may_stand_twice_or_be_exchanged_is_left_open() {
    let start = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Bd7 Kh1 Kh8 ";
    let player: Vec<&str> = start.split_whitespace().chain(["Kg1", "Kg8"]).collect();
    let again = ["Kh1", "Kh8", "Kg1", "Kg8"];
    let opponent: Vec<&str> = start.split_whitespace().chain(again).collect();
    let report = compared([&player, &opponent]);
    assert_eq!(report.verdict, Verdict::Ambiguous);
    for way in [(Verdict::Same, 22), (Verdict::Shorter, 24)] {
        assert!(ways(&report).contains(&way), "{:?}", ways(&report));
    }
    // So is one that may be missing or exchanged.
    let whole = &game()[..20];
    let opponent = [&game()[..14], &["Be3", "Be6"]].concat();
    let report = compared([whole, &opponent]);
    assert_eq!(report.verdict, Verdict::Ambiguous);
    assert!(ways(&report).contains(&(Verdict::GoBack, 14)));
}

#[test]
fn the_mark_of_a_capture_on_an_empty_square_refutes_what_left_it_empty() {
    // Black's pawn is taken on b5, where by one sheet it has not gone.
    let mut player: Vec<&str> = "e4 e5 Nf3 Nc6 Bc4 b5 Bxb5 a6 Bxc6 dxc6 O-O Nf6 d3 Be7"
        .split(' ')
        .collect();
    let opponent = player.clone();
    player[5] = "h6";
    for sheets in [[&player, &opponent], [&opponent, &player]] {
        let report = compared([sheets[0], sheets[1]]);
        assert_eq!(report.verdict, Verdict::Ambiguous);
        for way in [(Verdict::Same, 14), (Verdict::GoBack, 5)] {
            assert!(ways(&report).contains(&way), "{:?}", ways(&report));
        }
    }
    // Without the mark nothing speaks against it.
    player[6] = "Bb5";
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::GoBack, 5));
}

#[test]
fn a_board_tells_what_stood_in_an_empty_place() {
    let sheet_with = |word: &str| {
        let begin = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be2";
        let to_and_fro = "Kh1 Kh8 Kg1 Kg8 ".repeat(4);
        let words = format!("{begin} {word} Nb3 Be7 O-O O-O {to_and_fro}");
        let words: Vec<&str> = words.split_whitespace().collect();
        let rows = words.chunks(2).zip(1..);
        let rows: Vec<String> = rows
            .map(|(row, number)| format!("{number}. {}", row.join(" ")))
            .collect();
        sheet(&rows.join("\n"))
    };
    let player = sheet_with("e5");
    for unread in ["---", "???", "e?"] {
        let opponent = sheet_with(unread);
        let alike = "rnbq1rk1/1p2bppp/p2p1n2/4p3/4P3/1NN5/PPP1BPPP/R1BQ1RK1";
        let report = with_board([&player, &opponent], alike);
        assert_eq!(report.verdict, Verdict::Same, "{unread}");
        // The pawn may have gone to e6 only.
        let other = "rnbq1rk1/1p2bppp/p2ppn2/8/4P3/1NN5/PPP1BPPP/R1BQ1RK1";
        let report = with_board([&player, &opponent], other);
        assert_eq!(report.verdict, Verdict::Ambiguous, "{unread}");
        assert!(ways(&report).contains(&(Verdict::GoBack, 11)), "{unread}");
        // A piece that stands nowhere by either score is only displaced.
        let displaced = "rnbq1rk1/1p2bppp/p2p1n2/4p3/4P3/1NN4P/PPP1BPP1/R1BQ1RK1";
        let report = with_board([&player, &opponent], displaced);
        assert_eq!(report.verdict, Verdict::CorrectBoard, "{unread}");
    }
}

#[test]
fn a_file_alone_can_begin_a_capture() {
    let game = "d4 d5 c4 e6 Nc3 a6 cxd5 exd5 Bg5 Be7 Bxe7 Nxe7 e3 O-O Bd3 Nbc6 Nf3 Bg4 \
        O-O Qd7 h3 Bh5";
    let player: Vec<&str> = game.split_whitespace().collect();
    let mut opponent = player.clone();
    opponent[7] = "e?";
    let report = compared([&player, &opponent]);
    assert_eq!((report.verdict, report.ply), (Verdict::Same, 22));
}

#[test]
fn a_wrong_number_in_the_last_row_is_no_missing_row() {
    let player = sheet("1. e4 e6\n2. Nf3 c6\n");
    for number in [2, 3, 12] {
        let opponent = sheet(&format!("1. e4 e6\n{number}. Nf3 d5\n"));
        let report = reconcile(&Case {
            scores: ByOwner {
                player: &player,
                opponent: &opponent,
            },
            boards: ByOwner::default(),
            start: None,
            clock_log: &[],
        });
        let found = (report.verdict, report.ply);
        assert_eq!(found, (Verdict::GoBack, 3), "{number}: {:?}", ways(&report));
    }
}

#[test]
fn last_entries_that_differ_are_the_difference() {
    // Nothing bears out that an entry is missing before the last or stands twice.
    for (end, other) in [(10, "Nc6"), (15, "Nbd7")] {
        let player = &game()[..=end];
        let mut opponent = player.to_vec();
        opponent[end] = other;
        let report = compared([player, &opponent]);
        let found = (report.verdict, report.ply);
        assert_eq!(
            found,
            (Verdict::GoBack, end),
            "{other}: {:?}",
            ways(&report)
        );
    }
}

#[test]
fn what_nothing_explains_as_it_stands_ends_too() {
    let rows = "1. ? ?\n2. ? ?\n3. ? ?\n";
    let rest = "6. d3 d6\n7. h3 h6\n";
    let player = sheet(&format!("{rows}5. Nc3 Nf6\n4. Bc4 Bc5\n{rest}"));
    let opponent = sheet(&format!("{rows}4. Bc4 Bc5\n5. Nc3 Nf6\n{rest}"));
    let report = reconcile(&Case {
        scores: ByOwner {
            player: &player,
            opponent: &opponent,
        },
        boards: ByOwner::default(),
        start: None,
        clock_log: &[],
    });
    assert_eq!(report.verdict, Verdict::Ambiguous);
}

#[test]
fn what_five_faults_explain_is_not_hidden_by_the_length_of_the_game() {
    for rounds in [2, 60] {
        let unread = ["???", "???"];
        let more = unread.into_iter().chain(
            ["Kh1", "Kh8", "Kg1", "Kg8"]
                .into_iter()
                .cycle()
                .take(4 * rounds),
        );
        let opponent: Vec<&str> = game().into_iter().chain(more).collect();
        let mut player = opponent.clone();
        player[6] = "Qxd4";
        let report = compared([&player, &opponent]);
        assert_eq!(report.verdict, Verdict::Ambiguous, "{rounds}");
    }
}
