//! Sheets as people write them, read as a whole: what was taken, and what was said about it.
//!
//! Beside each file of `tests/sheets` stands what is read from it.
//! `ANNEXD_REWRITE=1 cargo test --test sheets` writes that anew for review.

#![expect(
    clippy::disallowed_methods,
    reason = "the sheets are files, and one variable rewrites what is read from them"
)]

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use annexd::score::{Letters, decoded, read_score, to_list};

#[test]
fn sheets_are_read_as_they_were_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets");
    let mut sheets: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_none_or(|ending| ending != "read"))
        .collect();
    sheets.sort();
    assert!(sheets.len() >= 10, "only {} sheets", sheets.len());
    for path in sheets {
        let text = decoded(&fs::read(&path).unwrap());
        let read = read(&text);
        let reviewed = path.with_extension("read");
        if env::var("ANNEXD_REWRITE").is_ok() {
            fs::write(&reviewed, read).unwrap();
        } else {
            let reviewed = fs::read_to_string(&reviewed).unwrap();
            assert_eq!(read, reviewed, "{}", path.display());
        }
    }
}

fn read(text: &str) -> String {
    let mut said = String::new();
    for game in 1.. {
        let read = match read_score(text, None, game) {
            Ok(read) => read,
            Err(error) if game > 1 && error.to_string().contains("only") => break,
            Err(error) => return format!("{error}\n"),
        };
        let _ = writeln!(said, "letters: {}", read.letters);
        for note in &read.notes {
            let _ = writeln!(said, "line {}: {}", note.line, note.kind);
        }
        let _ = writeln!(said, "\n{}", to_list(&read.score, Letters::English));
        // A list holds one game; only PGN is cut into several.
        if !text.trim_start().starts_with('[') {
            break;
        }
    }
    said
}
