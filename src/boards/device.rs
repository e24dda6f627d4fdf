//! The common interface of all electronic boards.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use shakmaty::{Bitboard, Square, uci::UciMove};

use super::clocks::ClockReading;
use annexd_game::board::{Reading, Readings};
use annexd_laws::moment::Moment;
use annexd_phrases::{Sentence, sentence};

/// Which protocol a board speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Kind {
    /// The serial protocol of DGT boards, with their clocks.
    Dgt,
    /// The Chess Peripheral Protocol, one message per line.
    Cpp,
    /// Millennium ChessLink.
    Chesslink,
    /// Frames of eight bytes, one bit per square, occupied or not: TabuTronic Tactum and Sentio.
    #[value(alias = "tactum", alias = "sentio")]
    Occupancy,
}

impl Kind {
    /// Every protocol in the order in which they are tried, the most talkative last.
    pub const ALL: [Self; 4] = [Self::Dgt, Self::Chesslink, Self::Cpp, Self::Occupancy];

    /// The name on the command line and in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dgt => "dgt",
            Self::Cpp => "cpp",
            Self::Chesslink => "chesslink",
            Self::Occupancy => "occupancy",
        }
    }

    /// Bits per second on the line. If boards of a kind differ, these are tried in order.
    pub const fn bauds(self) -> &'static [u32] {
        match self {
            Self::Dgt => &[9_600],
            Self::Chesslink => &[38_400],
            Self::Cpp => &[115_200],
            // Bought boards, and home-made ones.
            Self::Occupancy => &[38_400, 115_200],
        }
    }

    /// The most common rate in bits per second.
    #[allow(clippy::indexing_slicing, reason = "every kind has a speed")]
    pub const fn baud(self) -> u32 {
        self.bauds()[0]
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = Sentence;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if matches!(name, "tactum" | "sentio") {
            return Ok(Self::Occupancy);
        }
        let of_name = |kind: &Self| kind.name() == name;
        let kind = Self::ALL.into_iter().find(of_name);
        kind.ok_or_else(|| sentence!(NoKindOfBoard, name = name))
    }
}

/// How much a board's sensors distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Senses {
    /// Whether a square is occupied.
    Occupancy,
    /// The colour of the piece too.
    Color,
    /// Which piece it is.
    Piece,
}

/// What a board can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// How much its sensors distinguish.
    pub senses: Senses,
    /// Whether it has lights that annexd can set.
    pub has_lights: bool,
    /// Whether a chessclock is, or can be, connected to it.
    pub has_clock: bool,
    /// Whether it reports lifted pieces, and not only moves made.
    pub tells_touch: bool,
    /// Whether it reports its squares all the time, so that incoming bytes are no sign of a change.
    pub is_never_quiet: bool,
}

/// Something that a device reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceEvent {
    /// A square has changed, or is reported again.
    Square(Square, Reading),
    /// All squares at once.
    Snapshot(Box<Readings>),
    /// A move as the board itself understood it.
    Move(UciMove),
    /// What follows is the placement after moves were taken back or made again.
    TakenBack,
    /// A reading of the clock.
    Clock(ClockReading),
    /// The device no longer has a clock.
    NoClock,
    /// A command to the clock was done (`true`), refused or never answered (`false`).
    ClockAnswer(bool),
    /// A piece that means a result was put on the board.
    Result(&'static str),
    /// Its identity: a version, a serial number, a text.
    Identity(Sentence),
    /// The battery charge in percent.
    Battery(u8),
    /// Something is wrong with it, in a clear sentence.
    Trouble(Sentence),
    /// Something that it sent was lost on the line. It has been asked for all squares.
    Lost,
    /// It sends nothing any more, though its line is open.
    Silent,
    /// It sends again.
    Back,
}

/// Something a device is asked to do. It ignores what it cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceCommand {
    /// Report all squares.
    Refresh,
    /// Set the clock and let it run, switched by its own lever.
    SetClock {
        /// The left time.
        left: Duration,
        /// The right time.
        right: Duration,
        /// The side that runs; `None` if neither does.
        running: Option<super::clocks::ClockSide>,
    },
    /// Show a text on the clock, at most eight characters.
    ShowText(String),
    /// Show the time again.
    EndText,
    /// Sound the clock's buzzer.
    Beep,
    /// Report its identity: versions, serial number, charge.
    Identify,
    /// The position that should stand on the board now, as a FEN, for boards that ask for it.
    Expect(String),
    /// A move that was announced. Some boards have to be told the promotion piece.
    Announced(UciMove),
    /// Show the time left to White and to Black, on boards that can.
    ShowTimes(Duration, Duration),
    /// Show this move, which has to be executed on the board, and light its squares and no others.
    /// Without a move turn the lights off. Squares are the board's own.
    Light {
        /// The move, for boards that understand moves.
        played: Option<UciMove>,
        /// Its squares.
        squares: Bitboard,
    },
}

/// A board's protocol: a pure state machine between bytes and events. The owner of the line feeds
/// it bytes and time, then takes all writes and all events.
pub trait Board: Send {
    /// Which protocol it is.
    fn kind(&self) -> Kind;
    /// What it can do.
    fn capabilities(&self) -> Capabilities;
    /// The line is open, for the first time or again.
    fn opened(&mut self, now: Moment);
    /// Bytes have arrived, however they are split.
    fn received(&mut self, now: Moment, bytes: &[u8]);
    /// Time has passed.
    fn wake(&mut self, now: Moment);
    /// When to wake it.
    fn deadline(&self) -> Option<Moment>;
    /// Takes a command.
    fn command(&mut self, now: Moment, command: DeviceCommand);
    /// The next bytes to write, if it is time for them.
    fn next_write(&mut self, now: Moment) -> Option<Vec<u8>>;
    /// The next event to report.
    fn next_event(&mut self) -> Option<DeviceEvent>;
    /// Whether a message is still incomplete.
    fn is_mid_message(&self) -> bool {
        false
    }
    /// Whether it has received anything that only its own kind of board sends.
    fn is_recognised(&self) -> bool;
}

/// What waits to be written and reported.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox {
    pub(super) writes: VecDeque<Vec<u8>>,
    pub(super) events: VecDeque<DeviceEvent>,
}

impl Outbox {
    pub(super) fn write(&mut self, bytes: impl Into<Vec<u8>>) {
        self.writes.push_back(bytes.into());
    }

    pub(super) fn say(&mut self, event: DeviceEvent) {
        self.events.push_back(event);
    }
}
