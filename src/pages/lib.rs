//! Pages for the people at a chess table: HTTP and HTML, and nothing else.
//!
//! A page shows a [`View`], a value that the program makes for each [`Role`]. A press on it is a
//! line of text, as a console would type it, which goes to the [`PageHost`]. This crate knows
//! nothing of chess or of the game. It has a thread of its own, and its runtime stays inside.
//!
//! Everything works without the script: a form is sent, and the page is loaded again. With the
//! script a page updates by itself, clocks run, and what was pressed while the network was lost is
//! sent once, when it is back.

#![expect(
    clippy::disallowed_methods,
    reason = "pages are of the world: they have a clock and a thread"
)]

mod connections;
mod cookies;
mod entrance;
mod html;
mod live;
mod role_pages;
mod routes;
mod serving;
mod sessions;
mod view;
mod words;

pub use html::sent;
pub use role_pages::Pages;
pub use view::{
    Board, Button, Card, Clock, Clocks, Field, File, Form, Group, LogLine, Row, Said, Scores,
    Square, Taps, Verdict, View,
};
pub use words::{Words, WordsError};

use std::net::SocketAddr;
use std::sync::Arc;

/// The reader of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
    /// White's assistant.
    AssistantWhite,
    /// Black's assistant.
    AssistantBlack,
    /// The arbiter.
    Arbiter,
    /// A spectator, who sees everything later than the others and cannot send anything.
    Audience,
}

impl Role {
    /// All roles at the table, in the order of the entrance.
    pub const ALL: [Self; 5] = [
        Self::White,
        Self::Black,
        Self::AssistantWhite,
        Self::AssistantBlack,
        Self::Arbiter,
    ];

    /// The role's word in an address.
    pub const fn word(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::AssistantWhite => "assistant-white",
            Self::AssistantBlack => "assistant-black",
            Self::Arbiter => "arbiter",
            Self::Audience => "audience",
        }
    }

    /// Returns the role with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().chain([Self::Audience]);
        all.find(|role| role.word() == word)
    }
}

/// What a visitor has to show for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Only the code of the table.
    Nothing,
    /// The PIN of the seat.
    Pin,
    /// A new PIN that he chooses.
    NewPin,
}

/// A page that the entrance offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntranceOffer {
    /// The role.
    pub role: Role,
    /// The name of the person.
    pub name: String,
    /// What a visitor has to show.
    pub asks: Asks,
}

/// Where a connection comes from, as groups with the widest first. A crowd from one group takes
/// room only from that group.
pub type Origin = Vec<u64>;

/// A visitor at the entrance. It has no `Debug`, because nothing of it belongs in a log.
pub struct Visitor {
    /// Where he comes from.
    pub from: Origin,
    /// The role whose page he wants.
    pub role: Role,
    /// The code of the table, as he typed it.
    pub code: String,
    /// His PIN. The receiver wipes it.
    pub pin: String,
    /// The same PIN again, if he chooses one.
    pub again: String,
    /// The language of his page.
    pub language: String,
}

/// What the pages ask of the program. Every call may block for a while: it is made on threads that
/// may wait.
pub trait PageHost: Send + Sync + 'static {
    /// Returns the pages that are offered, named in a language.
    fn places(&self, language: &str) -> Vec<EntranceOffer>;

    /// Returns the codes of the languages, each with its own name.
    fn languages(&self) -> Vec<(String, String)>;

    /// Returns the words of the pages in a language, or in the default one if there is no such
    /// language.
    fn words(&self, language: &str) -> Arc<Words>;

    /// Lets a visitor in.
    ///
    /// # Errors
    ///
    /// Why he may not enter, in his language.
    fn enter(&self, visitor: Visitor) -> Result<(), String>;

    /// Takes a line as if it were typed at a console of this person. His log shows whether it was
    /// understood.
    ///
    /// # Errors
    ///
    /// Why the line is refused altogether, in his language.
    fn take(&self, role: Role, line: &str) -> Result<(), String>;

    /// Reports that somebody has opened a page of this role, or that the last one was closed.
    fn on_attendance(&self, role: Role, is_there: bool);

    /// Returns where the other end of a connection comes from.
    fn origin(&self, from: SocketAddr) -> Origin;

    /// Returns a token that nobody can guess.
    fn token(&self) -> String;
}
