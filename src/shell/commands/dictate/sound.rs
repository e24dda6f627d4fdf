//! Dictation from sound: from the microphone, where a question is answered, and from files, where
//! it is not.

use std::path::{Path, PathBuf};

use super::{Arguments, Dictation, DictationState, Keep};
use crate::game::Heard;
use crate::shell::config::language;
use crate::shell::error::{Error, ErrorKind, Result};
use crate::shell::hearing::SAMPLE_RATE;
use crate::shell::hearing::listener::Utterance;
use crate::shell::hearing::session::Session;
use crate::show;

/// Shorter sound without words is skipped.
const NOISE: usize = SAMPLE_RATE as usize * 3 / 2;

/// Takes a score down from the microphone, or from files one after the other. Returns whether one
/// of them cannot be read.
pub(super) fn from_sound(
    arguments: &Arguments,
    device: Option<&Option<String>>,
    sounds: &[PathBuf],
    dictation: &mut Dictation,
    keep: Keep<'_>,
) -> Result<Option<ErrorKind>> {
    let session = Session::new(&arguments.language(), arguments.model.as_deref(), false)?;
    let mut taking = Taking {
        dictation,
        keep,
        session: &session,
        file: None,
        unkept: None,
        said: 0,
    };
    if let Some(device) = device {
        session.microphone_until(device.as_deref(), &mut |said| taking.take(said))?;
    }
    let mut is_bad = false;
    for sound in sounds {
        is_bad |= !taking.file(sound)?;
        if taking.is_over() {
            break;
        }
    }
    taking.unkept.take().map_or(Ok(()), Err)?;
    Ok(is_bad.then_some(ErrorKind::BadInput))
}

/// Turns utterances into entries.
struct Taking<'a> {
    dictation: &'a mut Dictation,
    keep: Keep<'a>,
    session: &'a Session,
    /// The name of the file being heard; `None` for the microphone.
    file: Option<String>,
    /// Why the score could not be written.
    unkept: Option<Error>,
    /// How much of a file was more than noise.
    said: usize,
}

impl Taking<'_> {
    /// Takes a file. An unreadable or silent file also counts as an entry, because otherwise every
    /// later entry would be in the wrong column. Returns whether it could be read.
    fn file(&mut self, sound: &Path) -> Result<bool> {
        let name = sound.display().to_string();
        self.file = Some(name.clone());
        self.said = 0;
        let session = self.session;
        let heard = session.file(sound, false, &mut |said, _| {
            self.take(said);
            Ok(())
        });
        let is_read = match heard {
            Ok(_) => true,
            Err(error) if error.kind == ErrorKind::BadInput => {
                tell_error(&error);
                false
            }
            Err(error) => return Err(error),
        };
        if self.said == 0 && self.dictation.state == DictationState::Moves && !self.is_over() {
            let answers = self.dictation.answers();
            let what = if is_read {
                answers.silent.clone()
            } else {
                answers.broken.clone()
            };
            let told = self.dictation.unheard(&name, &what);
            self.tell(&told);
        }
        Ok(is_read)
    }

    /// Takes an utterance. Returns whether it was the last.
    fn take(&mut self, said: &Utterance) -> bool {
        if self.is_over() {
            return true;
        }
        let is_asked = self.dictation.state != DictationState::Moves;
        let offered = if is_asked {
            None
        } else {
            self.session.with_offer(said)
        };
        let is_offered = offered.is_some();
        // Sound too long for noise was meant for the dictation.
        let is_speech = said.sound.len() > NOISE;
        let unclear = || is_speech.then(|| Heard::Unclear(Vec::new()));
        let Some(heard) = offered.or_else(|| said.heard()).or_else(unclear) else {
            return false;
        };
        self.said += 1;
        let told = match &self.file {
            Some(file) => self.dictation.take_from_file(&heard, file),
            None => self.dictation.take(&heard),
        };
        self.tell(&told);
        // An offer belongs to its move: if the move is unclear, both have to be said again.
        let is_taken = self.file.is_some() || matches!(heard, Heard::Clear(_));
        if is_offered && is_taken && !self.is_over() {
            let told = self.dictation.offered();
            self.tell(&told);
        }
        self.is_over()
    }

    /// Keeps the score and reports the result.
    fn tell(&mut self, told: &str) {
        // As long as nothing was understood in files, there is no score to keep.
        let is_any = self.dictation.is_any_understood();
        let kept = is_any.then(|| (self.keep)(&self.dictation.score));
        self.dictation.is_kept |= matches!(kept, Some(Ok(())));
        let unkept = kept.and_then(std::result::Result::err);
        self.unkept = self.unkept.take().or(unkept);
        if self.unkept.is_none() && !told.is_empty() {
            show!("{told}");
        }
    }

    fn is_over(&self) -> bool {
        self.dictation.is_done() || self.unkept.is_some()
    }
}

#[expect(clippy::print_stderr, reason = "each bad file gets its sentence")]
fn tell_error(error: &Error) {
    eprintln!("annexd: {}", language::text(&error.sentence()));
}
