//! Sounds of any rate come as the recogniser needs them.

use annexd_sound::SAMPLE_RATE;
use annexd_sound::front::{Front, Unhearable, at_speed, with_hiss};

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
    assert_eq!(Front::new(0, 1).err(), Some(Unhearable::NoSound));
}
