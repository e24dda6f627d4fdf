//! Turns what a device reports into what the game and people need to know.

use shakmaty::{Color, uci::UciMove};

use super::clocks::{ClockEvent, ClockReading, ClockSide, ClockWatch};
use super::device::DeviceEvent;
use annexd_game::board::{Event, Observation, Patience, Reconstructor};
use annexd_game::{ClockNotice, Device, Input, Means};
use annexd_laws::moment::Moment;
use annexd_laws::persons::Sides;

/// What a followed device reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// What happened on the board.
    Board(Event),
    /// A reading of the clock.
    Clock {
        /// Both displays.
        reading: ClockReading,
        /// At which side White sits, once known.
        white_at: Option<ClockSide>,
    },
    /// What happened at the clock.
    ClockEvent(ClockEvent),
    /// The same for the game, once it is known who sits where.
    ClockNotice(ClockNotice),
    /// White's time was started first, so this is White's side of the clock.
    WhiteSitsAt(ClockSide),
    /// The clock runs, and nobody has said at which side of it White sits.
    WhoSitsWhere,
    /// The clock was pressed.
    Pressed {
        /// The side of the clock.
        clock_side: ClockSide,
        /// The player, once it is known who sits there.
        by: Option<Color>,
    },
    /// A result was shown with a piece that stands for it.
    Result(&'static str),
    /// Anything else that the device reports about itself.
    Device(DeviceEvent),
}

impl Report {
    /// The input for the game, from the board of this side; `None` uses only the clock. Moves are
    /// no input: the game derives them from facts and announcements.
    pub fn input(&self, board: Option<Color>) -> Option<Input> {
        Some(match self {
            Self::Board(Event::Fact(fact)) => Input::Board {
                board: board?,
                fact: fact.clone(),
            },
            Self::Pressed { by, .. } => Input::Pressed {
                side: (*by)?,
                means: Means::Chessclock,
            },
            Self::Clock { reading, white_at } => {
                let white_at = (*white_at)?;
                let color_at = |side| Color::from_white(side == white_at);
                Input::ClockReads {
                    left: Sides {
                        white: reading.side(white_at).time,
                        black: reading.side(white_at.other()).time,
                    },
                    running: reading.is_running.then(|| color_at(reading.to_move)),
                }
            }
            Self::ClockEvent(event @ (ClockEvent::Silent | ClockEvent::Returned)) => {
                Input::Device {
                    device: Device::Clock,
                    present: *event == ClockEvent::Returned,
                }
            }
            Self::ClockNotice(notice) => Input::ClockTells(*notice),
            Self::WhiteSitsAt(side) => Input::WhiteSitsAt(*side),
            Self::Device(event @ (DeviceEvent::Silent | DeviceEvent::Back)) => Input::Device {
                device: board.map_or(Device::Clock, Device::Board),
                present: *event == DeviceEvent::Back,
            },
            Self::Board(_)
            | Self::ClockEvent(_)
            | Self::WhoSitsWhere
            | Self::Result(_)
            | Self::Device(_) => return None,
        })
    }
}

/// Follows one board and the clock connected to it. Pure: it is given the time.
#[derive(Clone, Debug)]
pub struct Follower {
    reconstructor: Reconstructor,
    clock: ClockWatch,
    white_side: Option<ClockSide>,
    /// Whether somebody was asked at which side White sits.
    has_asked: bool,
    /// The number of presses in a row by a player who had not moved.
    contradicted: u8,
    /// By how many presses White seems to sit on the left rather than on the right.
    left_is_white: i8,
}

/// How many presses show who sits where, if nobody has said it.
const PRESSES_TELL: i8 = 3;

/// After this many presses for the opponent's moves, the players sit the other way round.
const CONTRADICTED_MAX: u8 = 2;

impl Follower {
    /// Waits for the board to show a position.
    pub fn new(patience: Patience) -> Self {
        Self::of(Reconstructor::new(patience))
    }

    /// Follows with a reconstructor that may know something already.
    pub fn of(reconstructor: Reconstructor) -> Self {
        Self {
            reconstructor,
            clock: ClockWatch::default(),
            white_side: None,
            has_asked: false,
            contradicted: 0,
            left_is_white: 0,
        }
    }

    /// Follows the board with another reconstructor; the clock goes on.
    pub(super) fn follow_with(&mut self, reconstructor: Reconstructor) {
        self.reconstructor = reconstructor;
    }

    /// Sets the side of the clock at which White sits, if known.
    #[must_use]
    pub const fn with_white_at(mut self, side: Option<ClockSide>) -> Self {
        self.white_side = side;
        self
    }

    /// Notes at which side of the clock White sits, as somebody said.
    pub const fn seat_white_at(&mut self, side: ClockSide) {
        self.white_side = Some(side);
    }

    /// The reconstructor of the board.
    pub const fn reconstructor(&self) -> &Reconstructor {
        &self.reconstructor
    }

    /// The watch of the clock.
    pub const fn clock(&self) -> &ClockWatch {
        &self.clock
    }

    /// The player at a side of the clock.
    pub fn color_at(&self, side: ClockSide) -> Option<Color> {
        self.white_side
            .map(|white| Color::from_white(side == white))
    }

    /// Notes that data may come on the line until then.
    pub fn line_is_busy(&mut self, until: Moment) {
        self.reconstructor.line_is_busy(until);
    }

    /// Notes that the line is open, for the first time or again.
    pub const fn line_opened(&mut self, now: Moment) {
        self.clock.opened(now);
    }

    /// When to call [`Self::wake`].
    pub fn deadline(&self) -> Option<Moment> {
        let deadlines = [self.reconstructor.deadline(), self.clock.deadline()];
        deadlines.into_iter().flatten().min()
    }

    /// Lets time pass.
    pub fn wake(&mut self, now: Moment) -> Vec<Report> {
        let mut reports = self.observe(now, Observation::Time);
        reports.extend(self.clock.pass_time(now).map(Report::ClockEvent));
        reports
    }

    /// Takes an announced move.
    pub fn announced(&mut self, now: Moment, announced: UciMove) -> Vec<Report> {
        self.observe(now, Observation::Announced(announced))
    }

    /// Takes what a device reports.
    pub fn hear(&mut self, now: Moment, said: DeviceEvent) -> Vec<Report> {
        match said {
            DeviceEvent::Square(square, reading) => {
                self.observe(now, Observation::Square(square, reading))
            }
            DeviceEvent::Snapshot(readings) => self.observe(now, Observation::Snapshot(*readings)),
            DeviceEvent::Move(played) => self.announced(now, played),
            DeviceEvent::Lost => self.observe(now, Observation::Lost),
            DeviceEvent::Clock(reading) => self.read_clock(now, reading),
            DeviceEvent::NoClock => self
                .clock
                .no_clock()
                .map(Report::ClockEvent)
                .into_iter()
                .collect(),
            DeviceEvent::Result(result) => vec![Report::Result(result)],
            other => vec![Report::Device(other)],
        }
    }

    fn observe(&mut self, now: Moment, observation: Observation) -> Vec<Report> {
        let events = self.reconstructor.handle(now, observation);
        events.into_iter().map(Report::Board).collect()
    }

    fn notice(&self, event: ClockEvent) -> Option<ClockNotice> {
        Some(match event {
            ClockEvent::FlagShown(side) => ClockNotice::FlagShown(self.color_at(side)?),
            ClockEvent::FlagFallen(side) => ClockNotice::FlagFallen(self.color_at(side)?),
            ClockEvent::Jumped(side) => ClockNotice::Jumped(self.color_at(side)?),
            ClockEvent::Frozen => ClockNotice::Frozen,
            ClockEvent::BatteryLow => ClockNotice::BatteryLow,
            _ => return None,
        })
    }

    /// The player who pressed, if that is credible. A player on the wrong side of the clock presses
    /// for the opponent's moves; after some such presses the seating is no longer believed.
    fn believed(&mut self, by: Option<Color>) -> Option<Color> {
        if let Some(mover) = self.reconstructor.awaits_press_of()
            && let Some(by) = by
        {
            self.contradicted = if mover == by {
                0
            } else {
                self.contradicted.saturating_add(1)
            };
        }
        by.filter(|_| self.contradicted < CONTRADICTED_MAX)
    }

    /// The player who seems to have pressed, judged by who had moved at earlier presses. It only
    /// serves to tell for which move the press was.
    fn seems_by(&mut self, clock_side: ClockSide) -> Option<Color> {
        let is_left = clock_side == ClockSide::Left;
        let is_told = self.left_is_white.abs() >= PRESSES_TELL;
        let seems = is_told.then(|| Color::from_white(is_left == (self.left_is_white > 0)));
        if let Some(mover) = self.reconstructor.awaits_press_of() {
            let one = if mover.is_white() == is_left { 1 } else { -1 };
            let told = self.left_is_white + one;
            self.left_is_white = told.clamp(-2 * PRESSES_TELL, 2 * PRESSES_TELL);
        }
        seems
    }

    fn read_clock(&mut self, now: Moment, reading: ClockReading) -> Vec<Report> {
        let before = self.clock.last().map(|(_, reading)| reading);
        let Some(events) = self.clock.read(now, reading) else {
            return Vec::new();
        };
        let mut reports = Vec::new();
        for event in events {
            if let ClockEvent::Started(side) = event
                && self.white_side.is_none()
                && self.reconstructor.knows_turn()
                && self.reconstructor.moves().is_empty()
                && let Some(turn) = self.reconstructor.turn()
            {
                // The clock is started for the first move.
                let side = turn.fold_wb(side, side.other());
                self.white_side = Some(side);
                reports.push(Report::WhiteSitsAt(side));
            }
            reports.extend(self.notice(event).map(Report::ClockNotice));
            let ClockEvent::Pressed(clock_side) = event else {
                reports.push(Report::ClockEvent(event));
                continue;
            };
            let by = self.color_at(clock_side);
            reports.push(Report::Pressed { clock_side, by });
            if before.is_some_and(|before| before.is_running) {
                let seems = self.seems_by(clock_side);
                let by = self.believed(by.or(seems));
                reports.extend(self.observe(now, Observation::Lever(by)));
            }
        }
        if reading.is_running
            && self.white_side.is_none()
            && !std::mem::replace(&mut self.has_asked, true)
        {
            reports.push(Report::WhoSitsWhere);
        }
        if before != Some(reading) {
            let white_at = self.white_side;
            reports.push(Report::Clock { reading, white_at });
        }
        reports
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use annexd_game::board::{Gesture, Reading, Readings};
    use shakmaty::{Board, Piece, Square};

    /// What is reported when these squares get these pieces and time passes.
    fn told(follower: &mut Follower, from: u64, changes: &[(Square, char)]) -> Vec<Event> {
        let mut reports = Vec::new();
        for (at, &(square, piece)) in changes.iter().enumerate() {
            let now = Moment::from_ms(from + 100 * at as u64);
            let reading = Reading::from(Piece::from_char(piece));
            reports.extend(follower.hear(now, DeviceEvent::Square(square, reading)));
        }
        for second in 1..=10 {
            let now = Moment::from_ms(from) + Duration::from_secs(second);
            reports.extend(follower.wake(now));
        }
        let events = reports.into_iter().filter_map(|report| match report {
            Report::Board(event) => Some(event),
            _ => None,
        });
        events.collect()
    }

    #[test]
    fn kings_that_show_the_result_are_no_departure() {
        let mut follower = Follower::new(Patience::default());
        let start = Box::new(Readings::of(&Board::new()));
        follower.hear(Moment::START, DeviceEvent::Snapshot(start));
        let kings = [
            (Square::E1, ' '),
            (Square::E4, 'K'),
            (Square::E8, ' '),
            (Square::D5, 'k'),
        ];
        let events = told(&mut follower, 1_000, &kings);
        assert!(events.contains(&Event::Gesture(Gesture::WhiteWins)));
        let departs = |events: &[Event]| events.iter().any(|it| matches!(it, Event::Departs(_)));
        assert!(!departs(&events), "{events:?}");
        // Anything else wrong is reported.
        let events = told(&mut follower, 20_000, &[(Square::D5, ' ')]);
        assert!(departs(&events), "{events:?}");
    }
}
