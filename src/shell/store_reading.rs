//! How a game's file is opened to be read, wherever it lies.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::error::Result;
use super::folders;
use super::{seal, store};

/// A game's file, open to be read.
pub(super) struct Opened {
    pub(super) connection: Connection,
    /// Goes after the connection to what is in it.
    _copy: Option<Copy>,
}

/// A folder with a copy, which goes when it is not needed any more.
struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Opens a game's file without changing what it says.
///
/// A file whose last writer was killed has to be recovered, which needs the right to write. Where
/// nothing can be written beside it (a medium that is only for reading, somebody else's folder, a
/// full disk) it is read as it is, or recovered in a copy.
///
/// # Errors
///
/// `ErrorKind::BadInput` if it cannot be opened in any of these ways.
pub(super) fn open(path: &Path) -> Result<Opened> {
    let usual = store::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| store::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    if !is_hindered(&usual) {
        return Ok(Opened {
            connection: usual,
            _copy: None,
        });
    }
    drop(usual);
    let has_log = seal::log_of(path).metadata().is_ok_and(|it| it.len() > 0);
    if !has_log {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        return Ok(Opened {
            connection: store::connect(&as_it_is(path), flags)?,
            _copy: None,
        });
    }
    let (copy, game) = copied(path).map_err(|error| store::not_opened(path, &error.to_string()))?;
    Ok(Opened {
        connection: store::connect(&game, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
        _copy: Some(copy),
    })
}

/// Whether the file is a database that cannot be read where it is.
fn is_hindered(connection: &Connection) -> bool {
    let read = connection.pragma_query_value(None, "application_id", |row| row.get::<_, i64>(0));
    let code = read.err().and_then(|error| error.sqlite_error_code());
    matches!(
        code,
        Some(
            ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::SystemIoFailure
                | ErrorCode::DiskFull
        )
    )
}

/// The name under which SQLite neither looks for a log nor makes one.
fn as_it_is(path: &Path) -> PathBuf {
    let name = path.display().to_string().replace('\\', "/");
    let name = name.replace('%', "%25").replace('?', "%3f");
    let root = if name.starts_with('/') { "" } else { "./" };
    PathBuf::from(format!(
        "file:{root}{}?immutable=1",
        name.replace('#', "%23")
    ))
}

fn copied(path: &Path) -> std::io::Result<(Copy, PathBuf)> {
    let wanted = std::env::temp_dir().join(format!("annexd-{}", std::process::id()));
    let folder = (0_u32..)
        .map(|number| wanted.with_extension(number.to_string()))
        .find(|folder| !folder.exists())
        .unwrap_or(wanted);
    let folder =
        folders::private(folder).map_err(|error| std::io::Error::other(error.to_string()))?;
    let copy = Copy(folder);
    let game = copy.0.join("game.annexd");
    fs::copy(path, &game)?;
    fs::copy(seal::log_of(path), seal::log_of(&game))?;
    Ok((copy, game))
}
