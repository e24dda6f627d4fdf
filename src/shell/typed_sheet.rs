//! A score sheet that is handed in at a console.

use std::path::Path;

use super::commands::score::read_file;
use super::error::{Fault, Part, Reason, Remedy, Sentence, sentence};
use super::table::{Report, Seat};
use super::typed_rulings::side_of;
use super::typing::NOT_UNDERSTOOD;
use crate::game::{Act, Input};
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::score::{Letters, ReadNoteKind, ReadScore, read_score};

/// No more remarks on a sheet are read out than these.
const MOST_NOTES: usize = 12;

/// A sheet that is handed in: after `sheet` and its side come the letters of the sheet, if they are
/// declared, and then a file, or what stands on it. `about` are the words behind `sheet` as the
/// console knows them. Whoever hands it in is told by which letters it was read, and what was
/// uncertain or could not be read.
pub(super) fn handed_in(
    (seat, person): (Seat, Person),
    about: &[&str],
    text: &str,
    language: &Language,
) -> Result<Vec<Report>, Fault> {
    let side = about.first().and_then(|side| side_of(side));
    let side = side.ok_or(NOT_UNDERSTOOD)?;
    let letters: Option<Letters> = about.get(1).and_then(|word| word.parse().ok());
    let read = read_sheet(text, letters, language)?;
    let told = remarks(&read, person == Person::Arbiter)
        .into_iter()
        .map(|remark| {
            let words = Argument::Text(language.sentence(&remark));
            let phrase = Phrase::new(PhraseKey::Words, [words]);
            Report::Tell { seat, phrase }
        });
    let score = Box::new(read.score);
    let act = Act::HandInScore { side, score };
    let act = Report::Input(Input::Act { person, act });
    Ok(std::iter::once(act).chain(told).collect())
}

fn read_sheet(
    text: &str,
    letters: Option<Letters>,
    language: &Language,
) -> Result<ReadScore, Fault> {
    let fault = |reason: Reason| Fault::new(Part::Sheet, reason, Remedy::CorrectLine);
    let before = if letters.is_some() { 3 } else { 2 };
    let mut words = text.splitn(before + 1, char::is_whitespace).skip(before);
    let sheet = words.next().unwrap_or_default().trim();
    let path = Path::new(sheet);
    if path.is_file() {
        let read = read_file(path, letters, 1);
        read.map_err(|error| fault(Reason::Unreadable).with(language.sentence(&error.sentence())))
    } else if names_a_file(sheet) {
        Err(fault(Reason::Absent).with(sheet))
    } else {
        let read = read_score(sheet, letters, 1);
        let told = |error| language.sentence(&Sentence::from(&error));
        read.map_err(|error| fault(Reason::Unreadable).with(told(error)))
    }
}

/// What was noticed when a sheet was read. What needs the rules of chess to be noticed is for the
/// arbiter alone.
fn remarks(read: &ReadScore, is_arbiter: bool) -> Vec<Sentence> {
    let letters = read.letters.to_string();
    let others: Vec<String> = read.other_letters.iter().map(Letters::to_string).collect();
    let mut remarks = vec![if others.is_empty() {
        sentence!(SheetLetters, letters = letters)
    } else {
        let example = format!("{letters} 1. …");
        sentence!(
            SheetLettersUncertain,
            letters = letters,
            others = others.join(", "),
            example = example
        )
    }];
    let needs_rules = |kind: &ReadNoteKind| {
        matches!(kind, ReadNoteKind::NotLegal(_) | ReadNoteKind::Ambiguous(_))
    };
    let notes = read.notes.iter();
    let notes: Vec<_> = notes
        .filter(|note| is_arbiter || !needs_rules(&note.kind))
        .collect();
    let told = notes.iter().take(MOST_NOTES);
    remarks.extend(told.map(|note| sentence!(NoteLine, line = note.line, why = note.kind)));
    if let Some(count) = notes
        .len()
        .checked_sub(MOST_NOTES)
        .filter(|count| *count > 0)
    {
        remarks.push(sentence!(MoreNotes, count = count));
    }
    remarks
}

/// Whether somebody has written the name of a file and no moves.
fn names_a_file(sheet: &str) -> bool {
    let has_ending = Path::new(sheet).extension().is_some_and(|ending| {
        let letters = ending.to_string_lossy();
        letters.len() >= 3 && letters.chars().all(|letter| letter.is_ascii_alphabetic())
    });
    !sheet.contains(char::is_whitespace) && (has_ending || sheet.starts_with(['/', '~', '\\']))
}
