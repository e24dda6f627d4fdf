//! The game's file: an SQLite database that is written before anything is said.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::file_identity::{self, Place};
use super::heartbeat::{self, Beat};
pub use super::reading::{Record, broken_record, read};
use super::reading::{not_opened, read_links};
use super::rescue::{self, Unwritten};
use super::seal;
use super::utterance_files;
use super::wal::LogJoiner;
use crate::journal::{Chain, Entry, FORMAT, Hash, Link, SoundFile};
use crate::shell::config::folders::remedy_of;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, told};

/// The ending of the names of game files.
pub const EXTENSION: &str = "annexd";

/// What SQLite finds in the head of our files: "axd" and a digit.
pub(crate) const APPLICATION_ID: i32 = 0x6178_6431;

const SCHEMA: &str = "
    CREATE TABLE journal (
        seq INTEGER PRIMARY KEY,
        text TEXT NOT NULL,
        hash BLOB NOT NULL
    ) STRICT;
";

/// At every so manieth beat it is seen whether the file is still there: some times a second.
const BEATS_TO_LOOK: u64 = 2;

/// A game's file, open for writing by this process alone.
pub struct Store {
    connection: Connection,
    chain: Chain,
    path: PathBuf,
    beat: Beat,
    findings: Findings,
    /// `None` only while the file is being closed or written anew.
    joiner: Option<LogJoiner>,
    place: Place,
    /// Whether the file has gone from its place and is not written anew yet.
    is_gone: bool,
    /// Whether that was told.
    is_told: bool,
    beats: u64,
    limit: Option<u64>,
}

/// What resuming a game has brought to light, though all entries are as they were written.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// What had been changed or was missing, a sentence each.
    pub remarks: Vec<String>,
    /// Sound that was kept just before the program was killed, and not recorded yet.
    pub sounds: Vec<SoundFile>,
    /// Entries that the disk did not take and that were kept elsewhere.
    pub unwritten: Vec<Unwritten>,
    /// How many entries were waiting for the disk when the program ended.
    pub waiting: u64,
}

impl Store {
    /// Makes the file of a new game.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Unwritable` if the disk is full or the folder cannot be written,
    /// `ErrorKind::Usage` if there is a game of that name.
    pub fn create(path: &Path) -> Result<Self> {
        private_file(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => told!(Usage, GameExists, path = path.display())
                .about(
                    Fault::new(Part::Game, Reason::Exists, Remedy::OtherName)
                        .with(path.display().to_string()),
                ),
            _ => not_writable(path, &error.to_string(), remedy_of(&error)),
        })?;
        Self::begin(path).inspect_err(|_| remove_begun(path))
    }

    /// Writes the head of a file that was just made.
    fn begin(path: &Path) -> Result<Self> {
        let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // All at once: should the power fail, there is a game without entries or none. The log
        // begins only after that, so that no torn log can leave a file without tables.
        let head = format!(
            "BEGIN; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {FORMAT}; \
             {SCHEMA} COMMIT;"
        );
        connection
            .execute_batch(&head)
            .and_then(|()| prepare(&connection))
            .map_err(|error| unwritable(path, &error.to_string()))?;
        let beat = Beat::take(path)?;
        let store = Self {
            joiner: Some(LogJoiner::beside(&connection, path)),
            connection,
            chain: Chain::new(),
            path: path.to_path_buf(),
            beat,
            findings: Findings::default(),
            place: Place::of(path),
            is_gone: false,
            is_told: false,
            beats: 0,
            limit: None,
        };
        // Else the power could fail and leave no name for what is written, or bring back the
        // journal with which the tables were made.
        seal::sync_folder(path).map_err(|error| unwritable(path, &error.to_string()))?;
        Ok(store)
    }

    /// Opens the file of an interrupted game, with its entries, to go on writing it.
    ///
    /// # Errors
    ///
    /// Those of [`read`]; `ErrorKind::BadInput` if the record is broken;
    /// `ErrorKind::DeviceBusy` if another annexd is playing this game.
    pub fn resume(path: &Path) -> Result<(Self, Vec<Entry>)> {
        // Going on writes the pulse anew, so what was changed in it is named before.
        let of_beat = match seal::is_sealed(path) {
            true => Vec::new(),
            false => heartbeat::faults(path),
        };
        let beat = Beat::take(path)?;
        // Recorded, and read by whoever looks into it: in one language for all.
        let of_files = seal::faults(path).into_iter().chain(of_beat);
        let mut remarks: Vec<String> = of_files.map(|fault| fault.to_string()).collect();
        let record = read(path)?;
        if let Some(broken) = record.broken {
            return Err(broken_record(path, &broken));
        }
        if let Some(cut_off) = &record.cut_off {
            remarks.push(cut_off.to_string());
            // The game goes on over it; what is left of the rest is kept beside it.
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
            beat,
            place: Place::of(path),
            is_gone: false,
            is_told: false,
            beats: 0,
            limit: None,
        };
        Ok((store, record.entries))
    }

    /// Writes entries in one commit and returns once the disk has them. They get their numbers.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Unwritable`; then none of them is kept, and they may be tried again. That the
    /// file has gone is told once; after that it is written anew.
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
        // At once, and not with the next beat: the last entries before a kill are covered too.
        if let Some(last) = entries.last() {
            self.beat.write(last.at, last.wall_ms, &self.chain, 0);
        }
        self.place.committed(&self.path);
        if let Some(joiner) = &mut self.joiner {
            joiner.committed();
        }
        Ok(())
    }

    /// Notes that the program is alive at this moment, and how many entries wait for the disk.
    /// See [`Beat`].
    pub fn beat(&mut self, at: crate::moment::Moment, wall_ms: u64, waiting: u64) {
        self.beat.write(at, wall_ms, &self.chain, waiting);
        self.beats += 1;
        self.is_gone |= self.beats.is_multiple_of(BEATS_TO_LOOK) && self.place.is_left();
    }

    /// Whether the file has gone from its place and is not written anew yet.
    pub const fn is_gone(&self) -> bool {
        self.is_gone
    }

    /// All that was written, as far as it can be read back from a file that has gone.
    pub fn everything(&self) -> Vec<Entry> {
        let mut record = Record::empty();
        let _ = read_links(&self.connection, &mut record, None);
        record.entries
    }

    /// Writes the record into a new file, because the old one has gone.
    fn write_anew(&mut self) -> Result<()> {
        let path = self.path.clone();
        self.joiner = None;
        file_identity::copy_anew(&self.connection, &path, &self.place, &self.chain)?;
        if file_identity::clear_beat(&path, &self.place)? {
            self.beat = Beat::take(&path)?;
            self.place.note(&heartbeat::path_of(&path));
        }
        file_identity::put_in_place(&self.connection, &path, &mut self.place)?;
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

    /// The last beat that the program before this one left, if it left one.
    pub fn last_beat(&self) -> Option<(crate::moment::Moment, u64)> {
        self.beat.before().map(|pulse| (pulse.at, pulse.wall_ms))
    }

    /// What resuming the game has brought to light.
    pub const fn findings(&self) -> &Findings {
        &self.findings
    }

    /// The hash over everything that was written.
    pub const fn seal(&self) -> Hash {
        self.chain.seal()
    }

    /// The end of what was written.
    pub(crate) const fn chain(&self) -> &Chain {
        &self.chain
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Lets the file grow to so many bytes and no further, as if the disk were full then.
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

/// A game that is left in order is sealed: the log is joined to the file, and what every page of
/// it holds is written down. Where that fails, the entries are safe all the same.
impl Drop for Store {
    fn drop(&mut self) {
        self.joiner = None;
        if self.is_gone || self.place.is_left() {
            // What stands there is not ours.
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
            let _ = seal::write(&self.path, &self.chain);
        }
    }
}

/// A second way to a game's file that is open for writing.
pub(crate) fn connect_again(path: &Path) -> Result<Connection> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection
        .pragma_update(None, "synchronous", "FULL")
        .map_err(|error| unwritable(path, &error.to_string()))?;
    Ok(connection)
}

pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(|error| not_opened(path, &error.to_string()))?;
    connection
        .busy_timeout(Duration::from_secs(2))
        .map_err(|error| unwritable(path, &error.to_string()))?;
    Ok(connection)
}

/// How much of a game's file is held in memory.
const CACHE_KB: i64 = 512;

/// Write-ahead log with full sync: a commit that has returned survives the loss of power.
fn prepare(connection: &Connection) -> rusqlite::Result<()> {
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // A record is only added to: pages that are full are not needed any more, and kept they would
    // make the program's memory grow for an hour.
    connection.pragma_update(None, "cache_size", -CACHE_KB)
}

/// A file beside a game's that is not there yet: what was kept before stays.
fn free_name(path: &Path, ending: &str) -> PathBuf {
    let numbered = (2..).map(|number| path.with_extension(format!("{ending}-{number}")));
    let mut names = std::iter::once(path.with_extension(ending)).chain(numbered);
    let free = names.find(|name| !name.exists());
    free.unwrap_or_else(|| path.with_extension(ending))
}

/// Takes away the files of a game that could not be begun: its name is free again.
pub(crate) fn remove_begun(path: &Path) {
    let beside = ["-journal", "-wal", "-shm"].map(|ending| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    });
    let others = [heartbeat::path_of(path), seal::path_of(path)];
    for file in beside.into_iter().chain(others) {
        let _ = fs::remove_file(file);
    }
    let _ = fs::remove_file(path);
}

/// Makes a file that only its owner can read.
pub(crate) fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

fn unwritable(path: &Path, why: &str) -> Error {
    not_writable(path, why, Remedy::MakeRoom)
}

fn not_writable(path: &Path, why: &str, remedy: Remedy) -> Error {
    told!(Unwritable, GameUnwritable, path = path.display(), why = why).about(
        Fault::new(Part::Disk, Reason::Unwritable, remedy)
            .with(format!("{}: {why}", path.display())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Body, Broken};
    use crate::moment::Moment;
    use crate::shell::error::ErrorKind;

    fn note(number: u64) -> Entry {
        Entry {
            seq: 0,
            at: Moment::from_ms(number),
            wall_ms: number,
            body: Body::Note(format!("remark number {number}")),
        }
    }

    fn with_game(test: impl FnOnce(&Path)) {
        let folder = tempfile::tempdir().unwrap();
        test(&folder.path().join("game.annexd"));
    }

    #[test]
    fn what_was_appended_is_there_after_resuming() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            store.append(&mut [note(1), note(2)]).unwrap();
            store.beat(Moment::from_ms(70), 170, 0);
            drop(store);
            let (mut store, entries) = Store::resume(path).unwrap();
            assert_eq!(entries.len(), 2);
            assert_eq!(store.last_beat(), Some((Moment::from_ms(70), 170)));
            store.append(&mut [note(3)]).unwrap();
            assert_eq!(read(path).unwrap().entries[2].seq, 3);
        });
    }

    #[test]
    fn the_log_is_joined_while_the_game_is_written() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            let begun = path.metadata().unwrap().len();
            let mut number = 0;
            while path.metadata().unwrap().len() == begun {
                store.append(&mut [note(number)]).unwrap();
                number += 1;
                assert!(number < 20_000, "the log is never joined");
            }
            drop(store);
            let record = read(path).unwrap();
            assert_eq!(record.entries.len() as u64, number);
            assert_eq!((record.broken, record.cut_off), (None, None));
        });
    }

    #[cfg(unix)]
    #[test]
    fn a_game_that_cannot_be_begun_leaves_its_name_free() {
        with_game(|path| {
            // A folder in the place of the beat lets the last step of making a game fail.
            fs::create_dir(heartbeat::path_of(path)).unwrap();
            assert!(Store::create(path).is_err());
            let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
            assert_eq!(left, 1, "only that folder");
            fs::remove_dir(heartbeat::path_of(path)).unwrap();
            assert!(Store::create(path).is_ok());
        });
    }

    #[test]
    fn nobody_else_can_read_or_play_a_game_that_is_played() {
        with_game(|path| {
            let _store = Store::create(path).unwrap();
            let error = Store::resume(path).err().unwrap();
            assert_eq!(error.kind, ErrorKind::DeviceBusy);
            #[cfg(unix)]
            for file in fs::read_dir(path.parent().unwrap()).unwrap() {
                let file = file.unwrap();
                let mode = std::os::unix::fs::PermissionsExt::mode(
                    &file.metadata().unwrap().permissions(),
                );
                assert_eq!(mode & 0o077, 0, "{:?}", file.path());
            }
        });
    }

    #[test]
    fn a_full_disk_keeps_nothing_of_a_commit_and_the_next_try_works() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            store.append(&mut [note(1)]).unwrap();
            store.limit(0).unwrap();
            let mut many: Vec<Entry> = (2..500).map(note).collect();
            let error = store.append(&mut many).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unwritable);
            assert_eq!(read(path).unwrap().entries.len(), 1);
            store.limit(1 << 30).unwrap();
            store.append(&mut many).unwrap();
            let record = read(path).unwrap();
            assert_eq!((record.entries.len(), record.broken), (499, None));
        });
    }

    #[test]
    fn a_changed_byte_is_found_and_its_entry_named() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            store
                .append(&mut (1..20).map(note).collect::<Vec<_>>())
                .unwrap();
            drop(store);
            let mut bytes = fs::read(path).unwrap();
            let needle = b"remark number 7";
            let place = bytes
                .windows(needle.len())
                .position(|window| window == needle)
                .unwrap();
            bytes[place] = b'R';
            fs::write(path, bytes).unwrap();
            let record = read(path).unwrap();
            assert_eq!(record.broken, Some(Broken::Changed { seq: 7 }));
            assert_eq!(record.entries.len(), 6);
        });
    }

    #[test]
    fn a_torn_log_loses_nothing_but_its_end() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            for number in 1..=30 {
                store.append(&mut [note(number)]).unwrap();
            }
            let log_of = |path: &Path| {
                let mut log = path.as_os_str().to_owned();
                log.push("-wal");
                PathBuf::from(log)
            };
            let (main, log) = (fs::read(path).unwrap(), fs::read(log_of(path)).unwrap());
            let mut most = 0;
            for cut in (0..=log.len()).step_by(1013).chain([log.len()]) {
                for is_zeroed in [false, true] {
                    let torn = path.with_file_name(format!("torn{cut}{is_zeroed}.annexd"));
                    let mut left = log[..cut].to_vec();
                    if is_zeroed {
                        // Pages that were never synced may come back as zeros.
                        left.resize(log.len(), 0);
                    }
                    fs::write(&torn, &main).unwrap();
                    fs::write(log_of(&torn), left).unwrap();
                    if let Ok(record) = read(&torn) {
                        assert_eq!(record.broken, None, "cut at {cut}");
                        assert!(record.entries.len() >= most, "cut at {cut}");
                        most = record.entries.len();
                    } else {
                        assert_eq!(most, 0, "cut at {cut}");
                    }
                }
            }
            assert_eq!(most, 30);
        });
    }

    #[test]
    fn reading_a_damaged_log_leaves_it_as_it_is() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            for number in 1..=12 {
                store.append(&mut [note(number)]).unwrap();
                store.beat(Moment::from_ms(number * 100), number, 0);
            }
            let left = path.with_file_name("left.annexd");
            fs::copy(path, &left).unwrap();
            fs::copy(heartbeat::path_of(path), heartbeat::path_of(&left)).unwrap();
            let mut log = fs::read(seal::log_of(path)).unwrap();
            let middle = log.len() / 2;
            log[middle] ^= 1;
            fs::write(seal::log_of(&left), &log).unwrap();
            for _ in 0..2 {
                assert!(read(&left).unwrap().cut_off.is_some());
                assert_eq!(fs::read(seal::log_of(&left)).unwrap(), log);
            }
            drop(Store::resume(&left).unwrap());
            assert_eq!(fs::read(left.with_extension("damaged-wal")).unwrap(), log);
        });
    }

    #[test]
    fn no_file_at_all_and_no_game_are_said_so() {
        with_game(|path| {
            let error = read(path).err().unwrap();
            assert_eq!(error.kind, ErrorKind::BadInput);
            fs::write(path, "1. e4 e5").unwrap();
            let error = read(path).err().unwrap();
            assert!(error.message.contains("not a game of annexd"), "{error}");
        });
    }

    #[test]
    fn a_log_that_is_cut_while_entries_are_written_is_noticed() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            store.append(&mut [note(1)]).unwrap();
            let log = File::options()
                .write(true)
                .open(seal::log_of(path))
                .unwrap();
            let length = log.metadata().unwrap().len();
            log.set_len(0).unwrap();
            log.set_len(length).unwrap();
            let error = store.append(&mut [note(2)]).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unwritable);
            store.append(&mut [note(2)]).unwrap();
            drop(store);
            assert_eq!(read(path).unwrap().entries.len(), 2);
        });
    }

    #[test]
    fn no_garbage_makes_the_reader_panic() {
        with_game(|path| {
            let mut store = Store::create(path).unwrap();
            store
                .append(&mut (1..40).map(note).collect::<Vec<_>>())
                .unwrap();
            drop(store);
            let whole = fs::read(path).unwrap();
            for step in 0..whole.len() / 97 {
                let mut bytes = whole.clone();
                bytes[step * 97] ^= 0xff;
                fs::write(path, &bytes).unwrap();
                if let Ok(record) = read(path) {
                    assert!(record.entries.len() <= 39);
                }
            }
        });
    }
}
