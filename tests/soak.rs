//! A day at the table, accelerated: no memory and no descriptor is lost.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads what the system says of the process"
)]

mod common;

use annexd::game::{Game, Mode, Profile, Ruling};
use annexd::journal::{Body, Entry, FORMAT, Opened};
use annexd::moment::Moment;
use annexd::shell::console::Pins;
use annexd::shell::console_words::ConsoleWords;
use annexd::shell::data;
use annexd::shell::recorder::Recorder;
use annexd::shell::store::Store;
use annexd::shell::table::{Report, Seat, Table};
use annexd::shell::typing::Typist;
use common::{MOVES, typed_move};

/// How long a game lasts: 24 of them are a day.
const GAME_MS: u64 = 3_600_000;

#[test]
fn three_hours_leave_nothing_behind() {
    play_hours(3, 1);
}

#[test]
#[ignore = "long: make soak"]
fn a_day_leaves_nothing_behind() {
    play_hours(24, 20);
}

/// Plays a game an hour, with idle time as a player spends it, and looks at the process after
/// the first and the last.
fn play_hours(hours: u64, rounds: u64) {
    let folder = tempfile::tempdir().unwrap();
    play_hour(&folder.path().join("warm.annexd"), 10);
    let before = (memory_kb(), descriptors());
    for hour in 0..hours {
        play_hour(&folder.path().join(format!("{hour}.annexd")), 100 * rounds);
    }
    let after = (memory_kb(), descriptors());
    println!(
        "soak: {hours} simulated hours, memory {} kB before, {} kB after, descriptors {} and {}",
        before.0, after.0, before.1, after.1
    );
    // Other tests of this process may hold a few descriptors of their own just now.
    assert!(after.1 <= before.1 + 2, "{before:?} {after:?}");
    let grown = after.0.saturating_sub(before.0);
    assert!(grown * 20 <= before.0.max(40_000), "{before:?} {after:?}");
}

fn play_hour(path: &std::path::Path, wakes: u64) {
    let mut profile = Profile {
        mode: Mode::Club,
        arbiter: false,
        ..Profile::default()
    };
    profile.sides.white.ear = false;
    let opening = Entry {
        seq: 0,
        at: Moment::START,
        wall_ms: 0,
        body: Body::Opened(Box::new(Opened {
            format: FORMAT,
            program: "soak".to_owned(),
            profile: profile.clone(),
        })),
    };
    let mut recorder = Recorder::new(Store::create(path).unwrap());
    recorder.append(Moment::START, 0, vec![opening]);
    let words = ConsoleWords::parse(&data::grammar_text("de", "console.toml").unwrap()).unwrap();
    let reader = Typist::new(data::lexicon("de").unwrap(), words, Pins::default());
    let mut table = Table::new(Game::new(profile), recorder, Box::new(reader));
    let start = Report::Input(annexd::game::Input::Ruling(Ruling::Start));
    table.take(Moment::START, 0, vec![start]);
    for ply in 0..MOVES.len() {
        let base = GAME_MS / MOVES.len() as u64 * ply as u64;
        for wake in 0..wakes {
            table.take(Moment::from_ms(base + wake * 50), 0, Vec::new());
        }
        for (index, text) in typed_move(ply).into_iter().enumerate() {
            let at = Moment::from_ms(base + wakes * 50 + index as u64 * 700);
            let seat = Seat::Shared;
            table.take(at, 0, vec![Report::Typed { seat, text }]);
        }
    }
    assert!(table.game().ending().is_some());
}

fn memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}
