//! A day at the table, accelerated: no memory and no descriptor is lost.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads what the system says of the process"
)]

use crate::common;
#[cfg(all(feature = "audio", feature = "voice"))]
use crate::room;

use annexd::game::{Game, Mode, Profile, Ruling};
use annexd::journal::{Body, Entry, FORMAT, Opened};
use annexd::moment::Moment;
use annexd::shell::config::data;
use annexd::shell::consoles::languages::ConsoleLanguages;
use annexd::shell::consoles::words::ConsoleWords;
use annexd::shell::record::recorder::Recorder;
use annexd::shell::record::store::Store;
use annexd::shell::table::{Report, Seat, Table};
use annexd::shell::typed::line::{Keys, Typist, Vocabulary};
use common::{Home, MOVES, Talk, typed_move};
use std::collections::BTreeMap;
use std::thread;
use std::time::{Duration, Instant};

/// How long a game lasts: 24 of them are a day.
const GAME_MS: u64 = 3_600_000;

/// In a process of its own: here other tests take memory and descriptors meanwhile.
#[test]
fn three_hours_leave_nothing_behind() {
    let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
    alone.args(["--ignored", "--exact", "soak::three_hours_in_this_process"]);
    let output = alone.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "run by the test above, in a process of its own"]
fn three_hours_in_this_process() {
    play_hours(3, 1);
}

#[test]
#[ignore = "long: make soak"]
fn a_day_leaves_nothing_behind() {
    play_hours(24, 20);
}

#[test]
#[ignore = "half an hour in real time: make soak"]
fn half_an_hour_in_real_time_leaves_nothing_behind() {
    let minutes = std::env::var("ANNEXD_SOAK_MINUTES");
    let minutes: u64 = minutes.map_or(30, |text| text.parse().unwrap());
    play_in_real_time(Duration::from_secs(minutes * 60));
}

/// Plays slowly with everything there is: voices, a microphone that hears them, sound that is
/// kept, questions without end, consoles that come and go.
fn play_in_real_time(length: Duration) {
    let home = Home::new();
    std::fs::create_dir(home.path("config/annexd")).unwrap();
    let settings = "[game.sides.white]\nconsents_to_recording = true\n\
                    [game.sides.black]\nconsents_to_recording = true\n";
    std::fs::write(home.path("config/annexd/settings.toml"), settings).unwrap();
    #[cfg_attr(
        not(all(feature = "audio", feature = "voice")),
        expect(unused_mut, reason = "without sound nothing is added")
    )]
    let mut command = home.command(&["play", "--name", "slow", "--time", "180m"]);
    #[cfg(all(feature = "audio", feature = "voice"))]
    let room = room::Room::open("soak");
    #[cfg(all(feature = "audio", feature = "voice"))]
    if let Some(room) = &room {
        room.with(&mut command);
        command.env("XDG_RUNTIME_DIR", home.path("run"));
    }
    let mut game = Talk::with(command);
    let process = game.child.id().to_string();
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    let begun = Instant::now();
    // After a sixth everything that is made once has been made.
    let warm = length / 6;
    let mut before = (Vec::new(), 0);
    let mut after = (Vec::new(), 0);
    let mut moves = (0..MOVES.len() - 1).flat_map(typed_move);
    let mut questions = 0_u64;
    while begun.elapsed() < length {
        for line in ["weiß: wer ist am zug", "schwarz: züge", "weiß: letzter zug"] {
            game.types(line);
            questions += 1;
            thread::sleep(Duration::from_millis(400));
        }
        if questions.is_multiple_of(42) {
            if let Some(line) = moves.next() {
                game.types(&line);
            }
            let console = home.console("slow", "assistant", "7305");
            thread::sleep(Duration::from_millis(300));
            console.leave();
        }
        let now = (memory_of(&process), descriptors_of(&process));
        let note = |seen: &mut (Vec<u64>, usize)| {
            seen.0.push(now.0);
            seen.1 = seen.1.max(now.1);
        };
        if begun.elapsed() > warm && begun.elapsed() < warm * 2 {
            note(&mut before);
        } else if begun.elapsed() + warm > length {
            note(&mut after);
        }
    }
    // What is lost stays; what is needed for a moment, when the machine is busy, does not.
    let [before, after] = [before, after].map(|(memory, most)| (median(memory), most));
    println!(
        "soak: {length:?} in real time, {questions} questions, memory {} kB in the second sixth, \
         {} kB in the last, descriptors {} and {}",
        before.0, after.0, before.1, after.1
    );
    assert!(after.1 <= before.1, "{before:?} {after:?}");
    let grown = after.0.saturating_sub(before.0);
    assert!(grown * 20 <= before.0, "{before:?} {after:?}");
    game.leave();
    let verified = home.run(&["verify", "slow"]);
    assert!(verified.status.success(), "{}", common::text(&verified));
}

fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
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
    assert!(after.1 <= before.1, "{before:?} {after:?}");
    let grown = after.0.saturating_sub(before.0);
    assert!(
        grown * 20 <= before.0,
        "more than 5 %: {before:?} {after:?}"
    );
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
    let usual = Vocabulary::new(data::language("de").unwrap(), words);
    let keys = Keys::load(&BTreeMap::new()).unwrap();
    let reader = Typist::new(usual, keys, ConsoleLanguages::default());
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
    memory_of("self")
}

fn memory_of(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn descriptors() -> usize {
    descriptors_of("self")
}

fn descriptors_of(process: &str) -> usize {
    let folder = format!("/proc/{process}/fd");
    std::fs::read_dir(folder).unwrap().count()
}
