//! The lines and pages of Braille, in Unicode or in the characters of an embosser.
//!
//! A continued line begins with two blanks. A word that no line can hold is broken: the line ends
//! with dot 5, the sign of Unified English Braille for it, and the word continues on the next.

use super::braille::{BLANK, BREAK, BrailleCode, Cell, DOT_4, DOT_5, NUMBER};

/// How the cells are written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BrailleForm {
    /// Unicode Braille patterns.
    Unicode,
    /// The 64 ASCII characters that embossers accept.
    Brf,
}

/// The size of a Braille page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BraillePage {
    /// The number of lines on a page.
    pub lines: usize,
    /// The number of cells in a line.
    pub cells: usize,
}

impl Default for BraillePage {
    /// The usual embossing paper: 25 lines of 40 cells.
    fn default() -> Self {
        Self {
            lines: 25,
            cells: 40,
        }
    }
}

/// The least width of a line, in cells.
const NARROWEST: usize = 20;

/// The beginning of a continued line.
const GOES_ON: [Cell; 2] = [BLANK; 2];

/// North American Braille ASCII: the character of each cell.
const ASCII: &[u8; 64] = b" A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)=";

/// Writes lines that fit the page. `capital` is the capital sign.
pub(super) fn laid_out(
    lines: &[Vec<Cell>],
    form: BrailleForm,
    page: BraillePage,
    capital: Cell,
) -> String {
    let width = page.cells.max(NARROWEST);
    let laid = lines.iter().flat_map(|line| fitted(line, width, capital));
    let mut text = String::new();
    for (number, line) in laid.enumerate() {
        if number > 0 && number % page.lines.max(1) == 0 && form == BrailleForm::Brf {
            text.push('\u{c}');
        }
        for &cell in &line {
            text.push(match form {
                BrailleForm::Unicode => char::from_u32(0x2800 + u32::from(cell)).unwrap_or(' '),
                BrailleForm::Brf => {
                    let character = ASCII.get(usize::from(cell & 0b11_1111));
                    char::from(character.copied().unwrap_or(b' '))
                }
            });
        }
        text.push('\n');
    }
    text
}

/// Turns lines of Unicode Braille into pages for embossers. `None` if the text has anything else in
/// it.
pub fn embossed(text: &str, code: BrailleCode, page: BraillePage) -> Option<String> {
    let lines = text.lines().map(|line| line.chars().map(cell).collect());
    let lines = lines.collect::<Option<Vec<_>>>()?;
    Some(laid_out(&lines, BrailleForm::Brf, page, code.capital()))
}

/// Splits a line into lines of this width, at blanks where possible.
fn fitted(line: &[Cell], width: usize, capital: Cell) -> Vec<Vec<Cell>> {
    let mut lines = Vec::new();
    let mut current: Vec<Cell> = Vec::new();
    for (at, word) in line.split(|&cell| cell == BLANK).enumerate() {
        if at > 0 && current.len() + 1 + word.len() > width {
            lines.push(std::mem::replace(&mut current, GOES_ON.to_vec()));
        } else if at > 0 {
            current.push(BLANK);
        }
        let mut rest = word;
        while current.len() + rest.len() > width {
            let room = width.saturating_sub(current.len() + 1);
            let (part, more) = rest.split_at(breaking_at(rest, room, capital));
            current.extend(part);
            current.push(DOT_5);
            lines.push(std::mem::replace(&mut current, GOES_ON.to_vec()));
            rest = more;
        }
        current.extend(rest);
    }
    lines.push(current);
    lines
}

/// Returns how many cells of a word stand before its break, if so many fit. No sign is separated
/// from the cell it belongs to.
fn breaking_at(word: &[Cell], room: usize, capital: Cell) -> usize {
    let is_sign = |cell: &Cell| [NUMBER, BREAK, DOT_4, DOT_5, capital].contains(cell);
    let begun = word.get(..room).unwrap_or_default();
    let signs = begun.iter().rev().take_while(|cell| is_sign(cell)).count();
    if signs < room { room - signs } else { room }
}

/// Returns the lines of a text in either form, with continued lines joined. `None` if the text has
/// anything other than Braille in it.
pub(super) fn lines_of(text: &str) -> Option<Vec<Vec<Cell>>> {
    let mut lines: Vec<Vec<Cell>> = Vec::new();
    for line in text.replace('\u{c}', "").lines() {
        let cells: Vec<Cell> = line.chars().map(cell).collect::<Option<_>>()?;
        match (cells.strip_prefix(&GOES_ON), lines.last_mut()) {
            (Some(more), Some(last)) => {
                if last.last() == Some(&DOT_5) {
                    last.pop();
                } else {
                    last.push(BLANK);
                }
                last.extend(more);
            }
            _ => lines.push(cells),
        }
    }
    Some(lines)
}

/// Returns the cell of a character in either form.
fn cell(sign: char) -> Option<Cell> {
    match u32::from(sign) {
        pattern @ 0x2800..=0x283F => u8::try_from(pattern - 0x2800).ok(),
        _ => {
            let capital = u8::try_from(sign.to_ascii_uppercase()).ok()?;
            let index = ASCII.iter().position(|&known| known == capital)?;
            u8::try_from(index).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BrailleCode, braille_games, read_score, to_braille};

    #[test]
    fn every_line_fits_the_page() {
        let score = read_score(
            "White: A very long name that does not fit into forty cells at all\n\
             1. Ng1-f3 (0:59:59) (=) d7-d5 (0:58:58) (=)",
            None,
            1,
        );
        let page = BraillePage {
            lines: 3,
            cells: 24,
        };
        let score = score.unwrap().score;
        let brf = to_braille(&score, BrailleCode::German, BrailleForm::Brf, page);
        let lines = || brf.lines().map(|line| line.trim_matches('\u{c}').len());
        assert!(lines().all(|cells| cells <= 24), "{brf}");
        assert_eq!(brf.matches('\u{c}').count(), (lines().count() - 1) / 3);
    }

    #[test]
    fn words_without_a_blank_are_broken_and_read_again() {
        let tags = [
            ("Site", "https://www.chess.com/game/live/123456789012"),
            ("White", "Donaudampfschifffahrtsgesellschaft-Kapitän"),
            ("Round", "{[1]}@@{[2]}@@{[3]}@@{[4]}@@{[5]}@@{[6]}"),
            (
                "Event",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZ 1A2B3C4D5E6F7G8H9I0J1A2B3C",
            ),
            ("Black", "a  b   Twenty-Five-And-More-Letters"),
        ];
        let start = "FEN: r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 6 5";
        let heading = tags.map(|(name, value)| format!("{name}: {value}\n"));
        let sheet = format!(
            "{}{start}\n\n5. d3 Zwischenzugzwangsunlesbarkeiten6789 6. c3",
            heading.concat()
        );
        let score = read_score(&sheet, None, 1).unwrap().score;
        for code in [BrailleCode::British, BrailleCode::German] {
            for form in [BrailleForm::Unicode, BrailleForm::Brf] {
                for cells in 20..=60 {
                    let page = BraillePage { lines: 25, cells };
                    let braille = to_braille(&score, code, form, page);
                    for line in braille.lines() {
                        let line = line.trim_start_matches('\u{c}');
                        assert!(line.chars().count() <= cells, "{cells}: {line}");
                    }
                    let (list, letters) = braille_games(&braille).remove(0);
                    let again = read_score(&list, Some(letters), 1).unwrap().score;
                    assert_eq!(again.start(), score.start(), "{cells}: {list}");
                    assert_eq!(again.tags(), score.tags(), "{cells}: {braille}");
                    let words = |entry: &crate::Entry| entry.words();
                    let all =
                        |it: &crate::Score| -> Vec<_> { it.entries().iter().map(words).collect() };
                    assert_eq!(all(&again), all(&score), "{cells}: {list}");
                }
            }
        }
    }
}
