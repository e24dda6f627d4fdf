//! The answers to a question, and how well a microphone took them.

/// What a player answered, by voice, key or button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The offered possibility is right.
    Yes,
    /// The offered possibility is wrong.
    No,
    /// The possibility of this number is right, counted from 1.
    Number(u32),
    /// The possibility of this number is right, but the answer was not heard with certainty.
    Likely(u32),
    /// Leave it unchanged and go on; an empty line.
    Next,
    /// Back to the previous question.
    Back,
    /// Ask the question again.
    Repeat,
    /// Be silent at once; the question stays open.
    Stop,
    /// Say what can be answered.
    Help,
    /// Leaves the dialogue and annexd.
    Leave,
    /// Other typed text: a name, a time control, an edition.
    Text(String),
    /// Speech that was not understood.
    Unclear,
    /// No answer within [`super::SetUp::patience`].
    Nothing,
}

/// How well a microphone took what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Well.
    Good,
    /// Too softly.
    Soft,
    /// Too loudly, so that it was clipped.
    Loud,
    /// Hardly louder than the room.
    Noisy,
}

/// The samples of one piece whose loudness is measured: 10 ms at 16 kHz.
const FRAME_SAMPLES: usize = 160;
/// Speech below this is too soft: 42 dB below full scale.
const SOFT: f64 = 260.0;
/// How many times louder than the room speech must be: 12 dB.
const ABOVE_THE_ROOM: f64 = 4.0;
/// A sample that reaches this is clipped.
const FULL: i16 = 32_600;
/// At most one in this many samples may be clipped.
const CUT_OFF: usize = 200;

impl Level {
    /// Judges an utterance whose samples (16 kHz) begin and end with some of the room's own sound.
    pub fn of(samples: &[i16]) -> Self {
        let mut loudness: Vec<f64> = samples.chunks_exact(FRAME_SAMPLES).map(effective).collect();
        loudness.sort_by(f64::total_cmp);
        let (Some(room), Some(speech)) = (
            loudness.get(loudness.len() / 20),
            loudness.get(loudness.len().saturating_sub(1 + loudness.len() / 5)),
        ) else {
            return Self::Soft;
        };
        let cut = samples
            .iter()
            .filter(|it| it.unsigned_abs() >= FULL.unsigned_abs());
        if cut.count() * CUT_OFF > samples.len() {
            Self::Loud
        } else if *speech < SOFT {
            Self::Soft
        } else if *speech < ABOVE_THE_ROOM * room {
            Self::Noisy
        } else {
            Self::Good
        }
    }
}

/// The root mean square of a piece.
fn effective(piece: &[i16]) -> f64 {
    let energy: f64 = piece.iter().map(|it| f64::from(*it) * f64::from(*it)).sum();
    (energy / piece.len().max(1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word of half a second between silences, over a room of this loudness.
    fn word(speech: f64, room: f64) -> Vec<i16> {
        (0..16_000)
            .map(|at| {
                let hum = room * f64::from(at % 7 - 3) / 2.0;
                let is_word = (4_000..12_000).contains(&at);
                let voice = if is_word {
                    speech * (f64::from(at) * 0.05).sin() * 1.4
                } else {
                    0.0
                };
                (voice + hum).clamp(-32_768.0, 32_767.0) as i16
            })
            .collect()
    }

    #[test]
    fn a_microphone_is_judged_by_speech_and_room() {
        assert_eq!(Level::of(&word(4_000.0, 40.0)), Level::Good);
        assert_eq!(Level::of(&word(90.0, 10.0)), Level::Soft);
        assert_eq!(Level::of(&word(60_000.0, 40.0)), Level::Loud);
        assert_eq!(Level::of(&word(1_500.0, 900.0)), Level::Noisy);
        assert_eq!(Level::of(&[]), Level::Soft);
    }
}
