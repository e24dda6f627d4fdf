//! When a move is made, and when it is completed (4.7, 6.2.1, D.2.3).

use shakmaty::{Color, Role};

use super::Game;
use super::moving::{Repetition, repeats};
use super::phase::Phase;
use super::position::Step;
use super::profile::{Mode, Sensors};
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::{Fault, HandFault, ImmediateEnd};
use annexd_phrases::PhraseKey;
use annexd_score::Entry;

impl Game {
    /// Makes the move if nothing is missing for it.
    pub(super) fn try_make(&mut self, now: Moment) {
        if self.is_playing()
            && self.missing().is_empty()
            && let Some(step) = self.step_to_make()
        {
            self.make(now, step);
        }
    }

    /// Makes the move. The opponent now has the move (1.3), whether or not the clock was pressed.
    fn make(&mut self, now: Moment, step: Step) {
        let side = self.course.moving().side;
        self.conduct.begin_act();
        self.decline_by_moving(side);
        self.complete_by_next_move(side, now);
        self.assume_executed(side);
        let is_pressed_early = self.course.moving().pressed_early;
        let stood = self.stands_there(side, step);
        self.course.make(now, step, stood, !self.profile.two_boards);
        self.record(now);
        self.boards.begin_move(side);
        self.boards.end_rest();
        self.drop_lapsed();
        self.withdraw_end();
        for board in Color::ALL {
            self.read_holes(board);
        }
        self.boards.report_all_anew();
        if self.sensors(side) == Sensors::None {
            self.boards.set(side, self.course.board().clone());
        }
        // A person may have said already that the move stands there.
        let is_executed = self.course.last().is_some_and(|it| it.moving.executed);
        let is_believed = self.sensors(!side) == Sensors::None && self.holds("D.2.1.c");
        if is_executed && is_believed || !self.profile.two_boards {
            self.boards.set(!side, self.course.board().clone());
        }
        self.say_contradiction(side);
        if self.is_over_at_once(now) {
            return;
        }
        if is_pressed_early {
            self.complete(now, self.course.plays().len() - 1, true);
        }
        if let Some(before) = self.course.plays().len().checked_sub(2) {
            self.answered_without_clock(before);
        }
    }

    /// The mover's own piece that his board shows on the target square, if any.
    fn stands_there(&self, side: Color, step: Step) -> Option<Role> {
        match step {
            Step::Piece { to, .. } => {
                let piece = self.boards.placement(side).piece_at(to)?;
                (piece.color == side).then_some(piece.role)
            }
            Step::Castling(_) => None,
        }
    }

    /// Makes a move although something is missing, because its clock was pressed.
    pub(super) fn force_make(&mut self, now: Moment, step: Step) {
        self.make(now, step);
    }

    /// Makes the opponent's announced move when a player resigns or accepts a draw after repeating
    /// it. No board shows such a move, and it belongs into the scores like every other (8.1.1).
    /// Returns whether that move has ended the game, so that nothing else can (5.1.1, 5.2.1).
    pub(super) fn is_over_by_what_is_given_in_to(&mut self, now: Moment, by: Color) -> bool {
        let mover = self.course.moving().side;
        let is_open = mover != by && self.is_playing() && self.sensors(mover) == Sensors::None;
        let words = self.course.moving().complete_words();
        let is_repeated = words.is_some_and(|it| it.repetition() == Repetition::Matched);
        if is_open
            && is_repeated
            && self.holds("given_in_to")
            && let Some(step) = self.step_to_make()
        {
            self.force_make(now, step);
            return self.course.seems_over() || self.scores.is_over();
        }
        false
    }

    /// Takes the last move back into its making because its words are corrected (D.2.8).
    pub(super) fn unmake(&mut self, now: Moment) {
        let Some(play) = self.course.last() else {
            return;
        };
        let (side, released) = (play.moving.side, self.released_by(play));
        self.boards.end_rest();
        // Only the words had ended the game. Without them the mover's clock goes on.
        if self.withdraw_end() && self.phase == Phase::Stopped {
            self.phase = Phase::Playing;
            self.clocks.start(side, now);
        }
        self.course.unmake(released);
        if self.holds("8.1.2") {
            self.scores.truncate(self.course.plays().len());
        }
    }

    /// A player who moves again has completed his move before (6.2.1.2).
    fn complete_by_next_move(&mut self, side: Color, now: Moment) {
        if !self.rules.time.next_move_completes || !self.holds("6.2.1") {
            return;
        }
        let mut plays = self.course.plays().iter().enumerate().rev();
        if let Some((index, play)) = plays.find(|(_, play)| play.moving.side == side)
            && play.completed_at.is_none()
        {
            self.complete(now, index, false);
        }
    }

    /// Completes the move (6.2.1). From here on the arbiter decides everything about it.
    pub(super) fn complete(&mut self, now: Moment, index: usize, pressed: bool) {
        let left = self.clocks.left(now);
        let is_guess = self.are_times_unknown();
        if !self.course.complete(index, now, pressed, left) {
            return;
        }
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        // A player who makes his next move without having pressed has completed his last one too.
        if play.moving.pressed_early || !pressed {
            self.clocks.complete_move(play.moving.side);
        }
        let side = play.moving.side;
        if pressed {
            self.find_unexchanged_pawn(index);
        }
        // The times of a counting clock that was never read are unknown.
        if let Some(left) = left.filter(|_| !is_guess) {
            self.scores.note_clock(left[side]);
        }
        self.judge_completed(index, pressed);
        if pressed && index + 1 == self.course.plays().len() && self.phase == Phase::Playing {
            self.is_over_at_once(now);
        }
    }

    /// Tells the arbiter what he has to know about a completed move.
    fn judge_completed(&mut self, index: usize, pressed: bool) {
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let (side, is_sealed) = (play.moving.side, play.moving.sealed);
        let waits = self.rules.illegal_moves.two_hands == HandFault::IllegalOncePressed;
        let two_hands = play.moving.hands.two_hands && waits;
        let is_illegal = play.legal == Some(false);
        if is_illegal && self.profile.mode == Mode::Practice {
            self.table(PhraseKey::IllegalInPractice, [self.article("7.5.1")]);
        }
        if is_illegal && pressed {
            self.report_illegal(index);
        }
        if two_hands && pressed {
            self.report_fault(side, Fault::TwoHands { pressed }, Some(index));
        }
        let is_unexchanged = self.course.fault_of(index) == Fault::UnexchangedPawn;
        if self.board_contradicts_words(side)
            && index + 1 == self.course.plays().len()
            && !is_unexchanged
            && !is_sealed
        {
            self.report_difference(side);
        }
        self.judge_words(index);
        self.judge_released(index);
        self.judge_touches(index);
        self.judge_intended(index);
        self.watch_illegal_position(index);
        let legal = self.course.plays().get(index).and_then(|play| play.legal);
        if legal != Some(false) {
            self.look_for_automatic_draws();
        }
    }

    /// A move completed otherwise than announced is not illegal. It is a difference between words
    /// and board, which the arbiter is told (D.2.8, D.2.9).
    fn judge_words(&mut self, index: usize) {
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let words = play.moving.words.as_ref().map(|words| words.said());
        let (Step::Piece { from, to, .. }, Some(Announcement::Move(said))) = (play.step, words)
        else {
            return;
        };
        let role = play.before.board().role_at(from);
        let is_named = said.piece.is_none_or(|piece| Some(piece) == role);
        let is_same = said.to == to && said.from.is_none_or(|square| square == from);
        if play.moving.sealed || is_same && is_named || !self.holds("D.2.8") {
            return;
        }
        self.report("D.2.9", PhraseKey::BoardShowsAnother, []);
        self.propose_comparison(false);
    }

    /// A new piece was named, but a board that recognises pieces still shows the pawn on the last
    /// rank when the clock is pressed. That is no promotion (7.5.2).
    fn find_unexchanged_pawn(&mut self, index: usize) {
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let (
            side,
            Step::Piece {
                to,
                promotion: Some(_),
                ..
            },
        ) = (play.moving.side, play.step)
        else {
            return;
        };
        let left = self.boards.placement(side).piece_at(to) == Some(side.pawn());
        let is_seen = left && self.sensors(side) == Sensors::Pieces;
        if is_seen && play.legal == Some(true) {
            self.course.pawn_was_left(index);
        }
    }

    /// Enters the move into both scores when it is made, and not before (8.1.2).
    fn record(&mut self, now: Moment) {
        let Some(play) = self.course.last() else {
            return;
        };
        let said = match &play.moving.words {
            Some(words) => words.said().clone(),
            None => play.announcement(),
        };
        let mut entry = Entry::announced(&said, now);
        entry.offer = play.moving.offer;
        entry.slips = play.moving.slips.iter().map(Into::into).collect();
        entry.misheard = play.moving.misheard.iter().map(Into::into).collect();
        if let (Step::Piece { from, .. }, Announcement::Move(said)) = (play.step, &said)
            && said.from.is_none()
        {
            entry.left = Some(from);
        }
        let repeater = !play.moving.side;
        self.scores.record(&entry);
        self.record_repetition(now, repeater);
    }

    /// Enters the repetition of a move already made into the repeater's own score, as he said it
    /// (D.2.7).
    pub(super) fn record_repetition(&mut self, now: Moment, repeater: Color) {
        let Some(play) = self.course.last_of(!repeater) else {
            return;
        };
        let Some(words) = &play.moving.words else {
            return;
        };
        let Some(repeated) = words.repeated() else {
            return;
        };
        let left = match (play.step, repeated) {
            (Step::Piece { from, .. }, Announcement::Move(to))
                if repeats(words.said(), repeated) =>
            {
                to.from.is_none().then_some(from)
            }
            _ => None,
        };
        self.scores.rewrite(repeater, repeated, left, now);
    }

    /// The program announces the move that ends the game where announcing is its duty. Nobody
    /// presses for that move any more, and a player who cannot see would hear only that the game is
    /// over.
    fn announce_last(&mut self, now: Moment) {
        let Some(play) = self.course.last() else {
            return;
        };
        let side = play.moving.side;
        if play.moving.words.is_none() && self.profile.sides[side].announced_by_program {
            let said = play.announcement();
            self.announce_late(now, side, said);
        }
    }

    /// Mate, stalemate and a dead position end the game as soon as a legal move has been made,
    /// before any press and any flag (5.1.1, 5.2).
    pub(super) fn is_over_at_once(&mut self, now: Moment) -> bool {
        // A move that the mover's board contradicts is not played yet: the press comes first
        // (D.2.9).
        let is_shown = self.course.last().is_none_or(|play| {
            play.moving.sealed || !self.board_contradicts_words(play.moving.side)
        });
        // What a sighted player's board shows at some rest is not his move before he announces it
        // or presses: his hand may go on (4.7).
        let is_said = self.course.last().is_none_or(|play| {
            play.pressed || play.moving.words.is_some() || !self.profile.two_boards
        });
        if !(is_shown && is_said) && self.holds("X1") {
            match is_shown && self.is_announced_for() {
                true => self.boards.begin_rest(now),
                false => self.boards.end_rest(),
            }
            return false;
        }
        self.ends_on_the_board(now)
    }

    /// Whether the program announces the last move.
    fn is_announced_for(&self) -> bool {
        let side = self.course.last().map(|play| play.moving.side);
        side.is_some_and(|side| self.profile.sides[side].announced_by_program)
    }

    /// A move that the program announces and that ends the game needs neither words nor a press. It
    /// is made once it has rested (5.1.1).
    pub(super) fn end_after_rest(&mut self, now: Moment) {
        if self.boards.rest_is_over().is_none_or(|over| now < over) {
            return;
        }
        self.boards.end_rest();
        let Some(play) = self.course.last() else {
            return;
        };
        let is_open = !play.pressed && play.moving.words.is_none() && play.legal == Some(true);
        if self.boards.placement(play.moving.side) != self.course.board() {
            // A piece is in the hand: wait for the next rest.
            self.boards.begin_rest(now);
        } else if is_open {
            self.ends_on_the_board(now);
        }
    }

    /// Whether the position of a legal move ends the game, whatever was said about the move.
    pub(super) fn ends_on_the_board(&mut self, now: Moment) -> bool {
        if self.is_elsewhere() {
            return false;
        }
        let is_legal = self
            .course
            .last()
            .is_some_and(|play| play.legal == Some(true));
        let Some(chess) = self.course.position().chess().filter(|_| is_legal) else {
            return false;
        };
        match laws::immediate_end(chess) {
            ImmediateEnd::Ended(termination) if self.holds(termination.clause()) => {
                self.announce_last(now);
                self.judge_touches_before_the_end();
                self.over_on_the_board(now, termination);
                true
            }
            _ => false,
        }
    }

    /// Since 2014 a move ends the game only if it also complied with Articles 4.2 to 4.7. The
    /// arbiter is told what was touched and not moved before the end is proposed to him (5.1.1,
    /// 5.2).
    fn judge_touches_before_the_end(&mut self) {
        let last = self.course.plays().len().saturating_sub(1);
        let wants = self.rules.moving.end_needs_touch_move;
        if wants && self.profile.arbiter && self.holds("5.1.1.touched") {
            self.judge_released(last);
            self.judge_touches(last);
        }
    }

    /// Tells the announcer in private that his words and his own board name different squares: he
    /// may have made a slip of the tongue. This says nothing about legality.
    fn say_contradiction(&mut self, side: Color) {
        let Some(play) = self.course.last() else {
            return;
        };
        let Some(Announcement::Move(said)) = play.moving.words.as_ref().map(|words| words.said())
        else {
            return;
        };
        if self.sensors(side) == Sensors::None || !self.has_ear(side) || play.moving.sealed {
            return;
        }
        let (board, before) = (self.boards.of(side), play.before.board());
        let is_named = |role| board.placement().role_at(said.to) == Some(role);
        let names_pieces = self.sensors(side) == Sensors::Pieces;
        let is_shown = board.arrived(side, before).contains(said.to)
            && (!names_pieces || said.promotion.is_none_or(is_named))
            && said
                .from
                .is_none_or(|from| board.left(side, before).contains(from));
        if !is_shown {
            self.tell(side, PhraseKey::BoardShowsAnother, []);
        }
    }
}
