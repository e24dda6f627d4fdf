//! A dictation from sound: the microphone, at which a question is answered, and files, at which
//! nobody answers.

use std::path::{Path, PathBuf};

use super::{Arguments, Dictation, Keep, Step};
use crate::game::Heard;
use crate::shell::config::language;
use crate::shell::error::{Error, ErrorKind, Result};
use crate::shell::hearing::SAMPLE_RATE;
use crate::shell::hearing::listener::Utterance;
use crate::shell::hearing::session::Session;
use crate::show;

/// Sound that is shorter than this, and no words, is passed over.
const NOISE: usize = SAMPLE_RATE as usize * 3 / 2;

/// Takes a score down from the microphone, or from files one after the other. The answer is
/// whether one of these cannot be read.
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

/// Utterances that become entries.
struct Taking<'a> {
    dictation: &'a mut Dictation,
    keep: Keep<'a>,
    session: &'a Session,
    /// The name of the file that is heard; none for the microphone.
    file: Option<String>,
    /// Why the score could not be written.
    unkept: Option<Error>,
    /// How much of a file was more than a noise.
    said: usize,
}

impl Taking<'_> {
    /// Takes a file. One that cannot be read, and one in which nothing is said, stands for an entry
    /// all the same, or every later one would stand in the other column. Whether it could be read.
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
        if self.said == 0 && self.dictation.step == Step::Moves && !self.is_over() {
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

    /// Takes an utterance; whether it was the last.
    fn take(&mut self, said: &Utterance) -> bool {
        if self.is_over() {
            return true;
        }
        let is_asked = self.dictation.step != Step::Moves;
        let offered = if is_asked {
            None
        } else {
            self.session.with_offer(said)
        };
        let is_offered = offered.is_some();
        // What is too long for a noise was said to be taken down.
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
        // An offer belongs to its move: where that is not clear, both are said once more.
        let is_taken = self.file.is_some() || matches!(heard, Heard::Clear(_));
        if is_offered && is_taken && !self.is_over() {
            let told = self.dictation.offered();
            self.tell(&told);
        }
        self.is_over()
    }

    /// Keeps the score and says what became of it.
    fn tell(&mut self, told: &str) {
        // Of files in which nothing was understood so far there is no score to keep.
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
