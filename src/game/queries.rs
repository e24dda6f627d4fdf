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
use annexd_score::discrepancy::ReconcileReport;

impl Game {
    /// What was agreed.
    pub const fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The rules in force, with adaptations.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How far the game has come.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The clock, if the game is played with one.
    pub const fn clock(&self) -> Option<&Chessclock> {
        self.clocks.chessclock()
    }

    /// The time left to each player.
    pub fn times(&self, now: Moment) -> Sides<Duration> {
        self.clocks.left(now).unwrap_or_default()
    }

    /// The side whose clock runs.
    pub fn running(&self) -> Option<Color> {
        self.clocks.chessclock()?.running()
    }

    /// The placement on a player's board, as far as known.
    pub const fn placement(&self, board: Color) -> &Board {
        self.boards.placement(board)
    }

    /// The placement after the moves made. Neither board need show it.
    pub fn position(&self) -> &Board {
        self.course.board()
    }

    /// The position, if it is one of chess.
    pub fn chess(&self) -> Option<&Chess> {
        self.course.position().chess()
    }

    /// Whether the microphone into which a side speaks is muted.
    pub fn is_muted(&self, side: Color) -> bool {
        let own = match self.profile.microphones {
            Microphones::Shared => None,
            Microphones::Own => Some(side),
        };
        self.equipment.is_muted(own, None)
    }

    /// At which side of the chessclock White sits, once known.
    pub const fn white_at_clock(&self) -> Option<ClockSide> {
        self.clocks.side_of_white()
    }

    /// The side having the move (1.3).
    pub fn turn(&self) -> Color {
        self.course.turn()
    }

    /// The side that has to press next: the last mover if he has not pressed, else the player
    /// having the move.
    pub fn to_press(&self) -> Color {
        let turn = self.turn();
        let last_is_open = self.course.is_open();
        if last_is_open { !turn } else { turn }
    }

    /// Whether this player has announced his move and has yet to press.
    pub(super) fn is_to_press(&self, side: Color) -> bool {
        self.is_playing() && self.to_press() == side && self.announced(side).is_some()
    }

    /// A player's score (D.2.7, 8.1).
    pub const fn score(&self, side: Color) -> &Score {
        self.scores.of(side)
    }

    /// The last comparison of boards and scores, until it is decided (D.2.9).
    pub const fn comparison(&self) -> Option<&ReconcileReport> {
        self.comparison.report()
    }

    /// The sheet that a player has handed in (D.2.9).
    pub fn handed_in_score(&self, side: Color) -> Option<&Score> {
        self.comparison.sheet(side)
    }

    /// The number of plies made.
    pub const fn plies(&self) -> usize {
        self.course.plays().len()
    }

    /// The number of plies made by the end of this move of a side, by this game's move numbers.
    /// `None` if the game begins later.
    pub fn plies_until(&self, number: u32, side: Color) -> Option<u32> {
        let start = self.course.start();
        let counted = |number: u32, side: Color| {
            let half_moves = number.checked_mul(2)?;
            half_moves.checked_add(u32::from(side.is_black()))
        };
        let before = counted(start.fullmoves.get(), start.turn)?;
        let after = counted(number, side)?.checked_add(1)?;
        after.checked_sub(before).filter(|made| *made > 0)
    }

    /// The latest standing announcement, by either side.
    pub fn last_announcement(&self) -> Option<&Announcement> {
        let turn = self.turn();
        let words = self.last_words(turn).or_else(|| self.last_words(!turn));
        words.map(|words| words.said())
    }

    /// A side's standing announcement for its last move, made or on its way.
    pub fn announced(&self, side: Color) -> Option<&Announcement> {
        self.last_words(side).map(|words| words.said())
    }

    /// How the game ended, if it has.
    pub const fn ending(&self) -> Option<&Ending> {
        self.scores.ending()
    }

    /// What a player has announced so far, while he is asked for what is missing.
    pub fn asked_about(&self, side: Color) -> Option<&Announcement> {
        let moving = self.course.moving();
        let is_asked = self.course.turn() == side && moving.asked.is_some();
        moving.words.as_ref().filter(|_| is_asked).map(Words::said)
    }

    /// A side's standing announcement for its last move, made or on its way, if nothing is asked
    /// about it.
    pub(super) fn last_words(&self, side: Color) -> Option<&Words> {
        if self.course.turn() == side {
            let is_open = !self.is_adjourning();
            self.course.moving().complete_words().filter(|_| is_open)
        } else {
            let play = self.course.last_of(side)?;
            play.moving.complete_words()
        }
    }

    /// Whether the player's words before the order to seal have to stay private: they may be the
    /// very move he seals.
    pub(super) const fn is_adjourning(&self) -> bool {
        matches!(self.phase, Phase::Sealing | Phase::Adjourned)
    }

    /// Whether a player is asked to seal his move.
    pub fn is_sealing(&self, side: Color) -> bool {
        self.phase == Phase::Sealing && self.course.turn() == side
    }

    /// What a board's sensors can tell now. A lost board tells nothing, and people confirm instead.
    pub(super) fn sensors(&self, board: Color) -> Sensors {
        if self.is_lost(Device::Board(board)) {
            Sensors::None
        } else {
            self.profile.sides[board].board
        }
    }

    /// Whether a device is lost now.
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

    /// Whether a rule is in force. Tests can switch off every rule by its clause, to show that the
    /// rule's scenario would notice.
    #[cfg(test)]
    pub(super) fn holds(&self, clause: &str) -> bool {
        !self.switched_off.iter().any(|off| off == clause)
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the test build asks the game")]
    pub(super) const fn holds(&self, _clause: &str) -> bool {
        true
    }

    /// The clause for an illegal move without adequate supervision. Some editions have a separate
    /// article for blitz (A.4.2, C3 of 2001, B3c of 2009).
    pub(super) const fn unsupervised_loss(&self) -> &'static str {
        match self.profile.game_type {
            GameType::Blitz => "B.4.c",
            GameType::Standard | GameType::Rapid => "A.4.2",
        }
    }

    /// The position in which to ask whether a side can mate. If the last move was illegal it is the
    /// position before, because that move would be taken back (7.5.1).
    pub(super) fn position_to_mate_in(&self) -> Option<&Chess> {
        let illegal = self.course.last().filter(|play| play.legal == Some(false));
        match illegal {
            Some(play) => play.before.chess(),
            None => self.course.position().chess(),
        }
    }

    /// The penalty for an illegal move in this game.
    pub(super) fn sanction(&self) -> &laws::IllegalMoveSanction {
        self.rules
            .illegal_move_sanction(self.profile.game_type, self.profile.supervision)
    }

    /// The clause on which an end of this game rests. It may differ without adequate supervision,
    /// at a resumption, or for a claim with an intended move.
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
