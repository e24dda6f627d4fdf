//! annexd without a command. It says what it is, and offers what can be done from where this player
//! left off.

use std::time::Duration;

use annexd_phrases::{Argument, Phrase, PhraseKey};

use super::{AfterReply, Answers, PATIENCE, Place, REMINDERS, Reply, choice};

/// What can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Go on with the game of this name, which was interrupted or adjourned.
    Resume(String),
    /// Play a game.
    Play,
    /// Play a game against a chess program.
    Practise,
    /// Take the course.
    Learn,
    /// Take this lesson, by its number and name.
    Lesson(Phrase),
    /// Do the same again.
    OnceMore,
    /// Hear a demonstration game.
    Demonstration,
    /// Answer all questions, and then play a game.
    SetUp,
    /// Try out every part.
    Check,
    /// Read the manual.
    Manual,
    /// Leave annexd.
    Leave,
}

impl Choice {
    /// The word by which it can be typed in every language.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Resume(_) => "resume",
            Self::Play => "play",
            Self::Practise => "practice",
            Self::Learn => "learn",
            Self::Lesson(_) => "next",
            Self::OnceMore => "again",
            Self::Demonstration => "demo",
            Self::SetUp => "set-up",
            Self::Check => "check",
            Self::Manual => "manual",
            Self::Leave => "quit",
        }
    }

    /// The choice's name.
    pub fn phrase(&self) -> Phrase {
        let key = match self {
            Self::Resume(name) => {
                let name = Argument::Text(name.clone());
                return Phrase::new(PhraseKey::WelcomeResume, [name]);
            }
            Self::Lesson(lesson) => return lesson.clone(),
            Self::Play => PhraseKey::WelcomePlay,
            Self::Learn => PhraseKey::WelcomeLearn,
            Self::OnceMore => PhraseKey::LearnOnceMore,
            Self::Practise => PhraseKey::WelcomePractice,
            Self::Demonstration => PhraseKey::WelcomeDemonstration,
            Self::SetUp => PhraseKey::WelcomeSetUp,
            Self::Check => PhraseKey::WelcomeCheck,
            Self::Manual => PhraseKey::WelcomeManual,
            Self::Leave => PhraseKey::WelcomeLeave,
        };
        key.into()
    }
}

/// The question what to do. Each choice has a number. "Ja" takes the offered one, at first the
/// first, and "nein" offers the next.
#[derive(Clone, Debug)]
pub struct Welcome {
    choices: Vec<Choice>,
    /// Whether it first says what annexd is.
    greets: bool,
    /// The devices and language with which it asks.
    answers: Answers,
    /// The index of the offered choice.
    offered: usize,
    /// How often nobody answered.
    silences: u32,
}

impl Welcome {
    /// The question for these choices, asked with the devices of these answers.
    pub const fn new(choices: Vec<Choice>, answers: Answers) -> Self {
        Self {
            choices,
            greets: true,
            answers,
            offered: 0,
            silences: 0,
        }
    }

    /// Leaves out the greeting, for a player who has just been using annexd.
    #[must_use]
    pub const fn without_greeting(mut self) -> Self {
        self.greets = false;
        self
    }

    /// What is said first.
    pub fn begin(&mut self) -> AfterReply {
        let greeting = self.greets.then_some(PhraseKey::WelcomeIs);
        let mut says: Vec<Phrase> = greeting.into_iter().map(Phrase::from).collect();
        says.extend(self.list());
        says.push(PhraseKey::WelcomeAsks.into());
        AfterReply::saying(says)
    }

    /// The choices.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The offered choice, or the chosen one once a step says that everything is answered.
    pub fn offered(&self) -> Option<&Choice> {
        self.choices.get(self.offered)
    }

    /// The devices with which it is asked and answered.
    pub fn place(&self) -> Place<'_> {
        self.answers.own_place()
    }

    /// How long to wait for an answer before [`Reply::Nothing`].
    pub const fn patience(&self) -> Duration {
        PATIENCE
    }

    /// Takes an answer.
    pub fn hear(&mut self, reply: &Reply) -> AfterReply {
        if *reply != Reply::Nothing {
            self.silences = 0;
        }
        let last = self.choices.len().saturating_sub(1);
        match reply {
            Reply::Yes => self.choose(self.offered),
            // An empty line may be an accident.
            Reply::Next => self.offer(self.offered),
            Reply::Leave => AfterReply::default(),
            Reply::No if self.offered >= last => self.offer(0),
            Reply::No => self.offer(self.offered + 1),
            Reply::Back => self.offer(self.offered.checked_sub(1).unwrap_or(last)),
            Reply::Number(number) => match usize::try_from(*number) {
                Ok(number @ 1..) if number <= self.choices.len() => self.choose(number - 1),
                _ => self.not_understood(),
            },
            // Speakers' "zwei" and "drei" are easily confused.
            Reply::Likely(number) => match usize::try_from(*number) {
                Ok(number @ 1..) if number <= self.choices.len() => self.offer(number - 1),
                _ => self.not_understood(),
            },
            Reply::Text(_) | Reply::Unclear => self.not_understood(),
            Reply::Repeat | Reply::Help => self.again(),
            Reply::Nothing if self.silences < REMINDERS => {
                self.silences += 1;
                self.again()
            }
            Reply::Nothing => AfterReply::default(),
            Reply::Stop => AfterReply {
                hushes: true,
                ..AfterReply::default()
            },
        }
    }

    /// Says back what was understood, as with everything that is heard.
    fn choose(&mut self, index: usize) -> AfterReply {
        self.offered = index;
        AfterReply {
            is_done: true,
            ..AfterReply::saying(self.item(index).into_iter().collect())
        }
    }

    fn offer(&mut self, index: usize) -> AfterReply {
        self.offered = index;
        let asks = Phrase::from(PhraseKey::SetUpIsItRight);
        AfterReply::saying(self.item(index).into_iter().chain([asks]).collect())
    }

    fn again(&mut self) -> AfterReply {
        let mut says = self.list();
        says.push(PhraseKey::WelcomeAsks.into());
        AfterReply::saying(says)
    }

    fn not_understood(&mut self) -> AfterReply {
        let mut step = self.again();
        step.says.insert(0, PhraseKey::SayAgain.into());
        step
    }

    /// Lists all choices. Afterwards the first one is offered.
    fn list(&mut self) -> Vec<Phrase> {
        self.offered = 0;
        let all = 0..self.choices.len();
        all.filter_map(|index| self.item(index)).collect()
    }

    /// A choice with its number.
    fn item(&self, index: usize) -> Option<Phrase> {
        Some(choice(index, self.choices.get(index)?.phrase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn welcome() -> Welcome {
        let game = Choice::Resume("opera".to_owned());
        let choices = vec![game, Choice::Play, Choice::Leave];
        Welcome::new(choices, Answers::default())
    }

    fn keys(step: &AfterReply) -> Vec<PhraseKey> {
        step.says.iter().map(|phrase| phrase.key).collect()
    }

    #[test]
    fn a_number_chooses_and_is_said_again() {
        let mut welcome = welcome();
        let begun = keys(&welcome.begin());
        assert_eq!(begun.first(), Some(&PhraseKey::WelcomeIs));
        assert_eq!(begun.last(), Some(&PhraseKey::WelcomeAsks));
        let chosen = welcome.hear(&Reply::Number(2));
        assert!(chosen.is_done);
        assert_eq!(welcome.offered(), Some(&Choice::Play));
        let play = Argument::Phrase(Box::new(PhraseKey::WelcomePlay.into()));
        let said = Phrase::new(PhraseKey::WelcomeChoice, [Argument::Number(2), play]);
        assert_eq!(chosen.says, [said]);
    }

    #[test]
    fn yes_takes_what_is_offered_and_no_offers_the_next() {
        let mut welcome = welcome();
        welcome.begin();
        let offered = welcome.hear(&Reply::No);
        assert_eq!(
            keys(&offered),
            [PhraseKey::WelcomeChoice, PhraseKey::SetUpIsItRight]
        );
        assert!(!offered.is_done);
        welcome.hear(&Reply::No);
        assert_eq!(welcome.offered(), Some(&Choice::Leave));
        welcome.hear(&Reply::No);
        welcome.hear(&Reply::Back);
        assert!(welcome.hear(&Reply::Yes).is_done);
        assert_eq!(welcome.offered(), Some(&Choice::Leave));
        // After hearing the list again the first choice is offered.
        welcome.hear(&Reply::Repeat);
        assert!(welcome.hear(&Reply::Yes).is_done);
        assert_eq!(welcome.offered(), Some(&Choice::Resume("opera".to_owned())));
    }

    #[test]
    fn what_is_not_understood_gets_the_list_again() {
        let text = |text: &str| Reply::Text(text.to_owned());
        for reply in [
            Reply::Unclear,
            text("blitz"),
            Reply::Number(0),
            Reply::Number(4),
        ] {
            let mut welcome = welcome();
            welcome.begin();
            let step = welcome.hear(&reply);
            assert!(!step.is_done, "{reply:?}");
            let list = [PhraseKey::WelcomeChoice; 3];
            let (again, asks) = ([PhraseKey::SayAgain], [PhraseKey::WelcomeAsks]);
            assert_eq!(keys(&step), [&again[..], &list, &asks].concat());
        }
    }

    #[test]
    fn a_number_that_was_not_heard_surely_is_offered() {
        let mut welcome = welcome();
        welcome.begin();
        let offered = welcome.hear(&Reply::Likely(2));
        assert!(!offered.is_done);
        assert_eq!(
            keys(&offered),
            [PhraseKey::WelcomeChoice, PhraseKey::SetUpIsItRight]
        );
        assert!(welcome.hear(&Reply::Yes).is_done);
        assert_eq!(welcome.offered(), Some(&Choice::Play));
        let step = welcome.hear(&Reply::Likely(9));
        assert_eq!(keys(&step).first(), Some(&PhraseKey::SayAgain));
    }

    #[test]
    fn who_says_nothing_is_asked_once_more_and_then_left_alone() {
        let mut welcome = welcome();
        welcome.begin();
        assert!(!welcome.hear(&Reply::Nothing).says.is_empty());
        assert_eq!(welcome.hear(&Reply::Nothing), AfterReply::default());
        assert!(welcome.hear(&Reply::Stop).hushes);
        assert!(!welcome.hear(&Reply::Nothing).says.is_empty());
    }
}
