//! Assembles the words of a sheet into entries.

use std::collections::BTreeSet;

use shakmaty::{Color, Rank, Role};

use super::clock_times::{ClockTime, clock_time, settle};
use super::draw_words::{DrawWords, all_draw_words, is_about_offers};
use super::entry::{Entry, Provenance, SheetPlace};
use super::letters::Letters;
use super::marks_in_words::is_mark_in_words;
use super::notated::Notated;
use super::read_score::{
    MOST_ENTRIES, ReadNote, ReadNoteKind, ReadScoreError, ReadScoreErrorKind, shortened,
};
use super::scan::{Token, TokenKind};
use super::standing::{Meaning, Standing};
use super::written::read_move;
use annexd_laws::GameResult;

/// The least number of letters of a word that is no move. Shorter words may be the remains of a
/// move.
const FEWEST_LETTERS: usize = 4;

/// The greatest number of words of a row to look ahead.
const MOST_IN_ROW: usize = 100;

/// The entries of a score, and what else its moves say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Entries {
    pub(super) entries: Vec<Entry>,
    /// The line of each entry.
    pub(super) lines: Vec<usize>,
    pub(super) suspended: Vec<usize>,
    pub(super) result: Option<GameResult>,
    /// The line of the result.
    pub(super) result_line: usize,
    pub(super) notes: Vec<ReadNote>,
    /// The entries that our own marks gave in words.
    marked: Vec<usize>,
}

impl Entries {
    /// Writes the moves of a score in long form again, which PGN has in short form. Entries that
    /// are no legal move, or that marks gave in words, stay as written.
    pub(super) fn lengthen(&mut self, mut standing: Standing) {
        for (at, entry) in self.entries.iter_mut().enumerate() {
            let Meaning::Legal(played) = standing.read(entry) else {
                return;
            };
            standing = standing.after(played);
            if !self.marked.contains(&at) {
                entry.notated = entry.notated.lengthened(played);
            }
        }
    }
}

/// Assembles the tokens into entries.
pub(super) fn assemble(
    tokens: &[Token],
    letters: Letters,
    first: SheetPlace,
) -> Result<Entries, ReadScoreError> {
    let mut sheet = Sheet {
        read: Entries::default(),
        place: None,
        last: None,
        first,
        ahead: 0,
        line: 1,
        empty: 0,
        filled: None,
        row: None,
        third: None,
        remark: None,
        short_times: BTreeSet::new(),
        has_ended: false,
    };
    for (at, token) in tokens.iter().enumerate() {
        sheet.line = token.line;
        if token.kind == TokenKind::Draw {
            sheet.draw(tokens.get(at + 1..).unwrap_or_default());
            continue;
        }
        let begins_again = matches!(token.kind, TokenKind::Number { number: 1, .. });
        if sheet.has_ended && begins_again && sheet.last.is_some_and(|last| last.number > 1) {
            sheet.note(ReadNoteKind::AnotherGame);
            break;
        }
        let rest = tokens.get(at + 1..).unwrap_or_default();
        if sheet.is_remark(token, rest, letters) {
            continue;
        }
        sheet.take(token, letters);
        if sheet.read.entries.len() > MOST_ENTRIES {
            return Err(ReadScoreError {
                line: token.line,
                kind: ReadScoreErrorKind::TooLong,
            });
        }
    }
    Ok(sheet.ended())
}

struct Sheet {
    read: Entries,
    /// The place of the next entry, if a number gave it.
    place: Option<SheetPlace>,
    /// The place of the last entry.
    last: Option<SheetPlace>,
    /// The place of the first move of the game.
    first: SheetPlace,
    /// How many places the sheet is ahead of the numbers in the text, as a mark has said.
    ahead: i64,
    /// The current line.
    line: usize,
    /// How many of the last entries are empty places.
    empty: usize,
    /// The line of the last remark.
    remark: Option<usize>,
    /// How many places of the row that began with a number are filled, if one has begun.
    filled: Option<usize>,
    /// The last number and its line.
    row: Option<(usize, u32)>,
    /// The third entry after a number on its line, with that line.
    third: Option<(usize, String)>,
    /// The entries whose time has two parts.
    short_times: BTreeSet<usize>,
    /// Whether the result or `*` was found.
    has_ended: bool,
}

impl Sheet {
    fn take(&mut self, token: &Token, letters: Letters) {
        match &token.kind {
            TokenKind::Number { number, black } => self.number(*number, *black),
            TokenKind::Dots => self.dots(),
            TokenKind::Word(word) => self.word(word, letters),
            TokenKind::Offer | TokenKind::Draw => self.offer(None),
            TokenKind::OfferBy(side) => self.offer(Some(*side)),
            TokenKind::Clock(left) => self.clock(*left),
            TokenKind::Replaced { word, misheard } => {
                if let Some(entry) = self.read.entries.last_mut() {
                    let replaced = if *misheard {
                        &mut entry.misheard
                    } else {
                        &mut entry.slips
                    };
                    replaced.push(read_move(word, letters));
                }
            }
            TokenKind::Result(result) => self.result(*result),
            TokenKind::Unfinished => self.has_ended = true,
            TokenKind::Comment(text) => self.comment(text),
            TokenKind::Aside(text) => self.note(ReadNoteKind::Aside(shortened(text))),
            TokenKind::Unclosed(bracket) => self.note(ReadNoteKind::Unclosed(*bracket)),
        }
    }

    /// Takes a result. The last one counts, and an earlier different one gets a note.
    fn result(&mut self, found: GameResult) {
        if let Some(before) = self.read.result.filter(|before| *before != found) {
            let taken = found;
            self.note(ReadNoteKind::OtherResult {
                before,
                found,
                taken,
            });
        }
        self.read.result = Some(found);
        self.read.result_line = self.line;
        self.has_ended = true;
    }

    /// Takes a draw offer. It belongs to the previous move, or to the last one of the named side.
    fn offer(&mut self, by: Option<Color>) {
        let is_others = self.last.is_some_and(|last| by == Some(!last.side));
        let entry = self.read.entries.iter_mut().rev().nth(is_others.into());
        if let Some(entry) = entry {
            entry.offer = true;
        }
    }

    /// Takes a word for a draw. After the last move it is the result, elsewhere an offer.
    fn draw(&mut self, after: &[Token]) {
        let goes_on = |token: &Token| {
            use TokenKind::{Comment, Offer, OfferBy, Result, Word};
            matches!(
                token.kind,
                Word(_) | Comment(_) | Offer | OfferBy(_) | Result(_)
            )
        };
        if after.iter().any(goes_on) {
            return self.offer(None);
        }
        self.result(GameResult::Draw);
    }

    fn note(&mut self, kind: ReadNoteKind) {
        let line = self.line;
        self.read.notes.push(ReadNote { line, kind });
    }

    /// Ignores remarks and the numbers in them, with a note.
    fn is_remark(&mut self, token: &Token, rest: &[Token], letters: Letters) -> bool {
        let is_in_remark = self.remark == Some(token.line);
        match &token.kind {
            TokenKind::Word(word)
                if self.stands_beside(word, rest, letters) || is_mark_alone(word, rest) =>
            {
                if word.chars().any(char::is_alphanumeric) {
                    self.note(ReadNoteKind::Remark(word.clone()));
                }
                self.remark = Some(token.line);
                true
            }
            TokenKind::Number { .. } => {
                let next = rest.first().filter(|next| next.line == token.line);
                let is_moves = next.is_some_and(|next| match &next.kind {
                    TokenKind::Word(word) => read_move(word, letters) != Notated::Unreadable,
                    TokenKind::Dots => true,
                    _ => false,
                });
                is_in_remark && !is_moves
            }
            _ => false,
        }
    }

    /// Returns whether a word is a remark or a stroke: it cannot be read as a move, its row has
    /// both moves, and no move follows it there.
    fn stands_beside(&self, word: &str, rest: &[Token], letters: Letters) -> bool {
        let is_number = |token: &&Token| matches!(token.kind, TokenKind::Number { .. });
        let is_move = |token: &Token| match &token.kind {
            TokenKind::Word(word) => read_move(word, letters).is_legible(),
            _ => false,
        };
        let row = rest.iter().take(MOST_IN_ROW);
        let mut row = row.take_while(|token| !is_number(token));
        let is_long = self.remark == Some(self.line) || word.chars().count() >= FEWEST_LETTERS;
        let mut signs = word.trim_end_matches(['.', ':', '!']).chars();
        let is_nothing = match read_move(word, letters) {
            Notated::Unreadable => is_long && signs.all(char::is_alphabetic),
            Notated::Blank => true,
            Notated::Move(_) | Notated::Castling(_) => false,
        };
        let is_full = self.filled.is_some_and(|filled| filled >= 2);
        !self.has_ended && is_full && is_nothing && !row.any(is_move)
    }

    fn word(&mut self, word: &str, letters: Letters) {
        let notated = read_move(word, letters);
        if notated != Notated::Unreadable {
            self.third_in_row(word);
            return self.push(notated, Some(word.to_owned()));
        }
        // Remarks may follow the result.
        if self.has_ended || self.promotion(word, letters) {
            return;
        }
        if let Some((white, black)) = word.split_once('/') {
            let both = [white, black].map(|half| read_move(half, letters));
            if both.iter().all(Notated::is_legible) {
                let [first, second] = both;
                self.push(first, Some(white.to_owned()));
                return self.push(second, Some(black.to_owned()));
            }
        }
        if is_remark(word) || is_about_offers(word) {
            return self.note(ReadNoteKind::Remark(word.to_owned()));
        }
        self.note(ReadNoteKind::Unreadable(word.to_owned()));
        self.third_in_row(word);
        self.push(notated, Some(word.to_owned()));
    }

    /// Remembers the third entry of a row, which has no place for it.
    fn third_in_row(&mut self, word: &str) {
        let is_in_line = self.row.is_some_and(|(line, _)| line == self.line);
        if self.filled == Some(2) && is_in_line {
            self.third = Some((self.line, word.to_owned()));
        }
    }

    /// Ends the row, perhaps before another number. Of four entries, two are a row whose number was
    /// left out, and so may be one of three. Otherwise one is too many, and stands in the last
    /// column with the one before it.
    fn end_row(&mut self, next: Option<u32>) {
        let (Some((line, word)), Some((_, row))) = (self.third.take(), self.row) else {
            return;
        };
        let is_left_out = next.is_some_and(|next| next == row.saturating_add(2));
        let filled = self.filled.unwrap_or_default();
        if is_left_out || filled.is_multiple_of(2) {
            return;
        }
        let kind = ReadNoteKind::ThirdInRow(word);
        self.read.notes.push(ReadNote { line, kind });
        if let Some(entry) = self.read.entries.last_mut().filter(|_| filled == 3) {
            let place = SheetPlace {
                number: row,
                side: Color::Black,
            };
            entry.place = Some(place);
            self.last = Some(place);
        }
    }

    /// Takes the piece of a promotion that stands apart from its move: `e8 D`.
    fn promotion(&mut self, word: &str, letters: Letters) -> bool {
        let mut signs = word.trim_start_matches(['=', '/']).chars();
        let (Some(sign), None) = (signs.next(), signs.next()) else {
            return false;
        };
        // It may be a letter of other sheets.
        let all = std::iter::once(letters).chain(Letters::DISTINCT);
        let mut roles = all.filter_map(|letters| letters.role(sign));
        let Some(role) = roles.find(|role| !matches!(role, Role::Pawn | Role::King)) else {
            return false;
        };
        let Some(entry) = self.read.entries.last_mut() else {
            return false;
        };
        match &mut entry.notated {
            Notated::Move(notated)
                if matches!(notated.piece, None | Some(Role::Pawn))
                    && matches!(notated.to.rank, Some(Rank::First | Rank::Eighth))
                    && notated.promotion.is_none() =>
            {
                notated.promotion = Some(role);
                let written = entry.written.take().unwrap_or_default();
                entry.written = Some(format!("{written} {word}"));
                true
            }
            _ => false,
        }
    }

    /// Takes a time, which is that of the last entry. Of two times after both entries, the first is
    /// White's.
    fn clock(&mut self, time: ClockTime) {
        let Some(last) = self.read.entries.len().checked_sub(1) else {
            return;
        };
        let earlier = self.time_of(last, Some(time));
        let before = last.checked_sub(1);
        if let Some(before) = before.filter(|_| earlier.is_some())
            && self
                .read
                .entries
                .get(before)
                .is_some_and(|it| it.clock.is_none())
        {
            self.time_of(before, earlier);
        }
    }

    /// Records a time beside an entry, and returns the one that was there before.
    fn time_of(&mut self, at: usize, time: Option<ClockTime>) -> Option<ClockTime> {
        let entry = self.read.entries.get_mut(at)?;
        let left = entry.clock.take();
        let is_short = self.short_times.remove(&at);
        entry.clock = time.map(|time| time.left);
        if time.is_some_and(|time| time.is_short) {
            self.short_times.insert(at);
        }
        left.map(|left| ClockTime { left, is_short })
    }

    fn number(&mut self, number: u32, black: bool) {
        let SheetPlace { number, side } = self.on_sheet(SheetPlace {
            number,
            side: Color::from_white(!black),
        });
        let black = side.is_black();
        self.end_row(Some(number));
        self.row = Some((self.line, number));
        self.empty_row(number, black);
        if let Some(last) = self.last {
            let expected = match last.side {
                Color::White => last.number.saturating_add(u32::from(!black)),
                Color::Black => last.number.saturating_add(1),
            };
            let repeated = number == last.number && last.side == Color::White;
            if last.side == Color::White && !black && number == expected {
                // Black's place in the last row was left empty.
                self.push_empty();
            } else if number != expected && !repeated {
                self.note(ReadNoteKind::WrongNumber {
                    expected,
                    found: number,
                });
            }
            if repeated && !black {
                self.place = Some(SheetPlace {
                    number,
                    side: Color::Black,
                });
                self.filled = Some(1);
                return;
            }
        }
        self.place = Some(SheetPlace { number, side });
        if black && self.next_side() == Color::White {
            // White's place in this row was left empty.
            self.place = Some(SheetPlace {
                number,
                side: Color::White,
            });
            self.push_empty();
            self.place = Some(SheetPlace { number, side });
        }
        self.filled = Some(black.into());
    }

    /// Returns the place on the sheet for a number in the text.
    fn on_sheet(&self, place: SheetPlace) -> SheetPlace {
        SheetPlace::behind(place.before() + self.ahead).unwrap_or(place)
    }

    /// Sets the place of the last entry from a mark. The numbers of the text, which are PGN's,
    /// count on from there.
    fn numbered(&mut self, place: SheetPlace) {
        let (Some(last), Some(entry)) = (self.last, self.read.entries.last_mut()) else {
            return;
        };
        entry.place = Some(place);
        self.last = Some(place);
        self.ahead += place.before() - last.before();
        if place.number != last.number {
            self.note(ReadNoteKind::WrongNumber {
                expected: last.number,
                found: place.number,
            });
        }
    }

    /// Adds an empty row, if only its number is there before the next row.
    fn empty_row(&mut self, number: u32, black: bool) {
        let follows = |place: &SheetPlace| {
            place.side == Color::White && place.number.checked_add(1) == Some(number)
        };
        if !black && self.place.as_ref().is_some_and(follows) {
            self.push_empty();
            self.push_empty();
        }
    }

    /// Handles `...` after a number: White's place is empty, or its move stands before a comment.
    fn dots(&mut self) {
        match self.place {
            Some(place) if place.side == Color::White => {
                self.place = None;
                self.number(place.number, true);
            }
            Some(_) => {}
            None => self.push(Notated::Blank, Some("...".to_owned())),
        }
    }

    /// The side whose entry comes next by counting.
    const fn next_side(&self) -> Color {
        match self.last {
            Some(last) => last.side.other(),
            None => self.first.side,
        }
    }

    fn push_empty(&mut self) {
        let empty = self.empty;
        self.push(Notated::Blank, None);
        self.empty = empty + 1;
    }

    /// Returns the result. Printed numbers below the last move are no empty places.
    fn ended(mut self) -> Entries {
        self.end_row(None);
        self.read.notes.sort_by_key(|note| note.line);
        let entries = self.read.entries.len() - self.empty;
        self.read.entries.truncate(entries);
        self.read.lines.truncate(entries);
        settle(&mut self.read.entries, &self.short_times, self.first);
        self.read
    }

    fn push(&mut self, notated: Notated, written: Option<String>) {
        self.empty = 0;
        let counted = self.last.map_or(self.first, SheetPlace::next);
        let place = self.place.take();
        self.last = Some(place.unwrap_or(counted));
        self.filled = self.filled.map(|filled| filled + 1);
        self.read.lines.push(self.line);
        self.read.entries.push(Entry {
            written,
            place,
            ..Entry::new(notated)
        });
    }

    /// Reads our own marks, and the clock times that programs write into comments.
    fn comment(&mut self, text: &str) {
        if text.contains("[%suspended]") {
            self.read.suspended.push(self.read.entries.len());
        }
        for (name, value) in marks(text) {
            match name {
                "written" => {
                    let word = unescaped(value);
                    self.push(read_move(&word, Letters::English), None);
                }
                "illegible" => self.push(Notated::Unreadable, Some(unescaped(value))),
                "blank" => self.push(Notated::Blank, None),
                "number" => {
                    if let Ok(place) = value.parse() {
                        self.numbered(place);
                    }
                }
                _ => {}
            }
            let last = self.read.entries.len().saturating_sub(1);
            if name == "clk"
                && let Some(time) = clock_time(value)
            {
                self.time_of(last, Some(time));
            }
            let Some(entry) = self.read.entries.last_mut() else {
                continue;
            };
            match name {
                "reads" => {
                    let words = unescaped(value);
                    entry.notated = read_move(&words, Letters::English);
                    entry.written = Some(words);
                    self.read.marked.push(last);
                }
                "slip" => {
                    let word = unescaped(value);
                    entry.slips.push(read_move(&word, Letters::English));
                }
                "misheard" => {
                    let word = unescaped(value);
                    entry.misheard.push(read_move(&word, Letters::English));
                }
                "completed" => entry.provenance = Provenance::Completed,
                "reconstructed" => entry.provenance = Provenance::Reconstructed,
                _ => {}
            }
        }
        let words = without_marks(text);
        // "draw" alone may be an opinion about the position.
        match all_draw_words(&words) {
            Some(DrawWords::Offer(by)) => self.offer(by),
            _ if words.contains("(=)") || words.trim() == "=" => self.offer(None),
            _ => {}
        }
    }
}

/// Returns whether a line above the moves only names the columns: `Nr. White Black`.
pub(super) fn is_caption(line: &str) -> bool {
    const WORDS: [&str; 34] = [
        "nr", "no", "zug", "züge", "move", "moves", "træk", "drag", "lance", "lances", "coup",
        "coups", "zet", "zetten", "white", "black", "weiß", "weiss", "schwarz", "hvid", "sort",
        "vit", "svart", "brancas", "pretas", "blancs", "noirs", "wit", "zwart", "zeit", "time",
        "tid", "tijd", "tempo",
    ];
    let mut words = line
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.all(|word| WORDS.contains(&&*word.to_lowercase()))
}

/// Returns whether a word only says how the game has ended, because no other entry stands in its
/// row.
fn is_mark_alone(word: &str, rest: &[Token]) -> bool {
    let is_number = |token: &&Token| matches!(token.kind, TokenKind::Number { .. });
    let row = rest.iter().take(MOST_IN_ROW);
    let mut row = row.take_while(|token| !is_number(token));
    is_mark_in_words(word) && !row.any(|token| matches!(token.kind, TokenKind::Word(_)))
}

/// Returns whether people use this word to say who has resigned or won.
fn is_remark(word: &str) -> bool {
    const WORDS: [&str; 47] = [
        "blancs",
        "noirs",
        "les",
        "abandon",
        "abandonne",
        "abandonnent",
        "gagne",
        "gagnent",
        "brancas",
        "pretas",
        "abandonam",
        "desistem",
        "ganham",
        "wit",
        "zwart",
        "geeft",
        "wint",
        "weiß",
        "weiss",
        "schwarz",
        "gibt",
        "gab",
        "gewann",
        "auf",
        "aufgegeben",
        "gewinnt",
        "white",
        "black",
        "resigns",
        "resigned",
        "wins",
        "hvid",
        "sort",
        "opgiver",
        "opgav",
        "opgivet",
        "vinder",
        "vit",
        "svart",
        "ger",
        "upp",
        "vinner",
        "ergebnis",
        "result",
        "resultat",
        "resultado",
        "uitslag",
    ];
    let word = word.trim_matches(['.', '!', ':']).to_lowercase();
    WORDS.contains(&word.as_str())
}

/// Returns the `[%name value]` marks of a comment in their order.
fn marks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("[%").skip(1).filter_map(|rest| {
        let (inside, _) = rest.split_once(']')?;
        let (name, value) = inside
            .split_once(char::is_whitespace)
            .unwrap_or((inside, ""));
        Some((name, value.trim()))
    })
}

/// Returns what people have written in a comment beside the marks of programs.
fn without_marks(text: &str) -> String {
    let mut parts = text.split("[%");
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        words.push(' ');
        words.push_str(part.split_once(']').map_or(part, |(_, behind)| behind));
    }
    words
}

/// Undoes the escapes of the writer.
fn unescaped(text: &str) -> String {
    let mut plain = text.to_owned();
    for letter in ['[', ']', '{', '}', '%'] {
        plain = plain.replace(&format!("%{:02X}", u32::from(letter)), &letter.to_string());
    }
    plain
}
