//! The sound kept beside a game: where it is, how much, and for how long.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use super::catalogue;
use super::seal;
use crate::journal::{Body, Entry, Hash, SoundFile};
use crate::shell::config::language;
use crate::shell::config::settings::RecordSettings;
use crate::shell::error::{Sentence, sentence};

/// The most files that can have been in progress when a program was killed.
const UNRECORDED_MAX: usize = 16;

/// The folder of a game's sound.
pub fn folder_of(game: &Path) -> PathBuf {
    game.with_extension("sound")
}

/// The hash of a file's bytes, in the record's notation.
pub(crate) fn hash_of(bytes: &[u8]) -> String {
    Hash(Sha256::digest(bytes).into()).to_string()
}

/// The sound files in a folder with their sizes, oldest first.
pub(crate) fn files(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut files: Vec<(PathBuf, u64)> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|ending| ending == "flac")
        })
        .filter_map(|entry| Some((entry.path(), entry.metadata().ok()?.len())))
        .collect();
    files.sort();
    files
}

/// The sound of a game compared with its record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoundFound {
    /// How many utterances were kept according to the record.
    pub recorded: usize,
    /// How many of them are still present.
    pub present: usize,
    /// The length of those in milliseconds.
    pub ms: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// What differs from the record, a sentence each.
    pub faults: Vec<Sentence>,
}

impl SoundFound {
    /// How much sound there is, in the language to answer in.
    pub fn told(&self) -> String {
        let there = sentence!(
            SoundIsKept,
            utterances = self.present,
            seconds = self.ms / 1000,
            kilobytes = self.bytes.div_ceil(1024)
        );
        let there = language::text(&there);
        match self.recorded - self.present {
            0 => there,
            gone => {
                let gone = language::text(&sentence!(SoundWasDeleted, utterances = gone));
                format!("{there} {gone}")
            }
        }
    }
}

/// Compares the sound beside a game with its record. A missing file is no fault, because sound may
/// be deleted. A changed file is one, and so is a file that the record does not mention.
pub fn find(game: &Path, entries: &[Entry]) -> SoundFound {
    let folder = folder_of(game);
    let mut found = SoundFound::default();
    let mut unknown: Vec<PathBuf> = files(&folder).into_iter().map(|(path, _)| path).collect();
    for sound in recorded(entries) {
        found.recorded += 1;
        let path = folder.join(&sound.file);
        let Ok(bytes) = seal::read(&path) else {
            continue;
        };
        unknown.retain(|other| *other != path);
        found.present += 1;
        found.ms += sound.ms;
        found.bytes += bytes.len() as u64;
        if hash_of(&bytes) != sound.sha256 {
            found
                .faults
                .push(sentence!(SoundChanged, path = path.display()));
        }
    }
    for path in unknown {
        let unknown = sentence!(SoundUnknown, path = path.display());
        found.faults.push(unknown);
    }
    found
}

/// Sound that the record does not mention, because the program was killed in between. Its
/// microphone and time are known only from the files around it.
pub(crate) fn unrecorded(game: &Path, entries: &[Entry]) -> Vec<SoundFile> {
    let name = |path: &Path| Some(path.file_name()?.to_str()?.to_owned());
    let is_known = |file: &str| recorded(entries).any(|sound| sound.file == file);
    files(&folder_of(game))
        .into_iter()
        .filter_map(|(path, _)| {
            let file = name(&path).filter(|file| !is_known(file))?;
            let bytes = seal::read(&path).ok()?;
            let before = recorded(entries).last();
            Some(SoundFile {
                file,
                microphone: before.and_then(|sound| sound.microphone),
                until: entries.last()?.at,
                ms: 0,
                sha256: hash_of(&bytes),
            })
        })
        .take(UNRECORDED_MAX)
        .collect()
}

/// The sound that a record mentions.
pub(crate) fn recorded(entries: &[Entry]) -> impl Iterator<Item = &SoundFile> {
    entries.iter().filter_map(|entry| match &entry.body {
        Body::Sound(sound) => Some(sound),
        _ => None,
    })
}

/// Deletes the sound of all games that is older than the settings allow. What cannot be deleted now
/// is tried again before the next game.
pub fn delete_old(games: &Path, settings: &RecordSettings) {
    if settings.sound_days == 0 {
        return;
    }
    let age = Duration::from_secs(settings.sound_days.saturating_mul(86_400));
    let Some(before) = SystemTime::now().checked_sub(age) else {
        return;
    };
    for game in catalogue::all(games) {
        let folder = folder_of(&game);
        for (path, _) in files(&folder) {
            let written = path.metadata().and_then(|data| data.modified());
            if written.is_ok_and(|written| written < before) {
                let _ = fs::remove_file(path);
            }
        }
        // Succeeds only once it is empty.
        let _ = fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::Moment;

    fn entry(file: &str, bytes: &[u8]) -> Entry {
        Entry {
            seq: 0,
            at: Moment::START,
            wall_ms: 0,
            body: Body::Sound(SoundFile {
                file: file.to_owned(),
                microphone: None,
                until: Moment::START,
                ms: 1500,
                sha256: hash_of(bytes),
            }),
        }
    }

    #[test]
    fn changed_and_foreign_sound_is_named_and_deleted_sound_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game.annexd");
        fs::create_dir(folder_of(&game)).unwrap();
        let entries = [entry("1.flac", b"one"), entry("2.flac", b"two")];
        let put = |name: &str, bytes: &[u8]| fs::write(folder_of(&game).join(name), bytes).unwrap();
        put("1.flac", b"one");
        let found = find(&game, &entries);
        assert_eq!((found.recorded, found.present, found.ms), (2, 1, 1500));
        assert_eq!(found.faults, Vec::<Sentence>::new());
        put("1.flac", b"onf");
        put("9.flac", b"");
        let faults = find(&game, &entries).faults;
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(faults[0].contains("1.flac was changed"), "{faults:?}");
        assert!(faults[1].contains("9.flac"), "{faults:?}");
    }

    #[test]
    fn old_sound_is_deleted_and_the_game_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game.annexd");
        fs::create_dir(folder_of(&game)).unwrap();
        fs::write(&game, "").unwrap();
        let sound = folder_of(&game).join("1.flac");
        fs::write(&sound, "").unwrap();
        let settings = RecordSettings::default();
        delete_old(folder.path(), &settings);
        assert!(sound.exists());
        let old = SystemTime::now() - Duration::from_secs(31 * 86_400);
        let file = fs::File::options().write(true).open(&sound).unwrap();
        file.set_modified(old).unwrap();
        // Windows keeps a deleted file as long as somebody has it open.
        drop(file);
        let never = RecordSettings {
            sound_days: 0,
            ..settings.clone()
        };
        delete_old(folder.path(), &never);
        assert!(sound.exists());
        delete_old(folder.path(), &settings);
        assert!(!sound.exists() && game.exists());
    }
}
