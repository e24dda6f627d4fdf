//! Scores in Braille (D.2.7): as Unicode and as BRF for embossers.
//!
//! There are two codes: with British letters (king K, queen Q, rook R, bishop B, knight S) and with
//! German ones (K D T L S). In both, the ranks are digits in the lower part of the cell, without
//! number sign. Times have the number sign and digits in the upper part, and so have the move
//! numbers of the German code. The move numbers of the British code are lower digits without sign,
//! and its pieces have a capital sign only where they could be read as something else. The heading
//! names the code. What is not known is a cell of dots 4 5 6.

use serde_with::{DeserializeFromStr, SerializeDisplay};
use shakmaty::Role;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use thiserror::Error;

use super::bracketed::{MISHEARD, SLIP};
use super::braille_moves::{move_cells, word_of};
use super::braille_page::{BrailleForm, BraillePage, laid_out, lines_of};
use super::kept::Score;
use super::letters::Letters;
use super::list_out::{headings, in_letters, replaced, rows};
use super::notated::Notated;
use super::pgn_out::clock_text;
use super::transcribe::transcribed;
use super::written::{read_move, write_move};

/// The letters that name the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub enum BrailleCode {
    /// K Q R B S, with dot 6 as the capital sign.
    British,
    /// K D T L S, with dots 4 6 as the capital sign.
    German,
}

/// Dots as bits. Dot 1 is the lowest bit.
pub(super) type Cell = u8;

pub(super) const BLANK: Cell = 0;
pub(super) const NUMBER: Cell = 0b11_1100;
pub(super) const UNKNOWN: Cell = 0b11_1000;
/// The sign that a small letter follows.
pub(super) const BREAK: Cell = 0b11_0000;
pub(super) const HYPHEN: Cell = 0b10_0100;
/// The sign before a word that cannot be read.
const ILLEGIBLE: [Cell; 2] = [UNKNOWN, BREAK];
/// After a number: White's place is passed over. An empty place has two hyphens.
const BLACK_FOLLOWS: [Cell; 3] = [HYPHEN; 3];
const SLASH: Cell = 0b00_1100;
/// The cells of the letters a to z.
pub(super) const LETTERS: [Cell; 26] = [
    1, 3, 9, 25, 17, 11, 27, 19, 10, 26, 5, 7, 13, 29, 21, 15, 31, 23, 14, 30, 37, 39, 58, 45, 61,
    53,
];
/// The cells of letters that have one of their own in German, Swedish and French.
const UMLAUTS: [(char, Cell); 6] = [
    ('ä', 28),
    ('ö', 42),
    ('ü', 51),
    ('ß', 46),
    ('å', 33),
    ('é', 63),
];
/// Letters that are replaced by others, as in Danish, or written without their accent.
const OTHER_LETTERS: [(&str, &str); 17] = [
    ("æ", "ä"),
    ("ø", "ö"),
    ("àáâãā", "a"),
    ("çćč", "c"),
    ("ďđ", "d"),
    ("èêëēěę", "e"),
    ("ğ", "g"),
    ("ìíîïı", "i"),
    ("ł", "l"),
    ("ñńň", "n"),
    ("òóôõő", "o"),
    ("ř", "r"),
    ("śšş", "s"),
    ("ťț", "t"),
    ("ùúûűů", "u"),
    ("ýÿ", "y"),
    ("žźż", "z"),
];
/// The cells of marks in names and circumstances.
const MARKS: [(char, Cell); 12] = [
    (';', 0b00_0110),
    ('.', 0b11_0010),
    (',', 0b00_0010),
    (':', 0b01_0010),
    ('?', 0b10_0010),
    ('-', HYPHEN),
    ('/', SLASH),
    ('\'', 0b10_0000 | 0b00_0100 | 0b00_0010),
    // One sign for both brackets.
    ('(', 0b11_0110),
    ('+', 0b01_0110),
    ('&', 0b10_1111),
    ('"', 0b11_0100),
];
/// Rarer signs: a cell of dot 4 or dot 5 before another. They are those of Unified English Braille
/// if their first cell has no other meaning here. The others have dot 5 instead.
const RARE: [(char, [Cell; 2]); 18] = [
    ('@', [DOT_4, 1]),
    ('<', [DOT_4, 35]),
    ('>', [DOT_4, 28]),
    ('$', [DOT_4, 14]),
    ('~', [DOT_4, 20]),
    ('^', [DOT_4, 34]),
    ('*', [DOT_5, 20]),
    ('=', [DOT_5, 54]),
    ('!', [DOT_5, 22]),
    ('[', [DOT_5, 35]),
    (']', [DOT_5, 28]),
    ('{', [DOT_5, 42]),
    ('}', [DOT_5, 59]),
    ('\\', [DOT_5, 33]),
    ('#', [DOT_5, 57]),
    ('%', [DOT_5, 52]),
    ('|', [DOT_5, 51]),
    ('_', [DOT_5, 36]),
];
/// The full stop in the German code.
const DOT_3: Cell = 0b00_0100;
pub(super) const DOT_4: Cell = 0b00_1000;
pub(super) const DOT_5: Cell = 0b01_0000;
/// The sign for check in the British code. Mate is two of them.
pub(super) const CHECK: [Cell; 2] = [28, 15];
impl BrailleCode {
    const fn letters(self) -> Letters {
        match self {
            Self::British => Letters::English,
            Self::German => Letters::German,
        }
    }

    pub(super) const fn capital(self) -> Cell {
        match self {
            Self::British => 0b10_0000,
            Self::German => 0b10_1000,
        }
    }

    /// The words in the heading of a file.
    const fn heading(self) -> &'static str {
        match self {
            Self::British => "Braille: British letters",
            Self::German => "Braille: German letters",
        }
    }

    /// The words before a slip, and before a move that was heard although it was not said.
    const fn replaced(self) -> [(&'static str, &'static str); 2] {
        match self {
            Self::British => [(SLIP, "slip"), (MISHEARD, "misheard")],
            Self::German => [(SLIP, "statt"), (MISHEARD, "verhört")],
        }
    }

    /// The word for a draw offer.
    const fn offer(self) -> &'static str {
        match self {
            Self::British => "draw",
            Self::German => "remis",
        }
    }
}

impl fmt::Display for BrailleCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::British => "british",
            Self::German => "german",
        })
    }
}

/// The text names no Braille code.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no Braille code of that name; there are british and german")]
pub struct ParseBrailleCodeError;

impl FromStr for BrailleCode {
    type Err = ParseBrailleCodeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "british" => Ok(Self::British),
            "german" => Ok(Self::German),
            _ => Err(ParseBrailleCodeError),
        }
    }
}

/// Writes a score in Braille: the code, the names, an empty line, and the moves.
pub fn to_braille(
    score: &Score,
    code: BrailleCode,
    form: BrailleForm,
    page: BraillePage,
) -> String {
    let mut lines = vec![text_cells(code.heading(), code)];
    for (name, value) in headings(score) {
        lines.push(text_cells(&format!("{name}: {value}"), code));
    }
    lines.push(Vec::new());
    for row in rows(score) {
        let number = row.number.to_string();
        let mut cells = match code {
            BrailleCode::British => number.chars().filter_map(lower).collect(),
            BrailleCode::German => number_cells(&number),
        };
        if row.white.is_none() {
            cells.push(BLANK);
            cells.extend(BLACK_FOLLOWS);
        }
        for entry in row.entries() {
            cells.push(BLANK);
            cells.extend(entry_cells(&in_letters(entry, code.letters()), code));
            for (name, replaced) in replaced(entry) {
                let names = code.replaced();
                let name = names.into_iter().find(|(known, _)| *known == name);
                cells.push(BLANK);
                cells.extend(
                    name.map(|(_, word)| text_cells(word, code))
                        .unwrap_or_default(),
                );
                cells.push(BLANK);
                cells.extend(move_cells(&write_move(replaced, code.letters()), code));
            }
            if let Some(left) = entry.clock {
                cells.push(BLANK);
                cells.extend(number_cells(&clock_text(left)));
            }
            if entry.offer {
                cells.push(BLANK);
                cells.extend(text_cells(code.offer(), code));
            }
        }
        lines.push(cells);
    }
    laid_out(&lines, form, page, code.capital())
}

/// Writes plain text in uncontracted Braille, line by line.
pub fn text_to_braille(
    text: &str,
    code: BrailleCode,
    form: BrailleForm,
    page: BraillePage,
) -> String {
    let lines: Vec<_> = text.lines().map(|line| text_cells(line, code)).collect();
    laid_out(&lines, form, page, code.capital())
}

/// Reads what [`to_braille`] has written, in either form. It returns the games in their order, each
/// as the text of a score with the letters to read it with. The list is empty if the text is not
/// such Braille.
pub fn braille_games(text: &str) -> Vec<(String, Letters)> {
    let lines = lines_of(text).unwrap_or_default();
    let code = |line: &Vec<Cell>| {
        let mut codes = [BrailleCode::British, BrailleCode::German].into_iter();
        codes.find(|code| *line == text_cells(code.heading(), *code))
    };
    if lines.first().and_then(code).is_none() {
        return Vec::new();
    }
    let games = lines.chunk_by(|_, next| code(next).is_none());
    games
        .filter_map(|game| game_of(game, game.first().and_then(code)?))
        .collect()
}

/// Reads one game, with the line that names its code above it.
fn game_of(lines: &[Vec<Cell>], code: BrailleCode) -> Option<(String, Letters)> {
    let empty = lines.iter().position(Vec::is_empty)?;
    let mut read = String::new();
    let (head, moves) = (lines.get(1..empty)?, lines.get(empty + 1..)?);
    for line in head {
        let _ = writeln!(read, "{}", text_of(line, code, true));
    }
    for line in moves {
        let mut words = row_words(line, code);
        // White's place was passed over, and is not an empty place.
        if let [number, dots, ..] = words.as_mut_slice()
            && *dots == "---"
        {
            number.push_str("..");
            words.remove(1);
        }
        let _ = writeln!(read, "{}", words.join(" "));
    }
    Some((read, code.letters()))
}

/// Returns the cells of an entry. A word that cannot be read follows a special sign, in the signs
/// for names.
fn entry_cells(written: &str, code: BrailleCode) -> Vec<Cell> {
    let cells = move_cells(written, code);
    let is_letters = Letters::DISTINCT
        .into_iter()
        .any(|letters| read_move(written, letters) != Notated::Unreadable);
    if is_letters || word_of(&cells, code) == written {
        return cells;
    }
    let word = text_cells(written, code);
    if word.contains(&BLANK) || text_of(&word, code, true) != written {
        return vec![UNKNOWN];
    }
    [&ILLEGIBLE[..], &word].concat()
}

/// Returns the words of a row, with signs for what stands there in words.
fn row_words(line: &[Cell], code: BrailleCode) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = None;
    for cells in line.split(|&cell| cell == BLANK) {
        let names = code.replaced();
        let name = names
            .into_iter()
            .find(|(_, word)| cells == text_cells(word, code));
        let word = match cells.strip_prefix(&ILLEGIBLE) {
            Some(illegible @ [_, ..]) => text_of(illegible, code, true),
            _ => word_of(cells, code),
        };
        let is_number = !word.is_empty() && word.bytes().all(|sign| sign.is_ascii_digit());
        match (before.take(), name) {
            (None, Some((name, _))) => before = Some(name),
            (Some(name), _) => words.push(format!("[{name}{word}]")),
            (None, None) if word == code.offer() => words.push("(=)".to_owned()),
            (None, None) if is_number => words.push(format!("{word}.")),
            (None, None) => words.push(word),
        }
    }
    words
}

/// Returns a digit in the upper part of the cell: the letters a to j.
fn upper(digit: char) -> Option<Cell> {
    let digit = digit.to_digit(10)? as usize;
    LETTERS.get((digit + 9) % 10).copied()
}

/// Returns the same digit one row lower: dots 1 2 4 5 become 2 3 5 6.
pub(super) fn lower(digit: char) -> Option<Cell> {
    upper(digit).map(|cell| (cell & 0b01_1011) << 1)
}

pub(super) fn letter(letter: char) -> Option<Cell> {
    let index = u8::try_from(letter).ok()?.checked_sub(b'a')?;
    LETTERS.get(usize::from(index)).copied().or_else(|| {
        UMLAUTS
            .iter()
            .find(|(known, _)| *known == letter)
            .map(|(_, cell)| *cell)
    })
}

fn number_cells(digits: &str) -> Vec<Cell> {
    let cells = digits
        .chars()
        .filter_map(|sign| upper(sign).or_else(|| mark(sign)));
    std::iter::once(NUMBER).chain(cells).collect()
}

impl BrailleCode {
    /// Returns the cell of a mark in names. The German full stop is dot 3.
    fn mark(self, sign: char) -> Option<Cell> {
        match (self, sign) {
            (Self::German, '.') => Some(DOT_3),
            _ => mark(sign),
        }
    }

    /// Returns the mark of a cell. In German the other full stop is read too.
    fn sign(self, cell: Cell) -> Option<char> {
        if (self, cell) == (Self::German, DOT_3) {
            return Some('.');
        }
        let known = MARKS.iter().find(|(_, known)| *known == cell);
        known.map(|(sign, _)| *sign)
    }
}

fn mark(sign: char) -> Option<Cell> {
    MARKS
        .iter()
        .find(|(known, _)| *known == if sign == ')' { '(' } else { sign })
        .map(|(_, cell)| *cell)
}

/// Returns the cells of names and circumstances. A sign without a cell becomes the sign for the
/// unknown.
fn text_cells(words: &str, code: BrailleCode) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut in_number = false;
    for sign in transcribed(words).chars().map(plain) {
        if let Some(digit) = upper(sign) {
            if !in_number {
                cells.push(NUMBER);
            }
            in_number = true;
            cells.push(digit);
            continue;
        }
        let small = sign.to_lowercase().next().unwrap_or(sign);
        let own = letter(small).or_else(|| {
            UMLAUTS
                .iter()
                .find(|(known, _)| *known == small)
                .map(|(_, c)| *c)
        });
        match own {
            Some(cell) => {
                // After a number, a small letter a to j would read as a digit. A capital sign or an
                // explicit break prevents that.
                if sign != small {
                    cells.push(code.capital());
                } else if in_number {
                    cells.push(BREAK);
                }
                cells.push(cell);
                in_number = false;
            }
            None => {
                let other = if sign.is_whitespace() { BLANK } else { UNKNOWN };
                match RARE.iter().find(|(known, _)| *known == sign) {
                    Some((_, both)) => cells.extend(both),
                    None => cells.push(code.mark(sign).unwrap_or(other)),
                }
                in_number = in_number && matches!(sign, '.' | ':' | '-' | '/');
            }
        }
    }
    cells
}

/// Returns the letter that replaces one without a cell of its own.
fn plain(letter: char) -> char {
    let small = letter.to_lowercase().next().unwrap_or(letter);
    let written = OTHER_LETTERS
        .iter()
        .find(|(others, _)| others.contains(small))
        .and_then(|(_, written)| written.chars().next());
    match written {
        Some(written) if letter != small => written.to_uppercase().next().unwrap_or(written),
        Some(written) => written,
        None => letter,
    }
}

/// Returns the letters of cells in names and circumstances, or in one word of the moves.
pub(super) fn text_of(cells: &[Cell], code: BrailleCode, is_heading: bool) -> String {
    let mut text = String::new();
    let (mut in_number, mut capital) = (false, false);
    let mut rest = cells;
    while let [cell, after @ ..] = rest {
        let cell = *cell;
        let two = rest
            .first_chunk()
            .and_then(|two| sign_of_two(*two, is_heading));
        if let Some(sign) = two {
            text.push(sign);
            (capital, in_number) = (false, false);
            rest = after.get(1..).unwrap_or_default();
            continue;
        }
        rest = after;
        let letter = LETTERS
            .iter()
            .position(|&known| known == cell)
            .and_then(|index| u8::try_from(index).ok())
            .map(|index| char::from(b'a' + index))
            .or_else(|| {
                UMLAUTS
                    .iter()
                    .find(|(_, known)| *known == cell)
                    .map(|(l, _)| *l)
            });
        let digit = ('0'..='9').find(|&digit| upper(digit) == Some(cell));
        let rank = ('0'..='9').find(|&digit| lower(digit) == Some(cell));
        let sign = code.sign(cell);
        match cell {
            NUMBER => in_number = true,
            BREAK => in_number = false,
            cell if cell == code.capital() => {
                capital = true;
                in_number = false;
            }
            _ if in_number && !capital && digit.is_some() => text.extend(digit),
            _ if letter.is_some() => {
                let small = letter.unwrap_or('?');
                if capital {
                    text.extend(piece_letter(small, code, is_heading).to_uppercase());
                } else {
                    text.push(small);
                }
                (capital, in_number) = (false, false);
            }
            BLANK => {
                text.push(' ');
                in_number = false;
            }
            UNKNOWN => text.push('?'),
            HYPHEN => text.push('-'),
            SLASH => text.push('/'),
            _ if is_heading && sign == Some('(') => {
                let is_open = text.matches('(').count() > text.matches(')').count();
                text.push(if is_open { ')' } else { '(' });
            }
            _ if is_heading || in_number => text.extend(sign),
            _ => text.extend(rank),
        }
    }
    text
}

/// Returns the sign of two cells: in names a rare sign, in a move check.
fn sign_of_two(two: [Cell; 2], is_heading: bool) -> Option<char> {
    if !is_heading {
        return (two == CHECK).then_some('+');
    }
    let known = RARE.iter().find(|(_, both)| *both == two);
    known.map(|(sign, _)| *sign)
}

/// Returns the English letter of a piece. The British knight is an S.
pub(super) fn piece_letter(small: char, code: BrailleCode, is_heading: bool) -> char {
    if small == 's' && code == BrailleCode::British && !is_heading {
        Letters::English
            .letter(Role::Knight)
            .map_or(small, |knight| knight.to_ascii_lowercase())
    } else {
        small
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_score;

    #[test]
    fn each_code_has_its_numbers_and_capitals() {
        let score = read_score("1. Nf3 d5", None, 1).unwrap().score;
        let page = BraillePage::default();
        let british = to_braille(&score, BrailleCode::British, BrailleForm::Unicode, page);
        let moves = british.lines().last().unwrap();
        assert_eq!(moves, "⠂⠀⠎⠋⠒⠀⠙⠢");
        let german = to_braille(&score, BrailleCode::German, BrailleForm::Brf, page);
        assert_eq!(german.lines().last().unwrap(), "#A .SF3 D5");
        assert!(
            german.starts_with(".BRAILLE3 .GERMAN LETTERS\n"),
            "{german}"
        );
    }

    #[test]
    fn the_full_stop_is_dot_3_in_german_and_the_other_is_read_too() {
        let score = read_score("White: Dr. Zoe\n1. e4 e5", None, 1).unwrap();
        let page = BraillePage::default();
        for (code, dots) in [
            (BrailleCode::German, "⠨⠙⠗⠄⠀⠨⠵⠕⠑"),
            (BrailleCode::British, "⠠⠙⠗⠲⠀⠠⠵⠕⠑"),
        ] {
            let braille = to_braille(&score.score, code, BrailleForm::Unicode, page);
            assert!(braille.contains(dots), "{braille}");
            for cells in [braille.clone(), braille.replace('⠄', "⠲")] {
                let (list, letters) = braille_games(&cells).remove(0);
                let again = read_score(&list, Some(letters), 1).unwrap().score;
                assert_eq!(again.tag("White"), Some("Dr. Zoe"), "{cells}");
            }
        }
    }

    #[test]
    fn a_german_full_stop_behind_a_number_is_passed_over() {
        let score = read_score("1. Nf3 d5", None, 1).unwrap().score;
        let page = BraillePage::default();
        let braille = to_braille(&score, BrailleCode::German, BrailleForm::Brf, page);
        let numbered = braille.replace("#A ", "#A' ");
        assert_ne!(numbered, braille);
        let read = |cells: &str| braille_games(cells).remove(0).0;
        assert_eq!(read(&numbered), read(&braille));
    }

    #[test]
    fn names_times_and_a_first_move_of_black_come_back() {
        let text = "White: Åse Ødegård (blind) & \"Zoë\"\nTimeControl: 40/5400+30:1800\n\
                    Event: x;y {z} [#1] a\\b <5%>!\n\
                    FEN: 4k3/8/8/8/8/8/8/4K2R b K - 3 40\n\n40... Kd7 41. O-O Ke6";
        let score = read_score(text, None, 1).unwrap().score;
        for code in [BrailleCode::British, BrailleCode::German] {
            for form in [BrailleForm::Unicode, BrailleForm::Brf] {
                let page = BraillePage::default();
                let (list, letters) =
                    braille_games(&to_braille(&score, code, form, page)).remove(0);
                let again = read_score(&list, Some(letters), 1).unwrap().score;
                assert_eq!(again.entries().len(), 3, "{list}");
                let tag = |name| again.tag(name).unwrap_or_default();
                assert_eq!(tag("White"), "Åse Ödegård (blind) & \"Zoe\"");
                assert_eq!(tag("TimeControl"), "40/5400+30:1800");
                assert_eq!(tag("Event"), "x;y {z} [#1] a\\b <5%>!");
            }
        }
    }

    #[test]
    fn games_one_behind_the_other_are_games_of_their_own() {
        let written = |sheet: &str, code: BrailleCode, form: BrailleForm| {
            let score = read_score(sheet, None, 1).unwrap().score;
            to_braille(&score, code, form, BraillePage::default())
        };
        let british = written(
            "White: A\n1. Nf3 d5",
            BrailleCode::British,
            BrailleForm::Brf,
        );
        let german = written(
            "White: B\n1. d4 Sf6",
            BrailleCode::German,
            BrailleForm::Unicode,
        );
        for (between, text) in [("", [&british, &german]), ("\n\u{c}", [&german, &british])] {
            let games = braille_games(&format!("{}{between}{}", text[0], text[1]));
            let told = games.iter().map(|(list, letters)| {
                let score = read_score(list, Some(*letters), 1).unwrap().score;
                (score.tag("White").map(str::to_owned), score.entries().len())
            });
            let mut told: Vec<_> = told.collect();
            told.sort();
            assert_eq!(told, [(Some("A".to_owned()), 2), (Some("B".to_owned()), 2)]);
        }
        // A code without a game after it is no game.
        let code = british.lines().next().unwrap();
        assert_eq!(braille_games(&format!("{british}{code}")).len(), 1);
        assert!(braille_games(&british[british.find('\n').unwrap() + 1..]).is_empty());
    }

    #[test]
    fn check_and_mate_are_told_apart() {
        let score = read_score("1. f3 e5 2. Nc3 Bb4+ 3. g4 Qh4#", None, 1)
            .unwrap()
            .score;
        let page = BraillePage::default();
        for code in [BrailleCode::British, BrailleCode::German] {
            let braille = to_braille(&score, code, BrailleForm::Unicode, page);
            assert!(
                braille.contains("⠃⠲⠜⠏") || braille.contains("⠇⠃⠲⠜⠏"),
                "{braille}"
            );
            let (list, letters) = braille_games(&braille).remove(0);
            let again = read_score(&list, Some(letters), 1).unwrap().score;
            let notated = |score: &Score| -> Vec<_> {
                let entries = score.entries().iter();
                entries.map(|entry| entry.notated.clone()).collect()
            };
            assert_eq!(notated(&again), notated(&score), "{list}");
        }
    }
}
