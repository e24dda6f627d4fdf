//! What comes back to a question, and how well a microphone took it.

/// What somebody answered, by voice, key or button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// What is offered is right.
    Yes,
    /// It is wrong.
    No,
    /// The possibility of this number is right, counted from 1.
    Number(u32),
    /// The same, where it was not heard surely.
    Likely(u32),
    /// Leave it as it is and go on; an empty line.
    Next,
    /// Back to the question before.
    Back,
    /// Ask it again.
    Repeat,
    /// Be silent at once; the question stays open.
    Stop,
    /// What can be answered.
    Help,
    /// Something else that was typed: a name, a time control, an edition.
    Text(String),
    /// Speech that could not be understood.
    Unclear,
    /// Nobody answered for as long as [`super::SetUp::patience`] says.
    Nothing,
}

/// How well a microphone took what was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Well.
    Good,
    /// Too softly.
    Soft,
    /// So loudly that it was cut off.
    Loud,
    /// Hardly louder than the room.
    Noisy,
}

/// Samples in a piece whose loudness is looked at: 10 ms at 16 kHz.
const PIECE: usize = 160;
/// Speech below this is too soft: 42 dB under full scale.
const SOFT: f64 = 260.0;
/// Speech must be so many times as loud as the room: 12 dB.
const ABOVE_THE_ROOM: f64 = 4.0;
/// What reaches this is cut off.
const FULL: i16 = 32_600;
/// One sample in so many may be cut off.
const CUT_OFF: usize = 200;

impl Level {
    /// How well an utterance was taken, whose samples (16 kHz) begin and end with some of the
    /// room's own sound.
    pub fn of(samples: &[i16]) -> Self {
        let mut loudness: Vec<f64> = samples.chunks_exact(PIECE).map(effective).collect();
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

/// The effective loudness of a piece.
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
