//! What happens in a scenario.

use serde::de::DeserializeOwned;
use shakmaty::{Board, CastlingSide, Color, Piece, Role, Square};

use super::squares::{announcement, color, person, time};
use crate::board::Fact;
use crate::game::{
    Act, ClaimGround, Command, Device, DeviceApproval, Game, Heard, Input, Means, MicrophoneState,
    Origin, Ruling, Said, Sensors, VoiceMark,
};
use crate::notation::{Announcement, MoveAnnouncement};
use crate::persons::{Channel, Person, Sides};
use crate::score::read_score;

/// One event; it may be several inputs in a row.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// Time passes.
    Nothing,
    /// These inputs.
    Inputs(Vec<Input>),
    /// The board of a side comes to rest as it is.
    Settles(Color),
    /// Both sides play these moves in full: announced, made, repeated, executed, pressed.
    Plays(Vec<(Square, Square, Option<Role>)>),
}

impl Event {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            // A clock that wakes the game: whatever would come by itself comes now.
            ["wait"] => Ok(one(Input::Deadline)),
            ["both", "play", moves @ ..] => Ok(Self::Plays(
                moves
                    .iter()
                    .map(|word| plain_move(word))
                    .collect::<Result<_, _>>()?,
            )),
            [side, "settles"] => Ok(Self::Settles(a_color(side)?)),
            [side, "moves", squares] => {
                let (from, to, _) = plain_move(squares)?;
                let side = a_color(side)?;
                Ok(Self::Inputs(vec![
                    lifts(side, from),
                    places(side, to, None),
                ]))
            }
            ["chessclock", rest @ ..] => chessclock(rest).map(one),
            ["table" | "ear" | "device", ..] => device_event(&words).map(one),
            ["shared", "says", rest @ ..] => {
                let heard = Heard::Clear(said(rest)?);
                let origin = Origin::Microphone(None);
                Ok(one(Input::Heard { origin, heard }))
            }
            ["arbiter", rest @ ..] if arbiter_says(rest)?.is_some() => {
                Ok(arbiter_says(rest)?.map_or(Self::Nothing, |ruling| one(Input::Ruling(ruling))))
            }
            [who, rest @ ..] => {
                let Some(person) = person(who) else {
                    return Err(format!("nobody is called {who}"));
                };
                person_does(person, rest).map(one)
            }
            [] => Err("something must happen at that time".to_owned()),
        }
    }

    /// The input that comes as number `step`, if there is one.
    pub(super) fn input(&self, step: usize, game: &Game) -> Option<Input> {
        match self {
            Self::Nothing => None,
            Self::Inputs(inputs) => inputs.get(step).cloned(),
            Self::Settles(board) => (step == 0).then(|| Input::Board {
                board: *board,
                fact: Fact::Settled(game.placement(*board).clone()),
            }),
            Self::Plays(moves) => {
                // Each move is six inputs; what does not apply to a board without sensors is a
                // deadline that is not due.
                let (from, to, promotion) = *moves.get(step / 6)?;
                Some(played(game, step % 6, from, to, promotion))
            }
        }
    }
}

fn one(input: Input) -> Event {
    Event::Inputs(vec![input])
}

/// The inputs of one whole move, one after the other.
fn played(game: &Game, part: usize, from: Square, to: Square, promotion: Option<Role>) -> Input {
    let announcer = if part < 3 { game.turn() } else { !game.turn() };
    let said = || long_form(game, announcer, from, to, promotion);
    let senses = |side| game.profile().sides[side].board != Sensors::None;
    match part {
        0 => act(Person::Player(announcer), Act::Announce(said())),
        1 if senses(announcer) => Input::Board {
            board: announcer,
            fact: Fact::Settled(after(game, from, to, promotion)),
        },
        2 => Input::Pressed {
            side: game.to_press(),
            means: Means::Key(Person::Player(game.to_press())),
        },
        // The last announcement is repeated word for word by the other side, and executed.
        3 => match game.last_announcement() {
            Some(last) => act(Person::Player(!announcer), Act::Repeat(last.clone())),
            None => Input::Deadline,
        },
        4 if senses(!announcer) && game.profile().two_boards => Input::Board {
            board: !announcer,
            fact: Fact::Settled(game.position().clone()),
        },
        _ => Input::Deadline,
    }
}

/// What the mover's board shows after a plain move; castling is the king's two steps.
fn after(game: &Game, from: Square, to: Square, promotion: Option<Role>) -> Board {
    let mut board = game.position().clone();
    if let Some(piece) = board.remove_piece_at(from) {
        let role = promotion.unwrap_or(piece.role);
        if piece.role == Role::Pawn && from.file() != to.file() && board.piece_at(to).is_none() {
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
        }
        board.set_piece_at(to, Piece { role, ..piece });
        if let Some(side) = castling(piece.role, from, to) {
            let rank = from.rank();
            let rook = match side {
                CastlingSide::KingSide => Square::from_coords(shakmaty::File::H, rank),
                CastlingSide::QueenSide => Square::from_coords(shakmaty::File::A, rank),
            };
            board.discard_piece_at(rook);
            board.set_piece_at(side.rook_to(piece.color), piece.color.rook());
        }
    }
    board
}

fn castling(role: Role, from: Square, to: Square) -> Option<CastlingSide> {
    let steps = to.file() as i8 - from.file() as i8;
    (role == Role::King && steps.abs() == 2).then(|| CastlingSide::from_king_side(steps > 0))
}

fn long_form(
    game: &Game,
    side: Color,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Announcement {
    let piece = game.position().role_at(from);
    if let Some(side) = piece.and_then(|role| castling(role, from, to)) {
        return Announcement::of_castling(side);
    }
    Announcement::Move(MoveAnnouncement {
        piece,
        from: Some(from),
        to,
        capture: game.position().by_color(!side).contains(to)
            || piece == Some(Role::Pawn) && from.file() != to.file(),
        promotion,
        mark: None,
    })
}

fn act(person: Person, act: Act) -> Input {
    Input::Act { person, act }
}

fn lifts(board: Color, square: Square) -> Input {
    let fact = Fact::Lifted {
        square,
        piece: None,
    };
    Input::Board { board, fact }
}

fn places(board: Color, square: Square, piece: Option<Piece>) -> Input {
    let fact = Fact::Placed { square, piece };
    Input::Board { board, fact }
}

fn person_does(person: Person, words: &[&str]) -> Result<Input, String> {
    let side = person.side();
    let board = || side.ok_or_else(|| "the arbiter has no board".to_owned());
    Ok(match words {
        ["announces", said] => act(person, Act::Announce(a_move(said)?)),
        ["repeats", said] => act(person, Act::Repeat(a_move(said)?)),
        ["corrects"] => act(person, Act::Correct(None)),
        ["corrects", said] => act(person, Act::Correct(Some(a_move(said)?))),
        ["confirms"] => act(person, Act::ConfirmAnnouncement),
        ["rejects"] => act(person, Act::RejectAnnouncement),
        ["executes"] => act(person, Act::Executed { board: board()? }),
        ["executes", on] => act(
            person,
            Act::Executed {
                board: a_color(on)?,
            },
        ),
        ["has", "moved"] => act(person, Act::Moved),
        ["claims", ground @ ("repetition" | "fifty"), "with", said] => {
            let ground = match *ground {
                "fifty" => ClaimGround::FiftyMoves,
                _ => ClaimGround::Repetition,
            };
            let intended = a_move(said)?;
            act(person, Act::ClaimWithMove { ground, intended })
        }
        ["claims", "illegal"] => act(person, Act::ClaimIllegalMove),
        ["claims", "no-attempt"] => act(person, Act::ClaimNoWinningAttempt),
        ["claims", "repetition"] => keyed(person, Command::ClaimRepetition),
        ["claims", "fifty"] => keyed(person, Command::ClaimFiftyMoves),
        ["claims", "time"] => keyed(person, Command::ClaimTime),
        ["reports", "touch", square] => {
            let square = Some(a_square(square)?);
            act(
                person,
                Act::ReportTouch {
                    square,
                    piece: None,
                },
            )
        }
        ["seals", said] => act(person, Act::Seal(a_move(said)?)),
        ["recalls", said] => act(person, Act::RecallSealed(a_move(said)?)),
        ["hands", "in", rest @ ..] => act(person, handed_in(board()?, &rest.join(" "))?),
        ["does", rest @ ..] => act(person, json(&rest.join(" "))?),
        _ => return person_keys(person, words),
    })
}

/// A sheet as it was written, in any letters.
fn handed_in(side: Color, sheet: &str) -> Result<Act, String> {
    let read = read_score(sheet, None, 1).map_err(|error| error.to_string())?;
    let score = Box::new(read.score);
    Ok(Act::HandInScore { side, score })
}

/// Commands, words and hands.
fn person_keys(person: Person, words: &[&str]) -> Result<Input, String> {
    let side = person.side();
    let board = || side.ok_or_else(|| "the arbiter has no board".to_owned());
    Ok(match words {
        ["offers"] => keyed(person, Command::OfferDraw),
        ["accepts"] => keyed(person, Command::Accept),
        ["declines"] => keyed(person, Command::Decline),
        ["resigns"] => keyed(person, Command::Resign),
        ["adjusts"] => keyed(person, Command::Adjust),
        ["calls", "the", "arbiter"] => keyed(person, Command::Arbiter),
        ["asks" | "keys", command] => keyed(person, data(command)?),
        ["says", rest @ ..] => Input::Heard {
            origin: match person {
                Person::Player(side) => Origin::Microphone(Some(side)),
                other => Origin::Console(other),
            },
            heard: Heard::Clear(said(rest)?),
        },
        ["types", move_said] => Input::Heard {
            origin: Origin::Console(person),
            heard: Heard::Clear(Said::Move(a_move(move_said)?)),
        },
        ["mumbles", rest @ ..] => Input::Heard {
            origin: Origin::Microphone(side),
            heard: Heard::Unclear(
                rest.iter()
                    .map(|word| a_move(word).map(Said::Move))
                    .collect::<Result<_, _>>()?,
            ),
        },
        ["lifts", square] => lifts(board()?, a_square(square)?),
        ["places", square] => places(board()?, a_square(square)?, None),
        ["places", square, piece] => {
            let piece = piece.chars().next().and_then(Piece::from_char);
            places(board()?, a_square(square)?, piece)
        }
        ["board", placement] => Input::Board {
            board: board()?,
            fact: Fact::Settled(placement.parse().map_err(|error| format!("{error}"))?),
        },
        ["presses"] => Input::Pressed {
            side: board()?,
            means: Means::Key(person),
        },
        ["presses", "the", "chessclock"] => Input::Pressed {
            side: board()?,
            means: Means::Chessclock,
        },
        ["mutes"] => Input::Microphone {
            side,
            state: MicrophoneState::Muted,
        },
        ["unmutes"] => Input::Microphone {
            side,
            state: MicrophoneState::Open,
        },
        other => return Err(format!("nobody can do this: {}", other.join(" "))),
    })
}

fn arbiter_says(words: &[&str]) -> Result<Option<Ruling>, String> {
    let number = |word: &str| word.parse().map_err(|_| format!("{word}: no number"));
    let a_time = |word: &str| time(word).ok_or_else(|| format!("{word}: no time such as 5:00"));
    Ok(Some(match words {
        ["starts"] => Ruling::Start,
        ["stops"] => Ruling::Stop,
        ["restarts"] => Ruling::Restart { clock: None },
        ["restarts", side] => Ruling::Restart {
            clock: Some(a_color(side)?),
        },
        ["approves", "the", "device"] => Ruling::ApproveDevice(DeviceApproval {
            by: "arbiter".to_owned(),
            scope: "the whole game".to_owned(),
        }),
        ["accepts", proposal] => Ruling::Accept {
            proposal: number(proposal)?,
        },
        ["dismisses", proposal] => Ruling::Dismiss {
            proposal: number(proposal)?,
        },
        ["upholds"] => Ruling::DecideClaim { upheld: true },
        ["denies"] => Ruling::DecideClaim { upheld: false },
        ["restores", plies] => Ruling::Restore {
            plies: number(plies)?,
        },
        ["sets", side, left] => Ruling::SetClock {
            side: a_color(side)?,
            left: a_time(left)?,
        },
        ["adds", side, left] => Ruling::AddTime {
            side: a_color(side)?,
            time: a_time(left)?,
        },
        ["counts", side, moves] => Ruling::SetMoveCounter {
            side: a_color(side)?,
            moves: number(moves)?,
        },
        ["calls", "flag", side] => Ruling::CallFlag {
            side: a_color(side)?,
        },
        ["reports", side, what] => Ruling::Report {
            side: a_color(side)?,
            irregularity: data(what)?,
        },
        ["compares"] => Ruling::Compare,
        ["reads", "the", "verdict"] => Ruling::ReadVerdict,
        ["goes", "back", "to", plies] => Ruling::GoBack {
            plies: number(plies)?,
            explanation: None,
        },
        ["adjourns"] => Ruling::Adjourn,
        ["adjourns", "early", left] => Ruling::AdjournEarly {
            session_left: a_time(left)?,
        },
        ["opens", who] => Ruling::OpenEnvelope {
            replier_present: *who == "present",
            sealed: None,
        },
        ["resumes", "with", present] => Ruling::Resume {
            present: data(present)?,
        },
        ["misses", "the", "envelope"] => Ruling::EnvelopeMissing {
            position_known: true,
        },
        ["misses", "envelope", "and", "position"] => Ruling::EnvelopeMissing {
            position_known: false,
        },
        ["allows", "a", "draw"] => Ruling::AllowDraw,
        ["notes", "the", "state"] => Ruling::NoteState,
        ["decides", decision] => Ruling::DecideQuickplay(data(decision)?),
        ["annuls"] => Ruling::Annul,
        ["rules", rest @ ..] => json(&rest.join(" "))?,
        _ => return Ok(None),
    }))
}

fn chessclock(words: &[&str]) -> Result<Input, String> {
    let a_time = |word: &str| time(word).ok_or_else(|| format!("{word}: no time such as 5:00"));
    Ok(match words {
        ["shows", white, black, state @ ..] => Input::ClockReads {
            left: Sides {
                white: a_time(white)?,
                black: a_time(black)?,
            },
            running: match state {
                ["stands"] => None,
                [side, "runs"] => Some(a_color(side)?),
                _ => return Err("then white runs, black runs or stands".to_owned()),
            },
        },
        ["tells", rest @ ..] => Input::ClockTells(json(&rest.join(" "))?),
        ["has", "white", side] => Input::WhiteSitsAt(data(side)?),
        other => {
            return Err(format!(
                "a chessclock does not do this: {}",
                other.join(" ")
            ));
        }
    })
}

fn device_event(words: &[&str]) -> Result<Input, String> {
    let mark = |word: &str| match word {
        "begins" => Ok(VoiceMark::Begun),
        "finishes" => Ok(VoiceMark::Finished),
        "breaks" => Ok(VoiceMark::Unheard),
        other => Err(format!("a voice begins, finishes or breaks, not {other}")),
    };
    let utterance = |word: &str| word.parse().map_err(|_| format!("{word}: no number"));
    match words {
        ["table", what, number] => Ok(Input::Voice {
            channel: Channel::Table,
            utterance: utterance(number)?,
            mark: mark(what)?,
        }),
        ["ear", side, what, number] => Ok(Input::Voice {
            channel: Channel::Ear(a_color(side)?),
            utterance: utterance(number)?,
            mark: mark(what)?,
        }),
        ["device", device, state @ ("lost" | "found")] => Ok(Input::Device {
            device: json::<Device>(device)?,
            present: *state == "found",
        }),
        other => Err(format!("nothing like this happens: {}", other.join(" "))),
    }
}

fn keyed(person: Person, command: Command) -> Input {
    Input::Heard {
        origin: Origin::Console(person),
        heard: Heard::Clear(Said::Command(command)),
    }
}

fn said(words: &[&str]) -> Result<Said, String> {
    Ok(match words {
        ["correction"] => Said::Correction(None),
        ["correction", said] => Said::Correction(Some(a_move(said)?)),
        ["piece", role] => {
            let role = role.chars().next().and_then(Role::from_char);
            Said::Piece(role.ok_or("no piece: write K, Q, R, B, N or P")?)
        }
        ["square", square] => Said::Square(a_square(square)?),
        [word] => match announcement(word) {
            Some(announced) => Said::Move(announced),
            None => Said::Command(data(word)?),
        },
        other => return Err(format!("nothing that can be said: {}", other.join(" "))),
    })
}

/// `e2e4`, `e7e8=Q`.
fn plain_move(text: &str) -> Result<(Square, Square, Option<Role>), String> {
    match announcement(text) {
        Some(Announcement::Move(MoveAnnouncement {
            from: Some(from),
            to,
            promotion,
            ..
        })) => Ok((from, to, promotion)),
        _ => Err(format!("{text}: write both squares, such as e2e4")),
    }
}

fn a_move(text: &str) -> Result<Announcement, String> {
    announcement(text).ok_or_else(|| format!("{text}: no move such as Ng1f3, e2e4 or O-O"))
}

fn a_square(text: &str) -> Result<Square, String> {
    text.parse().map_err(|_| format!("{text}: no square"))
}

fn a_color(text: &str) -> Result<Color, String> {
    color(text).ok_or_else(|| format!("{text}: write white or black"))
}

fn data<T: DeserializeOwned>(word: &str) -> Result<T, String> {
    serde_json::from_value(serde_json::Value::String(word.to_owned()))
        .map_err(|error| format!("{word}: {error}"))
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))
}
