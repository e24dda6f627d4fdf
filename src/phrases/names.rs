//! The words of the lexicon that moves are said with.

use std::collections::BTreeMap;

use serde::Deserialize;
use shakmaty::{CastlingSide, Role, Square};

use super::language_error::{ParseLanguageError, line_of};
use crate::notation::{Announcement, CheckMark, as_words};

/// The words of a lexicon, and the first word for each value.
#[derive(Clone, Debug)]
pub(super) struct Names {
    words: Vec<String>,
    by_value: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Page {
    word: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    word: String,
    value: String,
}

impl Names {
    pub(super) fn parse(text: &str) -> Result<Self, ParseLanguageError> {
        let page: Page = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            ParseLanguageError::new(line, error.message())
        })?;
        let mut names = Self {
            words: Vec::new(),
            by_value: BTreeMap::new(),
        };
        for entry in page.word {
            names.words.push(entry.word.clone());
            names.by_value.entry(entry.value).or_insert(entry.word);
        }
        Ok(names)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    pub(super) fn long_form(&self, announcement: &Announcement) -> Vec<&str> {
        match announcement {
            Announcement::Castling(castling) => {
                let side = match castling.side {
                    CastlingSide::KingSide => "castling short",
                    CastlingSide::QueenSide => "castling long",
                };
                let mut words = vec![self.get(side), self.get("castling")];
                words.extend(castling.mark.map(|mark| self.mark(mark)));
                words
            }
            Announcement::Move(announced) => {
                let mut words = Vec::new();
                words.extend(announced.piece.map(|role| self.piece(role)));
                words.extend(announced.from.into_iter().flat_map(|it| self.square(it)));
                words.extend(announced.capture.then(|| self.get("captures")));
                words.extend(self.square(announced.to));
                words.extend(announced.promotion.map(|role| self.piece(role)));
                words.extend(announced.mark.map(|mark| self.mark(mark)));
                words
            }
        }
    }

    pub(super) fn square(&self, square: Square) -> Vec<&str> {
        let file = format!("file {}", square.file());
        let rank = format!("rank {}", square.rank());
        vec![self.get(&file), self.get(&rank)]
    }

    pub(super) fn piece(&self, role: Role) -> &str {
        self.get(&format!("role {}", as_words::role::word(role)))
    }

    fn mark(&self, mark: CheckMark) -> &str {
        match mark {
            CheckMark::Check => self.get("check"),
            CheckMark::Mate => self.get("mate"),
        }
    }

    fn get(&self, value: &str) -> &str {
        self.by_value.get(value).map_or("", String::as_str)
    }
}
