//! Detects in its readings what happens at a chessclock.

use std::time::Duration;

use super::{ClockReading, ClockSide};
use annexd_laws::moment::Moment;

/// A running clock that sends nothing for this long has lost its cable.
const SILENCE_MAX: Duration = Duration::from_secs(3);
/// How far a display may be from what it should show: readings come late.
const TOLERANCE: Duration = Duration::from_secs(2);
/// A clock that gains this much time at once has been misread.
const SPURIOUS: Duration = Duration::from_secs(3_600);
/// A running clock that shows the same for this long has stopped.
const FROZEN: Duration = Duration::from_secs(4);

/// Something that happened at the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// The player at this side pressed. The other side's time runs now.
    Pressed(ClockSide),
    /// A side's time was started without a press.
    Started(ClockSide),
    /// Both sides stand still.
    Stopped,
    /// The flag of a period is shown for this side. The clock goes on.
    FlagShown(ClockSide),
    /// The last flag of this side has fallen.
    FlagFallen(ClockSide),
    /// A side shows a time that neither running nor an increment explains. The arbiter may have set
    /// it; the reading is taken as it is.
    Jumped(ClockSide),
    /// The clock reports that it runs, but its times do not change.
    Frozen,
    /// The battery has to be changed.
    BatteryLow,
    /// A running clock sends nothing: its cable or the board's is out.
    Silent,
    /// The clock sends readings again.
    Returned,
}

/// Remembers the last reading and detects changes.
#[derive(Clone, Debug, Default)]
pub struct ClockWatch {
    last: Option<(Moment, ClockReading)>,
    /// When the running side's display last changed.
    moved: Moment,
    /// When the line to the clock was last opened.
    opened: Moment,
    is_silent: bool,
    is_frozen: bool,
    is_suspect: bool,
}

impl ClockWatch {
    /// The last reading, with its moment.
    pub const fn last(&self) -> Option<(Moment, ClockReading)> {
        self.last
    }

    /// Notes that the line is open, for the first time or again. The clock cannot have sent
    /// anything before.
    pub const fn opened(&mut self, now: Moment) {
        self.opened = now;
    }

    /// When to call [`Self::pass_time`].
    pub fn deadline(&self) -> Option<Moment> {
        let (then, reading) = self.last?;
        (reading.is_running && !self.is_silent).then(|| then.max(self.opened) + SILENCE_MAX)
    }

    /// Notes that time has passed without a reading.
    pub fn pass_time(&mut self, now: Moment) -> Option<ClockEvent> {
        if self.deadline()? > now {
            return None;
        }
        self.is_silent = true;
        Some(ClockEvent::Silent)
    }

    /// Notes that the board no longer finds a clock.
    pub fn no_clock(&mut self) -> Option<ClockEvent> {
        (!std::mem::replace(&mut self.is_silent, true)).then_some(ClockEvent::Silent)
    }

    /// Takes a reading. `None` if it cannot be true; it is then ignored once.
    pub fn read(&mut self, now: Moment, reading: ClockReading) -> Option<Vec<ClockEvent>> {
        let mut events = Vec::new();
        let Some((then, before)) = self.last else {
            self.is_silent = false;
            self.last = Some((now, reading));
            self.moved = now;
            if reading.is_battery_low {
                events.push(ClockEvent::BatteryLow);
            }
            return Some(events);
        };
        if is_spurious(&before, &reading) && !std::mem::replace(&mut self.is_suspect, true) {
            return None;
        }
        self.is_suspect = false;
        if std::mem::take(&mut self.is_silent) {
            events.push(ClockEvent::Returned);
        }
        self.last = Some((now, reading));
        notice_run(&before, &reading, &mut events);
        notice_jumps(now.since(then), &before, &reading, &mut events);
        notice_flags(&before, &reading, &mut events);
        self.notice_freeze(now, &before, &reading, &mut events);
        if reading.is_battery_low && !before.is_battery_low {
            events.push(ClockEvent::BatteryLow);
        }
        Some(events)
    }

    fn notice_freeze(
        &mut self,
        now: Moment,
        before: &ClockReading,
        reading: &ClockReading,
        events: &mut Vec<ClockEvent>,
    ) {
        let shows_same = before.left.time == reading.left.time
            && before.right.time == reading.right.time
            && before.to_move == reading.to_move;
        if !shows_same || !reading.is_running || !before.is_running {
            self.moved = now;
            self.is_frozen = false;
        } else if now.since(self.moved) >= FROZEN && !self.is_frozen {
            self.is_frozen = true;
            events.push(ClockEvent::Frozen);
        }
    }
}

const SIDES: [ClockSide; 2] = [ClockSide::Left, ClockSide::Right];

/// Whether times are spurious, as they appear right after a command: both at zero, or an hour more.
fn is_spurious(before: &ClockReading, reading: &ClockReading) -> bool {
    let are_zero = |clock: &ClockReading| SIDES.iter().all(|&side| clock.side(side).time.is_zero());
    let is_richer =
        |side: &ClockSide| reading.side(*side).time > before.side(*side).time + SPURIOUS;
    are_zero(reading) && !are_zero(before) || SIDES.iter().any(is_richer)
}

fn notice_run(before: &ClockReading, reading: &ClockReading, events: &mut Vec<ClockEvent>) {
    if reading.to_move != before.to_move {
        events.push(ClockEvent::Pressed(before.to_move));
    }
    if reading.is_running && !before.is_running {
        events.push(ClockEvent::Started(reading.to_move));
    }
    if !reading.is_running && before.is_running {
        events.push(ClockEvent::Stopped);
    }
}

fn notice_jumps(
    passed: Duration,
    before: &ClockReading,
    reading: &ClockReading,
    events: &mut Vec<ClockEvent>,
) {
    for side in SIDES {
        let (was, is) = (before.side(side).time, reading.side(side).time);
        let has_run = before.is_running && (before.to_move == side || reading.to_move == side);
        let may_fall = if has_run { passed } else { Duration::ZERO } + TOLERANCE;
        let is_pressed = reading.to_move != before.to_move;
        let has_new_period = reading.side(side).has_flag && !before.side(side).has_flag;
        // How much a press or a new period adds depends on the method, which only the clock knows.
        let may_rise = is_pressed && before.to_move == side || has_new_period;
        if was.saturating_sub(is) > may_fall || (is.saturating_sub(was) > TOLERANCE && !may_rise) {
            events.push(ClockEvent::Jumped(side));
        }
    }
}

fn notice_flags(before: &ClockReading, reading: &ClockReading, events: &mut Vec<ClockEvent>) {
    for side in SIDES {
        let (was, is) = (before.side(side), reading.side(side));
        if is.is_fallen && !was.is_fallen {
            events.push(ClockEvent::FlagFallen(side));
        }
        if is.has_flag && !was.has_flag {
            events.push(ClockEvent::FlagShown(side));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clocks::SideReading;

    fn reading(left: u64, right: u64, to_move: ClockSide) -> ClockReading {
        let side = |seconds| SideReading {
            time: Duration::from_secs(seconds),
            ..SideReading::default()
        };
        ClockReading {
            left: side(left),
            right: side(right),
            is_running: true,
            to_move,
            is_battery_low: false,
        }
    }

    fn at(seconds: u64) -> Moment {
        Moment::from_ms(seconds * 1000)
    }

    #[test]
    fn a_press_with_its_increment_is_a_press_and_no_jump() {
        let mut watch = ClockWatch::default();
        watch.read(at(0), reading(179, 182, ClockSide::Left));
        assert_eq!(
            watch.read(at(1), reading(209, 182, ClockSide::Right)),
            Some(vec![ClockEvent::Pressed(ClockSide::Left)])
        );
    }

    #[test]
    fn a_time_that_changes_by_itself_is_a_jump() {
        let mut watch = ClockWatch::default();
        watch.read(at(0), reading(179, 182, ClockSide::Left));
        assert_eq!(
            watch.read(at(1), reading(178, 172, ClockSide::Left)),
            Some(vec![ClockEvent::Jumped(ClockSide::Right)])
        );
    }

    #[test]
    fn an_hour_out_of_nowhere_is_ignored_once() {
        let mut watch = ClockWatch::default();
        watch.read(at(0), reading(179, 182, ClockSide::Left));
        let spurious = reading(7_000, 182, ClockSide::Left);
        assert_eq!(watch.read(at(1), spurious), None);
        assert_eq!(
            watch.read(at(2), spurious),
            Some(vec![ClockEvent::Jumped(ClockSide::Left)])
        );
    }

    #[test]
    fn a_cable_out_is_noticed_after_three_seconds_and_its_return_too() {
        let mut watch = ClockWatch::default();
        watch.read(at(0), reading(179, 182, ClockSide::Left));
        assert_eq!(watch.pass_time(at(2)), None);
        assert_eq!(watch.pass_time(at(3)), Some(ClockEvent::Silent));
        assert_eq!(watch.pass_time(at(9)), None, "said once");
        let events = watch.read(at(10), reading(169, 182, ClockSide::Left));
        assert_eq!(events, Some(vec![ClockEvent::Returned]));
    }

    #[test]
    fn a_line_that_was_away_for_a_moment_is_no_silence_of_the_clock() {
        let mut watch = ClockWatch::default();
        watch.read(at(0), reading(179, 182, ClockSide::Left));
        watch.opened(at(2));
        assert_eq!(watch.pass_time(at(4)), None);
        assert_eq!(watch.pass_time(at(5)), Some(ClockEvent::Silent));
    }

    #[test]
    fn a_return_is_told_also_when_the_first_reading_after_it_is_not_believed() {
        let mut watch = ClockWatch::default();
        watch.read(at(0), reading(179, 182, ClockSide::Left));
        watch.pass_time(at(3));
        assert_eq!(watch.read(at(9), reading(0, 0, ClockSide::Left)), None);
        let events = watch.read(at(10), reading(169, 182, ClockSide::Left));
        assert_eq!(events, Some(vec![ClockEvent::Returned]));
    }

    #[test]
    fn a_running_clock_that_stands_still_is_frozen() {
        let mut watch = ClockWatch::default();
        let mut seen = Vec::new();
        for second in 0..6 {
            seen.extend(
                watch
                    .read(at(second), reading(100, 100, ClockSide::Left))
                    .unwrap_or_default(),
            );
        }
        assert_eq!(seen, [ClockEvent::Frozen]);
    }

    #[test]
    fn flags_and_the_battery_are_told_once() {
        let mut watch = ClockWatch::default();
        watch.read(at(0), reading(1, 60, ClockSide::Left));
        let mut fallen = reading(0, 60, ClockSide::Left);
        fallen.left.is_fallen = true;
        fallen.is_running = false;
        fallen.is_battery_low = true;
        assert_eq!(
            watch.read(at(1), fallen),
            Some(vec![
                ClockEvent::Stopped,
                ClockEvent::FlagFallen(ClockSide::Left),
                ClockEvent::BatteryLow
            ])
        );
        assert_eq!(watch.read(at(2), fallen), Some(vec![]));
    }
}
