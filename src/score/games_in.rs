//! The games of a text: those of a PGN file, or lists of moves one after the other.

use std::cell::OnceCell;

use shakmaty::Setup;

use super::entry::SheetPlace;
use super::letters::Letters;
use super::list_in::{in_rows, is_heading, is_moves};
use super::pgn_in::{is_pgn, pgn_games};
use super::read_score::legal_plies;
use super::scan::{Token, TokenKind, scan};
use super::sheet::assemble;
use super::standing::Standing;
use super::written::read_move;

/// Returns the games of a text, each with the line on which it begins, counted from 1. There is
/// always at least one.
pub(super) fn games_of(text: &str) -> Vec<(usize, &str)> {
    if is_pgn(text) {
        pgn_games(text)
    } else {
        lists(text)
    }
}

/// Returns the lists of moves of a text.
///
/// After a result, another list begins with the number 1, or without numbers with moves. Without a
/// result, it begins with the number 1 after an empty line or names, if its moves fit a new game
/// better than a continued one. A later page may have numbers of its own.
fn lists(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let bare: Vec<&str> = lines
        .iter()
        .map(|line| if is_heading(line) { "\n" } else { line })
        .collect();
    let tokens = scan(&in_rows(&bare.concat()), 1);
    let mut begins = vec![1];
    let mut list = List::default();
    let seen = Seen::of(&lines);
    for (at, token) in tokens.iter().enumerate() {
        let behind = tokens.get(at..).unwrap_or_default();
        let before = tokens.get(list.first..at).unwrap_or_default();
        if token.line > list.line && list.is_over(&seen, before, behind) {
            begins.push(list.next_line(&lines, token.line));
            list = List {
                first: at,
                ..List::default()
            };
        }
        list.take(token);
    }
    let ends = begins.iter().skip(1).copied().chain([lines.len() + 1]);
    let mut offset = 0;
    let games = begins.iter().zip(ends).map(|(&begin, end)| {
        let count = end.saturating_sub(begin);
        let bytes: usize = lines
            .iter()
            .skip(begin - 1)
            .take(count)
            .map(|it| it.len())
            .sum();
        let game = text.get(offset..offset + bytes).unwrap_or_default();
        offset += bytes;
        (begin, game)
    });
    games.collect()
}

/// How many tokens of a list decide whether it is a new one.
const MOST_LOOKED_AT: usize = 400;

/// What stands on each line. It is computed once, because lines can be many and long.
struct Seen<'a> {
    lines: &'a [&'a str],
    /// How many lines before each are empty.
    empty: Vec<usize>,
    /// How many lines before each have names.
    named: Vec<usize>,
    /// Which lines have nothing but moves, as far as that was asked.
    moves: Vec<OnceCell<bool>>,
}

impl<'a> Seen<'a> {
    fn of(lines: &'a [&'a str]) -> Self {
        let before = |is: &dyn Fn(&str) -> bool| -> Vec<usize> {
            let counted = lines.iter().scan(0, |count, line| {
                *count += usize::from(is(line));
                Some(*count)
            });
            std::iter::once(0).chain(counted).collect()
        };
        Self {
            lines,
            empty: before(&|line| line.trim().is_empty()),
            named: before(&is_heading),
            moves: vec![OnceCell::new(); lines.len()],
        }
    }

    /// Returns whether a line, counted from 1, has nothing but moves.
    fn has_moves(&self, line: usize) -> bool {
        let at = line.saturating_sub(1);
        let known = self.moves.get(at).zip(self.lines.get(at));
        known.is_some_and(|(known, line)| *known.get_or_init(|| is_moves(line)))
    }

    /// Returns how many of the lines between two lines are counted.
    fn between(counted: &[usize], line: usize, next: usize) -> usize {
        let [from, to] = [line, next.saturating_sub(1)].map(|line| counted.get(line).copied());
        to.unwrap_or_default()
            .saturating_sub(from.unwrap_or_default())
    }
}

/// The state of a list of moves.
#[derive(Default)]
struct List {
    /// Its first token.
    first: usize,
    /// The number of its moves.
    moves: usize,
    has_numbers: bool,
    /// Whether its result or `*` was found.
    has_ended: bool,
    /// The last line that belongs to it.
    line: usize,
}

impl List {
    fn take(&mut self, token: &Token) {
        match &token.kind {
            TokenKind::Word(word) if is_move(word) => self.moves += 1,
            TokenKind::Number { .. } => self.has_numbers = true,
            TokenKind::Result(_) | TokenKind::Unfinished => self.has_ended = self.moves > 0,
            TokenKind::Clock(_) | TokenKind::Offer | TokenKind::OfferBy(_) => {}
            _ => return,
        }
        self.line = token.line;
    }

    /// Returns whether another list begins with the first token of `behind`.
    fn is_over(&self, seen: &Seen, before: &[Token], behind: &[Token]) -> bool {
        let Some(token) = behind.first().filter(|_| self.moves > 0) else {
            return false;
        };
        let has = |counted: &[usize]| Seen::between(counted, self.line, token.line) > 0;
        match &token.kind {
            TokenKind::Number {
                number: 1,
                black: false,
            } => {
                let has_gap = has(&seen.empty);
                self.has_ended || has(&seen.named) || has_gap && are_rather_new(before, behind)
            }
            TokenKind::Word(_) if self.has_ended => {
                let is_apart = !self.has_numbers || has(&seen.empty);
                is_apart && seen.has_moves(token.line) && has_two_moves(behind)
            }
            _ => false,
        }
    }

    /// Returns the lines after the last line of this list, up to a line of another one.
    fn between<'a, 'b>(&self, lines: &'a [&'b str], line: usize) -> &'a [&'b str] {
        lines
            .get(self.line..line.saturating_sub(1))
            .unwrap_or_default()
    }

    /// Returns the line with which the next list begins, whose moves begin on `line`. Names stand
    /// above those moves. Remarks about this list stand directly below its own moves.
    fn next_line(&self, lines: &[&str], line: usize) -> usize {
        let between = self.between(lines, line);
        let is_gap = |line: &&str| line.trim().is_empty() || is_heading(line);
        let remarks = between.iter().position(is_gap).unwrap_or(between.len());
        self.line + remarks + 1
    }
}

fn is_move(word: &str) -> bool {
    let mut letters = Letters::DISTINCT.into_iter();
    letters.any(|letters| read_move(word, letters).is_legible())
}

/// Returns whether moves of both sides stand before a result.
fn has_two_moves(tokens: &[Token]) -> bool {
    let is_end = |token: &&Token| matches!(token.kind, TokenKind::Result(_));
    let is_word = |token: &&Token| matches!(&token.kind, TokenKind::Word(word) if is_move(word));
    tokens
        .iter()
        .take_while(|it| !is_end(it))
        .filter(is_word)
        .count()
        >= 2
}

/// Returns whether more of the moves `behind`, up to the next number 1, are legal from the start
/// than after those `before`.
fn are_rather_new(before: &[Token], behind: &[Token]) -> bool {
    let is_first = |token: &Token| matches!(token.kind, TokenKind::Number { number: 1, .. });
    let mut others = behind.iter().skip(1).take(MOST_LOOKED_AT);
    let end = others.position(is_first).unwrap_or(MOST_LOOKED_AT) + 1;
    let behind = behind.get(..end).unwrap_or(behind);
    let start = Setup::initial();
    let first = SheetPlace::first(&start);
    let mut readings = Letters::DISTINCT.into_iter().map(|letters| {
        let entries = |tokens| assemble(tokens, letters, first).unwrap_or_default().entries;
        let start = Standing::of(Setup::initial());
        let before = entries(before)
            .iter()
            .fold(start.clone(), |standing, entry| standing.after_entry(entry));
        let behind = entries(behind);
        (legal_plies(start, &behind), legal_plies(before, &behind))
    });
    let first_reading = readings.next().unwrap_or_default();
    let (anew, on) = readings.fold(first_reading, |(anew, on), (other, others)| {
        (anew.max(other), on.max(others))
    });
    anew > on
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadNoteKind, read_score};
    use annexd_laws::GameResult;

    /// Returns the number of games, and the entries, line and result of each.
    fn told(text: &str) -> Vec<(usize, usize, Option<GameResult>)> {
        let games = games_of(text);
        let told = games.iter().enumerate().map(|(at, (line, _))| {
            let read = read_score(text, None, at + 1).unwrap();
            assert_eq!(read.games, games.len(), "{text}");
            (read.score.entries().len(), *line, read.score.result())
        });
        told.collect()
    }

    const WON: Option<GameResult> = Some(GameResult::Won(shakmaty::Color::White));
    const LOST: Option<GameResult> = Some(GameResult::Won(shakmaty::Color::Black));

    #[test]
    fn lists_one_behind_the_other_are_games_of_their_own() {
        for text in [
            "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. d4 d5 2. c4 e6 0-1\n",
            "1. e4 e5 2. Nf3 Nc6 1-0\nWhite won\n\n1. d4 d5 2. c4 e6 0-1\n",
            "e4 e5 Sf3 Sc6 1-0\n\nd4 d5 c4 e6 0-1",
            "e4 e5\nSf3 Sc6\n1-0\nd4 d5\nc4 e6\n0-1",
            "1. e4 e5 2. Nf3 Nc6 1-0\n\nd4 d5 c4 e6\n0-1",
        ] {
            let told = told(text);
            let [(4, 1, WON), (4, line, LOST)] = told[..] else {
                panic!("{text}: {told:?}");
            };
            assert!(line > 1, "{text}");
        }
        let one_row = "1. e4 e5 1-0\n1. d4 d5 0-1";
        assert_eq!(told(one_row), [(2, 1, WON), (2, 2, LOST)]);
    }

    #[test]
    fn names_or_other_moves_part_lists_without_a_result() {
        let names = "White: A\n\n1. e4 e5 2. Nf3 Nc6\nWhite: C\n1. d4 d5";
        assert_eq!(told(names), [(4, 1, None), (2, 4, None)]);
        let second = read_score(names, None, 2).unwrap().score;
        assert_eq!(second.tag("White"), Some("C"));
        let moves = "1. e4 e5 2. Nf3 Nc6\n\n1. d4 d5 2. c4 e6";
        assert_eq!(told(moves), [(4, 1, None), (4, 2, None)]);
    }

    #[test]
    fn one_game_stays_one() {
        for text in [
            // A later page with numbers of its own.
            "1. e4 e5 2. Nf3 Nc6\n\n1. Bb5 a6 2. Ba4 Nf6",
            // A row that is there twice.
            "1. e4 e5\n1. e4 e5\n2. Nf3 Nc6 1-0",
            "1. e4 e5\n2. Nf3 Nc6\n1-0\n3. Bb5 a6",
            "1-0\n1. e4 e5\n\n2. Nf3 Nc6",
            "1. e4 e5 2. Nf3 Nc6 1-0\n\nSf3 was good",
            "1. e4 e5 2. Nf3 Nc6 1-0\n\nQh5",
            "",
            "1. e4 {a remark\n\n1. d4 d5} e5",
        ] {
            assert_eq!(games_of(text), [(1, text)], "{text}");
        }
    }

    #[test]
    fn the_line_of_the_next_list_is_said() {
        let text = "1. e4 e5 2. Nf3 Nc6 1-0\n\n\n1. d4 d5 2. c4 e6 0-1\n";
        let read = read_score(text, None, 1).unwrap();
        let note = read.notes.last().unwrap();
        assert_eq!((note.line, &note.kind), (4, &ReadNoteKind::AnotherGame));
        assert_eq!(read_score(text, None, 2).unwrap().notes, []);
        assert!(read_score(text, None, 3).is_err());
    }
}
