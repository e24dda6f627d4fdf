//! The chessclock as a device: read as the evidence that it is, or kept in step (6.10, D.2.4).

use std::time::Duration;

use shakmaty::Color;

use super::Game;
use super::effect::Priority;
use super::input::ClockNotice;
use super::profile::ClockKind;
use super::queries::Phase;
use annexd_laws::clock::{Bonus, ClockSide};
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Argument, PhraseKey};

/// A time read longer ago than this is told as "about".
const FRESH: Duration = Duration::from_millis(1_500);
/// A clock that is set shows whole seconds, and shows them late.
const STEP_MAX: Duration = Duration::from_secs(3);
/// A clock that was set takes some seconds until it shows that.
const SETTING: Duration = Duration::from_secs(6);

impl Game {
    /// A chessclock shows these times. One that is only read is right, whatever it shows
    /// (6.10.1); one that is set is set again where it is wrong; and where the program's own
    /// clock counts, a clock on the table is nothing but its lever.
    pub(super) fn clock_reads(
        &mut self,
        now: Moment,
        left: Sides<Duration>,
        running: Option<Color>,
    ) {
        match self.profile.clock {
            ClockKind::Program => {}
            ClockKind::Read => self.take_over_times(now, left, running),
            ClockKind::Driven => self.keep_in_step(now, left, running),
        }
    }

    fn take_over_times(&mut self, now: Moment, left: Sides<Duration>, running: Option<Color>) {
        if self.scores.is_over() {
            return;
        }
        for side in Color::ALL {
            if let Some(clock) = &mut self.clock {
                clock.show(side, left[side], now);
            }
            if left[side].is_zero() {
                self.flag_falls(now, side);
            }
        }
        let Some(clock) = &mut self.clock else { return };
        match running.filter(|_| self.phase != Phase::BeforePlay) {
            Some(side) => clock.start(side, now),
            None => clock.stop(now),
        }
        self.shown_running = clock.running();
        self.note_times_after_press(now, left);
        self.clock_read_at = Some(now);
    }

    /// What the clock shows as soon as a move is completed is what its mover had left (6.10.1). A
    /// clock that has been set meanwhile shows something else.
    fn note_times_after_press(&mut self, now: Moment, left: Sides<Duration>) {
        let read_before = self.clock_read_at;
        let bonuses = self.clock.as_ref().map(|clock| Sides {
            white: clock.bonus(Color::White),
            black: clock.bonus(Color::Black),
        });
        let Some(play) = self.plays.last_mut() else {
            return;
        };
        let side = play.moving.side;
        let is_unread = |at: Moment| read_before.is_none_or(|read| read <= at);
        let is_prompt = |at: Moment| now.since(at) <= FRESH && is_unread(at);
        // What was noted at the completion was still without the increment for the move.
        let added = match bonuses.map(|bonuses| bonuses[side]) {
            Some(Bonus::Increment(added) | Bonus::Bronstein(added)) => added,
            _ => Duration::ZERO,
        };
        let is_near = |noted: Sides<Duration>| {
            let noted = [noted[side], noted[side] + added];
            let mut near = noted.iter().map(|time| left[side].abs_diff(*time));
            near.any(|away| away <= STEP_MAX)
        };
        if !play.completed_at.is_some_and(is_prompt) || !play.left.is_some_and(is_near) {
            return;
        }
        play.left = Some(left);
        self.scores.note_clock(left[side]);
    }

    fn keep_in_step(&mut self, now: Moment, left: Sides<Duration>, running: Option<Color>) {
        let Some(clock) = &self.clock else { return };
        let is_near = |side| left[side].abs_diff(clock.left(side, now)) <= STEP_MAX;
        let is_in_step = running == clock.running() && Color::ALL.into_iter().all(is_near);
        let was_just_set = self.clock_set_at.is_some_and(|at| now.since(at) < SETTING);
        if !is_in_step && !was_just_set {
            self.clock_changed = true;
        }
    }

    /// A chessclock shows something besides its times, or something was noticed at it.
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

    /// It is known at which side of the clock White sits.
    pub(super) fn white_sits_at(&mut self, side: ClockSide) {
        self.white_at_clock = Some(side);
        // Whoever sets the clock has to know.
        self.clock_changed = true;
    }

    /// A defect concerns both players, and the arbiter has to put it right.
    fn tell_of_clock(&mut self, key: PhraseKey) {
        self.table(key, []);
        self.say(Channel::Arbiter, key, [], Priority::Normal);
    }

    fn flag_falls(&mut self, now: Moment, side: Color) {
        let Some(clock) = &mut self.clock else { return };
        if clock.let_fall(side, now).is_some() {
            self.clock_changed = true;
            self.report("6.8", PhraseKey::FlagFallen, [Argument::Side(side)]);
        }
    }

    /// Whether the clock that counts was never read, because nobody has said who sits where.
    pub(super) fn are_times_unknown(&self) -> bool {
        let is_read = self.profile.clock == ClockKind::Read;
        is_read && self.clock_read_at.is_none() && self.white_at_clock.is_none()
    }

    /// Whether the times told are a guess, because the clock that counts has not been read for
    /// some time.
    pub(super) fn are_times_about(&self, now: Moment) -> bool {
        let is_old = |at: Moment| now.since(at) > FRESH;
        self.profile.clock == ClockKind::Read
            && self.running().is_some()
            && self.clock_read_at.is_none_or(is_old)
    }
}
