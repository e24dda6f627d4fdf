//! The result of reading a score, and the notes about it.

use shakmaty::fen::ParseFenError;
use thiserror::Error;

use super::entry::Entry;
use super::kept::Score;
use super::letters::Letters;
use super::standing::{Meaning, Standing};
use annexd_laws::GameResult;

/// The greatest number of entries of a score. The longest game that the 75-move rule allows is
/// shorter.
pub const MOST_ENTRIES: usize = 12_000;

/// The greatest length of the text of a score, in bytes.
pub const MOST_BYTES: usize = 4_000_000;

/// The greatest length of a file of games, in bytes.
pub const MOST_PGN_BYTES: usize = 32_000_000;

/// A score that was read, with notes about the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadScore {
    /// The score.
    pub score: Score,
    /// The letters with which it was read.
    pub letters: Letters,
    /// Other letters with which it can be read differently. If there are any, the reading is
    /// uncertain.
    pub other_letters: Vec<Letters>,
    /// What could not be read, or looks wrong, with its line.
    pub notes: Vec<ReadNote>,
    /// How many games the text has, of which this is one.
    pub games: usize,
}

/// A note about one line of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadNote {
    /// The line, counted from 1.
    pub line: usize,
    /// What the note says.
    pub kind: ReadNoteKind,
}

/// The kinds of notes about a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadNoteKind {
    /// A word could not be read as a move. It was kept as an unreadable entry.
    #[error("\"{0}\" cannot be read as a move and is kept as an unreadable entry")]
    Unreadable(String),
    /// A number is not the one that is expected here.
    #[error("the number is {found}, where {expected} was expected")]
    WrongNumber {
        /// The number that follows from the entries before.
        expected: u32,
        /// The number on the sheet.
        found: u32,
    },
    /// A line before the first move was not understood.
    #[error("the line \"{0}\" before the first move is passed over")]
    Heading(String),
    /// The first entry that is no legal move in its place.
    #[error("\"{0}\" is not a legal move here; it is kept, and what follows is not judged")]
    NotLegal(String),
    /// The first partly legible entry that no legal move fits.
    #[error(
        "of \"{0}\" only a part can be read, which fits no legal move here; it is kept, and what \
         follows is not judged"
    )]
    HalfRead(String),
    /// The first entry that leaves open which move it means.
    #[error("\"{0}\" can mean more than one move here; it is kept, and what follows is not judged")]
    Ambiguous(String),
    /// A word about the game that is not a part of it.
    #[error("\"{0}\" is no move and is passed over")]
    Remark(String),
    /// A row has more than two entries.
    #[error("\"{0}\" is the third entry of its row; it is kept as an entry of its own")]
    ThirdInRow(String),
    /// The text has two different results.
    #[error("the result is {found} here and {before} before; {taken} is taken")]
    OtherResult {
        /// The result elsewhere.
        before: GameResult,
        /// The result here.
        found: GameResult,
        /// The result that was taken.
        taken: GameResult,
    },
    /// Another game begins after the end.
    #[error("another game begins here and is passed over")]
    AnotherGame,
    /// The score was changed after it was signed.
    #[error("the score was changed after it was signed; its signatures do not count")]
    ChangedAfterSigning,
    /// Nothing ties the signatures to the score.
    #[error(
        "the signatures cannot be checked: nothing here tells whether the score was changed after \
         it was signed"
    )]
    UncheckedSignatures,
    /// Brackets, or a remark after a semicolon.
    #[error("\"{0}\" stands beside the moves and is passed over")]
    Aside(String),
    /// An unclosed bracket hides the rest of the text.
    #[error("the bracket {0} is never closed; what stands behind it is passed over")]
    Unclosed(char),
}

/// Why a text is not read as a score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct ReadScoreError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub kind: ReadScoreErrorKind,
}

/// What can be wrong with a text as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadScoreErrorKind {
    /// The text has no move.
    #[error(
        "there is no move in this score; a line of it looks like \"1. e4 e5\", with the letters of \
         any language"
    )]
    NoMoves,
    /// The text is longer than any score.
    #[error("a score has at most {MOST_ENTRIES} entries and {MOST_BYTES} bytes")]
    TooLong,
    /// The starting position cannot be read.
    #[error("the starting position is no FEN: {0}")]
    Start(ParseFenError),
    /// Most of the text is something else.
    #[error("only {moves} of {words} words can be read as moves, so this is no score")]
    NoScore {
        /// The number of words that are moves.
        moves: usize,
        /// The number of all words.
        words: usize,
    },
    /// The file is not text: a picture, a sound, a program.
    #[error(
        "{signs} signs of this file, the first of them here, are none that people write, so this is \
         no score"
    )]
    NoText {
        /// The number of control characters and undefined characters.
        signs: usize,
    },
    /// The file has fewer games.
    #[error("the file has only {0} games")]
    NoSuchGame(usize),
}

/// Shortens words to the length of a note.
pub(super) fn shortened(words: &str) -> String {
    const MOST: usize = 60;

    let words: String = words.trim().chars().take(MOST).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) const fn at(line: usize, kind: ReadScoreErrorKind) -> ReadScoreError {
    ReadScoreError { line, kind }
}

/// Returns how many entries, from the first on, are legal moves.
pub(super) fn legal_plies(mut standing: Standing, entries: &[Entry]) -> usize {
    for (ply, entry) in entries.iter().enumerate() {
        match standing.read(entry) {
            Meaning::Legal(played) => standing = standing.after(played),
            _ => return ply,
        }
    }
    entries.len()
}
