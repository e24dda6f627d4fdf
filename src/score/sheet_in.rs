//! Reads scores: move lists of any hand, and PGN.

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{Color, Setup};
use thiserror::Error;

use super::entry::{Entry, Place};
use super::games_in::games_of;
use super::kept::{Score, Signature};
use super::letters::Letters;
use super::list_in::{list_source, sides_in, tag_name};
use super::marks;
use super::notated::Notated;
use super::pgn_in::{is_pgn, pgn_source};
use super::pgn_out::{LONG, NOTATION, WRITTEN_DATE};
use super::refusal::{refuse_other_texts, refuse_remains, refuse_what_is_no_text};
use super::result_words::result_in;
use super::scan::Token;
use super::sheet::{Entries, assemble};
use super::standing::{Reading, Standing};
use annexd_laws::GameResult;

/// No score has more entries: the longest game that the 75-move rule allows is shorter.
pub const MOST_ENTRIES: usize = 12_000;

/// No text of a score is longer, in bytes.
pub const MOST_BYTES: usize = 4_000_000;

/// No file of games is longer, in bytes, of which each is a score.
pub const MOST_PGN_BYTES: usize = 32_000_000;

/// A score that was read, and what has to be said about the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadScore {
    /// The score.
    pub score: Score,
    /// The letters by which it was read.
    pub letters: Letters,
    /// Other letters by which it reads as well, but differently. Not empty means uncertain.
    pub other_letters: Vec<Letters>,
    /// What could not be read, or looks wrong, with its line.
    pub notes: Vec<ReadNote>,
    /// How many games the text has, of which this is one.
    pub games: usize,
}

/// Something about one line of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadNote {
    /// The line, counted from 1.
    pub line: usize,
    /// What is the matter with it.
    pub kind: ReadNoteKind,
}

/// What can be the matter with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadNoteKind {
    /// A word could not be read as a move; it was kept as an unreadable entry.
    #[error("\"{0}\" cannot be read as a move and is kept as an unreadable entry")]
    Unreadable(String),
    /// A number is not the one that should stand here.
    #[error("the number is {found}, where {expected} was expected")]
    WrongNumber {
        /// The number that follows from the entries before.
        expected: u32,
        /// The number that stands there.
        found: u32,
    },
    /// A line before the first move was not understood.
    #[error("the line \"{0}\" before the first move is passed over")]
    Heading(String),
    /// The first entry that is no legal move where it stands.
    #[error("\"{0}\" is not a legal move here; it is kept, and what follows is not judged")]
    NotLegal(String),
    /// The first entry of which a part can be read, if no legal move fits that.
    #[error(
        "of \"{0}\" only a part can be read, which fits no legal move here; it is kept, and what \
         follows is not judged"
    )]
    HalfRead(String),
    /// The first entry that leaves open which move is meant.
    #[error("\"{0}\" can mean more than one move here; it is kept, and what follows is not judged")]
    Ambiguous(String),
    /// A word about the game and not of it.
    #[error("\"{0}\" is no move and is passed over")]
    Remark(String),
    /// A row has room for two.
    #[error("\"{0}\" is the third entry of its row; it is kept as an entry of its own")]
    ThirdInRow(String),
    /// The result stands there twice, and not the same.
    #[error("the result is {found} here and {before} before; {taken} is taken")]
    OtherResult {
        /// What stands elsewhere.
        before: GameResult,
        /// What stands here.
        found: GameResult,
        /// Which of them the score has.
        taken: GameResult,
    },
    /// After the end another game begins.
    #[error("another game begins here and is passed over")]
    AnotherGame,
    /// The signatures no longer stand under what was signed.
    #[error("the score was changed after it was signed; its signatures do not count")]
    ChangedAfterSigning,
    /// Nothing ties the signatures to what was signed.
    #[error(
        "the signatures cannot be checked: nothing here tells whether the score was changed after \
         it was signed"
    )]
    UncheckedSignatures,
    /// Brackets, or a remark behind a semicolon.
    #[error("\"{0}\" stands beside the moves and is passed over")]
    Aside(String),
    /// A bracket hides the rest of the text.
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
    /// There is no move in it.
    #[error(
        "there is no move in this score; a line of it looks like \"1. e4 e5\", with the letters of \
         any language"
    )]
    NoMoves,
    /// It is no score of chess.
    #[error("a score has at most {MOST_ENTRIES} entries and {MOST_BYTES} bytes")]
    TooLong,
    /// The starting position cannot be read.
    #[error("the starting position is no FEN: {0}")]
    Start(ParseFenError),
    /// Most of it is something else.
    #[error("only {moves} of {words} words can be read as moves, so this is no score")]
    NoScore {
        /// Words that are moves.
        moves: usize,
        /// All of them.
        words: usize,
    },
    /// It is no text at all: a picture, a sound, a program.
    #[error(
        "{signs} signs of this file, the first of them here, are none that people write, so this is \
         no score"
    )]
    NoText {
        /// How many signs steer devices or stand for nothing.
        signs: usize,
    },
    /// The file has fewer games.
    #[error("the file has only {0} games")]
    NoSuchGame(usize),
}

/// Reads a score: PGN if it begins with a tag, otherwise a list of moves.
///
/// `letters` are those of the sheet; without them they are found out. `game` chooses among the
/// games of a text, counted from 1.
///
/// # Errors
///
/// [`ReadScoreError`] names the line. A word that is no move is not an error but a note.
pub fn read_score(
    text: &str,
    letters: Option<Letters>,
    game: usize,
) -> Result<ReadScore, ReadScoreError> {
    read_score_from(text, letters, game, None)
}

/// The same, from another starting position where the text names none.
///
/// # Errors
///
/// As [`read_score`].
pub fn read_score_from(
    text: &str,
    letters: Option<Letters>,
    game: usize,
    start: Option<&Setup>,
) -> Result<ReadScore, ReadScoreError> {
    // A recording or a picture is no text, however long it is.
    refuse_what_is_no_text(text)?;
    let text = &plain(text);
    let most = if is_pgn(text) {
        MOST_PGN_BYTES
    } else {
        MOST_BYTES
    };
    if text.len() > most {
        return Err(at(1, ReadScoreErrorKind::TooLong));
    }
    let games = games_of(text);
    let Some(&(first_line, game_text)) = games.get(game.saturating_sub(1)) else {
        return Err(at(1, ReadScoreErrorKind::NoSuchGame(games.len())));
    };
    if game_text.len() > MOST_BYTES {
        return Err(at(first_line, ReadScoreErrorKind::TooLong));
    }
    let mut source = if is_pgn(text) {
        pgn_source(game_text, first_line)
    } else {
        list_source(game_text, first_line)
    };
    let start = match source.tag("FEN") {
        Some(fen) => Some(
            fen.parse::<Fen>()
                .map(Fen::into_setup)
                .map_err(|error| at(source.first_line, ReadScoreErrorKind::Start(error)))?,
        ),
        None => start.cloned(),
    };
    let blank = match start {
        Some(setup) => Score::new(None).starting_from(setup),
        None => Score::new(None),
    };
    // A list of ours names its letters.
    let letters = letters.or_else(|| source.tag("Letters")?.to_lowercase().parse().ok());
    let tokens = std::mem::take(&mut source.tokens);
    let (mut read, entries) = in_best_letters(&tokens, letters, &blank, &source)?;
    read.games = games.len();
    read.notes.splice(0..0, source.notes.drain(..));
    read.notes.extend(source.other_result(&entries));
    read.notes.extend(another_game(&games, game, source.is_pgn));
    read.score = source.into_score(blank, entries);
    Ok(read)
}

/// The scores of a text that somebody has signed, however many games it has and however long it
/// is.
pub fn signed_scores(text: &str) -> Vec<Score> {
    let is_signature = |line: &str| {
        let is_named = |name: &str| tag_name(name.trim()).as_deref() == Some("Signed");
        let mut tags = line
            .split('[')
            .skip(1)
            .filter_map(|tag| tag.split_once('"'));
        let name = line.split_once(':');
        tags.any(|(name, _)| is_named(name)) || name.is_some_and(|(name, _)| is_named(name))
    };
    let names_one = |text: &str| text.lines().any(is_signature);
    if refuse_what_is_no_text(text).is_err() || !names_one(text) {
        return Vec::new();
    }
    let text = plain(text);
    let games = games_of(&text).into_iter().map(|(_, game)| game);
    let read = games
        .filter(|game| names_one(game))
        .filter_map(|game| read_score(game, None, 1).ok());
    read.map(|read| read.score)
        .filter(|score| !score.signatures().is_empty())
        .collect()
}

/// A text without signs that would steer the terminal on which the score is shown, and without what
/// PGN passes over.
fn plain(text: &str) -> String {
    let is_text = |sign: &char| !sign.is_control() || matches!(sign, '\n' | '\r' | '\t' | '\u{c}');
    let text: String = text.chars().filter(is_text).collect();
    without_escapes(text.trim_start_matches('\u{feff}'))
}

/// Where in a file of lists the next game begins, if nobody has chosen among them: it is told by
/// what its moves look like, so whoever has one game in his file must hear of it.
fn another_game(games: &[(usize, &str)], game: usize, is_pgn: bool) -> Option<ReadNote> {
    let &(line, text) = games.get(1).filter(|_| game <= 1 && !is_pgn)?;
    let empty = text.lines().take_while(|line| line.trim().is_empty());
    let line = line + empty.count();
    let kind = ReadNoteKind::AnotherGame;
    Some(ReadNote { line, kind })
}

/// A PGN whose first lines are escapes, which begin with `%`, without what stands in such lines.
fn without_escapes(text: &str) -> String {
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('%'));
    if !first.is_some_and(is_pgn) {
        return text.to_owned();
    }
    let lines = text.split('\n').map(|line| {
        let is_escape = line.starts_with('%');
        if is_escape { "" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// What a text says before it is known by which letters.
pub(super) struct Source {
    pub(super) tags: Vec<(String, String)>,
    pub(super) tokens: Vec<Token>,
    pub(super) first_line: usize,
    pub(super) is_pgn: bool,
    pub(super) notes: Vec<ReadNote>,
}

impl Source {
    fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    /// The result above the moves.
    fn result(&self) -> Option<GameResult> {
        result_in(self.tag("Result")?)
    }

    /// That another result stands behind the moves than above them.
    fn other_result(&self, entries: &Entries) -> Option<ReadNote> {
        let (above, found) = (self.result()?, entries.result?);
        let kind = ReadNoteKind::OtherResult {
            before: above,
            found,
            taken: above,
        };
        let line = entries.result_line;
        (above != found).then_some(ReadNote { line, kind })
    }

    /// The sides that a line of this name names.
    fn sides(&self, name: &str) -> Vec<Color> {
        let words = self.tag(name).unwrap_or_default();
        sides_in(words).collect()
    }

    fn into_score(self, blank: Score, mut entries: Entries) -> Score {
        let keeper = self.sides("ScoreOf").first().copied();
        let result = self.result().or(entries.result);
        let signed = self.sides("Signed");
        if self.is_pgn && self.tag(NOTATION) == Some(LONG) {
            entries.lengthen(Standing::of(blank.start()));
        }
        let mut score = blank;
        // Nothing is signed yet, so nothing can be refused.
        let _ = score.set_keeper(keeper);
        for (name, value) in self.tags {
            let is_date = self.is_pgn && name == WRITTEN_DATE;
            let name = if is_date { "Date".to_owned() } else { name };
            let is_own = matches!(
                name.as_str(),
                "Result" | "SetUp" | "FEN" | "ScoreOf" | "Signed" | "Letters"
            ) || self.is_pgn && name == NOTATION;
            if !self.is_pgn && marks::NAMES.contains(&name.as_str()) {
                let (read, suspended) = (&mut entries.entries, &mut entries.suspended);
                marks::take(&score.start(), &name, &value, read, suspended);
                continue;
            }
            if !is_own && !matches!(value.as_str(), "?" | "????.??.??") {
                let _ = score.set_tag(&name, value);
            }
        }
        score.set_entries(entries.entries, entries.suspended);
        let _ = score.set_result(result);
        for side in signed {
            let _ = score.sign(Signature { side, at: None });
        }
        score
    }
}

/// As much of some words as a note has room for.
pub(super) fn shortened(words: &str) -> String {
    const MOST: usize = 60;

    let words: String = words.trim().chars().take(MOST).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(super) const fn at(line: usize, kind: ReadScoreErrorKind) -> ReadScoreError {
    ReadScoreError { line, kind }
}

/// Reads the tokens by the declared letters, or by those under which most of it is a game.
fn in_best_letters(
    tokens: &[Token],
    declared: Option<Letters>,
    blank: &Score,
    source: &Source,
) -> Result<(ReadScore, Entries), ReadScoreError> {
    let is_pgn = source.is_pgn;
    let has_result = source.tag("Result").is_some();
    let first = Place::first(&blank.start());
    let mut readings = Vec::new();
    let choices: Vec<Letters> = declared.map_or_else(|| Letters::DISTINCT.to_vec(), |l| vec![l]);
    for letters in choices {
        let entries = assemble(tokens, letters, first)?;
        let legible = |entry: &&Entry| entry.notated.is_legible();
        let unreadable = entries.entries.len() - entries.entries.iter().filter(legible).count();
        let legal = legal_plies(Standing::of(blank.start()), &entries.entries);
        readings.push((letters, unreadable, legal, entries));
    }
    // Who writes a letter for pawns writes it for all of them. PGN is English unless that reads
    // worse; the order of the letters decides the rest.
    readings.sort_by_key(|(letters, unreadable, legal, entries)| {
        let foreign = is_pgn && *letters != Letters::English;
        let is_mixed = letters.names_some_pawns(&entries.entries);
        (*unreadable, is_mixed, usize::MAX - legal, foreign)
    });
    let mut readings = readings.into_iter();
    let Some((letters, unreadable, legal, mut entries)) = readings.next() else {
        return Err(at(1, ReadScoreErrorKind::NoMoves));
    };
    let is_legible = |entry: &Entry| entry.notated.is_legible();
    // A forfeit or a bye has a result and no moves.
    let is_unplayed = (is_pgn || has_result) && entries.entries.is_empty();
    if !is_unplayed && !entries.entries.iter().any(is_legible) {
        let line = tokens.first().map_or(1, |token| token.line);
        return Err(at(line, ReadScoreErrorKind::NoMoves));
    }
    refuse_other_texts(tokens, &entries)?;
    if !is_pgn && legal == 0 {
        refuse_remains(tokens, &entries)?;
    }
    note_first_doubt(blank, &mut entries);
    let said = |entries: &Entries| -> Vec<Notated> {
        let notated = entries.entries.iter();
        notated.map(|entry| entry.notated.clone()).collect()
    };
    let other_letters = readings
        .filter(|(other_letters, other_unreadable, other_legal, other)| {
            (*other_unreadable, *other_legal) == (unreadable, legal)
                && !other_letters.names_some_pawns(&other.entries)
                && said(other) != said(&entries)
        })
        .map(|(letters, ..)| letters)
        .collect();
    let read = ReadScore {
        score: Score::new(None),
        letters,
        other_letters,
        notes: std::mem::take(&mut entries.notes),
        games: 1,
    };
    Ok((read, entries))
}

/// Notes the first legible entry that is not one legal move. What comes after it cannot be judged.
fn note_first_doubt(blank: &Score, entries: &mut Entries) {
    let setup = blank.start();
    let first = entries.entries.iter().find_map(|entry| entry.place);
    if first.is_some_and(|place| place.number > setup.fullmoves.get()) {
        // A later page: nothing can be judged without the one before it.
        return;
    }
    let mut standing = Standing::of(setup);
    for (entry, line) in entries.entries.iter().zip(&entries.lines) {
        let words = || entry.words();
        let kind = match standing.read(entry) {
            Reading::Legal(played) => {
                standing = standing.after(played);
                continue;
            }
            _ if !entry.notated.is_legible() || standing.position().is_none() => return,
            Reading::Ambiguous(_) => ReadNoteKind::Ambiguous(words()),
            _ if entry.notated.is_half_read() => ReadNoteKind::HalfRead(words()),
            _ => ReadNoteKind::NotLegal(words()),
        };
        entries.notes.push(ReadNote { line: *line, kind });
        entries.notes.sort_by_key(|note| note.line);
        return;
    }
}

/// How many entries from the first on are legal moves.
pub(super) fn legal_plies(mut standing: Standing, entries: &[Entry]) -> usize {
    for (ply, entry) in entries.iter().enumerate() {
        match standing.read(entry) {
            Reading::Legal(played) => standing = standing.after(played),
            _ => return ply,
        }
    }
    entries.len()
}
