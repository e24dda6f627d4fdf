//! The clock of a recording, which has no other time.

use std::time::Duration;

use crate::clocks::ClockReading;
use annexd_laws::moment::Moment;

/// The longest time between a reading and the next but one.
const RUNS_ON_MAX: Duration = Duration::from_secs(5);

/// The last readings, the presses in this game, and when bytes were lost between them.
#[derive(Default)]
pub(super) struct Clock {
    last: Option<(Moment, ClockReading)>,
    /// The reading before that, and the one before it.
    before: Option<ClockReading>,
    older: Option<ClockReading>,
    presses: Vec<Moment>,
    /// When something was first lost on the line in this game.
    first_lost: Option<Moment>,
    /// The number of readings so far, up to the last press, and up to the last loss.
    readings: usize,
    last_press: usize,
    last_lost: usize,
}

impl Clock {
    /// The last reading.
    pub(super) fn reading(&self) -> Option<&ClockReading> {
        self.last.as_ref().map(|(_, reading)| reading)
    }

    /// When this reading was taken, by the time that has run since the last one.
    pub(super) fn moment_of(&self, reading: &ClockReading) -> Option<Moment> {
        let (then, before) = self.last.filter(|(_, before)| before.is_running)?;
        let side = before.to_move;
        let [was, is] = [&before, reading].map(|it| it.side(side).time);
        Some(then + was.saturating_sub(is))
    }

    /// Takes a reading. Returns whether the clock was pressed since the last one.
    pub(super) fn take(&mut self, now: Moment, reading: ClockReading) -> bool {
        let before = self.last.replace((now, reading)).map(|(_, before)| before);
        self.older = std::mem::replace(&mut self.before, before);
        self.readings += 1;
        before.is_some_and(|before| before.to_move != reading.to_move)
    }

    /// Notes that bytes were lost.
    pub(super) fn lost(&mut self, now: Moment) {
        self.first_lost.get_or_insert(now);
        self.last_lost = self.readings;
    }

    /// Whether the last reading undoes the press of the reading before it as if nothing had been,
    /// where bytes were lost.
    pub(super) fn seems_to_undo_a_press(&self) -> bool {
        let runs_on = || {
            let (older, (_, reading)) = (self.older?, self.last?);
            Some(runs_on(&older, &reading))
        };
        self.last_press + 1 == self.readings
            && self.last_lost + 2 >= self.readings
            && runs_on().unwrap_or(false)
    }

    /// Forgets the last press, which was none.
    pub(super) fn forget_press(&mut self) {
        self.presses.pop();
        self.last_press = 0;
    }

    /// Notes that the clock was pressed for a move in the last reading.
    pub(super) fn press(&mut self, now: Moment) {
        self.presses.push(now);
        self.last_press = self.readings;
    }

    /// Returns the presses of the game that ends, and when something was first lost in it.
    pub(super) fn end_game(&mut self) -> (Vec<Moment>, Option<Moment>) {
        (std::mem::take(&mut self.presses), self.first_lost.take())
    }
}

/// Whether the same side runs in two readings, and nobody has pressed in between.
fn runs_on(older: &ClockReading, reading: &ClockReading) -> bool {
    let side = reading.to_move;
    let [was, is] = [older, reading].map(|it| it.side(side).time);
    let [others, other] = [older, reading].map(|it| it.side(side.other()).time);
    older.to_move == side && others == other && was >= is && was - is <= RUNS_ON_MAX
}
