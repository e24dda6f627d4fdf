//! Keeps the sound of utterances beside the record, in its own thread so that nobody waits for it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};
use flacenc::bitsink::ByteSink;
use flacenc::component::BitRepr as _;
use flacenc::error::Verify as _;
use shakmaty::Color;

use super::access::private_file;
use super::utterance_files::{files, folder_of, hash_of};
use crate::game::{Game, Phase};
use crate::journal::SoundFile;
use crate::moment::Moment;
use crate::shell::config::folders;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::hearing::SAMPLE_RATE;
use crate::shell::table::Report;
use crate::shell::table::inbox::{Reporter, Reports};

/// How many utterances may wait to be written. A disk that is slower than speech loses sound, which
/// the record notes, but never a move.
const WAITING: usize = 8;

/// The handle of the writing thread.
#[derive(Clone)]
pub struct SoundKeeper {
    jobs: Sender<Job>,
}

struct Job {
    microphone: Option<Color>,
    until: Moment,
    sound: Arc<[i16]>,
}

/// Whether what this microphone hears may be kept now. Its speaker, or with a shared one both
/// players, must have agreed; and a move being sealed is never kept (E.1.1).
pub fn may_keep(game: &Game, microphone: Option<Color>) -> bool {
    let agrees = |side: Color| game.profile().sides[side].consents_to_recording;
    let agreed = match microphone {
        Some(side) => agrees(side),
        None => Color::ALL.into_iter().all(agrees),
    };
    agreed && game.phase() != Phase::Sealing
}

impl SoundKeeper {
    /// Keeps sound for the game at `path`, at most this many bytes. `None`, and a remark with the
    /// reason, if no sound can be kept.
    pub fn open(path: &Path, bytes_max: u64, reports: &Reports) -> Option<Self> {
        let folder = match folders::private(folder_of(path)) {
            Ok(folder) => folder,
            Err(error) => {
                let _ = reports.send(Report::Note(error.fault(Part::SoundRecord).into()));
                return None;
            }
        };
        let (jobs, waiting) = bounded(WAITING);
        let mut writer = Writer {
            number: last_number(&folder),
            folder,
            bytes_max,
            has_failed: false,
            reporter: reports.reporter("sound"),
        };
        thread::spawn(move || writer.work(&waiting));
        Some(Self { jobs })
    }

    /// Keeps an utterance. Returns false if too many wait; then it is not kept.
    #[must_use]
    pub fn keep(&self, microphone: Option<Color>, until: Moment, sound: Arc<[i16]>) -> bool {
        let job = Job {
            microphone,
            until,
            sound,
        };
        self.jobs.try_send(job).is_ok()
    }
}

struct Writer {
    folder: PathBuf,
    number: u64,
    bytes_max: u64,
    has_failed: bool,
    reporter: Reporter,
}

impl Writer {
    fn work(&mut self, waiting: &Receiver<Job>) {
        for job in waiting {
            let mut written = None;
            let report = match self.write(&job) {
                Ok(file) => {
                    self.has_failed = false;
                    written = Some(self.folder.join(&file.file));
                    Report::Sound(file)
                }
                Err(_) if self.has_failed => continue,
                Err(error) => {
                    self.has_failed = true;
                    Report::Note(error.fault(Part::SoundRecord).into())
                }
            };
            if !self.reporter.report(report) {
                // The game was left meanwhile, so its record will never mention this file.
                let _ = written.map(fs::remove_file);
                return;
            }
        }
    }

    /// Writes one file. The record mentions it only once it is on the disk.
    fn write(&mut self, job: &Job) -> Result<SoundFile> {
        let bytes = encode(&job.sound)?;
        self.make_room(bytes.len() as u64);
        self.number += 1;
        let file = format!("{:06}.flac", self.number);
        let path = self.folder.join(&file);
        let kept = private_file(&path).and_then(|mut out| {
            out.write_all(&bytes)?;
            out.sync_all()
        });
        if let Err(why) = kept {
            let _ = fs::remove_file(&path);
            return Err(cannot(&format!("{}: {why}", self.folder.display())));
        }
        Ok(SoundFile {
            file,
            microphone: job.microphone,
            until: job.until,
            ms: job.sound.len() as u64 * 1000 / u64::from(SAMPLE_RATE),
            sha256: hash_of(&bytes),
        })
    }

    /// Deletes the oldest files until this many more bytes may be written.
    fn make_room(&self, bytes: u64) {
        let files = files(&self.folder);
        let mut total: u64 = bytes + files.iter().map(|(_, size)| size).sum::<u64>();
        for (path, size) in files {
            if total <= self.bytes_max {
                return;
            }
            if fs::remove_file(path).is_ok() {
                total -= size;
            }
        }
    }
}

/// The highest number of an existing file.
fn last_number(folder: &Path) -> u64 {
    let number = |path: PathBuf| path.file_stem()?.to_str()?.parse().ok();
    files(folder)
        .into_iter()
        .filter_map(|(path, _)| number(path))
        .max()
        .unwrap_or(0)
}

/// Encodes sound as FLAC, which is lossless.
fn encode(sound: &[i16]) -> Result<Vec<u8>> {
    let samples: Vec<i32> = sound.iter().map(|sample| i32::from(*sample)).collect();
    let config = flacenc::config::Encoder::default()
        .into_verified()
        .map_err(|(_, why)| cannot(&why.to_string()))?;
    let source = flacenc::source::MemSource::from_samples(&samples, 1, 16, SAMPLE_RATE as usize);
    let stream = flacenc::encode_with_fixed_block_size(&config, source, config.block_size)
        .map_err(|why| cannot(&format!("{why:?}")))?;
    let mut sink = ByteSink::new();
    stream
        .write(&mut sink)
        .map_err(|why| cannot(&why.to_string()))?;
    Ok(sink.as_slice().to_vec())
}

fn cannot(why: &str) -> Error {
    error!(Unwritable, SoundNotKept, why = why)
        .about(Fault::new(Part::SoundRecord, Reason::Unwritable, Remedy::GoesOn).with(why))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Profile;
    use crate::shell::table::inbox::{Arrivals, channel};

    fn speech(seconds: f64) -> Arc<[i16]> {
        let count = (seconds * f64::from(SAMPLE_RATE)) as usize;
        let sample = |index: usize| ((index as f64 * 0.07).sin() * 9000.0) as i16;
        (0..count)
            .map(|index| sample(index).wrapping_add((index * 7919 % 301) as i16))
            .collect()
    }

    fn next(arrivals: &Arrivals) -> SoundFile {
        let mut all = arrivals.wait(std::time::Duration::from_secs(10)).unwrap();
        match all.pop().map(|arrived| arrived.report) {
            Some(Report::Sound(file)) if all.is_empty() => file,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_kept_is_what_was_heard_and_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game.annexd");
        let (sender, reports) = channel();
        let keeper = SoundKeeper::open(&game, 1 << 20, &sender).unwrap();
        for (number, seconds) in [(1, 0.011), (2, 0.5), (3, 2.0)] {
            let sound = speech(seconds);
            assert!(keeper.keep(Some(Color::White), Moment::from_ms(5), Arc::clone(&sound)));
            let kept = next(&reports);
            assert_eq!(kept.file, format!("{number:06}.flac"));
            let path = folder_of(&game).join(&kept.file);
            let mut reader = claxon::FlacReader::open(&path).unwrap();
            let read: Vec<i16> = reader.samples().map(|it| it.unwrap() as i16).collect();
            assert_eq!(*read, *sound, "{seconds} s");
            let bytes = fs::read(&path).unwrap();
            assert_eq!(hash_of(&bytes), kept.sha256);
            #[cfg(unix)]
            for (path, kind) in [(path, 0o600), (folder_of(&game), 0o700)] {
                let data = path.metadata().unwrap();
                let mode = std::os::unix::fs::PermissionsExt::mode(&data.permissions());
                assert_eq!(mode & 0o777, kind, "{}", path.display());
            }
        }
    }

    #[test]
    fn the_oldest_gives_way_when_there_is_too_much() {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game.annexd");
        let (sender, reports) = channel();
        let size = encode(&speech(1.0)).unwrap().len() as u64;
        let keeper = SoundKeeper::open(&game, size * 2, &sender).unwrap();
        for _ in 0..5 {
            assert!(keeper.keep(None, Moment::START, speech(1.0)));
            next(&reports);
        }
        let left = files(&folder_of(&game));
        let names: Vec<_> = left.iter().filter_map(|it| it.0.file_name()).collect();
        assert_eq!(names, ["000004.flac", "000005.flac"]);
        // A resumed game does not overwrite existing files.
        assert_eq!(last_number(&folder_of(&game)), 5);
    }

    #[test]
    fn nothing_is_kept_of_those_who_have_not_agreed() {
        let mut profile = Profile::default();
        profile.sides.white.consents_to_recording = true;
        let game = Game::new(profile.clone());
        assert!(may_keep(&game, Some(Color::White)));
        assert!(!may_keep(&game, Some(Color::Black)));
        assert!(!may_keep(&game, None));
        profile.sides.black.consents_to_recording = true;
        assert!(may_keep(&Game::new(profile), None));
    }

    #[test]
    fn any_sound_can_be_encoded() {
        let mut random = 7_u64;
        for length in [0, 1, 2, 15, 16, 17, 4095, 4096, 4097, 9000] {
            for scale in [0, 1, 300, 32_767] {
                let sound: Vec<i16> = (0..length)
                    .map(|_| {
                        random = random
                            .wrapping_mul(6_364_136_223_846_793_005)
                            .wrapping_add(9);
                        ((random >> 40) as i16 as i32 * scale / 32_767) as i16
                    })
                    .collect();
                let _ = encode(&sound);
            }
        }
    }
}
