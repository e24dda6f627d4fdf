//! The chessclock: two displays of which at most one runs (6.1).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use super::time_control::{Bonus, Period, TimeControl};
use crate::moment::Moment;
use crate::persons::Sides;

/// A chessclock as a value. Reading it does not change it. All times are whole milliseconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chessclock {
    control: Sides<TimeControl>,
    faces: Sides<Face>,
    running: Option<Running>,
    falls: Vec<FlagFall>,
    /// Whether this clock only shows the times of another clock, which counts.
    is_read: bool,
}

/// One display, with its state when it last stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Face {
    left: Duration,
    /// The total time used, for players who ask (D.2.10.4).
    used: Duration,
    /// The delay that is left for this move.
    delay: Duration,
    /// The time used for this move, for the Bronstein delay.
    this_move: Duration,
    period: usize,
    moves: u32,
    moves_in_period: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    side: Color,
    since: Moment,
}

/// A flag fall (6.1): the time of a period was used up.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagFall {
    /// Whose flag it is.
    #[serde_as(as = "DisplayFromStr")]
    pub side: Color,
    /// When.
    pub at: Moment,
    /// Whether it was the last period.
    pub in_last_period: bool,
}

impl Chessclock {
    /// Makes a clock that is stopped and shows the first period. Both players have the same time.
    pub fn new(control: TimeControl) -> Self {
        Self::of_both(Sides {
            white: control.clone(),
            black: control,
        })
    }

    /// Makes a stopped clock for players whose times may differ.
    pub fn of_both(control: Sides<TimeControl>) -> Self {
        let faces = Sides::from_fn(|side| Face::at_start(&control[side]));
        Self {
            control,
            faces,
            running: None,
            falls: Vec::new(),
            is_read: false,
        }
    }

    /// Makes this clock a copy of another one, which alone shows when a flag falls (6.10.1).
    #[must_use]
    pub const fn read_from_another(mut self) -> Self {
        self.is_read = true;
        self
    }

    /// The side whose clock is running.
    pub fn running(&self) -> Option<Color> {
        self.running.map(|running| running.side)
    }

    /// The time that a player has left in the period.
    pub fn left(&self, side: Color, now: Moment) -> Duration {
        let face = &self.faces[side];
        let elapsed = self.elapsed(side, now);
        face.left.saturating_sub(elapsed.saturating_sub(face.delay))
    }

    /// The time that a player has used so far.
    pub fn used(&self, side: Color, now: Moment) -> Duration {
        self.faces[side].used + self.elapsed(side, now)
    }

    /// Adds time to a player's used time that was deducted without the clock running (E.1.2).
    pub fn add_used(&mut self, side: Color, time: Duration) {
        self.faces[side].used += time;
    }

    /// How many moves a player has completed.
    pub fn moves(&self, side: Color) -> u32 {
        self.faces[side].moves
    }

    /// The period that a player is in.
    pub fn period(&self, side: Color) -> Period {
        self.control[side].period(self.faces[side].period)
    }

    /// The bonus that a player gets for his next move.
    pub fn bonus(&self, side: Color) -> Bonus {
        let number = self.faces[side].moves_in_period.saturating_add(1);
        self.period(side).bonus_of(number)
    }

    /// The number of the period that a player is in, counted from 0.
    pub fn period_number(&self, side: Color) -> usize {
        self.faces[side].period
    }

    /// Starts a player's clock, and stops the other one if it is running.
    pub fn start(&mut self, side: Color, now: Moment) {
        if self.running() != Some(side) {
            self.stop(now);
            self.running = Some(Running { side, since: now });
        }
    }

    /// Stops both clocks.
    pub fn stop(&mut self, now: Moment) {
        if let Some(Running { side, .. }) = self.running {
            self.check_flag(now);
            let elapsed = self.elapsed(side, now);
            let face = &mut self.faces[side];
            face.left = face.left.saturating_sub(elapsed.saturating_sub(face.delay));
            face.delay = face.delay.saturating_sub(elapsed);
            face.used += elapsed;
            face.this_move += elapsed;
            self.running = None;
        }
    }

    /// Stops a player's clock and starts the opponent's, which completes a move (6.2.1).
    pub fn press(&mut self, side: Color, now: Moment) {
        self.stop(now);
        self.complete_move(side);
        self.start(!side, now);
    }

    /// Starts the opponent's clock without counting a move.
    pub fn press_without_move(&mut self, side: Color, now: Moment) {
        self.stop(now);
        self.start(!side, now);
    }

    /// Counts a move as completed. The bonus of the move is added, and after the last move of a
    /// period the next period begins.
    pub fn complete_move(&mut self, side: Color) {
        let has_fallen = self.has_fallen(side);
        let period = self.period(side);
        let next = self.control[side].period(self.faces[side].period + 1);
        let face = &mut self.faces[side];
        face.moves = face.moves.saturating_add(1);
        face.moves_in_period = face.moves_in_period.saturating_add(1);
        if has_fallen {
            return;
        }
        match period.bonus_of(face.moves_in_period) {
            Bonus::Bronstein(most) => face.left += most.min(face.this_move),
            Bonus::None | Bonus::Increment(_) | Bonus::Delay(_) => {}
        }
        let mut bonus = period.bonus_of(face.moves_in_period.saturating_add(1));
        if period
            .moves
            .is_some_and(|moves| face.moves_in_period >= moves)
        {
            face.period += 1;
            face.moves_in_period = 0;
            face.left += next.time;
            bonus = next.bonus_of(1);
        }
        face.begin_move(bonus);
    }

    /// Returns whether a player's flag has fallen and no time was set since.
    pub fn has_fallen(&self, side: Color) -> bool {
        self.fall(side).is_some()
    }

    /// When a player's flag fell, and in which period.
    pub fn fall(&self, side: Color) -> Option<FlagFall> {
        self.falls.iter().find(|fall| fall.side == side).copied()
    }

    /// The flag falls, in their order.
    pub fn falls(&self) -> &[FlagFall] {
        &self.falls
    }

    /// When the flag of the running clock falls. `None` if another clock decides.
    pub fn flag_due(&self) -> Option<Moment> {
        self.runs_out().filter(|_| !self.is_read)
    }

    /// When the running clock reaches zero, as far as is known now.
    pub fn runs_out(&self) -> Option<Moment> {
        let Running { side, since } = self.running?;
        let face = &self.faces[side];
        (!self.has_fallen(side)).then(|| since + face.delay + face.left)
    }

    /// When the running clock will show this time or less. Moments are whole milliseconds, but a
    /// time that was halved may not be.
    pub fn when_at_most(&self, time: Duration) -> Option<Moment> {
        let side = self.running()?;
        let at = self.runs_out()?.as_ms();
        let first = at.saturating_sub(time.as_millis() as u64);
        (first..=first + 3)
            .map(Moment::from_ms)
            .find(|&at| self.left(side, at) <= time)
    }

    /// Lets the flag of the running clock fall if its time has come, and returns the fall.
    pub fn check_flag(&mut self, now: Moment) -> Option<FlagFall> {
        let due = self.flag_due().filter(|&due| due <= now)?;
        let side = self.running()?;
        let fall = FlagFall {
            side,
            at: due,
            in_last_period: self.period(side).moves.is_none(),
        };
        self.falls.push(fall);
        Some(fall)
    }

    /// Records that a player's flag has fallen on another clock. `None` if it had fallen before.
    pub fn record_flag_fall(&mut self, side: Color, now: Moment) -> Option<FlagFall> {
        if self.has_fallen(side) {
            return None;
        }
        let fall = FlagFall {
            side,
            at: now,
            in_last_period: self.period(side).moves.is_none(),
        };
        self.falls.push(fall);
        Some(fall)
    }

    /// Sets the time on a player's clock (6.10). A fallen flag is raised again.
    pub fn set(&mut self, side: Color, left: Duration, now: Moment) {
        self.show(side, left, now);
    }

    /// Takes over the time that another clock shows. That is no adjustment.
    pub fn show(&mut self, side: Color, left: Duration, now: Moment) {
        let running = self.running;
        self.stop(now);
        if !left.is_zero() {
            self.falls.retain(|fall| fall.side != side);
        }
        let face = &mut self.faces[side];
        face.left = left;
        face.delay = Duration::ZERO;
        self.running = running.map(|running| Running {
            since: now,
            ..running
        });
    }

    /// Gives both players this bonus from now on (G.4). The main times stay.
    pub fn set_bonus(&mut self, bonus: Bonus) {
        self.control = Sides::from_fn(|side| self.control[side].with_bonus(bonus));
        if let Bonus::Delay(delay) = bonus {
            for face in [&mut self.faces.white, &mut self.faces.black] {
                face.delay = delay;
            }
        }
    }

    /// Sets how many moves a player has completed (6.10.2), without giving time for them.
    pub fn set_moves(&mut self, side: Color, moves: u32) {
        let mut left = moves;
        let mut number = 0;
        while let Some(needed) = self.control[side].period(number).moves {
            if left < needed {
                break;
            }
            left -= needed;
            number += 1;
        }
        let face = &mut self.faces[side];
        face.moves = moves;
        face.moves_in_period = left;
        face.period = number;
    }

    fn elapsed(&self, side: Color, now: Moment) -> Duration {
        match self.running {
            Some(running) if running.side == side => now.since(running.since),
            _ => Duration::ZERO,
        }
    }
}

impl Face {
    fn at_start(control: &TimeControl) -> Self {
        let first = control.period(0);
        let mut face = Self {
            left: first.time,
            used: Duration::ZERO,
            delay: Duration::ZERO,
            this_move: Duration::ZERO,
            period: 0,
            moves: 0,
            moves_in_period: 0,
        };
        face.begin_move(first.bonus_of(1));
        face
    }

    fn begin_move(&mut self, bonus: Bonus) {
        self.this_move = Duration::ZERO;
        self.delay = Duration::ZERO;
        match bonus {
            Bonus::Increment(time) => self.left += time,
            Bonus::Delay(time) => self.delay = time,
            Bonus::None | Bonus::Bronstein(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Color::{Black, White};

    use super::*;

    fn clock(control: &str) -> Chessclock {
        Chessclock::new(control.parse().unwrap())
    }

    fn at(seconds: u64) -> Moment {
        Moment::from_ms(seconds * 1000)
    }

    #[track_caller]
    fn shows(clock: &Chessclock, side: Color, now: u64, seconds: u64) {
        assert_eq!(clock.left(side, at(now)), Duration::from_secs(seconds));
    }

    #[test]
    fn an_increment_is_there_from_the_first_move_and_comes_with_each() {
        let mut clock = clock("5m+3s");
        shows(&clock, White, 0, 303);
        clock.start(White, at(0));
        clock.press(White, at(10));
        shows(&clock, White, 60, 296);
        shows(&clock, Black, 60, 253);
    }

    #[test]
    fn a_bronstein_delay_gives_back_only_what_was_used() {
        let mut clock = clock("5m+b5s");
        clock.start(White, at(0));
        clock.press(White, at(2));
        shows(&clock, White, 2, 300);
        clock.press(Black, at(22));
        shows(&clock, Black, 22, 285);
    }

    #[test]
    fn a_us_delay_runs_before_the_main_time() {
        let mut clock = clock("5m+d5s");
        clock.start(White, at(0));
        shows(&clock, White, 4, 300);
        shows(&clock, White, 15, 290);
        clock.press(White, at(15));
        clock.press(Black, at(20));
        shows(&clock, Black, 20, 300);
    }

    #[test]
    fn the_next_period_begins_with_the_last_move_of_the_one_before() {
        let mut clock = clock("1m/2+10m");
        clock.start(White, at(0));
        clock.press(White, at(10));
        clock.press(Black, at(10));
        shows(&clock, White, 10, 50);
        clock.press(White, at(20));
        shows(&clock, White, 20, 640);
        assert_eq!(clock.moves(White), 2);
        assert_eq!(clock.period(White).moves, None);
    }

    #[test]
    fn an_increment_may_begin_with_a_later_move_of_the_period() {
        let mut clock = clock("1m/2+10m(5s@2)");
        clock.start(White, at(0));
        for _ in 0..2 {
            clock.press(White, at(0));
            clock.press(Black, at(0));
        }
        // The third move is the first of the second period.
        shows(&clock, White, 0, 660);
        clock.press(White, at(0));
        clock.press(Black, at(0));
        shows(&clock, White, 0, 665);
        assert_eq!(clock.bonus(White).time().as_secs(), 5);
    }

    #[test]
    fn the_times_of_the_players_may_differ() {
        let control = |text: &str| text.parse().unwrap();
        let clock = Chessclock::of_both(Sides {
            white: control("5m+2s"),
            black: control("4m"),
        });
        shows(&clock, White, 0, 302);
        shows(&clock, Black, 0, 240);
    }

    #[test]
    fn flags_are_noted_in_the_order_in_which_they_fell() {
        let mut clock = clock("1m");
        clock.start(White, at(0));
        assert_eq!(clock.flag_due(), Some(at(60)));
        assert_eq!(clock.check_flag(at(59)), None);
        assert_eq!(clock.check_flag(at(61)).unwrap().at, at(60));
        clock.press(White, at(61));
        clock.stop(at(200));
        let fallen: Vec<Color> = clock.falls().iter().map(|fall| fall.side).collect();
        assert_eq!(fallen, [White, Black]);
        clock.set(White, Duration::from_secs(30), at(200));
        assert!(!clock.has_fallen(White));
    }

    #[test]
    fn setting_the_counter_finds_the_period() {
        let mut clock = clock("90m/40+30m/20+15m");
        clock.set_moves(White, 45);
        assert_eq!(clock.period(White).moves, Some(20));
        clock.set_moves(White, 60);
        assert_eq!(clock.period(White).moves, None);
    }

    proptest! {
        /// Without increments, the times used and left are together the time that was given.
        #[test]
        fn time_is_neither_made_nor_lost(
            steps in prop::collection::vec((0u64..90_000, 0u8..5), 0..40)
        ) {
            let mut clock = clock("10m");
            let mut now = Moment::START;
            for (ms, act) in steps {
                now = now + Duration::from_millis(ms);
                match act {
                    0 => clock.start(White, now),
                    1 => clock.start(Black, now),
                    2 => clock.press(White, now),
                    3 => clock.press(Black, now),
                    _ => clock.stop(now),
                }
                for side in Color::ALL {
                    let (left, used) = (clock.left(side, now), clock.used(side, now));
                    prop_assert_eq!(left, Duration::from_secs(600).saturating_sub(used));
                }
            }
        }
    }
}
