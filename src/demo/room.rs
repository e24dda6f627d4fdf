//! The sounds of the room: a voice from espeak-ng, noise, a cough. All are generated live from a
//! seed, so that a demonstration can be repeated.

use std::process::{Command, Stdio};

use annexd::shell::error::{Result, error};

/// The sample rate of everything here: espeak-ng's, and a plausible microphone's.
pub(crate) const RATE: u32 = 22_050;

/// The loudness of the room, as the standard deviation of its noise.
const NOISE: f32 = 0.002;

/// Pseudo-random numbers from a seed: xorshift64*.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice from a seed.
    pub(crate) const fn new(seed: u64) -> Self {
        // A seed of 0 would give nothing but zeros.
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number.
    pub(crate) const fn roll(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number from 0 up to, but not including, `end`.
    pub(crate) const fn below(&mut self, end: usize) -> usize {
        (self.roll() >> 33) as usize % end
    }

    /// A number between -1 and 1.
    fn wave(&mut self) -> f32 {
        (self.roll() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

/// The noise of a room, stronger in the low frequencies.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    dice: Dice,
    low: f32,
}

impl Room {
    /// A room from a seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self {
            dice: Dice::new(seed),
            low: 0.0,
        }
    }

    /// Adds the room's noise to speech.
    pub(crate) fn around(&mut self, said: &[f32]) -> Vec<f32> {
        said.iter()
            .map(|sample| {
                self.low = 0.95 * self.low + 0.3 * self.dice.wave();
                (sample + NOISE * (self.low + 0.5 * self.dice.wave())).clamp(-1.0, 1.0)
            })
            .collect()
    }
}

/// Speaks a text with a voice of espeak-ng at this rate in words per minute, and trims the silence
/// around it.
///
/// # Errors
///
/// `ErrorKind::Missing` if espeak-ng is not installed, `ErrorKind::Usage` if it has no such voice.
pub(crate) fn speak(voice: &str, words_a_minute: u32, text: &str) -> Result<Vec<f32>> {
    let spoken = Command::new("espeak-ng")
        .args([
            "-v",
            voice,
            "-s",
            &words_a_minute.to_string(),
            "--stdout",
            "--",
            text,
        ])
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error!(Missing, DemoNoEspeak, why = error))?;
    let samples = samples_of(&spoken.stdout);
    if !spoken.status.success() || samples.is_empty() {
        let why = String::from_utf8_lossy(&spoken.stderr).trim().to_owned();
        return Err(error!(Usage, DemoNoVoice, voice = voice, why = why));
    }
    Ok(trimmed(&samples))
}

/// The samples of a WAV file written to a pipe, whose lengths are therefore wrong.
fn samples_of(wav: &[u8]) -> Vec<f32> {
    let data = wav.windows(4).position(|name| name == b"data");
    let samples = data
        .and_then(|start| wav.get(start + 8..))
        .unwrap_or_default();
    samples
        .chunks_exact(2)
        .map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 32768.0)
        .collect()
}

fn trimmed(samples: &[f32]) -> Vec<f32> {
    let is_loud = |sample: &f32| sample.abs() > 0.01;
    let first = samples.iter().position(is_loud).unwrap_or(0);
    let last = samples.iter().rposition(is_loud).unwrap_or(0);
    samples.get(first..=last).unwrap_or_default().to_vec()
}

/// A cough: two bursts of noise that die away.
pub(crate) fn cough(dice: &mut Dice) -> Vec<f32> {
    let mut samples = Vec::new();
    let mut low = 0.0;
    for (milliseconds, loudness) in [(180, 0.5), (90, 0.0), (140, 0.35)] {
        let length = (RATE * milliseconds / 1000) as usize;
        for index in 0..length {
            let passed = index as f32 / length as f32;
            low = 0.7 * low + 0.3 * dice.wave();
            let rises = (passed * 12.0).min(1.0);
            samples.push(loudness * rises * (-4.0 * passed).exp() * low);
        }
    }
    samples
}
