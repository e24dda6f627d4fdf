//! What the boards report: pieces handled, and boards that differ (4.2 to 4.4, D.2.2, D.2.9).

use shakmaty::{Bitboard, Board, Color, Piece, Square, uci::UciMove};

use super::Game;
use super::own_board::Touch;
use super::position::{Resolved, Step, changed};
use super::profile::Sensors;
use crate::board::Fact;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_phrases::{Argument, PhraseKey};

/// One piece that went from another square to another square than announced: more squares are not
/// told to both players at once.
const SQUARES_FOR_BOTH: usize = 4;

impl Game {
    /// A board has seen something.
    pub(super) fn board(&mut self, now: Moment, board: Color, fact: &Fact) {
        if self.profile.two_boards {
            self.board_of(now, board, fact);
        } else {
            // One board for both: its pieces are handled by the player who has the move.
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
        // Who executes the opponent's move puts down the opponent's piece.
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

    /// A piece has left its square. Whether that is a touch in the sense of 4.3 depends on whose
    /// turn it is, on "ich berichtige", and on whether it belongs to the opponent's move that is
    /// being executed (D.2.2, trap 66).
    fn lifted(&mut self, now: Moment, side: Color, square: Square, piece: Option<Piece>) {
        if !self.is_playing() || self.course.turn() != side {
            return;
        }
        // What was changed while the board was away nobody has seen touched.
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

    /// Adjusting ends when a piece is put on another square.
    fn close_adjusting(&mut self, side: Color) {
        let before = self.course.board();
        if self.course.moving().hands.adjusting
            && !self.boards.of(side).arrived(side, before).is_empty()
        {
            self.course.adjust(false);
        }
    }

    /// A board of holes knows only which of them are taken: where that is as the moves say, the
    /// pieces stand there as the moves say.
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

    /// Whether king and rook have changed places, both out of their holes and in again: the holes
    /// look as before, and the announced castling stands (F.3).
    fn has_swapped(&self, board: Color) -> bool {
        let words = self
            .course
            .moving()
            .complete_words()
            .map(|words| words.said());
        let is_castling = matches!(words, Some(Announcement::Castling(_)));
        let (true, Some(after)) = (
            is_castling && board == self.course.moving().side && self.holds("F.3"),
            self.announced_placement(),
        ) else {
            return false;
        };
        let was_lifted = |square| {
            let mut touched = self.course.moving().hands.touched.iter();
            touched.any(|touch| touch.square == square)
        };
        let mut swapped = changed(&after, self.course.board()).into_iter();
        after.occupied() == self.course.board().occupied() && swapped.all(was_lifted)
    }

    /// Whether the opponent's last move still has to be executed on this player's board.
    pub(super) fn owes_execution(&self, side: Color) -> bool {
        self.profile.two_boards
            && self
                .course
                .last()
                .is_some_and(|play| play.moving.side != side && !play.moving.executed)
            && self.course.turn() == side
    }

    pub(super) fn squares_to_execute(&self, side: Color) -> Bitboard {
        match self.course.last() {
            Some(play) if self.owes_execution(side) => {
                changed(play.before.board(), self.course.board())
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// Whether the opponent's move is just being executed on this board: then no peg out of its
    /// hole is a touch, of whatever piece (D.2.2, trap 66).
    fn is_executing(&self, side: Color) -> bool {
        let squares = self.squares_to_execute(side);
        let before = self.course.last().map(|play| play.before.board());
        before.is_some_and(|before| {
            let begun = changed(self.boards.placement(side), before);
            !(begun & squares).is_empty()
        })
    }

    /// Notes when the announced move has come to stand on the other board.
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

    /// The placement after the announced move that is being made, legal or not.
    pub(super) fn announced_placement(&self) -> Option<Board> {
        let step = self.announced_step()?;
        let after = match self.course.position().legal(step) {
            Some(legal) => self.course.position().played(legal),
            None => self.course.position().stepped(step),
        };
        Some(after.board().clone())
    }

    fn announced_step(&self) -> Option<Step> {
        let words = self.course.moving().complete_words()?;
        match self.resolve_words(words.said()) {
            Resolved::Step(step) => Some(step),
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => None,
        }
    }

    /// The announced move that is being made, else the last one made, as squares. Boards that
    /// cannot tell pieces apart need it as a second witness, and some show it.
    pub fn announced_move(&self) -> Option<UciMove> {
        let (side, step, before) = match self.announced_step() {
            Some(step) => (self.course.moving().side, step, self.course.board()),
            None => {
                let play = self
                    .course
                    .last()
                    .filter(|play| play.moving.words.is_some())?;
                (play.moving.side, play.step, play.before.board())
            }
        };
        Some(match step {
            Step::Piece {
                from,
                to,
                promotion,
            } => UciMove::Normal {
                from,
                to,
                promotion,
            },
            Step::Castling(castling) => UciMove::Normal {
                from: before.king_of(side)?,
                to: castling.king_to(side),
                promotion: None,
            },
        })
    }

    /// The last announced move stands on this board, seen by its sensors or said by a person.
    pub(super) fn executed(&mut self, board: Color) {
        if self.course.execute(board) {
            if self.sensors(board) == Sensors::None {
                self.boards.set(board, self.course.board().clone());
            }
            self.boards.let_go(board);
        }
        self.put_lights_out(board);
    }

    /// A player who makes his own move has executed the opponent's, as far as anybody can tell.
    pub(super) fn assume_executed(&mut self, side: Color) {
        if self.owes_execution(side) {
            self.executed(side);
        }
    }

    /// At quiet points only: boards legitimately differ while a move is on its way (D.2.9).
    fn compare_at_rest(&mut self, board: Color) {
        let turn = self.course.turn();
        // What is missing is in a hand, be it the other side's piece (4.2.2).
        let is_felt = self.boards.of(board).is_felt(self.course.board()) && self.holds("4.2.2");
        let is_quiet = if board == turn {
            let arrived = self.boards.of(board).arrived(board, self.course.board());
            // Who adjusts has the piece in his hand for a while (4.2.1).
            let adjusts =
                self.course.moving().hands.adjusting && self.boards.of(board).is_holding(board);
            let is_adjusting = adjusts && self.holds("4.2.1");
            !self.owes_execution(board)
                && !is_adjusting
                && !is_felt
                && self.course.moving().hands.touched.is_empty()
                && (arrived.is_empty() || !self.holds("X2"))
        } else {
            // Before his press the mover may still mend it (X2).
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

    /// Tells the arbiter that a board shows another position than the moves announced (D.2.9).
    /// Nothing is corrected.
    pub(super) fn report_difference(&mut self, board: Color) {
        if !self.boards.is_difference_reported(board) {
            self.report_squares(board, "D.2.9");
            self.propose_comparison(false);
        }
    }

    /// Tells the arbiter the same of a board on which the opponent's move was executed otherwise
    /// than announced: a slip of the hand, and no matter of scores (D.2.1).
    pub(super) fn report_execution(&mut self, board: Color) {
        let is_new = self.owes_execution(board) && !self.boards.is_difference_reported(board);
        if is_new && self.holds("D.2.1.c") {
            self.report_squares(board, "D.2.1.c");
        }
    }

    pub(super) fn report_squares(&mut self, board: Color, clause: &'static str) {
        self.boards.difference_reported(board);
        let squares: Vec<Square> = changed(self.boards.placement(board), self.course.board())
            .into_iter()
            .collect();
        // Without an arbiter both players are to see it put right, unless the squares were told at
        // the table before.
        let is_for_both = !self.profile.arbiter;
        let tells_squares = is_for_both && self.tells_mismatch_at_table(board);
        self.report(clause, PhraseKey::BoardDiffers, [Argument::Side(board)]);
        if is_for_both && self.holds(clause) {
            let said = [Argument::Side(board), self.article(clause)];
            self.table(PhraseKey::BoardDiffers, said);
        }
        for (number, square) in squares.into_iter().take(8).enumerate() {
            let right = self.course.board().role_at(square);
            let there = self.boards.placement(board).piece_at(square);
            let at = Argument::Square(square);
            let (key, arguments) = match (right, there) {
                (None, Some(piece)) => {
                    let role = Argument::Piece(Some(piece.role));
                    let what = vec![at, role, Argument::Side(piece.color)];
                    (PhraseKey::SquareHoldsTooMuch, what)
                }
                _ => (
                    PhraseKey::SquareShouldHold,
                    vec![at, Argument::Piece(right)],
                ),
            };
            self.report(clause, key, arguments.clone());
            if tells_squares && number < SQUARES_FOR_BOTH {
                let said = arguments.into_iter().chain([self.article(clause)]);
                self.table(key, said);
            }
        }
    }
}
