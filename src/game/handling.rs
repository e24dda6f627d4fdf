//! What the boards report: pieces handled, and boards that differ (4.2 to 4.4, D.2.2, D.2.9).

use shakmaty::{Board, Color, Piece, Square};

use super::Game;
use super::own_board::Touch;
use super::position::Step;
use super::profile::Sensors;
use crate::board::Fact;
use annexd_laws::moment::Moment;

impl Game {
    /// Takes a fact that a board reports.
    pub(super) fn board(&mut self, now: Moment, board: Color, fact: &Fact) {
        if self.profile.two_boards {
            self.board_of(now, board, fact);
        } else {
            // On a single board for both, the player having the move handles the pieces.
            let mover = self.course.turn();
            self.boards.take(!mover, fact, mover);
            self.board_of(now, mover, fact);
        }
    }

    fn board_of(&mut self, now: Moment, side: Color, fact: &Fact) {
        self.take_fact(now, side, fact);
        self.watch_mismatch(now, side);
        if matches!(fact, Fact::Settled(_)) && self.boards.rests_first(side) {
            self.describe_returned(side);
        }
    }

    fn take_fact(&mut self, now: Moment, side: Color, fact: &Fact) {
        if let Fact::Lifted { square, piece } = *fact {
            let piece = piece.or_else(|| self.boards.placement(side).piece_at(square));
            self.lifted(now, side, square, piece);
        }
        let mover = self.course.turn();
        // A player who executes the opponent's move puts down the opponent's piece.
        let executed = self.squares_to_execute(side);
        let is_executed = match *fact {
            Fact::Lifted { square, .. } | Fact::Placed { square, .. } => executed.contains(square),
            Fact::Settled(_) => executed.any(),
        };
        let is_executed = is_executed && self.holds("D.2.1.c");
        let handled = if is_executed { !side } else { mover };
        self.boards.take(side, fact, handled);
        self.read_holes(side);
        self.see_execution(side);
        self.start_replier(now);
        if side != mover || !self.is_playing() {
            if matches!(fact, Fact::Settled(_)) {
                if self.is_playing() {
                    self.move_again(now, side);
                }
                self.compare_at_rest(side);
                self.check_correction(side);
            }
            return;
        }
        self.close_adjusting(side);
        self.course.rest(matches!(fact, Fact::Settled(_)));
        if self.course.moving().at_rest {
            self.note_released(side);
        }
        self.try_make(now);
        if self.course.moving().at_rest && self.course.turn() == side {
            self.compare_at_rest(side);
        }
    }

    /// A piece has left its square. Whether that is a touch under 4.3 depends on whose turn it is,
    /// on "ich berichtige", and on whether it belongs to the opponent's move being executed (D.2.2,
    /// trap 66).
    fn lifted(&mut self, now: Moment, side: Color, square: Square, piece: Option<Piece>) {
        if !self.is_playing() || self.course.turn() != side {
            return;
        }
        // What changed while the board was away counts as touched by nobody.
        if self.boards.may_be_looking(side, now) {
            return;
        }
        if self.course.moving().hands.adjusting && self.holds("4.2.1") {
            return;
        }
        let is_execution = self.squares_to_execute(side).contains(square)
            || self.is_executing(side)
            || piece.is_some_and(|piece| piece.color != side && self.owes_execution(side));
        if is_execution && self.holds("D.2.1.c") {
            return;
        }
        if !self.holds("D.2.2") {
            return;
        }
        self.course.touch(Touch {
            square,
            piece,
            at: now,
        });
        self.decline_by_touching(side);
    }

    /// Ends adjusting once a piece is put on another square.
    fn close_adjusting(&mut self, side: Color) {
        let before = self.course.board();
        if self.course.moving().hands.adjusting
            && !self.boards.of(side).arrived(side, before).is_empty()
        {
            self.course.adjust(false);
        }
    }

    /// A hole sensor tells only which holes are filled. If they are filled as the moves require,
    /// the pieces are taken to stand there.
    pub(super) fn read_holes(&mut self, board: Color) {
        let own = self.boards.of(board);
        if self.sensors(board) != Sensors::Occupancy || own.is_told() || !self.holds("D.1.3") {
            return;
        }
        let last = self.course.last().map(|play| play.step);
        let executed = last.filter(|_| self.owes_execution(board));
        let mut said = [
            Some((self.course.board().clone(), executed)),
            self.announced_placement()
                .map(|after| (after, self.announced_step())),
        ];
        if self.has_swapped(board) {
            said.reverse();
        }
        let is_in_any_order = self.holds("4.6");
        let is_it = |(said, step): &(Board, Option<Step>)| {
            let promoted = step.and_then(Step::promotes_on);
            own.may_be(said, promoted.filter(|_| is_in_any_order))
        };
        if let Some((said, _)) = said.into_iter().flatten().find(is_it) {
            self.boards.set(board, said);
        }
    }

    /// Notes when the announced move stands on the other board.
    fn see_execution(&mut self, board: Color) {
        if self.sensors(board) == Sensors::None {
            return;
        }
        let mover = !board;
        if self.course.turn() == board {
            if self.owes_execution(board) && !self.boards.differs(board, self.course.board()) {
                self.executed(board);
            }
        } else if self.course.turn() == mover && !self.course.moving().executed {
            let after = self.announced_placement();
            if after.is_some_and(|after| after == *self.boards.placement(board)) {
                self.executed(board);
            }
        }
    }

    /// The last announced move stands on this board, as its sensors or a person report.
    pub(super) fn executed(&mut self, board: Color) {
        if self.course.execute(board) {
            if self.sensors(board) == Sensors::None {
                self.boards.set(board, self.course.board().clone());
            }
            self.boards.forget_lifted(board);
        }
        self.put_lights_out(board);
    }

    /// A player who makes his own move is taken to have executed the opponent's.
    pub(super) fn assume_executed(&mut self, side: Color) {
        if self.owes_execution(side) {
            self.executed(side);
        }
    }

    /// Compares at quiet points only: boards may differ while a move is being made (D.2.9).
    fn compare_at_rest(&mut self, board: Color) {
        let turn = self.course.turn();
        // The missing piece is in a hand, even if it belongs to the other side (4.2.2).
        let is_felt = self.boards.of(board).is_felt(self.course.board()) && self.holds("4.2.2");
        let is_quiet = if board == turn {
            let arrived = self.boards.of(board).arrived(board, self.course.board());
            // A player who adjusts holds the piece for a while (4.2.1).
            let adjusts =
                self.course.moving().hands.adjusting && self.boards.of(board).is_holding(board);
            let is_adjusting = adjusts && self.holds("4.2.1");
            !self.owes_execution(board)
                && !is_adjusting
                && !is_felt
                && self.course.moving().hands.touched.is_empty()
                && (arrived.is_empty() || !self.holds("X2"))
        } else {
            // Before he presses, the mover may still correct his move (X2).
            let is_pressed = self.course.last().is_none_or(|play| play.pressed);
            let is_held = self.boards.of(board).is_holding(board) && self.holds("4.2.2");
            let is_felt = is_felt || is_held;
            self.course.moving().complete_words().is_none()
                && !is_felt
                && (is_pressed || !self.holds("X2"))
        };
        let differs = self.boards.differs(board, self.course.board());
        if is_quiet && differs && self.is_playing() {
            self.report_difference(board);
        }
    }
}
