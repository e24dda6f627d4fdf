//! The chessclock, what is known of the device that shows it, and the moments from which time is
//! counted (6, 7.1, D.2.10.4).
//!
//! Every change that the device has to follow is noted here, so that the device is updated at the
//! end of the same step.

use std::time::Duration;

use shakmaty::Color;

use annexd_laws::clock::{Bonus, Chessclock, ClockSide, FlagFall};
use annexd_laws::moment::Moment;
use annexd_laws::persons::Sides;

/// A reading older than this is told as "about".
const FRESH: Duration = Duration::from_millis(1_500);
/// Tolerance before a device is set again: it shows whole seconds, and shows them late.
const STEP_MAX: Duration = Duration::from_secs(3);
/// How long a clock takes to show a time after it was set.
const SETTING: Duration = Duration::from_secs(6);

/// The clock and its times. A game without a clock has none, and changes have no effect.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    clock: Option<Chessclock>,
    /// The side whose clock the device was last told to run.
    shown_running: Option<Color>,
    /// Whether the device has to be set anew, whichever clock runs.
    is_changed: bool,
    /// When the device was last read.
    read_at: Option<Moment>,
    /// When the device was last set.
    set_at: Option<Moment>,
    white_sits_at: Option<ClockSide>,
    started_at: Option<Moment>,
    /// When each player arrived, if he came late.
    came_at: Sides<Option<Moment>>,
    /// The times logged at the position that play has gone back to, with the clause that asks for
    /// them.
    logged: Option<(Sides<Duration>, &'static str)>,
    /// The time left at which each player wishes to be told.
    requests: Sides<Option<Duration>>,
}

impl Clocks {
    /// A stopped clock, or no clock.
    pub(super) fn new(clock: Option<Chessclock>) -> Self {
        Self {
            clock,
            shown_running: None,
            is_changed: false,
            read_at: None,
            set_at: None,
            white_sits_at: None,
            started_at: None,
            came_at: Sides::default(),
            logged: None,
            requests: Sides::default(),
        }
    }

    /// The clock, if the game is played with one.
    pub(super) const fn chessclock(&self) -> Option<&Chessclock> {
        self.clock.as_ref()
    }

    /// The time left to both players.
    pub(super) fn left(&self, now: Moment) -> Option<Sides<Duration>> {
        let clock = self.clock.as_ref()?;
        Some(Sides::from_fn(|side| clock.left(side, now)))
    }

    /// Begins play with this player's clock running.
    pub(super) fn begin_play(&mut self, side: Color, now: Moment) {
        self.started_at = Some(now);
        self.start(side, now);
    }

    /// When play began.
    pub(super) const fn started_at(&self) -> Option<Moment> {
        self.started_at
    }

    /// Notes that a player arrives late.
    pub(super) fn came(&mut self, side: Color, now: Moment) {
        self.came_at[side] = Some(now);
    }

    /// When a late player arrived.
    pub(super) fn came_at(&self, side: Color) -> Option<Moment> {
        self.came_at[side]
    }

    /// Starts this player's clock and stops the other's.
    pub(super) fn start(&mut self, side: Color, now: Moment) {
        self.change(|clock| clock.start(side, now));
    }

    /// Stops both clocks.
    pub(super) fn stop(&mut self, now: Moment) {
        self.change(|clock| clock.stop(now));
    }

    /// A player has pressed after his move.
    pub(super) fn press(&mut self, side: Color, now: Moment) {
        self.change(|clock| clock.press(side, now));
    }

    /// A player has pressed without having moved.
    pub(super) fn press_without_move(&mut self, side: Color, now: Moment) {
        self.change(|clock| clock.press_without_move(side, now));
    }

    /// Counts a move as completed without a press of its own (6.2.1).
    pub(super) fn complete_move(&mut self, side: Color) {
        self.change(|clock| clock.complete_move(side));
    }

    /// Gives each move this bonus from now on (G.4).
    pub(super) fn set_bonus(&mut self, bonus: Bonus) {
        self.change(|clock| clock.set_bonus(bonus));
    }

    /// Books time that a player has used although no clock ran (E.1.2).
    pub(super) fn add_used(&mut self, side: Color, time: Duration) {
        self.change(|clock| clock.add_used(side, time));
    }

    fn change(&mut self, change: impl FnOnce(&mut Chessclock)) {
        if let Some(clock) = &mut self.clock {
            change(clock);
        }
    }

    /// Sets a clock (6.10.1). Returns the time that was left before.
    pub(super) fn set(&mut self, side: Color, left: Duration, now: Moment) -> Option<Duration> {
        let clock = self.clock.as_mut()?;
        let old = clock.left(side, now);
        clock.set(side, left, now);
        self.is_changed = true;
        Some(old)
    }

    /// Sets a side's time to zero because the device shows it.
    pub(super) fn run_down(&mut self, side: Color, now: Moment) {
        self.change(|clock| clock.set(side, Duration::ZERO, now));
    }

    /// Sets a move counter (6.10.2). Returns the number before.
    pub(super) fn set_moves(&mut self, side: Color, moves: u32) -> Option<u32> {
        let clock = self.clock.as_mut()?;
        let old = clock.moves(side);
        clock.set_moves(side, moves);
        Some(old)
    }

    /// Checks for a flag that has fallen since the last check.
    pub(super) fn check_flag(&mut self, now: Moment) -> Option<FlagFall> {
        let fall = self.clock.as_mut()?.check_flag(now)?;
        self.is_changed = true;
        Some(fall)
    }

    /// Notes a flag seen fallen on the device. Returns whether that is news.
    pub(super) fn record_flag_fall(&mut self, side: Color, now: Moment) -> bool {
        let clock = self.clock.as_mut();
        let is_news = clock.is_some_and(|clock| clock.record_flag_fall(side, now).is_some());
        self.is_changed |= is_news;
        is_news
    }

    /// Notes at which side of the clock White sits. Setting the clock depends on it.
    pub(super) const fn white_sits_at(&mut self, side: ClockSide) {
        self.white_sits_at = Some(side);
        self.is_changed = true;
    }

    /// At which side of the clock White sits, once that is known.
    pub(super) const fn side_of_white(&self) -> Option<ClockSide> {
        self.white_sits_at
    }

    /// Takes over the time that a counting device shows (6.10.1).
    pub(super) fn take_over(&mut self, side: Color, left: Duration, now: Moment) {
        self.change(|clock| clock.show(side, left, now));
    }

    /// Takes over whose clock runs on the device, which counts as a reading.
    pub(super) fn take_over_running(&mut self, running: Option<Color>, now: Moment) {
        let Some(clock) = &mut self.clock else { return };
        match running {
            Some(side) => clock.start(side, now),
            None => clock.stop(now),
        }
        self.shown_running = clock.running();
        self.read_at = Some(now);
    }

    /// Whether the device was not read since that moment.
    pub(super) fn is_unread_since(&self, at: Moment) -> bool {
        self.read_at.is_none_or(|read| read <= at)
    }

    /// Whether a reading now shows what a player had left when he completed a move. True only for
    /// the first reading since then, if it is soon enough and nobody has set the clock meanwhile.
    /// `noted` is what was noted for him, still without the increment for the move.
    pub(super) fn is_reading_of(
        &self,
        (side, completed_at, noted): (Color, Moment, Duration),
        left: Duration,
        now: Moment,
    ) -> bool {
        let is_unread = self.is_unread_since(completed_at);
        let added = match self.clock.as_ref().map(|clock| clock.bonus(side)) {
            Some(Bonus::Increment(added) | Bonus::Bronstein(added)) => added,
            _ => Duration::ZERO,
        };
        let mut near = [noted, noted + added].into_iter();
        is_unread
            && now.since(completed_at) <= FRESH
            && near.any(|time| left.abs_diff(time) <= STEP_MAX)
    }

    /// Compares a device that is set with the program's clock. If it is out of step it is set
    /// again.
    pub(super) fn keep_in_step(
        &mut self,
        now: Moment,
        left: Sides<Duration>,
        running: Option<Color>,
    ) {
        let Some(clock) = &self.clock else { return };
        let is_near = |side| left[side].abs_diff(clock.left(side, now)) <= STEP_MAX;
        let is_in_step = running == clock.running() && Color::ALL.into_iter().all(is_near);
        let was_just_set = self.set_at.is_some_and(|at| now.since(at) < SETTING);
        self.is_changed |= !is_in_step && !was_just_set;
    }

    /// Whether a counting device was never read because nobody has said who sits where.
    pub(super) const fn was_never_read(&self) -> bool {
        self.read_at.is_none() && self.white_sits_at.is_none()
    }

    /// Whether a counting device runs and its last reading is old.
    pub(super) fn is_stale(&self, now: Moment) -> bool {
        let is_old = |at: Moment| now.since(at) > FRESH;
        let running = self.clock.as_ref().and_then(Chessclock::running);
        running.is_some() && self.read_at.is_none_or(is_old)
    }

    /// Whose clock runs and the time left to each, if the device has to be told.
    pub(super) fn show_if_changed(
        &mut self,
        now: Moment,
    ) -> Option<(Option<Color>, Sides<Duration>)> {
        let running = self.clock.as_ref()?.running();
        if running == self.shown_running && !self.is_changed {
            return None;
        }
        self.set_at = Some(now);
        self.show_again(now)
    }

    /// The same after an interruption, whether changed or not.
    pub(super) fn show_again(&mut self, now: Moment) -> Option<(Option<Color>, Sides<Duration>)> {
        let running = self.clock.as_ref()?.running();
        self.shown_running = running;
        self.is_changed = false;
        Some((running, self.left(now)?))
    }

    /// Notes the times logged at the position that play goes back to, or none (7.1, D.2.9).
    pub(super) const fn go_back_to(&mut self, logged: Option<(Sides<Duration>, &'static str)>) {
        self.logged = logged;
    }

    /// Adds the time that a player is given for the irregularity to the logged times too.
    pub(super) fn add_to_logged(&mut self, side: Color, time: Duration) {
        if let Some((logged, _)) = &mut self.logged {
            logged[side] = logged[side].saturating_add(time);
        }
    }

    /// Takes the logged times that nobody has proposed yet, with their clause.
    pub(super) const fn take_logged(&mut self) -> Option<(Sides<Duration>, &'static str)> {
        self.logged.take()
    }

    /// Restores the clock as it was before a decision that is taken back.
    pub(super) fn restore_from(&mut self, before: &Self) {
        self.is_changed |= self.clock != before.clock;
        self.clock.clone_from(&before.clock);
        self.logged = None;
    }

    /// Notes that a player is to be told once when he has this much time left, as he wished
    /// (D.2.10.4).
    pub(super) fn allow_request(&mut self, side: Color, at: Duration) {
        self.requests[side] = Some(at);
    }

    /// Takes a player's request and returns his time left, if he has to be told now.
    pub(super) fn answer_request(&mut self, side: Color, now: Moment) -> Option<Duration> {
        let left = self.clock.as_ref()?.left(side, now);
        self.requests[side].take_if(|at| left <= *at)?;
        Some(left)
    }

    /// When the next request is due.
    pub(super) fn request_due(&self) -> Option<Moment> {
        let clock = self.clock.as_ref()?;
        let at = self.requests[clock.running()?]?;
        clock.when_at_most(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};
    use annexd_laws::clock::TimeControl;

    const MINUTE: Duration = Duration::from_secs(60);

    fn at(seconds: u64) -> Moment {
        Moment::from_ms(1000 * seconds)
    }

    fn clocks() -> Clocks {
        with_control("10m")
    }

    fn with_control(control: &str) -> Clocks {
        let control: TimeControl = control.parse().unwrap();
        Clocks::new(Some(Chessclock::new(control)))
    }

    #[test]
    fn the_device_is_told_what_has_changed_and_only_once() {
        let mut clocks = clocks();
        assert_eq!(clocks.show_if_changed(at(0)), None);
        clocks.begin_play(White, at(0));
        let shown = clocks.show_if_changed(at(0)).map(|(running, _)| running);
        assert_eq!(shown, Some(Some(White)));
        assert_eq!(clocks.show_if_changed(at(1)), None);
        assert_eq!(clocks.set(Black, MINUTE, at(1)), Some(10 * MINUTE));
        let left = clocks.show_if_changed(at(1)).map(|(_, left)| left.black);
        assert_eq!(left, Some(MINUTE));
        clocks.white_sits_at(ClockSide::Left);
        assert!(clocks.show_if_changed(at(2)).is_some() && clocks.show_if_changed(at(2)).is_none());
    }

    #[test]
    fn a_device_out_of_step_is_set_again_but_not_at_once() {
        let mut clocks = clocks();
        clocks.begin_play(White, at(0));
        clocks.show_if_changed(at(0));
        let shown = Sides {
            white: 9 * MINUTE,
            black: 10 * MINUTE,
        };
        clocks.keep_in_step(at(5), shown, Some(White));
        assert_eq!(clocks.show_if_changed(at(5)), None, "it is still being set");
        clocks.keep_in_step(at(6), shown, Some(White));
        assert!(clocks.show_if_changed(at(6)).is_some());
    }

    #[test]
    fn the_first_prompt_reading_after_a_move_is_of_that_move() {
        let mut clocks = with_control("10m+30s");
        let of = (White, at(10), 9 * MINUTE);
        let with_increment = 9 * MINUTE + Duration::from_secs(30);
        assert!(clocks.is_reading_of(of, 9 * MINUTE, at(11)));
        assert!(clocks.is_reading_of(of, with_increment, at(11)));
        assert!(!clocks.is_reading_of(of, 8 * MINUTE, at(11)), "it was set");
        assert!(!clocks.is_reading_of(of, 9 * MINUTE, at(12)), "late");
        clocks.take_over_running(Some(Black), at(11));
        assert!(!clocks.is_reading_of(of, 9 * MINUTE, at(11)), "second");
        assert!(!clocks.was_never_read() && !clocks.is_stale(at(12)) && clocks.is_stale(at(13)));
    }

    #[test]
    fn a_flag_falls_once() {
        let mut clocks = clocks();
        clocks.begin_play(White, at(0));
        assert!(clocks.record_flag_fall(White, at(5)));
        assert!(!clocks.record_flag_fall(White, at(6)));
        assert!(clocks.show_if_changed(at(6)).is_some());
    }

    #[test]
    fn logged_times_are_proposed_once_with_what_was_given_meanwhile() {
        let mut clocks = clocks();
        clocks.add_to_logged(White, MINUTE);
        assert_eq!(clocks.take_logged(), None);
        clocks.go_back_to(Some((Sides::from_fn(|_| MINUTE), "7.1")));
        clocks.add_to_logged(White, MINUTE);
        let logged = clocks.take_logged().map(|(left, _)| left);
        assert_eq!(
            logged.map(|left| (left.white, left.black)),
            Some((2 * MINUTE, MINUTE))
        );
        assert_eq!(clocks.take_logged(), None);
    }

    #[test]
    fn a_wish_to_be_told_the_time_is_met_once() {
        let mut clocks = clocks();
        clocks.begin_play(White, at(0));
        clocks.allow_request(White, 9 * MINUTE);
        assert_eq!(clocks.request_due(), Some(at(60)));
        assert_eq!(clocks.answer_request(White, at(59)), None);
        assert_eq!(clocks.answer_request(White, at(60)), Some(9 * MINUTE));
        assert_eq!(clocks.answer_request(White, at(61)), None);
    }

    #[test]
    fn without_a_clock_nothing_is_told_or_asked() {
        let mut clocks = Clocks::new(None);
        clocks.begin_play(White, at(0));
        clocks.allow_request(White, MINUTE);
        clocks.white_sits_at(ClockSide::Left);
        assert_eq!(clocks.show_if_changed(at(1)), None);
        assert_eq!(clocks.set(White, MINUTE, at(1)), None);
        assert_eq!(clocks.answer_request(White, at(1)), None);
        assert_eq!(clocks.started_at(), Some(at(0)));
    }
}
