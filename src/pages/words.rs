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
    /// The words of the page itself.
    pub page: PageWords,
    /// The names of parts and actions, by a key. The program takes them for a view.
    pub view: BTreeMap<String, String>,
    /// Irregularities that no sensor sees, by the name that a console types. They come from the
    /// words of consoles.
    #[serde(skip)]
    pub irregularities: BTreeMap<String, String>,
    /// Penalties, by the name that a console types. They come from the words of consoles.
    #[serde(skip)]
    pub penalties: BTreeMap<String, String>,
    /// The states of the game, by a key.
    pub states: BTreeMap<String, String>,
}

/// The words of the page itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageWords {
    /// The heading of the entrance.
    pub entrance: String,
    /// The question which role to choose.
    pub who: String,
    /// The code of the table.
    pub code: String,
    /// Where the code is shown.
    pub code_about: String,
    /// The PIN.
    pub pin: String,
    /// A new PIN.
    pub new_pin: String,
    /// What a new PIN is for.
    pub new_pin_about: String,
    /// The PIN again.
    pub pin_again: String,
    /// The language of the page.
    pub language: String,
    /// The button that enters.
    pub enter: String,
    /// The button that goes back to the entrance.
    pub back: String,
    /// The button that leaves the page.
    pub leave: String,
    /// The button that loads the page again.
    pub reload: String,
    /// The clocks.
    pub clocks: String,
    /// The word after the time of the running clock.
    pub runs: String,
    /// The last announcement.
    pub said: String,
    /// Nothing has been announced.
    pub nothing_said: String,
    /// What is waiting.
    pub waiting: String,
    /// Nothing waits.
    pub nothing_waits: String,
    /// The boards.
    pub boards: String,
    /// Instruction: tap the piece.
    pub tap_from: String,
    /// Instruction: tap its destination.
    pub tap_to: String,
    /// The question what the pawn becomes.
    pub promotes: String,
    /// The button that clears the chosen square.
    pub choose_again: String,
    /// A square that belongs to the announced move.
    pub marked: String,
    /// A square or move that differs.
    pub differs: String,
    /// The heading of the actions.
    pub acts: String,
    /// The heading of the forms.
    pub forms: String,
    /// The label of the free line.
    pub line: String,
    /// What the free line accepts.
    pub line_about: String,
    /// The button that sends.
    pub send: String,
    /// The second step of a serious action.
    pub really: String,
    /// Both scores.
    pub scores: String,
    /// The heading of the move numbers.
    pub number: String,
    /// The heading of the verdict in full.
    pub in_full: String,
    /// The heading of the files.
    pub files: String,
    /// The button that reads a file into the field.
    pub file: String,
    /// The log.
    pub log: String,
    /// The label of the log's filter.
    pub filter: String,
    /// The choice of the whole log.
    pub all: String,
    /// The connection is lost.
    pub offline: String,
    /// What was pressed is waiting to be sent.
    pub kept: String,
    /// The game was left.
    pub ended: String,
    /// The page is no longer valid.
    pub gone: String,
    /// There were too many requests.
    pub busy: String,
    /// What was sent was too large, or did not arrive completely.
    pub unread: String,
    /// There is no such page.
    pub no_page: String,
}

/// A fault in the words.
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
    /// What is wrong, in one sentence.
    pub fn parse(text: &str) -> Result<Self, WordsError> {
        toml::from_str(text).map_err(|error| WordsError(error.message().to_owned()))
    }

    /// Returns a word for a view. If it is missing, it returns the name, and a test finds that.
    pub fn of<'a>(&'a self, name: &'a str) -> &'a str {
        self.view.get(name).map_or(name, String::as_str)
    }
}
