//! Consoles of one's own, and the languages of tables, consoles and commands.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    reason = "a test writes the settings it is about"
)]

use crate::common;

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
fn what_would_steer_a_terminal_is_not_shown_of_a_kept_game() {
    let home = Home::new();
    let odd = "Ada\u{1b}]0;x\u{7}\u{9b}2J\rB";
    home.start(&["play", "--text", "--name", "c", "--white", odd])
        .leave();
    let is_odd = |sign: char| sign.is_control() && sign != '\n';
    for asked in [&["show", "c"][..], &["show", "c", "--record"], &["games"]] {
        let shown = text(&home.run(asked));
        assert!(shown.contains("Ada"), "{shown}");
        assert!(!shown.contains(is_odd), "{asked:?}: {shown:?}");
    }
}

#[test]
fn a_console_of_ones_own_is_private_and_the_table_hears_nothing_of_it() {
    let home = Home::new();
    let (mut game, mut black) = two_blind_one_console(&home, &["--time", "5m"]);
    game.types("anfang");
    black.wait_for("Die Partie beginnt", 1);
    for (line, answer) in [
        ("zeit", "Sie fünf Minuten, Gegner vier Minuten"),
        ("genauer", "Sie haben noch fünf Minuten."),
        ("warum", "Es wurde nichts abgelehnt."),
        ("remis", "Remis anbieten?"),
        ("nein", "Gut, dann nicht."),
        ("ja", "Es ist keine Frage offen."),
        ("e7e5", "Sie sind nicht am Zug."),
        ("stumm", "Das Mikrofon ist nicht da"),
    ] {
        black.types(line);
        black.wait_for(answer, 1);
    }
    let seen = black.lines();
    let private = |line: &&String| line.contains("privat") || line.contains("Hinweis");
    assert_eq!(seen.iter().filter(private).count(), 10, "{seen:#?}");
    black.types("hilfe");
    black.wait_for("Mehr mit Fragezeichen und Wort", 1);
    black.leave();
    // Whoever has no console any more is spoken to where all hear it.
    game.wait_for("Konsole geschlossen", 1);
    game.types("schwarz: ja");
    game.wait_for("Tisch: Es ist keine Frage offen.", 1);
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
    assert_eq!(marks.len(), 1, "{record}");
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
    let usual = ["play", "--text", "--name", "l", "--mode", "rated"];
    let rest = ["--time", "5m", "--arbiter-pin-file", &home.pin_file("7305")];
    let mut game = home.start(&[&usual[..], &rest[..]].concat());
    game.wait_for("Hilfe sagt", 1);
    let own = home.start(&[
        "console",
        "--game",
        "l",
        "--role",
        "opponent",
        "--language",
        "en",
        "--pin-file",
        &home.pin_file("582114"),
    ]);
    own.wait_for("This is the console", 1);
    let mut arbiter = home.console("l", "arbiter", "7305");
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
    game.types("ende");
    game.wait_for("tippt noch einmal: ende", 1);
    game.types("ende");
    game.ended();
    own.kill();
    let record = text(&home.run(&["show", "l", "--jsonl"]));
    assert!(
        record.contains(r#"{"by":"Frau Holm","scope":"ohne Netz"}"#),
        "{record}"
    );
}

/// The edition of 2001 has Danish words: they are read as they are heard, unless one chose another
/// language to read. What is typed may be German or in the language of the table.
#[test]
fn the_text_of_the_table_is_in_the_language_that_the_edition_names() {
    let home = Home::new();
    let usual = ["play", "--text", "--edition", "2001", "--name"];
    let mut game = home.start(&[&usual[..], &["e"]].concat());
    game.types("anfang");
    game.wait_for("Partiet begynder", 1);
    game.types("Erik to Erik fire");
    game.wait_for("Tisch: Erik to Erik fire", 1);
    game.types("hvid: hjælp");
    game.wait_for("tryk på uret", 1);
    game.types("udskejelse");
    game.wait_for("wurde nicht verstanden", 1);
    game.leave();
    let german = ["g", "--language", "de"];
    let mut game = home.start(&[&usual[..], &german].concat());
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.leave();
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

/// Nobody has to know `--language` to understand what hinders him.
#[test]
fn what_hinders_a_game_is_said_in_the_language_of_whoever_asks() {
    let home = Home::new();
    let told = |variable: &str, value: &str, line: &[&str]| {
        let mut command = home.command(line);
        text(&command.env(variable, value).output().unwrap())
    };
    let console = ["console", "--role", "assistant"];
    for (code, locale, game, edition) in [
        (
            "da",
            "da_DK.UTF-8",
            "Der spilles intet parti",
            "Der er ingen udgave",
        ),
        (
            "sv",
            "sv_SE.UTF-8",
            "Inget parti spelas",
            "Det finns ingen utgåva",
        ),
        (
            "en",
            "en_GB.UTF-8",
            "No game is being played",
            "There is no edition",
        ),
        (
            "de",
            "de_DE.UTF-8",
            "wird keine Partie gespielt",
            "gibt es nicht",
        ),
    ] {
        for (variable, value) in [("ANNEXD_LANGUAGE", code), ("LANG", locale)] {
            let said = told(variable, value, &console);
            assert!(said.contains(game), "{variable} {value}: {said}");
            let said = told(variable, value, &["play", "--text", "--edition", "1950"]);
            assert!(said.contains(edition), "{variable} {value}: {said}");
        }
    }
    // What was chosen for the game goes before the system's.
    let chosen = ["play", "--text", "--language", "sv", "--edition", "1950"];
    let said = told("LANG", "de_DE.UTF-8", &chosen);
    assert!(said.contains("Det finns ingen utgåva"), "{said}");
}

/// Where a terminal has no sound, what became of a press is read; and whoever asks for something
/// when the game is over is told that it is.
#[test]
fn a_press_is_answered_and_so_is_what_comes_after_the_end() {
    let home = Home::new();
    let own = ["play", "--text", "--name", "p", "--terminal", "white"];
    let rest = ["--blind", "white", "--time", "5m", "--no-arbiter"];
    let mut white = home.start(&[&own[..], &rest[..]].concat());
    white.types("uhr");
    white.wait_for("Die Partie hat noch nicht begonnen.", 1);
    white.types("anfang");
    white.wait_for("Die Partie beginnt", 1);
    white.types("e2e4");
    white.types("gezogen");
    white.types("uhr");
    white.wait_for("Weiß privat: Gedrückt.", 1);
    white.types("uhr");
    white.wait_for("Sie sind nicht am Zug.", 1);
    white.types("aufgabe");
    white.wait_for("Wirklich aufgeben?", 1);
    white.types("ja");
    white.wait_for("0-1", 1);
    for (times, line) in (1..).zip([
        "remis",
        "aufgabe",
        "uhr",
        "ich berichtige",
        "schiedsrichter",
    ]) {
        white.types(line);
        white.wait_for("Die Partie ist zu Ende.", times);
    }
    white.leave();
}

/// Between his announcement and his press a player resigns for himself, also where nobody says who
/// types, and the question says who is asked.
#[test]
fn who_has_announced_resigns_for_himself() {
    for line in ["aufgabe", "x"] {
        let home = Home::new();
        let mut game = home.start(&["play", "--text", "--name", "r"]);
        for typed in ["anfang", "e2e4", line] {
            game.types(typed);
        }
        game.wait_for("Weiß, Sie sind gefragt.", 1);
        game.types("ja");
        game.wait_for("0-1", 1);
        game.leave();
    }
}

/// At a terminal of all it is answered to the one who can be told alone, also straight after his
/// own announcement, when it is the other who has to speak next.
#[test]
fn a_question_of_nobody_in_particular_is_that_of_who_can_be_told_alone() {
    let home = Home::new();
    let settings = "[game.sides.white]\nvisually_disabled = true\near = true\n";
    std::fs::create_dir_all(home.path("config/annexd")).unwrap();
    std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
    let mut game = home.start(&["play", "--text", "--name", "q", "--time", "5m"]);
    for typed in ["anfang", "e2e4", "zeit", "schwarz: zeit"] {
        game.types(typed);
    }
    game.wait_for("Die Antwort für Schwarz ist privat", 1);
    let seen = game.leave();
    let for_black = seen
        .iter()
        .filter(|it| it.contains("für Schwarz ist privat"));
    assert_eq!(for_black.count(), 1, "{seen:#?}");
    let record = text(&home.run(&["show", "q", "--jsonl"]));
    assert!(record.contains("times_left"), "{record}");
}

/// Board and score are asked about at the console, and what is read there goes on and back.
#[test]
fn board_and_score_are_asked_about_at_a_console_of_ones_own() {
    let home = Home::new();
    let (mut game, mut black) = two_blind_one_console(&home, &["--time", "5m"]);
    game.types("anfang");
    black.wait_for("Die Partie beginnt", 1);
    for (line, answer) in [
        ("feld e8", "Eva acht: König von Schwarz."),
        ("wo springer", "Schwarz: Springer Bella acht, Gustav acht."),
        (
            "figuren schwarz",
            "Bauern Anna sieben, Bella sieben, Cesar sieben,",
        ),
        ("weiter", "Das war alles."),
        ("zurück", "Springer Bella acht, Gustav acht."),
        (
            "material",
            "Weiß: König, Dame, zwei Türme, zwei Läufer, zwei Springer, acht Bauern.",
        ),
        ("geschlagen", "Noch nichts geschlagen."),
        ("letzte fünf züge", "Noch kein Zug."),
        ("partie ab zehn", "So weit ist die Partie nicht."),
    ] {
        black.types(line);
        black.wait_for(answer, 1);
    }
    black.leave();
    let table = game.leave();
    assert!(
        !table.iter().any(|it| it.contains("Springer Bella acht")),
        "{table:#?}"
    );
}

/// What a command says is in one language, whatever it answers to.
#[test]
fn what_was_not_said_is_told_in_one_language() {
    let home = Home::new();
    let mut command = home.command(&["say", "--voice", "system", "Nf3"]);
    let nobody = format!("unix_socket:{}", home.path("nobody").display());
    command
        .env("ANNEXD_LANGUAGE", "da")
        .env("SPEECHD_ADDRESS", nobody);
    let said = command.output().unwrap();
    assert_eq!(said.status.code(), Some(5), "{}", text(&said));
    let said = text(&said);
    assert!(said.contains("Stemmen svarer ikke."), "{said}");
    for german in ["Stimme", "Felix", "eins"] {
        assert!(!said.contains(german), "{said}");
    }
}

/// Who mistypes his PIN can do what he is asked to, `ende` leaves a console and not the game, and a
/// value that a ruling does not know is named with what can be typed instead.
#[test]
fn who_mistypes_at_a_console_is_told_how_it_is_typed() {
    let home = Home::new();
    let pin = ["play", "--text", "--name", "w", "--arbiter"];
    let rest = ["--arbiter-pin-file", &home.pin_file("4711"), "--time", "5m"];
    let mut game = home.start(&[&pin[..], &rest[..]].concat());
    game.wait_for("Hilfe sagt", 1);
    let mut arbiter = home.start(&["console", "--game", "w", "--role", "arbiter"]);
    arbiter.wait_for("Bitte die PIN tippen", 1);
    arbiter.types("4712");
    arbiter.wait_for("Die PIN ist falsch. Bitte noch einmal.", 1);
    arbiter.wait_for("Bitte die PIN tippen", 2);
    arbiter.types("4711");
    arbiter.wait_for("Das ist die Konsole", 1);
    for (line, remedy) in [
        ("ergebnis 5-5", "Ein Ergebnis sind die Punkte"),
        ("setze weiß eins", "Eine Zeit sind Minuten"),
        ("gib grün 2m", "Gemeint ist Weiß oder Schwarz."),
        ("zähler weiß vier", "Bitte eine Zahl tippen."),
    ] {
        arbiter.types(line);
        arbiter.wait_for(remedy, 1);
    }
    arbiter.types("anfang");
    arbiter.wait_for("Uhr: Weiß 0:05:00 läuft, Schwarz 0:05:00", 1);
    arbiter.types("ende");
    let (_, seen) = arbiter.ended();
    let last = seen.last().map(String::as_str);
    assert_eq!(
        last,
        Some("Konsole geschlossen: Schiedsrichter."),
        "{seen:#?}"
    );
    game.wait_for("Konsole geschlossen: Schiedsrichter.", 1);
    game.types("e2e4");
    game.wait_for("Eva zwei Eva vier", 1);
    game.leave();
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
    let stands = |as_what: &str| {
        let listed = text(&home.run(&["games", "--json"]));
        let standing = format!("\"standing\":\"{as_what}\"");
        assert!(listed.contains(&standing), "{listed}");
    };
    stands("running");
    game.leave();
    stands("interrupted");
    for (language, against, whole, open) in [
        (
            "de",
            "Anna gegen Bo",
            "wie sie geschrieben wurden",
            "unterbrochen",
        ),
        ("da", "Anna mod Bo", "som de blev skrevet", "afbrudt"),
        ("sv", "Anna mot Bo", "som de skrevs", "avbrutet"),
        (
            "en",
            "Anna against Bo",
            "as they were written",
            "interrupted",
        ),
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
fn between_friends_nothing_tells_an_illegal_move_before_the_press_and_then_both_are_asked() {
    let home = Home::new();
    let mut game = home.start(&[
        "play", "--text", "--name", "i", "--blind", "white", "--mode", "club", "--time", "15m+10s",
    ]);
    game.wait_for("Hilfe sagt", 1);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.types("weiß: Läufer f1 b6");
    game.wait_for("Läufer Felix eins Bella sechs", 1);
    game.types("schwarz: Läufer f1 b6");
    game.types("schwarz: blubb");
    game.wait_for("blubb", 1);
    let lines = game.lines();
    let tells = |line: &&String| line.to_lowercase().contains("regelwidrig");
    assert_eq!(lines.iter().find(tells), None, "{lines:#?}");
    game.types("weiß: uhr");
    game.wait_for("Regelwidriger Zug von Weiß", 1);
    game.wait_for("Bitte antworten beide", 1);
    game.types("weiß: ja");
    game.types("schwarz: ja");
    game.wait_for("Schwarz erhält eine Minute dazu", 1);
    game.leave();
}
