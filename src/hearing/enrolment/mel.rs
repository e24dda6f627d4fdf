//! Log-mel values as the recogniser computes them before its cosine transform, which its network
//! undoes again (Kaldi's filter banks, with its "povey" window).

use annexd_sound::spectrum::Spectrum;
use ndarray::Array2;

use crate::SAMPLE_RATE;

/// The number of values in a frame.
pub(super) const BINS: usize = 40;
/// The level of noise of one least significant bit. The network sees nothing below it.
pub(super) const FLOOR: f32 = 6.0;

/// A window of 25 ms every 10 ms, filled up to a power of two.
const WINDOW: usize = 400;
const SHIFT: usize = 160;
const FFT: usize = 512;
const PREEMPHASIS: f32 = 0.97;
const WINDOW_POWER: f32 = 0.85;
/// The range of the bands in hertz.
const LOW_HZ: f32 = 60.0;
const HIGH_HZ: f32 = 7_600.0;

/// The frames of a sound on the 16-bit scale; none if it is shorter than a window.
pub(super) fn log_mel(sound: &[i16]) -> Array2<f32> {
    let mut spectrum = Spectrum::of_windows(FFT);
    let (window, bands) = (povey(), bands());
    let frames = sound.windows(WINDOW).step_by(SHIFT);
    let mut mels = Vec::new();
    for frame in frames.clone() {
        let mean = frame.iter().map(|&it| f32::from(it)).sum::<f32>() / WINDOW as f32;
        let steady: Vec<f32> = frame.iter().map(|&it| f32::from(it) - mean).collect();
        let before = steady.first().into_iter().chain(&steady);
        let input = steady
            .iter()
            .zip(before)
            .zip(&window)
            .map(|((sample, before), window)| (sample - PREEMPHASIS * before) * window)
            .collect();
        let power: Vec<f32> = spectrum.powers(input).collect();
        mels.extend(bands.iter().map(|band| {
            let energy: f32 = band.iter().zip(&power).map(|(share, it)| share * it).sum();
            energy.max(f32::EPSILON).ln()
        }));
    }
    Array2::from_shape_vec((frames.len(), BINS), mels).unwrap_or_default()
}

/// Hann's window to a power.
fn povey() -> Vec<f32> {
    let angle = |at: usize| std::f32::consts::TAU * at as f32 / (WINDOW - 1) as f32;
    (0..WINDOW)
        .map(|at| (0.5 - 0.5 * angle(at).cos()).powf(WINDOW_POWER))
        .collect()
}

/// The share of every frequency in each band: triangles on the mel scale. The last frequency is
/// left out, as Kaldi leaves it out.
fn bands() -> Vec<Vec<f32>> {
    let mel = |hertz: f32| 1_127.0 * (1.0 + hertz / 700.0).ln();
    let (low, high) = (mel(LOW_HZ), mel(HIGH_HZ));
    let edge = |number: usize| low + (high - low) * number as f32 / (BINS + 1) as f32;
    let share = |band: usize, frequency: usize| {
        let point = mel(frequency as f32 * SAMPLE_RATE as f32 / FFT as f32);
        let (left, centre, right) = (edge(band), edge(band + 1), edge(band + 2));
        let rising = (point - left) / (centre - left);
        let falling = (right - point) / (right - centre);
        rising.min(falling).max(0.0)
    };
    (0..BINS)
        .map(|band| {
            (0..FFT / 2)
                .map(|frequency| share(band, frequency))
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_loudest_in_its_band() {
        let tone: Vec<i16> = (0..1_600)
            .map(|at| {
                let angle = std::f32::consts::TAU * 1_000.0 * at as f32 / SAMPLE_RATE as f32;
                (8_000.0 * angle.sin()) as i16
            })
            .collect();
        let mels = log_mel(&tone);
        assert_eq!(mels.dim(), (8, BINS));
        let frame = mels.row(4);
        let loudest = frame.iter().copied().fold(f32::MIN, f32::max);
        // 1000 Hz are 1000 mel; the bands' centres are 67 mel apart, from 159 mel on.
        assert_eq!(frame[13], loudest.max(frame[12]).max(frame[13]));
        assert!(frame[13] > frame[30] + 5.0);
        assert_eq!(log_mel(&tone[..399]).nrows(), 0);
    }
}
