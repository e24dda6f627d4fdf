//! `annexd score mark`: notes afterwards how entries came into a score.

use std::path::PathBuf;

use super::held::{Held, locked};
use crate::score::{NamedEntry, NamedRun, Provenance, Score, marks_in_words};
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::error::{Result, error, sentence};
use crate::show;

/// Which entries, and what they are.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The score, as JSON. It is changed.
    file: PathBuf,
    #[command(flatten)]
    marks: Marks,
    /// The language in which the marks are said: de, en, da or sv; usually that of your settings or
    /// your system.
    #[arg(long)]
    language: Option<String>,
}

/// At least one of these.
#[derive(clap::Args)]
#[group(required = true, multiple = true)]
struct Marks {
    /// Recording was suspended from this move on (8.4): 41w is White's move 41, 41b Black's; the
    /// move behind the last one is meant where the score ends. Several with commas.
    #[arg(long, value_name = "MOVE", value_delimiter = ',')]
    suspended_from: Vec<NamedEntry>,
    /// It was not suspended there.
    #[arg(long, value_name = "MOVE", value_delimiter = ',')]
    not_suspended: Vec<NamedEntry>,
    /// These moves were filled in from the arbiter's or the opponent's score (8.5.1, 8.5.2), such
    /// as 41w-44b. Where a number stands twice on the sheet, 41w#2 is the second.
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    completed: Vec<NamedRun>,
    /// These moves were reconstructed on a board (8.5.3).
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    reconstructed: Vec<NamedRun>,
    /// These moves were recorded as they were made, after all.
    #[arg(long, value_name = "MOVES", value_delimiter = ',')]
    recorded: Vec<NamedRun>,
}

/// Marks the entries, writes the score and prints its marks.
pub(super) fn run(arguments: &Arguments) -> Result<()> {
    let file = &arguments.file;
    let (score, unmarked) = Held::change(file, |score| {
        if score.is_locked() {
            return Err(error!(Negative, ScoreLocked, path = file.display()));
        }
        if !score.signatures().is_empty() {
            return Err(error!(Negative, ScoreSignedThere, path = file.display()));
        }
        arguments.marks.put(score)
    })?;
    let language = language::asked_or_usual(arguments.language.as_deref());
    for name in unmarked {
        language::show(&sentence!(NotSuspendedThere, name = name));
    }
    let marked = marks_in_words(&score, &data::sheet_words(&language)?);
    if marked.is_empty() {
        language::show(&sentence!(NothingMarked));
    }
    for line in marked {
        show!("{line}");
    }
    Ok(())
}

impl Marks {
    /// Puts all marks into the score, or none. Returns the entries that were not suspended anyway.
    fn put(&self, score: &mut Score) -> Result<Vec<String>> {
        let count = score.entries().len();
        let (mut unmarked, mut named_before) = (Vec::new(), Vec::new());
        for (moves, is_suspended) in [(&self.suspended_from, true), (&self.not_suspended, false)] {
            for &named in moves {
                let before = found(score, named, count + 1)?;
                once(&mut named_before, before, is_suspended, named)?;
                if !is_suspended && !score.suspended().contains(&before) {
                    unmarked.push(named.to_string());
                }
                let kept = score.mark_suspended(before, is_suspended);
                kept.map_err(|error| locked(&error))?;
            }
        }
        let mut named_before = Vec::new();
        for (runs, provenance) in [
            (&self.completed, Provenance::Completed),
            (&self.reconstructed, Provenance::Reconstructed),
            (&self.recorded, Provenance::Recorded),
        ] {
            for run in runs {
                let first = found(score, run.first, count)?;
                let last = found(score, run.last, count)?;
                if last < first {
                    let (first, last) = (run.first.to_string(), run.last.to_string());
                    return Err(error!(Usage, MarkBackwards, first = first, last = last));
                }
                for entry in first..=last {
                    once(&mut named_before, entry, provenance, run.first)?;
                }
                let kept = score.mark(first..=last, provenance);
                kept.map_err(|error| locked(&error))?;
            }
        }
        Ok(unmarked)
    }
}

/// Refuses a mark that contradicts another mark of the same entry.
fn once<M: PartialEq>(
    before: &mut Vec<(usize, M)>,
    entry: usize,
    mark: M,
    name: NamedEntry,
) -> Result<()> {
    let mut others = before.iter().filter(|(other, _)| *other == entry);
    if others.any(|(_, other)| *other != mark) {
        return Err(error!(Usage, MarkedTwice, name = name.to_string()));
    }
    before.push((entry, mark));
    Ok(())
}

/// The named entry, if it is among the first `count`.
fn found(score: &Score, named: NamedEntry, count: usize) -> Result<usize> {
    let entry = score.entry_named(named).filter(|&entry| entry < count);
    entry.ok_or_else(|| error!(Usage, NoSuchMove, name = named.to_string()))
}
