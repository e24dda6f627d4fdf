//! The words of consoles in a language: `grammar/<language>/console.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use shakmaty::Color;

use crate::game::Ruling;
use crate::persons::Channel;
use crate::score::{PageError, read_page};
use crate::shell::config::data;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, error};

/// The words of consoles.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsoleWords {
    /// The label before each kind of line.
    pub labels: Labels,
    /// Words of the language and the console's own words for them: "ausgeführt" is "executed".
    pub words: BTreeMap<String, String>,
    /// The irregularities that the arbiter reports, by their names in the record.
    pub irregularities: BTreeMap<String, String>,
    /// The penalties, by the console's own words joined by underscores.
    pub penalties: BTreeMap<String, String>,
}

/// The labels before lines, which tell where something was said.
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
    /// The chessclock, with White's time and Black's time.
    pub clock: String,
    /// The mark after the time that runs.
    pub runs: String,
    /// The end of the game.
    pub ended: String,
    /// A decision that the arbiter could make.
    pub proposal: String,
    /// The reason for it, or for the end of the game: article and facts.
    pub because: String,
    /// The arbiter's alternatives.
    pub otherwise: String,
    /// What to type, with its number, to carry it out.
    pub accept: String,
    /// What to type, with its number, to put it aside.
    pub dismiss: String,
    /// A move with number, side and notation.
    pub r#move: String,
    /// What to type to say that a claim is justified.
    pub uphold: String,
    /// What to type to say that it is not.
    pub deny: String,
    /// What can be typed now.
    pub now: String,
    /// What waits for a decision.
    pub waits: String,
    /// That nothing waits for a decision.
    pub nothing_waits: String,
    /// The heading of a diagram: the board of {side}.
    pub board: String,
    /// The text for an assistant of {side} without duties.
    pub no_duties: String,
}

impl ConsoleWords {
    /// Parses the text of a file.
    ///
    /// # Errors
    ///
    /// What is wrong in it, and in which line.
    pub fn parse(text: &str) -> std::result::Result<Self, PageError> {
        read_page(text)
    }
}

impl Labels {
    /// How a proposal is answered. For a claim there are separate answers, justified or not, so
    /// that nobody has to refuse a refusal.
    pub fn answers(&self, number: u32, rulings: &[Ruling]) -> String {
        let Self {
            accept,
            dismiss,
            uphold,
            deny,
            ..
        } = self;
        match rulings {
            [Ruling::DecideClaim { .. }] => format!("{uphold}, {deny}"),
            [Ruling::DecideQuickplay(_)] => format!("{accept} {number}"),
            _ => format!("{accept} {number}, {dismiss} {number}"),
        }
    }

    /// The label before a line on a channel.
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

/// The words of consoles in a language.
///
/// # Errors
///
/// If its file is missing or wrong.
pub fn console_words(language: &str) -> Result<ConsoleWords> {
    let text = data::grammar_text(language, "console.toml")?;
    ConsoleWords::parse(&text).map_err(|why| {
        error!(BadInput, ConsoleWordsWrong, language = language, why = why).about(
            Fault::new(Part::Grammar, Reason::Wrong, Remedy::Reinstall).with(why.to_string()),
        )
    })
}
