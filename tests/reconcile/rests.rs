//! Whether the rests of two scores stand side by side: the oracle's own reckoning, by trying every
//! way to set their words beside each other.
//!
//! In halves of an entry that says something else: that an entry says something else 2, that one or
//! two of a score stand beside nothing 7, that some stand in each other's place 3 and 2 for each of
//! them that says something else even so.

use std::collections::HashMap;

use annexd_score::Entry;

use super::meanings::{compatible, legible};

/// How far the rests may be shifted against each other.
const FURTHEST: usize = 24;

pub(super) struct Rests<'a> {
    lists: [Vec<&'a Entry>; 2],
    known: HashMap<[usize; 2], Option<u32>>,
}

impl<'a> Rests<'a> {
    pub(super) fn of(lists: [Vec<&'a Entry>; 2]) -> Self {
        let lengths = [0, 1].map(|of| lists[of].len());
        let mut rests = Self {
            lists,
            known: HashMap::new(),
        };
        // From the end on, so that nothing goes deep.
        for one in (0..lengths[0]).rev() {
            let nearest = one.saturating_sub(FURTHEST);
            for other in (nearest..lengths[1].min(one + FURTHEST + 1)).rev() {
                rests.badly([one, other]);
            }
        }
        rests
    }

    /// Whether one of the next entries of both is best not set beside the other.
    pub(super) fn part_within(&mut self, [one, other]: [usize; 2], entries: usize) -> bool {
        (0..entries).any(|more| {
            let at = [one + more, other + more];
            let are_left = (0..2).all(|of| at[of] < self.lists[of].len());
            are_left && self.badly(at) < self.side_by_side(at)
        })
    }

    /// Nothing where the rests are too far apart.
    fn badly(&mut self, at: [usize; 2]) -> Option<u32> {
        if at[0].abs_diff(at[1]) > FURTHEST {
            return None;
        }
        if (0..2).any(|of| at[of] >= self.lists[of].len()) {
            return Some(0);
        }
        if let Some(known) = self.known.get(&at) {
            return *known;
        }
        let ways = [self.side_by_side(at), self.otherwise(at)];
        let best = ways.into_iter().flatten().min();
        self.known.insert(at, best);
        best
    }

    fn says(&self, one: usize, other: usize) -> bool {
        let pair = self.lists[0].get(one).zip(self.lists[1].get(other));
        pair.is_some_and(|(one, other)| compatible(one, other))
    }

    fn side_by_side(&mut self, [one, other]: [usize; 2]) -> Option<u32> {
        let unread = !legible(self.lists[0][one]) || !legible(self.lists[1][other]);
        let more = self.badly([one + 1, other + 1])?;
        Some(
            more + if unread || self.says(one, other) {
                0
            } else {
                2
            },
        )
    }

    fn otherwise(&mut self, [one, other]: [usize; 2]) -> Option<u32> {
        let mut next = Vec::new();
        for entries in [1, 2] {
            next.push(([one + entries, other], 7));
            next.push(([one, other + entries], 7));
        }
        // Each place with the one in whose place it stands, and how many have to.
        for (places, fewest) in [(vec![1, 0], 2), (vec![2, 1, 0], 2), (vec![2, 3, 0, 1], 3)] {
            let pairs = places.iter().enumerate();
            let same = |&(here, there): &(usize, &usize)| self.says(one + here, other + there);
            let moved = pairs.clone().filter(|(here, there)| here != *there);
            if moved.filter(same).count() < fewest {
                continue;
            }
            let others = places.len() - pairs.filter(same).count();
            let to = [one + places.len(), other + places.len()];
            next.push((to, 3 + 2 * others as u32));
        }
        let mut ways = Vec::new();
        for (to, badly) in next {
            ways.extend(self.badly(to).map(|more| more + badly));
        }
        ways.into_iter().min()
    }
}
