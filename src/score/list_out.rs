//! Writes a score as a list of moves in the letters of a language.

use std::fmt::Write as _;

use shakmaty::Color;

use super::entry::Entry;
use super::kept::Score;
use super::letters::Letters;
use super::marks;
use super::notated::Notated;
use super::pgn_out::{clock_text, side_name};
use super::sheet_in::tag_name;
use super::standing::{Reading, Standing};
use super::written::write_move;

/// One row of a sheet: a number and the entries of both sides.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) white: Option<Entry>,
    pub(super) black: Option<Entry>,
}

/// The rows of a score, counted from the starting position. The entries stand in their order; a
/// score that begins with Black has an empty first place.
pub(super) fn rows(score: &Score) -> Vec<Row> {
    let start = score.start();
    let entries = with_pieces(score);
    let mut rows = Vec::new();
    let mut number = start.fullmoves.get();
    let mut at = 0;
    while at < entries.len() {
        let skips_white = at == 0 && start.turn.is_black();
        let white = if skips_white {
            None
        } else {
            entries.get(at).cloned()
        };
        at += usize::from(!skips_white);
        let black = entries.get(at).cloned();
        at += 1;
        rows.push(Row {
            number,
            white,
            black,
        });
        number = number.saturating_add(1);
    }
    rows
}

/// The entries, each with the piece that its squares tell where nobody named it.
fn with_pieces(score: &Score) -> Vec<Entry> {
    let mut standing = Standing::of(score.start());
    let mut entries = score.entries().to_vec();
    for entry in &mut entries {
        let reading = standing.read(entry);
        standing = standing.after_entry(entry);
        if let (Notated::Move(notated), Reading::Legal(played)) = (&mut entry.notated, reading)
            && notated.from.square().is_some()
        {
            notated.piece = notated.piece.or_else(|| Some(played.role()));
        }
    }
    entries
}

/// The names and circumstances that stand above the moves, in their order; without those that
/// would be read as something else there.
pub(super) fn headings(score: &Score) -> Vec<(String, String)> {
    let mut lines: Vec<_> = score.tags().to_vec();
    lines.retain(|(name, _)| tag_name(name).is_some());
    if let Some(keeper) = score.keeper() {
        lines.push(("ScoreOf".to_owned(), side_name(keeper).to_owned()));
    }
    if let Some(fen) = score.start_fen() {
        lines.push(("FEN".to_owned(), fen));
    }
    let said = marks::lines(score, Color::ALL.map(side_name));
    lines.extend(said.into_iter().map(|(name, at)| (name.to_owned(), at)));
    if let Some(result) = score.result() {
        lines.push(("Result".to_owned(), result.to_string()));
    }
    let signed: Vec<_> = score
        .signatures()
        .iter()
        .map(|signed| side_name(signed.side))
        .collect();
    if !signed.is_empty() {
        lines.push(("Signed".to_owned(), signed.join(" ")));
    }
    lines
}

/// Writes a score as plain lines, one for each number: `12. Sf3 (0:59:30) d5 (=)`.
///
/// It is read again by [`super::read_score`]; letters that are not English are named above the
/// moves. Slips are left out.
pub fn to_list(score: &Score, letters: Letters) -> String {
    let mut text = String::new();
    let named = (letters != Letters::English).then(|| ("Letters".to_owned(), letters.to_string()));
    for (name, value) in headings(score).into_iter().chain(named) {
        let _ = writeln!(text, "{name}: {}", value.replace(['\n', '\r'], " "));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    for row in rows(score) {
        let _ = write!(text, "{}.", row.number);
        if row.white.is_none() {
            text.push_str("..");
        }
        for entry in [&row.white, &row.black].into_iter().flatten() {
            text.push(' ');
            text.push_str(&in_letters(entry, letters));
            if let Some(left) = entry.clock {
                let _ = write!(text, " ({})", clock_text(left));
            }
            if entry.offer {
                text.push_str(" (=)");
            }
        }
        text.push('\n');
    }
    text
}

/// An entry in letters; what cannot be read stands as `?`, an empty place as `--`.
pub(super) fn in_letters(entry: &Entry, letters: Letters) -> String {
    match &entry.notated {
        Notated::Blank => "--".to_owned(),
        notated => write_move(notated, letters),
    }
}
