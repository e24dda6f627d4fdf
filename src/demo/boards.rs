//! The boards of the demonstration: simulated down to the byte, and followed like any other.
//!
//! Hands move pieces on a [`Simulation`]. Its bytes cross a line to the driver of its protocol,
//! whose events the reconstructor follows. The results are inputs of the game. There is no other
//! way from a move to the game, and all of it happens in simulated time.

use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::{Board as Placement, Chess, Color, EnPassantMode, Move};

use super::wire::Wire;
use annexd::board::{Fact, Orientation, Patience, Reconstructor};
use annexd::game::Input;
use annexd::moment::Moment;
use annexd::shell::boards::simulate::{Simulation, SimulationSettings};
use annexd::shell::boards::{Board, DeviceCommand, Follower, Kind, Senses, driver};
use annexd::shell::error::{Result, error};

/// A board that shows no known position for this long is asked for all its squares.
const UNEXPLAINED_MAX: Duration = Duration::from_secs(2);

/// How long a hand takes for a move.
const PACE: Duration = Duration::from_millis(1_200);

/// A player's board.
pub(crate) struct PlayersBoard {
    side: Color,
    simulation: Simulation,
    wire: Wire,
    driver: Box<dyn Board>,
    follower: Follower,
    /// Bytes that the line has not carried yet, and how many of them it may carry by now.
    waiting: Vec<u8>,
    carried: f64,
    unexplained_since: Option<Moment>,
    touched: Vec<String>,
    handled: Vec<String>,
}

impl PlayersBoard {
    /// The blind player's board: pegs in holes, on the Chess Peripheral Protocol. It senses which
    /// holes are filled, and reports each peg that leaves its hole.
    pub(crate) fn of_pegs(side: Color, position: &Chess, seed: u64) -> Self {
        let settings = SimulationSettings {
            senses: Senses::Occupancy,
            ..SimulationSettings::new(Kind::Cpp)
        };
        Self::new(side, settings, position, seed)
    }

    /// The sighted player's board: a DGT board without a clock.
    pub(crate) fn of_dgt(side: Color, position: &Chess, seed: u64) -> Self {
        Self::new(side, SimulationSettings::new(Kind::Dgt), position, seed)
    }

    fn new(side: Color, settings: SimulationSettings, position: &Chess, seed: u64) -> Self {
        let settings = SimulationSettings {
            pace: PACE,
            seed,
            wait: Duration::ZERO,
            ..settings
        };
        let mut driver = driver(settings.kind);
        let mut reconstructor =
            Reconstructor::new(Patience::default()).with_orientation(Orientation::Normal);
        if *position != Chess::default() {
            // As with a resumed game, the position on the board has to be stated.
            let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
            driver.command(Moment::START, DeviceCommand::Expect(fen));
            reconstructor = reconstructor.from_position(position.clone(), Moment::START);
        }
        driver.opened(Moment::START);
        Self {
            side,
            simulation: Simulation::new(settings, position.clone()),
            wire: Wire::open(),
            driver,
            follower: Follower::of(reconstructor),
            waiting: Vec::new(),
            carried: 0.0,
            unexplained_since: None,
            touched: Vec::new(),
            handled: Vec::new(),
        }
    }

    /// Has a move made by hand, after everything ordered before.
    pub(crate) fn execute(&mut self, played: Move) {
        self.simulation.execute(played);
    }

    /// Whether the hands and the line are at rest and the reconstructor waits for nothing.
    pub(crate) fn is_at_rest(&self) -> bool {
        self.simulation.is_done() && self.waiting.is_empty() && self.follower.deadline().is_none()
    }

    /// Whether the board has identified itself.
    pub(crate) fn is_recognised(&self) -> bool {
        self.driver.is_recognised()
    }

    /// The placement that the board has reported so far.
    pub(crate) fn shown(&self) -> &Placement {
        self.follower.reconstructor().shown()
    }

    /// Takes what hands have done since the last call, up to the last piece placed.
    pub(crate) fn take_handled(&mut self) -> Vec<String> {
        std::mem::take(&mut self.handled)
    }

    /// Notes that an announcement was read back, the second source for a board that does not
    /// recognise pieces.
    pub(crate) fn announced(
        &mut self,
        now: Moment,
        announced: shakmaty::uci::UciMove,
    ) -> Vec<Input> {
        let reports = self.follower.announced(now, announced);
        self.inputs(reports)
    }

    /// Lets the time advance to `now` for hands, sensors, line, driver and reconstructor.
    pub(crate) fn pass_time(&mut self, now: Moment, passed: Duration) -> Result<Vec<Input>> {
        let lost = |error: std::io::Error| error!(DeviceLost, DemoLineLost, why = error);
        if self.driver.deadline().is_some_and(|due| due <= now) {
            self.driver.wake(now);
        }
        while let Some(bytes) = self.driver.next_write(now) {
            let bytes = self.wire.carry_to_board(bytes).map_err(lost)?;
            self.simulation.received(now, &bytes);
        }
        self.simulation.wake(now);
        let sent = self.send(passed);
        let bytes = self.wire.carry_to_driver(sent).map_err(lost)?;
        if !bytes.is_empty() {
            self.driver.received(now, &bytes);
        }
        let mut inputs = Vec::new();
        while let Some(said) = self.driver.next_event() {
            let reports = self.follower.hear(now, said);
            inputs.append(&mut self.inputs(reports));
        }
        if self.follower.deadline().is_some_and(|due| due <= now) {
            let reports = self.follower.wake(now);
            inputs.append(&mut self.inputs(reports));
        }
        self.ask_again(now);
        Ok(inputs)
    }

    /// The bytes that the line carries in this time.
    fn send(&mut self, passed: Duration) -> Vec<u8> {
        self.waiting.append(&mut self.simulation.take_bytes());
        if self.waiting.is_empty() {
            self.carried = 0.0;
            return Vec::new();
        }
        self.carried += passed.as_secs_f64() * f64::from(self.simulation.bytes_per_second());
        let count = (self.carried as usize).min(self.waiting.len());
        self.carried -= count as f64;
        self.waiting.drain(..count).collect()
    }

    fn inputs(&mut self, reports: Vec<annexd::shell::boards::Report>) -> Vec<Input> {
        let inputs: Vec<Input> = reports
            .into_iter()
            .filter_map(|report| report.input(Some(self.side)))
            .collect();
        for input in &inputs {
            if let Input::Board { fact, .. } = input {
                self.note(fact);
            }
        }
        inputs
    }

    /// Notes what the board reports, for the transcript.
    fn note(&mut self, fact: &Fact) {
        match fact {
            Fact::Lifted { square, .. } => self.touched.push(format!("hebt {square}")),
            Fact::Placed { square, .. } => {
                self.touched.push(format!("setzt {square}"));
                self.handled
                    .push(std::mem::take(&mut self.touched).join(", "));
            }
            Fact::Settled(_) if self.touched.is_empty() => {}
            Fact::Settled(_) => self
                .handled
                .push(std::mem::take(&mut self.touched).join(", ")),
        }
    }

    /// Asks for all squares like the thread of a port, because a change may have been lost on the
    /// line.
    fn ask_again(&mut self, now: Moment) {
        if !self.follower.reconstructor().is_unexplained() {
            self.unexplained_since = None;
        } else if now.since(*self.unexplained_since.get_or_insert(now)) >= UNEXPLAINED_MAX {
            self.unexplained_since = Some(now);
            self.driver.command(now, DeviceCommand::Refresh);
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Position as _;
    use shakmaty::san::SanPlus;

    use super::*;

    const TICK: Duration = Duration::from_millis(20);

    /// Lets a board come to rest. Returns the facts reported meanwhile.
    fn rest(board: &mut PlayersBoard, now: &mut Moment) -> Vec<Fact> {
        let mut facts = Vec::new();
        let until = *now + Duration::from_secs(20);
        while *now < until && !(board.is_at_rest() && board.driver.is_recognised()) {
            *now = *now + TICK;
            for input in board.pass_time(*now, TICK).unwrap() {
                if let Input::Board { fact, .. } = input {
                    facts.push(fact);
                }
            }
        }
        facts
    }

    #[test]
    fn hands_on_a_simulated_board_become_facts_by_way_of_bytes() {
        for is_dgt in [true, false] {
            let mut position = Chess::default();
            let side = Color::White;
            let mut board = if is_dgt {
                PlayersBoard::of_dgt(side, &position, 7)
            } else {
                PlayersBoard::of_pegs(side, &position, 7)
            };
            let mut now = Moment::START;
            rest(&mut board, &mut now);
            for san in [
                "e4", "d5", "exd5", "Nf6", "Bb5+", "c6", "dxc6", "e5", "cxb7+", "Ke7", "bxa8=N",
            ] {
                let played: SanPlus = san.parse().unwrap();
                let played = played.san.to_move(&position).unwrap();
                position.play_unchecked(played);
                board.execute(played);
                let uci = played.to_uci(shakmaty::CastlingMode::Standard);
                let _ = board.announced(now, uci);
                let facts = rest(&mut board, &mut now);
                let settled = facts.iter().rev().find_map(|fact| match fact {
                    Fact::Settled(placement) => Some(placement.clone()),
                    _ => None,
                });
                assert_eq!(
                    settled.as_ref(),
                    Some(position.board()),
                    "{san}, dgt: {is_dgt}"
                );
                assert_eq!(board.shown(), position.board());
            }
        }
    }

    #[test]
    fn a_position_that_stands_there_from_the_beginning_is_no_handling_of_pieces() {
        let fen: Fen = "7k/8/6K1/8/8/8/5Q2/8 w - - 0 40".parse().unwrap();
        let position: Chess = fen.into_position(shakmaty::CastlingMode::Standard).unwrap();
        for mut board in [
            PlayersBoard::of_pegs(Color::White, &position, 1),
            PlayersBoard::of_dgt(Color::White, &position, 1),
        ] {
            let mut now = Moment::START;
            let facts = rest(&mut board, &mut now);
            let is_handling = |fact: &Fact| !matches!(fact, Fact::Settled(_));
            assert!(!facts.iter().any(is_handling), "{facts:?}");
            assert_eq!(board.shown(), position.board());
        }
    }
}
