//! A whole table from a seed: players, assistants, an arbiter, boards and clocks that do anything
//! at any time, and what must hold after each event. A failure names its seed.

use std::time::Duration;

use annexd::board::Fact;
use annexd::game::{
    Act, Command, Device, DeviceApproval, Duty, Effect, Game, Heard, Input, Irregularity, Means,
    MicrophoneState, Microphones, Origin, Phase, Profile, Ruling, Said, Sensors, VoiceMark,
};
use annexd::laws::Edition;
use annexd::moment::Moment;
use annexd::notation::{Announcement, MoveAnnouncement};
use annexd::persons::{Channel, Person};
use shakmaty::{CastlingSide, Color, Position, Role, Square};

/// Small, fast and good enough to throw dice (xorshift64*).
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % sides
    }

    fn any<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.throw(of.len())]
    }

    fn often(&mut self, percent: usize) -> bool {
        self.throw(100) < percent
    }
}

const SIDES: [Color; 2] = [Color::White, Color::Black];

fn profile(dice: &mut Dice) -> Profile {
    let mut profile = Profile {
        edition: dice.any(&Edition::ALL),
        arbiter: dice.often(60),
        time_control: dice
            .any(&["90m/40+30m+30s", "5m+3s", "1m", "25m+d5s"])
            .parse()
            .ok(),
        two_boards: dice.often(80),
        adjournment: dice.often(50),
        microphones: dice.any(&[Microphones::Own, Microphones::Shared]),
        device: Some(DeviceApproval {
            by: "arbiter".to_owned(),
            scope: "the game".to_owned(),
        }),
        ..Profile::default()
    };
    for side in SIDES {
        let player = &mut profile.sides[side];
        player.visually_disabled = side == Color::White || dice.often(20);
        player.ear = dice.often(70);
        player.board = dice.any(&[Sensors::None, Sensors::Occupancy, Sensors::Pieces]);
        if dice.often(50) {
            player.duties = Duty::ALL.into();
        }
    }
    profile
}

fn announcement(dice: &mut Dice, game: &Game) -> Announcement {
    if dice.often(5) {
        let side = dice.any(&[CastlingSide::KingSide, CastlingSide::QueenSide]);
        return Announcement::of_castling(side);
    }
    let board = game.position().clone();
    let mut chess_move = None;
    if dice.often(70) {
        let setup = shakmaty::Setup {
            board: board.clone(),
            turn: game.turn(),
            ..shakmaty::Setup::empty()
        };
        if let Ok(chess) = <shakmaty::Chess as shakmaty::FromSetup>::from_setup(
            setup,
            shakmaty::CastlingMode::Standard,
        ) {
            let moves = chess.legal_moves();
            if !moves.is_empty() {
                chess_move = Some(moves[dice.throw(moves.len())]);
            }
        }
    }
    let square = |dice: &mut Dice| Square::new(dice.throw(64) as u32);
    let (piece, from, to, promotion) = match chess_move {
        Some(legal) => (legal.role(), legal.from(), legal.to(), legal.promotion()),
        None => (dice.any(&Role::ALL), Some(square(dice)), square(dice), None),
    };
    Announcement::Move(MoveAnnouncement {
        piece: Some(piece),
        from: from.filter(|_| dice.often(80)),
        to,
        capture: board.piece_at(to).is_some(),
        promotion,
        mark: None,
    })
}

const COMMANDS: [Command; 22] = [
    Command::Yes,
    Command::No,
    Command::Stop,
    Command::Repeat,
    Command::Time,
    Command::Moves,
    Command::LastMove,
    Command::Turn,
    Command::OfferDraw,
    Command::Accept,
    Command::Decline,
    Command::OpenOffer,
    Command::Resign,
    Command::Arbiter,
    Command::Adjust,
    Command::ClaimRepetition,
    Command::ClaimFiftyMoves,
    Command::ClaimTime,
    Command::Press,
    Command::ReadScore,
    Command::Help,
    Command::Yes,
];

fn input(dice: &mut Dice, game: &Game) -> Input {
    let side = dice.any(&SIDES);
    let person = dice.any(&[
        Person::Player(side),
        Person::Player(side),
        Person::Player(game.turn()),
        Person::Assistant(side),
        Person::Arbiter,
    ]);
    let square = Square::new(dice.throw(64) as u32);
    match dice.throw(20) {
        0..=4 => Input::Act {
            person: Person::Player(game.turn()),
            act: Act::Announce(announcement(dice, game)),
        },
        5 | 6 => Input::Act {
            person: Person::Player(!game.turn()),
            act: match game.last_announcement() {
                Some(last) if dice.often(80) => Act::Repeat(last.clone()),
                _ => Act::Repeat(announcement(dice, game)),
            },
        },
        7..=9 => Input::Pressed {
            side: if dice.often(80) {
                game.to_press()
            } else {
                side
            },
            means: dice.any(&[
                Means::Key(Person::Player(game.to_press())),
                Means::Chessclock,
            ]),
        },
        10 | 11 => Input::Board {
            board: side,
            fact: match dice.throw(4) {
                0 => Fact::Lifted {
                    square,
                    piece: None,
                },
                1 => Fact::Placed {
                    square,
                    piece: None,
                },
                2 => Fact::Settled(game.placement(side).clone()),
                _ => Fact::Settled(game.position().clone()),
            },
        },
        12 | 13 => {
            let said = match dice.throw(6) {
                0 => Said::Correction(dice.often(50).then(|| announcement(dice, game))),
                1 => Said::Piece(dice.any(&Role::ALL)),
                2 => Said::Square(square),
                _ => Said::Move(announcement(dice, game)),
            };
            Input::Heard {
                origin: Origin::Microphone(dice.any(&[Some(side), None])),
                heard: Heard::Clear(said),
            }
        }
        14 => {
            // Ends are rare, so that games last.
            let command = dice.any(&COMMANDS);
            let is_end = matches!(command, Command::Resign | Command::Accept);
            Input::Heard {
                origin: Origin::Console(person),
                heard: Heard::Clear(Said::Command(if is_end && dice.often(90) {
                    Command::Turn
                } else {
                    command
                })),
            }
        }
        _ => other_input(dice, game, side, person),
    }
}

fn other_input(dice: &mut Dice, game: &Game, side: Color, person: Person) -> Input {
    match dice.throw(5) {
        0 => ruling(dice, game, side),
        1 => Input::Act {
            person,
            act: act(dice, game, side),
        },
        2 => Input::Voice {
            channel: dice.any(&[Channel::Table, Channel::Ear(side)]),
            utterance: dice.throw(50) as u32,
            mark: dice.any(&[VoiceMark::Begun, VoiceMark::Finished, VoiceMark::Unheard]),
        },
        3 => Input::Microphone {
            side: dice.any(&[Some(side), None]),
            state: dice.any(&[MicrophoneState::Open, MicrophoneState::Muted]),
        },
        _ => Input::Device {
            device: dice.any(&[Device::Board(side), Device::Clock, Device::Disk]),
            present: dice.often(50),
        },
    }
}

fn ruling(dice: &mut Dice, game: &Game, side: Color) -> Input {
    Input::Ruling(match dice.throw(12) {
        0 => Ruling::Stop,
        1..=4 => Ruling::Restart { clock: None },
        5 => Ruling::Accept {
            proposal: dice.throw(6) as u32,
        },
        6 => Ruling::SetClock {
            side,
            left: Duration::from_secs(dice.throw(4000) as u64),
        },
        7 => Ruling::Restore {
            plies: dice.throw(game.plies() + 2) as u32,
        },
        8 => Ruling::DecideClaim {
            upheld: dice.often(10),
        },
        9 => Ruling::Report {
            side,
            irregularity: Irregularity::TwoHands,
        },
        10 => Ruling::Adjourn,
        _ => Ruling::OpenEnvelope {
            replier_present: dice.often(80),
        },
    })
}

fn act(dice: &mut Dice, game: &Game, side: Color) -> Act {
    match dice.throw(9) {
        0 => Act::Correct(None),
        1 => Act::Correct(Some(announcement(dice, game))),
        2 => Act::RejectAnnouncement,
        3 => Act::Executed { board: side },
        4 => Act::Moved,
        5 => Act::ReportTouch {
            square: None,
            piece: None,
        },
        6 => Act::Seal(announcement(dice, game)),
        7 => Act::AskComparison,
        _ => Act::ClaimIllegalMove,
    }
}

/// What must hold after each event.
fn check(game: &Game, before: usize, effects: &[Effect], now: Moment) -> Result<(), String> {
    let entries = game.score(Color::White).entries().len();
    if entries != game.plies() {
        return Err(format!(
            "{entries} moves in the score, {} made",
            game.plies()
        ));
    }
    if game.plies() > before + 2 {
        return Err("more than two moves at once".to_owned());
    }
    let stands = matches!(
        game.phase(),
        Phase::BeforePlay | Phase::Stopped | Phase::Ended
    );
    if stands && game.running().is_some() {
        return Err(format!("a clock runs in {:?}", game.phase()));
    }
    if game.deadline().is_some_and(|due| due <= now) {
        return Err("a deadline was not kept".to_owned());
    }
    for effect in effects {
        if let Effect::Say {
            channel: Channel::Table,
            phrase,
            ..
        } = effect
            && phrase.key.is_private()
            && SIDES.into_iter().all(|side| game.profile().sides[side].ear)
        {
            return Err(format!("private at the table: {:?}", phrase.key));
        }
        if let Effect::Ended(ending) = effect
            && game.ending() != Some(ending)
        {
            return Err("ended and not ended".to_owned());
        }
    }
    Ok(())
}

/// Plays so many events from a seed, over as many games as it takes.
fn simulate(seed: u64, events: usize) {
    let mut dice = Dice(seed | 1);
    let mut done = 0;
    while done < events {
        let profile = profile(&mut dice);
        let mut game = Game::new(profile.clone());
        let mut now = Moment::START;
        let mut inputs = vec![(now, Input::Ruling(Ruling::Start))];
        game.handle(now, inputs[0].1.clone());
        for step in 0..500 {
            now = now + Duration::from_millis(dice.throw(4000) as u64);
            let input = input(&mut dice, &game);
            let before = game.plies();
            let effects = game.handle(now, input.clone());
            inputs.push((now, input));
            done += 1;
            if let Err(wrong) = check(&game, before, &effects, now) {
                panic!("seed {seed}, step {step} ({:?}): {wrong}", inputs.last());
            }
        }
        let mut again = Game::new(profile);
        for (at, input) in inputs {
            again.handle(at, input);
        }
        assert_eq!(
            format!("{again:?}"),
            format!("{game:?}"),
            "seed {seed}: replay differs"
        );
    }
}

#[test]
fn a_random_table_keeps_what_must_hold() {
    for seed in 1..=20 {
        simulate(seed, 1000);
    }
}

#[test]
#[ignore = "a million events; make soak runs it"]
fn a_random_table_keeps_what_must_hold_for_long() {
    for seed in 1000..1100 {
        simulate(seed, 10_000);
    }
}
