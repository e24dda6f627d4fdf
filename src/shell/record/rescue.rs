//! The last entries of a game that its disk did not take. They are kept in the machine's memory, or
//! wherever there is room, and found again when the game is checked or resumed.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crossbeam_channel::bounded;
use serde::{Deserialize, Serialize};

use super::access::private_file;
use super::catalogue;
use super::reading::Record;
use crate::journal::{Body, Chain, Entry};
use crate::shell::config::folders;

/// How long to wait for another disk, which may hang as well.
const PATIENCE: Duration = Duration::from_secs(3);

/// How many files of one game are looked for in each place.
const FILES_MAX: usize = 20;

/// The longest file of entries, in bytes.
const BYTES_MAX: u64 = 1 << 30;

/// The end of a record, and the entries that belong after it.
#[derive(Debug)]
pub struct Lost {
    /// The end of the record.
    pub after: Chain,
    /// The entries that the record lacks.
    pub entries: Vec<Entry>,
}

impl Default for Lost {
    /// No entries.
    fn default() -> Self {
        Self {
            after: Chain::new(),
            entries: Vec::new(),
        }
    }
}

/// The first line of a file of entries: the number of entries before them in the record, and the
/// hash over those.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    after: u64,
    hash: String,
}

/// Entries of a game that its disk did not take.
#[derive(Clone, Debug)]
pub struct Unwritten {
    /// Their file.
    pub path: PathBuf,
    /// Their number.
    pub count: usize,
    /// Those that the record lacks, if the game has not continued differently.
    pub missing: Option<Vec<Entry>>,
}

/// Writes entries as JSON Lines into a separate file that nobody else can read.
pub(crate) fn entries(game: &Path, lost: Lost) -> Option<PathBuf> {
    let name = catalogue::name_of(game);
    let (done, place) = bounded(1);
    thread::spawn(move || {
        let written = folders()
            .map(|folder| free_name(&folder, &name))
            .find(|path| write(path, &lost).is_ok());
        let _ = done.send(written.clone());
        // A hanging disk would never return from it.
        let _ = written.map(|path| super::seal::sync(&path));
    });
    place.recv_timeout(PATIENCE).ok().flatten()
}

/// What was kept in this way of a game and is not in its record yet.
pub(crate) fn of(game: &Path, record: &Record) -> Vec<Unwritten> {
    let name = catalogue::name_of(game);
    files_of(&name)
        .filter(|file| is_owned_with(file, game))
        .filter_map(|file| read(file, record))
        .collect()
}

/// A whole game that was kept in this way because its file was gone, and is not in its folder
/// again.
pub(crate) fn whole(folder: &Path, name: &str) -> Option<Unwritten> {
    files_of(name)
        .filter(|file| is_owned_with(file, folder))
        .find_map(|file| read(file, &Record::empty()))
        .filter(|found| found.missing.is_some())
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let runtime = folders::runtime_folder().ok();
    runtime.into_iter().chain([std::env::temp_dir()])
}

/// The files that may belong to a game of this name.
fn files_of(name: &str) -> impl Iterator<Item = PathBuf> {
    folders()
        .flat_map(move |folder| numbered(&folder, name).take(FILES_MAX))
        .filter(|file| file.exists())
}

fn numbered(folder: &Path, name: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let first = folder.join(format!("{name}-unwritten.jsonl"));
    let folder = folder.to_path_buf();
    let name = name.to_owned();
    let more = (2_u32..).map(move |number| folder.join(format!("{name}-unwritten-{number}.jsonl")));
    std::iter::once(first).chain(more)
}

fn free_name(folder: &Path, name: &str) -> PathBuf {
    let free = numbered(folder, name).find(|path| !path.exists());
    free.unwrap_or_else(|| folder.join(name))
}

fn write(path: &Path, lost: &Lost) -> std::io::Result<()> {
    let head = Head {
        after: lost.after.next_seq() - 1,
        hash: lost.after.seal().to_string(),
    };
    let mut text = serde_json::to_string(&head).map_err(std::io::Error::other)?;
    text.push('\n');
    for entry in &lost.entries {
        text += &serde_json::to_string(entry).map_err(std::io::Error::other)?;
        text.push('\n');
    }
    let mut file = private_file(path)?;
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

/// Whether a file has the same owner as the game. Anybody can put a file into a shared folder, but
/// not one owned by the owner of the game.
#[cfg(unix)]
fn is_owned_with(file: &Path, game: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    let owner = |data: fs::Metadata| data.uid();
    let of_file = fs::symlink_metadata(file)
        .ok()
        .filter(fs::Metadata::is_file);
    let of_game = game.metadata();
    of_file.map(owner) == of_game.ok().map(owner)
}

#[cfg(not(unix))]
fn is_owned_with(file: &Path, _game: &Path) -> bool {
    file.is_file()
}

/// The entries in a file, if they belong to this game.
fn read(path: PathBuf, record: &Record) -> Option<Unwritten> {
    let is_long = path.metadata().ok()?.len() > BYTES_MAX;
    let text = (!is_long).then(|| fs::read_to_string(&path).ok())??;
    let mut lines = text.lines();
    let head: Head = serde_json::from_str(lines.next()?).ok()?;
    let entries: Option<Vec<Entry>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    let entries = entries?;
    let after = usize::try_from(head.after).ok()?;
    let written = record.entries.get(after..)?;
    if after > 0 && record.hashes.get(after - 1)?.to_string() != head.hash {
        return None;
    }
    // The disk may have taken some of them after all.
    let written: Vec<&Entry> = written.iter().filter(|it| !is_of_gap(it)).collect();
    let is_as_here = |(written, entry): (&&Entry, &Entry)| {
        let Entry {
            at, wall_ms, body, ..
        } = written;
        (at, wall_ms, body) == (&entry.at, &entry.wall_ms, &entry.body)
    };
    let same = written
        .iter()
        .zip(&entries)
        .take_while(|it| is_as_here(*it));
    let same = same.count();
    // Whole records, which follow no other entries, are distinguished by their first entry.
    if after == 0 && same == 0 && !written.is_empty() {
        return None;
    }
    let rest = written.get(same..).unwrap_or_default();
    let has_gone_on = !rest.is_empty() && same < entries.len();
    let missing = entries.get(same..).unwrap_or_default();
    (!missing.is_empty()).then(|| Unwritten {
        path,
        count: missing.len(),
        missing: (!has_gone_on).then(|| missing.to_vec()),
    })
}

fn is_of_gap(entry: &Entry) -> bool {
    matches!(&entry.body, Body::Gap { .. })
        || matches!(&entry.body, Body::Shed { device, .. } if device == "disk")
}
