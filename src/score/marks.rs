//! Lines above the moves that say where recording was suspended (8.4), and which entries were
//! filled in from another sheet (8.5.1, 8.5.2) or reconstructed on a board (8.5.3). Examples are
//! `Suspended: 24 White` and `Completed: 24 White-30 Black, 33 White`.
//!
//! The numbers are those of the sheet. If a number is there twice, `24 White #2` is the second.

use shakmaty::{Color, Setup};

use super::entry::{Entry, Provenance, SheetPlace};
use super::kept::Score;
use super::places::{NamedRun, places_of};
use super::sheet_words::SheetWords;

/// The names of the lines.
pub(super) const NAMES: [&str; 3] = ["Suspended", "Completed", "Reconstructed"];

/// Returns the lines of a score, with the names of White and Black in some language.
pub(super) fn lines(score: &Score, sides: [&str; 2]) -> Vec<(&'static str, String)> {
    let of = |wanted: Provenance| -> Vec<usize> {
        let entries = score.entries().iter().enumerate();
        let those = entries.filter(|(_, entry)| entry.provenance == wanted);
        those.map(|(at, _)| at).collect()
    };
    let marked = [
        score.suspended().to_vec(),
        of(Provenance::Completed),
        of(Provenance::Reconstructed),
    ];
    let places = score.places();
    NAMES
        .into_iter()
        .zip(marked)
        .filter(|(_, marked)| !marked.is_empty())
        .map(|(name, marked)| (name, in_words(&places, &marked, sides)))
        .collect()
}

/// Returns the lines of a score for a person, in the words of a language.
pub fn marks_in_words(score: &Score, words: &SheetWords) -> Vec<String> {
    let sides = Color::ALL.map(|side| words.side(side));
    let lines = lines(score, sides).into_iter();
    lines
        .map(|(name, at)| {
            format!(
                "{}: {at}",
                words.tags.get(name).map_or(name, String::as_str)
            )
        })
        .collect()
}

fn in_words(places: &[SheetPlace], marked: &[usize], [white, black]: [&str; 2]) -> String {
    let place = |at: usize| {
        let Some(place) = places.get(at) else {
            return String::new();
        };
        let side = place.side.fold_wb(white, black);
        let before = places.iter().take(at).filter(|other| *other == place);
        match before.count() {
            0 => format!("{} {side}", place.number),
            earlier => format!("{} {side} #{}", place.number, earlier + 1),
        }
    };
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &at in marked {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == at => *last = at,
            _ => runs.push((at, at)),
        }
    }
    let runs = runs.into_iter().map(|(first, last)| {
        if first == last {
            place(first)
        } else {
            format!("{}-{}", place(first), place(last))
        }
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// Applies a line with one of the [`NAMES`] to the entries that were read.
pub(super) fn take(
    start: &Setup,
    name: &str,
    value: &str,
    entries: &mut [Entry],
    suspended: &mut Vec<usize>,
) {
    let provenance = match name {
        "Completed" => Some(Provenance::Completed),
        "Reconstructed" => Some(Provenance::Reconstructed),
        _ => None,
    };
    let places = places_of(SheetPlace::first(start), entries);
    for run in value.split(',') {
        let Ok(run) = run.parse::<NamedRun>() else {
            continue;
        };
        let Some(first) = run.first.among(&places) else {
            continue;
        };
        let last = run.last.among(&places).unwrap_or(first);
        match provenance {
            Some(provenance) => entries
                .iter_mut()
                .take(last + 1)
                .skip(first)
                .for_each(|entry| entry.provenance = provenance),
            None => suspended.extend(first..=last),
        }
    }
    suspended.sort_unstable();
    suspended.dedup();
}
