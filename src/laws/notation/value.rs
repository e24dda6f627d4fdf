//! What the words of a lexicon mean.

use std::fmt;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use shakmaty::{CastlingSide, File, Rank, Role};

use super::{Command, as_words};

/// The meaning of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A file: a name ("Anna") or a bare letter.
    File(File),
    /// A rank, counted from White's side.
    Rank(Rank),
    /// A piece.
    Role(Role),
    /// "Rochade".
    Castling,
    /// "Kurze", "Lange".
    CastlingSide(CastlingWord),
    /// "Schlägt".
    Captures,
    /// "Nach".
    To,
    /// "Auf": where a piece stands that captures.
    On,
    /// "Von".
    From,
    /// "Schach".
    Check,
    /// "Matt".
    Mate,
    /// "Umwandlung".
    Promotes,
    /// "Stellung": a question about the board begins.
    Board,
    /// A word that only `commands.toml` gives a meaning.
    Word,
}

/// Which castling a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastlingWord {
    /// On the king's side.
    Short,
    /// On the queen's side.
    Long,
}

impl Value {
    /// Every value but [`Self::Word`].
    pub fn all_with_meaning() -> impl Iterator<Item = Self> {
        let files = File::ALL.into_iter().map(Self::File);
        let ranks = Rank::ALL.into_iter().map(Self::Rank);
        let roles = Role::ALL.into_iter().map(Self::Role);
        files.chain(ranks).chain(roles).chain([
            Self::Castling,
            Self::CastlingSide(CastlingWord::Short),
            Self::CastlingSide(CastlingWord::Long),
            Self::Captures,
            Self::To,
            Self::On,
            Self::From,
            Self::Check,
            Self::Mate,
            Self::Promotes,
            Self::Board,
        ])
    }
}

/// As it is written in `lexicon.toml`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => write!(f, "file {file}"),
            Self::Rank(rank) => write!(f, "rank {rank}"),
            Self::Role(role) => write!(f, "role {}", as_words::role::word(*role)),
            Self::Castling => f.write_str("castling"),
            Self::CastlingSide(CastlingWord::Short) => f.write_str("castling short"),
            Self::CastlingSide(CastlingWord::Long) => f.write_str("castling long"),
            Self::Captures => f.write_str("captures"),
            Self::To => f.write_str("to"),
            Self::On => f.write_str("on"),
            Self::From => f.write_str("from"),
            Self::Check => f.write_str("check"),
            Self::Mate => f.write_str("mate"),
            Self::Promotes => f.write_str("promotes"),
            Self::Board => f.write_str("board"),
            Self::Word => f.write_str("word"),
        }
    }
}

impl From<CastlingWord> for CastlingSide {
    fn from(word: CastlingWord) -> Self {
        match word {
            CastlingWord::Short => Self::KingSide,
            CastlingWord::Long => Self::QueenSide,
        }
    }
}

impl From<CastlingSide> for CastlingWord {
    fn from(side: CastlingSide) -> Self {
        match side {
            CastlingSide::KingSide => Self::Short,
            CastlingSide::QueenSide => Self::Long,
        }
    }
}

/// What an entry of `commands.toml` is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommandName {
    /// A command that stands alone.
    Command(Command),
    /// "Korrektur", which the right move may follow.
    Correct,
}

impl CommandName {
    /// The name a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        if word == "correct" {
            return Some(Self::Correct);
        }
        let command = IntoDeserializer::<Error>::into_deserializer(word);
        Command::deserialize(command).ok().map(Self::Command)
    }

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Command(command) => command.word(),
            Self::Correct => "correct",
        }
    }
}
