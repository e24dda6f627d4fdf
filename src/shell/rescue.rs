//! The last entries of a game that its disk did not take: kept in the memory of the machine, or
//! wherever there is room.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crossbeam_channel::bounded;

use super::folders;
use super::games;
use super::store::private_file;
use crate::journal::Entry;

/// How long another disk is waited for, which may hang as well.
const PATIENCE: Duration = Duration::from_secs(3);

/// Writes entries as JSON Lines into a file of their own, which nobody else can read.
pub(super) fn entries(game: &Path, lost: Vec<Entry>) -> Option<PathBuf> {
    let name = games::name_of(game);
    let (done, place) = bounded(1);
    thread::spawn(move || {
        let runtime = folders::runtime_folder().ok();
        let folders = runtime.into_iter().chain([std::env::temp_dir()]);
        let written = folders
            .map(|folder| free_name(&folder, &name))
            .find(|path| write(path, &lost).is_ok());
        let _ = done.send(written);
    });
    place.recv_timeout(PATIENCE).ok().flatten()
}

fn free_name(folder: &Path, name: &str) -> PathBuf {
    let mut path = folder.join(format!("{name}-unwritten.jsonl"));
    let mut number = 2;
    while path.exists() {
        path = folder.join(format!("{name}-unwritten-{number}.jsonl"));
        number += 1;
    }
    path
}

fn write(path: &Path, entries: &[Entry]) -> std::io::Result<()> {
    let mut file = private_file(path)?;
    let mut text = String::new();
    for entry in entries {
        text += &serde_json::to_string(entry).map_err(std::io::Error::other)?;
        text.push('\n');
    }
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        let _ = std::fs::remove_file(path);
    }
    written
}
