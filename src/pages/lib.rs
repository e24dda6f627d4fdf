//! Pages for the people at a chess table: HTTP and HTML, and nothing else.
//!
//! What a page shows is a [`View`], a value that somebody else makes for each [`Role`]; what is
//! pressed on it is a line of text, as a console would type it, which goes to the [`House`]. This
//! crate knows no chess and no game. It has a thread of its own, and the runtime stays in here.
//!
//! Everything works without the script: a form is sent, and the page comes anew. The script adds
//! that a page changes by itself, that clocks run, and that what was pressed while the network was
//! away is sent once, when it is back.

#![expect(
    clippy::disallowed_methods,
    reason = "pages are of the world: they have a clock and a thread"
)]

mod connections;
mod cookies;
mod desks;
mod entrance;
mod html;
mod live;
mod routes;
mod serving;
mod sessions;
mod view;
mod words;

pub use desks::Pages;
pub use html::sent;
pub use view::{
    Board, Button, Card, Clock, Clocks, Field, File, Form, Group, Line, Row, Said, Scores, Square,
    Taps, Verdict, View,
};
pub use words::{Words, WordsError};

use std::net::SocketAddr;
use std::sync::Arc;

/// Who a page is for.
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
    /// Whoever only looks on, later than the others and without a word.
    Audience,
}

impl Role {
    /// All who sit at the table, in the order of the entrance.
    pub const ALL: [Self; 5] = [
        Self::White,
        Self::Black,
        Self::AssistantWhite,
        Self::AssistantBlack,
        Self::Arbiter,
    ];

    /// As it stands in an address.
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

    /// The one whose word this is.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter().chain([Self::Audience]);
        all.find(|role| role.word() == word)
    }
}

/// What somebody has to show who wants a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing but the code of the table.
    Nothing,
    /// The PIN of the seat.
    Pin,
    /// A PIN that he makes now.
    NewPin,
}

/// A page that is offered at the entrance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Whose.
    pub role: Role,
    /// What he is called.
    pub name: String,
    /// What he has to show.
    pub asks: Asks,
}

/// From where somebody comes, the widest place first: of a crowd from one place only that place has
/// less.
pub type Origin = Vec<u64>;

/// Somebody at the entrance. It has no `Debug`: nothing of it belongs into a log.
pub struct Visitor {
    /// From where he comes.
    pub from: Origin,
    /// Whose page he wants.
    pub role: Role,
    /// The code of the table, as he typed it.
    pub code: String,
    /// His PIN; wiped by whoever takes it.
    pub pin: String,
    /// The same once more, if he makes one.
    pub again: String,
    /// The language of his page.
    pub language: String,
}

/// What the pages ask of the program. All of it may wait a little: it is asked on threads that may.
pub trait House: Send + Sync + 'static {
    /// The pages that are offered, named in a language.
    fn places(&self, language: &str) -> Vec<Place>;

    /// The codes of the languages that there are, each with its own name.
    fn languages(&self) -> Vec<(String, String)>;

    /// The words of the pages in a language; of the usual one if there is no such.
    fn words(&self, language: &str) -> Arc<Words>;

    /// Lets somebody in.
    ///
    /// # Errors
    ///
    /// Why not, in his language.
    fn enter(&self, visitor: Visitor) -> Result<(), String>;

    /// Takes a line as if it were typed at a console of this person. Whether it was understood he
    /// reads in his log.
    ///
    /// # Errors
    ///
    /// Why it is not taken at all, in his language.
    fn take(&self, role: Role, line: &str) -> Result<(), String>;

    /// Somebody has opened a page of this role, or the last one was closed.
    fn attends(&self, role: Role, is_there: bool);

    /// From where the other end of a connection comes.
    fn origin(&self, from: SocketAddr) -> Origin;

    /// A name that nobody guesses.
    fn token(&self) -> String;
}
