//! Moves that are written as two squares with a space between them: `1. e2 e4 e7 e5`, `2. Sg1 f3`.

use super::letters::Letters;
use super::spaced::begins_row;
use super::written::read_move;

/// Returns the text with a stroke between the two squares of a move, if its rows are written that
/// way: most of them have more words than moves, and two squares for each move.
pub(super) fn with_joined_squares(text: &str) -> String {
    let rows = rows(text);
    let pairings: Vec<Option<Vec<Gap>>> = rows.iter().map(|row| paired(&row.words)).collect();
    let is_long = |row: &Row| row.words.len() > 1;
    let others = rows.iter().zip(&pairings);
    let others = others.filter(|(row, pairing)| is_long(row) && pairing.is_none());
    // The last row may have only White's move.
    let is_last_alone = rows.last().is_some_and(|row| row.words.len() == 2);
    let others = others.count() - usize::from(is_last_alone);
    let joined = pairings.iter().flatten().count();
    if joined <= others || !begins_from_home(&rows, &pairings) {
        return text.to_owned();
    }
    let mut gaps: Vec<Gap> = pairings.into_iter().flatten().flatten().collect();
    if let Some([first, second]) = rows.last().map(|row| row.words.as_slice()) {
        gaps.extend(gap(first, second));
    }
    let (mut joined, mut at) = (String::with_capacity(text.len()), 0);
    for (begin, end) in gaps {
        joined.push_str(text.get(at..begin).unwrap_or_default());
        joined.push('-');
        at = end;
    }
    joined.push_str(text.get(at..).unwrap_or_default());
    joined
}

/// The bytes between two words.
type Gap = (usize, usize);

struct Word<'a> {
    begin: usize,
    text: &'a str,
    /// Whether it begins its line.
    begins_line: bool,
}

/// What follows a number.
struct Row<'a> {
    number: &'a str,
    words: Vec<Word<'a>>,
}

fn rows(text: &str) -> Vec<Row<'_>> {
    let words = words(text);
    let mut rows: Vec<Row> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", |next| next.text);
        let mut rest = word.text;
        if begins_row(rest, next) {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, behind) = rest.split_at(digits);
            rest = behind.trim_start_matches(['.', '…', ')', ':', '-', '–']);
            rows.push(Row {
                number,
                words: Vec::new(),
            });
        }
        if let Some(row) = rows.last_mut().filter(|_| !rest.is_empty()) {
            row.words.push(Word {
                begin: word.begin + word.text.len() - rest.len(),
                text: rest,
                begins_line: word.begins_line,
            });
        }
    }
    rows
}

fn words(text: &str) -> Vec<Word<'_>> {
    let (mut words, mut begin, mut begins_line) = (Vec::new(), 0, true);
    for piece in text.split_inclusive(char::is_whitespace) {
        let text = piece.trim_end();
        if !text.is_empty() {
            words.push(Word {
                begin,
                text,
                begins_line,
            });
            begins_line = false;
        }
        begins_line |= piece.ends_with('\n');
        begin += piece.len();
    }
    words
}

/// Returns the gaps inside the moves of a row with more than two words, if these make two moves.
fn paired(words: &[Word]) -> Option<Vec<Gap>> {
    const MOST: usize = 4;

    if !(3..=MOST).contains(&words.len()) {
        return None;
    }
    let (mut gaps, mut moves, mut at) = (Vec::new(), 0, 0);
    while let Some(word) = words.get(at) {
        match words.get(at + 1).and_then(|next| gap(word, next)) {
            Some(gap) => {
                gaps.push(gap);
                at += 1;
            }
            None if !is_move(word.text) => return None,
            None => {}
        }
        moves += 1;
        at += 1;
    }
    (moves == 2).then_some(gaps)
}

/// Returns what is between two squares of one move.
fn gap(first: &Word, second: &Word) -> Option<Gap> {
    let square = first.text.trim_start_matches(|sign: char| {
        Letters::DISTINCT
            .iter()
            .any(|letters| letters.role(sign).is_some())
    });
    let to = second.text.trim_end_matches(['+', '#', '!', '?', ',', '.']);
    let is_one_letter = first.text.chars().count() <= 3;
    let are_squares = is_square(square) && is_square(to) && square != to && is_one_letter;
    let gap = (first.begin + first.text.len(), second.begin);
    (are_squares && !second.begins_line).then_some(gap)
}

fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

fn is_move(word: &str) -> bool {
    let mut letters = Letters::DISTINCT.into_iter();
    letters.any(|letters| read_move(word, letters).is_legible())
}

/// Returns whether White and Black can begin from the first squares of row 1. On a later page two
/// rows must have four squares.
fn begins_from_home(rows: &[Row], pairings: &[Option<Vec<Gap>>]) -> bool {
    let rows = || rows.iter().zip(pairings);
    let of_four = rows().filter(|(_, gaps)| gaps.as_ref().is_some_and(|gaps| gaps.len() == 2));
    let Some((row, gaps)) = rows().next() else {
        return false;
    };
    if row.number != "1" {
        return of_four.count() > 1;
    }
    let is_home = |at: usize, ranks: [char; 2]| {
        let word = row.words.get(at);
        word.is_some_and(|word| word.text.ends_with(ranks))
    };
    gaps.as_ref().is_some_and(|gaps| gaps.len() == 2)
        && is_home(0, ['1', '2'])
        && is_home(2, ['7', '8'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_squares_are_a_move_where_rows_have_two_for_each() {
        for (text, joined) in [
            ("1. e2 e4 e7 e5", "1. e2-e4 e7-e5"),
            (
                "1. e2 e4 e7 e5\n2. Sg1 f3 Sb8 c6\n3. 0-0 Sg8 f6+\n4. Lf1 b5",
                "1. e2-e4 e7-e5\n2. Sg1-f3 Sb8-c6\n3. 0-0 Sg8-f6+\n4. Lf1-b5",
            ),
            (
                "12.Sg1 f3 Sb8 c6 13. d2 d4 d7 d5",
                "12.Sg1-f3 Sb8-c6 13. d2-d4 d7-d5",
            ),
        ] {
            assert_eq!(with_joined_squares(text), joined);
        }
    }

    #[test]
    fn other_squares_stay_apart() {
        for text in [
            "",
            "e2 e4 e7 e5",
            "e4 e5 d4 d5",
            "1. e4 e5 d4 d5",
            "1. e4 e5 2. d4 d5 3. c4 c5",
            "1. e4 e5\n2. Nf3 Nc6\n3. d2 d4 e5 d4\n4. c3 d3",
            "1. a4 Qh4 h5\n2. b4 e5",
            "1. e2-e4 e7-e5",
        ] {
            assert_eq!(with_joined_squares(text), text);
        }
    }
}
