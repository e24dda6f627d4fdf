//! Detects whether there is a voice in a sound at all, at little cost before the recogniser is
//! used.
//!
//! A voice is a sound that repeats itself seventy to five hundred times a second, for as long as a
//! vowel lasts. A whisper does not, but the mouth shapes its hiss, so that each sample can be
//! predicted from those before it, far better than in noise. A piece being put down, a draught in a
//! microphone and the steady hum of many machines do neither. This knows nothing of words, and only
//! decides when the recogniser starts. The recogniser then gets the whole utterance from before its
//! first sound, so nothing that is heard changes.

use super::{BLOCK, SAMPLE_RATE};

/// Only one of this many samples is used: the pitch of a voice is far below.
const EVERY: usize = 4;
const RATE: usize = SAMPLE_RATE as usize / EVERY;

/// The range of periods of a voice in samples, from the highest pitch to the lowest.
const SHORTEST: usize = RATE / 500;
const LONGEST: usize = RATE / 70;

/// How alike a sound must be to itself one period later, where 1 is identical.
const ALIKE: f32 = 0.5;

/// How much less alike it must be in between: a rumble stays the same.
const UNLIKE: f32 = 0.25;

/// How many windows in a row, each one block later, make a voice.
const VOWEL: usize = 2;

/// The number of samples from which the next is predicted, after high frequencies were raised as
/// much as a mouth weakens them.
const FORETOLD_FROM: usize = 10;
const RAISED: f32 = 0.95;

/// How much of the power must be predicted, in decibels, in how many windows in a row. Set on
/// whispered words of synthetic voices, in which three or more windows in a row have 3.8, and on
/// noise, in which none has more than 4 and no two in a row have 3.5.
const SHAPED: f32 = 3.5;
const SHAPED_FOR: usize = 2;

/// Everything below this frequency is rumble, in hertz.
const RUMBLE: f32 = 90.0;

/// Looks for a voice in what stands out, until it has found one.
#[derive(Debug, Default)]
pub struct Voicing {
    /// The previous block.
    before: Vec<i16>,
    /// Windows in a row that repeat themselves, and those shaped by a mouth.
    voiced: usize,
    shaped: usize,
    is_found: bool,
}

impl Voicing {
    /// Whether there was a voice in this utterance.
    pub const fn is_found(&self) -> bool {
        self.is_found
    }

    /// Takes the next block.
    pub fn hear(&mut self, block: &[i16], stands_out: bool) {
        if self.is_found {
            return;
        }
        let window = [self.before.as_slice(), block].concat();
        self.before.clear();
        self.before.extend_from_slice(block);
        let is_whole = stands_out && window.len() == 2 * BLOCK;
        let count = |before: usize, is_so: bool| if is_so { before + 1 } else { 0 };
        self.voiced = count(self.voiced, is_whole && is_voiced(&window));
        self.shaped = count(self.shaped, is_whole && foretold(&window) >= SHAPED);
        self.is_found = self.voiced >= VOWEL || self.shaped >= SHAPED_FOR;
    }

    /// Starts over, because the utterance is over.
    pub const fn forget(&mut self) {
        self.voiced = 0;
        self.shaped = 0;
        self.is_found = false;
    }
}

/// Whether a window repeats itself as a voice does.
fn is_voiced(window: &[i16]) -> bool {
    let sound = without_rumble(window);
    let mut least = 1.0_f32;
    (2..=LONGEST.min(sound.len() / 2)).any(|lag| {
        let likeness = likeness(&sound, lag);
        least = least.min(likeness);
        lag >= SHORTEST && likeness >= ALIKE && likeness - least >= UNLIKE
    })
}

/// How alike a sound is to itself this many samples later, from -1 to 1.
fn likeness(sound: &[f32], lag: usize) -> f32 {
    let (mut product, mut one, mut other) = (0.0, 1e-6, 1e-6);
    for (a, b) in sound.iter().zip(&sound[lag..]) {
        product += a * b;
        one += a * a;
        other += b * b;
    }
    product / (one * other).sqrt()
}

/// How much of a window can be predicted from the samples before each, in decibels: its power over
/// what remains after linear prediction (Levinson and Durbin).
fn foretold(window: &[i16]) -> f32 {
    let last = window.len() as f32;
    let raised: Vec<f32> = window
        .windows(2)
        .enumerate()
        .map(|(index, pair)| {
            let fade = 0.5 - 0.5 * (std::f32::consts::TAU * (index + 1) as f32 / last).cos();
            fade * (f32::from(pair[1]) - RAISED * f32::from(pair[0]))
        })
        .collect();
    let mut alike = [0.0; FORETOLD_FROM + 1];
    for (lag, alike) in alike.iter_mut().enumerate() {
        let pairs = raised.iter().zip(&raised[lag..]);
        *alike = pairs.map(|(one, other)| one * other).sum::<f32>();
    }
    // This avoids a division by zero if nothing remains.
    let whole = alike[0] * 1.0001 + 1.0;
    let (mut left, mut weights) = (whole, [0.0; FORETOLD_FROM + 1]);
    for order in 1..=FORETOLD_FROM {
        let known: f32 = (1..order).map(|at| weights[at] * alike[order - at]).sum();
        let reflected = (alike[order] - known) / left;
        let before = weights;
        weights[order] = reflected;
        for at in 1..order {
            weights[at] = before[at] - reflected * before[order - at];
        }
        left *= 1.0 - reflected * reflected;
    }
    10.0 * (whole / left).log10()
}

/// Fewer samples, without frequencies below a voice.
fn without_rumble(window: &[i16]) -> Vec<f32> {
    let keep = (-std::f32::consts::TAU * RUMBLE / RATE as f32).exp();
    let (mut input, mut output) = (0.0, 0.0);
    window
        .chunks_exact(EVERY)
        .map(|few| {
            let sample = few.iter().map(|s| f32::from(*s)).sum::<f32>() / EVERY as f32;
            output = keep * (output + sample - input);
            input = sample;
            output
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same noise every time.
    fn noise(height: f32) -> impl FnMut() -> f32 {
        let mut state = 1_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (f32::from((state >> 16) as i16) / 32_768.0) * height
        }
    }

    /// The index of the block at which a voice was found.
    fn found(sound: &[i16]) -> Option<usize> {
        let mut voicing = Voicing::default();
        sound.chunks_exact(BLOCK).position(|block| {
            voicing.hear(block, true);
            voicing.is_found()
        })
    }

    fn sound(blocks: usize, mut sample: impl FnMut(f32) -> f32) -> Vec<i16> {
        let time = |index: usize| index as f32 / SAMPLE_RATE as f32;
        (0..blocks * BLOCK)
            .map(|index| sample(time(index)).clamp(-32_000.0, 32_000.0) as i16)
            .collect()
    }

    #[test]
    fn a_vowel_of_any_pitch_is_found_within_three_blocks_also_in_noise() {
        for pitch in [75.0, 110.0, 180.0, 240.0, 330.0, 450.0] {
            for height in [0.0, 1_500.0] {
                let mut noise = noise(height);
                // A series of overtones that become softer, as from a throat.
                let vowel = |time: f32| -> f32 {
                    let overtone = |n: u8| {
                        let n = f32::from(n);
                        (std::f32::consts::TAU * pitch * n * time).sin() * 4_000.0 / n
                    };
                    (1..8).map(overtone).sum()
                };
                let at = found(&sound(10, |time| vowel(time) + noise()));
                assert!(
                    at <= Some(3) && at.is_some(),
                    "{pitch} Hz, {height}: {at:?}"
                );
            }
        }
    }

    #[test]
    fn clatter_hiss_and_rumble_are_no_voice() {
        let mut hiss = noise(8_000.0);
        let mut knocks = noise(20_000.0);
        let (mut rough, mut rumble) = (noise(3_000.0), 0.0);
        for (name, sound) in [
            ("hiss", sound(30, |_| hiss())),
            (
                "knocks",
                sound(30, |time| knocks() * (-(time % 0.15) / 0.02).exp()),
            ),
            (
                "rumble",
                sound(30, |_| {
                    rumble = 0.995 * rumble + rough();
                    rumble
                }),
            ),
        ] {
            assert_eq!(found(&sound), None, "{name}");
        }
    }

    #[test]
    fn a_whisper_is_found_too() {
        let mut breath = noise(8_000.0);
        // Two resonances, at 700 and 1,200 Hz, as in a whispered a.
        let mut mouth = [(700.0, 0.0, 0.0), (1_200.0, 0.0, 0.0)];
        let whisper = sound(10, |_| {
            let breath = breath();
            let resounding = mouth.iter_mut().map(|(hertz, last, before)| {
                let turn = std::f32::consts::TAU * *hertz / SAMPLE_RATE as f32;
                let now = 0.1 * breath + 1.94 * turn.cos() * *last - 0.941 * *before;
                (*last, *before) = (now, *last);
                now
            });
            resounding.sum()
        });
        assert!(
            found(&whisper).is_some_and(|at| at <= 4),
            "{:?}",
            found(&whisper)
        );
    }
}
