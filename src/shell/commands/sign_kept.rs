//! Signing the score of a kept game: the signature is an entry of its record, as at the table
//! (8.7).

use std::path::Path;
use std::time::Duration;

use shakmaty::Color;

use crate::game::{Act, Input};
use crate::journal::{Body, replay};
use crate::laws::GameResult;
use crate::persons::Person;
use crate::score::Score;
use crate::shell::error::{Result, told};
use crate::shell::record::catalogue;
use crate::shell::record::store::Store;
use crate::shell::session::assemble;

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

/// Writes the signature into the record, and gives the score as it is then.
///
/// # Errors
///
/// `ErrorKind::DeviceBusy` while another annexd plays the game; those of writing it.
pub(super) fn sign(path: &Path, side: Color) -> Result<Score> {
    let (mut store, entries) = Store::resume(path)?;
    let unreadable = |error| told!(BadInput, GameUnreadable, path = path.display(), why = error);
    let mut replayed = replay(&entries).map_err(unreadable)?;
    let score = replayed.game.score(side);
    if score.signatures().iter().any(|it| it.side == side) {
        return Ok(score.clone());
    }
    let at = replayed.last + Duration::from_millis(1);
    let input = Input::Act {
        person: Person::Player(side),
        act: Act::Sign,
    };
    let effects = replayed.game.handle(at, input.clone());
    let step = Body::Step { input, effects };
    store.append(&mut [assemble::entry(at, step)])?;
    Ok(replayed.game.score(side).clone())
}
