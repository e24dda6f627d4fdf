//! Converts the samples of any file or microphone to those the recogniser needs.

use rubato::{FftFixedIn, Resampler};

use super::{BLOCK, SAMPLE_RATE};

/// Below this frequency in hertz nothing is heard, and the recogniser sees only an offset.
const LOWEST: f32 = 20.0;

/// How many chunks of silence are used at most to flush the resampler; two or three are enough.
const MOST_SILENCES: usize = 20;

/// Why no sound can be converted to [`SAMPLE_RATE`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unhearable {
    /// There are no samples, or no channels.
    #[error("there is no sound in it")]
    NoSound,
    /// The resampler refuses the rate, for this reason.
    #[error("{0}")]
    Rate(String),
}

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
    pub fn new(rate: u32, channels: usize) -> Result<Self, Unhearable> {
        if rate == 0 || channels == 0 {
            return Err(Unhearable::NoSound);
        }
        let resampler = if rate == SAMPLE_RATE {
            None
        } else {
            let chunk = (rate / 50).max(1) as usize;
            let resampler = FftFixedIn::new(rate as usize, SAMPLE_RATE as usize, chunk, 1, 1)
                .map_err(|error| Unhearable::Rate(error.to_string()))?;
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
