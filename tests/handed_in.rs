//! Sheets that are handed in at a table or compared as files, as whoever has them meets it.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "the sheets are files that a test writes"
)]

mod common;

use std::fs;
use std::io::Write as _;
use std::process::{Output, Stdio};

use common::{Home, Talk, text};

const RATED: [&str; 11] = [
    "play",
    "--text",
    "--mode",
    "rated",
    "--time",
    "90m+30s",
    "--arbiter-pin",
    "12",
    "--terminal",
    "shared",
    "--name",
];

fn file(home: &Home, name: &str, text: &str) -> String {
    let path = home.path(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn arbiter(home: &Home, language: &str) -> Talk {
    let role = ["console", "--game", "g", "--role", "arbiter", "--pin", "12"];
    let mut arbiter = home.start(&[&role[..], &["--language", language]].concat());
    arbiter.types("");
    arbiter
}

/// A game of six half-moves by two players who see, with an arbiter.
fn game_of_three_moves(home: &Home) -> (Talk, Talk) {
    let mut game = home.start(&[&RATED[..], &["g"]].concat());
    game.wait_for("Hilfe sagt", 1);
    let mut arbiter = arbiter(home, "en");
    arbiter.wait_for("This is the console", 1);
    for line in ["approve A. Holm, all of it", "start"] {
        arbiter.types(line);
    }
    game.wait_for("Die Partie beginnt", 1);
    for (ply, line) in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
        .iter()
        .enumerate()
    {
        let (side, other) = if ply % 2 == 0 {
            ("weiß", "schwarz")
        } else {
            ("schwarz", "weiß")
        };
        for typed in [
            format!("{side}: {line}"),
            format!("{side}: uhr"),
            format!("{other}: {line}"),
        ] {
            game.types(&typed);
        }
    }
    game.wait_for("Richtig wiederholt", 6);
    (game, arbiter)
}

#[test]
fn an_arbiter_reads_the_verdict_in_the_language_of_his_console() {
    let home = Home::new();
    let (game, mut arbiter) = game_of_three_moves(&home);
    arbiter.types("sheet black 1. e4 e5 2. Nf3 Nc6 3. Bc4 a6");
    arbiter.types("compare");
    arbiter.wait_for("Play goes back to the position after move 2 of Black", 1);
    let told = arbiter.leave();
    let german = told.iter().find(|line| line.contains("Stellung nach"));
    assert_eq!(german, None, "{told:#?}");
    game.leave();
}

#[test]
fn who_hands_a_sheet_in_is_told_how_it_was_read() {
    let home = Home::new();
    let (mut game, mut arbiter) = game_of_three_moves(&home);
    arbiter.types("sheet black german 1. e4 e5 3. Sf3 S?6 Sg6");
    for told in [
        "The sheet is read by german letters.",
        "line 1: the number is 3, where 2 was expected.",
        "can mean more than one move",
    ] {
        arbiter.wait_for(told, 1);
    }
    // A player is not told what is legal.
    game.types("schwarz: blatt schwarz 1. e4 e5 2. Ke4 S?6 ehh");
    game.wait_for("mit den Buchstaben", 1);
    game.wait_for("„ehh“", 1);
    game.types("schwarz: blatt schwarz figurinen gibt es nicht");
    game.wait_for("darin steht kein Zug", 1);
    let told = game.leave();
    let legal = told.iter().find(|line| line.contains("Ke4"));
    assert_eq!(legal, None, "{told:#?}");
    arbiter.leave();
}

#[test]
fn where_scores_agree_is_said_in_half_moves_or_by_a_move_and_the_clocks_are_proposed() {
    for line in ["agreed 3", "agreed white 2", "agreed 2 white"] {
        let home = Home::new();
        let (game, mut arbiter) = game_of_three_moves(&home);
        arbiter.types("sheet black 1. e4 e5 2. Nf3 Nc6 3. Bc4 a6");
        arbiter.types("compare");
        arbiter.wait_for("Play goes back", 1);
        arbiter.types(line);
        arbiter.wait_for("Set the clock of White to", 2);
        arbiter.wait_for("The recorded times", 1);
        game.wait_for("Es gilt die Stellung nach Zug zwei von Weiß", 1);
        arbiter.leave();
        game.leave();
    }
}

fn dictated(home: &Home, lines: &str, more: &[&str]) -> Output {
    let path = home.path("dictated.json").display().to_string();
    let dictate = [&["score", "dictate", "--output", &path][..], more].concat();
    let mut command = home.command(&dictate);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_dictation_of_nothing_writes_nothing() {
    for lines in ["", "\n", "hm\n"] {
        let home = Home::new();
        let output = dictated(&home, lines, &[]);
        assert_eq!(output.status.code(), Some(3), "{lines:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("Nothing was dictated"), "{said}");
        assert!(!home.path("dictated.json").exists());
    }
    // Lines that end without an empty one keep the result, which nobody has signed.
    let home = Home::new();
    let more = ["--keeper", "white", "--result", "1-0"];
    let output = dictated(&home, "e4\ne5", &more);
    assert!(text(&output).contains("ohne Unterschrift"), "{output:?}");
    let kept = fs::read_to_string(home.path("dictated.json")).unwrap();
    assert!(kept.contains("\"result\":\"1-0\""), "{kept}");
    assert!(kept.contains("\"signatures\":[]"), "{kept}");
    // A forfeit has a result and no moves.
    let home = Home::new();
    let result = ["--keeper", "white", "--result", "1-0"];
    assert!(dictated(&home, "\n", &result).status.success());
    assert!(home.path("dictated.json").exists());
}

#[test]
fn a_kept_game_is_compared_by_its_name() {
    let home = Home::new();
    let (game, arbiter) = game_of_three_moves(&home);
    arbiter.leave();
    game.leave();
    let same = file(&home, "same.txt", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
    let other = file(&home, "other.txt", "1. e4 e5 2. Nf3 Nc6 3. Bc4 a6");
    let compared = |opponent: &str| {
        let compare = ["reconcile", "--language", "en", "--player", "g"];
        home.run(&[&compare[..], &["--opponent", opponent]].concat())
    };
    let output = compared(&same);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(compared("g").status.code(), Some(0));
    let output = compared(&other);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("after move 2 of Black"),
        "{output:?}"
    );
    let output = home.run(&["reconcile", "--player", "nobody", "--opponent", &same]);
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("nobody"), "{said}");
}

#[test]
fn a_file_that_is_not_there_or_no_text_is_told_as_such() {
    let home = Home::new();
    let missing = home.path("nobody.pgn").display().to_string();
    let folder = home.path("").display().to_string();
    let sound = file(&home, "sound.wav", &"\u{1}\u{2}\u{fe}".repeat(1_500_000));
    for (path, told) in [
        (&missing, "nobody.pgn cannot be read as a score: "),
        (&folder, "cannot be read as a score: "),
        (&sound, "none that people write"),
    ] {
        let output = home.run(&["score", "show", path]);
        assert_eq!(output.status.code(), Some(3), "{path}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(told), "{said}");
    }
    let output = home.run(&["score", "show", "nobody"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("There is no game nobody"), "{said}");
}
