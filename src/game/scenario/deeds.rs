//! What people do in a scenario, and what the arbiter rules.

use shakmaty::{Color, Piece, Role};

use super::squares::{
    a_board, a_color, a_move, a_number, a_square, a_time, announcement, data, json,
};
use super::words::{VERBS, Words, nearest};
use crate::board::Fact;
use crate::{
    Act, Aid, ClaimGround, Command, DeviceApproval, Envelope, Heard, Input, Means, MicrophoneState,
    Origin, Penalty, Question, Ruling, Said,
};
use annexd_laws::Adaptation;
use annexd_laws::moment::Moment;
use annexd_laws::notation::as_words;
use annexd_laws::persons::Person;
use annexd_score::read_score;

fn act(person: Person, act: Act) -> Input {
    Input::Act { person, act }
}

fn keyed(person: Person, command: Command) -> Input {
    let said = Said::Command(command);
    Input::heard(Origin::Console(person), Heard::Clear(said))
}

/// What a person does; `words` begin with the verb.
pub(super) fn person_does(person: Person, words: &Words) -> Result<Input, String> {
    let side = person.side();
    let board = || side.ok_or_else(|| "the arbiter has no board".to_owned());
    let low = words.low();
    let a_move_at = |index: usize| a_move(words.raw(index));
    Ok(match low.as_slice() {
        ["announces", "draw", ..] => keyed(person, Command::OfferDraw),
        ["announces", ..] => act(person, Act::Announce(a_move_at(1)?)),
        ["repeats", ..] => act(person, Act::Repeat(a_move_at(1)?)),
        ["corrects"] => act(person, Act::Correct(None)),
        ["corrects", ..] => act(person, Act::Correct(Some(a_move_at(1)?))),
        ["confirms"] => act(person, Act::ConfirmAnnouncement),
        ["rejects"] => act(person, Act::RejectAnnouncement),
        ["executes", .., on @ ("white" | "black")] => act(
            person,
            Act::Executed {
                board: a_color(on)?,
            },
        ),
        ["executes", ..] => act(person, Act::Executed { board: board()? }),
        ["has", "moves"] => act(person, Act::Moved),
        [
            "claims",
            ground @ ("repetition" | "threefold" | "fifty" | "50"),
            "with",
            _,
        ] => {
            let ground = match *ground {
                "fifty" | "50" => ClaimGround::FiftyMoves,
                _ => ClaimGround::Repetition,
            };
            let intended = a_move_at(3)?;
            act(person, Act::ClaimWithMove { ground, intended })
        }
        ["claims", "illegal", ..] => act(person, Act::ClaimIllegalMove),
        ["claims", "no-attempt" | "no", ..] => act(person, Act::ClaimNoWinningAttempt),
        ["claims", "repetition" | "threefold", ..] => keyed(person, Command::ClaimRepetition),
        ["claims", "fifty" | "50", ..] => keyed(person, Command::ClaimFiftyMoves),
        ["claims", "time" | "flag", ..] => keyed(person, Command::ClaimTime),
        ["reports", "touch", rest @ ..] => {
            let square = rest.first().map(|square| a_square(square)).transpose()?;
            let piece = rest.get(1).map(|_| a_role(words.raw(3))).transpose()?;
            act(person, Act::ReportTouch { square, piece })
        }
        ["seals", ..] => act(person, Act::Seal(a_move_at(1)?)),
        ["recalls", ..] => act(person, Act::RecallSealed(a_move_at(1)?)),
        ["hands", "in", ..] => act(person, handed_in(board()?, &words.rest(2))?),
        ["does", ..] => act(person, json(&words.rest(1))?),
        ["arrives"] => act(person, Act::Arrive),
        ["signs"] => act(person, Act::Sign),
        ["complains", ..] => act(person, Act::Complain(words.rest(1))),
        ["appeals", ..] => act(person, Act::Appeal(words.rest(1))),
        ["demands", "two", "boards"] => act(person, Act::DemandTwoBoards),
        ["reads", "board"] => keyed(person, Command::ReadBoard),
        ["asks", "hint"] => act(person, Act::AskHint),
        ["takes", "back"] => act(person, Act::TakeBack),
        ["asks", rest @ ..] if a_question(rest).is_some() => {
            let said = a_question(rest).ok_or("a question")?;
            Input::heard(Origin::Console(person), Heard::Clear(Said::Question(said)))
        }
        ["asks", "leave"] => act(person, Act::AskLeave),
        ["asks", "comparison"] => act(person, Act::AskComparison),
        ["asks", "adjournment"] => act(person, Act::AskAdjournment),
        ["asks", "five-seconds" | "increment"] => act(person, Act::AskIncrement),
        ["fills", "envelope", ..] => {
            let rest = words.rest(2);
            let (resumption, place) = rest
                .split_once('|')
                .ok_or("write: fills the envelope WHEN | WHERE")?;
            let [resumption, place] = [resumption, place].map(|it| it.trim().to_owned());
            act(person, Act::FillEnvelope(Envelope { resumption, place }))
        }
        _ => return person_keys(person, words),
    })
}

/// Commands and words.
fn person_keys(person: Person, words: &Words) -> Result<Input, String> {
    let side = person.side();
    let low = words.low();
    Ok(match low.as_slice() {
        ["offers", ..] => keyed(person, Command::OfferDraw),
        ["accepts", ..] => keyed(person, Command::Accept),
        ["declines", ..] => keyed(person, Command::Decline),
        ["resigns"] => keyed(person, Command::Resign),
        ["adjusts", ..] => keyed(person, Command::Adjust),
        ["calls", "arbiter"] => keyed(person, Command::Arbiter),
        ["asks" | "keys", command] => keyed(person, data(&in_the_record(command))?),
        ["answers", command @ ("yes" | "no")] => keyed(person, data(command)?),
        ["says", "since", begun, "until", ended, ..] => {
            let [begun, ended] = [begun, ended].map(|word| a_time(word));
            let (begun, ended) = (Moment::START + begun?, Moment::START + ended?);
            Input::Heard {
                origin: Origin::Microphone(side),
                heard: Heard::Clear(said(&words.after(5))?),
                begun: Some(begun),
                ended: Some(ended),
            }
        }
        ["unheeded", "since", begun, "until", ended] => Input::Unheeded {
            side: side.ok_or_else(|| "the arbiter has no microphone".to_owned())?,
            begun: Moment::START + a_time(begun)?,
            ended: Moment::START + a_time(ended)?,
        },
        ["says", ..] => {
            let origin = match person {
                Person::Player(side) => Origin::Microphone(Some(side)),
                other => Origin::Console(other),
            };
            Input::heard(origin, Heard::Clear(said(&words.after(1))?))
        }
        ["types", ..] => {
            let said = said(&words.after(1))?;
            Input::heard(Origin::Console(person), Heard::Clear(said))
        }
        ["mumbles", ..] => {
            let readings = words.raw_from(1).iter();
            let readings = readings.map(|word| a_move(word).map(Said::Move));
            let readings = readings
                .collect::<Result<_, _>>()
                .or_else(|_| said(&words.after(1)).map(|said| vec![said]))?;
            Input::heard(Origin::Microphone(side), Heard::Unclear(readings))
        }
        _ => return person_hands(person, words),
    })
}

/// Handling of pieces, clock and microphone.
fn person_hands(person: Person, words: &Words) -> Result<Input, String> {
    let side = person.side();
    let board = || side.ok_or_else(|| "the arbiter has no board".to_owned());
    let low = words.low();
    Ok(match low.as_slice() {
        ["lifts" | "removes", square] => Input::Board {
            board: board()?,
            fact: Fact::Lifted {
                square: a_square(square)?,
                piece: None,
            },
        },
        ["places", square, rest @ ..] => Input::Board {
            board: board()?,
            fact: Fact::Placed {
                square: a_square(square)?,
                piece: rest.first().map(|_| a_piece(words.raw(2))).transpose()?,
            },
        },
        ["board", ..] => Input::Board {
            board: board()?,
            fact: Fact::Settled(a_board(words.raw(words.raw_from(1).len().min(1)))?),
        },
        ["presses", "chessclock"] => Input::Pressed {
            side: board()?,
            means: Means::Chessclock,
        },
        ["presses"] | ["presses", "clock"] => Input::Pressed {
            side: board()?,
            means: Means::Key(person),
        },
        ["mutes"] => Input::Microphone {
            side,
            state: MicrophoneState::Muted,
        },
        ["unmutes"] => Input::Microphone {
            side,
            state: MicrophoneState::Open,
        },
        [verb, ..] => {
            return Err(format!(
                "nobody can do this: {}{}",
                low.join(" "),
                if VERBS.contains(verb) {
                    " (see what may stand after this word)".to_owned()
                } else {
                    nearest(verb, &VERBS)
                }
            ));
        }
        [] => return Err("then comes what the person does".to_owned()),
    })
}

/// A sheet as it was written, in any notation letters.
fn handed_in(side: Color, sheet: &str) -> Result<Act, String> {
    let read = read_score(sheet, None, 1).map_err(|error| error.to_string())?;
    let score = Box::new(read.score);
    let remarks = Vec::new();
    Ok(Act::HandInScore {
        side,
        score,
        remarks,
    })
}

/// What words say: a move, a correction, a piece, a square or a command.
pub(super) fn said(words: &Words) -> Result<Said, String> {
    let low = words.low();
    Ok(match low.as_slice() {
        ["correction" | "corrects"] => Said::Correction(None),
        ["correction" | "corrects", _] => Said::Correction(Some(a_move(words.raw(1))?)),
        ["piece", _] => Said::Piece(a_role(words.raw(1))?),
        ["square", square] => Said::Square(a_square(square)?),
        [word] => match announcement(words.raw(0)) {
            Some(announced) => Said::Move(announced),
            None => Said::Command(data(&in_the_record(word))?),
        },
        other => Said::Command(data(&other.join("_")).map_err(|_: String| {
            format!(
                "nothing that can be said: {}; write a move, correction MOVE, piece Q, square e4, \
                 or a command of grammar/de/commands.toml",
                other.join(" ")
            )
        })?),
    })
}

/// A question about board or score. A file and a rank are named by one of their squares.
fn a_question(words: &[&str]) -> Option<Question> {
    let square = |word: &str| a_square(word).ok();
    let role = |word: &str| as_words::role::from_word(word.trim_end_matches('s'));
    Some(match words {
        ["square", it] => Question::Square(square(it)?),
        ["file", it] => Question::File(square(it)?.file()),
        ["rank", it] => Question::Rank(square(it)?.rank()),
        ["diagonals", it] => Question::Diagonals(square(it)?),
        ["pieces", side @ ("white" | "black")] => Question::Side(a_color(side).ok()?),
        ["pieces", kind] => Question::Pieces {
            role: role(kind)?,
            side: None,
        },
        ["pieces", kind, side] => Question::Pieces {
            role: role(kind)?,
            side: Some(a_color(side).ok()?),
        },
        ["material"] => Question::Material,
        ["taken"] => Question::Taken,
        ["last", count] => Question::LastMoves(count.parse().ok()?),
        ["score", number] => Question::MovesFrom(number.parse().ok()?),
        _ => return None,
    })
}

/// A command as the record names it: verbs have no `s` there.
fn in_the_record(word: &str) -> String {
    match word {
        "offers" => "offer_draw".to_owned(),
        "moves" => word.to_owned(),
        verb if VERBS.contains(&verb) => {
            let stem = verb.strip_suffix('s').unwrap_or(verb);
            match verb {
                "presses" => "press".to_owned(),
                _ => stem.to_owned(),
            }
        }
        other => other.to_owned(),
    }
}

fn a_role(word: &str) -> Result<Role, String> {
    let letter = word.chars().next().and_then(Role::from_char);
    letter.ok_or_else(|| format!("{word}: no piece: write K, Q, R, B, N or P"))
}

fn a_piece(word: &str) -> Result<Piece, String> {
    let letter = word.chars().next().and_then(Piece::from_char);
    letter.ok_or_else(|| format!("{word}: no piece: write KQRBNP for White's, kqrbnp for Black's"))
}

/// What the arbiter rules; `None` if anybody could do it.
pub(super) fn arbiter_says(words: &Words) -> Result<Option<Ruling>, String> {
    let low = words.low();
    if let ["says" | "orders", _, ..] = low.as_slice()
        && let Ok(Some(ruling)) = arbiter_says(&words.after(1))
    {
        return Ok(Some(ruling));
    }
    Ok(Some(match low.as_slice() {
        ["starts", ..] => Ruling::Start,
        ["stops", ..] => Ruling::Stop,
        ["restarts"] => Ruling::Restart { clock: None },
        ["restarts", side] => Ruling::Restart {
            clock: Some(a_color(side)?),
        },
        ["approves", "device", "by", ..] => approval(&words.rest(3)),
        ["approves", "device"] | ["approves"] => approval("arbiter"),
        ["accepts", proposal] => Ruling::Accept {
            proposal: a_number(proposal)?,
        },
        ["dismisses", proposal] => Ruling::Dismiss {
            proposal: a_number(proposal)?,
        },
        ["upholds", ..] => Ruling::DecideClaim { upheld: true },
        ["denies", ..] => Ruling::DecideClaim { upheld: false },
        ["restores", plies, ..] => Ruling::Restore {
            plies: a_number(plies)?,
        },
        ["sets", "position", ..] => Ruling::SetPosition(
            words
                .rest(2)
                .parse()
                .map_err(|error| format!("{}: {error}", words.rest(2)))?,
        ),
        ["sets", "array", number] => Ruling::SetArray {
            number: a_number(number)?,
        },
        ["sets", side, left] => Ruling::SetClock {
            side: a_color(side)?,
            left: a_time(left)?,
        },
        ["adds" | "gives", side, left] => Ruling::AddTime {
            side: a_color(side)?,
            time: a_time(left)?,
        },
        ["counts", side, moves] => Ruling::SetMoveCounter {
            side: a_color(side)?,
            moves: a_number(moves)?,
        },
        ["calls", "flag", side] => Ruling::CallFlag {
            side: a_color(side)?,
        },
        ["reports", side, what @ ..] if !what.is_empty() => Ruling::Report {
            side: a_color(side)?,
            irregularity: data(&what.join("_"))?,
        },
        _ => return by_hand(words),
    }))
}

/// The arbiter's decisions on boards, scores, penalties and results.
fn by_hand(words: &Words) -> Result<Option<Ruling>, String> {
    let low = words.low();
    Ok(Some(match low.as_slice() {
        ["takes", "back", ..] => Ruling::TakeBack,
        ["compares", ..] => Ruling::Compare,
        ["reads", "verdict"] => Ruling::ReadVerdict,
        ["goes", "back", plies] => Ruling::GoBack {
            plies: a_number(plies)?,
            explanation: None,
        },
        ["sees", "board", side, _] => Ruling::BoardShows {
            board: a_color(side)?,
            placement: a_board(words.raw(3))?,
        },
        ["places", "queen", square] => Ruling::PlaceQueen {
            square: a_square(square)?,
        },
        ["penalises", side, what @ ..] => Ruling::Penalise {
            side: a_color(side)?,
            penalty: penalty(what)?,
        },
        ["adapts", ..] => Ruling::Adapt(adaptation(&words.rest(1))?),
        ["allows", "draw"] => Ruling::AllowDraw,
        [allows @ ("allows" | "forbids"), "board"] => Ruling::Aid {
            aid: Aid::Board,
            is_allowed: *allows == "allows",
        },
        ["allows", side, "time", left] => Ruling::AllowStandingRequest {
            side: a_color(side)?,
            at: a_time(left)?,
        },
        ["ends", "as" | "by", ..] => Ruling::End(json(&words.rest(2))?),
        ["ends", result] => Ruling::Result(
            result
                .parse()
                .map_err(|error| format!("{result}: {error}"))?,
        ),
        ["decides", decision @ ..] => Ruling::DecideQuickplay(quickplay(decision)?),
        ["notes", ..] => Ruling::NoteState,
        ["annuls", ..] => Ruling::Annul,
        ["rules", ..] => json(&words.rest(1))?,
        _ => return adjourning(&low),
    }))
}

/// The arbiter's decisions on an adjournment.
fn adjourning(low: &[&str]) -> Result<Option<Ruling>, String> {
    Ok(Some(match low {
        ["adjourns"] => Ruling::Adjourn,
        ["adjourns", "early", left] => Ruling::AdjournEarly {
            session_left: a_time(left)?,
        },
        ["opens", who @ ("present" | "absent")]
        | ["opens", "envelope", who @ ("present" | "absent")] => Ruling::OpenEnvelope {
            replier_present: *who == "present",
            sealed: None,
        },
        ["opens", ..] => return Err("write: opens present, or opens absent".to_owned()),
        ["resumes", "with", present] | ["resumes", present] => Ruling::Resume {
            present: data(present)?,
        },
        ["misses", "envelope"] => Ruling::EnvelopeMissing {
            position_known: true,
        },
        ["misses", "envelope", "and", "position"] => Ruling::EnvelopeMissing {
            position_known: false,
        },
        _ => return Ok(None),
    }))
}

fn approval(by: &str) -> Ruling {
    Ruling::ApproveDevice(DeviceApproval {
        by: by.to_owned(),
        scope: "the whole game".to_owned(),
    })
}

/// Reads `KEY = VALUE by NAME`.
pub(super) fn adaptation(text: &str) -> Result<Adaptation, String> {
    Adaptation::read(text, "as written").ok_or_else(|| "write: KEY = VALUE by NAME".to_owned())
}

fn penalty(words: &[&str]) -> Result<Penalty, String> {
    let halves = |word: &str| word.parse().map_err(|_| format!("{word}: no number"));
    Ok(match words {
        ["warning"] => Penalty::Warning,
        ["opponent", "more", time] => Penalty::MoreTimeForOpponent(a_time(time)?),
        ["less", time] => Penalty::LessTimeForOffender(a_time(time)?),
        ["opponent", "points", half] => Penalty::MorePointsForOpponent(halves(half)?),
        ["points", half] => Penalty::FewerPointsForOffender(halves(half)?),
        ["exclusion", rounds] => Penalty::ExclusionFromRounds(halves(rounds)?),
        ["loss"] => Penalty::LossOfGame,
        ["fine"] => Penalty::Fine,
        ["expulsion"] => Penalty::Expulsion,
        other => {
            return Err(format!(
                "no penalty: {}; write warning, opponent more TIME, less TIME, opponent points N, \
                 points N (half points), loss, fine, exclusion N or expulsion",
                other.join(" ")
            ));
        }
    })
}

fn quickplay(words: &[&str]) -> Result<annexd_laws::QuickplayDecision, String> {
    use annexd_laws::QuickplayDecision;
    Ok(match words {
        ["later"] => QuickplayDecision::Postpone { with_time: false },
        ["later", "with", "time"] => QuickplayDecision::Postpone { with_time: true },
        [one] => data(&in_the_record(one))?,
        other => data(&other.join("_"))?,
    })
}
