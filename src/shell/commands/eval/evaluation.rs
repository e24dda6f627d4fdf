//! Runs the measurements and prints them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;

use super::Arguments;
use crate::shell::config::language;
use crate::shell::consoles::folded_output;
use crate::shell::error::{ErrorKind, Result, Sentence, error, sentence};
use crate::shell::hearing::eval::{
    Recording, RowResult, Tally, confusions, faults, hear, hear_flat, read, with_limits,
};
use crate::shell::hearing::session::Session;

/// The confidence limits of the curve.
const CURVE: [f64; 8] = [0.34, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];

/// How many confused pairs are printed.
const CONFUSIONS: usize = 20;

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let session = Session::new(
        &arguments.language,
        arguments.model.as_deref(),
        arguments.json,
    )?;
    let mut rows = read(&arguments.manifest)?;
    if let Some(kind) = &arguments.kind {
        rows.retain(|row| row.kind == *kind);
    }
    let status = leave_out(&arguments.manifest, &mut rows)?;
    if rows.is_empty() && status.is_some() {
        return Ok(exit_status(status));
    }
    let levels: Vec<_> = match arguments.noise {
        None => vec![None],
        Some(noise) => arguments
            .snr
            .iter()
            .map(|&snr| Some((noise, snr)))
            .collect(),
    };
    for level in levels {
        let noise = level.map_or_else(String::new, |(noise, snr)| {
            format!(" with {noise:?} at {snr} decibels").to_lowercase()
        });
        let results = hear(&session, &rows, level, arguments.curve)?;
        print(arguments, &format!("annexd{noise}"), &results)?;
        if arguments.curve {
            print_curve(arguments, &session, &rows, &results)?;
        }
        if arguments.baselines {
            let results = hear_flat(&session, &rows, level)?;
            print(arguments, &format!("flat word list{noise}"), &results)?;
        }
    }
    Ok(exit_status(status))
}

fn exit_status(wrong: Option<ErrorKind>) -> ExitCode {
    wrong.map_or(ExitCode::SUCCESS, |kind| ExitCode::from(kind.exit_status()))
}

/// Removes the rows whose files cannot be heard, and says so, as `annexd listen` does. The missing
/// files are named in one sentence, because many lines of a kit may not be recorded yet. Returns
/// the kind of error if any row was removed.
///
/// # Errors
///
/// `ErrorKind::BadInput` if none of the files is there.
#[expect(clippy::print_stderr, reason = "what is left out gets its sentence")]
fn leave_out(manifest: &Path, rows: &mut Vec<Recording>) -> Result<Option<ErrorKind>> {
    let all = rows.len();
    let is_there: Vec<bool> = rows.iter().map(|row| row.file.exists()).collect();
    let count = is_there.iter().filter(|it| !**it).count();
    if count > 0 && count == all {
        let path = manifest.display();
        return Err(error!(BadInput, RecordingsNone, path = path, count = count));
    }
    if count > 0 {
        let folder = manifest.parent().unwrap_or(Path::new(""));
        let names = missing(rows, &is_there, folder);
        let said = sentence!(RecordingsMissing, count = count, all = all, names = names);
        eprintln!("annexd: {}", language::text(&said));
    }
    let mut there = is_there.iter();
    rows.retain(|_| there.next() == Some(&true));
    let faults = faults(rows);
    for fault in faults.iter().flatten() {
        eprintln!("annexd: {}", language::text(&fault.sentence()));
    }
    let mut wrong = faults.iter();
    rows.retain(|_| wrong.next().is_some_and(Option::is_none));
    Ok((rows.len() < all).then_some(ErrorKind::BadInput))
}

/// Returns the names of the missing files. A run of three or more is named by its ends.
fn missing(rows: &[Recording], is_there: &[bool], folder: &Path) -> Vec<Sentence> {
    let name = |row: &Recording| {
        let inside = row.file.strip_prefix(folder).unwrap_or(&row.file);
        sentence!(AsItIs, text = inside.display())
    };
    let states: Vec<_> = rows.iter().zip(is_there).collect();
    let runs = states.chunk_by(|one, other| one.1 == other.1);
    let gaps = runs.filter(|run| run.first().is_some_and(|it| !it.1));
    let names = gaps.flat_map(|run| match run {
        [first, _, .., last] => {
            let (first, last) = (name(first.0), name(last.0));
            vec![sentence!(RecordingsRun, first = first, last = last)]
        }
        few => few.iter().map(|it| name(it.0)).collect(),
    });
    names.collect()
}

fn print(arguments: &Arguments, system: &str, results: &[RowResult]) -> Result<()> {
    let groups = groups(results);
    if arguments.json {
        for result in results {
            line(&to_json(&Tagged { system, result })?)?;
        }
        for (group, tally) in groups {
            line(&to_json(
                &json!({"system": system, "group": group, "tally": tally}),
            )?)?;
        }
        let confused = confusions(results.iter().filter(|r| is_announcement(r)));
        return line(&to_json(
            &json!({"system": system, "confusions": confused}),
        )?);
    }
    line(&format!("{system}:"))?;
    for (group, tally) in groups {
        line(&format!("  {group}: {}", tally.line()))?;
    }
    let confused = confusions(results.iter().filter(|r| is_announcement(r)));
    for (said, heard, count) in confused.into_iter().take(CONFUSIONS) {
        line(&format!("  {said} heard as {heard}: {count}"))?;
    }
    Ok(())
}

/// Prints silently wrong against asked announcements, by kind.
fn print_curve(
    arguments: &Arguments,
    session: &Session,
    rows: &[Recording],
    results: &[RowResult],
) -> Result<()> {
    for step in CURVE {
        let limits = session.model().limits.with_sure(step);
        let results = with_limits(session.lexicon(), rows, results, &limits);
        for (group, tally) in groups(&results) {
            if arguments.json {
                line(&to_json(
                    &json!({"sure": step, "group": group, "tally": tally}),
                )?)?;
            } else if !group.contains(',') && tally.announcements > 0 {
                line(&format!("  sure {step}, {group}: {}", tally.decisions()))?;
            }
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct Tagged<'a> {
    system: &'a str,
    #[serde(flatten)]
    result: &'a RowResult,
}

fn is_announcement(result: &RowResult) -> bool {
    Tally::of([result]).announcements > 0
}

/// The groups: every kind, every speaker of a kind, and all.
fn groups(results: &[RowResult]) -> Vec<(String, Tally)> {
    let kinds: BTreeSet<&str> = results.iter().map(|r| r.kind.as_str()).collect();
    let mut groups = Vec::new();
    for kind in kinds {
        let of_kind: Vec<&RowResult> = results.iter().filter(|r| r.kind == kind).collect();
        let name = if kind.is_empty() { "all kinds" } else { kind };
        groups.push((name.to_owned(), Tally::of(of_kind.iter().copied())));
        let speakers: BTreeSet<&str> = of_kind.iter().map(|r| r.speaker.as_str()).collect();
        for speaker in speakers {
            let tally = Tally::of(of_kind.iter().copied().filter(|r| r.speaker == speaker));
            groups.push((format!("{name}, {speaker}"), tally));
        }
    }
    groups.push(("all".to_owned(), Tally::of(results)));
    groups
}

fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| error!(Unwritable, NoJson, why = error))
}

fn line(text: &str) -> Result<()> {
    writeln!(io::stdout().lock(), "{text}").map_err(folded_output::unwritten)
}
