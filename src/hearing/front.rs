//! Converts the samples of any file or microphone to those the recogniser needs.

use rubato::{FftFixedIn, Resampler};

use super::{BLOCK, SAMPLE_RATE};
use annexd_phrases::{Sentence, Value, sentence};

/// Below this frequency in hertz nothing is heard, and the recogniser sees only an offset.
const LOWEST: f32 = 20.0;

/// How many chunks of silence are used at most to flush the resampler; two or three are enough.
const MOST_SILENCES: usize = 20;

/// Mixes the channels, removes the constant part, and resamples.
pub struct Front {
    channels: usize,
    steady: Steady,
    resampler: Option<Resampling>,
}

struct Resampling {
    resampler: FftFixedIn<f32>,
    waiting: Vec<f32>,
    /// How many samples are still to come out if no more come in.
    owed: f64,
    ratio: f64,
}

impl Front {
    /// A converter for samples of this rate, with this many interleaved channels.
    ///
    /// # Errors
    ///
    /// Says why a rate cannot be converted to [`SAMPLE_RATE`].
    pub fn new(rate: u32, channels: usize) -> Result<Self, Sentence> {
        if rate == 0 || channels == 0 {
            return Err(unhearable(rate, sentence!(NoSoundInIt)));
        }
        let resampler = if rate == SAMPLE_RATE {
            None
        } else {
            let chunk = (rate / 50).max(1) as usize;
            let resampler = FftFixedIn::new(rate as usize, SAMPLE_RATE as usize, chunk, 1, 1)
                .map_err(|error| unhearable(rate, error.to_string()))?;
            Some(Resampling {
                owed: resampler.output_delay() as f64,
                resampler,
                waiting: Vec::new(),
                ratio: f64::from(SAMPLE_RATE) / f64::from(rate),
            })
        };
        Ok(Self {
            channels,
            steady: Steady::new(rate),
            resampler,
        })
    }

    /// Takes interleaved samples between -1 and 1. Returns the converted samples that are ready.
    pub fn feed(&mut self, samples: &[f32]) -> Vec<i16> {
        let share = 1.0 / self.channels as f32;
        let mono: Vec<f32> = samples
            .chunks_exact(self.channels)
            .map(|frame| self.steady.without(frame.iter().sum::<f32>() * share))
            .collect();
        match &mut self.resampler {
            None => mono.into_iter().map(to_whole).collect(),
            Some(resampling) => resampling.feed(&mono),
        }
    }

    /// Returns the remaining samples at the end of the sound.
    pub fn finish(&mut self) -> Vec<i16> {
        self.resampler
            .as_mut()
            .map_or_else(Vec::new, Resampling::finish)
    }
}

/// The sound played at this speed, where 1 is the original. The pitch changes too.
pub fn at_speed(sound: &[i16], speed: f64) -> Vec<i16> {
    let rate = (f64::from(SAMPLE_RATE) * speed).round() as u32;
    let Ok(mut front) = Front::new(rate, 1) else {
        return sound.to_vec();
    };
    let samples: Vec<f32> = sound.iter().map(|&s| f32::from(s) / 32_768.0).collect();
    let mut changed = front.feed(&samples);
    changed.extend(front.finish());
    changed
}

/// The sound with hiss this many decibels below its louder moments. The hiss is the same every
/// time.
pub fn with_hiss(sound: &[i16], below: f64) -> Vec<i16> {
    let power = |block: &[i16]| -> f64 {
        let sum: f64 = block.iter().map(|&s| f64::from(s).powi(2)).sum();
        sum / block.len() as f64
    };
    let mut levels: Vec<f64> = sound.chunks_exact(BLOCK).map(power).collect();
    levels.sort_by(f64::total_cmp);
    let loud = levels.get(levels.len() * 9 / 10).copied().unwrap_or(0.0);
    // Uniform noise of this amplitude has a third of its square as power.
    let height = (3.0 * loud).sqrt() * 10_f64.powf(-below / 20.0);
    let mut state = 1_u32;
    sound
        .iter()
        .map(|&sample| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let swing = f64::from(state >> 8) / f64::from(1 << 23) - 1.0;
            (f64::from(sample) + swing * height).round() as i16
        })
        .collect()
}

impl Resampling {
    fn feed(&mut self, mono: &[f32]) -> Vec<i16> {
        self.waiting.extend_from_slice(mono);
        let mut ready = Vec::new();
        loop {
            let wanted = self.resampler.input_frames_next();
            if self.waiting.len() < wanted {
                return ready;
            }
            let rest = self.waiting.split_off(wanted);
            let chunk = std::mem::replace(&mut self.waiting, rest);
            let before = ready.len();
            self.push(&chunk, &mut ready);
            self.owed += wanted as f64 * self.ratio - (ready.len() - before) as f64;
        }
    }

    fn finish(&mut self) -> Vec<i16> {
        let mut ready = Vec::new();
        self.owed += self.waiting.len() as f64 * self.ratio;
        for _ in 0..MOST_SILENCES {
            let mut chunk = std::mem::take(&mut self.waiting);
            chunk.resize(self.resampler.input_frames_next(), 0.0);
            self.push(&chunk, &mut ready);
            if ready.len() as f64 >= self.owed {
                break;
            }
        }
        ready
    }

    fn push(&mut self, chunk: &[f32], ready: &mut Vec<i16>) {
        // The chunk has the requested length, so this cannot fail. If it did, only the sound would
        // be lost.
        if let Ok(channels) = self.resampler.process(&[chunk], None) {
            ready.extend(channels.into_iter().flatten().map(to_whole));
        }
    }
}

/// Removes the constant part of a signal.
struct Steady {
    keep: f32,
    input: f32,
    output: f32,
}

impl Steady {
    fn new(rate: u32) -> Self {
        Self {
            keep: (-std::f32::consts::TAU * LOWEST / rate as f32).exp(),
            input: 0.0,
            output: 0.0,
        }
    }

    fn without(&mut self, input: f32) -> f32 {
        self.output = self.keep * (self.output + input - self.input);
        self.input = input;
        self.output
    }
}

fn to_whole(sample: f32) -> i16 {
    (sample * 32_767.0).round() as i16
}

fn unhearable(rate: u32, why: impl Into<Value>) -> Sentence {
    sentence!(UnhearableRate, rate = rate.to_string(), why = why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(rate: u32, hertz: f32, offset: f32) -> Vec<f32> {
        (0..rate)
            .map(|i| offset + 0.5 * (std::f32::consts::TAU * hertz * i as f32 / rate as f32).sin())
            .collect()
    }

    fn loudness(samples: &[i16]) -> f32 {
        let sum: f32 = samples.iter().map(|&s| f32::from(s).powi(2)).sum();
        (sum / samples.len() as f32).sqrt() / 32_767.0
    }

    #[test]
    fn every_rate_keeps_length_and_loudness() {
        for rate in [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000] {
            let mut front = Front::new(rate, 1).unwrap();
            let mut heard = front.feed(&tone(rate, 440.0, 0.2));
            heard.extend(front.finish());
            let length = heard.len() as f32 / SAMPLE_RATE as f32;
            assert!((1.0..1.15).contains(&length), "{rate}: {length} s");
            let middle = loudness(&heard[4_000..12_000]);
            assert!((0.34..0.37).contains(&middle), "{rate}: {middle}");
        }
    }

    #[test]
    fn channels_are_mixed_and_what_is_constant_goes() {
        let mono = tone(16_000, 440.0, 0.3);
        let stereo: Vec<f32> = mono.iter().flat_map(|&s| [s, s]).collect();
        let mut front = Front::new(16_000, 2).unwrap();
        let heard = front.feed(&stereo);
        assert_eq!(heard.len(), mono.len());
        let mean = heard[8_000..].iter().map(|&s| f32::from(s)).sum::<f32>() / 8_000.0;
        assert!(mean.abs() < 50.0, "{mean}");
    }

    #[test]
    fn the_last_sound_comes_out_at_every_rate() {
        for rate in [
            8_000, 11_025, 14_880, 17_120, 22_050, 44_100, 48_000, 96_000,
        ] {
            let mut front = Front::new(rate, 1).unwrap();
            let mut sound = vec![0.0; rate as usize];
            let click = sound.len() - rate as usize / 400;
            sound[click..].fill(0.5);
            let mut heard = front.feed(&sound);
            heard.extend(front.finish());
            let most = heard.iter().map(|s| s.unsigned_abs()).max();
            assert!(most > Some(10_000), "{rate}: {most:?}");
        }
    }

    #[test]
    fn a_sound_can_be_played_slower_and_faster() {
        let sound = vec![1_000_i16; 16_000];
        for (speed, expected) in [(0.93, 17_204), (1.0, 16_000), (1.07, 14_953)] {
            let length = at_speed(&sound, speed).len();
            assert!(
                (expected..expected + 1_300).contains(&length),
                "{speed}: {length}"
            );
        }
    }

    #[test]
    fn hiss_has_the_level_asked_for() {
        let sound: Vec<i16> = (0..16_000)
            .map(|i| if i % 2 == 0 { 8_000 } else { -8_000 })
            .collect();
        let hissing = with_hiss(&sound, 20.0);
        let hiss: Vec<i16> = hissing.iter().zip(&sound).map(|(a, b)| a - b).collect();
        let below = 20.0 * (loudness(&sound) / loudness(&hiss)).log10();
        assert!((19.0..21.0).contains(&below), "{below}");
    }

    #[test]
    fn what_is_too_loud_is_cut_and_what_is_no_rate_is_refused() {
        let mut front = Front::new(16_000, 1).unwrap();
        assert!(
            front
                .feed(&[9.0, -9.0])
                .iter()
                .all(|s| s.unsigned_abs() >= 32_767)
        );
        assert!(Front::new(0, 1).is_err());
    }
}
