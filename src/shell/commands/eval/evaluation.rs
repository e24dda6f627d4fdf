//! Runs the measurements and prints them.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;

use super::Arguments;
use crate::shell::consoles::folded_output;
use crate::shell::error::{Result, told};
use crate::shell::hearing::eval::{
    Row, RowResult, Tally, confusions, hear, hear_flat, read, with_limits,
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
    Ok(ExitCode::SUCCESS)
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
    rows: &[Row],
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
    serde_json::to_string(value).map_err(|error| told!(Unwritable, NoJson, why = error))
}

fn line(text: &str) -> Result<()> {
    writeln!(io::stdout().lock(), "{text}").map_err(folded_output::unwritten)
}
