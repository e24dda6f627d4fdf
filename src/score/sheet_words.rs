//! The words of a printed sheet and of a dictation; `grammar/<language>/scores.toml` has them.

use std::collections::BTreeMap;

use serde::Deserialize;
use shakmaty::Color;
use thiserror::Error;

use super::letters::Letters;

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
    pub(super) page: String,
    pub(super) page_label: String,
    pub(super) moves: String,
    pub(super) number: String,
    pub(super) time: String,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) score_of: String,
    pub(super) start: String,
    pub(super) result: String,
    pub(super) signature: String,
    pub(super) signed: String,
}

/// What a dictation answers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// Nothing was heard clearly.
    pub not_clear: String,
    /// Nor this, but a yes takes it: {move}.
    pub perhaps: String,
    /// Two readings are close: {move}, {other}.
    pub either: String,
    /// In a sound file, where nobody answers: something was not clear.
    pub unclear: String,
    /// Nor this, but it may have been {move}.
    pub unclear_perhaps: String,
    /// Or one of two: {move}, {other}.
    pub unclear_either: String,
    /// Nothing was said in a sound file.
    pub silent: String,
    /// A sound file cannot be read to its end.
    pub broken: String,
    /// How many entries were not understood in sound files: {number}, {list}.
    pub unheard: String,
    /// Of an entry: no such move is legal there.
    pub not_legal: String,
    /// Of an entry: more than one legal move can be meant.
    pub several_legal: String,
    /// A line means nothing: {text}.
    pub not_understood: String,
    /// It could not be done: {why}.
    pub not_done: String,
    /// An entry was replaced: {number}, {side}, {move}.
    pub now: String,
    /// An entry was taken: {number}, {side}, {move}.
    pub taken: String,
    /// There is nothing to correct or read back.
    pub nothing_yet: String,
    /// The next move replaces the last.
    pub again: String,
    /// It was understood, but does not belong here.
    pub not_taken: String,
    /// How many moves there are, and whose is the last: {number}, {side}.
    pub entries: String,
    /// The result before it is signed: {result}.
    pub result: String,
    /// The end: {number} of moves in a {file}.
    pub written: String,
    /// It is signed: {side}.
    pub signed: String,
    /// It is not.
    pub not_signed: String,
    /// The score is kept without a signature, and how to sign it: {sign}.
    pub unsigned: String,
    /// A line may be one move or more: {text}.
    pub one_at_a_time: String,
    /// Of a line only what stands before this was taken: {text}.
    pub so_far: String,
    /// A dictation goes on after an entry: {number}, {side}, {move}.
    pub continued: String,
    /// How a dictation that was broken off goes on: {command}.
    pub goes_on: String,
    /// What stands in a command for a side and for a result, and what either can be.
    pub side_place: String,
    /// The values of the first.
    pub side_meaning: String,
    /// The second.
    pub result_place: String,
    /// Its values.
    pub result_meaning: String,
}

/// The words of a language cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("scores.toml: {0}")]
pub struct SheetWordsError(String);

impl SheetWords {
    /// Reads the text of `scores.toml`.
    ///
    /// # Errors
    ///
    /// [`SheetWordsError`] with what is missing or not known.
    pub fn parse(text: &str) -> Result<Self, SheetWordsError> {
        toml::from_str(text).map_err(|error| SheetWordsError(error.to_string()))
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

/// Puts words into their places. What is put in is not looked at again.
pub fn filled(text: &str, places: &[(&str, &str)]) -> String {
    filled_by(text, places, |_, _, words| words.to_owned())
}

/// The same; `as_put` has the last word on what is put in, by the text before it and the name of
/// the place.
pub fn filled_by(
    text: &str,
    places: &[(&str, &str)],
    as_put: impl Fn(&str, &str, &str) -> String,
) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, place)) = rest.split_once('{') {
        let Some((name, after)) = place.split_once('}') else {
            break;
        };
        filled.push_str(before);
        let words = |name| {
            let words = places.iter().find(|(place, _)| *place == name);
            words.map_or("", |(_, words)| *words)
        };
        match by_number(name) {
            Some((name, [one, others])) => {
                filled.push_str(if words(name) == "1" { one } else { others });
            }
            None => {
                let put = as_put(&filled, name, words(name));
                filled.push_str(&put);
            }
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// What stands in braces may be a choice of words by the number at a place: `{count?game|games}`
/// is "game" where `{count}` is 1. The name of that place, and the words for one and for others.
pub fn by_number(place: &str) -> Option<(&str, [&str; 2])> {
    let (name, words) = place.split_once('?')?;
    let (one, others) = words.split_once('|')?;
    Some((name, [one, others]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_said_like_many() {
        let said = |number| filled("{n} {n?game|games} left", &[("n", number)]);
        assert_eq!(said("1"), "1 game left");
        assert_eq!(said("0"), "0 games left");
        assert_eq!(said("11"), "11 games left");
    }

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

    #[test]
    fn what_is_put_in_is_no_place() {
        assert_eq!(filled("a {one} b {", &[("one", "{two}")]), "a {two} b {");
    }
}
