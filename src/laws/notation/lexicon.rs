//! The words of a language, read from `grammar/<language>/lexicon.toml` and `commands.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use shakmaty::{File, Rank, Role};
use thiserror::Error;
use toml::Spanned;

use super::{CastlingWord, CommandName, Value};

/// A language: its words, their meanings and their typed spellings.
#[derive(Clone, Debug)]
pub struct Lexicon {
    language: String,
    name: String,
    words: Vec<Word>,
    by_spelling: BTreeMap<String, usize>,
    by_value: BTreeMap<Value, usize>,
    commands: Vec<(CommandName, Vec<Vec<String>>)>,
    /// What is only typed, and the phrase that it means.
    typed: Vec<(String, String)>,
    openings: Vec<Vec<String>>,
    restarts: Vec<Vec<String>>,
    talk: Vec<Vec<String>>,
}

/// A word of a lexicon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The spelling that is used everywhere.
    pub word: String,
    /// The meaning of the word.
    pub value: Value,
    /// Its pronunciations, in the phones that the hearing model is built with.
    pub phones: Vec<String>,
    /// Pronunciations of a few speakers.
    pub rare: Vec<String>,
    /// Other spellings that are accepted from a keyboard.
    pub typed: Vec<String>,
    /// The letter that stands for a piece in a written move, such as S in Sf3.
    pub letter: Option<char>,
}

/// A lexicon that cannot be used, with the place of the fault.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}, line {line}: {reason}")]
pub struct LexiconError {
    /// Which of the two files.
    pub file: &'static str,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub reason: String,
}

impl Lexicon {
    /// Reads the texts of a `lexicon.toml` and the `commands.toml` beside it.
    ///
    /// # Errors
    ///
    /// The first fault: no TOML, an unknown field or value, a spelling that occurs twice, a command
    /// with an unknown word, or a missing word for a file, rank, piece or castling.
    pub fn parse(lexicon: &str, commands: &str) -> Result<Self, LexiconError> {
        let source = Source {
            file: "lexicon.toml",
            text: lexicon,
        };
        let page: LexiconPage = source.read()?;
        let mut read = Self {
            language: page.language,
            name: page.name,
            words: Vec::new(),
            by_spelling: BTreeMap::new(),
            by_value: BTreeMap::new(),
            commands: Vec::new(),
            typed: Vec::new(),
            openings: Vec::new(),
            restarts: Vec::new(),
            talk: Vec::new(),
        };
        for entry in page.word {
            read.add(entry, &source)?;
        }
        for phrase in &page.openings {
            let words = read.phrase(phrase, &source)?;
            read.openings.push(words);
        }
        for phrase in &page.restarts {
            let words = read.phrase(phrase, &source)?;
            read.restarts.push(words);
        }
        for phrase in &page.talk {
            let words = read.phrase(phrase, &source)?;
            read.talk.push(words);
        }
        read.check_that_moves_can_be_said(&source)?;
        read.add_commands(&Source {
            file: "commands.toml",
            text: commands,
        })?;
        Ok(read)
    }

    /// The code of the language, such as "de".
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The name of the language in itself, such as "Deutsch".
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All words, in the order of the file.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Returns the number of sounds in these words, each in its shortest pronunciation.
    pub fn sounds<S: AsRef<str>>(&self, words: &[S]) -> usize {
        let entries = words.iter().filter_map(|word| {
            let index = self.by_spelling.get(word.as_ref())?;
            self.words.get(*index)
        });
        let sounds = |form: &String| form.split_whitespace().count();
        entries
            .filter_map(|entry| entry.phones.iter().map(sounds).min())
            .sum()
    }

    /// Returns the meaning of a word in its usual spelling.
    pub fn value(&self, word: &str) -> Option<Value> {
        let entry = self.words.get(*self.by_spelling.get(word)?)?;
        (entry.word == word).then_some(entry.value)
    }

    /// Returns the usual spelling of a word, from any accepted spelling. Letter case is ignored.
    pub fn canonical(&self, spelling: &str) -> Option<&str> {
        let index = self.by_spelling.get(&spelling.to_lowercase())?;
        Some(&self.words.get(*index)?.word)
    }

    /// Returns the word for a value: the first in the file that has this meaning.
    pub fn word_for(&self, value: Value) -> Option<&str> {
        let index = self.by_value.get(&value)?;
        Some(&self.words.get(*index)?.word)
    }

    /// Returns the piece that a letter stands for in a written move.
    pub fn role_of_letter(&self, letter: char) -> Option<Role> {
        self.words.iter().find_map(|word| match word.value {
            Value::Role(role) if word.letter == Some(letter) => Some(role),
            _ => None,
        })
    }

    /// Returns the command whose phrase is exactly these words.
    pub fn command<S: AsRef<str>>(&self, words: &[S]) -> Option<CommandName> {
        let is_phrase = |phrase: &Vec<String>| {
            phrase.len() == words.len() && phrase.iter().zip(words).all(|(a, b)| a == b.as_ref())
        };
        self.commands
            .iter()
            .find(|(_, phrases)| phrases.iter().any(is_phrase))
            .map(|(name, _)| *name)
    }

    /// Returns the phrase that is meant by another one, which is only typed: "aufgeben" is no
    /// phrase that is listened for, and means "aufgabe". Letter case and marks behind it do not
    /// matter.
    pub fn meant_by(&self, typed: &str) -> Option<&str> {
        let words = bare(typed);
        let (_, phrase) = self.typed.iter().find(|(known, _)| *known == words)?;
        Some(phrase)
    }

    /// Returns whether more words could make these a command, or a longer one.
    pub fn begins_command<S: AsRef<str>>(&self, words: &[S]) -> bool {
        self.phrases().any(|(_, phrase)| {
            phrase.len() > words.len() && phrase.iter().zip(words).all(|(a, b)| a == b.as_ref())
        })
    }

    /// Every phrase of every command, in the order of the file.
    pub fn phrases(&self) -> impl Iterator<Item = (CommandName, &[String])> {
        self.commands
            .iter()
            .flat_map(|(name, phrases)| phrases.iter().map(|phrase| (*name, phrase.as_slice())))
    }

    /// Returns whether these words are talk: words that people say to each other and that sound
    /// like a command. They have no meaning.
    pub fn is_talk<S: AsRef<str>>(&self, words: &[S]) -> bool {
        let is_this = |phrase: &Vec<String>| {
            phrase.len() == words.len() && phrase.iter().zip(words).all(|(a, b)| a == b.as_ref())
        };
        self.talk.iter().any(is_this)
    }

    /// Returns the words after openings that mean nothing before a move: "also, ich spiele".
    pub fn behind_openings<'a, S: AsRef<str>>(&self, words: &'a [S]) -> &'a [S] {
        let mut rest = words;
        loop {
            let openings = self.openings.iter();
            let found = openings.filter(|phrase| begins_with(rest, phrase));
            let Some(behind) = found
                .map(Vec::len)
                .max()
                .and_then(|length| rest.get(length..))
            else {
                return rest;
            };
            rest = behind;
        }
    }

    /// Returns whether more words could make these an opening, or a longer one.
    pub fn begins_opening<S: AsRef<str>>(&self, words: &[S]) -> bool {
        self.openings.iter().any(|phrase| {
            phrase.len() > words.len() && words.iter().zip(phrase).all(|(a, b)| a.as_ref() == b)
        })
    }

    /// Returns what stands before and after the last words that take back a beginning: "Turm, nein,
    /// Dame". Several of them behind each other are one: "rook, no, sorry, queen".
    pub fn at_restart<'a, S: AsRef<str>>(&self, words: &'a [S]) -> Option<(&'a [S], &'a [S])> {
        (1..words.len()).rev().find_map(|at| {
            let (before, rest) = words.split_at_checked(at)?;
            let mut restarts = self.restarts.iter();
            let phrase = restarts.find(|phrase| begins_with(rest, phrase))?;
            let before = match self.at_restart(before) {
                Some((earlier, [])) => earlier,
                _ => before,
            };
            Some((before, rest.get(phrase.len()..)?))
        })
    }

    fn add(&mut self, entry: WordEntry, source: &Source<'_>) -> Result<(), LexiconError> {
        let at = entry.value.span().start;
        let value = parse_value(entry.value.get_ref())
            .ok_or_else(|| source.error(at, format!("no such value: {}", entry.value.get_ref())))?;
        let at = entry.word.span().start;
        let word = entry.word.into_inner();
        if word.is_empty() || word.contains(char::is_whitespace) || word != word.to_lowercase() {
            let reason = format!("\"{word}\" is not one word in lower case");
            return Err(source.error(at, reason));
        }
        let letter = match (value, entry.letter) {
            (Value::Role(_), None) => word.chars().next().map(first_upper),
            (Value::Role(_), letter) => letter,
            (_, Some(_)) => return Err(source.error(at, "only a piece has a letter".to_owned())),
            (_, None) => None,
        };
        let index = self.words.len();
        for spelling in std::iter::once(&word).chain(&entry.typed) {
            if self
                .by_spelling
                .insert(spelling.to_lowercase(), index)
                .is_some()
            {
                return Err(source.error(at, format!("\"{spelling}\" is there twice")));
            }
        }
        if value != Value::Word {
            self.by_value.entry(value).or_insert(index);
        }
        self.words.push(Word {
            word,
            value,
            phones: entry.phones,
            rare: entry.rare,
            typed: entry.typed,
            letter,
        });
        Ok(())
    }

    fn check_that_moves_can_be_said(&self, source: &Source<'_>) -> Result<(), LexiconError> {
        let files = File::ALL.into_iter().map(Value::File);
        let ranks = Rank::ALL.into_iter().map(Value::Rank);
        let roles = Role::ALL.into_iter().map(Value::Role);
        let others = [
            Value::Castling,
            Value::CastlingSide(CastlingWord::Short),
            Value::CastlingSide(CastlingWord::Long),
            Value::Captures,
        ];
        files
            .chain(ranks)
            .chain(roles)
            .chain(others)
            .find(|value| self.word_for(*value).is_none())
            .map_or(Ok(()), |value| {
                Err(source.error(0, format!("no word for \"{value}\"")))
            })
    }

    fn add_commands(&mut self, source: &Source<'_>) -> Result<(), LexiconError> {
        let page: CommandsPage = source.read()?;
        let mut typed = Vec::new();
        for entry in page.command {
            let at = entry.name.span().start;
            let name = CommandName::from_word(entry.name.get_ref()).ok_or_else(|| {
                source.error(at, format!("no such command: {}", entry.name.get_ref()))
            })?;
            let mut phrases = Vec::new();
            for phrase in entry.phrases {
                let at = phrase.span().start;
                let words = self.phrase(&phrase, source)?;
                if self.command(&words).is_some() {
                    let reason = format!("\"{}\" is there twice", phrase.get_ref());
                    return Err(source.error(at, reason));
                }
                phrases.push(words);
            }
            typed.push((entry.typed, phrases.first().cloned()));
            self.commands.push((name, phrases));
        }
        for (typed, phrase) in typed {
            self.add_typed(source, &typed, phrase.as_deref())?;
        }
        Ok(())
    }

    /// Adds what is only typed for a command, and means its first phrase.
    fn add_typed(
        &mut self,
        source: &Source<'_>,
        typed: &[Spanned<String>],
        phrase: Option<&[String]>,
    ) -> Result<(), LexiconError> {
        for text in typed {
            let error = |reason: &str| {
                let reason = format!("\"{}\" {reason}", text.get_ref());
                source.error(text.span().start, reason)
            };
            let words = bare(text.get_ref());
            let phrase = phrase.ok_or_else(|| error("stands beside no phrase"))?;
            let split: Vec<&str> = words.split(' ').collect();
            if words.is_empty() || self.command(&split).is_some() || self.meant_by(&words).is_some()
            {
                return Err(error("is there twice, or is nothing"));
            }
            self.typed.push((words, phrase.join(" ")));
        }
        Ok(())
    }

    /// Reads the words of a phrase, which must be words of this lexicon.
    fn phrase(
        &self,
        phrase: &Spanned<String>,
        source: &Source<'_>,
    ) -> Result<Vec<String>, LexiconError> {
        let at = phrase.span().start;
        let words: Vec<String> = phrase
            .get_ref()
            .split_whitespace()
            .map(str::to_owned)
            .collect();
        if words.is_empty() {
            return Err(source.error(at, "a phrase without words".to_owned()));
        }
        match words.iter().find(|word| self.value(word).is_none()) {
            Some(word) => Err(source.error(at, format!("\"{word}\" is not in lexicon.toml"))),
            None => Ok(words),
        }
    }
}

struct Source<'a> {
    file: &'static str,
    text: &'a str,
}

impl Source<'_> {
    fn read<T: for<'de> Deserialize<'de>>(&self) -> Result<T, LexiconError> {
        toml::from_str(self.text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            self.error(at, error.message().to_owned())
        })
    }

    fn error(&self, at: usize, reason: String) -> LexiconError {
        let before = self.text.as_bytes().get(..at).unwrap_or_default();
        LexiconError {
            file: self.file,
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            reason,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LexiconPage {
    language: String,
    name: String,
    #[serde(default)]
    openings: Vec<Spanned<String>>,
    #[serde(default)]
    restarts: Vec<Spanned<String>>,
    #[serde(default)]
    talk: Vec<Spanned<String>>,
    word: Vec<WordEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordEntry {
    word: Spanned<String>,
    value: Spanned<String>,
    #[serde(default)]
    phones: Vec<String>,
    #[serde(default)]
    rare: Vec<String>,
    #[serde(default)]
    typed: Vec<String>,
    letter: Option<char>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandsPage {
    command: Vec<CommandEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommandEntry {
    name: Spanned<String>,
    phrases: Vec<Spanned<String>>,
    #[serde(default)]
    typed: Vec<Spanned<String>>,
}

fn begins_with<S: AsRef<str>>(words: &[S], phrase: &[String]) -> bool {
    words.len() >= phrase.len() && words.iter().zip(phrase).all(|(a, b)| a.as_ref() == b)
}

/// The words of what was typed, in small letters, without marks behind them.
fn bare(typed: &str) -> String {
    let words = typed.split_whitespace();
    let words = words.map(|word| word.trim_end_matches(['.', ',', '!', '?']).to_lowercase());
    words
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn first_upper(letter: char) -> char {
    letter.to_uppercase().next().unwrap_or(letter)
}

fn parse_value(text: &str) -> Option<Value> {
    std::iter::once(Value::Word)
        .chain(Value::all_with_meaning())
        .find(|value| value.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::german;

    const LEXICON: &str = include_str!("../../../grammar/de/lexicon.toml");
    const COMMANDS: &str = include_str!("../../../grammar/de/commands.toml");

    #[track_caller]
    fn check_error(lexicon: &str, commands: &str, expected: &str) {
        let error = Lexicon::parse(lexicon, commands).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn german_reads_and_speaks() {
        let german = german();
        assert_eq!(german.language(), "de");
        assert_eq!(german.value("hector"), Some(Value::File(File::H)));
        assert_eq!(german.value("hektor"), None);
        assert_eq!(german.canonical("Hektor"), Some("hector"));
        assert_eq!(german.canonical("FÜNF"), Some("fünf"));
        assert_eq!(german.word_for(Value::Rank(Rank::Second)), Some("zwei"));
        assert_eq!(german.role_of_letter('S'), Some(Role::Knight));
        assert_eq!(
            german.command(&["ich", "berichtige"]).map(|c| c.word()),
            Some("adjust")
        );
        assert!(german.begins_command(&["remis"]));
        assert!(!german.begins_command(&["remis", "angebot"]));
    }

    #[test]
    fn what_is_only_typed_means_a_phrase() {
        let german = german();
        for typed in ["aufgeben", "Gib auf!", "ich  gebe die Partie auf."] {
            assert_eq!(german.meant_by(typed), Some("aufgabe"), "{typed}");
        }
        assert_eq!(german.meant_by("ich gebe auf"), None, "a phrase itself");
        assert_eq!(german.meant_by("auf"), None);
    }

    #[test]
    fn a_bad_lexicon_is_named_by_file_and_line() {
        let unknown = LEXICON.replace("value = \"file b\"", "value = \"file x\"");
        check_error(
            &unknown,
            COMMANDS,
            "lexicon.toml, line 34: no such value: file x",
        );
        let twice = LEXICON.replace("word = \"bella\"", "word = \"anna\"");
        check_error(
            &twice,
            COMMANDS,
            "lexicon.toml, line 33: \"anna\" is there twice",
        );
        let missing = LEXICON.replace("value = \"rank 4\"", "value = \"word\"");
        check_error(
            &missing,
            COMMANDS,
            "lexicon.toml, line 1: no word for \"rank 4\"",
        );
        let field = LEXICON.replacen("phones =", "fones =", 1);
        let error = Lexicon::parse(&field, COMMANDS).unwrap_err();
        assert_eq!((error.file, error.line), ("lexicon.toml", 30));
        let command = COMMANDS.replace("[\"stopp\"]", "[\"halt\"]");
        check_error(
            LEXICON,
            &command,
            "commands.toml, line 15: \"halt\" is not in lexicon.toml",
        );
        let typed = COMMANDS.replace("typed = [\"korrigieren\"", "typed = [\"Ja.\"");
        check_error(
            LEXICON,
            &typed,
            "commands.toml, line 20: \"Ja.\" is there twice, or is nothing",
        );
        let name = COMMANDS.replace("\"yes\"", "\"jawohl\"");
        check_error(
            LEXICON,
            &name,
            "commands.toml, line 6: no such command: jawohl",
        );
        check_error("", "", "lexicon.toml, line 1: missing field `language`");
    }
}
