//! What a room adds to an utterance: noise, or other voices. Who reads in a quiet room is heard in
//! a hall too, as the training has it for everybody.

use ndarray::{Array2, Axis};

use super::chance::Chance;
use super::mel::BINS;

/// How often there is noise, and how often somebody else speaks.
const NOISE: f32 = 0.3;
const VOICES: f32 = 0.3;
/// How many nats of power they are below the speaker: ten decibels are 2.3.
const NOISE_BELOW: [f32; 2] = [1.5, 7.0];
const VOICES_BELOW: [f32; 2] = [1.5, 6.0];
/// How much the highest band of a noise differs from the lowest, in nats.
const TILT: [f32; 2] = [-4.0, 1.0];
/// Over so many frames a noise swells, and by how many nats at most.
const SWELL: [f32; 2] = [5.0, 80.0];
const SWELLS_BY: f32 = 1.0;
/// Noise in a band is the sum of so many oscillations.
const OSCILLATIONS: usize = 4;

/// The frames of an utterance, mostly with noise or the voice of another one in them.
pub(super) fn in_a_room(
    mut mel: Array2<f32>,
    others: &[Array2<f32>],
    chance: &mut Chance,
) -> Array2<f32> {
    let kind = chance.next();
    if kind < NOISE {
        add_noise(&mut mel, chance);
    } else if kind < NOISE + VOICES {
        let number = (chance.next() * others.len() as f32) as usize;
        if let Some(voice) = others.get(number).filter(|it| it.nrows() > 0) {
            add_voice(&mut mel, voice, chance);
        }
    }
    mel
}

fn add_noise(mel: &mut Array2<f32>, chance: &mut Chance) {
    let [near, far] = NOISE_BELOW;
    let level = level(mel) - chance.between(near, far);
    let tilt = chance.between(TILT[0], TILT[1]);
    let period = chance.between(SWELL[0], SWELL[1]);
    let swells_by = chance.between(0.0, SWELLS_BY);
    for ((frame, band), value) in mel.indexed_iter_mut() {
        let slope = tilt * (band as f32 / (BINS - 1) as f32 - 0.5);
        let swell = swells_by * (frame as f32 / period).sin();
        let power = (0..OSCILLATIONS).map(|_| -(1.0 - chance.next()).ln());
        let flicker = (power.sum::<f32>() / OSCILLATIONS as f32).max(1e-3).ln();
        *value = sum(*value, level + slope + swell + flicker);
    }
}

fn add_voice(mel: &mut Array2<f32>, voice: &Array2<f32>, chance: &mut Chance) {
    let [near, far] = VOICES_BELOW;
    let louder = level(mel) - chance.between(near, far) - level(voice);
    let from = (chance.next() * voice.nrows() as f32) as usize;
    for (at, mut frame) in mel.axis_iter_mut(Axis(0)).enumerate() {
        let other = voice.row((from + at) % voice.nrows());
        frame.zip_mut_with(&other, |value, other| *value = sum(*value, other + louder));
    }
}

/// How loud the louder frames are: nine of ten are softer.
fn level(mel: &Array2<f32>) -> f32 {
    let mut means: Vec<f32> = mel.rows().into_iter().filter_map(|it| it.mean()).collect();
    means.sort_by(f32::total_cmp);
    means.get(means.len() * 9 / 10).copied().unwrap_or_default()
}

/// The logarithm of the sum of two powers.
fn sum(one: f32, other: f32) -> f32 {
    let (low, high) = (one.min(other), one.max(other));
    high + (low - high).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_only_adds_and_covers_no_loud_sound() {
        let mut chance = Chance(3);
        let speech = Array2::from_shape_fn((60, BINS), |(frame, band)| {
            12.0 + 3.0 * ((frame * 7 + band) as f32).sin()
        });
        let others = [speech.mapv(|it| it - 2.0), Array2::zeros((0, BINS))];
        let (mut same, mut loudest) = (0, 0.0_f32);
        for _ in 0..200 {
            let heard = in_a_room(speech.clone(), &others, &mut chance);
            let added = &heard - &speech;
            assert!(added.iter().all(|it| *it >= 0.0));
            same += usize::from(added.iter().all(|it| *it == 0.0));
            loudest = loudest.max(level(&heard) - level(&speech));
        }
        assert!((60..140).contains(&same), "{same}");
        assert!(loudest < 1.5, "{loudest}");
    }

    #[test]
    fn powers_are_added() {
        assert!((sum(1.0, 1.0) - (1.0 + 2.0_f32.ln())).abs() < 1e-6);
        assert!((sum(9.0, -30.0) - 9.0).abs() < 1e-6);
    }
}
