//! The errors of the core in the words of a language: each reason as a sentence.

use std::str::FromStr as _;

use shakmaty::fen::ParseFenError;

use super::error::sentence;
use crate::clock::{TimeControl, TimeControlFault};
use crate::discrepancy::ParsePlacementError;
use crate::journal::{Broken, ReplayError};
use crate::laws::{AdaptationError, Expected, UnknownEdition};
use crate::phrases::{Sentence, SentenceKey, Value};
use crate::score::{
    KeepError, Letters, ReadJsonError, ReadNoteKind, ReadScoreError, ReadScoreErrorKind,
};
use crate::score::{MOST_BYTES, MOST_ENTRIES};

/// A value for a place in a sentence.
pub trait AsValue {
    /// The value.
    fn as_value(&self) -> Value;
}

/// An error that is a whole sentence.
pub trait InWords {
    /// The sentence.
    fn in_words(&self) -> Sentence;
}

impl<T: AsValue + ?Sized> AsValue for &T {
    fn as_value(&self) -> Value {
        (**self).as_value()
    }
}

impl<T: AsValue> AsValue for Vec<T> {
    fn as_value(&self) -> Value {
        Value::List(self.iter().map(AsValue::as_value).collect())
    }
}

impl AsValue for Sentence {
    fn as_value(&self) -> Value {
        self.clone().into()
    }
}

/// Turns an error of the core into the reason within a sentence.
macro_rules! reasons {
    ($($kind:ty),+ $(,)?) => {
        $(impl AsValue for $kind {
            fn as_value(&self) -> Value {
                self.in_words().into()
            }
        })+
    };
}
reasons!(
    AdaptationError,
    Broken,
    KeepError,
    ParsePlacementError,
    ReadJsonError,
    ReadNoteKind,
    ReadScoreError,
    ReplayError,
    UnknownEdition,
);

/// Messages of other programs and of the readers of our own files, in their own words.
macro_rules! texts {
    ($($kind:ty),+ $(,)?) => {
        $(impl AsValue for $kind {
            fn as_value(&self) -> Value {
                Value::Text(self.to_string())
            }
        })+
    };
}
texts!(
    str,
    String,
    u8,
    i64,
    u32,
    u64,
    usize,
    std::path::Display<'_>,
    crate::game::scenario::ScenarioError,
    crate::notation::LexiconError,
    crate::phrases::LanguageError,
    crate::score::PageError,
    serde_json::Error,
    claxon::Error,
    rusqlite::Error,
    shakmaty::Move,
);
#[cfg(feature = "audio")]
texts!(cpal::Error);

impl AsValue for shakmaty::Color {
    fn as_value(&self) -> Value {
        self.fold_wb(sentence!(White), sentence!(Black)).as_value()
    }
}

/// The names of the letters of a sheet.
impl AsValue for Letters {
    fn as_value(&self) -> Value {
        let sentence = match self {
            Self::English => sentence!(LettersEnglish),
            Self::German => sentence!(LettersGerman),
            Self::Danish => sentence!(LettersDanish),
            Self::Swedish => sentence!(LettersSwedish),
            Self::Portuguese => sentence!(LettersPortuguese),
            Self::French => sentence!(LettersFrench),
            Self::Dutch => sentence!(LettersDutch),
            Self::Spanish => sentence!(LettersSpanish),
            Self::Italian => sentence!(LettersItalian),
            Self::Polish => sentence!(LettersPolish),
            Self::Czech => sentence!(LettersCzech),
            Self::Hungarian => sentence!(LettersHungarian),
            Self::Finnish => sentence!(LettersFinnish),
            Self::Icelandic => sentence!(LettersIcelandic),
            Self::Romanian => sentence!(LettersRomanian),
            Self::Russian => sentence!(LettersRussian),
            Self::Ukrainian => sentence!(LettersUkrainian),
            Self::Bulgarian => sentence!(LettersBulgarian),
            Self::Figurine => sentence!(LettersFigurine),
        };
        sentence.as_value()
    }
}

/// The usual errors of the system in our words, and others as the system states them.
impl AsValue for std::io::Error {
    fn as_value(&self) -> Value {
        use std::io::ErrorKind as Kind;
        let key = match self.kind() {
            Kind::NotFound => SentenceKey::IoNotFound,
            Kind::PermissionDenied => SentenceKey::IoNotPermitted,
            Kind::IsADirectory => SentenceKey::IoFolder,
            Kind::NotADirectory => SentenceKey::IoNoFolder,
            Kind::StorageFull => SentenceKey::IoFull,
            Kind::InvalidData => SentenceKey::IoNoText,
            Kind::UnexpectedEof => SentenceKey::IoBreaksOff,
            Kind::TimedOut | Kind::WouldBlock => SentenceKey::IoNoAnswer,
            Kind::ConnectionRefused | Kind::BrokenPipe => SentenceKey::IoNobody,
            _ => return Value::Text(self.to_string()),
        };
        Sentence::new(key)
            .with("system", self.to_string().as_str())
            .into()
    }
}

impl AsValue for hound::Error {
    fn as_value(&self) -> Value {
        match self {
            Self::IoError(error) => error.as_value(),
            _ => Value::Text(self.to_string()),
        }
    }
}

impl AsValue for ParseFenError {
    fn as_value(&self) -> Value {
        let sentence = match self {
            Self::InvalidBoard => sentence!(FenBoard),
            Self::InvalidTurn => sentence!(FenTurn),
            Self::InvalidCastling => sentence!(FenCastling),
            Self::InvalidEpSquare => sentence!(FenEp),
            Self::InvalidHalfmoveClock | Self::InvalidFullmoves => sentence!(FenCounters),
            Self::InvalidFen | Self::InvalidPocket | Self::InvalidRemainingChecks => {
                sentence!(FenWrong)
            }
        };
        sentence.as_value()
    }
}

impl AsValue for TimeControlFault {
    fn as_value(&self) -> Value {
        let sentence = match self {
            Self::ManyPeriods => sentence!(TimeManyPeriods),
            Self::NoMoves => sentence!(TimeNoMoves),
            Self::NoRest => sentence!(TimeNoRest),
            Self::NoNumber => sentence!(TimeNoNumber),
            Self::MovesOutOfRange => sentence!(TimeMovesRange),
            Self::NoTime => sentence!(TimeNoTime),
            Self::BonusNotInSeconds => sentence!(TimeBonusSeconds),
            Self::Form => sentence!(TimeForm),
            Self::TooLong => sentence!(TimeTooLong),
        };
        sentence.as_value()
    }
}

/// Returns what is wrong with a page of settings. It is in our words where the parser has few forms
/// of a message; the names in these stand in backticks.
pub(super) fn told_of_toml(page: &str, error: &toml::de::Error) -> Sentence {
    let message = error.message().trim_end_matches('.').replace('\n', "; ");
    let mut named = message.split('`').skip(1).step_by(2);
    let name = named.next().unwrap_or_default().to_owned();
    let known: Vec<&str> = named.collect();
    let known = known.join(", ");
    let begins = |start: &str| message.starts_with(start);
    if begins("unknown field") && !known.is_empty() {
        return sentence!(SetUnknown, name = name, known = known);
    }
    if begins("unknown variant") && !known.is_empty() {
        return sentence!(SetNoValue, name = name, known = known);
    }
    if begins("missing field") {
        return sentence!(SetMissing, name = name);
    }
    if begins("duplicate key") {
        return sentence!(SetTwice);
    }
    match toml::from_str::<toml::Table>(page) {
        Ok(page) => time_control_of(&page)
            .and_then(|written| TimeControl::from_str(written).err())
            .filter(|error| message == error.to_string())
            .map(|error| sentence!(TimeControlWrong, part = error.part, why = error.wrong))
            .unwrap_or_else(|| sentence!(SetKind, text = message)),
        Err(_) => sentence!(SetForm, text = message),
    }
}

fn time_control_of(page: &toml::Table) -> Option<&str> {
    page.get("game")?.get("time_control")?.as_str()
}

impl InWords for AdaptationError {
    fn in_words(&self) -> Sentence {
        match self {
            Self::NoArbiter(key) => sentence!(AdaptationNoArbiter, key = key),
            Self::NoTime(key) => sentence!(AdaptationNoTime, key = key),
            Self::UnknownKey { key, nearest } => {
                sentence!(AdaptationUnknown, key = key, nearest = nearest)
            }
            Self::BadValue {
                key,
                value,
                expected,
            } => match expected {
                Expected::Between(least, most) => sentence!(
                    AdaptationBetween,
                    key = key,
                    value = value,
                    least = *least,
                    most = *most
                ),
                Expected::OneOf(known) => {
                    let known = known.join(", ");
                    sentence!(AdaptationOneOf, key = key, value = value, known = known)
                }
                Expected::Like(now) => {
                    sentence!(AdaptationLike, key = key, value = value, now = now)
                }
            },
        }
    }
}

impl InWords for Broken {
    fn in_words(&self) -> Sentence {
        match self {
            Self::Changed { seq } => sentence!(EntryChanged, entry = *seq),
            Self::Missing { expected, found } => {
                sentence!(EntryMissing, entry = *expected, next = *found)
            }
            Self::CutOff { last, written } => {
                sentence!(RecordCutOff, last = *last, written = *written)
            }
            Self::Unreadable { seq, why } => sentence!(EntryUnreadable, entry = *seq, why = why),
        }
    }
}

impl InWords for KeepError {
    fn in_words(&self) -> Sentence {
        match self {
            Self::Locked => sentence!(KeepLocked),
            Self::NoSuchEntry => sentence!(KeepNoEntry),
            Self::NoResult => sentence!(KeepNoResult),
            Self::SignedAlready => sentence!(KeepSignedAlready),
        }
    }
}

impl InWords for ParsePlacementError {
    fn in_words(&self) -> Sentence {
        sentence!(NoPlacement)
    }
}

impl InWords for ReadJsonError {
    fn in_words(&self) -> Sentence {
        match self {
            Self::BreaksOff { line, column, why } => {
                sentence!(JsonBreaksOff, line = *line, column = *column, why = why)
            }
            Self::Damaged { line, column, why } => {
                sentence!(JsonDamaged, line = *line, column = *column, why = why)
            }
            Self::NoScore => sentence!(JsonNoScore),
            Self::Missing {
                field,
                line,
                column,
            } => sentence!(JsonMissing, field = field, line = *line, column = *column),
            Self::Value { line, column, why } => {
                sentence!(JsonValue, line = *line, column = *column, why = why)
            }
            Self::TooLong => too_long(),
        }
    }
}

impl InWords for ReadScoreError {
    fn in_words(&self) -> Sentence {
        let why = match &self.kind {
            ReadScoreErrorKind::NoMoves => sentence!(ReadNoMove),
            ReadScoreErrorKind::TooLong => too_long(),
            ReadScoreErrorKind::Start(why) => sentence!(ReadStart, why = why),
            ReadScoreErrorKind::NoScore { moves, words } => {
                sentence!(ReadFewMoves, moves = *moves, words = *words)
            }
            ReadScoreErrorKind::NoText { signs } => sentence!(ReadNoText, signs = *signs),
            ReadScoreErrorKind::NoSuchGame(games) => sentence!(ReadFewGames, games = *games),
        };
        sentence!(LineSays, line = self.line, why = why)
    }
}

fn too_long() -> Sentence {
    sentence!(ReadTooLong, entries = MOST_ENTRIES, bytes = MOST_BYTES)
}

impl InWords for ReadNoteKind {
    fn in_words(&self) -> Sentence {
        match self {
            Self::Unreadable(word) => sentence!(NoteUnreadable, word = word),
            Self::WrongNumber { expected, found } => {
                sentence!(NoteWrongNumber, expected = *expected, found = *found)
            }
            Self::Heading(line) => sentence!(NoteHeading, word = line),
            Self::NotLegal(word) => sentence!(NoteNotLegal, word = word),
            Self::Ambiguous(word) => sentence!(NoteAmbiguous, word = word),
            Self::Remark(word) => sentence!(NoteRemark, word = word),
            Self::ThirdInRow(word) => sentence!(NoteThirdInRow, word = word),
            Self::OtherResult {
                before,
                found,
                taken,
            } => sentence!(
                NoteOtherResult,
                found = found.to_string(),
                before = before.to_string(),
                taken = taken.to_string()
            ),
            Self::AnotherGame => sentence!(NoteAnotherGame),
            Self::ChangedAfterSigning => sentence!(NoteChangedAfterSigning),
            Self::UncheckedSignatures => sentence!(NoteUncheckedSignatures),
            Self::Aside(words) => sentence!(NoteAside, word = words),
            Self::HalfRead(word) => sentence!(NoteHalfRead, word = word),
            Self::Unclosed(bracket) => sentence!(NoteUnclosed, word = bracket.to_string()),
        }
    }
}

impl InWords for ReplayError {
    fn in_words(&self) -> Sentence {
        match self {
            Self::Empty => sentence!(RecordEmpty),
            Self::NotOpened => sentence!(RecordNotOpened),
        }
    }
}

impl InWords for UnknownEdition {
    fn in_words(&self) -> Sentence {
        sentence!(NoEdition, edition = self.0)
    }
}
