//! The heartbeat: until when the program was alive, and how long the record was then.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use self::held::Taken;
use super::access::private_file;
use crate::journal::{Chain, Hash};
use crate::moment::Moment;
use crate::shell::config::folders::remedy_of;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, Sentence, error, sentence};

/// How often a heartbeat is written, in milliseconds, so that after a kill the clocks are right to
/// about a tenth of a second. Each heartbeat wakes the processor, and a laptop has to last for six
/// hours.
pub const HEARTBEAT_MS: u64 = 120;

/// The bits of a heartbeat's entry count that hold the durable entries. The bits above hold the
/// waiting ones.
const DURABLE_BITS: u32 = 40;

/// The size of a heartbeat in bytes. There are two, written alternately, so that one is always
/// intact.
const SLOT: usize = 64;

/// The content of one heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heartbeat {
    /// The game's time.
    pub at: Moment,
    /// The computer's clock, in milliseconds since 1970.
    pub wall_ms: u64,
    /// The number of durable entries then.
    pub entries: u64,
    /// The number of further entries waiting for a disk that did not take them.
    pub waiting: u64,
    /// The hash over the durable entries.
    pub hash: Hash,
}

/// A small file beside the game's, in which the program notes several times a second that it is
/// alive.
///
/// Entries are written only when something happens, and a player may think for an hour. Without the
/// heartbeats nobody would know how long the clock had run before the program was killed, nor that
/// the end of a log was cut off. The file is not synced: it survives the program's death but not a
/// power failure, after which it may be some seconds old. It is locked while the game is played, so
/// that no second program plays the same game.
pub struct HeartbeatFile {
    file: File,
    before: Option<Heartbeat>,
    last: Option<Heartbeat>,
    heartbeats: u64,
}

impl HeartbeatFile {
    /// Opens and locks the heartbeat file of the game at `path`.
    ///
    /// # Errors
    ///
    /// `ErrorKind::DeviceBusy` if another program holds it, `ErrorKind::Unwritable` if it cannot be
    /// created.
    pub(crate) fn take(path: &Path) -> Result<Self> {
        let path = path_of(path);
        let unwritable = |error: std::io::Error| {
            error!(Unwritable, Unwritable, path = path.display(), why = error).about(
                Fault::new(Part::Disk, Reason::Unwritable, remedy_of(&error))
                    .with(format!("{}: {error}", path.display())),
            )
        };
        if path.exists() && !path.is_file() {
            return Err(unwritable(std::io::ErrorKind::AlreadyExists.into()));
        }
        if let Err(error) = private_file(&path)
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            return Err(unwritable(error));
        }
        let file = match held::take(&path) {
            Ok(Taken::Ours(file)) => file,
            Ok(Taken::Anothers) => {
                return Err(error!(DeviceBusy, GameIsPlayed).about(Fault::new(
                    Part::Game,
                    Reason::Busy,
                    Remedy::CloseOther,
                )));
            }
            Err(error) => return Err(unwritable(error)),
        };
        Ok(Self {
            before: last(&path).and_then(|(_, heartbeat)| heartbeat),
            file,
            last: None,
            heartbeats: 0,
        })
    }

    /// Discards what a program killed before the first entry of its game has left here.
    pub(crate) fn begin(&mut self) -> std::io::Result<()> {
        self.before = None;
        self.file.set_len(0)
    }

    /// Notes that the program is alive, and how many entries wait for the disk. A heartbeat that
    /// cannot be written is skipped: the disk's problem shows with the next entry.
    pub(crate) fn write(&mut self, at: Moment, wall_ms: u64, chain: &Chain, waiting: u64) {
        let mut heartbeat = Heartbeat {
            at,
            wall_ms,
            entries: chain.next_seq() - 1,
            waiting,
            hash: chain.seal(),
        };
        if let Some(last) = &self.last {
            let is_news = (last.entries, last.waiting) != (heartbeat.entries, waiting);
            if !is_news && (at.since(last.at).as_millis() as u64) < HEARTBEAT_MS / 2 {
                return;
            }
            // An entry has its own moment, which may be before the last heartbeat.
            if at < last.at {
                (heartbeat.at, heartbeat.wall_ms) = (last.at, last.wall_ms);
            }
        }
        self.last = Some(heartbeat);
        let place = self.heartbeats % 2 * SLOT as u64;
        self.heartbeats += 1;
        let _ = self
            .file
            .seek(SeekFrom::Start(place))
            .and_then(|_| self.file.write_all(&bytes_of(&heartbeat)));
    }

    /// Syncs the heartbeats to the disk.
    pub(crate) fn sync(&self) -> std::io::Result<()> {
        self.file.sync_all()
    }

    /// The last heartbeat of the previous program.
    pub(crate) const fn before(&self) -> Option<Heartbeat> {
        self.before
    }
}

/// Whether a program is playing the game now.
pub(crate) fn is_held(game: &Path) -> bool {
    held::is_held(&path_of(game))
}

/// The lock of the heartbeat file: one program holds it, and everybody may read meanwhile.
mod held {
    use std::fs::{File, OpenOptions};
    use std::io;
    use std::path::Path;

    /// The result of taking the lock.
    pub(super) enum Taken {
        Ours(File),
        Anothers,
    }

    #[cfg(unix)]
    pub(super) fn take(path: &Path) -> io::Result<Taken> {
        use std::fs::TryLockError;

        let file = OpenOptions::new().read(true).write(true).open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Taken::Ours(file)),
            Err(TryLockError::WouldBlock) => Ok(Taken::Anothers),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    #[cfg(unix)]
    pub(super) fn is_held(path: &Path) -> bool {
        File::open(path).is_ok_and(|file| file.try_lock().is_err())
    }

    /// The error for a file that another program has open for writing.
    #[cfg(windows)]
    const SHARING_VIOLATION: i32 = 32;

    /// Takes the file by denying writing to others while it is open. A Windows lock would also keep
    /// out readers, including those of this program.
    #[cfg(windows)]
    pub(super) fn take(path: &Path) -> io::Result<Taken> {
        match alone(OpenOptions::new().read(true).write(true), path) {
            Ok(file) => Ok(Taken::Ours(file)),
            Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(Taken::Anothers),
            Err(error) => Err(error),
        }
    }

    #[cfg(windows)]
    pub(super) fn is_held(path: &Path) -> bool {
        alone(OpenOptions::new().read(true), path)
            .is_err_and(|error| error.raw_os_error() == Some(SHARING_VIOLATION))
    }

    /// Opens a file that nobody else writes or will write. Others may read and rename it.
    #[cfg(windows)]
    fn alone(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
        use std::os::windows::fs::OpenOptionsExt as _;

        const READ: u32 = 1;
        const DELETE: u32 = 4;
        options.share_mode(READ | DELETE).open(path)
    }
}

/// The heartbeat file of a game.
pub(crate) fn path_of(game: &Path) -> PathBuf {
    game.with_extension("beat")
}

/// How many of the heartbeats in a file are intact, and the last of them; `None` without the file.
pub(crate) fn last(path: &Path) -> Option<(usize, Option<Heartbeat>)> {
    let mut bytes = Vec::new();
    // A pipe of that name would never answer.
    path.is_file().then_some(())?;
    File::open(path)
        .and_then(|file| file.take(2 * SLOT as u64).read_to_end(&mut bytes))
        .ok()?;
    let whole: Vec<Heartbeat> = bytes.chunks(SLOT).filter_map(pulse_of).collect();
    Some((
        whole.len(),
        whole
            .into_iter()
            .max_by_key(|heartbeat| (heartbeat.at, heartbeat.entries)),
    ))
}

/// What was changed in the heartbeats of a game whose program was killed. Zeros from a power
/// failure are no change.
pub(crate) fn faults(game: &Path) -> Vec<Sentence> {
    if let Some(fault) = missing(game) {
        return vec![fault];
    }
    let path = path_of(game);
    // A game in play may be read in the middle of a heartbeat, but not three times.
    (0..3)
        .map(|_| {
            std::thread::sleep(Duration::from_millis(HEARTBEAT_MS));
            changed(&path)
        })
        .find(Vec::is_empty)
        .unwrap_or_else(|| changed(&path))
}

/// Reports a missing heartbeat file. Every game has one before its first entry.
fn missing(game: &Path) -> Option<Sentence> {
    let path = path_of(game);
    (!path.is_file()).then(|| sentence!(HeartbeatMissing, path = path.display()))
}

fn changed(path: &Path) -> Vec<Sentence> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    if read.is_err() {
        return Vec::new();
    }
    let is_lost = |slot: &[u8]| slot.iter().all(|byte| *byte == 0);
    let slots = bytes.chunks(SLOT).enumerate();
    slots
        .filter(|(number, slot)| *number > 1 || pulse_of(slot).is_none() && !is_lost(slot))
        .map(|(number, _)| {
            sentence!(
                FileBytesChanged,
                path = path.display(),
                from = number * SLOT + 1,
                to = (number + 1) * SLOT
            )
        })
        .collect()
}

fn bytes_of(heartbeat: &Heartbeat) -> [u8; SLOT] {
    let mut bytes = [0; SLOT];
    bytes[..8].copy_from_slice(&heartbeat.at.as_ms().to_le_bytes());
    bytes[8..16].copy_from_slice(&heartbeat.wall_ms.to_le_bytes());
    let entries = heartbeat.entries | heartbeat.waiting << DURABLE_BITS;
    bytes[16..24].copy_from_slice(&entries.to_le_bytes());
    bytes[24..56].copy_from_slice(&heartbeat.hash.0);
    let check = check(&bytes[..56]);
    bytes[56..].copy_from_slice(&check);
    bytes
}

fn pulse_of(bytes: &[u8]) -> Option<Heartbeat> {
    let number = |from: usize| {
        let eight = bytes.get(from..from + 8)?.try_into().ok()?;
        Some(u64::from_le_bytes(eight))
    };
    let is_whole = bytes.get(56..SLOT)? == check(bytes.get(..56)?);
    let entries = number(16)?;
    Some(Heartbeat {
        at: Moment::from_ms(number(0)?),
        wall_ms: number(8)?,
        entries: entries & ((1 << DURABLE_BITS) - 1),
        waiting: entries >> DURABLE_BITS,
        hash: Hash(bytes.get(24..56)?.try_into().ok()?),
    })
    .filter(|_| is_whole)
}

/// The checksum that distinguishes an intact heartbeat from a torn or changed one.
fn check(bytes: &[u8]) -> [u8; 8] {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let mut check = [0; 8];
    check.copy_from_slice(&digest[..8]);
    check
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_heartbeats_the_later_whole_one_counts() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game.annexd");
        let mut file = HeartbeatFile::take(&game).unwrap();
        for number in 1..=3 {
            let at = Moment::from_ms(number * HEARTBEAT_MS);
            file.write(at, number, &Chain::new(), number + 1);
        }
        let path = path_of(&game);
        let (whole, heartbeat) = last(&path).unwrap();
        let heartbeat = heartbeat.unwrap();
        assert_eq!((whole, heartbeat.wall_ms), (2, 3));
        assert_eq!((heartbeat.entries, heartbeat.waiting), (0, 4));
        assert_eq!(faults(&game), Vec::<Sentence>::new());
        // While it is held, Windows lets nobody else write it.
        drop(file);
        let mut bytes = std::fs::read(&path).unwrap();
        for index in 0..bytes.len() {
            bytes[index] ^= 1;
            std::fs::write(&path, &bytes).unwrap();
            let (whole, heartbeat) = last(&path).unwrap();
            let expected = if index < SLOT { 2 } else { 3 };
            assert_eq!((whole, heartbeat.unwrap().wall_ms), (1, expected));
            assert_eq!(faults(&game).len(), 1, "byte {index}");
            bytes[index] ^= 1;
        }
    }
}
