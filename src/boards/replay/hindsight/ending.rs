//! Which part of all that was shown was the game.

use std::collections::BTreeMap;

use shakmaty::{CastlingMode, Move, Position, Role, Square};

use super::tree::Node;
use super::{Hindsight, PastGame};
use annexd_game::board::{Gesture, PlayedMove, is_rook_of};

impl Hindsight {
    /// The game, if nothing more follows. `is_cleared`: the pieces were set up for a new game.
    pub(in crate::replay) fn finish(&self, is_cleared: bool) -> PastGame {
        let mut last = self.without_unsure(self.clock.stopped().unwrap_or(self.tip));
        let is_explained = self.is_explained && self.tree[self.tip].is_sure;
        let has_ended = is_cleared || !is_explained || self.gesture.is_some();
        if let Some(before) = self
            .before_take_back
            .filter(|_| has_ended && self.clock.stopped().is_none())
        {
            // Nobody plays on from there: the pieces were put away.
            last = before;
        }
        if self.gesture.is_some() {
            last = self.without_kings_to_centre(last);
        } else if has_ended && !self.clock.is_stopped_in_play() {
            last = self.without_going_home(last);
        }
        let (mut moves, mut rook_first) = (Vec::new(), Vec::new());
        let mut doubts = BTreeMap::new();
        let mut at = last;
        while let (Some(parent), Some(played)) = (self.tree[at].parent, self.tree[at].played) {
            let node = &self.tree[at];
            let made = PlayedMove {
                ply: node.plies,
                side: self.tree[parent].position.turn(),
                played: played.to_uci(CastlingMode::Standard),
                since: node.since,
            };
            moves.push(made);
            if let Some(rival) = node.rival {
                doubts.insert(node.plies, vec![rival.to_uci(CastlingMode::Standard)]);
            }
            let is_rook = |node: &Node| {
                node.parent == Some(parent) && node.played.is_some_and(|it| is_rook_of(played, it))
            };
            if self.tree.iter().take(at).any(is_rook) {
                rook_first.push(made);
            }
            at = parent;
        }
        moves.reverse();
        PastGame {
            moves,
            end: self.tree[last].position.clone(),
            gesture: self.gesture,
            rook_first,
            doubts,
        }
    }

    /// Notes a doubt: a pawn was seen one square on, then two, and was captured. That was en
    /// passant, or a capture after one step that dragged the pawn over the other square. Only a
    /// press in between tells.
    pub(super) fn note_rival(&mut self, two_steps: usize, taken: Move) {
        let node = &self.tree[two_steps];
        let (Some(before), false) = (node.parent, node.pressed) else {
            return;
        };
        // A pawn that still stood there when the other arrived was nowhere else.
        let Some(from) = taken.from() else { return };
        let passed = Square::from_coords(taken.to().file(), from.rank());
        if self.changes.last(passed) > self.changes.last(taken.to()) {
            return;
        }
        let is_rival = |it: &&Node| it.parent == Some(before) && it.is_step_to_capture(taken);
        let rival = self.tree.iter().find(is_rival).and_then(|it| it.played);
        self.tree.set_rival(two_steps, rival);
    }

    /// Drops last moves that were seen beside wrong squares and that nothing confirms.
    fn without_unsure(&self, mut last: usize) -> usize {
        while let Node {
            parent: Some(parent),
            is_sure: false,
            pressed: false,
            ..
        } = self.tree[last]
        {
            last = parent;
        }
        last
    }

    fn without_kings_to_centre(&self, mut last: usize) -> usize {
        for _ in 0..2 {
            let node = &self.tree[last];
            let (Some(parent), Some(played)) = (node.parent, node.played) else {
                break;
            };
            let is_to_centre =
                played.role() == Role::King && Gesture::SQUARES.contains(&played.to());
            if !is_to_centre || node.pressed {
                break;
            }
            last = parent;
        }
        last
    }

    /// Drops pieces put on their starting squares just before all the others were put away. If the
    /// clock is pressed, every move was pressed for except perhaps the last.
    fn without_going_home(&self, last: usize) -> usize {
        let parent = self.tree[last].parent.unwrap_or(last);
        match self.presses.last() {
            Some(pressed) if !self.tree.is_ancestor(pressed, last) => pressed,
            Some(pressed) if pressed == last => last,
            Some(pressed) if self.tree[last].is_home() && pressed == parent => parent,
            Some(_) => last,
            None if self.tree[last].is_home() && self.changes.goes_home() => {
                self.tree.shown_instead(last).unwrap_or(parent)
            }
            None => last,
        }
    }
}
