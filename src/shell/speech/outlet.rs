//! The voices at the table, as an outlet for effects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;

use super::earcons;
use super::voice::{
    AnswerId, ChannelLanguages, Extent, Speaker, SpeakerEvent, SpeakerSettings, UtteranceId,
};
use crate::game::{Device, Earcon, Effect, Game, Input, Priority, VoiceMark};
use crate::moment::Moment;
use crate::persons::{Channel, Person};
use crate::phrases::{Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::hearing::somebody_speaks::SpeechMonitor;
use crate::shell::table::inbox::{Reporter, Reports};
use crate::shell::table::{Outlet, Report, Seat};

/// How many events of the voices can wait. The thread that turns them into reports waits for
/// nobody.
const EVENTS: usize = 4096;

/// The least time between two spoken warnings that somebody guesses a PIN. Without it he could
/// disturb the game by guessing.
const NOT_AGAIN: Duration = Duration::from_secs(120);

/// All voices, and the utterances that each has not finished.
pub struct VoiceOutlet {
    speaker: Arc<Speaker>,
    state: Arc<Mutex<SpeechState>>,
    /// The language of the table.
    language: String,
    /// The answer to which new utterances belong.
    answer: AnswerId,
}

#[derive(Default)]
struct SpeechState {
    /// The channel of each utterance and the number that the game gives it.
    sayings: BTreeMap<UtteranceId, (Channel, u32)>,
    /// Channels without a voice at the moment. What is meant for them is read.
    mute: BTreeSet<u8>,
    /// Channels on which clips replace the system voice, as the game has been told.
    clips_instead: BTreeSet<u8>,
    /// Channels that have a voice at all.
    voiced: Vec<Channel>,
    /// How many remarks were said. The game numbers its own utterances upwards from 0; remarks are
    /// numbered downwards from the highest number.
    remarks: u32,
    /// When it was last said that somebody guesses a PIN.
    wrong_pin_said: Option<Instant>,
}

impl VoiceOutlet {
    /// Opens the voices of these channels.
    pub fn open(
        settings: SpeakerSettings,
        languages: ChannelLanguages,
        voiced: Vec<Channel>,
        talk: SpeechMonitor,
        reports: Reports,
    ) -> Self {
        let (sender, events) = crossbeam_channel::bounded(EVENTS);
        let state = Arc::new(Mutex::new(SpeechState {
            voiced,
            ..SpeechState::default()
        }));
        let told = Arc::clone(&state);
        let reporter = reports.reporter("voice");
        thread::spawn(move || tell(&events, &told, &reporter));
        let language = languages.table.lexicon().language().to_owned();
        let speaker = Speaker::open(settings, languages, talk, sender);
        Self {
            answer: speaker.answer(),
            speaker: Arc::new(speaker),
            state,
            language,
        }
    }
}

impl VoiceOutlet {
    /// The voices, for what is no effect of the game, such as the act of a button.
    pub fn speaker(&self) -> Arc<Speaker> {
        Arc::clone(&self.speaker)
    }

    /// The channel on which an earcon for this channel is played. A player without a voice of his
    /// own hears it at the table. Consoles are silent.
    fn place_of(&self, channel: Channel) -> Option<Channel> {
        let state = lock(&self.state);
        let is_heard =
            |it: &Channel| state.voiced.contains(it) && !state.mute.contains(&index(*it));
        match channel {
            Channel::Table | Channel::Ear(_) => {
                [channel, Channel::Table].into_iter().find(is_heard)
            }
            Channel::Assistant(_) | Channel::Arbiter => None,
        }
    }

    /// Follows the language of the table, which the arbiter may change at any time (D.1).
    fn follow_language(&mut self, game: &Game) {
        let language = game.profile().language_of_table();
        if language == self.language {
            return;
        }
        // A language that is not installed is refused where it is typed.
        if let Ok(spoken) = data::language(&language) {
            self.speaker.speak(Channel::Table, Arc::new(spoken));
        }
        self.language = language;
    }
}

impl Outlet for VoiceOutlet {
    fn begin(&mut self) {
        self.answer = self.speaker.answer();
    }

    fn carry_out(&mut self, _now: Moment, game: &Game, effect: &Effect) -> bool {
        self.follow_language(game);
        match effect {
            Effect::Say {
                utterance,
                channel,
                phrase,
                priority,
            } => {
                // The lock is held so that the first report finds the number.
                let mut state = lock(&self.state);
                if !state.voiced.contains(channel) || state.mute.contains(&index(*channel)) {
                    return false;
                }
                let id = self
                    .speaker
                    .say_of(self.answer, *channel, phrase, *priority);
                state.sayings.insert(id, (*channel, *utterance));
                return true;
            }
            Effect::Silence(channel) => self.speaker.silence(*channel),
            Effect::Earcon { channel, earcon } => {
                if let Some(place) = self.place_of(*channel) {
                    self.speaker.play(place, sound_of(*earcon));
                }
                match earcon {
                    // The player has given what the reminder asked for.
                    Earcon::Taken => self.speaker.drop_waiting(None, PhraseKey::PleaseRepeat),
                    Earcon::Listening => {
                        let muted = PhraseKey::MicrophoneMuted;
                        self.speaker.drop_waiting(Some(*channel), muted);
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        false
    }

    /// Remarks to a person who types are said to him too, like all else that he asks for. The
    /// warning that somebody guesses a PIN must not depend on somebody reading it; it is shortened,
    /// and said rarely.
    fn remark(&mut self, to: Option<Seat>, phrase: &Phrase) {
        let mut state = lock(&self.state);
        let Some(phrase) = aloud(phrase, &mut state.wrong_pin_said) else {
            return;
        };
        // At a console of his own he reads it, and nobody else needs to know of it.
        let Some(channel) = channel_of(to, phrase.key, &state.voiced) else {
            return;
        };
        let id = self
            .speaker
            .say_of(self.answer, channel, &phrase, Priority::Next);
        // The microphones must know of a remark as of everything else that is said.
        state.remarks += 1;
        let utterance = u32::MAX - state.remarks;
        state.sayings.insert(id, (channel, utterance));
    }
}

/// Returns a remark as it is to be said, or none. The warning that somebody guesses a PIN is
/// shortened and said rarely.
fn aloud(remark: &Phrase, said: &mut Option<Instant>) -> Option<Phrase> {
    let is_of_wrong_pins = matches!(
        remark.key,
        PhraseKey::WrongPins | PhraseKey::WrongPinsTried | PhraseKey::WrongPinsUnchecked
    );
    if !is_of_wrong_pins {
        return Some(remark.clone());
    }
    if said.is_some_and(|said| said.elapsed() < NOT_AGAIN) {
        return None;
    }
    *said = Some(Instant::now());
    let whose = remark.arguments.iter().take(1).cloned();
    Some(Phrase::new(PhraseKey::WrongPin, whose))
}

/// Returns the channel on which a remark is said, if there is one.
fn channel_of(to: Option<Seat>, key: PhraseKey, voiced: &[Channel]) -> Option<Channel> {
    let channel = match to {
        Some(Seat::Of(Person::Player(side))) => Channel::Ear(side),
        Some(Seat::Shared | Seat::SharedAs(_)) => Channel::Table,
        // Of all that is told to everybody, only this must not depend on somebody reading it. Where
        // the table has no voice, the ear that all can hear has one.
        None if matches!(
            key,
            PhraseKey::NoPrivatePlace
                | PhraseKey::EarIsShared
                | PhraseKey::MaySleep
                | PhraseKey::WrongPin
                | PhraseKey::PlayersBegin
        ) =>
        {
            voiced.first().copied()?
        }
        _ => return None,
    };
    voiced.contains(&channel).then_some(channel)
}

const fn sound_of(earcon: Earcon) -> earcons::EarconSound {
    match earcon {
        Earcon::Taken | Earcon::PressTaken => earcons::EarconSound::Heard,
        Earcon::Again | Earcon::Refused | Earcon::Lost => earcons::EarconSound::NotUnderstood,
        Earcon::Pressed => earcons::EarconSound::YourTurn,
        Earcon::Listening => earcons::EarconSound::Listening,
    }
}

/// Turns the speaker's events into reports until the game is left.
fn tell(events: &Receiver<SpeakerEvent>, state: &Mutex<SpeechState>, reporter: &Reporter) {
    for event in events {
        let reports = match event {
            SpeakerEvent::Begun { id, .. } => marks(state, id, &[VoiceMark::Begun], false),
            // The utterance is not over. How much of it was heard is known after it is said again.
            SpeakerEvent::Torn { .. } => Vec::new(),
            SpeakerEvent::Finished { id, extent } => {
                let mark = match extent {
                    Extent::Whole => VoiceMark::Finished,
                    Extent::Cut | Extent::Unheard => VoiceMark::Unheard,
                };
                marks(state, id, &[mark], true)
            }
            SpeakerEvent::Fault {
                channel,
                phrase,
                speaks_on,
            } => vec![lost(state, channel, phrase.key, speaks_on)],
            SpeakerEvent::Recovered {
                channel, as_wished, ..
            } => returned(state, channel, as_wished),
        };
        for report in reports {
            if !reporter.report(report) {
                return;
            }
        }
    }
}

/// The marks of an utterance. What a channel without a voice could not say was read instead.
fn marks(
    state: &Mutex<SpeechState>,
    id: UtteranceId,
    marks: &[VoiceMark],
    is_last: bool,
) -> Vec<Report> {
    let mut state = lock(state);
    let Some(&(channel, utterance)) = state.sayings.get(&id) else {
        return Vec::new();
    };
    if is_last {
        state.sayings.remove(&id);
    }
    let is_read = state.mute.contains(&index(channel)) && marks == [VoiceMark::Unheard];
    let marks = if is_read { &[VoiceMark::Shown] } else { marks };
    marks
        .iter()
        .map(|&mark| {
            Report::Input(Input::Voice {
                channel,
                utterance,
                mark,
            })
        })
        .collect()
}

/// Records that a channel has no voice, or has clips in place of the system voice.
fn lost(state: &Mutex<SpeechState>, channel: Channel, why: PhraseKey, speaks_on: bool) -> Report {
    let mut state = lock(state);
    if speaks_on {
        state.clips_instead.insert(index(channel));
        return presence(Device::SystemVoice(channel), false);
    }
    state.mute.insert(index(channel));
    if why == PhraseKey::LoudspeakerLost {
        return presence(Device::Voice(channel), false);
    }
    // The loudspeaker is there. The fault is in the speech service.
    Report::Input(Input::Failed {
        device: Some(Device::Voice(channel)),
        person: None,
        fault: Fault::new(Part::Voice, Reason::Silent, Remedy::Read),
    })
}

/// Records that a channel speaks again, or speaks by the system voice again.
fn returned(state: &Mutex<SpeechState>, channel: Channel, as_wished: bool) -> Vec<Report> {
    let mut state = lock(state);
    let mut reports = Vec::new();
    if state.mute.remove(&index(channel)) {
        reports.push(presence(Device::Voice(channel), true));
    }
    if as_wished && state.clips_instead.remove(&index(channel)) {
        reports.push(presence(Device::SystemVoice(channel), true));
    }
    reports
}

const fn presence(device: Device, present: bool) -> Report {
    Report::Input(Input::Device { device, present })
}

const fn index(channel: Channel) -> u8 {
    use shakmaty::Color::{Black, White};
    match channel {
        Channel::Table => 0,
        Channel::Ear(White) => 1,
        Channel::Ear(Black) => 2,
        Channel::Assistant(White) => 3,
        Channel::Assistant(Black) => 4,
        Channel::Arbiter => 5,
    }
}

fn lock(state: &Mutex<SpeechState>) -> MutexGuard<'_, SpeechState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrases::Argument;
    use shakmaty::Color;

    #[test]
    fn that_somebody_guesses_a_pin_is_said_in_few_words_and_not_again_and_again() {
        let who = Argument::Phrase(Box::new(PhraseKey::WhoArbiter.into()));
        let counts = [Argument::Number(4), Argument::Number(90)];
        let guessed = Phrase::new(
            PhraseKey::WrongPins,
            [who.clone()].into_iter().chain(counts),
        );
        let mut said = None;
        let short = aloud(&guessed, &mut said).unwrap();
        assert_eq!(short, Phrase::new(PhraseKey::WrongPin, [who]));
        assert_eq!(aloud(&guessed, &mut said), None);
        let other = Phrase::from(PhraseKey::MaySleep);
        assert_eq!(aloud(&other, &mut said), Some(other));
        let voiced = [Channel::Table, Channel::Ear(Color::White)];
        for (heard, channel) in [(&voiced[..], voiced[0]), (&voiced[1..], voiced[1])] {
            assert_eq!(channel_of(None, short.key, heard), Some(channel));
        }
        assert_eq!(channel_of(None, PhraseKey::PinMade, &voiced), None);
        let arbiter = Some(Seat::Of(Person::Arbiter));
        assert_eq!(channel_of(arbiter, short.key, &voiced), None);
    }

    #[test]
    fn a_loudspeaker_is_not_blamed_for_the_speech_service() {
        let state = Mutex::default();
        let said = lost(&state, Channel::Table, PhraseKey::VoiceLost, false);
        let Report::Input(Input::Failed { device, fault, .. }) = said else {
            panic!("{said:?}");
        };
        assert_eq!(device, Some(Device::Voice(Channel::Table)));
        assert_eq!(fault.part, Part::Voice);
        let back = returned(&state, Channel::Table, true);
        assert!(matches!(
            back.as_slice(),
            [Report::Input(Input::Device { present: true, .. })]
        ));
    }
}
