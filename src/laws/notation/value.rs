//! The meanings of the words of a lexicon.

use std::fmt;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;
use shakmaty::{CastlingSide, Color, File, Rank, Role};

use super::{Command, Question, as_words};

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
    /// "Auf": precedes the square of a piece that captures.
    On,
    /// "Von".
    From,
    /// "Schach".
    Check,
    /// "Matt".
    Mate,
    /// "Umwandlung".
    Promotes,
    /// "Stellung": begins a question about the board.
    Board,
    /// "Diagonale": a square follows it.
    Diagonals,
    /// A word that only `commands.toml` gives a meaning.
    Word,
}

/// The castling that a word names.
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
            Self::Diagonals,
        ])
    }
}

/// Writes a value as in `lexicon.toml`.
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
            Self::Diagonals => f.write_str("diagonals"),
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

/// What an entry of `commands.toml` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommandName {
    /// A command that stands alone.
    Command(Command),
    /// "Korrektur", which the correct move may follow.
    Correct,
    /// A complete question about the board or the score.
    Question(Question),
}

/// The questions that have a phrase of their own.
const QUESTIONS: [(&str, Question); 9] = [
    ("board_white", Question::Side(Color::White)),
    ("board_black", Question::Side(Color::Black)),
    ("board_material", Question::Material),
    ("board_taken", Question::Taken),
    ("score_last_five", Question::LastMoves(5)),
    ("score_from_ten", Question::MovesFrom(10)),
    ("score_from_twenty", Question::MovesFrom(20)),
    ("score_from_thirty", Question::MovesFrom(30)),
    ("score_from_forty", Question::MovesFrom(40)),
];

impl CommandName {
    /// Returns the command or question that a word names.
    pub fn from_word(word: &str) -> Option<Self> {
        if word == "correct" {
            return Some(Self::Correct);
        }
        if let Some((_, question)) = QUESTIONS.iter().find(|(name, _)| *name == word) {
            return Some(Self::Question(*question));
        }
        let command = IntoDeserializer::<Error>::into_deserializer(word);
        Command::deserialize(command).ok().map(Self::Command)
    }

    /// The word for this name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Command(command) => command.word(),
            Self::Correct => "correct",
            Self::Question(asked) => QUESTIONS
                .iter()
                .find(|(_, question)| *question == asked)
                .map_or("", |(name, _)| name),
        }
    }
}
