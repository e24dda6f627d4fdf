//! The microphone, through cpal. The callback only copies samples into a bounded queue.

use std::time::Duration;

#[cfg(target_os = "linux")]
use super::capture::{self, Capture};
use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{Sample, SampleFormat, SizedSample, StreamConfig};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error, sentence};
use crate::shell::speech::sound;

/// How many pieces of sound may wait. ALSA's `null` delivers without end, so the rest is dropped.
const QUEUE: usize = 256;

/// A microphone that delivers nothing for this long is lost.
const SILENT_FOR: Duration = Duration::from_secs(3);

/// An open microphone.
pub struct Microphone {
    name: String,
    rate: u32,
    channels: usize,
    sound: Receiver<Vec<f32>>,
    failures: Receiver<String>,
    /// Taken when the microphone is closed.
    stream: Option<Stream>,
}

/// The recording stream.
enum Stream {
    Cpal {
        _stream: cpal::Stream,
    },
    #[cfg(target_os = "linux")]
    Alsa {
        _capture: Capture,
    },
}

impl Drop for Microphone {
    fn drop(&mut self) {
        if let Some(stream) = self.stream.take() {
            sound::drop_in_background(stream);
        }
    }
}

/// Why a microphone cannot be opened.
fn failed(name: &str, error: &cpal::Error) -> Error {
    let (told, reason, remedy) = match error.kind() {
        cpal::ErrorKind::DeviceNotAvailable => (
            error!(Missing, MicrophoneAbsent, name = name),
            Reason::Absent,
            Remedy::Connect,
        ),
        cpal::ErrorKind::PermissionDenied => (
            error!(DeviceBusy, MicrophoneNoAccess, name = name),
            Reason::NoAccess,
            Remedy::GiveAccess,
        ),
        _ => (
            error!(DeviceBusy, MicrophoneBusy, name = name, why = error),
            Reason::Busy,
            Remedy::CloseOther,
        ),
    };
    let fault = Fault::new(Part::Microphone, reason, remedy);
    told.about(fault.with(format!("{name}: {error}")))
}

impl Microphone {
    /// Opens the default microphone, or the first whose name contains `wanted`.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Missing` if there is none, `ErrorKind::DeviceBusy` if it cannot be opened.
    pub fn open(wanted: Option<&str>) -> Result<Self> {
        let device = find(wanted)?;
        let name = device.to_string();
        let failed = |error: cpal::Error| failed(&name, &error);
        let supported = device.default_input_config().map_err(failed)?;
        let format = supported.sample_format();
        let config: StreamConfig = supported.into();
        let (rate, channels) = (config.sample_rate, usize::from(config.channels));
        let (send, recorded) = bounded(QUEUE);
        let (fail, failures) = bounded(1);
        let opened = |stream| Self {
            name: name.clone(),
            rate,
            channels,
            sound: recorded.clone(),
            failures: failures.clone(),
            stream: Some(stream),
        };
        #[cfg(target_os = "linux")]
        if let Some(id) = sound::identifier(&device) {
            let outlet = capture::Outlet {
                sound: send.clone(),
                failed: fail.clone(),
            };
            if let Some(capture) = capture::open(&id, rate, channels, format, outlet) {
                return Ok(opened(Stream::Alsa { _capture: capture }));
            }
        }
        let stream = match format {
            SampleFormat::I16 => stream::<i16>(&device, config, send, fail),
            SampleFormat::I32 => stream::<i32>(&device, config, send, fail),
            SampleFormat::U8 => stream::<u8>(&device, config, send, fail),
            SampleFormat::U16 => stream::<u16>(&device, config, send, fail),
            _ => stream::<f32>(&device, config, send, fail),
        }
        .map_err(failed)?;
        stream.play().map_err(failed)?;
        Ok(opened(Stream::Cpal { _stream: stream }))
    }

    /// The system's name for it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Samples per second.
    pub const fn rate(&self) -> u32 {
        self.rate
    }

    /// Channels, interleaved.
    pub const fn channels(&self) -> usize {
        self.channels
    }

    /// The number of pieces of sound recorded and not read yet.
    pub fn waiting(&self) -> usize {
        self.sound.len()
    }

    /// Waits for the next samples, between -1 and 1.
    ///
    /// # Errors
    ///
    /// `ErrorKind::DeviceLost` if it delivers nothing any more: a dead sound server does not report
    /// itself.
    pub fn read(&self) -> Result<Vec<f32>> {
        match self.sound.recv_timeout(SILENT_FOR) {
            Ok(samples) => Ok(samples),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                let reason = self.failures.try_recv();
                let reason = reason.map_or_else(|_| String::new(), |why| format!(" ({why})"));
                Err(
                    error!(DeviceLost, MicrophoneSilent, name = self.name, why = reason).about(
                        Fault::new(Part::Microphone, Reason::Gone, Remedy::Reconnect)
                            .with(format!("{}{reason}", self.name)),
                    ),
                )
            }
        }
    }
}

/// The names of all microphones.
pub fn names() -> Vec<String> {
    let host = sound::host(Part::Microphone).ok();
    let devices = host.and_then(|it| it.input_devices().ok());
    sound::known(devices.into_iter().flatten())
}

fn find(wanted: Option<&str>) -> Result<cpal::Device> {
    let host = sound::host(Part::Microphone)?;
    let found = match wanted {
        None => host.default_input_device(),
        Some(part) => host
            .input_devices()
            .into_iter()
            .flatten()
            .find(|device| is_called(device, part)),
    };
    found.ok_or_else(|| {
        let names = names();
        let others = if names.is_empty() {
            sentence!(PlugOneIn)
        } else {
            sentence!(ThereAre, names = names.join("; "))
        };
        let said = wanted.map_or_else(String::new, |part| format!("{part}; {}", names.join("; ")));
        let error = match wanted {
            None => error!(Missing, NoMicrophone, others = others),
            Some(part) => error!(Missing, NoSuchMicrophone, name = part, others = others),
        };
        error.about(Fault::new(Part::Microphone, Reason::Absent, Remedy::Connect).with(said))
    })
}

/// Whether this is part of the device's short name or description.
fn is_called(device: &cpal::Device, part: &str) -> bool {
    let part = part.to_lowercase();
    let names = [sound::identifier(device), Some(device.to_string())];
    let mut names = names.into_iter().flatten();
    names.any(|name| name.to_lowercase().contains(&part))
}

fn stream<T>(
    device: &cpal::Device,
    config: StreamConfig,
    send: Sender<Vec<f32>>,
    fail: Sender<String>,
) -> std::result::Result<cpal::Stream, cpal::Error>
where
    T: SizedSample,
    f32: cpal::FromSample<T>,
{
    device.build_input_stream(
        config,
        move |samples: &[T], _: &cpal::InputCallbackInfo| {
            // A full queue loses sound, which is better than unlimited memory.
            let _ = send.try_send(samples.iter().map(|s| f32::from_sample(*s)).collect());
        },
        move |error| {
            // Errors can come in floods. The first is enough.
            let _ = fail.try_send(format!("({error})"));
        },
        None,
    )
}
