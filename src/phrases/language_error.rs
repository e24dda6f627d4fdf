//! Faults in the files of a language.

use annexd_score::PageError;

/// A fault and the file it is in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, {fault}")]
pub struct LanguageError {
    /// The file.
    pub file: &'static str,
    /// The fault and its line.
    pub fault: PageError,
}
