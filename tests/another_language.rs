//! A language is a folder and no code: `grammar/en` copied to a folder `xx` outside the repository,
//! with a mark in each of its sentences, and nothing that is said to xx lacks the mark.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and touches the world"
)]

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use annexd::board::{Reading, Readings};
use annexd::shell::boards::clocks::{ClockReading, ClockSide, SideReading};
use annexd::shell::boards::dgt::Message;
use shakmaty::{Board, Color, Square};

use self::common::{Home, Talk, text};

/// What each sentence of the new language begins with.
const MARK: &str = "quux";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A place with the languages that there are, and one more.
struct Place {
    home: Home,
}

impl Place {
    fn new() -> Self {
        let home = Home::new();
        let folder = home.path("grammars");
        let grammar = folder.join("grammar");
        for code in ["de", "en", "da", "sv", "xx"] {
            fs::create_dir_all(grammar.join(code)).unwrap();
            let from = if code == "xx" { "en" } else { code };
            for file in fs::read_dir(root().join("grammar").join(from)).unwrap() {
                let file = file.unwrap();
                let name = file.file_name().into_string().unwrap();
                let text = fs::read_to_string(file.path()).unwrap();
                let text = if code == "xx" {
                    marked(&name, &text)
                } else {
                    text
                };
                fs::write(grammar.join(code).join(name), text).unwrap();
            }
        }
        std::os::unix::fs::symlink(root().join("assets"), folder.join("assets")).unwrap();
        Self { home }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.home.command(arguments);
        command.env("ANNEXD_DATA", self.home.path("grammars"));
        // Whoever asks for no language gets that of his system.
        command.env("LANG", "xx_XX.UTF-8");
        command
    }

    /// What a command says to its end.
    fn says(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).stdin(Stdio::null()).output();
        text(&output.unwrap())
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path: PathBuf = self.home.path(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

/// A file of the new language: each text that is said has the mark, and what is typed stays.
fn marked(name: &str, text: &str) -> String {
    let mut page: toml::Table = toml::from_str(text).unwrap();
    match name {
        "lexicon.toml" => {
            page.insert("language".to_owned(), "xx".into());
        }
        "commands.toml" => {}
        "terms.toml" => {
            for key in ["white", "black", "piece", "article", "guideline"] {
                mark(page.get_mut(key).unwrap());
            }
        }
        "console.toml" => mark(page.get_mut("labels").unwrap()),
        "controls.toml" => page.iter_mut().for_each(|(_, it)| mark(&mut it["about"])),
        "scores.toml" => {
            for (part, words) in &mut page {
                if part != "entries" {
                    mark(words);
                }
            }
        }
        "verdict.toml" => {
            let letters = page["verdict_letters"].clone();
            page.iter_mut().for_each(|(_, it)| mark(it));
            page.insert("verdict_letters".to_owned(), letters);
        }
        _ => page.iter_mut().for_each(|(_, it)| mark(it)),
    }
    toml::to_string(&page).unwrap()
}

fn mark(value: &mut toml::Value) {
    match value {
        toml::Value::String(words) => *words = format!("{MARK} {words}"),
        toml::Value::Table(table) => table.iter_mut().for_each(|(_, value)| mark(value)),
        toml::Value::Array(values) => values.iter_mut().for_each(mark),
        _ => {}
    }
}

/// The lines that say something and lack the mark. What is no sentence has not two words after
/// each other.
fn foreign(said: &str) -> Vec<String> {
    let is_word = |word: &&str| {
        let word = word.trim_matches(|letter: char| !letter.is_alphabetic());
        word.chars().count() > 2 && word.chars().skip(1).all(char::is_lowercase)
    };
    let speaks = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.windows(2).any(|pair| pair.iter().all(&is_word))
    };
    let lacks = |line: &&str| !line.to_lowercase().contains(MARK);
    let lines = said.lines().filter(speaks).filter(lacks);
    lines.map(str::to_owned).collect()
}

#[track_caller]
fn is_of_the_language(what: &str, said: &str) {
    assert!(said.to_lowercase().contains(MARK), "{what}: {said}");
    let foreign = foreign(said);
    assert!(foreign.is_empty(), "{what}: {foreign:#?}\n{said}");
}

#[test]
fn commands_and_their_errors_speak_a_language_that_is_only_a_folder() {
    let place = Place::new();
    let player = place.file("player.txt", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6\n");
    let opponent = place.file("opponent.txt", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Zz\n");
    let both = ["--player", &player, "--opponent", &opponent];
    let xx = ["--language", "xx"];
    let json = place.file("s.json", "{\"start\": 5}");
    let kit = place.home.path("kit").display().to_string();
    for (arguments, has_language) in [
        (&[&["reconcile"][..], &both].concat()[..], true),
        (&[&["reconcile"][..], &both].concat()[..], false),
        (
            &[
                "reconcile",
                "--player",
                "/nowhere",
                "--opponent",
                "/nowhere",
            ],
            true,
        ),
        (&["law", "9.2"], true),
        (&["law", "D.2.9"], false),
        (&["law", "47.11"], true),
        (&["score", "show", "/nowhere"], true),
        (&["score", "show", &json], true),
        (&["score", "show", &opponent], true),
        (&["score", "write", &player, "--to", "html"], true),
        (&["score", "write", &player, "--to", "list"], true),
        (&["say", "--voice", "clips", "Qxq"], true),
        (&["games"], false),
        (&["show", "nothing"], false),
        (&["verify", "nothing"], false),
        (&["resume", "nothing"], false),
        (&["run", "/nowhere"], false),
        (&["console", "--game", "nothing"], true),
        (
            &["play", "--text", "--language", "xx", "--edition", "1950"],
            false,
        ),
        (&["check"], true),
        (&["listen", "/nowhere.wav"], false),
        (&["record-kit", &kit], false),
        (&["record-kit", &kit], true),
        (&["board", "replay", "/nowhere"], false),
        (&["clock", "set", "/nowhere", "5", "5:00"], false),
        (&["clock", "set", "/nowhere", "10:00:00", "5:00"], false),
        (&["play", "--terminal", "nobody"], false),
        (&["resume", "--new-pin", "shared"], false),
        (&["board", "watch", "/nowhere", "--position", "8"], false),
        (&["demo", "--game", "/nowhere"], false),
        (&["demo", "--game", &player], false),
        (&["demo", "--game", &opponent], false),
        (&["show", &player], false),
    ] {
        let mut arguments = arguments.to_vec();
        if has_language {
            arguments.extend(xx);
        }
        let said = place.says(&arguments);
        // Its own words follow those of the reader of command lines, which knows English alone.
        let said = said.split("\nerror: ").next().unwrap();
        is_of_the_language(&arguments.join(" "), said);
    }
    let said = place.says(&[&["reconcile"][..], &both, &xx, &["--json"]].concat());
    let said = said.lines().find(|line| line.starts_with('{')).unwrap();
    let said: serde_json::Value = serde_json::from_str(said).unwrap();
    is_of_the_language("paragraph", said["paragraph"].as_str().unwrap());
}

/// The first move of a game on a board with a clock, among bytes that are no message.
fn recording() -> Vec<u8> {
    let clock = |to_move| {
        let side = SideReading {
            time: Duration::from_secs(300),
            ..SideReading::default()
        };
        Message::Clock(ClockReading {
            left: side,
            right: side,
            is_running: true,
            to_move,
            is_battery_low: false,
        })
    };
    let field = |square, reading| Message::Field { square, reading };
    let before = [
        Message::Dump(Box::new(Readings::of(&Board::new()))),
        clock(ClockSide::Left),
        field(Square::E2, Reading::Empty),
        field(Square::E4, Reading::Piece(Color::White.pawn())),
        clock(ClockSide::Right),
    ];
    let after = [
        field(Square::D7, Reading::Empty),
        field(Square::H8, Reading::Empty),
        clock(ClockSide::Left),
    ];
    let bytes = |messages: &[Message]| messages.iter().flat_map(Message::to_bytes).collect();
    let (before, after): (Vec<u8>, Vec<u8>) = (bytes(&before), bytes(&after));
    [before, vec![0x07; 5], after].concat()
}

/// What commands tell of real recordings, and of the models that are there.
#[test]
fn what_is_told_of_recordings_is_in_it() {
    let place = Place::new();
    let tape = place.home.path("tape");
    fs::write(&tape, recording()).unwrap();
    let tape = tape.display().to_string();
    let sounds = ["springer", "ja"].map(|name| {
        let sound = root().join(format!("assets/voice/de/{name}.flac"));
        sound.display().to_string()
    });
    let replay = ["board", "replay", "--kind", "dgt", &tape];
    for arguments in [
        &replay[..],
        &["listen", &sounds[0], &sounds[1]],
        &["model", "list"],
    ] {
        let said = place.says(arguments);
        is_of_the_language(&arguments.join(" "), &said);
    }
    // A program reads the same, whatever language a person has.
    let said = place.says(&[&replay[..], &["--json"]].concat());
    assert!(said.contains("5 bytes are no message"), "{said}");
    assert!(!said.contains(MARK), "{said}");
}

/// What a board and its clock say at a port, to the end of their line.
#[cfg(all(feature = "serial", unix))]
#[test]
fn what_devices_report_is_told_in_it() {
    let place = Place::new();
    let game = root().join("tests/captures/short.pgn");
    let game = game.to_str().unwrap();
    for (device, report) in [("board", "e2e4"), ("clock", "clock: left")] {
        let simulate = ["board", "simulate", "--kind", "dgt", "--pace", "100"];
        let simulate = [&simulate[..], &["--game", game]].concat();
        let simulated = Talk::with(place.command(&simulate));
        simulated.wait_for("/", 1);
        let port = simulated.lines()[0].trim().to_owned();
        let mut watch = place.command(&[device, "watch", &port]);
        if device == "board" {
            // On a busy machine a board answers too late to be found by trying.
            watch.args(["--kind", "dgt"]);
        }
        let watched = Talk::with(watch);
        simulated.leave();
        watched.wait_for("lost", 1);
        let said = watched.kill().join("\n");
        assert!(said.contains(report), "{said}");
        is_of_the_language(device, &said);
    }
}

/// The table of the demonstration speaks German, and what is told of it is in the language of
/// whoever looks on.
#[cfg(feature = "recognizer")]
#[test]
fn a_demonstration_is_told_in_it() {
    let place = Place::new();
    let game = "[SetUp \"1\"]\n[FEN \"7k/8/6K1/8/8/8/R7/8 b - - 0 40\"]\n[Result \"1-0\"]\n\n\
                40... Kg8 41. Ra8# 1-0\n";
    let said = place.says(&["demo", "--game", &place.file("game.pgn", game)]);
    let is_at_the_table = |line: &&str| line.starts_with("0:");
    let told: Vec<&str> = said.lines().filter(|it| !is_at_the_table(it)).collect();
    let told = told.join("\n");
    assert!(told.contains("a cough was ignored"), "{said}");
    is_of_the_language("demo", &told);
}

/// What is said in a game that is written down, each after its key.
#[test]
fn a_game_that_is_run_speaks_it() {
    let place = Place::new();
    let games = root().join("tests/games");
    for name in ["D.2.9-own-words", "C.13-castling"] {
        let game = fs::read_to_string(games.join(format!("{name}.txt"))).unwrap();
        let kept = |line: &&str| !line.starts_with("    ");
        let game: Vec<&str> = game.lines().filter(kept).collect();
        let game = game
            .join("\n")
            .replacen("profile ", "profile language=xx ", 1);
        let file = place.file("game.txt", &format!("{game}\n"));
        let said = place.says(&["run", &file]);
        for quoted in said.lines().filter_map(|line| line.split_once('"')) {
            is_of_the_language(name, quoted.1);
        }
    }
}

/// A game at the keyboard with an arbiter at a console, to the record.
#[test]
fn a_game_by_typing_speaks_it() {
    let place = Place::new();
    let pin = place.home.pin_file("4711");
    let own = ["play", "--text", "--name", "g", "--language", "xx"];
    let rest = ["--blind", "white", "--time", "5m", "--arbiter"];
    let pin = ["--arbiter-pin-file", &pin];
    let mut game = Talk::with(place.command(&[&own[..], &rest, &pin].concat()));
    game.wait_for("Help says", 1);
    let console = ["console", "--game", "g", "--role", "arbiter"];
    let mut arbiter = Talk::with(place.command(&console));
    arbiter.wait_for("PIN", 1);
    arbiter.types("4711");
    arbiter.wait_for("console", 1);
    for line in ["help", "folly and more", "white: time"] {
        game.types(line);
    }
    game.wait_for("private and needs", 1);
    for (line, said) in [
        ("adapt draws.fivefold = \"never\" by Anna", "draws.fivefold"),
        ("adapt folly = 3 by Anna", "folly"),
        ("adapt blind.languages = [\"zz\"] by Anna", "zz"),
        ("set white one", "time"),
        ("adapt blind.languages = [\"xx\"] by Anna", "spoken now"),
        ("approve Anna", "approved"),
        ("start", "begins"),
    ] {
        let before = arbiter
            .lines()
            .iter()
            .filter(|it| it.contains(said))
            .count();
        arbiter.types(line);
        arbiter.wait_for(said, before + 1);
    }
    for line in [
        "white: e2e4",
        "black: e2e4",
        "white: executed",
        "white: clock",
        "black: draw offer",
    ] {
        game.types(line);
    }
    game.types("black: sheet black 1. e4 Zz");
    game.wait_for("English letters", 1);
    arbiter.types("compare");
    arbiter.wait_for("scores", 1);
    arbiter.types("result 1-0");
    arbiter.wait_for("1-0", 1);
    let told = arbiter.leave().join("\n");
    let said = game.leave().join("\n");
    is_of_the_language("console", &told);
    is_of_the_language("play", &said);
    for arguments in [
        &["show", "g"][..],
        &["show", "g", "--decisions"],
        &["games"],
        &["verify", "g"],
        &["score", "show", "g"],
    ] {
        let said = place.says(arguments);
        assert!(
            foreign(&said).is_empty(),
            "{arguments:?}: {:#?}",
            foreign(&said)
        );
    }
}

/// The spoken set-up, where it is typed.
#[test]
fn a_set_up_speaks_it() {
    let place = Place::new();
    let mut talk = Talk::with(place.command(&["play", "--set-up", "--text"]));
    for line in [
        "help", "yes", "folly", "help", "no", "back", "no", "no", "", "", "",
    ] {
        talk.types(line);
    }
    let said = talk.leave().join("\n");
    is_of_the_language("set-up", &said);
}
