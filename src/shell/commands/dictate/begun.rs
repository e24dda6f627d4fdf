//! Takes as much of a typed line as is possible, one move after the other, so that an error does
//! not cost the moves before it.

use super::line::{LONGEST, MOST_WAYS, Part, Row, entry_of, parted};
use crate::notation::{Command, Said};
use crate::score::{Entry, Meaning, Standing};

/// The beginning of a line.
pub(super) struct Begun {
    /// The parts that are taken.
    pub(super) parts: Vec<Part>,
    /// The number of words in them.
    pub(super) words: usize,
    /// The rest of the line.
    pub(super) rest: Option<String>,
}

/// Entries that are possible one after the other.
#[derive(Clone)]
struct Path {
    parts: Vec<Part>,
    standing: Standing,
    has_move: bool,
}

/// The words of a line, each with its row and its index there.
type Words<'a> = Vec<(&'a Row<'a>, usize)>;

/// The moves at the beginning of a line, as far as they are possible, if there is only one way to
/// get so far. A single further entry is taken as it was said, as on a line of its own: it is the
/// last one, and can be corrected.
pub(super) fn begun(
    rows: &[Row<'_>],
    one: &impl Fn(&str) -> Vec<Part>,
    standing: &Standing,
) -> Option<Begun> {
    let words: Words<'_> = rows
        .iter()
        .flat_map(|row| (0..row.words.len()).map(move |at| (row, at)))
        .collect();
    let mut paths: Vec<Vec<Path>> = vec![Vec::new(); words.len() + 1];
    paths.first_mut()?.push(Path {
        parts: Vec::new(),
        standing: standing.clone(),
        has_move: false,
    });
    for (from, (row, at)) in words.iter().enumerate() {
        let mut here = paths.get(from).cloned().unwrap_or_default();
        let number = row.number().filter(|_| *at == 0);
        for path in &mut here {
            path.parts.extend(number.clone());
        }
        let row_left = row.words.get(*at..).unwrap_or_default();
        let most = if here.is_empty() { 0 } else { LONGEST };
        for count in 1..=row_left.len().min(most) {
            let said = said_by(row_left.get(..count).unwrap_or_default(), one);
            let pairs = here
                .iter()
                .flat_map(|path| said.iter().map(move |said| (path, said)));
            let longer = pairs.filter_map(|(path, said)| path.and(said));
            if let Some(there) = paths.get_mut(from + count) {
                there.extend(longer.take(MOST_WAYS.saturating_sub(there.len())));
            }
        }
    }
    let taken = paths.iter().rposition(|paths| !paths.is_empty())?;
    let [path] = paths.get(taken)?.as_slice() else {
        return None;
    };
    let mut parts = path.parts.clone();
    let left = words.get(taken..).unwrap_or_default();
    let last = last_entry(left, one);
    let is_all = left.is_empty() || last.is_some();
    parts.extend(last.into_iter().flatten());
    path.has_move.then(|| Begun {
        parts,
        words: if is_all { words.len() } else { taken },
        rest: (!is_all).then(|| text_of(left)),
    })
}

impl Path {
    /// The path with this part appended, if it is possible there.
    fn and(&self, said: &Part) -> Option<Self> {
        let mut path = self.clone();
        match (said, entry_of(said).map(Entry::new)) {
            (Part::Said(_) | Part::Entry(_), Some(entry)) if entry.notated.is_legible() => {
                let Meaning::Legal(played) = path.standing.read(&entry) else {
                    return None;
                };
                path.standing = path.standing.after(played);
                path.has_move = true;
            }
            (Part::Entry(_), Some(entry)) => path.standing = path.standing.after_entry(&entry),
            // An offer belongs to the move before it.
            (Part::Said(Said::Command(Command::OfferDraw)), None) if self.has_move => {}
            _ => return None,
        }
        path.parts.push(said.clone());
        Some(path)
    }
}

/// The parts that words can mean together.
fn said_by(words: &[&str], one: &impl Fn(&str) -> Vec<Part>) -> Vec<Part> {
    match words {
        ["(=)"] => vec![Part::Said(Said::Command(Command::OfferDraw))],
        _ => one(&words.join(" ")),
    }
}

/// The parts that the words mean if they are one unambiguous entry.
fn last_entry(left: &[(&Row<'_>, usize)], one: &impl Fn(&str) -> Vec<Part>) -> Option<Vec<Part>> {
    let (row, at) = left.first()?;
    let words = row.words.get(*at..)?;
    let number = row.number().filter(|_| *at == 0);
    let ways = parted(words, one);
    match ways.as_slice() {
        [way] if words.len() == left.len() => match way.as_slice() {
            [only] if entry_of(only).is_some() => {
                Some(number.into_iter().chain([only.clone()]).collect())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Words as they were typed.
fn text_of(words: &[(&Row<'_>, usize)]) -> String {
    let typed = words.iter().flat_map(|(row, at)| {
        let number = match row.number().filter(|_| *at == 0) {
            Some(Part::Number { number, black }) => {
                Some(format!("{number}{}", if black { "..." } else { "." }))
            }
            _ => None,
        };
        let word = row.words.get(*at).copied().unwrap_or_default();
        number.into_iter().chain([word.to_owned()])
    });
    typed.collect::<Vec<_>>().join(" ")
}
