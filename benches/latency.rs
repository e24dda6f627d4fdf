//! How long a player waits: legal and illegal announcements side by side, through the program.
//!
//! `cargo bench --bench latency` lets espeak-ng say announcements that are legal in the initial
//! position and others of the same words that are not, plays them to `annexd listen --realtime` as
//! fast as they were spoken, in turn, and prints the distributions of the time from the end of
//! speech to the decision. Takes three minutes; nothing is printed where espeak-ng is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

const VOICES: [&str; 3] = ["de+m3", "de+f2", "de+klatt2"];

/// Legal in the initial position, and never: no piece of that name goes so, or stands there.
/// Castling is legal in neither; its two words stand side by side.
const PAIRS: [(&str, &str, &str); 9] = [
    (
        "long",
        "Springer Gustav eins Felix drei",
        "Springer Gustav eins Felix vier",
    ),
    (
        "long",
        "Springer Bella eins Cesar drei",
        "Springer Bella eins Cesar vier",
    ),
    (
        "long",
        "Bauer Eva zwei Eva vier",
        "Bauer Eva zwei Eva sechs",
    ),
    (
        "long",
        "Bauer David zwei nach David vier",
        "Bauer David zwei nach David acht",
    ),
    (
        "long",
        "Bauer Hector zwei Hector drei",
        "Bauer Hector drei Hector zwei",
    ),
    ("castling", "kurze Rochade", "lange Rochade"),
    ("short", "Springer Felix drei", "Springer Felix fünf"),
    ("short", "Bauer Eva vier", "Bauer Eva sieben"),
    ("short", "Anna drei", "Anna sieben"),
];

fn main() {
    let folder = TempDir::new().expect("a folder");
    let mut files = Vec::new();
    for (index, (form, legal, illegal)) in PAIRS.into_iter().enumerate() {
        for (voice_index, voice) in VOICES.into_iter().enumerate() {
            for (which, text) in [("legal", legal), ("illegal", illegal)] {
                let file = folder
                    .path()
                    .join(format!("{index}-{voice_index}-{which}.wav"));
                if !spoken(&file, voice, text) {
                    println!("espeak-ng is not installed: nothing was measured");
                    return;
                }
                files.push((form, which, file));
            }
        }
    }
    let waits = heard(files.iter().map(|(_, _, file)| file));
    for form in ["long", "castling", "short"] {
        for which in ["legal", "illegal"] {
            let of_form = files.iter().zip(&waits);
            let mut waits: Vec<f64> = of_form
                .filter(|((f, w, _), _)| *f == form && *w == which)
                .filter_map(|(_, wait)| *wait)
                .collect();
            waits.sort_by(f64::total_cmp);
            print(form, which, &waits);
        }
    }
}

fn spoken(file: &Path, voice: &str, text: &str) -> bool {
    let said = Command::new("espeak-ng")
        .args(["-v", voice, "-s", "150", "-w"])
        .args([file])
        .arg(text)
        .status();
    said.is_ok_and(|status| status.success()) && lengthened(file).is_some()
}

/// With a second and a half of a quiet room behind it, in which it is decided.
fn lengthened(file: &Path) -> Option<()> {
    let reader = hound::WavReader::open(file).ok()?;
    let spec = reader.spec();
    let samples: Vec<i16> = reader.into_samples().filter_map(Result::ok).collect();
    let mut writer = hound::WavWriter::create(file, spec).ok()?;
    let quiet = spec.sample_rate * 3 / 2;
    for sample in samples
        .into_iter()
        .chain((0..quiet).map(|i| (i % 5) as i16 - 2))
    {
        writer.write_sample(sample).ok()?;
    }
    writer.finalize().ok()
}

/// The wait for each file; nothing where not just one utterance was heard.
fn heard<'a>(files: impl Iterator<Item = &'a PathBuf> + Clone) -> Vec<Option<f64>> {
    let output = Command::new(env!("CARGO_BIN_EXE_annexd"))
        .args(["listen", "--json", "--realtime"])
        .args(files.clone())
        .env("ANNEXD_DATA", env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program was built");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let objects: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("one object a line"))
        .collect();
    files
        .map(|file| {
            let name = file.display().to_string();
            let mut of_file = objects.iter().filter(|object| object["file"] == *name);
            match (of_file.next(), of_file.next()) {
                (Some(only), None) => only["latency_ms"].as_f64(),
                _ => None,
            }
        })
        .collect()
}

fn print(form: &str, which: &str, waits: &[f64]) {
    let at = |share: f64| {
        let last = waits.len().saturating_sub(1) as f64;
        waits
            .get((last * share).round() as usize)
            .copied()
            .unwrap_or(f64::NAN)
    };
    println!(
        "{form:8} {which:7}: {} heard, shortest {:.0}, median {:.0}, 95 % {:.0}, longest {:.0} ms",
        waits.len(),
        at(0.0),
        at(0.5),
        at(0.95),
        at(1.0)
    );
}
