//! What the learner was told in a lesson, and what he and his opponent have done.

use shakmaty::{Color, Square};

use super::{LEARNER, OPPONENT, Ply, hint, is_about_square, is_to_move, number_of_move};
use crate::Game;
use annexd_laws::notation::Announcement;
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// The step of the lesson that the learner is at.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenStep {
    index: usize,
    is_told: bool,
    misheard: Option<Announcement>,
}

impl OpenStep {
    /// The index of the step.
    pub(super) const fn index(&self) -> usize {
        self.index
    }

    /// Whether the learner was told what to do in it.
    pub(super) const fn is_told(&self) -> bool {
        self.is_told
    }

    /// He is told what to do in it.
    pub(super) const fn tell(&mut self) {
        self.is_told = true;
    }

    /// The teacher says this in his place.
    pub(super) fn mishear(&mut self, words: Announcement) {
        self.misheard = Some(words);
    }

    /// Whether the teacher said this in his place.
    pub(super) fn is_misheard(&self, said: &Announcement) -> bool {
        self.misheard.as_ref() == Some(said)
    }

    /// The step is learnt, and the next one is open.
    pub(super) fn go_on(&mut self) {
        *self = Self {
            index: self.index + 1,
            ..Self::default()
        };
    }
}

/// What the learner has heard since he was last taught.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    phrases: Vec<Phrase>,
    /// Whether he has said or done something since, so that he is taught again.
    is_to_hear: bool,
    /// What he has to hear first then.
    hint: Option<PhraseKey>,
}

impl Told {
    /// He hears this.
    pub(super) fn hear(&mut self, phrase: &Phrase) {
        self.hint = hint(phrase.key).or(self.hint);
        self.phrases.push(phrase.clone());
    }

    /// Whether he is to be taught again. Once he is, only [`Self::forget`] and
    /// [`Self::teach_again_only_if`] change that.
    pub(super) const fn teach_again_if(&mut self, has_acted: bool) {
        self.is_to_hear |= has_acted;
    }

    /// Whether he is to be taught again, whatever he did before.
    pub(super) const fn teach_again_only_if(&mut self, is_to_hear: bool) {
        self.is_to_hear = is_to_hear;
    }

    /// Whether he is to be taught again.
    pub(super) const fn is_to_hear(&self) -> bool {
        self.is_to_hear
    }

    /// What he has to hear first, if it is this.
    pub(super) fn hint(&self, key: PhraseKey) -> Option<PhraseKey> {
        self.hint.filter(|hint| *hint == key)
    }

    /// Whether he has heard this.
    pub(super) fn has(&self, key: PhraseKey) -> bool {
        self.phrases.iter().any(|phrase| phrase.key == key)
    }

    /// Whether he is asked what he has said, which comes before the task. Takes that.
    pub(super) fn take_choice(&mut self) -> bool {
        let heard = self.phrases.len();
        let either = [PhraseKey::EitherSquare, PhraseKey::EitherOr];
        let is_choice = |key| key == PhraseKey::Whether || either.contains(&key);
        self.phrases.retain(|phrase| !is_choice(phrase.key));
        self.phrases.len() < heard
    }

    /// Whether he was told what stands on any square.
    pub(super) fn is_about_squares(&self) -> bool {
        self.phrases.iter().any(is_about_square)
    }

    /// Whether he was told what stands on this square, and on no other. Who asked for a file or a
    /// rank was told several.
    pub(super) fn is_only_about(&self, square: Square) -> bool {
        let about = Argument::Square(square);
        let mut told = self.phrases.iter().filter(|phrase| is_about_square(phrase));
        let (first, others) = (told.next(), told.next());
        others.is_none() && first.and_then(|it| it.arguments.first()) == Some(&about)
    }

    /// Takes the announcements, and returns how many of them were of this move.
    pub(super) fn take_announcements(&mut self, of: Option<&Argument>) -> u32 {
        let (announced, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.phrases)
            .into_iter()
            .partition(Phrase::is_announcement);
        self.phrases = others;
        let heard = announced.iter().filter(|it| it.arguments.first() == of);
        u32::try_from(heard.count()).unwrap_or(u32::MAX)
    }

    /// Everything heard until now has been considered.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// What the learner has done with the opponent's last announcement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Listening {
    is_repeated: bool,
    times_heard: u32,
}

impl Listening {
    /// He has heard it so often.
    pub(super) const fn hear(&mut self, times: u32) {
        self.times_heard += times;
    }

    /// He has repeated it correctly (D.2.1).
    pub(super) const fn repeat(&mut self) {
        self.is_repeated = true;
    }

    /// Whether he has repeated it.
    pub(super) const fn is_repeated(self) -> bool {
        self.is_repeated
    }

    /// Whether he has heard it more than once.
    pub(super) const fn is_heard_again(self) -> bool {
        self.times_heard > 1
    }

    /// Another announcement is to come, or another step asks for the same.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// The acts of both sides, as far as the lesson knows of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Acts {
    /// How many of the learner's own acts were seen.
    own: u32,
    /// How many were done for him.
    helped: u32,
    /// How many the opponent was to do.
    opponents: u32,
}

impl Acts {
    /// Something is done for this side.
    pub(super) const fn act_for(&mut self, side: Color) {
        match side {
            LEARNER => self.helped += 1,
            OPPONENT => self.opponents += 1,
        }
    }

    /// Takes how many acts the game has seen of the learner, and of those for him. Returns whether
    /// he has done something new.
    pub(super) fn look(&mut self, learners: u32) -> bool {
        let own = learners.saturating_sub(self.helped);
        let is_new = own > self.own;
        self.own = self.own.max(own);
        is_new
    }

    /// Whether the opponent has done all that he was to do, if the game has seen so many acts.
    pub(super) const fn is_opponent_done(self, opponents: u32) -> bool {
        opponents >= self.opponents
    }
}

/// The learner's moves in the game of the lesson.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OwnMoves {
    /// The number in the game and the move with which he is to go on.
    accepted: Option<(usize, Ply)>,
    /// The number of the move he was last to make.
    reached: usize,
}

impl OwnMoves {
    /// He is to go on with this move.
    pub(super) fn accept(&mut self, ply: Ply, game: &Game) {
        self.accepted = Some((number_of_move(game), ply));
    }

    /// Whether his announcement is the one with which he is to go on.
    pub(super) fn is_accepted(self, game: &Game) -> bool {
        let both = self.accepted.zip(game.announced(LEARNER));
        both.is_some_and(|((number, accepted), said)| {
            number == number_of_move(game) && accepted.is(said)
        })
    }

    /// Notes how far the game has come.
    pub(super) fn look(&mut self, game: &Game) {
        if is_to_move(game) {
            self.reached = self.reached.max(number_of_move(game));
        }
    }

    /// Whether he has taken a move back.
    pub(super) fn is_taken_back(self, game: &Game) -> bool {
        game.to_press() == LEARNER && number_of_move(game) < self.reached
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    fn pawn_to(square: Square) -> Announcement {
        Ply::Short(Role::Pawn, square).announcement()
    }

    fn holds(square: Square) -> Phrase {
        Phrase::new(PhraseKey::SquareIsEmpty, [Argument::Square(square)])
    }

    #[test]
    fn the_next_step_is_untold_and_nothing_was_said_in_it() {
        let mut open = OpenStep::default();
        open.tell();
        assert!(open.is_told());
        open.mishear(pawn_to(Square::E4));
        assert!(open.is_misheard(&pawn_to(Square::E4)));
        open.go_on();
        assert_eq!(open.index(), 1);
        assert!(!open.is_told() && !open.is_misheard(&pawn_to(Square::E4)));
    }

    #[test]
    fn a_hint_stays_until_another_one_or_until_all_is_forgotten() {
        let mut told = Told::default();
        told.hear(&PhraseKey::NotAnnounced.into());
        told.hear(&holds(Square::E4));
        let early = PhraseKey::LearnPressEarly;
        assert_eq!(told.hint(early), Some(early));
        assert_eq!(told.hint(PhraseKey::LearnRepeatDiffers), None);
        told.hear(&PhraseKey::RepetitionDiffers.into());
        assert_eq!(told.hint(early), None);
        told.teach_again_if(true);
        told.teach_again_if(false);
        assert!(told.is_to_hear());
        told.forget();
        assert!(!told.is_to_hear() && !told.has(PhraseKey::RepetitionDiffers));
    }

    #[test]
    fn a_whole_rank_is_not_one_square() {
        let mut told = Told::default();
        assert!(!told.is_about_squares());
        told.hear(&holds(Square::E4));
        assert!(told.is_only_about(Square::E4) && !told.is_only_about(Square::D4));
        told.hear(&holds(Square::F4));
        assert!(told.is_about_squares() && !told.is_only_about(Square::E4));
    }

    #[test]
    fn what_is_done_for_the_learner_is_no_act_of_his() {
        let mut acts = Acts::default();
        acts.act_for(LEARNER);
        assert!(!acts.look(1));
        assert!(acts.look(2));
        assert!(!acts.look(2));
        acts.act_for(OPPONENT);
        assert!(!acts.is_opponent_done(0) && acts.is_opponent_done(1));
    }

    #[test]
    fn an_announcement_is_heard_again_the_second_time() {
        let mut listening = Listening::default();
        listening.hear(1);
        assert!(!listening.is_heard_again());
        listening.hear(1);
        listening.repeat();
        assert!(listening.is_heard_again() && listening.is_repeated());
        listening.forget();
        assert!(!listening.is_heard_again() && !listening.is_repeated());
    }
}
