//! A released piece may not go to another square (4.7). Compares what a sighted player's board
//! shows at each rest with what was released before.

use shakmaty::{CastlingSide, Color, Piece};

use super::Game;
use super::moving::{Play, Released};
use super::own_board::Touch;
use super::position::Step;
use super::profile::Sensors;
use annexd_laws::moment::Moment;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// The squares of a legal move whose piece stood released on the mover's own board.
    pub(super) fn released_by(&self, play: &Play) -> Option<Released> {
        let released = Released::of(play.step)?;
        let stood = play.stood.filter(|_| play.legal == Some(true))?;
        match self.sensors(play.moving.side) {
            Sensors::None => None,
            // A hole sensor cannot tell which new piece stands there.
            Sensors::Occupancy => Some(Released {
                promotion: None,
                ..released
            }),
            Sensors::Pieces => Some(Released {
                promotion: released.promotion.map(|_| stood),
                ..released
            }),
        }
    }

    /// Reports a released piece that went to another square: the words may be corrected, the move
    /// may not (4.7). The arbiter is told at the press.
    pub(super) fn judge_released(&mut self, index: usize) {
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let side = play.moving.side;
        let is_same = |first: &Released| match play.step {
            Step::Piece {
                from,
                to,
                promotion,
            } => {
                let is_new_same = first.promotion.is_none_or(|new| promotion == Some(new));
                (first.from, first.to) == (from, to) && is_new_same
            }
            Step::Castling(castling) => {
                let king = play.before.board().king_of(side);
                Some(first.from) == king && first.to == castling.king_to(side)
            }
        };
        let Some(first) = play.moving.hands.released.filter(|first| !is_same(first)) else {
            return;
        };
        let Released { from, to, .. } = first;
        // Only the words differ, not the board.
        let (shown, before) = (self.boards.placement(side), play.before.board());
        let new = first.promotion.map(|role| Piece { role, color: side });
        if shown.piece_at(to) == new.or_else(|| before.piece_at(from))
            && shown.piece_at(from).is_none()
        {
            return;
        }
        let is_exchanged = Released::of(play.step)
            .filter(|now| (now.from, now.to) == (from, to))
            .and_then(|now| now.promotion);
        if let (Some(first), Some(now)) = (first.promotion, is_exchanged)
            && self.holds("4.4.4")
        {
            let arguments = [
                Argument::Side(side),
                Argument::Piece(Some(first)),
                Argument::Square(to),
                Argument::Piece(Some(now)),
            ];
            return self.report("4.4.4", PhraseKey::NewPieceExchanged, arguments);
        }
        let arguments = [
            Argument::Side(side),
            Argument::Piece(play.before.board().role_at(from)),
            Argument::Square(from),
            Argument::Square(to),
        ];
        self.report("4.7", PhraseKey::ReleasedElsewhere, arguments);
    }

    /// Before the press, a sighted player's move is what his board shows at the last rest, not at
    /// the first. Between king and rook, or pawn and queen, a hand takes a moment (4.6, 4.7).
    pub(super) fn move_again(&mut self, now: Moment, side: Color) {
        if self.may_move_again(side) {
            self.unmake(now);
            self.course.rest(true);
            self.try_make(now);
        }
    }

    /// A player who announces or presses has come to rest. What his board plainly shows then is his
    /// move.
    pub(super) fn comes_to_rest(&mut self, now: Moment, side: Color) {
        let before = self.course.last().map(|play| &play.before);
        if before.is_some_and(|before| self.step_shown(side, before).is_some()) {
            self.move_again(now, side);
        }
    }

    fn may_move_again(&self, side: Color) -> bool {
        let is_open = self.course.last().is_some_and(|play| {
            play.moving.side == side && !play.pressed && play.completed_at.is_none()
        });
        let differs = self.boards.placement(side) != self.course.board();
        let is_untouched =
            self.course.moving().words.is_none() && self.course.moving().hands.touched.is_empty();
        is_open
            && differs
            && is_untouched
            && !self.profile.is_visually_disabled(side)
            && self.profile.two_boards
            && self.holds("4.7")
    }

    /// Notes a piece that rests on another square. Once released there, as a move or as the king's
    /// part of castling, it may not go elsewhere on this move (4.7, 4.7.2).
    pub(super) fn note_released(&mut self, side: Color) {
        let is_new = self.course.moving().hands.released.is_none() && self.course.turn() == side;
        // Two pieces were taken out and put in again: a hole sensor cannot tell which is which.
        let own = |touch: &&Touch| touch.piece.is_none_or(|piece| piece.color == side);
        let is_guessed = self.sensors(side) == Sensors::Occupancy
            && self
                .course
                .moving()
                .hands
                .touched
                .iter()
                .filter(own)
                .count()
                > 1;
        let is_new = is_new && !is_guessed;
        let Some(step) = self.shown_step().filter(|_| is_new && self.is_playing()) else {
            return;
        };
        let Some(mut released) = Released::of(step) else {
            return;
        };
        if self.sensors(side) == Sensors::Occupancy {
            released.promotion = None;
        }
        let Released { from, to, .. } = released;
        let castles = |castling: CastlingSide| {
            Some(from) == self.course.board().king_of(side)
                && to == castling.king_to(side)
                && self
                    .course
                    .position()
                    .legal(Step::Castling(castling))
                    .is_some()
        };
        if self.course.position().legal(step).is_some()
            || CastlingSide::ALL.into_iter().any(castles)
        {
            self.course.release(released);
        }
    }
}

impl Released {
    /// The piece released by a step; `None` for castling, which has two pieces and is judged by the
    /// king's.
    const fn of(step: Step) -> Option<Self> {
        match step {
            Step::Piece {
                from,
                to,
                promotion,
            } => Some(Self {
                from,
                to,
                promotion,
            }),
            Step::Castling(_) => None,
        }
    }
}
