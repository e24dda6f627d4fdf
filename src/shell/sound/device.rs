//! One output stream of cpal, watched and opened again when it dies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cpal::traits::{DeviceTrait, HostTrait, StreamTrait};
use cpal::{BufferSize, FromSample, SampleFormat, SizedSample, StreamConfig};
use crossbeam_channel::{Receiver, Sender, bounded};

use super::names::known;
use super::{Ended, Mixer, Order, SoundEvent, WAITING, let_go, quiet_alsa};
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, told};

/// How much a device asks for at a time: what we add to the time until the first sample.
const BUFFER_MS: u32 = 20;
/// A device that asks for nothing for so long is dead.
const DEAD_AFTER: Duration = Duration::from_millis(1500);
/// A device that was dead and has asked for samples for so long is well again.
const WELL_AFTER: Duration = Duration::from_secs(3);
/// How often a dead device is tried again.
const RETRY: Duration = Duration::from_secs(1);

type Report = Box<dyn Fn(SoundEvent) + Send>;

/// Opens a device on a thread of its own, which ends when the orders do.
pub(super) fn open(name: Option<&str>, orders: Receiver<Order>, report: Report) -> Result<()> {
    quiet_alsa();
    let name = name.map(str::to_owned);
    let (opened, answer) = bounded(1);
    let spawned = thread::Builder::new()
        .name("annexd sound".to_owned())
        .spawn(move || match Playing::open(name.as_deref()) {
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
        told!(DeviceBusy, LoudspeakerNoThread, why = error).about(
            Fault::new(Part::Loudspeaker, Reason::Unusable, Remedy::Read).with(error.to_string()),
        )
    })?;
    answer
        .recv_timeout(Duration::from_secs(5))
        .unwrap_or_else(|_| {
            Err(told!(DeviceBusy, SoundSystemSilent).about(Fault::new(
                Part::Loudspeaker,
                Reason::Silent,
                Remedy::Read,
            )))
        })
}

/// The devices that can play, the system's own choice first.
pub(super) fn names() -> Vec<String> {
    quiet_alsa();
    let host = cpal::default_host();
    let all = host.output_devices().into_iter().flatten();
    known(host.default_output_device().into_iter().chain(all))
}

struct Keeper {
    name: Option<String>,
    orders: Receiver<Order>,
    report: Report,
}

impl Keeper {
    /// Passes orders on and reports, until the last [`super::Loudspeaker`] is dropped.
    fn keep(&self, first: Playing) {
        let mut playing = Some(first);
        let mut retry = Instant::now();
        let mut is_lost = false;
        let never = crossbeam_channel::never();
        loop {
            let marks = playing.as_ref().map_or(&never, |stream| &stream.marks);
            crossbeam_channel::select! {
                recv(self.orders) -> order => match (order, &mut playing) {
                    (Err(_), _) => return,
                    (Ok(order), Some(stream)) => stream.pass_on(order),
                    (Ok(Order::Play(source)), None) => (self.report)(unheard(source.id)),
                    (Ok(Order::Stop(_)), None) => {}
                },
                recv(marks) -> mark => if let (Ok(mark), Some(stream)) = (mark, &mut playing) {
                    (self.report)(stream.note(mark));
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
                    let_go(dead);
                    pending
                        .into_iter()
                        .for_each(|id| (self.report)(unheard(id)));
                }
                retry = Instant::now() + RETRY;
            }
            // Some devices open and never play; only one that goes on asking for samples is there
            // again.
            if is_lost && playing.as_ref().is_some_and(Playing::is_well) {
                is_lost = false;
                (self.report)(SoundEvent::Recovered);
            }
            if playing.is_none() && Instant::now() >= retry {
                playing = Playing::open(self.name.as_deref()).ok();
                retry = Instant::now() + RETRY;
            }
        }
    }
}

const fn unheard(id: u64) -> SoundEvent {
    SoundEvent::Ended { id, whole: false }
}

/// What the callback tells. Samples come back in it, so that they are freed outside.
enum Mark {
    Begun(u64, Instant),
    Ended(Ended),
}

/// An open stream and the ways into and out of its callback.
struct Playing {
    _stream: cpal::Stream,
    into: Sender<Order>,
    marks: Receiver<Mark>,
    /// Sounds that have not ended.
    pending: Vec<u64>,
    /// How often the device asked for samples.
    turns: Arc<AtomicU32>,
    seen: u32,
    seen_at: Instant,
    opened: Instant,
}

impl Playing {
    fn open(name: Option<&str>) -> Result<Self> {
        let device = find(name)?;
        let shown = name.unwrap_or("of the system").to_owned();
        let supported = device
            .default_output_config()
            .map_err(|error| failed(&shown, &error))?;
        let format = supported.sample_format();
        let mut config: StreamConfig = supported.into();
        config.buffer_size = BufferSize::Fixed(config.sample_rate * BUFFER_MS / 1000);
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
        let (into, orders) = bounded::<Order>(WAITING);
        let (marks_in, marks) = bounded(4 * WAITING);
        let turns = Arc::new(AtomicU32::new(0));
        let turn = Arc::clone(&turns);
        let mut mixer = Mixer::new(config.sample_rate, config.channels);
        let mut mixed: Vec<f32> = Vec::with_capacity(1 << 16);
        let stream = device.build_output_stream::<T, _, _>(
            config,
            move |buffer, info| {
                turn.fetch_add(1, Ordering::Relaxed);
                let mark = |mark| {
                    // The keeper empties the marks; should it hang, a lost mark harms less than
                    // a callback that waits.
                    let _ = marks_in.try_send(mark);
                };
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
            // A stream that fails stops turning, which is what we watch.
            |_| (),
            None,
        )?;
        stream.play()?;
        Ok(Self {
            _stream: stream,
            into,
            marks,
            pending: Vec::new(),
            turns,
            seen: 0,
            seen_at: Instant::now(),
            opened: Instant::now(),
        })
    }

    fn pass_on(&mut self, order: Order) {
        if let Order::Play(source) = &order {
            self.pending.push(source.id);
        }
        // A callback that does not take its orders is dead, which is noticed soon.
        let _ = self.into.try_send(order);
    }

    fn note(&mut self, mark: Mark) -> SoundEvent {
        match mark {
            Mark::Begun(id, at) => SoundEvent::Begun { id, at },
            Mark::Ended(Ended { source, whole }) => {
                self.pending.retain(|id| *id != source.id);
                let id = source.id;
                SoundEvent::Ended { id, whole }
            }
        }
    }

    /// Whether it has asked for samples long enough to be trusted.
    fn is_well(&self) -> bool {
        self.seen > 0 && self.opened.elapsed() > WELL_AFTER
    }

    fn is_dead(&mut self) -> bool {
        let turns = self.turns.load(Ordering::Relaxed);
        if turns != self.seen {
            self.seen = turns;
            self.seen_at = Instant::now();
        }
        self.seen_at.elapsed() > DEAD_AFTER
    }
}

fn take_orders(orders: &Receiver<Order>, mixer: &mut Mixer, mark: &impl Fn(Mark)) {
    for order in orders.try_iter() {
        match order {
            Order::Play(source) => {
                mark(Mark::Begun(source.id, Instant::now()));
                if let Some(displaced) = mixer.play(source) {
                    mark(Mark::Ended(displaced));
                }
            }
            Order::Stop(id) => mixer.stop(id),
        }
    }
}

fn find(name: Option<&str>) -> Result<cpal::Device> {
    let host = cpal::default_host();
    let Some(name) = name else {
        return host.default_output_device().ok_or_else(|| {
            told!(Missing, NoLoudspeaker).about(Fault::new(
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
            told!(Missing, NoSuchLoudspeaker, name = name, names = known).about(
                Fault::new(Part::Loudspeaker, Reason::Absent, Remedy::Connect)
                    .with(format!("{name}; {known}")),
            )
        })
}

fn failed(device: &str, error: &cpal::Error) -> Error {
    use cpal::ErrorKind as Kind;
    let (told, reason, cure) = match error.kind() {
        Kind::DeviceBusy => (
            told!(DeviceBusy, LoudspeakerBusy, name = device),
            Reason::Busy,
            Remedy::CloseOther,
        ),
        Kind::PermissionDenied => (
            told!(DeviceBusy, LoudspeakerNoAccess, name = device),
            Reason::NoAccess,
            Remedy::GiveAccess,
        ),
        Kind::UnsupportedConfig | Kind::UnsupportedOperation => (
            told!(Missing, LoudspeakerOfNoForm, name = device),
            Reason::Unusable,
            Remedy::CorrectSettings,
        ),
        _ => (
            told!(Missing, LoudspeakerAbsent, name = device),
            Reason::Absent,
            Remedy::Connect,
        ),
    };
    let fault = Fault::new(Part::Loudspeaker, reason, cure);
    told.about(fault.with(format!("{device}: {error}")))
}
