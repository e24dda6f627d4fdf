//! Splits a list of moves into the names above the moves, and the moves.

use shakmaty::Color;

use super::columns::with_empty_places;
use super::letters::Letters;
use super::notated::Notated;
use super::pairs::with_joined_squares;
use super::read_score::{ReadNote, ReadNoteKind, shortened};
use super::result_words::{result_in, says_no_result};
use super::scan::{Token, TokenKind, scan};
use super::sheet::is_caption;
use super::source::Source;
use super::written::read_move;

/// Splits a list of moves. Lines of the form `Name: value` may stand before the first move. `line`
/// is the line on which the text begins.
pub(super) fn list_source(text: &str, line: usize) -> Source {
    let mut source = Source {
        tags: Vec::new(),
        tokens: Vec::new(),
        first_line: line,
        is_pgn: false,
        notes: Vec::new(),
    };
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut first = lines
        .iter()
        .position(|line| has_move(line) || has_move(&in_rows(line)))
        .unwrap_or(lines.len());
    // Names and moves can stand on one line.
    let above = lines.get(..=first).unwrap_or(&lines).iter();
    let split = above
        .enumerate()
        .find_map(|(at, line)| Some((at, moves_behind_names(line)?)));
    if let Some((at, (names, moves))) = split {
        lines.splice(at..=at, [names, moves]);
        first = at + 1;
    }
    let first_line = line + first - usize::from(split.is_some());
    let (heading, list) = lines.split_at_checked(first).unwrap_or((&lines, &[]));
    for (number, heading) in heading.iter().enumerate() {
        let heading = heading.trim();
        let is_read = match heading.split_once(':') {
            Some((name, value)) if tag_name(name.trim()).is_some() => {
                let name = tag_name(name.trim()).unwrap_or_default();
                let values = named_values(name, value.trim());
                let is_none =
                    |(name, value): &(String, String)| name == "Result" && says_no_result(value);
                let is_read = !values.iter().any(is_none);
                let known = values.into_iter().filter(|named| !is_none(named));
                source.tags.extend(known);
                is_read
            }
            // Without moves it can only be the result of the game, as after a forfeit.
            _ if list.is_empty() && result_in(heading).is_some() => {
                let result = ("Result".to_owned(), heading.to_owned());
                source.tags.push(result);
                true
            }
            _ => is_caption(heading),
        };
        if !is_read {
            source.notes.push(ReadNote {
                line: line + number,
                kind: ReadNoteKind::Heading(shortened(heading)),
            });
        }
    }
    source.first_line = first_line;
    source.tokens = scan(&in_rows(&list.join("\n")), first_line);
    source
}

/// Returns a list with its moves in rows, whatever separates them.
pub(super) fn in_rows(text: &str) -> String {
    with_joined_squares(&without_semicolons(&with_empty_places(text)))
}

/// Returns a list in which spaces replace the semicolons between moves or cells. After a semicolon,
/// text that is no move is a remark, as in PGN.
fn without_semicolons(text: &str) -> String {
    let lines = text.split('\n').map(|line| {
        let mut cells = line.split(';').map(str::trim);
        let first = cells.next().unwrap_or_default();
        let mut cells: Vec<&str> = cells.collect();
        while cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        let is_row = first.trim_end_matches('.').parse::<u32>().is_ok();
        match cells.as_slice() {
            [] if line.contains(';') => first.to_owned(),
            [] => line.to_owned(),
            // White's place is empty, and Black's is not.
            ["", rest @ ..] if is_row => format!("{first} ... {}", rest.join(" ")),
            cells if is_row => format!("{first} {}", cells.join(" ")),
            cells => moves_and_remarks(first, cells),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the cells of a line after the first: those with moves, and the remarks after a
/// semicolon. A cell with moves after a remark needs clearer evidence.
fn moves_and_remarks(first: &str, cells: &[&str]) -> String {
    let (mut moves, mut remarks) = (first.to_owned(), Vec::new());
    let mut last = last_number(first);
    for cell in cells {
        let follows = last.is_some_and(|last| begins_with_number(cell, last + 1));
        if is_moves(cell) || has_moves(cell, follows) && (follows || remarks.is_empty()) {
            moves.push(' ');
            moves.push_str(cell);
            last = last_number(cell).or(last);
        } else {
            remarks.push(*cell);
        }
    }
    let sign = if remarks.is_empty() { "" } else { " ;" };
    format!("{moves}{sign}{}", remarks.join("; "))
}

/// Returns whether at least half of a cell are moves, or whether it is a short row with the next
/// number.
fn has_moves(cell: &str, follows: bool) -> bool {
    const MOST_OF_ROW: usize = 2;

    let tokens = scan(cell, 1);
    let words = tokens.iter().filter_map(|token| match &token.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    });
    let is_move = |word: &&String| {
        let mut letters = Letters::DISTINCT.into_iter();
        letters.any(|letters| read_move(word, letters) != Notated::Unreadable)
    };
    let begins_with_move = words.clone().next().is_none_or(|word| is_move(&word));
    let moves = words.clone().filter(is_move).count();
    let words = words.count();
    let is_short_row = follows && words <= MOST_OF_ROW;
    // A number, a result or a time alone is no evidence of moves.
    !tokens.is_empty() && (begins_with_move && moves * 2 >= words || is_short_row)
}

/// The last number of a row in a text.
fn last_number(text: &str) -> Option<u32> {
    scan(text, 1)
        .iter()
        .rev()
        .find_map(|token| match token.kind {
            TokenKind::Number { number, .. } => Some(number),
            _ => None,
        })
}

fn begins_with_number(text: &str, number: u32) -> bool {
    let is_it =
        |token: &Token| matches!(token.kind, TokenKind::Number { number: it, .. } if it == number);
    scan(text, 1).first().is_some_and(is_it)
}

/// Returns whether a line is a heading above the moves. That is a known field name, or another name
/// with a space after its colon, which a capture does not have.
pub(super) fn is_heading(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, value)| {
        let name = name.trim();
        let is_apart = value.is_empty() || value.starts_with(char::is_whitespace);
        known_name(name).is_some() || is_apart && tag_name(name).is_some()
    })
}

/// Returns whether a text has nothing but moves.
pub(super) fn is_moves(text: &str) -> bool {
    let tokens = scan(text, 1);
    let is_move = |token: &Token| match &token.kind {
        TokenKind::Word(word) => Letters::DISTINCT
            .into_iter()
            .any(|letters| read_move(word, letters).is_legible()),
        _ => true,
    };
    tokens
        .iter()
        .any(|token| matches!(token.kind, TokenKind::Word(_)))
        && tokens.iter().all(is_move)
}

/// Returns the names of a line and the moves after them on it. The moves begin with the first
/// number, if it is 1 and a row of moves follows it. Nothing before it reads as a move.
fn moves_behind_names(line: &str) -> Option<(&str, &str)> {
    let begins = line
        .match_indices(char::is_whitespace)
        .map(|(at, gap)| at + gap.len());
    let mut rows = begins.filter_map(|at| line.split_at_checked(at));
    let (names, moves) =
        rows.find(|(_, row)| begins_with_number(row, 1) && begins_with_moves(row))?;
    let is_named = is_heading(line) || has_words_only(names);
    is_named.then_some((names, moves))
}

/// Returns whether a text has words, and none of them is a move or a sign for an illegible one.
fn has_words_only(text: &str) -> bool {
    let is_word = |word: &str| word.chars().any(char::is_alphabetic);
    let is_move = |word: &str| {
        let word = word.trim_end_matches([',', ';']);
        let mut letters = Letters::DISTINCT.into_iter();
        letters.any(|letters| read_move(word, letters).is_legible())
    };
    let mut words = text.split_whitespace();
    words.clone().any(is_word) && !words.any(|word| is_word(word) && is_move(word))
}

/// Returns whether both words after the number of a row are moves.
fn begins_with_moves(row: &str) -> bool {
    let tokens = scan(row, 1);
    let is_move = |token: &Token| match &token.kind {
        TokenKind::Word(word) => Letters::DISTINCT
            .into_iter()
            .any(|letters| read_move(word, letters).is_legible()),
        _ => false,
    };
    matches!(tokens.get(1..3), Some(row) if row.iter().all(is_move))
}

/// Returns whether a line begins the moves: it has a number or a move in some language.
fn has_move(line: &str) -> bool {
    let is_heading = line
        .split_once(':')
        .is_some_and(|(name, _)| tag_name(name.trim()).is_some());
    let tokens = scan(line, 1);
    !is_heading
        && (is_illegible_row(&tokens)
            || tokens.iter().any(|token| match &token.kind {
                TokenKind::Number { number, .. } => *number == 1,
                TokenKind::Word(word) => Letters::DISTINCT
                    .into_iter()
                    .any(|letters| read_move(word, letters).is_legible()),
                _ => false,
            }))
}

/// Returns whether there is a number and nothing legible after it. On a later page the moves may
/// begin so.
fn is_illegible_row(tokens: &[Token]) -> bool {
    let [number, row @ ..] = tokens else {
        return false;
    };
    let is_illegible = |token: &Token| match &token.kind {
        TokenKind::Word(word) => word.chars().all(|sign| "?-–—_".contains(sign)),
        kind => matches!(
            kind,
            TokenKind::Clock(_) | TokenKind::Offer | TokenKind::Dots | TokenKind::Replaced { .. }
        ),
    };
    let is_word = |token: &Token| matches!(token.kind, TokenKind::Word(_));
    matches!(number.kind, TokenKind::Number { .. })
        && row.iter().any(is_word)
        && row.iter().all(is_illegible)
}

/// The PGN names of headings, each with its names on sheets.
const NAMES: [(&str, &[&str]); 15] = [
    (
        "White",
        &[
            "white",
            "weiß",
            "weiss",
            "hvid",
            "vit",
            "brancas",
            "blancs",
            "wit",
            "blancas",
            "bianco",
            "białe",
            "bílý",
            "világos",
            "valkea",
            "hvítt",
            "alb",
            "белые",
            "білі",
            "бели",
        ],
    ),
    (
        "Black",
        &[
            "black",
            "schwarz",
            "sort",
            "svart",
            "pretas",
            "noirs",
            "zwart",
            "negras",
            "nero",
            "czarne",
            "černý",
            "sötét",
            "musta",
            "negru",
            "чёрные",
            "черные",
            "чорні",
            "черни",
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
    (
        "TimeControl",
        &[
            "timecontrol",
            "time control",
            "bedenkzeit",
            "betænkningstid",
            "betänketid",
        ],
    ),
    (
        "FEN",
        &[
            "fen",
            "starting position",
            "ausgangsstellung",
            "udgangsstilling",
            "utgångsställning",
        ],
    ),
    (
        "ScoreOf",
        &[
            "scoreof",
            "score of",
            "notation von",
            "notation af",
            "protokoll av",
        ],
    ),
    (
        "Signed",
        &[
            "signed",
            "signed by",
            "unterschrieben von",
            "underskrevet af",
            "undertecknat av",
        ],
    ),
    (
        "Letters",
        &["letters", "buchstaben", "bogstaver", "bokstäver"],
    ),
    (
        "Suspended",
        &[
            "suspended",
            "recording suspended before",
            "mitschrift unterbrochen vor",
            "notering afbrudt før",
            "notering avbruten före",
        ],
    ),
    (
        "Completed",
        &[
            "completed",
            "completed afterwards",
            "nachgetragen",
            "tilføjet senere",
            "ifyllt efteråt",
        ],
    ),
    (
        "Reconstructed",
        &[
            "reconstructed",
            "wiederhergestellt",
            "rekonstrueret",
            "rekonstruerat",
        ],
    ),
];

/// Returns the PGN name of a heading in any of the languages. Any other single word is its own
/// name.
pub(super) fn tag_name(name: &str) -> Option<String> {
    let is_word = name.len() >= 3
        && name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(is_of_a_name);
    match known_name(name) {
        Some(tag) => Some(tag.to_owned()),
        None => is_word.then(|| name.to_owned()),
    }
}

pub(super) const fn is_of_a_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn known_name(name: &str) -> Option<&'static str> {
    let small = name.to_lowercase();
    let known = NAMES
        .iter()
        .find(|(_, names)| names.contains(&small.as_str()));
    known.map(|(tag, _)| *tag)
}

/// Returns the sides that a heading names, in any of the languages.
pub(super) fn sides_in(words: &str) -> impl Iterator<Item = Color> {
    let words = words.split(|sign: char| !sign.is_alphabetic());
    words.filter_map(|word| match known_name(word) {
        Some("White") => Some(Color::White),
        Some("Black") => Some(Color::Black),
        _ => None,
    })
}

/// Returns the value of a heading, and others on the same line: `12. 3. 2024  Ort: Köln`.
fn named_values(name: String, value: &str) -> Vec<(String, String)> {
    let mut values = vec![(name, String::new())];
    let mut rest = value;
    while let Some((before, after)) = rest.split_once(':') {
        let (value, next) = before
            .rsplit_once(char::is_whitespace)
            .unwrap_or(("", before));
        let (value, next) = match known_name(next) {
            Some(next) => (
                value.trim_end_matches([' ', '\t', ',', '|', ';']),
                Some(next),
            ),
            None => (rest.get(..=before.len()).unwrap_or(rest), None),
        };
        if let Some((_, last)) = values.last_mut() {
            last.push_str(value);
        }
        values.extend(next.map(|next| (next.to_owned(), String::new())));
        rest = if next.is_some() {
            after.trim_start()
        } else {
            after
        };
    }
    if let Some((_, last)) = values.last_mut() {
        last.push_str(rest);
    }
    values
}

#[cfg(test)]
mod tests {
    use crate::read_score;

    #[test]
    fn names_and_moves_can_stand_on_one_line() {
        for text in [
            "White: Smith Black: Jones 1. e4 e5 2. Nf3 Nc6",
            "White: Smith  Black: Jones 1.e4 e5\n2.Nf3 Nc6",
            "Weiß: Smith Schwarz: Jones\nDatum: 1. 5. 2024 1. e4 e5 2. Sf3 Sc6",
        ] {
            let read = read_score(text, None, 1).unwrap();
            assert_eq!(read.score.entries().len(), 4, "{text}");
            assert_eq!(read.score.tag("White"), Some("Smith"), "{text}");
            assert_eq!(read.score.tag("Black"), Some("Jones"), "{text}");
            assert_eq!(read.notes, [], "{text}");
        }
        for text in [
            "Anna Berg - Jörg Dahl, 1. e4 e5 2. Nf3 Nc6",
            "Smith-Jones, Hastings 1895, 1.e4 e5 2.Nf3 Nc6",
            "Białe: Kowalski Czarne: Nowak 1. e4 e5 2. Sf3 Sc6",
        ] {
            let read = read_score(text, None, 1).unwrap();
            assert_eq!(read.score.entries().len(), 4, "{text}");
        }
        let played_before = read_score("e4 e5 Nf3 1. e4 e5 2. Nf3 Nc6", None, 1).unwrap();
        assert_eq!(played_before.score.entries().len(), 7);
    }
}
