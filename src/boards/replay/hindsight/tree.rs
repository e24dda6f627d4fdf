//! The positions that a board has shown, and the moves between them.

#![allow(
    clippy::indexing_slicing,
    reason = "nodes are never taken out of the tree, and each index is that of one"
)]

use std::collections::BTreeMap;
use std::ops::Index;

use shakmaty::{Board, Chess, Move, Position, Role};

use crate::replay::sight::{Seen, Sight};
use annexd_laws::moment::Moment;

/// A position that was shown.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) position: Chess,
    pub(super) parent: Option<usize>,
    pub(super) played: Option<Move>,
    pub(super) plies: usize,
    pub(super) since: Moment,
    /// When it was last shown, counted in changes.
    pub(super) shown: u64,
    /// Whether the clock was pressed while it was shown.
    pub(super) pressed: bool,
    /// Whether it was shown with nothing wrong but missing pieces.
    pub(super) is_sure: bool,
    /// Another move that may have been played instead, as far as was shown.
    pub(super) rival: Option<Move>,
}

impl Node {
    /// The placement.
    pub(super) fn board(&self) -> &Board {
        self.position.board()
    }

    /// Whether its move put a piece on a square where it stands at the start.
    pub(super) fn is_home(&self) -> bool {
        self.played.is_some_and(|played| {
            let stands = self.board().piece_at(played.to());
            stands.is_some()
                && Board::new().piece_at(played.to()) == stands
                && !played.is_castle()
                && !played.is_capture()
        })
    }

    /// Whether its move was one step of a pawn to the square where this capture ended.
    pub(super) fn is_step_to_capture(&self, taken: Move) -> bool {
        self.played.is_some_and(|step| {
            step.role() == Role::Pawn && !step.is_capture() && step.to() == taken.to()
        })
    }
}

/// Every position that was shown and that legal moves from the first ones lead to. Nothing is ever
/// taken out, so the index of a node stays the same.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    sight: Sight,
    nodes: Vec<Node>,
    /// The positions that legal moves from the nodes lead to.
    children: BTreeMap<Seen, Vec<(usize, Move)>>,
    /// The nodes by what is seen of them.
    known: BTreeMap<Seen, Vec<usize>>,
}

impl Index<usize> for Tree {
    type Output = Node;

    fn index(&self, index: usize) -> &Node {
        &self.nodes[index]
    }
}

impl Tree {
    /// The positions in which the game may have begun. There is at least one.
    pub(super) fn new(sight: Sight, roots: Vec<Chess>, now: Moment) -> Self {
        let mut tree = Self {
            sight,
            nodes: Vec::new(),
            children: BTreeMap::new(),
            known: BTreeMap::new(),
        };
        for position in roots {
            tree.push(position, None, (now, 0));
        }
        tree
    }

    /// How much of a position the sensors see.
    pub(super) const fn sight(&self) -> Sight {
        self.sight
    }

    /// What is seen of a node.
    pub(super) fn seen(&self, index: usize) -> Seen {
        self.sight.seen(self[index].board())
    }

    /// How many nodes there are, which is the index of the next one.
    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// The node after a legal move from another one. If it is not there yet, it is first shown at
    /// this moment and after so many changes.
    pub(super) fn after(&mut self, parent: usize, played: Move, first: (Moment, u64)) -> usize {
        let mut position = self[parent].position.clone();
        position.play_unchecked(played);
        let is_it = |&index: &usize| {
            self[index].parent == Some(parent) && self[index].played == Some(played)
        };
        let seen = self.sight.seen(position.board());
        let known = self.known(&seen).iter().copied().find(is_it);
        known.unwrap_or_else(|| self.push(position, Some((parent, played)), first))
    }

    /// A new node after a legal move from another one.
    pub(super) fn add(&mut self, parent: usize, played: Move, first: (Moment, u64)) -> usize {
        let mut position = self[parent].position.clone();
        position.play_unchecked(played);
        self.push(position, Some((parent, played)), first)
    }

    fn push(
        &mut self,
        position: Chess,
        from: Option<(usize, Move)>,
        (since, shown): (Moment, u64),
    ) -> usize {
        let index = self.nodes.len();
        for &legal in &position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(legal);
            let seen = self.sight.seen(after.board());
            self.children.entry(seen).or_default().push((index, legal));
        }
        let seen = self.sight.seen(position.board());
        self.known.entry(seen).or_default().push(index);
        let plies = from.map_or(0, |(parent, _)| self[parent].plies + 1);
        self.nodes.push(Node {
            position,
            parent: from.map(|(parent, _)| parent),
            played: from.map(|(_, played)| played),
            plies,
            since,
            shown,
            pressed: false,
            is_sure: true,
            rival: None,
        });
        index
    }

    /// The legal moves that lead to what is seen, each with the node where it begins.
    pub(super) fn moves_to(&self, seen: &Seen) -> &[(usize, Move)] {
        self.children.get(seen).map_or(&[], Vec::as_slice)
    }

    /// The nodes that look like what is seen.
    pub(super) fn known(&self, seen: &Seen) -> &[usize] {
        self.known.get(seen).map_or(&[], Vec::as_slice)
    }

    /// Whether one node is another one, or before it.
    pub(super) fn is_ancestor(&self, older: usize, of: usize) -> bool {
        self.back_from(of).any(|index| index == older)
    }

    /// A node, and those before it, back to the first.
    pub(super) fn back_from(&self, index: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(index), move |&index| self[index].parent)
    }

    /// The other node shown last that follows the same one.
    pub(super) fn shown_instead(&self, of: usize) -> Option<usize> {
        let parent = self[of].parent?;
        let others = (0..self.len()).filter(|&it| it != of);
        let siblings = others.filter(|&it| self[it].parent == Some(parent));
        siblings.max_by_key(|&it| self[it].shown)
    }

    /// Notes that a node is shown after so many changes. `is_whole`: nothing is wrong.
    pub(super) fn show(&mut self, index: usize, changes: u64, is_whole: bool) {
        let node = &mut self.nodes[index];
        node.shown = changes;
        node.is_sure |= is_whole;
    }

    /// Notes that a node was only seen beside wrong squares.
    pub(super) fn doubt(&mut self, index: usize) {
        self.nodes[index].is_sure = false;
    }

    /// Notes that the clock was pressed while a node was shown.
    pub(super) fn press(&mut self, index: usize) {
        self.nodes[index].pressed = true;
    }

    /// Notes that another move may have been played instead.
    pub(super) fn set_rival(&mut self, index: usize, rival: Option<Move>) {
        self.nodes[index].rival = rival;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    fn goes(role: Role, from: Square, to: Square) -> Move {
        Move::Normal {
            role,
            from,
            capture: None,
            to,
            promotion: None,
        }
    }

    /// The start position, after e4, and instead after d4.
    fn tree() -> (Tree, [usize; 3]) {
        let mut tree = Tree::new(Sight::Piece, vec![Chess::default()], Moment::START);
        let pawn = |tree: &mut Tree, from, to, changes| {
            tree.after(0, goes(Role::Pawn, from, to), (Moment::START, changes))
        };
        let king = pawn(&mut tree, Square::E2, Square::E4, 2);
        let queen = pawn(&mut tree, Square::D2, Square::D4, 6);
        (tree, [0, king, queen])
    }

    #[test]
    fn a_move_shown_again_is_the_same_node() {
        let (mut tree, [start, king, _]) = tree();
        let again = goes(Role::Pawn, Square::E2, Square::E4);
        let count = tree.len();
        assert_eq!(tree.after(start, again, (Moment::from_ms(9), 9)), king);
        assert_eq!(tree.len(), count);
        assert_eq!(tree[king].since, Moment::START);
    }

    #[test]
    fn what_is_seen_leads_to_the_node_and_to_the_move() {
        let (tree, [start, king, _]) = tree();
        let seen = tree.seen(king);
        assert_eq!(tree.known(&seen), [king]);
        let played = goes(Role::Pawn, Square::E2, Square::E4);
        assert_eq!(tree.moves_to(&seen), [(start, played)]);
        assert!(tree.known(&Sight::Piece.seen(&Board::empty())).is_empty());
    }

    #[test]
    fn a_node_comes_after_those_on_its_way_only() {
        let (tree, [start, king, queen]) = tree();
        assert!(tree.is_ancestor(start, king) && tree.is_ancestor(king, king));
        assert!(!tree.is_ancestor(king, start) && !tree.is_ancestor(king, queen));
        assert_eq!(tree[king].plies, 1);
    }

    #[test]
    fn instead_of_a_move_the_one_shown_last_counts() {
        let (mut tree, [_, king, queen]) = tree();
        let knight = goes(Role::Knight, Square::G1, Square::F3);
        let knight = tree.after(0, knight, (Moment::START, 7));
        assert_eq!(tree.shown_instead(king), Some(knight));
        tree.show(queen, 9, true);
        assert_eq!(tree.shown_instead(king), Some(queen));
    }
}
