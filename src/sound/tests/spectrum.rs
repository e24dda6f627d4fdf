//! A tone has its power at its frequency.

use std::f32::consts::TAU;

use annexd_sound::SAMPLE_RATE;
use annexd_sound::spectrum::Spectrum;

fn strongest(length: usize, samples: usize, hertz: f32) -> Option<usize> {
    let tone = (0..samples).map(|at| (TAU * hertz * at as f32 / SAMPLE_RATE as f32).sin());
    let mut spectrum = Spectrum::of_windows(length);
    let powers: Vec<f32> = spectrum.powers(tone.collect()).collect();
    assert_eq!(powers.len(), length / 2 + 1);
    (0..powers.len()).max_by(|one, other| powers[*one].total_cmp(&powers[*other]))
}

#[test]
fn a_tone_stands_at_its_frequency() {
    assert_eq!(strongest(320, 320, 1_000.0), Some(20));
    assert_eq!(strongest(512, 512, 1_000.0), Some(32));
}

#[test]
fn a_window_may_be_too_short_or_too_long() {
    assert_eq!(strongest(512, 400, 1_000.0), Some(32));
    assert_eq!(strongest(320, 400, 1_000.0), Some(20));
}
