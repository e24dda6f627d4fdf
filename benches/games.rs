//! How many whole moves a second the core takes, and how much memory a game.
//!
//! Plays random legal games in full: announced, made on a tactile board that senses its holes or
//! by a sighted player's word, pressed, repeated and executed. Prints two lines, and fails if the
//! core is slower than it has to be (20,000 moves a second).

use std::time::{Duration, Instant};

use annexd::board::Fact;
use annexd::game::{Act, DeviceApproval, Game, Input, Means, Profile, Ruling, Sensors};
use annexd::moment::Moment;
use annexd::notation::{Announcement, MoveAnnouncement};
use annexd::persons::Person;
use shakmaty::{Chess, Color, Move, Position};

const GAMES: usize = 1000;
const PLIES: usize = 120;
const LEAST_A_SECOND: f64 = 20_000.0;

#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
fn main() {
    let scripts: Vec<Vec<(Moment, Input)>> = (1..=GAMES as u64).map(script).collect();
    let inputs: usize = scripts.iter().map(Vec::len).sum();
    let before = resident_bytes();
    let start = Instant::now();
    let mut kept = Vec::with_capacity(GAMES);
    let mut slowest = Duration::ZERO;
    // The scripts stay until the memory is measured, or games would move in where they were.
    for script in &scripts {
        let mut game = Game::new(profile());
        for (at, input) in script {
            let (at, input) = (*at, input.clone());
            let start = Instant::now();
            std::hint::black_box(game.handle(at, input));
            slowest = slowest.max(start.elapsed());
        }
        kept.push(game);
    }
    let seconds = start.elapsed().as_secs_f64();
    let moves: usize = kept.iter().map(Game::plies).sum();
    let announced = |(_, input): &&(Moment, Input)| {
        matches!(
            input,
            Input::Act {
                act: Act::Announce(_),
                ..
            }
        )
    };
    let wanted = scripts.iter().flatten().filter(announced).count();
    assert_eq!(moves, wanted, "every announced move is made");
    let a_second = moves as f64 / seconds;
    println!(
        "games: {a_second:.0} whole moves a second on one core, {:.0} games a second ({} games, \
         {moves} moves, {inputs} inputs, the slowest input {slowest:.1?})",
        GAMES as f64 / seconds,
        kept.len(),
    );
    match (before, resident_bytes()) {
        (Some(before), Some(after)) => println!(
            "memory: {:.0} kB a game of {} moves",
            after.saturating_sub(before) as f64 / 1024.0 / GAMES as f64,
            moves / GAMES
        ),
        _ => println!("memory: this system does not tell"),
    }
    assert!(
        a_second >= LEAST_A_SECOND,
        "{a_second:.0} moves a second are fewer than {LEAST_A_SECOND}"
    );
}

fn profile() -> Profile {
    let mut profile = Profile {
        device: Some(DeviceApproval {
            by: "arbiter".to_owned(),
            scope: "all".to_owned(),
        }),
        time_control: "90m+30s".parse().ok(),
        ..Profile::default()
    };
    profile.sides.white.board = Sensors::Occupancy;
    profile
}

/// Everything that happens in one random game.
fn script(seed: u64) -> Vec<(Moment, Input)> {
    let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut now = Moment::START;
    let mut script = vec![(now, Input::Ruling(Ruling::Start))];
    let mut chess = Chess::default();
    for _ in 0..PLIES {
        let legal = chess.legal_moves();
        if legal.is_empty() || chess.is_insufficient_material() {
            break;
        }
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        let played = legal[dice as usize % legal.len()];
        now = now + Duration::from_secs(2);
        let side = chess.turn();
        let said = announcement(played);
        let act = |person, act| (now, Input::Act { person, act });
        script.push(act(Person::Player(side), Act::Announce(said.clone())));
        let before = chess.clone();
        chess.play_unchecked(played);
        if side == Color::White {
            script.extend(handled(&before, &chess).map(|fact| (now, on_whites_board(fact))));
        }
        let means = Means::Key(Person::Player(side));
        script.push((now, Input::Pressed { side, means }));
        script.push(act(Person::Player(!side), Act::Repeat(said)));
        if side == Color::Black {
            script.extend(handled(&before, &chess).map(|fact| (now, on_whites_board(fact))));
        }
    }
    script
}

fn on_whites_board(fact: Fact) -> Input {
    Input::Board {
        board: Color::White,
        fact,
    }
}

/// The long form of a move.
fn announcement(played: Move) -> Announcement {
    match (played.castling_side(), played.from()) {
        (Some(side), _) => Announcement::of_castling(side),
        (None, from) => Announcement::Move(MoveAnnouncement {
            piece: Some(played.role()),
            from,
            to: played.to(),
            capture: played.is_capture(),
            promotion: played.promotion(),
            mark: None,
        }),
    }
}

/// The facts of a board on which hands turn one position into another.
fn handled(before: &Chess, after: &Chess) -> impl Iterator<Item = Fact> {
    let (before, after) = (before.board().clone(), after.board().clone());
    let lifted: Vec<Fact> = before
        .iter()
        .filter(|&(square, piece)| after.piece_at(square) != Some(piece))
        .map(|(square, piece)| Fact::Lifted {
            square,
            piece: Some(piece),
        })
        .collect();
    let placed: Vec<Fact> = after
        .iter()
        .filter(|&(square, piece)| before.piece_at(square) != Some(piece))
        .map(|(square, piece)| Fact::Placed {
            square,
            piece: Some(piece),
        })
        .collect();
    lifted.into_iter().chain(placed)
}

/// The memory this process holds, if the system tells.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures memory")]
fn resident_bytes() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}
