//! Noise of chosen kinds and levels, identical in every run.

use clap::ValueEnum;

use crate::shell::hearing::SAMPLE_RATE;

/// What is mixed into recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Noise {
    /// Four other recordings of the table at once.
    Babble,
    /// The echo of a hall, half a second long.
    Hall,
    /// Hiss.
    White,
}

/// The number of voices in babble.
pub(super) const VOICES: usize = 4;

/// How long the hall echoes, in seconds, and how many echoes are computed.
const HALL_S: f32 = 0.5;
const ECHOES: usize = 400;

/// Pseudo-random numbers, identical for the same seed.
pub(super) struct Rng(u64);

impl Rng {
    /// Numbers from a seed.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub(super) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number below `end`; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Between -1 and 1.
    pub(super) fn swing(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0
    }
}

/// The sound with noise, so that speech is `snr_db` decibels louder than the noise.
pub(super) fn mixed(
    sound: &[i16],
    noise: Noise,
    others: &[Vec<i16>],
    snr_db: f32,
    rng: &mut Rng,
) -> Vec<i16> {
    let clean: Vec<f32> = sound.iter().map(|&sample| f32::from(sample)).collect();
    let noise = match noise {
        Noise::White => (0..clean.len()).map(|_| rng.swing()).collect(),
        Noise::Babble => babble(clean.len(), others, rng),
        Noise::Hall => hall(&clean, rng),
    };
    let loud = clean.iter().fold(0.0_f32, |most, s| most.max(s.abs())) * 0.02;
    let speech: Vec<f32> = clean.iter().copied().filter(|s| s.abs() > loud).collect();
    let scale = (power(&speech) / (power(&noise) + 1e-9) / 10_f32.powf(snr_db / 10.0)).sqrt();
    clean
        .iter()
        .zip(&noise)
        .map(|(s, n)| (s + n * scale).round() as i16)
        .collect()
}

fn power(samples: &[f32]) -> f32 {
    samples.iter().map(|s| s * s).sum::<f32>() / samples.len().max(1) as f32
}

fn babble(length: usize, others: &[Vec<i16>], rng: &mut Rng) -> Vec<f32> {
    let mut babble = vec![0.0; length];
    for other in others.iter().filter(|other| !other.is_empty()) {
        let start = rng.below(other.len());
        for (index, sample) in babble.iter_mut().enumerate() {
            *sample += f32::from(other[(start + index) % other.len()]);
        }
    }
    babble
}

fn hall(clean: &[f32], rng: &mut Rng) -> Vec<f32> {
    let longest = HALL_S * SAMPLE_RATE as f32;
    let mut echo = vec![0.0; clean.len()];
    for _ in 0..ECHOES {
        let delay = 80 + rng.below(longest as usize);
        let strength = rng.swing() * (-6.9 * delay as f32 / longest).exp();
        for (late, early) in echo.iter_mut().skip(delay).zip(clean) {
            *late += early * strength;
        }
    }
    echo
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_has_the_level_asked_for_and_is_the_same_again() {
        let speech: Vec<i16> = (0..16_000)
            .map(|i| ((i % 80) * 250 - 10_000) as i16)
            .collect();
        let others = vec![speech.iter().map(|s| s / 3).rev().collect(); VOICES];
        for noise in [Noise::Babble, Noise::Hall, Noise::White] {
            let mix = || mixed(&speech, noise, &others, 20.0, &mut Rng::new(7));
            let first = mix();
            assert_eq!(first, mix());
            let added: Vec<f32> = first
                .iter()
                .zip(&speech)
                .map(|(a, b)| f32::from(*a) - f32::from(*b))
                .collect();
            let clean: Vec<f32> = speech.iter().map(|&s| f32::from(s)).collect();
            let snr = 10.0 * (power(&clean) / power(&added)).log10();
            assert!((18.5..21.5).contains(&snr), "{noise:?}: {snr}");
        }
    }
}
