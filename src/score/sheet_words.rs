//! The words of a printed sheet and of a dictation; `grammar/<language>/scores.toml` has them.

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
    /// The names of PGN in this language.
    pub(super) tags: BTreeMap<String, String>,
    /// What the letters of a language are called.
    letters: BTreeMap<String, String>,
    /// What is typed in a dictation for an entry without a move.
    pub entries: EntryWords,
    /// What a dictation answers.
    pub dictation: Answers,
}

/// Words for entries without a move, with spaces between them; the first is read back.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryWords {
    /// The place was left empty.
    pub blank: String,
    /// What stands there cannot be read.
    pub unreadable: String,
}

/// What stands on the sheet besides moves.
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

/// What a dictation answers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// Nothing was heard clearly.
    pub not_clear: String,
    /// Nor this, but a yes takes it: {move}.
    pub perhaps: Template,
    /// Two readings are close: {move}, {other}.
    pub either: Template,
    /// In a sound file, where nobody answers: something was not clear.
    pub unclear: String,
    /// Nor this, but it may have been {move}.
    pub unclear_perhaps: Template,
    /// Or one of two: {move}, {other}.
    pub unclear_either: Template,
    /// Nothing was said in a sound file.
    pub silent: String,
    /// A sound file cannot be read to its end.
    pub broken: String,
    /// How many entries were not understood in sound files: {number}, {list}.
    pub unheard: Template,
    /// Of an entry: no such move is legal there.
    pub not_legal: String,
    /// Of an entry: more than one legal move can be meant.
    pub several_legal: String,
    /// A line means nothing: {text}.
    pub not_understood: Template,
    /// It could not be done: {why}.
    pub not_done: Template,
    /// An entry was replaced: {number}, {side}, {move}.
    pub now: Template,
    /// An entry was taken: {number}, {side}, {move}.
    pub taken: Template,
    /// There is nothing to correct or read back.
    pub nothing_yet: String,
    /// The next move replaces the last.
    pub again: String,
    /// It was understood, but does not belong here.
    pub not_taken: String,
    /// How many moves there are, and whose is the last: {number}, {side}.
    pub entries: Template,
    /// The result before it is signed: {result}.
    pub result: Template,
    /// The end: {number} of moves in a {file}.
    pub written: Template,
    /// It is signed: {side}.
    pub signed: Template,
    /// It is not.
    pub not_signed: String,
    /// The score is kept without a signature, and how to sign it: {sign}.
    pub unsigned: Template,
    /// A line may be one move or more: {text}.
    pub one_at_a_time: Template,
    /// Of a line only what stands before this was taken: {text}.
    pub so_far: Template,
    /// A dictation goes on after an entry: {number}, {side}, {move}.
    pub continued: Template,
    /// How a dictation that was broken off goes on: {command}.
    pub goes_on: Template,
    /// What stands in a command for a side and for a result, and what either can be.
    pub side_place: String,
    /// The values of the first.
    pub side_meaning: String,
    /// The second.
    pub result_place: String,
    /// Its values.
    pub result_meaning: String,
}

impl SheetWords {
    /// Reads the text of `scores.toml`.
    ///
    /// # Errors
    ///
    /// [`PageError`] with what is missing or not known.
    pub fn parse(text: &str) -> Result<Self, PageError> {
        read_page(text)
    }

    /// What a line above the moves is called that PGN, or a list of ours, calls so.
    pub(super) fn heading(&self, name: &str) -> Option<&str> {
        let captions = &self.sheet;
        match name {
            "ScoreOf" => Some(&captions.score_of),
            "FEN" => Some(&captions.start),
            name => self.tags.get(name).map(String::as_str),
        }
    }

    /// What letters are called, as they are read again.
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
