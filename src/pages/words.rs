//! The words of the pages in a language: `grammar/<language>/pages.toml`.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

/// The words of the pages.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// The code of the language, which the page tells the browser.
    pub language: String,
    /// What a page says of itself.
    pub page: PageWords,
    /// What it calls its parts and what can be done, by a name; whoever makes a view takes them.
    pub view: BTreeMap<String, String>,
    /// What no sensor sees, by the name that a console types: the words of consoles.
    #[serde(skip)]
    pub irregularities: BTreeMap<String, String>,
    /// Penalties, by the name that a console types: the words of consoles.
    #[serde(skip)]
    pub penalties: BTreeMap<String, String>,
    /// How the game stands, by a name.
    pub states: BTreeMap<String, String>,
}

/// What a page says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageWords {
    /// The heading of the entrance.
    pub entrance: String,
    /// What to choose there.
    pub who: String,
    /// The code of the table.
    pub code: String,
    /// Where it stands.
    pub code_about: String,
    /// The PIN.
    pub pin: String,
    /// A new one.
    pub new_pin: String,
    /// What a new one is for.
    pub new_pin_about: String,
    /// The same once more.
    pub pin_again: String,
    /// The language of the page.
    pub language: String,
    /// Enters.
    pub enter: String,
    /// Goes back to the entrance.
    pub back: String,
    /// Leaves the page.
    pub leave: String,
    /// Reads the page anew.
    pub reload: String,
    /// The clocks.
    pub clocks: String,
    /// Behind the time that runs.
    pub runs: String,
    /// The last announcement.
    pub said: String,
    /// Nothing was announced.
    pub nothing_said: String,
    /// What waits.
    pub waiting: String,
    /// Nothing waits.
    pub nothing_waits: String,
    /// The boards.
    pub boards: String,
    /// Tap the piece.
    pub tap_from: String,
    /// Tap where it goes.
    pub tap_to: String,
    /// What the pawn becomes.
    pub promotes: String,
    /// Goes back to no square.
    pub choose_again: String,
    /// A square that belongs to the announced move.
    pub marked: String,
    /// A square or move that differs.
    pub differs: String,
    /// What can be done.
    pub acts: String,
    /// Forms.
    pub forms: String,
    /// The free line.
    pub line: String,
    /// What it takes.
    pub line_about: String,
    /// Sends.
    pub send: String,
    /// The second step of what is grave.
    pub really: String,
    /// Both scores.
    pub scores: String,
    /// The moves' numbers.
    pub number: String,
    /// In full.
    pub in_full: String,
    /// What can be taken away.
    pub files: String,
    /// A file is read into the field.
    pub file: String,
    /// The log.
    pub log: String,
    /// Filters it.
    pub filter: String,
    /// All of it.
    pub all: String,
    /// The connection is lost.
    pub offline: String,
    /// What was pressed waits.
    pub kept: String,
    /// The game was left.
    pub ended: String,
    /// The page is no longer valid.
    pub gone: String,
    /// Too much was asked.
    pub busy: String,
    /// What was sent was too large, or did not come whole.
    pub unread: String,
    /// There is no such page.
    pub no_page: String,
}

/// What is wrong in the words.
#[derive(Debug)]
pub struct WordsError(String);

impl fmt::Display for WordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WordsError {}

impl Words {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// What is wrong in it, in one sentence.
    pub fn parse(text: &str) -> Result<Self, WordsError> {
        toml::from_str(text).map_err(|error| WordsError(error.message().to_owned()))
    }

    /// A word of a view; its name where it is missing, which a test finds.
    pub fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.view.get(name).map_or(name, String::as_str)
    }
}
