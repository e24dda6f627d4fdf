//! Records that earlier versions wrote still give their games.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and the records are files"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use annexd::game::{Device, Game, Input, Profile, Ruling};
use annexd::journal::{Body, Entry, FORMAT, Opened, SoundFile, replay};
use annexd::moment::Moment;
use annexd::persons::Person;
use annexd::phrases::{Phrase, PhraseKey};
use annexd::score::to_pgn;
use annexd::shell::record::recorder::Recorder;
use annexd::shell::record::store::{Store, read};
use annexd::shell::table::{Reader, Report, Seat, Table};
use shakmaty::Color;

/// The files of a format whose names end so.
fn files(format: u32, ending: &str) -> Vec<PathBuf> {
    let found = fs::read_dir(folder(format)).unwrap();
    let found = found.map(|file| file.unwrap().path());
    found
        .filter(|path| path.extension().is_some_and(|it| it == ending))
        .collect()
}

fn folder(format: u32) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/journals/v{format}"))
}

/// White's score of a game stands beside its record.
#[track_caller]
fn gives_its_score(entries: &[Entry], path: &Path) {
    let replayed = replay(entries).unwrap();
    let score = to_pgn(replayed.game.score(Color::White));
    let expected = fs::read_to_string(path.with_extension("pgn")).unwrap();
    assert_eq!(score, expected, "{}", path.display());
}

/// Each `.jsonl` is a record as `annexd show --jsonl` printed it.
#[test]
fn records_of_all_versions_replay_to_their_scores() {
    let records = files(1, "jsonl");
    assert!(!records.is_empty());
    for path in records {
        let text = fs::read_to_string(&path).unwrap();
        let entries: Vec<Entry> = text
            .lines()
            .enumerate()
            .map(|(index, line)| {
                serde_json::from_str(line)
                    .unwrap_or_else(|error| panic!("{}:{}: {error}", path.display(), index + 1))
            })
            .collect();
        gives_its_score(&entries, &path);
    }
}

/// Each `.annexd` is a game's file as it was left, with its heartbeat and its seal.
#[test]
fn files_of_all_versions_are_whole_and_replay_to_their_scores() {
    let games = files(1, "annexd");
    assert!(!games.is_empty());
    for path in games {
        // Reading may leave files beside a game's, which do not belong into the project.
        let home = tempfile::tempdir().unwrap();
        let copy = |ending: &str| {
            let name = path.with_extension(ending);
            let to = home.path().join(name.file_name().unwrap());
            fs::copy(&name, &to).unwrap();
            to
        };
        let [game, _, _] = ["annexd", "seal", "beat"].map(copy);
        let verified = Command::new(env!("CARGO_BIN_EXE_annexd"))
            .arg("verify")
            .arg(&game)
            .output()
            .unwrap();
        assert!(verified.status.success(), "{verified:?}");
        let record = read(&game).unwrap();
        assert_eq!((record.broken, record.cut_off), (None, None));
        gives_its_score(&record.entries, &path);
        holds_everything(&record.entries);
        replay(&record.entries).unwrap().locked.unwrap();
    }
}

/// Every kind of entry, and of what is recorded besides words, is there.
fn holds_everything(entries: &[Entry]) {
    let name = |value: &serde_json::Value| match value {
        serde_json::Value::Object(map) => map.keys().next().unwrap().clone(),
        other => other.as_str().unwrap().to_owned(),
    };
    let mut kinds = BTreeMap::<String, BTreeSet<String>>::new();
    for entry in entries {
        let body = serde_json::to_value(&entry.body).unwrap();
        let kind = kinds.entry(name(&body)).or_default();
        kind.extend(body["step"].get("input").map(name));
    }
    let bodies: Vec<&str> = kinds.keys().map(String::as_str).collect();
    let all = [
        "gap", "locked", "note", "opened", "resumed", "shed", "sound", "step", "told",
    ];
    assert_eq!(bodies, all);
    for input in [
        "board",
        "clock_reads",
        "clock_tells",
        "device",
        "failed",
        "heard",
        "pressed",
        "resumed",
        "ruling",
        "voice",
        "white_sits_at",
    ] {
        assert!(kinds["step"].contains(input), "{input}");
    }
}

struct NobodyTypes;

impl Reader for NobodyTypes {
    fn read(&mut self, _: &Game, _: Seat, _: &str) -> Result<Vec<Report>, Phrase> {
        Ok(Vec::new())
    }
}

/// A game at a real table with a real record, which takes what it is given each second.
struct Play {
    table: Table,
    now: u64,
}

const PASSPHRASE: &str = "a long night in Reykjavik";
const BEGUN_MS: u64 = 1_795_000_000_000;

impl Play {
    fn wall_ms(&self) -> u64 {
        BEGUN_MS + self.now
    }

    fn take(&mut self, report: Report) {
        self.now += 1000;
        let now = Moment::from_ms(self.now);
        self.table.take(now, self.wall_ms(), vec![report]);
    }

    /// What happens, as records write it.
    fn take_json(&mut self, input: &str) {
        let input: Input = serde_json::from_str(input).unwrap();
        self.take(Report::Input(input));
    }

    /// A side announces and plays a move, on a board and a chessclock with sensors.
    fn plays(&mut self, side: &str, piece: &str, [from, to]: [&str; 2], placement: &str) {
        let other = if side == "white" { "black" } else { "white" };
        let role = match piece {
            "N" | "n" => "\"knight\"",
            _ => "null",
        };
        for input in [
            format!(
                r#"{{"heard":{{"origin":{{"microphone":"{side}"}},"heard":{{"clear":{{"move":{{"move":
                {{"piece":{role},"from":"{from}","to":"{to}","capture":false,"promotion":null,
                "mark":null}}}}}}}}}}}}"#
            ),
            format!(
                r#"{{"board":{{"board":"{side}","fact":{{"lifted":{{"square":"{from}","piece":"{piece}"}}}}}}}}"#
            ),
            format!(
                r#"{{"board":{{"board":"{side}","fact":{{"placed":{{"square":"{to}","piece":"{piece}"}}}}}}}}"#
            ),
            format!(r#"{{"board":{{"board":"{side}","fact":{{"settled":"{placement}"}}}}}}"#),
            format!(r#"{{"pressed":{{"side":"{side}","means":"chessclock"}}}}"#),
            format!(
                r#"{{"clock_reads":{{"left":{{"white":{{"secs":5000,"nanos":0}},"black":
                {{"secs":4990,"nanos":0}}}},"running":"{other}"}}}}"#
            ),
        ] {
            self.take_json(&input);
        }
    }

    fn gap(&mut self) {
        self.table.recorder().limit(0);
        // Until the pages that there are already are full.
        while !self.table.recorder().has_gap() {
            self.take(Report::Note(PhraseKey::DiskLost.into()));
        }
        self.take(Report::GoOnUnrecorded(Person::Arbiter));
        self.table.recorder().limit(1 << 30);
        while self.table.recorder().has_gap() {
            self.take(Report::GoOnUnrecorded(Person::Arbiter));
        }
    }

    /// Whatever devices do besides.
    fn devices(&mut self) {
        let device = Device::Gamepad(Color::White);
        for present in [false, true] {
            self.take(Report::Input(Input::Device { device, present }));
        }
        self.take_json(
            r#"{"failed":{"device":{"microphone":"white"},"fault":{"part":"microphone",
            "reason":"gone","remedy":"type","detail":"mouth"}}}"#,
        );
        self.take_json(r#"{"clock_tells":"battery_low"}"#);
        self.take(Report::Shed {
            device: "board".to_owned(),
            reports: 3,
        });
        self.take(Report::Sound(SoundFile {
            file: "1.flac".to_owned(),
            microphone: Some(Color::White),
            until: Moment::from_ms(self.now),
            ms: 1800,
            sha256: "0".repeat(64),
        }));
    }
}

/// Made once for each format, with the program that wrote it first.
#[test]
#[ignore = "writes the game of a new format, which is then kept as it is"]
fn a_game_in_which_everything_happens_is_written() {
    let path = folder(FORMAT).join("everything.annexd");
    if path.exists() {
        println!(
            "skipped: {} is there, and is not to be changed",
            path.display()
        );
        return;
    }
    fs::create_dir_all(folder(FORMAT)).unwrap();
    let profile: Profile = serde_json::from_str(
        r#"{"mode":"club","arbiter":true,"time_control":"90m+30s","clock":"read",
        "adjournment":true,"two_boards":true,"sides":{"white":{"name":"Anna","board":"pieces",
        "visually_disabled":true,"ear":true},"black":{"name":"Bruno","board":"pieces"}}}"#,
    )
    .unwrap();
    let opened = Opened {
        format: FORMAT,
        program: format!("annexd {}", env!("CARGO_PKG_VERSION")),
        profile: profile.clone(),
    };
    let mut play = begun(Store::create(&path).unwrap(), Game::new(profile), 0, opened);
    play.take(Report::Input(Input::Ruling(Ruling::Start)));
    play.take_json(r#"{"white_sits_at":"left"}"#);
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    play.plays("white", "P", ["e2", "e4"], after);
    play.devices();
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    play.plays("black", "p", ["e7", "e5"], after);
    play.gap();
    let seat = Seat::Of(Person::Arbiter);
    play.take(Report::Passphrase {
        seat,
        passphrase: PASSPHRASE.to_owned(),
        ruling: Ruling::Adjourn,
    });
    play.take_json(
        r#"{"act":{"person":{"player":"white"},"act":{"seal":{"move":{"piece":"knight",
        "from":"g1","to":"f3","capture":false,"promotion":null,"mark":null}}}}}"#,
    );
    play.take_json(r#"{"pressed":{"side":"white","means":"chessclock"}}"#);
    let lost = play.table.close(Moment::from_ms(play.now), play.wall_ms());
    assert_eq!(lost.entries, []);

    let (store, entries) = Store::resume(&path).unwrap();
    let replayed = replay(&entries).unwrap();
    let resumed = Body::Resumed {
        away_ms: 60_000,
        charged: false,
        program: "annexd".to_owned(),
    };
    let now = play.now;
    let mut play = continued(store, replayed.game, now, resumed);
    play.table = play.table.with_locked(replayed.locked);
    play.take(Report::Input(Input::Resumed));
    play.take(Report::OpenEnvelope {
        seat,
        passphrase: PASSPHRASE.to_owned(),
    });
    play.take_json(r#"{"ruling":{"resume":{"present":"both"}}}"#);
    play.take_json(r#"{"ruling":{"result":"1/2-1/2"}}"#);
    assert!(play.table.game().ending().is_some());
    let score = to_pgn(play.table.game().score(Color::White));
    let lost = play.table.close(Moment::from_ms(play.now), play.wall_ms());
    assert_eq!(lost.entries, []);
    fs::write(path.with_extension("pgn"), score).unwrap();
}

fn begun(store: Store, game: Game, now: u64, opened: Opened) -> Play {
    continued(store, game, now, Body::Opened(Box::new(opened)))
}

fn continued(store: Store, game: Game, now: u64, body: Body) -> Play {
    let mut recorder = Recorder::new(store);
    let entry = Entry {
        seq: 0,
        at: Moment::from_ms(now),
        wall_ms: BEGUN_MS + now,
        body,
    };
    recorder.write_heartbeat(Moment::from_ms(now), BEGUN_MS + now);
    recorder.append(Moment::from_ms(now), BEGUN_MS + now, vec![entry]);
    let table = Table::new(game, recorder, Box::new(NobodyTypes));
    Play { table, now }
}
