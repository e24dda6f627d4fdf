//! Refuses files that are no score: no text at all, or a text about something else.

use super::entry::Entry;
use super::notated::Notated;
use super::read_score::{ReadNote, ReadNoteKind, ReadScoreError, ReadScoreErrorKind, at};
use super::scan::{Token, TokenKind};
use super::sheet::Entries;

/// How many words that are no moves any sheet may have.
const MOST_STRANGE: usize = 12;

/// So few words may be the remains of a sheet that is hardly legible.
const FEW: usize = 4;

/// How many numbered rows make a text look like a sheet.
const FEWEST_ROWS: usize = 2;

/// The greatest number of characters of a move on a sheet.
const MOST_SIGNS: usize = 8;

/// Refuses a file with too many characters that people do not write. A sheet that went through old
/// machines may have a few. One in UTF-16 without its mark has zero bytes between the letters.
pub(super) fn refuse_what_is_no_text(text: &str) -> Result<(), ReadScoreError> {
    const FEW_SIGNS: usize = 7;
    const ONE_IN: usize = 50;
    let is_strange = |sign: &char| {
        let is_usual = matches!(sign, '\n' | '\r' | '\t' | '\u{c}' | '\u{1a}' | '\0');
        sign.is_control() && !is_usual || *sign == char::REPLACEMENT_CHARACTER
    };
    let signs = text.chars().filter(is_strange).count();
    if signs <= FEW_SIGNS || signs * ONE_IN <= text.chars().count() {
        return Ok(());
    }
    let before = text.chars().take_while(|sign| !is_strange(sign));
    let line = before.filter(|sign| *sign == '\n').count() + 1;
    Err(at(line, ReadScoreErrorKind::NoText { signs }))
}

/// Refuses a text if most of its words, or most of their characters, are no moves.
pub(super) fn refuse_other_texts(
    tokens: &[Token],
    entries: &Entries,
) -> Result<(), ReadScoreError> {
    // A question mark itself says that nothing can be read.
    let strange_word = |note: &ReadNote| match &note.kind {
        ReadNoteKind::Unreadable(word) | ReadNoteKind::Remark(word)
            if !word.chars().all(|sign| "?_".contains(sign)) =>
        {
            Some(word.chars().count())
        }
        _ => None,
    };
    let strange_words = || entries.notes.iter().filter_map(strange_word);
    let strange = strange_words().count();
    let strange_signs: usize = strange_words().sum();
    let is_remark = |note: &&ReadNote| matches!(note.kind, ReadNoteKind::Remark(_));
    let words = entries.entries.len() + entries.notes.iter().filter(is_remark).count();
    let signs: usize = entries
        .entries
        .iter()
        .map(|it| it.words().chars().count())
        .sum();
    let are_most_words = strange > MOST_STRANGE && strange * 2 > words;
    let are_most_signs = strange_signs > MOST_STRANGE * MOST_SIGNS && strange_signs * 2 > signs;
    if are_most_words || are_most_signs {
        return Err(no_score(tokens, words - strange, words));
    }
    Ok(())
}

/// Refuses a list without rows and without a legal first move, in which hardly any entry is a whole
/// move.
pub(super) fn refuse_remains(tokens: &[Token], entries: &Entries) -> Result<(), ReadScoreError> {
    let (moves, words) = (whole_moves(entries), entries.entries.len());
    if words > FEW && moves * 2 < words && !has_rows(tokens, entries) {
        return Err(no_score(tokens, moves, words));
    }
    Ok(())
}

fn no_score(tokens: &[Token], moves: usize, words: usize) -> ReadScoreError {
    let line = tokens.first().map_or(1, |token| token.line);
    at(line, ReadScoreErrorKind::NoScore { moves, words })
}

/// Returns whether most of the numbers are those of consecutive rows.
fn has_rows(tokens: &[Token], entries: &Entries) -> bool {
    let is_number = |token: &&Token| matches!(token.kind, TokenKind::Number { .. });
    let is_wrong = |note: &&ReadNote| matches!(note.kind, ReadNoteKind::WrongNumber { .. });
    let numbers = tokens.iter().filter(is_number).count();
    let wrong = entries.notes.iter().filter(is_wrong).count();
    numbers >= FEWEST_ROWS && wrong * 2 <= numbers
}

/// Returns how many entries name the square of arrival, or are castling.
fn whole_moves(entries: &Entries) -> usize {
    let is_whole = |entry: &&Entry| match &entry.notated {
        Notated::Move(notated) => notated.to.square().is_some() || notated.takes.is_some(),
        Notated::Castling(_) => true,
        Notated::Unreadable | Notated::Blank => false,
    };
    entries.entries.iter().filter(is_whole).count()
}
