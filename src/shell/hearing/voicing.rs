//! Whether there is a voice in a sound at all: what costs little is asked before the recogniser is.
//!
//! A voice is a sound that repeats itself, seventy to five hundred times a second, for as long as a
//! vowel lasts; a piece that is put down, a chair, the wind in a microphone and applause are none.
//! It knows nothing of words, and only says when the recogniser begins. What it begins with is all
//! of the utterance, from before its first sound on: so nothing that is heard changes.

use super::{BLOCK, SAMPLE_RATE};

/// Of so many samples one is looked at: a voice's pitch is far below.
const EVERY: usize = 4;
const RATE: usize = SAMPLE_RATE as usize / EVERY;

/// After so many samples a voice has repeated itself, from the highest to the lowest.
const SHORTEST: usize = RATE / 500;
const LONGEST: usize = RATE / 70;

/// So much of a sound must be like what came before it, 1 being all of it.
const ALIKE: f32 = 0.5;

/// And between the two it must have been so much less like it: a rumble goes on as it is.
const UNLIKE: f32 = 0.25;

/// So many windows in a row, each a block after the one before, make a voice.
const VOWEL: usize = 2;

/// What lasted so many blocks may be a voice that is hoarse or whispers.
const LONG: usize = 40;

/// Everything below is rumble, in hertz.
const RUMBLE: f32 = 90.0;

/// Listens for a voice in what stands out, until it has found one.
#[derive(Debug, Default)]
pub(super) struct Voicing {
    /// The block before.
    before: Vec<i16>,
    in_a_row: usize,
    stood_out: usize,
    is_found: bool,
}

impl Voicing {
    /// Whether there was a voice in this utterance.
    pub(super) const fn is_found(&self) -> bool {
        self.is_found
    }

    /// Hears the next block.
    pub(super) fn hear(&mut self, block: &[i16], stands_out: bool) {
        if self.is_found {
            return;
        }
        let window = [self.before.as_slice(), block].concat();
        self.before.clear();
        self.before.extend_from_slice(block);
        let is_voiced = stands_out && window.len() == 2 * BLOCK && is_voiced(&window);
        self.in_a_row = if is_voiced { self.in_a_row + 1 } else { 0 };
        self.stood_out += usize::from(stands_out);
        self.is_found = self.in_a_row >= VOWEL || self.stood_out >= LONG;
    }

    /// The utterance is over, or was none.
    pub(super) fn forget(&mut self) {
        self.in_a_row = 0;
        self.stood_out = 0;
        self.is_found = false;
    }

    /// Nothing is under way; what was heard of a vowel may be its beginning.
    pub(super) const fn rest(&mut self) {
        self.stood_out = 0;
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

/// How much a sound is like itself so many samples later, from -1 to 1.
fn likeness(sound: &[f32], lag: usize) -> f32 {
    let (mut product, mut one, mut other) = (0.0, 1e-6, 1e-6);
    for (a, b) in sound.iter().zip(&sound[lag..]) {
        product += a * b;
        one += a * a;
        other += b * b;
    }
    product / (one * other).sqrt()
}

/// Fewer samples, without what is below a voice.
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

    /// Noise that is the same every time.
    fn noise(height: f32) -> impl FnMut() -> f32 {
        let mut state = 1_u32;
        move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (f32::from((state >> 16) as i16) / 32_768.0) * height
        }
    }

    /// The block at which a voice was found.
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
                // A row of overtones that become softer, as a throat gives.
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
    fn what_lasts_is_listened_to_whatever_it_is() {
        let mut hiss = noise(8_000.0);
        assert_eq!(found(&sound(LONG + 5, |_| hiss())), Some(LONG - 1));
    }
}
