//! What waiting costs: how often the processor is woken, and for how long it is at work, while a
//! game is played and nothing is said; and the same with a microphone that hears silence, noise,
//! and talk.
//!
//! `cargo bench --bench waiting` plays in a room of its own, a sound server without hardware, and
//! prints a line for each. What the sound server itself needs is not counted. ANNEXD_PROGRAM names
//! another program to be measured, such as one from before a change.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark starts the program and fails where it fails"
)]

#[cfg(all(feature = "audio", feature = "recognizer", feature = "voice"))]
#[path = "../tests/room/mod.rs"]
mod room;
#[path = "../tests/common/waiting.rs"]
mod waiting;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long each is measured.
const LENGTH: Duration = Duration::from_secs(30);

/// After so long everything has been opened and tried.
const SETTLED: Duration = Duration::from_secs(8);

fn main() {
    measure(
        "text, nothing happens",
        &TempDir::new().unwrap(),
        &["--text"],
        |_| {},
    );
    #[cfg(all(feature = "audio", feature = "recognizer", feature = "voice"))]
    hearing();
}

#[cfg(all(feature = "audio", feature = "recognizer", feature = "voice"))]
fn hearing() {
    let Some(room) = room::Room::furnished("waiting", &[], &["mouth"]) else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let settings = "[voice.table]\nvoice = \"silent\"\n[devices]\ngamepad = \"none\"\n";
    for (name, sound) in [
        ("silence", Vec::new()),
        ("a quiet room", sounds::quiet_room()),
        ("steady noise", sounds::hiss()),
        ("pieces, chairs and a draught", sounds::hall()),
        ("talk", sounds::talk(folder.path())),
    ] {
        let home = TempDir::new().unwrap();
        fs::create_dir_all(home.path().join("config/annexd")).unwrap();
        fs::write(home.path().join("config/annexd/settings.toml"), settings).unwrap();
        let file = folder.path().join("sound.wav");
        let mut player = (!sound.is_empty()).then(|| {
            sounds::write(&file, &sound);
            let again = "while paplay -d mouth \"$0\"; do :; done";
            let mut player = Command::new("sh");
            room.with(player.args(["-c", again]).arg(&file));
            std::os::unix::process::CommandExt::process_group(&mut player, 0);
            player.spawn().unwrap()
        });
        measure(name, &home, &[], |command| {
            room.with(command);
            command.env("XDG_RUNTIME_DIR", home.path());
        });
        if let Some(player) = &mut player {
            let group = format!("-{}", player.id());
            let _ = Command::new("kill").args(["--", &group]).status();
            let _ = player.wait();
        }
    }
}

/// Plays a game in which nothing happens, and prints what it costs.
#[expect(clippy::print_stdout, reason = "the figures")]
fn measure(name: &str, home: &TempDir, arguments: &[&str], prepare: impl FnOnce(&mut Command)) {
    let program = std::env::var_os("ANNEXD_PROGRAM");
    let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_annexd").into());
    let mut command = Command::new(program);
    command
        .args(["play", "--name", "w", "--mode", "club", "--time", "90m"])
        .args(["--terminal", "shared"])
        .args(arguments)
        .env("ANNEXD_DATA", env!("CARGO_MANIFEST_DIR"))
        .env("XDG_DATA_HOME", home.path().join("data"))
        .env("XDG_CONFIG_HOME", home.path().join("config"))
        .env("XDG_RUNTIME_DIR", home.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::null());
    prepare(&mut command);
    let mut game = command.spawn().unwrap();
    let mut typed = game.stdin.take().unwrap();
    writeln!(typed, "anfang").unwrap();
    thread::sleep(SETTLED);
    let (before, begun) = (Cost::of(&game), Instant::now());
    thread::sleep(LENGTH);
    let (after, seconds) = (Cost::of(&game), begun.elapsed().as_secs_f64());
    println!(
        "waiting: {name}: {:.1} wake-ups a second, {:.2} s of processor a minute",
        (after.wakes - before.wakes) as f64 / seconds,
        (after.processor_s - before.processor_s) * 60.0 / seconds
    );
    writeln!(typed, "ende").unwrap();
    drop(typed);
    let _ = game.wait();
}

/// What a process has cost so far, with all its threads.
struct Cost {
    wakes: u64,
    processor_s: f64,
}

impl Cost {
    fn of(child: &Child) -> Self {
        let tasks = format!("/proc/{}/task", child.id());
        let tasks = fs::read_dir(tasks).unwrap().flatten();
        let mut cost = Self {
            wakes: 0,
            processor_s: 0.0,
        };
        for task in tasks.map(|task| task.path()) {
            cost.wakes += number(&task.join("status"), "voluntary_ctxt_switches:");
            let run = fs::read_to_string(task.join("schedstat")).unwrap_or_default();
            let ns = run.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
            cost.processor_s += ns.unwrap_or_default() / 1e9;
        }
        cost
    }
}

fn number(file: &Path, name: &str) -> u64 {
    let text = fs::read_to_string(file).unwrap_or_default();
    let number = text.lines().find_map(|line| line.strip_prefix(name));
    number.and_then(|it| it.trim().parse().ok()).unwrap_or(0)
}

#[cfg(all(feature = "audio", feature = "recognizer", feature = "voice"))]
mod sounds {
    use std::path::Path;
    use std::process::Command;

    const RATE: usize = 16_000;
    const SECONDS: usize = 60;

    /// Random numbers from -1 to 1, the same every time.
    fn random(seed: u32) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from((state >> 16) as i16) / 32_768.0
        }
    }

    /// Of the room in which nobody speaks: 65 dB below full scale.
    pub(super) fn quiet_room() -> Vec<f64> {
        let mut noise = random(1);
        (0..SECONDS * RATE).map(|_| noise() * 0.001).collect()
    }

    /// White noise, 35 dB below full scale.
    pub(super) fn hiss() -> Vec<f64> {
        let mut noise = random(2);
        (0..SECONDS * RATE).map(|_| noise() * 0.031).collect()
    }

    /// A low noise that comes and goes, and two things a second that are put down or moved.
    pub(super) fn hall() -> Vec<f64> {
        let (mut noise, mut low) = (random(3), 0.0);
        let swing = |time: f64| {
            let turn = std::f64::consts::TAU * time;
            10_f64.powf((6.0 * (turn / 3.7).sin() + 4.0 * (turn / 0.9).sin()) / 20.0)
        };
        let mut sound: Vec<f64> = (0..SECONDS * RATE)
            .map(|index| {
                low = 0.9 * low + 0.1 * noise();
                low * 0.02 * swing(index as f64 / RATE as f64)
            })
            .collect();
        let mut chance = random(4);
        let mut between = |from: f64, to: f64| from + (chance() + 1.0) / 2.0 * (to - from);
        for _ in 0..2 * SECONDS {
            let at = between(0.0, (sound.len() - RATE / 4) as f64) as usize;
            let length = between(300.0, 3_200.0);
            let height = 10_f64.powf(between(-30.0, -14.0) / 20.0) * 1.7;
            for (index, sample) in sound[at..at + length as usize].iter_mut().enumerate() {
                *sample += noise() * height * (-5.0 * index as f64 / length).exp();
            }
        }
        sound
    }

    /// Somebody talks of other things, with pauses; nothing where nobody can speak.
    pub(super) fn talk(folder: &Path) -> Vec<f64> {
        let file = folder.join("talk.wav");
        let text = "Gestern war ich mit meinem Bruder in der Stadt. Wir wollten einkaufen, und \
                    danach haben wir noch einen Kaffee getrunken.";
        let said = Command::new("espeak-ng")
            .args(["-v", "de+f2", "-w"])
            .arg(&file)
            .arg(text)
            .status();
        if !said.is_ok_and(|status| status.success()) {
            return Vec::new();
        }
        let mut reader = hound::WavReader::open(&file).unwrap();
        let rate = reader.spec().sample_rate as usize;
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        let at = |index: usize| samples.get(index * rate / RATE).copied().unwrap_or(0);
        let spoken = (0..samples.len() * RATE / rate).map(at);
        let pause = std::iter::repeat_n(0, 5 * RATE);
        let both: Vec<f64> = spoken
            .chain(pause)
            .map(|sample| f64::from(sample) / 32_768.0)
            .collect();
        both.iter().copied().cycle().take(SECONDS * RATE).collect()
    }

    pub(super) fn write(file: &Path, sound: &[f64]) {
        let spec = hound::WavSpec {
            channels: 1,
            sample_rate: RATE as u32,
            bits_per_sample: 16,
            sample_format: hound::SampleFormat::Int,
        };
        let mut writer = hound::WavWriter::create(file, spec).unwrap();
        for sample in sound {
            let sample = (sample * 32_767.0).clamp(-32_767.0, 32_767.0) as i16;
            writer.write_sample(sample).unwrap();
        }
        writer.finalize().unwrap();
    }
}
