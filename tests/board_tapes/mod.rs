//! Recordings of games as people really play them, made by a generator of its own: each has to
//! replay to exactly the moves that were played.
#![expect(clippy::disallowed_methods, reason = "games are files")]

mod people;
mod tape;
use crate::told;

use std::fs::File;
use std::path::Path;
use std::sync::Mutex;

use annexd::board::Orientation;
use annexd::shell::boards::Kind;
use annexd::shell::boards::clocks::ClockSide;
use annexd::shell::boards::recording::kind_of;
use annexd::shell::boards::replay::{Line, Settings, replay};
use annexd::shell::boards::simulate::{PlayedGame, Rng, read_games};
use people::{Habits, People};
use shakmaty::{Board, CastlingMode, Chess, Move, Position, Role};
use tape::Recorder;
use told::told;

/// Games of people, where there are any, and else games at random.
fn games(count: usize) -> Vec<PlayedGame> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/games/twic1599_100k.pgn");
    let mut games = File::open(path)
        .ok()
        .and_then(|file| read_games(file, count).ok())
        .unwrap_or_default();
    let mut rng = Rng::new(99);
    while games.len() < count {
        games.push((
            Chess::default(),
            random_game(&Chess::default(), &mut rng, 80),
        ));
    }
    games
}

/// A game at random; what is hard is played more often.
fn random_game(start: &Chess, rng: &mut Rng, plies: usize) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < plies {
        let legal = position.legal_moves();
        let is_special =
            |played: &&Move| played.is_capture() || played.is_castle() || played.is_promotion();
        let special: Vec<Move> = legal.iter().filter(is_special).copied().collect();
        let choices = if rng.per_mille(350) && !special.is_empty() {
            &special[..]
        } else {
            &legal
        };
        let Some(played) = rng.one_of(choices) else {
            break;
        };
        position.play_unchecked(played);
        moves.push(played);
    }
    moves
}

fn uci(moves: &[Move]) -> Vec<String> {
    let word = |played: &Move| played.to_uci(CastlingMode::Standard).to_string();
    moves.iter().map(word).collect()
}

fn lines_of(bytes: &[u8], kind: Kind) -> Vec<Line> {
    let settings = Settings {
        kind,
        position: None,
        orientation: None,
    };
    replay(bytes, &settings)
}

fn replayed(bytes: &[u8], kind: Kind) -> Vec<String> {
    lines_of(bytes, kind)
        .into_iter()
        .filter_map(|line| match line {
            Line::Moved(played) => Some(played.played.to_string()),
            _ => None,
        })
        .collect()
}

fn board_after(start: &Chess, moves: &[Move]) -> Board {
    let mut position = start.clone();
    for &played in moves {
        position.play_unchecked(played);
    }
    position.board().clone()
}

/// One recorded game: what was played and what was told of it.
fn one(
    recorder: &Recorder,
    habits: Habits,
    thought: u64,
    game: &PlayedGame,
    seed: u64,
) -> Option<Fault> {
    let (start, moves) = game;
    let mut people = People::new(habits, thought, seed);
    people.empties = recorder.kind == Kind::Occupancy;
    people.wait(500);
    people.start();
    people.play(start, moves);
    people.stop();
    let reads = recorder.record(start.board(), &people.acts, seed);
    let played = uci(moves);
    let (told, _) = told(&lines_of(&reads.concat(), recorder.kind), &played);
    differing(&told, &played).map(|wrong| match told.strip_prefix(played.as_slice()) {
        Some([note]) if note.ends_with("the moves are not sure") => Fault::Doubt,
        _ => Fault::Wrong(format!("seed {seed}: {wrong}")),
    })
}

/// What is not as it should be in what was told of a game.
#[derive(Debug, PartialEq)]
enum Fault {
    /// Nothing is wrong, but it is called unsure.
    Doubt,
    /// A move.
    Wrong(String),
}

/// Of so many recordings one may be called unsure without need: where slides pass by in no order,
/// several games show the same squares.
const DOUBT_OF: usize = 500;

/// Where what was told departs from what was played.
fn differing(told: &[String], played: &[String]) -> Option<String> {
    (told != played).then(|| {
        let same = told
            .iter()
            .zip(played)
            .take_while(|(told, played)| told == played)
            .count();
        format!(
            "{same} of {} moves right, told {}; then {:?} instead of {:?}",
            played.len(),
            told.len(),
            told.get(same..told.len().min(same + 3)),
            played.get(same..played.len().min(same + 3)),
        )
    })
}

const HABITS: [(&str, Habits); 11] = [
    ("none", NONE),
    (
        "slides",
        Habits {
            slides: 300,
            ..NONE
        },
    ),
    ("swaps", Habits { swaps: 200, ..NONE }),
    ("drags", Habits { drags: 300, ..NONE }),
    (
        "nudges",
        Habits {
            nudges: 200,
            ..NONE
        },
    ),
    ("knocks", Habits { knocks: 60, ..NONE }),
    (
        "illegal",
        Habits {
            illegal: 60,
            ..NONE
        },
    ),
    (
        "taken back",
        Habits {
            takes_back: 60,
            ..NONE
        },
    ),
    ("blitz", Habits { blitz: 200, ..NONE }),
    ("late", Habits { late: 100, ..NONE }),
    (
        "all",
        Habits {
            slides: 200,
            swaps: 100,
            drags: 200,
            nudges: 100,
            knocks: 20,
            illegal: 20,
            takes_back: 20,
            blitz: 60,
            late: 20,
        },
    ),
];

const NONE: Habits = Habits {
    slides: 0,
    swaps: 0,
    drags: 0,
    nudges: 0,
    knocks: 0,
    illegal: 0,
    takes_back: 0,
    blitz: 0,
    late: 0,
};

/// What is recorded, and what of it can be understood at all.
fn recorders() -> Vec<(&'static str, Recorder)> {
    let dgt = Recorder::new(Kind::Dgt);
    let clock = Recorder {
        clock: Some(ClockSide::Left),
        clock_answers: true,
        ..dgt
    };
    let occupancy = Recorder {
        on_change: true,
        ..Recorder::new(Kind::Occupancy)
    };
    vec![
        ("dgt with a clock", clock),
        (
            "dgt rotated, White at the right of the clock",
            Recorder {
                orientation: Orientation::Rotated,
                clock: Some(ClockSide::Right),
                ..dgt
            },
        ),
        ("dgt without a clock", dgt),
        (
            "dgt rotated without a clock",
            Recorder {
                orientation: Orientation::Rotated,
                ..dgt
            },
        ),
        (
            "dgt said twice, with dumps",
            Recorder {
                twice: 300,
                dump_every: Some(1_500),
                ..clock
            },
        ),
        (
            "dgt without a dump",
            Recorder {
                dump: false,
                ..clock
            },
        ),
        ("chesslink", Recorder::new(Kind::Chesslink)),
        (
            "chesslink rotated, said again and again",
            Recorder {
                dump_every: Some(100),
                orientation: Orientation::Rotated,
                ..Recorder::new(Kind::Chesslink)
            },
        ),
        ("cpp", Recorder::new(Kind::Cpp)),
        ("occupancy", occupancy),
    ]
}

/// Whether a recorder of this kind can tell what happens at all.
fn is_told(recorder: &Recorder, habit: &str) -> bool {
    match habit {
        "knocks" | "blitz" | "drags" | "all" => recorder.kind != Kind::Occupancy,
        _ => true,
    }
}

/// `ANNEXD_ONLY` with some words of a recorder's name or a habit's chooses among them.
fn is_asked_for(name: &str, habit: &str) -> bool {
    std::env::var("ANNEXD_ONLY").map_or(true, |only| format!("{name}, {habit}").contains(&only))
}

/// A board that knows no pieces cannot know what a pawn has become; it is told as a queen.
fn is_seen(recorder: &Recorder, (_, moves): &PlayedGame) -> bool {
    let is_rare = |played: &Move| played.promotion().is_some_and(|role| role != Role::Queen);
    recorder.kind != Kind::Occupancy || !moves.iter().any(is_rare)
}

/// Records the games with every habit that a recorder can tell of, and compares.
fn check_recorder(
    (name, recorder): (&str, Recorder),
    games: &[PlayedGame],
    thoughts: &[u64],
    salt: u64,
) -> Checked {
    let mut checked = Checked::default();
    for (habit, habits) in HABITS {
        for &thought in thoughts {
            for (seed, game) in games.iter().enumerate() {
                let is_in_reach = is_told(&recorder, habit) && is_seen(&recorder, game);
                if !is_in_reach || !is_asked_for(name, habit) {
                    continue;
                }
                checked.count += 1;
                match one(&recorder, habits, thought, game, seed as u64 ^ salt) {
                    None => {}
                    Some(Fault::Doubt) => checked.doubts += 1,
                    Some(Fault::Wrong(found)) => {
                        println!("{name}, {habit}, {thought}: {found}");
                        let found = format!("{name}, {habit}, {thought}: {found}");
                        checked.wrong.push(found);
                    }
                }
            }
        }
    }
    let Checked {
        count,
        doubts,
        wrong,
    } = &checked;
    let wrong = wrong.len();
    println!("{name}: {count} recordings, {wrong} of them wrong, {doubts} unsure without need");
    checked
}

/// What came of some recordings.
#[derive(Default)]
struct Checked {
    count: usize,
    doubts: usize,
    wrong: Vec<String>,
}

/// All recorders side by side, as many at a time as there are processors.
fn check_all(games: &[PlayedGame], thoughts: &[u64], salt: u64) {
    let waiting = Mutex::new(recorders());
    let checked = Mutex::new(Checked::default());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = waiting.lock().expect("the others go on").pop();
                    let Some(recorder) = next else { break };
                    let found = check_recorder(recorder, games, thoughts, salt);
                    let mut all = checked.lock().expect("the others go on");
                    all.count += found.count;
                    all.doubts += found.doubts;
                    all.wrong.extend(found.wrong);
                }
            });
        }
    });
    let all = checked.into_inner().expect("all have ended");
    assert!(all.wrong.is_empty(), "wrong: {:#?}", all.wrong);
    let (doubts, count) = (all.doubts, all.count);
    assert!(doubts * DOUBT_OF <= count, "{doubts} of {count} unsure");
}

#[test]
fn games_as_people_play_them_replay_exactly() {
    check_all(&games(3), &[100], 0);
}

/// 12,000 recordings, some minutes; `ANNEXD_ROUNDS` makes it as many times more.
#[test]
#[ignore = "thousands of recordings: make soak"]
fn thousands_of_games_as_people_play_them_replay_exactly() {
    let rounds: u64 = std::env::var("ANNEXD_ROUNDS").map_or(1, |text| text.parse().unwrap());
    let games = games(60);
    for round in 0..rounds {
        check_all(&games, &[100, 4_000], round << 8);
    }
}

#[test]
fn the_protocol_of_a_recording_is_found_out() {
    let game = &games(1)[0];
    for (name, recorder) in recorders() {
        let mut people = People::new(NONE, 500, 1);
        people.empties = true;
        people.play(&game.0, &game.1);
        let bytes = recorder.record(game.0.board(), &people.acts, 1).concat();
        assert_eq!(kind_of(&bytes), recorder.kind, "{name}");
    }
    // Eight bytes a frame and nothing else.
    let raw = [
        0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xf7, 0xff,
    ];
    assert_eq!(kind_of(&raw), Kind::Occupancy);
    let moved = [&raw[..], &[0xff, 0xff, 0, 0, 0x08, 0, 0xf7, 0xff]].concat();
    assert_eq!(replayed(&moved, Kind::Occupancy), ["e2e4"]);
}

fn ends_with_a_king(moves: &[Move]) -> bool {
    let last = moves.iter().rev().take(2);
    last.into_iter().any(|played| played.role() == Role::King)
}

/// The kings show the result, then the pieces are put away; several games in a row.
#[test]
fn games_in_a_row_end_with_their_last_moves() {
    use shakmaty::Square::{D4, D5, E4, E5};
    let results = [[E4, D5], [D5, E4], [D4, E5], [E5, D4], [E4, E5], [D4, D5]];
    let games = games(6);
    for (number, chunk) in games.chunks(3).enumerate() {
        for (round, squares) in results.into_iter().enumerate() {
            for (name, recorder) in recorders() {
                // Without a clock nobody can tell a king's last move from his way to the centre.
                let is_unclear = recorder.clock.is_none()
                    && chunk.iter().any(|(_, moves)| ends_with_a_king(moves));
                if recorder.kind == Kind::Occupancy || is_unclear {
                    continue;
                }
                let seed = (number * 100 + round) as u64;
                let mut people = People::new(NONE, 2_000, seed);
                let mut played = Vec::new();
                for (start, moves) in chunk {
                    people.start();
                    people.play(start, moves);
                    people.stop();
                    let end = board_after(start, moves);
                    let shown = people.show_result(&end, squares);
                    people.set_up(&shown, &Board::new());
                    // The clock is set for the next game.
                    if moves.len() % 2 == 1 {
                        people.press();
                    }
                    played.extend(uci(moves));
                }
                let bytes = recorder.record(&Board::new(), &people.acts, seed).concat();
                let told = replayed(&bytes, recorder.kind);
                assert_eq!(differing(&told, &played), None, "{name}, seed {seed}");
            }
        }
    }
}

#[test]
fn games_from_the_middle_need_no_words() {
    let mut wrong = Vec::new();
    for (seed, (start, moves)) in games(4).iter().enumerate() {
        for from in [9, 20, 31] {
            if moves.len() < from + 10 {
                continue;
            }
            let mut position = start.clone();
            for &played in &moves[..from] {
                position.play_unchecked(played);
            }
            for (name, recorder) in recorders() {
                if recorder.kind == Kind::Occupancy || !recorder.dump {
                    continue;
                }
                let game = (position.clone(), moves[from..].to_vec());
                let found = one(&recorder, NONE, 2_000, &game, seed as u64);
                wrong.extend(found.map(|found| format!("{name} from {from}: {found:?}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_pawn_taken_in_passing_may_be_the_first_move() {
    let start: shakmaty::fen::Fen = "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1".parse().unwrap();
    let start: Chess = start.into_position(CastlingMode::Standard).unwrap();
    let legal = start.legal_moves();
    let taken = legal
        .iter()
        .find(|legal| legal.is_en_passant())
        .copied()
        .unwrap();
    for seed in 0..10 {
        let game = (start.clone(), vec![taken]);
        let found = one(&Recorder::new(Kind::Dgt), NONE, 500, &game, seed);
        assert_eq!(found, None);
    }
}

#[test]
fn a_recording_may_begin_in_the_middle_of_a_message() {
    let (start, moves) = &games(1)[0];
    let mut people = People::new(NONE, 500, 3);
    people.start();
    people.play(start, moves);
    let recorder = Recorder {
        clock: Some(ClockSide::Left),
        ..Recorder::new(Kind::Dgt)
    };
    let bytes = recorder.record(start.board(), &people.acts, 3).concat();
    for cut in 1..66 {
        assert_eq!(
            replayed(&bytes[cut..], Kind::Dgt),
            uci(moves),
            "cut at {cut}"
        );
    }
}
