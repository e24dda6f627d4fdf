//! Orders of reading that the oracle tries: exchanged moves and exchanged columns.

use std::rc::Rc;

use shakmaty::Move;

use annexd_score::Entry;

use super::meanings::{alike, compatible, legible, stands_there, without_origin};
use super::oracle::{Oracle, State};

impl Oracle<'_> {
    /// Moves of a score stand in each other's place, and in the right one they say what the other
    /// score says, or some of them.
    pub(super) fn swapped(
        &mut self,
        state: &State,
        owner: usize,
        meant: &[Vec<Move>; 2],
        left: u32,
    ) {
        let at = state.at[owner];
        let agree = meant[0].iter().any(|played| meant[1].contains(played));
        if left < 2 || agree || at < state.busy[owner].0 {
            return;
        }
        for (way, places) in [vec![1, 0], vec![2, 1, 0], vec![2, 3, 0, 1]]
            .iter()
            .enumerate()
        {
            let length = places.len();
            let mut order = state.order[owner].to_vec();
            let Some(block) = order.get_mut(at..at + length) else {
                continue;
            };
            let written = block.to_vec();
            for (place, &from) in block.iter_mut().zip(places) {
                *place = written[from];
            }
            let is_legible = |place: &usize| legible(&self.scores[owner][*place]);
            if !written.iter().all(is_legible) {
                continue;
            }
            if alike(
                &self.scores[owner][written[0]],
                &self.scores[owner][written[places[0]]],
            ) {
                continue;
            }
            let mut next = state.clone();
            next.order[owner] = order.into();
            next.busy[owner] = (at + length, way);
            let says = |state: &State| {
                let same = (0..length).filter(|&more| {
                    let [one, other] = [owner, 1 - owner].map(|of| self.entry(state, of, more));
                    one.zip(other)
                        .is_some_and(|(one, other)| compatible(one, other))
                });
                same.count()
            };
            let (in_order, as_written) = (says(&next), says(state));
            if in_order >= length.div_ceil(2) && in_order > as_written {
                self.follow(&next.faulty(1), left - 2);
            }
            // All in place in this order, they are in no longer one.
            if in_order == length {
                break;
            }
        }
    }

    /// From a row on the columns are exchanged, or right again; some rows have to say so.
    pub(super) fn columns(&mut self, state: &State, owner: usize, left: u32) {
        let at = state.at[owner];
        let cost = if state.crossed[owner] { 0 } else { 2 };
        if left < cost || at % 2 == 1 || at < state.busy[owner].0 {
            return;
        }
        let mut order = state.order[owner].to_vec();
        for row in order[at..].chunks_exact_mut(2) {
            row.swap(0, 1);
        }
        let order: Rc<[usize]> = order.into();
        // How many of the next rows stand in the other score in that order.
        let stand = |order: &Rc<[usize]>, rows: usize| {
            let stands = |row: &usize| {
                let pair = order.get(at + 2 * row..at + 2 * row + 2);
                pair.is_some_and(|pair| self.stand_near(state, owner, pair, at + 2 * row))
            };
            (0..rows).filter(stands).count()
        };
        let written = &state.order[owner];
        // One entry of the first row may be wrong, if the next row says so.
        let half = |order: &Rc<[usize]>| {
            let next = stand(order, 2) - stand(order, 1);
            let pair = order.get(at..at + 2);
            next == 1 && pair.is_some_and(|pair| self.one_stands_near(owner, pair, at))
        };
        let may_be = if state.crossed[owner] {
            (stand(&order, 1) == 1 || half(&order)) && stand(written, 1) == 0
                || self.says_uncrossed(state, owner)
        } else {
            let first = stand(&order, 1) == 1 || stand(written, 1) == 0 && half(&order);
            first && [4, 8, 16].into_iter().any(|it| stand(&order, it) > it / 2)
        };
        if may_be {
            let mut next = state.clone();
            next.order[owner] = order;
            next.crossed[owner] = !state.crossed[owner];
            self.follow(&next.faulty(cost / 2), left - cost);
        }
    }

    /// Whether White's next entry, as it stands on a sheet that is read with exchanged columns, is
    /// the move that the other score has next.
    pub(super) fn says_uncrossed(&mut self, state: &State, owner: usize) -> bool {
        let own = state.order[owner].get(state.at[owner] + 1);
        let own = own.and_then(|place| self.scores[owner].get(*place));
        let (Some(own), Some(theirs)) = (own, self.entry(state, 1 - owner, 0)) else {
            return false;
        };
        let own = self.moves(&state.standing, own);
        own.len() == 1 && own == self.moves(&state.standing, theirs)
    }

    /// Whether the scores can be told to differ here. Among entries in each other's place they can
    /// if both have agreed so far and half of the entries say the same.
    pub(super) fn is_told(&self, state: &State) -> bool {
        (0..2).all(|owner| {
            let (until, way) = state.busy[owner];
            let left = until.saturating_sub(state.at[owner]);
            let length = [2, 3, 4][way];
            let says = |more: &usize| {
                let both = [0, 1].map(|of| self.entry(state, of, *more));
                matches!(both, [Some(one), Some(other)] if compatible(one, other))
            };
            let alike = |left: usize| length - left + (1..left).filter(says).count();
            left == 0 || state.is_agreed && 2 * alike(left) >= length
        })
    }

    /// The moves that an entry without a meaning can have if its square of departure is wrong.
    pub(super) fn with_other_origin(&mut self, state: &State, entry: &Entry) -> Vec<Move> {
        if !self.moves(&state.standing, entry).is_empty() {
            return Vec::new();
        }
        let open = without_origin(entry).map(Entry::new);
        open.map_or_else(Vec::new, |open| self.moves(&state.standing, &open))
    }

    /// Whether those of an entry are other moves than the other score can mean.
    pub(super) fn says_another(&mut self, state: &State, entry: &Entry, theirs: &[Move]) -> bool {
        let own = self.with_other_origin(state, entry);
        !own.is_empty() && own.iter().all(|it| !theirs.contains(it))
    }

    /// Those that both entries have. Where both say the same and such a piece is there, it is an
    /// illegal move of both.
    pub(super) fn with_other_origins(&mut self, state: &State, entries: [&Entry; 2]) -> Vec<Move> {
        if alike(entries[0], entries[1]) && stands_there(&state.standing, entries) {
            return Vec::new();
        }
        let [one, other] = entries.map(|entry| self.with_other_origin(state, entry));
        one.into_iter().filter(|it| other.contains(it)).collect()
    }

    /// Whether one of two entries stands in its column of the other score, at most six from there.
    fn one_stands_near(&self, owner: usize, pair: &[usize], at: usize) -> bool {
        let theirs = self.scores[1 - owner];
        (at.saturating_sub(6)..(at + 8).min(theirs.len())).any(|there| {
            let own = pair[(there + at) % 2];
            compatible(&self.scores[owner][own], &theirs[there])
        })
    }

    /// Whether two entries stand one after the other in the other score, at most six from there.
    fn stand_near(&self, state: &State, owner: usize, pair: &[usize], at: usize) -> bool {
        let [one, other] = [0, 1].map(|place| &self.scores[owner][pair[place]]);
        let theirs = |place: usize| {
            // In the order in which the other is read.
            let turned = if state.crossed[1 - owner] {
                place ^ 1
            } else {
                place
            };
            let entries = self.scores[1 - owner];
            entries.get(turned).or_else(|| entries.get(place))
        };
        (at.saturating_sub(6)..=at + 6).any(|there| {
            let [Some(first), Some(second)] = [theirs(there), theirs(there + 1)] else {
                return false;
            };
            compatible(one, first) && compatible(other, second)
        })
    }
}
