//! A bounded search through the lines that are possible from a position.
//!
//! The most promising position is examined first, so that a mate is found early if there is one. If
//! every line has been examined, or leads to positions in which mate is excluded, there is none.

use std::collections::VecDeque;

use shakmaty::{Chess, Color, Position};

use super::distance_estimate::distance_estimate;
use super::patterns::Patterns;
use super::seen::Seen;
use super::{Series, mobility};

/// How many times the mobility test is skipped at most.
const LET_PASS: u32 = 4;

/// Examines the lines from `start` until `limit` different positions have come up. If there are
/// pictures, the positions nearest to one of them come first.
pub(super) fn search(
    start: &Chess,
    side: Color,
    patterns: Option<&Patterns>,
    limit: usize,
) -> Series {
    let mut seen = Seen::new();
    let patterns = patterns.filter(|patterns| patterns.is_only_way && patterns.len() > 0);
    let mut waiting = Waiting::new(patterns.map_or(1, Patterns::len));
    let wait = |waiting: &mut Waiting, index: u32, position: &Chess| match patterns {
        Some(patterns) => waiting.add(index, patterns.missing(position.board())),
        None => waiting.add(index, [distance_estimate(position, side)]),
    };
    seen.add(start, None);
    wait(&mut waiting, 0, start);
    let mut doubt = Doubt::default();
    let mut after = start.clone();
    while let Some(index) = waiting.next() {
        let Some((position, is_new_material)) = seen.position(index) else {
            return Series::Open;
        };
        if is_new_material && doubt.is_over(|| mobility::excludes_mate(&position, side)) {
            continue;
        }
        for candidate in position.legal_moves() {
            after.clone_from(&position);
            after.play_unchecked(candidate);
            if after.turn() != side && after.is_checkmate() {
                let line = seen.line_to(index);
                return line.map_or(Series::Open, |mut line| {
                    line.push(candidate);
                    Series::Mates(line)
                });
            }
            if after.has_insufficient_material(side) {
                continue;
            }
            if let Some(new) = seen.add(&after, Some(index)) {
                if seen.len() > limit {
                    return Series::Open;
                }
                wait(&mut waiting, new, &after);
            }
        }
    }
    Series::Impossible
}

/// Whether to try the mobility test again. After each failure a few more chances are skipped,
/// because the test costs more than one position.
#[derive(Default)]
struct Doubt {
    denied: u32,
    passed: u32,
}

impl Doubt {
    fn is_over(&mut self, ask: impl FnOnce() -> bool) -> bool {
        if self.passed < self.denied {
            self.passed += 1;
            return false;
        }
        self.passed = 0;
        let is_so = ask();
        self.denied = if is_so {
            0
        } else {
            (self.denied + 1).min(LET_PASS)
        };
        is_so
    }
}

/// The positions still to be examined. Each measure of distance has a queue of its own, and the
/// queues take turns, so that a useless measure costs no more than its share.
struct Waiting {
    queues: Vec<Queue>,
    turn: usize,
    is_taken: Vec<bool>,
}

impl Waiting {
    fn new(measures: usize) -> Self {
        Self {
            queues: (0..measures).map(|_| Queue::default()).collect(),
            turn: 0,
            is_taken: Vec::new(),
        }
    }

    /// Adds a position. Positions come in the order of their indices.
    fn add(&mut self, index: u32, measures: impl IntoIterator<Item = i32>) {
        self.is_taken.push(false);
        for (queue, measure) in self.queues.iter_mut().zip(measures) {
            queue.add(index, measure);
        }
    }

    fn next(&mut self) -> Option<u32> {
        self.turn = (self.turn + 1) % self.queues.len().max(1);
        let queue = self.queues.get_mut(self.turn)?;
        loop {
            let index = queue.next()?;
            match self.is_taken.get_mut(index as usize) {
                Some(is_taken) if !*is_taken => {
                    *is_taken = true;
                    return Some(index);
                }
                _ => {}
            }
        }
    }
}

/// The positions by estimated distance. Of equal ones the oldest and the newest come in turn,
/// because now the one is closer to mate and now the other.
#[derive(Default)]
struct Queue {
    by_distance: Vec<VecDeque<u32>>,
    least: usize,
    is_turn_of_newest: bool,
}

impl Queue {
    fn add(&mut self, index: u32, distance_estimate: i32) {
        let at = distance_estimate.clamp(0, 255) as usize;
        if at >= self.by_distance.len() {
            self.by_distance.resize_with(at + 1, VecDeque::new);
        }
        self.least = self.least.min(at);
        if let Some(bucket) = self.by_distance.get_mut(at) {
            bucket.push_back(index);
        }
    }

    fn next(&mut self) -> Option<u32> {
        self.is_turn_of_newest = !self.is_turn_of_newest;
        loop {
            let bucket = self.by_distance.get_mut(self.least)?;
            let next = if self.is_turn_of_newest {
                bucket.pop_back()
            } else {
                bucket.pop_front()
            };
            if next.is_some() {
                return next;
            }
            self.least += 1;
        }
    }
}
