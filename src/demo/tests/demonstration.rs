//! The demonstration from the outside: the real program plays short games by voice.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and touches the world; it does not use all of a home"
)]

#[path = "../../../tests/common/home.rs"]
mod home;

use std::process::Output;

use home::Home;

/// The program that is tested.
const PROGRAM: &str = env!("CARGO_BIN_EXE_annexd-demo");

/// Castling, a capture en passant, a promotion to a knight by capture; ended by word.
const SHORT: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\
    1. e4 Nc6 2. e5 d5 3. exd6 Nf6 4. dxc7 e5 5. Nf3 e4 6. cxd8=N exf3 7. Bc4 g6 8. O-O Kxd8 0-1\n";

/// Begins with Black and ends on the board.
const FROM_POSITION: &str = "[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/R7/8 b - - 0 40\"]\n\
    [Result \"1-0\"]\n\n40... Kg8 41. Ra8# 1-0\n";

/// The Laws say something else of its last position than the file.
const CONTRADICTION: &str = "[FEN \"7k/8/6K1/8/8/8/5Q2/8 w - - 0 40\"]\n[Result \"1-0\"]\n\n\
    40. Qf7 1-0\n";

fn demonstrate(game: &str, arguments: &[&str]) -> (Output, String) {
    let home = Home::new();
    let file = home.path("game.pgn");
    std::fs::write(&file, game).unwrap();
    let mut all = vec!["demo", "--game", file.to_str().unwrap()];
    all.extend(arguments);
    let output = home.run(&all);
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

/// The lines of the transcript as time, who, channel and words.
fn lines(text: &str) -> Vec<(&str, &str, &str, &str)> {
    let transcript = text.split("\nResult:").next().unwrap();
    let parts = |line| {
        let (time, rest): (&str, &str) = str::split_once(line, ' ')?;
        let (who, rest) = rest.split_once(", ")?;
        let (channel, words) = rest.split_once(": ")?;
        Some((time, who, channel, words))
    };
    let told = transcript.lines().skip(2).filter(|line| !line.is_empty());
    told.map(|line| parts(line).unwrap_or_else(|| panic!("no line of a transcript: {line}")))
        .collect()
}

#[test]
fn a_whole_game_is_played_by_voice_on_simulated_boards_and_everything_happens() {
    let (output, text) = demonstrate(SHORT, &["--seed", "3", "--voice", "de+m3"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{text}");
    assert!(text.contains("Silently wrong: 0\n"), "{text}");
    assert!(!text.contains("\nNO: "), "{text}");
    assert_eq!(text.matches("\nyes: ").count(), 12, "{text}");
    // A line of PGN is broken where the times before make it long.
    let unbroken = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unbroken.contains("cxd8=N {"), "{text}");
    let lines = lines(&text);
    for (who, channel) in [
        ("Weiß", "Mikrofon"),
        ("Weiß", "Steckbrett"),
        ("Schwarz", "DGT-Brett"),
        ("Assistenz", "Tastatur"),
        ("annexd", "Tisch"),
        ("annexd", "Weiß privat"),
    ] {
        let is_told = lines.iter().any(|line| (line.1, line.2) == (who, channel));
        assert!(is_told, "{who}, {channel}: {text}");
    }
    // Sighted hands, not words, bring the opponent's moves: he types no move of his own.
    let announced = "Springer Bella acht Cesar sechs";
    let sayers: Vec<&str> = lines
        .iter()
        .filter(|line| line.3.starts_with(announced))
        .map(|line| line.1)
        .collect();
    assert_eq!(sayers, ["annexd", "Weiß"], "{text}");
}

#[test]
fn the_demonstration_as_it_comes_is_heard_right() {
    let output = Home::new().run(&["demo"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}\n{text}");
    assert!(text.contains("Silently wrong: 0\n"), "{text}");
    assert!(text.contains("Rd8#"), "{text}");
}

#[test]
fn another_seed_gives_another_order_and_any_position_can_begin() {
    let (first, one) = demonstrate(FROM_POSITION, &["--seed", "1"]);
    let (second, other) = demonstrate(FROM_POSITION, &["--seed", "2"]);
    assert!(first.status.success(), "{one}");
    assert!(second.status.success(), "{other}");
    assert_ne!(lines(&one), lines(&other));
    assert!(one.contains("41. Ra8#"), "{one}");
}

#[test]
fn what_fails_is_said_after_the_summary() {
    let (output, text) = demonstrate(CONTRADICTION, &[]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("1-0 stands in the file"), "{errors}");
    assert!(text.contains("Silently wrong: 0\n"), "{text}");
    assert!(text.contains("\nResult: 1/2-1/2"), "{text}");
    let (output, text) = demonstrate(SHORT, &["--voice", "xx-nobody"]);
    assert!(!output.status.success(), "{text}");
    assert_eq!(text, "", "nothing is begun that cannot be played");
}
