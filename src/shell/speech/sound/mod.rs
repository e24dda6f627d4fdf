//! Loudspeakers: sounds played on a named device, with marks for their beginning and end.

#[cfg(feature = "audio")]
mod device;
mod mixer;
#[cfg(feature = "audio")]
mod names;
#[cfg(feature = "audio")]
mod quiet;
mod stretch;

use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

pub use mixer::{CLIP_RATE, Ended, Mixer, Source};
#[cfg(feature = "audio")]
pub(crate) use names::{identifier, known};
#[cfg(feature = "audio")]
pub(crate) use quiet::host;
#[cfg(feature = "audio")]
pub use quiet::quiet_alsa;
pub use stretch::stretch;

use crate::shell::error::Result;

/// How many orders may wait for a loudspeaker. More are refused, so that nothing grows without
/// bound.
const WAITING: usize = 64;

/// What a loudspeaker reports. Reports come from its own thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundEvent {
    /// The first sample of this sound was handed to the device.
    Begun {
        /// The sound.
        id: u64,
        /// The moment.
        at: Instant,
    },
    /// The sound is over.
    Ended {
        /// The sound.
        id: u64,
        /// Whether all of it was played.
        whole: bool,
        /// Whether so much was missing in between that it may not have been understood. That
        /// happens when the machine is too busy to fill the device in time.
        torn: bool,
    },
    /// The device has gone or is silent. It is opened again as soon as that works.
    Lost,
    /// The device works again.
    Recovered,
}

/// A loudspeaker on a thread of its own.
pub struct Loudspeaker {
    orders: Sender<SoundOrder>,
}

#[cfg_attr(
    not(feature = "audio"),
    expect(dead_code, reason = "no device takes an order")
)]
enum SoundOrder {
    Play(Source),
    Stop(Option<u64>),
}

impl Loudspeaker {
    /// Opens a device by its name or identifier. Without one it opens the system's own choice.
    ///
    /// # Errors
    ///
    /// If the device is missing or in use. The error names the device and what to do.
    #[cfg(feature = "audio")]
    pub fn open(
        device: Option<&str>,
        report: impl Fn(SoundEvent) + Send + 'static,
    ) -> Result<Self> {
        let (orders, waiting) = bounded(WAITING);
        device::open(device, waiting, Box::new(report))?;
        Ok(Self { orders })
    }

    /// Opens nothing: without the feature `audio` there is no device.
    ///
    /// # Errors
    ///
    /// Always.
    #[cfg(not(feature = "audio"))]
    pub fn open(
        _device: Option<&str>,
        _report: impl Fn(SoundEvent) + Send + 'static,
    ) -> Result<Self> {
        use crate::shell::error::{Fault, Part, Reason, Remedy, error};
        Err(error!(Missing, BuiltWithoutAudio).about(Fault::new(
            Part::Loudspeaker,
            Reason::NotBuilt,
            Remedy::Read,
        )))
    }

    /// Makes a loudspeaker without a device: every sound is over at once and nobody hears it.
    pub fn null(report: impl Fn(SoundEvent) + Send + 'static) -> Self {
        let (orders, waiting): (_, Receiver<SoundOrder>) = bounded(WAITING);
        thread::spawn(move || {
            for order in waiting {
                if let SoundOrder::Play(source) = order {
                    let id = source.id;
                    report(SoundEvent::Begun {
                        id,
                        at: Instant::now(),
                    });
                    report(SoundEvent::Ended {
                        id,
                        whole: true,
                        torn: false,
                    });
                }
            }
        });
        Self { orders }
    }

    /// Plays samples (mono, [`CLIP_RATE`]) over whatever sounds already. Returns `false` if the
    /// loudspeaker is overloaded or closed; then no report follows.
    #[must_use]
    pub fn play(&self, id: u64, samples: Arc<[i16]>, gain: f32) -> bool {
        let source = Source { id, samples, gain };
        self.orders.try_send(SoundOrder::Play(source)).is_ok()
    }

    /// Stops a sound, or all sounds, from now on.
    pub fn stop(&self, id: Option<u64>) {
        // If the queue is full, nothing is being played and there is nothing to stop.
        let _ = self.orders.try_send(SoundOrder::Stop(id));
    }
}

/// Drops an open device on a thread of its own. If its sound server has failed, that can take for
/// ever.
#[cfg(feature = "audio")]
pub(crate) fn drop_in_background(device: impl Send + 'static) {
    thread::spawn(move || drop(device));
}

/// The names of the loudspeakers, with the system's own choice first.
#[cfg(feature = "audio")]
pub fn loudspeakers() -> Vec<String> {
    device::names()
}

/// Without the feature `audio` there are no loudspeakers.
#[cfg(not(feature = "audio"))]
pub fn loudspeakers() -> Vec<String> {
    Vec::new()
}
