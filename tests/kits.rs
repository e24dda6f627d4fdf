//! A kit for recordings, from its making to what is measured with it.
#![cfg(feature = "recognizer")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test of the program makes files for it"
)]

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{Home, text};

/// A recording of silence.
fn write_silence(path: &Path) {
    let spec = hound::WavSpec {
        channels: 1,
        sample_rate: 48_000,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut writer = hound::WavWriter::create(path, spec).unwrap();
    for _ in 0..48_000 {
        writer.write_sample(0_i16).unwrap();
    }
    writer.finalize().unwrap();
}

/// The lines of the table: file, text, kind.
fn rows(table: &Path) -> Vec<[String; 3]> {
    let table = fs::read_to_string(table).unwrap();
    let rows = table.lines().skip(1).map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        [cells[0], cells[1], cells[3]].map(str::to_owned)
    });
    rows.collect()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_kit_is_made_and_measured_with_what_was_recorded() {
    let home = Home::new();
    let folder = home.path("kit");
    let path = folder.to_str().unwrap();
    let made = home.run(&[
        "record-kit",
        path,
        "--language",
        "de",
        "--lines",
        "10",
        "--speaker",
        "b7",
    ]);
    assert!(made.status.success(), "{}", text(&made));
    for name in ["READ-ME.txt", "consent.txt", "reading.txt"] {
        assert!(!fs::read_to_string(folder.join(name)).unwrap().is_empty());
    }
    let table = folder.join("MANIFEST.tsv");
    let measure = || home.run(&["eval", table.to_str().unwrap(), "--json"]);
    let nothing = measure();
    if nothing.status.code() == Some(4) {
        eprintln!("skipped: {}", error(&nothing));
        return;
    }
    assert_eq!(nothing.status.code(), Some(3));
    let said = error(&nothing);
    assert!(
        said.contains("10") && said.contains("MANIFEST.tsv"),
        "{said}"
    );
    assert!(nothing.stdout.is_empty());

    let rows = rows(&table);
    let spoken: Vec<_> = rows.iter().filter(|row| row[2] == "long").take(2).collect();
    for [file, text, _] in &spoken {
        let wave = folder.join(file).display().to_string();
        let mut say = vec!["say", "--language", "de", "--wav", &wave];
        say.extend(text.split(' '));
        assert!(home.run(&say).status.success(), "{text}");
    }
    write_silence(&folder.join(&rows[9][0]));
    fs::write(folder.join(&rows[8][0]), "no sound").unwrap();
    let output = measure();
    assert_eq!(output.status.code(), Some(3));
    let said = error(&output);
    assert!(said.lines().next().unwrap().contains("6"), "{said}");
    for [file, _, _] in &rows {
        let is_told = said.contains(file.as_str());
        let is_there = folder.join(file).exists() && *file != rows[8][0];
        assert!(!(is_told && is_there), "{file}: {said}");
    }
    let heard = String::from_utf8_lossy(&output.stdout).into_owned();
    let heard: Vec<serde_json::Value> = heard
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|it: &serde_json::Value| it["outcome"].is_string())
        .collect();
    let outcomes: Vec<&str> = heard
        .iter()
        .map(|it| it["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(outcomes, ["exact", "exact", "left"], "{heard:#?}");
    assert!(heard.iter().all(|it| it["speaker"] == "b7"));
}
