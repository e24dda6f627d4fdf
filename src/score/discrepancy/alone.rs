//! Reads one score by itself, where the other no longer helps.

use std::collections::{BTreeMap, BTreeSet};

use shakmaty::Position;

use super::costs::MOST_ALONE;
use super::words::{is_doubled, marks_capture};
use crate::{Entry, Meaning, Notated, Standing};

/// The range, in entries, in which the other score is searched for a missing move.
const NEAR: (isize, isize) = (-1, 2);

/// The entries of a score, and those of the other score, which may show what is missing. The score
/// that lacks a move continues in the same words `shift` entries away.
#[derive(Clone, Copy)]
pub(super) struct AlignedEntries<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) other: &'a [Entry],
    pub(super) shift: isize,
}

impl<'a> AlignedEntries<'a> {
    /// Returns what the other score has near an entry.
    fn near(self, at: usize) -> &'a [Entry] {
        let there = at.cast_signed() + self.shift;
        let [from, to] = [there + NEAR.0, there + NEAR.1 + 1]
            .map(|place| usize::try_from(place).unwrap_or(0).min(self.other.len()));
        self.other.get(from..to).unwrap_or_default()
    }
}

/// How many faults the rest of a score has when it is read by itself. The same rest is asked for
/// again and again, so every answer is kept. The key is the entry where reading first stops,
/// because all paths of the same game arrive there.
#[derive(Default)]
pub(super) struct Alone {
    known: BTreeMap<Asked, u32>,
}

/// The key of an answer: the owner and whether both scores are read with exchanged columns, the
/// first entry, the shift of the other score, and the position.
type Asked = ((usize, [bool; 2]), usize, isize, u64);

impl Alone {
    /// Returns the fewest faults with which the entries from `at` on are a game, at most
    /// [`MOST_ALONE`]. `owner` gives whose they are, and whose are read with exchanged columns.
    pub(super) fn faults(
        &mut self,
        owner: (usize, [bool; 2]),
        told: AlignedEntries<'_>,
        at: usize,
        standing: &Standing,
    ) -> u32 {
        let (at, standing) = read_far(told.entries, at, standing.clone());
        if at == told.entries.len() {
            return 0;
        }
        let key = (owner, at, told.shift, standing.key());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let faults = fewest_faults(told, at, &standing);
        self.known.insert(key, faults);
        faults
    }
}

pub(super) fn fewest_faults(told: AlignedEntries<'_>, at: usize, standing: &Standing) -> u32 {
    let entries = told.entries;
    let mut here = vec![(at, standing.clone())];
    let mut seen = BTreeSet::new();
    for faults in 0..MOST_ALONE {
        let mut next = Vec::new();
        for (at, standing) in here {
            let (at, standing) = read_far(entries, at, standing);
            if at == entries.len() {
                return faults;
            }
            next.extend(ways_on(told, at, &standing));
        }
        next.retain(|(at, standing)| seen.insert((*at, standing.key())));
        here = next;
    }
    MOST_ALONE
}

/// Reads entries as long as each is one legal move. Returns where that ends, with the positions on
/// the way.
pub(super) fn read_on(
    entries: &[Entry],
    mut at: usize,
    mut standing: Standing,
) -> (usize, Standing, Vec<Standing>) {
    let mut passed = Vec::new();
    while let Some(Meaning::Legal(played)) = entries.get(at).map(|entry| standing.read(entry)) {
        standing = standing.after(played);
        passed.push(standing.clone());
        at += 1;
    }
    (at, standing, passed)
}

/// Reads entries as long as each is one legal move, and returns where that ends. A capture mark
/// where nothing is captured is a fault too.
fn read_far(entries: &[Entry], mut at: usize, mut standing: Standing) -> (usize, Standing) {
    while let Some((entry, Meaning::Legal(played))) =
        entries.get(at).map(|entry| (entry, standing.read(entry)))
        && (played.is_capture() || !marks_capture(entry))
    {
        standing = standing.after(played);
        at += 1;
    }
    (at, standing)
}

/// Returns the ways to continue from an entry that is not one legal move. It may not count, or be
/// one of several moves, or the written move although that is not legal, or some other move. Or it
/// is the move after a missing one, which may be any move, or one that the other score has.
fn ways_on(told: AlignedEntries<'_>, at: usize, standing: &Standing) -> Vec<(usize, Standing)> {
    let mut ways = Vec::new();
    let entries = told.entries;
    let Some(entry) = entries.get(at) else {
        return ways;
    };
    if is_doubled(entries, at) || entry.notated == Notated::Blank {
        ways.push((at + 1, standing.clone()));
    }
    let meanings = standing.meanings(entry);
    if meanings.is_empty() {
        ways.push((at + 1, standing.after_entry(entry)));
    }
    for played in meanings {
        ways.push((at + 1, standing.after(played)));
    }
    for unknown in after_unknown_move(standing) {
        if matches!(unknown.read(entry), Meaning::Legal(_)) {
            ways.push((at, unknown.clone()));
        }
        ways.push((at + 1, unknown));
    }
    for missing in told.near(at) {
        if let Meaning::Legal(played) = standing.read(missing) {
            let after = standing.after(played);
            if matches!(after.read(entry), Meaning::Legal(_)) {
                ways.push((at, after));
            }
        }
    }
    ways
}

/// Returns the position after an unknown move: only the turn changes. In check that is impossible,
/// so there every move is tried.
fn after_unknown_move(standing: &Standing) -> Vec<Standing> {
    match standing.position() {
        Some(position) if position.is_check() => {
            let replies = position.legal_moves();
            replies.into_iter().map(|it| standing.after(it)).collect()
        }
        _ => vec![standing.passed()],
    }
}
