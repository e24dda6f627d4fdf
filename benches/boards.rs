//! How many messages of a board a second become moves: bytes, codec, reconstructor, clock.
//!
//! Plays a game of 80 shuffling moves as a DGT board sends it, over and over. Prints one line.

use std::time::{Duration, Instant};

use annexd::board::{Patience, Reading, Readings};
use annexd::moment::Moment;
use annexd::shell::boards::clocks::{ClockReading, ClockSide, SideReading};
use annexd::shell::boards::dgt::Message;
use annexd::shell::boards::{Follower, Kind, driver};
use shakmaty::{Board, Chess, Position};

const PLIES: usize = 80;

/// The bytes of a game: the dump, and for each move two squares, a second and the lever.
fn game() -> Vec<Vec<u8>> {
    let mut messages = vec![Message::Dump(Box::new(Readings::of(&Board::new()))).to_bytes()];
    let mut position = Chess::default();
    for ply in 0..PLIES {
        // Neither captures nor castling, so that a move is always two squares.
        let legal = position.legal_moves();
        let quiet = legal
            .iter()
            .filter(|played| !played.is_capture() && !played.is_castle() && !played.is_promotion());
        let quiet: Vec<_> = quiet.copied().collect();
        let Some(&played) = quiet.get(ply * 7 % quiet.len().max(1)) else {
            break;
        };
        let (Some(from), to) = (played.from(), played.to()) else {
            break;
        };
        let piece = position.board().piece_at(from);
        for (square, reading) in [(from, Reading::Empty), (to, Reading::from(piece))] {
            messages.push(Message::Field { square, reading }.to_bytes());
        }
        position.play_unchecked(played);
        for to_move in [ply % 2, (ply + 1) % 2] {
            messages.push(Message::Clock(clock(ply as u64, to_move == 0)).to_bytes());
        }
    }
    messages
}

fn clock(ply: u64, is_left: bool) -> ClockReading {
    let side = SideReading {
        time: Duration::from_secs(5_400 - ply),
        ..SideReading::default()
    };
    ClockReading {
        left: side,
        right: side,
        is_running: true,
        to_move: if is_left {
            ClockSide::Left
        } else {
            ClockSide::Right
        },
        is_battery_low: false,
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn main() {
    let game = game();
    let (mut messages, mut moves) = (0_u64, 0);
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(2) {
        let mut board = driver(Kind::Dgt);
        let mut follower = Follower::new(Patience::default());
        for (index, bytes) in game.iter().enumerate() {
            let now = Moment::from_ms(index as u64 * 300);
            board.received(now, bytes);
            while let Some(said) = board.next_event() {
                follower.hear(now, said);
            }
        }
        messages += game.len() as u64;
        moves += follower.reconstructor().moves().len();
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{:.0} messages a second, {:.0} moves a second",
        messages as f64 / seconds,
        moves as f64 / seconds
    );
}
