//! A file with a score that is changed in place, perhaps while another program has it too.

use std::cell::RefCell;
use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::overwriting::refuse_signed;
use crate::score::{KeepError, Score};
use crate::shell::error::{Error, Result, told};
use crate::shell::score_files::{bytes_of, is_standard_input, json, json_score};

/// A file, and what stood in it when it was read or written last.
pub(super) struct Held {
    path: PathBuf,
    seen: RefCell<Option<Vec<u8>>>,
}

impl Held {
    /// A score that is there.
    pub(super) fn read(path: &Path) -> Result<(Self, Score)> {
        refuse_stream(path)?;
        // First the bytes: what changes while they are read is a change.
        let held = Self::at(path, content(path));
        let score = json_score(path)?;
        if !score.is_as_signed() {
            let path = path.display();
            return Err(told!(Negative, ScoreChangedAfterSigning, path = path));
        }
        Ok((held, score))
    }

    /// A file that is to come, in a folder in which one can be written.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        refuse_stream(path)?;
        let probe = beside(path, &format!("{}.probe", std::process::id()));
        let tried = File::create(&probe).and_then(|_| fs::remove_file(&probe));
        match tried {
            Ok(()) => Ok(Self::at(path, None)),
            Err(error) => {
                let path = path.display();
                Err(told!(Unwritable, Unwritable, path = path, why = error))
            }
        }
    }

    fn at(path: &Path, seen: Option<Vec<u8>>) -> Self {
        Self {
            path: path.to_owned(),
            seen: RefCell::new(seen),
        }
    }

    /// Changes a score that is there, as it stands when no other program is changing it, and writes
    /// it.
    pub(super) fn change<T>(
        path: &Path,
        change: impl FnOnce(&mut Score) -> Result<T>,
    ) -> Result<(Score, T)> {
        let alone = Alone::at(path)?;
        let (held, mut score) = Self::read(path)?;
        let told = change(&mut score)?;
        held.write(&score, &alone)?;
        Ok((score, told))
    }

    /// Writes the score, unless somebody else has written there.
    fn write(&self, score: &Score, alone: &Alone) -> Result<()> {
        if self.is_changed() {
            return Err(told!(Negative, ScoreChanged, path = self.path.display()));
        }
        let bytes = json(score)?.into_bytes();
        replace(&self.path, &bytes, alone)?;
        self.seen.replace(Some(bytes));
        Ok(())
    }

    /// The same for what cannot be done again: then it is written to a file beside it.
    pub(super) fn write_somewhere(&self, score: &Score) -> Result<()> {
        let alone = Alone::at(&self.path)?;
        if !self.is_changed() {
            return self.write(score, &alone);
        }
        let name = |number: usize| {
            let stem = self.path.file_stem().unwrap_or_default();
            self.path
                .with_file_name(format!("{}-{number}.json", stem.to_string_lossy()))
        };
        let free = (2..).map(name).find(|path| !path.exists());
        let other = free.unwrap_or_else(|| name(2));
        replace(&other, json(score)?.as_bytes(), &alone)?;
        let (path, other) = (self.path.display(), other.display());
        Err(told!(
            Negative,
            ScoreChangedKept,
            path = path,
            other = other
        ))
    }

    /// Whether something else stands there now. What is gone cannot be lost.
    fn is_changed(&self) -> bool {
        let now = content(&self.path);
        now.is_some() && now != *self.seen.borrow()
    }
}

/// While it lives, no other annexd changes a file in the same folder.
///
/// The folder is locked and not the file, which is replaced by another one as it is written. The
/// system lets go of it when the program ends, however that is.
pub(super) struct Alone(Option<File>);

impl Alone {
    /// A change takes milliseconds; so long may a slow disk take for those that came before.
    const PATIENCE: Duration = Duration::from_secs(10);
    const PAUSE: Duration = Duration::from_millis(5);

    /// Waits until no other program changes files where this one is.
    pub(super) fn at(path: &Path) -> Result<Self> {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        // A folder that cannot be opened is locked by nobody.
        let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) else {
            return Ok(Self(None));
        };
        let begun = Instant::now();
        loop {
            match folder.try_lock() {
                Ok(()) => return Ok(Self(Some(folder))),
                // Not every disk in a network knows locks.
                Err(TryLockError::Error(_)) => return Ok(Self(None)),
                Err(TryLockError::WouldBlock) if begun.elapsed() > Self::PATIENCE => {
                    return Err(told!(Unwritable, ScoreBusy, path = path.display()));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(Self::PAUSE),
            }
        }
    }

    /// The hidden file in which the new content is written first. Where there is a lock it is
    /// always of one name, so that what a killed program leaves of it goes with the next entry.
    pub(super) fn beside(&self, path: &Path) -> PathBuf {
        match self.0 {
            Some(_) => beside(path, "new"),
            None => beside(path, &format!("{}.new", std::process::id())),
        }
    }
}

/// What stands in a file; nothing of what is none, which might be read for ever.
fn content(path: &Path) -> Option<Vec<u8>> {
    let bytes = path.is_file().then(|| bytes_of(path).ok());
    bytes.flatten()
}

/// A hidden file in the same folder.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{ending}"))
}

/// What is changed in place cannot be a stream, a device or a folder.
pub(super) fn refuse_stream(path: &Path) -> Result<()> {
    if is_standard_input(path) {
        return Err(told!(Usage, ScoreNeedsFile));
    }
    if path.exists() && !path.is_file() {
        return Err(told!(Usage, ScoreNoPlainFile, path = path.display()));
    }
    Ok(())
}

/// Writes a file as a whole or not at all: what was there stays until all of the new is on the
/// disk.
pub(super) fn replace(path: &Path, bytes: &[u8], alone: &Alone) -> Result<()> {
    refuse_signed(path, bytes)?;
    let failed =
        |error: std::io::Error| told!(Unwritable, Unwritable, path = path.display(), why = error);
    // Devices and pipes cannot be replaced; a link leads to the file that can.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return fs::write(&path, bytes).map_err(failed);
    }
    let beside = alone.beside(&path);
    let write = || {
        let mut file = File::create(&beside)?;
        if let Ok(there) = fs::metadata(&path) {
            file.set_permissions(there.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, &path)
    };
    write().map_err(|error| {
        // What was begun is of no use to anybody.
        let _ = fs::remove_file(&beside);
        failed(error)
    })
}

pub(super) fn locked(error: &KeepError) -> Error {
    told!(Negative, ScoreNotDone, why = error)
}
