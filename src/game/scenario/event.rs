//! What happens in a scenario.

use shakmaty::{Board, CastlingSide, Color, Role, Square};

use super::deeds::{arbiter_says, person_does};
use super::squares::{a_color, a_time, data, json, person, plain_move};
use super::words::{Words, nearest};
use crate::board::Fact;
use crate::{
    Act, ClockNotice, Device, Game, Heard, Input, MachineNotice, Means, Origin, Ruling, Sensors,
    VoiceMark,
};
use annexd_laws::clock::ClockSide;
use annexd_laws::notation::{Announcement, MoveAnnouncement};
use annexd_laws::persons::{Channel, Person, Sides};

/// One event, which may be several inputs in a row.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// These inputs.
    Inputs(Vec<Input>),
    /// The flag of a side falls.
    FlagFalls(Color),
    /// The board of a side comes to rest as it is.
    Settles(Color),
    /// Both sides play these moves in full: announced, made, repeated, executed, pressed.
    Plays(Vec<(Square, Square, Option<Role>)>),
}

impl Event {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let words = Words::of(text);
        let low = words.low();
        match low.as_slice() {
            // Time passes: whatever is due comes now.
            ["wait" | "waits"] => Ok(one(Input::Deadline)),
            ["both", "play" | "plays", ..] => Ok(Self::Plays(
                words
                    .raw_from(2)
                    .iter()
                    .map(|word| plain_move(word))
                    .collect::<Result<_, _>>()?,
            )),
            ["flag", side, ..] => Ok(Self::FlagFalls(a_color(side)?)),
            ["chessclock" | "clock", ..] => chessclock(&words).map(one),
            ["table" | "ear" | "device", ..] => device_event(&words).map(one),
            ["computer", what, much] => computer(what, much).map(one),
            ["program", "resumes"] => Ok(one(Input::Resumed)),
            ["program", "was", "away"] => Ok(one(Input::Machine(MachineNotice::Away))),
            ["shared", "says", ..] => {
                let heard = Heard::Clear(super::deeds::said(&words.after(2))?);
                let origin = Origin::Microphone(None);
                Ok(one(Input::heard(origin, heard)))
            }
            [who, rest @ ..] => {
                let Some((person, used)) = person(who, rest.first().copied()) else {
                    return Err(format!(
                        "nobody is called {who}: events begin with white, black, white-assistant, \
                         black-assistant, arbiter, both play, flag, chessclock, computer, device, \
                         shared says, table, ear or wait"
                    ));
                };
                Self::of_person(person, &words.after(1 + used))
            }
            [] => Err("something must happen at that time".to_owned()),
        }
    }

    fn of_person(person: Person, words: &Words) -> Result<Self, String> {
        let low = words.low();
        let side = person.side();
        match (side, low.as_slice()) {
            (Some(side), ["settles"]) => return Ok(Self::Settles(side)),
            (Some(side), ["flag" | "flags", ..]) if matches!(person, Person::Player(_)) => {
                return Ok(Self::FlagFalls(side));
            }
            (Some(side), ["moves", squares]) => {
                let (from, to, _) = plain_move(squares)?;
                let [from, to] = [
                    Fact::Lifted {
                        square: from,
                        piece: None,
                    },
                    Fact::Placed {
                        square: to,
                        piece: None,
                    },
                ];
                let facts = [from, to].map(|fact| Input::Board { board: side, fact });
                return Ok(Self::Inputs(facts.to_vec()));
            }
            _ => {}
        }
        if person == Person::Arbiter
            && let Some(ruling) = arbiter_says(words)?
        {
            return Ok(one(Input::Ruling(ruling)));
        }
        person_does(person, words).map(one)
    }

    /// The input number `step` of the event, if there is one.
    pub(super) fn input(&self, step: usize, game: &Game) -> Option<Input> {
        match self {
            Self::Inputs(inputs) => inputs.get(step).cloned(),
            Self::FlagFalls(side) => (step == 0).then(|| flag_falls(game, *side)),
            Self::Settles(board) => (step == 0).then(|| Input::Board {
                board: *board,
                fact: Fact::Settled(game.placement(*board).clone()),
            }),
            Self::Plays(moves) => {
                // Each move is six inputs. One that does not apply to a board without sensors is
                // replaced by a deadline that is not due.
                let (from, to, promotion) = *moves.get(step / 6)?;
                Some(played(game, step % 6, from, to, promotion))
            }
        }
    }
}

fn one(input: Input) -> Event {
    Event::Inputs(vec![input])
}

impl Event {
    /// The side whose time is over, if the program's own clock shows it and nobody may set that
    /// clock.
    pub(super) fn runs_down(&self, game: &Game) -> Option<Color> {
        let has_own = game.profile().clock != crate::ClockKind::Read;
        match self {
            Self::FlagFalls(side) if has_own && !game.profile().arbiter => Some(*side),
            _ => None,
        }
    }
}

/// A counting chessclock reports the flag; the program's own clock is set to zero.
fn flag_falls(game: &Game, side: Color) -> Input {
    if game.profile().clock == crate::ClockKind::Read {
        Input::ClockTells(ClockNotice::FlagFallen(side))
    } else if !game.profile().arbiter {
        // Nobody rules there: the clock was run down before the event.
        Input::Deadline
    } else {
        let left = std::time::Duration::ZERO;
        Input::Ruling(Ruling::SetClock { side, left })
    }
}

/// The inputs of one whole move, one after the other.
fn played(game: &Game, part: usize, from: Square, to: Square, promotion: Option<Role>) -> Input {
    let announcer = if part < 3 { game.turn() } else { !game.turn() };
    let said = || long_form(game, announcer, from, to, promotion);
    let senses = |side| game.profile().sides[side].board != Sensors::None;
    let act = |person, act| Input::Act { person, act };
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
        // The other side repeats the last announcement word for word, and executes it.
        3 => match game.last_announcement() {
            Some(last) => act(Person::Player(!announcer), Act::Repeat(last.clone())),
            None => Input::Deadline,
        },
        4 if senses(!announcer) && game.profile().two_boards => Input::Board {
            board: !announcer,
            fact: Fact::Settled(game.position().clone()),
        },
        // Only the player himself can say what stands on a board without sensors.
        4 if game.profile().two_boards && game.profile().is_visually_disabled(!announcer) => {
            let board = !announcer;
            act(Person::Player(board), Act::Executed { board })
        }
        _ => Input::Deadline,
    }
}

/// The mover's board after a plain move; castling is the king's two steps.
fn after(game: &Game, from: Square, to: Square, promotion: Option<Role>) -> Board {
    let mut board = game.position().clone();
    if let Some(piece) = board.remove_piece_at(from) {
        let role = promotion.unwrap_or(piece.role);
        if piece.role == Role::Pawn && from.file() != to.file() && board.piece_at(to).is_none() {
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
        }
        board.set_piece_at(to, shakmaty::Piece { role, ..piece });
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

fn chessclock(words: &Words) -> Result<Input, String> {
    let low = words.low();
    let low = low.get(1..).unwrap_or_default();
    Ok(match low {
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
        ["flag", "fallen" | "falls", side] => {
            Input::ClockTells(ClockNotice::FlagFallen(a_color(side)?))
        }
        ["flag", "shown", side] => Input::ClockTells(ClockNotice::FlagShown(a_color(side)?)),
        ["jumps", side] => Input::ClockTells(ClockNotice::Jumped(a_color(side)?)),
        ["freezes"] => Input::ClockTells(ClockNotice::Frozen),
        ["battery", "low"] => Input::ClockTells(ClockNotice::BatteryLow),
        ["tells", ..] => Input::ClockTells(json(&words.rest(2))?),
        ["has", "white", side] => Input::WhiteSitsAt(data::<ClockSide>(side)?),
        other => {
            return Err(format!(
                "a chessclock does not do this: {}; it shows TIME TIME white runs, flag falls \
                 white, flag shown white, jumps white, freezes, battery low, has white left",
                other.join(" ")
            ));
        }
    })
}

/// Reads `computer slept 5:00` and `computer battery 10`.
fn computer(what: &str, much: &str) -> Result<Input, String> {
    let notice = match what {
        "slept" => MachineNotice::Slept(a_time(much)?),
        "battery" => {
            let percent = much.parse().map_err(|_| format!("{much}: no percentage"))?;
            MachineNotice::BatteryAt(percent)
        }
        other => {
            return Err(format!(
                "a computer slept or tells of its battery, not {other}"
            ));
        }
    };
    Ok(Input::Machine(notice))
}

fn device_event(words: &Words) -> Result<Input, String> {
    let mark = |word: &str| match word {
        "begins" => Ok(VoiceMark::Begun),
        "finishes" => Ok(VoiceMark::Finished),
        "breaks" => Ok(VoiceMark::Unheard),
        "shows" => Ok(VoiceMark::Shown),
        other => Err(format!(
            "a voice begins, finishes, breaks or shows, not {other}"
        )),
    };
    let utterance = |word: &str| word.parse().map_err(|_| format!("{word}: no number"));
    let low = words.low();
    match low.as_slice() {
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
        ["device", "ear", side, state @ ("shared" | "private")] => Ok(Input::Ear {
            side: a_color(side)?,
            shared: *state == "shared",
        }),
        ["device", "console", side, state @ ("lost" | "found")] => Ok(Input::Console {
            side: a_color(side)?,
            present: *state == "found",
        }),
        ["device", .., state @ ("lost" | "found")] => Ok(Input::Device {
            device: device(words)?,
            present: *state == "found",
        }),
        other => Err(format!("nothing like this happens: {}", other.join(" "))),
    }
}

/// Reads `board white`, `clock`, `disk`, or a device as the record writes it.
fn device(words: &Words) -> Result<Device, String> {
    let low = words.low();
    let named = low.get(1..low.len() - 1).unwrap_or_default();
    Ok(match named {
        ["board", side] => Device::Board(a_color(side)?),
        ["gamepad", side] => Device::Gamepad(a_color(side)?),
        ["braille", side] => Device::Braille(a_color(side)?),
        ["microphone", "shared"] => Device::Microphone(None),
        ["microphone", side] => Device::Microphone(Some(a_color(side)?)),
        ["clock" | "chessclock"] => Device::Clock,
        ["disk"] => Device::Disk,
        ["voice", "table"] => Device::Voice(Channel::Table),
        ["voice", side] => Device::Voice(Channel::Ear(a_color(side)?)),
        [one] if one.starts_with(['{', '"']) => json(words.raw(1))?,
        other => {
            let known = [
                "board",
                "console",
                "gamepad",
                "braille",
                "microphone",
                "clock",
                "disk",
                "voice",
            ];
            let word = other.first().copied().unwrap_or_default();
            return Err(format!(
                "no device: {}{}",
                other.join(" "),
                nearest(word, &known)
            ));
        }
    })
}
