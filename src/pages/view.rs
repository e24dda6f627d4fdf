//! What a page shows, as a value. Everything is in words, and every possible action has the line
//! that a console would type.

use std::time::{Duration, Instant};

/// What one role may know now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The title of the page.
    pub title: String,
    /// The state of the game, in one line.
    pub state: String,
    /// What waits for this person alone, in one line. Empty if nothing waits.
    pub urgent: String,
    /// The chessclock, for roles that may see it.
    pub clocks: Option<Clocks>,
    /// The last announcement.
    pub said: Option<Said>,
    /// The questions that wait for this person's answer, the oldest first.
    pub cards: Vec<Card>,
    /// His last decision, which he can take back.
    pub decided: Option<Card>,
    /// The boards that this person may see.
    pub boards: Vec<Board>,
    /// His possible actions, in groups.
    pub groups: Vec<Group>,
    /// His possible actions that need more than a press.
    pub forms: Vec<Form>,
    /// Scores, side by side.
    pub scores: Option<Scores>,
    /// The result of a comparison of boards and scores.
    pub verdict: Option<Verdict>,
    /// The files that can be downloaded.
    pub files: Vec<File>,
}

/// The chessclock, White first.
#[derive(Clone, Debug, PartialEq)]
pub struct Clocks {
    /// Both sides.
    pub sides: [Clock; 2],
    /// When the clock was read.
    pub read: Instant,
}

/// One side of the clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// The name of the player.
    pub name: String,
    /// The time left when the clock was read.
    pub left: Duration,
    /// Whether it is running.
    pub runs: bool,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The player who announced it.
    pub by: String,
    /// In the words of the table.
    pub words: String,
    /// In symbols: `12. Sg1–f3`.
    pub signs: String,
}

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// An id that stays the same as long as it waits, such as `proposal-3`.
    pub id: String,
    /// The question.
    pub title: String,
    /// Article, facts and times, one on each line.
    pub lines: Vec<String>,
    /// All possible answers.
    pub buttons: Vec<Button>,
    /// An answer that needs more than a press. It is collapsed if a press can answer too.
    pub form: Option<Form>,
    /// Forms of the page that can answer it too: the label, and the id of the form.
    pub links: Vec<(String, String)>,
}

/// A button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What it does.
    pub label: String,
    /// The line that it types.
    pub line: String,
    /// Whether it ends or rewinds something, so that it must be pressed in two steps.
    pub is_grave: bool,
}

/// Buttons that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The subject of the buttons.
    pub title: String,
    /// The buttons.
    pub buttons: Vec<Button>,
}

/// A line that is assembled from fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// An id that stays the same, such as `set`.
    pub id: String,
    /// What it does.
    pub title: String,
    /// A sentence about it, or empty.
    pub about: String,
    /// The line, with `{0}`, `{1}` … for the fields.
    pub line: String,
    /// The fields.
    pub fields: Vec<Field>,
    /// Whether it ends or rewinds something.
    pub is_grave: bool,
}

/// A field of a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A choice: for each option what is typed, and what is shown.
    Choice(String, Vec<(String, String)>),
    /// A few words: the label and an example.
    Text(String, String),
    /// A few words that may be left empty: the label and an example.
    Maybe(String, String),
    /// A few words with a default: the label and the default, which may be changed.
    Usual(String, String),
    /// A sheet: many lines, or a file of text.
    Sheet(String),
    /// A secret that no spectator may read.
    Secret(String),
}

/// A board as one side sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// An id that stays the same, such as `board-white`.
    pub id: String,
    /// Whose board it is.
    pub title: String,
    /// All squares in the order in which they are seen, from the upper left.
    pub squares: Vec<Square>,
    /// What a tap does.
    pub taps: Taps,
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// Its name: `e4`.
    pub name: &'static str,
    /// The piece by its English letter. A capital is White's.
    pub piece: Option<char>,
    /// The name of the piece. Empty if the square is empty.
    pub words: String,
    /// Whether it belongs to the move that was announced.
    pub is_marked: bool,
    /// Whether it differs from the other board.
    pub differs: bool,
    /// The beginning of a move from here, such as `Sg1`. Empty if no move begins here.
    pub from: String,
}

/// What a tap on a board does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taps {
    /// Nothing.
    Nothing,
    /// A tap on a square sends this line, with `{0}` for its name.
    Square(String),
    /// Taps on two squares are a move. The list has the pieces for a pawn that reaches its last
    /// rank: what is typed after the move, and the name.
    Move(Vec<(String, String)>),
}

/// Scores side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// Their title.
    pub title: String,
    /// Whose score each is.
    pub titles: Vec<String>,
    /// The moves.
    pub rows: Vec<Row>,
}

/// One move of White and Black in all scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The number of the move.
    pub number: u32,
    /// White's and Black's move in each score.
    pub moves: Vec<[String; 2]>,
    /// Whether the scores differ in White's and in Black's move.
    pub differ: [bool; 2],
}

/// The verdict of a comparison (D.2.9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Its title.
    pub title: String,
    /// The verdict in a few lines.
    pub lines: Vec<String>,
    /// The verdict in full.
    pub paragraph: String,
}

/// A text that can be downloaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the address, such as `score.pgn`.
    pub name: String,
    /// A description.
    pub label: String,
    /// Its media type, such as `text/plain`.
    pub kind: &'static str,
    /// Its content.
    pub text: String,
}

impl File {
    /// Returns whether it is opened for printing and not downloaded.
    pub(crate) fn is_sheet(&self) -> bool {
        self.kind == "text/html"
    }
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Its number, counted from 1.
    pub number: u64,
    /// Where it was said.
    pub label: String,
    /// What was said.
    pub text: String,
}
