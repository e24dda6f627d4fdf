//! Signing the score of a kept game: the signature is an entry of its record, as at the table
//! (8.7). Who signs for a seat that has a PIN shows it.

use std::path::Path;
use std::time::Duration;

use shakmaty::Color;

use super::console::{next_typed, pin_missing};
use crate::game::{Act, Game, Input};
use crate::journal::{Body, Entry, SeatEvent, replay};
use crate::laws::GameResult;
use crate::persons::Person;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::score::Score;
use crate::shell::consoles::folded_output;
use crate::shell::consoles::terminal::typed_pin;
use crate::shell::error::{Error, ErrorKind, Fault, Part, Reason, Remedy, Result, told};
use crate::shell::record::catalogue;
use crate::shell::record::store::Store;
use crate::shell::seats::{self, Pin, Seats, Way};
use crate::shell::session::assemble;
use crate::shell::table::signals;
use crate::shell::table::timeline::wall_ms;

/// The player's score of an ended game, if the result that he names is that of the game.
///
/// # Errors
///
/// `ErrorKind::Negative` if the game has not ended, or otherwise; those of reading it.
pub(super) fn to_sign(path: &Path, side: Color, result: Option<GameResult>) -> Result<Score> {
    let (_, replayed) = catalogue::load(path)?;
    let score = replayed.game.score(side).clone();
    match (score.result(), result) {
        (None, _) => Err(told!(Negative, ScoreNeedsResult)),
        (Some(recorded), Some(other)) if recorded != other => {
            let result = recorded.to_string();
            Err(told!(Negative, OtherResultRecorded, result = result))
        }
        _ => Ok(score),
    }
}

/// Writes the signature into the record, and gives the score as it is then. Whose seat has a PIN
/// shows it, with the first line of that file, or typed where nobody sees it; who types a wrong one
/// is asked again. Where the seat never had one, that is recorded and told.
///
/// # Errors
///
/// `ErrorKind::DeviceBusy` while another annexd plays the game; `ErrorKind::Negative` if the PIN is
/// wrong or was tried too often; those of writing it.
pub(super) fn sign(
    path: &Path,
    side: Color,
    pin_file: Option<&Path>,
    language: &Language,
) -> Result<Score> {
    let show = |phrase: Phrase| folded_output::print(&language.text_with_detail(&phrase));
    signals::show_at_end();
    loop {
        let (record, replayed) = catalogue::load(path)?;
        let seats = seats_of(&replayed.game, &record.entries);
        let has_pin = seats.pin(Person::Player(side)).is_some();
        let pin = match pin_file {
            _ if !has_pin => Pin::default(),
            Some(file) => Pin::in_file(file)?,
            None => typed_pin(|key| show(key.into()), next_typed).ok_or_else(pin_missing)?,
        };
        match signed(path, side, &pin)? {
            Ok(score) => {
                if !has_pin {
                    show(without_pin(side));
                }
                return Ok(score);
            }
            Err(why) if why.reason == Reason::Wrong && pin_file.is_none() => show(why.into()),
            Err(why) => return Err(Error::of_fault(ErrorKind::Negative, why)),
        }
    }
}

/// Writes the signature of who has this PIN. A wrong one is recorded before anybody learns that it
/// is, so that who breaks off in between has tried it all the same.
fn signed(path: &Path, side: Color, pin: &Pin) -> Result<std::result::Result<Score, Fault>> {
    let (mut store, entries) = Store::resume(path)?;
    let unreadable = |error| told!(BadInput, GameUnreadable, path = path.display(), why = error);
    let mut replayed = replay(&entries).map_err(unreadable)?;
    let score = replayed.game.score(side);
    if score.signatures().iter().any(|it| it.side == side) {
        return Ok(Ok(score.clone()));
    }
    let at = replayed.last + Duration::from_millis(1);
    let person = Person::Player(side);
    let no = |reason| Fault::new(Part::Pin, reason, Remedy::Again);
    let mut seats = seats_of(&replayed.game, &entries);
    let mut written = match seats.try_pin(seats::BEGIN, person, &Way::Terminal) {
        Ok(None) => vec![assemble::entry(at, Body::Told(without_pin(side)))],
        Ok(Some(kept)) if pin.is(&kept) => Vec::new(),
        Ok(Some(_)) => {
            let (tried, unheard) = (1, 0);
            let event = SeatEvent::WrongPins { tried, unheard };
            store.append(&mut [assemble::entry(at, Body::Seat { person, event })])?;
            return Ok(Err(no(Reason::Wrong)));
        }
        Err(wait) => {
            let wait = format!("{} s", wait.as_secs() + 1);
            return Ok(Err(no(Reason::TooOften).with(wait)));
        }
    };
    let act = Act::Sign;
    let input = Input::Act { person, act };
    let effects = replayed.game.handle(at, input.clone());
    let step = Body::Step { input, effects };
    written.push(assemble::entry(at, step));
    store.append(&mut written)?;
    Ok(Ok(replayed.game.score(side).clone()))
}

fn seats_of(game: &Game, entries: &[Entry]) -> Seats {
    Seats::of(game.profile()).as_recorded(entries, wall_ms())
}

fn without_pin(side: Color) -> Phrase {
    Phrase::new(PhraseKey::SignedWithoutPin, [Argument::Side(side)])
}
