//! One output stream of cpal. It is watched, and opened again when it fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, FromSample, SampleFormat, SizedSample, StreamConfig};
use crossbeam_channel::{Receiver, Sender, bounded};

use super::names::known;
use super::{Ended, Mixer, SoundEvent, SoundOrder, WAITING, drop_in_background, host};
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};

/// How much sound a device asks for at a time. It adds to the time until the first sample.
const BUFFER_MS: u32 = 20;
/// The longest buffer. On a machine that is too busy to fill a short one in time, the buffer is
/// made four times as long each time the device runs dry, up to this.
const LONGEST_BUFFER_MS: u32 = 160;
/// How many buffers a device holds. It runs dry when none has been filled for as long as they last.
const BUFFERS: u32 = 2;
/// How much of a sound may be missing before it may not be understood: about a vowel.
const TORN: Duration = Duration::from_millis(50);
/// How long to wait for an open device to close.
const TO_CLOSE: Duration = Duration::from_millis(500);
/// How long a device may ask for no samples before it counts as lost.
const DEAD_AFTER: Duration = Duration::from_millis(1500);
/// How long a device may take to wake up after it was opened. A sound server that slept asks for
/// what it holds and then for nothing for two seconds; a headset by radio connects first.
const TO_WAKE: Duration = Duration::from_secs(5);
/// How long this thread may itself have stood still before it can no longer tell that a device was
/// lost. The whole machine may have stood still.
const STOOD_STILL: Duration = Duration::from_millis(300);
/// How long a lost device must ask for samples before it counts as recovered.
const WELL_AFTER: Duration = Duration::from_secs(3);
/// How often a lost device is tried again.
const RETRY: Duration = Duration::from_secs(1);

type Report = Box<dyn Fn(SoundEvent) + Send>;

/// Opens a device on a thread of its own, which ends when the channel of the orders is closed.
pub(super) fn open(name: Option<&str>, orders: Receiver<SoundOrder>, report: Report) -> Result<()> {
    let name = name.map(str::to_owned);
    let (opened, answer) = bounded(1);
    let spawned = thread::Builder::new()
        .name("annexd sound".to_owned())
        .spawn(move || match Playing::open(name.as_deref(), BUFFER_MS) {
            Ok(playing) => {
                let _ = opened.send(Ok(()));
                Keeper {
                    name,
                    orders,
                    report,
                }
                .keep(playing);
            }
            Err(error) => {
                let _ = opened.send(Err(error));
            }
        });
    spawned.map_err(|error| {
        error!(DeviceBusy, LoudspeakerNoThread, why = error).about(
            Fault::new(Part::Loudspeaker, Reason::Unusable, Remedy::Read).with(error.to_string()),
        )
    })?;
    answer
        .recv_timeout(Duration::from_secs(5))
        .unwrap_or_else(|_| {
            Err(error!(DeviceBusy, SoundSystemSilent).about(Fault::new(
                Part::Loudspeaker,
                Reason::Silent,
                Remedy::Read,
            )))
        })
}

/// The devices that can play, with the system's own choice first.
pub(super) fn names() -> Vec<String> {
    let Ok(host) = host(Part::Loudspeaker) else {
        return Vec::new();
    };
    let all = host.output_devices().into_iter().flatten();
    known(host.default_output_device().into_iter().chain(all))
}

struct Keeper {
    name: Option<String>,
    orders: Receiver<SoundOrder>,
    report: Report,
}

impl Keeper {
    /// Passes on orders and reports until the last [`super::Loudspeaker`] is dropped.
    fn keep(&self, first: Playing) {
        let mut playing = Some(first);
        let mut retry = Instant::now();
        let mut is_lost = false;
        let mut buffer_ms = BUFFER_MS;
        let never = crossbeam_channel::never();
        loop {
            let marks = playing.as_ref().map_or(&never, |stream| &stream.marks);
            crossbeam_channel::select! {
                recv(self.orders) -> order => match (order, &mut playing) {
                    (Err(_), _) => return,
                    (Ok(order), Some(stream)) => stream.pass_on(order),
                    (Ok(SoundOrder::Play(source)), None) => (self.report)(unheard(source.id)),
                    (Ok(SoundOrder::Stop(_)), None) => {}
                },
                recv(marks) -> mark => if let (Ok(mark), Some(stream)) = (mark, &mut playing)
                    && let Some(event) = stream.note(mark)
                {
                    (self.report)(event);
                },
                default(Duration::from_millis(100)) => {}
            }
            if playing.as_mut().is_some_and(Playing::is_dead) {
                if !is_lost {
                    is_lost = true;
                    (self.report)(SoundEvent::Lost);
                }
                if let Some(mut dead) = playing.take() {
                    let pending = std::mem::take(&mut dead.pending);
                    drop_in_background(dead);
                    pending
                        .into_iter()
                        .for_each(|sound| (self.report)(unheard(sound.id)));
                }
                retry = Instant::now() + RETRY;
            }
            let is_short = buffer_ms < LONGEST_BUFFER_MS;
            let ran_dry = |stream: &mut Playing| stream.ran_dry && stream.pending.is_empty();
            if let Some(dry) = playing.take_if(|stream| is_short && ran_dry(stream)) {
                buffer_ms = LONGEST_BUFFER_MS.min(4 * buffer_ms);
                close(dry);
                // This is the same device again. If it does not open now, it is tried again like a
                // lost one.
                playing = Playing::open(self.name.as_deref(), buffer_ms).ok();
                if playing.is_none() {
                    is_lost = true;
                    (self.report)(SoundEvent::Lost);
                }
            }
            // Some devices open and never play. Only a device that goes on asking for samples has
            // recovered.
            if is_lost && playing.as_ref().is_some_and(Playing::is_well) {
                is_lost = false;
                (self.report)(SoundEvent::Recovered);
            }
            if playing.is_none() && Instant::now() >= retry {
                playing = Playing::open(self.name.as_deref(), buffer_ms).ok();
                retry = Instant::now() + RETRY;
            }
        }
    }
}

const fn unheard(id: u64) -> SoundEvent {
    SoundEvent::Ended {
        id,
        whole: false,
        torn: false,
    }
}

/// Closes a device so that it can be opened again, for some can be open only once.
fn close(device: Playing) {
    let (closed, answer) = bounded(1);
    thread::spawn(move || {
        drop(device);
        let _ = closed.send(());
    });
    let _ = answer.recv_timeout(TO_CLOSE);
}

/// What the callback reports. Samples come back in it, so that they are freed outside the callback.
enum Mark {
    Begun(u64, Instant),
    Ended(Ended),
    /// The device had nothing to play for so long.
    Dry(Duration),
}

/// A sound that has not ended.
struct Pending {
    id: u64,
    begun: bool,
    /// How much silence the sound has had because the device ran dry.
    missing: Duration,
}

/// An open stream, and the channels to and from its callback.
struct Playing {
    _stream: cpal::Stream,
    into: Sender<SoundOrder>,
    marks: Receiver<Mark>,
    pending: Vec<Pending>,
    /// Whether the device ran dry in the middle of a sound.
    ran_dry: bool,
    /// How often the device has asked for samples.
    turns: Arc<AtomicU32>,
    seen: u32,
    seen_at: Instant,
    looked_at: Instant,
    opened: Instant,
}

impl Playing {
    fn open(name: Option<&str>, buffer_ms: u32) -> Result<Self> {
        let device = find(name)?;
        let shown = name.map(str::to_owned);
        let shown = shown.or_else(|| Some(device.description().ok()?.name().to_owned()));
        let shown = shown.unwrap_or_else(|| "1".to_owned());
        let supported = device
            .default_output_config()
            .map_err(|error| failed(&shown, &error))?;
        let format = supported.sample_format();
        let mut config: StreamConfig = supported.into();
        config.buffer_size = BufferSize::Fixed(config.sample_rate * buffer_ms / 1000);
        Self::build(&device, config, format)
            .or_else(|_| {
                config.buffer_size = BufferSize::Default;
                Self::build(&device, config, format)
            })
            .map_err(|error| failed(&shown, &error))
    }

    fn build(
        device: &cpal::Device,
        config: StreamConfig,
        format: SampleFormat,
    ) -> std::result::Result<Self, cpal::Error> {
        match format {
            SampleFormat::I16 => Self::build_as::<i16>(device, config),
            SampleFormat::I32 => Self::build_as::<i32>(device, config),
            SampleFormat::U8 => Self::build_as::<u8>(device, config),
            SampleFormat::U16 => Self::build_as::<u16>(device, config),
            _ => Self::build_as::<f32>(device, config),
        }
    }

    fn build_as<T: SizedSample + FromSample<f32>>(
        device: &cpal::Device,
        config: StreamConfig,
    ) -> std::result::Result<Self, cpal::Error> {
        let (into, orders) = bounded::<SoundOrder>(WAITING);
        let (marks_in, marks) = bounded(4 * WAITING);
        let turns = Arc::new(AtomicU32::new(0));
        let turn = Arc::clone(&turns);
        let mut mixer = Mixer::new(config.sample_rate, config.channels);
        let mut mixed: Vec<f32> = Vec::with_capacity(1 << 16);
        let mut filled = Filled::new(config.sample_rate);
        let channels = usize::from(config.channels.max(1));
        let stream = device.build_output_stream::<T, _, _>(
            config,
            move |buffer, info| {
                turn.fetch_add(1, Ordering::Relaxed);
                let mark = |mark| {
                    // The keeper thread empties the channel. If it hangs, a lost mark does less
                    // harm than a callback that waits.
                    let _ = marks_in.try_send(mark);
                };
                let dry = filled.dry_before(Instant::now(), buffer.len() / channels);
                if !dry.is_zero() {
                    mark(Mark::Dry(dry));
                }
                take_orders(&orders, &mut mixer, &mark);
                let times = info.timestamp();
                let delay = times.playback.duration_since(times.callback);
                mixer.set_delay(delay.as_secs_f64());
                mixed.resize(buffer.len(), 0.0);
                mixer.fill(&mut mixed, |ended| mark(Mark::Ended(ended)));
                for (out, sample) in buffer.iter_mut().zip(&mixed) {
                    *out = T::from_sample(*sample);
                }
            },
            // A stream that fails stops asking for samples, and that is what we watch.
            |_| (),
            None,
        )?;
        stream.play()?;
        Ok(Self {
            _stream: stream,
            into,
            marks,
            pending: Vec::new(),
            ran_dry: false,
            turns,
            seen: 0,
            seen_at: Instant::now(),
            looked_at: Instant::now(),
            opened: Instant::now(),
        })
    }

    fn pass_on(&mut self, order: SoundOrder) {
        if let SoundOrder::Play(source) = &order {
            self.pending.push(Pending {
                id: source.id,
                begun: false,
                missing: Duration::ZERO,
            });
        }
        // A callback that does not take its orders has failed, and the keeper notices that soon.
        let _ = self.into.try_send(order);
    }

    fn note(&mut self, mark: Mark) -> Option<SoundEvent> {
        match mark {
            Mark::Begun(id, at) => {
                for sound in self.pending.iter_mut().filter(|sound| sound.id == id) {
                    sound.begun = true;
                }
                Some(SoundEvent::Begun { id, at })
            }
            Mark::Dry(missing) => {
                for sound in self.pending.iter_mut().filter(|sound| sound.begun) {
                    sound.missing += missing;
                    self.ran_dry = true;
                }
                None
            }
            Mark::Ended(Ended { source, whole }) => {
                let id = source.id;
                let mut torn = false;
                self.pending.retain(|sound| {
                    torn |= sound.id == id && sound.missing >= TORN;
                    sound.id != id
                });
                Some(SoundEvent::Ended { id, whole, torn })
            }
        }
    }

    /// Returns whether the device has asked for samples long enough to be trusted.
    fn is_well(&self) -> bool {
        self.seen > 0 && self.opened.elapsed() > WELL_AFTER && self.seen_at.elapsed() < DEAD_AFTER
    }

    fn is_dead(&mut self) -> bool {
        let away = self.looked_at.elapsed();
        self.looked_at += away;
        if away > STOOD_STILL {
            self.seen_at += away;
        }
        let turns = self.turns.load(Ordering::Relaxed);
        if turns != self.seen {
            self.seen = turns;
            self.seen_at = Instant::now();
        }
        self.opened.elapsed() > TO_WAKE && self.seen_at.elapsed() > DEAD_AFTER
    }
}

/// When a device was last filled, and how long that lasts.
struct Filled {
    rate: u32,
    last: Option<(Instant, Duration)>,
}

impl Filled {
    const fn new(rate: u32) -> Self {
        Self { rate, last: None }
    }

    /// Returns how long the device had nothing to play before it was filled now with so many
    /// frames. The clock decides, because not every sound system reports it: PulseAudio's plugin
    /// for ALSA plays silence and reports nothing.
    fn dry_before(&mut self, now: Instant, frames: usize) -> Duration {
        let buffer = Duration::from_secs_f64(frames as f64 / f64::from(self.rate.max(1)));
        let last = self.last.replace((now, BUFFERS * buffer));
        last.map_or(Duration::ZERO, |(at, lasts)| {
            now.duration_since(at).saturating_sub(lasts)
        })
    }
}

fn take_orders(orders: &Receiver<SoundOrder>, mixer: &mut Mixer, mark: &impl Fn(Mark)) {
    for order in orders.try_iter() {
        match order {
            SoundOrder::Play(source) => {
                mark(Mark::Begun(source.id, Instant::now()));
                if let Some(displaced) = mixer.play(source) {
                    mark(Mark::Ended(displaced));
                }
            }
            SoundOrder::Stop(id) => mixer.stop(id),
        }
    }
}

fn find(name: Option<&str>) -> Result<cpal::Device> {
    let host = host(Part::Loudspeaker)?;
    let Some(name) = name else {
        return host.default_output_device().ok_or_else(|| {
            error!(Missing, NoLoudspeaker).about(Fault::new(
                Part::Loudspeaker,
                Reason::Absent,
                Remedy::Connect,
            ))
        });
    };
    let id = host.id().name().to_lowercase();
    let full = if name.contains(':') && name.starts_with(&id) {
        name.to_owned()
    } else {
        format!("{id}:{name}")
    };
    full.parse()
        .ok()
        .and_then(|id| host.device_by_id(&id))
        .or_else(|| {
            host.output_devices()
                .ok()?
                .find(|device| device.description().is_ok_and(|it| it.name() == name))
        })
        .ok_or_else(|| {
            let known = names().join("; ");
            error!(Missing, NoSuchLoudspeaker, name = name, names = known).about(
                Fault::new(Part::Loudspeaker, Reason::Absent, Remedy::Connect)
                    .with(format!("{name}; {known}")),
            )
        })
}

fn failed(device: &str, error: &cpal::Error) -> Error {
    use cpal::ErrorKind as Kind;
    let (told, reason, cure) = match error.kind() {
        Kind::DeviceBusy => (
            error!(DeviceBusy, LoudspeakerBusy, name = device),
            Reason::Busy,
            Remedy::CloseOther,
        ),
        Kind::PermissionDenied => (
            error!(DeviceBusy, LoudspeakerNoAccess, name = device),
            Reason::NoAccess,
            Remedy::GiveAccess,
        ),
        Kind::UnsupportedConfig | Kind::UnsupportedOperation => (
            error!(Missing, LoudspeakerOfNoForm, name = device),
            Reason::Unusable,
            Remedy::CorrectSettings,
        ),
        _ => (
            error!(Missing, LoudspeakerAbsent, name = device),
            Reason::Absent,
            Remedy::Connect,
        ),
    };
    let fault = Fault::new(Part::Loudspeaker, reason, cure);
    told.about(fault.with(format!("{device}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_dry_when_it_was_not_filled_for_two_buffers() {
        let began = Instant::now();
        let at = |ms| began + Duration::from_millis(ms);
        let mut filled = Filled::new(48_000);
        // Each buffer lasts 20 ms, and the first two fill the device.
        assert_eq!(filled.dry_before(at(0), 960), Duration::ZERO);
        assert_eq!(filled.dry_before(at(0), 960), Duration::ZERO);
        assert_eq!(filled.dry_before(at(20), 960), Duration::ZERO);
        assert_eq!(filled.dry_before(at(58), 960), Duration::ZERO);
        assert_eq!(filled.dry_before(at(128), 960), Duration::from_millis(30));
        assert_eq!(filled.dry_before(at(148), 960), Duration::ZERO);
    }
}
