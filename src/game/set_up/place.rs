//! What there is in a room, and what of it a question uses.

use super::{OthersMicrophone, Pair, Question, SetUp, Whose};

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The loudspeakers by name, the system's own choice first.
    pub loudspeakers: Vec<String>,
    /// The microphones by name, the system's own choice first.
    pub microphones: Vec<String>,
    /// The languages that can be spoken, by code, and their names.
    pub languages: Vec<(String, String)>,
    /// Whether the system has a voice.
    pub has_system_voice: bool,
    /// The ports into which electronic boards may be plugged.
    pub ports: Vec<String>,
}

impl Room {
    /// The same room with the boards that were set before among its ports, by what they were
    /// called then: `dgt:/dev/ttyACM0` says more than its port. One that is not plugged in just
    /// now, or is looked for at all ports, is the last. Where nothing is plugged in nothing is
    /// asked, and so nothing is changed.
    pub(super) fn with_boards(mut self, boards: &Pair<Option<String>>) -> Self {
        if self.ports.is_empty() {
            return self;
        }
        for place in Whose::BOTH.iter().filter_map(|it| boards[*it].as_ref()) {
            let is_at = |port: &String| {
                let kind = place.strip_suffix(port.as_str());
                kind.is_some_and(|kind| kind.is_empty() || kind.ends_with(':'))
            };
            match self.ports.iter_mut().find(|port| is_at(port)) {
                Some(port) => port.clone_from(place),
                None => self.ports.push(place.clone()),
            }
        }
        self
    }
}

/// With what something is said and heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// From which loudspeaker; `None` if there is none.
    pub loudspeaker: Option<&'a str>,
    /// Into which microphone the answer is spoken; `None` if there is none.
    pub microphone: Option<&'a str>,
    /// In which language.
    pub language: &'a str,
    /// Whether by the system's voice.
    pub by_system_voice: bool,
    /// How fast, in percent.
    pub rate_percent: u32,
    /// How high, in percent.
    pub pitch_percent: u32,
    /// How loudly, in percent.
    pub loudness_percent: u32,
}

impl SetUp {
    /// With what the open question is asked and answered.
    pub fn place(&self) -> Place<'_> {
        let answers = self.answers();
        let offered_loudspeaker = || self.loudspeaker(self.offered);
        let loudspeaker = match self.question() {
            Question::Ear(_) | Question::Table => offered_loudspeaker(),
            Question::Consent(Whose::Other) | Question::Approval => {
                answers.table_or_ear().map(String::as_str)
            }
            _ => answers.own_ear.as_deref(),
        };
        let tested = self.room.microphones.get(self.offered);
        let others = match &answers.others_microphone {
            OthersMicrophone::Own(name) => Some(name.as_str()),
            OthersMicrophone::None | OthersMicrophone::Shared => None,
        };
        let own = answers.own_microphone.as_deref();
        let usual = || self.room.microphones.first().map(String::as_str);
        let microphone = match self.question() {
            Question::Microphone(_) => tested.map(String::as_str),
            Question::Consent(Whose::Other) => others.or(own),
            Question::Ear(_)
            | Question::Language
            | Question::Voice
            | Question::Rate
            | Question::Pitch
            | Question::Loudness => own.or_else(usual),
            _ => own,
        };
        let language = match self.question() {
            Question::Language => self.room.languages.get(self.offered),
            _ => None,
        };
        let question = self.question();
        let percent = |of: Question, now: u32| {
            if question == of {
                self.percent(self.offered)
            } else {
                now
            }
        };
        Place {
            loudspeaker,
            microphone,
            language: language.map_or(&answers.language, |(code, _)| code),
            by_system_voice: match question {
                Question::Voice => self.offered == 1,
                _ => answers.by_system_voice,
            },
            rate_percent: percent(Question::Rate, answers.rate_percent),
            pitch_percent: percent(Question::Pitch, answers.pitch_percent),
            loudness_percent: percent(Question::Loudness, answers.loudness_percent),
        }
    }
}
