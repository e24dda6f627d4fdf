//! Earcons: short sounds that tell what would take too long in words.

use std::sync::Arc;

use super::sound::CLIP_RATE;
use super::voice::EarconSettings;

/// The earcons. Each lasts 60 to 180 ms and has one or two soft tones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EarconSound {
    /// The microphone listens: one middle tone.
    Listening,
    /// Words were heard: one high tone.
    Heard,
    /// Words were heard and not understood: two falling low tones.
    NotUnderstood,
    /// It is the player's turn: two rising tones.
    YourTurn,
}

impl EarconSound {
    /// All earcons.
    pub const ALL: [Self; 4] = [
        Self::Listening,
        Self::Heard,
        Self::NotUnderstood,
        Self::YourTurn,
    ];

    /// Returns whether the settings let this earcon sound.
    pub const fn is_on(self, settings: &EarconSettings) -> bool {
        match self {
            Self::Listening => settings.listening,
            Self::Heard => settings.heard,
            Self::NotUnderstood => settings.not_understood,
            Self::YourTurn => settings.your_turn,
        }
    }

    /// The tones of this earcon: frequency in hertz and length in milliseconds.
    const fn tones(self) -> &'static [(f32, u32)] {
        match self {
            Self::Listening => &[(660.0, 80)],
            Self::Heard => &[(1320.0, 60)],
            Self::NotUnderstood => &[(330.0, 90), (247.0, 90)],
            Self::YourTurn => &[(523.0, 70), (784.0, 90)],
        }
    }

    /// The samples of this earcon at [`CLIP_RATE`].
    pub fn samples(self) -> Arc<[i16]> {
        let tones = self.tones().iter();
        tones
            .flat_map(|(hertz, length)| tone(*hertz, *length))
            .collect()
    }
}

/// A tone with a soft beginning and end, at a third of full scale.
fn tone(hertz: f32, milliseconds: u32) -> impl Iterator<Item = i16> {
    let length = CLIP_RATE * milliseconds / 1000;
    let edge = (CLIP_RATE / 100) as f32;
    (0..length).map(move |at| {
        let angle = std::f32::consts::TAU * hertz * at as f32 / CLIP_RATE as f32;
        let edges = (at as f32 / edge).min((length - at) as f32 / edge).min(1.0);
        let colour = angle.sin() + 0.25 * (2.0 * angle).sin();
        (colour * edges * 8_000.0) as i16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn earcons_are_short_soft_and_distinct() {
        for earcon in EarconSound::ALL {
            let samples = earcon.samples();
            let length = samples.len() as u32 * 1000 / CLIP_RATE;
            assert!((50..=200).contains(&length), "{earcon:?}: {length} ms");
            assert!(samples[0].abs() < 100 && samples[samples.len() - 1].abs() < 2_000);
            for other in EarconSound::ALL {
                assert_eq!(earcon == other, samples == other.samples());
            }
        }
    }

    #[test]
    fn each_earcon_can_be_turned_off() {
        let silent = EarconSettings {
            listening: false,
            heard: false,
            not_understood: false,
            your_turn: false,
        };
        assert!(!EarconSound::ALL.iter().any(|earcon| earcon.is_on(&silent)));
    }
}
