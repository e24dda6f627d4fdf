//! What the program says and how much of it was heard: the numbers of the utterances, the voices
//! speaking now, what they have said lately, and what may not have been heard.

use std::ops::Range;
use std::time::Duration;

use shakmaty::Color;

use super::effect::{Effect, Priority};
use super::input::VoiceMark;
use super::reading::ReadList;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// The longest phrase. A voice whose end is not reported counts as ended after this time.
const LONGEST_PHRASE: Duration = Duration::from_secs(20);
/// How long it is known what was being said: words are decided on shortly after they are heard.
const REMEMBERED: Duration = Duration::from_secs(20);
/// How many utterances may wait for the mark that they were heard. A voice that has not reported
/// for so long has said the oldest or never will.
const UNHEARD_MAX: usize = 64;
/// How often the last announcement is said again at the table (11.5).
const MOST_REPEATS: u32 = 3;

/// All utterances of the program.
#[derive(Clone, Debug, Default)]
pub(super) struct Speech {
    /// The number of utterances so far.
    utterances: u32,
    /// The utterances being said now: channel, number, and since when.
    speaking: Vec<(Channel, u32, Moment)>,
    /// What was said shortly before, and when.
    spoken: Vec<(Channel, Range<Moment>)>,
    /// Utterances not known to have been heard, oldest first.
    unheard: Vec<UnheardPhrase>,
    /// How often the last announcement was said again at the table.
    repeats: u32,
    /// The last announcement, if it was not said to its end at the table and nobody wanted that.
    missed: Option<Phrase>,
    /// Whether the table's voice was lost since an announcement was last heard there. What was only
    /// shown before that was meant to be read.
    was_lost: bool,
    /// The article of each player's last refusal, which he hears when he asks why.
    reasons: Sides<Option<String>>,
    /// The list that was read to each player last.
    lists: Sides<ReadList>,
    /// Whether the array of a Chess960 game was read out (F.2).
    is_array_read: bool,
}

/// Something to be said that is not yet known to have been heard.
#[derive(Clone, Debug)]
pub(super) struct UnheardPhrase {
    utterance: u32,
    pub(super) channel: Channel,
    pub(super) phrase: Phrase,
    pub(super) priority: Priority,
    /// Whether somebody had it silenced.
    is_silenced: bool,
}

/// Whether the last announcement is said again at the table (11.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    /// It is said again.
    Few,
    /// It has now been asked for once too often.
    TooMany,
    /// The limit was exceeded before.
    StillTooMany,
}

impl Speech {
    /// Nothing is being said, after this many utterances: a game never uses a number twice.
    pub(super) fn after(utterances: u32) -> Self {
        Self {
            utterances,
            ..Self::default()
        }
    }

    /// The number of the last utterance.
    pub(super) const fn utterances(&self) -> u32 {
        self.utterances
    }

    /// Counts utterances that the game does not know because they are encrypted.
    pub(super) fn skip_to(&mut self, utterances: u32) {
        self.utterances = self.utterances.max(utterances);
    }

    /// Has something said. It counts as unheard until a mark says otherwise.
    ///
    /// In the ear no article is said unasked.
    pub(super) fn say(
        &mut self,
        channel: Channel,
        mut phrase: Phrase,
        priority: Priority,
    ) -> Effect {
        if let Channel::Ear(side) = channel
            && phrase.key != PhraseKey::Why
            && let Some(article) = phrase.take_article()
        {
            self.rest_on(side, article);
        }
        self.utterances += 1;
        if self.unheard.len() == UNHEARD_MAX {
            self.unheard.remove(0);
        }
        self.unheard.push(UnheardPhrase {
            utterance: self.utterances,
            channel,
            phrase: phrase.clone(),
            priority,
            is_silenced: false,
        });
        Effect::Say {
            utterance: self.utterances,
            channel,
            phrase,
            priority,
        }
    }

    /// Notes that the array of a Chess960 game is read out (F.2).
    pub(super) const fn read_array(&mut self) {
        self.is_array_read = true;
    }

    /// Whether the array was read out.
    pub(super) const fn is_array_read(&self) -> bool {
        self.is_array_read
    }

    /// Notes the article on which a player's refusal rests.
    pub(super) fn rest_on(&mut self, side: Color, article: String) {
        self.reasons[side] = Some(article);
    }

    /// The article of a player's last refusal.
    pub(super) fn reason(&self, side: Color) -> Option<&str> {
        self.reasons[side].as_deref()
    }

    /// Reads a list to a player, in one go from its first item.
    pub(super) fn read(&mut self, side: Color, items: Vec<Phrase>) -> Vec<Effect> {
        self.lists[side] = ReadList::new(items.clone(), self.utterances + 1);
        let say = |item| self.say(Channel::Ear(side), item, Priority::Normal);
        items.into_iter().map(say).collect()
    }

    /// The list that was read to a player last.
    pub(super) fn list(&self, side: Color) -> &ReadList {
        &self.lists[side]
    }

    /// The next or previous item of a player's list; `None` at the end.
    pub(super) fn step(&mut self, side: Color, forward: bool) -> Option<Phrase> {
        let utterance = self.utterances + 1;
        let list = &mut self.lists[side];
        match forward {
            true => list.forward(utterance),
            false => list.back(utterance),
        }
    }

    /// Notes how far a voice has come. Every mark but `Begun` settles the utterance, whether it was
    /// heard, shown or cut off. Returns its phrase then.
    pub(super) fn mark(
        &mut self,
        now: Moment,
        channel: Channel,
        utterance: u32,
        mark: VoiceMark,
    ) -> Option<Phrase> {
        if let Channel::Ear(side) = channel {
            self.lists[side].mark(utterance, mark);
        }
        let mut speaking = self.speaking.iter();
        if let Some(place) = speaking.position(|it| (it.0, it.1) == (channel, utterance)) {
            let (_, _, since) = self.speaking.remove(place);
            self.spoken.push((channel, since..now));
        }
        self.spoken
            .retain(|(_, when)| now.since(when.end) < REMEMBERED);
        if mark == VoiceMark::Begun {
            self.speaking.push((channel, utterance, now));
            return None;
        }
        let is_it =
            |saying: &UnheardPhrase| (saying.channel, saying.utterance) == (channel, utterance);
        let ended = self.unheard.iter().find(|saying| is_it(saying));
        let is_silenced = ended.is_some_and(|saying| saying.is_silenced);
        let phrase = ended.map(|saying| saying.phrase.clone());
        self.unheard.retain(|saying| !is_it(saying));
        if let (Channel::Table, Some(said)) = (channel, &phrase)
            && said.is_announcement()
        {
            let is_missed = mark != VoiceMark::Finished && !is_silenced;
            self.missed = is_missed.then(|| said.clone());
            self.was_lost &= is_missed;
        }
        phrase
    }

    /// What is being said on a channel, or waits there, is not wanted.
    pub(super) fn silence(&mut self, channel: Channel) {
        let unheard = self.unheard.iter_mut();
        for saying in unheard.filter(|saying| saying.channel == channel) {
            saying.is_silenced = true;
        }
    }

    /// The table's voice is lost.
    pub(super) const fn lose_table(&mut self) {
        self.was_lost = true;
    }

    /// The last announcement that the table has missed for want of a voice, if none is on its way.
    pub(super) fn missed(&self) -> Option<&Phrase> {
        let is_coming = |saying: &UnheardPhrase| {
            saying.channel == Channel::Table && saying.phrase.is_announcement()
        };
        let is_coming = self.unheard.iter().any(is_coming);
        let missed = self.missed.as_ref();
        missed.filter(|_| self.was_lost && !is_coming)
    }

    /// Whether a voice is speaking on any of these channels.
    pub(super) fn is_speaking(&self, on_such: impl Fn(Channel) -> bool) -> bool {
        self.speaking.iter().any(|(on, ..)| on_such(*on))
    }

    /// Whether anything on a channel is being said, or waits to be said or read.
    pub(super) fn is_owed(&self, channel: Channel) -> bool {
        let waits = self.unheard.iter().any(|saying| saying.channel == channel);
        waits || self.is_speaking(|on| on == channel)
    }

    /// How long the voices on these channels spoke during a stretch of time, until now.
    pub(super) fn spoken_during(
        &self,
        stretch: &Range<Moment>,
        now: Moment,
        on_such: impl Fn(Channel) -> bool,
    ) -> Duration {
        let spoken = self.spoken.iter().map(|(on, when)| (*on, when.clone()));
        let speaking = self.speaking.iter();
        let speaking = speaking.map(|(on, _, since)| (*on, *since..now));
        let said = spoken.chain(speaking).filter(|(on, _)| on_such(*on));
        covered(stretch, said.map(|(_, when)| when).collect())
    }

    /// The latest moments at which the speaking voices will have ended.
    pub(super) fn ends(&self) -> impl Iterator<Item = Moment> + use<'_> {
        let since = self.speaking.iter().map(|&(_, _, since)| since);
        since.map(|since| since + LONGEST_PHRASE)
    }

    /// Drops voices whose end was never reported.
    pub(super) fn drop_silent(&mut self, now: Moment) {
        self.speaking
            .retain(|&(_, _, since)| since + LONGEST_PHRASE > now);
    }

    /// Counts a request to say the last announcement again where everybody hears it.
    pub(super) fn repeat(&mut self) -> Repeats {
        self.repeats += 1;
        match self.repeats {
            ..=MOST_REPEATS => Repeats::Few,
            repeats if repeats == MOST_REPEATS + 1 => Repeats::TooMany,
            _ => Repeats::StillTooMany,
        }
    }

    /// The program was closed: no voice speaks any more. Returns what has to be said again, without
    /// answers: they are stale, and can be asked for again (D.2.10.4).
    pub(super) fn begin_again(&mut self) -> Vec<UnheardPhrase> {
        self.speaking.clear();
        self.spoken.clear();
        let mut unheard = std::mem::take(&mut self.unheard);
        unheard.retain(|saying| {
            let is_listed = matches!(saying.channel, Channel::Ear(side)
                if self.lists[side].has(saying.utterance));
            !is_listed && !is_answer(&saying.phrase)
        });
        unheard
    }
}

/// Whether a phrase was said on request only.
fn is_answer(phrase: &Phrase) -> bool {
    matches!(
        phrase.key,
        PhraseKey::MovesMade
            | PhraseKey::ScoreWhite
            | PhraseKey::ScoreBlack
            | PhraseKey::SquareHolds
            | PhraseKey::SquareIsEmpty
    ) || phrase
        .arguments
        .iter()
        .any(|argument| matches!(argument, Argument::Time(_)))
}

/// How much of a stretch these ranges cover. Overlaps count once.
fn covered(stretch: &Range<Moment>, mut by: Vec<Range<Moment>>) -> Duration {
    by.sort_by_key(|part| part.start);
    let mut until = stretch.start;
    let parts = by.into_iter().map(|part| {
        let (start, end) = (part.start.max(until), part.end.min(stretch.end));
        until = until.max(end);
        end.since(start)
    });
    parts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Channel = Channel::Table;

    fn at(ms: u64) -> Moment {
        Moment::from_ms(ms)
    }

    fn said(speech: &mut Speech, phrase: impl Into<Phrase>) -> u32 {
        speech.say(TABLE, phrase.into(), Priority::Next);
        speech.utterances()
    }

    #[test]
    fn what_was_heard_to_its_end_is_not_said_again() {
        let mut speech = Speech::default();
        let [one, other] = [(); 2].map(|()| said(&mut speech, PhraseKey::PlayStarts));
        assert_eq!(speech.mark(at(1), TABLE, one, VoiceMark::Begun), None);
        assert!(speech.is_speaking(|on| on == TABLE));
        let heard = speech.mark(at(2), TABLE, one, VoiceMark::Finished);
        assert_eq!(heard.map(|phrase| phrase.key), Some(PhraseKey::PlayStarts));
        assert!(!speech.is_speaking(|_| true));
        let again = speech.begin_again();
        assert_eq!(again.len(), 1);
        assert_eq!(again[0].utterance, other);
        assert!(speech.begin_again().is_empty());
    }

    #[test]
    fn an_answer_is_stale_after_a_pause() {
        let mut speech = Speech::default();
        let time = Argument::Time(Duration::from_secs(60));
        said(&mut speech, Phrase::new(PhraseKey::TimesLeft, [time]));
        assert!(speech.begin_again().is_empty());
    }

    #[test]
    fn an_article_is_kept_for_the_ear_that_asks() {
        let mut speech = Speech::default();
        let article = || [Argument::Article("D.2.3".to_owned())];
        let refused = || Phrase::new(PhraseKey::NotNow, article());
        let ear = Channel::Ear(Color::White);
        for (channel, said) in [(TABLE, refused()), (ear, PhraseKey::NotNow.into())] {
            let effect = speech.say(channel, refused(), Priority::Next);
            assert!(matches!(effect, Effect::Say { phrase, .. } if phrase == said));
        }
        assert_eq!(speech.reason(Color::White), Some("D.2.3"));
        assert_eq!(speech.reason(Color::Black), None);
        let why = Phrase::new(PhraseKey::Why, article());
        let effect = speech.say(ear, why.clone(), Priority::Next);
        assert!(matches!(effect, Effect::Say { phrase, .. } if phrase == why));
    }

    #[test]
    fn only_the_last_sayings_wait_to_be_heard() {
        let mut speech = Speech::default();
        for _ in 0..=UNHEARD_MAX {
            said(&mut speech, PhraseKey::PlayStarts);
        }
        let waiting = speech.begin_again();
        assert_eq!((waiting.len(), waiting[0].utterance), (UNHEARD_MAX, 2));
    }

    #[test]
    fn a_voice_whose_end_is_never_told_has_ended_some_time() {
        let mut speech = Speech::default();
        let one = said(&mut speech, PhraseKey::PlayStarts);
        speech.mark(at(0), TABLE, one, VoiceMark::Begun);
        let end = at(0) + LONGEST_PHRASE;
        assert_eq!(speech.ends().collect::<Vec<_>>(), [end]);
        speech.drop_silent(at(1));
        assert!(speech.is_speaking(|_| true));
        speech.drop_silent(end);
        assert!(!speech.is_speaking(|_| true));
    }

    #[test]
    fn what_was_said_is_known_for_some_time() {
        let mut speech = Speech::default();
        let one = said(&mut speech, PhraseKey::PlayStarts);
        speech.mark(at(1000), TABLE, one, VoiceMark::Begun);
        speech.mark(at(2000), TABLE, one, VoiceMark::Finished);
        let during =
            |speech: &Speech| speech.spoken_during(&(at(1500)..at(3000)), at(3000), |_| true);
        assert_eq!(during(&speech), Duration::from_millis(500));
        speech.mark(at(2000) + REMEMBERED, TABLE, 9, VoiceMark::Finished);
        assert_eq!(during(&speech), Duration::ZERO);
    }

    #[test]
    fn the_table_hears_an_announcement_again_three_times() {
        let mut speech = Speech::default();
        let asked = [(); 5].map(|()| speech.repeat());
        assert_eq!(asked[..3], [Repeats::Few; 3]);
        assert_eq!(asked[3..], [Repeats::TooMany, Repeats::StillTooMany]);
    }

    #[test]
    fn numbers_go_on_and_never_back() {
        let mut speech = Speech::after(7);
        speech.skip_to(5);
        assert_eq!(said(&mut speech, PhraseKey::PlayStarts), 8);
        speech.skip_to(20);
        assert_eq!(said(&mut speech, PhraseKey::PlayStarts), 21);
    }

    #[test]
    fn what_two_voices_say_at_once_counts_once() {
        let stretch = |from, to| at(from)..at(to);
        let said = stretch(1000, 2000);
        let over = |by: &[Range<Moment>]| covered(&said, by.to_vec()).as_millis();
        assert_eq!(over(&[]), 0);
        assert_eq!(over(&[stretch(0, 1300)]), 300);
        // At the table and in the ear at once.
        assert_eq!(over(&[stretch(0, 1300), stretch(500, 1300)]), 300);
        assert_eq!(over(&[stretch(900, 1300), stretch(1200, 1500)]), 500);
        assert_eq!(over(&[stretch(1100, 1900), stretch(1200, 1300)]), 800);
        assert_eq!(over(&[stretch(1700, 2500), stretch(900, 1200)]), 500);
        assert_eq!(over(&[stretch(0, 900), stretch(2000, 3000)]), 0);
    }
}
