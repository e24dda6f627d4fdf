//! Detects whether a game's files are still where they were created. A file that is deleted or
//! replaced while open still takes entries, but nobody would ever find them.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::config::DbConfig;

use super::access::private_file;
use super::heartbeat;
use super::reading::{Record, read, read_links};
use super::seal;
use crate::journal::Chain;
use crate::phrases::SentenceKey;
use crate::shell::config::folders;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, Sentence, error, sentence};
use crate::shell::record::format::EXTENSION;

/// The files of a game in play, with their identities.
pub(crate) struct Place {
    files: Vec<(PathBuf, Identity)>,
    /// The greatest length of the log so far. The log appears with the first entries and never gets
    /// shorter while the game is played.
    log: u64,
}

/// What distinguishes a file from another of the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Identity(u64, u64);

impl Place {
    /// The files of the game at `path` as they are now.
    pub(crate) fn of(path: &Path) -> Self {
        let files = [path.to_path_buf(), heartbeat::path_of(path)]
            .into_iter()
            .chain(beside(path));
        Self {
            files: files
                .filter_map(|file| Some((identity(&file).ok()?, file)))
                .map(|(identity, file)| (file, identity))
                .collect(),
            log: length(&seal::log_of(path)),
        }
    }

    /// A place without files of ours.
    const fn none() -> Self {
        Self {
            files: Vec::new(),
            log: 0,
        }
    }

    /// Notes the log's state after a commit. The first commit creates the log.
    pub(crate) fn committed(&mut self, path: &Path) {
        if self.log == 0 {
            *self = Self::of(path);
        } else {
            self.log = self.log.max(length(&seal::log_of(path)));
        }
    }

    /// Notes this file as ours.
    pub(crate) fn note(&mut self, file: &Path) {
        self.files.retain(|(path, _)| path != file);
        if let Ok(identity) = identity(file) {
            self.files.push((file.to_path_buf(), identity));
        }
    }

    /// Whether one of the files is missing. A disk that does not answer is no lost file: writing to
    /// it will fail.
    pub(crate) fn is_left(&self) -> bool {
        let is_cut = |file: &Path, is_log: bool| {
            is_log && self.log > 0 && (length(file) < self.log || has_lost_head(file))
        };
        self.files.iter().any(|(file, known)| match identity(file) {
            Ok(found) => {
                let is_log = file.to_string_lossy().ends_with("-wal");
                found != *known || is_cut(file, is_log)
            }
            Err(error) => matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ),
        })
    }

    /// Whether exactly this file is still there.
    fn holds(&self, file: &Path) -> bool {
        let known = self.files.iter().find(|(path, _)| path == file);
        known.is_some_and(|(_, known)| identity(file).is_ok_and(|found| found == *known))
    }
}

#[cfg(unix)]
fn identity(file: &Path) -> io::Result<Identity> {
    use std::os::unix::fs::MetadataExt as _;

    file.metadata().map(|data| Identity(data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity(file: &Path) -> io::Result<Identity> {
    file.metadata().map(|_| Identity(0, 0))
}

/// Whether a log does not begin like SQLite's. A log truncated while entries are being written has
/// its old length again, but with a hole.
fn has_lost_head(log: &Path) -> bool {
    let mut head = [0; LOG_HEAD.len()];
    let read = File::open(log).and_then(|mut log| log.read_exact(&mut head));
    // The last bit tells the byte order.
    head[LOG_HEAD.len() - 1] &= !1;
    match read {
        Ok(()) => head != LOG_HEAD,
        Err(error) => error.kind() == io::ErrorKind::UnexpectedEof,
    }
}

/// The first bytes of a log (sqlite.org/fileformat2.html, section 4.1).
const LOG_HEAD: [u8; 4] = [0x37, 0x7f, 0x06, 0x82];

fn length(file: &Path) -> u64 {
    file.metadata().map_or(0, |data| data.len())
}

/// The files that SQLite keeps beside a database.
fn beside(path: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    })
}

/// The error for a game whose file is gone.
pub(crate) fn gone(path: &Path) -> Error {
    error!(Unwritable, GameFileGone, path = path.display()).about(
        Fault::new(Part::Record, Reason::Gone, Remedy::Wait).with(path.display().to_string()),
    )
}

/// Writes everything in `connection` to a new file beside `path`.
///
/// # Errors
///
/// `ErrorKind::Unwritable`, also if not everything can be read back, or if another program plays a
/// game of this name there. Then nothing has changed.
pub(crate) fn copy_anew(
    connection: &Connection,
    path: &Path,
    place: &Place,
    chain: &Chain,
) -> Result<()> {
    if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        folders::private(folder.to_path_buf())?;
    }
    let heartbeat = heartbeat::path_of(path);
    if heartbeat.is_file() && !place.holds(&heartbeat) && heartbeat::is_held(path) {
        return Err(unwritable(path, &sentence!(OtherAnnexdPlays)));
    }
    let new = new_name(path);
    let copied = copied(connection, &new, chain);
    copied.map_err(|why| {
        let _ = fs::remove_file(&new);
        unwritable(path, &why)
    })
}

/// Makes room for the heartbeat file. Returns whether it has to be taken anew.
///
/// # Errors
///
/// `ErrorKind::Unwritable`.
pub(crate) fn clear_heartbeat(path: &Path, place: &Place) -> Result<bool> {
    let heartbeat = heartbeat::path_of(path);
    let is_ours = place.holds(&heartbeat);
    if !is_ours {
        make_way(&heartbeat, place).map_err(|error| unwritable(path, &as_it_is(&error)))?;
    }
    Ok(!is_ours)
}

/// Puts the new file in its place. A file that has taken the place meanwhile is kept beside it. The
/// old file is closed first, because Windows removes no open file; `connection` then refers to a
/// copy in memory, from which this can be retried.
///
/// # Errors
///
/// `ErrorKind::Unwritable`; then not everything that was there is back.
pub(crate) fn put_in_place(
    connection: &mut Connection,
    path: &Path,
    place: &mut Place,
) -> Result<()> {
    let copy = in_memory(&new_name(path)).map_err(|error| unwritable(path, &as_it_is(&error)))?;
    // When closed, it must neither be merged with the file that is there nor remove it.
    let _ = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    *connection = copy;
    move_in(path, place).map_err(|error| unwritable(path, &as_it_is(&error)))?;
    place.note(path);
    seal::sync_folder(path).map_err(|error| unwritable(path, &as_it_is(&error)))
}

fn in_memory(file: &Path) -> rusqlite::Result<Connection> {
    let mut copy = Connection::open_in_memory()?;
    copy.restore(
        rusqlite::MAIN_DB,
        file,
        None::<fn(rusqlite::backup::Progress)>,
    )?;
    Ok(copy)
}

/// Renames the new file. The game's own file is removed first: without its log it is an empty game,
/// and after a kill at this point no file is better than that ([`finish`]).
fn move_in(path: &Path, place: &Place) -> io::Result<()> {
    let [log, index] = beside(path);
    let mut others = [path.to_path_buf(), log, index, seal::path_of(path)].into_iter();
    others.try_for_each(|file| make_way(&file, place))?;
    fs::rename(new_name(path), path)
}

/// Puts files in place whose rewriting was interrupted when their program was killed. Files already
/// there are kept beside them, and one that has more than the new file stays.
pub(crate) fn finish(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let new = entries.map(|entry| entry.path());
    for new in new.filter(|file| file.extension().is_some_and(|it| it == NEW)) {
        let path = new.with_extension(EXTENSION);
        if heartbeat::is_held(&path) || !is_whole(&new) {
            continue;
        }
        let entries_of = |file: &Path| read(file).map_or(0, |record| record.entries.len());
        if entries_of(&new) > entries_of(&path) {
            let _ = move_in(&path, &Place::none()).and_then(|()| seal::sync(&path));
        }
    }
}

/// A game's file whose rewriting was interrupted when its program was killed, and that was never
/// put in place.
pub(crate) fn unfinished(path: &Path) -> Option<PathBuf> {
    let new = new_name(path);
    (new.is_file() && is_whole(&new)).then_some(new)
}

fn is_whole(new: &Path) -> bool {
    read(new).is_ok_and(|record| record.broken.is_none() && record.cut_off.is_none())
}

fn new_name(path: &Path) -> PathBuf {
    path.with_extension(NEW)
}

/// The extension of a file being rewritten.
const NEW: &str = "annexd-new";

fn copied(connection: &Connection, new: &Path, chain: &Chain) -> std::result::Result<(), Sentence> {
    let told = |error: io::Error| as_it_is(&error);
    let _ = fs::remove_file(new);
    let file = private_file(new).map_err(told)?;
    let name = new.to_str().ok_or_else(|| sentence!(NameNoText))?;
    connection
        .execute("VACUUM INTO ?1", [name])
        .map_err(|error| as_it_is(&error))?;
    file.sync_all().map_err(told)?;
    let written = Connection::open(new).and_then(|new| {
        let mut record = Record::empty();
        read_links(&new, &mut record, None).map(|()| record)
    });
    let written = written.map_err(|error| as_it_is(&error))?;
    match written.chain == *chain {
        true => Ok(()),
        false => Err(sentence!(NotReadBack)),
    }
}

/// Moves a file out of the way. If it is ours, its content is in the new one; another's is kept
/// under another name.
fn make_way(file: &Path, place: &Place) -> io::Result<()> {
    if file.symlink_metadata().is_err() {
        return Ok(());
    }
    if place.holds(file) {
        return fs::remove_file(file);
    }
    let named = |number: u32| PathBuf::from(format!("{}.replaced-{number}", file.display()));
    let free = (1..)
        .map(named)
        .find(|name| name.symlink_metadata().is_err());
    fs::rename(file, free.unwrap_or_else(|| named(0)))
}

fn unwritable(path: &Path, why: &Sentence) -> Error {
    let path = path.display();
    // The detail of a fault has no language, so it has a reason only in the system's words.
    let detail = match why.key {
        SentenceKey::AsItIs => format!("{path}: {why}"),
        _ => path.to_string(),
    };
    let fault = Fault::new(Part::Record, Reason::Gone, Remedy::MakeRoom).with(detail);
    error!(Unwritable, GameUnwritable, path = path, why = why).about(fault)
}

/// What the system says.
fn as_it_is(error: &dyn std::fmt::Display) -> Sentence {
    sentence!(AsItIs, text = error.to_string())
}
