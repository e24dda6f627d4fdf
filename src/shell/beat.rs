//! The program's pulse: until when was it alive?

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::error::{Error, ErrorKind, Result};
use super::store::private_file;
use crate::moment::Moment;

/// How often the moment is written, so that clocks are right to 100 ms after the program was
/// killed.
pub const BEAT_MS: u64 = 50;

/// A small file beside the game's, in which the program notes every 50 ms that it is alive.
///
/// Entries are written only when something happens, and a player may think for an hour. Without
/// the pulse nobody would know until when the clock had run before the program was killed. It is
/// not synced: it survives the program's death but not a loss of power, after which it may be
/// some seconds old. It is locked as long as the game is played, so that no second program plays
/// the same game.
pub struct Beat {
    file: File,
    before: Option<(Moment, u64)>,
    last: Option<Moment>,
}

impl Beat {
    /// Opens and locks the pulse of the game in `path`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::DeviceBusy`] if another program holds it, [`ErrorKind::Unwritable`] if it
    /// cannot be made.
    pub(super) fn take(path: &Path) -> Result<Self> {
        let path = path_of(path);
        let unwritable = |error: std::io::Error| {
            Error::new(
                ErrorKind::Unwritable,
                format!("{} cannot be written: {error}.", path.display()),
            )
        };
        let mut file = match private_file(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .map_err(unwritable)?,
            made => made.map_err(unwritable)?,
        };
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::new(
                    ErrorKind::DeviceBusy,
                    "Another annexd is playing this game. Leave it there first.",
                ));
            }
            Err(TryLockError::Error(error)) => return Err(unwritable(error)),
        }
        let before = read(&mut file);
        Ok(Self {
            file,
            before,
            last: None,
        })
    }

    /// Notes that the program is alive. A beat that cannot be written is left out: the disk's
    /// trouble shows with the next entry.
    pub(super) fn write(&mut self, at: Moment, wall_ms: u64) {
        let is_due = self
            .last
            .is_none_or(|last| at.since(last).as_millis() as u64 >= BEAT_MS);
        if !is_due {
            return;
        }
        self.last = Some(at);
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&at.as_ms().to_le_bytes());
        bytes[8..16].copy_from_slice(&wall_ms.to_le_bytes());
        bytes[16..].copy_from_slice(&check(at.as_ms(), wall_ms).to_le_bytes());
        let _ = self
            .file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.write_all(&bytes));
    }

    /// The last beat of the program that played before this one.
    pub(super) const fn before(&self) -> Option<(Moment, u64)> {
        self.before
    }
}

/// The file of the pulse of a game.
pub(super) fn path_of(game: &Path) -> PathBuf {
    game.with_extension("beat")
}

fn read(file: &mut File) -> Option<(Moment, u64)> {
    let mut bytes = [0; 24];
    file.read_exact(&mut bytes).ok()?;
    let number = |from: usize| {
        let mut eight = [0; 8];
        eight.copy_from_slice(&bytes[from..from + 8]);
        u64::from_le_bytes(eight)
    };
    let (at_ms, wall_ms) = (number(0), number(8));
    (number(16) == check(at_ms, wall_ms)).then_some((Moment::from_ms(at_ms), wall_ms))
}

/// Tells a torn beat from a whole one.
const fn check(at_ms: u64, wall_ms: u64) -> u64 {
    !(at_ms ^ wall_ms.rotate_left(17))
}
