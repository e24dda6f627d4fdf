//! What is wrong with a file of `grammar/<language>/`, and where.

/// A fault in a language file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ParseLanguageError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: String,
}

impl ParseLanguageError {
    pub(super) fn new(line: usize, fault: impl Into<String>) -> Self {
        Self {
            line,
            fault: fault.into(),
        }
    }
}

/// The line of a byte, counted from 1.
pub(super) fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().get(..byte).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}
