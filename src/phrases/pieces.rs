//! A template for speech, split into the pieces that have a clip each.

use std::fmt;

use serde::Deserialize;

use super::Argument;
use super::spoken::{Pause, Segment};
use annexd_score::{Part, Template};

/// The text of one phrase in one language, split at its places and pauses.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Template")]
pub(super) struct Pieces {
    others: Vec<Piece>,
    /// The text for a first number of one, if it differs.
    one: Option<Vec<Piece>>,
}

/// A part of a [`Pieces`].
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Fixed words with one clip, or a silence.
    Said(Segment),
    /// The words of the argument of this kind with this index among its kind.
    Place(PlaceKind, usize),
}

/// The kinds of places. Templates name them as here, in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceKind {
    /// `{move}`.
    Move,
    /// `{square}`.
    Square,
    /// `{piece}`.
    Piece,
    /// `{side}`.
    Side,
    /// `{time}`.
    Time,
    /// `{allotment}`.
    Allotment,
    /// `{number}`.
    Number,
    /// `{article}`.
    Article,
    /// `{language}`.
    Language,
    /// `{text}`.
    Text,
    /// `{fault}`.
    Fault,
    /// `{phrase}`.
    Phrase,
    /// `{control}`.
    Control,
}

impl PlaceKind {
    const ALL: [Self; 13] = [
        Self::Move,
        Self::Square,
        Self::Piece,
        Self::Side,
        Self::Time,
        Self::Allotment,
        Self::Number,
        Self::Article,
        Self::Language,
        Self::Text,
        Self::Fault,
        Self::Phrase,
        Self::Control,
    ];

    /// Returns the kind of place that an argument can fill.
    pub const fn of(argument: &Argument) -> Self {
        match argument {
            Argument::Move(_) => Self::Move,
            Argument::Square(_) | Argument::Squares(_) => Self::Square,
            Argument::Piece(_) | Argument::Pieces(_) | Argument::Counted(_) => Self::Piece,
            Argument::Side(_) => Self::Side,
            Argument::Time(_) => Self::Time,
            Argument::Allotment(_) => Self::Allotment,
            Argument::Number(_) => Self::Number,
            Argument::Article(_) => Self::Article,
            Argument::Language(_) => Self::Language,
            Argument::Text(_) | Argument::Sentences(_) => Self::Text,
            Argument::Fault(_) => Self::Fault,
            Argument::Phrase(_) => Self::Phrase,
            Argument::Control(_) => Self::Control,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Square => "square",
            Self::Piece => "piece",
            Self::Side => "side",
            Self::Time => "time",
            Self::Allotment => "allotment",
            Self::Number => "number",
            Self::Article => "article",
            Self::Language => "language",
            Self::Text => "text",
            Self::Fault => "fault",
            Self::Phrase => "phrase",
            Self::Control => "control",
        }
    }
}

impl fmt::Display for PlaceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.name())
    }
}

impl TryFrom<Template> for Pieces {
    type Error = String;

    /// The nth place of a kind takes the nth argument of that kind. A choice depends on the first
    /// number.
    fn try_from(template: Template) -> Result<Self, String> {
        let has_choice = template
            .parts()
            .iter()
            .any(|it| matches!(it, Part::Choice { .. }));
        let one = has_choice
            .then(|| cut(&template.chosen(true)))
            .transpose()?;
        let others = cut(&template.chosen(false))?;
        Ok(Self { others, one })
    }
}

impl Pieces {
    /// Returns the pieces for a first number of one or any other.
    fn parts(&self, is_one: bool) -> &[Piece] {
        let one = self.one.as_ref().filter(|_| is_one);
        one.unwrap_or(&self.others)
    }

    /// Returns what is said, with the words of each argument at its place. The place of a missing
    /// argument is left out.
    pub(super) fn filled(
        &self,
        arguments: &[Argument],
        said: &dyn Fn(&Argument) -> Vec<Segment>,
    ) -> Vec<Segment> {
        let mut numbers = arguments.iter().filter_map(|argument| match argument {
            Argument::Number(number) => Some(*number),
            _ => None,
        });
        let mut segments = Vec::new();
        for piece in self.parts(numbers.next() == Some(1)) {
            match piece {
                Piece::Place(place, index) => {
                    let of_kind = arguments.iter().filter(|it| PlaceKind::of(it) == *place);
                    segments.extend(of_kind.skip(*index).take(1).flat_map(said));
                }
                Piece::Said(segment) => segments.push(segment.clone()),
            }
        }
        segments
    }

    /// The places in the order of their names. They are the same in every language.
    pub(super) fn places(&self) -> Vec<PlaceKind> {
        let places = self.others.iter().filter_map(|part| match part {
            Piece::Place(place, _) => Some(*place),
            _ => None,
        });
        let mut places: Vec<PlaceKind> = places.collect();
        places.sort_unstable();
        places
    }

    /// The fixed words. Each needs a clip.
    pub(super) fn fixed(&self) -> impl Iterator<Item = &str> {
        let parts = self.one.iter().flatten().chain(&self.others);
        parts.filter_map(|part| match part {
            Piece::Said(segment) => words_of(segment),
            Piece::Place(..) => None,
        })
    }
}

/// A text without places.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Template")]
pub(super) struct Unplaced(Vec<Segment>);

impl TryFrom<Template> for Unplaced {
    type Error = String;

    fn try_from(template: Template) -> Result<Self, String> {
        let said = cut(&template)?.into_iter().map(|piece| match piece {
            Piece::Said(segment) => Ok(segment),
            Piece::Place(..) => Err("there is no place in it".to_owned()),
        });
        said.collect::<Result<_, _>>().map(Self)
    }
}

impl Unplaced {
    pub(super) fn segments(&self) -> &[Segment] {
        &self.0
    }

    /// The fixed words. Each needs a clip.
    pub(super) fn fixed(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(words_of)
    }
}

fn words_of(segment: &Segment) -> Option<&str> {
    match segment {
        Segment::Clip(words) => Some(words),
        Segment::Free(_) | Segment::Pause(_) => None,
    }
}

/// Splits a template without choices.
fn cut(template: &Template) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut seen: Vec<PlaceKind> = Vec::new();
    for part in template.parts() {
        match part {
            Part::Words(words) => push_fixed(words, &mut pieces)?,
            Part::Place { name, .. } | Part::Choice { name, .. } => {
                let mut places = PlaceKind::ALL.into_iter();
                let place = places
                    .find(|place| place.name() == name)
                    .ok_or_else(|| format!("there is no place {{{name}}}"))?;
                let index = seen.iter().filter(|other| **other == place).count();
                seen.push(place);
                pieces.push(Piece::Place(place, index));
            }
        }
    }
    if pieces
        .iter()
        .all(|it| matches!(it, Piece::Said(Segment::Pause(_))))
    {
        return Err("the text is empty".to_owned());
    }
    Ok(pieces)
}

/// Splits words at the ends of sentences, so that a sentence used by many phrases is one clip.
/// Punctuation beside a place becomes a pause.
fn push_fixed(text: &str, parts: &mut Vec<Piece>) -> Result<(), String> {
    if let Some(character) = text.chars().find(|c| c.is_control() || c.is_ascii_digit()) {
        return Err(format!("{character:?} cannot be said; write it in words"));
    }
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest
            .char_indices()
            .find(|(_, c)| matches!(c, '.' | '!' | '?' | ':' | ';'))
            .map_or(rest.len(), |(at, c)| at + c.len_utf8());
        let (sentence, after) = rest.split_at(end);
        push_sentence(sentence, parts);
        rest = after;
    }
    Ok(())
}

fn push_sentence(sentence: &str, parts: &mut Vec<Piece>) {
    let sentence = sentence.trim();
    let body = sentence.trim_start_matches(',');
    if body.len() < sentence.len() {
        parts.push(Piece::Said(Segment::Pause(Pause::Comma)));
    }
    let mark = body.chars().next_back().and_then(Pause::of);
    let words = body
        .trim_end_matches(['.', '!', ':', ';', ','])
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if !words.is_empty() && words != "?" {
        parts.push(Piece::Said(Segment::Clip(words)));
    }
    parts.extend(mark.map(|mark| Piece::Said(Segment::Pause(mark))));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str) -> Result<Pieces, String> {
        Template::parse(text)?.try_into()
    }

    #[test]
    fn one_has_a_text_of_its_own_where_there_is_a_choice() {
        let chosen = pieces("{number?Ein Zug|{number} Züge}.").unwrap();
        assert_eq!(chosen.parts(true), pieces("Ein Zug.").unwrap().parts(false));
        assert_eq!(
            chosen.parts(false),
            pieces("{number} Züge.").unwrap().parts(true)
        );
        assert_eq!(chosen.fixed().collect::<Vec<_>>(), ["Ein Zug", "Züge"]);
    }

    #[test]
    fn a_text_is_cut_at_places_and_sentences() {
        let pieces = pieces("Zug {number}, {side} am Zug. Noch  etwas?").unwrap();
        assert_eq!(
            pieces.parts(false),
            [
                Piece::Said(Segment::Clip("Zug".to_owned())),
                Piece::Place(PlaceKind::Number, 0),
                Piece::Said(Segment::Pause(Pause::Comma)),
                Piece::Place(PlaceKind::Side, 0),
                Piece::Said(Segment::Clip("am Zug".to_owned())),
                Piece::Said(Segment::Pause(Pause::Sentence)),
                Piece::Said(Segment::Clip("Noch etwas?".to_owned())),
                Piece::Said(Segment::Pause(Pause::Question)),
            ]
        );
    }

    #[test]
    fn what_cannot_be_said_is_refused() {
        for (text, fault) in [
            ("{zug}", "no place"),
            ("{move", "no }"),
            ("move}", "no {"),
            ("", "empty"),
            (" . ", "empty"),
            ("Zug 5", "in words"),
            ("a\0b", "cannot be said"),
        ] {
            let error = pieces(text).unwrap_err();
            assert!(error.contains(fault), "{text:?}: {error}");
        }
    }
}
