//! What is agreed, and what people, boards, clocks and microphones do next: mostly what the
//! protocol of the game asks for, often something else, and sometimes what was heard wrong.

use std::time::Duration;

use annexd::board::Fact;
use annexd::game::{
    Act, Agreement, ClaimGround, ClockKind, Command, Device, DeviceApproval, Duty, Envelope, Form,
    Game, Heard, Input, Irregularity, Means, MicrophoneState, Microphones, Mode, Origin, Penalty,
    Phase, Profile, Ruling, Said, Sensors, VoiceMark,
};
use annexd::laws::{Edition, Fault, GameType, Supervision};
use annexd::notation::{Announcement, MoveAnnouncement};
use annexd::persons::{Channel, Person, Sides};
use shakmaty::{Board, CastlingSide, Chess, Color, Move, Position, Role, Square};

use super::dice::Dice;

pub(crate) const SIDES: [Color; 2] = [Color::White, Color::Black];

/// What is agreed before a game.
pub(crate) fn profile(dice: &mut Dice) -> Profile {
    let mut profile = Profile {
        edition: dice.any(&Edition::ALL),
        game_type: dice.any(&GameType::ALL),
        supervision: dice.any(&[Supervision::Adequate, Supervision::Inadequate]),
        mode: dice.any(&[Mode::Rated, Mode::Rated, Mode::Club]),
        arbiter: dice.often(60),
        time_control: dice
            .any(&["90m/40+30m+30s", "5m+3s", "1m", "25m+d5s", "10m/4+2m"])
            .parse()
            .ok()
            .filter(|_| dice.often(95)),
        clock: dice.any(&[ClockKind::Program, ClockKind::Program, ClockKind::Read]),
        default_time: dice.often(20).then_some(Duration::from_secs(900)),
        agreement: dice.any(&[Agreement::Free, Agreement::AfterMoves(3), Agreement::Never]),
        quickplay: dice.often(30),
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
        player.hearing_impaired = dice.often(5);
        player.ear = dice.often(70);
        player.board = dice.any(&[Sensors::None, Sensors::Occupancy, Sensors::Pieces]);
        player.announced_by_program = dice.often(10);
        if dice.often(50) {
            let given = Duty::ALL.into_iter().filter(|_| dice.often(70));
            player.duties = given.collect();
        }
    }
    profile
}

/// A legal move, if the position can be judged.
fn legal(dice: &mut Dice, game: &Game) -> Option<Move> {
    let setup = shakmaty::Setup {
        board: game.position().clone(),
        turn: game.turn(),
        ..shakmaty::Setup::empty()
    };
    let mode = shakmaty::CastlingMode::Standard;
    let chess = <Chess as shakmaty::FromSetup>::from_setup(setup, mode).ok()?;
    let moves = chess.legal_moves();
    (!moves.is_empty()).then(|| moves[dice.throw(moves.len())])
}

/// An announcement: mostly of a legal move, at times in short form or of any move at all.
fn announcement(dice: &mut Dice, game: &Game) -> Announcement {
    if dice.often(4) {
        let side = dice.any(&[CastlingSide::KingSide, CastlingSide::QueenSide]);
        return Announcement::of_castling(side);
    }
    let square = |dice: &mut Dice| Square::new(dice.throw(64) as u32);
    let wanted = if dice.often(90) {
        legal(dice, game)
    } else {
        None
    };
    let (piece, from, to, promotion) = match wanted {
        Some(legal) => (legal.role(), legal.from(), legal.to(), legal.promotion()),
        None => (dice.any(&Role::ALL), Some(square(dice)), square(dice), None),
    };
    Announcement::Move(MoveAnnouncement {
        piece: Some(piece).filter(|_| dice.often(95)),
        from: from.filter(|_| dice.often(85)),
        to,
        capture: game.position().piece_at(to).is_some() && dice.often(90),
        promotion: promotion.filter(|_| dice.often(95)),
        mark: None,
    })
}

/// The same words with one of them heard wrong.
fn misheard(dice: &mut Dice, said: &Announcement) -> Announcement {
    let Announcement::Move(said) = said else {
        return Announcement::of_castling(CastlingSide::QueenSide);
    };
    let mut heard = said.clone();
    let near = |square: Square, by: i32| {
        let index = (u32::from(square) as i32 + by).rem_euclid(64);
        Square::new(index as u32)
    };
    match dice.throw(4) {
        0 => heard.piece = Some(dice.any(&Role::ALL)),
        1 => heard.from = heard.from.map(|from| near(from, 8)),
        2 => heard.capture = !heard.capture,
        _ => heard.to = near(heard.to, 1),
    }
    Announcement::Move(heard)
}

const COMMANDS: [Command; 25] = [
    Command::Yes,
    Command::No,
    Command::Stop,
    Command::Repeat,
    Command::Time,
    Command::TimeInFull,
    Command::Why,
    Command::Moves,
    Command::LastMove,
    Command::Turn,
    Command::OfferDraw,
    Command::Decline,
    Command::OpenOffer,
    Command::Arbiter,
    Command::Adjust,
    Command::ClaimRepetition,
    Command::ClaimFiftyMoves,
    Command::ClaimTime,
    Command::Press,
    Command::ReadScore,
    Command::ReadBoard,
    Command::NextItem,
    Command::PreviousItem,
    Command::Help,
    Command::Yes,
];

/// Moves that games begin with again and again, so that positions repeat.
fn shuffle(game: &Game) -> Option<Announcement> {
    let knight = |from: Square, to: Square| {
        let stands = game.position().piece_at(from);
        let own = stands.is_some_and(|piece| piece.color == game.turn());
        (own && stands.is_some_and(|piece| piece.role == Role::Knight))
            .then(|| Announcement::of_move(Role::Knight, from, to))
    };
    let ways = match game.turn() {
        Color::White => [(Square::G1, Square::F3), (Square::F3, Square::G1)],
        Color::Black => [(Square::G8, Square::F6), (Square::F6, Square::G8)],
    };
    ways.into_iter().find_map(|(from, to)| knight(from, to))
}

/// How a game is played: some shuffle their knights all the time.
pub(crate) struct Habits {
    /// In percent, how often the protocol is kept.
    pub(crate) keeps_to_protocol: usize,
    /// Whether the same positions come again and again.
    pub(crate) shuffles: bool,
}

/// What happens next.
pub(crate) fn next(dice: &mut Dice, game: &Game, habits: &Habits) -> Input {
    if dice.often(habits.keeps_to_protocol) {
        by_protocol(dice, game, habits)
    } else {
        anything(dice, game)
    }
}

/// What the protocol asks for in this state.
fn by_protocol(dice: &mut Dice, game: &Game, habits: &Habits) -> Input {
    let turn = game.turn();
    match game.phase() {
        Phase::BeforePlay => Input::Ruling(Ruling::Start),
        Phase::Stopped => match dice.throw(4) {
            0 => Input::Ruling(Ruling::Accept {
                proposal: dice.throw(8) as u32,
            }),
            1 => command(Person::Player(dice.any(&SIDES)), Command::Yes),
            2 => Input::Ruling(Ruling::DecideClaim {
                upheld: dice.often(20),
            }),
            _ => Input::Ruling(Ruling::Restart { clock: None }),
        },
        Phase::Sealing => act(Person::Player(turn), Act::Seal(announcement(dice, game))),
        Phase::Adjourned => Input::Ruling(open_envelope(dice.often(80))),
        Phase::Ended => act(Person::Player(dice.any(&SIDES)), Act::Sign),
        Phase::Playing => play_on(dice, game, habits),
    }
}

fn play_on(dice: &mut Dice, game: &Game, habits: &Habits) -> Input {
    let turn = game.turn();
    let form = |side: Color| game.expectation(Some(side)).form;
    for side in [turn, !turn] {
        if form(side) == Form::Confirmation {
            let answer = dice.any(&[Command::Yes, Command::No]);
            return command(Person::Player(side), answer);
        }
        if form(side) == Form::Repetition
            && let Some(last) = game.last_announcement()
        {
            return act(Person::Player(side), Act::Repeat(last.clone()));
        }
    }
    let to_press = game.to_press();
    if to_press != turn {
        let means = dice.any(&[Means::Key(Person::Player(to_press)), Means::Chessclock]);
        return Input::Pressed {
            side: to_press,
            means,
        };
    }
    let senses = |side: Color| game.profile().sides[side].board != Sensors::None;
    match form(turn) {
        Form::Origin => heard(turn, Said::Square(dice_square(dice))),
        Form::Promotion => heard(turn, Said::Piece(dice.any(&Role::ALL))),
        Form::Announcement => {
            let said = habits.shuffles.then(|| shuffle(game)).flatten();
            let said = said.unwrap_or_else(|| announcement(dice, game));
            if dice.often(50) {
                heard(turn, Said::Move(said))
            } else {
                act(Person::Player(turn), Act::Announce(said))
            }
        }
        _ if senses(turn) => Input::Board {
            board: turn,
            fact: Fact::Settled(after(game)),
        },
        _ => dice_press(dice, turn),
    }
}

fn dice_press(dice: &mut Dice, side: Color) -> Input {
    if dice.often(50) {
        act(Person::Player(side), Act::Moved)
    } else {
        Input::Pressed {
            side,
            means: Means::Key(Person::Player(side)),
        }
    }
}

/// The placement that the announced move leads to, as plain hands would make it.
fn after(game: &Game) -> Board {
    let mut board = game.position().clone();
    match game.last_announcement() {
        Some(Announcement::Move(said)) => {
            if let Some(piece) = said.from.and_then(|from| board.remove_piece_at(from)) {
                let role = said.promotion.unwrap_or(piece.role);
                board.set_piece_at(said.to, shakmaty::Piece { role, ..piece });
            }
        }
        Some(Announcement::Castling(castling)) => {
            let side = game.turn();
            if let Some(king) = board.king_of(side) {
                let rook = match castling.side {
                    CastlingSide::KingSide => side.fold_wb(Square::H1, Square::H8),
                    CastlingSide::QueenSide => side.fold_wb(Square::A1, Square::A8),
                };
                board.discard_piece_at(king);
                board.discard_piece_at(rook);
                board.set_piece_at(castling.side.king_to(side), side.king());
                board.set_piece_at(castling.side.rook_to(side), side.rook());
            }
        }
        None => {}
    }
    board
}

fn dice_square(dice: &mut Dice) -> Square {
    Square::new(dice.throw(64) as u32)
}

fn act(person: Person, act: Act) -> Input {
    Input::Act { person, act }
}

fn heard(side: Color, said: Said) -> Input {
    Input::heard(Origin::Microphone(Some(side)), Heard::Clear(said))
}

fn command(person: Person, command: Command) -> Input {
    Input::heard(
        Origin::Console(person),
        Heard::Clear(Said::Command(command)),
    )
}

/// The envelope is opened; written as in the record, so that it may grow.
fn open_envelope(replier_present: bool) -> Ruling {
    let json = format!(r#"{{"open_envelope":{{"replier_present":{replier_present}}}}}"#);
    serde_json::from_str(&json).expect("a ruling")
}

/// Anything by anybody.
fn anything(dice: &mut Dice, game: &Game) -> Input {
    let side = dice.any(&SIDES);
    let person = dice.any(&[
        Person::Player(side),
        Person::Player(game.turn()),
        Person::Assistant(side),
        Person::Arbiter,
    ]);
    match dice.throw(12) {
        0 => act(person, Act::Announce(announcement(dice, game))),
        1 => {
            let last = game.last_announcement().cloned();
            let last = last.unwrap_or_else(|| announcement(dice, game));
            let said = if dice.often(50) {
                misheard(dice, &last)
            } else {
                last
            };
            act(person, Act::Repeat(said))
        }
        2 => Input::Pressed {
            side,
            means: dice.any(&[Means::Key(person), Means::Chessclock]),
        },
        3 => board_fact(dice, game, side),
        4 | 5 => voice_input(dice, game, side),
        6 => {
            // Ends are rare, so that games last.
            let end = dice.any(&[Command::Resign, Command::Accept]);
            let any = dice.any(&COMMANDS);
            command(person, if dice.often(5) { end } else { any })
        }
        7 => Input::Ruling(ruling(dice, game, side)),
        8 | 9 => act(person, any_act(dice, game, side)),
        10 => device(dice, side),
        _ => Input::ClockReads {
            left: Sides {
                white: Duration::from_secs(dice.throw(5400) as u64),
                black: Duration::from_secs(dice.throw(5400) as u64),
            },
            running: dice.any(&[None, Some(side)]),
        },
    }
}

fn board_fact(dice: &mut Dice, game: &Game, board: Color) -> Input {
    let square = dice_square(dice);
    let piece = None;
    let fact = match dice.throw(4) {
        0 => Fact::Lifted { square, piece },
        1 => Fact::Placed { square, piece },
        2 => Fact::Settled(game.placement(board).clone()),
        _ => Fact::Settled(game.position().clone()),
    };
    Input::Board { board, fact }
}

/// Words in a microphone: clear, close to each other, or not understood.
fn voice_input(dice: &mut Dice, game: &Game, side: Color) -> Input {
    let said = match dice.throw(6) {
        0 => Said::Correction(dice.often(50).then(|| announcement(dice, game))),
        1 => Said::Piece(dice.any(&Role::ALL)),
        2 => Said::Square(dice_square(dice)),
        3 => Said::Command(dice.any(&COMMANDS)),
        _ => Said::Move(announcement(dice, game)),
    };
    let heard = match (dice.throw(4), &said) {
        (0, Said::Move(said)) => Heard::Unclear(vec![
            Said::Move(said.clone()),
            Said::Move(misheard(dice, said)),
        ]),
        (1, _) => Heard::Unclear(Vec::new()),
        _ => Heard::Clear(said),
    };
    let origin = Origin::Microphone(dice.any(&[Some(side), None]));
    Input::heard(origin, heard)
}

fn device(dice: &mut Dice, side: Color) -> Input {
    match dice.throw(3) {
        0 => Input::Voice {
            channel: dice.any(&[Channel::Table, Channel::Ear(side)]),
            utterance: dice.throw(50) as u32,
            mark: dice.any(&[VoiceMark::Begun, VoiceMark::Finished, VoiceMark::Unheard]),
        },
        1 => Input::Microphone {
            side: dice.any(&[Some(side), None]),
            state: dice.any(&[
                MicrophoneState::Open,
                MicrophoneState::Open,
                MicrophoneState::Muted,
                MicrophoneState::KeyDown,
            ]),
        },
        _ => Input::Device {
            device: dice.any(&[
                Device::Board(side),
                Device::Clock,
                Device::Disk,
                Device::Microphone(Some(side)),
                Device::Voice(Channel::Table),
                Device::Gamepad(side),
            ]),
            present: dice.often(50),
        },
    }
}

fn ruling(dice: &mut Dice, game: &Game, side: Color) -> Ruling {
    let time = Duration::from_secs(dice.throw(4000) as u64);
    match dice.throw(19) {
        0 => Ruling::Stop,
        1 | 2 => Ruling::Restart {
            clock: dice.any(&[None, Some(side)]),
        },
        3 => Ruling::Accept {
            proposal: dice.throw(8) as u32,
        },
        4 => Ruling::SetClock { side, left: time },
        5 => Ruling::AddTime { side, time },
        6 => Ruling::Restore {
            plies: dice.throw(game.plies() + 2) as u32,
        },
        7 => Ruling::DecideClaim {
            upheld: dice.often(10),
        },
        8 => Ruling::Report {
            side,
            irregularity: dice.any(&[
                Irregularity::TwoHands,
                Irregularity::PressWithoutMove,
                Irregularity::IllegalMove,
                Irregularity::BoardTurned,
                Irregularity::ColoursReversed,
                Irregularity::PiecesDisplaced,
                Irregularity::Disturbance,
                Irregularity::Leaving,
            ]),
        },
        9 => Ruling::Adjourn,
        10 => open_envelope(dice.often(80)),
        11 => Ruling::CallFlag { side },
        12 => Ruling::CountFault {
            side,
            fault: Fault::IllegalMove,
        },
        13 => Ruling::BoardShows {
            board: side,
            placement: game.position().clone(),
        },
        14 => Ruling::Penalise {
            side,
            penalty: dice.any(&[
                Penalty::Warning,
                Penalty::MoreTimeForOpponent(time),
                Penalty::LessTimeForOffender(time),
                Penalty::Fine,
            ]),
        },
        15 => Ruling::AllowStandingRequest { side, at: time },
        16 | 17 => Ruling::TakeBack,
        _ => Ruling::Dismiss {
            proposal: dice.throw(8) as u32,
        },
    }
}

fn any_act(dice: &mut Dice, game: &Game, side: Color) -> Act {
    match dice.throw(19) {
        0 => Act::Correct(None),
        1 => Act::Correct(Some(announcement(dice, game))),
        2 => Act::RejectAnnouncement,
        3 => Act::ConfirmAnnouncement,
        4 => Act::Executed { board: side },
        5 => Act::Moved,
        6 => Act::ReportTouch {
            square: Some(dice_square(dice)),
            piece: None,
        },
        7 => Act::Seal(announcement(dice, game)),
        8 => Act::AskComparison,
        9 => Act::ClaimIllegalMove,
        10 => Act::ClaimWithMove {
            ground: dice.any(&[ClaimGround::Repetition, ClaimGround::FiftyMoves]),
            intended: announcement(dice, game),
        },
        11 => Act::DemandTwoBoards,
        12 => Act::Arrive,
        13 => Act::AskLeave,
        14 => Act::Complain("a draught".to_owned()),
        15 => Act::AskIncrement,
        16 => Act::ClaimNoWinningAttempt,
        17 => Act::FillEnvelope(Envelope {
            resumption: "tomorrow".to_owned(),
            place: "here".to_owned(),
        }),
        _ => Act::Appeal("unfair".to_owned()),
    }
}
