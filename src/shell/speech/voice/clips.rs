//! The recorded voice: `assets/voice/<language>/<name>.flac`, joined into sentences.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::phrases::{Language, Phrase, PhraseKey, Segment, Spoken};
use crate::shell::config::data;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::speech::sound::{CLIP_RATE, stretch};

/// The silence between two clips without punctuation between them. With more, the longest
/// announcement would take longer than 2.5 seconds.
const BETWEEN_MS: u32 = 12;
/// How long an announcement may take at the normal rate, in samples: 2.5 seconds. The few longer
/// ones (a capture that promotes, "schachmatt" after a long square) are said a little faster.
pub const ANNOUNCEMENT: usize = CLIP_RATE as usize * 5 / 2;
/// How long the times of both players may take, in samples: 3 seconds, because players ask for them
/// often.
pub const TIMES: usize = CLIP_RATE as usize * 3;
/// The longest clip that is accepted, in samples: 30 seconds.
const LONGEST: usize = 30 * CLIP_RATE as usize;

/// The clips of a language. Each is read when it is first needed.
pub struct Clips {
    folder: PathBuf,
    read: Mutex<HashMap<String, Option<Arc<[i16]>>>>,
}

impl Clips {
    /// Opens the clips of a language.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Missing` if the language has no clips.
    pub fn open(language: &str) -> Result<Self> {
        let folder = data::folder()?.join("assets/voice").join(language);
        if !folder.is_dir() {
            return Err(error!(
                Missing,
                NoClips,
                language = language,
                path = folder.display()
            )
            .about(Fault::new(Part::Clips, Reason::Absent, Remedy::Read).with(language)));
        }
        Ok(Self {
            folder,
            read: Mutex::default(),
        })
    }

    /// Returns the samples of a sentence at a rate in percent, and how many words have no clip.
    pub fn join(&self, spoken: &Spoken, percent: u32) -> (Vec<i16>, usize) {
        let mut samples: Vec<i16> = Vec::new();
        let mut silent = 0;
        let mut push = |samples: &mut Vec<i16>, words: &str| match self.clip(words) {
            Some(clip) => push_clip(samples, &clip),
            None => silent += 1,
        };
        for segment in &spoken.segments {
            match segment {
                Segment::Pause(pause) => push_silence(&mut samples, pause.milliseconds()),
                Segment::Clip(words) => push(&mut samples, words),
                Segment::Free(words) => {
                    words
                        .split_whitespace()
                        .for_each(|word| push(&mut samples, word));
                }
            }
        }
        (stretch(&samples, percent), silent)
    }

    /// Returns the samples of a phrase at a rate in percent, and how many words have no clip. At
    /// the normal rate no announcement of a move lasts longer than 2.5 seconds, and the times no
    /// longer than 3.
    pub fn say(&self, language: &Language, phrase: &Phrase, percent: u32) -> (Vec<i16>, usize) {
        let (samples, silent) = self.join(&language.render(phrase), 100);
        let most = match phrase.key {
            PhraseKey::Announced => ANNOUNCEMENT,
            PhraseKey::TimesLeft | PhraseKey::TimesLeftAbout => TIMES,
            _ => usize::MAX,
        };
        let faster = match u32::try_from(samples.len().saturating_mul(100) / most) {
            Ok(over) if over >= 100 => over + 1,
            _ => 100,
        };
        (stretch(&samples, percent * faster / 100), silent)
    }

    fn clip(&self, words: &str) -> Option<Arc<[i16]>> {
        let name = Spoken::clip_name(words);
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || {
            let path = self.folder.join(format!("{name}.flac"));
            read_clip(&path).ok().map(Arc::from)
        };
        read.entry(name.clone()).or_insert_with(load).clone()
    }
}

fn push_silence(samples: &mut Vec<i16>, milliseconds: u32) {
    let length = CLIP_RATE * milliseconds / 1000;
    samples.resize(samples.len() + length as usize, 0);
}

fn push_clip(samples: &mut Vec<i16>, clip: &[i16]) {
    if !samples.is_empty() {
        push_silence(samples, BETWEEN_MS);
    }
    samples.extend_from_slice(clip);
}

/// Reads a clip: FLAC, mono, 16 bits, [`CLIP_RATE`].
///
/// # Errors
///
/// `ErrorKind::BadInput` with the name of the file.
pub fn read_clip(path: &Path) -> Result<Vec<i16>> {
    let name = path.display();
    let bad = |error: Error| {
        let fault = Fault::new(Part::Clips, Reason::Damaged, Remedy::Reinstall);
        error.about(fault.with(name.to_string()))
    };
    let damaged = || bad(error!(BadInput, ClipDamaged, path = name));
    let file = File::open(path).map_err(|_| bad(error!(BadInput, ClipUnreadable, path = name)))?;
    let mut reader = claxon::FlacReader::new(BufReader::new(file))
        .map_err(|_| bad(error!(BadInput, ClipNoFlac, path = name)))?;
    let info = reader.streaminfo();
    if (info.sample_rate, info.channels, info.bits_per_sample) != (CLIP_RATE, 1, 16) {
        return Err(bad(error!(BadInput, ClipOfOtherShape, path = name)));
    }
    let mut samples = Vec::new();
    for sample in reader.samples().take(LONGEST) {
        let sample = sample.map_err(|_| damaged())?;
        samples.push(i16::try_from(sample).map_err(|_| damaged())?);
    }
    Ok(samples)
}
