//! Questions as they are typed, in the console's own words, where no lexicon has words for them.

use super::line::Line;
use crate::game::{Command, Said};

impl Line<'_> {
    /// What a line asks.
    pub(super) fn asked(words: &[&str]) -> Option<Said> {
        Some(Said::Command(match words {
            ["detail"] | ["in", "full"] => Command::TimeInFull,
            ["why"] => Command::Why,
            _ => return None,
        }))
    }
}
