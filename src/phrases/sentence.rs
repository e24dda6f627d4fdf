//! Whole sentences as data: why a command could not do what it was told, and the verdict on two
//! scores. `errors.toml` and `verdict.toml` of `grammar/<language>` have one for each
//! [`SentenceKey`], with places for names and reasons. A reason may be a sentence itself.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::LanguageError;
use super::complete::has_all;
use super::sentence_key::SentenceKey;
use annexd_score::{Letters, Notated, PageError, Part, Template, at_end, read_page, write_move};

/// A sentence and the values at its places.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// Which sentence.
    pub key: SentenceKey,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<(Cow<'static, str>, Value)>,
}

/// A value at a place of a [`Sentence`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// A name, a number, or a message of the system or another program. It is the same in all
    /// languages.
    Text(String),
    /// Words that somebody has written on a sheet. They stay as they are.
    Written(String),
    /// A move, in the letters of the language.
    Move(Notated),
    /// A sentence of ours, in the language of the sentence around it.
    Sentence(Box<Sentence>),
    /// Several values, separated by commas.
    List(Vec<Self>),
}

impl Sentence {
    /// Makes a sentence without values.
    pub const fn new(key: SentenceKey) -> Self {
        let values = Vec::new();
        Self { key, values }
    }

    /// Adds a value at the place with this name.
    #[must_use]
    pub fn with(mut self, place: &'static str, value: impl Into<Value>) -> Self {
        self.values.push((place.into(), value.into()));
        self
    }

    /// Returns the keys of the sentence and of those within it, without any names.
    pub fn outline(&self) -> String {
        let within: Vec<String> = self
            .values
            .iter()
            .flat_map(|(_, it)| it.outlines())
            .collect();
        let key: &str = self.key.into();
        match within.as_slice() {
            [] => key.to_owned(),
            within => format!("{key} ({})", within.join(", ")),
        }
    }

    /// Returns the sentence in the words of a language.
    fn text(&self, words: &Sentences) -> String {
        let Some(template) = words.templates.get(&self.key) else {
            return String::new();
        };
        template.fill(&|place, is_last| {
            let Some(value) = self.value(place) else {
                return String::new();
            };
            let mut text = value.text(words);
            // A message of another program may end with a full stop before ours, and so may a
            // sentence within a sentence.
            if is_last && value.has_full_stop(words) {
                text.pop();
            }
            text
        })
    }

    fn value(&self, place: &str) -> Option<&Value> {
        let known = self.values.iter().find(|(name, _)| name == place);
        known.map(|(_, value)| value)
    }
}

impl Value {
    fn outlines(&self) -> Vec<String> {
        match self {
            Self::Sentence(sentence) => vec![sentence.outline()],
            Self::List(values) => values.iter().flat_map(Self::outlines).collect(),
            Self::Text(_) | Self::Written(_) | Self::Move(_) => Vec::new(),
        }
    }

    /// Returns whether it ends with a full stop that does not come from a sheet.
    fn has_full_stop(&self, words: &Sentences) -> bool {
        match self {
            Self::Text(said) => said.ends_with('.'),
            Self::Written(_) | Self::Move(_) => false,
            Self::List(values) => values.last().is_some_and(|it| it.has_full_stop(words)),
            Self::Sentence(sentence) => {
                let template = words.templates.get(&sentence.key);
                match template.and_then(|it| it.parts().last()) {
                    Some(Part::Words(words)) => words.ends_with('.'),
                    Some(Part::Place { name, .. }) => sentence
                        .value(name)
                        .is_some_and(|it| it.has_full_stop(words)),
                    Some(Part::Choice { .. }) | None => false,
                }
            }
        }
    }

    /// Returns the value in the words of a language.
    fn text(&self, words: &Sentences) -> String {
        match self {
            Self::Text(said) | Self::Written(said) => said.clone(),
            Self::Move(notated) => write_move(notated, words.letters),
            Self::Sentence(sentence) => sentence.text(words),
            Self::List(values) => {
                let values = values.iter().map(|value| value.text(words));
                values.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// Writes the sentence in English, for people who read the program's messages without using it.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&ENGLISH))
    }
}

/// A reader of a value that is typed refuses it with a sentence.
impl std::error::Error for Sentence {}

impl From<SentenceKey> for Sentence {
    fn from(key: SentenceKey) -> Self {
        Self::new(key)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Text(number.to_string())
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl From<Sentence> for Value {
    fn from(sentence: Sentence) -> Self {
        Self::Sentence(Box::new(sentence))
    }
}

/// Returns several sentences in English, one after the other, where there is no language.
pub fn in_english(sentences: &[Sentence]) -> String {
    ENGLISH.paragraph(sentences)
}

/// The sentences of a language.
#[derive(Clone, Debug)]
pub struct Sentences {
    templates: BTreeMap<SentenceKey, Template>,
    /// The letters of moves that are on no sheet.
    letters: Letters,
}

/// English is built in, so that the program can report that the files of the languages are missing.
static ENGLISH: LazyLock<Sentences> = LazyLock::new(|| {
    let [errors, verdict] = [
        include_str!("../../grammar/en/errors.toml"),
        include_str!("../../grammar/en/verdict.toml"),
    ];
    // A test checks that they can be read.
    let page = |text| read_page::<BTreeMap<_, _>>(text).unwrap_or_default();
    let mut templates = page(errors);
    templates.extend(page(verdict));
    Sentences {
        templates,
        letters: Letters::English,
    }
});

impl Sentences {
    /// The files of the sentences.
    pub(super) const FILES: [&str; 2] = ["errors.toml", "verdict.toml"];

    /// Reads these files, in their order. They must have every sentence and nothing else, and no
    /// place that the English sentence lacks.
    ///
    /// # Errors
    ///
    /// If a file is wrong. The error gives the file, the line and the fault.
    pub fn parse(texts: [&str; 2]) -> Result<Self, LanguageError> {
        let mut templates = BTreeMap::new();
        for (file, text) in Self::FILES.into_iter().zip(texts) {
            let at = |fault| LanguageError { file, fault };
            let page: BTreeMap<SentenceKey, Template> = read_page(text).map_err(at)?;
            for (key, template) in &page {
                let english = ENGLISH.templates.get(key).map(Template::places);
                let english = english.unwrap_or_default();
                if let Some(place) = template.places().difference(&english).next() {
                    let name: &str = key.into();
                    let mut before = text.lines().take_while(|it| !it.starts_with(name));
                    let line = 1 + before.by_ref().count();
                    let fault = format!("{name}: nothing is told at {{{place}}}");
                    return Err(at(PageError { line, fault }));
                }
            }
            templates.extend(page);
        }
        let at = |fault| LanguageError {
            file: Self::FILES[1],
            fault,
        };
        has_all(&templates, texts[1]).map_err(at)?;
        Self::with_letters(templates).map_err(|fault| at(at_end(texts[1], fault)))
    }

    /// The letters of moves.
    pub(super) const fn letters(&self) -> Letters {
        self.letters
    }

    /// Reads the letters of moves from the text of `verdict.toml` alone.
    ///
    /// # Errors
    ///
    /// If the text is wrong. The error gives the line and the fault.
    pub fn letters_of(verdict: &str) -> Result<Letters, LanguageError> {
        let file = Self::FILES[1];
        let read = read_page(verdict).and_then(|templates| {
            let read = Self::with_letters(templates);
            read.map_err(|fault| at_end(verdict, fault))
        });
        let read = read.map_err(|fault| LanguageError { file, fault })?;
        Ok(read.letters)
    }

    fn with_letters(templates: BTreeMap<SentenceKey, Template>) -> Result<Self, String> {
        let mut sentences = Self {
            templates,
            letters: Letters::English,
        };
        let named = Sentence::new(SentenceKey::VerdictLetters).text(&sentences);
        sentences.letters = named
            .parse()
            .map_err(|_| "verdict_letters: no letters".to_owned())?;
        Ok(sentences)
    }

    /// Returns a sentence in this language.
    pub fn text(&self, sentence: &Sentence) -> String {
        sentence.text(self)
    }

    /// Returns several sentences, one after the other.
    pub(super) fn paragraph(&self, sentences: &[Sentence]) -> String {
        let told = sentences.iter().map(|it| it.text(self));
        told.collect::<Vec<_>>().join(" ")
    }

    /// The places of a sentence.
    pub fn places(&self, key: SentenceKey) -> impl Iterator<Item = &str> {
        let template = self.templates.get(&key);
        template.into_iter().flat_map(Template::places)
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator as _;

    use super::*;

    const GERMAN: &str = include_str!("../../grammar/de/errors.toml");
    const VERDICT: &str = include_str!("../../grammar/de/verdict.toml");

    #[test]
    fn english_is_in_the_program() {
        for key in SentenceKey::iter() {
            assert!(ENGLISH.templates.contains_key(&key), "{key:?}");
        }
    }

    #[test]
    fn a_place_is_filled_as_it_was_written() {
        let german = Sentences::parse([GERMAN, VERDICT]).unwrap();
        let told =
            |value| german.text(&Sentence::new(SentenceKey::VerdictWayEntries).with("list", value));
        assert_eq!(told("a.".into()), "In den Notationen steht a.");
        let written = Value::Written("{in}.".to_owned());
        assert_eq!(told(written), "In den Notationen steht {in}..");
        let knight = annexd_score::read_move("Ng1-f3", Letters::English);
        let list = |value| Sentence::new(SentenceKey::VerdictWayEntries).with("list", value);
        let both = list(Value::Move(knight));
        assert_eq!(german.text(&both), "In den Notationen steht Sg1-f3.");
        assert_eq!(both.to_string(), "The scores have Ng1-f3.");
    }

    #[test]
    fn a_reason_of_ours_is_told_in_the_language_of_the_sentence() {
        let why = Sentence::new(SentenceKey::IoNotFound).with("system", "entity not found");
        let sentence = Sentence::new(SentenceKey::Unreadable)
            .with("path", "a.wav")
            .with("why", why);
        assert_eq!(
            sentence.to_string(),
            "a.wav cannot be read: entity not found."
        );
        let german = Sentences::parse([GERMAN, VERDICT]).unwrap();
        let text = german.text(&sentence);
        assert!(
            text.starts_with("a.wav ") && !text.contains("entity"),
            "{text}"
        );
    }

    fn languages() -> [[&'static str; 2]; 4] {
        macro_rules! files {
            ($($code:literal),+) => {
                [$([
                    include_str!(concat!("../../grammar/", $code, "/errors.toml")),
                    include_str!(concat!("../../grammar/", $code, "/verdict.toml")),
                ]),+]
            };
        }
        files!["de", "en", "da", "sv"]
    }

    #[test]
    fn one_is_not_told_like_many() {
        let told = |count: usize| {
            let sentence =
                Sentence::new(SentenceKey::MoreNotes).with("count", count.to_string().as_str());
            languages().map(|texts| Sentences::parse(texts).unwrap().text(&sentence))
        };
        assert_eq!(
            told(1),
            [
                "Und 1 weiterer Hinweis.",
                "And 1 more remark.",
                "Og 1 bemærkning mere.",
                "Och 1 anmärkning till."
            ]
        );
        assert_eq!(told(2)[0], "Und 2 weitere Hinweise.");
    }

    #[test]
    fn an_outline_names_sentences_and_nothing_that_stands_in_them() {
        let why = Sentence::new(SentenceKey::IoNotFound).with("system", "anna.pgn is gone");
        let sentence = Sentence::new(SentenceKey::Unreadable)
            .with("path", "anna.pgn")
            .with("why", why);
        assert_eq!(sentence.outline(), "unreadable (io_not_found)");
        let bare = Sentence::new(SentenceKey::Unreadable).with("path", "anna.pgn");
        assert_eq!(bare.outline(), "unreadable");
    }

    #[test]
    fn a_sentence_ends_with_one_full_stop() {
        let sentence = Sentence::new(SentenceKey::Unreadable)
            .with("path", "../games")
            .with("why", "It is gone.");
        assert_eq!(sentence.to_string(), "../games cannot be read: It is gone.");
    }

    #[test]
    fn a_sentence_that_is_missing_or_unknown_is_named_with_its_line() {
        for (text, fault) in [
            (
                GERMAN.replace("\nunreadable = ", "\nunread = "),
                "unread: there is no such word",
            ),
            (
                GERMAN.replace("\nunreadable = ", "\n#"),
                "unreadable is missing",
            ),
            (
                GERMAN.replace("\nunreadable = \"", "\nunreadable = \"{folly}"),
                "unreadable: nothing is told at {folly}",
            ),
            (
                GERMAN.replace("\nunreadable = ", "\nunreadable = 5 #"),
                "unreadable: invalid type",
            ),
        ] {
            let error = Sentences::parse([&text, VERDICT]).unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
