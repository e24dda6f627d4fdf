//! Mixes sounds into the buffers of a device. Pure: a device only calls it.

use std::sync::Arc;

/// The sample rate of all clips and earcons, in hertz.
pub const CLIP_RATE: u32 = 16_000;

/// How many neighbouring samples make one resampled sample.
const TAPS: usize = 16;
/// How many positions between two samples the filter is computed for beforehand.
const PHASES: usize = 64;
/// How many sources can sound at the same time. One more takes the place of the oldest.
const VOICES: usize = 8;
/// How long a stopped source takes to fade, so that it does not click.
const FADE_SECONDS: f32 = 0.008;

/// Samples to be played once.
#[derive(Clone, Debug)]
pub struct Source {
    /// The number of the source, as [`Ended`] reports it.
    pub id: u64,
    /// Mono samples at [`CLIP_RATE`].
    pub samples: Arc<[i16]>,
    /// Loudness; 1.0 is as recorded.
    pub gain: f32,
}

/// A source that is over.
#[derive(Clone, Debug)]
pub struct Ended {
    /// The source. Its samples come back with it, so that they are freed outside the callback.
    pub source: Source,
    /// Whether all of it was played.
    pub whole: bool,
}

/// Everything that sounds on one device at the moment.
pub struct Mixer {
    step: f64,
    channels: usize,
    /// The delay between the buffer and the air, in samples of a source.
    delay: f64,
    fade: f32,
    filter: Vec<[f32; TAPS]>,
    playing: Vec<Playing>,
}

struct Playing {
    source: Source,
    /// The position in samples of the source.
    position: f64,
    /// The loudness of a source that is being stopped, from 1.0 down to 0.0.
    fading: Option<f32>,
}

impl Mixer {
    /// Makes a mixer for a device with this sample rate (hertz, not 0) and number of channels.
    pub fn new(rate: u32, channels: u16) -> Self {
        let rate = rate.max(1);
        Self {
            step: f64::from(CLIP_RATE) / f64::from(rate),
            channels: usize::from(channels.max(1)),
            delay: 0.0,
            fade: 1.0 / (FADE_SECONDS * rate as f32).max(1.0),
            filter: filter(rate),
            playing: Vec::with_capacity(VOICES),
        }
    }

    /// Adds a source. If there was no room, it returns the source whose place this one took.
    pub fn play(&mut self, source: Source) -> Option<Ended> {
        let displaced = (self.playing.len() >= VOICES).then(|| Ended {
            source: self.playing.remove(0).source,
            whole: false,
        });
        self.playing.push(Playing {
            source,
            position: 0.0,
            fading: None,
        });
        displaced
    }

    /// Sets how long a sample takes to reach the air, in seconds (0 to 0.5). Only then is the last
    /// sample heard and its source over.
    pub fn set_delay(&mut self, seconds: f64) {
        self.delay = seconds.clamp(0.0, 0.5) * f64::from(CLIP_RATE);
    }

    /// Fades out a source, or all of them, from now on.
    pub fn stop(&mut self, id: Option<u64>) {
        for playing in &mut self.playing {
            if id.is_none_or(|id| playing.source.id == id) {
                playing.fading.get_or_insert(1.0);
            }
        }
    }

    /// Fills a buffer of interleaved frames and reports which sources ended in it.
    pub fn fill(&mut self, buffer: &mut [f32], mut ended: impl FnMut(Ended)) {
        buffer.fill(0.0);
        let (step, fade, channels) = (self.step, self.fade, self.channels);
        let delay = self.delay;
        for playing in &mut self.playing {
            for frame in buffer.chunks_mut(channels) {
                let Some(sample) = playing.next(step, fade, delay, &self.filter) else {
                    break;
                };
                for out in frame {
                    *out = (*out + sample).clamp(-1.0, 1.0);
                }
            }
        }
        self.playing.retain_mut(|playing| {
            if !playing.is_over(delay) {
                return true;
            }
            ended(Ended {
                source: playing.source.clone(),
                whole: playing.position >= playing.source.samples.len() as f64,
            });
            false
        });
    }

    /// Removes all sources, as unfinished.
    pub fn clear(&mut self) -> Vec<Ended> {
        let cut = |playing: Playing| Ended {
            source: playing.source,
            whole: false,
        };
        self.playing.drain(..).map(cut).collect()
    }
}

impl Playing {
    fn is_over(&self, delay: f64) -> bool {
        self.position >= self.source.samples.len() as f64 + delay
            || self.fading.is_some_and(|level| level <= 0.0)
    }

    fn next(&mut self, step: f64, fade: f32, delay: f64, filter: &[[f32; TAPS]]) -> Option<f32> {
        if self.is_over(delay) {
            return None;
        }
        let whole = self.position.floor();
        let phase = ((self.position - whole) * PHASES as f64) as usize;
        let taps = &filter[phase.min(PHASES - 1)];
        let first = whole as isize - (TAPS as isize / 2 - 1);
        let samples = &self.source.samples;
        let mut sum = 0.0;
        for (index, tap) in (first..).zip(taps) {
            let sample = usize::try_from(index).ok().and_then(|at| samples.get(at));
            sum += tap * sample.map_or(0.0, |sample| f32::from(*sample));
        }
        self.position += step;
        let mut level = self.source.gain / 32_768.0;
        if let Some(fading) = &mut self.fading {
            level *= *fading;
            *fading -= fade;
        }
        Some(sum * level)
    }
}

/// A windowed sinc for each phase. Below the clips' rate it also removes what would alias.
fn filter(rate: u32) -> Vec<[f32; TAPS]> {
    let cutoff = (f64::from(rate) / f64::from(CLIP_RATE)).min(1.0);
    let half = TAPS as f64 / 2.0;
    (0..PHASES)
        .map(|phase| {
            let shift = phase as f64 / PHASES as f64;
            let mut taps = [0.0; TAPS];
            for (index, tap) in taps.iter_mut().enumerate() {
                let x = index as f64 - (half - 1.0) - shift;
                let angle = std::f64::consts::PI * x * cutoff;
                let sinc = if angle.abs() < 1e-9 {
                    1.0
                } else {
                    angle.sin() / angle
                };
                let window = 0.5 + 0.5 * (std::f64::consts::PI * x / half).cos();
                *tap = (sinc * cutoff * window) as f32;
            }
            taps
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(id: u64, samples: Vec<i16>) -> Source {
        Source {
            id,
            samples: samples.into(),
            gain: 1.0,
        }
    }

    fn tone(hertz: f64, seconds: f64) -> Vec<i16> {
        let length = (seconds * f64::from(CLIP_RATE)) as usize;
        let turn = std::f64::consts::TAU * hertz / f64::from(CLIP_RATE);
        (0..length)
            .map(|at| ((at as f64 * turn).sin() * 16_000.0) as i16)
            .collect()
    }

    fn crossings(samples: &[f32]) -> usize {
        let rising = |pair: &&[f32]| pair[0] < 0.0 && pair[1] >= 0.0;
        samples.windows(2).filter(rising).count()
    }

    #[test]
    fn a_tone_keeps_its_pitch_and_length_at_every_rate() {
        for rate in [8_000, 16_000, 44_100, 48_000, 96_000] {
            let mut mixer = Mixer::new(rate, 1);
            mixer.play(source(1, tone(440.0, 0.5)));
            let mut heard = vec![0.0; rate as usize];
            let mut whole = None;
            mixer.fill(&mut heard, |ended| whole = Some(ended.whole));
            assert_eq!(whole, Some(true));
            let length = heard.iter().rposition(|s| s.abs() > 0.001).unwrap();
            assert!(length.abs_diff(rate as usize / 2) < 40, "{rate}: {length}");
            assert!(crossings(&heard).abs_diff(220) <= 1, "{rate}");
        }
    }

    #[test]
    fn a_stopped_source_fades_and_is_reported_as_cut() {
        let mut mixer = Mixer::new(48_000, 2);
        mixer.play(source(7, tone(440.0, 1.0)));
        let mut buffer = vec![0.0; 960];
        mixer.fill(&mut buffer, |_| panic!("it has not ended"));
        mixer.stop(None);
        let mut ended = Vec::new();
        mixer.fill(&mut buffer, |it| ended.push((it.source.id, it.whole)));
        assert_eq!(ended, [(7, false)]);
        let steps = buffer.chunks(2).map(|frame| frame[0]).collect::<Vec<_>>();
        let jump = steps
            .windows(2)
            .map(|w| (w[1] - w[0]).abs())
            .fold(0.0, f32::max);
        assert!(jump < 0.05, "a click of {jump}");
        mixer.fill(&mut buffer, |_| panic!("nothing is left"));
        assert!(buffer.iter().all(|sample| *sample == 0.0));
    }

    #[test]
    fn two_sources_sound_together_and_never_beyond_full_scale() {
        let mut mixer = Mixer::new(16_000, 1);
        for id in 0..20 {
            mixer.play(source(id, vec![30_000; 4_000]));
        }
        let mut buffer = vec![0.0; 2_000];
        mixer.fill(&mut buffer, |_| {});
        assert!(buffer.iter().all(|sample| sample.abs() <= 1.0));
        assert_eq!(mixer.clear().len(), VOICES);
    }

    #[test]
    fn a_source_is_over_only_when_its_last_sample_was_heard() {
        let mut mixer = Mixer::new(16_000, 1);
        mixer.set_delay(0.05);
        mixer.play(source(1, vec![1_000; 1_600]));
        let mut buffer = vec![0.0; 1_700];
        mixer.fill(&mut buffer, |_| panic!("50 ms of it are still under way"));
        let mut ended = 0;
        mixer.fill(&mut buffer, |_| ended += 1);
        assert_eq!(ended, 1);
    }

    #[test]
    fn an_empty_source_ends_at_once() {
        let mut mixer = Mixer::new(48_000, 1);
        mixer.play(source(3, Vec::new()));
        let mut ended = 0;
        mixer.fill(&mut [0.0; 16], |_| ended += 1);
        assert_eq!(ended, 1);
    }
}
