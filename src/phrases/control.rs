//! The functions in the words of a language, from `grammar/<language>/controls.toml`: the line that
//! is typed for each, and the sentence that explains it.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::pieces::Unplaced;
use super::spoken::Segment;
use annexd_score::{PageError, read_page};

/// The words of a language for all functions, by their names in `assets/controls.toml`.
#[derive(Clone, Debug)]
pub(super) struct ControlWords(BTreeMap<String, Control>);

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Control {
    typed: String,
    about: Unplaced,
}

impl ControlWords {
    /// Reads `controls.toml`.
    pub(super) fn parse(text: &str) -> Result<Self, PageError> {
        read_page(text).map(Self)
    }

    /// The line that is typed for a function. If it takes words, it has an example of them.
    pub(super) fn typed(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|control| control.typed.as_str())
    }

    /// The explanation of a function.
    pub(super) fn said(&self, name: &str) -> Vec<Segment> {
        let control = self.0.get(name);
        control.map_or_else(Vec::new, |it| it.about.segments().to_vec())
    }

    /// All explanations.
    pub(super) fn all(&self) -> impl Iterator<Item = &Unplaced> {
        self.0.values().map(|control| &control.about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_line() {
        for (text, fault) in [
            ("[time]\ntyped = \"zeit\"", "line 1: missing field `about`"),
            ("[time]\nabout = \"Zeit.\"", "line 1: missing field `typed`"),
            ("time = 5", "line 1: time: "),
            ("[time]\ntyped = \"zeit\"\nabout = \"{move}\"", "no place"),
            ("[time", "line 1"),
        ] {
            let error = ControlWords::parse(text).unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
