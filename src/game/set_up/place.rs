//! The devices of a room, and which of them a question uses.

use super::{Answers, OthersMicrophone, Pair, Question, SetUp, Voice, Whose};

/// The devices and languages that are available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// The loudspeakers by name, the system's own choice first.
    pub loudspeakers: Vec<String>,
    /// The microphones by name, the system's own choice first.
    pub microphones: Vec<String>,
    /// The languages that can be spoken: code and name.
    pub languages: Vec<(String, String)>,
    /// Whether the system has a voice.
    pub has_system_voice: bool,
    /// The ports to which electronic boards may be connected.
    pub ports: Vec<String>,
}

impl Room {
    /// Whether the devices of these answers are present. A room without loudspeakers needs none. If
    /// there is a microphone, one must have been chosen.
    pub(super) fn has_devices_of(&self, answers: &Answers) -> bool {
        let ears = [&answers.ears.table, &answers.ears.other];
        let has = |names: &[String], name: &String| is_among(names, name);
        let is_heard = self.loudspeakers.is_empty()
            || (answers.ears.own.as_ref()).is_some_and(|ear| has(&self.loudspeakers, ear))
                && (ears.into_iter().flatten()).all(|ear| has(&self.loudspeakers, ear));
        let others = match &answers.others_microphone {
            OthersMicrophone::Own(name) => Some(name),
            OthersMicrophone::None | OthersMicrophone::Shared => None,
        };
        let hears = self.microphones.is_empty()
            || (answers.own_microphone.as_ref()).is_some_and(|it| has(&self.microphones, it))
                && others.is_none_or(|it| has(&self.microphones, it));
        is_heard && hears
    }

    /// The same room with the boards of earlier answers among its ports, under their earlier names:
    /// `dgt:/dev/ttyACM0` says more than its port. A board that is not connected now, or is
    /// searched for at all ports, comes last. If nothing is connected, nothing is asked and so
    /// nothing is changed.
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

/// Whether one of these devices matches this name from the settings, or a part of it.
fn is_among(names: &[String], wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    let mut names = names.iter();
    names.any(|name| name.to_lowercase().contains(&wanted))
}

/// The devices and voice with which something is said and heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// The loudspeaker; `None` if there is none.
    pub loudspeaker: Option<&'a str>,
    /// The microphone for the answer; `None` if there is none.
    pub microphone: Option<&'a str>,
    /// The language.
    pub language: &'a str,
    /// How annexd speaks.
    pub voice: Voice,
}

impl Answers {
    /// The player's own ear and microphone.
    pub fn own_place(&self) -> Place<'_> {
        Place {
            loudspeaker: self.ears.own.as_deref(),
            microphone: self.own_microphone.as_deref(),
            language: &self.languages.own,
            voice: self.voice,
        }
    }
}

impl SetUp {
    /// The devices with which the open question is asked and answered. A configured device that is
    /// missing is not used.
    pub fn place(&self) -> Place<'_> {
        let answers = self.answers();
        let (loudspeakers, microphones) = (&self.room.loudspeakers, &self.room.microphones);
        let is_heard = |name: &&String| is_among(loudspeakers, name);
        let hears = |name: &&String| is_among(microphones, name);
        let offered_loudspeaker = || self.loudspeaker(self.offered);
        let loudspeaker = match self.question() {
            Question::Ear(_) | Question::Table => offered_loudspeaker(),
            Question::Consent(Whose::Other) | Question::Approval => answers
                .ears
                .table_or_own()
                .filter(is_heard)
                .map(String::as_str),
            _ => answers
                .ears
                .own
                .as_ref()
                .filter(is_heard)
                .map(String::as_str),
        };
        let tested = microphones.get(self.offered);
        let others = match &answers.others_microphone {
            OthersMicrophone::Own(name) => Some(name).filter(hears).map(String::as_str),
            OthersMicrophone::None | OthersMicrophone::Shared => None,
        };
        let own = answers
            .own_microphone
            .as_ref()
            .filter(hears)
            .map(String::as_str);
        let usual = || microphones.first().map(String::as_str);
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
        let mut voice = answers.voice;
        if question == Question::Voice {
            voice.is_system = self.offered == 1;
        }
        voice.set_percent(question, self.percent(self.offered));
        Place {
            loudspeaker,
            microphone,
            language: language.map_or(&answers.languages.own, |(code, _)| code),
            voice,
        }
    }
}
