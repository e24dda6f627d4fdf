//! The real program with no devices: a whole game by text, its record, its consoles.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use crate::common;

use common::{Home, MOVES, tamper, text, typed_move};

const CLUB: [&str; 8] = [
    "play", "--text", "--name", "opera", "--time", "90m+30s", "--white", "Morphy",
];

#[test]
fn a_whole_game_is_played_by_text_and_its_record_shown_and_verified() {
    let home = Home::new();
    let mut game = home.start(&CLUB);
    game.types("anfang");
    for ply in 0..MOVES.len() {
        for line in typed_move(ply) {
            game.types(&line);
        }
    }
    game.wait_for("1-0", 1);
    let lines = game.leave();
    assert!(
        lines
            .iter()
            .any(|line| line.contains("Läufer Gustav vier schlägt Felix drei")),
        "{lines:#?}"
    );

    let shown = text(&home.run(&["show", "opera"]));
    // Where a line of the PGN is wrapped depends on the clock's milliseconds.
    let flowing = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flowing.contains("17. Rd8#"), "{shown}");
    assert!(shown.contains("[White \"Morphy\"]"), "{shown}");
    let listed = text(&home.run(&["games"]));
    assert!(listed.contains("checkmate"), "{listed}");
    let listed = text(&home.run(&["games", "--json"]));
    assert!(listed.contains("\"standing\":\"ended\""), "{listed}");

    let verified = home.run(&["verify", "opera"]);
    assert!(verified.status.success(), "{}", text(&verified));
    let resumed = home.run(&["resume", "opera"]);
    assert_eq!(resumed.status.code(), Some(1), "{}", text(&resumed));

    let first = text(&home.run(&["show", "opera", "--jsonl"]));
    assert!(first.lines().all(|line| line.starts_with("{\"seq\":")));

    tamper(&home.game("opera"), "\"to\":\"d8\"", "\"to\":\"d7\"");
    let broken = home.run(&["verify", "opera"]);
    assert_eq!(broken.status.code(), Some(3), "{}", text(&broken));
    assert!(text(&broken).contains("was changed"), "{}", text(&broken));
}

#[test]
fn an_interrupted_game_goes_on_where_it_was() {
    let home = Home::new();
    let mut game = home.start(&CLUB);
    game.types("anfang");
    for ply in 0..4 {
        for line in typed_move(ply) {
            game.types(&line);
        }
    }
    game.wait_for("David sieben David sechs", 1);
    let last = game.leave().pop().unwrap();
    assert!(last.contains("annexd resume opera"), "{last}");
    let mut game = home.start(&["resume", "--text"]);
    game.wait_for("Nach der Unterbrechung stehen die Uhren", 1);
    game.types("weiter");
    game.wait_for("Es geht weiter", 1);
    for line in typed_move(4) {
        game.types(&line);
    }
    game.wait_for("David zwei David vier", 1);
    game.leave();
    let verified = home.run(&["verify", "opera"]);
    assert!(verified.status.success(), "{}", text(&verified));
}

/// Where both type, nobody answers for another, and a question outlives the program.
#[test]
fn at_a_terminal_of_both_an_answer_names_its_side() {
    let home = Home::new();
    let mut game = home.start(&CLUB);
    let play = |game: &mut common::Talk, typed: &[(&str, &str)]| {
        for (line, answer) in typed {
            game.types(line);
            game.wait_for(answer, 1);
        }
    };
    play(
        &mut game,
        &[
            ("anfang", "Die Partie beginnt"),
            ("anfang", "Es ist nichts zu entscheiden"),
            ("weiß: Sg1g3", "Springer Gustav eins Gustav drei"),
            ("weiß: uhr", "Regelwidriger Zug von Weiß"),
            ("nein", "Wessen Antwort?"),
            ("weiß: nein", "Weiß sagt nein."),
            ("weiter", "Erst ist die Frage zu beantworten."),
            ("schwarz: ja", "Das ist noch offen."),
        ],
    );
    game.types("schwarz: beschwerde er \u{202e}lacht");
    game.leave();
    let mut game = home.start(&["resume", "--text"]);
    game.wait_for("Das ist noch offen.", 1);
    play(
        &mut game,
        &[
            ("schwarz: nein", "Weiß und Schwarz spielen so weiter."),
            ("schwarz: e7e5", "Tisch: Eva sieben Eva fünf"),
        ],
    );
    game.leave();
    let decisions = text(&home.run(&["show", "opera", "--decisions"]));
    for told in [
        "Weiß sagt nein.",
        "Schwarz sagt ja.",
        "spielen so weiter",
        "beginnen. Nicht ausgeführt.",
    ] {
        assert!(decisions.contains(told), "{told}: {decisions}");
    }
    let record = text(&home.run(&["show", "opera", "--jsonl"]));
    assert!(!record.contains('\u{202e}') && record.contains("er lacht"));
}

/// Nobody presses for Black, who has shown no move.
#[test]
fn at_a_terminal_of_both_a_slip_without_a_name_is_whose_move_it_is_about() {
    let home = Home::new();
    let mut game = home.start(&CLUB);
    for (line, answer, times) in [
        ("anfang", "Die Partie beginnt", 1),
        ("Bauer d2 d4", "Bauer David zwei David vier", 1),
        ("nein", "Bitte neu ansagen.", 1),
        ("Bauer d2 d3", "Bauer David zwei David drei", 1),
        ("korrektur", "Bitte neu ansagen.", 2),
        ("Bauer e2 e4", "Bauer Eva zwei Eva vier", 1),
        ("uhr", "Schwarz 1:30:30 läuft", 1),
        ("uhr", "Bitte ansagen.", 1),
    ] {
        game.types(line);
        game.wait_for(answer, times);
    }
    game.leave();
}

#[test]
fn consoles_show_everybody_his_own_and_power_needs_its_pin() {
    let home = Home::new();
    let mut player = home.start(&[
        "play", "--text", "--name", "rated", "--mode", "rated", "--time", "90m+30s",
    ]);
    let socket = home.path("run/annexd/rated.socket");
    for _ in 0..1000 {
        if socket.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let role = |role| ["console", "--game", "rated", "--role", role];
    let mut opponent = home.console("rated", "opponent", "582114");
    let mut arbiter = home.console("rated", "arbiter", "7305");
    opponent.wait_for("Das ist die Konsole", 1);
    arbiter.wait_for("Das ist die Konsole", 1);
    let wrong = home.pin_file("7306");
    let intruder = home.run(&[&role("arbiter")[..], &["--pin-file", &wrong]].concat());
    assert_eq!(intruder.status.code(), Some(1), "{}", text(&intruder));
    let usurper = home.run(&role("player"));
    assert_eq!(usurper.status.code(), Some(1), "{}", text(&usurper));

    // Only the arbiter starts a rated game; the player's "anfang" does nothing.
    player.types("anfang");
    arbiter.types("genehmigt Arbiter offline");
    arbiter.types("anfang");
    player.wait_for("Die Partie beginnt", 1);
    player.types("Bauer e2 e4");
    opponent.wait_for("Bauer Eva zwei Eva vier", 1);
    player.types("zeit");
    player.wait_for("Weiß privat", 1);
    player.types("uhr");
    opponent.wait_for("Uhr", 2);
    opponent.types("Bauer e2 e4");
    opponent.types("e7e5");
    player.wait_for("Eva fünf", 1);
    let seen = opponent.kill();
    assert!(
        !seen.iter().any(|line| line.contains("privat")),
        "{seen:#?}"
    );
    let ruled = arbiter.kill();
    assert!(
        !ruled.iter().any(|line| line.contains("privat")),
        "{ruled:#?}"
    );
    player.leave();
}

#[test]
fn a_typo_in_the_settings_is_named_with_file_and_line() {
    let home = Home::new();
    std::fs::create_dir(home.path("config/annexd")).unwrap();
    std::fs::write(
        home.path("config/annexd/settings.toml"),
        "[game]\nmode = \"club\"\ntime_contol = \"5m\"\n",
    )
    .unwrap();
    let output = home.run(&["play", "--text"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output);
    assert!(said.contains("settings.toml, Zeile 3:"), "{said}");
    assert!(said.contains("time_contol"), "{said}");
}

#[test]
#[cfg(unix)]
fn settings_that_never_end_are_not_waited_for() {
    let home = Home::new();
    std::fs::create_dir(home.path("config/annexd")).unwrap();
    let file = home.path("config/annexd/settings.toml");
    std::os::unix::fs::symlink("/dev/zero", file).unwrap();
    let output = home.run(&["play", "--text"]);
    assert_eq!(output.status.code(), Some(3));
    let said = text(&output);
    assert!(said.contains("keine Datei"), "{said}");
}

#[test]
fn on_a_full_disk_nothing_is_said_unrecorded_until_both_players_agree() {
    let home = Home::new();
    std::fs::create_dir(home.path("config/annexd")).unwrap();
    let settings = "[record]\nmb_max = 1\n";
    std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
    let mut game = home.start(&CLUB);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    let count = |game: &common::Talk, part: &str| {
        let lines = game.lines();
        lines.iter().filter(|line| line.contains(part)).count()
    };
    let is_full = |game: &common::Talk| count(game, "kann nicht beschrieben werden") > 0;
    let mut asked = 0;
    while !is_full(&game) {
        assert!(asked < 2_000, "the disk is never full");
        // Few lines are taken at once, so each is long.
        for number in asked..asked + 10 {
            game.types(&format!("weiß: einspruch {number} {}", "x".repeat(3900)));
        }
        asked += 10;
        // Nor is typed ahead of it: what is too much at once is left out.
        game.types("weiß: letzter zug");
        let since = std::time::Instant::now();
        while count(&game, "ist privat") < asked / 10 && !is_full(&game) {
            assert!(since.elapsed().as_secs() < 180, "nothing is answered");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
    game.types("weiß: Bauer e2 e4");
    let is_said = |game: &common::Talk| {
        game.lines()
            .iter()
            .any(|line| line.contains("Bauer Eva zwei Eva vier"))
    };
    // A question that nobody could hear is not answered.
    game.types("weiß: aufgabe");
    let told = count(&game, "kann nicht beschrieben werden");
    game.types("weiß: ja");
    game.wait_for("kann nicht beschrieben werden", told + 1);
    assert!(!is_said(&game));
    game.types("weiß: unaufgezeichnet");
    game.wait_for("wenn auch getippt ist: Schwarz", 1);
    assert!(!is_said(&game));
    game.types("schwarz: unaufgezeichnet");
    game.wait_for("Bauer Eva zwei Eva vier", 1);
    game.wait_for("Wirklich aufgeben?", 1);
    assert_eq!(count(&game, "gibt auf"), 0);
    let verified = home.run(&["verify", "opera"]);
    assert!(verified.status.success(), "{}", text(&verified));
    game.leave();
}

/// Lets a running program write no file beyond so many bytes: what a full disk does to it.
#[cfg(target_os = "linux")]
fn limit_files(process: u32, bytes: &str) -> bool {
    std::process::Command::new("prlimit")
        .arg("--pid")
        .arg(process.to_string())
        .arg(format!("--fsize={bytes}:unlimited"))
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_fills_up_in_mid_game_and_has_room_again_loses_nothing() {
    let home = Home::new();
    // A program that may write no more is told so, and not killed.
    let script = "trap '' XFSZ; exec \"$0\" \"$@\"";
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_annexd")]);
    shell.args(CLUB);
    for (name, folder) in [
        ("DATA_HOME", "data"),
        ("CONFIG_HOME", "config"),
        ("RUNTIME_DIR", "run"),
    ] {
        shell.env(format!("XDG_{name}"), home.path(folder));
    }
    let mut game = common::Talk::with(shell);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    if !limit_files(game.child.id(), "4096") {
        eprintln!("skipped: prlimit is not there, so no disk can be filled");
        return;
    }
    let is_said =
        |game: &common::Talk, text: &str| game.lines().iter().any(|line| line.contains(text));
    game.types("weiß: Bauer e2 e4");
    game.wait_for("kann nicht beschrieben werden", 1);
    assert!(!is_said(&game, "Bauer Eva zwei Eva vier"));
    game.types("weiß: unaufgezeichnet");
    game.types("schwarz: unaufgezeichnet");
    game.wait_for("Bauer Eva zwei Eva vier", 1);
    game.types("weiß: uhr");
    game.types("schwarz: Bauer e7 e5");
    game.wait_for("Bauer Eva sieben Eva fünf", 1);
    assert!(limit_files(game.child.id(), "unlimited"));
    game.types("schwarz: uhr");
    game.wait_for("wieder gespeichert", 1);
    let verified = home.run(&["verify", "opera"]);
    assert!(verified.status.success(), "{}", text(&verified));
    let record = text(&home.run(&["show", "opera", "--jsonl"]));
    assert_eq!(record.matches("{\"gap\":").count(), 1, "{record}");
    for part in ["\"to\":\"e4\"", "\"to\":\"e5\"", "may go on unrecorded"] {
        assert!(record.contains(part), "{part}");
    }
    game.leave();
    let verified = home.run(&["verify", "opera"]);
    assert!(verified.status.success(), "{}", text(&verified));
}

#[test]
fn output_that_nobody_reads_any_more_is_no_crash() {
    let home = Home::new();
    let mut child = home
        .command(&["show", "--help"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!text(&output).contains("panicked"), "{}", text(&output));
}

/// Settings for a game with an arbiter that can be adjourned.
fn adjournable(home: &Home) {
    std::fs::create_dir(home.path("config/annexd")).unwrap();
    let settings = "[game]\nmode = \"club\"\narbiter = true\nadjournment = true\n";
    std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
}

#[test]
fn the_passphrase_of_the_envelope_is_asked_for_and_stands_nowhere() {
    let home = Home::new();
    adjournable(&home);
    let mut game = home.start(&["play", "--text", "--name", "sealed"]);
    for line in [
        "schiedsrichter: anfang",
        "7305",
        "7305",
        "schiedsrichter: abbruch",
        "7305",
        "kurz",
        "ein langer Abend",
        "weiß: abgabezug Sg1f3",
        "weiß: uhr",
        "schiedsrichter 7305: wiederaufnahme beide",
        "schiedsrichter 7305: öffnen",
        "ein falscher Abend",
        "schiedsrichter 7305: öffnen",
        "nein",
    ] {
        game.types(line);
    }
    game.wait_for("Ohne Losung geschieht nichts", 1);
    let before = game.lines().join("\n");
    for part in [
        "Bitte jetzt die Losung tippen",
        "Die Losung ist zu kurz",
        "Die Partie ist vertagt",
        "Die Losung ist falsch",
    ] {
        assert!(before.contains(part), "{part}: {before}");
    }
    assert!(!before.contains("Felix drei"), "{before}");
    game.types("schiedsrichter 7305: öffnen ein langer Abend");
    game.wait_for("Springer Gustav eins Felix drei", 1);
    game.leave();
    for entry in std::fs::read_dir(home.games()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("Abend"));
    }
}

#[test]
fn who_may_not_is_told_who_may_and_how() {
    let home = Home::new();
    let mut game = home.start(&["play", "--text", "--name", "club", "--time", "5m"]);
    game.types("schiedsrichter 7305: anhalten");
    game.wait_for("Diese Partie hat keinen Schiedsrichter", 1);
    game.types("anfang");
    game.types("weiß: zeit");
    game.wait_for("Die Antwort für Weiß ist privat", 1);
    game.types("weiß: e2e4");
    game.types("weiß: u");
    game.types("schwarz: e2e4");
    game.wait_for("Richtig wiederholt", 1);
    game.types("schwarz: blubb");
    game.wait_for("Die Eingabe wurde nicht verstanden", 1);
    game.types("?u");
    game.wait_for("Drückt die Uhr", 1);
    game.types("? gezogen");
    game.wait_for("Der Zug steht auf Ihrem Brett", 1);
    game.types("weiß: q");
    // There is none to mute.
    game.wait_for("Das Mikrofon ist nicht da", 1);
    game.leave();

    let mut rated = home.start(&[
        "play",
        "--text",
        "--name",
        "rated",
        "--mode",
        "rated",
        "--terminal",
        "arbiter",
    ]);
    rated.types("anfang");
    rated.wait_for("genehmigt, und der Name", 1);
    rated.types("zeit");
    rated.wait_for("Es wird ohne Uhr gespielt", 1);
    rated.leave();
}

#[test]
fn everything_fits_a_braille_display_of_forty_cells() {
    let home = Home::new();
    let wide = |lines: &[String]| -> Vec<String> {
        let long = |line: &&String| line.chars().count() > 40;
        lines.iter().filter(long).cloned().collect()
    };
    let mut game = home.start(&[
        "play",
        "--text",
        "--name",
        "narrow",
        "--time",
        "5m",
        "--braille-width",
        "40",
    ]);
    game.types("anfang");
    game.types("hilfe");
    for topic in ["ziehen", "fragen", "reklamieren", "ablauf", "streit", "ton"] {
        game.types(&format!("hilfe {topic}"));
    }
    game.types("weiß: e2e4");
    game.wait_for("Eva zwei Eva vier", 1);
    assert_eq!(wide(&game.leave()), Vec::<String>::new());
    for command in [
        vec!["law", "D.2.9"],
        vec!["games"],
        vec!["show", "narrow"],
        vec!["verify", "narrow"],
        vec!["show", "nobody"],
        vec!["resume", "nobody"],
        vec!["check"],
        vec!["say", "Nf3"],
    ] {
        let with_width = [command.clone(), vec!["--braille-width", "40"]].concat();
        let printed = text(&home.run(&with_width));
        assert!(!printed.is_empty(), "{command:?}");
        let lines: Vec<String> = printed.lines().map(str::to_owned).collect();
        assert_eq!(wide(&lines), Vec::<String>::new(), "{command:?}");
    }
}

/// What cannot be taken back is asked back when it is typed, whole or by its key.
#[test]
fn what_is_grave_is_asked_back_at_the_keyboard_too() {
    let home = Home::new();
    let mut game = home.start(&CLUB);
    game.types("anfang");
    for ply in 0..4 {
        for line in typed_move(ply) {
            game.types(&line);
        }
    }
    game.types("weiß: Lg5");
    game.types("weiß: remis");
    game.wait_for("Remis anbieten? Ja oder nein.", 1);
    game.types("weiß: nein");
    game.wait_for("Gut, dann nicht.", 1);
    game.types("weiß: r");
    game.wait_for("Remis anbieten? Ja oder nein.", 2);
    game.types("weiß: j");
    game.wait_for("Weiß bietet Remis an.", 1);
    game.types("schwarz: a");
    game.wait_for("Remis annehmen? Ja oder nein.", 1);
    game.types("schwarz: n");
    game.types("schwarz: schiedsrichter");
    game.wait_for("Diese Partie hat keinen Schiedsrichter", 1);
    for (count, line) in ["3", "5", "f", "7", "reklamation stellung Sg1f3"]
        .iter()
        .enumerate()
    {
        game.types(&format!("schwarz: {line}"));
        game.wait_for("Wirklich reklamieren? Ja oder nein.", count + 1);
        game.types("schwarz: n");
    }
    game.types("schwarz: x");
    game.wait_for("Wirklich aufgeben? Ja oder nein.", 1);
    game.types("schwarz: ja");
    game.wait_for("Schwarz gibt auf", 1);
    game.leave();
}

/// Help names its topics, and each topic what belongs to it; the time control is said in words.
/// Neither a key nor a word alone ends a game that is being played.
#[test]
fn the_arbiter_is_asked_back_before_a_game_ends_by_a_slip() {
    let home = Home::new();
    let pin = home.pin_file("7305x");
    let play = ["play", "--text", "--name", "g", "--arbiter"];
    let sits = ["--terminal", "arbiter", "--arbiter-pin-file", &pin];
    let mut game = home.start(&[&play[..], &sits].concat());
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.types("x");
    game.wait_for("Die Eingabe wurde nicht verstanden", 1);
    game.types("ungültig");
    game.wait_for(
        "Bitte bestätigen: Die Partie ist ungültig. Ja oder nein.",
        1,
    );
    game.types("nein");
    game.wait_for("Gut, dann nicht.", 1);
    // Whatever else is typed puts it aside, and a later yes is no answer to it.
    game.types("ungültig");
    game.wait_for("Bitte bestätigen: ", 2);
    game.types("anhalten");
    game.wait_for("Die Uhren sind angehalten", 1);
    game.types("ja");
    game.types("ungültig");
    game.wait_for("Bitte bestätigen: ", 3);
    game.types("ja");
    game.wait_for("Ende: *", 1);
    let lines = game.leave();
    let ended = lines
        .iter()
        .filter(|line| line.starts_with("Ende:"))
        .count();
    assert_eq!(ended, 1, "{lines:#?}");
}

#[test]
fn what_can_be_reported_and_imposed_is_listed_and_typed_as_it_is_listed() {
    let home = Home::new();
    let pin = home.pin_file("7305x");
    let play = ["play", "--text", "--name", "g", "--arbiter", "--time", "5m"];
    let sits = ["--terminal", "arbiter", "--arbiter-pin-file", &pin];
    let mut game = home.start(&[&play[..], &sits].concat());
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.types("?meldung");
    game.wait_for("meldung weiß Störung des Gegners", 1);
    game.wait_for("meldung weiß Versehentliche Berührung", 1);
    game.types("?strafe");
    game.wait_for("strafe weiß Weniger Zeit 2m", 1);
    game.types("strafe weiß Weniger Zeit 2m");
    game.wait_for("Uhr von Weiß: 0:0", 1);
    game.types("meldung weiß Störung des Gegners");
    game.wait_for("Weiß stört den Gegner", 1);
    game.leave();
}

/// Only the arbiter approves, at his place (11.3.2): no file of a player's does it for him.
#[test]
fn no_settings_approve_the_device() {
    let home = Home::new();
    std::fs::create_dir_all(home.path("config/annexd")).unwrap();
    let forged = "[game.device]\nby = \"A. Holm\"\nscope = \"pages at 192.0.2.2\"\n";
    std::fs::write(home.path("config/annexd/settings.toml"), forged).unwrap();
    let play = ["play", "--text", "--mode", "rated", "--name", "g"];
    let game = home.start(&play);
    game.wait_for("Der Schiedsrichter genehmigt das Gerät", 1);
    game.leave();
    let record = text(&home.run(&["show", "g", "--jsonl"]));
    assert!(!record.contains("A. Holm"), "{record}");
}

#[test]
fn help_comes_in_short_lines_by_topic() {
    let home = Home::new();
    let mut game = home.start(&[CLUB.as_slice(), &["--terminal", "white"]].concat());
    game.wait_for("Bedenkzeit: neunzig Minuten, dreißig Sekunden je Zug.", 1);
    game.types("hilfe");
    game.wait_for("fragen: Zeit, Züge, Brett.", 1);
    game.wait_for("Mehr mit Fragezeichen und Wort.", 1);
    for topic in ["ziehen", "fragen", "reklamieren", "ablauf", "streit", "ton"] {
        game.types(&format!("hilfe {topic}"));
    }
    game.wait_for("zeit (z)", 1);
    game.wait_for("hilfe (h)", 1);
    game.types("feld d8");
    game.wait_for("David acht: Dame von Schwarz.", 1);
    let lines = game.leave();
    let helped = lines.iter().skip_while(|line| !line.contains("ziehen: "));
    let helped: Vec<&String> = helped
        .take_while(|line| !line.contains("David acht"))
        .collect();
    assert!(helped.len() > 40, "{helped:#?}");
    let is_long = |line: &&&String| line.chars().count() > 40;
    let long: Vec<_> = helped.iter().filter(is_long).collect();
    assert!(long.len() < 4, "{long:#?}");
}

/// Copies a folder with all that is in it.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn a_language_is_added_by_a_folder_and_no_code() {
    let home = Home::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let data = home.path("share");
    copy(&root.join("grammar"), &data.join("grammar"));
    std::fs::create_dir(data.join("assets")).unwrap();
    let controls = "assets/controls.toml";
    std::fs::copy(root.join(controls), data.join(controls)).unwrap();
    let invented = data.join("grammar/xq");
    copy(&root.join("grammar/en"), &invented);
    for (file, from, to) in [
        ("lexicon.toml", "word = \"knight\"", "word = \"cavalo\""),
        ("lexicon.toml", "language = \"en\"", "language = \"xq\""),
        (
            "phrases.toml",
            "play_starts = \"",
            "play_starts = \"Lo ludo comenca. ",
        ),
        ("console.toml", "clock = \"press\"", "horo = \"press\""),
        ("controls.toml", "typed = \"clock\"", "typed = \"horo\""),
    ] {
        let path = invented.join(file);
        let old = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, old.replace(from, to)).unwrap();
    }
    let mut command = home.command(&[
        "play",
        "--text",
        "--name",
        "xq",
        "--time",
        "5m",
        "--language",
        "xq",
    ]);
    command.env("ANNEXD_DATA", &data);
    let mut game = common::Talk::with(command);
    game.types("start");
    game.wait_for("Lo ludo comenca", 1);
    game.types("white: cavalo g1 f3");
    game.wait_for("avalo", 1);
    game.types("white: horo");
    game.types("black: cavalo g1 f3");
    game.wait_for("Repeated correctly", 1);
    game.types("?u");
    game.wait_for("Presses the clock", 1);
    game.leave();
}
