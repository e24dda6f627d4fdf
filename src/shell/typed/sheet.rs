//! Score sheets that are handed in at a console.

use std::path::Path;
use std::time::{Duration, Instant};

use super::line::NOT_UNDERSTOOD;
use super::rulings::side_of;
use crate::game::{Act, Input};
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::score::{Letters, ReadNote, ReadNoteKind, ReadScore, ReadScoreError, read_score};
use crate::shell::error::{Fault, Part, Reason, Remedy, Sentence, sentence};
use crate::shell::errors_in_words::InWords as _;
use crate::shell::score_files::read_file;
use crate::shell::table::{Report, Seat};

/// The largest sheet that can be handed in at the table, in bytes. It is more than twice the
/// longest game with all its times. While a sheet is read the table does nothing else.
const MOST_BYTES: usize = 32_768;

/// How many sheets of one person are read, and in how long a time.
const SHEETS: (usize, Duration) = (3, Duration::from_secs(30));

/// When each person handed in his last sheets, so that nobody keeps the table busy with them.
#[derive(Debug)]
pub(super) struct Sheets {
    read: Vec<(Person, Instant)>,
}

impl Sheets {
    /// No sheets yet.
    pub(super) const fn new() -> Self {
        Self { read: Vec::new() }
    }

    /// Counts one more sheet of a person.
    ///
    /// # Errors
    ///
    /// If he handed in too many recently. He has to wait.
    pub(super) fn take(&mut self, person: Person) -> Result<(), Fault> {
        let (most, while_) = SHEETS;
        self.read.retain(|(_, at)| at.elapsed() < while_);
        let his = self.read.iter().filter(|(of, _)| *of == person).count();
        if his >= most {
            return Err(Fault::new(Part::Sheet, Reason::TooOften, Remedy::Again));
        }
        self.read.push((person, Instant::now()));
        Ok(())
    }
}

/// How many remarks on a sheet are read out.
const MOST_NOTES: usize = 12;

/// Reads a sheet that is handed in. After `sheet` and its side come the letters of the sheet, if
/// they are declared, and then a file, or the text of the sheet. `about` holds the words after
/// `sheet` as the console knows them. The person who hands it in is told with which letters it was
/// read, and what was uncertain or could not be read.
pub(crate) fn handed_in(
    (seat, person): (Seat, Person),
    about: &[&str],
    text: &str,
    language: &Language,
) -> Result<Vec<Report>, Fault> {
    let side = about.first().and_then(|side| side_of(side));
    let side = side.ok_or(NOT_UNDERSTOOD)?;
    let letters: Option<Letters> = about.get(1).and_then(|word| word.parse().ok());
    let may_name_file = !matches!(seat, Seat::Page(_));
    let read = read_sheet(text, letters, language, may_name_file)?;
    // The arbiter hears from the game what is uncertain.
    let own = match person {
        Person::Arbiter if !read.other_letters.is_empty() => Vec::new(),
        Person::Arbiter => vec![letters_read(&read)],
        _ => told_to_all(&read),
    };
    let told = own.into_iter().map(|remark| {
        let words = Argument::Text(language.sentence(&remark));
        let phrase = Phrase::new(PhraseKey::Words, [words]);
        Report::Tell { seat, phrase }
    });
    let remarks = told_to_arbiter(&read).into_iter();
    let remarks = remarks.map(|what| sentence!(SheetOf, side = side, what = what));
    let remarks = remarks.collect();
    let score = Box::new(read.score);
    let act = Act::HandInScore {
        side,
        score,
        remarks,
    };
    let act = Report::Input(Input::Act { person, act });
    Ok(std::iter::once(act).chain(told).collect())
}

fn read_sheet(
    text: &str,
    letters: Option<Letters>,
    language: &Language,
    may_name_file: bool,
) -> Result<ReadScore, Fault> {
    let fault = |reason: Reason| Fault::new(Part::Sheet, reason, Remedy::CorrectLine);
    let before = if letters.is_some() { 3 } else { 2 };
    let mut words = text.splitn(before + 1, char::is_whitespace).skip(before);
    let sheet = words.next().unwrap_or_default().trim();
    let path = Path::new(sheet);
    let is_long_file = || path.metadata().is_ok_and(|it| it.len() > MOST_BYTES as u64);
    if sheet.len() > MOST_BYTES || may_name_file && is_long_file() {
        return Err(fault(Reason::TooLong));
    }
    if may_name_file && path.is_file() {
        let read = read_file(path, letters, None);
        read.map_err(|error| fault(Reason::Unreadable).with(language.sentence(&error.sentence())))
    } else if may_name_file && names_a_file(sheet) {
        Err(fault(Reason::Absent).with(sheet))
    } else {
        let read = read_score(sheet, letters, 1);
        let told = |error: ReadScoreError| language.sentence(&error.in_words());
        read.map_err(|error| fault(Reason::Unreadable).with(told(error)))
    }
}

/// Says with which letters a sheet was read.
fn letters_read(read: &ReadScore) -> Sentence {
    let letters = read.letters;
    if read.other_letters.is_empty() {
        return sentence!(SheetLetters, letters = letters);
    }
    sentence!(
        SheetLettersUncertain,
        letters = letters,
        others = read.other_letters,
        example = sentence!(LettersExample, letters = letters)
    )
}

/// The remarks for the person who hands in a sheet. Remarks that need the rules of chess are for
/// the arbiter alone.
fn told_to_all(read: &ReadScore) -> Vec<Sentence> {
    let needs_rules = |note: &&ReadNote| {
        matches!(
            note.kind,
            ReadNoteKind::NotLegal(_) | ReadNoteKind::Ambiguous(_) | ReadNoteKind::HalfRead(_)
        )
    };
    let notes = read.notes.iter().filter(|note| !needs_rules(note));
    let mut told = vec![letters_read(read)];
    told.extend(first_of_games(read));
    told.extend(noted(&notes.collect::<Vec<_>>()));
    told
}

/// The remarks for the arbiter: everything that was uncertain.
fn told_to_arbiter(read: &ReadScore) -> Vec<Sentence> {
    let is_uncertain = !read.other_letters.is_empty();
    let mut told: Vec<_> = is_uncertain
        .then(|| letters_read(read))
        .into_iter()
        .chain(first_of_games(read))
        .collect();
    told.extend(noted(&read.notes.iter().collect::<Vec<_>>()));
    told
}

/// Says that a file has several games, of which this is the first.
fn first_of_games(read: &ReadScore) -> Option<Sentence> {
    (read.games > 1).then(|| sentence!(NoteFirstGame, games = read.games))
}

fn noted(notes: &[&ReadNote]) -> Vec<Sentence> {
    let told = notes.iter().take(MOST_NOTES);
    let mut told: Vec<_> = told
        .map(|note| sentence!(NoteLine, line = note.line, why = note.kind))
        .collect();
    let more = notes.len().saturating_sub(MOST_NOTES);
    if more > 0 {
        told.push(sentence!(MoreNotes, count = more));
    }
    told
}

/// Returns whether somebody has typed the name of a file and no moves.
fn names_a_file(sheet: &str) -> bool {
    let has_ending = Path::new(sheet).extension().is_some_and(|ending| {
        let letters = ending.to_string_lossy();
        letters.len() >= 3 && letters.chars().all(|letter| letter.is_ascii_alphabetic())
    });
    !sheet.contains(char::is_whitespace) && (has_ending || sheet.starts_with(['/', '~', '\\']))
}
