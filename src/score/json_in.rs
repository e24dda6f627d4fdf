//! Reads scores as JSON, the form that keeps everything.

use serde_json::Value;
use thiserror::Error;

use super::kept::Score;
use super::read_score::{MOST_BYTES, MOST_ENTRIES};

/// Why a text is not a score in JSON. `why` is the message of the JSON parser, in its own words.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum ReadJsonError {
    /// The text ends too early.
    #[error("it breaks off in line {line}, column {column}: {why}")]
    BreaksOff {
        /// The line, counted from 1.
        line: usize,
        /// The byte in the line, counted from 1.
        column: usize,
        /// The message of the parser.
        why: String,
    },
    /// The text is not JSON.
    #[error("it is damaged in line {line}, column {column}: {why}")]
    Damaged {
        /// The line, counted from 1.
        line: usize,
        /// The byte in the line, counted from 1.
        column: usize,
        /// The message of the parser.
        why: String,
    },
    /// The text is JSON of something else.
    #[error("it is no score of annexd: it has no entries")]
    NoScore,
    /// A field that every score or every entry has is missing.
    #[error("the field {field} is missing before line {line}, column {column}")]
    Missing {
        /// The name of the field.
        field: String,
        /// The line where that is noticed, counted from 1.
        line: usize,
        /// The byte in the line, counted from 1.
        column: usize,
    },
    /// A value is not allowed there.
    #[error("the value before line {line}, column {column} is wrong: {why}")]
    Value {
        /// The line where the value ends, counted from 1.
        line: usize,
        /// The byte in the line, counted from 1.
        column: usize,
        /// The message of the parser.
        why: String,
    },
    /// The text is longer than any game.
    #[error("a score has at most {MOST_ENTRIES} entries and {MOST_BYTES} bytes")]
    TooLong,
}

/// Reads a score in JSON.
///
/// # Errors
///
/// [`ReadJsonError`] with line and column.
pub fn from_json(text: &str) -> Result<Score, ReadJsonError> {
    if text.len() > MOST_BYTES {
        return Err(ReadJsonError::TooLong);
    }
    let score: Score = serde_json::from_str(text).map_err(|error| refused(text, &error))?;
    if score.entries().len() > MOST_ENTRIES {
        return Err(ReadJsonError::TooLong);
    }
    Ok(score)
}

fn refused(text: &str, error: &serde_json::Error) -> ReadJsonError {
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(damage) => {
            let (line, column, why) = told(&damage);
            return if damage.is_eof() {
                ReadJsonError::BreaksOff { line, column, why }
            } else {
                ReadJsonError::Damaged { line, column, why }
            };
        }
    };
    if value.get("entries").is_none() {
        return ReadJsonError::NoScore;
    }
    let (line, column, why) = told(error);
    let field = why.strip_prefix("missing field `");
    match field.and_then(|it| it.strip_suffix('`')) {
        Some(field) => ReadJsonError::Missing {
            field: field.to_owned(),
            line,
            column,
        },
        None => ReadJsonError::Value { line, column, why },
    }
}

/// Returns the line, the column and the message of an error without them.
fn told(error: &serde_json::Error) -> (usize, usize, String) {
    let (line, column) = (error.line(), error.column());
    let told = error.to_string();
    let place = format!(" at line {line} column {column}");
    let why = told.strip_suffix(&place).unwrap_or(&told).to_owned();
    (line, column, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_apart_with_its_place() {
        let entry = "{\"notated\":\"blank\"}";
        let whole = format!("{{\"entries\":[{entry}],\n\"result\":\"1-0\"}}");
        assert!(from_json(&whole).is_ok(), "{whole}");
        let told = |text: &str| from_json(text).unwrap_err().to_string();
        for (text, expected) in [
            (
                whole.trim_end_matches("1-0\"}").to_owned(),
                "it breaks off in line 2, column 10: EOF while parsing a string",
            ),
            (
                whole.replace(",\n", "\n"),
                "it is damaged in line 2, column 1: expected `,` or `}`",
            ),
            (
                "{\"name\":\"annexd\"}".to_owned(),
                "it is no score of annexd: it has no entries",
            ),
            (
                whole.replace("\"notated\":\"blank\"", ""),
                "the field notated is missing before line 1, column 14",
            ),
            (
                whole.replace("1-0", "2-0"),
                "the value before line 2, column 14 is wrong: not a result",
            ),
            (
                whole.replace("\"blank\"", "7"),
                "the value before line 1, column 24 is wrong: expected value",
            ),
            // Damage is reported first, because nobody can correct a value beside it.
            (
                format!(
                    "{}\n",
                    whole.replace("\"blank\"", "7").trim_end_matches('}')
                ),
                "it breaks off in line 3, column 0: EOF while parsing an object",
            ),
        ] {
            assert_eq!(told(&text), expected, "{text}");
        }
        assert_eq!(
            from_json(&" ".repeat(MOST_BYTES + 1)),
            Err(ReadJsonError::TooLong)
        );
    }
}
