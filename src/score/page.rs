//! Reads a page of the words of a language, `grammar/<language>/*.toml`, into the type that defines
//! its content. A fault is reported with its line.

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

/// Reads a page. The type decides what the page can and must have.
///
/// # Errors
///
/// [`PageError`] with the line, the name and what is wrong.
pub fn read_page<T: DeserializeOwned>(text: &str) -> Result<T, PageError> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or(text.as_bytes());
        let line = before.iter().filter(|byte| **byte == b'\n').count();
        // The parser would list every possible key.
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

/// Makes a fault that belongs to no line, at the end of a page.
pub fn at_end(page: &str, fault: String) -> PageError {
    let line = page.lines().count().max(1);
    PageError { line, fault }
}
