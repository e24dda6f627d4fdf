//! Moves that are written with spaces inside: `O - O`, `T e1`, `e x d5`, `e2 - e4`.

use super::letters::Letters;
use super::written::{is_joining, read_move};

/// The greatest length of a move, with spaces.
const LONGEST: usize = 20;

/// Reads the move that begins with `word` and continues in `rest`, the remainder of its line.
/// Returns the move and how many characters of `rest` belong to it. `None` if the word stands
/// alone.
///
/// Only single spaces can be inside a move: wider gaps and tabs separate columns. `strokes_join`
/// says whether a stroke between two squares is part of the move.
pub(super) fn spaced_move(
    word: &str,
    rest: &[char],
    strokes_join: bool,
) -> Option<(String, usize)> {
    let first: Vec<char> = word.chars().collect();
    let line: Vec<char> = first
        .iter()
        .chain(rest.iter().take(LONGEST))
        .copied()
        .collect();
    let end = castling(&line)
        .or_else(|| result(&line))
        .or_else(|| pieces_apart(word, &line, first.len(), strokes_join))
        .filter(|&end| end > first.len())?;
    let whole: String = line.iter().take(end).collect();
    // A word between two squares stays as it was written. Spaces around signs have no meaning.
    let is_in_words = whole.split(' ').any(is_joining);
    let joined = if is_in_words {
        whole
    } else {
        whole.replace(' ', "")
    };
    Some((joined, end - first.len()))
}

/// Returns where castling that begins here ends: `O - O`, `0 -0 - 0+`.
fn castling(line: &[char]) -> Option<usize> {
    let is_nought = |at: usize| matches!(line.get(at), Some('O' | 'o' | '0'));
    let next = |at: usize| {
        let at = after_stroke(line, at)?;
        is_nought(at).then_some(at + 1)
    };
    let short = is_nought(0).then(|| next(1)).flatten()?;
    let end = next(short).unwrap_or(short);
    word_end(line, end)
}

/// Returns where a result ends: `1 - 0`, `½ - ½`.
fn result(line: &[char]) -> Option<usize> {
    const RESULTS: [(&str, &str); 6] = [
        ("1", "0"),
        ("0", "1"),
        ("1/2", "1/2"),
        ("½", "½"),
        ("0.5", "0.5"),
        ("0,5", "0,5"),
    ];
    RESULTS.into_iter().find_map(|(white, black)| {
        let stroke = begins(line, 0, white)?;
        let end = begins(line, after_stroke(line, stroke)?, black)?;
        is_end(line, end).then_some(end)
    })
}

fn begins(line: &[char], at: usize, words: &str) -> Option<usize> {
    let end = at + words.chars().count();
    let is_there = line.get(at..end)?.iter().copied().eq(words.chars());
    is_there.then_some(end)
}

/// Skips a stroke with at most one space on either side.
fn after_stroke(line: &[char], at: usize) -> Option<usize> {
    let at = past_space(line, at);
    let is_stroke = matches!(line.get(at), Some('-' | '–' | '—'));
    is_stroke.then(|| past_space(line, at + 1))
}

fn past_space(line: &[char], at: usize) -> usize {
    at + usize::from(line.get(at) == Some(&' '))
}

/// Returns the end of a word that continues from here only with marks.
fn word_end(line: &[char], at: usize) -> Option<usize> {
    let marks = line.iter().skip(at);
    let marks = marks.take_while(|sign| "+#!?†‡.".contains(**sign)).count();
    is_end(line, at + marks).then_some(at + marks)
}

fn is_end(line: &[char], at: usize) -> bool {
    let next = line.get(at);
    next.is_none_or(|sign| sign.is_whitespace() || "|,;(){}[]\"".contains(*sign))
}

/// Returns where a move ends whose piece, stroke or capture mark stands apart.
fn pieces_apart(word: &str, line: &[char], word_len: usize, strokes_join: bool) -> Option<usize> {
    let mut end = word_len;
    let is_piece = is_a_piece(word);
    let is_square = ends_with_square(word);
    let is_file = matches!(word.as_bytes(), [b'a'..=b'h']);
    if line.get(end) != Some(&' ') || !(is_piece || is_square || is_file) {
        return None;
    }
    end += 1;
    let next = line.iter().skip(end).take_while(|sign| **sign != ' ');
    let next: String = next.collect();
    let after_next = end + next.chars().count();
    let joins = match next.as_str() {
        "x" | "X" | ":" | "×" => true,
        "-" | "–" | "—" => is_square && strokes_join,
        word => is_joining(word),
    };
    let joins = joins && line.get(after_next) == Some(&' ');
    if joins {
        end = after_next + 1;
    } else if !is_piece {
        return None;
    }
    // What follows is the square, or begins with the square of departure.
    let is_target =
        matches!(line.get(end), Some('a'..='h')) || joins && is_capital_target(line, end);
    let rest = line.iter().skip(end);
    let len = rest.take_while(|sign| !is_end(&[**sign], 0)).count();
    let whole: String = line
        .iter()
        .take(end + len)
        .filter(|sign| **sign != ' ')
        .collect();
    (is_target && is_end(line, end + len) && is_legible(&whole)).then_some(end + len)
}

/// After a capture mark some writers name the captured piece: `L x Sc6`.
fn is_capital_target(line: &[char], at: usize) -> bool {
    let is_piece = line
        .get(at)
        .is_some_and(|sign| is_a_piece(&sign.to_string()));
    // Its square may be left out: `K x R`.
    is_piece && (matches!(line.get(at + 1), Some('a'..='h')) || is_end(line, at + 1))
}

fn is_a_piece(word: &str) -> bool {
    let mut letters = word.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return false;
    };
    let known = |letters: &Letters| letters.role(letter).is_some();
    // W alone names White and not a Polish rook.
    letter != 'W' && Letters::DISTINCT.iter().any(known)
}

fn ends_with_square(word: &str) -> bool {
    matches!(word.as_bytes(), [.., b'a'..=b'h', b'1'..=b'8'])
}

fn is_legible(word: &str) -> bool {
    let mut letters = Letters::DISTINCT.into_iter();
    letters.any(|letters| read_move(word, letters).is_legible())
}

/// Returns whether, in this text, a stroke with spaces around it joins two squares to a move and
/// does not separate White's move from Black's. Then a row has more than one of them.
pub(super) fn strokes_join(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut strokes = 0;
    words.windows(3).any(|three| {
        let [before, stroke, after] = three else {
            return false;
        };
        if begins_row(before, stroke) {
            strokes = 0;
        }
        let is_between_squares = matches!(*stroke, "-" | "–" | "—")
            && ends_with_square(before)
            && matches!(after.as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..]);
        strokes += u32::from(is_between_squares);
        strokes > 1
    })
}

/// Returns whether a word is the number of a row, given the next word.
pub(super) fn begins_row(word: &str, next: &str) -> bool {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let is_alone = rest.is_empty() && !next.starts_with(['-', '–', '—']);
    let is_marked = rest.starts_with(['.', ')', ':']) || matches!(rest, "-" | "–");
    rest.len() < word.len() && (is_alone || is_marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Option<String> {
        let (word, rest) = text.split_once(' ').unwrap();
        let rest: Vec<char> = format!(" {rest}").chars().collect();
        let (joined, taken) = spaced_move(word, &rest, true)?;
        let left: String = rest.iter().skip(taken).collect();
        Some(format!("{joined}|{left}"))
    }

    #[test]
    fn a_move_with_spaces_inside_is_one_move() {
        for (text, read) in [
            ("O - O d6", "O-O| d6"),
            ("0 - 0 - 0 Sf6", "0-0-0| Sf6"),
            ("O- O+ d6", "O-O+| d6"),
            ("T e1 Sf6", "Te1| Sf6"),
            ("R e1", "Re1|"),
            ("S x e5 d6", "Sxe5| d6"),
            ("e x d4 Dxd4", "exd4| Dxd4"),
            ("Sf3 x e5", "Sf3xe5|"),
            ("e2 - e4 e7 - e5", "e2-e4| e7 - e5"),
            ("1 - 0", "1-0|"),
            ("1/2 - 1/2", "1/2-1/2|"),
            ("0,5 - 0,5", "0,5-0,5|"),
            ("K x R d6", "KxR| d6"),
            ("e4 schlägt d5 Dxd5", "e4 schlägt d5| Dxd5"),
            ("Sf3 schlägt e5+ d6", "Sf3 schlägt e5+| d6"),
            ("e takes d5", "e takes d5|"),
            ("e2 nach e4 e5", "e2 nach e4| e5"),
        ] {
            assert_eq!(joined(text).as_deref(), Some(read), "{text}");
        }
    }

    #[test]
    fn what_is_parted_stays_parted() {
        for text in [
            "e4 e5",
            "T  e1",
            "T\te1 x",
            "S Sf6",
            "O Sf6",
            "e4 - Sf6",
            "? e5",
            "S ? e5",
            "1 - 0-0",
            "e d4",
            "O-O - O-O",
            "W e4",
            "e4 schlägt",
            "e4 schlägt zu",
            "e4 starts e5",
        ] {
            assert_eq!(joined(text), None, "{text}");
        }
    }

    #[test]
    fn one_stroke_in_a_row_parts_white_from_black() {
        assert!(!strokes_join("1. e4 - e5 2. d4 - d5"));
        assert!(strokes_join("1. e2 - e4 e7 - e5 2. d4 d5 3. e5 1/2 - 1/2"));
    }
}
