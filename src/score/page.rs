//! How a page of the words of a language is read, `grammar/<language>/*.toml`: each to the type
//! that says what it has. What is wrong is named with its line.

use serde::de::DeserializeOwned;

/// A fault in a page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PageError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: String,
}

/// Reads a page. The type decides what may stand there, and what has to.
///
/// # Errors
///
/// [`PageError`] with the line, the name that stands there and what is wrong.
pub fn read_page<T: DeserializeOwned>(text: &str) -> Result<T, PageError> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or(text.as_bytes());
        let line = before.iter().filter(|byte| **byte == b'\n').count();
        // The reader would name every key that there is.
        let message = match error.message() {
            unknown if unknown.starts_with("unknown variant") => "there is no such word".to_owned(),
            message => message.replace('\n', "; "),
        };
        let here = text.lines().nth(line).unwrap_or_default();
        let fault = match here.split_once('=') {
            Some((name, _)) => format!("{}: {message}", name.trim()),
            None => message,
        };
        let line = line + 1;
        PageError { line, fault }
    })
}

/// A fault that is none of a line, at the end of a page.
pub fn at_end(page: &str, fault: String) -> PageError {
    let line = page.lines().count().max(1);
    PageError { line, fault }
}
