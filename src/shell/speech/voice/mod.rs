//! Says phrases on the channels EAR and TABLE.
//!
//! 1. [`Speaker::say`] gives an utterance its number and hands it to the speaker's thread.
//! 2. The channel's queue puts moves before other utterances and drops what is stale.
//! 3. When its turn comes, the utterance is rendered in the channel's language. The system voice or
//!    clips say it. If the system voice fails, its watchdog switches to clips.
//! 4. When the utterance is over, or will never be heard, [`SpeakerEvent::Finished`] reports it.

mod clips;
mod event;
#[cfg(feature = "voice")]
mod nvda;
mod output;
mod queue;
mod settings;
#[cfg(feature = "voice")]
mod system;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use shakmaty::{ByColor, Color};

pub(crate) use self::queue::AnswerId;
pub use clips::{ANNOUNCEMENT, Clips, TIMES, read_clip};
pub use event::{Extent, SpeakerEvent, UtteranceId};
pub use settings::{EarconSettings, SpeakerSettings, VoiceKind, VoiceSettings};

use self::output::{Output, OutputEvent};
use self::queue::Item;
use super::earcons::EarconSound;
use crate::game::Priority;
use crate::persons::Channel;
use crate::phrases::{Language, Phrase, PhraseKey};
use crate::shell::hearing::somebody_speaks::SpeechMonitor;
#[cfg(feature = "voice")]
use crate::shell::machine::libraries;
use crate::shell::table::watchdog::Turns;

/// Returns whether a system voice is installed. Only an attempt to speak shows whether it works.
pub fn has_system_voice() -> bool {
    #[cfg(feature = "voice")]
    let has_client = libraries::has_speech_client();
    #[cfg(not(feature = "voice"))]
    let has_client = false;
    if nvda_runs() {
        return true;
    }
    if !has_client {
        return false;
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    cfg!(not(target_os = "linux"))
        || std::env::split_paths(&folders).any(|it| it.join("speech-dispatcher").is_file())
}

/// Returns whether the library that speaks through NVDA is there.
pub fn nvda_is_installed() -> bool {
    #[cfg(feature = "voice")]
    let is_installed = nvda::Nvda::find().is_some();
    #[cfg(not(feature = "voice"))]
    let is_installed = false;
    is_installed
}

/// Returns whether NVDA is running and answers.
pub fn nvda_runs() -> bool {
    #[cfg(feature = "voice")]
    let runs = nvda::Nvda::find().is_some_and(|it| it.is_running());
    #[cfg(not(feature = "voice"))]
    let runs = false;
    runs
}

/// How often the watchdogs look.
const WATCH: Duration = Duration::from_millis(50);

/// How many messages may wait for the speaker's thread.
const WAITING: usize = 1024;

/// The languages of the channels.
#[derive(Clone)]
pub struct ChannelLanguages {
    /// The language at the table: German, unless the arbiter or the edition decides otherwise.
    pub table: Arc<Language>,
    /// The language that each player hears privately.
    pub ears: ByColor<Arc<Language>>,
}

/// All voices. Dropping the speaker stops them.
pub struct Speaker {
    messages: Sender<Message>,
    stopped: Receiver<()>,
    next: AtomicU64,
    turns: Turns,
    events: Sender<SpeakerEvent>,
}

enum Message {
    Say(Channel, Item),
    Silence(Channel),
    Language(Channel, Arc<Language>),
    Earcon(Channel, EarconSound),
    DropWaiting(Option<Channel>, PhraseKey),
    Device(usize, OutputEvent),
    TellWhenSettled(Sender<()>),
    Stop,
}

impl Speaker {
    /// Opens the voices. A voice that does not open is reported as a [`SpeakerEvent::Fault`].
    /// Without any voice every utterance is reported as unheard. Reminders wait while `talk` says
    /// that somebody speaks.
    pub fn open(
        settings: SpeakerSettings,
        languages: ChannelLanguages,
        talk: SpeechMonitor,
        events: Sender<SpeakerEvent>,
    ) -> Self {
        let (messages, inbox) = bounded(WAITING);
        let (stopping, stopped) = bounded(1);
        let post = messages.clone();
        let turns = Turns::default();
        let (turning, told) = (turns.clone(), events.clone());
        thread::spawn(move || {
            Voices::open(settings, &languages, &talk, events, &post).work(&inbox, &turning);
            let _ = stopping.send(());
        });
        Self {
            messages,
            stopped,
            next: AtomicU64::new(1),
            turns,
            events: told,
        }
    }

    /// The count of turns of its thread, for the watchdog.
    pub fn turns(&self) -> Turns {
        self.turns.clone()
    }

    /// Waits until every system voice works or has failed, for at most so long. Clips speak in the
    /// meantime, so only a caller that needs a system voice has to wait.
    pub fn wait_for_voices(&self, at_most: Duration) {
        let (settled, answer) = bounded(1);
        self.post(Message::TellWhenSettled(settled));
        let _ = answer.recv_timeout(at_most);
    }

    /// Says a phrase. A [`SpeakerEvent::Finished`] always follows.
    pub fn say(&self, channel: Channel, phrase: &Phrase, priority: Priority) -> UtteranceId {
        self.say_of(self.answer(), channel, phrase, priority)
    }

    /// Begins a new answer. [`Self::say_of`] says its lines.
    pub(crate) fn answer(&self) -> AnswerId {
        AnswerId(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Says a phrase as one line of an answer. All lines of an answer are said.
    pub(crate) fn say_of(
        &self,
        answer: AnswerId,
        channel: Channel,
        phrase: &Phrase,
        priority: Priority,
    ) -> UtteranceId {
        let id = UtteranceId(self.next.fetch_add(1, Ordering::Relaxed));
        let item = Item {
            id,
            answer,
            phrase: phrase.clone(),
            priority,
            since: Instant::now(),
        };
        if !self.post(Message::Say(channel, item)) {
            let extent = Extent::Unheard;
            let _ = self.events.try_send(SpeakerEvent::Finished { id, extent });
        }
        id
    }

    /// Stops speaking on a channel at once and drops what waits there.
    pub fn silence(&self, channel: Channel) {
        self.post(Message::Silence(channel));
    }

    /// Speaks another language on a channel from now on.
    pub fn speak(&self, channel: Channel, language: Arc<Language>) {
        self.post(Message::Language(channel, language));
    }

    /// Plays an earcon on a channel, over what is being said.
    pub fn play(&self, channel: Channel, earcon: EarconSound) {
        self.post(Message::Earcon(channel, earcon));
    }

    /// Drops phrases of this kind that wait, on one channel or on all, because they no longer hold.
    pub fn drop_waiting(&self, channel: Option<Channel>, key: PhraseKey) {
        self.post(Message::DropWaiting(channel, key));
    }

    /// Returns `false` if the speaker's thread hangs and too much waits for it. The caller never
    /// waits.
    fn post(&self, message: Message) -> bool {
        self.messages.try_send(message).is_ok()
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.post(Message::Stop);
        // A voice that hangs must not keep the program from ending.
        let _ = self.stopped.recv_timeout(Duration::from_millis(500));
    }
}

/// How many system voices sound at the moment. All of them speak through one service.
type Sounding = Arc<AtomicUsize>;

/// The state of the speaker's thread.
struct Voices {
    table: Option<Output>,
    ears: ByColor<Option<Output>>,
    earcons: EarconSettings,
    events: Sender<SpeakerEvent>,
    waiting: Vec<Sender<()>>,
}

impl Voices {
    fn open(
        settings: SpeakerSettings,
        languages: &ChannelLanguages,
        talk: &SpeechMonitor,
        events: Sender<SpeakerEvent>,
        post: &Sender<Message>,
    ) -> Self {
        let sounding = Sounding::default();
        let open = |channel: Channel, voice: &VoiceSettings, language: &Arc<Language>| {
            let index = index(channel);
            let post = post.clone();
            let report = move |event| {
                let _ = post.send(Message::Device(index, event));
            };
            Output::open(
                channel,
                voice.clone(),
                Arc::clone(language),
                talk.clone(),
                &events,
                &sounding,
                report,
            )
        };
        let table = open(Channel::Table, &settings.table, &languages.table);
        let ear = |side: Color| {
            let ear = settings.ears.get(side).as_ref()?;
            let mut output = open(Channel::Ear(side), ear, languages.ears.get(side));
            if let Some(output) = &mut output {
                output.is_shared = settings.is_ear_shared(side);
            }
            output
        };
        let ears = ByColor {
            white: ear(Color::White),
            black: ear(Color::Black),
        };
        Self {
            table,
            ears,
            earcons: settings.earcons,
            events,
            waiting: Vec::new(),
        }
    }

    fn work(&mut self, inbox: &Receiver<Message>, turns: &Turns) {
        loop {
            turns.turn();
            match inbox.recv_timeout(WATCH) {
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(message) => self.handle(message),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let is_saying = |ear: &Option<Output>| ear.as_ref().is_some_and(Output::is_saying);
            let answers = is_saying(&self.ears.white) || is_saying(&self.ears.black);
            if let Some(table) = self.table.as_mut().filter(|_| answers) {
                table.is_busy();
            }
            self.let_table_finish();
            for output in self.outputs() {
                output.watch();
            }
            if self.outputs().all(|output| output.is_settled()) {
                for waiting in self.waiting.drain(..) {
                    let _ = waiting.send(());
                }
            }
        }
        for output in self.outputs() {
            output.silence();
        }
        // Lets a system voice take the order to stop. Otherwise it goes on speaking after the
        // program ends.
        thread::sleep(Duration::from_millis(20));
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Say(channel, item) => {
                let id = item.id;
                self.let_table_finish();
                if channel == Channel::Table {
                    // A repeat in an ear counts as a repeat, also if the first time was at the
                    // table.
                    for ear in [&mut self.ears.white, &mut self.ears.black] {
                        ear.iter_mut()
                            .for_each(|ear| ear.was_announced(&item.phrase));
                    }
                }
                match self.output(index(channel)) {
                    Some(output) if !(output.is_shared && item.phrase.key.is_private()) => {
                        output.push(item);
                    }
                    _ => self.unheard(id),
                }
            }
            Message::Silence(channel) => {
                if let Some(output) = self.output(index(channel)) {
                    output.silence();
                }
            }
            Message::Language(channel, language) => {
                if let Some(output) = self.output(index(channel)) {
                    output.speak(language);
                }
            }
            Message::Earcon(channel, earcon) => {
                if earcon.is_on(&self.earcons)
                    && let Some(output) = self.output(index(channel))
                {
                    output.play(earcon);
                }
            }
            Message::DropWaiting(channel, key) => {
                let is_it = |output: &&mut Output| channel.is_none_or(|it| it == output.channel);
                for output in self.outputs().filter(is_it) {
                    output.drop_waiting(key);
                }
            }
            Message::Device(index, event) => {
                if let Some(output) = self.output(index) {
                    output.told(event);
                }
            }
            Message::TellWhenSettled(answer) => self.waiting.push(answer),
            Message::Stop => {}
        }
    }

    /// An ear waits until the table has finished, so that its player understands both.
    fn let_table_finish(&mut self) {
        let table_speaks = self.table.as_ref().is_some_and(Output::is_at_work);
        let ears = [&mut self.ears.white, &mut self.ears.black];
        for ear in ears.into_iter().flatten() {
            ear.table_speaks = table_speaks;
        }
    }

    fn unheard(&self, id: UtteranceId) {
        let extent = Extent::Unheard;
        let _ = self.events.send(SpeakerEvent::Finished { id, extent });
    }

    fn output(&mut self, index: usize) -> Option<&mut Output> {
        match index {
            0 => self.table.as_mut(),
            1 => self.ears.white.as_mut(),
            2 => self.ears.black.as_mut(),
            _ => None,
        }
    }

    fn outputs(&mut self) -> impl Iterator<Item = &mut Output> {
        let ears = [&mut self.ears.white, &mut self.ears.black];
        self.table.iter_mut().chain(ears.into_iter().flatten())
    }
}

/// The index of a channel's output. Consoles have none.
const fn index(channel: Channel) -> usize {
    match channel {
        Channel::Table => 0,
        Channel::Ear(Color::White) => 1,
        Channel::Ear(Color::Black) => 2,
        Channel::Assistant(_) | Channel::Arbiter => usize::MAX,
    }
}

#[cfg(test)]
mod tests;
