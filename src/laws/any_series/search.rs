//! A bounded search through the lines that a position has left.
//!
//! The most promising position is looked at first, so a mate is found early if there is one. If
//! every line has been seen, or leads to positions in which mate is excluded, there is none.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use shakmaty::{Chess, Color, Position};

use super::super::repetition::PositionKey;
use super::promise::promise;
use super::{Answer, mobility};

/// Looks at up to `limit` positions.
pub(super) fn search(start: &Chess, side: Color, limit: usize) -> Answer {
    let mut waiting = Waiting::default();
    waiting.add(start.clone(), side, false);
    let mut looked_at = 0;
    while let Some((position, is_new_material)) = waiting.next() {
        if is_new_material && mobility::excludes_mate(&position, side) {
            continue;
        }
        if looked_at == limit {
            return Answer::Unknown;
        }
        looked_at += 1;
        for candidate in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(candidate);
            if after.turn() != side && after.is_checkmate() {
                return Answer::Yes;
            }
            if !after.has_insufficient_material(side) {
                waiting.add(after, side, candidate.is_zeroing());
            }
        }
    }
    Answer::No
}

/// Positions that were seen, and those still to be looked at, in turn the oldest and the newest of
/// those that promise most: among equals now the one way is shorter and now the other.
#[derive(Default)]
struct Waiting {
    seen: HashSet<PositionKey>,
    positions: Vec<Option<(Chess, bool)>>,
    oldest_first: BinaryHeap<(Reverse<i32>, Reverse<usize>)>,
    newest_first: BinaryHeap<(Reverse<i32>, usize)>,
    is_turn_of_newest: bool,
}

impl Waiting {
    fn add(&mut self, position: Chess, side: Color, is_new_material: bool) {
        if self.seen.insert(PositionKey::of(&position)) {
            let (index, promise) = (self.positions.len(), promise(&position, side));
            self.oldest_first.push((Reverse(promise), Reverse(index)));
            self.newest_first.push((Reverse(promise), index));
            self.positions.push(Some((position, is_new_material)));
        }
    }

    fn next(&mut self) -> Option<(Chess, bool)> {
        self.is_turn_of_newest = !self.is_turn_of_newest;
        loop {
            let index = if self.is_turn_of_newest {
                self.newest_first.pop()?.1
            } else {
                self.oldest_first.pop()?.1.0
            };
            if let Some(next) = self.positions.get_mut(index).and_then(Option::take) {
                return Some(next);
            }
        }
    }
}
