//! A score as sound: every announcement as it is said at the table, with marks.

use super::sound::CLIP_RATE;
use super::voice::Clips;
use crate::game::result_phrase;
use crate::notation::{Announcement, Style};
use crate::phrases::{Argument, Phrase, PhraseKey, Spoken};
use crate::score::{Cue, Meaning, Score, Standing, to_wave};
use crate::shell::config::data;
use crate::shell::error::{Result, error};

/// The silence after each utterance, in samples. It is long enough for a listener to tell a number
/// from the announcement after it.
const GAP: usize = CLIP_RATE as usize;

/// Returns one WAV file with every announcement of a score as it is said at the table, with the
/// offers and the result. The number of each row is said before it, as it stands on the sheet,
/// right or wrong. It stands apart from the announcement, so that a listener can play either again.
///
/// An entry that is not a legal move is said as it is written, if it names a square of arrival. Any
/// other entry becomes a mark without sound, for nobody knows how it was announced.
///
/// # Errors
///
/// `ErrorKind::Missing` if the language or its clips are not installed, or if a word has no clip.
pub(crate) fn spoken_wave(score: &Score, language: &str) -> Result<Vec<u8>> {
    let words = data::language(language)?;
    let mut recording = Recording {
        clips: Clips::open(language)?,
        samples: Vec::new(),
        cues: Vec::new(),
    };
    let mut standing = Standing::of(score.start());
    let mut row = None;
    for (entry, place) in score.entries().iter().zip(score.places()) {
        recording.mark(format!("{place} {}", entry.words()));
        // As on a score sheet, the number stands before White's move, or before Black's if that is
        // alone.
        let begins_row = place.side.is_white() || row != Some(place.number);
        let announced = match standing.read(entry) {
            Meaning::Legal(played) => Some(Announcement::from(&played)),
            _ => entry.notated.announcement(),
        };
        if let Some(announced) = announced {
            if begins_row {
                recording.say(&words.number(place.number))?;
                row = Some(place.number);
            }
            recording.say(&words.announcement(&announced, Style::Long))?;
        } else {
            recording.pause();
        }
        if entry.offer {
            let offered = Phrase::new(PhraseKey::DrawOffered, [Argument::Side(place.side)]);
            recording.say(&words.render(&offered))?;
        }
        standing = standing.after_entry(entry);
    }
    if let Some(result) = score.result() {
        recording.mark(result.to_string());
        recording.say(&words.render(&result_phrase(Some(result))))?;
    }
    to_wave(&recording.samples, CLIP_RATE, &recording.cues)
        .ok_or_else(|| error!(BadInput, ScoreTooLongForSound))
}

struct Recording {
    clips: Clips,
    samples: Vec<i16>,
    cues: Vec<Cue>,
}

impl Recording {
    fn mark(&mut self, label: String) {
        let sample = u32::try_from(self.samples.len()).unwrap_or(u32::MAX);
        self.cues.push(Cue { sample, label });
    }

    fn say(&mut self, spoken: &Spoken) -> Result<()> {
        let (said, silent) = self.clips.join(spoken, 100);
        if silent > 0 {
            return Err(error!(
                Missing,
                WordsWithoutClip,
                count = silent,
                words = spoken.text()
            ));
        }
        self.samples.extend(said);
        self.pause();
        Ok(())
    }

    fn pause(&mut self) {
        self.samples.extend(std::iter::repeat_n(0, GAP));
    }
}
