//! Describes a board that differs from the announced moves to whoever has to put it right (D.2.9).
//!
//! The board is compared with the moves as announced, legal or not, so the description says nothing
//! about legality. A player hears nothing while he makes his own move.

use std::time::Duration;

use shakmaty::{Color, Square};

use super::Game;
use super::effect::Priority;
use super::position::changed;
use super::profile::Mode;
use crate::board::{SquareDifference, fewest_differences};
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_phrases::{Argument, PhraseKey};

/// How long a difference has to last: fallen pieces are set up again.
const PATIENCE: Duration = Duration::from_secs(4);
/// How long a player may take between the two parts of a move that he executes.
const EXECUTING_PATIENCE: Duration = Duration::from_secs(15);
/// At most this many squares are told at once.
const SQUARES_MAX: usize = 3;
/// At most this many squares are told to both players at once. One piece that left from and arrived
/// at other squares than announced makes four.
const SQUARES_FOR_BOTH: usize = 4;

impl Game {
    /// Checks a board that has come to rest or has otherwise changed.
    pub(super) fn watch_mismatch(&mut self, now: Moment, side: Color) {
        let differs = self.differs_at_rest(side);
        self.boards.watch(side, now, differs);
    }

    /// When the next board is due to be described.
    pub(super) fn mismatch_due(&self) -> Option<Moment> {
        let due = |side| self.boards.mismatch_due(side, self.patience(side));
        Color::ALL.into_iter().filter_map(due).min()
    }

    /// Describes the boards that have differed long enough.
    pub(super) fn describe_mismatches(&mut self, now: Moment) {
        for side in Color::ALL {
            let due = self.boards.mismatch_due(side, self.patience(side));
            if due.is_none_or(|due| now < due) {
                continue;
            }
            if !self.differs_at_rest(side) {
                self.boards.watch(side, now, false);
                continue;
            }
            self.boards.mismatch_told(side);
            self.describe_mismatch(side);
            self.report_execution(side);
        }
    }

    /// Describes at once a board that is back and shows another position. Nobody is handling it,
    /// and the next press would be taken for one without a move.
    pub(super) fn describe_returned(&mut self, side: Color) {
        let is_own_move = self.course.turn() == side && self.shown_step().is_some();
        let shown = self.boards.placement(side);
        let is_right = self.rightful(side).iter().any(|board| board == shown);
        if !self.is_playing() || is_own_move || is_right || !self.holds("D.2.9") {
            return;
        }
        self.boards.report_anew(side);
        self.report_difference(side);
        if !self.tells_mismatch_at_table(side) {
            return;
        }
        if self.profile.arbiter || self.mismatch_channel(side) != Some(Channel::Table) {
            self.describe_mismatch(side);
        }
    }

    /// How long a difference may last. A player who has moved only one piece of the move he
    /// executes is still at it, as in castling with the rook in his hand (D.2.9: at quiet points).
    fn patience(&self, side: Color) -> Duration {
        let squares = self.squares_to_execute(side);
        let wrong = changed(self.boards.placement(side), self.course.board());
        let is_under_way = !wrong.is_empty() && (wrong & !squares).is_empty();
        let is_felt = self.boards.of(side).is_holding(side);
        match (is_under_way || is_felt) && self.holds("D.2.9") {
            true => EXECUTING_PATIENCE,
            false => PATIENCE,
        }
    }

    /// Whether the table has yet to be told what is wrong on a board. Notes that it was.
    pub(super) fn tells_mismatch_at_table(&mut self, side: Color) -> bool {
        let is_heard_there = self.mismatch_channel(side) == Some(Channel::Table);
        !is_heard_there || self.boards.tell_mismatch(side)
    }

    fn describe_mismatch(&mut self, side: Color) {
        let Some(channel) = self.mismatch_channel(side) else {
            return;
        };
        let rightful = self.rightful(side);
        let differences = fewest_differences(&rightful, self.boards.placement(side));
        for difference in differences.into_iter().take(SQUARES_MAX) {
            let (key, arguments) = words_of(difference);
            self.say(channel, key, arguments, Priority::Normal);
        }
    }

    /// The channel on which a board is described: its owner's ear, or his assistant; outside rated
    /// play the table.
    fn mismatch_channel(&self, side: Color) -> Option<Channel> {
        let own = &self.profile.sides[side];
        if self.has_ear(side) {
            Some(Channel::Ear(side))
        } else if !own.duties.is_empty() {
            Some(Channel::Assistant(side))
        } else {
            (self.profile.mode != Mode::Rated).then_some(Channel::Table)
        }
    }

    /// Tells the arbiter that a board differs from the announced moves (D.2.9). Nothing is
    /// corrected.
    pub(super) fn report_difference(&mut self, board: Color) {
        if !self.boards.is_difference_reported(board) {
            self.report_squares(board, "D.2.9");
            self.propose_comparison(false);
        }
    }

    /// Tells the arbiter that the opponent's move was executed otherwise than announced. That is a
    /// slip of the hand and does not concern the scores (D.2.1).
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

fn words_of(difference: SquareDifference) -> (PhraseKey, Vec<Argument>) {
    let (key, piece) = match (difference.expected, difference.shown) {
        (Some(expected), None) => (PhraseKey::SquareLacks, Some(expected)),
        (Some(expected), Some(_)) => (PhraseKey::SquareHoldsAnother, Some(expected)),
        (None, shown) => (PhraseKey::SquareHoldsTooMuch, shown),
    };
    let square = Argument::Square(difference.square);
    let piece = piece.map(|piece| {
        [
            Argument::Piece(Some(piece.role)),
            Argument::Side(piece.color),
        ]
    });
    let arguments = std::iter::once(square).chain(piece.into_iter().flatten());
    (key, arguments.collect())
}
