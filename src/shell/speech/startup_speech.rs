//! What is said before there is a table that can say it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, unbounded};
use shakmaty::{ByColor, Color};

use super::voice::{
    ChannelLanguages, Speaker, SpeakerEvent, SpeakerSettings, UtteranceId, VoiceKind,
};
use crate::game::Priority;
use crate::persons::Channel;
use crate::phrases::{Language, Phrase};
use crate::shell::hearing::somebody_speaks::SpeechMonitor;

/// How long to wait for the last word.
const LAST_WORDS: Duration = Duration::from_secs(6);

/// Something that is being said. Faults of its voices are left to the table, which opens the voices
/// again and reports them.
pub struct StartupSpeech {
    speaker: Speaker,
    events: Receiver<SpeakerEvent>,
    said: Vec<UtteranceId>,
}

impl StartupSpeech {
    /// Says a phrase at the table, or to each player alone where the table has no voice.
    pub fn say(settings: SpeakerSettings, language: &Language, phrase: &Phrase) -> Self {
        let channels = if settings.table.voice == VoiceKind::Silent {
            let has_voice = |side: &Color| {
                let ear = settings.ears.get(*side).as_ref();
                ear.is_some_and(|ear| ear.voice != VoiceKind::Silent)
            };
            let sides = Color::ALL.into_iter().filter(has_voice);
            sides.map(Channel::Ear).collect()
        } else {
            vec![Channel::Table]
        };
        let language = Arc::new(language.clone());
        let languages = ChannelLanguages {
            table: Arc::clone(&language),
            ears: ByColor::new_with(|_| Arc::clone(&language)),
        };
        let (told, events) = unbounded();
        let speaker = Speaker::open(settings, languages, SpeechMonitor::default(), told);
        let said = channels
            .into_iter()
            .map(|channel| speaker.say(channel, phrase, Priority::Next))
            .collect();
        Self {
            speaker,
            events,
            said,
        }
    }

    /// Waits until the phrase is said, and closes the voices.
    pub fn finish(mut self) {
        let until = Instant::now() + LAST_WORDS;
        while !self.said.is_empty() {
            match self.events.recv_deadline(until) {
                Ok(SpeakerEvent::Finished { id, .. }) => self.said.retain(|it| *it != id),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        drop(self.speaker);
    }
}
