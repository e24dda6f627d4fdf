//! A template that is said, cut into the pieces that have a clip each.

use std::fmt;

use super::Argument;
use super::spoken::Pause;

/// The text of one phrase in one language, cut at its places and pauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pieces {
    parts: Vec<Piece>,
}

/// A part of a [`Pieces`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Words that are always the same; one clip.
    Fixed(String),
    /// A silence.
    Pause(Pause),
    /// What the argument of this kind with this index (among its kind) says.
    Place(Place, usize),
}

/// The kinds of places, named in templates as here in lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
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

impl Place {
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

    /// The place an argument can fill.
    pub const fn of(argument: &Argument) -> Self {
        match argument {
            Argument::Move(_) => Self::Move,
            Argument::Square(_) => Self::Square,
            Argument::Piece(_) => Self::Piece,
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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", self.name())
    }
}

impl Pieces {
    /// Reads a text. The nth place of a kind takes the nth argument of that kind.
    ///
    /// # Errors
    ///
    /// One sentence, if the text is empty or a brace does not enclose the name of a place.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        let mut seen: Vec<Place> = Vec::new();
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after
                .split_once('}')
                .ok_or_else(|| "a { has no }".to_owned())?;
            let place = Place::ALL
                .into_iter()
                .find(|place| place.name() == name)
                .ok_or_else(|| format!("there is no place {{{name}}}"))?;
            push_fixed(before, &mut parts)?;
            let index = seen.iter().filter(|other| **other == place).count();
            seen.push(place);
            parts.push(Piece::Place(place, index));
            rest = after;
        }
        push_fixed(rest, &mut parts)?;
        if !parts.iter().any(|part| !matches!(part, Piece::Pause(_))) {
            return Err("the text is empty".to_owned());
        }
        Ok(Self { parts })
    }

    pub(super) fn parts(&self) -> &[Piece] {
        &self.parts
    }

    /// The places in the order of their names; the same in every language.
    pub(super) fn places(&self) -> Vec<Place> {
        let mut places: Vec<Place> = self
            .parts
            .iter()
            .filter_map(|part| match part {
                Piece::Place(place, _) => Some(*place),
                _ => None,
            })
            .collect();
        places.sort_unstable();
        places
    }

    /// The fixed words; each needs a clip.
    pub(super) fn fixed(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Piece::Fixed(words) => Some(words.as_str()),
            _ => None,
        })
    }
}

/// Cuts words at the ends of sentences, so that a sentence used by many phrases is one clip, and
/// turns punctuation at the edge of a place into pauses.
fn push_fixed(text: &str, parts: &mut Vec<Piece>) -> Result<(), String> {
    if text.contains('}') {
        return Err("a } has no {".to_owned());
    }
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
        parts.push(Piece::Pause(Pause::Comma));
    }
    let mark = body.chars().next_back().and_then(Pause::of);
    let words = body
        .trim_end_matches(['.', '!', ':', ';', ','])
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if !words.is_empty() && words != "?" {
        parts.push(Piece::Fixed(words));
    }
    parts.extend(mark.map(Piece::Pause));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_places_and_sentences() {
        let pieces = Pieces::parse("Zug {number}, {side} am Zug. Noch  etwas?").unwrap();
        assert_eq!(
            pieces.parts(),
            [
                Piece::Fixed("Zug".to_owned()),
                Piece::Place(Place::Number, 0),
                Piece::Pause(Pause::Comma),
                Piece::Place(Place::Side, 0),
                Piece::Fixed("am Zug".to_owned()),
                Piece::Pause(Pause::Sentence),
                Piece::Fixed("Noch etwas?".to_owned()),
                Piece::Pause(Pause::Question),
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
            let error = Pieces::parse(text).unwrap_err();
            assert!(error.contains(fault), "{text:?}: {error}");
        }
    }
}
