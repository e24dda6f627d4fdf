//! What stands in brackets: beside a move, a variation, or in a list an entry.

use super::{
    LONGEST_REMARK, Letters, Scanner, Token, TokenKind, begins_row, bracketed, number, read_move,
};

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
        self.step();
        let inside = self.until_closed(line, '[');
        let is_closed = !self.has_just_noted_unclosed();
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

    fn has_just_noted_unclosed(&self) -> bool {
        let last = self.tokens.last().map(|token| &token.kind);
        matches!(last, Some(TokenKind::Unclosed(_)))
    }

    /// What stands in a bracket that began there. Directly after a number stands the move, not a
    /// variation on it. In a list so does what fills Black's place, or goes on with the next row;
    /// anything else is told. `None` if it is never closed.
    fn entry_or_aside(&mut self, begin: (usize, usize), bracket: char, inside: Option<String>) {
        let (_, line) = begin;
        let is_place = self.is_after_number();
        let Some(inside) = inside else {
            if is_place {
                self.push(line, TokenKind::Word("?".to_owned()));
            }
            return;
        };
        let words = inside.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_move = !self.has_variations && is_a_move(&words);
        let is_kept = is_move && (is_place || self.is_blacks_place(line))
            || !self.has_variations && self.begins_next_row(&words);
        if is_kept {
            // It is read as if the bracket were not there; the one that closes it is passed over.
            (self.at, self.line) = (begin.0 + 1, line);
        } else if is_place {
            self.push(line, TokenKind::Word("?".to_owned()));
        } else {
            let result = words.parse().ok().filter(|_| words.contains(['1', '½']));
            if let Some(result) = result.filter(|_| !self.has_variations) {
                return self.push(line, TokenKind::Result(result));
            }
            let end = if bracket == '(' { ')' } else { ']' };
            self.aside(line, &format!("{bracket}{words}{end}"));
        }
    }

    /// Tells what is passed over, if this is a list. What belongs to a move is told as that.
    pub(super) fn aside(&mut self, line: usize, words: &str) {
        let is_empty = !words.chars().any(char::is_alphanumeric);
        if !self.has_variations && !is_empty && !words.contains("[%") && bracketed(words).is_none()
        {
            self.push(line, TokenKind::Aside(words.to_owned()));
        }
    }

    /// Whether White's move stands in this row, or without numbers on this line, and no other.
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

    /// Whether the row goes on in brackets behind a full one: `1. e4 e5 [2. Nf3 Nc6]`.
    fn begins_next_row(&self, words: &str) -> bool {
        let last = self.tokens.iter().rev().find_map(|token| match token.kind {
            TokenKind::Number { number, .. } => Some(number),
            _ => None,
        });
        let mut inside = words.split(' ');
        let (head, next) = (inside.next().unwrap_or_default(), inside.next());
        let digits = head.bytes().take_while(u8::is_ascii_digit).count();
        let next_number = head.get(..digits).and_then(|digits| number(digits, 4));
        let is_row = begins_row(head, next.unwrap_or_default()) && !head.contains("..");
        // What has brackets inside is no row.
        is_row
            && !words.contains(['(', '['])
            && last.is_some_and(|last: u32| last.checked_add(1) == next_number)
            && self.is_row_full()
    }

    /// What stands in round brackets, which may have others inside. `None` if they never end.
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

fn is_a_move(word: &str) -> bool {
    let mut letters = Letters::DISTINCT.into_iter();
    word.len() <= LONGEST_REMARK && letters.any(|letters| read_move(word, letters).is_legible())
}
