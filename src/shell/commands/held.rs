//! A score file that is changed in place, perhaps while another program has it open.

use std::cell::RefCell;
use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::overwriting::refuse_signed;
use crate::score::{KeepError, Score};
use crate::shell::error::{Error, Result, error};
use crate::shell::score_files::{bytes_of, is_standard_input, json, json_score};

/// A file with its content when it was last read or written.
pub(super) struct Held {
    path: PathBuf,
    seen: RefCell<Option<Vec<u8>>>,
}

impl Held {
    /// Reads an existing score.
    pub(super) fn read(path: &Path) -> Result<(Self, Score)> {
        refuse_stream(path)?;
        // The bytes are read first, so that a change during reading is noticed.
        let held = Self::at(path, content(path));
        let score = json_score(path)?;
        if !score.is_as_signed() {
            let path = path.display();
            return Err(error!(Negative, ScoreChangedAfterSigning, path = path));
        }
        Ok((held, score))
    }

    /// Prepares a new file, in a folder in which one can be written.
    pub(super) fn begin(path: &Path) -> Result<Self> {
        refuse_stream(path)?;
        let probe = beside(path, &format!("{}.probe", std::process::id()));
        let tried = File::create(&probe).and_then(|_| fs::remove_file(&probe));
        match tried {
            Ok(()) => Ok(Self::at(path, None)),
            Err(error) => {
                let path = path.display();
                Err(error!(Unwritable, Unwritable, path = path, why = error))
            }
        }
    }

    fn at(path: &Path, seen: Option<Vec<u8>>) -> Self {
        Self {
            path: path.to_owned(),
            seen: RefCell::new(seen),
        }
    }

    /// Changes an existing score, in its current state and while no other program changes it, and
    /// writes it.
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

    /// Writes the score, unless somebody else has written to the file.
    fn write(&self, score: &Score, alone: &Alone) -> Result<()> {
        if self.is_changed() {
            return Err(error!(Negative, ScoreChanged, path = self.path.display()));
        }
        let bytes = json(score)?.into_bytes();
        replace(&self.path, &bytes, alone)?;
        self.seen.replace(Some(bytes));
        Ok(())
    }

    /// The same for work that cannot be repeated: if necessary it goes to a file beside it.
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
        Err(error!(
            Negative,
            ScoreChangedKept,
            path = path,
            other = other
        ))
    }

    /// Whether the file has another content now. A file that is gone cannot be overwritten.
    fn is_changed(&self) -> bool {
        let now = content(&self.path);
        now.is_some() && now != *self.seen.borrow()
    }
}

/// While it lives, no other annexd changes a file in the same folder.
///
/// The folder is locked instead of the file, because writing replaces the file. The system releases
/// the lock when the program ends, however that happens.
pub(super) struct Alone(Option<File>);

impl Alone {
    /// How long to wait. A change takes milliseconds, but a slow disk may need this for earlier
    /// ones.
    const PATIENCE: Duration = Duration::from_secs(10);
    const PAUSE: Duration = Duration::from_millis(5);

    /// Waits until no other program changes files in this folder.
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
                // Some network disks do not support locks.
                Err(TryLockError::Error(_)) => return Ok(Self(None)),
                Err(TryLockError::WouldBlock) if begun.elapsed() > Self::PATIENCE => {
                    return Err(error!(Unwritable, ScoreBusy, path = path.display()));
                }
                Err(TryLockError::WouldBlock) => thread::sleep(Self::PAUSE),
            }
        }
    }

    /// The hidden file to which the new content is written first. With a lock it always has the
    /// same name, so that what a killed program leaves is replaced by the next write.
    pub(super) fn beside(&self, path: &Path) -> PathBuf {
        match self.0 {
            Some(_) => beside(path, "new"),
            None => beside(path, &format!("{}.new", std::process::id())),
        }
    }
}

/// The content of a file; `None` for anything else, which might never end.
fn content(path: &Path) -> Option<Vec<u8>> {
    let bytes = path.is_file().then(|| bytes_of(path).ok());
    bytes.flatten()
}

/// A hidden file in the same folder.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{ending}"))
}

/// Refuses a stream, a device or a folder, which cannot be changed in place.
pub(super) fn refuse_stream(path: &Path) -> Result<()> {
    if is_standard_input(path) {
        return Err(error!(Usage, ScoreNeedsFile));
    }
    if path.exists() && !path.is_file() {
        return Err(error!(Usage, ScoreNoPlainFile, path = path.display()));
    }
    Ok(())
}

/// Writes a file completely or not at all: the old content stays until the new one is on the disk.
pub(super) fn replace(path: &Path, bytes: &[u8], alone: &Alone) -> Result<()> {
    refuse_signed(path, bytes)?;
    let failed =
        |error: std::io::Error| error!(Unwritable, Unwritable, path = path.display(), why = error);
    // Devices and pipes cannot be replaced. A link leads to the file that can.
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
        // A partly written file is of no use.
        let _ = fs::remove_file(&beside);
        failed(error)
    })
}

pub(super) fn locked(error: &KeepError) -> Error {
    error!(Negative, ScoreNotDone, why = error)
}
