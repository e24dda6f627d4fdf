//! Consoles of one's own, and the languages of tables, consoles and commands.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "a test writes the settings it is about"
)]

mod common;

use common::{Home, text};

/// A club game at one terminal, both players blind, and Black at a console of his own.
fn two_blind_one_console(home: &Home, more: &[&str]) -> (common::Talk, common::Talk) {
    let usual = ["play", "--text", "--name", "c", "--blind", "both"];
    let game = home.start(&[&usual[..], more].concat());
    game.wait_for("Hilfe sagt", 1);
    let console = home.start(&["console", "--game", "c", "--role", "opponent"]);
    console.wait_for("Das ist die Konsole", 1);
    game.wait_for("Neue Konsole", 1);
    (game, console)
}

#[test]
fn a_console_of_ones_own_is_private_and_the_table_hears_nothing_of_it() {
    let home = Home::new();
    let (mut game, mut black) = two_blind_one_console(&home, &["--time", "5m"]);
    game.types("anfang");
    black.wait_for("Die Partie beginnt", 1);
    for (line, answer) in [
        ("zeit", "Sie haben noch"),
        ("remis", "Remis anbieten?"),
        ("nein", "Gut, nicht."),
        ("ja", "Es ist nichts gefragt."),
        ("e7e5", "Sie sind nicht am Zug."),
        ("stumm", "Das Mikrofon ist nicht da"),
    ] {
        black.types(line);
        black.wait_for(answer, 1);
    }
    let seen = black.lines();
    let private = |line: &&String| line.contains("privat") || line.contains("Hinweis");
    assert_eq!(seen.iter().filter(private).count(), 8, "{seen:#?}");
    black.types("hilfe");
    black.wait_for("Mehr mit Fragezeichen und Wort", 1);
    black.leave();
    // Whoever has no console any more is spoken to where all hear it.
    game.wait_for("Konsole geschlossen", 1);
    game.types("schwarz: ja");
    game.wait_for("Tisch: Es ist nichts gefragt.", 1);
    let table = game.leave();
    let helped = table
        .iter()
        .any(|it| it.contains("Mehr mit Fragezeichen und Wort"));
    assert!(!helped, "{table:#?}");
    let told: Vec<&String> = table.iter().filter(|it| it.starts_with("Tisch")).collect();
    assert_eq!(told.len(), 2, "{table:#?}");
    let record = text(&home.run(&["show", "c", "--jsonl"]));
    assert!(record.contains("\"shown\""), "{record}");
}

#[test]
fn who_cannot_be_spoken_to_alone_knows_it_from_the_start_and_nothing_counts_as_heard() {
    let home = Home::new();
    let mut game = home.start(&[
        "play", "--text", "--name", "p", "--blind", "white", "--time", "5m",
    ]);
    game.wait_for("Weiß hat weder Kopfhörer noch Konsole", 1);
    game.types("anfang");
    game.types("weiß: zeit");
    game.wait_for("ist privat und braucht", 1);
    game.leave();
    let record = text(&home.run(&["show", "p", "--jsonl"]));
    let marks: Vec<&str> = record
        .lines()
        .filter(|line| line.contains("\"mark\"") && line.contains("\"ear\""))
        .collect();
    assert_eq!(marks.len(), 2, "{record}");
    assert!(
        marks.iter().all(|it| it.contains("\"unheard\"")),
        "{marks:#?}"
    );
    let resumed = home.start(&["resume", "p", "--text"]);
    resumed.wait_for("Weiß hat weder Kopfhörer noch Konsole", 1);
    resumed.leave();
}

#[test]
fn the_table_speaks_the_language_that_the_arbiter_decides_on() {
    let home = Home::new();
    let game = home.start(&[
        "play",
        "--text",
        "--name",
        "l",
        "--mode",
        "rated",
        "--time",
        "5m",
        "--arbiter-pin",
        "12",
    ]);
    game.wait_for("Hilfe sagt", 1);
    let own = home.start(&[
        "console",
        "--game",
        "l",
        "--role",
        "opponent",
        "--language",
        "en",
    ]);
    own.wait_for("This is the console", 1);
    let mut arbiter = home.start(&["console", "--game", "l", "--role", "arbiter", "--pin", "12"]);
    arbiter.wait_for("Das ist die Konsole", 1);
    arbiter.types("genehmigt");
    arbiter.wait_for("nicht vollständig", 1);
    for line in ["genehmigt Frau Holm, ohne Netz", "sprache da", "anfang"] {
        arbiter.types(line);
    }
    own.wait_for("At the table Danish is spoken now.", 1);
    game.wait_for("Ved bordet tales nu dansk.", 1);
    own.wait_for("The game begins", 1);
    game.wait_for("Partiet begynder", 1);
    arbiter.wait_for("Angeordnet von Frau Holm.", 1);
    let told = arbiter.kill();
    assert!(
        !told.iter().any(|line| line.contains("approve")),
        "{told:#?}"
    );
    game.leave();
    own.kill();
    let record = text(&home.run(&["show", "l", "--jsonl"]));
    assert!(
        record.contains(r#"{"by":"Frau Holm","scope":"ohne Netz"}"#),
        "{record}"
    );
}

/// What is wrong with the settings or the command line is said in the language that was asked
/// for, and what only another program knows stands behind it.
#[test]
fn what_hinders_a_game_is_said_in_the_language_asked_for() {
    let home = Home::new();
    let page = |name: &str, text: &str| {
        let path = home.path(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let pages = [
        page("field.toml", "[gaem]\nx = 1\n"),
        page("variant.toml", "[game]\nedition = \"1999\"\n"),
        page("time.toml", "[game]\ntime_control = \"blau\"\n"),
        page("twice.toml", "[game]\nmode = \"club\"\nmode = \"club\"\n"),
        page("form.toml", "[game\n"),
    ];
    let english = ["unknown", "expected one", "is no time", "duplicate"];
    for (language, line) in [("de", "Zeile"), ("da", "linje"), ("sv", "rad")] {
        let play = |more: &[&str]| {
            let usual = ["play", "--text", "--language", language];
            let output = home.run(&[&usual[..], more].concat());
            assert_eq!(output.status.code(), Some(2), "{}", text(&output));
            text(&output)
        };
        let told = pages.iter().map(|path| play(&["--settings", path]));
        let told: Vec<String> = told.chain([play(&["--time", "blau"])]).collect();
        for said in &told {
            assert!(!english.iter().any(|it| said.contains(it)), "{said}");
        }
        assert!(told[..5].iter().all(|it| it.contains(line)), "{told:#?}");
        let said = play(&["--blau"]);
        let first = said.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("annexd: ") && first.contains("--blau"),
            "{said}"
        );
        assert!(!first.contains("unexpected"), "{said}");
    }
}

/// What the commands print about games that are kept, in the language that was asked for; what a
/// program reads stays as it is.
#[test]
fn the_games_that_are_kept_are_told_in_the_language_asked_for() {
    let home = Home::new();
    let play = [
        "play", "--text", "--name", "g", "--white", "Anna", "--black", "Bo",
    ];
    let mut game = home.start(&play);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.leave();
    for (language, against, whole, open) in [
        (
            "de",
            "Anna gegen Bo",
            "wie sie geschrieben wurden",
            "nicht beendet",
        ),
        ("da", "Anna mod Bo", "som de blev skrevet", "ikke afsluttet"),
        ("sv", "Anna mot Bo", "som de skrevs", "inte avslutat"),
        ("en", "Anna against Bo", "as they were written", "not ended"),
    ] {
        let told = |arguments: &[&str]| {
            let mut command = home.command(arguments);
            text(&command.env("ANNEXD_LANGUAGE", language).output().unwrap())
        };
        let games = told(&["games"]);
        assert!(games.contains(against) && games.contains(open), "{games}");
        assert!(told(&["verify", "g"]).contains(whole));
        assert!(told(&["games", "--json"]).contains("\"not ended\""));
    }
}

#[test]
fn at_one_terminal_nothing_tells_an_illegal_move_before_it_is_claimed() {
    let home = Home::new();
    let mut game = home.start(&[
        "play", "--text", "--name", "i", "--blind", "white", "--mode", "club", "--time", "15m+10s",
    ]);
    game.wait_for("Hilfe sagt", 1);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.types("weiß: Läufer f1 b6");
    game.wait_for("Läufer Felix eins Bella sechs", 1);
    game.types("weiß: uhr");
    game.types("schwarz: Läufer f1 b6");
    game.types("schwarz: blubb");
    game.wait_for("blubb", 1);
    let lines = game.lines();
    let tells = |line: &&String| line.to_lowercase().contains("regelwidrig");
    assert_eq!(lines.iter().find(tells), None, "{lines:#?}");
    game.types("schwarz: reklamation regelwidrig");
    game.wait_for("Wirklich reklamieren?", 1);
    game.types("schwarz: ja");
    game.wait_for("Regelwidriger Zug von Weiß", 1);
    game.leave();
}
