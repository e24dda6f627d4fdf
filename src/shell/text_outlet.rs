//! What a console shows: plain appended lines.

use std::io::Write;

use super::console_words::Labels;
use super::table::{Outlet, Seat};
use crate::game::{Effect, Ending, Game, Ruling};
use crate::moment::Moment;
use crate::persons::{Channel, Person};
use crate::phrases::Language;

/// Shows the text of some channels, one line for each thing said.
///
/// What is private to a player is shown only where the channels given include his.
pub struct TextOutlet {
    /// Where the lines go. A place that cannot take a line is given up.
    out: Option<Box<dyn Write>>,
    seat: Seat,
    channels: Vec<Channel>,
    language: Language,
    labels: Labels,
    /// The longest line, in letters; 0 for any.
    width: usize,
    has_time: bool,
}

impl TextOutlet {
    /// A console where `seat` types and which shows these channels.
    pub fn new(
        out: Box<dyn Write>,
        seat: Seat,
        channels: Vec<Channel>,
        language: Language,
        labels: Labels,
        width: usize,
    ) -> Self {
        Self {
            out: Some(out),
            seat,
            channels,
            language,
            labels,
            width,
            has_time: false,
        }
    }

    /// Puts the moment before each line.
    #[must_use]
    pub const fn with_time(mut self) -> Self {
        self.has_time = true;
        self
    }

    fn line(&mut self, now: Option<Moment>, label: &str, text: &str) {
        let Some(out) = &mut self.out else {
            return;
        };
        let time = match now {
            Some(now) if self.has_time => format!("{now} "),
            _ => String::new(),
        };
        let mut written = Ok(());
        for line in fold(&format!("{time}{label}: {text}"), self.width) {
            written = written.and_then(|()| writeln!(out, "{line}"));
        }
        if written.and_then(|()| out.flush()).is_err() {
            self.out = None;
        }
    }

    fn proposal(&mut self, now: Moment, number: u32, rulings: &[Ruling], because: &str) {
        let label = self.labels.proposal.clone();
        let rulings: Vec<String> = rulings.iter().map(plain).collect();
        let text = format!(
            "{number}: {because} ({}). accept {number}, dismiss {number}.",
            rulings.join(", ")
        );
        self.line(Some(now), &label, &text);
    }
}

impl Outlet for TextOutlet {
    fn carry_out(&mut self, now: Moment, game: &Game, effect: &Effect) -> bool {
        match effect {
            Effect::Say {
                channel, phrase, ..
            } if self.channels.contains(channel) => {
                let text = self.language.text(phrase);
                let label = self.labels.of(*channel).to_owned();
                self.line(Some(now), &label, &text);
            }
            Effect::Propose {
                proposal,
                rulings,
                because,
            } => {
                let channel = if game.profile().arbiter {
                    Channel::Arbiter
                } else {
                    Channel::Table
                };
                if self.channels.contains(&channel) {
                    let because = self.language.text(because);
                    self.proposal(now, *proposal, rulings, &because);
                }
            }
            Effect::Ended(ending) => {
                let label = self.labels.ended.clone();
                self.line(Some(now), &label, &ending_text(ending));
            }
            _ => {}
        }
        false
    }

    fn remark(&mut self, to: Option<Seat>, text: &str) {
        if to.is_none_or(|seat| seat == self.seat) {
            let label = self.labels.remark.clone();
            self.line(None, &label, text);
        }
    }
}

/// The channels that a person may read: nobody reads what is private to another.
pub fn channels_of(person: Person) -> Vec<Channel> {
    match person {
        Person::Player(side) => vec![Channel::Table, Channel::Ear(side)],
        Person::Assistant(side) => vec![Channel::Table, Channel::Assistant(side)],
        Person::Arbiter => vec![Channel::Table, Channel::Arbiter],
    }
}

/// The result with its reason in the words of the record: `1-0, checkmate, 5.1.1`.
pub fn ending_text(ending: &Ending) -> String {
    let result = match &ending.result {
        Some(result) => result.to_string(),
        None => "*".to_owned(),
    };
    format!("{result}, {}, {}", plain(&ending.reason), ending.article)
}

/// A value of the record in words: `{"resignation":"white"}` is "resignation white".
fn plain<T: serde::Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    let spaced: String = json
        .chars()
        .map(|letter| match letter {
            '{' | '}' | '[' | ']' | '"' | '_' | ':' => ' ',
            other => other,
        })
        .collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in lines of at most `width` letters, broken between words where it can be.
fn fold(text: &str, width: usize) -> Vec<String> {
    if width == 0 {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + rest.len() > width {
            lines.push(String::new());
        }
        while !rest.is_empty() {
            let head: Vec<char> = rest.drain(..rest.len().min(width)).collect();
            let Some(line) = lines.last_mut() else {
                break;
            };
            if !line.is_empty() {
                line.push(' ');
            }
            line.extend(head);
            if !rest.is_empty() {
                lines.push(String::new());
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_a_braille_display() {
        let text = "Tisch: Springer Gustav eins schlägt Felix drei Schach";
        assert_eq!(fold(text, 0), [text]);
        let lines = fold(text, 20);
        assert!(lines.iter().all(|line| line.chars().count() <= 20));
        assert_eq!(lines.join(" "), text);
        assert_eq!(fold("abcdefgh", 3), ["abc", "def", "gh"]);
    }
}
