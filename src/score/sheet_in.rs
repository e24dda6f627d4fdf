//! Reads scores: move lists of any hand, and PGN.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::Color;
use shakmaty::fen::Fen;
use thiserror::Error;

use super::entry::{Entry, Place, Provenance};
use super::kept::{Score, Signature};
use super::letters::Letters;
use super::notated::Notated;
use super::pgn_out::side_name;
use super::scan::{Token, TokenKind, clock_time, scan};
use super::standing::{Reading, Standing};
use super::written::read_move;
use crate::laws::GameResult;

/// No score has more entries: the longest game that the 75-move rule allows is shorter.
const MOST_ENTRIES: usize = 12_000;

/// No text of a score is longer, in bytes.
const MOST_BYTES: usize = 4_000_000;

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
    #[error("there is no move in this score")]
    NoMoves,
    /// It is no score of chess.
    #[error("a score has at most {MOST_ENTRIES} entries and {MOST_BYTES} bytes")]
    TooLong,
    /// The starting position cannot be read.
    #[error("the starting position is no FEN: {0}")]
    Start(String),
    /// The file has fewer games.
    #[error("the file has only {0} games")]
    NoSuchGame(usize),
    /// Brackets or quotes of a tag are not closed.
    #[error("the names before the moves cannot be read: {0}")]
    Tags(String),
}

/// Reads a score: PGN if it begins with a tag, otherwise a list of moves.
///
/// `letters` are those of the sheet; without them they are found out. `game` chooses among the
/// games of a PGN file, counted from 1.
///
/// # Errors
///
/// [`ReadScoreError`] names the line. A word that is no move is not an error but a note.
pub fn read_score(
    text: &str,
    letters: Option<Letters>,
    game: usize,
) -> Result<ReadScore, ReadScoreError> {
    if text.len() > MOST_BYTES {
        return Err(at(1, ReadScoreErrorKind::TooLong));
    }
    let text = text.trim_start_matches('\u{feff}');
    let mut source = if text.trim_start().starts_with('[') {
        pgn_source(text, game)?
    } else {
        list_source(text)
    };
    let start = match source.tag("FEN") {
        Some(fen) => Some(fen.parse::<Fen>().map_err(|error| {
            at(
                source.first_line,
                ReadScoreErrorKind::Start(error.to_string()),
            )
        })?),
        None => None,
    };
    let blank = match start {
        Some(fen) => Score::new(None).starting_from(fen.into_setup()),
        None => Score::new(None),
    };
    let tokens = std::mem::take(&mut source.tokens);
    let (mut read, entries) = in_best_letters(&tokens, letters, &blank, source.is_pgn)?;
    read.notes.splice(0..0, source.notes.drain(..));
    read.score = source.into_score(blank, entries);
    Ok(read)
}

/// What a text says before it is known by which letters.
struct Source {
    tags: Vec<(String, String)>,
    tokens: Vec<Token>,
    first_line: usize,
    is_pgn: bool,
    notes: Vec<ReadNote>,
}

impl Source {
    fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(known, _)| known == name)?;
        Some(value)
    }

    fn into_score(self, blank: Score, entries: Entries) -> Score {
        let keeper = Color::ALL
            .into_iter()
            .find(|&side| self.tag("ScoreOf") == Some(side_name(side)));
        let result = self
            .tag("Result")
            .and_then(|result| result.parse().ok())
            .or(entries.result);
        let signed: Vec<_> = Color::ALL
            .into_iter()
            .filter(|&side| {
                self.tag("Signed")
                    .is_some_and(|names| names.contains(side_name(side)))
            })
            .collect();
        let mut score = blank;
        // Nothing is signed yet, so nothing can be refused.
        score.set_keeper(keeper);
        for (name, value) in self.tags {
            let is_own = matches!(
                name.as_str(),
                "Result" | "SetUp" | "FEN" | "ScoreOf" | "Signed"
            );
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

const fn at(line: usize, kind: ReadScoreErrorKind) -> ReadScoreError {
    ReadScoreError { line, kind }
}

/// Takes one game of a PGN file apart. The tags are read by a reader that has seen them all; the
/// moves by our own, because a score must keep the words that are no legal moves.
fn pgn_source(text: &str, game: usize) -> Result<Source, ReadScoreError> {
    let games = split_games(text);
    let Some(&(first_line, game_text)) = games.get(game.saturating_sub(1)) else {
        return Err(at(1, ReadScoreErrorKind::NoSuchGame(games.len())));
    };
    let tags = Reader::new(game_text.as_bytes())
        .read_game(&mut Tags)
        .map_err(|error| at(first_line, ReadScoreErrorKind::Tags(error.to_string())))?
        .unwrap_or_default();
    let tag_lines = game_text
        .lines()
        .take_while(|line| line.trim().is_empty() || line.trim_start().starts_with('['))
        .count();
    let movetext: Vec<&str> = game_text.split('\n').skip(tag_lines).collect();
    Ok(Source {
        tags,
        tokens: scan(&movetext.join("\n"), first_line + tag_lines),
        first_line,
        is_pgn: true,
        notes: Vec::new(),
    })
}

/// The games of a PGN text with the line on which each begins. A game begins with a tag after
/// movetext or after an empty line.
fn split_games(text: &str) -> Vec<(usize, &str)> {
    let mut games = Vec::new();
    let (mut begin, mut begin_line, mut seen_moves, mut in_comment) = (0, 1, false, false);
    let mut offset = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_tag = !in_comment && line.trim_start().starts_with('[');
        if is_tag && seen_moves {
            games.push((begin_line, &text[begin..offset]));
            (begin, begin_line, seen_moves) = (offset, number + 1, false);
        }
        if !is_tag && !line.trim().is_empty() {
            seen_moves = true;
            for letter in line.chars() {
                match letter {
                    '{' => in_comment = true,
                    '}' => in_comment = false,
                    ';' if !in_comment => break,
                    _ => {}
                }
            }
        }
        offset += line.len();
    }
    games.push((begin_line, &text[begin..]));
    games
}

struct Tags;

impl Visitor for Tags {
    type Tags = Vec<(String, String)>;
    type Movetext = Self::Tags;
    type Output = Self::Tags;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(Vec::new())
    }

    fn tag(
        &mut self,
        tags: &mut Self::Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let name = String::from_utf8_lossy(name).trim().to_owned();
        tags.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
        // The moves are not for this reader.
        ControlFlow::Break(tags)
    }

    fn san(&mut self, _: &mut Self::Movetext, _: SanPlus) -> ControlFlow<Self::Output> {
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, tags: Self::Movetext) -> Self::Output {
        tags
    }
}

/// Takes a list of moves apart: lines of the form `Name: value` may stand before the first move.
fn list_source(text: &str) -> Source {
    let mut source = Source {
        tags: Vec::new(),
        tokens: Vec::new(),
        first_line: 1,
        is_pgn: false,
        notes: Vec::new(),
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let first = lines
        .iter()
        .position(|line| has_move(line))
        .unwrap_or(lines.len());
    for (number, line) in lines[..first].iter().enumerate() {
        let line = line.trim();
        match line.split_once(':') {
            Some((name, value)) if tag_name(name.trim()).is_some() => {
                let name = tag_name(name.trim()).unwrap_or_default();
                source.tags.push((name, value.trim().to_owned()));
            }
            _ if line.is_empty() => {}
            _ => source.notes.push(ReadNote {
                line: number + 1,
                kind: ReadNoteKind::Heading(line.chars().take(60).collect()),
            }),
        }
    }
    source.first_line = first + 1;
    source.tokens = scan(&lines[first..].join("\n"), first + 1);
    source
}

/// Whether a line begins the moves: it has a number or a move in some language.
fn has_move(line: &str) -> bool {
    let is_heading = line
        .split_once(':')
        .is_some_and(|(name, _)| tag_name(name.trim()).is_some());
    !is_heading
        && scan(line, 1).iter().any(|token| match &token.kind {
            TokenKind::Number { number, .. } => *number == 1,
            TokenKind::Word(word) => Letters::DISTINCT
                .into_iter()
                .any(|letters| read_move(word, letters).is_legible()),
            _ => false,
        })
}

/// The PGN name of a heading in any of the languages; any other single word names itself.
fn tag_name(name: &str) -> Option<String> {
    const NAMES: [(&str, &[&str]); 10] = [
        (
            "White",
            &[
                "white", "weiß", "weiss", "hvid", "vit", "brancas", "blancs", "wit",
            ],
        ),
        (
            "Black",
            &[
                "black", "schwarz", "sort", "svart", "pretas", "noirs", "zwart",
            ],
        ),
        (
            "Event",
            &[
                "event",
                "turnier",
                "turnering",
                "torneio",
                "tournoi",
                "toernooi",
            ],
        ),
        (
            "Site",
            &["site", "ort", "sted", "plats", "local", "lieu", "plaats"],
        ),
        ("Date", &["date", "datum", "dato", "data"]),
        ("Round", &["round", "runde", "rond", "ronda", "ronde"]),
        (
            "Result",
            &[
                "result",
                "ergebnis",
                "resultat",
                "resultado",
                "résultat",
                "uitslag",
            ],
        ),
        ("FEN", &["fen"]),
        ("ScoreOf", &["scoreof"]),
        ("Signed", &["signed"]),
    ];
    let small = name.to_lowercase();
    let known = NAMES
        .iter()
        .find(|(_, names)| names.contains(&small.as_str()));
    let is_word = name.len() >= 3
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    match known {
        Some((tag, _)) => Some((*tag).to_owned()),
        None => is_word.then(|| name.to_owned()),
    }
}

/// The entries of a score, and what else its moves say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Entries {
    entries: Vec<Entry>,
    suspended: Vec<usize>,
    result: Option<GameResult>,
    notes: Vec<ReadNote>,
}

/// Reads the tokens by the declared letters, or by those under which most of it is a game.
fn in_best_letters(
    tokens: &[Token],
    declared: Option<Letters>,
    blank: &Score,
    is_pgn: bool,
) -> Result<(ReadScore, Entries), ReadScoreError> {
    let turn = blank.start().turn;
    let mut readings = Vec::new();
    let choices: Vec<Letters> = declared.map_or_else(|| Letters::DISTINCT.to_vec(), |l| vec![l]);
    for letters in choices {
        let entries = assemble(tokens, letters, turn)?;
        let legible = |entry: &&Entry| entry.notated.is_legible();
        let unreadable = entries.entries.len() - entries.entries.iter().filter(legible).count();
        let legal = legal_plies(blank, &entries.entries);
        readings.push((letters, unreadable, legal, entries));
    }
    // PGN is English unless that reads worse; the order of the letters decides the rest.
    readings.sort_by_key(|(letters, unreadable, legal, _)| {
        let foreign = is_pgn && *letters != Letters::English;
        (*unreadable, usize::MAX - legal, foreign)
    });
    let mut readings = readings.into_iter();
    let Some((letters, unreadable, legal, mut entries)) = readings.next() else {
        return Err(at(1, ReadScoreErrorKind::NoMoves));
    };
    if !entries
        .entries
        .iter()
        .any(|entry| entry.notated.is_legible())
    {
        let line = tokens.first().map_or(1, |token| token.line);
        return Err(at(line, ReadScoreErrorKind::NoMoves));
    }
    let said = |entries: &Entries| -> Vec<Notated> {
        let notated = entries.entries.iter();
        notated.map(|entry| entry.notated.clone()).collect()
    };
    let other_letters = readings
        .filter(|(_, other_unreadable, other_legal, other)| {
            (*other_unreadable, *other_legal) == (unreadable, legal)
                && said(other) != said(&entries)
        })
        .map(|(letters, ..)| letters)
        .collect();
    let read = ReadScore {
        score: Score::new(None),
        letters,
        other_letters,
        notes: std::mem::take(&mut entries.notes),
    };
    Ok((read, entries))
}

/// How many entries from the first on are legal moves.
fn legal_plies(blank: &Score, entries: &[Entry]) -> usize {
    let mut standing = Standing::of(blank.start());
    for (ply, entry) in entries.iter().enumerate() {
        match standing.read(entry) {
            Reading::Legal(played) => standing = standing.after(played),
            _ => return ply,
        }
    }
    entries.len()
}

/// Puts the tokens together to entries.
fn assemble(tokens: &[Token], letters: Letters, turn: Color) -> Result<Entries, ReadScoreError> {
    let mut sheet = Sheet {
        read: Entries::default(),
        place: None,
        last: None,
        turn,
    };
    for token in tokens {
        sheet.take(token, letters);
        if sheet.read.entries.len() > MOST_ENTRIES {
            return Err(at(token.line, ReadScoreErrorKind::TooLong));
        }
    }
    Ok(sheet.read)
}

struct Sheet {
    read: Entries,
    /// Where the next entry stands, if a number has said it.
    place: Option<Place>,
    /// Where the last entry stands.
    last: Option<Place>,
    /// The side that moves in the starting position.
    turn: Color,
}

impl Sheet {
    fn take(&mut self, token: &Token, letters: Letters) {
        match &token.kind {
            TokenKind::Number { number, black } => self.number(token.line, *number, *black),
            TokenKind::Dots => self.dots(),
            TokenKind::Word(word) => {
                let notated = read_move(word, letters);
                if notated == Notated::Unreadable {
                    self.note(token.line, ReadNoteKind::Unreadable(word.clone()));
                }
                self.push(notated, Some(word.clone()));
            }
            TokenKind::Offer => {
                if let Some(entry) = self.read.entries.last_mut() {
                    entry.offer = true;
                }
            }
            TokenKind::Clock(left) => {
                if let Some(entry) = self.read.entries.last_mut() {
                    entry.clock = Some(*left);
                }
            }
            TokenKind::Result(result) => self.read.result = Some(*result),
            TokenKind::Comment(text) => self.comment(text),
        }
    }

    fn note(&mut self, line: usize, kind: ReadNoteKind) {
        self.read.notes.push(ReadNote { line, kind });
    }

    fn number(&mut self, line: usize, number: u32, black: bool) {
        let side = Color::from_white(!black);
        if let Some(last) = self.last {
            let expected = match last.side {
                Color::White => last.number + u32::from(!black),
                Color::Black => last.number + 1,
            };
            let repeated = number == last.number && last.side == Color::White;
            if last.side == Color::White && !black && number == expected {
                // Black's place in the last row was left empty.
                self.push(Notated::Blank, None);
            } else if number != expected && !repeated {
                self.note(
                    line,
                    ReadNoteKind::WrongNumber {
                        expected,
                        found: number,
                    },
                );
            }
            if repeated && !black {
                self.place = Some(Place {
                    number,
                    side: Color::Black,
                });
                return;
            }
        }
        self.place = Some(Place { number, side });
        if black && self.next_side() == Color::White {
            self.place = None;
            self.push(Notated::Blank, None);
            self.place = Some(Place { number, side });
        }
    }

    /// `...` after a number: White's place is empty, or its move stands before a comment.
    fn dots(&mut self) {
        match self.place {
            Some(place) if place.side == Color::White => {
                self.place = None;
                self.number(0, place.number, true);
            }
            _ => self.push(Notated::Blank, Some("...".to_owned())),
        }
    }

    /// The side whose entry comes next by counting.
    const fn next_side(&self) -> Color {
        match self.last {
            Some(last) => last.side.other(),
            None => self.turn,
        }
    }

    fn push(&mut self, notated: Notated, written: Option<String>) {
        let counted = Place {
            number: match self.last {
                None => 1,
                Some(last) => last.number + u32::from(last.side == Color::Black),
            },
            side: self.next_side(),
        };
        let place = self.place.take();
        self.last = Some(place.unwrap_or(counted));
        self.read.entries.push(Entry {
            written,
            place,
            ..Entry::new(notated)
        });
    }

    /// Our own marks and the clock times that programs write into comments.
    fn comment(&mut self, text: &str) {
        if text.contains("[%suspended]") {
            self.read.suspended.push(self.read.entries.len());
        }
        for (name, value) in marks(text) {
            match name {
                "written" => {
                    let word = unescaped(value);
                    self.push(read_move(&word, Letters::English), None);
                }
                "illegible" => self.push(Notated::Unreadable, Some(unescaped(value))),
                "blank" => self.push(Notated::Blank, None),
                _ => {}
            }
            let Some(entry) = self.read.entries.last_mut() else {
                continue;
            };
            match name {
                "reads" => entry.notated = read_move(&unescaped(value), Letters::English),
                "clk" => entry.clock = clock_time(value).or(entry.clock),
                "slip" => {
                    let word = unescaped(value);
                    entry.slips.push(read_move(&word, Letters::English));
                }
                "misheard" => {
                    let word = unescaped(value);
                    entry.misheard.push(read_move(&word, Letters::English));
                }
                "completed" => entry.provenance = Provenance::Completed,
                "reconstructed" => entry.provenance = Provenance::Reconstructed,
                _ => {}
            }
        }
        if text.contains("(=)")
            && let Some(entry) = self.read.entries.last_mut()
        {
            entry.offer = true;
        }
    }
}

/// The `[%name value]` marks of a comment in their order.
fn marks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("[%").skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once(']')?;
        let (name, value) = inside
            .split_once(char::is_whitespace)
            .unwrap_or((inside, ""));
        Some((name, value.trim()))
    })
}

/// Undoes the escapes of the writer.
fn unescaped(text: &str) -> String {
    let mut plain = text.to_owned();
    for letter in ['[', ']', '{', '}', '%'] {
        plain = plain.replace(&format!("%{:02X}", u32::from(letter)), &letter.to_string());
    }
    plain
}
