//! Recordings of simulated games, made and cut in ways that no capture shows, replay to the moves
//! that were played.

use crate::told;

use std::time::Duration;

use annexd::board::{Orientation, PlayedMove, Reading, Readings};
use annexd::moment::Moment;
use annexd::shell::boards::Kind;
use annexd::shell::boards::dgt::{Command, Decoder, Message};
use annexd::shell::boards::replay::{Line, Settings, replay};
use annexd::shell::boards::simulate::{Action, Behaviour, Rng, Simulation, SimulationSettings};
use shakmaty::{Board, CastlingMode, Chess, Color, Move, Position, Role, Square};
use told::told;

const HANDS: [Behaviour; 6] = [
    Behaviour::Slides,
    Behaviour::Swaps,
    Behaviour::Drags,
    Behaviour::Nudges,
    Behaviour::RookFirst,
    Behaviour::Knocks,
];

/// A game at random from a position; what is hard is played more often.
fn random_game(start: &Chess, rng: &mut Rng, plies: usize) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        let special: Vec<Move> = legal
            .iter()
            .copied()
            .filter(|played| played.is_capture() || played.is_castle() || played.is_promotion())
            .collect();
        let played = if !special.is_empty() && rng.per_mille(350) {
            rng.one_of(&special)
        } else {
            rng.one_of(&legal)
        };
        let Some(played) = played else { break };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

fn uci(moves: &[Move]) -> Vec<String> {
    let word = |played: &Move| played.to_uci(CastlingMode::Standard).to_string();
    moves.iter().map(word).collect()
}

/// A board with a clock, and a tape of what it sends.
struct Tape {
    simulation: Simulation,
    now: Moment,
    bytes: Vec<u8>,
}

impl Tape {
    fn new(start: &Chess, orientation: Orientation, behaviours: &[Behaviour], seed: u64) -> Self {
        let settings = SimulationSettings {
            behaviours: behaviours.to_vec(),
            pace: Duration::from_millis(900),
            seed,
            orientation,
            wait: Duration::ZERO,
            ..SimulationSettings::new(Kind::Dgt)
        };
        Self {
            simulation: Simulation::new(settings, start.clone()),
            now: Moment::START,
            bytes: Vec::new(),
        }
    }

    fn hear(&mut self, command: &Command) {
        self.simulation.received(self.now, &command.to_bytes());
        self.bytes.extend(self.simulation.take_bytes());
    }

    fn run(&mut self) {
        loop {
            self.now = self.now + Duration::from_millis(10);
            self.simulation.wake(self.now);
            self.bytes.extend(self.simulation.take_bytes());
            if self.simulation.is_done() {
                return;
            }
        }
    }

    fn play(&mut self, moves: &[Move]) {
        for &played in moves {
            self.simulation.make(played);
        }
        self.run();
    }
}

fn lines_of(bytes: &[u8], position: Option<&Chess>) -> Vec<Line> {
    let settings = Settings {
        kind: Kind::Dgt,
        position: position.cloned(),
        orientation: None,
    };
    replay(bytes, &settings)
}

fn replayed(bytes: &[u8], position: Option<&Chess>) -> Vec<String> {
    let lines = lines_of(bytes, position).into_iter();
    lines
        .filter_map(|line| match line {
            Line::Moved(played) => Some(played.played.to_string()),
            _ => None,
        })
        .collect()
}

fn either_way(seed: u64) -> Orientation {
    if seed.is_multiple_of(2) {
        Orientation::Normal
    } else {
        Orientation::Rotated
    }
}

/// Records a game from the start position and compares.
fn check(seed: u64, begin: impl Fn(&mut Tape), end: impl Fn(Vec<u8>) -> Vec<u8>, name: &str) {
    check_with(&HANDS, seed, begin, end, name);
}

fn check_with(
    hands: &[Behaviour],
    seed: u64,
    begin: impl Fn(&mut Tape),
    end: impl Fn(Vec<u8>) -> Vec<u8>,
    name: &str,
) {
    let start = Chess::default();
    let mut rng = Rng::new(seed);
    let moves = random_game(&start, &mut rng, 60);
    let mut tape = Tape::new(&start, either_way(seed), hands, seed);
    begin(&mut tape);
    tape.play(&moves);
    let bytes = end(tape.bytes);
    assert_eq!(replayed(&bytes, None), uci(&moves), "{name}, seed {seed}");
}

fn listen(tape: &mut Tape) {
    tape.hear(&Command::SendUpdatesNice);
    tape.hear(&Command::SendBoard);
}

#[test]
fn games_replay_whichever_way_the_board_lay() {
    for seed in 0..100 {
        check(seed, listen, |bytes| bytes, "plain");
    }
}

#[test]
fn games_replay_without_a_dump_and_with_many() {
    for seed in 0..60 {
        check(
            seed,
            |tape| tape.hear(&Command::SendUpdatesNice),
            |bytes| bytes,
            "no dump",
        );
        let twice = |tape: &mut Tape| {
            listen(tape);
            tape.hear(&Command::SendVersion);
            tape.hear(&Command::SendLongSerial);
            tape.hear(&Command::SendTrademark);
            tape.hear(&Command::SendBattery);
            tape.hear(&Command::SendBoard);
        };
        check(seed, twice, |bytes| bytes, "two dumps");
    }
}

#[test]
fn games_replay_without_a_clock() {
    let without_clock = |bytes: Vec<u8>| -> Vec<u8> {
        let mut decoder = Decoder::default();
        let messages = bytes.iter().filter_map(|&byte| decoder.push(byte));
        messages
            .filter(|message| !matches!(message, Message::Clock(_)))
            .flat_map(|message| message.to_bytes())
            .collect()
    };
    // Without any time a victim that is dragged off looks like a piece that slides on: after g2g3
    // a pawn dragged over g4 and taken is g2g4, taken in passing. Both have to be told.
    let start = Chess::default();
    let mut open = 0;
    for seed in 0..200 {
        let moves = random_game(&start, &mut Rng::new(seed), 60);
        let mut tape = Tape::new(&start, either_way(seed), &HANDS, seed);
        listen(&mut tape);
        tape.play(&moves);
        let played = uci(&moves);
        let (told, left_open) = told(&lines_of(&without_clock(tape.bytes), None), &played);
        open += left_open;
        assert_eq!(told, played, "seed {seed}");
    }
    assert!(open <= 10, "{open} moves of 200 games are left open");
}

#[test]
fn games_replay_from_a_board_that_is_still_being_set_up() {
    for seed in 0..60 {
        let missing = [Square::E2, Square::D1, Square::H8, Square::A7];
        let set_up = |bytes: Vec<u8>| {
            let orientation = either_way(seed);
            let mut incomplete = Readings::of(&Board::new());
            for square in missing {
                incomplete.set(square, Reading::Empty);
            }
            let dump = orientation.readings(&incomplete);
            let mut recorded = Message::Dump(Box::new(dump)).to_bytes();
            for square in missing {
                let reading = Reading::from(Board::new().piece_at(square));
                let square = orientation.square(square);
                recorded.extend(Message::Field { square, reading }.to_bytes());
            }
            recorded.extend(bytes);
            recorded
        };
        check(
            seed,
            |tape| tape.hear(&Command::SendUpdatesNice),
            set_up,
            "set up by hand",
        );
    }
}

#[test]
fn games_replay_from_the_middle_with_every_promotion() {
    let fen = "2r1k3/1P4P1/8/8/8/8/1p4p1/2R1K3 w - - 0 1";
    for (seed, side, role) in (0..40).flat_map(|seed| {
        [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
            .map(|role| (seed, Color::from_white(seed % 3 != 0), role))
    }) {
        let text = fen.replace(" w ", if side == Color::White { " w " } else { " b " });
        let setup: shakmaty::fen::Fen = text.parse().expect("a position");
        let start: Chess = setup
            .into_position(CastlingMode::Standard)
            .expect("a position");
        let promotes = |played: &&Move| played.promotion() == Some(role);
        let legal = start.legal_moves();
        let promotions: Vec<Move> = legal.iter().filter(promotes).copied().collect();
        let first = promotions[seed as usize % promotions.len()];
        let mut after = start.clone();
        after.play_unchecked(first);
        let mut moves = vec![first];
        moves.extend(random_game(&after, &mut Rng::new(seed), 20));
        let mut tape = Tape::new(&start, either_way(seed), &HANDS, seed);
        listen(&mut tape);
        tape.play(&moves);
        let played = uci(&moves);
        assert_eq!(
            replayed(&tape.bytes, Some(&start)),
            played,
            "{side}, {role:?}, seed {seed}"
        );
    }
}

#[test]
fn moves_that_were_taken_back_are_not_in_the_game() {
    for seed in 0..60 {
        let start = Chess::default();
        let mut rng = Rng::new(seed);
        let moves = random_game(&start, &mut rng, 30);
        let quiet = |played: &Move| !played.is_capture() && !played.is_castle();
        let Some(at) = (6..moves.len()).find(|&at| quiet(&moves[at]) && !moves[at].is_promotion())
        else {
            continue;
        };
        let mut position = start.clone();
        for &played in &moves[..at] {
            position.play_unchecked(played);
        }
        let (from, to) = (moves[at].from().expect("a square"), moves[at].to());
        let piece = position.board().piece_at(from);
        let another = random_game(&position, &mut Rng::new(seed ^ 0xabc), 8);
        if another.first() == Some(&moves[at]) {
            continue;
        }
        let orientation = either_way(seed);
        let mut tape = Tape::new(&start, orientation, &[], seed);
        listen(&mut tape);
        tape.play(&moves[..=at]);
        // The piece goes back, and the clock is set back by hand: its lever is moved again.
        let moment = Duration::from_millis(700);
        for (square, stands) in [(to, None), (from, piece)] {
            tape.simulation.act(moment, Action::Set(square, stands));
        }
        tape.simulation.act(moment, Action::Press);
        tape.run();
        let mut again = Tape::new(&position, orientation, &[], seed);
        again.hear(&Command::SendUpdatesNice);
        again.play(&another);
        tape.bytes.extend(again.bytes);
        let expected = uci(&[&moves[..at], &another[..]].concat());
        assert_eq!(replayed(&tape.bytes, None), expected, "seed {seed}");
    }
}

/// While the clock still runs each piece goes to where games begin, one after the other. The first
/// of them may look like a move, another move, or one taken back.
#[test]
fn pieces_that_are_put_away_are_no_moves() {
    for seed in 0..60 {
        let start = Chess::default();
        let moves = random_game(&start, &mut Rng::new(seed), 30);
        let mut tape = Tape::new(&start, either_way(seed), &[], seed);
        listen(&mut tape);
        tape.play(&moves);
        let mut position = start.clone();
        for &played in &moves {
            position.play_unchecked(played);
        }
        let (mut stands, home) = (position.board().clone(), Board::new());
        let moment = Duration::from_millis(300);
        let away: Vec<Square> = Square::ALL.into_iter().collect();
        for round in 0..3 {
            for &from in &away {
                let Some(piece) = stands
                    .piece_at(from)
                    .filter(|it| home.piece_at(from) != Some(*it))
                else {
                    continue;
                };
                let free = |to: &Square| {
                    home.piece_at(*to) == Some(piece) && stands.piece_at(*to).is_none()
                };
                let to = Square::ALL.into_iter().find(free);
                if to.is_none() && round < 2 {
                    continue;
                }
                tape.simulation.act(moment, Action::Set(from, None));
                stands.discard_piece_at(from);
                if let Some(to) = to {
                    tape.simulation.act(moment, Action::Set(to, Some(piece)));
                    stands.set_piece_at(to, piece);
                }
            }
        }
        tape.run();
        assert_eq!(replayed(&tape.bytes, None), uci(&moves), "seed {seed}");
    }
}

#[test]
fn a_recording_that_ends_in_a_move_ends_with_the_move_before() {
    for seed in 0..30 {
        let start = Chess::default();
        let moves = random_game(&start, &mut Rng::new(seed), 20);
        let mut tape = Tape::new(&start, either_way(seed), &[], seed);
        listen(&mut tape);
        tape.play(&moves[..moves.len() - 1]);
        let last = moves[moves.len() - 1];
        let from = last.from().expect("a square");
        tape.simulation
            .act(Duration::from_millis(500), Action::Set(from, None));
        tape.run();
        assert_eq!(
            replayed(&tape.bytes, None),
            uci(&moves[..moves.len() - 1]),
            "seed {seed}"
        );
    }
}

/// The measure itself: nobody passes who leaves everything open.
#[test]
fn moves_that_are_left_open_too_often_were_not_told() {
    let played = ["e2e4", "e7e5", "g1f3", "b8c6"].map(str::to_owned);
    let made = |ply: usize, word: &str| PlayedMove {
        ply,
        side: Color::from_white(ply % 2 == 1),
        played: word.parse().expect("a move"),
        since: Moment::START,
    };
    let moved = |ply: usize| Line::Moved(made(ply, &played[ply - 1]));
    let open = |ply: usize, others: &[&str]| {
        let one_of = others.iter().map(|word| word.parse().expect("a move"));
        Line::NotSeenWhole {
            made: made(ply, others[0]),
            one_of: one_of.collect(),
        }
    };
    let is_told = |lines: &[Line]| told(lines, &played).0 == played;
    let second = open(2, &["e7e6", "e7e5"]);
    assert!(is_told(&[moved(1), second.clone(), moved(3), moved(4)]));
    // The number is that of the note, and not its place.
    assert!(is_told(&[second, moved(1), moved(3), moved(4)]));
    let far = open(4, &["e7e6", "e7e5"]);
    assert!(!is_told(&[moved(1), far, moved(3), moved(4)]));
    let many = open(2, &["e7e5", "e7e6", "d7d5", "d7d6", "c7c5"]);
    assert!(!is_told(&[moved(1), many, moved(3), moved(4)]));
    let all: Vec<Line> = (1..=4)
        .map(|ply| open(ply, &[&played[ply - 1], "a2a3"]))
        .collect();
    assert!(!is_told(&all));
    let unsure = Line::UnsureFrom(made(1, "e2e4"));
    let lines: Vec<Line> = std::iter::once(unsure).chain((1..=4).map(moved)).collect();
    assert!(!is_told(&lines));
}
