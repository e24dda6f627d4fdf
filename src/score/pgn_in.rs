//! Splits PGN into its games, their tags and their moves. Any white space, or none, may stand
//! between two tokens.

use super::list_in::is_of_a_name;
use super::read_score::{ReadNote, ReadNoteKind, shortened};
use super::result_words::says_no_result;
use super::scan::scan_pgn;
use super::source::Source;

/// The greatest length of the name of a tag, and of its value.
const LONGEST_NAME: usize = 256;
const LONGEST_VALUE: usize = 2_000;

/// Returns whether a text is PGN: it begins with a tag.
pub(super) fn is_pgn(text: &str) -> bool {
    begins_tag(text.trim_start())
}

/// Returns the games of a PGN text with the line on which each begins. A game begins with a tag
/// after movetext.
pub(super) fn pgn_games(text: &str) -> Vec<(usize, &str)> {
    let mut games = Vec::new();
    let (mut begin, mut begin_line, mut seen_moves) = (0, 1, false);
    let (mut at, mut line) = (0, 1);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let len = match heading_at(text, at, seen_moves) {
            Some(heading) => {
                if seen_moves {
                    games.push((begin_line, text.get(begin..at).unwrap_or_default()));
                    (begin, begin_line, seen_moves) = (at, line, false);
                }
                heading.len
            }
            None => {
                let len = token_len(rest);
                seen_moves |= !rest.get(..len).unwrap_or_default().trim().is_empty();
                len
            }
        };
        line += lines_in(rest, len);
        at += len;
    }
    games.push((begin_line, text.get(begin..).unwrap_or_default()));
    games
}

/// Splits one game. The moves are read like those of a list, because a score must keep words that
/// are no legal moves.
pub(super) fn pgn_source(game: &str, first_line: usize) -> Source {
    let mut source = Source {
        tags: Vec::new(),
        tokens: Vec::new(),
        first_line,
        is_pgn: true,
        notes: Vec::new(),
    };
    let (mut at, mut line) = (0, first_line);
    loop {
        let rest = game.get(at..).unwrap_or_default();
        let gap = rest.len() - rest.trim_start().len();
        line += lines_in(rest, gap);
        at += gap;
        let rest = rest.trim_start();
        let Some(heading) = heading_at(game, at, false) else {
            source.tokens = scan_pgn(rest, line);
            return source;
        };
        let is_known = |(name, value): &(String, String)| {
            // A damaged name would be written as something else.
            name.chars().all(is_of_a_name) && !(name == "Result" && says_no_result(value))
        };
        match heading.tag.filter(is_known) {
            Some(tag) => source.tags.push(tag),
            None => {
                let words = rest.get(..heading.len).unwrap_or_default();
                let kind = ReadNoteKind::Heading(shortened(words));
                source.notes.push(ReadNote { line, kind });
            }
        }
        line += lines_in(rest, heading.len);
        at += heading.len;
    }
}

fn lines_in(text: &str, len: usize) -> usize {
    let begin = text.get(..len).unwrap_or_default();
    begin.bytes().filter(|byte| *byte == b'\n').count()
}

/// Returns the length of the white space, comment or moves that begin here, as far as nothing else
/// can begin inside.
fn token_len(text: &str) -> usize {
    let end = |found: Option<usize>| found.unwrap_or(text.len());
    match text.chars().next() {
        Some('{') => end(text.find('}').map(|at| at + 1)),
        Some(';') => end(text.find('\n')),
        Some(first) => {
            let first = first.len_utf8();
            let behind = text.get(first..).unwrap_or_default();
            end(behind.find(['{', ';', '[']).map(|at| at + first))
        }
        None => 0,
    }
}

/// A line above the moves: a tag, or a line that should be one.
struct Heading {
    /// The name and the value, if they can be read.
    tag: Option<(String, String)>,
    /// The number of its bytes.
    len: usize,
}

fn heading_at(text: &str, at: usize, seen_moves: bool) -> Option<Heading> {
    let (before, rest) = text.split_at_checked(at)?;
    let inside = rest.strip_prefix('[')?;
    if let Some(heading) = tag_at(rest) {
        return Some(heading);
    }
    let before = before.trim_end_matches([' ', '\t']);
    let begins_line = before.is_empty() || before.ends_with('\n');
    let is_named = inside.trim_start().starts_with(char::is_alphabetic);
    let is_damaged = begins_tag(rest) || !seen_moves && is_named;
    (begins_line && is_damaged).then(|| Heading {
        tag: None,
        len: rest.find('\n').unwrap_or(rest.len()),
    })
}

/// Returns whether a tag begins here: a bracket, a name and a quote.
fn begins_tag(text: &str) -> bool {
    let inside = text.strip_prefix('[');
    inside.is_some_and(|inside| name_and_value(inside).is_some())
}

/// Returns the name of a tag and the text after the quote that begins its value.
fn name_and_value(inside: &str) -> Option<(&str, &str)> {
    let signs = inside.char_indices().take(LONGEST_NAME);
    let mut signs = signs.take_while(|(_, sign)| !"[]{}();".contains(*sign));
    let (at, quote) = signs.find(|(_, sign)| is_quote(*sign))?;
    let name = inside.get(..at)?.trim();
    let value = inside.get(at + quote.len_utf8()..)?;
    name.starts_with(char::is_alphabetic)
        .then_some((name, value))
}

/// The quotes of PGN, and those that word processors make of them.
const fn is_quote(sign: char) -> bool {
    matches!(sign, '"' | '“' | '”' | '„')
}

/// Returns the tag that begins with this bracket, if it ends on the line where its value begins.
fn tag_at(text: &str) -> Option<Heading> {
    let (name, value) = name_and_value(text.strip_prefix('[')?)?;
    let begin = text.len() - value.len();
    // A backslash at the end of the value does not escape its quote.
    let end = value_end(value, true).or_else(|| value_end(value, false))?;
    let behind = value.get(end..)?;
    let bracket = behind.find(']')?;
    let tag = (name.to_owned(), without_backslashes(value.get(..end)?));
    Some(Heading {
        tag: Some(tag),
        len: begin + end + bracket + 1,
    })
}

/// Returns where the value of a tag ends: with a quote before the bracket. Otherwise an unescaped
/// quote inside it would hide the tags after it.
fn value_end(value: &str, has_escapes: bool) -> Option<usize> {
    let mut is_escaped = false;
    let signs = value.char_indices().take(LONGEST_VALUE);
    let mut line = signs.take_while(|(_, sign)| *sign != '\n');
    line.find_map(|(at, sign)| {
        let behind = value.get(at + sign.len_utf8()..)?;
        let is_end = is_quote(sign) && !is_escaped && behind.trim_start().starts_with(']');
        is_escaped = has_escapes && sign == '\\' && !is_escaped;
        is_end.then_some(at)
    })
}

/// Returns the value of a tag without escapes. A backslash before a quote or a backslash means that
/// character.
fn without_backslashes(value: &str) -> String {
    let mut signs = value.chars().peekable();
    let mut plain = String::with_capacity(value.len());
    while let Some(sign) = signs.next() {
        let is_escape = sign == '\\' && matches!(signs.peek(), Some('\\' | '"'));
        plain.push(if is_escape {
            signs.next().unwrap_or(sign)
        } else {
            sign
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::read_score;
    use annexd_laws::GameResult;

    #[test]
    fn any_white_space_or_none_stands_between_tokens() {
        for text in [
            "[White \"A\"][Black \"B\"][Result \"0-1\"] 1. e4 e5 2. Nf3 0-1\n",
            "[White\n\"A\"]\n\n[ Black \"B\" ][Result\"0-1\"]\n1. e4 e5 2. Nf3",
            "[White “A”] [Black “B”]\r\n[Result \"0-1\"]1. e4 e5 2. Nf3 *",
        ] {
            let read = read_score(text, None, 1).unwrap();
            let tags = ["White", "Black"].map(|name| read.score.tag(name));
            assert_eq!(tags, [Some("A"), Some("B")], "{text}");
            let lost = Some(GameResult::Won(Color::Black));
            assert_eq!(
                (read.score.entries().len(), read.score.result()),
                (3, lost),
                "{text}"
            );
            assert_eq!((read.games, read.notes), (1, Vec::new()), "{text}");
        }
    }

    #[test]
    fn games_on_one_line_are_games_of_their_own() {
        let text = "[White \"A\"] 1. e4 {[White \"X\"]} e5 * [White \"B\"][Black \"C\"] 1. d4 *\n\
                    [White \"D\"]\n\n1. c4 c5 ; [White \"Y\"]\n2. g3 *\n";
        let games: Vec<_> = (1..=3)
            .map(|game| read_score(text, None, game).unwrap().score)
            .map(|score| (score.tag("White").map(str::to_owned), score.entries().len()))
            .collect();
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(games, [(named("A"), 2), (named("B"), 1), (named("D"), 3)]);
        let lines: Vec<_> = pgn_games(text).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [1, 1, 2]);
    }

    #[test]
    fn what_is_no_tag_is_said_and_hides_nothing() {
        let text = "[White \"Jan \"Tank\" Tal\"]\n[Event \"open\n[Site C]\n[Round \"a\\\\\"]\n\
                    [Annotator \"C:\\\"]\n\n1. e4 zz\n";
        let read = read_score(text, None, 1).unwrap();
        let values = ["White", "Round", "Annotator"].map(|name| read.score.tag(name));
        assert_eq!(
            values,
            [Some("Jan \"Tank\" Tal"), Some("a\\"), Some("C:\\")]
        );
        let lines: Vec<_> = read.notes.iter().map(|note| note.line).collect();
        assert_eq!(lines, [2, 3, 7], "{:?}", read.notes);
    }

    #[test]
    fn a_bracket_is_no_pgn_yet() {
        for text in ["[1,2]", "[hello]", "[]", "[", "[\"a\", \"b\"]"] {
            assert!(!is_pgn(text), "{text}");
            assert!(read_score(text, None, 1).is_err(), "{text}");
        }
        let rows = read_score("[1] e4 e5\n[2] Sf3 Sc6", None, 1).unwrap();
        assert_eq!((rows.score.entries().len(), rows.notes), (4, Vec::new()));
    }
}
