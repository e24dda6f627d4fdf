//! What a command answers when it cannot do what it was told: whole sentences, as data.
//! `grammar/<language>/errors.toml` has one for each [`SentenceKey`], with places for names and
//! reasons; a reason may be a sentence of this page itself.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use strum::IntoEnumIterator;
use toml::de::{DeTable, DeValue};

use super::language_error::{ParseLanguageError, line_of};
use super::sentence_key::SentenceKey;
use annexd_score::by_number;

/// A sentence and what stands at its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// Which sentence.
    pub key: SentenceKey,
    values: Vec<(&'static str, Value)>,
}

/// What stands at a place of a [`Sentence`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A name, a number, or what the system or another program says: it is the same in all
    /// languages.
    Text(String),
    /// A sentence of ours: in the language of the sentence around it.
    Sentence(Box<Sentence>),
    /// Several of these, one after the other with commas between.
    List(Vec<Self>),
}

impl Sentence {
    /// A sentence without anything at its places.
    pub const fn new(key: SentenceKey) -> Self {
        let values = Vec::new();
        Self { key, values }
    }

    /// With this at the place of this name.
    #[must_use]
    pub fn with(mut self, place: &'static str, value: impl Into<Value>) -> Self {
        self.values.push((place, value.into()));
        self
    }

    /// In the words of a language.
    fn text(&self, words: &Sentences) -> String {
        let template = words.0.get(&self.key).map_or("", String::as_str);
        let mut text = String::new();
        for part in parts(template) {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Place(place) => match by_number(place) {
                    Some((name, [one, others])) => {
                        let is_one = self.value(name).is_some_and(|it| it.text(words) == "1");
                        text.push_str(if is_one { one } else { others });
                    }
                    None => text.extend(self.value(place).map(|value| value.text(words))),
                },
            }
        }
        without_double_stops(&text)
    }

    fn value(&self, place: &str) -> Option<&Value> {
        let known = self.values.iter().find(|(name, _)| *name == place);
        known.map(|(_, value)| value)
    }
}

impl Value {
    /// In the words of a language.
    fn text(&self, words: &Sentences) -> String {
        match self {
            Self::Text(said) => said.clone(),
            Self::Sentence(sentence) => sentence.text(words),
            Self::List(values) => {
                let values = values.iter().map(|value| value.text(words));
                values.collect::<Vec<_>>().join(", ")
            }
        }
    }
}

/// In English, for whoever reads this program's messages rather than its user.
impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&ENGLISH))
    }
}

/// What other programs say may end with a full stop of its own before ours, and so may a sentence
/// within a sentence.
fn without_double_stops(text: &str) -> String {
    let single = text.replace(".. ", ". ");
    match single.strip_suffix("..") {
        Some(start) => format!("{start}."),
        None => single,
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<Sentence> for Value {
    fn from(sentence: Sentence) -> Self {
        Self::Sentence(Box::new(sentence))
    }
}

/// The sentences of a language.
#[derive(Clone, Debug)]
pub struct Sentences(BTreeMap<SentenceKey, String>);

/// English is in the program: it tells even that the files of the languages are not there.
static ENGLISH: LazyLock<Sentences> = LazyLock::new(|| {
    let text = include_str!("../../grammar/en/errors.toml");
    Sentences(read(text).unwrap_or_default())
});

impl Sentences {
    /// Reads `errors.toml`. Strict: every sentence must be there, nothing else, and no place that
    /// the English one lacks.
    ///
    /// # Errors
    ///
    /// Names the line and what is wrong there.
    pub fn parse(text: &str) -> Result<Self, ParseLanguageError> {
        let sentences = read(text)?;
        let end = text.lines().count().max(1);
        for key in SentenceKey::iter() {
            let name: &str = key.into();
            let Some(sentence) = sentences.get(&key) else {
                return Err(ParseLanguageError::new(end, format!("{name} is missing")));
            };
            let english = ENGLISH.0.get(&key).map_or("", String::as_str);
            if let Some(place) =
                places(sentence).find(|it| !places(english).any(|other| other == *it))
            {
                let line = line_of(text, text.find(&format!("\n{name} =")).unwrap_or(0) + 1);
                let fault = format!("{name}: nothing is told at {{{place}}}");
                return Err(ParseLanguageError::new(line, fault));
            }
        }
        Ok(Self(sentences))
    }

    /// A sentence in this language.
    pub fn text(&self, sentence: &Sentence) -> String {
        sentence.text(self)
    }

    /// The places of a sentence.
    pub fn places(&self, key: SentenceKey) -> Vec<&str> {
        let sentence = self.0.get(&key).map_or("", String::as_str);
        places(sentence).collect()
    }
}

fn read(text: &str) -> Result<BTreeMap<SentenceKey, String>, ParseLanguageError> {
    let page = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        ParseLanguageError::new(line, error.message())
    })?;
    let mut sentences = BTreeMap::new();
    for (name, value) in page.get_ref() {
        let line = line_of(text, name.span().start);
        let name = name.get_ref().as_ref();
        let at = |fault: &str| ParseLanguageError::new(line, format!("{name}: {fault}"));
        let key: SentenceKey = name.parse().map_err(|_| at("there is no such sentence"))?;
        let DeValue::String(sentence) = value.get_ref() else {
            return Err(at("the sentence must stand in quotation marks"));
        };
        sentences.insert(key, sentence.to_string());
    }
    Ok(sentences)
}

enum Part<'a> {
    Words(&'a str),
    Place(&'a str),
}

/// The words and places of a template; a brace that is not closed is a word.
fn parts(template: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some((name, after)) = rest.strip_prefix('{').and_then(|it| it.split_once('}')) {
            rest = after;
            return Some(Part::Place(name));
        }
        let mut braces = rest.match_indices('{').map(|(at, _)| at);
        let end = braces.find(|at| *at > 0).unwrap_or(rest.len());
        let (words, after) = rest.split_at(end);
        rest = after;
        Some(Part::Words(words))
    })
}

fn places(template: &str) -> impl Iterator<Item = &str> {
    parts(template).filter_map(|part| match part {
        Part::Place(place) => Some(by_number(place).map_or(place, |(name, _)| name)),
        Part::Words(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GERMAN: &str = include_str!("../../grammar/de/errors.toml");

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
        let german = Sentences::parse(GERMAN).unwrap();
        let text = german.text(&sentence);
        assert!(
            text.starts_with("a.wav ") && !text.contains("entity"),
            "{text}"
        );
    }

    #[test]
    fn one_is_not_told_like_many() {
        let told = |count: usize| {
            let sentence =
                Sentence::new(SentenceKey::MoreNotes).with("count", count.to_string().as_str());
            let languages = [
                include_str!("../../grammar/de/errors.toml"),
                include_str!("../../grammar/en/errors.toml"),
                include_str!("../../grammar/da/errors.toml"),
                include_str!("../../grammar/sv/errors.toml"),
            ];
            languages.map(|text| Sentences::parse(text).unwrap().text(&sentence))
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
                "unread: there is no such sentence",
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
                "unreadable: the sentence must",
            ),
        ] {
            let error = Sentences::parse(&text).unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
