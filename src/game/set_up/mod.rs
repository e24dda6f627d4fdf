//! Starting without sight: what has to be known before a game, asked by voice.
//!
//! [`SetUp`] asks one [`Question`] after the other. Each offers the current value and asks whether
//! it is right: "ja" takes it, "nein" offers the next possibility, a number takes that one. So
//! three words, three keys or three buttons are enough, and everything can be typed as well.
//!
//! The first time it asks what a game needs to know, later only whether everything is as last time.
//! A player who denies that is asked for the [`Topic`] to change.
//!
//! If no command says what to do, [`Welcome`] asks that first.
//!
//! Both are pure: a [`Reply`] goes in, and an [`AfterReply`] with what to say comes out.
//! [`SetUp::place`] names the devices. The shell carries it out and stores the [`Answers`].

mod answers;
mod place;
mod plan;
mod question;
mod reply;
mod sound;
mod statements;
mod terms;
mod welcome;

pub use answers::{Answers, Approval, Disabled, OthersMicrophone, Pair};
pub use place::{Place, Room};
pub use plan::Topic;
pub use question::{Question, Whose};
pub use reply::{Level, Reply};
pub use sound::{Ears, Languages, Voice};
pub use terms::Terms;
pub use welcome::{Choice, Welcome};

use std::time::Duration;

use self::plan::Plan;
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// How long to wait on a device for somebody who may not hear or be heard, before the next one is
/// tried.
const PATIENCE_FOR_DEVICES: Duration = Duration::from_secs(7);
/// How long to wait before a question is asked again.
const PATIENCE: Duration = Duration::from_secs(25);
/// How often a question is asked again without a request.
const REMINDERS: u32 = 1;
/// How often a microphone is tested before it is accepted.
const TESTS: u32 = 3;

/// What to do after a reply.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AfterReply {
    /// Whether to cut off what is being said.
    pub hushes: bool,
    /// What to say then, in order, at [`SetUp::place`].
    pub says: Vec<Phrase>,
    /// Whether everything is answered.
    pub is_done: bool,
}

impl AfterReply {
    /// A step that says these and does nothing else.
    pub fn saying(says: Vec<Phrase>) -> Self {
        Self {
            hushes: true,
            says,
            is_done: false,
        }
    }
}

/// The set-up: the open question and the answers so far.
#[derive(Clone, Debug)]
pub struct SetUp {
    room: Room,
    answers: Answers,
    /// Which questions are asked.
    plan: Plan,
    question: Question,
    /// The index of the possibility being offered.
    offered: usize,
    /// How often nobody answered the question.
    silences: u32,
    /// How often its microphone was tested.
    tests: u32,
}

impl SetUp {
    /// The first set-up in a room, which begins with the usual or configured values.
    pub fn new(room: Room, answers: Answers) -> Self {
        Self::with(Plan::First, room, answers)
    }

    /// A further set-up, which begins with the last answers.
    pub fn again(room: Room, answers: Answers) -> Self {
        let plan = match room.has_devices_of(&answers) {
            true => Plan::AsLastTime,
            false => Plan::Devices,
        };
        Self::with(plan, room, answers)
    }

    fn with(plan: Plan, room: Room, answers: Answers) -> Self {
        let mut set_up = Self {
            room: room.with_boards(&answers.boards),
            answers,
            plan,
            question: Question::ORDER[0],
            offered: 0,
            silences: 0,
            tests: 0,
        };
        let first = set_up.next_question(None);
        set_up.open(first);
        set_up
    }

    /// What is said first. It is short, because nobody has waited for it.
    pub fn begin(&self) -> AfterReply {
        let greeting = Phrase::from(PhraseKey::SetUpBegins);
        AfterReply::saying([greeting].into_iter().chain(self.ask()).collect())
    }

    /// What was answered so far.
    pub const fn answers(&self) -> &Answers {
        &self.answers
    }

    /// The open question.
    pub const fn question(&self) -> Question {
        self.question
    }

    /// How long to wait for an answer before [`Reply::Nothing`].
    pub const fn patience(&self) -> Duration {
        match self.question {
            Question::Ear(_) | Question::Microphone(_) => PATIENCE_FOR_DEVICES,
            _ => PATIENCE,
        }
    }

    /// Takes an answer; for a spoken one also how well the microphone took it.
    pub fn hear(&mut self, reply: Reply, level: Option<Level>) -> AfterReply {
        if reply != Reply::Nothing {
            self.silences = 0;
        }
        match (&reply, self.question, level) {
            (Reply::Stop, ..) => AfterReply {
                hushes: true,
                ..AfterReply::default()
            },
            (Reply::Repeat, Question::Summary, _) => AfterReply::saying(self.ask_in_full()),
            (Reply::Repeat, ..) => AfterReply::saying(self.ask()),
            // Whoever asks the questions ends them.
            (Reply::Leave, ..) => AfterReply::default(),
            (Reply::Help, ..) => AfterReply::saying(vec![
                PhraseKey::SetUpHelp.into(),
                PhraseKey::HelpLeave.into(),
            ]),
            (Reply::Back, ..) => self.go_back(),
            (Reply::Nothing, ..) => self.nothing(),
            (Reply::No, Question::Microphone(_), _) => self.offer_next(),
            (_, Question::Microphone(_), Some(level)) => self.tested(&reply, level),
            (Reply::Unclear | Reply::Likely(_), ..) => self.not_understood(),
            (Reply::Text(text), ..) => self.written(text),
            (Reply::Yes | Reply::Next, ..) => self.agreed(&reply),
            (Reply::No, ..) => self.refused(),
            (Reply::Number(number), ..) => self.chosen(*number),
        }
    }

    /// The offered possibility is right.
    fn agreed(&mut self, reply: &Reply) -> AfterReply {
        match self.question {
            // Going on is not agreeing to be recorded.
            Question::Consent(_) if *reply == Reply::Next => self.take_and_go_on(1),
            Question::Approval => self.go_on(vec![PhraseKey::SetUpApproveLater.into()]),
            Question::Name(_) => self.go_on(Vec::new()),
            Question::Topic if *reply == Reply::Next => self.ask_whether_all_is_right(),
            Question::Summary => AfterReply {
                hushes: true,
                says: Vec::new(),
                is_done: true,
            },
            _ => self.take_and_go_on(self.offered),
        }
    }

    /// The offered possibility is wrong. If there are two, the other one is taken; if more, the
    /// next one is offered.
    fn refused(&mut self) -> AfterReply {
        match self.question {
            Question::Name(_) => self.go_on(Vec::new()),
            Question::Approval => self.go_on(vec![PhraseKey::SetUpApproveLater.into()]),
            Question::Summary => {
                self.open(Question::Topic);
                AfterReply::saying(self.ask())
            }
            Question::Consent(_) => self.take_and_go_on(1),
            question if question.is_device() || self.possibilities() != 2 => self.offer_next(),
            _ => {
                self.offered = 1 - self.offered.min(1);
                let said = self.statement();
                self.take(self.offered);
                self.go_on(said)
            }
        }
    }

    fn chosen(&mut self, number: u32) -> AfterReply {
        let index = usize::try_from(number).map_or(usize::MAX, |number| number.wrapping_sub(1));
        if index >= self.possibilities() {
            // A number may be typed for a year, or a rate in percent.
            return self.written(&number.to_string());
        }
        self.offered = index;
        let said = match self.question {
            question if question.is_device() => return AfterReply::saying(self.ask()),
            Question::Consent(_) => Vec::new(),
            _ => self.statement(),
        };
        self.take(index);
        self.go_on(said)
    }

    fn written(&mut self, text: &str) -> AfterReply {
        if self.write(text) {
            let said = match self.question {
                Question::Approval => self.statement(),
                Question::Name(_) => Vec::new(),
                _ => {
                    self.offered = self.current();
                    self.statement()
                }
            };
            return self.go_on(said);
        }
        self.not_understood()
    }

    /// Nobody answered. On a device the player may not hear, or not be heard.
    fn nothing(&mut self) -> AfterReply {
        match self.question {
            Question::Ear(_) => self.offer_next(),
            Question::Microphone(_) => {
                let mut step = self.offer_next();
                step.says.insert(0, PhraseKey::SetUpNothingHeard.into());
                step
            }
            _ if self.silences < REMINDERS => {
                self.silences += 1;
                AfterReply::saying(self.ask())
            }
            _ => AfterReply::default(),
        }
    }

    /// A word came from the microphone being tested.
    fn tested(&mut self, reply: &Reply, level: Level) -> AfterReply {
        self.tests += 1;
        let is_understood = !matches!(reply, Reply::Unclear | Reply::Likely(_));
        let found = match level {
            _ if !is_understood => PhraseKey::SayAgain,
            Level::Good => PhraseKey::SetUpHeardWell,
            Level::Soft => PhraseKey::SetUpTooSoft,
            Level::Loud => PhraseKey::SetUpTooLoud,
            Level::Noisy => PhraseKey::SetUpTooNoisy,
        };
        let is_enough = is_understood && (level == Level::Good || self.tests >= TESTS);
        if is_enough {
            self.take(self.offered);
            return self.go_on(vec![found.into()]);
        }
        let says = [Phrase::from(found)].into_iter().chain(self.ask());
        AfterReply::saying(says.collect())
    }

    fn not_understood(&self) -> AfterReply {
        let again = Phrase::from(PhraseKey::SayAgain);
        AfterReply::saying([again].into_iter().chain(self.ask()).collect())
    }

    /// Offers the next possibility. The last microphone ends the question. Loudspeakers are tried
    /// in a circle, because the player may be putting on a headphone.
    fn offer_next(&mut self) -> AfterReply {
        self.tests = 0;
        self.offered += 1;
        if self.offered >= self.possibilities() {
            self.offered = 0;
            if let Question::Microphone(whose) = self.question {
                self.no_microphone(whose);
                return self.go_on(vec![PhraseKey::SetUpNoMicrophone.into()]);
            }
            if self.question == Question::Ear(Whose::Other) {
                self.answers.ears.other = None;
                return self.go_on(Vec::new());
            }
        }
        AfterReply::saying(self.ask())
    }

    fn take_and_go_on(&mut self, possibility: usize) -> AfterReply {
        self.take(possibility);
        self.go_on(self.consequence())
    }

    /// A consequence of an answer that the player should hear at once.
    fn consequence(&self) -> Vec<Phrase> {
        let is_about_privacy = match self.question {
            Question::Ear(Whose::Own) => self.room.loudspeakers.len() == 1,
            // The table's loudspeaker is asked for next. The consequence is known only then.
            Question::Private => !self.answers.ears.is_private,
            Question::Table => true,
            _ => false,
        };
        let is_shared = is_about_privacy && self.answers.ears.is_shared();
        is_shared
            .then(|| PhraseKey::EarIsShared.into())
            .into_iter()
            .collect()
    }

    /// Opens the next question after saying this.
    fn go_on(&mut self, mut says: Vec<Phrase>) -> AfterReply {
        let next = self.next_question(Some(self.question));
        self.open(next);
        says.extend(self.ask());
        AfterReply::saying(says)
    }

    /// Goes back to the previous question; from the first one of a topic to the topics, and from
    /// these to the last question.
    fn go_back(&mut self) -> AfterReply {
        if self.question == Question::Topic {
            return self.ask_whether_all_is_right();
        }
        let backwards = Question::ORDER.iter().rev().copied();
        let mut before = backwards.skip_while(|it| *it != self.question).skip(1);
        let before = before.find(|question| self.is_asked(*question));
        self.open(match (before, self.plan) {
            (Some(before), _) => before,
            (None, Plan::Topic(_)) => Question::Topic,
            (None, _) => self.question,
        });
        AfterReply::saying(self.ask())
    }

    fn ask_whether_all_is_right(&mut self) -> AfterReply {
        self.open(Question::Summary);
        AfterReply::saying(self.ask())
    }

    fn open(&mut self, question: Question) {
        self.question = question;
        self.offered = self.current();
        self.silences = 0;
        self.tests = 0;
    }

    /// The first question after this one that applies here; at the end the summary.
    fn next_question(&self, after: Option<Question>) -> Question {
        let start = Question::ORDER
            .iter()
            .position(|question| Some(*question) == after)
            .map_or(0, |place| place + 1);
        let mut later = Question::ORDER.iter().skip(start).copied();
        later
            .find(|question| self.is_asked(*question))
            .unwrap_or(Question::Summary)
    }

    /// The open question, as it is asked.
    fn ask(&self) -> Vec<Phrase> {
        let number = || [Argument::Number(index_to_number(self.offered))];
        let mut says = self.statement();
        match self.question {
            Question::Ear(Whose::Own) => says = vec![Phrase::new(PhraseKey::SetUpHearMe, number())],
            Question::Topic if self.offered == 0 => return self.list_of_topics(),
            Question::Summary if self.plan == Plan::First => return self.ask_in_full(),
            Question::Summary => says.push(self.all_right()),
            Question::Consent(_) => says.push(PhraseKey::SetUpDoYouAgree.into()),
            Question::Microphone(_) | Question::Name(_) | Question::Approval => {}
            _ => says.push(PhraseKey::SetUpIsItRight.into()),
        }
        says
    }

    /// Asks whether everything is right, after reading all of it.
    fn ask_in_full(&self) -> Vec<Phrase> {
        let mut says = self.summary();
        says.push(self.all_right());
        says
    }

    fn all_right(&self) -> Phrase {
        Phrase::from(match self.plan {
            Plan::AsLastTime | Plan::Devices => PhraseKey::SetUpAsLastTime,
            Plan::First | Plan::Topic(_) => PhraseKey::SetUpAllRight,
        })
    }
}

/// A numbered choice of a list.
fn choice(index: usize, phrase: Phrase) -> Phrase {
    let number = Argument::Number(index_to_number(index));
    let said = [number, Argument::Phrase(Box::new(phrase))];
    Phrase::new(PhraseKey::WelcomeChoice, said)
}

fn index_to_number(index: usize) -> u32 {
    u32::try_from(index).map_or(u32::MAX, |index| index + 1)
}

#[cfg(test)]
mod tests;
