//! annexd without a command: it says what can be done, and does what is chosen as if it had been
//! typed.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test starts the program and writes its settings"
)]

use crate::common;
#[cfg(all(feature = "audio", feature = "recognizer"))]
use crate::room;

use std::process::Stdio;

use common::{Home, text};

/// Who reads and types: nothing is said, and nobody is heard.
const BY_TEXT: &str = "[voice.table]\nvoice = \"silent\"\n\
                       [devices]\ngamepad = \"none\"\nmicrophone.shared = \"none\"\n";

/// A home with these settings.
fn home(settings: &str) -> Home {
    let home = Home::new();
    let folder = home.path("config/annexd");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("settings.toml"), settings).unwrap();
    home
}

#[test]
fn a_game_that_was_interrupted_is_offered_by_name_and_goes_on() {
    let home = home(BY_TEXT);
    let club = ["play", "--text", "--name", "opera", "--time", "90m+30s"];
    let mut game = home.start(&club);
    game.types("anfang");
    game.types("weiß: e2e4");
    game.wait_for("Eva zwei Eva vier", 1);
    game.leave();

    let mut talk = home.start(&[]);
    talk.wait_for("Hier ist annexd", 1);
    talk.wait_for("Eins: fortsetzen, Partie opera.", 1);
    talk.types("Fortsetzen");
    talk.wait_for("Nach der Unterbrechung stehen die Uhren", 1);
    talk.types("weiter");
    talk.wait_for("Es geht weiter", 1);
    talk.leave();
    let entries = text(&home.run(&["show", "opera", "--jsonl"]));
    assert!(entries.contains("resumed"), "{entries}");
}

#[test]
fn where_nothing_waits_a_game_is_played_and_what_is_not_understood_gets_the_list() {
    let home = home(BY_TEXT);
    let mut talk = home.start(&[]);
    talk.wait_for("Eins: spielen.", 1);
    talk.types("blubb");
    talk.wait_for("Bitte noch einmal.", 1);
    talk.wait_for("Eins: spielen.", 2);
    talk.types("nein");
    talk.wait_for("Richtig?", 1);
    talk.types("spielen");
    talk.wait_for("Hilfe sagt", 1);
    let lines = talk.leave();
    assert!(
        !lines.iter().any(|line| line.contains("fortsetzen")),
        "{lines:?}"
    );
    let games = home.games().read_dir().unwrap().flatten();
    let games = games.filter(|it| it.path().extension().is_some_and(|it| it == "annexd"));
    assert_eq!(games.count(), 1);
}

#[test]
fn it_can_be_left_by_its_word() {
    for word in ["ende", "Ende", "quit"] {
        let home = home(BY_TEXT);
        let mut talk = home.start(&["--braille-width", "20"]);
        talk.types(word);
        let (status, lines) = talk.ended();
        assert_eq!(status, Some(0), "{word}: {lines:?}");
        assert!(
            lines.iter().all(|line| line.chars().count() <= 20),
            "{lines:?}"
        );
        assert!(home.games().read_dir().unwrap().next().is_none());
    }
}

/// In a room without sound, or where it cannot be had, and nothing is typed either: it says once
/// what can be done, and ends.
#[test]
fn where_nobody_can_answer_it_ends() {
    let broken = "pcm.!default { type hw card 99 hint { show on description Broken } }\n";
    for alsa in ["", broken] {
        let home = Home::new();
        let file = common::file(&home, "asound.conf", alsa);
        let output = home
            .command(&[])
            .env("ALSA_CONFIG_PATH", file)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let said = text(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for part in ["Niemand kann wählen", "annexd --help"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert_eq!(said.matches("Eins: spielen.").count(), 1, "{said}");
    }
}

#[test]
fn it_is_asked_and_answered_in_every_language() {
    for (language, greeting, offered, typed, ended) in [
        (
            "de",
            "Hier ist annexd: Schach",
            ": spielen.",
            "8",
            ": Ende.",
        ),
        (
            "en",
            "This is annexd: chess",
            ": play.",
            "leave",
            ": leave.",
        ),
        ("sv", "Här är annexd: schack", ": spela.", "8", ": avsluta."),
        ("da", "Her er annexd: skak", ": spil.", "8", ": afslut."),
    ] {
        let home = home(BY_TEXT);
        let mut command = home.command(&[]);
        command.env("ANNEXD_LANGUAGE", language);
        let mut talk = common::Talk::with(command);
        talk.wait_for(greeting, 1);
        talk.wait_for(offered, 1);
        talk.types(typed);
        // What was understood is said again.
        let (status, lines) = talk.ended();
        assert_eq!(status, Some(0), "{language}: {lines:?}");
        let said = lines.iter().filter(|line| line.contains(ended)).count();
        assert_eq!(said, 2, "{language}: {lines:?}");
    }
}

#[cfg(all(feature = "audio", feature = "recognizer"))]
#[test]
fn it_is_answered_by_voice() {
    let Some(room) = room::Room::furnished("alone", &[], &["mouth"]) else {
        return;
    };
    let home = Home::new();
    let mut player = room::player::Player::starts(room, home.command(&[]));
    player.waits_for("Ja nimmt die erste", 1);
    player.says("eins", "Hilfe sagt");
    let lines = player.lines();
    let chosen = lines.iter().filter(|it| it.as_str() == "Eins: spielen.");
    assert!(chosen.count() >= 2, "{lines:#?}");
    player.leaves();
}
