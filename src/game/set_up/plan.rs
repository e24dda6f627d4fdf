//! Which questions are asked: a few the first time, one later, and any on request.

use annexd_phrases::{Phrase, PhraseKey};

use super::{Question, SetUp, Whose};

/// The most questions asked the first time, not counting the last one, whether everything is right,
/// and that for the language of the table.
const MOST: usize = 6;

/// What a game needs to know, most important first. Everything else has its usual value, and is
/// read out before the last question.
const WEIGHTY: [Question; 11] = [
    Question::Ear(Whose::Own),
    Question::Microphone(Whose::Own),
    Question::Colour,
    Question::Private,
    Question::Table,
    Question::OthersMicrophone,
    Question::Microphone(Whose::Other),
    Question::Time,
    Question::Mode,
    Question::Name(Whose::Own),
    Question::Name(Whose::Other),
];

/// Which questions are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// Those that a game needs.
    First,
    /// Those about devices, because one from last time is missing.
    Devices,
    /// Only whether everything is as last time.
    AsLastTime,
    /// Those of one topic to change.
    Topic(Topic),
}

/// Questions that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Who plays.
    Players,
    /// The time control and the clock.
    Time,
    /// The edition of the Laws, how strict the game is, and the arbiter.
    Rules,
    /// The devices with which both speak and hear.
    Sound,
    /// How annexd speaks.
    Voice,
    /// The electronic boards.
    Boards,
    /// The players' names, and whether they are recorded.
    Names,
}

impl Topic {
    /// All topics, those that change from game to game first.
    pub const ALL: [Self; 7] = [
        Self::Players,
        Self::Time,
        Self::Rules,
        Self::Names,
        Self::Sound,
        Self::Voice,
        Self::Boards,
    ];

    /// The topic of a question; `None` for the last one and the topics themselves.
    pub(super) const fn of(question: Question) -> Option<Self> {
        Some(match question {
            Question::Colour | Question::Disabled | Question::Assistant(_) => Self::Players,
            Question::Time | Question::Clock => Self::Time,
            Question::Edition
            | Question::Mode
            | Question::Arbiter
            | Question::TableLanguage
            | Question::Approval => Self::Rules,
            Question::Ear(_)
            | Question::Private
            | Question::Table
            | Question::Microphone(_)
            | Question::OthersMicrophone => Self::Sound,
            Question::Language
            | Question::Voice
            | Question::Rate
            | Question::Pitch
            | Question::Loudness => Self::Voice,
            Question::Board(_) | Question::Orientation(_) => Self::Boards,
            Question::Name(_) | Question::Consent(_) => Self::Names,
            Question::Topic | Question::Summary => return None,
        })
    }

    /// The topic's name.
    pub fn phrase(self) -> Phrase {
        Phrase::from(match self {
            Self::Players => PhraseKey::SetUpPlayers,
            Self::Time => PhraseKey::SetUpTime,
            Self::Rules => PhraseKey::SetUpTopicRules,
            Self::Sound => PhraseKey::SetUpSound,
            Self::Voice => PhraseKey::SetUpVoice,
            Self::Boards => PhraseKey::SetUpBoards,
            Self::Names => PhraseKey::SetUpNames,
        })
    }
}

impl SetUp {
    /// Whether a question is asked now. The arbiter is always asked, because he approves each game.
    pub(super) fn is_asked(&self, question: Question) -> bool {
        if !self.applies(question) {
            return false;
        }
        let topic = Topic::of(question);
        let is_weighty = || {
            let mut weighty = WEIGHTY.iter().filter(|it| self.applies(**it)).take(MOST);
            weighty.any(|it| *it == question)
        };
        match (self.plan, question) {
            (_, Question::Summary) => true,
            (_, Question::Approval) => self.answers.approval.is_none(),
            // He learnt or will learn the words that he says: no usual value is right.
            (Plan::First, Question::TableLanguage) => true,
            (Plan::First, _) => is_weighty(),
            (Plan::Devices, _) => topic == Some(Topic::Sound) && is_weighty(),
            (Plan::AsLastTime, _) => false,
            (Plan::Topic(wanted), _) => topic == Some(wanted),
        }
    }

    /// The topics that can be changed here.
    pub fn topics(&self) -> Vec<Topic> {
        let has_question = |topic: &Topic| {
            let mut questions = Question::ORDER.into_iter();
            questions.any(|it| Topic::of(it) == Some(*topic) && self.applies(it))
        };
        Topic::ALL.into_iter().filter(has_question).collect()
    }
}
