//! How many faults a score has when it is read by itself, behind a difference.

use annexd_score::{Notated, Standing};
use shakmaty::Position;

use super::oracle::{MOST_ALONE, Oracle, State};

impl Oracle<'_> {
    /// How many faults a score by itself has from here on.
    pub(super) fn alone(&mut self, state: &State, owner: usize) -> u32 {
        let at = state.at[owner];
        let as_read = self.alone_within(state, owner, at, &state.standing, MOST_ALONE);
        // Exchanged columns can be right again from here on, or from the next row on.
        let mut straight = None;
        let is_no_difference = at.is_multiple_of(2) && self.says_uncrossed(state, owner);
        if state.crossed[owner] && at >= state.busy[owner].0 && !is_no_difference {
            let first = at.next_multiple_of(2);
            let mut order = state.order[owner].to_vec();
            for row in order
                .get_mut(first..)
                .unwrap_or_default()
                .chunks_exact_mut(2)
            {
                row.swap(0, 1);
            }
            let mut right = state.clone();
            right.order[owner] = order.into();
            right.crossed[owner] = false;
            let before = (at < first).then(|| self.entry(state, owner, 0)).flatten();
            let meant = before.map(|entry| self.moves(&state.standing, entry));
            straight = match meant.as_deref() {
                None => self.alone_within(&right, owner, at, &state.standing, MOST_ALONE),
                Some([only]) => {
                    let after = state.standing.after(*only);
                    self.alone_within(&right, owner, first, &after, MOST_ALONE)
                }
                Some(_) => None,
            };
        }
        let fewest = as_read.into_iter().chain(straight).min();
        fewest.unwrap_or(MOST_ALONE)
    }

    fn alone_within(
        &mut self,
        state: &State,
        owner: usize,
        at: usize,
        standing: &Standing,
        left: u32,
    ) -> Option<u32> {
        let place = state.order[owner].get(at).copied();
        let Some(entry) = place.and_then(|place| self.scores[owner].get(place)) else {
            return Some(0);
        };
        let is_busy = at < state.busy[owner].0;
        let shift = state.at[1 - owner].cast_signed() - state.at[owner].cast_signed();
        let key = (owner, state.crossed, at, shift, standing.key(), left);
        if !is_busy && let Some(known) = self.alone.get(&key) {
            return *known;
        }
        let meant = self.moves(standing, entry);
        let fewest = if let [only] = meant.as_slice() {
            self.alone_within(state, owner, at + 1, &standing.after(*only), left)
        } else if left == 0 {
            None
        } else {
            let mut ways = Vec::new();
            if self.is_twice(state, owner, at) || entry.notated == Notated::Blank {
                ways.push((at + 1, standing.clone()));
            }
            ways.extend(meant.iter().map(|&it| (at + 1, standing.after(it))));
            if meant.is_empty() {
                ways.push((at + 1, standing.after_entry(entry)));
            }
            let in_check = standing.position().is_some_and(Position::is_check);
            let unknown = if in_check {
                let all = self.all(standing);
                all.iter().map(|&it| standing.after(it)).collect()
            } else {
                vec![standing.passed()]
            };
            for unknown in unknown {
                if self.moves(&unknown, entry).len() == 1 {
                    ways.push((at, unknown.clone()));
                }
                ways.push((at + 1, unknown));
            }
            // A move that is missing here stands in the other score, give or take an entry.
            let there = at.cast_signed() + shift;
            for place in (there - 1..=there + 2).filter_map(|it| usize::try_from(it).ok()) {
                let place = state.order[1 - owner].get(place).copied();
                let missing = place.and_then(|place| self.scores[1 - owner].get(place));
                let meant = missing.map(|missing| self.moves(standing, missing));
                if let Some([only]) = meant.as_deref() {
                    let after = standing.after(*only);
                    if self.moves(&after, entry).len() == 1 {
                        ways.push((at, after));
                    }
                }
            }
            let ways = ways.iter();
            ways.filter_map(|(at, way)| self.alone_within(state, owner, *at, way, left - 1))
                .min()
                .map(|faults| faults + 1)
        };
        if !is_busy {
            self.alone.insert(key, fewest);
        }
        fewest
    }
}
