//! Captures sound from a microphone by the clock: every 30 ms it fetches what has been recorded.
//!
//! Waiting for ALSA to signal sound costs more than recognising it. If only part of the requested
//! sound has come, as from the plugins of sound servers, its `poll` returns immediately again and
//! again, and the waiting thread takes a quarter of a processor.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use alsa::pcm::{Access, Format, HwParams, IoFormat, PCM};
use alsa::{Direction, ValueOr};
use cpal::{FromSample, Sample as _, SampleFormat};
use crossbeam_channel::Sender;

/// How often sound is fetched.
const STEP: Duration = Duration::from_millis(30);

/// How much sound may wait to be fetched, in milliseconds: the fetching thread may be held up this
/// long.
const BUFFER_MS: u32 = 2_000;

/// How much sound the system should gather before passing it on, in milliseconds.
const PERIOD_MS: u32 = 20;

/// How much is fetched at once. A backlog is reduced at four times the speed, and a device that
/// delivers without end delivers no more than that.
const STEPS_AT_ONCE: u32 = 4;

/// A stream that is fetched until this is dropped.
pub(super) struct Capture {
    is_over: Arc<AtomicBool>,
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Where the sound goes.
pub(super) struct Outlet {
    /// Pieces of sound. What finds no room is left out.
    pub sound: Sender<Vec<f32>>,
    /// Why there is no more sound.
    pub failed: Sender<String>,
}

/// Opens an ALSA device by its name. `None` if that is impossible; cpal may then try.
pub(super) fn open(
    name: &str,
    rate: u32,
    channels: usize,
    format: SampleFormat,
    outlet: Outlet,
) -> Option<Capture> {
    let wanted = match format {
        SampleFormat::I16 => Format::s16(),
        SampleFormat::I32 => Format::s32(),
        SampleFormat::F32 => Format::float(),
        _ => return None,
    };
    let pcm = opened(name, rate, channels, wanted).ok()?;
    let is_over = Arc::new(AtomicBool::new(false));
    let capture = Capture {
        is_over: Arc::clone(&is_over),
    };
    let most = (rate / 1000 * STEP.as_millis() as u32 * STEPS_AT_ONCE) as usize * channels;
    let fetch = move || match format {
        SampleFormat::I16 => fetch::<i16>(&pcm, most, channels, &is_over, &outlet),
        SampleFormat::I32 => fetch::<i32>(&pcm, most, channels, &is_over, &outlet),
        _ => fetch::<f32>(&pcm, most, channels, &is_over, &outlet),
    };
    let spawned = thread::Builder::new()
        .name("annexd microphone".to_owned())
        .spawn(fetch);
    spawned.ok().map(|_| capture)
}

fn opened(name: &str, rate: u32, channels: usize, format: Format) -> alsa::Result<PCM> {
    // It waits neither for a device in use nor for sound.
    let pcm = PCM::new(name, Direction::Capture, true)?;
    {
        let wanted = HwParams::any(&pcm)?;
        wanted.set_access(Access::RWInterleaved)?;
        wanted.set_format(format)?;
        wanted.set_channels(channels as u32)?;
        wanted.set_rate(rate, ValueOr::Nearest)?;
        let frames = |ms: u32| alsa::pcm::Frames::from(rate / 1000 * ms);
        wanted.set_buffer_size_near(frames(BUFFER_MS))?;
        wanted.set_period_size_near(frames(PERIOD_MS), ValueOr::Nearest)?;
        pcm.hw_params(&wanted)?;
        if wanted.get_rate()? != rate {
            return Err(alsa::Error::unsupported("rate"));
        }
    }
    pcm.prepare()?;
    pcm.start()?;
    Ok(pcm)
}

/// Fetches sound until the stream is dropped or the device ends.
fn fetch<T>(pcm: &PCM, most: usize, channels: usize, is_over: &AtomicBool, outlet: &Outlet)
where
    f32: FromSample<T>,
    T: IoFormat + Default + cpal::Sample,
{
    let Ok(stream) = pcm.io_checked::<T>() else {
        return;
    };
    let mut samples = vec![T::default(); most];
    while !is_over.load(Ordering::Relaxed) {
        thread::sleep(STEP);
        match stream.readi(&mut samples) {
            Ok(frames) => {
                let fetched = samples[..frames * channels].iter();
                // A full queue loses sound, which is better than unlimited memory.
                let _ = outlet
                    .sound
                    .try_send(fetched.map(|s| f32::from_sample(*s)).collect());
            }
            Err(error) if error.errno() == libc::EAGAIN => {}
            // It was held up longer than the buffer lasts, or the computer slept.
            Err(error) if [libc::EPIPE, libc::ESTRPIPE, libc::EINTR].contains(&error.errno()) => {
                let again = pcm.try_recover(error, true).and_then(|()| pcm.start());
                if let Err(why) = again {
                    let _ = outlet.failed.try_send(format!("({why})"));
                    return;
                }
            }
            Err(why) => {
                let _ = outlet.failed.try_send(format!("({why})"));
                return;
            }
        }
    }
}
