//! Reads a game's file, wherever it is.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::access::{connect, not_opened};
use super::heartbeat::{self, Heartbeat};
use super::seal;
use crate::journal::{Broken, Chain, Entry, FORMAT, Hash, Link};
use crate::shell::config::folders;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, Sentence, error, sentence};
use crate::shell::record::format::APPLICATION_ID;

/// The content of a game's file.
pub struct Record {
    /// The entries, as far as the chain is intact.
    pub entries: Vec<Entry>,
    /// The texts of these entries, as stored.
    pub texts: Vec<String>,
    /// What is wrong with the rest.
    pub broken: Option<Broken>,
    /// The evidence that the end was cut off, if any.
    pub cut_off: Option<Broken>,
    /// How many more entries were waiting for the disk when the program ended.
    pub waiting: u64,
    /// The hashes over the entries, each including its own.
    pub(crate) hashes: Vec<Hash>,
    pub(crate) chain: Chain,
}

impl Record {
    pub(crate) fn empty() -> Self {
        Self {
            entries: Vec::new(),
            texts: Vec::new(),
            broken: None,
            cut_off: None,
            waiting: 0,
            hashes: Vec::new(),
            chain: Chain::new(),
        }
    }

    /// The hash over the entries.
    pub const fn seal(&self) -> Hash {
        self.chain.seal()
    }
}

/// Reads a game's file without changing it. The game may be in play.
///
/// # Errors
///
/// `ErrorKind::BadInput` if it is missing, no game of annexd, or of a newer format. A damaged
/// record is no error here: see [`Record::broken`].
pub fn read(path: &Path) -> Result<Record> {
    if !path.is_file() {
        return Err(error!(BadInput, NoGameFile, path = path.display()).about(
            Fault::new(Part::Game, Reason::Unknown, Remedy::ListGames)
                .with(path.display().to_string()),
        ));
    }
    let opened = open(path)?;
    let connection = &opened.connection;
    // An unreadable log is evidence too, and is left as it is.
    let log = seal::log_of(path);
    let has_log = log.metadata().is_ok_and(|data| data.len() > 0);
    let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log);
    check_head(path, connection)?;
    // The heartbeat is read before the entries, because a game in play may get more of them
    // meanwhile.
    let heartbeat = heartbeat::last(&heartbeat::path_of(path)).and_then(|(_, heartbeat)| heartbeat);
    let mut record = Record::empty();
    if let Err(why) = read_links(connection, &mut record, heartbeat.as_ref()) {
        record.broken = Some(Broken::Unreadable {
            seq: record.chain.next_seq(),
            why: why.to_string(),
        });
    }
    let last = record.chain.next_seq() - 1;
    let is_last = |heartbeat: &&Heartbeat| heartbeat.entries == last;
    record.waiting = heartbeat
        .as_ref()
        .filter(is_last)
        .map_or(0, |it| it.waiting);
    record.cut_off = record.cut_off.or(heartbeat
        .filter(|heartbeat| record.broken.is_none() && heartbeat.entries > last)
        .map(|heartbeat| Broken::CutOff {
            last,
            written: heartbeat.entries,
        }));
    Ok(record)
}

/// The error for a broken record, which names the entry.
pub fn broken_record(path: &Path, broken: &Broken) -> Error {
    error!(BadInput, RecordDamaged, path = path.display(), why = broken).about(
        Fault::new(Part::Record, Reason::Damaged, Remedy::CallArbiter)
            .with(format!("{}: {broken}", path.display())),
    )
}

pub(crate) fn read_links(
    connection: &Connection,
    record: &mut Record,
    heartbeat: Option<&Heartbeat>,
) -> rusqlite::Result<()> {
    let mut query = connection.prepare("SELECT seq, text, hash FROM journal ORDER BY seq")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let seq: i64 = row.get(0)?;
        let hash: Vec<u8> = row.get(2)?;
        let link = Link {
            seq: u64::try_from(seq).unwrap_or(0),
            text: row.get(1)?,
            hash: Hash(hash.try_into().unwrap_or_default()),
        };
        match record.chain.check(&link) {
            Ok(entry) => {
                if heartbeat.is_some_and(|heartbeat| {
                    heartbeat.entries == link.seq && heartbeat.hash != link.hash
                }) {
                    record.cut_off = Some(Broken::Changed { seq: link.seq });
                }
                record.entries.push(entry);
                record.texts.push(link.text);
                record.hashes.push(link.hash);
            }
            Err(broken) => {
                record.broken = Some(broken);
                break;
            }
        }
    }
    Ok(())
}

fn check_head(path: &Path, connection: &Connection) -> Result<()> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let no_game = |why: Sentence| {
        error!(BadInput, NotAGame, path = path.display(), why = why).about(
            Fault::new(Part::Record, Reason::Unreadable, Remedy::ListGames)
                .with(path.display().to_string()),
        )
    };
    let unreadable = |error: rusqlite::Error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => no_game(sentence!(NoDatabase)),
        None => no_game(sentence!(AsItIs, text = error)),
        Some(_) => not_opened(path, &error.to_string()),
    };
    let id = number("application_id").map_err(unreadable)?;
    if id != i64::from(APPLICATION_ID) {
        return Err(no_game(sentence!(OtherDatabase)));
    }
    let format = number("user_version").map_err(unreadable)?;
    if format > i64::from(FORMAT) {
        return Err(error!(
            BadInput,
            GameOfNewer,
            path = path.display(),
            format = format,
            known = FORMAT
        )
        .about(
            Fault::new(Part::Record, Reason::OtherVersion, Remedy::UseOther)
                .with(path.display().to_string()),
        ));
    }
    Ok(())
}

/// A game's file opened for reading.
struct Opened {
    connection: Connection,
    /// Dropped after the connection to its content.
    _copy: Option<Copy>,
}

/// A folder with a copy. It is removed when dropped.
struct Copy(PathBuf);

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Opens a game's file without changing its content.
///
/// A file whose last writer was killed has to be recovered, which needs write access. If nothing
/// can be written beside it (a read-only medium, another user's folder, a full disk), it is read as
/// it is, or recovered in a copy.
///
/// # Errors
///
/// `ErrorKind::BadInput` if it cannot be opened in any of these ways.
fn open(path: &Path) -> Result<Opened> {
    let usual = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .or_else(|_| connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY))?;
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
            connection: connect(&as_it_is(path), flags)?,
            _copy: None,
        });
    }
    let (copy, game) = copied(path).map_err(|error| not_opened(path, &error.to_string()))?;
    Ok(Opened {
        connection: connect(&game, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
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

/// The name under which SQLite neither looks for a log nor creates one.
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

/// Whether the file was left by a program killed, or still working, before the first entry of its
/// game. A record whose entries were cut off does not count.
pub(crate) fn is_unbegun(path: &Path) -> bool {
    let is_empty = || {
        path.metadata()
            .is_ok_and(|data| data.is_file() && data.len() == 0)
    };
    let is_without_entries = |record: &Record| {
        record.entries.is_empty() && record.broken.is_none() && record.cut_off.is_none()
    };
    // Reading a half-created file undoes what was written of it.
    is_empty() || read(path).map_or_else(|_| is_empty(), |record| is_without_entries(&record))
}
