//! Takes a list of moves apart: the names above the moves, and the moves.

use shakmaty::Color;

use super::letters::Letters;
use super::scan::{Token, TokenKind, scan};
use super::sheet::is_caption;
use super::sheet_in::{ReadNote, ReadNoteKind, Source};
use super::written::read_move;

/// Takes a list of moves apart: lines of the form `Name: value` may stand before the first move.
/// `line` is that on which the text begins.
pub(super) fn list_source(text: &str, line: usize) -> Source {
    let mut source = Source {
        tags: Vec::new(),
        tokens: Vec::new(),
        first_line: line,
        is_pgn: false,
        notes: Vec::new(),
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let first = lines
        .iter()
        .position(|line| has_move(line) || has_move(&without_semicolons(line)))
        .unwrap_or(lines.len());
    let (heading, list) = lines.split_at_checked(first).unwrap_or((&lines, &[]));
    for (number, heading) in heading.iter().enumerate() {
        let heading = heading.trim();
        match heading.split_once(':') {
            Some((name, value)) if tag_name(name.trim()).is_some() => {
                let name = tag_name(name.trim()).unwrap_or_default();
                source.tags.extend(named_values(name, value.trim()));
            }
            _ if is_caption(heading) => {}
            // Without moves it can only be the result of the game, as under a forfeit.
            _ if list.is_empty() && lone_result(heading).is_some() => {
                let result = lone_result(heading).unwrap_or_default();
                source.tags.push(("Result".to_owned(), result));
            }
            _ => source.notes.push(ReadNote {
                line: line + number,
                kind: ReadNoteKind::Heading(heading.chars().take(60).collect()),
            }),
        }
    }
    source.first_line = line + first;
    source.tokens = scan(&without_semicolons(&list.join("\n")), line + first);
    source
}

/// The result that is all that stands on a line.
fn lone_result(line: &str) -> Option<String> {
    match scan(line, 1).as_slice() {
        [token] => match &token.kind {
            TokenKind::Result(result) => Some(result.to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// A list in which semicolons part moves or the cells of a table, with spaces instead. What stands
/// behind a semicolon and is no move is a remark, as in PGN.
pub(super) fn without_semicolons(text: &str) -> String {
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
            // White's place is empty, Black's is not.
            ["", rest @ ..] if is_row => format!("{first} ... {}", rest.join(" ")),
            cells if is_row => format!("{first} {}", cells.join(" ")),
            cells => {
                let count = cells.iter().take_while(|cell| is_moves(cell)).count();
                let (moves, remark) = cells.split_at_checked(count).unwrap_or((cells, &[]));
                let remark = remark.join(";");
                let sign = if remark.is_empty() { "" } else { " ;" };
                format!("{first} {}{sign}{remark}", moves.join(" "))
            }
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether a line is one of those above the moves: a name of the field, or another with a space
/// behind its colon, which a capture has not.
pub(super) fn is_heading(line: &str) -> bool {
    line.split_once(':').is_some_and(|(name, value)| {
        let name = name.trim();
        let is_apart = value.is_empty() || value.starts_with(char::is_whitespace);
        known_name(name).is_some() || is_apart && tag_name(name).is_some()
    })
}

/// Whether nothing but moves stands there.
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

/// Whether a line begins the moves: it has a number or a move in some language.
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

/// Whether there is a number and nothing behind it that can be read: on a later page the moves may
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

/// The PGN names of headings, each with what it is called on sheets.
const NAMES: [(&str, &[&str]); 15] = [
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

/// The PGN name of a heading in any of the languages; any other single word names itself.
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

/// The sides that are named in a heading, in any of the languages.
pub(super) fn sides_in(words: &str) -> impl Iterator<Item = Color> {
    let words = words.split(|sign: char| !sign.is_alphabetic());
    words.filter_map(|word| match known_name(word) {
        Some("White") => Some(Color::White),
        Some("Black") => Some(Color::Black),
        _ => None,
    })
}

/// The value of a heading, and others that stand on its line: `12. 3. 2024  Ort: Köln`.
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
