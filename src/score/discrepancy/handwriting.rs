//! How well the words of an entry fit a move, letter by letter, given the confusions of
//! handwriting, scans and readers.
//!
//! The unit is half of the smallest doubt. A letter that is plainly another one costs more than two
//! that look alike. A sign that nobody uses in a score costs little, and `?` costs nothing.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within the signs of a word"
)]

use std::collections::BTreeMap;

use shakmaty::{CastlingSide, Move, Role};

use crate::letters::CYRILLIC_KING;
use crate::{Entry, Letters, Notated};

/// A letter in another case, or a sign without meaning in place of a letter.
const BLANK: u32 = 1;

/// A sign that nobody uses in a score, and that looks like the letter.
const LOOKS_LIKE: u32 = 1;

/// Two signs of scores that are often confused.
const ALIKE: u32 = 2;

/// A sign that nobody uses in a score, and that looks like something else.
const SCRAWL: u32 = 3;

/// A letter that is missing, or an unused sign too many.
const LOST: u32 = 4;

/// Two letters in exchanged order.
const SWAPPED: u32 = 3;

/// A letter that is plainly another one.
const OTHER: u32 = 6;

/// The greatest misfit with which an entry is read as a move.
pub(super) const READ: u32 = 4;

/// Stands for a pawn before its square, where other pieces have their letter.
const PAWN: char = '\u{1}';

/// Signs that are confused in handwriting, by scans and by readers.
const CONFUSED: [&str; 31] = [
    "17lI|iJ]![",
    "27zZ",
    "38",
    "56",
    "68b",
    "35",
    "5sS$",
    "8B&",
    "49",
    "4A",
    "4yYh",
    "g9q",
    "0OoQD",
    "6G",
    "ad",
    "aou@",
    "ceo(",
    "bhk",
    "bd",
    "fet",
    "ft7",
    "gqy",
    "KRkX",
    "RB",
    "NMHWV",
    "TF7",
    "LI1",
    "DOQ",
    "CGc",
    "PFR",
    "SG",
];

/// What is written for a move, without the signs that may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HandwrittenMove {
    signs: Vec<char>,
    /// Whether a capture is marked.
    capture: bool,
}

impl HandwrittenMove {
    /// Reads the words of an entry, as on the sheet.
    pub(super) fn of(entry: &Entry, letters: &SheetLetters) -> Self {
        let words = match (&entry.written, &entry.notated) {
            (Some(written), _) => written.clone(),
            (None, Notated::Unreadable | Notated::Blank) => String::new(),
            (None, _) => entry.words(),
        };
        // The king has two letters in Russian.
        let words = words.trim().replace(CYRILLIC_KING, "♔");
        let body = words.trim_end_matches(['+', '#', '!', '.', ',']);
        let capture = body.chars().skip(1).any(is_capture);
        let is_sign = |sign: &char| !(is_capture(*sign) || is_passed_over(*sign));
        let mut signs: Vec<char> = body.chars().filter(is_sign).collect();
        // A pawn has no letter, which says as much as a letter. One may stand after its square.
        let names_piece = signs.iter().rev().skip(1).any(|&sign| letters.names(sign));
        let begins_square = |first: &char| matches!(first, 'a'..='h' | '1'..='8');
        if !names_piece && signs.len() > 1 && signs.first().is_some_and(begins_square) {
            signs.insert(0, PAWN);
        }
        Self { signs, capture }
    }

    /// Returns whether anything can be read at all: a letter of a piece, a file or a rank.
    pub(super) fn says_something(&self, letters: &SheetLetters) -> bool {
        self.signs.iter().any(|&sign| is_of_a_score(sign, letters))
    }

    /// Returns whether the words have a marked sign that cannot be read. A question mark after a
    /// whole move is the writer's opinion.
    pub(super) fn has_blots(&self) -> bool {
        let signs = self.signs.iter().rev().skip_while(|sign| **sign == '?');
        signs.copied().any(is_blot)
    }

    /// Returns whether less than half of the legible signs can be a part of the move.
    pub(super) fn speaks_against(&self, played: Move, letters: &SheetLetters) -> bool {
        let is_read = |sign: &char| *sign == PAWN || is_of_a_score(*sign, letters);
        let read = Self {
            signs: self.signs.iter().copied().filter(is_read).collect(),
            capture: false,
        };
        let worst: u32 = read.signs.iter().map(|_| OTHER).sum();
        2 * read.distance(played, letters, |_| 0) >= worst
    }

    /// Returns the misfit to a move, in whatever form the move is written.
    pub(super) fn misfit(&self, played: Move, letters: &SheetLetters) -> u32 {
        self.distance(played, letters, lost)
    }

    fn distance(&self, played: Move, letters: &SheetLetters, lost: fn(char) -> u32) -> u32 {
        let forms = forms_of(played, letters).into_iter();
        let fits = forms.map(|form| distance(&self.signs, &form, letters, lost));
        // If nothing is captured, the capture mark is a sign too many.
        let mark = if self.capture && !played.is_capture() {
            LOST
        } else {
            0
        };
        fits.min().unwrap_or(OTHER).saturating_add(mark)
    }
}

const fn is_capture(sign: char) -> bool {
    matches!(sign, 'x' | 'X' | ':' | '×')
}

const fn is_blot(sign: char) -> bool {
    matches!(sign, '?' | '_' | '*' | '.')
}

fn is_passed_over(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, '-' | '–' | '—' | '−' | '=' | '(' | ')' | '/')
}

fn is_of_a_score(sign: char, letters: &SheetLetters) -> bool {
    matches!(sign, 'a'..='h' | '1'..='8' | 'A'..='H' | 'O' | '0') || letters.names(sign)
}

/// The letters by which a sheet names pieces, as far as its own entries show.
pub(super) struct SheetLetters {
    known: BTreeMap<Role, char>,
    /// The letters of the languages that agree with these.
    others: Vec<Letters>,
}

impl SheetLetters {
    /// Finds the letters of a score.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let mut known = BTreeMap::new();
        for entry in entries {
            let (Notated::Move(notated), Some(written)) = (&entry.notated, &entry.written) else {
                continue;
            };
            let first = written
                .chars()
                .next()
                .filter(|first| !first.is_ascii_digit());
            if let (Some(role), Some(first)) = (notated.piece, first)
                && role != Role::Pawn
                && !matches!(first, 'a'..='h' | '?')
            {
                known.entry(role).or_insert(first);
            }
        }
        let agrees = |letters: &Letters| {
            let mut known = known.iter();
            known.all(|(role, sign)| letters.role(*sign) == Some(*role))
        };
        let mut others: Vec<Letters> = Letters::DISTINCT.into_iter().filter(agrees).collect();
        // If no piece is named, or the letters are those of no language, English is assumed.
        if known.is_empty() || others.is_empty() {
            others = vec![Letters::English];
        }
        Self { known, others }
    }

    /// Returns the signs that can stand for a piece.
    fn letters_of(&self, role: Role) -> Vec<char> {
        match (role, self.known.get(&role)) {
            (Role::Pawn, _) => vec![PAWN],
            (_, Some(&known)) => vec![known],
            _ => self
                .others
                .iter()
                .filter_map(|it| it.letter(role))
                .collect(),
        }
    }

    /// Returns whether a sign names a piece.
    fn names(&self, sign: char) -> bool {
        self.known.values().any(|known| *known == sign)
            || self.others.iter().any(|it| it.role(sign).is_some())
    }
}

/// Returns a move in short form, in long form and in the forms between, without signs that may be
/// left out.
fn forms_of(played: Move, letters: &SheetLetters) -> Vec<Vec<char>> {
    if let Some(side) = played.castling_side() {
        let rings = match side {
            CastlingSide::KingSide => 2,
            CastlingSide::QueenSide => 3,
        };
        return vec![vec!['O'; rings], vec!['0'; rings]];
    }
    let to = [played.to().file().char(), played.to().rank().char()];
    let from = played
        .from()
        .map(|from| [from.file().char(), from.rank().char()]);
    let [file, rank] = from.map_or([None, None], |[file, rank]| [Some(file), Some(rank)]);
    let is_pawn = played.role() == Role::Pawn;
    let mut origins = vec![vec![], [file, rank].into_iter().flatten().collect()];
    if !is_pawn || played.is_capture() {
        origins.push(file.into_iter().collect());
    }
    if !is_pawn {
        origins.push(rank.into_iter().collect());
    }
    let mut forms = Vec::new();
    for piece in letters.letters_of(played.role()) {
        for origin in &origins {
            let mut form = vec![piece];
            form.extend(origin);
            form.extend(to);
            if let Some(role) = played.promotion() {
                let promoted = letters.letters_of(role).into_iter().map(|it| {
                    let mut whole = form.clone();
                    whole.push(it);
                    whole
                });
                forms.extend(promoted);
            }
            forms.push(form);
        }
    }
    if let (true, true, Some(file)) = (is_pawn, played.is_capture(), file) {
        forms.push(vec![PAWN, file, to[0]]);
    }
    forms
}

/// Returns the distance of the words from a form of a move, sign by sign. Each sign replaces one of
/// the form, is lost, is too many, or is exchanged with its neighbour.
fn distance(written: &[char], form: &[char], letters: &SheetLetters, lost: fn(char) -> u32) -> u32 {
    let width = form.len() + 1;
    let mut costs = vec![0; width * (written.len() + 1)];
    for at in 0..costs.len() {
        let (row, column) = (at / width, at % width);
        let sign = row.checked_sub(1).map(|row| written[row]);
        let right = column.checked_sub(1).map(|column| form[column]);
        let mut ways = Vec::new();
        if let Some(sign) = sign {
            ways.push(costs[at - width] + too_many(sign, letters));
        }
        if let Some(right) = right {
            ways.push(costs[at - 1] + lost(right));
        }
        if let (Some(sign), Some(right)) = (sign, right) {
            ways.push(costs[at - width - 1] + taken_for(sign, right, letters));
            let is_swapped =
                row > 1 && column > 1 && (sign, written[row - 2]) == (form[column - 2], right);
            if is_swapped {
                ways.push(costs[at - 2 * width - 2] + SWAPPED);
            }
        }
        costs[at] = ways.into_iter().min().unwrap_or(0);
    }
    costs.last().copied().unwrap_or_default()
}

/// The cost of a sign of the move that is missing.
const fn lost(sign: char) -> u32 {
    match sign {
        // A pawn has no letter.
        PAWN => BLANK,
        _ => LOST,
    }
}

/// The cost of a sign too many.
fn too_many(sign: char, letters: &SheetLetters) -> u32 {
    match sign {
        sign if is_blot(sign) => BLANK,
        PAWN => LOST,
        sign if is_of_a_score(sign, letters) => OTHER,
        _ => LOST,
    }
}

/// The cost of one sign in place of another.
fn taken_for(sign: char, right: char, letters: &SheetLetters) -> u32 {
    if sign == right {
        return 0;
    }
    if is_blot(sign) {
        return BLANK;
    }
    if sign.eq_ignore_ascii_case(&right) {
        return BLANK;
    }
    // If the letter of the piece is missing, the move looks like a pawn's.
    if sign == PAWN {
        return LOST;
    }
    let is_known = is_of_a_score(sign, letters);
    let are_confused = CONFUSED
        .iter()
        .any(|these| these.contains(sign) && these.contains(right));
    match (is_known, are_confused) {
        (true, true) => ALIKE,
        (true, false) => OTHER,
        (false, true) => LOOKS_LIKE,
        (false, false) => SCRAWL,
    }
}
