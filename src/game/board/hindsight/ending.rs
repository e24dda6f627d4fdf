//! Which part of all that was shown was the game.

use std::collections::BTreeMap;

use shakmaty::{Board, CastlingMode, Move, Position, Role, Square};

use super::super::path::{CENTRE, is_rook_of};
use super::{Hindsight, Node, PastGame};
use crate::board::PlayedMove;

impl Hindsight {
    /// The game, if nothing more follows. `is_cleared`: the pieces were set up for a new game.
    pub fn finish(&self, is_cleared: bool) -> PastGame {
        let mut last = self.without_unsure(self.stopped.unwrap_or(self.tip));
        let is_explained = self.is_explained && self.nodes[self.tip].is_sure;
        let has_ended = is_cleared || !is_explained || self.gesture.is_some();
        if let Some(before) = self
            .before_take_back
            .filter(|_| has_ended && self.stopped.is_none())
        {
            // Nobody plays on from there: the pieces were put away.
            last = before;
        }
        if self.gesture.is_some() {
            last = self.without_kings_to_centre(last);
        } else if has_ended && !(self.stopped.is_some() && self.is_stopped_in_play) {
            last = self.without_going_home(last);
        }
        let (mut moves, mut rook_first) = (Vec::new(), Vec::new());
        let mut doubts = BTreeMap::new();
        let mut at = last;
        while let (Some(parent), Some(played)) = (self.nodes[at].parent, self.nodes[at].played) {
            let node = &self.nodes[at];
            let made = PlayedMove {
                ply: node.plies,
                side: self.nodes[parent].position.turn(),
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
            if self.nodes[..at].iter().any(is_rook) {
                rook_first.push(made);
            }
            at = parent;
        }
        moves.reverse();
        PastGame {
            moves,
            end: self.nodes[last].position.clone(),
            gesture: self.gesture,
            rook_first,
            doubts,
        }
    }

    /// Notes a doubt: a pawn was seen one square on, then two, and was captured. That was en
    /// passant, or a capture after one step that dragged the pawn over the other square. Only a
    /// press in between tells.
    pub(super) fn note_rival(&mut self, two_steps: usize, taken: Move) {
        let node = &self.nodes[two_steps];
        let (Some(before), false) = (node.parent, node.pressed) else {
            return;
        };
        // A pawn that still stood there when the other arrived was nowhere else.
        let Some(from) = taken.from() else { return };
        let passed = Square::from_coords(taken.to().file(), from.rank());
        if self.changed[passed as usize] > self.changed[taken.to() as usize] {
            return;
        }
        let is_one_step = |other: &&Node| {
            other.parent == Some(before)
                && other.played.is_some_and(|step| {
                    step.role() == Role::Pawn && !step.is_capture() && step.to() == taken.to()
                })
        };
        let rival = self.nodes.iter().find(is_one_step);
        let rival = rival.and_then(|node| node.played);
        self.nodes[two_steps].rival = rival;
    }

    /// Drops last moves that were seen beside wrong squares and that nothing confirms.
    fn without_unsure(&self, mut last: usize) -> usize {
        while let Node {
            parent: Some(parent),
            is_sure: false,
            pressed: false,
            ..
        } = self.nodes[last]
        {
            last = parent;
        }
        last
    }

    fn without_kings_to_centre(&self, mut last: usize) -> usize {
        for _ in 0..2 {
            let node = &self.nodes[last];
            let (Some(parent), Some(played)) = (node.parent, node.played) else {
                break;
            };
            let is_to_centre = played.role() == Role::King && CENTRE.contains(&played.to());
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
        let parent = self.nodes[last].parent.unwrap_or(last);
        match self.last_pressed {
            Some(pressed) if !self.is_ancestor(pressed, last) => pressed,
            Some(pressed) if pressed == last => last,
            Some(pressed) if self.is_home(last) && pressed == parent => parent,
            Some(_) => last,
            None if self.is_home(last) && self.goes_home => {
                self.shown_instead(last).unwrap_or(parent)
            }
            None => last,
        }
    }

    /// The move that was shown before another replaced it.
    fn shown_instead(&self, of: usize) -> Option<usize> {
        let parent = self.nodes[of].parent?;
        let others = (0..self.nodes.len()).filter(|&it| it != of);
        let siblings = others.filter(|&it| self.nodes[it].parent == Some(parent));
        siblings.max_by_key(|&it| self.nodes[it].shown)
    }

    /// Whether a move put a piece on a square where it stands at the start.
    pub(super) fn is_home(&self, index: usize) -> bool {
        let node = &self.nodes[index];
        node.played.is_some_and(|played| {
            let stands = node.position.board().piece_at(played.to());
            stands.is_some()
                && Board::new().piece_at(played.to()) == stands
                && !played.is_castle()
                && !played.is_capture()
        })
    }
}
