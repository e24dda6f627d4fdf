//! The moves of a finished game, from all that its board has shown.
//!
//! Looking back, nothing has to be decided at once. Every position that the board has shown and
//! that a legal move leads to is kept, and the game is the path to the last one shown. A piece that
//! slides, hovers or first comes to the wrong square leaves side branches that lead nowhere.
//!
//! `Reconstructor` of the game follows a board during play, where pieces at rest show what was
//! meant. A recording has no time but its clock's, so it does not show when pieces rested.
//! To take the moves from it was tried, twice: it found as many damaged games as this, but of some
//! it reported moves that were not played, without saying so.

mod changes;
mod clock;
mod ending;
mod pressing;
mod tree;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use shakmaty::{Board, CastlingMode, Chess, Move, Position, Role, Square, uci::UciMove};

use self::changes::Changes;
use self::clock::{Clock, Presses};
use self::tree::Tree;
use super::sight::{Seen, Sight, roots_of};
use annexd_game::board::{Gesture, PlayedMove, Reading, Readings, differing_squares};
use annexd_laws::moment::Moment;

/// How many moves back a position may be returned to.
const BACK_MAX: usize = 8;
/// How many pieces may be missing while a move is recognised: lifted by the next player, or fallen.
pub(super) const MISSING_MAX: usize = 2;
/// How many pieces may be lifted and not yet back. With more nothing is certain.
const LIFTED_MAX: usize = 6;
/// With at most this many moves, the start position is a take-back; with more it is a new game.
const TAKEN_BACK_TO_START_MAX: usize = 2;
/// After this many changes in a row without a move, the game is lost.
const LOST_MIN: u64 = 12;
/// How many squares may be wrong for long.
const STRANGERS_MAX: usize = 4;
/// How many squares besides the kings' may have changed when the kings show the result.
const MADE_ROOM_MAX: u32 = 4;

/// One game of a recording.
#[derive(Clone, Debug)]
pub(super) struct PastGame {
    /// The game's moves.
    pub(super) moves: Vec<PlayedMove>,
    /// The game's last position.
    pub(super) end: Chess,
    /// The result that the kings showed.
    pub(super) gesture: Option<Gesture>,
    /// The castling moves that began with the rook (4.4.2).
    pub(super) rook_first: Vec<PlayedMove>,
    /// The moves that may have been others, by their number.
    pub(super) doubts: BTreeMap<usize, Vec<UciMove>>,
}

/// Looks back at what a board has shown.
#[derive(Clone, Debug)]
pub(super) struct Hindsight {
    tree: Tree,
    /// The node where the game stands now.
    tip: usize,
    /// The node that was shown last.
    last_shown: usize,
    readings: Readings,
    changes: Changes,
    is_explained: bool,
    /// The last node before moves were taken back.
    before_take_back: Option<usize>,
    clock: Clock,
    presses: Presses,
    was_lost: bool,
    gesture: Option<Gesture>,
    is_root_sure: bool,
    /// Pieces lifted and put back, not yet asked for.
    touched: Vec<Square>,
}

impl Hindsight {
    /// A game that began with this position.
    pub(super) fn from_position(position: Chess, sight: &Readings, now: Moment) -> Self {
        Self::from_roots(vec![position], sight, true, now)
    }

    /// A game that began with this placement, if that can be a position. The first move shows whose
    /// turn it was and which en passant was possible.
    pub(super) fn from_placement(readings: &Readings, now: Moment) -> Option<Self> {
        let start = Board::new();
        if readings.fit_but_for_missing(&start, MISSING_MAX) {
            let mut game = Self::from_position(Chess::default(), readings, now);
            game.see(readings, now);
            return Some(game);
        }
        let roots = roots_of(readings);
        (!roots.is_empty()).then(|| Self::from_roots(roots, readings, false, now))
    }

    fn from_roots(roots: Vec<Chess>, readings: &Readings, is_sure: bool, now: Moment) -> Self {
        let tree = Tree::new(Sight::of(readings), roots, now);
        let readings = match is_sure {
            true => Readings::of(tree[0].board()),
            false => *readings,
        };
        Self {
            tree,
            tip: 0,
            last_shown: 0,
            readings,
            changes: Changes::new(),
            is_explained: true,
            before_take_back: None,
            clock: Clock::default(),
            presses: Presses::default(),
            was_lost: false,
            gesture: None,
            is_root_sure: is_sure,
            touched: Vec::new(),
        }
    }

    /// Whether the sensors tell pieces apart.
    pub(super) const fn knows_pieces(&self) -> bool {
        matches!(self.tree.sight(), Sight::Piece)
    }

    /// Whether nothing has been recognised for a long time.
    pub(super) fn is_lost(&self) -> bool {
        !self.is_explained && self.changes.count() > self.tree[self.tip].shown + LOST_MIN
    }

    /// Whether the board shows a recognised position.
    pub(super) const fn is_explained(&self) -> bool {
        self.is_explained
    }

    /// The placement at the end of the game.
    pub(super) fn board(&self) -> &Board {
        self.tree[self.tip].board()
    }

    /// The result that the kings showed.
    pub(super) const fn gesture(&self) -> Option<Gesture> {
        self.gesture
    }

    /// The number of moves so far.
    pub(super) fn plies(&self) -> usize {
        self.tree[self.tip].plies
    }

    /// Whether every press was for a move and nothing was left unexplained.
    pub(super) const fn is_whole(&self, is_cleared: bool) -> bool {
        let is_finished = is_cleared || self.is_explained || self.gesture.is_some();
        let has_presses = self.presses.last().is_some();
        self.presses.are_explained() && (has_presses || is_finished && !self.was_lost)
    }

    /// Whether this is the start position, not reached by play.
    pub(super) fn is_new_start(&self, readings: &Readings) -> bool {
        let start = Board::new();
        let seen = self.tree.sight().seen_readings(readings);
        if !readings.fit(&start) || seen == self.seen_tip() {
            return false;
        }
        let is_played = self.find_child(&seen).is_some();
        let began = *self.tree[0].board() == start;
        // Putting pieces away may look like moves taken back one by one.
        let before = self
            .before_take_back
            .map_or(0, |index| self.tree[index].plies);
        let plies = before.max(self.plies());
        !is_played
            && (!began
                || plies > TAKEN_BACK_TO_START_MAX
                || self.gesture.is_some()
                || (self.clock.stopped().is_some() && plies > 0))
    }

    fn seen_tip(&self) -> Seen {
        self.tree.seen(self.tip)
    }

    /// Whether more pieces stand here than at the beginning, so that the position was still being
    /// set up.
    pub(super) fn is_still_set_up(&self, readings: &Readings) -> bool {
        let count = |readings: &Readings| {
            let occupied = readings.iter().filter(|(_, reading)| reading.is_occupied());
            occupied.count()
        };
        let first = Readings::of(self.tree[0].board());
        !self.is_root_sure && count(readings) > count(&first)
    }

    /// Takes what the board shows now.
    pub(super) fn see(&mut self, readings: &Readings, now: Moment) {
        let expected = self.tree[self.tip].board();
        self.changes.note(&self.readings, readings, expected);
        self.readings = *readings;
        if self.gesture.is_some() {
            return;
        }
        self.is_explained = self.explain(now);
        self.was_lost |= self.is_lost();
        if !self.is_explained && self.knows_pieces() {
            self.note_gesture();
        }
    }

    /// What is seen of what the board shows now.
    fn seen_now(&self) -> Seen {
        self.tree.sight().seen_readings(&self.readings)
    }

    fn explain(&mut self, now: Moment) -> bool {
        let seen = self.seen_now();
        if seen == self.seen_tip() {
            self.shown(self.tip, true);
            return true;
        }
        self.take(&seen, now, true)
            || self.knows_pieces()
                && (self.take_but_for_missing(now) || self.take_beside_strangers(now))
    }

    /// Takes what is seen as a move, another move, or one taken back.
    fn take(&mut self, seen: &Seen, now: Moment, is_whole: bool) -> bool {
        // A partly seen position may look like many that were not played.
        let is_near = |index: usize| {
            is_whole || index == self.tip || Some(index) == self.tree[self.tip].parent
        };
        if let Some((parent, played)) = self.find_child(seen)
            && is_near(parent)
        {
            self.arrive(parent, played, now);
            self.shown(self.tip, is_whole);
            return true;
        }
        let Some(index) = self.find_known(seen).filter(|_| is_whole) else {
            return false;
        };
        if self.tree.is_ancestor(index, self.tip) && index != self.tip {
            self.before_take_back.get_or_insert(self.tip);
        }
        self.tip = index;
        self.shown(index, is_whole);
        true
    }

    /// Goes on to the position after a move, which may have been shown before.
    fn arrive(&mut self, parent: usize, played: Move, now: Moment) {
        if played.is_en_passant() {
            self.note_rival(parent, played);
        }
        let before = self.tip;
        self.tip = self.tree.after(parent, played, self.first_shown(now));
        if self.tree.is_ancestor(self.tip, before) && self.tip != before {
            self.before_take_back.get_or_insert(before);
        } else if !self.tree[self.tip].is_home() {
            self.before_take_back = None;
        }
    }

    /// When a position is first shown that is shown now.
    const fn first_shown(&self, now: Moment) -> (Moment, u64) {
        (now, self.changes.count())
    }

    /// Takes the pieces that were lifted and put back since the last call (4.2, 4.3, D.2.2).
    pub(super) fn take_touched(&mut self) -> Vec<Square> {
        std::mem::take(&mut self.touched)
    }

    /// Notes pieces that were disturbed and stand where they stood before.
    fn note_touches(&mut self, before: usize, after: usize) {
        let [before, after] = [before, after].map(|index| self.tree[index].board());
        let is_back = |&square: &Square| {
            let stands = after.piece_at(square);
            stands.is_some()
                && stands == before.piece_at(square)
                && self.readings.at(square).is_occupied()
        };
        let back = self.changes.disturbed().filter(is_back);
        self.touched.extend(back);
    }

    fn shown(&mut self, index: usize, is_whole: bool) {
        self.note_touches(self.last_shown, index);
        self.last_shown = index;
        self.tree.show(index, self.changes.count(), is_whole);
        let board = self.tree[index].board();
        self.changes.show(board, &self.readings, is_whole);
    }

    /// The move to what is seen from a position shown recently, from the last one rather than the
    /// one before.
    fn find_child(&self, seen: &Seen) -> Option<(usize, Move)> {
        let found = self.tree.moves_to(seen);
        let parent = self.tree[self.tip].parent;
        let is_recent = |&&(index, played): &&(usize, Move)| {
            let plies = self.tree[index].plies;
            plies + BACK_MAX >= self.plies()
                && self.may_be(index, played)
                && !self.is_pressed_away(index)
        };
        let rank = |&(index, played): &(usize, Move)| {
            let is_usual = played.promotion().is_none_or(|role| role == Role::Queen);
            let node = &self.tree[index];
            // The last position, or a sibling of it.
            let is_last = index == self.tip || (node.parent.is_some() && node.parent == parent);
            let near = (
                is_last,
                is_last && node.pressed,
                index == self.tip,
                Some(index) == parent,
            );
            (near, node.shown, is_usual, Reverse(index))
        };
        found
            .iter()
            .filter(is_recent)
            .max_by_key(|it| rank(it))
            .copied()
    }

    /// Whether the changed squares allow a move, on boards that do not recognise pieces. There a
    /// capture looks like a lifted piece, except that its square was empty for a moment.
    fn may_be(&self, index: usize, played: Move) -> bool {
        if self.knows_pieces() {
            return true;
        }
        let has_changed = |square: Square| self.changes.has_disturbed(square);
        let is_taken = !played.is_capture() || has_changed(played.to());
        if index == self.tip {
            is_taken && played.from().is_some_and(has_changed)
        } else if Some(index) == self.tree[self.tip].parent {
            is_taken
        } else {
            !played.is_capture()
        }
    }

    /// Whether moves after this position were pressed for by both players. Then no other move
    /// replaces them unless they were taken back first.
    fn is_pressed_away(&self, index: usize) -> bool {
        if !self.tree.is_ancestor(index, self.tip) {
            return false;
        }
        let later = self.tree.back_from(self.tip).take_while(|&it| it != index);
        later.filter(|&it| self.tree[it].pressed).count() >= 2
    }

    fn find_known(&self, seen: &Seen) -> Option<usize> {
        let found = self.tree.known(seen).iter().copied();
        let recent = found.filter(|&index| self.tree[index].plies + BACK_MAX >= self.plies());
        recent.max_by_key(|&index| self.tree[index].shown)
    }

    /// Allows for pieces in the next player's hand or on the table.
    fn take_but_for_missing(&mut self, now: Moment) -> bool {
        let board = self.board().clone();
        let is_missing = |&square: &Square| {
            board.piece_at(square).is_some() && !self.readings.at(square).is_occupied()
        };
        let lifted: Vec<Square> = self.changes.lifted().filter(is_missing).collect();
        if lifted.len() > LIFTED_MAX {
            return false;
        }
        let back = |readings: &Readings, square: Square, from: Option<Square>| {
            let mut readings = *readings;
            if let Some(piece) = board.piece_at(square) {
                readings.set(square, Reading::Piece(piece));
            }
            if let Some(from) = from {
                readings.set(from, Reading::Empty);
            }
            readings
        };
        let mut tried = Vec::new();
        for (index, &one) in lifted.iter().enumerate() {
            let stray = self.stray_squares(&board, one);
            let places = std::iter::once(None).chain(stray.into_iter().map(Some));
            for place in places {
                let cost = 1 + usize::from(place.is_some());
                let readings = back(&self.readings, one, place);
                tried.push((cost, readings));
                for (_, &other) in lifted.iter().enumerate().filter(|(at, _)| *at != index) {
                    tried.push((cost + 1, back(&readings, other, None)));
                }
            }
        }
        tried.sort_by_key(|(missing, _)| *missing);
        for (_, readings) in tried {
            let seen = self.tree.sight().seen_readings(&readings);
            if seen == self.seen_tip() {
                // Only lifted.
                return false;
            }
            if self.take(&seen, now, false) {
                return true;
            }
        }
        false
    }

    /// The squares where a missing piece may lie, because it has fallen and rolled away.
    fn stray_squares(&self, board: &Board, missing: Square) -> Vec<Square> {
        // A king that stands elsewhere has moved, and castling depends on that.
        let Some(piece) = board
            .piece_at(missing)
            .filter(|piece| piece.role != Role::King)
        else {
            return Vec::new();
        };
        let is_stray = |&(square, reading): &(Square, Reading)| {
            // On its starting square it has been put away.
            let is_home = Board::new().piece_at(square) == Some(piece);
            reading == Reading::Piece(piece) && board.piece_at(square).is_none() && !is_home
        };
        let stray = self.readings.iter().filter(is_stray);
        stray.map(|(square, _)| square).collect()
    }

    /// Allows for squares that are wrong for long: pieces lying about, or changes lost on the line.
    /// A move made after all that counts if it is the only one possible.
    fn take_beside_strangers(&mut self, now: Moment) -> bool {
        let shown = self.readings.board();
        for start in self.tip_and_parent() {
            let position = &self.tree[start].position;
            if differing_squares(position.board(), &shown).count() > STRANGERS_MAX + 4 {
                continue;
            }
            let legal = position.legal_moves();
            let mut found = legal
                .iter()
                .filter(|&&played| self.is_beside_strangers(position, played, &shown));
            if let (Some(&played), None) = (found.next(), found.next()) {
                let next = self.tree.len();
                self.arrive(start, played, now);
                if self.tip == next {
                    self.tree.doubt(next);
                }
                self.shown(self.tip, false);
                return true;
            }
        }
        false
    }

    /// Whether all squares of a move show it, and all wrong squares were wrong before it.
    fn is_beside_strangers(&self, before: &Chess, played: Move, shown: &Board) -> bool {
        let mut after = before.clone();
        after.play_unchecked(played);
        let strangers = differing_squares(after.board(), shown);
        let moved = differing_squares(before.board(), after.board());
        let kings = shown.kings() | after.board().kings();
        let changed = |square: Square| self.changes.last(square);
        let last_stranger = strangers.into_iter().map(changed).max();
        let first_moved = moved.into_iter().map(changed).min();
        (1..=STRANGERS_MAX).contains(&strangers.count())
            && (strangers & (moved | kings)).is_empty()
            && last_stranger < first_moved
    }

    /// The last node, and the one before it.
    fn tip_and_parent(&self) -> Vec<usize> {
        self.tree.back_from(self.tip).take(2).collect()
    }

    /// Looks for two moves of which the board never showed the first, if no other two fit.
    pub(super) fn seek_two(&mut self, now: Moment) {
        if self.is_explained || self.gesture.is_some() || !self.knows_pieces() {
            return;
        }
        let seen = self.seen_now();
        for start in self.tip_and_parent() {
            let mut found = Vec::new();
            let position = &self.tree[start].position;
            for &first in &position.legal_moves() {
                let mut between = position.clone();
                between.play_unchecked(first);
                if differing_squares(between.board(), position.board())
                    .into_iter()
                    .any(|square| !self.changes.has_disturbed(square))
                    && start == self.tip
                {
                    continue;
                }
                for &second in &between.legal_moves() {
                    let mut after = between.clone();
                    after.play_unchecked(second);
                    if self.tree.sight().seen(after.board()) == seen {
                        found.push((first, second));
                    }
                }
            }
            if let [(first, second)] = found[..] {
                let middle = self.tree.add(start, first, self.first_shown(now));
                let last = self.tree.add(middle, second, self.first_shown(now));
                self.tip = last;
                self.shown(last, true);
                self.is_explained = true;
                return;
            }
        }
    }

    /// Takes a move that was announced, or that the board reports as made. Among all that look like
    /// what is shown, it is the one.
    pub(super) fn announced(&mut self, announced: UciMove, now: Moment) {
        let seen = self.seen_now();
        let matches_move = |&&(index, played): &&(usize, Move)| {
            self.tree[index].plies + 2 >= self.plies()
                && played.to_uci(CastlingMode::Standard) == announced
        };
        let found = self.tree.moves_to(&seen).iter();
        let found = found
            .filter(matches_move)
            .max_by_key(|(index, _)| self.tree[*index].shown);
        if let Some(&(parent, played)) = found
            && (self.tree[self.tip].parent, self.tree[self.tip].played)
                != (Some(parent), Some(played))
        {
            self.arrive(parent, played, now);
            self.shown(self.tip, true);
            self.is_explained = true;
        }
    }

    /// The clock runs, so the game goes on.
    pub(super) const fn clock_runs(&mut self) {
        self.clock.run();
    }

    /// The clock was stopped. If it is not started again, nothing that happens then is play.
    pub(super) fn clock_stops(&mut self) {
        self.clock.stop(self.tip, self.is_explained);
    }

    fn note_gesture(&mut self) {
        let shown = self.readings.board();
        let Some(gesture) = Gesture::of_kings(&shown) else {
            return;
        };
        let is_result = |index: usize| {
            let board = self.tree[index].board();
            let kings = board.kings() | shown.kings();
            let others = differing_squares(board, &shown).without(kings);
            others.count() as u32 <= MADE_ROOM_MAX
        };
        if self.tree.back_from(self.tip).take(3).any(is_result) {
            self.gesture = Some(gesture);
        }
    }
}
