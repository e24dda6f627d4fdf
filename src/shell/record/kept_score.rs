//! A player's score with what the record knows about the game: names, date and time control.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use shakmaty::Color;

use super::access::private_file;
use super::seal;
use crate::clock::TimeControl;
use crate::game::Game;
use crate::journal::Entry;
use crate::score::{Score, to_pgn};
use crate::shell::error::{Sentence, sentence};

/// How many scores of one game lie beside its record at most.
const FILES_MAX: u32 = 99;

/// A player's score of a kept game, with what is known about the game.
pub fn kept_score(game: &Game, entries: &[Entry], side: Color) -> Score {
    let mut score = game.score(side).clone();
    // The players have signed what they recorded. What is known about the game is put beside it.
    let signatures = score.signatures().to_vec();
    score.reopen();
    let date = entries.first().and_then(|first| {
        let opened = jiff::Timestamp::from_millisecond(i64::try_from(first.wall_ms).ok()?).ok()?;
        let zoned = opened.to_zoned_datetime(jiff::tz::TimeZone::system());
        Some(zoned.strftime("%Y.%m.%d").to_string())
    });
    let sides = &game.profile().sides;
    let event = &game.profile().event;
    let time_control = game.profile().time_control.as_ref();
    let time_control = time_control.map(pgn_time_control);
    let program = game.profile().side_of_program();
    let kind = |side| program.map(|it| if it == side { "program" } else { "human" }.to_owned());
    let named = Some(event.name.clone()).filter(|name| !name.is_empty());
    let practice = || {
        let elsewhere = game.profile().side_elsewhere();
        let elsewhere = elsewhere.map(|_| "Unrated game".to_owned());
        let against_it = program.map(|_| "Practice against a chess program".to_owned());
        against_it.or(elsewhere)
    };
    let tags = [
        ("Event", named.or_else(practice)),
        ("Site", Some(event.site.clone())),
        ("Round", Some(event.round.clone())),
        ("WhiteType", kind(Color::White)),
        ("BlackType", kind(Color::Black)),
        ("White", Some(sides.white.name.clone())),
        ("Black", Some(sides.black.name.clone())),
        ("Date", date),
        ("TimeControl", time_control),
    ];
    for (name, value) in tags {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = score.set_tag(name, value);
        }
    }
    for signature in signatures {
        let _ = score.sign(signature);
    }
    score
}

/// Writes the score of a finished game as PGN beside its record, for passing it on. It is the score
/// of the chess program or of the visually disabled player, if there is one. Existing files stay:
/// another state of the score, as after a signature, gets the next free name. Returns what to tell
/// the user.
pub(crate) fn keep_as_pgn(game: &Game, entries: &[Entry], record: &Path) -> Sentence {
    let profile = game.profile();
    let is_blind = |side: &Color| profile.is_visually_disabled(*side);
    // A chess program records what was played, also where its opponent has repeated another move.
    let side = profile.side_of_guest();
    let side = side.or_else(|| Color::ALL.into_iter().find(is_blind));
    let score = kept_score(game, entries, side.unwrap_or(Color::White));
    match write_beside(&to_pgn(&score), record) {
        Ok(path) => sentence!(KeptAsPgn, path = path.display()),
        Err(error) => sentence!(NotKeptAsPgn, why = error, path = record.display()),
    }
}

/// Writes this text beside a record, under the first name that is free. Returns the file, which may
/// have had the text already.
fn write_beside(text: &str, record: &Path) -> io::Result<PathBuf> {
    let numbered = (2..=FILES_MAX).map(|number| record.with_extension(format!("{number}.pgn")));
    for path in std::iter::once(record.with_extension("pgn")).chain(numbered) {
        match private_file(&path) {
            Ok(mut file) => {
                // Half a score would be taken for a complete one.
                let written = file.write_all(text.as_bytes());
                let written = written.and_then(|()| file.sync_all());
                written.inspect_err(|_| drop(fs::remove_file(&path)))?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if seal::read(&path).is_ok_and(|lies_there| lies_there == text.as_bytes()) {
                    return Ok(path);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A time control in PGN's notation: `40/5400+30:1800+30`.
fn pgn_time_control(control: &TimeControl) -> String {
    let periods = control.periods().iter().flat_map(|period| {
        let bonus = Some(period.bonus.time().as_secs()).filter(|seconds| *seconds > 0);
        let without = period.bonus_from - 1;
        // A bonus that begins later in a period makes two periods; in the second only the bonus
        // adds time.
        let is_split = bonus.is_some() && without > 0;
        let first = is_split.then(|| pgn_period(Some(without), period.time.as_secs(), None));
        let (moves, time) = match is_split {
            true => (period.moves.map(|moves| moves.saturating_sub(without)), 0),
            false => (period.moves, period.time.as_secs()),
        };
        first.into_iter().chain([pgn_period(moves, time, bonus)])
    });
    periods.collect::<Vec<_>>().join(":")
}

fn pgn_period(moves: Option<u32>, seconds: u64, bonus: Option<u64>) -> String {
    let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    let bonus = bonus.map(|bonus| format!("+{bonus}")).unwrap_or_default();
    format!("{moves}{seconds}{bonus}")
}
