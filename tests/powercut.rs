//! The power fails at any moment of a game. What the program wrote is taken from the list of its
//! system calls; of what was never synced any part may be lost, down to half a page.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and reads what strace wrote"
)]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use annexd::game::Effect;
use annexd::journal::{Body, Entry, replay};
use annexd::persons::Channel;
use annexd::shell::record::store;
use common::{Home, Talk, is_said_at_table, typed_move};

/// What a disk writes as one.
const SECTOR: usize = 512;

#[test]
fn a_power_cut_loses_nothing_that_was_shown() {
    cut_power(150, 1);
}

#[test]
#[ignore = "long: make soak"]
fn a_power_cut_at_ten_thousand_moments_loses_nothing_that_was_shown() {
    cut_power(10_000, 2);
}

fn cut_power(moments: u64, seed: u64) {
    let home = Home::new();
    let Some(calls) = traced_game(&home) else {
        return;
    };
    let whole = store::read(&home.game("p")).unwrap().entries;
    assert_eq!(replay(&whole).unwrap().game.plies(), 8);
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut fewest = whole.len();
    let mut nothing = 0;
    for _ in 0..moments {
        let end = dice.below(calls.len() + 1);
        let disk = Disk::after(&calls[..end], true);
        let left = Home::new();
        disk.fails_into(&left.games(), &mut dice);
        let shown = disk.shown.lines().filter(|it| is_said_at_table(it)).count();
        // What was not even begun cannot be a game; nobody was shown anything of it.
        let Ok(record) = store::read(&left.game("p")) else {
            assert_eq!(shown, 0, "cut after call {end}");
            nothing += 1;
            continue;
        };
        if record.entries.is_empty() {
            assert_eq!(shown, 0, "cut after call {end}");
            nothing += 1;
            continue;
        }
        assert_eq!(
            (&record.broken, &record.cut_off),
            (&None, &None),
            "cut after call {end}"
        );
        assert!(whole.starts_with(&record.entries), "cut after call {end}");
        let told = sayings(&record.entries);
        assert!(
            told >= shown,
            "{shown} shown and {told} kept, cut after call {end}"
        );
        assert!(replay(&record.entries).unwrap().diverged.is_empty());
        fewest = fewest.min(record.entries.len());
        if dice.below(moments as usize / 15) == 0 {
            goes_on(&left, &record.entries, end);
        }
    }
    assert!(
        loses_without_syncs(&calls, &mut dice),
        "this test would notice a program that syncs nothing"
    );
    println!(
        "power cut: {moments} moments of a game of {} entries, {} writes and syncs; at {nothing} \
         nothing had been begun, the shortest record had {fewest} entries",
        whole.len(),
        calls.len(),
    );
}

/// Whether something that was shown would be lost, had the program never synced anything.
fn loses_without_syncs(calls: &[Call], dice: &mut Dice) -> bool {
    (0..40).any(|_| {
        let disk = Disk::after(&calls[..dice.below(calls.len() + 1)], false);
        let left = Home::new();
        disk.fails_into(&left.games(), dice);
        let shown = disk.shown.lines().filter(|it| is_said_at_table(it)).count();
        store::read(&left.game("p")).map_or(0, |record| sayings(&record.entries)) < shown
    })
}

/// The real program takes the game up again and finds nothing wrong.
fn goes_on(left: &Home, entries: &[Entry], end: usize) {
    let verified = left.run(&["verify", "p"]);
    // The power may also fail while the seal is written.
    let said = common::text(&verified);
    assert!(
        verified.status.success() || said.contains("its seal is missing"),
        "cut after call {end}: {said}"
    );
    let plies = replay(entries).unwrap().game.plies();
    let mut game = left.start(&["resume", "p", "--text"]);
    game.wait_for("Die Partie geht weiter", 1);
    if plies < 8 {
        game.types("anfang");
        game.types("weiter");
        if plies > 0 {
            typed_move(plies - 1)
                .iter()
                .for_each(|line| game.types(line));
        }
        typed_move(plies).iter().for_each(|line| game.types(line));
    }
    game.leave();
    let verified = left.run(&["verify", "p"]);
    assert!(verified.status.success(), "{}", common::text(&verified));
    let after = store::read(&left.game("p")).unwrap().entries;
    assert!(after.starts_with(entries) && after.len() > entries.len());
    assert!(replay(&after).unwrap().game.plies() > plies.min(7));
}

fn sayings(entries: &[Entry]) -> usize {
    let of = |entry: &Entry| match &entry.body {
        Body::Step { effects, .. } => effects
            .iter()
            .filter(|it| {
                matches!(
                    it,
                    Effect::Say {
                        channel: Channel::Table,
                        ..
                    }
                )
            })
            .count(),
        _ => 0,
    };
    entries.iter().map(of).sum()
}

/// What the program did to files of the game and to its terminal, in this order.
enum Call {
    Made(PathBuf),
    Wrote(PathBuf, usize, Vec<u8>),
    Cut(PathBuf, usize),
    Synced(PathBuf),
    Removed(PathBuf),
    Renamed(PathBuf, PathBuf),
    Shown(String),
}

/// Plays four moves of each side, leaves, and gives what was written; `None`, and
/// a line that says why, where nothing can be traced.
fn traced_game(home: &Home) -> Option<Vec<Call>> {
    let trace = home.path("trace");
    let strace = || {
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-xx", "-s", "9999999", "-e"]);
        strace
            .arg("trace=openat,close,lseek,write,pwrite64,ftruncate,fsync,fdatasync,unlink,rename");
        strace.arg("-o").arg(&trace);
        strace
    };
    let tried = strace().arg("true").output();
    if !tried.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: strace is missing or may not trace, so nothing shows what is written");
        return None;
    }
    let mut command = strace();
    command.arg(env!("CARGO_BIN_EXE_annexd"));
    command.args(["play", "--text", "--name", "p", "--time", "30m"]);
    for (name, folder) in [
        ("XDG_DATA_HOME", "data"),
        ("XDG_CONFIG_HOME", "config"),
        ("XDG_RUNTIME_DIR", "run"),
    ] {
        command.env(name, home.path(folder));
    }
    let mut game = Talk::with(command);
    game.types("anfang");
    game.wait_for("Die Partie beginnt", 1);
    for line in (0..8).flat_map(typed_move) {
        game.types(&line);
        std::thread::sleep(std::time::Duration::from_millis(15));
    }
    game.leave();
    let calls = calls_of(&fs::read_to_string(&trace).unwrap(), &home.games());
    assert!(
        calls.len() > 100,
        "the trace shows only {} writes",
        calls.len()
    );
    Some(calls)
}

fn calls_of(trace: &str, games: &Path) -> Vec<Call> {
    let mut unfinished: BTreeMap<&str, String> = BTreeMap::new();
    let mut open: BTreeMap<usize, (PathBuf, usize)> = BTreeMap::new();
    let mut calls = Vec::new();
    for line in trace.lines() {
        let (thread, rest) = line.split_once(' ').unwrap();
        let rest = rest.trim_start();
        if let Some(begun) = rest.strip_suffix(" <unfinished ...>") {
            unfinished.insert(thread, begun.to_owned());
            continue;
        }
        let resumed = rest
            .strip_prefix("<... ")
            .and_then(|it| it.split_once(" resumed>"));
        let rest = match resumed {
            Some((_, end)) => unfinished.remove(thread).unwrap_or_default() + end,
            None => rest.to_owned(),
        };
        calls.extend(call_of(&rest, games, &mut open));
    }
    calls
}

fn call_of(line: &str, games: &Path, open: &mut BTreeMap<usize, (PathBuf, usize)>) -> Option<Call> {
    let (name, rest) = line.split_once('(')?;
    let (arguments, result) = rest.rsplit_once(" = ")?;
    let result: usize = result.split(' ').next()?.parse().ok()?;
    let arguments = arguments.trim_end().strip_suffix(')')?;
    let mut strings = arguments.split('"').skip(1).step_by(2).map(bytes_of);
    let of_text = |bytes: Vec<u8>| PathBuf::from(String::from_utf8_lossy(&bytes).into_owned());
    let is_ours =
        |path: &PathBuf| path.starts_with(games) && !path.to_string_lossy().ends_with("-shm");
    let descriptor = || {
        arguments
            .split(',')
            .next()
            .and_then(|it| it.trim().parse::<usize>().ok())
    };
    match name {
        "openat" => {
            let path = of_text(strings.next()?);
            open.insert(result, (path.clone(), 0));
            (is_ours(&path) && arguments.contains("O_CREAT")).then_some(Call::Made(path))
        }
        "close" => {
            open.remove(&descriptor()?);
            None
        }
        "write" if descriptor()? == 1 => Some(Call::Shown(
            String::from_utf8_lossy(&strings.next()?).into_owned(),
        )),
        "lseek" => {
            open.get_mut(&descriptor()?)?.1 = result;
            None
        }
        "write" | "pwrite64" => {
            let (path, place) = open
                .get_mut(&descriptor()?)
                .filter(|(path, _)| is_ours(path))?;
            let bytes = strings.next()?;
            assert_eq!(bytes.len(), result, "written in part");
            let at = if name == "write" {
                *place += result;
                *place - result
            } else {
                arguments.rsplit(',').next()?.trim().parse().ok()?
            };
            Some(Call::Wrote(path.clone(), at, bytes))
        }
        "ftruncate" => {
            let (path, _) = open
                .get(&descriptor()?)
                .filter(|(path, _)| is_ours(path))?
                .clone();
            Some(Call::Cut(
                path,
                arguments.rsplit(',').next()?.trim().parse().ok()?,
            ))
        }
        "fsync" | "fdatasync" => {
            let (path, _) = open.get(&descriptor()?)?.clone();
            (is_ours(&path)).then_some(Call::Synced(path))
        }
        "unlink" => Some(Call::Removed(of_text(strings.next()?)))
            .filter(|call| matches!(call, Call::Removed(path) if is_ours(path))),
        "rename" => {
            let (from, to) = (of_text(strings.next()?), of_text(strings.next()?));
            is_ours(&to).then_some(Call::Renamed(from, to))
        }
        _ => None,
    }
}

/// The bytes of a string in hexadecimal, `\x61\x62`.
fn bytes_of(text: &str) -> Vec<u8> {
    text.split("\\x")
        .skip(1)
        .map(|digits| u8::from_str_radix(digits, 16).unwrap())
        .collect()
}

/// A file: what is certain to be on the disk, and what was written since it was last synced.
#[derive(Clone, Default)]
struct Kept {
    synced: Vec<u8>,
    /// Where and what; `None`: cut to that length.
    since: Vec<(usize, Option<Vec<u8>>)>,
}

/// A disk with what has not reached it yet.
#[derive(Default)]
struct Disk {
    files: BTreeMap<PathBuf, Kept>,
    /// Names that the folder is not certain to have.
    unsure: BTreeSet<PathBuf>,
    /// Files that are gone and may come back, because the folder was not synced since.
    removed: BTreeMap<PathBuf, Kept>,
    shown: String,
}

impl Disk {
    fn after(calls: &[Call], syncs: bool) -> Self {
        let mut disk = Self::default();
        for call in calls {
            if syncs || !matches!(call, Call::Synced(_)) {
                disk.take(call);
            }
        }
        disk
    }

    fn take(&mut self, call: &Call) {
        match call {
            Call::Shown(text) => self.shown.push_str(text),
            Call::Made(path) => {
                if !self.files.contains_key(path) {
                    self.files.insert(path.clone(), Kept::default());
                    self.unsure.insert(path.clone());
                }
            }
            Call::Wrote(path, at, bytes) => {
                let file = self.files.get_mut(path).unwrap();
                file.since.push((*at, Some(bytes.clone())));
            }
            Call::Cut(path, length) => {
                let file = self.files.get_mut(path).unwrap();
                file.since.push((*length, None));
            }
            Call::Synced(path) => match self.files.get_mut(path) {
                Some(file) => {
                    for (at, what) in std::mem::take(&mut file.since) {
                        apply(&mut file.synced, at, what.as_deref());
                    }
                }
                // It is the folder.
                None => {
                    self.unsure.clear();
                    self.removed.clear();
                }
            },
            Call::Removed(path) => {
                if let Some(file) = self.files.remove(path)
                    && !self.unsure.remove(path)
                {
                    self.removed.insert(path.clone(), file);
                }
            }
            Call::Renamed(from, to) => {
                let file = self.files.remove(from).unwrap();
                self.unsure.remove(from);
                if let Some(before) = self.files.insert(to.clone(), file) {
                    self.removed.insert(to.clone(), before);
                } else {
                    self.unsure.insert(to.clone());
                }
            }
        }
    }

    /// Puts into a folder what is left when the power fails.
    fn fails_into(&self, folder: &Path, dice: &mut Dice) {
        fs::create_dir_all(folder).unwrap();
        let mut left: Vec<(&PathBuf, &Kept)> = self
            .files
            .iter()
            .filter(|(path, _)| !self.unsure.contains(*path) || dice.below(2) == 0)
            .collect();
        left.extend(
            self.removed
                .iter()
                .filter(|(path, _)| !self.files.contains_key(*path) && dice.below(2) == 0),
        );
        for (path, file) in left {
            let mut bytes = file.synced.clone();
            for (at, what) in &file.since {
                reach(&mut bytes, *at, what.as_deref(), dice);
            }
            fs::write(folder.join(path.file_name().unwrap()), bytes).unwrap();
        }
    }
}

fn apply(bytes: &mut Vec<u8>, at: usize, what: Option<&[u8]>) {
    match what {
        None => bytes.resize(at, 0),
        Some(written) => {
            bytes.resize(bytes.len().max(at + written.len()), 0);
            bytes[at..at + written.len()].copy_from_slice(written);
        }
    }
}

/// What of a write that was never synced reaches the disk: all, nothing, or some of its sectors.
fn reach(bytes: &mut Vec<u8>, at: usize, what: Option<&[u8]>, dice: &mut Dice) {
    match (dice.below(4), what) {
        (0, _) => {}
        (1, Some(written)) => {
            let mut from = 0;
            while from < written.len() {
                // Sectors lie where the disk has them, not where a write begins.
                let length = SECTOR - (at + from) % SECTOR;
                let to = (from + length).min(written.len());
                if dice.below(2) == 0 {
                    apply(bytes, at + from, Some(&written[from..to]));
                }
                from = to;
            }
        }
        _ => apply(bytes, at, what),
    }
}

/// Chance, the same for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % end.max(1)
    }
}
