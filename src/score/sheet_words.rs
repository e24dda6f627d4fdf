//! The words of a printed sheet and of a dictation, from `grammar/<language>/scores.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use shakmaty::Color;

use super::letters::Letters;
use super::page::{PageError, read_page};
use super::template::Template;

/// The words of one language.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SheetWords {
    pub(super) sheet: Captions,
    /// The PGN names in this language.
    pub(super) tags: BTreeMap<String, String>,
    /// The names of the letters of a language.
    letters: BTreeMap<String, String>,
    /// The typed words for an entry without a move.
    pub entries: EntryWords,
    /// The answers of a dictation.
    pub dictation: Answers,
}

/// Words for entries without a move, with spaces between them. The first is read back.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryWords {
    /// The place was left empty.
    pub blank: String,
    /// The entry cannot be read.
    pub unreadable: String,
}

/// The words on the sheet besides the moves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Captions {
    pub(super) page: Template,
    pub(super) page_label: Template,
    pub(super) moves: Template,
    pub(super) number: String,
    pub(super) time: String,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) score_of: String,
    pub(super) start: String,
    pub(super) result: String,
    pub(super) signature: Template,
    pub(super) signed: String,
    pub(super) position: Template,
}

/// The answers of a dictation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// Nothing was heard clearly.
    pub not_clear: String,
    /// Nothing was heard clearly, but a yes accepts this: {move}.
    pub perhaps: Template,
    /// Two readings are close: {move}, {other}.
    pub either: Template,
    /// In a sound file, where nobody can answer: something was not clear.
    pub unclear: String,
    /// In a sound file: something was not clear, but may have been {move}.
    pub unclear_perhaps: Template,
    /// In a sound file: something was one of two moves: {move}, {other}.
    pub unclear_either: Template,
    /// Nothing was said in a sound file.
    pub silent: String,
    /// A sound file cannot be read to its end.
    pub broken: String,
    /// How many entries were not understood in sound files: {number}, {list}.
    pub unheard: Template,
    /// About an entry: no such move is legal there.
    pub not_legal: String,
    /// About an entry: it can mean more than one legal move.
    pub several_legal: String,
    /// A line has no meaning: {text}.
    pub not_understood: Template,
    /// Something could not be done: {why}.
    pub not_done: Template,
    /// An entry was replaced: {number}, {side}, {move}.
    pub now: Template,
    /// An entry was taken: {number}, {side}, {move}.
    pub taken: Template,
    /// There is nothing to correct or read back.
    pub nothing_yet: String,
    /// The next move replaces the last.
    pub again: String,
    /// An entry was understood, but does not belong here.
    pub not_taken: String,
    /// How many moves there are, and whose is the last one: {number}, {side}.
    pub entries: Template,
    /// The result before signing: {result}.
    pub result: Template,
    /// At the end: {number} moves were written to {file}.
    pub written: Template,
    /// The score is signed: {side}.
    pub signed: Template,
    /// The score is not signed.
    pub not_signed: String,
    /// The score is kept without a signature, with how to sign it: {sign}.
    pub unsigned: Template,
    /// A line may be one move or more: {text}.
    pub one_at_a_time: Template,
    /// Only the part of a line before this was taken: {text}.
    pub so_far: Template,
    /// A dictation continues after an entry: {number}, {side}, {move}.
    pub continued: Template,
    /// How to continue a dictation that was interrupted: {command}.
    pub goes_on: Template,
    /// The placeholder for a side in a command.
    pub side_place: String,
    /// The values of a side.
    pub side_meaning: String,
    /// The placeholder for a result in a command.
    pub result_place: String,
    /// The values of a result.
    pub result_meaning: String,
}

impl SheetWords {
    /// Reads the text of `scores.toml`.
    ///
    /// # Errors
    ///
    /// [`PageError`] with what is missing or unknown.
    pub fn parse(text: &str) -> Result<Self, PageError> {
        read_page(text)
    }

    /// Returns the name of a line above the moves in this language, for its name in PGN or in our
    /// lists.
    pub(super) fn heading(&self, name: &str) -> Option<&str> {
        let captions = &self.sheet;
        match name {
            "ScoreOf" => Some(&captions.score_of),
            "FEN" => Some(&captions.start),
            name => self.tags.get(name).map(String::as_str),
        }
    }

    /// Returns the name of a set of letters, in a form that can be read.
    pub(super) fn letters(&self, letters: Letters) -> String {
        let name = letters.to_string();
        self.letters.get(&name).cloned().unwrap_or(name)
    }

    /// The name of a side.
    pub fn side(&self, side: Color) -> &str {
        side.fold_wb(&self.sheet.white, &self.sheet.black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_every_word_with_the_same_places() {
        let places = |text: &str| -> Vec<(String, Vec<String>)> {
            let table: toml::Table = toml::from_str(text).unwrap();
            let words = table.iter().flat_map(|(part, words)| {
                let words = words.as_table().unwrap().iter();
                words.map(move |(key, value)| {
                    let mut names: Vec<String> = value
                        .as_str()
                        .unwrap()
                        .split('{')
                        .skip(1)
                        .map(|rest| rest.split(['}', '?']).next().unwrap().to_owned())
                        .collect();
                    names.sort();
                    names.dedup();
                    (format!("{part}.{key}"), names)
                })
            });
            words.collect()
        };
        let english = include_str!("../../grammar/en/scores.toml");
        for text in [
            include_str!("../../grammar/de/scores.toml"),
            include_str!("../../grammar/da/scores.toml"),
            include_str!("../../grammar/sv/scores.toml"),
            english,
        ] {
            assert!(SheetWords::parse(text).is_ok());
            assert_eq!(places(text), places(english));
        }
        assert!(SheetWords::parse("").is_err());
    }
}
