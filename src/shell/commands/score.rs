//! `annexd score`.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use crate::score::{Letters, ReadScore, Score, read_score};
use crate::shell::error::{Error, ErrorKind, Result};

/// Imports, exports, shows and takes dictated scores.
#[derive(clap::Args)]
pub(crate) struct Arguments {}

/// Does it.
pub(crate) fn run(_arguments: Arguments) -> Result<ExitCode> {
    Err(Error::new(
        ErrorKind::Missing,
        "annexd score is not built yet.",
    ))
}

/// Reads a score from a file: JSON if it begins with a brace, else PGN or a list of moves.
pub(super) fn read_file(path: &Path, letters: Option<Letters>, game: usize) -> Result<ReadScore> {
    let wrong = |reason: String| {
        Error::new(
            ErrorKind::BadInput,
            format!("{} cannot be read as a score: {reason}.", path.display()),
        )
    };
    let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
    // Old PGN files are Latin-1; every byte of theirs is a letter of its own.
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        error
            .as_bytes()
            .iter()
            .map(|&byte| char::from(byte))
            .collect()
    });
    if text.trim_start().starts_with('{') {
        let score: Score = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        return Ok(ReadScore {
            score,
            letters: letters.unwrap_or(Letters::English),
            other_letters: Vec::new(),
            notes: Vec::new(),
        });
    }
    read_score(&text, letters, game).map_err(|error| wrong(error.to_string()))
}
