//! What is private stays so on the disk: the sealed move, and every file of a game.
#![cfg(unix)]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and reads what the program has written"
)]

use crate::common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use common::{Home, Talk, text};

const PASSPHRASE: &str = "a long night in Reykjavik";

/// All files, folders and sockets below a folder.
fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(all_below(&path));
        }
        found.push(path);
    }
    found
}

#[test]
fn the_sealed_move_stands_nowhere_until_the_envelope_is_opened() {
    let home = Home::new();
    fs::create_dir(home.path("config/annexd")).unwrap();
    fs::write(
        home.path("config/annexd/settings.toml"),
        "[game]\nadjournment = true\n",
    )
    .unwrap();
    let mut game = home.start(&[
        "play",
        "--text",
        "--name",
        "s",
        "--mode",
        "rated",
        "--time",
        "90m+30s",
        "--terminal",
        "shared",
        "--arbiter-pin-file",
        &home.pin_file("4711"),
    ]);
    game.types("arbiter 4711: genehmigt Anna");
    game.types("arbiter 4711: anfang");
    game.wait_for("Die Partie beginnt", 1);
    for line in [
        "weiß: e2e4",
        "weiß: uhr",
        "schwarz: e2e4",
        "schwarz: d7d5",
        "schwarz: uhr",
        "weiß: d7d5",
    ] {
        game.types(line);
    }
    game.wait_for("David sieben David fünf", 1);
    game.types(&format!("arbiter 4711: abbruch {PASSPHRASE}"));
    game.wait_for("gibt den Zug ab", 1);
    game.types("weiß: abgabezug Sg1f3");
    game.types("weiß: uhr");
    game.wait_for("Die Partie ist vertagt", 1);
    // Also while the log is not yet part of the file.
    let files = all_below(&home.path("data"));
    assert!(
        files
            .iter()
            .any(|path| path.to_string_lossy().ends_with("-wal")),
        "{files:?}"
    );
    holds_no_plain_move(&home);
    let shown = game.leave();
    assert!(
        !shown.iter().any(|line| line.contains("Felix drei")),
        "{shown:#?}"
    );
    holds_no_plain_move(&home);
    let record = text(&home.run(&["show", "s", "--jsonl"]));
    assert!(
        record.contains("\"to\":\"d5\"") && !record.contains("\"to\":\"f3\""),
        "{record}"
    );
    assert!(
        !record.contains(PASSPHRASE) && record.contains("\"locked\""),
        "{record}"
    );

    let mut game = home.start(&["resume", "s", "--text", "--terminal", "shared"]);
    game.types("arbiter 4711: wiederaufnahme both");
    game.types("arbiter 4711: öffnen not this night");
    game.types(&format!("arbiter 4711: öffnen {PASSPHRASE}"));
    game.wait_for("Felix drei", 1);
    game.leave();
}

/// In no file the move, in any of the ways in which records write one.
fn holds_no_plain_move(home: &Home) {
    let mut has_other = false;
    for path in all_below(&home.path("data"))
        .iter()
        .filter(|path| path.is_file())
    {
        let bytes = fs::read(path).unwrap();
        let has = |part: &str| bytes.windows(part.len()).any(|it| it == part.as_bytes());
        for part in [
            "\"f3\"",
            "\"g1\"",
            "g1f3",
            "Sf3",
            "Nf3",
            "Felix drei",
            PASSPHRASE,
        ] {
            assert!(!has(part), "{part} in {}", path.display());
        }
        has_other |= has("\"d5\"");
    }
    assert!(has_other, "the moves before it stand there");
}

#[test]
fn nobody_else_can_read_what_a_game_leaves() {
    let home = Home::new();
    for folder in ["data", "run"] {
        fs::remove_dir(home.path(folder)).unwrap();
    }
    let mut game = home.start(&["play", "--text", "--name", "p", "--time", "5m"]);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    let mut seen = Vec::new();
    let mut look = || {
        for folder in ["data", "run"] {
            for path in all_below(&home.path(folder)) {
                let mode = fs::metadata(&path).unwrap().permissions().mode();
                // What others cannot enter they cannot look into.
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                assert_eq!(mode & 0o077, 0, "{name} is {mode:o}");
                seen.push(name);
            }
        }
    };
    look();
    game.leave();
    look();
    for name in ["p.annexd", "p.annexd-wal", "p.beat", "p.seal", "p.socket"] {
        assert!(
            seen.iter().any(|it| it == name),
            "{name} is not among {seen:?}"
        );
    }
}

#[test]
fn what_a_maintainer_gets_has_faults_and_devices_but_no_names_and_no_words() {
    let home = Home::new();
    fs::create_dir(home.path("config/annexd")).unwrap();
    fs::write(
        home.path("config/annexd/settings.toml"),
        "# Of Quillon.\n[game.event]\nname = \"Vereinsabend Quillon\"\n\
         [game.sides.white]\nname = \"Quillon\"\n\
         [devices]\nmicrophone.black = \"Headset of Quillon\"\n",
    )
    .unwrap();
    let with_diary = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        command.env_remove("ANNEXD_DIARY");
        command
    };
    let usual = ["play", "--text", "--name", "q", "--time", "5m"];
    let mut game = Talk::with(with_diary(&usual));
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    game.types("e2e4");
    game.wait_for("Eva zwei Eva vier", 1);
    game.leave();
    let failed = with_diary(&["show", "Zephyrine-1"]).output().unwrap();
    assert!(!failed.status.success());
    let bundle = |name: &str, more: &[&str]| {
        let path = home.path(name);
        let path = path.to_str().unwrap();
        let mut check = with_diary(&[&["check", "--bundle", path][..], more].concat());
        let output = check.output().unwrap();
        (output, fs::read_to_string(path).unwrap())
    };
    let (output, report) = bundle("without.txt", &[]);
    assert!(text(&output).contains("without.txt"), "{}", text(&output));
    for part in [
        "commit: ",
        "\"part\":",
        "ERROR",
        "ended: ",
        "annexd begins: ",
        "command=\"play\"",
        "a game begins is_resumed=false mode=",
        "a game is left is_over=false",
        "\"event\": {",
        "{\"opened\":",
        "\"heard\"",
    ] {
        assert!(report.contains(part), "{part} in {report}");
    }
    for private in ["Quillon", "\"e4\"", "anfang", "Zephyrine"] {
        assert!(!report.contains(private), "{private} in {report}");
    }
    let mode = fs::metadata(home.path("without.txt"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o077, 0);
    let (_, whole) = bundle("with.txt", &["--names"]);
    assert!(
        whole.contains("Quillon") && whole.contains("\"e4\""),
        "{whole}"
    );
    let (again, same) = bundle("without.txt", &["--names"]);
    assert_eq!(
        (again.status.code(), same),
        (Some(2), report),
        "{}",
        text(&again)
    );
}
