//! The possibilities of each question: their number, their words, and what taking one changes.

use shakmaty::Color;

use super::answers::{Approval, Disabled, OthersMicrophone};
use super::plan::Plan;
use super::{Question, SetUp, Topic, Whose, choice, index_to_number};
use crate::Mode;
use crate::board::Orientation;
use annexd_laws::Edition;
use annexd_laws::clock::TimeControl;
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// The rates of speech offered, in percent.
const RATES: [u32; 4] = [100, 125, 150, 75];
/// The pitches and loudnesses offered, in percent.
const PITCHES: [u32; 4] = [100, 125, 150, 75];
const LOUDNESSES: [u32; 4] = [100, 75, 50, 25];
/// The time controls offered. Any other can be typed.
const TIMES: [&str; 7] = [
    "90m/40+30m+30s",
    "90m+30s",
    "60m+30s",
    "15m+10s",
    "10m+5s",
    "5m+3s",
    "3m+2s",
];
const MODES: [Mode; 3] = [Mode::Rated, Mode::Club, Mode::Practice];
/// The orientations of a board. Finding it out is offered first.
const ORIENTATIONS: [Option<Orientation>; 3] =
    [None, Some(Orientation::Normal), Some(Orientation::Rotated)];

impl SetUp {
    /// Whether a question applies in this room after the answers so far.
    pub(super) fn applies(&self, question: Question) -> bool {
        let (room, answers) = (&self.room, &self.answers);
        match question {
            Question::Ear(Whose::Own) | Question::Rate | Question::Loudness => {
                !room.loudspeakers.is_empty()
            }
            Question::Voice => !room.loudspeakers.is_empty() && room.has_system_voice,
            Question::Pitch => !room.loudspeakers.is_empty() && answers.voice.is_system,
            Question::Board(_) => !self.ports().is_empty(),
            Question::Orientation(whose) => answers.boards[whose].is_some(),
            Question::Clock => {
                let has_board = Whose::BOTH.iter().any(|it| answers.boards[*it].is_some());
                has_board && answers.terms.time_control.is_some()
            }
            Question::Private => room.loudspeakers.len() > 1,
            Question::Table => room.loudspeakers.len() > 1 && answers.ears.is_private,
            Question::Ear(Whose::Other) => {
                room.loudspeakers.len() > 1 && answers.disabled == Disabled::Both
            }
            Question::Language => room.languages.len() > 1,
            Question::Microphone(Whose::Own) => !room.microphones.is_empty(),
            Question::OthersMicrophone => answers.own_microphone.is_some(),
            Question::Microphone(Whose::Other) => {
                matches!(answers.others_microphone, OthersMicrophone::Own(_))
            }
            Question::Assistant(whose) => answers.disabled.is(whose),
            Question::Consent(Whose::Own) => answers.own_microphone.is_some(),
            Question::Consent(Whose::Other) => answers.others_microphone != OthersMicrophone::None,
            // Where there is an arbiter, it is he who decides otherwise than the Laws suggest.
            Question::TableLanguage => {
                let languages = &answers.languages;
                self.differs_from_the_laws()
                    && !answers.arbiter
                    && (languages.table.is_none() || languages.is_table_own())
            }
            Question::Approval => answers.arbiter && answers.terms.needs_approval(),
            _ => true,
        }
    }

    /// The number of possibilities of the open question.
    pub(super) fn possibilities(&self) -> usize {
        match self.question {
            Question::Ear(Whose::Other) => self.room.loudspeakers.len().saturating_sub(1),
            Question::Ear(Whose::Own) | Question::Table => self.room.loudspeakers.len(),
            Question::Language => self.room.languages.len(),
            Question::Rate | Question::Pitch | Question::Loudness => self.percents().len(),
            Question::Board(_) => self.ports().len() + 1,
            Question::Microphone(_) => self.room.microphones.len(),
            Question::Disabled => Disabled::ALL.len(),
            Question::OthersMicrophone => self.others_microphones().len(),
            Question::Edition => Edition::ALL.len(),
            Question::Time => self.times().len(),
            Question::Mode => MODES.len(),
            Question::Orientation(_) => ORIENTATIONS.len(),
            Question::Topic => self.topics().len(),
            Question::Colour
            | Question::Voice
            | Question::Clock
            | Question::Private
            | Question::Assistant(_)
            | Question::Arbiter
            | Question::TableLanguage
            | Question::Consent(_) => 2,
            Question::Name(_) | Question::Approval | Question::Summary => 0,
        }
    }

    /// The index of the current value, which is offered first.
    pub(super) fn current(&self) -> usize {
        let answers = &self.answers;
        let place_of = |name: Option<&String>, among: &[String]| {
            among.iter().position(|it| Some(it) == name).unwrap_or(0)
        };
        match self.question {
            Question::Ear(Whose::Own) => {
                place_of(answers.ears.own.as_ref(), &self.room.loudspeakers)
            }
            Question::Ear(Whose::Other) => 0,
            Question::Table => {
                let all = &self.room.loudspeakers;
                let set = (all.iter()).position(|it| Some(it) == answers.ears.table.as_ref());
                let other = || (all.iter()).position(|it| Some(it) != answers.ears.own.as_ref());
                set.or_else(other).unwrap_or(0)
            }
            Question::Language => {
                let mut languages = self.room.languages.iter();
                languages
                    .position(|(code, _)| *code == answers.languages.own)
                    .unwrap_or(0)
            }
            Question::Voice => usize::from(answers.voice.is_system),
            Question::Rate | Question::Pitch | Question::Loudness => {
                position(&self.percents(), &self.percent_now())
            }
            Question::Board(whose) => {
                let mut ports = self.ports().into_iter();
                let place = ports.position(|port| Some(port) == answers.boards[whose].as_ref());
                place.map_or(0, |place| place + 1)
            }
            Question::Orientation(whose) => position(&ORIENTATIONS, &answers.orientations[whose]),
            Question::Clock => usize::from(answers.terms.by_chessclock),
            Question::Microphone(Whose::Own) => {
                place_of(answers.own_microphone.as_ref(), &self.room.microphones)
            }
            Question::Microphone(Whose::Other) => {
                let own = answers.own_microphone.as_ref();
                let mut microphones = self.room.microphones.iter();
                microphones.position(|it| Some(it) != own).unwrap_or(0)
            }
            Question::Colour => usize::from(answers.own_side == Color::Black),
            Question::Private => usize::from(!answers.ears.is_private),
            Question::Disabled => position(&Disabled::ALL, &answers.disabled),
            Question::OthersMicrophone => {
                position(&self.others_microphones(), &answers.others_microphone)
            }
            // A player who has no assistant need not say so twice.
            Question::Assistant(whose) => usize::from(answers.has_assistant[whose]),
            Question::Edition => position(&editions(), &answers.terms.edition),
            Question::Time => position(&self.times(), &answers.terms.time_control),
            Question::Mode => position(&MODES, &answers.terms.mode),
            Question::Arbiter => usize::from(!answers.arbiter),
            Question::TableLanguage => {
                usize::from(self.plan != Plan::First && answers.languages.table.is_none())
            }
            Question::Consent(_)
            | Question::Name(_)
            | Question::Approval
            | Question::Topic
            | Question::Summary => 0,
        }
    }

    /// Which language is spoken at the table: the player's own, or the one that the Laws suggest.
    fn table_language(&self, is_own: bool) -> Vec<Phrase> {
        let suggested = self.answers.terms.suggested_language().unwrap_or_default();
        let suggested = Argument::Language(suggested.to_owned());
        vec![if is_own {
            PhraseKey::SetUpOwnTable.into()
        } else {
            Phrase::new(PhraseKey::SetUpLawsTable, [suggested])
        }]
    }

    /// Whether the Laws suggest other words at the table than those of the player's language.
    fn differs_from_the_laws(&self) -> bool {
        let suggested = self.answers.terms.suggested_language();
        suggested.is_some_and(|code| code != self.answers.languages.own)
    }

    /// Takes a possibility of the open question.
    pub(super) fn take(&mut self, possibility: usize) {
        let microphone = self.room.microphones.get(possibility).cloned();
        let loudspeaker = self.loudspeaker(possibility).map(str::to_owned);
        let others_microphone = self.others_microphones().into_iter().nth(possibility);
        let (percent, times) = (self.percent(possibility), self.times());
        let port = possibility.checked_sub(1);
        let port = port.and_then(|port| self.ports().get(port).map(|it| (*it).clone()));
        let language = self.room.languages.get(possibility).cloned();
        let topic = self.topics().get(possibility).copied();
        let answers = &mut self.answers;
        match self.question {
            Question::Ear(Whose::Own) => {
                let is_only = self.room.loudspeakers.len() <= 1;
                answers.ears.take_own(loudspeaker, is_only);
            }
            Question::Ear(Whose::Other) => answers.ears.other = loudspeaker,
            Question::Table => answers.ears.table = loudspeaker,
            Question::Language => {
                if let Some((code, _)) = language {
                    answers.languages.speak(code);
                }
            }
            Question::Voice => answers.voice.is_system = possibility == 1,
            Question::Rate | Question::Pitch | Question::Loudness => {
                answers.voice.set_percent(self.question, percent);
            }
            Question::Board(whose) => answers.boards[whose] = port,
            Question::Orientation(whose) => {
                answers.orientations[whose] = at(&ORIENTATIONS, possibility);
            }
            Question::Clock => answers.terms.by_chessclock = possibility == 1,
            Question::Microphone(Whose::Own) => answers.own_microphone = microphone,
            Question::Microphone(Whose::Other) => {
                answers.others_microphone =
                    microphone.map_or(OthersMicrophone::None, OthersMicrophone::Own);
            }
            Question::Colour => answers.own_side = Color::from_white(possibility == 0),
            Question::Private => answers.ears.keep_private(possibility == 0),
            Question::Disabled => answers.disabled = at(&Disabled::ALL, possibility),
            Question::OthersMicrophone => {
                answers.others_microphone = others_microphone.unwrap_or_default();
            }
            Question::Assistant(whose) => answers.has_assistant[whose] = possibility == 1,
            Question::Edition => answers.terms.edition = at(&editions(), possibility),
            Question::Time => {
                answers.terms.time_control = times.into_iter().nth(possibility).unwrap_or_default();
            }
            Question::Mode => {
                answers.terms.mode = at(&MODES, possibility);
                answers.have_arbiter(answers.terms.mode == Mode::Rated);
            }
            Question::Arbiter => answers.have_arbiter(possibility == 0),
            Question::TableLanguage => answers.languages.agree_on_table(possibility == 0),
            Question::Consent(whose) => answers.consents[whose] = possibility == 0,
            Question::Topic => self.plan = topic.map_or(self.plan, Plan::Topic),
            Question::Name(_) | Question::Approval | Question::Summary => {}
        }
    }

    /// Takes typed text, if it answers the open question. Returns whether it did.
    pub(super) fn write(&mut self, text: &str) -> bool {
        let answers = &mut self.answers;
        match self.question {
            Question::Name(whose) => answers.names[whose] = text.to_owned(),
            Question::Edition => return answers.terms.write_edition(text),
            Question::Time => return answers.terms.write_time(text),
            Question::Rate | Question::Pitch | Question::Loudness => {
                let percent = text.trim_end_matches(['%', ' ']).parse();
                return percent.is_ok_and(|it| answers.voice.set_percent(self.question, it));
            }
            Question::Language => {
                let is_named = |(code, name): &&(String, String)| {
                    *code == text || name.to_lowercase() == text.to_lowercase()
                };
                match self.room.languages.iter().find(is_named) {
                    Some((code, _)) => answers.languages.speak(code.clone()),
                    None => return false,
                }
            }
            Question::Approval => match approval(text) {
                Some(approval) => answers.approval = Some(approval),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// What the open question offers, as a statement.
    pub(super) fn statement(&self) -> Vec<Phrase> {
        let answers = &self.answers;
        let number = || Argument::Number(index_to_number(self.offered));
        let say = |key: PhraseKey, arguments: Vec<Argument>| vec![Phrase::new(key, arguments)];
        let side = |whose| Argument::Side(answers.side(whose));
        let (first, second) = (self.offered == 0, self.offered == 1);
        match self.question {
            Question::Ear(Whose::Own) => say(PhraseKey::SetUpDevice, vec![number()]),
            Question::Ear(Whose::Other) => say(
                PhraseKey::SetUpOthersEar,
                vec![number(), side(Whose::Other)],
            ),
            Question::Table => say(PhraseKey::SetUpTable, vec![number()]),
            Question::Language => say(PhraseKey::SetUpLanguage, vec![]),
            Question::Voice if first => say(PhraseKey::SetUpRecordedVoice, vec![]),
            Question::Voice => say(PhraseKey::SetUpSystemVoice, vec![]),
            Question::Rate => say(PhraseKey::SetUpRate, vec![]),
            Question::Pitch => say(PhraseKey::SetUpPitch, vec![]),
            Question::Loudness => say(PhraseKey::SetUpLoudness, vec![]),
            Question::Board(whose) => self.board(whose, self.offered),
            Question::Orientation(whose) => {
                self.orientation(whose, at(&ORIENTATIONS, self.offered))
            }
            Question::Clock => clock(second),
            Question::Microphone(Whose::Own) => say(PhraseKey::SetUpMicrophone, vec![number()]),
            Question::Microphone(Whose::Other) => {
                let arguments = vec![number(), side(Whose::Other)];
                say(PhraseKey::SetUpOthersMicrophone, arguments)
            }
            Question::Colour => {
                let side = Color::from_white(first);
                say(PhraseKey::SetUpYouPlay, vec![Argument::Side(side)])
            }
            Question::Disabled => self.disabled(at(&Disabled::ALL, self.offered)),
            Question::Private if first => say(PhraseKey::SetUpPrivate, vec![]),
            Question::Private => say(PhraseKey::SetUpNotPrivate, vec![]),
            Question::OthersMicrophone => {
                let offered = self.others_microphones().into_iter().nth(self.offered);
                let offered = offered.unwrap_or_default();
                vec![others_microphone(side(Whose::Other), &offered)]
            }
            Question::Assistant(whose) => assistant(side(whose), second),
            Question::Edition => rules(at(&editions(), self.offered)),
            Question::Time => match self.times().get(self.offered) {
                Some(Some(control)) => vec![time(control)],
                Some(None) | None => vec![PhraseKey::NoClock.into()],
            },
            Question::Mode => mode(at(&MODES, self.offered)),
            Question::Arbiter => arbiter(first),
            Question::TableLanguage => self.table_language(first),
            Question::Name(whose) => say(PhraseKey::SetUpName, vec![side(whose)]),
            Question::Consent(whose) => say(PhraseKey::SetUpConsent, vec![side(whose)]),
            Question::Approval => {
                let article = Argument::Article(answers.terms.edition.rules().cite("11.3.2"));
                let key = match answers.approval {
                    Some(_) => PhraseKey::DeviceApproved,
                    None => PhraseKey::SetUpApproval,
                };
                say(key, vec![article])
            }
            Question::Topic => {
                let topic = self.topics().get(self.offered).copied();
                let topic = topic.map(|it| choice(self.offered, Topic::phrase(it)));
                topic.into_iter().collect()
            }
            Question::Summary => self.short_summary(),
        }
    }

    /// The topics that can be changed, each with its number.
    pub(super) fn list_of_topics(&self) -> Vec<Phrase> {
        let topics = self.topics().into_iter().enumerate();
        let topics = topics.map(|(index, topic)| choice(index, topic.phrase()));
        let asks = [PhraseKey::SetUpWhatElse.into()].into_iter();
        asks.chain(topics)
            .chain([PhraseKey::WelcomeAsks.into()])
            .collect()
    }

    /// What differs from game to game, and what a player has to know about recording.
    fn short_summary(&self) -> Vec<Phrase> {
        let answers = &self.answers;
        let side = |whose| Argument::Side(answers.side(whose));
        let mut says = vec![Phrase::new(PhraseKey::SetUpYouPlay, [side(Whose::Own)])];
        says.push(self.time_control());
        says.extend(mode(answers.terms.mode));
        for whose in Whose::BOTH {
            if answers.consents[whose] && self.applies(Question::Consent(whose)) {
                says.push(Phrase::new(PhraseKey::SetUpRecorded, [side(whose)]));
            }
        }
        if answers.ears.is_shared() {
            says.push(PhraseKey::EarIsShared.into());
        }
        says
    }

    fn time_control(&self) -> Phrase {
        let control = self.answers.terms.time_control.as_ref();
        control.map_or_else(|| PhraseKey::NoClock.into(), time)
    }

    /// Everything that was answered.
    pub(super) fn summary(&self) -> Vec<Phrase> {
        let answers = &self.answers;
        let side = |whose| Argument::Side(answers.side(whose));
        let mut says = vec![Phrase::new(PhraseKey::SetUpYouPlay, [side(Whose::Own)])];
        says.extend(self.disabled(answers.disabled));
        for whose in Whose::BOTH {
            if answers.disabled.is(whose) {
                says.extend(assistant(side(whose), answers.has_assistant[whose]));
            }
        }
        if self.applies(Question::OthersMicrophone) {
            let microphone = &answers.others_microphone;
            says.push(others_microphone(side(Whose::Other), microphone));
        }
        says.extend(rules(answers.terms.edition));
        says.push(self.time_control());
        for whose in Whose::BOTH {
            if self.applies(Question::Board(whose)) {
                let mut ports = self.ports().into_iter();
                let place = ports.position(|port| Some(port) == answers.boards[whose].as_ref());
                says.extend(self.board(whose, place.map_or(0, |place| place + 1)));
            }
            if self.applies(Question::Orientation(whose)) {
                says.extend(self.orientation(whose, answers.orientations[whose]));
            }
        }
        if self.applies(Question::Clock) {
            says.extend(clock(answers.terms.by_chessclock));
        }
        says.extend(mode(answers.terms.mode));
        says.extend(arbiter(answers.arbiter));
        if self.differs_from_the_laws() {
            says.extend(self.table_language(answers.languages.is_table_own()));
        }
        for whose in Whose::BOTH {
            if self.applies(Question::Consent(whose)) {
                let key = if answers.consents[whose] {
                    PhraseKey::SetUpRecorded
                } else {
                    PhraseKey::SetUpNotRecorded
                };
                says.push(Phrase::new(key, [side(whose)]));
            }
        }
        if answers.ears.is_shared() {
            says.push(PhraseKey::EarIsShared.into());
        }
        says.push(PhraseKey::SetUpNotCertified.into());
        says
    }

    fn disabled(&self, disabled: Disabled) -> Vec<Phrase> {
        let only = |whose| {
            let side = Argument::Side(self.answers.side(whose));
            Phrase::new(PhraseKey::SetUpOneDisabled, [side])
        };
        vec![match disabled {
            Disabled::Own => only(Whose::Own),
            Disabled::Other => only(Whose::Other),
            Disabled::Both => PhraseKey::SetUpBothDisabled.into(),
            Disabled::Neither => PhraseKey::SetUpNoneDisabled.into(),
        }]
    }

    /// The loudspeaker offered. The opponent is not offered the player's own.
    pub(super) fn loudspeaker(&self, index: usize) -> Option<&str> {
        let taken = match self.question {
            Question::Ear(Whose::Other) => self.answers.ears.own.as_ref(),
            _ => None,
        };
        let mut free = self.room.loudspeakers.iter();
        free.by_ref()
            .filter(|it| Some(*it) != taken)
            .nth(index)
            .map(String::as_str)
    }

    /// The rate, pitch or loudness offered.
    pub(super) fn percent(&self, index: usize) -> u32 {
        let percents = self.percents();
        percents.get(index).copied().unwrap_or(self.percent_now())
    }

    /// The ports possible for a person's board, without the one that the other has taken.
    fn ports(&self) -> Vec<&String> {
        let taken = match self.question {
            Question::Board(Whose::Other) => self.answers.boards.own.as_ref(),
            _ => None,
        };
        let ports = self.room.ports.iter();
        ports.filter(|port| Some(*port) != taken).collect()
    }

    /// No board, or the board at this port number.
    fn board(&self, whose: Whose, possibility: usize) -> Vec<Phrase> {
        let side = Argument::Side(self.answers.side(whose));
        vec![if possibility == 0 {
            Phrase::new(PhraseKey::SetUpNoBoard, [side])
        } else {
            let number = u32::try_from(possibility).unwrap_or(u32::MAX);
            Phrase::new(PhraseKey::SetUpBoard, [side, Argument::Number(number)])
        }]
    }

    /// The orientation of a person's board.
    fn orientation(&self, whose: Whose, orientation: Option<Orientation>) -> Vec<Phrase> {
        let side = Argument::Side(self.answers.side(whose));
        let key = match orientation {
            None => PhraseKey::SetUpBoardFound,
            Some(Orientation::Normal) => PhraseKey::SetUpBoardNormal,
            Some(Orientation::Rotated) => PhraseKey::SetUpBoardRotated,
        };
        vec![Phrase::new(key, [side])]
    }

    /// Notes that no microphone hears a person: he types.
    pub(super) fn no_microphone(&mut self, whose: Whose) {
        match whose {
            Whose::Own => self.answers.own_microphone = None,
            Whose::Other => self.answers.others_microphone = OthersMicrophone::None,
        }
    }

    fn percents(&self) -> Vec<u32> {
        let usual = match self.question {
            Question::Pitch => PITCHES,
            Question::Loudness => LOUDNESSES,
            _ => RATES,
        };
        with(usual.to_vec(), self.percent_now())
    }

    const fn percent_now(&self) -> u32 {
        self.answers.voice.percent(self.question)
    }

    fn times(&self) -> Vec<Option<TimeControl>> {
        let times = TIMES.iter().map(|text| text.parse().ok());
        let times = times.filter(Option::is_some).chain([None]).collect();
        with(times, self.answers.terms.time_control.clone())
    }

    fn others_microphones(&self) -> Vec<OthersMicrophone> {
        let own = self.answers.own_microphone.as_ref();
        let mut microphones = self.room.microphones.iter();
        let another = microphones.find(|it| Some(*it) != own);
        let chosen = match &self.answers.others_microphone {
            OthersMicrophone::Own(name) => Some(name),
            OthersMicrophone::None | OthersMicrophone::Shared => another,
        };
        let mut possibilities = vec![OthersMicrophone::None, OthersMicrophone::Shared];
        possibilities.extend(chosen.cloned().map(OthersMicrophone::Own));
        possibilities
    }
}

/// The possibilities, preceded by the current value if it is none of them.
fn with<T: PartialEq>(mut possibilities: Vec<T>, current: T) -> Vec<T> {
    if !possibilities.contains(&current) {
        possibilities.insert(0, current);
    }
    possibilities
}

fn position<T: PartialEq>(possibilities: &[T], current: &T) -> usize {
    possibilities
        .iter()
        .position(|it| it == current)
        .unwrap_or(0)
}

/// The possibility with this index, or the default.
fn at<T: Copy + Default>(possibilities: &[T], number: usize) -> T {
    possibilities.get(number).copied().unwrap_or_default()
}

/// The editions, the newest first.
fn editions() -> [Edition; 6] {
    let mut editions = Edition::ALL;
    editions.reverse();
    editions
}

fn assistant(side: Argument, has_one: bool) -> Vec<Phrase> {
    let key = if has_one {
        PhraseKey::SetUpAssistant
    } else {
        PhraseKey::SetUpNoAssistant
    };
    vec![Phrase::new(key, [side])]
}

fn others_microphone(side: Argument, microphone: &OthersMicrophone) -> Phrase {
    let key = match microphone {
        OthersMicrophone::Shared => PhraseKey::SetUpSameMicrophone,
        OthersMicrophone::Own(_) => PhraseKey::SetUpTwoMicrophones,
        OthersMicrophone::None => PhraseKey::SetUpOneMicrophone,
    };
    Phrase::new(key, [side])
}

fn rules(edition: Edition) -> Vec<Phrase> {
    let year = edition.name().split('-').next().unwrap_or_default();
    let year = Argument::Number(year.parse().unwrap_or_default());
    vec![Phrase::new(PhraseKey::SetUpRules, [year])]
}

fn mode(mode: Mode) -> Vec<Phrase> {
    vec![Phrase::from(match mode {
        Mode::Rated => PhraseKey::SetUpRated,
        Mode::Club => PhraseKey::SetUpClub,
        Mode::Practice => PhraseKey::SetUpPractice,
    })]
}

fn arbiter(is_there: bool) -> Vec<Phrase> {
    vec![Phrase::from(if is_there {
        PhraseKey::SetUpArbiter
    } else {
        PhraseKey::SetUpNoArbiter
    })]
}

fn clock(is_chessclock: bool) -> Vec<Phrase> {
    vec![Phrase::from(if is_chessclock {
        PhraseKey::SetUpChessclock
    } else {
        PhraseKey::SetUpProgramClock
    })]
}

/// A time control as people say it.
fn time(control: &TimeControl) -> Phrase {
    Phrase::new(PhraseKey::TimeIs, [Argument::Allotment(control.clone())])
}

/// The arbiter's approval under this name. He identifies himself afterwards with his PIN.
fn approval(text: &str) -> Option<Approval> {
    let by = text.trim();
    let is_name = by.chars().any(char::is_alphabetic) && !by.chars().any(char::is_numeric);
    is_name.then(|| Approval { by: by.to_owned() })
}
