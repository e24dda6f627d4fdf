//! Simulated boards: people's hands, sensors, clock and line, down to the byte.
//!
//! Everything that real boards and their users were seen to do can be reproduced here by name and
//! seed, so that every part from the line to the move can be tested without hardware.

#![warn(clippy::expect_used, clippy::panic, clippy::unimplemented)]

mod devices;
mod game_file;
mod hands;
#[cfg(all(feature = "serial", unix))]
#[expect(
    clippy::disallowed_methods,
    reason = "it plays in real time at a port that other programs open"
)]
mod pty;
mod rng;

use std::collections::VecDeque;
use std::time::Duration;

pub use devices::{SimulatedBoard, simulated};
pub use game_file::{PlayedGame, read_games};
pub use hands::{Action, Behaviour, Hands, TimedAction};
#[cfg(all(feature = "serial", unix))]
pub use pty::{SimulatedPort, link_folder};
pub use rng::Rng;
use shakmaty::{Chess, Move, Position, Square};

use annexd_boards::{Kind, Senses};
use annexd_game::board::{Orientation, Reading, Readings};
use annexd_laws::moment::Moment;

/// The settings of a simulation.
#[derive(Clone, Debug)]
pub struct SimulationSettings {
    /// The protocol.
    pub kind: Kind,
    /// How much its sensors distinguish, if the protocol leaves that open.
    pub senses: Senses,
    /// The behaviours of people and line.
    pub behaviours: Vec<Behaviour>,
    /// The time for each move.
    pub pace: Duration,
    /// The seed of chance.
    pub seed: u64,
    /// The board's orientation.
    pub orientation: Orientation,
    /// How long people wait before their first move once the host listens.
    pub wait: Duration,
}

impl SimulationSettings {
    /// A well-behaved board on which a move is made every second.
    pub const fn new(kind: Kind) -> Self {
        Self {
            kind,
            senses: match kind {
                Kind::Occupancy => Senses::Occupancy,
                _ => Senses::Piece,
            },
            behaviours: Vec::new(),
            pace: Duration::from_secs(1),
            seed: 0,
            orientation: Orientation::Normal,
            wait: Duration::from_millis(800),
        }
    }

    fn has(&self, behaviour: Behaviour) -> bool {
        self.behaviours.contains(&behaviour)
    }
}

/// The longest time that passes at once on a board: its clock shows seconds.
const TICK: Duration = Duration::from_millis(500);

/// A board with people at it, as a pure state machine between commands and bytes.
pub struct Simulation {
    board: Box<dyn SimulatedBoard>,
    hands: Hands,
    settings: SimulationSettings,
    line: Rng,
    position: Chess,
    steps: VecDeque<TimedAction>,
    /// When the next step is due, once somebody listens.
    due: Option<Moment>,
    /// Until when the board has sent what it sends by itself.
    woken: Moment,
    is_plugged: bool,
    out: Vec<u8>,
}

impl Simulation {
    /// A board with a position on it.
    pub fn new(settings: SimulationSettings, position: Chess) -> Self {
        let readings = settings
            .orientation
            .readings(&Readings::of(position.board()));
        let board = simulated(
            settings.kind,
            readings,
            settings.senses,
            &settings.behaviours,
            settings.seed,
        );
        let empties_captures = settings.senses != Senses::Piece;
        let hands = Hands::new(
            &settings.behaviours,
            settings.pace,
            settings.seed,
            empties_captures,
        );
        Self {
            board,
            hands,
            line: Rng::new(settings.seed ^ 0x11e),
            settings,
            position,
            steps: VecDeque::new(),
            due: None,
            woken: Moment::START,
            is_plugged: true,
            out: Vec::new(),
        }
    }

    /// Has this move made, after everything ordered before. It must be legal.
    pub fn make(&mut self, played: Move) {
        let Ok(after) = self.position.clone().play(played) else {
            return;
        };
        self.steps.extend(self.hands.make(&self.position, played));
        self.position = after;
    }

    /// As [`Self::make`], but without a press: a move executed for the opponent, or on a board
    /// without a clock that counts.
    pub fn execute(&mut self, played: Move) {
        self.make(played);
        if let Some((_, Action::Press)) = self.steps.back() {
            self.steps.pop_back();
        }
    }

    /// Has something else done, after everything ordered before.
    pub fn act(&mut self, after: Duration, action: Action) {
        self.steps.push_back((after, action));
    }

    /// Whether everything has been done.
    pub fn is_done(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the cable is connected.
    pub const fn is_plugged(&self) -> bool {
        self.is_plugged
    }

    /// The host has sent bytes.
    pub fn received(&mut self, now: Moment, bytes: &[u8]) {
        self.board.received(now, bytes, &mut self.out);
    }

    /// Time has passed: does what is due.
    pub fn wake(&mut self, now: Moment) {
        if !self.board.is_awake() && self.is_plugged {
            return;
        }
        if self.due.is_none() {
            self.woken = now;
        }
        let mut due = *self.due.get_or_insert(now + self.settings.wait);
        while let Some(&(after, action)) = self.steps.front()
            && due + after <= now
        {
            due = due + after;
            self.due = Some(due);
            self.steps.pop_front();
            self.carry_out(due, action);
            self.let_pass(due);
            if matches!(action, Action::Unplug) {
                // However late this is called, the cable is out for a while.
                self.due = Some(now);
                return;
            }
        }
        if self.steps.is_empty() {
            // Later orders begin later.
            self.due = Some(due.max(now));
        }
        self.let_pass(now);
    }

    /// The board sends what it sends until then, however late this is called: its clock shows every
    /// second.
    fn let_pass(&mut self, until: Moment) {
        while self.woken + TICK < until {
            self.woken = self.woken + TICK;
            self.board.wake(self.woken, &mut self.out);
        }
        self.woken = self.woken.max(until);
        self.board.wake(until, &mut self.out);
    }

    fn carry_out(&mut self, now: Moment, action: Action) {
        match action {
            Action::Wait => {}
            Action::Set(square, piece) => self.set(now, square, Reading::from(piece)),
            Action::Press => self.board.press(now, &mut self.out),
            Action::Unplug => {
                self.is_plugged = false;
                self.board.unplugged();
                self.out.clear();
            }
            Action::Replug => self.is_plugged = true,
        }
    }

    fn set(&mut self, now: Moment, square: Square, reading: Reading) {
        let square = self.settings.orientation.square(square);
        self.board.set(now, square, reading, &mut self.out);
    }

    /// The bytes sent by the board, without the lost ones.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.out);
        if !self.is_plugged {
            return Vec::new();
        }
        if self.settings.has(Behaviour::LostBytes) {
            bytes.retain(|_| !self.line.per_mille(2));
        }
        bytes
    }

    /// The line's speed in bytes per second, at ten bits per byte.
    pub fn bytes_per_second(&self) -> u32 {
        let slower = if self.settings.has(Behaviour::SlowLine) {
            4
        } else {
            1
        };
        self.settings.kind.baud() / 10 / slower
    }
}
