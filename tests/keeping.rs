//! What a folder of games goes through: files that are no games, damage that is found, records
//! that cannot be written to their end.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test runs the program, and fails where it fails"
)]

use crate::common;

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use common::{Home, Talk, text, typed_move};

const PLAY: [&str; 6] = ["play", "--text", "--name", "k", "--time", "30m"];

/// A game in which something has happened.
fn begun(home: &Home) -> Talk {
    let mut game = home.start(&PLAY);
    game.types("anfang");
    for line in (0..3).flat_map(typed_move) {
        game.types(&line);
    }
    game.wait_for("Eva sieben Eva fünf", 1);
    // The heartbeats that follow know of everything that was shown.
    let heartbeat = || fs::read(home.game("k").with_extension("beat")).unwrap();
    for _ in 0..4 {
        let before = heartbeat();
        while heartbeat() == before {
            thread::sleep(Duration::from_millis(5));
        }
    }
    game
}

#[test]
fn what_is_no_game_is_passed_over_and_named() {
    let home = Home::new();
    begun(&home).leave();
    fs::write(home.game("empty"), "").unwrap();
    fs::write(home.game("other"), "1. e4 e5").unwrap();
    for command in [vec!["show"], vec!["verify"]] {
        let said = text(&home.run(&command));
        assert!(said.contains("e4") || said.contains("k: all"), "{said}");
        assert!(said.contains("other.annexd"), "{command:?}: {said}");
        // A program that was killed before its first entry leaves this, and no game.
        assert!(!said.contains("empty.annexd"), "{command:?}: {said}");
    }
    let verified = home.run(&["verify"]);
    assert_eq!(
        verified.status.code(),
        Some(3),
        "somebody may have meant the other"
    );
    assert!(home.run(&["verify", "k"]).status.success());
    let resumed = home.start(&["resume", "--text"]);
    resumed.wait_for("Die Partie geht weiter", 1);
    resumed.wait_for("other.annexd", 1);
    resumed.leave();
}

#[test]
fn damage_stays_named_after_the_game_has_gone_on() {
    let home = Home::new();
    begun(&home).kill();
    let mut log = home.game("k").into_os_string();
    log.push("-wal");
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, bytes).unwrap();
    assert_eq!(home.run(&["verify", "k"]).status.code(), Some(3));
    let resumed = home.start(&["resume", "k", "--text"]);
    resumed.wait_for("ist beschädigt", 1);
    resumed.leave();
    for _ in 0..2 {
        let verified = home.run(&["verify", "k"]);
        let said = text(&verified);
        assert_eq!(verified.status.code(), Some(3), "{said}");
        assert!(said.contains("when the game went on"), "{said}");
    }
}

#[test]
fn the_last_entries_before_a_kill_are_covered_too() {
    let home = Home::new();
    let mut game = home.start(&PLAY);
    game.types("anfang");
    for line in (0..2).flat_map(typed_move) {
        game.types(&line);
    }
    game.wait_for("Richtig wiederholt", 2);
    // At once: no heartbeat has followed.
    game.kill();
    let mut log = home.game("k").into_os_string();
    log.push("-wal");
    let whole = fs::read(&log).unwrap();
    let written = home.run(&["show", "k", "--jsonl"]).stdout;
    let last = String::from_utf8(written).unwrap();
    // What was shown was covered before; what followed may not have been.
    let mut shown = last.lines().filter(|line| line.contains("taken"));
    let last = shown.next_back().unwrap().as_bytes().to_vec();
    let place = whole.windows(last.len()).position(|it| it == last);
    let mut bytes = whole;
    bytes[place.unwrap() + 2] ^= 1;
    fs::write(&log, bytes).unwrap();
    let verified = home.run(&["verify", "k"]);
    assert_eq!(verified.status.code(), Some(3), "{}", text(&verified));
}

#[test]
fn a_changed_heartbeat_of_a_killed_game_is_found_and_so_is_a_seal_that_is_gone() {
    let home = Home::new();
    begun(&home).kill();
    assert!(home.run(&["verify", "k"]).status.success());
    let heartbeat = home.game("k").with_extension("beat");
    let whole = fs::read(&heartbeat).unwrap();
    for index in [0, 63, 64, 100] {
        let mut bytes = whole.clone();
        bytes[index] ^= 4;
        fs::write(&heartbeat, &bytes).unwrap();
        let said = text(&home.run(&["verify", "k"]));
        assert!(said.contains("k.beat"), "byte {index}: {said}");
    }
    // Going on does not wash it away.
    let copied = Home::new();
    begun(&copied).kill();
    let heartbeat_of_copy = copied.game("k").with_extension("beat");
    let mut bytes = fs::read(&heartbeat_of_copy).unwrap();
    bytes[0] ^= 4;
    bytes[64] ^= 4;
    fs::write(&heartbeat_of_copy, &bytes).unwrap();
    copied.start(&["resume", "k", "--text"]).leave();
    let verified = copied.run(&["verify", "k"]);
    assert_eq!(verified.status.code(), Some(3), "{}", text(&verified));
    fs::write(&heartbeat, &whole).unwrap();
    home.start(&["resume", "k", "--text"]).leave();
    assert!(home.run(&["verify", "k"]).status.success());
    fs::remove_file(home.game("k").with_extension("seal")).unwrap();
    let verified = home.run(&["verify", "k"]);
    assert_eq!(verified.status.code(), Some(3));
    assert!(text(&verified).contains("seal is missing"));
}

#[test]
fn the_end_of_a_killed_game_is_not_cut_off_unnoticed_by_taking_its_heartbeat_away_too() {
    let home = Home::new();
    begun(&home).kill();
    fs::remove_file(home.game("k").with_extension("beat")).unwrap();
    let mut log = home.game("k").into_os_string();
    log.push("-wal");
    let length = fs::metadata(&log).unwrap().len();
    let log = fs::OpenOptions::new().write(true).open(&log).unwrap();
    log.set_len(length * 2 / 3).unwrap();
    let verified = home.run(&["verify", "k"]);
    assert_eq!(verified.status.code(), Some(3));
    assert!(text(&verified).contains("k.beat is missing"));
    home.start(&["resume", "k", "--text"]).leave();
    let verified = home.run(&["verify", "k"]);
    assert_eq!(verified.status.code(), Some(3), "{}", text(&verified));
}

#[test]
fn games_are_read_where_nothing_can_be_written() {
    for kill in [false, true] {
        let home = Home::new();
        let game = begun(&home);
        if kill {
            game.kill();
            let mut shared = home.game("k").into_os_string();
            shared.push("-shm");
            let _ = fs::remove_file(shared);
        } else {
            game.leave();
        }
        let expected = text(&home.run(&["verify", "k"]));
        if kill {
            let mut shared = home.game("k").into_os_string();
            shared.push("-shm");
            let _ = fs::remove_file(shared);
        }
        let script = "mount --bind \"$1\" \"$1\" && mount -o remount,ro,bind \"$1\" || exit 99; \
                      exec \"$0\" verify \"$2\"";
        let mut shell = Command::new("unshare");
        shell.args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_annexd")]);
        shell.arg(home.games()).arg(home.game("k"));
        for name in ["data", "config"] {
            let variable = format!("XDG_{}_HOME", name.to_uppercase());
            shell.env(variable, home.path(name));
        }
        let verified = match shell.output() {
            Ok(output) if !matches!(output.status.code(), Some(1 | 99)) => output,
            other => {
                eprintln!("skipped: a folder cannot be made read-only here: {other:?}");
                return;
            }
        };
        assert!(verified.status.success(), "{}", text(&verified));
        assert_eq!(text(&verified), expected, "killed: {kill}");
    }
}

#[test]
fn a_game_for_which_there_is_no_room_leaves_its_name_free() {
    let home = Home::new();
    // From no room at all to room for the beginning, in half kilobytes.
    for blocks in (0..48).step_by(4) {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_annexd")]);
        shell.args(PLAY).stdin(Stdio::null());
        for name in ["data", "config"] {
            let variable = format!("XDG_{}_HOME", name.to_uppercase());
            shell.env(variable, home.path(name));
        }
        shell.env("XDG_RUNTIME_DIR", home.path("run"));
        let played = shell.output().unwrap();
        let left: Vec<_> = fs::read_dir(home.games()).unwrap().flatten().collect();
        if left.is_empty() {
            assert_eq!(played.status.code(), Some(6), "{blocks}: {}", text(&played));
            continue;
        }
        assert!(blocks > 0, "{left:?}");
        let shown = home.run(&["show", "k"]);
        assert!(shown.status.success(), "{blocks}: {}", text(&shown));
        for file in left {
            fs::remove_file(file.path()).unwrap();
        }
    }
    let mut game = home.start(&PLAY);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.leave();
}

#[test]
fn in_a_rated_game_the_time_away_is_charged_by_the_arbiter_alone() {
    let home = Home::new();
    let rated = [
        "play", "--text", "--name", "k", "--time", "30m", "--mode", "rated",
    ];
    let mut game = home.start(&rated);
    game.types("schiedsrichter 1234: anfang");
    game.wait_for("Partie k", 1);
    game.kill();
    let charged = home.run(&["resume", "k", "--text", "--charge"]);
    assert_eq!(charged.status.code(), Some(2), "{}", text(&charged));
    assert!(
        text(&charged).contains("Schiedsrichter"),
        "{}",
        text(&charged)
    );
    let page = "[record]\ncharge_time_away = true\n";
    fs::create_dir_all(home.path("config/annexd")).unwrap();
    fs::write(home.path("config/annexd/settings.toml"), page).unwrap();
    let resumed = home.run(&["resume", "k", "--text"]);
    assert!(resumed.status.success(), "{}", text(&resumed));
    let said = text(&resumed);
    assert!(said.contains("Angerechnet wurde nichts"), "{said}");
}

#[test]
fn a_name_has_no_line_break_and_a_pipe_in_place_of_a_file_hangs_nothing() {
    let home = Home::new();
    let refused = home.run(&["play", "--text", "--name", "a\nb"]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
    for (is_left, ending) in [(true, "beat"), (true, "seal"), (false, "beat")] {
        let home = Home::new();
        match is_left {
            true => drop(begun(&home).leave()),
            false => drop(begun(&home).kill()),
        }
        let pipe = home.game("k").with_extension(ending);
        fs::remove_file(&pipe).unwrap();
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        for command in [&["verify", "k"][..], &["resume", "k", "--text"]] {
            let mut limited = home.command_by(&["timeout", "60"], command);
            let output = limited.stdin(Stdio::null()).output().unwrap();
            let status = output.status.code();
            assert_ne!(status, Some(124), "{command:?} waits for the {ending}");
            assert!(
                command[0] == "resume" || status == Some(3),
                "{}",
                text(&output)
            );
        }
    }
}
