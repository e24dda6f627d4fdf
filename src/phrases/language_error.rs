//! What is wrong in the files of a language.

use annexd_score::PageError;

/// A fault and the file it is in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, {fault}")]
pub struct LanguageError {
    /// Which of the files.
    pub file: &'static str,
    /// What is wrong, and in which line.
    pub fault: PageError,
}
