//! Text in brackets: a note beside a move, a variation, or in a list an entry.

use super::{
    LONGEST_REMARK, Letters, Scanner, Token, TokenKind, begins_row, bracketed, is_gap, number,
    read_move,
};

/// How many brackets of a sheet may be left open.
const MOST_UNCLOSED: usize = 8;

/// How many characters after a bracket the next row is searched for.
const FAR: usize = 2000;

impl Scanner {
    pub(super) fn round_bracket(&mut self, line: usize) {
        let rest = self.letters.iter().skip(self.at + 1);
        let rest: String = rest.take(LONGEST_REMARK).collect();
        if let Some((inside, _)) = rest.split_once(')')
            && let Some(kind) = bracketed(inside.trim())
        {
            self.until(')');
            self.push(line, kind);
            return;
        }
        let begin = (self.at, self.line);
        let inside = self.variation();
        self.entry_or_aside(begin, '(', inside);
    }

    pub(super) fn square_bracket(&mut self, line: usize) {
        let begin = (self.at, self.line);
        let begins_line = self.begins_line_with("");
        let known = self.tokens.len();
        self.step();
        let inside = self.until_closed(line, '[');
        let is_closed = self.tokens.len() == known;
        if let Some(number) = number(inside.trim(), 4).filter(|_| begins_line && is_closed) {
            return self.push(
                line,
                TokenKind::Number {
                    number,
                    black: false,
                },
            );
        }
        match bracketed(inside.trim()).filter(|_| !self.is_after_number()) {
            Some(kind) => self.push(line, kind),
            None => self.entry_or_aside(begin, '[', is_closed.then_some(inside)),
        }
    }

    pub(super) fn curly_bracket(&mut self, line: usize) {
        let begin = (self.at, self.line);
        let known = self.tokens.len();
        self.step();
        let comment = self.until_closed(line, '{');
        if self.tokens.len() > known {
            return self.entry_or_aside(begin, '{', None);
        }
        self.push(line, TokenKind::Comment(comment));
    }

    /// Returns whether so many brackets are open that this is no sheet. It would take long to
    /// search after each of them.
    fn are_unclosed_many(&self) -> bool {
        let is_unclosed = |token: &&Token| matches!(token.kind, TokenKind::Unclosed(_));
        self.tokens.iter().filter(is_unclosed).count() > MOST_UNCLOSED
    }

    /// Handles the text of a bracket that began there. Directly after a number it is the move and
    /// not a variation. In a list it is also an entry if it fills Black's place or continues with
    /// the next row. Anything else gets a note. `inside` is `None` if the bracket is never closed.
    fn entry_or_aside(&mut self, begin: (usize, usize), bracket: char, inside: Option<String>) {
        let (at, line) = begin;
        let is_place = self.is_after_number();
        let inside = match inside {
            Some(inside) if self.hides_rows(&inside) => {
                self.push(line, TokenKind::Unclosed(bracket));
                self.rest_of_row(begin)
            }
            Some(inside) => inside,
            None if self.has_variations || self.are_unclosed_many() => {
                // Nobody can tell whether the game continues after it.
                let mut hidden = self
                    .letters
                    .get(at + 1..)
                    .unwrap_or_default()
                    .split(is_no_sign);
                if is_place || hidden.any(|word| is_a_move(&String::from_iter(word))) {
                    self.push(line, TokenKind::Word("?".to_owned()));
                }
                return;
            }
            None => self.rest_of_row(begin),
        };
        let words = inside.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_move = !self.has_variations && is_a_move(&words);
        let is_kept = is_move && (is_place || self.is_blacks_place(line))
            || !self.has_variations && self.begins_next_row(&words);
        if is_kept {
            // It is read as if the bracket were not there. The closing bracket is passed over.
            (self.at, self.line) = (begin.0 + 1, line);
        } else if is_place {
            self.push(line, TokenKind::Word("?".to_owned()));
        } else {
            let result = words.parse().ok().filter(|_| words.contains(['1', '½']));
            if let Some(result) = result.filter(|_| !self.has_variations) {
                return self.push(line, TokenKind::Result(result));
            }
            let end = match bracket {
                '(' => ')',
                '[' => ']',
                _ => '}',
            };
            self.aside(line, &format!("{bracket}{words}{end}"));
        }
    }

    /// Adds a note about ignored text, if this is a list. What belongs to a move is added as such.
    pub(super) fn aside(&mut self, line: usize, words: &str) {
        let is_empty = !words.chars().any(char::is_alphanumeric);
        if !self.has_variations && !is_empty && !words.contains("[%") && bracketed(words).is_none()
        {
            self.push(line, TokenKind::Aside(words.to_owned()));
        }
    }

    /// Returns whether only White's move stands in this row, or on this line if there are no
    /// numbers.
    fn is_blacks_place(&self, line: usize) -> bool {
        let is_number = |token: &Token| matches!(token.kind, TokenKind::Number { .. });
        let has_numbers = self.tokens.iter().any(is_number);
        let row = self.tokens.iter().rev().take_while(|token| {
            let is_here = has_numbers || token.line == line;
            is_here && !is_number(token)
        });
        let entries = row.filter(|it| matches!(it.kind, TokenKind::Word(_) | TokenKind::Dots));
        entries.count() == 1 && !self.has_move_behind() && !self.is_blacks_number_next()
    }

    /// Returns whether the list continues in brackets after a full row: `1. e4 e5 [2. Nf3 Nc6]`.
    fn begins_next_row(&self, words: &str) -> bool {
        // A text with brackets inside is no row.
        !words.contains(['(', '[']) && self.is_next_row(words) && self.is_row_full()
    }

    /// Returns whether words begin with the next number.
    fn is_next_row(&self, words: &str) -> bool {
        let last = self.tokens.iter().rev().find_map(|token| match token.kind {
            TokenKind::Number { number, .. } => Some(number),
            _ => None,
        });
        let mut words = words.split_whitespace();
        let (head, next) = (words.next().unwrap_or_default(), words.next());
        let digits = head.bytes().take_while(u8::is_ascii_digit).count();
        let next_number = head.get(..digits).and_then(|digits| number(digits, 4));
        let is_row = begins_row(head, next.unwrap_or_default()) && !head.contains("..");
        is_row && last.is_some_and(|last: u32| last.checked_add(1) == next_number)
    }

    /// Returns whether a list continues inside a bracket and not after it. Then it was closed by
    /// mistake.
    fn hides_rows(&self, inside: &str) -> bool {
        let begins = |line: &str| self.is_next_row(line);
        if self.has_variations || !inside.lines().skip(1).any(begins) {
            return false;
        }
        let behind: String = self.letters.iter().skip(self.at).take(FAR).collect();
        !behind.lines().any(begins)
    }

    /// Returns the text after a bracket up to the end of its line, or to the next row there. Nobody
    /// puts the rest of his game into a bracket that is never closed.
    fn rest_of_row(&mut self, (at, line): (usize, usize)) -> String {
        (self.at, self.line) = (at + 1, line);
        let rest = self.letters.iter().skip(self.at);
        let rest: String = rest.take_while(|sign| **sign != '\n').collect();
        let mut words = rest.char_indices().filter(|(at, _)| {
            let before = rest.get(..*at).and_then(|before| before.chars().last());
            before.is_none_or(is_gap)
        });
        let next_row = words.find(|(at, _)| self.is_next_row(rest.get(*at..).unwrap_or_default()));
        let end = next_row.map_or(rest.len(), |(at, _)| at);
        let inside = rest.get(..end).unwrap_or_default();
        self.at += inside.chars().count();
        inside.to_owned()
    }

    /// Returns the text in round brackets, which may be nested. `None` if they never end.
    fn variation(&mut self) -> Option<String> {
        let (mut depth, begin, mut inside) = (0_u32, self.line, String::new());
        while let Some(letter) = self.peek(0) {
            let line = self.line;
            self.step();
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                '{' => {
                    self.until_closed(line, '{');
                }
                ';' => {
                    self.until('\n');
                }
                _ => {}
            }
            if depth == 0 {
                return inside.get(1..).map(str::to_owned);
            }
            inside.push(letter);
        }
        self.push(begin, TokenKind::Unclosed('('));
        None
    }
}

fn is_no_sign(sign: &char) -> bool {
    is_gap(*sign)
}

fn is_a_move(word: &str) -> bool {
    let mut letters = Letters::DISTINCT.into_iter();
    word.len() <= LONGEST_REMARK && letters.any(|letters| read_move(word, letters).is_legible())
}
