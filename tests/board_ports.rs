//! The real program against simulated boards: one simulates, one watches, and between them is a
//! pseudo-terminal at the speed of the line.
#![cfg(all(feature = "serial", unix))]
#![expect(
    clippy::disallowed_methods,
    reason = "processes, files and their watching are what is tested"
)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};

use annexd::shell::boards::Kind;
use annexd::shell::boards::simulate::{
    Behaviour, PlayedGame, SimulatedPort, SimulationSettings, read_games,
};
use clap::ValueEnum as _;
use serde_json::Value;
use shakmaty::CastlingMode;

const SHORT: &str = "tests/captures/short.pgn";

/// How long a busy machine may take over what a quiet one does at once.
const PATIENCE: Duration = Duration::from_secs(120);

/// A process that does not outlive its test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn annexd(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_annexd"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("annexd starts")
}

fn game_of(file: &Path) -> PlayedGame {
    let file = std::fs::File::open(file).expect("the game is there");
    let games = read_games(file, 1).expect("it is a game");
    games.into_iter().next().expect("there is one")
}

fn moves_of(game: &Path) -> Vec<String> {
    game_of(game)
        .1
        .iter()
        .map(|played| played.to_uci(CastlingMode::Standard).to_string())
        .collect()
}

/// Plays a game on a simulated board, watches it, and gives what was reported.
struct Played {
    made: Vec<String>,
    last_seen: Option<(u64, String)>,
    seen: Vec<(u64, String)>,
    times: Vec<Duration>,
    lines: Vec<Value>,
}

fn play(kind: &str, game: &Path, behaviours: &str, seed: u64, pace_ms: u64) -> Played {
    let named: Kind = kind.parse().expect("a kind");
    let mut settings = SimulationSettings::new(named);
    settings.seed = seed;
    settings.pace = Duration::from_millis(pace_ms);
    settings.behaviours = behaviours
        .split(',')
        .map(|name| Behaviour::from_str(name, false).expect("a behaviour"))
        .collect();
    let (start, played) = game_of(game);
    // The cable stays in until the watcher has told everything, however late that is.
    let port = SimulatedPort::open(settings, start).expect("a pseudo-terminal");
    // A move is made when the one before was seen or told, however late that is read. Who loses
    // bytes may miss one, and a slow line must not fall behind.
    let is_paced = ["lost-bytes", "slow-line"]
        .iter()
        .any(|it| behaviours.contains(it));
    let mut coming = played.into_iter();
    let mut under_way = 0_u64;
    let path = port.path().to_string_lossy();
    let watched = ["board", "watch", &path, "--kind", kind, "--json"];
    let mut watcher = Process(annexd(&watched));
    let mut stdin = watcher.0.stdin.take().expect("piped");
    let reader = BufReader::new(watcher.0.stdout.take().expect("piped"));
    let moves = moves_of(game);
    let begun = Instant::now();
    let mut played = Played {
        made: Vec::new(),
        last_seen: None,
        seen: Vec::new(),
        times: Vec::new(),
        lines: Vec::new(),
    };
    let limit = Duration::from_millis((pace_ms * 3 + 500) * moves.len() as u64) + PATIENCE;
    announce(&mut stdin, &moves, 0);
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in reader.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    while let Ok(line) = lines.recv_timeout(limit.saturating_sub(begun.elapsed())) {
        let value: Value = serde_json::from_str(&line).expect("one object per line");
        if let Some(made) = value["move"].as_str() {
            played.made.push(made.to_owned());
            played.times.push(begun.elapsed());
        }
        let is_there = under_way == 0 && value["board"].is_string();
        let is_made = under_way > 0 && value["ply"].as_u64() == Some(under_way);
        if let (Some(seen), Some(ply)) = (value["seen"].as_str(), value["ply"].as_u64()) {
            played.last_seen = Some((ply, seen.to_owned()));
            played.seen.push((ply, seen.to_owned()));
            announce(&mut stdin, &moves, ply as usize);
        }
        if is_there || is_made {
            let count = if is_paced { moves.len() } else { 1 };
            for next in coming.by_ref().take(count) {
                under_way += 1;
                port.make(next);
            }
        }
        played.lines.push(value);
        let is_seen_last = played
            .last_seen
            .as_ref()
            .is_some_and(|(ply, _)| *ply as usize == moves.len());
        let is_last = played.made.len() == moves.len() || (kind != "dgt" && is_seen_last);
        if is_last {
            break;
        }
    }
    played
}

/// The player announces the next move; boards that sense occupancy only need that.
fn announce(stdin: &mut ChildStdin, moves: &[String], ply: usize) {
    if let Some(next) = moves.get(ply) {
        let _ = writeln!(stdin, "{next}");
    }
}

fn check(kind: &str, game: &Path, behaviours: &str, seed: u64, pace_ms: u64) -> Played {
    let moves = moves_of(game);
    let played = play(kind, game, behaviours, seed, pace_ms);
    let mut found = played.made.clone();
    // Without a lever the last move waits for the next; and a lost byte may be the lever's.
    if (kind != "dgt" || behaviours.contains("lost-bytes"))
        && let Some((ply, seen)) = &played.last_seen
        && *ply as usize == found.len() + 1
    {
        found.push(seen.clone());
    }
    let last = &played.lines[played.lines.len().saturating_sub(20)..];
    let last: Vec<String> = last.iter().map(Value::to_string).collect();
    let last = last.join("\n");
    assert_eq!(
        found, moves,
        "{kind} with {behaviours} and seed {seed}:\n{last}"
    );
    assert!(
        played.lines.iter().all(|line| line["taken_back"].is_null()),
        "{kind}: a move was told too early"
    );
    played
}

/// No move was spoken of before it was there.
fn check_patience(moves: &[String], played: &Played) {
    for (ply, seen) in &played.seen {
        assert_eq!(*seen, moves[*ply as usize - 1], "spoken too early at {ply}");
    }
}

/// Every second of a running clock was read, but for the time in which the cable was out.
fn check_readings(played: &Played) {
    let mut last: Option<(String, u64)> = None;
    let mut count = 0;
    for line in &played.lines {
        if !line["lost"].is_null() {
            last = None;
        }
        let Some(side) = line["clock"]["to_move"].as_str() else {
            continue;
        };
        let Some(seconds) = line["clock"][side]["seconds"].as_u64() else {
            continue;
        };
        if let Some((before, shown)) = &last
            && *before == side
        {
            assert!(
                seconds + 1 >= *shown,
                "{shown} and then {seconds} on the {side}"
            );
        }
        last = Some((side.to_owned(), seconds));
        count += 1;
    }
    assert!(count > played.made.len(), "only {count} readings");
}

fn short() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(SHORT)
}

#[test]
fn a_short_game_on_a_dgt_board() {
    let hands = "slides,swaps,drags,nudges,rook-first,stale-acks,hostile";
    let played = check("dgt", &short(), hands, 3, 700);
    let has = |field: &str| played.lines.iter().any(|line| !line[field].is_null());
    assert!(has("clock") && has("pressed") && has("board"));
    check_readings(&played);
}

#[test]
fn a_short_game_on_a_dgt_board_unplugged_in_the_middle_of_a_move() {
    let played = check("dgt", &short(), "unplug,slides", 7, 700);
    let lost = played.lines.iter().filter(|line| !line["lost"].is_null());
    let returned = played
        .lines
        .iter()
        .filter(|line| !line["returned"].is_null());
    assert_eq!((lost.count(), returned.count()), (1, 1));
}

#[test]
fn a_short_game_over_a_line_that_is_four_times_too_slow() {
    check(
        "dgt",
        &short(),
        "slow-line,slides,swaps,stale-acks",
        8,
        1000,
    );
}

#[test]
fn a_short_game_on_a_chesslink_board() {
    check(
        "chesslink",
        &short(),
        "slides,swaps,drags,nudges,rook-first",
        4,
        900,
    );
}

#[test]
fn a_short_game_on_a_peg_board() {
    check(
        "cpp",
        &short(),
        "slides,swaps,drags,nudges,rook-first",
        5,
        900,
    );
}

#[test]
fn a_short_game_on_a_board_that_senses_occupancy_only() {
    check(
        "occupancy",
        &short(),
        "slides,swaps,nudges,rook-first",
        6,
        900,
    );
}

/// The kind of board that is found out at a port.
fn kind_found(port: &str) -> Option<String> {
    let mut watcher = Process(annexd(&["board", "watch", port, "--json", "--time", "120"]));
    let reader = BufReader::new(watcher.0.stdout.take().expect("piped"));
    reader.lines().map_while(Result::ok).find_map(|line| {
        let value: Value = serde_json::from_str(&line).ok()?;
        value["kind"].as_str().map(str::to_owned)
    })
}

#[test]
fn the_protocol_is_found_out() {
    let game = short();
    let game_name = game.to_string_lossy();
    let mut simulator = Process(annexd(&[
        "board",
        "simulate",
        "--kind",
        "chesslink",
        "--game",
        &game_name,
        "--pace",
        "2000",
    ]));
    let mut out = BufReader::new(simulator.0.stdout.take().expect("piped"));
    let mut port = String::new();
    out.read_line(&mut port).expect("it prints its port");
    // On a busy machine the board may answer later than is waited for. Then it is looked for again.
    let found = (0..5).find_map(|_| kind_found(port.trim()));
    assert_eq!(found.as_deref(), Some("chesslink"));
}

#[test]
fn a_clock_is_set_and_says_so() {
    let game = short();
    let game_name = game.to_string_lossy();
    let mut simulator = Process(annexd(&[
        "board",
        "simulate",
        "--kind",
        "dgt",
        "--game",
        &game_name,
        "--pace",
        "5000",
        "--behaviour",
        "stale-acks",
    ]));
    let mut out = BufReader::new(simulator.0.stdout.take().expect("piped"));
    let mut port = String::new();
    out.read_line(&mut port).expect("it prints its port");
    let set = Command::new(env!("CARGO_BIN_EXE_annexd"))
        .args(["clock", "set", port.trim(), "5:00", "4:30", "--run", "left"])
        .output()
        .expect("annexd starts");
    assert!(set.status.success(), "{set:?}");
    let mut watcher = Process(annexd(&[
        "clock",
        "watch",
        port.trim(),
        "--json",
        "--time",
        "120",
    ]));
    let reader = BufReader::new(watcher.0.stdout.take().expect("piped"));
    let right = reader.lines().map_while(Result::ok).find_map(|line| {
        let value: Value = serde_json::from_str(&line).ok()?;
        value["clock"]["right"]["seconds"].as_u64()
    });
    assert_eq!(right, Some(270));
}

/// Ten whole games of each protocol, with everything that hands and lines do.
fn soak(kind: &str, behaviours: &str) {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games/twic1599_100k.pgn");
    let Ok(file) = std::fs::File::open(&games) else {
        eprintln!("skipped: there is no {}", games.display());
        return;
    };
    let folder = std::env::temp_dir();
    let games = read_games(file, 10).expect("they are games");
    let threads: Vec<_> = games
        .into_iter()
        .enumerate()
        .map(|(index, (_, moves))| {
            let path = folder.join(format!(
                "annexd-soak-{kind}-{index}-{}.pgn",
                std::process::id()
            ));
            let mut position = shakmaty::Chess::default();
            let mut text = String::new();
            for played in moves {
                let san =
                    shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut position, played);
                text.push_str(&format!("{san} "));
            }
            std::fs::write(&path, format!("{text}*\n")).expect("a game can be written");
            let (kind, behaviours) = (kind.to_owned(), behaviours.to_owned());
            std::thread::spawn(move || {
                let played = check(&kind, &path, &behaviours, index as u64, 900);
                if kind != "occupancy" {
                    check_patience(&moves_of(&path), &played);
                }
                if kind == "dgt" {
                    check_readings(&played);
                }
                let _ = std::fs::remove_file(path);
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("every move is right");
    }
}

/// Everything that hands and lines do.
const HANDS: &str = "slides,swaps,drags,nudges,rook-first,knocks";
const LINE: &str = "unplug,slow-line,hostile";

#[test]
#[ignore = "ten whole games in real time: make soak"]
fn whole_games_on_a_dgt_board() {
    soak("dgt", &format!("{HANDS},{LINE},stale-acks"));
}

#[test]
#[ignore = "ten whole games in real time: make soak"]
fn whole_games_on_a_chesslink_board() {
    soak("chesslink", &format!("{HANDS},{LINE}"));
}

#[test]
#[ignore = "ten whole games in real time: make soak"]
fn whole_games_on_a_peg_board() {
    soak("cpp", &format!("{HANDS},{LINE}"));
}

#[test]
#[ignore = "ten whole games in real time: make soak"]
fn whole_games_on_a_board_that_senses_occupancy_only() {
    soak("occupancy", "slides,swaps,nudges,rook-first");
}
