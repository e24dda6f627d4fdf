//! Rebuilds a game from its record.

use thiserror::Error;

use super::entry::{Body, Entry, Locked, Opened};
use crate::{Game, Input};
use annexd_laws::moment::Moment;

/// A game as its record leaves it.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The game.
    pub game: Game,
    /// What was agreed before play.
    pub opened: Opened,
    /// The moment of the last entry.
    pub last: Moment,
    /// The step that sealed the last move, for whoever has its key.
    pub locked: Option<Locked>,
    /// The entries for which this program decides differently from the record. With the program
    /// that wrote the record there are none; a later version may say more or less than an earlier
    /// one.
    pub diverged: Vec<u64>,
}

/// Why a record gives no game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// There is no entry.
    #[error("the record is empty")]
    Empty,
    /// The first entry does not open a game.
    #[error("the first entry does not say what was agreed")]
    NotOpened,
}

/// Replays the inputs of a record, and compares what the game decides with what the record says it
/// decided.
///
/// # Errors
///
/// [`ReplayError`] if the record does not begin as one.
pub fn replay(entries: &[Entry]) -> Result<Replayed, ReplayError> {
    let (first, rest) = entries.split_first().ok_or(ReplayError::Empty)?;
    let Body::Opened(opened) = &first.body else {
        return Err(ReplayError::NotOpened);
    };
    let mut game = Game::new(opened.profile.clone());
    let mut diverged = Vec::new();
    let mut locked = None;
    for entry in rest {
        if let Body::Locked(step) = &entry.body {
            let (utterances, is_sealed) = (step.utterances, step.is_sealed);
            game.handle(
                entry.at,
                Input::Locked {
                    utterances,
                    is_sealed,
                },
            );
            if !is_sealed {
                locked = None;
            } else if step.seals {
                locked = Some(step.clone());
            }
        }
        if let Body::Step { input, effects } = &entry.body
            && game.handle(entry.at, input.clone()) != *effects
        {
            diverged.push(entry.seq);
        }
    }
    Ok(Replayed {
        game,
        opened: (**opened).clone(),
        last: entries.last().map_or(first.at, |entry| entry.at),
        locked,
        diverged,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::FORMAT;
    use crate::{Profile, Ruling};

    fn entry(seq: u64, body: Body) -> Entry {
        Entry {
            seq,
            at: Moment::from_ms(seq * 1000),
            wall_ms: 0,
            body,
        }
    }

    fn opened() -> Body {
        Body::Opened(Box::new(Opened {
            format: FORMAT,
            program: "annexd".to_owned(),
            profile: Profile::default(),
        }))
    }

    #[test]
    fn a_record_gives_its_game_and_notices_other_decisions() {
        let input = Input::Ruling(Ruling::Start);
        let mut game = Game::new(Profile::default());
        let effects = game.handle(Moment::from_ms(2000), input.clone());
        let mut entries = vec![entry(1, opened()), entry(2, Body::Step { input, effects })];
        let replayed = replay(&entries).unwrap();
        assert!(replayed.diverged.is_empty());
        assert_eq!(replayed.last, Moment::from_ms(2000));
        if let Body::Step { effects, .. } = &mut entries[1].body {
            effects.push(crate::Effect::Silence(annexd_laws::persons::Channel::Table));
        }
        assert_eq!(replay(&entries).unwrap().diverged, [2]);
    }

    #[test]
    fn what_is_no_record_is_said_so() {
        assert_eq!(replay(&[]).unwrap_err(), ReplayError::Empty);
        let note = entry(1, Body::Note("nothing".to_owned()));
        assert_eq!(replay(&[note]).unwrap_err(), ReplayError::NotOpened);
    }
}
