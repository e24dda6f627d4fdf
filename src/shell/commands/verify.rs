//! `annexd verify`.

use crate::shell::error::{Error, Part, Reason, Result, Sentence, error, sentence};
use std::path::Path;
use std::process::ExitCode;

use super::games_folder::GamesFolder;
use crate::journal::{Body, Entry};
use crate::phrases::{Argument, PhraseKey};
use crate::shell::config::language;
use crate::shell::errors_in_words::InWords;
use crate::shell::record::catalogue;
use crate::shell::record::heartbeat;
use crate::shell::record::recorder::LEFT;
use crate::shell::record::rescue::{self, Unwritten};
use crate::shell::record::seal;
use crate::shell::record::store;
use crate::shell::record::store::Record;
use crate::shell::record::utterance_files;
use crate::show;

/// Checks that nothing in a game's record was changed: the chain of hashes, every byte of the
/// files of a game that was left in order, and that the game decides on every entry as the record
/// says it did.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The name of the game or its file; the last one if not given.
    game: Option<String>,
    /// The seal that was written down: the hash over the whole record as this command prints it.
    #[arg(long, value_name = "HASH")]
    seal: Option<String>,
    #[command(flatten)]
    games: GamesFolder,
}

/// Runs the command.
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let (path, passed_over) = match arguments.games.path(arguments.game.as_deref()) {
        Ok(found) => found,
        Err(error) => return Err(kept_elsewhere(&arguments)?.unwrap_or(error)),
    };
    // This is checked before anything opens the file as a database.
    let is_sealed = seal::is_sealed(&path);
    let mut faults = seal::faults(&path);
    let (record, replayed) = match catalogue::load(&path) {
        Err(_) if !faults.is_empty() => return Err(changed(&path, &faults)),
        loaded => loaded?,
    };
    if let Some(broken) = &record.broken {
        return Err(store::broken_record(&path, broken));
    }
    faults.extend(record.cut_off.as_ref().map(InWords::in_words));
    if !is_sealed {
        faults.extend(heartbeat::faults(&path));
        faults.extend(missing_seal(&record.entries));
    }
    faults.extend(earlier_damage(&record.entries));
    let sound = utterance_files::find(&path, &record.entries);
    faults.extend(sound.faults.iter().cloned());
    if !faults.is_empty() {
        return Err(changed(&path, &faults));
    }
    if let Some(seq) = replayed.diverged.first() {
        return Err(error!(
            Negative,
            DecidesOtherwise,
            entry = seq,
            program = replayed.opened.program
        ));
    }
    let seal = record.seal().to_string();
    if let Some(expected) = &arguments.seal
        && !expected.eq_ignore_ascii_case(&seal)
    {
        return Err(error!(Negative, OtherSeal, seal = seal));
    }
    language::show(&sentence!(
        VerifyWhole,
        name = catalogue::name_of(&path),
        entries = record.entries.len()
    ));
    if sound.recorded > 0 {
        show!("{}", sound.told());
    }
    if is_sealed {
        language::show(&sentence!(VerifySealed));
    } else {
        language::show(&sentence!(VerifyOpen));
    }
    language::show(&sentence!(VerifySeal, seal = seal));
    if let Some(error) = lacking(&path, &record) {
        return Err(error);
    }
    // Without a named game, all games that may be meant are of interest.
    match passed_over.into_iter().next() {
        Some(error) => Err(error),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Where all of a game is whose file is gone, if it was kept.
fn kept_elsewhere(arguments: &Arguments) -> Result<Option<Error>> {
    let Some(name) = &arguments.game else {
        return Ok(None);
    };
    let found = rescue::whole(&arguments.games.folder()?, name);
    Ok(found.map(|found| unwritten(name, &found)))
}

/// What the disk never took of a game. The record is intact as far as it goes, and lacks the rest.
fn lacking(path: &Path, record: &Record) -> Option<Error> {
    if let Some(found) = rescue::of(path, record).first() {
        return Some(unwritten(&catalogue::name_of(path), found));
    }
    let lost = record.entries.iter().filter_map(|entry| match &entry.body {
        Body::Told(told) if [PhraseKey::EndLost, PhraseKey::EndElsewhere].contains(&told.key) => {
            told.arguments.iter().find_map(|argument| match argument {
                Argument::Number(number) => Some(u64::from(*number)),
                _ => None,
            })
        }
        _ => None,
    });
    // While the game is played they wait in memory.
    let waiting = match heartbeat::is_held(path) {
        true => 0,
        false => record.waiting,
    };
    let lost = lost.sum::<u64>() + waiting;
    (lost > 0).then(|| error!(Negative, VerifyEndLost, entries = lost))
}

fn unwritten(name: &str, found: &Unwritten) -> Error {
    let place = found.path.display();
    match &found.missing {
        Some(_) => error!(
            Negative,
            VerifyUnwritten,
            entries = found.count,
            path = place,
            name = name
        ),
        None => error!(
            Negative,
            VerifyNotJoined,
            entries = found.count,
            path = place
        ),
    }
}

/// Damage found when the game was resumed. What was recorded since is intact, and what was recorded
/// before is not.
fn earlier_damage(entries: &[Entry]) -> impl Iterator<Item = Sentence> {
    entries.iter().filter_map(|entry| {
        let Body::Told(phrase) = &entry.body else {
            return None;
        };
        let fault = phrase
            .arguments
            .iter()
            .find_map(|argument| match argument {
                Argument::Fault(fault) => Some(fault),
                _ => None,
            })?;
        let is_damage = fault.part == Part::Record && fault.reason == Reason::Damaged;
        let what = match &fault.detail {
            Some(detail) => sentence!(AsItIs, text = detail),
            None => sentence!(SomethingChanged),
        };
        is_damage.then(|| sentence!(DamagedBefore, entry = entry.seq, what = what))
    })
}

/// Reports a missing seal if the last entry says that the game was sealed.
fn missing_seal(entries: &[Entry]) -> Option<Sentence> {
    let last = entries.last()?;
    let is_left = matches!(&last.body, Body::Note(note) if note == LEFT);
    is_left.then(|| sentence!(SealMissing, entry = last.seq))
}

/// The error if the entries are as written, but something else is not.
fn changed(path: &Path, faults: &[Sentence]) -> Error {
    let all = faults.iter().cloned();
    let all = all.reduce(|one, other| sentence!(BothFaults, one = one, other = other));
    error!(
        BadInput,
        GameChanged,
        name = catalogue::name_of(path),
        why = all.unwrap_or(sentence!(SomethingChanged))
    )
}
