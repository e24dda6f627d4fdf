//! The real program with no devices: a whole game by text, its record, its consoles.
#![expect(clippy::disallowed_methods, reason = "a test fails by panicking")]

mod common;

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
    assert!(shown.contains("17. Rd8#"), "{shown}");
    assert!(shown.contains("[White \"Morphy\"]"), "{shown}");
    let listed = text(&home.run(&["games"]));
    assert!(listed.contains("checkmate"), "{listed}");

    let verified = home.run(&["verify", "opera"]);
    assert!(verified.status.success(), "{}", text(&verified));
    let resumed = home.run(&["resume", "opera"]);
    assert_eq!(resumed.status.code(), Some(1), "{}", text(&resumed));

    let exported = home.run(&["show", "opera", "--jsonl"]);
    let first = text(&exported);
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
    for line in typed_move(4) {
        game.types(&line);
    }
    game.wait_for("David zwei David vier", 1);
    game.leave();
    let verified = home.run(&["verify", "opera"]);
    assert!(verified.status.success(), "{}", text(&verified));
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
    let console = |role: &str, pin: &str| {
        home.start(&["console", "--game", "rated", "--role", role, "--pin", pin])
    };
    let mut opponent = console("opponent", "");
    let mut arbiter = console("arbiter", "1234");
    opponent.wait_for("Das ist die Konsole", 1);
    arbiter.wait_for("Das ist die Konsole", 1);
    let intruder = home.run(&[
        "console", "--game", "rated", "--role", "arbiter", "--pin", "1",
    ]);
    assert_eq!(intruder.status.code(), Some(1), "{}", text(&intruder));
    let usurper = home.run(&[
        "console", "--game", "rated", "--role", "player", "--pin", "",
    ]);
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
    assert!(said.contains("settings.toml:3"), "{said}");
    assert!(said.contains("time_contol"), "{said}");
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
    let mut asked = 0;
    while !game
        .lines()
        .iter()
        .any(|line| line.contains("kann nicht beschrieben werden"))
    {
        for _ in 0..50 {
            game.types("weiß: zeit");
        }
        asked += 50;
        assert!(asked < 20_000, "the disk is never full");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    game.types("weiß: Bauer e2 e4");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let is_said = |game: &common::Talk| {
        game.lines()
            .iter()
            .any(|line| line.contains("Bauer Eva zwei Eva vier"))
    };
    assert!(!is_said(&game));
    game.types("weiß: unaufgezeichnet");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!is_said(&game));
    game.types("schwarz: unaufgezeichnet");
    game.wait_for("Bauer Eva zwei Eva vier", 1);
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
