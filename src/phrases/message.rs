//! A message: a key and its arguments. The files of `grammar/<language>` have the words.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Color, Square};

use super::{Fault, PhraseKey, Sentence};
use annexd_laws::clock::TimeControl;
use annexd_laws::notation::Announcement;
use annexd_laws::notation::as_words::{self, RoleWord};

/// Which message it is, and the values for the places in its text. A [`Phrase`] is said, a
/// [`Ground`](super::Ground) is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message<Key> {
    /// Which message it is.
    pub key: Key,
    /// The values for its places, in the order of the places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Argument>,
}

impl<Key> Message<Key> {
    /// Makes a message with its arguments.
    pub fn new(key: Key, arguments: impl IntoIterator<Item = Argument>) -> Self {
        Self {
            key,
            arguments: arguments.into_iter().collect(),
        }
    }
}

/// Something to be said. `phrases.toml` has the words.
pub type Phrase = Message<PhraseKey>;

impl Phrase {
    /// Returns whether it announces a move. Such a phrase is never cut by another.
    pub fn is_announcement(&self) -> bool {
        self.key == PhraseKey::Announced
    }

    /// Removes the article from the phrase, if it has one. The place of the article is then left
    /// out.
    pub fn take_article(&mut self) -> Option<String> {
        let is_article = |argument: &Argument| matches!(argument, Argument::Article(_));
        let at = self.arguments.iter().position(is_article)?;
        match self.arguments.remove(at) {
            Argument::Article(article) => Some(article),
            _ => None,
        }
    }

    /// Returns whether it takes back the previous announcement (D.2.8, D.2.10.2).
    pub fn voids_announcement(&self) -> bool {
        matches!(self.key, PhraseKey::Corrected | PhraseKey::HeardWrong)
    }
}

impl From<PhraseKey> for Phrase {
    fn from(key: PhraseKey) -> Self {
        Self::new(key, [])
    }
}

/// A value for a place in a phrase.
#[serde_as]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// A move, said in the long form.
    Move(Announcement),
    /// A square, said by its file name and rank word.
    Square(#[serde_as(as = "DisplayFromStr")] Square),
    /// A piece.
    Piece(#[serde(with = "as_words::role")] Option<shakmaty::Role>),
    /// Several pieces of a kind: "Springer", "Türme".
    Pieces(#[serde_as(as = "RoleWord")] shakmaty::Role),
    /// The squares of several pieces, one after the other.
    Squares(#[serde_as(as = "Vec<DisplayFromStr>")] Vec<Square>),
    /// Pieces of several kinds, each with its number: "Dame, zwei Türme".
    Counted(#[serde_as(as = "Vec<(RoleWord, _)>")] Vec<(shakmaty::Role, u32)>),
    /// A side.
    Side(#[serde_as(as = "DisplayFromStr")] Color),
    /// A time, as people say it: "fünf Minuten dreißig".
    Time(Duration),
    /// The allotted time of a player, as people say it: "neunzig Minuten, dreißig Sekunden je Zug".
    Allotment(TimeControl),
    /// A number.
    Number(u32),
    /// An article of the edition in force, such as "D.2.3".
    Article(String),
    /// A language, by the name of its folder in `grammar`.
    Language(String),
    /// Words as they are: a name, a device, a message of the operating system.
    Text(String),
    /// Sentences in succession. Each reader gets them in his own language.
    Sentences(Vec<Sentence>),
    /// A fault.
    Fault(Box<Fault>),
    /// The effect of a function, by its name in `assets/controls.toml`.
    Control(String),
    /// Another phrase.
    Phrase(Box<Phrase>),
}
