//! The kept games: their names and files.

use std::path::{Path, PathBuf};

use super::file_identity;
use super::reading::{self, Record};
use crate::journal::{Replayed, replay};
use crate::shell::config::folders;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::record::format::EXTENSION;

/// The folder of the games.
///
/// # Errors
///
/// `ErrorKind::Unwritable` if it is missing and cannot be created.
pub fn folder(settings: &Settings) -> Result<PathBuf> {
    match &settings.record.folder {
        Some(folder) => folders::private(folder.clone()),
        None => folders::games_folder(),
    }
}

/// The file of a game, by its name or by a path.
///
/// # Errors
///
/// `ErrorKind::BadInput` if there is no such game. The error names the existing ones.
pub fn find(folder: &Path, name: &str) -> Result<PathBuf> {
    let direct = PathBuf::from(name);
    let named = folder.join(name).with_extension(EXTENSION);
    // A name with dots, such as that of a tournament's round, keeps them.
    let dotted = folder.join(format!("{name}.{EXTENSION}"));
    for path in [&dotted, &named, &direct] {
        if path.is_file() {
            return Ok(path.clone());
        }
    }
    if let Some(path) = file_identity::unfinished(&dotted) {
        return Ok(path);
    }
    Err(
        error!(BadInput, NoSuchGame, name = name, path = folder.display())
            .about(Fault::new(Part::Game, Reason::Unknown, Remedy::ListGames).with(name)),
    )
}

/// The folder of the games, for resuming one. Files whose rewriting was interrupted when their
/// program was killed are put in place first.
///
/// # Errors
///
/// As [`folder`].
pub fn finished_folder(settings: &Settings) -> Result<PathBuf> {
    folder(settings).inspect(|folder| file_identity::finish(folder))
}

/// The result of looking for a game without a name.
pub struct Newest {
    /// The game's file.
    pub path: PathBuf,
    /// Newer files that are no games, with an error for each.
    pub passed_over: Vec<Error>,
}

/// The game played last. Files that are no games are skipped.
///
/// # Errors
///
/// `ErrorKind::BadInput` if there is none.
pub fn last(folder: &Path) -> Result<Newest> {
    newest(folder, |_| true).map_err(|passed_over| {
        let error = error!(BadInput, NoGameYet, path = folder.display()).about(Fault::new(
            Part::Game,
            Reason::Absent,
            Remedy::BeginGame,
        ));
        passed_over.into_iter().next().unwrap_or(error)
    })
}

/// The game played last that has not ended. Files that are no games are skipped.
///
/// # Errors
///
/// `ErrorKind::Negative` if every game has ended.
pub fn interrupted(folder: &Path) -> Result<Newest> {
    let goes_on = |replayed: &Replayed| replayed.game.ending().is_none();
    // A game left before its first move must not hide one that was interrupted.
    let has_moves = |replayed: &Replayed| goes_on(replayed) && replayed.game.plies() > 0;
    let found = newest(folder, has_moves).or_else(|_| newest(folder, goes_on));
    found.map_err(|passed_over| {
        let error = error!(Negative, NoGameInterrupted, path = folder.display()).about(Fault::new(
            Part::Game,
            Reason::Absent,
            Remedy::BeginGame,
        ));
        passed_over.into_iter().next().unwrap_or(error)
    })
}

/// The newest matching game, or errors for all files that were skipped.
fn newest(
    folder: &Path,
    is_wanted: impl Fn(&Replayed) -> bool,
) -> std::result::Result<Newest, Vec<Error>> {
    let mut passed_over = Vec::new();
    for path in all(folder).into_iter().rev() {
        match load(&path) {
            Ok((_, replayed)) if is_wanted(&replayed) => return Ok(Newest { path, passed_over }),
            Ok(_) => {}
            // A game killed before its first entry is not missed.
            Err(_) if reading::is_unbegun(&path) => {}
            Err(error) => passed_over.push(error),
        }
    }
    Err(passed_over)
}

/// The files of all games, the one written last at the end.
pub fn all(folder: &Path) -> Vec<PathBuf> {
    let mut games: Vec<(std::time::SystemTime, PathBuf)> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == EXTENSION))
        .filter_map(|path| Some((written(&path)?, path)))
        .collect();
    games.sort();
    games.into_iter().map(|(_, path)| path).collect()
}

/// The name of a game's file without its extension.
pub fn name_of(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// A game's record and the game rebuilt from it.
///
/// # Errors
///
/// As [`reading::read`]; `ErrorKind::BadInput` if the record does not begin as one.
pub fn load(path: &Path) -> Result<(Record, Replayed)> {
    let record = reading::read(path)?;
    let replayed = replay(&record.entries).map_err(|error| {
        error!(BadInput, GameUnreadable, path = path.display(), why = error).about(
            Fault::new(Part::Game, Reason::Unreadable, Remedy::ListGames)
                .with(format!("{}: {error}", path.display())),
        )
    })?;
    Ok((record, replayed))
}

/// When a game was last written. While it is played, the log beside it is newer.
fn written(path: &Path) -> Option<std::time::SystemTime> {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let of = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    of(path).max(of(Path::new(&log)))
}
