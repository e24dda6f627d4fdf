//! Signs the score of a kept game. As at the table, the signature is an entry of its record (8.7).
//! The signer shows the PIN of his seat, if it has one.

use std::path::Path;
use std::time::Duration;

use shakmaty::Color;

use super::kept_pin::Shown;
use crate::game::{Act, Input};
use crate::journal::{Body, replay};
use crate::laws::GameResult;
use crate::persons::Person;
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::score::Score;
use crate::shell::error::{Result, error};
use crate::shell::record::catalogue;
use crate::shell::record::own_entry;
use crate::shell::record::store::Store;

/// The player's score of an ended game, if the given result is the game's.
///
/// # Errors
///
/// `ErrorKind::Negative` if the game has not ended, or with another result; and those of reading
/// it.
pub(super) fn to_sign(path: &Path, side: Color, result: Option<GameResult>) -> Result<Score> {
    let (_, replayed) = catalogue::load(path)?;
    let score = replayed.game.score(side).clone();
    match (score.result(), result) {
        (None, _) => Err(error!(Negative, ScoreNeedsResult)),
        (Some(recorded), Some(other)) if recorded != other => {
            let result = recorded.to_string();
            Err(error!(Negative, OtherResultRecorded, result = result))
        }
        _ => Ok(score),
    }
}

/// Writes the signature into the record. Returns the score after it. The signer shows the PIN of
/// his seat; if the seat never had one, that is recorded and reported.
///
/// # Errors
///
/// `ErrorKind::DeviceBusy` while another annexd plays the game; and those of the PIN and of writing
/// the record.
pub(super) fn sign(path: &Path, side: Color, shown: &Shown<'_>) -> Result<Score> {
    let person = Person::Player(side);
    let asked = shown.is_asked(path, person)?;
    let (mut store, entries) = Store::resume(path)?;
    let unreadable = |error| error!(BadInput, GameUnreadable, path = path.display(), why = error);
    let mut replayed = replay(&entries).map_err(unreadable)?;
    let at = replayed.last + Duration::from_millis(1);
    let score = replayed.game.score(side);
    if score.signatures().iter().any(|it| it.side == side) {
        return Ok(score.clone());
    }
    let mut written = Vec::new();
    if !asked {
        let phrase = Phrase::new(PhraseKey::SignedWithoutPin, [Argument::Side(side)]);
        shown.show(&phrase);
        written.push(own_entry::entry(at, Body::Told(phrase)));
    }
    let act = Act::Sign;
    let input = Input::Act { person, act };
    let effects = replayed.game.handle(at, input.clone());
    let step = Body::Step { input, effects };
    written.push(own_entry::entry(at, step));
    store.append(&mut written)?;
    Ok(replayed.game.score(side).clone())
}
