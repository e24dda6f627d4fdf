//! Writes a score as a list of moves in the letters of a language.

use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::Color;

use super::bracketed::{MISHEARD, SLIP};
use super::entry::{Entry, Place};
use super::kept::Score;
use super::letters::Letters;
use super::list_in::tag_name;
use super::marks;
use super::notated::Notated;
use super::pgn_out::{clock_text, side_name};
use super::scan::scan;
use super::sheet::assemble;
use super::standing::{Reading, Standing};
use super::written::write_move;

/// One row of a sheet: a number and the entries of both sides.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) white: Option<Entry>,
    pub(super) black: Option<Entry>,
    /// An entry too many, which stands behind Black's.
    pub(super) third: Option<Entry>,
}

impl Row {
    /// The entries in their order.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        [&self.white, &self.black, &self.third]
            .into_iter()
            .flatten()
    }
}

/// The rows of a score under the numbers that were written there, otherwise counted. The entries
/// stand in their order; a row has an empty first place where Black's entry stands apart.
pub(super) fn rows(score: &Score) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (entry, Place { number, side }) in with_pieces(score).into_iter().zip(score.places()) {
        let row = rows.last_mut().filter(|row| row.number == number);
        let open = row.filter(|row| row.third.is_none() && side.is_black());
        match open {
            Some(row) if row.black.is_none() => row.black = Some(entry),
            Some(row) => row.third = Some(entry),
            None => {
                let (white, black) = match side {
                    Color::White => (Some(entry), None),
                    Color::Black => (None, Some(entry)),
                };
                rows.push(Row {
                    number,
                    white,
                    black,
                    third: None,
                });
            }
        }
    }
    if let Some(first) = rows.first_mut().filter(|row| row.number != 1)
        && !first.entries().any(|entry| entry.notated.is_legible())
    {
        // Without a move that can be read only signs tell that the moves begin here.
        let entries = [&mut first.white, &mut first.black, &mut first.third];
        for entry in entries.into_iter().flatten() {
            entry.written = None;
        }
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

/// Writes a score as plain lines, one for each number: `12. Sf3 (0:59:30) d5 (=)`. The numbers are
/// those of the sheet, also wrong ones; what an entry has replaced stands behind it: `[slip Sh3]`.
///
/// It is read again by [`super::read_score`]; letters that are not English are named above the
/// moves.
pub fn to_list(score: &Score, letters: Letters) -> String {
    listed(score, letters, clock_text)
}

/// The same for a person to read: times in hours, minutes and seconds.
pub fn to_shown_list(score: &Score, letters: Letters) -> String {
    listed(score, letters, time_shown)
}

fn listed(score: &Score, letters: Letters, time: fn(Duration) -> String) -> String {
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
        for entry in row.entries() {
            text.push(' ');
            text.push_str(&in_letters(entry, letters));
            for (name, replaced) in replaced(entry) {
                let _ = write!(text, " [{name}{}]", write_move(replaced, letters));
            }
            if let Some(left) = entry.clock {
                let _ = write!(text, " ({})", time(left));
            }
            if entry.offer {
                text.push_str(" (=)");
            }
        }
        text.push('\n');
    }
    text
}

/// What an entry has replaced, with the name of each.
pub(super) fn replaced(entry: &Entry) -> impl Iterator<Item = (&'static str, &Notated)> {
    let slips = entry.slips.iter().map(|slip| (SLIP, slip));
    slips.chain(entry.misheard.iter().map(|heard| (MISHEARD, heard)))
}

/// Hours, minutes and seconds, as a chessclock shows them to players.
pub(super) fn time_shown(left: Duration) -> String {
    clock_text(Duration::from_secs(left.as_secs()))
}

/// An entry in letters. What cannot be read stands as it is written, or as `?` if that would be
/// read as something else; an empty place as `--`.
pub(super) fn in_letters(entry: &Entry, letters: Letters) -> String {
    match (&entry.notated, &entry.written) {
        (Notated::Blank, _) => "--".to_owned(),
        (Notated::Unreadable, Some(written)) if is_illegible(written) => written.clone(),
        (notated, _) => write_move(notated, letters),
    }
}

/// Whether a word of a sheet is an entry that cannot be read, in whatever letters and column.
fn is_illegible(word: &str) -> bool {
    let first = Place {
        number: 1,
        side: Color::White,
    };
    let columns = [(format!("1. {word} e4"), 0), (format!("1. e4 {word}"), 1)];
    columns.iter().all(|(row, at)| {
        let tokens = scan(row, 1);
        Letters::DISTINCT.into_iter().all(|letters| {
            let read = assemble(&tokens, letters, first).unwrap_or_default();
            let entry = read.entries.get(*at).filter(|_| read.entries.len() == 2);
            entry.is_some_and(|entry| {
                entry.notated == Notated::Unreadable && entry.written.as_deref() == Some(word)
            })
        })
    })
}
