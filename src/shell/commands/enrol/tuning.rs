//! From what was read to a model that is used.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use super::reviewed::Reviewed;
use crate::notation::Lexicon;
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::error::{Error, Result, error, sentence};
use crate::shell::hearing::enrolled::{
    Enrolment, NETWORKS, Place, TABLE, base_sum, command, sum_of_bytes,
};
use crate::shell::hearing::enrolment::{Reading, STEPS, Sounds, tuned};
use crate::shell::hearing::eval::{self, Recording};
use crate::shell::hearing::model::{bundled_folder, check_files};
use crate::shell::hearing::session::Session;
use crate::shell::hearing::source::read_whole;
use crate::shell::hearing::verdict::Decision;

/// Fewer utterances teach too little.
const FEWEST: usize = 20;
/// So often it is told how far the learning is.
const TOLD: usize = 4;

/// Tunes the bundled model of a language to what is recorded in a folder, and keeps the result if
/// it hears that no worse than before.
pub(super) fn tune(name: &str, code: &str, place: &Place, folder: &Path) -> Result<ExitCode> {
    let lexicon = data::lexicon(code)?;
    let mut reviewed = Reviewed::read(place)?;
    let rows = rows(&lexicon, folder, &reviewed)?;
    let base = bundled_folder(code)?;
    let sounds = sounds(&base)?;
    let readings = rows.iter().map(|row| reading(&lexicon, row));
    let readings: Vec<Reading> = readings.collect::<Result<_>>()?;
    language::show(&sentence!(EnrolmentLearns, count = readings.len()));
    check_files(&base)?;
    // What is to be bettered is what games hear with now, unless what that learnt is to be mended.
    let used = place.model(code).ok().flatten();
    let used = used.filter(|_| !reviewed.mends());
    let before = understood(code, used.as_deref().unwrap_or(&base), &rows)?;
    let networks = fs::read(base.join(NETWORKS)).map_err(|why| {
        let path = base.join(NETWORKS);
        error!(Missing, ModelLacks, path = path.display(), why = why)
    })?;
    let mut told = 0;
    let networks = tuned(&networks, &sounds, &readings, |done, all| {
        let share = done * TOLD / all.max(STEPS);
        if share > told && share < TOLD {
            told = share;
            language::show(&sentence!(EnrolmentAt, percent = share * 100 / TOLD));
        }
    })
    .map_err(|why| not_tunable(&base, &why.0))?;
    let enrolment = Enrolment {
        name: name.to_owned(),
        language: code.to_owned(),
        utterances: rows.len(),
        base: base_sum(code)?,
        sum: sum_of_bytes(&networks),
    };
    language::show(&sentence!(EnrolmentTried));
    // What was used before is used until the new one has been tried.
    let after = place
        .made(&enrolment, &networks)
        .and_then(|model| understood(code, &model, &rows));
    place.clear();
    let after = after?;
    if after < before && reviewed.has_new() && !reviewed.mends() {
        reviewed.forget_new()?;
        return Err(error!(
            Negative,
            ReviewWorse,
            count = rows.len(),
            before = before,
            after = after,
            command = command(name, code, " --review")
        ));
    }
    if after < before {
        return Err(error!(
            Negative,
            EnrolmentWorse,
            count = rows.len(),
            before = before,
            after = after,
            delete = command(name, code, " --delete"),
            command = command(name, code, "")
        ));
    }
    place.keep(&enrolment, &networks)?;
    reviewed.learnt()?;
    language::show(&sentence!(
        EnrolmentDone,
        name = super::who(name),
        count = rows.len(),
        before = before,
        after = after,
        path = place.file().display()
    ));
    Ok(ExitCode::SUCCESS)
}

fn reading(lexicon: &Lexicon, row: &Recording) -> Result<Reading> {
    Ok(Reading {
        sound: read_whole(&row.file)?,
        words: words(lexicon, &row.text).unwrap_or_default(),
    })
}

/// The recordings of a folder, and those sorted after games, that can be learnt from: what is there
/// and of words that the lexicon has.
fn rows(lexicon: &Lexicon, folder: &Path, reviewed: &Reviewed) -> Result<Vec<Recording>> {
    let rows = eval::read(&folder.join(TABLE))?;
    let mut speakers: Vec<&str> = rows.iter().map(|it| it.speaker.as_str()).collect();
    speakers.dedup();
    if let [first, second, ..] = speakers[..] {
        return Err(error!(
            BadInput,
            EnrolmentOfSeveral,
            path = folder.display(),
            first = first,
            second = second
        ));
    }
    let is_usable =
        |row: &Recording| read_whole(&row.file).is_ok() && words(lexicon, &row.text).is_some();
    let rows = rows.into_iter().chain(reviewed.recordings());
    let rows: Vec<Recording> = rows.filter(is_usable).collect();
    if rows.len() < FEWEST {
        return Err(error!(
            BadInput,
            EnrolmentTooSmall,
            path = folder.display(),
            count = rows.len(),
            least = FEWEST
        ));
    }
    Ok(rows)
}

/// The pronunciations of each word of a text; `None` if the lexicon does not have them.
fn words(lexicon: &Lexicon, text: &str) -> Option<Vec<Vec<String>>> {
    let forms = |word: &str| {
        let mut entries = lexicon.words().iter();
        let entry = entries.find(|it| it.word == word)?;
        Some(entry.phones.clone())
    };
    let words: Option<Vec<Vec<String>>> = text.split_whitespace().map(forms).collect();
    words.filter(|it| !it.is_empty())
}

fn sounds(base: &Path) -> Result<Sounds> {
    let path = base.join("sounds.tsv");
    let text = fs::read_to_string(&path)
        .map_err(|why| error!(Missing, ModelLacks, path = path.display(), why = why))?;
    Sounds::parse(&text).map_err(|why| not_tunable(base, &why.to_string()))
}

fn not_tunable(base: &Path, why: &str) -> Error {
    error!(BadInput, ModelNotTunable, path = base.display(), why = why)
}

/// How many of the recordings a model takes for what they are, without asking.
fn understood(code: &str, model: &Path, rows: &[Recording]) -> Result<usize> {
    let session = Session::new(code, Some(model), false)?;
    let mut understood = 0;
    for row in rows {
        let mut taken = Vec::new();
        session.file(&row.file, false, &mut |utterance, _| {
            if utterance.verdict.decision == Decision::Take {
                taken.extend(utterance.words.iter().map(|it| it.word.clone()));
            }
            Ok(())
        })?;
        understood += usize::from(taken.join(" ") == row.text);
    }
    Ok(understood)
}
