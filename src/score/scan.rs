//! Splits the text of a score into its words.

use shakmaty::Color;

use super::bracketed::{bracketed, offer};
use super::clock_times::{ClockTime, clock_time};
use super::draw_words::{DrawWords, draw_words};
use super::in_words::{spelt_out, squares_join};
use super::letters::Letters;
use super::marks_in_words::{begins_en_passant, is_mark_in_words};
use super::result_words::winner_words;
use super::spaced::{begins_row, spaced_move, strokes_join};
use super::written::{plain_stroke, read_move};
use annexd_laws::GameResult;

mod brackets;

/// The greatest length of a note in brackets beside a move.
const LONGEST_REMARK: usize = 60;

/// The greatest number of numbers before one move.
const MOST_NUMBERS: usize = 3;

/// Brackets, and the signs that begin a comment.
const BRACKETS: &str = "{}()[];";

/// One word of a score and its line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) line: usize,
    pub(super) kind: TokenKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A move number. `black` if dots show that Black's move follows.
    Number {
        number: u32,
        black: bool,
    },
    /// `...` or `…` alone: White's column is passed over.
    Dots,
    /// Something that should be a move.
    Word(String),
    /// A draw offer: (=).
    Offer,
    /// A draw offer by a named side.
    OfferBy(Color),
    /// A word for a draw: an offer, or at the end the result.
    Draw,
    /// A slip or misheard move that an entry replaced: `[slip Sh3]`.
    Replaced {
        word: String,
        misheard: bool,
    },
    /// The time left.
    Clock(ClockTime),
    Result(GameResult),
    /// `*`: the score ends here, but the game did not.
    Unfinished,
    Comment(String),
    /// Text beside the moves of a list, in brackets or after a semicolon. It is passed over.
    Aside(String),
    /// A bracket that is never closed. In a list it hides the rest of its row, in PGN the rest of
    /// the text.
    Unclosed(char),
}

/// Splits a list of moves into tokens. It ignores annotation glyphs and signs of opinion. Unless
/// the list has something that only PGN has, variations and remarks are ignored too, with a note.
pub(super) fn scan(text: &str, first_line: usize) -> Vec<Token> {
    scan_as(text, first_line, false)
}

/// Splits the movetext of PGN, which has variations and remarks.
pub(super) fn scan_pgn(text: &str, first_line: usize) -> Vec<Token> {
    scan_as(text, first_line, true)
}

fn scan_as(text: &str, first_line: usize, is_pgn: bool) -> Vec<Token> {
    let letters: Vec<char> = text.chars().map(plain_stroke).collect();
    let text: String = letters.iter().collect();
    let has_glyph = || text.split('$').skip(1).any(begins_with_digit);
    let mut scanner = Scanner {
        letters,
        at: 0,
        line: first_line,
        tokens: Vec::new(),
        has_moves: false,
        is_pgn,
        has_variations: is_pgn || text.contains('}') || has_glyph(),
        strokes_join: strokes_join(&text),
        squares_join: squares_join(&text, begins_row),
        numbers_in_word: 0,
    };
    scanner.run();
    scanner.tokens
}

pub(super) fn number<N: std::str::FromStr>(digits: &str, at_most: usize) -> Option<N> {
    let plain = !digits.is_empty()
        && digits.len() <= at_most
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

struct Scanner {
    letters: Vec<char>,
    at: usize,
    line: usize,
    tokens: Vec<Token>,
    /// Whether a word that should be a move was found.
    has_moves: bool,
    is_pgn: bool,
    /// Whether variations and remarks are ignored without a note.
    has_variations: bool,
    /// Whether a stroke with spaces around it joins two squares.
    strokes_join: bool,
    /// Whether a written-out piece followed by two squares is one move.
    squares_join: bool,
    /// How many numbers of the current word were already taken.
    numbers_in_word: usize,
}

impl Scanner {
    fn run(&mut self) {
        while let Some(letter) = self.peek(0) {
            let line = self.line;
            if self.is_ruler() {
                self.until('\n');
                continue;
            }
            match letter {
                '{' => self.curly_bracket(line),
                ';' => {
                    self.step();
                    let comment = self.until('\n');
                    self.aside(line, comment.trim());
                    self.push(line, TokenKind::Comment(comment));
                }
                '(' => self.round_bracket(line),
                '[' => self.square_bracket(line),
                '%' if self.begins_line() => {
                    self.until('\n');
                }
                '$' => {
                    self.word();
                }
                _ if is_gap(letter) => self.step(),
                _ => {
                    let word = self.word();
                    self.classify(line, &word);
                }
            }
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.at + ahead).copied()
    }

    fn begins_line(&self) -> bool {
        let before = self.at.checked_sub(1);
        before.is_none_or(|before| self.letters.get(before) == Some(&'\n'))
    }

    /// Returns whether this word, the last that was taken, begins its line.
    fn begins_line_with(&self, word: &str) -> bool {
        let begin = self.at.saturating_sub(word.chars().count());
        let before = self.letters.iter().take(begin).rev();
        before
            .take_while(|sign| **sign != '\n')
            .all(|sign| is_gap(*sign))
    }

    /// Returns whether a line begins here that consists of a stroke.
    fn is_ruler(&self) -> bool {
        let rest = self.letters.iter().skip(self.at);
        self.begins_line()
            && self.peek(0).is_some_and(is_stroke)
            && rest
                .take_while(|letter| **letter != '\n')
                .filter(|letter| !letter.is_whitespace())
                .try_fold(0, |strokes, letter| {
                    is_stroke(*letter).then_some(strokes + 1)
                })
                .is_some_and(|strokes| strokes >= 3)
    }

    fn step(&mut self) {
        if self.peek(0) == Some('\n') {
            self.line += 1;
        }
        self.at += 1;
    }

    fn push(&mut self, line: usize, kind: TokenKind) {
        self.has_moves |= matches!(kind, TokenKind::Word(_));
        self.tokens.push(Token { line, kind });
    }

    /// Returns the text before the next such letter, and passes over the letter. If there is none,
    /// it returns the rest.
    fn until(&mut self, end: char) -> String {
        let mut text = String::new();
        while let Some(letter) = self.peek(0) {
            self.step();
            if letter == end {
                break;
            }
            text.push(letter);
        }
        text
    }

    /// Returns the text up to the end of a bracket that began on a line.
    fn until_closed(&mut self, line: usize, bracket: char) -> String {
        let end = if bracket == '{' { '}' } else { ']' };
        let text = self.until(end);
        let is_closed = self.at.checked_sub(1).and_then(|at| self.letters.get(at)) == Some(&end);
        if !is_closed {
            self.push(line, TokenKind::Unclosed(bracket));
        }
        text
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(letter) = self.peek(0) {
            let promotion = letter == '('
                && word.ends_with(['=', '1', '8'])
                && self.peek(2) == Some(')')
                && self.peek(1).is_some_and(char::is_alphabetic);
            if promotion {
                for _ in 0..3 {
                    word.extend(self.peek(0));
                    self.step();
                }
                continue;
            }
            let is_comma = letter == ',' && self.is_half_point(&word);
            if is_gap(letter) && !is_comma || BRACKETS.contains(letter) {
                // A bracket that belongs to nothing is ignored, so that the scan goes on.
                if word.is_empty() {
                    self.step();
                }
                break;
            }
            word.push(letter);
            self.step();
        }
        word
    }

    /// Returns whether the comma after these signs belongs to half a point: `0,5-0,5`.
    fn is_half_point(&self, before: &str) -> bool {
        let is_five = self.peek(1) == Some('5');
        let is_first = || {
            let behind = self.letters.iter().skip(self.at + 2);
            let stroke = behind.copied().find(|sign| *sign != ' ');
            before == "0" && stroke.is_some_and(|sign| "-–—:".contains(sign))
        };
        let is_second = || {
            let is_whole = !self.peek(2).is_some_and(char::is_alphanumeric);
            before.starts_with("0,5") && before.ends_with('0') && is_whole
        };
        is_five && (is_first() || is_second())
    }

    fn is_after_number(&self) -> bool {
        let last = self.tokens.last().map(|token| &token.kind);
        matches!(last, Some(TokenKind::Number { .. } | TokenKind::Dots))
    }

    /// Returns whether Black's place is open and nothing more is in this row: the next row begins,
    /// or the line ends.
    fn is_in_open_row(&self) -> bool {
        let besides = |kind: &&TokenKind| {
            use TokenKind::{Aside, Clock, Offer, OfferBy, Replaced};
            !matches!(
                kind,
                Clock(_) | Offer | OfferBy(_) | Replaced { .. } | Aside(_)
            )
        };
        let last = self.tokens.iter().rev().map(|token| &token.kind);
        let mut last = last.filter(besides);
        let is_row = matches!(last.next(), Some(TokenKind::Word(_)))
            && matches!(last.next(), Some(TokenKind::Number { black: false, .. }));
        let rest: String = self.letters.iter().skip(self.at).take(60).collect();
        let words = |text: &str| -> [String; 2] {
            let mut words = text.split(is_gap).filter(|word| !word.is_empty());
            [words.next(), words.next()].map(|word| word.unwrap_or_default().to_owned())
        };
        let [next, _] = words(&rest);
        // A number with Black's dots: the opinion is about White's move.
        let is_blacks = next.contains("..") || next.contains('…');
        let [next, then] = words(rest.split('\n').next().unwrap_or_default());
        let is_beside = || bracketed(next.trim_matches(['(', ')', '[', ']'])).is_some();
        is_row && !is_blacks && (next.is_empty() || begins_row(&next, &then) || is_beside())
    }

    /// Returns whether a numbered row has no place for another entry here: it has its moves, or
    /// Black's move follows. What stands between is an opinion.
    fn is_row_full(&self) -> bool {
        let mut moves = 0;
        for token in self.tokens.iter().rev() {
            match &token.kind {
                TokenKind::Word(_) | TokenKind::Dots => moves += 1,
                TokenKind::Number { black, .. } => {
                    let places = if *black { 1 } else { 2 };
                    return moves >= places || moves == 1 && self.has_move_behind();
                }
                _ => {}
            }
        }
        false
    }

    /// Returns whether the next word is a number with Black's dots.
    fn is_blacks_number_next(&self) -> bool {
        let rest = self.letters.iter().skip(self.at).take(12);
        let rest: String = rest.collect();
        let next = rest.split(is_gap).find(|word| !word.is_empty());
        next.is_some_and(|next| {
            begins_with_digit(next) && (next.contains("..") || next.contains('…'))
        })
    }

    /// Returns whether a move stands on the rest of this line, before another row begins there.
    fn has_move_behind(&self) -> bool {
        let rest = self.letters.iter().skip(self.at);
        let rest: String = rest.take_while(|sign| **sign != '\n').take(24).collect();
        let mut words = rest.split(is_gap).filter(|word| !word.is_empty());
        let (next, then) = (words.next().unwrap_or_default(), words.next());
        let is_move = |letters| read_move(next, letters).is_legible();
        !begins_row(next, then.unwrap_or_default()) && Letters::DISTINCT.into_iter().any(is_move)
    }

    /// Returns whether signs for illegible moves stand in a list without numbers, where no place
    /// tells them from an opinion. Three of them are never an opinion.
    fn is_unnumbered(&self, word: &str) -> bool {
        let is_number = |token: &Token| matches!(token.kind, TokenKind::Number { .. });
        word.len() >= 3 && !self.tokens.iter().any(is_number)
    }

    /// Takes the words about a draw that begin with this one, up to the end of this line.
    fn takes_draw_words(&mut self, line: usize, word: &str) -> bool {
        let rest = self.letters.iter().skip(self.at);
        let rest = rest.take_while(|sign| !"\n{}()[];".contains(**sign));
        let rest: String = rest.take(LONGEST_REMARK).collect();
        let others = rest.split(is_gap).filter(|word| !word.is_empty());
        let Some((taken, kind)) = draw_words(std::iter::once(word).chain(others)) else {
            return false;
        };
        self.take_words(taken - 1);
        self.push(
            line,
            match kind {
                DrawWords::Offer(by) => offer(by),
                DrawWords::Agreed | DrawWords::Bare => TokenKind::Draw,
            },
        );
        true
    }

    /// Takes the words that name the winner, if only a result follows them on their line, and no
    /// row below it.
    fn takes_winner_words(&mut self, line: usize, word: &str) -> bool {
        let rest = self.letters.iter().skip(self.at);
        let rest = rest.take_while(|sign| **sign != '\n');
        let rest: String = rest.take(LONGEST_REMARK).collect();
        let others = rest.split(is_gap).filter(|word| !word.is_empty());
        let Some((taken, result)) = winner_words(std::iter::once(word).chain(others.clone()))
        else {
            return false;
        };
        let mut behind = others.skip(taken - 1);
        if behind.any(|word| word.parse::<GameResult>().is_err()) || self.goes_on_below() {
            return false;
        }
        self.take_words(taken - 1);
        self.push(line, TokenKind::Result(result));
        true
    }

    fn take_words(&mut self, words: usize) {
        for _ in 0..words {
            while self.peek(0).is_some_and(is_gap) {
                self.step();
            }
            self.word();
        }
    }

    /// Returns the whole move, if it is written with spaces inside.
    fn with_its_parts(&mut self, word: &str) -> Option<String> {
        let rest = self.letters.iter().skip(self.at);
        let rest = rest.take_while(|sign| **sign != '\n').copied();
        let rest: Vec<char> = rest.take(LONGEST_REMARK).collect();
        let (whole, taken) = spaced_move(word, &rest, self.strokes_join)?;
        let is_letter = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
        // After a pawn on the last rank it is the piece of a promotion.
        if is_letter && self.is_behind_promotion() {
            return None;
        }
        let behind = rest.get(taken..).unwrap_or_default();
        if is_letter && self.is_black_to_follow(&whole, behind) {
            return None;
        }
        for _ in 0..taken {
            self.step();
        }
        Some(whole)
    }

    fn is_behind_promotion(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            Some(TokenKind::Word(word)) => {
                let is_pawns = word.starts_with(|first: char| ('a'..='h').contains(&first));
                is_pawns && word.ends_with(['1', '8'])
            }
            _ => false,
        }
    }

    /// Returns the whole move, if its piece, its squares or castling are written in words.
    fn in_words(&mut self, word: &str) -> Option<String> {
        let rest = self.letters.iter().skip(self.at).copied();
        let rest =
            rest.take_while(|sign| *sign == ' ' || !is_gap(*sign) && !BRACKETS.contains(*sign));
        let (whole, taken) = spelt_out(word, rest.take(LONGEST_REMARK), self.squares_join)?;
        self.at += taken;
        Some(whole)
    }

    /// Returns whether the second part of a move is Black's. White's is a letter with an unreadable
    /// rest, and without Black's the row would be short.
    fn is_black_to_follow(&self, whole: &str, behind: &[char]) -> bool {
        let last = self.tokens.last().map(|token| &token.kind);
        let is_first = matches!(last, Some(TokenKind::Number { black: false, .. }));
        let behind: String = behind.iter().collect();
        let mut words = behind.split_whitespace();
        let (next, then) = (words.next().unwrap_or_default(), words.next());
        let ends_row =
            begins_row(next, then.unwrap_or_default()) || next.is_empty() && self.goes_on_below();
        let is_pawns = matches!(whole.as_bytes(), [_, b'a'..=b'h', b'3'..=b'7']);
        is_first && ends_row && is_pawns
    }

    /// Returns whether another row stands below this line.
    fn goes_on_below(&self) -> bool {
        let rest = self.letters.iter().skip(self.at);
        let below: String = rest.skip_while(|sign| **sign != '\n').take(20).collect();
        let mut words = below.split(is_gap).filter(|word| !word.is_empty());
        let (next, then) = (words.next().unwrap_or_default(), words.next());
        begins_row(next, then.unwrap_or_default())
    }

    /// Returns whether this is a stroke between White's move and Black's, which has no meaning.
    fn parts_columns(&self, word: &str) -> bool {
        let mut last = self.tokens.iter().rev().map(|token| &token.kind);
        let is_after_whites = matches!(last.next(), Some(TokenKind::Word(_)))
            && matches!(last.next(), Some(TokenKind::Number { black: false, .. }));
        let rest = self.letters.iter().skip(self.at);
        let rest: String = rest.take_while(|sign| **sign != '\n').take(12).collect();
        let next = rest.split_whitespace().next().unwrap_or_default();
        let is_move = next.starts_with(|first: char| first.is_alphabetic() || first == '0');
        matches!(word, "-" | "–" | "—") && is_after_whites && is_move
    }

    /// Returns the result that a word names. A number before moves is none, whatever follows it:
    /// `1-`, `1:`, `0-1.`
    fn result(&self, word: &str) -> Option<GameResult> {
        let plain = word.trim_end_matches('.');
        let is_won = matches!(plain, "+:-" | "-:+");
        let is_half = matches!(plain.get(..3), Some("0.5" | "0,5")) && plain.len() > 3;
        let has_points = plain.contains(['1', '½']) || is_half;
        let rest = self.letters.iter().skip(self.at);
        let mut rest = rest.take_while(|sign| **sign != '\n');
        let mut ends_line = || rest.all(|sign| is_gap(*sign));
        let is_number = match plain {
            "1-" | "1:" => !self.has_moves || !ends_line() || self.goes_on_below(),
            _ => plain.len() < word.len() && self.has_move_behind(),
        };
        let result = plain.replace(':', "-").parse().ok()?;
        ((has_points || is_won) && !is_number).then_some(result)
    }

    fn classify(&mut self, line: usize, word: &str) {
        if word.is_empty() || self.parts_columns(word) {
            return;
        }
        if self.takes_draw_words(line, word) || self.takes_winner_words(line, word) {
            return;
        }
        // The printed marks for a new move and a diagram.
        let is_print = self.is_pgn && matches!(word, "N" | "D" | "TN");
        if is_print && (self.is_row_full() || self.is_blacks_number_next()) {
            return;
        }
        if let Some(whole) = self.in_words(word) {
            return self.push(line, TokenKind::Word(whole));
        }
        if let Some(whole) = self.with_its_parts(word) {
            return self.classify(line, &whole);
        }
        if word.chars().all(|letter| letter == '.' || letter == '…') {
            // A single dot belongs to a number that stands apart.
            if word.len() > 1 {
                self.push(line, TokenKind::Dots);
            }
            return;
        }
        if let Some(left) = clock_time(word) {
            return self.push(line, TokenKind::Clock(left));
        }
        if word == ":" && self.is_after_number() {
            return;
        }
        if let Some(result) = self.result(word) {
            return self.push(line, TokenKind::Result(result));
        }
        // A draw offer directly after the move.
        if let Some(body) = word.strip_suffix('=')
            && body.ends_with(|last: char| last.is_ascii_digit() || "0Oo+#".contains(last))
        {
            self.classify(line, body);
            return self.push(line, TokenKind::Offer);
        }
        match word {
            "=" | "=?" | "=!" | "½?" | "1/2?" | "D.O." | "d.o." | "D.O" | "DO" => {
                return self.push(line, TokenKind::Offer);
            }
            "*" => return self.push(line, TokenKind::Unfinished),
            // In a place of its own it stands for an entry.
            mark if is_mark_in_words(mark) && self.is_after_number() => {
                return self.push(line, TokenKind::Word(word.to_owned()));
            }
            mark if is_mark_in_words(mark) || self.is_en_passant(mark) => return,
            _ => {}
        }
        let is_opinion = |letter: char| "!?+-=/±∓∞⩲⩱□".contains(letter);
        let is_empty_place = word.chars().all(|letter| "-–—_".contains(letter));
        if word == "?" && self.is_row_full() {
            return;
        }
        // A single question mark is an unreadable entry. More signs are an opinion.
        if word.chars().all(is_opinion) && !is_empty_place && word != "?" {
            // In a place of its own it is an unreadable move.
            let is_illegible = word.chars().all(|letter| letter == '?');
            let is_place = || self.is_after_number() || self.is_in_open_row();
            if is_illegible && (is_place() || self.is_unnumbered(word)) {
                self.push(line, TokenKind::Word("?".to_owned()));
            }
            return;
        }
        self.number_and_rest(line, word);
    }

    /// Returns whether a word only says that the previous move captures en passant, with any sign
    /// of check after it. Then it is a mark of that move and no entry.
    fn is_en_passant(&self, word: &str) -> bool {
        let rest = self.letters.iter().skip(self.at);
        let rest: String = rest.take_while(|sign| **sign != '\n').take(24).collect();
        begins_en_passant(word, rest.split_whitespace().next().unwrap_or_default())
    }

    /// Returns whether digits without a dot stand in the place of a move and are not the next
    /// number. They may be what a scan has left of `h5`.
    fn is_stray(&self, word: &str, found: u32) -> bool {
        let mut moves = 0;
        let last = self
            .tokens
            .iter()
            .rev()
            .find_map(|token| match &token.kind {
                TokenKind::Number { number, .. } => Some(*number),
                TokenKind::Word(_) | TokenKind::Dots => {
                    moves += 1;
                    None
                }
                _ => None,
            });
        let is_bare = word.bytes().all(|digit| digit.is_ascii_digit());
        let is_next = |last: u32| found == last || found == last.saturating_add(1);
        is_bare
            && moves < 2
            && last.is_some_and(|last| !is_next(last))
            && !self.begins_line_with(word)
    }

    fn number_and_rest(&mut self, line: usize, word: &str) {
        // A number after its sign: #1.
        let is_number = |rest: &&str| begins_row(rest, "") && self.begins_line_with(word);
        let word = word.strip_prefix('#').filter(is_number).unwrap_or(word);
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (head, rest) = word.split_at(digits);
        let behind = rest.trim_start_matches(['.', '…', ')', ':']);
        // Several strokes after the dot are an empty place, also when they stand apart from it.
        let is_empty_place = behind.len() < rest.len()
            && behind.chars().count() > 1
            && behind.chars().all(|sign| "-–—".contains(sign));
        let after = if is_empty_place {
            behind
        } else {
            rest.trim_start_matches(['.', '…', ')', ':', '-', '–'])
        };
        let dots = rest.len() - after.len();
        let marked = dots > 0 || rest.is_empty();
        match number(head, 4) {
            // 000 and 00 are castling written without dashes.
            Some(number) if marked && !head.starts_with('0') && !self.is_stray(word, number) => {
                let black = rest.starts_with("..") || rest.starts_with(['…']) || dots > 3;
                self.push(line, TokenKind::Number { number, black });
                if self.numbers_in_word >= MOST_NUMBERS {
                    self.push(line, TokenKind::Word(after.to_owned()));
                } else if !after.is_empty() {
                    self.numbers_in_word += 1;
                    self.classify(line, after);
                    self.numbers_in_word -= 1;
                }
            }
            _ => self.push(line, TokenKind::Word(word.to_owned())),
        }
    }
}

/// The separators of words: white space, the lines of a table, commas, quotes, invisible marks.
fn is_gap(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(
            letter,
            '|' | ','
                | '"'
                | '„'
                | '“'
                | '”'
                | '>'
                | '•'
                | '‣'
                | '▪'
                | '●'
                | '\u{feff}'
                | '\u{200b}'
        )
}

fn begins_with_digit(text: &str) -> bool {
    text.starts_with(|sign: char| sign.is_ascii_digit())
}

const fn is_stroke(letter: char) -> bool {
    matches!(letter, '-' | '–' | '—' | '_' | '=')
}

#[cfg(test)]
mod tests;
