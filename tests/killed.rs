//! The real process is killed at any moment, and the game is the same afterwards.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and kills a process in real time"
)]

mod common;

use std::thread;
use std::time::{Duration, Instant};

use annexd::game::Effect;
use annexd::journal::{Body, Entry, replay};
use annexd::persons::Channel;
use annexd::phrases::Language;
use annexd::shell::{data, store};
use common::{Home, MOVES, typed_move};

/// How far a clock may be off after the program was killed.
const CLOCK_MS_MAX: u64 = 100;

#[test]
fn killed_25_times_the_game_is_the_same() {
    kill_games(25, 1);
}

#[test]
#[ignore = "long: make soak"]
fn killed_500_times_the_game_is_the_same() {
    kill_games(500, 2);
}

fn kill_games(games: u64, seed: u64) {
    let language = data::language("de").unwrap();
    let mut late = 0;
    for number in 0..games {
        let random = (number + seed * 7919).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if kill_one(&language, random) > CLOCK_MS_MAX {
            late += 1;
        }
    }
    // The test itself may be held up between looking at its watch and killing.
    assert!(
        late * 20 <= games,
        "in {late} of {games} games a clock was off by more than {CLOCK_MS_MAX} ms"
    );
}

/// Plays, kills, checks what is left, resumes, plays on to the end. Gives how far White's clock
/// was off, in milliseconds.
fn kill_one(language: &Language, random: u64) -> u64 {
    let home = Home::new();
    let mut game = home.start(&["play", "--text", "--name", "k", "--time", "30m"]);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    let started = Instant::now();
    // Every second game is killed while White thinks, the others while moves come in.
    if random.is_multiple_of(2) {
        let before = (random / 2 % 6) as usize * 2;
        for line in (0..before).flat_map(typed_move) {
            game.types(&line);
        }
    } else {
        let lines: Vec<String> = (0..MOVES.len() - 1).flat_map(typed_move).collect();
        for line in &lines[..(random / 2) as usize % lines.len()] {
            game.types(line);
        }
    }
    thread::sleep(Duration::from_millis(random / 8 % 400));
    let alive = started.elapsed();
    let shown = game.kill();

    let path = home.game("k");
    let record = store::read(&path).unwrap();
    assert_eq!(record.broken, None);
    let told = lines_told(&record.entries, language);
    assert_shown_once(&shown, &told);
    let replayed = replay(&record.entries).unwrap();
    assert!(replayed.diverged.is_empty(), "{:?}", replayed.diverged);

    let (opened, _) = store::Store::resume(&path).unwrap();
    let (at, _) = opened.last_beat().unwrap();
    drop(opened);
    let at = at.max(replayed.last);
    let times = replayed.game.times(at);
    let used = Duration::from_secs(2 * 1800) - times.white - times.black;

    let mut game = home.start(&["resume", "k", "--text"]);
    let plies = replayed.game.plies();
    finish(&mut game, plies);
    game.wait_for("1-0", 1);
    let shown_then = game.leave();
    let record = store::read(&path).unwrap();
    assert_eq!(record.broken, None);
    let told_then = lines_told(&record.entries, language);
    assert_shown_once(&shown_then, &told_then[told.len()..]);
    let end = replay(&record.entries).unwrap().game;
    assert_eq!(end.plies(), MOVES.len());
    used.as_millis().abs_diff(alive.as_millis()) as u64
}

/// Types the rest of the game. The move on which the program was killed may be announced or made
/// already; saying it again does no harm.
fn finish(game: &mut common::Talk, plies: usize) {
    if plies > 0 {
        let lines = typed_move(plies - 1);
        game.types(&lines[1]);
        game.types(&lines[2]);
    }
    for ply in plies..MOVES.len() {
        for line in typed_move(ply) {
            game.types(&line);
        }
    }
}

/// What the record says was said at the table, in the words of the terminal.
fn lines_told(entries: &[Entry], language: &Language) -> Vec<String> {
    let mut lines = Vec::new();
    for entry in entries {
        let Body::Step { effects, .. } = &entry.body else {
            continue;
        };
        for effect in effects {
            if let Effect::Say {
                channel: Channel::Table,
                phrase,
                ..
            } = effect
            {
                lines.push(format!("Tisch: {}", language.text(phrase)));
            }
        }
    }
    lines
}

/// What was shown is what was recorded, in its order, each once; only the last may be missing.
#[track_caller]
fn assert_shown_once(shown: &[String], told: &[String]) {
    let shown: Vec<&String> = shown
        .iter()
        .filter(|line| line.starts_with("Tisch: "))
        .collect();
    assert!(
        shown.len() <= told.len(),
        "shown but not recorded: {shown:#?} {told:#?}"
    );
    for (shown, told) in shown.iter().zip(told) {
        assert_eq!(*shown, told);
    }
}
