//! What a page shows, as a value: all of it in words, and of each thing that can be done the very
//! line that a console would type.

use std::time::{Duration, Instant};

/// What one role may know now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// What the page is called.
    pub title: String,
    /// How the game stands, in one line.
    pub state: String,
    /// What waits for this person alone, in one line; empty if nothing does.
    pub urgent: String,
    /// The chessclock, for those who may look at it.
    pub clocks: Option<Clocks>,
    /// What was announced last.
    pub said: Option<Said>,
    /// What waits for his answer, the oldest first.
    pub cards: Vec<Card>,
    /// What he has decided last, and can take back.
    pub decided: Option<Card>,
    /// The boards that he may see.
    pub boards: Vec<Board>,
    /// What he can do, in groups.
    pub groups: Vec<Group>,
    /// What he can do that takes more than a press.
    pub forms: Vec<Form>,
    /// Scores, side by side.
    pub scores: Option<Scores>,
    /// What a comparison of boards and scores came to.
    pub verdict: Option<Verdict>,
    /// What can be taken away.
    pub files: Vec<File>,
}

/// The chessclock, White first.
#[derive(Clone, Debug, PartialEq)]
pub struct Clocks {
    /// Both sides.
    pub sides: [Clock; 2],
    /// When they were read.
    pub read: Instant,
}

/// One side of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// Whose.
    pub name: String,
    /// The time left when it was read.
    pub left: Duration,
    /// Whether it runs.
    pub runs: bool,
}

/// An announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// By whom.
    pub by: String,
    /// In the words of the table.
    pub words: String,
    /// In signs: `12. Sg1–f3`.
    pub signs: String,
}

/// Something that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// What stays the same as long as it waits, such as `proposal-3`.
    pub id: String,
    /// The question.
    pub title: String,
    /// Article, facts and times, a line each.
    pub lines: Vec<String>,
    /// All that can be answered.
    pub buttons: Vec<Button>,
    /// What is answered with more than a press. It is folded up where a press answers, too.
    pub form: Option<Form>,
    /// Forms of the page that answer it too: what that is called, and the form's id.
    pub links: Vec<(String, String)>,
}

/// Something that can be pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What it does.
    pub label: String,
    /// The line that it types.
    pub line: String,
    /// Whether it ends or rewinds something, so that it is pressed in two steps.
    pub is_grave: bool,
}

/// Buttons that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What they are about.
    pub title: String,
    /// The buttons.
    pub buttons: Vec<Button>,
}

/// A line that is put together of fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// What stays the same, such as `set`.
    pub id: String,
    /// What it does.
    pub title: String,
    /// A sentence about it; may be empty.
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
    /// One of these: what is typed, and what is read.
    Choice(String, Vec<(String, String)>),
    /// A few words: the label and an example.
    Text(String, String),
    /// The same, which may be left empty.
    Maybe(String, String),
    /// A few words that usually hold: the label and these words, which may be changed.
    Usual(String, String),
    /// A sheet: many lines, or a file of text.
    Sheet(String),
    /// What nobody who looks on may read.
    Secret(String),
}

/// A board as one side sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// What stays the same, such as `board-white`.
    pub id: String,
    /// Whose board it is.
    pub title: String,
    /// All squares in the order in which they are seen, from the upper left.
    pub squares: Vec<Square>,
    /// What tapping does.
    pub taps: Taps,
}

/// A square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Square {
    /// Its name: `e4`.
    pub name: &'static str,
    /// The piece by its English letter, a capital for White.
    pub piece: Option<char>,
    /// What it is called; empty if nothing stands there.
    pub words: String,
    /// Whether it belongs to the move that was announced.
    pub is_marked: bool,
    /// Whether it is not as on the other board.
    pub differs: bool,
    /// What a move from here begins with, such as `Sg1`; empty if none does.
    pub from: String,
}

/// What tapping a board does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taps {
    /// Nothing.
    Nothing,
    /// One square: this line, with `{0}` for its name.
    Square(String),
    /// Two squares are a move. Of a pawn that goes to its last rank these are the new pieces: what
    /// is typed behind the move, and its name.
    Move(Vec<(String, String)>),
}

/// Scores beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scores {
    /// What they are.
    pub title: String,
    /// Whose each is.
    pub titles: Vec<String>,
    /// The moves.
    pub rows: Vec<Row>,
}

/// One move of White and Black in all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its number.
    pub number: u32,
    /// White's and Black's move in each score.
    pub moves: Vec<[String; 2]>,
    /// Whether White's and Black's move differ.
    pub differ: [bool; 2],
}

/// The verdict of a comparison (D.2.9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What it is about.
    pub title: String,
    /// In a few lines.
    pub lines: Vec<String>,
    /// In full.
    pub paragraph: String,
}

/// A text that can be taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the address, such as `score.pgn`.
    pub name: String,
    /// What it is.
    pub label: String,
    /// Its kind, such as `text/plain`.
    pub kind: &'static str,
    /// What stands in it.
    pub text: String,
}

impl File {
    /// Whether it is opened to be printed, and not kept.
    pub(crate) fn is_sheet(&self) -> bool {
        self.kind == "text/html"
    }
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, counted from 1.
    pub number: u64,
    /// Where it was said.
    pub label: String,
    /// What.
    pub text: String,
}
