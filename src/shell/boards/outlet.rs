//! The electronic boards at the table, and the chessclocks connected to them.

use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use annexd_boards::clocks::ClockSide;
use annexd_boards::wire::{Wire, wire, wire_at};
use crossbeam_channel::Sender;
use shakmaty::{Bitboard, Chess, Color, uci::UciMove};

use crate::board::Event;
use crate::game::{ClockKind, Device, Effect, Game, Input, Mode, Profile, Sensors};
use crate::moment::Moment;
use crate::persons::Sides;
use crate::shell::boards::{
    self, BoardPort, DeviceCommand, DeviceEvent, Kind, PortReport, PortSettings, Remarks, Senses,
    driver,
};
use crate::shell::config::settings::Settings;
use crate::shell::error::{Fault, Part, Reason, Remedy, Sentence};
use crate::shell::table::inbox::{Reporter, Reports};
use crate::shell::table::timeline::Timeline;
use crate::shell::table::watchdog::{Turns, Watchdog};
use crate::shell::table::{Outlet, Report};

/// How often a missing board is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// The boards and the chessclock that the settings name.
///
/// # Errors
///
/// What is wrong with a side, in one sentence.
pub fn wires(settings: &Settings) -> Result<Vec<Wire>, Sentence> {
    let mut wires = Vec::new();
    let devices = &settings.devices;
    for (side, place) in devices.board.iter().filter(|(_, place)| *place != "none") {
        let lies = devices.orientation.get(side).copied().unwrap_or_default();
        wires.push(Wire {
            orientation: lies.orientation(),
            ..wire(side, place)?
        });
    }
    if let Some(place) = settings.devices.clock.as_deref().filter(|it| *it != "none") {
        let clock = wire_at(None, place)?;
        let clock = Wire {
            // No other kind of board has a clock.
            kind: clock.kind.or(Some(Kind::Dgt)),
            ..clock
        };
        if wires.iter().all(|board| board.port != clock.port) {
            wires.push(clock);
        }
    }
    Ok(wires)
}

/// The place of a board that is searched for at all ports.
const AUTO: &str = "auto";

/// Finds out the kind of board of each side that the settings leave open, and enters it into the
/// settings. If two boards are searched for, each is bound to its own port from then on. What is
/// not found stays open: it is searched for as long as the game lasts.
pub fn find_kinds(settings: &mut Settings) {
    let several = searches_several(settings);
    let allows_network = settings.game.mode != Mode::Rated;
    let mut others = Vec::new();
    for (side, place) in &mut settings.devices.board {
        let Some(wire) = unknown(side, place, several) else {
            continue;
        };
        let is_searched = wire.port == AUTO;
        let port = PortSettings {
            kind: wire.kind,
            allows_network,
            others: others.clone(),
            ..PortSettings::new(wire.port)
        };
        if let Ok((port, kind)) = boards::recognised(&port) {
            *place = if is_searched && !several {
                format!("{kind}:{AUTO}")
            } else {
                format!("{kind}:{port}")
            };
            others.push(port);
        }
    }
}

/// Whether [`find_kinds`] has anything to find out. That takes up to ten seconds.
pub fn has_to_find(settings: &Settings) -> bool {
    let several = searches_several(settings);
    let mut places = settings.devices.board.iter();
    places.any(|(side, place)| unknown(side, place, several).is_some())
}

/// Whether more than one board is searched for.
fn searches_several(settings: &Settings) -> bool {
    let searches = |place: &&String| place.ends_with(AUTO);
    settings.devices.board.values().filter(searches).count() > 1
}

/// The board of a side if its kind is unknown or, if several are searched for, its port.
fn unknown(side: &str, place: &str, several: bool) -> Option<Wire> {
    let wire = wire(side, place).ok().filter(|_| place != "none")?;
    (wire.kind.is_none() || (several && wire.port == AUTO)).then_some(wire)
}

/// Enters into the profile what the boards can sense.
pub fn note_sensors(profile: &mut Profile, wires: &[Wire]) {
    for wire in wires {
        let Some(side) = wire.side else { continue };
        let senses = wire.kind.map(|kind| driver(kind).capabilities().senses);
        let sensors = match senses {
            Some(Senses::Piece) => Sensors::Pieces,
            // Nothing more is known of a board that has not answered yet.
            Some(Senses::Color | Senses::Occupancy) | None => Sensors::Occupancy,
        };
        profile.sides[side].board = sensors;
    }
}

/// The boards, each with its line.
pub struct BoardOutlet {
    lines: Vec<WiredBoard>,
    announced: Option<UciMove>,
    expected: Option<String>,
    white_at: Option<ClockSide>,
}

struct WiredBoard {
    side: Option<Color>,
    orders: Sender<BoardOrder>,
    /// What a board found later has to be followed from.
    standing: Arc<Mutex<Reached>>,
}

#[derive(Clone, Debug, Default)]
struct Reached {
    /// The position reached, once a move was made.
    position: Option<Chess>,
    white_at: Option<ClockSide>,
}

#[derive(Clone, Debug)]
enum BoardOrder {
    Command(DeviceCommand),
    Announced(UciMove),
    WhiteAt(ClockSide),
}

/// What is needed to open a line.
struct Opening {
    wire: Wire,
    timeline: Timeline,
    allows_network: bool,
    standing: Arc<Mutex<Reached>>,
    turns: Turns,
    reporter: Reporter,
}

const fn part_of(device: Device) -> Part {
    match device {
        Device::Clock => Part::Clock,
        _ => Part::Board,
    }
}

/// The device that is lost with a line.
fn device_of(side: Option<Color>) -> Device {
    side.map_or(Device::Clock, Device::Board)
}

impl BoardOutlet {
    /// Follows the boards. A missing one is reported, and tried again.
    pub fn open(
        wires: Vec<Wire>,
        game: &Game,
        timeline: Timeline,
        watchdog: &mut Watchdog,
        reports: &Reports,
    ) -> Self {
        let allows_network = game.profile().mode != Mode::Rated;
        let lines = wires.into_iter().map(|wire| {
            let (orders, receiver) = crossbeam_channel::bounded::<BoardOrder>(64);
            let standing = Arc::new(Mutex::new(standing(game)));
            let side = wire.side;
            let mut opening = Opening {
                wire,
                timeline,
                allows_network,
                standing: Arc::clone(&standing),
                turns: watchdog.turns_of(device_of(side)),
                reporter: reports.reporter("board"),
            };
            thread::spawn(move || {
                let Some(port) = opening.open() else {
                    return;
                };
                for order in receiver {
                    match order {
                        BoardOrder::Command(command) => port.command(command),
                        BoardOrder::Announced(announced) => port.announced(announced),
                        BoardOrder::WhiteAt(side) => port.seat_white_at(side),
                    }
                }
            });
            WiredBoard {
                side,
                orders,
                standing,
            }
        });
        Self {
            lines: lines.collect(),
            announced: None,
            expected: None,
            white_at: game.white_at_clock(),
        }
    }

    /// Gives an order to all boards, or to that of a side.
    fn order(&self, side: Option<Color>, order: &BoardOrder) {
        for line in &self.lines {
            if side.is_none() || line.side == side {
                // A board that takes no more orders is lost, and reports that itself.
                let _ = line.orders.try_send(order.clone());
            }
        }
    }

    /// Tells the boards what has changed in the game.
    fn keep_up(&mut self, game: &Game) {
        let announced = game.announced_move();
        if announced != self.announced {
            self.announced = announced;
            if let Some(announced) = announced {
                self.order(None, &BoardOrder::Announced(announced));
            }
        }
        let expected = format!("{} {} - - 0 1", game.position(), game.turn().char());
        if self.expected.as_ref() != Some(&expected) {
            let command = DeviceCommand::Expect(expected.clone());
            self.expected = Some(expected);
            self.order(None, &BoardOrder::Command(command));
        }
        if let Some(side) = game.white_at_clock()
            && self.white_at != Some(side)
        {
            self.white_at = Some(side);
            self.order(None, &BoardOrder::WhiteAt(side));
        }
        for line in &self.lines {
            if let Ok(mut known) = line.standing.lock() {
                *known = standing(game);
            }
        }
    }

    /// Shows the program's own clock on boards that show times. A chessclock is set only if that
    /// was agreed: otherwise it is the evidence (6.10).
    fn show_times(&self, game: &Game, running: Option<Color>, left: Sides<Duration>) {
        let times = DeviceCommand::ShowTimes(left.white, left.black);
        self.order(None, &BoardOrder::Command(times));
        if game.profile().clock != ClockKind::Driven {
            return;
        }
        let white_at = self.white_at.unwrap_or(ClockSide::Left);
        let side_of = |color: Color| match color {
            Color::White => white_at,
            Color::Black => white_at.other(),
        };
        let [white, black] = [left.white, left.black].map(begun_second);
        let (left, right) = match white_at {
            ClockSide::Left => (white, black),
            ClockSide::Right => (black, white),
        };
        let command = DeviceCommand::SetClock {
            left,
            right,
            running: running.map(side_of),
        };
        self.order(None, &BoardOrder::Command(command));
    }
}

fn standing(game: &Game) -> Reached {
    Reached {
        position: game.chess().filter(|_| game.plies() > 0).cloned(),
        white_at: game.white_at_clock(),
    }
}

/// A time rounded up to whole seconds, as a clock is set. Nobody loses time by it.
fn begun_second(time: Duration) -> Duration {
    Duration::from_secs(time.as_millis().div_ceil(1000) as u64)
}

impl Opening {
    /// Opens a line, however long it takes. `None` if nobody takes reports any more.
    fn open(&mut self) -> Option<BoardPort> {
        let mut is_told = false;
        loop {
            self.turns.turn();
            let (timeline, turns) = (self.timeline, self.turns.clone());
            // The line's thread asks for the time in each of its turns.
            let now = move || {
                turns.turn();
                timeline.now()
            };
            match BoardPort::open(self.settings(), now, self.listener()) {
                Ok(port) => return Some(port),
                Err(error) if !is_told => {
                    is_told = true;
                    let device = device_of(self.wire.side);
                    let lost = Input::Failed {
                        device: Some(device),
                        person: None,
                        fault: error.fault(part_of(device)),
                    };
                    if !self.reporter.report(Report::Input(lost)) {
                        return None;
                    }
                }
                Err(_) => {}
            }
            thread::sleep(RETRY);
        }
    }

    fn settings(&self) -> PortSettings {
        let standing = self
            .standing
            .lock()
            .map_or_else(|_| Reached::default(), |standing| standing.clone());
        PortSettings {
            kind: self.wire.kind,
            orientation: self.wire.orientation,
            allows_network: self.allows_network,
            position: standing.position,
            white_at: standing.white_at,
            ..PortSettings::new(self.wire.port.clone())
        }
    }

    fn listener(&self) -> impl FnMut(Moment, PortReport) + Send + 'static {
        let told = self.reporter.clone();
        let side = self.wire.side;
        let mut remarks = Remarks::default();
        move |now, report| {
            note_in_diary(side, &report);
            let input = match &report {
                PortReport::Report(boards::Report::WhoSitsWhere) => Some(remark(WHO_SITS_WHERE)),
                PortReport::Report(boards::Report::Device(DeviceEvent::Trouble(_))) => {
                    Some(remark(CLOCK_NOT_SET))
                }
                PortReport::Report(boards::Report::Device(DeviceEvent::ClockAnswer(true))) => {
                    // The clock is set after each move. The next failure is reported again.
                    remarks.forget(&remark(CLOCK_NOT_SET));
                    None
                }
                PortReport::Report(boards::Report::Board(Event::Turned(_))) => {
                    Some(remark(BOARD_TURNED))
                }
                _ => report.input(side),
            };
            if let Some(input) = input.and_then(|input| remarks.pass(now, input)) {
                told.report(Report::Input(input));
            }
        }
    }
}

/// Notes in the diary what a board is when it is found, and why it was lost. That it came and went
/// is noted as the game takes it.
fn note_in_diary(side: Option<Color>, report: &PortReport) {
    match report {
        PortReport::Found {
            kind, capabilities, ..
        } => tracing::info!(?side, ?kind, ?capabilities, "a board is found"),
        PortReport::Lost { why } => tracing::warn!(?side, reason = %why, "a board is lost"),
        PortReport::Returned | PortReport::Report(_) => {}
    }
}

/// A report about a device that changes nothing in the game.
const fn remark(fault: Fault) -> Input {
    Input::Failed {
        device: None,
        person: None,
        fault,
    }
}

const CLOCK_NOT_SET: Fault = Fault::new(Part::Clock, Reason::Silent, Remedy::LetComputerSet);
const BOARD_TURNED: Fault = Fault::new(Part::Board, Reason::Turned, Remedy::LookWhichWay);
const WHO_SITS_WHERE: Fault = Fault::new(Part::Seat, Reason::Missing, Remedy::SayWhereWhiteSits);

impl Outlet for BoardOutlet {
    fn carry_out(&mut self, _now: Moment, game: &Game, effect: &Effect) -> bool {
        self.keep_up(game);
        match effect {
            Effect::Clock { running, left } => self.show_times(game, *running, *left),
            Effect::Light { board, squares } => {
                let squares: Bitboard = squares.iter().copied().collect();
                let light = DeviceCommand::Light {
                    played: self.announced.filter(|_| !squares.is_empty()),
                    squares,
                };
                self.order(Some(*board), &BoardOrder::Command(light));
            }
            _ => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Orientation;

    #[test]
    fn a_board_is_named_by_side_kind_and_port() {
        let settings = Settings::parse(
            "[devices]\nclock = \"/dev/ttyACM0\"\n[devices.board]\nwhite = \"cpp:/dev/ttyUSB0\"\n\
             black = \"/dev/ttyACM0\"",
        )
        .unwrap();
        let wires = wires(&settings).unwrap();
        let of = |side| wires.iter().find(|wire| wire.side == Some(side)).unwrap();
        assert_eq!(of(Color::White).kind, Some(Kind::Cpp));
        assert_eq!(of(Color::White).port, "/dev/ttyUSB0");
        assert_eq!(of(Color::Black).kind, None, "it is found out");
        assert_eq!(wires.len(), 2, "the clock hangs on Black's board");
        let apart = Settings::parse("[devices]\nclock = \"/dev/ttyUSB7\"").unwrap();
        let apart = &super::wires(&apart).unwrap()[0];
        assert_eq!((apart.side, apart.kind), (None, Some(Kind::Dgt)));
        assert!(
            wire("red", "/dev/ttyUSB0")
                .unwrap_err()
                .to_string()
                .contains("red")
        );
        assert!(
            wire("white", "dgd:/dev/ttyUSB0")
                .unwrap_err()
                .to_string()
                .contains("dgd")
        );
        assert_eq!(wire("white", "COM3").unwrap().port, "COM3");
        assert_eq!(wire("white", "auto").unwrap().kind, None);
        let tactum = wire("white", "tactum:auto").unwrap();
        assert_eq!(
            (tactum.kind, tactum.port.as_str()),
            (Some(Kind::Occupancy), "auto")
        );
    }

    #[test]
    fn what_is_known_of_a_board_is_not_looked_for() {
        let is_sought = |white: &str, black: &str| {
            let lines = format!("[devices.board]\nwhite = \"{white}\"\nblack = \"{black}\"");
            has_to_find(&Settings::parse(&lines).unwrap())
        };
        assert!(!is_sought("dgt:/dev/ttyACM0", "none"));
        assert!(!is_sought("dgt:auto", "tcp:127.0.0.1:4242"));
        assert!(is_sought("dgt:auto", "dgt:auto"), "at which port each");
        assert!(is_sought("auto", "none"));
        assert!(is_sought("none", "/dev/ttyACM0"), "what kind");
    }

    #[test]
    fn how_a_board_lies_may_be_said() {
        let settings = Settings::parse(
            "[devices.board]\nwhite = \"tactum:/dev/ttyUSB0\"\nblack = \"auto\"\n\
             [devices.orientation]\nwhite = \"rotated\"",
        )
        .unwrap();
        let wires = wires(&settings).unwrap();
        let of = |side| wires.iter().find(|wire| wire.side == Some(side)).unwrap();
        assert_eq!(of(Color::White).orientation, Some(Orientation::Rotated));
        assert_eq!(of(Color::Black).orientation, None, "it is found out");
    }
}
