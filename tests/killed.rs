//! The real process is killed at any moment, and the game is the same afterwards.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::common;

use std::thread;
use std::time::Duration;

use annexd::game::{Effect, Input, Ruling, VoiceMark};
use annexd::journal::{Body, Entry, replay};
use annexd::persons::Channel;
use annexd::phrases::{Language, Phrase, PhraseKey};
use annexd::shell::config::data;
use annexd::shell::record::store;
use annexd::shell::table::timeline::wall_ms;
use common::{Home, MOVES, typed_move};

/// How far a clock may be off after the program was killed: by one heartbeat of 120 ms, and what
/// the machine takes besides.
const CLOCK_MS_MAX: u64 = 170;

/// Moments and times of the day are taken one after the other, and each is cut off to the
/// millisecond: a sign of life of the start's own millisecond may seem earlier than it.
const ROUNDING_MS: u64 = 50;

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
    let mut errors = Vec::new();
    let mut repeated = 0;
    for number in 0..games {
        let random = (number + seed * 7919).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let killed = kill_one(&language, random);
        errors.push(killed.clock_error_ms);
        repeated += killed.said_again;
    }
    errors.sort_unstable();
    let late = errors.iter().filter(|error| **error > CLOCK_MS_MAX).count();
    println!(
        "killed: {games} games, {repeated} sayings said again, clocks off by at most {} ms, more \
         than {CLOCK_MS_MAX} ms in {late}",
        errors[errors.len() - 1]
    );
    // How late the last sign of life is depends on the machine: that is asked of many games.
    assert!(late == 0 || games < 100, "{errors:?}");
}

/// What became of one game.
struct Killed {
    /// How far White's clock was off.
    clock_error_ms: u64,
    /// How much was recorded and not shown for certain, and was said again.
    said_again: usize,
}

/// Plays, kills, checks what is left, resumes, plays on to the end.
fn kill_one(language: &Language, random: u64) -> Killed {
    let home = Home::new();
    let mut game = home.start(&["play", "--text", "--name", "k", "--time", "30m"]);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
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
    let before_kill = wall_ms();
    let shown = game.kill();
    let after_kill = wall_ms();

    let path = home.game("k");
    let record = store::read(&path).unwrap();
    assert_eq!((record.broken, record.cut_off), (None, None));
    let told = lines_told(&record.entries, language);
    assert_shown_once(&shown, &told);
    let replayed = replay(&record.entries).unwrap();
    assert!(replayed.diverged.is_empty(), "{:?}", replayed.diverged);
    let unheard = not_heard(&record.entries, language);

    let mut game = home.start(&["resume", "k", "--text"]);
    let plies = replayed.game.plies();
    // The clocks stand until somebody says that play goes on.
    game.types("weiter");
    finish(&mut game, plies);
    game.wait_for("1-0", 1);
    let shown_then = game.leave();
    let verified = home.run(&["verify", "k"]);
    assert!(verified.status.success(), "{}", common::text(&verified));
    let before = record.entries.len();
    let record = store::read(&path).unwrap();
    let told_then = lines_told(&record.entries, language);
    assert_shown_once(&shown_then, &told_then[told.len()..]);
    // Once each, in their order, and nothing else is said twice.
    assert_eq!(said_again(&record.entries[before..], language), unheard);
    for line in &told[shown_at_table(&shown).len()..] {
        assert!(unheard.contains(line), "{line} was never heard");
    }
    let end = replay(&record.entries).unwrap().game;
    assert_eq!(end.plies(), MOVES.len());
    let started = started_at(&record.entries);
    // What the clocks had when the program took the game up again.
    let away = |entry: &Entry| match entry.body {
        Body::Resumed { away_ms, .. } => Some(away_ms),
        _ => None,
    };
    let mut entries = record.entries.iter().enumerate();
    let (resumed, away_ms) = entries.find_map(|(at, it)| Some((at, away(it)?))).unwrap();
    let back = replay(&record.entries[..=resumed]).unwrap().game;
    let times = back.times(record.entries[resumed].at);
    let used = Duration::from_secs(2 * 1800) - times.white - times.black;
    let used = used.as_millis() as u64;
    // They have run until the last sign of life, and no longer.
    let alive_until = record.entries[resumed].wall_ms - away_ms;
    assert!(
        (started..=after_kill + ROUNDING_MS).contains(&(alive_until + ROUNDING_MS)),
        "alive until {alive_until}, started {started}, killed {after_kill}"
    );
    assert!(alive_until.abs_diff(started + used) <= ROUNDING_MS);
    let too_short = (before_kill - started).saturating_sub(used);
    let too_long = used.saturating_sub(after_kill - started);
    Killed {
        clock_error_ms: too_short.max(too_long),
        said_again: unheard.len(),
    }
}

/// When White's clock was started, by the computer's clock.
fn started_at(entries: &[Entry]) -> u64 {
    let start = Input::Ruling(Ruling::Start);
    let is_start =
        |entry: &&Entry| matches!(&entry.body, Body::Step { input, .. } if *input == start);
    entries.iter().find(is_start).unwrap().wall_ms
}

/// What was said at the table and is not marked as read, in the words of the terminal.
fn not_heard(entries: &[Entry], language: &Language) -> Vec<String> {
    let mut open = Vec::new();
    for entry in entries {
        let Body::Step { input, effects } = &entry.body else {
            continue;
        };
        if let Input::Voice {
            utterance,
            mark: VoiceMark::Shown,
            ..
        } = input
        {
            open.retain(|(number, _)| number != utterance);
        }
        for effect in effects {
            if let Effect::Say {
                utterance,
                channel: Channel::Table,
                phrase,
                ..
            } = effect
                && !is_where_it_stands(phrase)
            {
                open.push((*utterance, format!("Tisch: {}", language.text(phrase))));
            }
        }
    }
    open.into_iter().map(|(_, line)| line).collect()
}

/// Whether a phrase says where a resumed game stands: it is said anew and not again.
fn is_where_it_stands(phrase: &Phrase) -> bool {
    matches!(
        phrase.key,
        PhraseKey::HasTheMove
            | PhraseKey::RepeatedRight
            | PhraseKey::RepetitionDiffers
            | PhraseKey::RepetitionMissing
    )
}

/// What was said once more at the table because the game was resumed.
fn said_again(entries: &[Entry], language: &Language) -> Vec<String> {
    let resumed = entries.iter().filter(
        |entry| matches!(&entry.body, Body::Step { input, .. } if *input == Input::Resumed),
    );
    let mut resumed: Vec<Entry> = resumed.cloned().collect();
    assert_eq!(resumed.len(), 1);
    if let Body::Step { effects, .. } = &mut resumed[0].body {
        effects
            .retain(|it| !matches!(it, Effect::Say { phrase, .. } if is_where_it_stands(phrase)));
    }
    lines_told(&resumed, language)
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

fn shown_at_table(shown: &[String]) -> Vec<&String> {
    let at_table = |line: &&String| common::is_said_at_table(line);
    shown.iter().filter(at_table).collect()
}

/// What was shown is what was recorded, in its order, each once; only the last may be missing.
#[track_caller]
fn assert_shown_once(shown: &[String], told: &[String]) {
    let shown = shown_at_table(shown);
    assert!(
        shown.len() <= told.len(),
        "shown but not recorded: {shown:#?} {told:#?}"
    );
    for (shown, told) in shown.iter().zip(told) {
        // A busy disk may stall. Whoever reads of it is told the file too.
        let detail = shown.strip_prefix(told.as_str());
        let is_same = detail.is_some_and(|it| it.is_empty() || it.starts_with(" ("));
        assert!(is_same, "{shown:?} {told:?}");
    }
}
