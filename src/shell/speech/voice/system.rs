//! The player's own system voice, on a thread of its own that may hang without harm. It is NVDA
//! where that runs, and otherwise the speech service of the system, through the crate `tts`.
//!
//! Faults of speech services (measured with speech-dispatcher), and what we do about them:
//!
//! - A service whose sound is broken accepts a text and never ends it, and later calls block for
//!   ever. So a short text is tried first, every text has a deadline, and a thread that hangs is
//!   given up and replaced.
//! - An empty text makes the next call hang, and a NUL aborts the program. We let neither through.
//! - A service that died never returns in the same connection. So we make a new connection.
//! - Where no service listens, its library starts one of its own and may wait for it for ever. So
//!   we first check whether one listens.
//! - Ctrl-C would kill a service that we started. So it gets a process group of its own.
//! - A connection that is dropped while a text is under way aborts in its callback. So
//!   connections are leaked, at most one for each failure.
//! - A service says one text at a time, whoever gave it. The table and the ears share it, so a text
//!   that waits for theirs is not late.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use tts::Tts;

use super::nvda::{Nvda, Refused, Text};
use super::{Sounding, UtteranceId, VoiceSettings};
use crate::shell::machine::libraries;

/// How long a text may take to begin once nothing else of ours sounds. After that it is not being
/// said.
const BEGIN_WITHIN: Duration = Duration::from_millis(1800);
/// How long a character takes at most at the normal rate. The slack is added to it.
const CHARACTER: Duration = Duration::from_millis(95);
const SLACK: Duration = Duration::from_millis(1800);
/// How long the service may take to answer at all, and to take the trial text.
const START_WITHIN: Duration = Duration::from_secs(8);
/// How long the list of voices may take. Debian's service lists thirteen thousand voices, which
/// takes seconds, and as long again when one is chosen. On a busy machine such a service must not
/// count as lost.
const LISTED_WITHIN: Duration = Duration::from_secs(20);
/// How long a restart may take. Nobody waits for it, and the machine may be busy.
const RESTART_WITHIN: Duration = Duration::from_secs(30);
/// How long the trial text may take after a restart.
const RETRIED_WITHIN: Duration = Duration::from_secs(10);
/// The first wait before another try. A service that hangs costs a thread each time, so the wait
/// doubles up to the longest one. A service that is not there costs nothing, and any sign of life
/// resets the wait to the first.
const RETRY_FIRST: Duration = Duration::from_secs(2);
const RETRY_LAST: Duration = Duration::from_secs(10);
/// How many threads may hang in a failed service. After that the clips stay.
const GIVEN_UP_MAX: usize = 20;

/// The callback for reports of a worker thread. It gets the number of the worker.
pub(super) type Report = Box<dyn Fn(u32, WorkerReport) + Send + Sync>;

/// What a worker thread reports.
#[derive(Debug)]
pub(super) enum WorkerReport {
    /// A step of the start is done. The next step may take so long.
    Starting(Duration),
    /// The service works and was tried.
    Ready,
    /// The service cannot be used.
    Failed,
    /// The text was taken. Its marks carry this name.
    Taken(UtteranceId, String),
    /// The text with this name begins to sound.
    Begun(String),
    /// The text with this name is over, or was stopped.
    Ended(String, bool),
}

/// What the voice asks of the speaker.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SystemVoiceEvent {
    /// This utterance is over. The flag says whether all of it was said.
    Ended(UtteranceId, bool),
    /// The voice has failed. If an utterance was under way, its number is given.
    Lost(Option<UtteranceId>),
    /// The voice works.
    Ready,
}

enum Order {
    /// A text as it is read and as a voice is told it, and its rate, in percent of the rate that is
    /// set.
    Say(UtteranceId, [String; 2], u32),
    Stop,
}

/// A system voice and its watchdog. It has no thread of its own: its owner calls
/// [`SystemVoice::tell`] and [`SystemVoice::watch`].
pub(super) struct SystemVoice {
    settings: VoiceSettings,
    language: String,
    nvda: Option<Arc<Nvda>>,
    report: Arc<Report>,
    worker: u32,
    orders: Option<Sender<Order>>,
    state: State,
    saying: Option<CurrentUtterance>,
    retry: Duration,
    is_lost: bool,
    /// How many threads have not ended.
    threads: Arc<AtomicUsize>,
    /// How many system voices sound, this one among them.
    sounding: Sounding,
}

enum State {
    Starting { until: Instant },
    Ready,
    Down { until: Instant },
}

struct CurrentUtterance {
    id: UtteranceId,
    name: Option<String>,
    /// Marks that came before the name of their text.
    early: Vec<(String, Option<bool>)>,
    length: Duration,
    until: Instant,
    /// Held from its beginning on.
    sounds: Option<Counted>,
}

impl SystemVoice {
    /// Starts a voice for a language. It is not ready yet. Those that share `sounding` share one
    /// service.
    pub(super) fn start(
        settings: VoiceSettings,
        language: &str,
        sounding: &Sounding,
        report: Report,
    ) -> Self {
        let nvda = Nvda::wanted_by(&settings);
        Self::start_with(nvda, settings, language, sounding, report)
    }

    /// Starts a voice, with the library of NVDA if it is there.
    pub(super) fn start_with(
        nvda: Option<Arc<Nvda>>,
        settings: VoiceSettings,
        language: &str,
        sounding: &Sounding,
        report: Report,
    ) -> Self {
        let mut voice = Self::unstarted(nvda, settings, language, sounding, report);
        voice.start_worker();
        voice
    }

    /// A voice without a worker.
    fn unstarted(
        nvda: Option<Arc<Nvda>>,
        settings: VoiceSettings,
        language: &str,
        sounding: &Sounding,
        report: Report,
    ) -> Self {
        Self {
            settings,
            language: language.to_owned(),
            nvda,
            report: Arc::new(report),
            worker: 0,
            orders: None,
            state: State::Ready,
            saying: None,
            retry: RETRY_FIRST,
            is_lost: false,
            threads: Arc::default(),
            sounding: Arc::clone(sounding),
        }
    }

    /// Returns whether a text can be said now.
    pub(super) const fn is_ready(&self) -> bool {
        matches!(self.state, State::Ready) && self.saying.is_none()
    }

    /// Returns whether the service is still being opened and tried.
    pub(super) const fn is_starting(&self) -> bool {
        matches!(self.state, State::Starting { .. })
    }

    /// Returns whether the voice worked or was meant to work, and does not.
    pub(super) const fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Says a text at a rate in percent of the rate that is set. The text must not be empty.
    /// `voiced` is the text as a voice is told it.
    pub(super) fn say(&mut self, id: UtteranceId, text: &str, voiced: &str, percent: u32) {
        let length = length_of(text, self.settings.rate_percent * percent / 100);
        self.saying = Some(CurrentUtterance {
            id,
            name: None,
            early: Vec::new(),
            length,
            until: Instant::now() + BEGIN_WITHIN,
            sounds: None,
        });
        self.order(Order::Say(id, [text, voiced].map(str::to_owned), percent));
    }

    /// Stops the current text.
    pub(super) fn stop(&self) {
        self.order(Order::Stop);
    }

    /// Takes in the report of a worker.
    pub(super) fn tell(&mut self, worker: u32, told: WorkerReport) -> Option<SystemVoiceEvent> {
        if worker != self.worker {
            self.sign_of_life();
            return None;
        }
        match told {
            WorkerReport::Starting(within) => {
                let within = match self.is_lost {
                    true => RESTART_WITHIN,
                    false => within,
                };
                if let State::Starting { until } = &mut self.state {
                    *until = Instant::now() + within;
                }
                None
            }
            WorkerReport::Ready => {
                self.state = State::Ready;
                self.is_lost = false;
                Some(SystemVoiceEvent::Ready)
            }
            WorkerReport::Failed => {
                // A service that is not there costs nothing. A service that is there and takes no
                // text reports each time that it is back.
                if matches!(self.state, State::Starting { .. }) {
                    self.retry = RETRY_FIRST;
                }
                Some(self.fail())
            }
            WorkerReport::Taken(id, name) => {
                let saying = self.saying.as_mut().filter(|saying| saying.id == id)?;
                let early = std::mem::take(&mut saying.early);
                saying.name = Some(name.clone());
                early
                    .into_iter()
                    .filter(|(other, _)| *other == name)
                    .filter_map(|(_, mark)| self.mark(mark))
                    .next_back()
            }
            WorkerReport::Begun(name) => self.named(name, None),
            WorkerReport::Ended(name, whole) => self.named(name, Some(whole)),
        }
    }

    fn named(&mut self, name: String, mark: Option<bool>) -> Option<SystemVoiceEvent> {
        let saying = self.saying.as_mut()?;
        match &saying.name {
            None => saying.early.push((name, mark)),
            Some(ours) if *ours == name => return self.mark(mark),
            Some(_) => {}
        }
        None
    }

    /// Takes in a mark: `None` for the beginning, or else whether the whole text was said.
    fn mark(&mut self, mark: Option<bool>) -> Option<SystemVoiceEvent> {
        let saying = self.saying.as_mut()?;
        // The service has spoken, so the wait begins anew.
        self.retry = RETRY_FIRST;
        let Some(whole) = mark else {
            saying.until = Instant::now() + saying.length + SLACK;
            saying.sounds = Some(Counted::one_more(&self.sounding));
            return None;
        };
        let id = saying.id;
        self.saying = None;
        Some(SystemVoiceEvent::Ended(id, whole))
    }

    /// Fails what has taken too long, and restarts what was down.
    pub(super) fn watch(&mut self) -> Option<SystemVoiceEvent> {
        let now = Instant::now();
        match &self.state {
            State::Starting { until } if now >= *until => Some(self.fail()),
            State::Ready => {
                let saying = self.saying.as_mut()?;
                if saying.sounds.is_none() && self.sounding.load(Ordering::Relaxed) > 0 {
                    saying.until = now + BEGIN_WITHIN;
                }
                (now >= saying.until).then(|| self.fail())
            }
            State::Down { until }
                if now >= *until && self.threads.load(Ordering::Relaxed) < GIVEN_UP_MAX =>
            {
                self.start_worker();
                None
            }
            _ => None,
        }
    }

    /// Takes in that a thread that was given up continues or has ended. The service has changed, so
    /// there is no reason to wait long.
    fn sign_of_life(&mut self) {
        self.retry = RETRY_FIRST;
        if let State::Down { until } = &mut self.state {
            *until = (*until).min(Instant::now() + RETRY_FIRST);
        }
    }

    fn fail(&mut self) -> SystemVoiceEvent {
        // A worker that does not hang ends when its channel is closed.
        self.orders = None;
        self.worker += 1;
        self.is_lost = true;
        self.state = State::Down {
            until: Instant::now() + self.retry,
        };
        self.retry = (self.retry * 2).min(RETRY_LAST);
        SystemVoiceEvent::Lost(self.saying.take().map(|saying| saying.id))
    }

    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            // A worker that takes no orders hangs, and the deadline will show that.
            let _ = orders.try_send(order);
        }
    }

    fn start_worker(&mut self) {
        self.worker += 1;
        let (orders, waiting) = bounded(8);
        let worker = Worker {
            number: self.worker,
            settings: self.settings.clone(),
            language: self.language.clone(),
            nvda: self.nvda.clone(),
            threads: Arc::clone(&self.threads),
            report: Arc::clone(&self.report),
            trial: if self.is_lost { RETRIED_WITHIN } else { SLACK },
            sounding: Arc::clone(&self.sounding),
        };
        let alive = Counted::one_more(&self.threads);
        let spawned = thread::Builder::new()
            .name("annexd voice".to_owned())
            .spawn(move || {
                let _alive = alive;
                worker.work(&waiting);
            });
        self.orders = spawned.is_ok().then_some(orders);
        let within = if self.is_lost {
            RESTART_WITHIN
        } else {
            START_WITHIN
        };
        self.state = State::Starting {
            until: Instant::now() + within,
        };
    }
}

/// Counts one as long as it lives.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn one_more(threads: &Arc<AtomicUsize>) -> Self {
        threads.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(threads))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// How long a text takes at most, at a rate in percent.
fn length_of(text: &str, rate: u32) -> Duration {
    let length = CHARACTER * u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    length * 100 / rate.clamp(50, 300)
}

#[derive(Clone)]
struct Worker {
    number: u32,
    settings: VoiceSettings,
    language: String,
    nvda: Option<Arc<Nvda>>,
    threads: Arc<AtomicUsize>,
    report: Arc<Report>,
    /// How long the trial text may take once nothing else of ours sounds.
    trial: Duration,
    sounding: Sounding,
}

impl Worker {
    fn work(&self, orders: &Receiver<Order>) {
        if let Some(nvda) = self.running_nvda() {
            self.tell(WorkerReport::Ready);
            return self.work_by_nvda(&nvda, orders.iter());
        }
        start_service();
        let Some(mut voice) = self.open() else {
            self.tell(WorkerReport::Failed);
            return;
        };
        self.tell(WorkerReport::Ready);
        let mut slower = 100;
        for order in orders {
            if matches!(order, Order::Say(..))
                && let Some(nvda) = self.running_nvda()
            {
                let _ = voice.stop();
                std::mem::forget(voice);
                return self.work_by_nvda(&nvda, [order].into_iter().chain(orders));
            }
            let done = match order {
                Order::Say(id, [_, voiced], percent) => {
                    if percent != slower {
                        slower = percent;
                        self.set_rate(&mut voice, percent);
                    }
                    voice.speak(voiced, false).map(|name| {
                        self.tell(WorkerReport::Taken(id, format!("{name:?}")));
                    })
                }
                Order::Stop => voice.stop().map(|_| ()),
            };
            if done.is_err() {
                self.tell(WorkerReport::Failed);
                break;
            }
        }
        let _ = voice.stop();
        // A dropped connection may abort the program; the head of this file says why.
        std::mem::forget(voice);
    }

    /// NVDA, if it runs. It is asked before each text, for people end it and start it again.
    fn running_nvda(&self) -> Option<Arc<Nvda>> {
        self.nvda.clone().filter(Nvda::is_running)
    }

    /// Speaks through NVDA. If NVDA is lost, the next worker speaks through whatever is there then.
    fn work_by_nvda(&self, nvda: &Arc<Nvda>, orders: impl Iterator<Item = Order>) {
        let mut stop = None;
        for order in orders {
            match order {
                Order::Say(id, [text, voiced], percent) => {
                    let (stopping, stopped) = bounded(1);
                    stop = Some(stopping);
                    self.tell(WorkerReport::Taken(id, format!("{id:?}")));
                    let (worker, nvda) = (self.clone(), Arc::clone(nvda));
                    let alive = Counted::one_more(&self.threads);
                    thread::spawn(move || {
                        let _alive = alive;
                        worker.say_by_nvda(&nvda, id, [&text, &voiced], percent, &stopped);
                    });
                }
                Order::Stop => {
                    drop(stop.take());
                    if nvda.cancel().is_err() {
                        self.tell(WorkerReport::Failed);
                        return;
                    }
                }
            }
        }
        drop(stop.take());
        let _ = nvda.cancel();
    }

    /// Says one text and waits for its end.
    fn say_by_nvda(
        &self,
        nvda: &Nvda,
        id: UtteranceId,
        [text, voiced]: [&str; 2],
        percent: u32,
        stopped: &Receiver<()>,
    ) {
        let rate = self.settings.rate_percent * percent / 100;
        let said = Text {
            text,
            voiced,
            language: &self.language,
            rate,
            length: length_of(text, rate),
        };
        let (teller, name) = (self.clone(), format!("{id:?}"));
        // Each word is a sign of life. At the rate that the player has set, a text may take long.
        let on_word = move || teller.tell(WorkerReport::Begun(name.clone()));
        let told = match nvda.say(&said, stopped, on_word) {
            Ok(whole) => WorkerReport::Ended(format!("{id:?}"), whole),
            Err(Refused) => WorkerReport::Failed,
        };
        self.tell(told);
    }

    /// Opens the service and lets it say an inaudible text, to see that the text ends.
    fn open(&self) -> Option<Tts> {
        if !libraries::has_speech_client() || !service_listens() {
            return None;
        }
        let mut voice = Tts::default().ok()?;
        self.tell(WorkerReport::Starting(LISTED_WITHIN));
        let (ended, trial) = bounded(1);
        voice
            .on_utterance_end(Some(Box::new(move |_| {
                let _ = ended.try_send(());
            })))
            .ok()?;
        self.choose(&mut voice);
        let lowest = voice.min_volume();
        let _ = voice.set_volume(lowest);
        if voice.speak("ja", false).is_err() || !self.is_over(&trial) {
            std::mem::forget(voice);
            return None;
        }
        self.tune(&mut voice);
        self.listen(&voice);
        Some(voice)
    }

    /// Waits for the end of the trial text, which waits for what else of ours sounds.
    fn is_over(&self, trial: &Receiver<()>) -> bool {
        loop {
            let others_sound = self.sounding.load(Ordering::Relaxed) > 0;
            match trial.recv_timeout(self.trial) {
                Err(RecvTimeoutError::Timeout) if others_sound => {
                    self.tell(WorkerReport::Starting(START_WITHIN));
                }
                told => return told.is_ok(),
            }
        }
    }

    /// Chooses the voice that the settings name, or one that speaks the language.
    fn choose(&self, voice: &mut Tts) {
        let Ok(voices) = voice.voices() else { return };
        self.tell(WorkerReport::Starting(LISTED_WITHIN));
        let speaks = |candidate: &&tts::Voice| {
            candidate.language().as_str().split('-').next() == Some(self.language.as_str())
        };
        let named = |candidate: &&tts::Voice| {
            self.settings.name.as_deref() == Some(candidate.name().as_str())
        };
        let chosen = voices.iter().find(named);
        if let Some(chosen) = chosen.or_else(|| voices.iter().find(speaks)) {
            let _ = voice.set_voice(chosen);
            self.tell(WorkerReport::Starting(START_WITHIN));
        }
    }

    fn tune(&self, voice: &mut Tts) {
        let settings = &self.settings;
        self.set_rate(voice, 100);
        let pitch = scale(
            voice.min_pitch(),
            voice.normal_pitch(),
            voice.max_pitch(),
            settings.pitch_percent,
            200,
        );
        let _ = voice.set_pitch(pitch);
        let (low, high) = (voice.min_volume(), voice.max_volume());
        let loudness = settings.loudness_percent.clamp(0, 100) as f32 / 100.0;
        let _ = voice.set_volume(low + (high - low) * loudness);
    }

    /// Sets the rate to this percentage of the rate in the settings.
    fn set_rate(&self, voice: &mut Tts, percent: u32) {
        let rate = scale(
            voice.min_rate(),
            voice.normal_rate(),
            voice.max_rate(),
            self.settings.rate_percent * percent / 100,
            300,
        );
        let _ = voice.set_rate(rate);
    }

    /// Registers the callbacks. They only send: a call of the service from a callback would
    /// deadlock.
    fn listen(&self, voice: &Tts) {
        let (number, report) = (self.number, Arc::clone(&self.report));
        let _ = voice.on_utterance_begin(Some(Box::new(move |name| {
            report(number, WorkerReport::Begun(format!("{:?}", Some(name))));
        })));
        let report = Arc::clone(&self.report);
        let _ = voice.on_utterance_end(Some(Box::new(move |name| {
            report(
                number,
                WorkerReport::Ended(format!("{:?}", Some(name)), true),
            );
        })));
        let report = Arc::clone(&self.report);
        let _ = voice.on_utterance_stop(Some(Box::new(move |name| {
            report(
                number,
                WorkerReport::Ended(format!("{:?}", Some(name)), false),
            );
        })));
    }

    fn tell(&self, told: WorkerReport) {
        (self.report)(self.number, told);
    }
}

/// Turns a percentage into a service's own value between its lowest and highest. 100 is its normal
/// value.
fn scale(low: f32, normal: f32, high: f32, percent: u32, most: u32) -> f32 {
    let percent = percent.clamp(0, most) as f32;
    if percent <= 100.0 {
        low + (normal - low) * percent / 100.0
    } else {
        normal + (high - normal) * (percent - 100.0) / (most as f32 - 100.0)
    }
}

/// Starts speech-dispatcher, unless it runs, in a process group that Ctrl-C does not reach. A user
/// who names a service of his own in SPEECHD_ADDRESS starts it himself.
fn start_service() {
    #[cfg(target_os = "linux")]
    if std::env::var_os("SPEECHD_ADDRESS").is_none() {
        use std::os::unix::process::CommandExt;
        use std::process::{Command, Stdio};

        let mut command = Command::new("speech-dispatcher");
        command.arg("--spawn").process_group(0);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // If this fails, the connection fails too, and that is reported.
        let _ = command.status();
    }
}

/// Returns whether a service listens where its library will ask, or `true` if that cannot be known.
fn service_listens() -> bool {
    #[cfg(target_os = "linux")]
    if let Some(socket) = service_socket() {
        return std::os::unix::net::UnixStream::connect(socket).is_ok();
    }
    true
}

/// Returns the socket that the library of the service asks, if that is a file.
#[cfg(target_os = "linux")]
fn service_socket() -> Option<std::path::PathBuf> {
    if let Ok(address) = std::env::var("SPEECHD_ADDRESS") {
        return address.strip_prefix("unix_socket:").map(Into::into);
    }
    let folder = std::path::PathBuf::from(std::env::var_os("XDG_RUNTIME_DIR")?);
    Some(folder.join("speech-dispatcher/speechd.sock"))
}

#[cfg(test)]
mod tests;
