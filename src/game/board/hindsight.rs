//! The moves of a finished game, from all that its board has shown.
//!
//! Looking back, nothing has to be decided at once. Every position that the board has shown and
//! that a legal move leads to is kept, and the game is the path to the last one shown. A piece that
//! slides, hovers or first comes to the wrong square leaves side branches that lead nowhere.
//!
//! [`super::Reconstructor`] follows a board during play. It was tried here too, but in some
//! recordings it reported moves that were not played, without saying so.

#![allow(
    clippy::indexing_slicing,
    reason = "nodes are never taken out of this list, and each index is that of one"
)]

mod ending;
mod pressing;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use shakmaty::{Board, CastlingMode, Chess, Move, Position, Role, Square, uci::UciMove};

use super::sight::{Seen, Sight, roots_of};
use super::{Gesture, PlayedMove, Reading, Readings, differing_squares};
use annexd_laws::moment::Moment;

/// How many moves back a position may be returned to.
const BACK_MAX: usize = 8;
/// How many pieces may be missing while a move is recognised: lifted by the next player, or fallen.
pub(super) const MISSING_MAX: usize = 2;
/// How many pieces may be lifted and not yet back. With more nothing is certain.
const LIFTED_MAX: usize = 6;
/// The first changes after a game, which show whether its pieces are put on their starting squares.
const CLEARING_MAX: u32 = 4;
/// With at most this many moves, the start position is a take-back; with more it is a new game.
const TAKEN_BACK_TO_START_MAX: usize = 2;
/// After this many changes in a row without a move, the game is lost.
const LOST_MIN: u64 = 12;
/// How many squares may be wrong for long.
const STRANGERS_MAX: usize = 4;
/// How many squares besides the kings' may have changed when the kings show the result.
const MADE_ROOM_MAX: u32 = 4;

#[derive(Clone, Debug)]
struct Node {
    position: Chess,
    parent: Option<usize>,
    played: Option<Move>,
    plies: usize,
    since: Moment,
    /// When it was last shown, counted in changes.
    shown: u64,
    /// Whether the clock was pressed while it was shown.
    pressed: bool,
    /// Whether it was shown with nothing wrong but missing pieces.
    is_sure: bool,
    /// Another move that may have been played instead, as far as was shown.
    rival: Option<Move>,
}

/// One game of a recording.
#[derive(Clone, Debug)]
pub struct PastGame {
    /// The game's moves.
    pub moves: Vec<PlayedMove>,
    /// The game's last position.
    pub end: Chess,
    /// The result that the kings showed.
    pub gesture: Option<Gesture>,
    /// The castling moves that began with the rook (4.4.2).
    pub rook_first: Vec<PlayedMove>,
    /// The moves that may have been others, by their number.
    pub doubts: BTreeMap<usize, Vec<UciMove>>,
}

/// Looks back at what a board has shown.
#[derive(Clone, Debug)]
pub struct Hindsight {
    sight: Sight,
    nodes: Vec<Node>,
    /// The positions that legal moves from the nodes lead to.
    children: BTreeMap<Seen, Vec<(usize, Move)>>,
    known: BTreeMap<Seen, Vec<usize>>,
    tip: usize,
    /// The node that was shown last.
    last_shown: usize,
    readings: Readings,
    /// When each square last changed, counted in changes.
    changed: [u64; 64],
    /// Squares from which pieces were lifted since a known position was shown.
    lifted: Vec<Square>,
    /// Squares that have changed since the last known position was shown.
    disturbed: BTreeSet<Square>,
    changes: u64,
    is_explained: bool,
    /// The last node before moves were taken back.
    before_take_back: Option<usize>,
    /// The last node when the clock was stopped, and whether it was being shown then.
    stopped: Option<usize>,
    is_stopped_in_play: bool,
    /// The last node when the clock was last pressed.
    last_pressed: Option<usize>,
    /// The number of changes since the last known position was shown, and whether in the first of
    /// them a piece was put on its starting square.
    since_shown: u32,
    goes_home: bool,
    has_clock: bool,
    /// The number of presses for nothing that was recognised.
    odd_presses: usize,
    /// Whether the last press was one of these.
    is_press_open: bool,
    was_lost: bool,
    gesture: Option<Gesture>,
    is_root_sure: bool,
    /// Pieces lifted and put back, not yet asked for.
    touched: Vec<Square>,
}

impl Hindsight {
    /// A game that began with this position.
    pub fn from_position(position: Chess, sight: &Readings, now: Moment) -> Self {
        Self::from_roots(vec![position], sight, true, now)
    }

    /// A game that began with this placement, if that can be a position. The first move shows whose
    /// turn it was and which en passant was possible.
    pub fn from_placement(readings: &Readings, now: Moment) -> Option<Self> {
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
        let mut game = Self {
            sight: Sight::of(readings),
            nodes: Vec::new(),
            children: BTreeMap::new(),
            known: BTreeMap::new(),
            tip: 0,
            last_shown: 0,
            readings: *readings,
            changed: [0; 64],
            lifted: Vec::new(),
            disturbed: BTreeSet::new(),
            changes: 0,
            is_explained: true,
            before_take_back: None,
            stopped: None,
            is_stopped_in_play: false,
            last_pressed: None,
            since_shown: 0,
            goes_home: false,
            has_clock: false,
            odd_presses: 0,
            is_press_open: false,
            was_lost: false,
            gesture: None,
            is_root_sure: is_sure,
            touched: Vec::new(),
        };
        for position in roots {
            game.add(position, None, now);
        }
        if is_sure {
            game.readings = Readings::of(game.nodes[0].position.board());
        }
        game.tip = 0;
        game
    }

    fn add(&mut self, position: Chess, from: Option<(usize, Move)>, now: Moment) -> usize {
        let index = self.nodes.len();
        for &legal in &position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(legal);
            let seen = self.sight.seen(after.board());
            self.children.entry(seen).or_default().push((index, legal));
        }
        let seen = self.sight.seen(position.board());
        self.known.entry(seen).or_default().push(index);
        let plies = from.map_or(0, |(parent, _)| self.nodes[parent].plies + 1);
        self.nodes.push(Node {
            position,
            parent: from.map(|(parent, _)| parent),
            played: from.map(|(_, played)| played),
            plies,
            since: now,
            shown: self.changes,
            pressed: false,
            is_sure: true,
            rival: None,
        });
        index
    }

    /// Whether the sensors tell pieces apart.
    pub const fn knows_pieces(&self) -> bool {
        matches!(self.sight, Sight::Piece)
    }

    /// Whether nothing has been recognised for a long time.
    pub fn is_lost(&self) -> bool {
        !self.is_explained && self.changes > self.nodes[self.tip].shown + LOST_MIN
    }

    /// Whether the board shows a recognised position.
    pub const fn is_explained(&self) -> bool {
        self.is_explained
    }

    /// The placement at the end of the game.
    pub fn board(&self) -> &Board {
        self.nodes[self.tip].position.board()
    }

    /// The result that the kings showed.
    pub const fn gesture(&self) -> Option<Gesture> {
        self.gesture
    }

    /// The number of moves so far.
    pub fn plies(&self) -> usize {
        self.nodes[self.tip].plies
    }

    /// Whether every press was for a move and nothing was left unexplained.
    pub const fn is_whole(&self, is_cleared: bool) -> bool {
        let is_finished = is_cleared || self.is_explained || self.gesture.is_some();
        let has_presses = self.last_pressed.is_some();
        self.odd_presses == 0 && (has_presses || is_finished && !self.was_lost)
    }

    /// Whether this is the start position, not reached by play.
    pub fn is_new_start(&self, readings: &Readings) -> bool {
        let start = Board::new();
        if !readings.fit(&start) || self.sight.seen_readings(readings) == self.seen_tip() {
            return false;
        }
        let is_played = self
            .find_child(&self.sight.seen_readings(readings))
            .is_some();
        let began = *self.nodes[0].position.board() == start;
        // Putting pieces away may look like moves taken back one by one.
        let before = self
            .before_take_back
            .map_or(0, |index| self.nodes[index].plies);
        let plies = before.max(self.plies());
        !is_played
            && (!began
                || plies > TAKEN_BACK_TO_START_MAX
                || self.gesture.is_some()
                || (self.stopped.is_some() && plies > 0))
    }

    fn seen_tip(&self) -> Seen {
        self.sight.seen(self.nodes[self.tip].position.board())
    }

    /// Whether more pieces stand here than at the beginning, so that the position was still being
    /// set up.
    pub fn is_still_set_up(&self, readings: &Readings) -> bool {
        let count = |readings: &Readings| {
            let occupied = readings.iter().filter(|(_, reading)| reading.is_occupied());
            occupied.count()
        };
        let first = Readings::of(self.nodes[0].position.board());
        !self.is_root_sure && count(readings) > count(&first)
    }

    /// Takes what the board shows now.
    pub fn see(&mut self, readings: &Readings, now: Moment) {
        self.changes += 1;
        for (square, reading) in readings.iter() {
            let before = self.readings.at(square);
            let stood = self.nodes[self.tip].position.board().piece_at(square);
            if before == reading
                || before.is_occupied() && before.fits(stood) && reading.fits(stood)
            {
                // The same as before, or only more or less exact.
                continue;
            }
            self.changed[square as usize] = self.changes;
            self.disturbed.insert(square);
            self.lifted.retain(|&lifted| lifted != square);
            if before.is_occupied() {
                self.lifted.push(square);
            }
        }
        self.since_shown += 1;
        let is_placed_home = |(square, reading): (Square, Reading)| {
            reading.is_occupied()
                && reading != self.readings.at(square)
                && reading.fits(Board::new().piece_at(square))
        };
        self.goes_home |= self.since_shown <= CLEARING_MAX && readings.iter().any(is_placed_home);
        self.readings = *readings;
        if self.gesture.is_some() {
            return;
        }
        self.is_explained = self.explain(now);
        self.was_lost |= self.is_lost();
        if !self.is_explained && self.sight == Sight::Piece {
            self.note_gesture();
        }
    }

    fn explain(&mut self, now: Moment) -> bool {
        let seen = self.sight.seen_readings(&self.readings);
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
            is_whole || index == self.tip || Some(index) == self.nodes[self.tip].parent
        };
        if let Some((parent, played)) = self.find_child(seen)
            && is_near(parent)
        {
            self.arrive(seen, parent, played, now);
            self.shown(self.tip, is_whole);
            return true;
        }
        let Some(index) = self.find_known(seen).filter(|_| is_whole) else {
            return false;
        };
        if self.is_ancestor(index, self.tip) && index != self.tip {
            self.before_take_back.get_or_insert(self.tip);
        }
        self.tip = index;
        self.shown(index, is_whole);
        true
    }

    /// Goes on to the position after a move, which may have been shown before.
    fn arrive(&mut self, seen: &Seen, parent: usize, played: Move, now: Moment) {
        let mut position = self.nodes[parent].position.clone();
        position.play_unchecked(played);
        let same = |&index: &usize| {
            self.nodes[index].parent == Some(parent) && self.nodes[index].played == Some(played)
        };
        let known = self.known.get(seen);
        let known = known.and_then(|known| known.iter().copied().find(same));
        if played.is_en_passant() {
            self.note_rival(parent, played);
        }
        let before = self.tip;
        self.tip = known.unwrap_or_else(|| self.add(position, Some((parent, played)), now));
        if self.is_ancestor(self.tip, before) && self.tip != before {
            self.before_take_back.get_or_insert(before);
        } else if !self.is_home(self.tip) {
            self.before_take_back = None;
        }
    }

    /// Takes the pieces that were lifted and put back since the last call (4.2, 4.3, D.2.2).
    pub fn take_touched(&mut self) -> Vec<Square> {
        std::mem::take(&mut self.touched)
    }

    /// Notes pieces that were disturbed and stand where they stood before.
    fn note_touches(&mut self, before: usize, after: usize) {
        let [before, after] = [before, after].map(|index| self.nodes[index].position.board());
        let is_back = |square: &&Square| {
            let stands = after.piece_at(**square);
            stands.is_some()
                && stands == before.piece_at(**square)
                && self.readings.at(**square).is_occupied()
        };
        let back: Vec<Square> = self.disturbed.iter().filter(is_back).copied().collect();
        self.touched.extend(back);
    }

    fn shown(&mut self, index: usize, is_whole: bool) {
        self.note_touches(self.last_shown, index);
        self.last_shown = index;
        self.nodes[index].shown = self.changes;
        self.nodes[index].is_sure |= is_whole;
        self.since_shown = 0;
        self.goes_home = false;
        self.disturbed.clear();
        if is_whole {
            self.lifted.clear();
        } else {
            let board = self.nodes[index].position.board();
            let readings = &self.readings;
            self.lifted.retain(|&square| {
                board.piece_at(square).is_some() && !readings.at(square).is_occupied()
            });
        }
    }

    /// The move to what is seen from a position shown recently, from the last one rather than the
    /// one before.
    fn find_child(&self, seen: &Seen) -> Option<(usize, Move)> {
        let found = self.children.get(seen)?;
        let parent = self.nodes[self.tip].parent;
        let is_recent = |&&(index, played): &&(usize, Move)| {
            let plies = self.nodes[index].plies;
            plies + BACK_MAX >= self.plies()
                && self.may_be(index, played)
                && !self.is_pressed_away(index)
        };
        let rank = |&(index, played): &(usize, Move)| {
            let is_usual = played.promotion().is_none_or(|role| role == Role::Queen);
            let node = &self.nodes[index];
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
        let has_changed = |square: Square| self.disturbed.contains(&square);
        let is_taken = !played.is_capture() || has_changed(played.to());
        if index == self.tip {
            is_taken && played.from().is_some_and(has_changed)
        } else if Some(index) == self.nodes[self.tip].parent {
            is_taken
        } else {
            !played.is_capture()
        }
    }

    /// Whether moves after this position were pressed for by both players. Then no other move
    /// replaces them unless they were taken back first.
    fn is_pressed_away(&self, index: usize) -> bool {
        if !self.is_ancestor(index, self.tip) {
            return false;
        }
        let mut pressed = 0;
        let mut at = self.tip;
        while at != index {
            pressed += usize::from(self.nodes[at].pressed);
            let Some(parent) = self.nodes[at].parent else {
                break;
            };
            at = parent;
        }
        pressed >= 2
    }

    fn find_known(&self, seen: &Seen) -> Option<usize> {
        let found = self.known.get(seen)?.iter().copied();
        let recent = found.filter(|&index| self.nodes[index].plies + BACK_MAX >= self.plies());
        recent.max_by_key(|&index| self.nodes[index].shown)
    }

    fn is_ancestor(&self, older: usize, of: usize) -> bool {
        let mut at = Some(of);
        while let Some(index) = at {
            if index == older {
                return true;
            }
            at = self.nodes[index].parent;
        }
        false
    }

    /// Allows for pieces in the next player's hand or on the table.
    fn take_but_for_missing(&mut self, now: Moment) -> bool {
        let board = self.nodes[self.tip].position.board().clone();
        let is_missing = |square: &&Square| {
            board.piece_at(**square).is_some() && !self.readings.at(**square).is_occupied()
        };
        let lifted: Vec<Square> = self.lifted.iter().filter(is_missing).copied().collect();
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
            let seen = self.sight.seen_readings(&readings);
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
        for start in [Some(self.tip), self.nodes[self.tip].parent] {
            let Some(start) = start else { continue };
            let position = &self.nodes[start].position;
            if differing_squares(position.board(), &shown).count() > STRANGERS_MAX + 4 {
                continue;
            }
            let legal = position.legal_moves();
            let mut found = legal
                .iter()
                .filter(|&&played| self.is_beside_strangers(position, played, &shown));
            if let (Some(&played), None) = (found.next(), found.next()) {
                let mut after = position.clone();
                after.play_unchecked(played);
                let seen = self.sight.seen(after.board());
                let known = self.nodes.len();
                self.arrive(&seen, start, played, now);
                if self.tip == known {
                    self.nodes[known].is_sure = false;
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
        let changed = |square: Square| self.changed[square as usize];
        let last_stranger = strangers.into_iter().map(changed).max();
        let first_moved = moved.into_iter().map(changed).min();
        (1..=STRANGERS_MAX).contains(&strangers.count())
            && (strangers & (moved | kings)).is_empty()
            && last_stranger < first_moved
    }

    /// Looks for two moves of which the board never showed the first, if no other two fit.
    pub fn seek_two(&mut self, now: Moment) {
        if self.is_explained || self.gesture.is_some() || !self.knows_pieces() {
            return;
        }
        let seen = self.sight.seen_readings(&self.readings);
        let mut starts = vec![self.tip];
        starts.extend(self.nodes[self.tip].parent);
        for start in starts {
            let mut found = Vec::new();
            for &first in &self.nodes[start].position.legal_moves() {
                let mut between = self.nodes[start].position.clone();
                between.play_unchecked(first);
                if differing_squares(between.board(), self.nodes[start].position.board())
                    .into_iter()
                    .any(|square| !self.disturbed.contains(&square))
                    && start == self.tip
                {
                    continue;
                }
                for &second in &between.legal_moves() {
                    let mut after = between.clone();
                    after.play_unchecked(second);
                    if self.sight.seen(after.board()) == seen {
                        found.push((first, second, between.clone(), after));
                    }
                }
            }
            if let [(first, second, between, after)] = &found[..] {
                let middle = self.add(between.clone(), Some((start, *first)), now);
                let last = self.add(after.clone(), Some((middle, *second)), now);
                self.tip = last;
                self.shown(last, true);
                self.is_explained = true;
                return;
            }
        }
    }

    /// Takes a move that was announced, or that the board reports as made. Among all that look like
    /// what is shown, it is the one.
    pub fn announced(&mut self, announced: UciMove, now: Moment) {
        let seen = self.sight.seen_readings(&self.readings);
        let matches_move = |&&(index, played): &&(usize, Move)| {
            self.nodes[index].plies + 2 >= self.plies()
                && played.to_uci(CastlingMode::Standard) == announced
        };
        let found = self.children.get(&seen).into_iter().flatten();
        let found = found
            .filter(matches_move)
            .max_by_key(|(index, _)| self.nodes[*index].shown);
        if let Some(&(parent, played)) = found
            && (self.nodes[self.tip].parent, self.nodes[self.tip].played)
                != (Some(parent), Some(played))
        {
            self.arrive(&seen, parent, played, now);
            self.shown(self.tip, true);
            self.is_explained = true;
        }
    }

    /// The clock runs, so the game goes on.
    pub const fn clock_runs(&mut self) {
        self.has_clock = true;
        self.stopped = None;
    }

    /// The clock was stopped. If it is not started again, nothing that happens then is play.
    pub const fn clock_stops(&mut self) {
        if self.has_clock && self.stopped.is_none() {
            self.is_stopped_in_play = self.is_explained;
            self.stopped = Some(self.tip);
        }
    }

    fn note_gesture(&mut self) {
        let shown = self.readings.board();
        let Some(gesture) = Gesture::of_kings(&shown) else {
            return;
        };
        let mut at = Some(self.tip);
        for _ in 0..3 {
            let Some(index) = at else { return };
            let node = &self.nodes[index];
            let kings = node.position.board().kings() | shown.kings();
            let others = differing_squares(node.position.board(), &shown).without(kings);
            if others.count() as u32 <= MADE_ROOM_MAX {
                self.gesture = Some(gesture);
                return;
            }
            at = node.parent;
        }
    }
}
