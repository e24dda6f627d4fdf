//! Access to the file of a game: who may read it, and how it is opened.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};

/// Creates a file that only its owner can read.
pub(crate) fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|error| not_opened(path, &error.to_string()))?;
    // On macOS these make the disk itself write what it caches. On other systems they have no
    // effect.
    for twice in ["fullfsync", "checkpoint_fullfsync"] {
        connection
            .pragma_update(None, twice, true)
            .map_err(|error| unwritable(path, &error.to_string()))?;
    }
    connection
        .busy_timeout(Duration::from_secs(2))
        .map_err(|error| unwritable(path, &error.to_string()))?;
    Ok(connection)
}

/// A second connection to a game's file that is open for writing.
pub(crate) fn connect_again(path: &Path) -> Result<Connection> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection
        .pragma_update(None, "synchronous", "FULL")
        .map_err(|error| unwritable(path, &error.to_string()))?;
    Ok(connection)
}

pub(super) fn unwritable(path: &Path, why: &str) -> Error {
    not_writable(path, why, Remedy::MakeRoom)
}

pub(super) fn not_writable(path: &Path, why: &str, remedy: Remedy) -> Error {
    error!(Unwritable, GameUnwritable, path = path.display(), why = why).about(
        Fault::new(Part::Disk, Reason::Unwritable, remedy)
            .with(format!("{}: {why}", path.display())),
    )
}

/// The error for a file that may be a game but cannot be opened.
pub(crate) fn not_opened(path: &Path, why: &str) -> Error {
    error!(BadInput, GameNotOpened, path = path.display(), why = why).about(
        Fault::new(Part::Record, Reason::Unreadable, Remedy::ListGames)
            .with(format!("{}: {why}", path.display())),
    )
}
