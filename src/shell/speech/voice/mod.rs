//! Says phrases on the channels EAR and TABLE.
//!
//! 1. [`Speaker::say`] gives a saying its number and hands it to the speaker's thread.
//! 2. The channel's queue orders it: moves before chatter, stale things dropped.
//! 3. When its turn comes it is rendered in the channel's language and said by the system voice
//!    or by clips; the watchdog of the system voice changes over to clips when it fails.
//! 4. When it is over, or will never be heard, [`SpeakerEvent::Finished`] says so.

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
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use shakmaty::{ByColor, Color};

pub(crate) use self::queue::Answer;
pub use clips::{ANNOUNCEMENT, Clips, TIMES, read_clip};
pub use event::{Extent, SayingId, SpeakerEvent};
pub use settings::{EarconSettings, SpeakerSettings, VoiceKind, VoiceSettings};

use self::output::{Output, OutputEvent};
use self::queue::Item;
use super::earcons::Earcon;
use crate::game::Priority;
use crate::persons::Channel;
use crate::phrases::{Language, Phrase, PhraseKey};
use crate::shell::hearing::somebody_speaks::Talk;
#[cfg(feature = "voice")]
use crate::shell::machine::libraries;
use crate::shell::table::watchdog::Turns;

/// Whether a voice of the system is installed. Whether it speaks is only known by speaking.
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

/// Whether the library is there by which NVDA is spoken to.
pub fn nvda_is_installed() -> bool {
    #[cfg(feature = "voice")]
    let is_installed = nvda::Nvda::find().is_some();
    #[cfg(not(feature = "voice"))]
    let is_installed = false;
    is_installed
}

/// Whether NVDA runs, and can be spoken to.
pub fn nvda_runs() -> bool {
    #[cfg(feature = "voice")]
    let runs = nvda::Nvda::find().is_some_and(|it| it.is_running());
    #[cfg(not(feature = "voice"))]
    let runs = false;
    runs
}

/// How often the watchdogs look.
const WATCH: Duration = Duration::from_millis(50);

/// Messages that may wait for the speaker's thread.
const WAITING: usize = 1024;

/// The languages of the channels.
#[derive(Clone)]
pub struct ChannelLanguages {
    /// What is said at the table: German, unless the arbiter or the edition decides otherwise.
    pub table: Arc<Language>,
    /// What each player hears privately.
    pub ears: ByColor<Arc<Language>>,
}

/// All voices. Dropping it stops them.
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
    Earcon(Channel, Earcon),
    DropWaiting(Option<Channel>, PhraseKey),
    Device(usize, OutputEvent),
    TellWhenSettled(Sender<()>),
    Stop,
}

impl Speaker {
    /// Opens the voices. What does not open is told as a [`SpeakerEvent::Fault`]; without any voice
    /// everything is reported as unheard. While there is `talk` nobody is reminded of anything.
    pub fn open(
        settings: SpeakerSettings,
        languages: ChannelLanguages,
        talk: Talk,
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

    /// How often its thread has turned, for its watchdog.
    pub fn turns(&self) -> Turns {
        self.turns.clone()
    }

    /// Waits until every system voice works or has failed, at most for so long. Until then clips
    /// speak, so only who insists on a system voice has to wait.
    pub fn wait_for_voices(&self, at_most: Duration) {
        let (settled, answer) = bounded(1);
        self.post(Message::TellWhenSettled(settled));
        let _ = answer.recv_timeout(at_most);
    }

    /// Says a phrase. A [`SpeakerEvent::Finished`] always follows.
    pub fn say(&self, channel: Channel, phrase: &Phrase, priority: Priority) -> SayingId {
        self.say_of(self.answer(), channel, phrase, priority)
    }

    /// A new answer, of which [`Self::say_of`] says the lines.
    pub(crate) fn answer(&self) -> Answer {
        Answer(self.next.fetch_add(1, Ordering::Relaxed))
    }

    /// Says a phrase as one line of an answer: all of them are said.
    pub(crate) fn say_of(
        &self,
        answer: Answer,
        channel: Channel,
        phrase: &Phrase,
        priority: Priority,
    ) -> SayingId {
        let id = SayingId(self.next.fetch_add(1, Ordering::Relaxed));
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

    /// Falls silent on a channel at once and forgets what waits there.
    pub fn silence(&self, channel: Channel) {
        self.post(Message::Silence(channel));
    }

    /// Speaks another language on a channel from now on.
    pub fn speak(&self, channel: Channel, language: Arc<Language>) {
        self.post(Message::Language(channel, language));
    }

    /// Plays a short sound on a channel, over what is being said.
    pub fn play(&self, channel: Channel, earcon: Earcon) {
        self.post(Message::Earcon(channel, earcon));
    }

    /// Drops what waits to say this, on one channel or on all: it is so no more.
    pub fn drop_waiting(&self, channel: Option<Channel>, key: PhraseKey) {
        self.post(Message::DropWaiting(channel, key));
    }

    /// False if the speaker's thread hangs and too much waits for it. Nobody waits for it.
    fn post(&self, message: Message) -> bool {
        self.messages.try_send(message).is_ok()
    }
}

impl Drop for Speaker {
    fn drop(&mut self) {
        self.post(Message::Stop);
        // A voice that hangs does not keep the program from ending.
        let _ = self.stopped.recv_timeout(Duration::from_millis(500));
    }
}

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
        talk: &Talk,
        events: Sender<SpeakerEvent>,
        post: &Sender<Message>,
    ) -> Self {
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
        // Lets a system voice take in the order to stop; else it speaks on without us.
        thread::sleep(Duration::from_millis(20));
    }

    fn handle(&mut self, message: Message) {
        match message {
            Message::Say(channel, item) => {
                let id = item.id;
                self.let_table_finish();
                if channel == Channel::Table {
                    // Said again into an ear it is not said for the first time.
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

    /// What is said to one waits for what is said to all: he is to understand both.
    fn let_table_finish(&mut self) {
        let table_speaks = self.table.as_ref().is_some_and(Output::is_at_work);
        let ears = [&mut self.ears.white, &mut self.ears.black];
        for ear in ears.into_iter().flatten() {
            ear.table_speaks = table_speaks;
        }
    }

    fn unheard(&self, id: SayingId) {
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

/// The place of a channel's output; consoles have none.
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
