//! What can be done, in the words of a language: the line that is typed for it, and the sentence
//! that explains it. `grammar/<language>/controls.toml`.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::language_error::{ParseLanguageError, line_of};
use super::pieces::{Piece, Pieces};

/// The words of a language for all functions, by their names in `assets/controls.toml`.
#[derive(Clone, Debug)]
pub(super) struct ControlWords(BTreeMap<String, Control>);

#[derive(Clone, Debug)]
struct Control {
    typed: String,
    about: Pieces,
}

impl ControlWords {
    /// Reads `controls.toml`.
    pub(super) fn parse(text: &str) -> Result<Self, ParseLanguageError> {
        let page = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            ParseLanguageError::new(line, error.message())
        })?;
        let mut controls = BTreeMap::new();
        for (name, value) in page.get_ref() {
            let line = line_of(text, name.span().start);
            let name = name.get_ref().as_ref();
            let at = |fault: String| ParseLanguageError::new(line, format!("{name}: {fault}"));
            let word = |key: &str| match value.get_ref() {
                DeValue::Table(table) => match table.get(key).map(|it| it.get_ref()) {
                    Some(DeValue::String(word)) => Ok(word.as_ref()),
                    _ => Err(at(format!("{key} is missing"))),
                },
                _ => Err(at("this is no part with typed and about".to_owned())),
            };
            let about = Pieces::parse(word("about")?).map_err(at)?;
            if !about.places().is_empty() {
                return Err(at("there is no place in it".to_owned()));
            }
            let typed = word("typed")?.to_owned();
            controls.insert(name.to_owned(), Control { typed, about });
        }
        Ok(Self(controls))
    }

    /// The line that is typed for a function; where it takes words, with an example of them.
    pub(super) fn typed(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|control| control.typed.as_str())
    }

    /// What explains it.
    pub(super) fn pieces(&self, name: &str) -> impl Iterator<Item = &Piece> {
        let control = self.0.get(name);
        control.into_iter().flat_map(|it| it.about.parts())
    }

    /// All explanations.
    pub(super) fn templates(&self) -> impl Iterator<Item = &Pieces> {
        self.0.values().map(|control| &control.about)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_line() {
        for (text, fault) in [
            ("[time]\ntyped = \"zeit\"", "line 1: time: about is missing"),
            (
                "[time]\nabout = \"Zeit.\"",
                "line 1: time: typed is missing",
            ),
            ("time = 5", "no part"),
            ("[time]\ntyped = \"zeit\"\nabout = \"{move}\"", "no place"),
            ("[time", "line 1"),
        ] {
            let error = ControlWords::parse(text).unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
