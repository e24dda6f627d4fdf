//! Random games on simulated boards, in simulated time: from hands through sensors, bytes and
//! codec to moves.

use std::time::Duration;

use annexd::board::{Event, Orientation, Patience};
use annexd::moment::Moment;
use annexd::shell::boards::simulate::{Behaviour, Chance, Simulation, SimulationSettings};
use annexd::shell::boards::{DeviceCommand, Follower, Kind, Report, Senses, driver};
use shakmaty::{CastlingMode, Chess, Move, Position};

const TICK: Duration = Duration::from_millis(10);

/// A board, its line, its driver and what follows it, with the time between them.
struct Bench {
    now: Moment,
    simulation: Simulation,
    board: Box<dyn annexd::shell::boards::Board>,
    follower: Follower,
    was_plugged: bool,
    /// What the line has not carried yet, and how much of a byte it has carried.
    waiting: Vec<u8>,
    carried: f64,
    unexplained_since: Option<Moment>,
    made: Vec<String>,
    seen: Vec<(usize, String)>,
    touched: usize,
    taken_back: usize,
}

impl Bench {
    fn new(settings: SimulationSettings) -> Self {
        let mut board = driver(settings.kind);
        board.opened(Moment::START);
        Self {
            now: Moment::START,
            simulation: Simulation::new(settings, Chess::default()),
            board,
            follower: Follower::new(Patience::default()),
            was_plugged: true,
            waiting: Vec::new(),
            carried: 0.0,
            unexplained_since: None,
            made: Vec::new(),
            seen: Vec::new(),
            touched: 0,
            taken_back: 0,
        }
    }

    fn tick(&mut self) {
        self.now = self.now + TICK;
        let is_plugged = self.simulation.is_plugged();
        if is_plugged && !self.was_plugged {
            self.board.opened(self.now);
        }
        self.was_plugged = is_plugged;
        self.board.wake(self.now);
        if is_plugged {
            while let Some(bytes) = self.board.next_write(self.now) {
                self.simulation.received(self.now, &bytes);
            }
        }
        self.simulation.wake(self.now);
        let bytes = self.carry();
        self.board.received(self.now, &bytes);
        while let Some(said) = self.board.next_event() {
            let reports = self.follower.hear(self.now, said);
            self.take(reports);
        }
        let reports = self.follower.wake(self.now);
        self.take(reports);
        self.refresh();
    }

    /// As many bytes as the line carries in this time.
    fn carry(&mut self) -> Vec<u8> {
        self.waiting.append(&mut self.simulation.take_bytes());
        if !self.was_plugged {
            self.waiting.clear();
        }
        self.carried += TICK.as_secs_f64() * f64::from(self.simulation.bytes_per_second());
        let count = (self.carried as usize).min(self.waiting.len());
        self.carried = (self.carried - count as f64).min(1.0);
        self.waiting.drain(..count).collect()
    }

    /// As the thread of a port does.
    fn refresh(&mut self) {
        if !self.follower.reconstructor().is_unexplained() {
            self.unexplained_since = None;
        } else if self
            .now
            .since(*self.unexplained_since.get_or_insert(self.now))
            >= Duration::from_secs(2)
        {
            self.unexplained_since = Some(self.now);
            self.board.command(self.now, DeviceCommand::Refresh);
        }
    }

    fn take(&mut self, reports: Vec<Report>) {
        for report in reports {
            match report {
                Report::Board(Event::Moved(played)) => {
                    assert_eq!(played.ply, self.made.len() + 1, "moves are told in order");
                    self.made.push(played.played.to_string());
                }
                Report::Board(Event::Seen(played)) => {
                    self.seen.push((played.ply, played.played.to_string()));
                }
                Report::Board(Event::Touched(..)) => self.touched += 1,
                Report::Board(Event::TakenBack { .. }) => self.taken_back += 1,
                _ => {}
            }
        }
    }

    fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.tick();
        }
    }

    fn play(&mut self, moves: &[Move], announces: bool) {
        self.run(Duration::from_secs(2));
        for &played in moves {
            if announces {
                let uci = played.to_uci(CastlingMode::Standard);
                let reports = self.follower.announced(self.now, uci);
                self.take(reports);
            }
            self.simulation.make(played);
            while !self.simulation.is_done() {
                self.tick();
            }
        }
        self.run(Duration::from_secs(12));
    }
}

fn random_game(chance: &mut Chance, plies: usize) -> Vec<Move> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal: Vec<Move> = position.legal_moves().into_iter().collect();
        // Captures, castling and promotions are what is hard: they are played more often.
        let special: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|played| played.is_capture() || played.is_castle() || played.is_promotion())
            .collect();
        let choices = if !special.is_empty() && chance.per_mille(300) {
            &special
        } else {
            &legal
        };
        let Some(played) = chance.one_of(choices) else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

fn check_games(kind: Kind, senses: Senses, behaviours: &[Behaviour], games: std::ops::Range<u64>) {
    for seed in games {
        let mut chance = Chance::new(seed);
        let moves = random_game(&mut chance, 40);
        let played: Vec<String> = moves
            .iter()
            .map(|played| played.to_uci(CastlingMode::Standard).to_string())
            .collect();
        let settings = SimulationSettings {
            behaviours: behaviours.to_vec(),
            senses,
            pace: Duration::from_millis(800),
            seed,
            orientation: if seed % 3 == 0 && senses == Senses::Piece {
                Orientation::Rotated
            } else {
                Orientation::Normal
            },
            ..SimulationSettings::new(kind)
        };
        let mut bench = Bench::new(settings);
        bench.play(&moves, senses != Senses::Piece);
        let found: Vec<String> = bench
            .follower
            .reconstructor()
            .moves()
            .iter()
            .map(|played| played.played.to_string())
            .collect();
        let name = format!("{kind} game {seed}");
        assert_eq!(found, played, "{name}");
        assert_eq!(bench.taken_back, 0, "{name}: what was told was taken back");
        assert_eq!(bench.made[..], played[..bench.made.len()], "{name}");
        // Without a lever the last move waits for the next; a lost byte may be the lever's.
        let has_lever = kind == Kind::Dgt && !behaviours.contains(&Behaviour::LostBytes);
        let told_all = usize::from(!has_lever);
        assert!(bench.made.len() + told_all >= played.len(), "{name}");
        // A cable that is pulled in the middle of a slide makes a rest of it, and a board without
        // identities can only guess before the move is finished.
        let rests = !behaviours.contains(&Behaviour::Unplug) && senses == Senses::Piece;
        for (ply, seen) in bench.seen.into_iter().filter(|_| rests) {
            assert_eq!(seen, played[ply - 1], "{name}: spoken too early at {ply}");
        }
    }
}

const HANDS: [Behaviour; 6] = [
    Behaviour::Slides,
    Behaviour::Swaps,
    Behaviour::Drags,
    Behaviour::Nudges,
    Behaviour::RookFirst,
    Behaviour::Knocks,
];

#[test]
fn a_thousand_games_on_a_dgt_board() {
    check_games(Kind::Dgt, Senses::Piece, &HANDS, 0..1000);
}

#[test]
fn a_thousand_games_on_a_chesslink_board() {
    check_games(Kind::Chesslink, Senses::Piece, &HANDS, 0..1000);
}

#[test]
fn a_thousand_games_on_a_peg_board() {
    check_games(Kind::Cpp, Senses::Piece, &HANDS, 0..1000);
}

#[test]
fn a_thousand_games_on_a_board_that_knows_occupancy_only() {
    let hands = [
        Behaviour::Slides,
        Behaviour::Swaps,
        Behaviour::Nudges,
        Behaviour::RookFirst,
    ];
    check_games(Kind::Occupancy, Senses::Occupancy, &hands, 0..1000);
}

#[test]
fn games_on_a_peg_board_that_knows_colours_only() {
    let hands = [
        Behaviour::Slides,
        Behaviour::Swaps,
        Behaviour::Nudges,
        Behaviour::RookFirst,
    ];
    check_games(Kind::Cpp, Senses::Color, &hands, 0..100);
}

#[test]
fn games_over_a_bad_line_with_a_hostile_board() {
    let line = [Behaviour::Unplug, Behaviour::StaleAcks, Behaviour::Hostile];
    let all = [&HANDS[..], &line].concat();
    let slow = [&all[..], &[Behaviour::SlowLine]].concat();
    for kind in [Kind::Dgt, Kind::Chesslink, Kind::Cpp] {
        check_games(kind, Senses::Piece, &all, 0..50);
        check_games(kind, Senses::Piece, &slow, 50..100);
    }
}

#[test]
fn games_over_a_line_that_loses_bytes() {
    let lossy = [&HANDS[..], &[Behaviour::LostBytes]].concat();
    check_games(Kind::Dgt, Senses::Piece, &lossy, 0..100);
}
