//! The words of consoles in a language: `grammar/<language>/console.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use shakmaty::Color;

use crate::persons::{Channel, Person};

/// The words of consoles.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsoleWords {
    /// What stands before a line.
    pub labels: Labels,
    /// A word of the language and the console's own word for it: "ausgeführt" is "executed".
    pub words: BTreeMap<String, String>,
    /// What the program itself says.
    pub remarks: Remarks,
}

/// What stands before a line, so that it is known where it was said.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// Said to both players.
    pub table: String,
    /// Said to White alone.
    pub ear_white: String,
    /// Said to Black alone.
    pub ear_black: String,
    /// Shown to White's assistant.
    pub assistant_white: String,
    /// Shown to Black's assistant.
    pub assistant_black: String,
    /// Shown to the arbiter.
    pub arbiter: String,
    /// Said by the program about itself.
    pub remark: String,
    /// The chessclock: White's time, Black's time.
    pub clock: String,
    /// After the time that runs.
    pub runs: String,
    /// The end of the game.
    pub ended: String,
    /// What the arbiter could decide.
    pub proposal: String,
    /// What is typed, with its number, to carry it out.
    pub accept: String,
    /// What is typed, with its number, to put it aside.
    pub dismiss: String,
}

/// What the program itself says at consoles, outside the game. What stands in braces is filled
/// in: see [`filled`].
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remarks {
    /// The side White.
    pub white: String,
    /// The side Black.
    pub black: String,
    /// Said to all when a game is opened.
    pub greeting: String,
    /// A player who is blind or visually disabled.
    pub visually_disabled: String,
    /// Instead of a time control.
    pub no_clock: String,
    /// Who begins a game with an arbiter.
    pub arbiter_begins: String,
    /// Who begins a game without one.
    pub players_begin: String,
    /// A game is resumed; the time away was not charged.
    pub goes_on: String,
    /// A game is resumed; the time away was charged.
    pub goes_on_charged: String,
    /// A game that has ended was left.
    pub is_kept: String,
    /// A game that has not ended was left.
    pub is_interrupted: String,
    /// A console has been attached.
    pub attached: String,
    /// A console has gone.
    pub gone: String,
    /// A line means nothing.
    pub not_understood: String,
    /// A line should hold a move and does not.
    pub no_move: String,
    /// A ruling is not complete.
    pub incomplete: String,
    /// The passphrase of the envelope is missing or too short.
    pub passphrase_missing: String,
    /// Not the arbiter's PIN.
    pub wrong_pin: String,
    /// The arbiter's PIN is missing.
    pub pin_missing: String,
    /// Nobody is called as before the colon.
    pub who_speaks: String,
    /// What a player can type.
    pub help_player: String,
    /// What an assistant can type.
    pub help_assistant: String,
    /// What the arbiter can type.
    pub help_arbiter: String,
}

impl Remarks {
    /// What a side is called.
    pub fn side(&self, side: Color) -> &str {
        match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// What a person can type.
    pub fn help(&self, person: Person) -> &str {
        match person {
            Person::Player(_) => &self.help_player,
            Person::Assistant(_) => &self.help_assistant,
            Person::Arbiter => &self.help_arbiter,
        }
    }
}

/// A remark with its gaps filled: `{game}` by the value named `game`.
pub fn filled(remark: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = remark;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let (name, after) = after.split_once('}').unwrap_or((after, ""));
        let value = values.iter().find(|(other, _)| *other == name);
        text.push_str(value.map_or("", |(_, value)| value));
        rest = after;
    }
    text + rest
}

impl ConsoleWords {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// What is wrong in it, in one sentence.
    pub fn parse(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }

    /// A remark about the console of a person.
    pub fn of_console(&self, remark: &str, person: Person) -> String {
        let name = self.labels.person(&self.remarks, person);
        filled(remark, &[("person", name)])
    }
}

impl Labels {
    /// What a person is called.
    pub fn person<'a>(&'a self, remarks: &'a Remarks, person: Person) -> &'a str {
        match person {
            Person::Player(side) => remarks.side(side),
            Person::Assistant(side) => self.of(Channel::Assistant(side)),
            Person::Arbiter => &self.arbiter,
        }
    }

    /// What stands before a line that was said on a channel.
    pub fn of(&self, channel: Channel) -> &str {
        match channel {
            Channel::Table => &self.table,
            Channel::Ear(Color::White) => &self.ear_white,
            Channel::Ear(Color::Black) => &self.ear_black,
            Channel::Assistant(Color::White) => &self.assistant_white,
            Channel::Assistant(Color::Black) => &self.assistant_black,
            Channel::Arbiter => &self.arbiter,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_braces_is_filled_in() {
        let values = [("game", "x {time}"), ("time", "5m")];
        let text = filled("Game {game}, {time}: {nothing}!", &values);
        assert_eq!(text, "Game x {time}, 5m: !");
        assert_eq!(filled("no end {game", &[]), "no end ");
    }

    #[test]
    fn every_language_fills_in_the_same() {
        let gaps = |text: &str| {
            let mut gaps: Vec<String> = text
                .split('{')
                .skip(1)
                .map(|part| part.split('}').next().unwrap_or_default().to_owned())
                .collect();
            gaps.sort();
            gaps
        };
        let remarks = |language: &str| -> BTreeMap<String, String> {
            let path = format!(
                "{}/grammar/{language}/console.toml",
                env!("CARGO_MANIFEST_DIR")
            );
            let page: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
            page["remarks"].clone().try_into().unwrap()
        };
        let english = remarks("en");
        for language in ["de", "da", "sv"] {
            for (key, text) in remarks(language) {
                assert_eq!(gaps(&text), gaps(&english[&key]), "{language}: {key}");
            }
        }
    }
}
