//! What can be asked of a game without changing it.

use super::phase::Phase;
use std::time::Duration;

use shakmaty::{Board, Chess, Color};

use super::Game;
use super::ending::Ending;
use super::input::Device;
use super::moving::Words;
use super::profile::{ClockKind, Microphones, Profile, Sensors};
use annexd_laws as laws;
use annexd_laws::clock::{Chessclock, ClockSide};
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Sides;
use annexd_laws::{GameType, Rules, Termination};
use annexd_score::Score;
use annexd_score::discrepancy::Report;

impl Game {
    /// What was agreed.
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The rules in force, adaptations included.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How far the game has come.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The clock, if it is played with one.
    pub const fn clock(&self) -> Option<&Chessclock> {
        self.clocks.chessclock()
    }

    /// The time left to each player.
    pub fn times(&self, now: Moment) -> Sides<Duration> {
        self.clocks.left(now).unwrap_or_default()
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.clocks.chessclock()?.running()
    }

    /// What stands on a player's board, as far as anybody knows.
    pub const fn placement(&self, board: Color) -> &Board {
        self.boards.placement(board)
    }

    /// The placement that the moves made so far lead to. Neither board need look like it.
    pub fn position(&self) -> &Board {
        self.course.board()
    }

    /// The position as one of chess, if it is one.
    pub fn chess(&self) -> Option<&Chess> {
        self.course.position().chess()
    }

    /// Whether the microphone into which a side speaks is muted.
    pub fn is_muted(&self, side: Color) -> bool {
        let own = match self.profile.microphones {
            Microphones::Shared => None,
            Microphones::Own => Some(side),
        };
        self.equipment.is_deaf(own, None)
    }

    /// At which side of the chessclock White sits, once that is known.
    pub const fn white_at_clock(&self) -> Option<ClockSide> {
        self.clocks.side_of_white()
    }

    /// Who has the move (1.3).
    pub fn turn(&self) -> Color {
        self.course.turn()
    }

    /// Whose press comes next: the last mover's if he has not pressed, else that of the player
    /// who has the move.
    pub fn to_press(&self) -> Color {
        let turn = self.turn();
        let last_is_open = self.course.is_open();
        if last_is_open { !turn } else { turn }
    }

    /// A player's score (D.2.7, 8.1).
    pub const fn score(&self, side: Color) -> &Score {
        self.scores.of(side)
    }

    /// The last comparison of boards and scores, as long as nothing was decided on it (D.2.9).
    pub const fn comparison(&self) -> Option<&Report> {
        self.comparison.report()
    }

    /// The sheet that a player has handed in (D.2.9).
    pub fn handed_in_score(&self, side: Color) -> Option<&Score> {
        self.comparison.sheet(side)
    }

    /// How many moves of both players together have been made.
    pub const fn plies(&self) -> usize {
        self.course.plays().len()
    }

    /// How many half-moves of both have been made after this move of a side, by the numbers of this
    /// game. `None` if the game begins later.
    pub fn half_moves_until(&self, number: u32, side: Color) -> Option<u32> {
        let start = self.course.start();
        let counted = |number: u32, side: Color| {
            let half_moves = number.checked_mul(2)?;
            half_moves.checked_add(u32::from(side.is_black()))
        };
        let before = counted(start.fullmoves.get(), start.turn)?;
        let after = counted(number, side)?.checked_add(1)?;
        after.checked_sub(before).filter(|made| *made > 0)
    }

    /// The announcement that stands last, whoever made it.
    pub fn last_announcement(&self) -> Option<&Announcement> {
        let turn = self.turn();
        let words = self.last_words(turn).or_else(|| self.last_words(!turn));
        words.map(|words| words.said())
    }

    /// The announcement that stands for a side's last move, made or on its way.
    pub fn announced(&self, side: Color) -> Option<&Announcement> {
        self.last_words(side).map(|words| words.said())
    }

    /// How the game ended, if it has.
    pub const fn ending(&self) -> Option<&Ending> {
        self.scores.ending()
    }

    /// What a player has announced so far, while he is asked for what is missing in it.
    pub fn asked_about(&self, side: Color) -> Option<&Announcement> {
        let moving = self.course.moving();
        let is_asked = self.course.turn() == side && moving.asked.is_some();
        moving.words.as_ref().filter(|_| is_asked).map(Words::said)
    }

    /// The words that stand for a side's last move, made or on its way, complete in form.
    pub(super) fn last_words(&self, side: Color) -> Option<&Words> {
        if self.course.turn() == side {
            let is_open = !self.is_adjourning();
            self.course.moving().complete_words().filter(|_| is_open)
        } else {
            let play = self.course.last_of(side)?;
            play.moving.complete_words()
        }
    }

    /// Whether what the player on move said before the order to seal is told nobody any more: it
    /// may be the very move that is sealed.
    pub(super) const fn is_adjourning(&self) -> bool {
        matches!(self.phase, Phase::Sealing | Phase::Adjourned)
    }

    /// Whether a player is asked to seal his move.
    pub fn is_sealing(&self, side: Color) -> bool {
        self.phase == Phase::Sealing && self.course.turn() == side
    }

    /// What a board can tell now: nothing as long as it is lost, and then persons confirm.
    pub(super) fn sensors(&self, board: Color) -> Sensors {
        if self.is_lost(Device::Board(board)) {
            Sensors::None
        } else {
            self.profile.sides[board].board
        }
    }

    /// Whether a device is gone just now.
    pub(super) fn is_lost(&self, device: Device) -> bool {
        self.equipment.is_lost(device)
    }

    /// Whether play is going on.
    pub(super) const fn is_playing(&self) -> bool {
        matches!(self.phase, Phase::Playing)
    }

    /// Whether the program's own clock counts.
    pub(super) fn has_own_clock(&self) -> bool {
        self.profile.clock != ClockKind::Read
    }

    /// Whether a rule is in force. Every rule can be switched off by its clause in tests, which
    /// shows that its scenario would notice.
    #[cfg(test)]
    pub(super) fn holds(&self, clause: &str) -> bool {
        !self.switched_off.iter().any(|off| off == clause)
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the test build asks the game")]
    pub(super) const fn holds(&self, _clause: &str) -> bool {
        true
    }

    /// What an illegal move is under without adequate supervision: in blitz some editions have an
    /// article of their own (A.4.2, C3 of 2001, B3c of 2009).
    pub(super) const fn unsupervised_loss(&self) -> &'static str {
        match self.profile.game_type {
            GameType::Blitz => "B.4.c",
            GameType::Standard | GameType::Rapid => "A.4.2",
        }
    }

    /// The position in which the question is whether a side can mate. An illegal move that was the
    /// last one has changed nothing: it would be taken back (7.5.1).
    pub(super) fn position_to_mate_in(&self) -> Option<&Chess> {
        let illegal = self.course.last().filter(|play| play.legal == Some(false));
        match illegal {
            Some(play) => play.before.chess(),
            None => self.course.position().chess(),
        }
    }

    /// What an illegal move costs in this game.
    pub(super) fn sanction(&self) -> &laws::IllegalMoveSanction {
        self.rules
            .illegal_move_sanction(self.profile.game_type, self.profile.supervision)
    }

    /// The clause an end rests on in this game: some have another one in a game without adequate
    /// supervision, at a resumption or for a claim with an intended move.
    pub(super) fn clause_of(&self, end: Termination) -> &'static str {
        let is_fast = self.profile.game_type != GameType::Standard;
        let has_supervision =
            self.rules.game_types.has_supervised_mode && self.profile.supervision.is_adequate();
        let claim = self.draw.upheld();
        match end {
            Termination::IllegalMoves(_) | Termination::IllegalMovesDrawn(_)
                if is_fast && !has_supervision =>
            {
                self.unsupervised_loss()
            }
            Termination::BothFlags if is_fast => "G.3.rapid",
            Termination::BothFlags => "G.3.finish",
            Termination::Default(_) | Termination::BothDefault
                if self.adjournment.resumption().is_some() =>
            {
                "E.10"
            }
            Termination::Threefold if claim.is_some_and(|it| it.intended.is_some()) => "9.2.1.1",
            Termination::FiftyMoves if claim.is_some_and(|it| it.intended.is_some()) => "9.3.1",
            Termination::Threefold if claim.is_some() => "9.2.1.2",
            Termination::FiftyMoves if claim.is_some() => "9.3.2",
            Termination::Annulled => self.conduct.annulled_by(),
            end => end.clause(),
        }
    }
}
