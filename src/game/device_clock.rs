//! The chessclock as a device: read as evidence, or kept in step with the program's clock (6.10,
//! D.2.4).

use std::time::Duration;

use shakmaty::Color;

use super::Game;
use super::effect::Priority;
use super::input::ClockNotice;
use super::phase::Phase;
use super::profile::ClockKind;
use annexd_laws::clock::ClockSide;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Takes the times that a chessclock shows. A clock that is only read is right, whatever it
    /// shows (6.10.1). A clock that the program sets is set again when it is wrong. Where the
    /// program's own clock counts, a clock on the table serves only as a lever to press.
    pub(super) fn clock_reads(
        &mut self,
        now: Moment,
        left: Sides<Duration>,
        running: Option<Color>,
    ) {
        match self.profile.clock {
            ClockKind::Program => {}
            ClockKind::Read => self.take_over_times(now, left, running),
            ClockKind::Driven => self.clocks.keep_in_step(now, left, running),
        }
    }

    fn take_over_times(&mut self, now: Moment, left: Sides<Duration>, running: Option<Color>) {
        if self.scores.is_over() {
            return;
        }
        for side in Color::ALL {
            self.clocks.take_over(side, left[side], now);
            if left[side].is_zero() {
                self.flag_falls(now, side);
            }
        }
        self.note_times_after_press(now, left);
        let running = running.filter(|_| self.phase != Phase::BeforePlay);
        self.clocks.take_over_running(running, now);
    }

    /// Notes the clock's first reading after a completed move as what its mover had left (6.10.1).
    /// A clock that was set meanwhile shows something else.
    fn note_times_after_press(&mut self, now: Moment, left: Sides<Duration>) {
        let Some(play) = self.course.last() else {
            return;
        };
        let side = play.moving.side;
        let (Some(at), Some(noted)) = (play.completed_at, play.left) else {
            return;
        };
        let completed = (side, at, noted[side]);
        let is_servers = self.is_elsewhere() && self.clocks.is_unread_since(at);
        if is_servers || self.clocks.is_reading_of(completed, left[side], now) {
            self.course.note_left(left);
            self.scores.note_clock(left[side]);
        }
    }

    /// Takes what a chessclock reports besides its times, or what was noticed about it.
    pub(super) fn clock_tells(&mut self, now: Moment, notice: ClockNotice) {
        let is_evidence = self.profile.clock == ClockKind::Read && !self.scores.is_over();
        match notice {
            ClockNotice::FlagFallen(side) if is_evidence => self.flag_falls(now, side),
            ClockNotice::FlagShown(side) if is_evidence => {
                self.report("6.8", PhraseKey::FlagFallen, [Argument::Side(side)]);
            }
            ClockNotice::Jumped(side) if is_evidence => {
                self.report("6.10.1", PhraseKey::ClockJumped, [Argument::Side(side)]);
            }
            ClockNotice::Frozen => self.tell_of_clock(PhraseKey::ClockFrozen),
            ClockNotice::BatteryLow => self.tell_of_clock(PhraseKey::ClockBatteryLow),
            ClockNotice::FlagFallen(_) | ClockNotice::FlagShown(_) | ClockNotice::Jumped(_) => {}
        }
    }

    /// Notes at which side of the clock White sits.
    pub(super) fn white_sits_at(&mut self, side: ClockSide) {
        self.clocks.white_sits_at(side);
    }

    /// Tells both players and the arbiter of a defect: it concerns all, and the arbiter has to put
    /// it right.
    fn tell_of_clock(&mut self, key: PhraseKey) {
        self.table(key, []);
        self.say(Channel::Arbiter, key, [], Priority::Normal);
    }

    fn flag_falls(&mut self, now: Moment, side: Color) {
        if self.clocks.record_flag_fall(side, now) {
            self.report("6.8", PhraseKey::FlagFallen, [Argument::Side(side)]);
        }
    }

    /// Whether the clock that counts was never read, because nobody has said who sits where.
    pub(super) fn are_times_unknown(&self) -> bool {
        let is_read = self.profile.clock == ClockKind::Read;
        is_read && self.clocks.was_never_read()
    }

    /// Whether the times told are uncertain, because the clock that counts was last read some time
    /// ago.
    pub(super) fn are_times_about(&self, now: Moment) -> bool {
        // A server reports its clock at each move, and that clock runs on meanwhile.
        let is_fresh = self.is_elsewhere() && !self.is_server_lost();
        self.profile.clock == ClockKind::Read && self.clocks.is_stale(now) && !is_fresh
    }
}
