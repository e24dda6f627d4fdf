//! How a sheet says where recording was suspended (8.4), and which entries were filled in from
//! another sheet (8.5.1, 8.5.2) or found again on a board (8.5.3): lines above the moves such as
//! `Suspended: 24 White` and `Completed: 24 White-30 Black, 33 White`.

use shakmaty::Color;

use super::entry::{Entry, Provenance};
use super::kept::Score;

/// The names of the lines.
pub(super) const NAMES: [&str; 3] = ["Suspended", "Completed", "Reconstructed"];

/// The lines of a score, with the names of White and Black in some language.
pub(super) fn lines(score: &Score, sides: [&str; 2]) -> Vec<(&'static str, String)> {
    let of = |wanted: Provenance| -> Vec<usize> {
        let entries = score.entries().iter().enumerate();
        let those = entries.filter(|(_, entry)| entry.provenance == wanted);
        those.map(|(at, _)| at).collect()
    };
    let places = [
        score.suspended().to_vec(),
        of(Provenance::Completed),
        of(Provenance::Reconstructed),
    ];
    NAMES
        .into_iter()
        .zip(places)
        .filter(|(_, places)| !places.is_empty())
        .map(|(name, places)| (name, in_words(score, &places, sides)))
        .collect()
}

fn in_words(score: &Score, places: &[usize], sides: [&str; 2]) -> String {
    let (number, black) = beginning(score);
    let place = |at: usize| {
        let half = at + black;
        let [white, black] = sides;
        let side = if half.is_multiple_of(2) { white } else { black };
        format!("{} {side}", number + half / 2)
    };
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &at in places {
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

/// The number of the first move, and 1 if it is Black's.
fn beginning(score: &Score) -> (usize, usize) {
    let start = score.start();
    let number = usize::try_from(start.fullmoves.get()).unwrap_or(usize::MAX / 2);
    (number, usize::from(start.turn.is_black()))
}

/// Takes over what a line of one of the [`NAMES`] says about the entries that were read.
pub(super) fn take(
    score: &Score,
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
    for run in value.split(',') {
        let mut ends = run.split('-').filter_map(|place| entry_at(score, place));
        let Some(first) = ends.next() else { continue };
        let last = ends.next().unwrap_or(first).min(entries.len());
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

/// The entry with a number and a side: `24 White`.
fn entry_at(score: &Score, place: &str) -> Option<usize> {
    let (number, side) = place.trim().split_once(' ')?;
    let number: usize = number.parse().ok()?;
    let side: Color = side.trim().to_lowercase().parse().ok()?;
    let (first, black) = beginning(score);
    let half = number.checked_sub(first)?.checked_mul(2)? + usize::from(side.is_black());
    half.checked_sub(black)
}
