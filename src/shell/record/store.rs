//! The game's file: an SQLite database that is written before anything is said.

use std::fs::{self};
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::access::{connect, not_writable, private_file, unwritable};
use super::file_identity::{self, Place};
use super::format::APPLICATION_ID;
use super::heartbeat::{self, HeartbeatFile};
pub use super::reading::{Record, broken_record, read};
use super::reading::{is_unbegun, read_links};
use super::rescue::{self, Unwritten};
use super::seal;
use super::utterance_files;
use super::wal::LogJoiner;
use crate::journal::{Chain, Entry, FORMAT, Hash, Link, SoundFile};
use crate::shell::config::folders::remedy_of;
use crate::shell::error::{Error, ErrorKind, Fault, Part, Reason, Remedy, Result, error};

const SCHEMA: &str = "
    CREATE TABLE journal (
        seq INTEGER PRIMARY KEY,
        text TEXT NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
";

/// At every heartbeat with this number the file's presence is checked: several times a second.
const HEARTBEATS_TO_LOOK: u64 = 2;

/// A game's file, open for writing by this process alone.
pub struct Store {
    connection: Connection,
    chain: Chain,
    path: PathBuf,
    heartbeat: HeartbeatFile,
    findings: Findings,
    /// `None` only while the file is being closed or rewritten.
    joiner: Option<LogJoiner>,
    place: Place,
    /// Whether the file is gone from its place and is not rewritten yet.
    is_gone: bool,
    /// Whether that was reported.
    is_told: bool,
    heartbeats: u64,
    limit: Option<u64>,
}

/// What resuming a game has revealed, although all entries are as written.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What had been changed or was missing, a sentence each.
    pub remarks: Vec<String>,
    /// Sound kept just before the program was killed, and not recorded yet.
    pub sounds: Vec<SoundFile>,
    /// Entries that the disk did not take and that were kept elsewhere.
    pub unwritten: Vec<Unwritten>,
    /// How many entries were waiting for the disk when the program ended.
    pub waiting: u64,
}

impl Store {
    /// Creates the file of a new game. A file left by a program that was killed before its first
    /// entry is no game, and its name is used again.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Unwritable` if the disk is full or the folder cannot be written,
    /// `ErrorKind::Usage` if there is a game of that name.
    pub fn create(path: &Path) -> Result<Self> {
        if path.exists() && !is_unbegun(path) {
            return Err(exists(path));
        }
        // The lock comes first: of two programs that take the same name only one creates the file.
        let heartbeat = HeartbeatFile::take(path).map_err(|error| match error.kind {
            ErrorKind::DeviceBusy => exists(path),
            _ => error,
        })?;
        if path.exists() && is_unbegun(path) {
            remove_files(path);
        }
        private_file(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(path),
            _ => {
                let _ = fs::remove_file(heartbeat::path_of(path));
                not_writable(path, &error.to_string(), remedy_of(&error))
            }
        })?;
        Self::begin(path, heartbeat).inspect_err(|_| remove_begun(path))
    }

    /// Writes the head of a newly created file.
    fn begin(path: &Path, mut heartbeat: HeartbeatFile) -> Result<Self> {
        let failed = |why: &dyn std::fmt::Display| unwritable(path, &why.to_string());
        heartbeat.begin().map_err(|error| failed(&error))?;
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // All in one transaction: after a power failure there is a game without entries or none.
        // The log begins only after that, so that no torn log can leave a file without tables.
        let head = format!(
            "BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; \
             {SCHEMA} COMMIT;"
        );
        connection
            .execute_batch(&head)
            .and_then(|()| prepare(&connection))
            .map_err(|error| failed(&error))?;
        let store = Self {
            joiner: Some(LogJoiner::beside(&connection, path)),
            connection,
            chain: Chain::new(),
            path: path.to_path_buf(),
            heartbeat,
            findings: Findings::default(),
            place: Place::of(path),
            is_gone: false,
            is_told: false,
            heartbeats: 0,
            limit: None,
        };
        // Otherwise a power failure could leave no name for what is written, or bring back the
        // journal with which the tables were created.
        seal::sync_folder(path).map_err(|error| failed(&error))?;
        Ok(store)
    }

    /// Opens the file of an interrupted game for further writing, with its entries.
    ///
    /// # Errors
    ///
    /// Those of [`read`]; `ErrorKind::BadInput` if the record is broken; `ErrorKind::DeviceBusy` if
    /// another annexd is playing this game.
    pub fn resume(path: &Path) -> Result<(Self, Vec<Entry>)> {
        // Resuming rewrites the heartbeats, so changes in them are reported first.
        let of_heartbeat = match seal::is_sealed(path) {
            true => Vec::new(),
            false => heartbeat::faults(path),
        };
        let heartbeat = HeartbeatFile::take(path)?;
        // These remarks are recorded for every reader, so they are in one language.
        let of_files = seal::faults(path).into_iter().chain(of_heartbeat);
        let mut remarks: Vec<String> = of_files.map(|fault| fault.to_string()).collect();
        let record = read(path)?;
        if let Some(broken) = record.broken {
            return Err(broken_record(path, &broken));
        }
        if let Some(cut_off) = &record.cut_off {
            remarks.push(cut_off.to_string());
            // The game continues over the damaged log. The rest of it is kept beside the file.
            let _ = fs::copy(seal::log_of(path), free_name(path, "damaged-wal"));
        }
        seal::remove(path)?;
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        prepare(&connection).map_err(|error| unwritable(path, &error.to_string()))?;
        let store = Self {
            joiner: Some(LogJoiner::beside(&connection, path)),
            connection,
            findings: Findings {
                remarks,
                sounds: utterance_files::unrecorded(path, &record.entries),
                unwritten: rescue::of(path, &record),
                waiting: record.waiting,
            },
            chain: record.chain,
            path: path.to_path_buf(),
            heartbeat,
            place: Place::of(path),
            is_gone: false,
            is_told: false,
            heartbeats: 0,
            limit: None,
        };
        Ok((store, record.entries))
    }

    /// Writes entries in one commit, numbers them, and returns once the disk has them.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Unwritable`; then none of them is kept, and they may be tried again. A missing
    /// file is reported once; after that it is rewritten.
    pub fn append(&mut self, entries: &mut [Entry]) -> Result<()> {
        self.is_gone |= self.place.is_left();
        if self.is_gone {
            if !std::mem::replace(&mut self.is_told, true) {
                return Err(file_identity::gone(&self.path));
            }
            self.write_anew()?;
        }
        let mut chain = self.chain.clone();
        let links: Vec<Link> = entries.iter_mut().map(|entry| chain.tie(entry)).collect();
        self.write(&links)
            .map_err(|error| unwritable(&self.path, &error.to_string()))?;
        self.chain = chain;
        // At once, not with the next heartbeat, so that the last entries before a kill are covered
        // too.
        if let Some(last) = entries.last() {
            self.heartbeat.write(last.at, last.wall_ms, &self.chain, 0);
        }
        self.place.committed(&self.path);
        if let Some(joiner) = &mut self.joiner {
            joiner.committed();
        }
        Ok(())
    }

    /// Notes that the program is alive at this moment, and how many entries wait for the disk. See
    /// [`HeartbeatFile`].
    pub fn write_heartbeat(&mut self, at: crate::moment::Moment, wall_ms: u64, waiting: u64) {
        self.heartbeat.write(at, wall_ms, &self.chain, waiting);
        self.heartbeats += 1;
        self.is_gone |= self.heartbeats.is_multiple_of(HEARTBEATS_TO_LOOK) && self.place.is_left();
    }

    /// Whether the file is gone from its place and is not rewritten yet.
    pub const fn is_gone(&self) -> bool {
        self.is_gone
    }

    /// Everything that was written, as far as it can be read back from a file that is gone.
    pub fn everything(&self) -> Vec<Entry> {
        let mut record = Record::empty();
        let _ = read_links(&self.connection, &mut record, None);
        record.entries
    }

    /// Writes the record into a new file, because the old one is gone.
    fn write_anew(&mut self) -> Result<()> {
        let path = self.path.clone();
        self.joiner = None;
        file_identity::copy_anew(&self.connection, &path, &self.place, &self.chain)?;
        if file_identity::clear_heartbeat(&path, &self.place)? {
            self.heartbeat = HeartbeatFile::take(&path)?;
            self.place.note(&heartbeat::path_of(&path));
        }
        file_identity::put_in_place(&mut self.connection, &path, &mut self.place)?;
        let failed = |error: rusqlite::Error| unwritable(&path, &error.to_string());
        let connection = connect(&path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        prepare(&connection).map_err(failed)?;
        self.connection = connection;
        self.joiner = Some(LogJoiner::beside(&self.connection, &path));
        self.place = Place::of(&path);
        (self.is_gone, self.is_told) = (false, false);
        match self.limit {
            Some(bytes) => self.limit(bytes),
            None => Ok(()),
        }
    }

    /// The last heartbeat of the previous program, if there is one.
    pub fn last_heartbeat(&self) -> Option<(crate::moment::Moment, u64)> {
        self.heartbeat
            .before()
            .map(|heartbeat| (heartbeat.at, heartbeat.wall_ms))
    }

    /// What resuming the game has revealed.
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The hash over everything that was written.
    pub const fn seal(&self) -> Hash {
        self.chain.seal()
    }

    /// The chain at the end of what was written.
    pub(crate) const fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Limits the file to this many bytes, as if the disk were full then.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Unwritable` if the file cannot be reached.
    pub fn limit(&mut self, bytes: u64) -> Result<()> {
        self.limit = Some(bytes);
        let failed = |error: rusqlite::Error| unwritable(&self.path, &error.to_string());
        let page: u64 = self
            .connection
            .query_row("PRAGMA page_size", [], |row| row.get(0))
            .map_err(failed)?;
        let pages = (bytes / page.max(1)).max(1);
        self.connection
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))
            .map_err(failed)
    }

    fn write(&mut self, links: &[Link]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        {
            let mut insert = transaction
                .prepare_cached("INSERT INTO journal (seq, text, hash) VALUES (?1, ?2, ?3)")?;
            for link in links {
                insert.execute((link.seq, &link.text, &link.hash.0[..]))?;
            }
        }
        transaction.commit()
    }
}

/// Seals a game that is left in order: the log is merged into the file, and every page is listed
/// with its hash. If that fails, the entries are still safe.
impl Drop for Store {
    fn drop(&mut self) {
        self.joiner = None;
        if self.is_gone || self.place.is_left() {
            // The file that is there is not ours.
            let keep = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
            let _ = self.connection.set_db_config(keep, true);
            return;
        }
        let joined = self
            .connection
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
                row.get::<_, i64>(0)
            });
        if joined == Ok(0) {
            let _ = seal::write(&self.path, &self.chain, &self.heartbeat);
        }
    }
}

/// How much of a game's file is cached in memory, in KiB.
const CACHE_KB: i64 = 512;

/// Uses a write-ahead log with full sync: a commit that has returned survives a power failure.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Entries are only appended to a record, so full pages are not needed again. Caching them would
    // make the program's memory grow for an hour.
    connection.pragma_update(None, "cache_size", -CACHE_KB)
}

/// An unused file name beside a game's, so that earlier files stay.
fn free_name(path: &Path, ending: &str) -> PathBuf {
    let numbered = (2..).map(|number| path.with_extension(format!("{ending}-{number}")));
    let mut names = std::iter::once(path.with_extension(ending)).chain(numbered);
    let free = names.find(|name| !name.exists());
    free.unwrap_or_else(|| path.with_extension(ending))
}

/// Removes the files of a game that could not be created, so that its name is free again.
pub(crate) fn remove_begun(path: &Path) {
    remove_files(path);
    // Last, because it holds the name.
    let _ = fs::remove_file(heartbeat::path_of(path));
}

/// Removes the files of a game except its heartbeat file.
fn remove_files(path: &Path) {
    let beside = ["-journal", "-wal", "-shm"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    });
    for file in beside.into_iter().chain([seal::path_of(path)]) {
        let _ = fs::remove_file(file);
    }
    let _ = fs::remove_file(path);
}

fn exists(path: &Path) -> Error {
    let fault = Fault::new(Part::Game, Reason::Exists, Remedy::OtherName);
    error!(Usage, GameExists, path = path.display()).about(fault.with(path.display().to_string()))
}

#[cfg(test)]
mod tests;
