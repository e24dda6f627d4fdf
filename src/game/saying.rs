//! How the game speaks: the four ways to say something, and the purpose of each.

use shakmaty::Color;

use super::Game;
use super::effect::{Earcon, Effect, Priority};
use super::phase::Phase;
use super::profile::{Brevity, Mode};
use annexd_laws::notation::Announcement;
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Game {
    /// Says something on a channel.
    pub(super) fn say(
        &mut self,
        channel: Channel,
        key: PhraseKey,
        arguments: impl IntoIterator<Item = Argument>,
        priority: Priority,
    ) {
        let mut phrase = Phrase::new(key, arguments);
        if channel == Channel::Table
            && self.is_practice()
            && let Some(article) = phrase.take_article()
        {
            for side in Color::ALL {
                self.speech.rest_on(side, article.clone());
            }
        }
        let article = match channel {
            Channel::Ear(side) if self.wants_all(side) => phrase.clone().take_article(),
            _ => None,
        };
        self.response
            .push(self.speech.say(channel, phrase, priority));
        // In the ear no article is said: the player hears it when he asks why.
        if let Some(article) = article.filter(|_| key != PhraseKey::Why) {
            let why = Phrase::new(PhraseKey::Why, [Argument::Article(article)]);
            self.response.push(self.speech.say(channel, why, priority));
        }
    }

    /// Whether the game is practice, or has an opponent who is not at the table. Then the table
    /// serves as the player's ear, and no article is said there unasked.
    fn is_practice(&self) -> bool {
        let has_guest = self.profile.side_of_guest().is_some();
        let is_practice = self.profile.mode == Mode::Practice && !self.profile.arbiter;
        let wants_all = |side: &Color| self.wants_all(*side);
        (is_practice || has_guest) && !Color::ALL.iter().any(wants_all)
    }

    /// Whether a player wants to be told everything.
    fn wants_all(&self, side: Color) -> bool {
        self.profile.sides[side].brevity == Brevity::Full
    }

    /// Says something at the table, heard by both players.
    pub(super) fn table(&mut self, key: PhraseKey, arguments: impl IntoIterator<Item = Argument>) {
        self.say(Channel::Table, key, arguments, Priority::Next);
    }

    /// Says an announcement at the table as it was understood.
    pub(super) fn read_back(&mut self, said: &Announcement) {
        self.table(PhraseKey::Announced, [Argument::Move(said.clone())]);
    }

    /// Whether a player can be told something alone: in his own ear, or on his own console or
    /// Braille display that nobody else reads.
    pub fn has_ear(&self, side: Color) -> bool {
        let reads_alone = self.equipment.reads_alone(side) && self.holds("own_console");
        self.profile.sides[side].ear || reads_alone
    }

    /// Whether nobody else hears or reads what a player is told in private.
    pub(super) fn is_alone_with(&self, side: Color) -> bool {
        let is_heard_by_all = self.equipment.is_ear_shared(side) && self.holds("shared_ear");
        self.has_ear(side) && (!is_heard_by_all || self.equipment.reads_alone(side))
    }

    /// A short sound for one player: into his ear, or at the table if he has none.
    pub(super) fn sound(&mut self, side: Color, earcon: Earcon) {
        let channel = self.private(side);
        self.response.push(Effect::Earcon { channel, earcon });
    }

    /// The channel for one player: private if he has one, else the table.
    pub(super) fn private(&self, side: Color) -> Channel {
        if self.has_ear(side) {
            Channel::Ear(side)
        } else {
            Channel::Table
        }
    }

    /// Says something to one player.
    pub(super) fn tell(
        &mut self,
        side: Color,
        key: PhraseKey,
        arguments: impl IntoIterator<Item = Argument>,
    ) {
        let channel = self.private(side);
        self.say(channel, key, arguments, Priority::Next);
    }

    /// Refuses what a player or his assistant asked for, naming the article, or that the game has
    /// not begun or is stopped.
    pub(super) fn refuse(&mut self, to: Channel, clause: &'static str, key: PhraseKey) {
        let article = match (key, self.phase) {
            (PhraseKey::NotNow, Phase::BeforePlay | Phase::Ended) => None,
            _ => Some(self.article(clause)),
        };
        let key = match (key, self.phase) {
            (PhraseKey::NotNow, Phase::BeforePlay) => PhraseKey::NotBegun,
            (PhraseKey::NotNow, Phase::Stopped) if self.is_asking_both() => PhraseKey::AnswerFirst,
            (PhraseKey::NotNow, Phase::Stopped) => PhraseKey::IsStopped,
            (PhraseKey::NotNow, Phase::Ended) => PhraseKey::PlayIsOver,
            // The article allows assistants to do this, but this one was not given the duty.
            (PhraseKey::NotYours, _) if clause.starts_with("D.2.10.") => PhraseKey::NotYourDuty,
            (PhraseKey::TooLateToCorrect, _) if !self.profile.arbiter => PhraseKey::TooLate,
            (key, _) => key,
        };
        self.response.push(Effect::Earcon {
            channel: to,
            earcon: Earcon::Refused,
        });
        self.say(to, key, article, Priority::Next);
        if key == PhraseKey::AnswerFirst {
            self.say_what_is_asked_and_whom(to);
        }
        let waits = Color::ALL.into_iter().find(|&side| {
            key == PhraseKey::IsStopped
                && to == self.private(side)
                && self.is_waited_for_by_guest(side)
        });
        if let Some(side) = waits {
            self.tell(side, PhraseKey::YesGoesOn, []);
        }
    }

    /// Refuses something without naming an article.
    pub(super) fn refuse_plainly(&mut self, person: Person, key: PhraseKey) {
        let channel = self.channel_of(person);
        let earcon = Earcon::Refused;
        self.response.push(Effect::Earcon { channel, earcon });
        self.say(channel, key, [], Priority::Next);
    }

    /// Reports something to the arbiter with its article. Irregularities go to nobody else (12.7).
    pub(super) fn report(
        &mut self,
        clause: &'static str,
        key: PhraseKey,
        arguments: impl IntoIterator<Item = Argument>,
    ) {
        if !self.holds(clause) {
            return;
        }
        let article = self.article(clause);
        let arguments: Vec<Argument> = arguments.into_iter().chain([article]).collect();
        self.say(Channel::Arbiter, key, arguments, Priority::Normal);
    }

    /// The article of the edition in force for a clause.
    pub(super) fn article(&self, clause: &'static str) -> Argument {
        Argument::Article(self.rules.cite(clause))
    }

    /// The channel on which a person is told what is for him alone.
    pub(super) fn channel_of(&self, person: Person) -> Channel {
        match person {
            Person::Player(side) => self.private(side),
            Person::Assistant(side) => Channel::Assistant(side),
            Person::Arbiter => Channel::Arbiter,
        }
    }
}
