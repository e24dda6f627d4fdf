//! The seal of a game that was left: the state of every part of its files when nobody played it.
//!
//! The chain of hashes covers the entries. The seal covers the rest of the file too, so that a byte
//! changed anywhere is found. It is written when a game is left and removed when it is resumed; a
//! game whose program was killed has none.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use super::access::private_file;
use super::heartbeat::{self, HeartbeatFile};
use crate::journal::{Chain, Hash};
use crate::shell::error::{Result, Sentence, error, sentence};

/// How many bytes one line of the seal covers. A change is located to this precision.
const PART: usize = 4096;

const FIRST_LINE: &str = "annexd seal 1";

/// The file of the seal of a game.
pub(crate) fn path_of(game: &Path) -> PathBuf {
    game.with_extension("seal")
}

/// Seals a game's file and the heartbeat file beside it.
pub(crate) fn write(game: &Path, chain: &Chain, heartbeat: &HeartbeatFile) -> io::Result<()> {
    let mut text = format!("{FIRST_LINE}\nrecord {}\n", chain.seal());
    // What a power failure could still remove must not be sealed.
    let log = log_of(game);
    if log.exists() {
        sync(&log)?;
    }
    sync(game)?;
    heartbeat.sync()?;
    for (name, path) in sealed_files(game) {
        let bytes = fs::read(path)?;
        let _ = writeln!(text, "{name} {} bytes", bytes.len());
        for part in bytes.chunks(PART) {
            let _ = writeln!(text, "{}", digest(part));
        }
    }
    let _ = writeln!(text, "end {}", digest(text.as_bytes()));
    // After a power failure there is either a complete seal or none.
    let begun = game.with_extension("seal-new");
    let _ = fs::remove_file(&begun);
    let mut file = private_file(&begun)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(begun, path_of(game))?;
    sync_folder(game)
}

/// Removes the seal, because the game goes on.
pub(crate) fn remove(game: &Path) -> Result<()> {
    let path = path_of(game);
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error!(
            Unwritable,
            NotTakenAway,
            path = path.display(),
            why = error
        )),
        Err(_) => Ok(()),
        Ok(()) => {
            // If the seal came back after a power failure, it would accuse an intact record.
            let _ = sync_folder(game);
            Ok(())
        }
    }
}

/// Whether the game was left in order, so that all its bytes can be checked.
pub(crate) fn is_sealed(game: &Path) -> bool {
    path_of(game).exists()
}

/// What has changed since the game was left, a sentence each; empty without a seal. The game's file
/// is not opened as a database for this, so nothing in it is trusted.
pub(crate) fn faults(game: &Path) -> Vec<Sentence> {
    let path = path_of(game);
    let text = match read(&path) {
        Ok(bytes) => String::from_utf8(bytes).unwrap_or_default(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            let name = path.display();
            return vec![sentence!(FileNotRead, path = name, why = error)];
        }
    };
    let Some(sealed) = lines_of(&text) else {
        return vec![sentence!(SealChanged, path = path.display())];
    };
    let mut faults = Vec::new();
    for (name, file) in sealed_files(game) {
        let bytes = read(&file).unwrap_or_default();
        faults.extend(changed_parts(&sealed, name, &file, &bytes));
    }
    let log = log_of(game);
    if log.metadata().is_ok_and(|data| data.len() > 0) {
        faults.push(sentence!(FileAddedAfter, path = log.display()));
    }
    faults
}

/// The content of a file. A pipe of its name would never answer.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    match path.metadata()?.is_file() {
        true => fs::read(path),
        false => Err(io::ErrorKind::InvalidInput.into()),
    }
}

/// The log that SQLite writes before the game's file.
pub(crate) fn log_of(game: &Path) -> PathBuf {
    let mut log = game.as_os_str().to_owned();
    log.push("-wal");
    PathBuf::from(log)
}

fn sealed_files(game: &Path) -> [(&'static str, PathBuf); 2] {
    [
        ("game", game.to_path_buf()),
        ("beat", heartbeat::path_of(game)),
    ]
}

/// The lines of an intact seal, without the first and the last.
fn lines_of(text: &str) -> Option<Vec<&str>> {
    let (covered, last) = text.trim_end_matches('\n').rsplit_once('\n')?;
    let covered_with_end = text.get(..=covered.len())?;
    let expected = format!("end {}\n", digest(covered_with_end.as_bytes()));
    let is_whole = text.get(covered.len() + 1..)? == expected && last.starts_with("end ");
    let rest = covered.strip_prefix(FIRST_LINE)?;
    is_whole.then(|| rest.lines().skip(1).collect())
}

fn changed_parts(sealed: &[&str], name: &str, path: &Path, bytes: &[u8]) -> Vec<Sentence> {
    let shown = path.display();
    let heading = format!("{name} ");
    let Some(start) = sealed.iter().position(|line| line.starts_with(&heading)) else {
        return vec![sentence!(SealLacks, path = shown)];
    };
    let length = sealed[start]
        .strip_prefix(&heading)
        .and_then(|rest| rest.strip_suffix(" bytes")?.parse::<usize>().ok());
    let mut faults = Vec::new();
    if length != Some(bytes.len()) {
        let was = length.map_or_else(|| "?".to_owned(), |length| length.to_string());
        faults.push(sentence!(
            FileLengthChanged,
            path = shown,
            bytes = bytes.len(),
            was = was
        ));
    }
    for (index, part) in bytes.chunks(PART).enumerate() {
        let line = sealed.get(start + 1 + index).copied().unwrap_or_default();
        if line != digest(part).to_string() {
            faults.push(sentence!(
                FileBytesChangedAfter,
                path = shown,
                from = index * PART + 1,
                to = index * PART + part.len()
            ));
        }
    }
    faults
}

fn digest(bytes: &[u8]) -> Hash {
    Hash(Sha256::digest(bytes).into())
}

/// Syncs a file to the disk. Windows does so only for a writable file.
pub(crate) fn sync(file: &Path) -> io::Result<()> {
    File::options().write(true).open(file)?.sync_all()
}

/// Syncs the names in the folder of a game to the disk.
pub(crate) fn sync_folder(game: &Path) -> io::Result<()> {
    match game.parent() {
        Some(folder) if cfg!(unix) => {
            let here = folder.as_os_str().is_empty();
            File::open(if here { Path::new(".") } else { folder })?.sync_all()
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Body, Entry};
    use crate::moment::Moment;
    use crate::shell::record::store::{self, Store};

    fn game(folder: &Path) -> PathBuf {
        let path = folder.join("game.annexd");
        let mut store = Store::create(&path).unwrap();
        let note = |number: u64| Entry {
            seq: 0,
            at: Moment::from_ms(number),
            wall_ms: number,
            body: Body::Note(format!("remark number {number}")),
        };
        for number in 1..20 {
            store.append(&mut [note(number)]).unwrap();
            store.write_heartbeat(Moment::from_ms(number * 100), number, 0);
        }
        path
    }

    #[test]
    fn a_changed_byte_anywhere_in_what_was_left_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = game(folder.path());
        assert_eq!(faults(&path), Vec::<Sentence>::new());
        assert_eq!(store::read(&path).unwrap().broken, None);
        assert_eq!(
            faults(&path),
            Vec::<Sentence>::new(),
            "reading changes nothing"
        );
        for file in [path.clone(), heartbeat::path_of(&path), path_of(&path)] {
            let whole = fs::read(&file).unwrap();
            let step = (whole.len() / 300).max(1);
            for index in (0..whole.len()).step_by(step) {
                let mut bytes = whole.clone();
                bytes[index] ^= 1 << (index % 8);
                fs::write(&file, &bytes).unwrap();
                let found = faults(&path);
                assert_eq!(found.len(), 1, "byte {index} of {}", file.display());
                let told = found[0].to_string();
                assert!(told.contains(&*file.to_string_lossy()), "{told}");
            }
            fs::write(&file, &whole[..whole.len() - 1]).unwrap();
            assert!(!faults(&path).is_empty());
            fs::write(&file, &whole).unwrap();
        }
        assert_eq!(faults(&path), Vec::<Sentence>::new());
    }

    #[test]
    fn a_game_that_is_resumed_has_no_seal_until_it_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = game(folder.path());
        assert!(is_sealed(&path));
        let (store, _) = Store::resume(&path).unwrap();
        assert!(!is_sealed(&path));
        assert_eq!(store.findings().remarks, Vec::<String>::new());
        drop(store);
        assert!(is_sealed(&path));
    }
}
