//! A language to speak: its lexicon, its phrases and its terms.

use std::collections::BTreeMap;

use strum::IntoEnumIterator;
use toml::de::{DeTable, DeValue};

use super::language_error::{ParseLanguageError, line_of};
use super::names::Names;
use super::spoken::{Segment, Spoken};
use super::template::{Part, Place, Template};
use super::{Argument, Phrase, PhraseKey, Terms};

/// A language complete enough to say every [`Phrase`].
#[derive(Clone, Debug)]
pub struct Language {
    names: Names,
    terms: Terms,
    phrases: BTreeMap<PhraseKey, Template>,
    /// The texts for when the first number of a phrase is one.
    singular: BTreeMap<PhraseKey, Template>,
}

/// The files of `grammar/<language>/` that are needed for speaking.
#[derive(Clone, Copy, Debug)]
pub struct LanguageFiles<'a> {
    /// The text of `lexicon.toml`.
    pub lexicon: &'a str,
    /// The text of `terms.toml`.
    pub terms: &'a str,
    /// The text of `phrases.toml`.
    pub phrases: &'a str,
}

/// A fault and the file it is in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}, {fault}")]
pub struct LanguageError {
    /// Which of the files.
    pub file: &'static str,
    /// What is wrong, and in which line.
    pub fault: ParseLanguageError,
}

impl Language {
    /// Reads the files of a language. Strict: every phrase must be there, and nothing else.
    ///
    /// # Errors
    ///
    /// Names the file, the line and what is wrong there.
    pub fn parse(files: LanguageFiles<'_>) -> Result<Self, LanguageError> {
        let at = |file| move |fault| LanguageError { file, fault };
        let names = Names::parse(files.lexicon).map_err(at("lexicon.toml"))?;
        let terms = Terms::parse(files.terms).map_err(at("terms.toml"))?;
        let (phrases, singular) = parse_phrases(files.phrases).map_err(at("phrases.toml"))?;
        Ok(Self {
            names,
            terms,
            phrases,
            singular,
        })
    }

    /// Puts a phrase into words. Total: an argument that is not there leaves its place out.
    pub fn render(&self, phrase: &Phrase) -> Spoken {
        let one = phrase.arguments.iter().find_map(|argument| match argument {
            Argument::Number(number) => Some(*number == 1),
            _ => None,
        });
        let template = match one {
            Some(true) => self.singular.get(&phrase.key),
            _ => None,
        };
        let mut segments = Vec::new();
        let Some(template) = template.or_else(|| self.phrases.get(&phrase.key)) else {
            return Spoken { segments };
        };
        for part in template.parts() {
            match part {
                Part::Fixed(words) => segments.push(Segment::Clip(words.clone())),
                Part::Pause(pause) => segments.push(Segment::Pause(*pause)),
                Part::Place(place, index) => {
                    let argument = phrase
                        .arguments
                        .iter()
                        .filter(|argument| Place::of(argument) == *place)
                        .nth(*index);
                    segments.extend(argument.into_iter().flat_map(|it| self.argument(it)));
                }
            }
        }
        Spoken { segments }
    }

    /// The text of a phrase.
    pub fn text(&self, phrase: &Phrase) -> String {
        self.render(phrase).text()
    }

    /// Every piece of speech that needs a clip: words of the lexicon, numbers, units, and the
    /// fixed words of all phrases; sorted, each once.
    pub fn vocabulary(&self) -> Vec<String> {
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        let templates = self.phrases.values().chain(self.singular.values());
        let fixed = templates.flat_map(Template::fixed).map(str::to_owned);
        let words = self
            .names
            .all()
            .map(|word| self.terms.written(word).to_owned());
        for words in words.chain(self.terms.vocabulary()).chain(fixed) {
            all.entry(Spoken::clip_name(&words)).or_insert(words);
        }
        all.into_values().collect()
    }

    /// The places of a phrase's text; the same in every language.
    pub fn places(&self, key: PhraseKey) -> Vec<Place> {
        self.phrases
            .get(&key)
            .map(Template::places)
            .unwrap_or_default()
    }

    fn argument(&self, argument: &Argument) -> Vec<Segment> {
        match argument {
            Argument::Move(announcement) => self.words(self.names.long_form(announcement)),
            Argument::Square(square) => self.words(self.names.square(*square)),
            Argument::Piece(Some(role)) => self.words(vec![self.names.piece(*role)]),
            Argument::Piece(None) => clips(vec![self.terms.unknown_piece().to_owned()]),
            Argument::Side(side) => clips(vec![self.terms.side(*side).to_owned()]),
            Argument::Time(time) => clips(self.terms.time(*time)),
            Argument::Number(number) => clips(self.terms.number(*number)),
            Argument::Article(article) => clips(self.terms.article(article)),
            Argument::Text(text) => free(text),
        }
    }

    fn words(&self, words: Vec<&str>) -> Vec<Segment> {
        clips(
            words
                .into_iter()
                .map(|word| self.terms.written(word).to_owned())
                .collect(),
        )
    }
}

fn clips(words: Vec<String>) -> Vec<Segment> {
    words.into_iter().map(Segment::Clip).collect()
}

/// Free words without what no voice can say; nothing if nothing is left.
fn free(text: &str) -> Vec<Segment> {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Vec::new();
    }
    vec![Segment::Free(text)]
}

type Templates = BTreeMap<PhraseKey, Template>;

/// Reads `phrases.toml`: `key = "text"`, and `key_one = "text"` for the number one.
fn parse_phrases(text: &str) -> Result<(Templates, Templates), ParseLanguageError> {
    let table = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        ParseLanguageError::new(line, error.message())
    })?;
    let mut phrases = Templates::new();
    let mut singular = Templates::new();
    for (name, value) in table.get_ref() {
        let line = line_of(text, name.span().start);
        let name = name.get_ref().as_ref();
        let at = |fault: String| ParseLanguageError::new(line, format!("{name}: {fault}"));
        let DeValue::String(words) = value.get_ref() else {
            return Err(at("the text must stand in quotation marks".to_owned()));
        };
        let template = Template::parse(words).map_err(at)?;
        if let Ok(key) = name.parse::<PhraseKey>() {
            phrases.insert(key, template);
        } else if let Some(Ok(key)) = name.strip_suffix("_one").map(str::parse::<PhraseKey>) {
            singular.insert(key, template);
        } else {
            return Err(at("there is no such phrase".to_owned()));
        }
    }
    let end = text.lines().count().max(1);
    for key in PhraseKey::iter() {
        let Some(template) = phrases.get(&key) else {
            let name: &str = key.into();
            return Err(ParseLanguageError::new(end, format!("{name} is missing")));
        };
        let numbers = template.places().contains(&Place::Number);
        if singular.contains_key(&key) && !numbers {
            let name: &str = key.into();
            let fault = format!("{name}_one: {name} has no {{number}}");
            return Err(ParseLanguageError::new(end, fault));
        }
    }
    Ok((phrases, singular))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Announcement;
    use shakmaty::{Role, Square};

    const FILES: LanguageFiles<'_> = LanguageFiles {
        lexicon: include_str!("../../grammar/de/lexicon.toml"),
        terms: include_str!("../../grammar/de/terms.toml"),
        phrases: include_str!("../../grammar/de/phrases.toml"),
    };

    #[test]
    fn a_move_is_said_in_the_long_form() {
        let german = Language::parse(FILES).unwrap();
        let announced = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        let phrase = Phrase::new(PhraseKey::Announced, [Argument::Move(announced)]);
        assert_eq!(german.text(&phrase), "Springer Gustav eins Felix drei");
    }

    #[test]
    fn a_missing_argument_leaves_its_place_out() {
        let german = Language::parse(FILES).unwrap();
        assert_eq!(german.text(&PhraseKey::Announced.into()), "");
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (phrases, fault) in [
            (
                "announced = \"{move}\"\nanounced = \"x\"",
                "line 2: anounced: there is no such",
            ),
            (
                "announced = \"{zug}\"",
                "line 1: announced: there is no place",
            ),
            ("announced = 5", "line 1: announced: the text must"),
            ("announced = \"{move}", "line 1: "),
            (
                "announced = \"a\"\nannounced = \"b\"",
                "line 2: duplicate key",
            ),
            ("", "is missing"),
        ] {
            let error = Language::parse(LanguageFiles { phrases, ..FILES }).unwrap_err();
            let error = error.to_string();
            assert!(error.starts_with("phrases.toml, "), "{error}");
            assert!(error.contains(fault), "{error}");
        }
    }
}
