//! One channel's voice: its queue, and the system voice or the clips that speak.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::clips::Clips;
use super::queue::{Item, Queue, Turn};
#[cfg(feature = "voice")]
use super::system::{SystemVoice, SystemVoiceEvent, WorkerReport};
use super::{Extent, Sounding, SpeakerEvent, UtteranceId, VoiceKind, VoiceSettings};
use crate::persons::Channel;
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::error::Error;
use crate::shell::hearing::somebody_speaks::SpeechMonitor;
use crate::shell::speech::earcons::EarconSound;
use crate::shell::speech::sound::{CLIP_RATE, Loudspeaker, SoundEvent};

/// Rates for the same words in a row, in percent. The second time is as fast as the first, for a
/// player who missed them. Then each is slower, down to the last rate.
const SLOWER: [u32; 4] = [100, 100, 85, 70];
/// How long reminders wait after somebody has spoken or was answered in his ear.
const AFTER_TALK: Duration = Duration::from_millis(1200);
/// The silence after an utterance that was said to its end.
const REST: Duration = Duration::from_millis(250);
/// An utterance that lasts longer is not said again when it was torn.
const SHORT: Duration = Duration::from_millis(3_000);
/// The silence before an utterance that is said again because it was torn. Without it the repeat
/// would sound like its end.
static PAUSE: [i16; CLIP_RATE as usize * 6 / 10] = [0; CLIP_RATE as usize * 6 / 10];
/// Earcons have numbers of their own, far from those of utterances.
const EARCON: u64 = 1 << 63;

/// What the threads of devices report to an output.
pub(super) enum OutputEvent {
    Sound(SoundEvent),
    #[cfg(feature = "voice")]
    System(u32, WorkerReport),
}

/// How a channel speaks at the moment, from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum VoiceState {
    /// Not at all.
    Not,
    /// By clips, in place of the system voice.
    ByClips,
    /// By the voice that the settings name.
    AsWished,
}

/// One channel's voice.
pub(super) struct Output {
    pub(super) channel: Channel,
    settings: VoiceSettings,
    language: Arc<Language>,
    clips: Option<Clips>,
    loudspeaker: Option<Loudspeaker>,
    #[cfg(feature = "voice")]
    system: Option<SystemVoice>,
    #[cfg(feature = "voice")]
    report: Arc<dyn Fn(OutputEvent) + Send + Sync>,
    /// How many system voices sound, of this channel and of the others.
    #[cfg(feature = "voice")]
    sounding: Sounding,
    queue: Queue,
    cutting: bool,
    began: bool,
    /// Whether the current utterance was torn and is being said again.
    again: bool,
    /// How long the current utterance lasts.
    lasts: Duration,
    /// The announcement that was said last, and the last utterance of any other kind.
    announced: InARow,
    other: InARow,
    /// How often the current utterance was said before.
    times: usize,
    /// Until when the voice is silent after an utterance.
    rests_until: Instant,
    events: Sender<SpeakerEvent>,
    /// Whether the loudspeaker was lost.
    has_lost_output: bool,
    /// The state that was reported last.
    told: VoiceState,
    /// Whether somebody is speaking, and until when somebody was speaking or was answered in his
    /// ear.
    talk: SpeechMonitor,
    busy_until: Option<Instant>,
    /// Whether the other side hears the channel too.
    pub(super) is_shared: bool,
    /// Whether everybody is hearing something else at the moment. An ear waits until that has
    /// finished.
    pub(super) table_speaks: bool,
}

impl Output {
    /// Opens the voices that the settings name. `None` if the channel is to be silent.
    pub(super) fn open(
        channel: Channel,
        settings: VoiceSettings,
        language: Arc<Language>,
        talk: SpeechMonitor,
        events: &Sender<SpeakerEvent>,
        #[cfg_attr(
            not(feature = "voice"),
            expect(unused_variables, reason = "none speaks")
        )]
        sounding: &Sounding,
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
        let missing = missing.map(Error::sentence);
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
            #[cfg(feature = "voice")]
            sounding: Arc::clone(sounding),
            queue: Queue::default(),
            cutting: false,
            began: false,
            again: false,
            lasts: Duration::ZERO,
            announced: InARow::default(),
            other: InARow::default(),
            times: 0,
            rests_until: Instant::now(),
            events: events.clone(),
            has_lost_output: false,
            told: VoiceState::AsWished,
            talk,
            busy_until: None,
            is_shared: false,
            table_speaks: false,
        };
        output.start_system_voice();
        output.told = output.voice_state();
        output.note_in_diary(&code);
        if let Some(why) = missing.filter(|_| output.told == VoiceState::Not) {
            let _ = events.send(SpeakerEvent::Fault {
                channel,
                phrase: Phrase::new(PhraseKey::NoVoice, [Argument::Sentences(vec![why])]),
                speaks_on: false,
            });
        }
        Some(output)
    }

    fn note_in_diary(&self, language: &str) {
        tracing::info!(
            channel = ?self.channel,
            language,
            wanted = ?self.settings.voice,
            has_clips = self.clips.is_some(),
            has_loudspeaker = self.loudspeaker.is_some(),
            "a voice is opened"
        );
    }

    /// Starts the system voice if the settings want it, or if the language has no clips.
    #[cfg(feature = "voice")]
    fn start_system_voice(&mut self) {
        let wanted = self.settings.voice == VoiceKind::System || self.clips.is_none();
        let report = Arc::clone(&self.report);
        let report = Box::new(move |worker, told| report(OutputEvent::System(worker, told)));
        let code = self.language.lexicon().language();
        self.system =
            wanted.then(|| SystemVoice::start(self.settings.clone(), code, &self.sounding, report));
    }

    #[cfg(not(feature = "voice"))]
    const fn start_system_voice(&mut self) {}

    /// Speaks another language from the next utterance on.
    pub(super) fn speak(&mut self, language: Arc<Language>) {
        self.clips = Clips::open(language.lexicon().language()).ok();
        self.language = language;
        self.start_system_voice();
        self.tell_voice_state(PhraseKey::VoiceLost);
    }

    /// Takes in an utterance.
    pub(super) fn push(&mut self, item: Item) {
        let turn = self.queue.push(item);
        self.obey(turn);
        self.go_on();
    }

    /// Records that somebody speaks, or is spoken to alone. What he said is decided and answered
    /// first, and reminders wait a little longer than that.
    pub(super) fn is_busy(&mut self) {
        self.busy_until = Some(Instant::now() + AFTER_TALK);
    }

    /// Returns whether the channel is saying something.
    pub(super) const fn is_saying(&self) -> bool {
        self.queue.saying().is_some()
    }

    /// Returns whether the channel is saying something, or only pauses between two utterances.
    pub(super) fn is_at_work(&self) -> bool {
        self.queue.is_at_work() && !self.waits_for_a_voice()
    }

    /// Returns whether utterances wait for the system voice to start, because clips cannot say
    /// them.
    fn waits_for_a_voice(&self) -> bool {
        self.clips.is_none() && !self.is_settled()
    }

    /// Drops utterances of this kind that wait, because they no longer hold.
    pub(super) fn drop_waiting(&mut self, key: PhraseKey) {
        let turn = self.queue.drop_waiting(key);
        self.obey(turn);
    }

    /// Records that this phrase was said to everybody at the table.
    pub(super) fn was_announced(&mut self, phrase: &Phrase) {
        if phrase.is_announcement() {
            self.announced.was_said(phrase);
        }
    }

    /// Stops speaking.
    pub(super) fn silence(&mut self) {
        let turn = self.queue.silence();
        self.obey(turn);
    }

    /// Plays an earcon over what is being said.
    pub(super) fn play(&self, earcon: EarconSound) {
        if let Some(loudspeaker) = &self.loudspeaker {
            let gain = self.settings.loudness_percent.min(100) as f32 / 100.0;
            let _ = loudspeaker.play(EARCON | earcon as u64, earcon.samples(), gain);
        }
    }

    /// Takes in a report of a device.
    pub(super) fn told(&mut self, event: OutputEvent) {
        match event {
            OutputEvent::Sound(SoundEvent::Begun { id, at }) => self.began(UtteranceId(id), at),
            OutputEvent::Sound(SoundEvent::Ended { id, whole, torn }) => {
                let is_torn = whole && torn && self.is_saying_just(UtteranceId(id));
                if is_torn {
                    let id = UtteranceId(id);
                    let _ = self.events.send(SpeakerEvent::Torn { id });
                }
                if !(is_torn && self.say_again()) {
                    self.ended(UtteranceId(id), whole);
                }
            }
            OutputEvent::Sound(SoundEvent::Lost) => {
                self.has_lost_output = true;
                self.tell_voice_state(PhraseKey::LoudspeakerLost);
            }
            OutputEvent::Sound(SoundEvent::Recovered) => {
                self.has_lost_output = false;
                self.tell_voice_state(PhraseKey::LoudspeakerLost);
            }
            #[cfg(feature = "voice")]
            OutputEvent::System(worker, told) => {
                let begun = matches!(told, WorkerReport::Begun(_));
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

    /// Returns whether it is known which voice will say the next utterance.
    pub(super) fn is_settled(&self) -> bool {
        #[cfg(feature = "voice")]
        if let Some(voice) = &self.system {
            return !voice.is_starting();
        }
        true
    }

    /// Lets the watchdog of the system voice look.
    pub(super) fn watch(&mut self) {
        #[cfg(feature = "voice")]
        {
            let step = self.system.as_mut().and_then(SystemVoice::watch);
            self.step(step);
        }
        self.go_on();
    }

    #[cfg(feature = "voice")]
    fn step(&mut self, step: Option<SystemVoiceEvent>) {
        match step {
            None => {}
            Some(SystemVoiceEvent::Ended(id, whole)) => self.ended(id, whole),
            Some(SystemVoiceEvent::Ready) => self.tell_voice_state(PhraseKey::VoiceLost),
            Some(SystemVoiceEvent::Lost(during)) => {
                // The clips repeat, from its beginning, the utterance at which the system voice
                // failed.
                let item = self.queue.saying().cloned();
                if let Some(item) = item.filter(|item| Some(item.id) == during) {
                    if self.cutting {
                        self.ended(item.id, false);
                    } else {
                        self.say(&item);
                    }
                }
                self.tell_voice_state(PhraseKey::VoiceLost);
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
        let now = Instant::now();
        let lets_finish = self.table_speaks && self.queue.can_wait(now);
        if self.waits_for_a_voice() || lets_finish || now < self.rests_until {
            return;
        }
        if self.talk.is_under_way() {
            self.is_busy();
        }
        let busy = self.busy_until.is_some_and(|until| now < until);
        let (item, turn) = self.queue.next(now, busy);
        self.obey(turn);
        if let Some(item) = item {
            // Other utterances in between do not make an announcement a new one.
            let row = match item.phrase.is_announcement() {
                true => &mut self.announced,
                false => &mut self.other,
            };
            self.times = row.say(&item.phrase);
            self.cutting = false;
            self.began = false;
            self.again = false;
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
                let voiced = self.language.voiced(&text);
                system.say(item.id, &text, &voiced, slower);
                return;
            }
        }
        let rate = self.settings.rate_percent.clamp(50, 250) * slower / 100;
        let (Some(clips), Some(loudspeaker)) = (&self.clips, &self.loudspeaker) else {
            self.ended(item.id, false);
            return;
        };
        let (samples, silent) = clips.say(&self.language, &item.phrase, rate);
        // A text with words that have no clip is read instead of being said with gaps.
        if silent > 0 && item.phrase.key == PhraseKey::Words {
            self.ended(item.id, false);
            return;
        }
        self.lasts = Duration::from_secs_f64(samples.len() as f64 / f64::from(CLIP_RATE));
        let pause = if self.again { &PAUSE[..] } else { &[] };
        let samples = [pause, &samples].concat();
        let gain = self.settings.loudness_percent.min(100) as f32 / 100.0;
        if samples.is_empty() || !loudspeaker.play(item.id.0, samples.into(), gain) {
            self.ended(item.id, false);
        }
    }

    /// Says again, after a pause, an utterance that the machine was too busy to play without gaps.
    /// A player who heard "Gustav … drei" knows less than one who heard nothing. This happens once,
    /// and only for an utterance as short as a move: while an ear is spoken to, its player is not
    /// obeyed.
    fn say_again(&mut self) -> bool {
        if self.again || self.cutting || self.lasts > SHORT {
            return false;
        }
        let Some(item) = self.queue.saying().cloned() else {
            return false;
        };
        self.again = true;
        self.say(&item);
        true
    }

    fn is_saying_just(&self, id: UtteranceId) -> bool {
        self.queue.saying().is_some_and(|saying| saying.id == id)
    }

    fn began(&mut self, id: UtteranceId, at: Instant) {
        let current = self.queue.saying().is_some_and(|saying| saying.id == id);
        if current && !self.began {
            self.began = true;
            let _ = self.events.send(SpeakerEvent::Begun { id, at });
        }
    }

    fn ended(&mut self, id: UtteranceId, whole: bool) {
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

    fn finished(&self, id: UtteranceId, extent: Extent) {
        let _ = self.events.send(SpeakerEvent::Finished { id, extent });
    }

    fn voice_state(&self) -> VoiceState {
        let has_clips = self.clips.is_some() && self.loudspeaker.is_some() && !self.has_lost_output;
        #[cfg(feature = "voice")]
        if let Some(voice) = &self.system {
            return match (voice.is_lost(), has_clips) {
                (false, _) => VoiceState::AsWished,
                (true, true) => VoiceState::ByClips,
                (true, false) => VoiceState::Not,
            };
        }
        if has_clips {
            VoiceState::AsWished
        } else {
            VoiceState::Not
        }
    }

    /// Reports a change in how the channel speaks. If it is for the worse, `reason` is the
    /// sentence for it.
    fn tell_voice_state(&mut self, reason: PhraseKey) {
        let voice_state = self.voice_state();
        let before = std::mem::replace(&mut self.told, voice_state);
        let channel = self.channel;
        let event = match voice_state.cmp(&before) {
            Ordering::Equal => return,
            Ordering::Less => SpeakerEvent::Fault {
                channel,
                phrase: reason.into(),
                speaks_on: voice_state == VoiceState::ByClips,
            },
            Ordering::Greater => SpeakerEvent::Recovered {
                channel,
                phrase: PhraseKey::VoiceBack.into(),
                as_wished: voice_state == VoiceState::AsWished,
            },
        };
        let _ = self.events.send(event);
    }
}

/// The same words, said several times in a row.
#[derive(Default)]
struct InARow {
    phrase: Option<Phrase>,
    times: usize,
}

impl InARow {
    /// Records that these words were said elsewhere, where they were heard too.
    fn was_said(&mut self, phrase: &Phrase) {
        if self.phrase.as_ref() != Some(phrase) {
            self.say(phrase);
        }
    }

    /// Counts these words, and returns how often they were said before.
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

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;
    use crate::notation::Announcement;

    #[test]
    fn what_the_table_has_heard_is_slower_in_the_ear_the_second_time() {
        let announced = |to| {
            let said = Announcement::of_move(Role::Knight, Square::G1, to);
            Phrase::new(PhraseKey::Announced, [Argument::Move(said)])
        };
        let mut ear = InARow::default();
        let rates = |ear: &mut InARow, phrase: &Phrase| SLOWER[ear.say(phrase)];
        let phrase = announced(Square::F3);
        ear.was_said(&phrase);
        assert_eq!([(); 3].map(|()| rates(&mut ear, &phrase)), [100, 85, 70]);
        // A repeat at the table changes nothing. A new announcement begins the count anew.
        ear.was_said(&phrase);
        assert_eq!(ear.times, 3);
        ear.was_said(&announced(Square::H3));
        assert_eq!(rates(&mut ear, &announced(Square::H3)), 100);
        // At the table itself the first time is the announcement.
        let mut table = InARow::default();
        assert_eq!([(); 3].map(|()| rates(&mut table, &phrase)), [100, 100, 85]);
    }
}
