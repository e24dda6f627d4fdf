//! How a game is left that nobody leaves in order: asked by the system, with a full disk, with its
//! file taken away. Nothing that was played is lost, and what is not in the record is told.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    reason = "a test runs the program, and fails where it fails"
)]

use crate::common;

use std::fs;
use std::process::Command;

use common::{Home, Talk, text, typed_move};

const PLAY: [&str; 14] = [
    "play",
    "--text",
    "--name",
    "k",
    "--time",
    "30m",
    "--white",
    "Ada",
    "--black",
    "Bo",
    "--event",
    "Club evening",
    "--round",
    "3",
];
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(60);
const KEPT: &str = "run/annexd/k-unwritten.jsonl";

fn begun(home: &Home) -> Talk {
    goes_on(home.start(&PLAY))
}

fn goes_on(mut game: Talk) -> Talk {
    game.types("anfang");
    plays(&mut game, 0..3);
    game
}

/// Plays these moves until they were said.
fn plays(game: &mut Talk, plies: std::ops::Range<usize>) {
    for line in plies.clone().flat_map(typed_move) {
        game.types(&line);
    }
    game.wait_for("Richtig wiederholt", plies.end);
}

/// Leaves the game, whose five moves are all in its record then.
fn is_left_whole(home: &Home, game: Talk) {
    let (status, lines) = game.left();
    assert_eq!(status, Some(0), "{lines:#?}");
    let verified = text(&home.run(&["verify", "k"]));
    assert!(verified.contains("No byte of its files"), "{verified}");
    let score = text(&home.run(&["show", "k"]));
    assert!(score.contains("e5") && score.contains("d4"), "{score}");
}

/// A game on a disk that takes no file of more than so many kilobytes.
fn on_a_small_disk(home: &Home, kilobytes: u32) -> Talk {
    let script = format!("ulimit -f {kilobytes}; exec \"$0\" \"$@\"");
    started_by(home, &["bash", "-c", &script])
}

/// A game that was started by another program.
fn started_by(home: &Home, starter: &[&str]) -> Talk {
    Talk::with(home.command_by(starter, &PLAY))
}

/// A game that both have agreed to play on although the disk is full, with moves of that time.
fn unrecorded(home: &Home) -> Talk {
    let mut game = on_a_small_disk(home, 100);
    game.types("anfang");
    let (mut ply, mut tries) = (0, 0);
    let is_full = |game: &Talk| {
        let lines = game.lines();
        lines.iter().any(|line| line.contains("unaufgezeichnet"))
    };
    let answered = |game: &Talk| {
        let lines = game.lines();
        lines
            .iter()
            .filter(|line| line.contains("ist privat"))
            .count()
    };
    while !is_full(&game) {
        assert!(tries < 300, "the disk is never full: {:#?}", game.lines());
        tries += 1;
        if ply < 20 {
            for line in typed_move(ply) {
                game.types(&line);
            }
            ply += 1;
        }
        // What is typed before anybody could know that the disk is full has to fit beside it. So
        // each round waits until a question at its end is answered.
        game.types(&format!("weiß: einspruch {tries} {}", "x".repeat(3900)));
        game.types("weiß: letzter zug");
        let begun = std::time::Instant::now();
        while answered(&game) < tries && !is_full(&game) {
            assert!(begun.elapsed() < PATIENCE, "{:#?}", game.lines());
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    game.types("weiß: unaufgezeichnet");
    game.types("schwarz: unaufgezeichnet");
    plays(&mut game, ply..ply + 2);
    game
}

#[test]
fn the_system_may_ask_to_leave_and_the_game_is_left_in_order() {
    for signal in ["INT", "TERM", "HUP"] {
        let home = Home::new();
        // Whoever runs the tests may have them ignore signals, and that is inherited.
        let heeding = ["env", "--default-signal=INT,TERM,HUP"];
        let game = goes_on(started_by(&home, &heeding));
        let id = game.child.id().to_string();
        // Who ends a session asks in more than one way.
        for signal in [signal, "HUP"] {
            let sent = Command::new("kill").args(["-s", signal, &id]).status();
            assert!(sent.unwrap().success());
        }
        game.wait_for("annexd resume k", 1);
        let lines = game.ended();
        assert_eq!(lines.0, Some(0), "{signal}: {:#?}", lines.1);
        let verified = text(&home.run(&["verify", "k"]));
        assert!(verified.contains("No byte of its files"), "{verified}");
    }
}

#[test]
fn what_a_full_disk_did_not_take_is_told_and_joined_when_the_game_goes_on() {
    let home = Home::new();
    let (status, lines) = unrecorded(&home).left();
    assert_eq!(status, Some(6), "{lines:#?}");
    for known in [
        "[White \"Ada\"]",
        "[Black \"Bo\"]",
        "[TimeControl \"1800\"]",
        "[Event \"Club evening\"]",
        "[Site \"?\"]",
        "[Round \"3\"]",
    ] {
        let is_told = lines.iter().any(|line| line == known);
        assert!(is_told, "{known}: {lines:#?}");
    }
    assert!(
        !lines.iter().any(|line| line.contains("????")),
        "{lines:#?}"
    );
    let kept = fs::read_to_string(home.path(KEPT)).unwrap();
    let count = kept.lines().count() - 1;
    let verified = home.run(&["verify", "k"]);
    let said = text(&verified);
    assert_eq!(verified.status.code(), Some(1), "{said}");
    assert!(said.contains(&format!("{count} more entries")), "{said}");
    assert!(said.contains("k-unwritten.jsonl"), "{said}");
    let score = |home: &Home| text(&home.run(&["show", "k"]));
    let short = score(&home);
    let resumed = home.start(&["resume", "k", "--text"]);
    resumed.wait_for("stehen wieder in der Datei der Partie", 1);
    resumed.leave();
    assert!(!home.path(KEPT).exists());
    let verified = home.run(&["verify", "k"]);
    assert!(verified.status.success(), "{}", text(&verified));
    let whole = score(&home);
    assert!(whole.len() > short.len(), "{short}\n{whole}");
    let export = text(&home.run(&["show", "k", "--jsonl"]));
    assert!(export.contains("\"gap\""), "the gap is in the record");
}

#[test]
fn entries_of_a_game_that_has_gone_on_without_them_are_told_and_not_joined() {
    let home = Home::new();
    unrecorded(&home).left();
    let aside = home.path("aside");
    fs::rename(home.path(KEPT), &aside).unwrap();
    home.start(&["resume", "k", "--text"]).leave();
    let verified = home.run(&["verify", "k"]);
    assert_eq!(verified.status.code(), Some(1), "{}", text(&verified));
    assert!(text(&verified).contains("are lost"), "{}", text(&verified));
    fs::rename(&aside, home.path(KEPT)).unwrap();
    let said = text(&home.run(&["verify", "k"]));
    assert!(said.contains("cannot be joined"), "{said}");
    let resumed = home.start(&["resume", "k", "--text"]);
    resumed.wait_for("k-unwritten.jsonl", 1);
    resumed.leave();
    assert!(home.path(KEPT).exists());
}

#[test]
fn a_kill_while_nothing_can_be_recorded_is_told_for_ever() {
    let home = Home::new();
    unrecorded(&home).kill();
    for _ in 0..2 {
        let verified = home.run(&["verify", "k"]);
        assert_eq!(verified.status.code(), Some(1), "{}", text(&verified));
        assert!(text(&verified).contains("are lost"), "{}", text(&verified));
        let resumed = home.start(&["resume", "k", "--text"]);
        resumed.wait_for("Die Partie geht weiter", 1);
        let lines = resumed.leave();
        let told = lines.iter().any(|line| line.contains("sind verloren"));
        let before = fs::read_to_string(home.path("told")).is_ok();
        assert!(told || before, "{lines:#?}");
        fs::write(home.path("told"), "").unwrap();
    }
}

#[test]
fn a_file_that_is_deleted_or_replaced_in_mid_game_is_noticed_and_written_anew() {
    for other in [None, Some("of somebody else")] {
        let home = Home::new();
        let mut game = begun(&home);
        let beside = |ending: &str| format!("{}{ending}", home.game("k").display());
        for file in [beside(""), beside("-wal"), beside("-shm")] {
            fs::remove_file(file).unwrap();
        }
        fs::remove_file(home.game("k").with_extension("beat")).unwrap();
        if let Some(other) = other {
            fs::write(home.game("k"), other).unwrap();
        }
        // Nobody needs to do anything for it.
        game.wait_for("Die Aufzeichnung der Partie ist weg", 1);
        game.wait_for("Die Partie wird wieder gespeichert", 1);
        plays(&mut game, 3..5);
        is_left_whole(&home, game);
        let kept = fs::read_to_string(beside(".replaced-1")).ok();
        assert_eq!(kept.as_deref(), other);
    }
}

#[test]
fn a_log_that_is_cut_in_mid_game_is_noticed_and_links_that_lead_nowhere_hinder_nothing() {
    let home = Home::new();
    let mut game = begun(&home);
    let log = format!("{}-wal", home.game("k").display());
    fs::File::options()
        .write(true)
        .open(&log)
        .unwrap()
        .set_len(0)
        .unwrap();
    game.wait_for("Die Partie wird wieder gespeichert", 1);
    for file in [&log, &home.game("k").display().to_string()] {
        fs::remove_file(file).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", file).unwrap();
    }
    game.wait_for("Die Partie wird wieder gespeichert", 2);
    plays(&mut game, 3..5);
    is_left_whole(&home, game);
    let names = fs::read_dir(home.games()).unwrap().flatten();
    let replaced = names.filter(|it| it.file_name().to_string_lossy().contains("replaced"));
    assert_eq!(replaced.count(), 2);
}

#[test]
fn a_game_whose_folder_has_gone_for_good_is_kept_elsewhere_and_found_again() {
    let home = Home::new();
    let mut game = begun(&home);
    fs::remove_dir_all(home.games()).unwrap();
    fs::write(home.games(), "no folder").unwrap();
    game.wait_for("Die Aufzeichnung der Partie ist weg", 1);
    game.types("weiß: unaufgezeichnet");
    game.types("schwarz: unaufgezeichnet");
    plays(&mut game, 3..4);
    let (status, lines) = game.left();
    assert_eq!(status, Some(6), "{lines:#?}");
    fs::remove_file(home.games()).unwrap();
    let verified = home.run(&["verify", "k"]);
    assert_eq!(verified.status.code(), Some(1), "{}", text(&verified));
    assert!(text(&verified).contains("k-unwritten.jsonl"));
    let resumed = home.start(&["resume", "k", "--text"]);
    resumed.wait_for("stehen wieder in der Datei der Partie", 1);
    resumed.leave();
    let verified = home.run(&["verify", "k"]);
    assert!(verified.status.success(), "{}", text(&verified));
    let score = text(&home.run(&["show", "k"]));
    assert!(score.contains("Nf3") && score.contains("d6"), "{score}");
}

/// A program that is killed while it writes a game's file anew leaves a whole one of another name.
#[test]
fn a_kill_while_a_file_is_written_anew_loses_nothing() {
    for is_old_there in [false, true] {
        let home = Home::new();
        begun(&home).kill();
        let old = home.game("k");
        let new = old.with_file_name("k.annexd-new");
        let connection = rusqlite::Connection::open(&old).unwrap();
        connection
            .execute("VACUUM INTO ?1", [new.to_str().unwrap()])
            .unwrap();
        drop(connection);
        if is_old_there {
            fs::write(&old, "no game").unwrap();
        } else {
            let said = text(&home.run(&["verify", "k"]));
            fs::remove_file(&old).unwrap();
            let verified = home.run(&["verify", "k"]);
            assert!(verified.status.success(), "{said}{}", text(&verified));
        }
        let resumed = home.start(&["resume", "k", "--text"]);
        resumed.wait_for("k", 1);
        let lines = resumed.leave();
        assert!(!new.exists(), "{lines:#?}");
        let shown = text(&home.run(&["show", "k"]));
        assert!(shown.contains("2. Nf3"), "{shown}");
        assert!(home.run(&["verify", "k"]).status.success());
        let kept = old.with_file_name("k.annexd.replaced-1");
        assert_eq!(is_old_there, kept.exists());
    }
}

/// Who has signed leaves with a word and a yes, and finds the score as PGN.
#[test]
fn who_has_signed_leaves_with_a_word() {
    let home = Home::new();
    let mut game = home.start(&["play", "--text", "--name", "k", "--mode", "club"]);
    for (line, comes) in [
        ("anfang", "Die Partie beginnt"),
        ("weiß: gehen", "Wer annexd verlassen will, tippt: ende."),
        ("weiß: e2e4", "Eva zwei Eva vier"),
        ("weiß: aufgabe", "Ja oder nein"),
        ("weiß: ja", "Ende: 0-1"),
        ("weiß: unterschrift", "unterschreiben?"),
        ("weiß: ja", "Zum Beenden sagen Sie"),
        ("weiß: gehen", "Annexd beenden?"),
    ] {
        game.types(line);
        game.wait_for(comes, 1);
    }
    game.types("weiß: ja");
    let (status, lines) = game.ended();
    assert_eq!(status, Some(0), "{lines:#?}");
    let path = home.games().join("k.pgn");
    let told = format!("Als PGN liegt sie unter: {}", path.display());
    assert_eq!(lines.last(), Some(&told), "{lines:#?}");
    let pgn = fs::read_to_string(path).unwrap();
    assert!(
        pgn.contains("[Signed \"White\"]") && pgn.contains("\n0-1"),
        "{pgn}"
    );
}
