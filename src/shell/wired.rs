//! The electronic boards at the table, and the chessclocks that hang on them.

use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;
use shakmaty::Color;

use super::boards::{BoardPort, DeviceCommand, Kind, PortReport, PortSettings, Senses, driver};
use super::clocks::ClockSide;
use super::reporter::Reporter;
use super::settings::Settings;
use super::table::{Outlet, Report};
use super::timeline::Timeline;
use crate::game::{ClockKind, Device, Effect, Game, Input, Mode, Profile, Sensors};
use crate::moment::Moment;

/// How often a board that is not there is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// What the settings name: `dgt:/dev/ttyACM0`; a port alone is that of a DGT board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// Whose board it is.
    pub side: Color,
    /// Its protocol.
    pub kind: Kind,
    /// Where it is.
    pub port: String,
}

/// The boards that the settings name.
///
/// # Errors
///
/// What is wrong with a side, in one sentence.
pub fn wires(settings: &Settings) -> Result<Vec<Wire>, String> {
    let boards = settings.devices.board.iter();
    boards.map(|(side, place)| wire(side, place)).collect()
}

/// The board of a side, `white` or `black`, at a place such as `dgt:/dev/ttyACM0`.
///
/// # Errors
///
/// What is wrong with it, in one sentence.
pub fn wire(side: &str, place: &str) -> Result<Wire, String> {
    let side = match side {
        "white" => Color::White,
        "black" => Color::Black,
        other => {
            return Err(format!(
                "A board is that of white or black, not of {other}."
            ));
        }
    };
    let (kind, port) = match place.split_once(':') {
        Some((kind, port)) if is_word(kind) => (kind.parse()?, port),
        _ => (Kind::Dgt, place),
    };
    let port = port.to_owned();
    Ok(Wire { side, kind, port })
}

/// Whether this may be meant as a kind of board: it is no path, no address and no `COM3`.
fn is_word(text: &str) -> bool {
    text != "localhost" && !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase())
}

/// Lets the profile know what the boards can tell.
pub fn note_sensors(profile: &mut Profile, wires: &[Wire]) {
    for wire in wires {
        let sensors = match driver(wire.kind).capabilities().senses {
            Senses::Piece => Sensors::Pieces,
            Senses::Color | Senses::Occupancy => Sensors::Occupancy,
        };
        profile.sides[wire.side].board = sensors;
    }
}

/// The boards, each with its line.
pub struct Wired {
    lines: Vec<Sender<DeviceCommand>>,
    white_at: Option<ClockSide>,
}

impl Wired {
    /// Follows the boards. One that is not there is reported, and tried again.
    pub fn open(
        wires: Vec<Wire>,
        profile: &Profile,
        timeline: Timeline,
        reports: &Sender<Report>,
    ) -> Self {
        let allows_network = profile.mode != Mode::Rated;
        let lines = wires.into_iter().map(|wire| {
            let (sender, commands) = crossbeam_channel::bounded::<DeviceCommand>(64);
            let mut reporter = Reporter::new("board", reports.clone());
            thread::spawn(move || {
                let Some(port) = open(&wire, timeline, allows_network, &mut reporter) else {
                    return;
                };
                for command in commands {
                    port.command(command);
                }
            });
            sender
        });
        Self {
            lines: lines.collect(),
            white_at: None,
        }
    }
}

/// Opens a line, however long it takes; nothing if nobody takes reports any more.
fn open(
    wire: &Wire,
    timeline: Timeline,
    allows_network: bool,
    reporter: &mut Reporter,
) -> Option<BoardPort> {
    let mut is_told = false;
    loop {
        let settings = PortSettings {
            kind: Some(wire.kind),
            allows_network,
            ..PortSettings::new(wire.port.clone())
        };
        let side = wire.side;
        let mut told = reporter.clone();
        let report = move |_: Moment, report: PortReport| {
            if let Some(input) = report.input(side) {
                told.report(Report::Input(input));
            }
        };
        match BoardPort::open(settings, move || timeline.now(), report) {
            Ok(port) => return Some(port),
            Err(error) if !is_told => {
                is_told = true;
                let device = Device::Board(side);
                let lost = Input::Device {
                    device,
                    present: false,
                };
                if !(reporter.report(Report::Note(error.message))
                    && reporter.report(Report::Input(lost)))
                {
                    return None;
                }
            }
            Err(_) => {}
        }
        thread::sleep(RETRY);
    }
}

impl Outlet for Wired {
    /// A clock is set only where that was agreed: otherwise it is the evidence (6.10).
    fn carry_out(&mut self, _now: Moment, game: &Game, effect: &Effect) -> bool {
        if let Effect::Clock { running, left } = effect
            && game.profile().clock == ClockKind::Driven
        {
            let white_at = self.white_at.unwrap_or(ClockSide::Left);
            let side_of = |color: Color| match color {
                Color::White => white_at,
                Color::Black => white_at.other(),
            };
            let (left, right) = match white_at {
                ClockSide::Left => (left.white, left.black),
                ClockSide::Right => (left.black, left.white),
            };
            let command = DeviceCommand::SetClock {
                left,
                right,
                running: running.map(side_of),
            };
            for line in &self.lines {
                // A board that takes no orders any more is lost, and reports that itself.
                let _ = line.try_send(command.clone());
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_named_by_side_kind_and_port() {
        let settings = Settings::parse(
            "[devices.board]\nwhite = \"cpp:/dev/ttyUSB0\"\nblack = \"/dev/ttyACM0\"",
        )
        .unwrap();
        let wires = wires(&settings).unwrap();
        let of = |side| wires.iter().find(|wire| wire.side == side).unwrap();
        assert_eq!(of(Color::White).kind, Kind::Cpp);
        assert_eq!(of(Color::White).port, "/dev/ttyUSB0");
        assert_eq!(of(Color::Black).kind, Kind::Dgt);
        assert!(wire("red", "/dev/ttyUSB0").unwrap_err().contains("red"));
        assert!(
            wire("white", "dgd:/dev/ttyUSB0")
                .unwrap_err()
                .contains("dgd")
        );
        assert_eq!(wire("white", "COM3").unwrap().port, "COM3");
    }
}
