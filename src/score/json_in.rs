//! Reads scores as JSON, the form that loses nothing.

use thiserror::Error;

use super::kept::Score;
use super::sheet_in::{MOST_BYTES, MOST_ENTRIES};

/// Why a text is no score in JSON.
#[derive(Debug, Error)]
pub enum ReadJsonError {
    /// It is no JSON, or no score.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It is longer than any game.
    #[error("a score has at most {MOST_ENTRIES} entries and {MOST_BYTES} bytes")]
    TooLong,
}

/// Reads a score that was written as JSON.
///
/// # Errors
///
/// [`ReadJsonError`] names line and column.
pub fn from_json(text: &str) -> Result<Score, ReadJsonError> {
    if text.len() > MOST_BYTES {
        return Err(ReadJsonError::TooLong);
    }
    let score: Score = serde_json::from_str(text)?;
    if score.entries().len() > MOST_ENTRIES {
        return Err(ReadJsonError::TooLong);
    }
    Ok(score)
}
