//! The line to a board: a thread that owns it, and reopens it when it was lost.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use annexd_boards::clocks::ClockSide;
use annexd_boards::{Attended, Capabilities, DeviceCommand, Follower, Kind, Report, driver};
use crossbeam_channel::{Receiver, Sender, TryRecvError, bounded};
use shakmaty::{Chess, Color, uci::UciMove};

use super::find::{Found, find, search};
use crate::board::{Orientation, Patience, Reconstructor};
use crate::game::{Device, Input};
use crate::moment::Moment;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, Sentence, error, sentence};

/// How long one look at the line lasts. A press is reported within little more than this.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// The place that means any port.
const AUTO: &str = "auto";
/// How many orders may wait for a line.
const ORDERS: usize = 256;
/// How often a lost line is tried again.
const TRY_AGAIN: Duration = Duration::from_millis(250);
/// How long a program on this machine may take to answer.
const CONNECTED_MAX: Duration = Duration::from_millis(1_500);

/// Which board to follow, and what is known about it.
#[derive(Clone, Debug)]
pub struct PortSettings {
    /// The port: `/dev/ttyACM0`, `/dev/rfcomm0`, `tcp:127.0.0.1:4242`, or `auto`.
    pub port: String,
    /// Its protocol; `None`: to be found out.
    pub kind: Option<Kind>,
    /// Its orientation; `None`: found at the start position.
    pub orientation: Option<Orientation>,
    /// At which side of the clock White sits; `None`: found when the clock is started.
    pub white_at: Option<ClockSide>,
    /// The position on the board, if a game is continued.
    pub position: Option<Chess>,
    /// How long the board has to be quiet before conclusions are drawn.
    pub patience: Patience,
    /// Ports of other boards, which are not tried.
    pub others: Vec<String>,
    /// Whether TCP may be used: only on this machine, and only in club play.
    pub allows_network: bool,
}

impl PortSettings {
    /// A port of which nothing else is known.
    pub fn new(port: impl Into<String>) -> Self {
        Self {
            port: port.into(),
            kind: None,
            orientation: None,
            white_at: None,
            position: None,
            patience: Patience::default(),
            others: Vec::new(),
            allows_network: false,
        }
    }
}

/// What the thread of a board reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PortReport {
    /// The board answers and was recognised.
    Found {
        /// The port.
        port: String,
        /// Its protocol.
        kind: Kind,
        /// What it can do.
        capabilities: Capabilities,
    },
    /// The line is gone: the cable was pulled or the board switched off.
    Lost {
        /// Why.
        why: Sentence,
    },
    /// The line is back, and the board has been asked for everything.
    Returned,
    /// What happened on it.
    Report(Report),
}

impl PortReport {
    /// The input for the game, from the board of this side; `None` uses only the clock.
    pub fn input(&self, board: Option<Color>) -> Option<Input> {
        let present = match self {
            Self::Found { .. } | Self::Returned => true,
            Self::Lost { .. } => false,
            Self::Report(report) => return report.input(board),
        };
        Some(Input::Device {
            device: board.map_or(Device::Clock, Device::Board),
            present,
        })
    }
}

enum PortOrder {
    Command(DeviceCommand),
    Announced(UciMove),
    WhiteAt(ClockSide),
}

/// A board that is being followed. Dropping it closes the line.
pub struct BoardPort {
    orders: Option<Sender<PortOrder>>,
    thread: Option<JoinHandle<()>>,
    kind: Kind,
    port: String,
}

impl BoardPort {
    /// Opens the line and follows the board. `now` gives the game's time. Each report is passed to
    /// `report` with its moment.
    ///
    /// # Errors
    ///
    /// Says which port could not be opened, or that no board was found, and what to do.
    pub fn open(
        settings: PortSettings,
        now: impl Fn() -> Moment + Send + 'static,
        report: impl FnMut(Moment, PortReport) + Send + 'static,
    ) -> Result<Self> {
        let found = find(&settings)?;
        let line = open_line(&found, settings.allows_network)?;
        let (kind, port) = (found.kind, found.port.clone());
        let (orders, receiver) = bounded(ORDERS);
        let mut worker = Worker {
            found,
            attended: Attended::new(driver(kind), follower_of(&settings)),
            orders: receiver,
            now,
            report,
            is_found: false,
            allows_network: settings.allows_network,
            search: (settings.port == AUTO).then_some(PortSettings {
                kind: Some(kind),
                ..settings
            }),
        };
        let thread = std::thread::Builder::new()
            .name(format!("board {port}"))
            .spawn(move || worker.run(line))
            .map_err(|error| {
                error!(Missing, BoardNoThread, why = error).about(
                    Fault::new(Part::Board, Reason::Unusable, Remedy::ConfirmMoves)
                        .with(error.to_string()),
                )
            })?;
        Ok(Self {
            orders: Some(orders),
            thread: Some(thread),
            kind,
            port,
        })
    }

    /// Its protocol.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The port.
    pub fn port(&self) -> &str {
        &self.port
    }

    /// Gives the device a command.
    pub fn command(&self, command: DeviceCommand) {
        self.order(PortOrder::Command(command));
    }

    /// Tells the board that a move was announced, the second source for boards that do not
    /// recognise pieces.
    pub fn announced(&self, announced: UciMove) {
        self.order(PortOrder::Announced(announced));
    }

    /// Tells at which side of the clock White sits.
    pub fn seat_white_at(&self, side: ClockSide) {
        self.order(PortOrder::WhiteAt(side));
    }

    fn order(&self, order: PortOrder) {
        if let Some(orders) = &self.orders {
            // A line that takes no more orders is lost, and nobody waits for it.
            let _ = orders.try_send(order);
        }
    }
}

impl Drop for BoardPort {
    fn drop(&mut self) {
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn follower_of(settings: &PortSettings) -> Follower {
    let mut reconstructor = Reconstructor::new(settings.patience);
    if let Some(orientation) = settings.orientation {
        reconstructor = reconstructor.with_orientation(orientation);
    }
    if let Some(position) = &settings.position {
        reconstructor = reconstructor.from_position(position.clone(), Moment::START);
    }
    Follower::of(reconstructor).with_white_at(settings.white_at)
}

struct Worker<N, R> {
    found: Found,
    attended: Attended,
    orders: Receiver<PortOrder>,
    now: N,
    report: R,
    is_found: bool,
    allows_network: bool,
    /// Where else a lost board is searched for.
    search: Option<PortSettings>,
}

/// Why the thread stopped looking at a line.
enum End {
    Dropped,
    Lost(Sentence),
}

impl<N: Fn() -> Moment, R: FnMut(Moment, PortReport)> Worker<N, R> {
    fn run(&mut self, mut line: Box<dyn ByteLine>) {
        loop {
            self.attended.opened((self.now)());
            let why = match self.follow(&mut *line) {
                End::Dropped => return,
                End::Lost(why) => why,
            };
            drop(line);
            self.tell(PortReport::Lost { why });
            line = match self.wait_for_line() {
                Some(line) => line,
                None => return,
            };
            self.tell(PortReport::Returned);
        }
    }

    fn follow(&mut self, line: &mut dyn ByteLine) -> End {
        let mut bytes = [0; 512];
        loop {
            if !self.take_orders() {
                return End::Dropped;
            }
            let now = (self.now)();
            self.attended.wake(now);
            while let Some(write) = self.attended.board().next_write(now) {
                if let Err(error) = line.write_all(&write)
                    && error.kind() != io::ErrorKind::TimedOut
                {
                    return End::Lost(sentence!(AsItIs, text = error));
                }
            }
            match line.read(&mut bytes) {
                Ok(0) => return End::Lost(sentence!(LineHasEnded)),
                Ok(length) => {
                    let now = (self.now)();
                    self.attended.received(now, &bytes[..length]);
                }
                Err(error) if is_nothing_yet(&error) => {}
                Err(error) => return End::Lost(sentence!(AsItIs, text = error)),
            }
            self.report_all();
        }
    }

    fn report_all(&mut self) {
        let now = (self.now)();
        if !self.is_found && self.attended.board().is_recognised() {
            self.is_found = true;
            let board = self.attended.board();
            let (kind, capabilities) = (board.kind(), board.capabilities());
            self.tell(PortReport::Found {
                port: self.found.port.clone(),
                kind,
                capabilities,
            });
        }
        for report in self.attended.reports(now) {
            self.tell(PortReport::Report(report));
        }
    }

    /// Carries out waiting orders. Returns whether anybody still wants the board.
    fn take_orders(&mut self) -> bool {
        loop {
            let now = (self.now)();
            match self.orders.try_recv() {
                Ok(PortOrder::Command(command)) => {
                    let command = self.turned(command);
                    self.attended.board().command(now, command);
                }
                Ok(PortOrder::WhiteAt(side)) => self.attended.follower_mut().seat_white_at(side),
                Ok(PortOrder::Announced(announced)) => {
                    let reports = self.attended.announced(now, announced);
                    for report in reports {
                        self.tell(PortReport::Report(report));
                    }
                }
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    /// Turns the squares of a command to the board's own.
    fn turned(&self, command: DeviceCommand) -> DeviceCommand {
        let orientation = self.attended.follower().reconstructor().orientation();
        match command {
            DeviceCommand::Light { played, squares } => DeviceCommand::Light {
                played,
                squares: squares
                    .into_iter()
                    .map(|square| orientation.unwrap_or_default().square(square))
                    .collect(),
            },
            other => other,
        }
    }

    fn wait_for_line(&mut self) -> Option<Box<dyn ByteLine>> {
        loop {
            if !self.take_orders() {
                return None;
            }
            for report in self.attended.cut_off((self.now)()) {
                self.tell(PortReport::Report(report));
            }
            if let Ok(line) = open_line(&self.found, self.allows_network) {
                return Some(line);
            }
            // A system may name a port differently when the board is connected again.
            if let Some(search) = &self.search
                && let Ok(found) = find(search)
                && let Ok(line) = open_line(&found, self.allows_network)
            {
                self.found = found;
                return Some(line);
            }
            std::thread::sleep(TRY_AGAIN);
        }
    }

    fn tell(&mut self, report: PortReport) {
        (self.report)((self.now)(), report);
    }
}

pub(super) fn is_nothing_yet(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), TimedOut | WouldBlock | Interrupted)
}

/// A two-way line of bytes, whose reads end soon.
pub(super) trait ByteLine: Read + Write + Send {}

impl<T: Read + Write + Send + ?Sized> ByteLine for T {}

fn open_line(found: &Found, allows_network: bool) -> Result<Box<dyn ByteLine>> {
    let port = &found.port;
    match port.strip_prefix("tcp:") {
        Some(address) => open_socket(port, address, found.kind, allows_network),
        None => open_serial(port, found.baud),
    }
}

/// Waits until a board answers at a port, named or not, and closes it again.
///
/// # Errors
///
/// Says which port could not be opened, or that no board answers, and what to do.
pub fn recognised(settings: &PortSettings) -> Result<(String, Kind)> {
    if settings.port.starts_with("tcp:") {
        let found = find(settings)?;
        return open_line(&found, settings.allows_network).map(|_| (found.port, found.kind));
    }
    let found = search(settings)?;
    Ok((found.port, found.kind))
}

fn open_socket(
    port: &str,
    address: &str,
    kind: Kind,
    is_allowed: bool,
) -> Result<Box<dyn ByteLine>> {
    let refused = |error: Error, reason: Reason| {
        error.about(Fault::new(Part::Network, reason, Remedy::CorrectSettings).with(port))
    };
    if kind != Kind::Cpp {
        return Err(refused(
            error!(Usage, PortOnlyCpp, port = port),
            Reason::Wrong,
        ));
    }
    if !is_allowed {
        let error = error!(Usage, PortOnlyClub, port = port);
        return Err(refused(error, Reason::Forbidden));
    }
    let address: SocketAddr = address
        .parse()
        .map_err(|_| refused(error!(Usage, PortNoAddress, port = port), Reason::Wrong))?;
    if !address.ip().is_loopback() {
        let error = error!(Usage, PortNotLocal, port = port);
        return Err(refused(error, Reason::Forbidden));
    }
    let lost = |error: io::Error| {
        error!(DeviceLost, BoardSilentAt, port = port, why = error).about(
            Fault::new(Part::Board, Reason::Silent, Remedy::ConfirmMoves)
                .with(format!("{port}: {error}")),
        )
    };
    let stream = TcpStream::connect_timeout(&address, CONNECTED_MAX).map_err(lost)?;
    stream.set_read_timeout(Some(POLL_INTERVAL)).map_err(lost)?;
    stream.set_nodelay(true).map_err(lost)?;
    Ok(Box::new(stream))
}

#[cfg(not(feature = "serial"))]
fn open_serial(port: &str, _: u32) -> Result<Box<dyn ByteLine>> {
    Err(error!(Missing, BuiltWithoutSerial, port = port)
        .about(Fault::new(Part::Board, Reason::NotBuilt, Remedy::ConfirmMoves).with(port)))
}

#[cfg(feature = "serial")]
fn open_serial(port: &str, baud: u32) -> Result<Box<dyn ByteLine>> {
    Ok(Box::new(open_serial_port(port, baud)?))
}

#[cfg(feature = "serial")]
pub(super) fn open_serial_port(port: &str, baud: u32) -> Result<Box<dyn serialport::SerialPort>> {
    serialport::new(port, baud)
        .timeout(POLL_INTERVAL)
        .open()
        .map_err(|error| serial_error(port, &error))
}

#[cfg(feature = "serial")]
fn serial_error(port: &str, error: &serialport::Error) -> Error {
    use serialport::ErrorKind as Serial;
    let why = error.to_string();
    let (error, reason, cure) = match error.kind() {
        Serial::NoDevice => (
            error!(DeviceBusy, PortBusy, port = port, why = why),
            Reason::Busy,
            Remedy::CloseOther,
        ),
        Serial::Io(io::ErrorKind::PermissionDenied) => (
            error!(DeviceLost, PortNoAccess, port = port, why = why),
            Reason::NoAccess,
            Remedy::GiveAccess,
        ),
        _ => (
            error!(DeviceLost, PortAbsent, port = port, why = why),
            Reason::Absent,
            Remedy::ConfirmMoves,
        ),
    };
    error.about(Fault::new(Part::Board, reason, cure).with(format!("{port}: {why}")))
}
