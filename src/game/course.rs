//! The course of play: the position, the move on its way and the moves made (1.3, D.2.3).
//!
//! The position is a free placement with the announced moves: whether a move is legal is noted, and
//! has no effect here. Other files only read moves and words; all changes are made here.

#[cfg(test)]
mod tests;

use std::time::Duration;

use shakmaty::{Bitboard, Board, Color, Rank, Role, Setup, Square};

use super::draw::Offer;
use super::moving::{Asked, Moving, Play, Released, Words};
use super::own_board::Touch;
use super::position::{Position, Step};
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Sides;
use annexd_laws::{Fault, PositionKey};

/// The moves made and the move being made.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// The position after all moves made. The player whose turn it is has the move (1.3).
    position: Position,
    moving: Moving,
    plays: Vec<Play>,
    /// The keys of the positions that count for repetition (9.2.2); empty while one of them is not
    /// one of chess.
    keys: Vec<PositionKey>,
    /// The number of moves after which the first of these positions stood.
    keys_from: usize,
    /// The number of moves of both players after which an illegal position was first seen (A.4.4).
    illegal_since: Option<usize>,
    /// The number of the proposal to end the game that the last move brought about.
    end_proposal: Option<u32>,
    /// The illegal move about which both players were asked whether it stands, until they decide.
    unsettled: Option<usize>,
}

impl Course {
    /// A game that begins with this position.
    pub(super) fn new(setup: Setup) -> Self {
        let turn = setup.turn;
        let position = Position::new(setup);
        Self {
            keys: keys_of([&position]),
            keys_from: 0,
            position,
            moving: Moving::new(turn),
            plays: Vec::new(),
            illegal_since: None,
            end_proposal: None,
            unsettled: None,
        }
    }

    /// The position after all moves made.
    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// The placement after all moves made.
    pub(super) fn board(&self) -> &Board {
        self.position.board()
    }

    /// Who has the move.
    pub(super) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The move on its way.
    pub(super) const fn moving(&self) -> &Moving {
        &self.moving
    }

    /// The moves made.
    pub(super) const fn plays(&self) -> &[Play] {
        self.plays.as_slice()
    }

    /// The last move made.
    pub(super) fn last(&self) -> Option<&Play> {
        self.plays.last()
    }

    /// The last move made, if a player of this side made it.
    pub(super) fn last_of(&self, side: Color) -> Option<&Play> {
        self.last().filter(|play| play.moving.side == side)
    }

    /// Whether the last move made has yet to be pressed for.
    pub(super) fn is_open(&self) -> bool {
        self.last().is_some_and(|play| !play.pressed)
    }

    /// The keys of all positions, for repetition; empty if repetition cannot be judged.
    pub(super) fn position_keys(&self) -> &[PositionKey] {
        &self.keys
    }

    /// The starting position of play.
    pub(super) fn start(&self) -> Setup {
        let first = self.plays.first().map(|play| &play.before);
        first.unwrap_or(&self.position).setup()
    }

    /// The fault that a move counts as if it is one: a pawn left on the last rank is an unexchanged
    /// pawn (7.5.2), anything else an illegal move.
    pub(super) fn fault_of(&self, index: usize) -> Fault {
        let Some(play) = self.plays.get(index) else {
            return Fault::IllegalMove;
        };
        let last_rank = play.moving.side.fold_wb(Rank::Eighth, Rank::First);
        match play.step {
            Step::Piece {
                from,
                to,
                promotion: None,
            } if to.rank() == last_rank
                && play.before.board().role_at(from) == Some(Role::Pawn) =>
            {
                Fault::UnexchangedPawn
            }
            _ => Fault::IllegalMove,
        }
    }

    // Making moves.

    /// Makes the move on its way with this step. `stood` is the piece that its own board shows on
    /// the target square. `is_single_board` means one board for both players, on which the
    /// move is executed too.
    pub(super) fn make(
        &mut self,
        now: Moment,
        step: Step,
        stood: Option<Role>,
        is_single_board: bool,
    ) {
        let legal = self.position.legal(step);
        let is_legal = match self.position.chess() {
            Some(_) => Some(legal.is_some()),
            None => self.position.plainly_illegal(step).map(|_| false),
        };
        let after = match legal {
            Some(legal) => self.position.played(legal),
            None => self.position.stepped(step),
        };
        let next = Moving::new(!self.moving.side);
        let mut moving = std::mem::replace(&mut self.moving, next);
        moving.executed |= is_single_board;
        self.plays.push(Play {
            moving,
            step,
            legal: is_legal,
            before: std::mem::replace(&mut self.position, after),
            made_at: now,
            completed_at: None,
            pressed: false,
            press_asked: false,
            left: None,
            stood,
        });
        match self.position.chess() {
            Some(chess) if !self.keys.is_empty() => self.keys.push(PositionKey::of(chess)),
            _ => self.keys.clear(),
        }
    }

    /// Takes the last move back into its making (D.2.8). A released piece stays released.
    pub(super) fn unmake(&mut self, released: Option<Released>) {
        let Some(play) = self.plays.pop() else { return };
        self.position = play.before;
        self.moving = play.moving;
        self.moving.hands.released = self.moving.hands.released.or(released);
        self.count_positions_anew();
    }

    /// Counts the positions that still stand. A position that was none, and was taken back, no
    /// longer keeps repetition from being judged.
    fn count_positions_anew(&mut self) {
        if self.plays.len() < self.keys_from {
            self.keys_from = 0;
        }
        let before = self.plays.iter().skip(self.keys_from);
        let positions = before.map(|play| &play.before);
        self.keys = keys_of(positions.chain([&self.position]));
    }

    /// Completes a move with this time left to both (6.2.1), and notes a press in any case. Returns
    /// whether the completion is news.
    pub(super) fn complete(
        &mut self,
        index: usize,
        now: Moment,
        pressed: bool,
        left: Option<Sides<Duration>>,
    ) -> bool {
        let Some(play) = self.plays.get_mut(index) else {
            return false;
        };
        play.pressed |= pressed;
        if play.completed_at.is_some() {
            return false;
        }
        play.completed_at = Some(now);
        play.left = left;
        true
    }

    /// Notes what a chessclock shows as left to both after the last move.
    pub(super) fn note_left(&mut self, left: Sides<Duration>) {
        if let Some(play) = self.plays.last_mut() {
            play.left = Some(left);
        }
    }

    /// Notes that a pawn was left on the last rank when the clock was pressed. That is the move,
    /// and it is illegal (7.5.2).
    pub(super) fn pawn_was_left(&mut self, index: usize) {
        if let Some(play) = self.plays.get_mut(index)
            && let Step::Piece { promotion, .. } = &mut play.step
        {
            *promotion = None;
            play.legal = Some(false);
        }
    }

    /// Notes whether the press for the last move was requested by key and is still to be done on
    /// the chessclock.
    pub(super) fn ask_press(&mut self, is_asked: bool) {
        if let Some(play) = self.plays.last_mut() {
            play.press_asked = is_asked;
        }
    }

    // Illegal moves that the players decide about.

    /// Leaves open whether this illegal move stands.
    pub(super) const fn leave_open(&mut self, index: usize) {
        self.unsettled = Some(index);
    }

    /// The illegal move of which nobody has decided whether it stands.
    pub(super) const fn unsettled(&self) -> Option<usize> {
        self.unsettled
    }

    /// Lets the open illegal move stand. Returns the side that made it.
    pub(super) fn settle(&mut self) -> Option<Color> {
        let index = self.unsettled.take()?;
        self.plays.get(index).map(|play| play.moving.side)
    }

    // Going back.

    /// Goes back to the position after this many moves. These pieces bind the player (touch-move).
    pub(super) fn go_back(&mut self, plies: usize, bound_by: Vec<Square>) {
        if let Some(play) = self.plays.get(plies) {
            self.position = play.before.clone();
            self.plays.truncate(plies);
            self.count_positions_anew();
        }
        self.begin_anew();
        self.moving.hands.bound_by = bound_by;
    }

    /// Sets a position by hand. It becomes the first one for repetition.
    pub(super) fn set_position(&mut self, setup: Setup) {
        self.position = Position::new(setup);
        self.keys_from = self.plays.len();
        self.count_positions_anew();
        self.begin_anew();
    }

    /// Replaces the moves by those that both scores record. `common` is the number of moves that
    /// agree with what was played (D.2.9).
    pub(super) fn take_agreed(&mut self, now: Moment, common: usize, agreed: &[Setup]) {
        if let Some(play) = self.plays.get(common) {
            self.position = play.before.clone();
            self.plays.truncate(common);
        }
        for pair in agreed.windows(2).skip(common) {
            let [before, after] = pair else { continue };
            let before = Position::new(before.clone());
            let Some(step) = before.step_to(after) else {
                break;
            };
            self.position = Position::new(after.clone());
            self.plays.push(Play {
                moving: Moving::new(before.turn()),
                step,
                legal: Some(true),
                before,
                made_at: now,
                completed_at: Some(now),
                pressed: true,
                press_asked: false,
                left: None,
                stood: None,
            });
        }
        self.keys_from = 0;
        self.count_positions_anew();
        self.begin_anew();
    }

    /// Treats all standing moves as executed and pressed, and begins the next move anew.
    fn begin_anew(&mut self) {
        self.moving = Moving::new(self.position.turn());
        self.unsettled = None;
        for play in &mut self.plays {
            play.moving.executed = true;
            play.pressed = true;
        }
    }

    /// Puts a queen in place of the piece on this square (7.5.2). Returns false if no such piece is
    /// there, or a king.
    pub(super) fn place_queen(&mut self, square: Square) -> bool {
        let mut placement = self.position.board().clone();
        let piece = placement.piece_at(square);
        let Some(pawn) = piece.filter(|piece| piece.role != Role::King) else {
            return false;
        };
        placement.set_piece_at(square, pawn.color.queen());
        self.position = self.position.with_board(placement);
        self.count_positions_anew();
        true
    }

    /// Keeps these castling rights and no others (A.4.1).
    pub(super) fn keep_castling(&mut self, rights: Bitboard) {
        self.position = self.position.with_castling(rights);
        self.count_positions_anew();
    }

    /// The number of moves after which an illegal position was first seen, if it still stands
    /// (A.4.4).
    pub(super) const fn illegal_since(&self) -> Option<usize> {
        self.illegal_since
    }

    /// Notes whether the position is plainly illegal.
    pub(super) fn see_illegal(&mut self, is_illegal: bool) {
        let since = self.illegal_since.unwrap_or(self.plays.len());
        self.illegal_since = is_illegal.then_some(since);
    }

    /// Notes the proposal that says the last move seems to end the game.
    pub(super) const fn set_end_proposal(&mut self, proposal: Option<u32>) {
        self.end_proposal = proposal;
    }

    /// Whether the last move seems to end the game.
    pub(super) const fn seems_over(&self) -> bool {
        self.end_proposal.is_some()
    }

    /// Notes that the last move does not end the game. Returns the proposal that said so.
    pub(super) const fn take_end_proposal(&mut self) -> Option<u32> {
        self.end_proposal.take()
    }

    // Words.

    /// Sets the standing announcement of the side to move, and what is still asked about it.
    pub(super) fn set_words(&mut self, said: Announcement, asked: Option<Asked>, now: Moment) {
        self.moving.asked = asked;
        self.moving.words = Some(Words::new(said, now));
    }

    /// A side's standing announcement for its last move, made or on its way, if nothing is asked
    /// about it.
    pub(super) fn words_mut(&mut self, side: Color) -> Option<&mut Words> {
        let moving = match self.position.turn() == side {
            true => &mut self.moving,
            false => &mut self.plays.last_mut()?.moving,
        };
        let is_asked = moving.asked.is_some() || moving.side != side;
        moving.words.as_mut().filter(|_| !is_asked)
    }

    /// Adds the announcement to a move that was shown first. Returns false if the last move is not
    /// this side's.
    pub(super) fn announce_last(&mut self, side: Color, said: Announcement, now: Moment) -> bool {
        let last = self.plays.last_mut();
        let Some(play) = last.filter(|play| play.moving.side == side) else {
            return false;
        };
        play.moving.words = Some(Words::new(said, now));
        true
    }

    /// Announces the move from the envelope. The clock was pressed for it when it was sealed.
    pub(super) fn open_envelope(&mut self, said: Announcement, is_sealed: bool, now: Moment) {
        self.moving.words = Some(Words::new(said, now));
        self.moving.pressed_early = true;
        self.moving.sealed = is_sealed;
    }

    /// Takes the announcement about which this was asked, to be completed.
    pub(super) fn take_asked(&mut self, asked: Asked) -> Option<Announcement> {
        self.moving.asked.take_if(|it| *it == asked)?;
        self.take_words()
    }

    /// Takes back the announcer's words and keeps them among his slips.
    pub(super) fn void_words(&mut self) -> Option<Announcement> {
        let said = self.take_words()?;
        self.moving.slips.push(said.clone());
        Some(said)
    }

    /// Takes away words that were heard wrong and keeps them apart: they are no slip of the
    /// announcer.
    pub(super) fn void_misheard(&mut self) -> Option<Announcement> {
        let heard = self.take_words()?;
        self.moving.misheard.push(heard.clone());
        Some(heard)
    }

    /// Takes away the standing words and any open question about them.
    pub(super) fn take_words(&mut self) -> Option<Announcement> {
        self.moving.asked = None;
        let words = self.moving.words.take();
        words.map(|words| words.said().clone())
    }

    /// The opponent's last announced move that this player has to repeat, made before or after his
    /// own.
    pub(super) fn to_repeat(&self, repeater: Color) -> Option<&Play> {
        let mut last_two = self.plays.iter().rev().take(2);
        last_two.find(|play| play.moving.side != repeater && !play.moving.sealed)
    }

    /// Notes the repetition of a move after the repeater's own move.
    pub(super) fn repeat_late(&mut self, now: Moment, repeater: Color, said: &Announcement) {
        let mut last_two = self.plays.iter_mut().rev().take(2);
        let play = last_two.find(|play| play.moving.side != repeater);
        if let Some(words) = play.and_then(|play| play.moving.words.as_mut()) {
            words.repeat(now, said, true);
        }
    }

    /// Notes that the other side's assistant has just announced this side's move.
    pub(super) fn told_by_other(&mut self, side: Color, now: Moment) {
        if self.moving.side == side && self.moving.words.is_some() {
            self.moving.told_by = Some(!side);
        } else if let Some(play) = self.plays.last_mut()
            && (play.made_at, play.moving.side) == (now, side)
        {
            play.moving.told_by = Some(!side);
        }
    }

    // Hands.

    /// Notes a piece touched with intent.
    pub(super) fn touch(&mut self, touch: Touch) {
        self.moving.hands.touched.push(touch);
    }

    /// Forgets a side's touches, which were not meant for moving. Returns the offer that they
    /// declined.
    pub(super) fn untouch(&mut self, side: Color) -> Option<Offer> {
        if self.moving.side == side {
            self.forget_touches();
            return self.moving.declined.take();
        }
        if let Some(play) = self.plays.last_mut() {
            play.moving.hands.touched.clear();
        }
        None
    }

    /// Forgets all touches, because the board was set right by hand.
    pub(super) fn forget_touches(&mut self) {
        self.moving.hands.touched.clear();
    }

    /// Forgets touches of fallen pieces that are set up again: they were not touched to be moved
    /// (4.2.2).
    pub(super) fn set_up_again(&mut self, board: &Board) {
        let hands = &mut self.moving.hands;
        let stands = |touch: &Touch| board.piece_at(touch.square) == touch.piece;
        hands.touched.retain(stands);
        hands.adjusting = true;
    }

    /// The index of a side's move on its way, or else of its last move.
    pub(super) fn index_of(&self, side: Color) -> usize {
        match self.moving.side == side {
            true => self.plays.len(),
            false => self.plays.len().saturating_sub(1),
        }
    }

    /// Binds a side to one more piece besides those it touched, in the move of this index: a move
    /// made or the one on its way.
    pub(super) fn bind(&mut self, index: usize, side: Color, square: Square) {
        let made = self.plays.get_mut(index).map(|play| &mut play.moving);
        let moving = made.unwrap_or(&mut self.moving);
        if moving.side == side {
            moving.hands.bound_by.push(square);
        }
    }

    /// Notes the announcement that has to be played after a wrong claim (9.5.3).
    pub(super) fn must_play(&mut self, said: Announcement) {
        self.moving.hands.must_play = Some(said);
    }

    /// Notes that "Ich berichtige" was said, or is over.
    pub(super) const fn adjust(&mut self, is_adjusting: bool) {
        self.moving.hands.adjusting = is_adjusting;
    }

    /// Notes that a piece was released on another square as a legal move (4.7).
    pub(super) const fn release(&mut self, released: Released) {
        self.moving.hands.released = Some(released);
    }

    /// Notes that the arbiter has seen both hands used: for the move that has begun, or else the
    /// last one made. Returns whether that move was pressed.
    pub(super) fn two_hands(&mut self, side: Color, has_begun: bool) -> bool {
        let of_side = |play: &&mut Play| !has_begun && play.moving.side == side;
        let last = self.plays.iter_mut().rev().find(of_side);
        let pressed = last.is_some_and(|play| {
            play.moving.hands.two_hands = true;
            play.pressed
        });
        // No move is made yet, or the one on its way is meant.
        let is_coming = has_begun || self.plays.is_empty();
        self.moving.hands.two_hands |= is_coming && self.position.turn() == side;
        pressed
    }

    /// Notes the opponent's offer that this touch or move declined.
    pub(super) const fn decline(&mut self, offer: Offer) {
        self.moving.declined = Some(offer);
    }

    /// Notes a draw offer: with the move on its way if the offerer has the move, else with the last
    /// move made. Returns whether it went with a move made.
    pub(super) fn offer(&mut self, side: Color) -> bool {
        if self.position.turn() == side {
            self.moving.offer = true;
            return false;
        }
        let last = self.plays.last_mut();
        last.is_some_and(|play| {
            play.moving.offer = true;
            true
        })
    }

    /// Takes away the offer that came with the move on its way. Returns whether there was one.
    pub(super) const fn take_offer(&mut self) -> bool {
        std::mem::replace(&mut self.moving.offer, false)
    }

    // Boards and the clock.

    /// Notes whether the mover's board is at rest.
    pub(super) const fn rest(&mut self, is_at_rest: bool) {
        self.moving.at_rest = is_at_rest;
    }

    /// Notes whether a player has said that his move stands on a board without sensors.
    pub(super) const fn place_by_word(&mut self, is_placed: bool) {
        self.moving.placed_by_word = is_placed;
    }

    /// Notes that the other side's last announced move stands on this board. Returns whether that
    /// move is already made.
    pub(super) fn execute(&mut self, board: Color) -> bool {
        if self.position.turn() != board {
            self.moving.executed = self.moving.complete_words().is_some();
            return false;
        }
        let last = self.plays.last_mut();
        last.is_some_and(|play| {
            play.moving.executed = true;
            true
        })
    }

    /// Notes whether the clock was pressed before the move was made.
    pub(super) const fn press_early(&mut self, is_pressed: bool) {
        self.moving.pressed_early = is_pressed;
    }

    /// A player presses for his move only after the opponent has pressed for the reply. The clock
    /// runs as if both had pressed in turn.
    pub(super) fn press_in_turn(&mut self, index: usize) {
        if let Some(play) = self.plays.get_mut(index) {
            play.moving.pressed_early = true;
        }
    }
}

/// The keys of positions; empty if one of them is no position of chess.
fn keys_of<'a>(positions: impl IntoIterator<Item = &'a Position>) -> Vec<PositionKey> {
    let chess = positions.into_iter().map(Position::chess);
    let keys: Option<Vec<PositionKey>> = chess.map(|chess| chess.map(PositionKey::of)).collect();
    keys.unwrap_or_default()
}
