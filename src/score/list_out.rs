//! Writes a score as a list of moves in the letters of a language.

use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::Color;

use super::bracketed::{MISHEARD, SLIP};
use super::entry::{Entry, SheetPlace};
use super::kept::Score;
use super::letters::Letters;
use super::list_in::tag_name;
use super::marks;
use super::notated::Notated;
use super::pgn_out::{clock_text, side_name};
use super::scan::scan;
use super::sheet::assemble;
use super::sheet_words::SheetWords;
use super::standing::Standing;
use super::written::write_move;

/// Stands for an unreadable entry where a question mark would be read as an opinion.
const ILLEGIBLE: &str = "?_?";

/// One row of a sheet: a number and the entries of both sides.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) white: Option<Entry>,
    pub(super) black: Option<Entry>,
    /// An entry too many, after Black's.
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

/// Returns the rows of a score under the numbers written there, or under counted ones. The entries
/// are in their order. A row has an empty first place if Black's entry stands alone.
pub(super) fn rows(score: &Score) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (entry, SheetPlace { number, side }) in with_pieces(score).into_iter().zip(score.places()) {
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
    for row in rows.iter_mut().filter(|row| row.third.is_some()) {
        for entry in [&mut row.black, &mut row.third].into_iter().flatten() {
            told_from_opinions(entry);
        }
    }
    if let Some(first) = rows.first_mut().filter(|row| row.number != 1)
        && !first.entries().any(|entry| entry.notated.is_legible())
    {
        // Without a legible move, only these signs show that the moves begin here.
        let entries = [&mut first.white, &mut first.black, &mut first.third];
        for entry in entries.into_iter().flatten() {
            entry.written = None;
        }
    }
    rows
}

/// Replaces an unreadable entry by a sign that nobody else writes, in a row of three. Between two
/// moves and after them, `?` would be read as an opinion.
fn told_from_opinions(entry: &mut Entry) {
    let is_told = |word: &String| is_illegible(word) && word.contains(|sign| sign != '?');
    // A word after the moves of a row may be taken for a remark.
    let is_word = |word: &String| word.chars().all(char::is_alphabetic);
    let is_kept = entry
        .written
        .as_ref()
        .is_some_and(|word| is_told(word) && !is_word(word));
    if entry.notated == Notated::Unreadable && !is_kept {
        entry.written = Some(ILLEGIBLE.to_owned());
    }
}

/// Returns the entries, each with the piece that its squares show, if nobody named it.
fn with_pieces(score: &Score) -> Vec<Entry> {
    let mut standing = Standing::of(score.start());
    let mut entries = score.entries().to_vec();
    for entry in &mut entries {
        let meant = standing.meanings(entry).first().copied();
        standing = standing.after_entry(entry);
        if let (Notated::Move(notated), Some(played)) = (&mut entry.notated, meant)
            && notated.from.square().is_some()
        {
            // A promotion whose piece is open is a pawn's move in every case.
            notated.piece = notated.piece.or_else(|| Some(played.role()));
        }
    }
    entries
}

/// Returns the names and circumstances above the moves, in their order, without those that would be
/// read as something else there.
pub(super) fn headings(score: &Score) -> Vec<(String, String)> {
    headings_with(score, Color::ALL.map(side_name))
}

/// Returns the same lines with these names for the sides.
fn headings_with(score: &Score, sides: [&str; 2]) -> Vec<(String, String)> {
    let [white, black] = sides;
    let side_name = |side: Color| side.fold_wb(white, black);
    let mut lines: Vec<_> = score.tags().to_vec();
    lines.retain(|(name, _)| tag_name(name).is_some());
    if let Some(keeper) = score.keeper() {
        lines.push(("ScoreOf".to_owned(), side_name(keeper).to_owned()));
    }
    if let Some(fen) = score.start_fen() {
        lines.push(("FEN".to_owned(), fen));
    }
    let said = marks::lines(score, sides);
    lines.extend(said.into_iter().map(|(name, at)| (name.to_owned(), at)));
    if let Some(result) = score.result() {
        lines.push(("Result".to_owned(), result.to_string()));
    }
    let signed: Vec<_> = score
        .holding_signatures()
        .iter()
        .map(|signed| side_name(signed.side))
        .collect();
    if !signed.is_empty() {
        lines.push(("Signed".to_owned(), signed.join(" ")));
    }
    lines
}

/// Writes a score as plain lines, one for each number: `12. Sf3 (0:59:30) d5 (=)`. The numbers are
/// those of the sheet, right or wrong. An entry is followed by what it has replaced: `[slip Sh3]`.
///
/// [`super::read_score`] can read it. Letters other than the English ones are named above the
/// moves.
pub fn to_list(score: &Score, letters: Letters) -> String {
    let lines = with_letters(headings(score), letters);
    listed(score, lines, letters, clock_text)
}

/// Writes the same list for a person: names in the words of a language, times in hours, minutes and
/// seconds. It can be read too.
pub fn to_shown_list(score: &Score, letters: Letters, words: &SheetWords) -> String {
    worded(score, letters, words, time_shown)
}

/// Writes the same list with the times as exactly as they are known.
pub fn to_worded_list(score: &Score, letters: Letters, words: &SheetWords) -> String {
    worded(score, letters, words, clock_text)
}

fn worded(
    score: &Score,
    letters: Letters,
    words: &SheetWords,
    time: fn(Duration) -> String,
) -> String {
    let sides = Color::ALL.map(|side| words.side(side));
    let mut lines = with_letters(headings_with(score, sides), letters);
    for (name, value) in &mut lines {
        if name == "Letters" {
            words.letters(letters).clone_into(value);
        }
        let shown = words.heading(name);
        // Two names may have the same word in a language.
        if let Some(shown) = shown.filter(|shown| tag_name(shown).as_deref() == Some(name)) {
            *name = shown.to_owned();
        }
    }
    listed(score, lines, letters, time)
}

/// Adds the letters of the moves to the lines, if they must be named.
fn with_letters(mut lines: Vec<(String, String)>, letters: Letters) -> Vec<(String, String)> {
    let named = (letters != Letters::English).then(|| ("Letters".to_owned(), letters.to_string()));
    lines.extend(named);
    lines
}

fn listed(
    score: &Score,
    lines: Vec<(String, String)>,
    letters: Letters,
    time: fn(Duration) -> String,
) -> String {
    let mut text = String::new();
    for (name, value) in lines {
        let _ = writeln!(text, "{name}: {}", value.replace(char::is_control, " "));
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

/// Returns what an entry has replaced, with the name of each.
pub(super) fn replaced(entry: &Entry) -> impl Iterator<Item = (&'static str, &Notated)> {
    let slips = entry.slips.iter().map(|slip| (SLIP, slip));
    slips.chain(entry.misheard.iter().map(|heard| (MISHEARD, heard)))
}

/// Writes hours, minutes and seconds, as a chessclock shows them to players.
pub(super) fn time_shown(left: Duration) -> String {
    clock_text(Duration::from_secs(left.as_secs()))
}

/// Writes an entry in letters. An unreadable entry stays as it is written, or becomes `?` if that
/// would be read as something else. An empty place is `--`.
pub(super) fn in_letters(entry: &Entry, letters: Letters) -> String {
    match (&entry.notated, &entry.written) {
        (Notated::Blank, _) => "--".to_owned(),
        (Notated::Unreadable, Some(written)) if is_illegible(written) => written.clone(),
        (notated, _) => write_move(notated, letters),
    }
}

/// Returns whether a word of a sheet is an unreadable entry, in any letters and column.
fn is_illegible(word: &str) -> bool {
    let first = SheetPlace {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Provenance, Signature, marks_in_words, read_score};
    use annexd_laws::GameResult;

    const LANGUAGES: [&str; 4] = [
        include_str!("../../grammar/de/scores.toml"),
        include_str!("../../grammar/en/scores.toml"),
        include_str!("../../grammar/da/scores.toml"),
        include_str!("../../grammar/sv/scores.toml"),
    ];

    fn marked() -> Score {
        let sheet = "White: A\nBlack: B\nEvent: C\nSite: D\nDate: 2024.01.02\nRound: 3\n\
                     TimeControl: 5400+30\nFEN: 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n\n\
                     1. O-O Kd7 2. Rd1 Ke7 3. Re1 Kd7";
        let mut score = read_score(sheet, None, 1).unwrap().score;
        score.set_keeper(Some(Color::Black)).unwrap();
        score.mark_suspended(2, true).unwrap();
        score.mark(2..=3, Provenance::Completed).unwrap();
        score.mark(5..=5, Provenance::Reconstructed).unwrap();
        score
    }

    #[test]
    fn what_is_shown_in_any_language_is_read_again() {
        let mut score = marked();
        score.set_result(Some(GameResult::Draw)).unwrap();
        for side in Color::ALL {
            score.sign(Signature { side, at: None }).unwrap();
        }
        for words in LANGUAGES {
            let words = SheetWords::parse(words).unwrap();
            let shown = to_shown_list(&score, Letters::German, &words);
            let again = read_score(&shown, None, 1).unwrap();
            assert_eq!((again.letters, again.notes), (Letters::German, Vec::new()));
            let again = again.score;
            assert_eq!(
                to_list(&again, Letters::German),
                to_list(&score, Letters::German)
            );
            assert_eq!(again.tags(), score.tags(), "{shown}");
            assert!(again.is_locked(), "{shown}");
        }
    }

    #[test]
    fn what_cannot_be_read_comes_back_in_a_row_of_three() {
        let notated = |score: &Score| -> Vec<Notated> {
            let entries = score.entries().iter();
            entries.map(|entry| entry.notated.clone()).collect()
        };
        for sheet in ["1. a4 K Qh4\n2. b4 e5", "1. a4 Qh4 Qqq\n2. b4 e5"] {
            let score = read_score(sheet, Some(Letters::English), 1).unwrap().score;
            assert!(notated(&score).contains(&Notated::Unreadable), "{sheet}");
            let list = to_list(&score, Letters::English);
            let again = read_score(&list, Some(Letters::English), 1).unwrap().score;
            assert_eq!(notated(&again), notated(&score), "{list}");
            assert_eq!(again.places(), score.places(), "{list}");
        }
    }

    #[test]
    fn marks_in_the_words_of_any_language_come_back_as_marks() {
        let score = marked();
        for words in LANGUAGES {
            let words = SheetWords::parse(words).unwrap();
            let said = marks_in_words(&score, &words).join("\n");
            let sheet = format!("{said}\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6");
            let read = read_score(&sheet, None, 1).unwrap().score;
            assert_eq!(marks_in_words(&read, &words).join("\n"), said);
            assert_eq!(read.tags(), [], "{said}");
        }
    }
}
