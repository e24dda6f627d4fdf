//! What every electronic board is to the rest of the program.

use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use shakmaty::{Bitboard, Square, uci::UciMove};

use super::clocks::ClockReading;
use crate::board::{Reading, Readings};
use crate::moment::Moment;

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
    /// Every protocol, the most talkative last, in the order in which they are tried.
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

    /// Bits per second on the line; where boards of a kind differ, what is tried in this order.
    pub const fn bauds(self) -> &'static [u32] {
        match self {
            Self::Dgt => &[9_600],
            Self::Chesslink => &[38_400],
            Self::Cpp => &[115_200],
            // What is bought, and what people solder.
            Self::Occupancy => &[38_400, 115_200],
        }
    }

    /// Bits per second on most lines.
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
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if matches!(name, "tactum" | "sentio") {
            return Ok(Self::Occupancy);
        }
        let of_name = |kind: &Self| kind.name() == name;
        Self::ALL.into_iter().find(of_name).ok_or_else(|| {
            format!("{name} is no kind of board: say dgt, cpp, chesslink, occupancy or tactum")
        })
    }
}

/// How much a board can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Senses {
    /// Whether something stands on a square.
    Occupancy,
    /// Its colour too.
    Color,
    /// Which piece it is.
    Piece,
}

/// What a board can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// How much it can tell apart.
    pub senses: Senses,
    /// It has lights that annexd can set.
    pub has_lights: bool,
    /// A chessclock is, or can be, connected to it.
    pub has_clock: bool,
    /// It tells when a piece is lifted, not only which move was made.
    pub tells_touch: bool,
    /// It says all the time what stands on it. That bytes come is then no sign of a change.
    pub is_never_quiet: bool,
}

/// Something a device says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceEvent {
    /// A square has changed, or says again what it reads.
    Square(Square, Reading),
    /// All squares at once.
    Snapshot(Box<Readings>),
    /// A move as the board itself understood it.
    Move(UciMove),
    /// What it says next is what stands there after moves were taken back or made again.
    TakenBack,
    /// What the clock shows.
    Clock(ClockReading),
    /// The device has no clock any more.
    NoClock,
    /// A command to the clock was done (`true`), refused or never answered (`false`).
    ClockAnswer(bool),
    /// A piece that means a result was put on the board.
    Result(&'static str),
    /// Who it is: a version, a serial number, a text.
    Identity(String),
    /// Charge in percent.
    Battery(u8),
    /// Something is wrong with it, in a clear sentence.
    Trouble(String),
    /// Something it said was lost on the line. It has been asked for all squares.
    Lost,
    /// Nothing comes from it any more, though its line is open.
    Silent,
    /// It speaks again.
    Back,
}

/// Something a device is asked for. What it cannot do it passes over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceCommand {
    /// Say all squares.
    Refresh,
    /// Set the clock and let it run, pressed by its own lever: left, right, and whether it runs.
    SetClock {
        /// The left time.
        left: Duration,
        /// The right time.
        right: Duration,
        /// The side that runs, if one does.
        running: Option<super::clocks::ClockSide>,
    },
    /// Show a text on the clock, eight letters at most.
    ShowText(String),
    /// Show the time again.
    EndText,
    /// Sound the clock's buzzer.
    Beep,
    /// Say who it is: versions, serial number, charge.
    Identify,
    /// The position that should stand on the board now as a FEN, for boards that ask.
    Expect(String),
    /// A move that somebody has announced: some boards have to be told what a pawn becomes.
    Announced(UciMove),
    /// Show what is left to White and to Black, for boards that show times.
    ShowTimes(Duration, Duration),
    /// Show this move, which is to be executed on the board, and light its squares and no
    /// others; without a move put the lights out. Squares are the board's own.
    Light {
        /// The move, where boards understand moves.
        played: Option<UciMove>,
        /// Its squares.
        squares: Bitboard,
    },
}

/// A board's protocol: a state machine between bytes and events that touches nothing. Whoever
/// owns the line feeds it the bytes and the time, then takes all writes and all events.
pub trait Board: Send {
    /// Which protocol it is.
    fn kind(&self) -> Kind;
    /// What it can do.
    fn capabilities(&self) -> Capabilities;
    /// The line is open, for the first time or again.
    fn opened(&mut self, now: Moment);
    /// Bytes have arrived, however they are chopped.
    fn received(&mut self, now: Moment, bytes: &[u8]);
    /// Time has passed.
    fn wake(&mut self, now: Moment);
    /// When to wake it.
    fn deadline(&self) -> Option<Moment>;
    /// Asks for something.
    fn command(&mut self, now: Moment, command: DeviceCommand);
    /// The next bytes to write, if it is time for them.
    fn next_write(&mut self, now: Moment) -> Option<Vec<u8>>;
    /// The next thing it has to say.
    fn next_event(&mut self) -> Option<DeviceEvent>;
    /// Whether the last message is still coming.
    fn is_mid_message(&self) -> bool {
        false
    }
    /// Whether it has heard anything that only its own kind of board says.
    fn is_recognised(&self) -> bool;
}

/// The twin of a board where there is none: it says nothing and takes every command.
#[derive(Clone, Debug, Default)]
pub struct NoBoard;

impl Board for NoBoard {
    fn kind(&self) -> Kind {
        Kind::Cpp
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: Senses::Occupancy,
            has_lights: false,
            has_clock: false,
            tells_touch: false,
            is_never_quiet: false,
        }
    }

    fn opened(&mut self, _: Moment) {}
    fn received(&mut self, _: Moment, _: &[u8]) {}
    fn wake(&mut self, _: Moment) {}
    fn deadline(&self) -> Option<Moment> {
        None
    }
    fn command(&mut self, _: Moment, _: DeviceCommand) {}
    fn next_write(&mut self, _: Moment) -> Option<Vec<u8>> {
        None
    }
    fn next_event(&mut self) -> Option<DeviceEvent> {
        None
    }
    fn is_recognised(&self) -> bool {
        false
    }
}

/// What waits to be written and said.
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
