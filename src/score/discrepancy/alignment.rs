//! Aligns the rests of two scores, word by word.
//!
//! Only one game is played, so two scores that differ permanently still continue in similar words,
//! as far as these are legal in both. If the same words stand some entries later in one score, or
//! exchanged, then entries are missing, too many or exchanged. If that begins where the scores seem
//! to differ, it may be the whole difference.

#![allow(
    clippy::indexing_slicing,
    reason = "places are counted within these lists, of which each owner has one"
)]

use super::words::can_be_the_same;
use crate::Entry;

/// How far, in entries, the rests may be shifted against each other.
const FURTHEST: usize = 24;

/// The misfit of two aligned entries that say different things.
const OTHER_WORDS: u32 = 2;

/// The misfit of one or two entries of a score that are aligned with no entry. It equals three and
/// a half entries that say different things, so four must support it.
const BESIDE_NOTHING: u32 = 7;

/// The misfit of exchanged entries: less than two entries that say different things.
const EXCHANGED: u32 = 3;

/// Two rests, from each pair of entries that are not too far apart.
pub(super) struct Alignment {
    words: Words,
    fits: Vec<u32>,
}

/// Returns the place of a pair of entries in the table.
fn place(one: usize, other: usize) -> Option<usize> {
    let shift = (other + FURTHEST).checked_sub(one)?;
    (shift <= 2 * FURTHEST).then_some(one * (2 * FURTHEST + 1) + shift)
}

impl Alignment {
    /// Aligns two scores, in the order in which they are read.
    pub(super) fn of(one: &[Entry], other: &[Entry]) -> Self {
        let mut alignment = Self {
            words: Words::of(one, other),
            fits: vec![0; one.len() * (2 * FURTHEST + 1)],
        };
        for here in (0..one.len()).rev() {
            let nearest = here.saturating_sub(FURTHEST);
            let furthest = (here + FURTHEST + 1).min(other.len());
            for there in (nearest..furthest).rev() {
                if let Some(at) = place(here, there) {
                    let side_by_side = alignment.side_by_side(here, there);
                    let shifted = alignment.shifted(here, there);
                    alignment.fits[at] = side_by_side.map_or(shifted, |fit| fit.min(shifted));
                }
            }
        }
        alignment
    }

    /// Returns whether the best alignment from these entries on has an entry aligned with none, or
    /// exchanged entries, within so many entries.
    pub(super) fn shifts_within(&self, [one, other]: [usize; 2], entries: usize) -> bool {
        let [ours, theirs] = &self.words.illegible;
        (0..entries)
            .map(|more| [one + more, other + more])
            .take_while(|[one, other]| *one < ours.len() && *other < theirs.len())
            .any(|[one, other]| {
                let side_by_side = self.side_by_side(one, other);
                side_by_side.is_none_or(|fit| self.shifted(one, other) < fit)
            })
    }

    /// Returns the least misfit of the rests. Where one of them ends, the other may continue
    /// freely.
    fn fit(&self, one: usize, other: usize) -> Option<u32> {
        let at = place(one, other)?;
        Some(self.fits.get(at).copied().unwrap_or_default())
    }

    /// Returns the misfit if the next two entries belong together.
    fn side_by_side(&self, one: usize, other: usize) -> Option<u32> {
        let here = if self.words.may_be_same(one, other) {
            0
        } else {
            OTHER_WORDS
        };
        Some(self.fit(one + 1, other + 1)? + here)
    }

    /// Returns the misfit if they do not: one or two entries of a score are aligned with none, or
    /// some of both are exchanged.
    fn shifted(&self, one: usize, other: usize) -> u32 {
        let same =
            |more: usize, there: usize| u32::from(self.words.are_same(one + more, other + there));
        let alone = [(1, 0), (0, 1), (2, 0), (0, 2)]
            .map(|(ours, theirs)| Some(self.fit(one + ours, other + theirs)? + BESIDE_NOTHING));
        let exchanged = |entries: usize, are_same: u32, of: u32| {
            let fit = self.fit(one + entries, other + entries)?;
            Some(fit + EXCHANGED + OTHER_WORDS * (of - are_same))
        };
        let neighbours = same(0, 1) + same(1, 0);
        let of_a_side = same(0, 2) + same(2, 0);
        let rows = same(0, 2) + same(1, 3) + same(2, 0) + same(3, 1);
        let in_another_order = [
            (neighbours == 2).then(|| exchanged(2, 2, 2)),
            (of_a_side == 2).then(|| exchanged(3, 2 + same(1, 1), 3)),
            (rows >= 3).then(|| exchanged(4, rows, 4)),
        ];
        let ways = in_another_order.into_iter().flatten().chain(alone);
        ways.flatten().min().unwrap_or(u32::MAX)
    }
}

/// Which entries say the same, and which cannot be read.
struct Words {
    same: Vec<bool>,
    illegible: [Vec<bool>; 2],
}

impl Words {
    fn of(one: &[Entry], other: &[Entry]) -> Self {
        let mut same = vec![false; one.len() * (2 * FURTHEST + 1)];
        for (here, entry) in one.iter().enumerate() {
            let nearest = here.saturating_sub(FURTHEST);
            for (there, theirs) in other
                .iter()
                .enumerate()
                .skip(nearest)
                .take(2 * FURTHEST + 1)
            {
                if let Some(at) = place(here, there) {
                    same[at] = can_be_the_same(&entry.notated, &theirs.notated);
                }
            }
        }
        let illegible = |entries: &[Entry]| {
            let entries = entries.iter();
            entries.map(|entry| !entry.notated.is_legible()).collect()
        };
        Self {
            same,
            illegible: [illegible(one), illegible(other)],
        }
    }

    fn are_same(&self, one: usize, other: usize) -> bool {
        let same = place(one, other).and_then(|at| self.same.get(at));
        other < self.illegible[1].len() && same.copied().unwrap_or(false)
    }

    /// Entries that cannot be read may say the same.
    fn may_be_same(&self, one: usize, other: usize) -> bool {
        self.illegible[0][one] || self.illegible[1][other] || self.are_same(one, other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read_score;

    const GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O";

    fn entries(words: &[&str]) -> Vec<Entry> {
        let read = read_score(&words.join(" "), None, 1).unwrap();
        read.score.entries().to_vec()
    }

    /// Returns where the words are no longer aligned after this change in one score.
    fn shifts(change: impl Fn(&mut Vec<&'static str>)) -> Option<usize> {
        let mut words: Vec<&str> = GAME.split(' ').collect();
        let one = entries(&words);
        change(&mut words);
        let other = entries(&words);
        let [there, back] =
            [Alignment::of(&one, &other), Alignment::of(&other, &one)].map(|alignment| {
                let begins = |at: &usize| alignment.shifts_within([*at, *at], 1);
                (0..words.len()).find(begins)
            });
        assert_eq!(there, back);
        there
    }

    #[test]
    fn words_that_are_shifted_or_exchanged_are_told_from_other_words() {
        assert_eq!(shifts(|_| {}), None);
        assert_eq!(shifts(|words| words[4] = "Bc4"), None);
        assert_eq!(shifts(|words| words.truncate(9)), None);
        assert_eq!(shifts(|words| words.swap(6, 7)), Some(6));
        assert_eq!(shifts(|words| words.swap(6, 8)), Some(6));
        assert_eq!(shifts(|words| words[4..8].rotate_left(2)), Some(4));
        assert_eq!(shifts(|words| words.retain(|word| *word != "Bb5")), Some(4));
        // Too little is left to support it.
        assert_eq!(shifts(|words| words.retain(|word| *word != "d6")), None);
    }
}
