//! The voice of the set-up. It speaks at one place at a time.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use shakmaty::ByColor;

use crate::game::Priority;
use crate::persons::Channel;
use crate::phrases::{Language, Phrase};
use crate::set_up::Place;
use crate::shell::hearing::somebody_speaks::SpeechMonitor;
use crate::shell::speech::voice::{
    ChannelLanguages, Clips, EarconSettings, Speaker, SpeakerEvent, SpeakerSettings, UtteranceId,
    VoiceKind, VoiceSettings,
};

/// How long the set-up waits for the system voice.
const FOR_THE_SYSTEM_VOICE: Duration = Duration::from_secs(20);

/// How long the set-up waits for the last sentence to end.
const LAST_WORDS: Duration = Duration::from_secs(6);

/// The voice of a set-up, with a loudspeaker if one is in use.
#[derive(Default)]
pub(super) struct Voice {
    open: Option<Open>,
    silent_since: Option<Instant>,
}

struct Open {
    speaker: Speaker,
    events: Receiver<SpeakerEvent>,
    device: String,
    language: String,
    sounds: VoiceSettings,
    /// The utterances that were asked for and have not ended.
    waiting: BTreeSet<UtteranceId>,
}

impl Voice {
    /// Speaks at another place from now on.
    pub(super) fn move_to(&mut self, place: &Place, language: &Language) {
        let stays = self.open.as_ref().is_some_and(|open| {
            Some(open.device.as_str()) == place.loudspeaker
                && open.language == place.language
                && open.sounds == sounds(place)
        });
        if stays {
            return;
        }
        // The device may be the same, so it is closed before it is opened again.
        self.open = None;
        self.open = place
            .loudspeaker
            .map(|device| Open::at(device, place, language));
    }

    /// The events of the open speaker.
    pub(super) fn events(&self) -> Option<&Receiver<SpeakerEvent>> {
        self.open.as_ref().map(|open| &open.events)
    }

    /// Takes in an event of the speaker.
    pub(super) fn told(&mut self, event: &SpeakerEvent) {
        if let (Some(open), SpeakerEvent::Finished { id, .. }) = (&mut self.open, event) {
            open.waiting.remove(id);
            if open.waiting.is_empty() {
                self.silent_since = Some(Instant::now());
            }
        }
    }

    /// Says these phrases after the current one, as one answer, so that no line of a list replaces
    /// another.
    pub(super) fn say(&mut self, phrases: &[Phrase]) {
        let Some(open) = &mut self.open else {
            return;
        };
        let answer = open.speaker.answer();
        for phrase in phrases {
            let channel = Channel::Table;
            let id = open.speaker.say_of(answer, channel, phrase, Priority::Next);
            open.waiting.insert(id);
        }
    }

    /// Stops speaking.
    pub(super) fn silence(&self) {
        if let Some(open) = &self.open {
            open.speaker.silence(Channel::Table);
        }
    }

    /// Returns whether something is being said.
    pub(super) fn is_speaking(&self) -> bool {
        self.open
            .as_ref()
            .is_some_and(|open| !open.waiting.is_empty())
    }

    /// The moment since which nothing is being said.
    pub(super) fn silent_since(&self) -> Instant {
        self.silent_since.unwrap_or_else(Instant::now)
    }

    /// Waits until everything is said.
    pub(super) fn finish(&mut self) {
        let until = Instant::now() + LAST_WORDS;
        while self.is_speaking() {
            let Some(Ok(event)) = self.events().map(|events| events.recv_deadline(until)) else {
                return;
            };
            self.told(&event);
        }
    }
}

impl Open {
    fn at(device: &str, place: &Place, language: &Language) -> Self {
        let sounds = sounds(place);
        let settings = SpeakerSettings {
            table: VoiceSettings {
                device: Some(device.to_owned()),
                ..sounds.clone()
            },
            ears: ByColor::new_with(|_| None),
            earcons: EarconSettings::default(),
        };
        let language = Arc::new(language.clone());
        let languages = ChannelLanguages {
            table: Arc::clone(&language),
            ears: ByColor::new_with(|_| Arc::clone(&language)),
        };
        let (told, events) = unbounded();
        let speaker = Speaker::open(settings, languages, SpeechMonitor::default(), told);
        if place.voice.is_system || Clips::open(place.language).is_err() {
            // A system voice takes a while to start.
            speaker.wait_for_voices(FOR_THE_SYSTEM_VOICE);
        }
        Self {
            speaker,
            events,
            device: device.to_owned(),
            language: place.language.to_owned(),
            sounds,
            waiting: BTreeSet::new(),
        }
    }
}

/// The voice settings of a place.
fn sounds(place: &Place) -> VoiceSettings {
    VoiceSettings {
        voice: if place.voice.is_system {
            VoiceKind::System
        } else {
            VoiceKind::Clips
        },
        rate_percent: place.voice.rate_percent,
        pitch_percent: place.voice.pitch_percent,
        loudness_percent: place.voice.loudness_percent,
        ..VoiceSettings::default()
    }
}
