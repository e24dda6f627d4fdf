//! The template language of all texts: "Zug {number}, {side} am Zug."
//!
//! Braces enclose a place. `{name}` is replaced by its value. With a capital, as in `{Name}`, the
//! value begins a sentence. `{name?one|others}` is a choice by the number of `name`, and each of
//! the two is a template itself.

use std::collections::BTreeSet;

use serde::Deserialize;

/// A text with places.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Template(Vec<Part>);

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Words that never change.
    Words(String),
    /// A place for a value.
    Place {
        /// The name of the place.
        name: String,
        /// Whether it begins a sentence.
        is_capital: bool,
    },
    /// A choice by a number.
    Choice {
        /// The name of the place with the number.
        name: String,
        /// The text for one.
        one: Template,
        /// The text for any other number.
        others: Template,
    },
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    ///
    /// A message, if a brace has no counterpart or does not enclose a name.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((words, after)) = rest.split_once('{') {
            push_words(words, &mut parts)?;
            let (place, after) = to_its_end(after).ok_or("a { has no }")?;
            parts.push(part(place)?);
            rest = after;
        }
        push_words(rest, &mut parts)?;
        Ok(Self(parts))
    }

    /// The parts in their order.
    pub fn parts(&self) -> &[Part] {
        &self.0
    }

    /// Returns the template without choices, for one or for any other number.
    #[must_use]
    pub fn chosen(&self, is_one: bool) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for part in &self.0 {
            let more = match part {
                Part::Choice { one, others, .. } => {
                    let chosen = if is_one { one } else { others };
                    chosen.chosen(is_one).0
                }
                part => vec![part.clone()],
            };
            for part in more {
                match (parts.last_mut(), part) {
                    (Some(Part::Words(before)), Part::Words(words)) => before.push_str(&words),
                    (_, part) => parts.push(part),
                }
            }
        }
        Self(parts)
    }

    /// Returns the text with these words at the places of these names.
    pub fn filled(&self, told: &[(&str, &str)]) -> String {
        self.fill(&|name, _| {
            let known = told.iter().find(|(place, _)| *place == name);
            known.map_or_else(String::new, |(_, words)| (*words).to_owned())
        })
    }

    /// The names of the places.
    pub fn places(&self) -> BTreeSet<&str> {
        let mut places = BTreeSet::new();
        for part in &self.0 {
            match part {
                Part::Words(_) => {}
                Part::Place { name, .. } => {
                    places.insert(name.as_str());
                }
                Part::Choice { name, one, others } => {
                    places.insert(name);
                    places.extend(one.places());
                    places.extend(others.places());
                }
            }
        }
        places
    }

    /// Returns the text with what `told` returns for each place. The values are not read as
    /// templates. `told` gets the name of the place and whether a full stop follows.
    pub fn fill(&self, told: &dyn Fn(&str, bool) -> String) -> String {
        let mut text = String::new();
        for (index, part) in self.0.iter().enumerate() {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Place { name, is_capital } => {
                    let next = self.0.get(index + 1);
                    let is_last =
                        matches!(next, Some(Part::Words(words)) if words.starts_with('.'));
                    let words = told(name, is_last);
                    let mut letters = words.chars();
                    if *is_capital {
                        text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                    }
                    text.push_str(letters.as_str());
                }
                Part::Choice { name, one, others } => {
                    let is_one = told(name, false) == "1";
                    let chosen = if is_one { one } else { others };
                    text.push_str(&chosen.fill(told));
                }
            }
        }
        text
    }
}

impl TryFrom<String> for Template {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

fn push_words(words: &str, parts: &mut Vec<Part>) -> Result<(), String> {
    if words.contains('}') {
        return Err("a } has no {".to_owned());
    }
    if !words.is_empty() {
        parts.push(Part::Words(words.to_owned()));
    }
    Ok(())
}

/// Returns the text before the closing brace, and the text after it.
fn to_its_end(text: &str) -> Option<(&str, &str)> {
    let mut open = 0;
    let end = text.char_indices().find(|(_, letter)| match letter {
        '{' => {
            open += 1;
            false
        }
        '}' if open == 0 => true,
        '}' => {
            open -= 1;
            false
        }
        _ => false,
    });
    let (before, after) = text.split_at(end?.0);
    Some((before, after.strip_prefix('}')?))
}

fn part(place: &str) -> Result<Part, String> {
    let is_name = |name: &str| {
        let mut letters = name.chars();
        letters.next().is_some_and(|it| it.is_ascii_alphabetic())
            && letters.all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | '.'))
    };
    let wrong = || format!("{{{place}}} is no place");
    match place.split_once('?') {
        Some((name, words)) if is_name(name) => {
            let (one, others) = words.split_once('|').ok_or_else(wrong)?;
            Ok(Part::Choice {
                name: name.to_owned(),
                one: Template::parse(one)?,
                others: Template::parse(others)?,
            })
        }
        None if is_name(place) => {
            let is_capital = place.starts_with(|first: char| first.is_ascii_uppercase());
            let mut name = place.to_owned();
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            Ok(Part::Place { name, is_capital })
        }
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, told: &[(&str, &str)]) -> String {
        Template::parse(text).unwrap().filled(told)
    }

    #[test]
    fn a_choice_that_is_made_leaves_whole_words() {
        let template = Template::parse("a {n?b {c}|{n} d} e").unwrap();
        assert_eq!(template.chosen(true), Template::parse("a b {c} e").unwrap());
        assert_eq!(
            template.chosen(false),
            Template::parse("a {n} d e").unwrap()
        );
    }

    #[test]
    fn one_is_not_said_like_many() {
        let said = |number| filled("{n?one game|{n} games} left", &[("n", number)]);
        assert_eq!(said("1"), "one game left");
        assert_eq!(said("0"), "0 games left");
        assert_eq!(said("11"), "11 games left");
    }

    #[test]
    fn what_is_put_in_is_no_template_and_begins_a_sentence_where_it_is_asked_to() {
        let told = [("one", "{two}"), ("two", "æ"), ("no", "")];
        assert_eq!(filled("a {one} b", &told), "a {two} b");
        assert_eq!(filled("{Two}. {two}{No}", &told), "Æ. æ");
    }

    #[test]
    fn places_are_named_once() {
        let template = Template::parse("{a} {b?{c}|d} {A}").unwrap();
        assert_eq!(template.places().into_iter().collect::<String>(), "abc");
    }

    #[test]
    fn what_is_no_template_is_refused() {
        for (text, fault) in [
            ("a {move", "no }"),
            ("move}", "no {"),
            ("{}", "no place"),
            ("{a b}", "no place"),
            ("{a?b}", "no place"),
            ("{a?{b|c}", "no }"),
        ] {
            let error = Template::parse(text).unwrap_err();
            assert!(error.contains(fault), "{text:?}: {error}");
        }
    }
}
