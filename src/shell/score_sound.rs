//! A score as sound: all announcements as they are said at the table, with marks.

use crate::notation::{Announcement, Style};
use crate::phrases::{Language, Segment, Spoken};
use crate::score::{Cue, Reading, Score, Standing, to_wave};
use crate::shell::data;
use crate::shell::error::{Error, ErrorKind, Result};
use crate::shell::sound::CLIP_RATE;
use crate::shell::voice::Clips;

/// Between two announcements, in samples: 600 ms.
const GAP: usize = CLIP_RATE as usize * 6 / 10;

/// One WAV file of all announcements of a score, each with the number of its move before it.
///
/// An entry that is no legal move is a mark without sound: nobody knows how it was announced.
///
/// # Errors
///
/// [`ErrorKind::Missing`] if the language or its clips are not installed, or a word has none.
pub(crate) fn spoken_wave(score: &Score, language: &str) -> Result<Vec<u8>> {
    let words = data::language(language)?;
    let clips = Clips::open(language)?;
    let mut samples: Vec<i16> = Vec::new();
    let mut cues = Vec::new();
    let mut standing = Standing::of(score.start());
    for entry in score.entries() {
        let setup = standing.setup();
        let dots = setup.turn.fold_wb(".", "...");
        cues.push(Cue {
            sample: u32::try_from(samples.len()).unwrap_or(u32::MAX),
            label: format!("{}{dots} {}", setup.fullmoves, entry.words()),
        });
        if let Reading::Legal(played) = standing.read(entry) {
            let number = setup.turn.is_white().then(|| setup.fullmoves.get());
            let spoken = announcement(&words, number, &Announcement::from(&played));
            let (said, silent) = clips.join(&spoken, 100);
            if silent > 0 {
                return Err(Error::new(
                    ErrorKind::Missing,
                    format!("{silent} words of \"{}\" have no clip.", spoken.text()),
                ));
            }
            samples.extend(said);
        }
        samples.extend(std::iter::repeat_n(0, GAP));
        standing = standing.after_entry(entry);
    }
    to_wave(&samples, CLIP_RATE, &cues).ok_or_else(|| {
        Error::new(
            ErrorKind::BadInput,
            "The score is too long for one WAV file.",
        )
    })
}

fn announcement(language: &Language, number: Option<u32>, announced: &Announcement) -> Spoken {
    let mut spoken = Spoken::default();
    if let Some(number) = number {
        let words = language.number(number);
        spoken.segments.extend(words.segments);
        spoken
            .segments
            .push(Segment::Pause(crate::phrases::Pause::Comma));
    }
    let words = language.announcement(announced, Style::Long);
    spoken.segments.extend(words.segments);
    spoken
}
