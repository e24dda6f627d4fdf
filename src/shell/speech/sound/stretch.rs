//! Makes speech faster or slower without changing its pitch.

use super::CLIP_RATE;

/// Length of the pieces that overlap, in samples: 30 ms, which is two to six periods of a voice.
const FRAME_SAMPLES: usize = CLIP_RATE as usize * 30 / 1000;
const HOP: usize = FRAME_SAMPLES / 2;
/// How far a piece is shifted to fit the piece before it, in samples: 8 ms, which is one period of
/// a low voice.
const SEARCH: usize = CLIP_RATE as usize * 8 / 1000;

/// Returns speech at a rate in percent, by overlapping pieces where they fit best. 100 changes
/// nothing; the rate is kept between 50 and 250.
pub fn stretch(samples: &[i16], percent: u32) -> Vec<i16> {
    let percent = percent.clamp(50, 250) as usize;
    if percent == 100 || samples.len() < 2 * FRAME_SAMPLES + SEARCH {
        return samples.to_vec();
    }
    let length = samples.len() * 100 / percent;
    let mut out = vec![0.0_f32; length + FRAME_SAMPLES];
    let mut natural = 0;
    for start in (0..length).step_by(HOP) {
        let wanted = start * percent / 100;
        let from = best_start(samples, wanted, natural);
        for (index, slot) in out[start..].iter_mut().take(FRAME_SAMPLES).enumerate() {
            let Some(sample) = samples.get(from + index) else {
                break;
            };
            let window = if start == 0 && index < HOP {
                1.0
            } else {
                hann(index)
            };
            *slot += f32::from(*sample) * window;
        }
        natural = from + HOP;
    }
    out.truncate(length);
    out.into_iter()
        .map(|sample| sample.clamp(-32_768.0, 32_767.0) as i16)
        .collect()
}

/// Returns the start near `wanted` whose piece continues most like the piece at `natural`.
fn best_start(samples: &[i16], wanted: usize, natural: usize) -> usize {
    let last = samples.len().saturating_sub(FRAME_SAMPLES);
    let wanted = wanted.min(last);
    if natural == 0 || natural >= last {
        return wanted;
    }
    let low = wanted.saturating_sub(SEARCH);
    let high = (wanted + SEARCH).min(last);
    (low..=high)
        .step_by(2)
        .max_by_key(|start| likeness(&samples[*start..], &samples[natural..]))
        .unwrap_or(wanted)
}

fn likeness(one: &[i16], other: &[i16]) -> i64 {
    one.iter()
        .zip(other)
        .take(HOP)
        .step_by(4)
        .map(|(a, b)| i64::from(*a) * i64::from(*b))
        .sum()
}

fn hann(index: usize) -> f32 {
    let turn = std::f32::consts::TAU * index as f32 / FRAME_SAMPLES as f32;
    0.5 - 0.5 * turn.cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(hertz: f32) -> Vec<i16> {
        let turn = std::f32::consts::TAU * hertz / CLIP_RATE as f32;
        (0..CLIP_RATE)
            .map(|at| ((at as f32 * turn).sin() * 16_000.0) as i16)
            .collect()
    }

    #[test]
    fn a_rate_changes_the_length_and_not_the_pitch() {
        let tone = tone(150.0);
        for percent in [70, 85, 100, 130, 180] {
            let out = stretch(&tone, percent);
            let seconds = out.len() as f32 / CLIP_RATE as f32;
            assert!(
                (seconds - 100.0 / percent as f32).abs() < 0.01,
                "{percent}: {seconds}"
            );
            let rising = out
                .windows(2)
                .filter(|pair| pair[0] < 0 && pair[1] >= 0)
                .count();
            let hertz = rising as f32 / seconds;
            assert!((hertz - 150.0).abs() < 5.0, "{percent}: {hertz}");
        }
    }

    #[test]
    fn too_little_to_stretch_stays_as_it_is() {
        assert_eq!(stretch(&[1, 2, 3], 50), [1, 2, 3]);
        assert!(stretch(&[], 200).is_empty());
    }
}
