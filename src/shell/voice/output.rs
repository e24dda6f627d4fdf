//! One channel's voice: its queue, and the system voice or the clips that say it.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::clips::Clips;
use super::queue::{Item, Queue, Turn};
#[cfg(feature = "voice")]
use super::system::{Step, SystemVoice, Told};
use super::{Extent, SayingId, SpeakerEvent, VoiceKind, VoiceSettings};
use crate::game::Priority;
use crate::persons::Channel;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::earcons::Earcon;
use crate::shell::sound::{Loudspeaker, SoundEvent};

/// The same words in a row are said a second time as before, for who has missed them, and then
/// slower each time, down to the last percentage.
const SLOWER: [u32; 4] = [100, 100, 85, 70];
/// The silence after what was said to its end.
const REST: Duration = Duration::from_millis(250);
/// Earcons have numbers of their own, far from those of sayings.
const EARCON: u64 = 1 << 63;
/// So have the sentences that nobody asked for.
const OURS: SayingId = SayingId(1 << 62);

/// What the threads of devices tell an output.
pub(super) enum OutputEvent {
    Sound(SoundEvent),
    #[cfg(feature = "voice")]
    System(u32, Told),
}

/// How a channel speaks just now, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// Not at all.
    Not,
    /// By clips, in place of the system voice.
    ByClips,
    /// By the voice that was wished for.
    AsWished,
}

/// One channel's voice.
pub(super) struct Output {
    channel: Channel,
    settings: VoiceSettings,
    language: Arc<Language>,
    clips: Option<Clips>,
    loudspeaker: Option<Loudspeaker>,
    #[cfg(feature = "voice")]
    system: Option<SystemVoice>,
    #[cfg(feature = "voice")]
    report: Arc<dyn Fn(OutputEvent) + Send + Sync>,
    queue: Queue,
    cutting: bool,
    began: bool,
    /// The announcement that was said last, and what else was.
    announced: InARow,
    other: InARow,
    /// How often what is being said was said before.
    times: usize,
    /// Until when it is silent after what was said.
    rests_until: Instant,
    events: Sender<SpeakerEvent>,
    /// Whether the loudspeaker was lost.
    is_deaf: bool,
    /// What was told last.
    told: Way,
    /// Whether the other side hears it too.
    pub(super) is_shared: bool,
}

impl Output {
    /// Opens what the settings name; `None` if the channel is to be silent.
    pub(super) fn open(
        channel: Channel,
        settings: VoiceSettings,
        language: Arc<Language>,
        events: &Sender<SpeakerEvent>,
        report: impl Fn(OutputEvent) + Clone + Send + Sync + 'static,
    ) -> Option<Self> {
        if settings.voice == VoiceKind::Silent {
            return None;
        }
        let code = language.lexicon().language().to_owned();
        let sound = report.clone();
        let loudspeaker = Loudspeaker::open(settings.device.as_deref(), move |event| {
            sound(OutputEvent::Sound(event));
        });
        let clips = Clips::open(&code);
        let missing = loudspeaker.as_ref().err().or(clips.as_ref().err());
        let missing = missing.map(ToString::to_string);
        let mut output = Self {
            channel,
            settings,
            language,
            clips: clips.ok(),
            loudspeaker: loudspeaker.ok(),
            #[cfg(feature = "voice")]
            system: None,
            #[cfg(feature = "voice")]
            report: Arc::new(report),
            queue: Queue::default(),
            cutting: false,
            began: false,
            announced: InARow::default(),
            other: InARow::default(),
            times: 0,
            rests_until: Instant::now(),
            events: events.clone(),
            is_deaf: false,
            told: Way::AsWished,
            is_shared: false,
        };
        output.start_system_voice();
        output.told = output.way();
        if let Some(why) = missing.filter(|_| output.told == Way::Not) {
            let _ = events.send(SpeakerEvent::Fault {
                channel,
                phrase: Phrase::new(PhraseKey::NoVoice, [Argument::Text(why)]),
                speaks_on: false,
            });
        }
        Some(output)
    }

    /// Starts the system voice where it is wanted: a language without clips is said by it too.
    #[cfg(feature = "voice")]
    fn start_system_voice(&mut self) {
        let wanted = self.settings.voice == VoiceKind::System || self.clips.is_none();
        let report = Arc::clone(&self.report);
        let report = Box::new(move |worker, told| report(OutputEvent::System(worker, told)));
        let code = self.language.lexicon().language();
        self.system = wanted.then(|| SystemVoice::start(self.settings.clone(), code, report));
    }

    #[cfg(not(feature = "voice"))]
    const fn start_system_voice(&mut self) {}

    /// Speaks another language from the next saying on.
    pub(super) fn speak(&mut self, language: Arc<Language>) {
        self.clips = Clips::open(language.lexicon().language()).ok();
        self.language = language;
        self.start_system_voice();
        self.tell_way(PhraseKey::VoiceLost);
    }

    /// Takes in something to say.
    pub(super) fn push(&mut self, item: Item) {
        let turn = self.queue.push(item);
        self.obey(turn);
        self.go_on();
    }

    /// Falls silent.
    pub(super) fn silence(&mut self) {
        let turn = self.queue.silence();
        self.obey(turn);
    }

    /// Plays a short sound over what is being said.
    pub(super) fn play(&self, earcon: Earcon) {
        if let Some(loudspeaker) = &self.loudspeaker {
            let gain = self.settings.loudness_percent.min(100) as f32 / 100.0;
            let _ = loudspeaker.play(EARCON | earcon as u64, earcon.samples(), gain);
        }
    }

    /// Takes in what a device tells.
    pub(super) fn told(&mut self, event: OutputEvent) {
        match event {
            OutputEvent::Sound(SoundEvent::Begun { id, at }) => self.began(SayingId(id), at),
            OutputEvent::Sound(SoundEvent::Ended { id, whole }) => {
                self.ended(SayingId(id), whole);
            }
            OutputEvent::Sound(SoundEvent::Lost) => {
                self.is_deaf = true;
                self.tell_way(PhraseKey::LoudspeakerLost);
            }
            OutputEvent::Sound(SoundEvent::Recovered) => {
                self.is_deaf = false;
                self.tell_way(PhraseKey::LoudspeakerLost);
            }
            #[cfg(feature = "voice")]
            OutputEvent::System(worker, told) => {
                let begun = matches!(told, Told::Begun(_));
                let step = self
                    .system
                    .as_mut()
                    .and_then(|voice| voice.tell(worker, told));
                if let (true, Some(saying)) = (begun, self.queue.saying()) {
                    let id = saying.id;
                    self.began(id, Instant::now());
                }
                self.step(step);
            }
        }
    }

    /// Whether it is known by what the next thing will be said.
    pub(super) fn is_settled(&self) -> bool {
        #[cfg(feature = "voice")]
        if let Some(voice) = &self.system {
            return !voice.is_starting();
        }
        true
    }

    /// Lets the watchdog look.
    pub(super) fn watch(&mut self) {
        #[cfg(feature = "voice")]
        {
            let step = self.system.as_mut().and_then(SystemVoice::watch);
            self.step(step);
        }
        self.go_on();
    }

    #[cfg(feature = "voice")]
    fn step(&mut self, step: Option<Step>) {
        match step {
            None => {}
            Some(Step::Ended(id, whole)) => self.ended(id, whole),
            Some(Step::Ready) => self.tell_way(PhraseKey::VoiceLost),
            Some(Step::Lost(during)) => {
                // The clips say again, whole, what the voice was in the middle of.
                let item = self.queue.saying().cloned();
                if let Some(item) = item.filter(|item| Some(item.id) == during) {
                    if self.cutting {
                        self.ended(item.id, false);
                    } else {
                        self.say(&item);
                    }
                }
                self.tell_way(PhraseKey::VoiceLost);
            }
        }
    }

    fn obey(&mut self, turn: Turn) {
        for id in turn.dropped {
            self.finished(id, Extent::Unheard);
        }
        if let (true, Some(saying)) = (turn.cut, self.queue.saying()) {
            self.cutting = true;
            if let Some(loudspeaker) = &self.loudspeaker {
                loudspeaker.stop(Some(saying.id.0));
            }
            #[cfg(feature = "voice")]
            if let Some(system) = &self.system {
                system.stop();
            }
        }
    }

    fn go_on(&mut self) {
        // What clips cannot say waits for the system voice to start.
        let waits = self.clips.is_none() && !self.is_settled();
        if waits || Instant::now() < self.rests_until {
            return;
        }
        let (item, turn) = self.queue.next(Instant::now());
        self.obey(turn);
        if let Some(item) = item {
            // Chatter between does not make an announcement a new one.
            let row = match item.phrase.is_announcement() {
                true => &mut self.announced,
                false => &mut self.other,
            };
            self.times = row.say(&item.phrase);
            self.cutting = false;
            self.began = false;
            self.say(&item);
        }
    }

    fn say(&mut self, item: &Item) {
        let slower = SLOWER
            .get(self.times)
            .or(SLOWER.last())
            .copied()
            .unwrap_or(100);
        #[cfg(feature = "voice")]
        if let Some(system) = self.system.as_mut().filter(|voice| voice.is_ready()) {
            let text = self.language.text(&item.phrase);
            if text.chars().any(char::is_alphanumeric) {
                system.say(item.id, &text, slower);
                return;
            }
        }
        let rate = self.settings.rate_percent.clamp(50, 250) * slower / 100;
        let (Some(clips), Some(loudspeaker)) = (&self.clips, &self.loudspeaker) else {
            self.ended(item.id, false);
            return;
        };
        let (samples, silent) = clips.say(&self.language, &item.phrase, rate);
        // A text of which words are missing is read and not said in shreds.
        if silent > 0 && item.phrase.key == PhraseKey::Words {
            self.ended(item.id, false);
            return;
        }
        let gain = self.settings.loudness_percent.min(100) as f32 / 100.0;
        if samples.is_empty() || !loudspeaker.play(item.id.0, samples.into(), gain) {
            self.ended(item.id, false);
        }
    }

    fn began(&mut self, id: SayingId, at: Instant) {
        let current = self.queue.saying().is_some_and(|saying| saying.id == id);
        if current && !self.began {
            self.began = true;
            if id == OURS {
                return;
            }
            let _ = self.events.send(SpeakerEvent::Begun { id, at });
        }
    }

    fn ended(&mut self, id: SayingId, whole: bool) {
        if self.queue.saying().is_none_or(|saying| saying.id != id) {
            return;
        }
        let extent = match (whole, self.began) {
            (true, _) => Extent::Whole,
            (false, true) => Extent::Cut,
            (false, false) => Extent::Unheard,
        };
        if whole {
            self.rests_until = Instant::now() + REST;
        }
        self.queue.ended(id);
        self.finished(id, extent);
        self.go_on();
    }

    fn finished(&self, id: SayingId, extent: Extent) {
        if id == OURS {
            return;
        }
        let _ = self.events.send(SpeakerEvent::Finished { id, extent });
    }

    fn way(&self) -> Way {
        let has_clips = self.clips.is_some() && self.loudspeaker.is_some() && !self.is_deaf;
        #[cfg(feature = "voice")]
        if let Some(voice) = &self.system {
            return match (voice.is_lost(), has_clips) {
                (false, _) => Way::AsWished,
                (true, true) => Way::ByClips,
                (true, false) => Way::Not,
            };
        }
        if has_clips { Way::AsWished } else { Way::Not }
    }

    /// Tells whether the channel speaks otherwise than was told last; the reason is the sentence
    /// for it if it speaks worse.
    fn tell_way(&mut self, reason: PhraseKey) {
        let way = self.way();
        let before = std::mem::replace(&mut self.told, way);
        let channel = self.channel;
        let event = match way.cmp(&before) {
            Ordering::Equal => return,
            Ordering::Less => SpeakerEvent::Fault {
                channel,
                phrase: reason.into(),
                speaks_on: way == Way::ByClips,
            },
            Ordering::Greater => SpeakerEvent::Recovered {
                channel,
                phrase: PhraseKey::VoiceBack.into(),
                as_wished: way == Way::AsWished,
            },
        };
        let _ = self.events.send(event);
    }

    /// The other side hears it too, which it says.
    pub(super) fn share(&mut self) {
        self.is_shared = true;
        self.push(of_ours(PhraseKey::EarIsShared.into()));
    }
}

/// The same words, said several times.
#[derive(Default)]
struct InARow {
    phrase: Option<Phrase>,
    times: usize,
}

impl InARow {
    /// How often these were said before.
    fn say(&mut self, phrase: &Phrase) -> usize {
        if self.phrase.as_ref() == Some(phrase) {
            self.times += 1;
        } else {
            self.times = 0;
            self.phrase = Some(phrase.clone());
        }
        self.times
    }
}

/// A sentence that the speaker says of its own accord.
fn of_ours(phrase: Phrase) -> Item {
    Item {
        id: OURS,
        phrase,
        priority: Priority::Next,
        since: Instant::now(),
    }
}
