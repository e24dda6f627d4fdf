//! The task of a step told again, as things stand after the learner has said or done something that
//! did not end the step.

use super::{
    Announcement, Asked, Does, Game, LEARNER, Lesson, Person, Phase, Phrase, PhraseKey, Ply, Step,
    Until, Waiting, is_asked_back, is_to_move, standing,
};

impl Until {
    /// The move that the learner has to make.
    const fn ply(self) -> Option<Ply> {
        match self {
            Self::Announced(ply)
            | Self::FromWhere(ply)
            | Self::Offered(ply)
            | Self::Pressed(ply)
            | Self::Mates(ply) => Some(ply),
            _ => None,
        }
    }

    /// Whether this question comes up on the way to the goal.
    fn leads_to(self, (own, of_both): Asked) -> bool {
        match self {
            Self::Offered(_) => own == Some(PhraseKey::ConfirmOffer),
            Self::Told(keys) if keys.contains(&PhraseKey::EndFifty) => {
                own == Some(PhraseKey::ConfirmClaim) || own.is_none() && of_both.is_some()
            }
            _ => false,
        }
    }
}

impl Step {
    /// What a learner who makes no mistake is told last.
    fn last(&self) -> Option<Does> {
        let mut said = self.does.iter().rev().copied();
        said.find(|it| !matches!(it, Does::Mishears(_)))
    }
}

impl Lesson {
    /// What he has to do now, with what he has to hear first. Empty while he has to wait.
    pub(super) fn task(&self, step: &Step, game: &Game) -> Vec<Phrase> {
        let mut says: Vec<Phrase> = Vec::new();
        if let Some(question) = self.question {
            // A player who wants to leave is asked about nothing else.
            if question.0 == Some(PhraseKey::ConfirmInterrupt) {
                return says;
            }
            if self.claims_other || !step.until.leads_to(question) {
                says.push(PhraseKey::LearnOtherClaim.into());
            }
        } else if game.phase() == Phase::Stopped {
            return vec![PhraseKey::YesGoesOn.into()];
        }
        let owes_repetition = owes_repetition(game);
        if owes_repetition && self.told.hint(PhraseKey::LearnRepeatDiffers).is_some() {
            says.push(PhraseKey::LearnRepeatDiffers.into());
        }
        match (self.open.is_told(), step.until.ply()) {
            (true, Some(ply)) => says.extend(self.task_of_move(step, ply, game)),
            (true, None) => {
                if let Until::Asked(_) = step.until
                    && self.told.is_about_squares()
                {
                    says.push(PhraseKey::LearnOtherSquare.into());
                }
                says.extend(step.last().and_then(Does::phrase));
            }
            (false, _) if owes_repetition && !self.plan().repeats => {
                says.push(PhraseKey::LearnRepeat.into());
            }
            (false, _) => {}
        }
        says
    }

    fn task_of_move(&self, step: &Step, ply: Ply, game: &Game) -> Vec<Phrase> {
        let own = step.last();
        let tells_move = matches!(own, Some(Does::Tells(key, _)) if key != PhraseKey::LearnCorrect);
        let announcing = match own {
            Some(own) if tells_move => Some(own),
            _ => Some(Does::Tells(PhraseKey::LearnSay, ply)),
        };
        let (first, does) = match standing(game) {
            Some(_) if self.is_other(step, game) => (Some(PhraseKey::LearnOtherMove), announcing),
            Some(_) => (None, own.or(Some(Does::Says(PhraseKey::LearnPress)))),
            None => {
                let names_square = matches!(own, Some(Does::Names(..)));
                // A question about another move is no task.
                let is_of_it = |said: &Announcement| ply.is(said);
                let is_asked =
                    is_asked_back(game) && game.asked_about(LEARNER).is_some_and(is_of_it);
                let is_answer = names_square && is_asked;
                let early = self.told.hint(PhraseKey::LearnPressEarly);
                (early, if is_answer { own } else { announcing })
            }
        };
        let first = first.map(Phrase::from);
        first
            .into_iter()
            .chain(does.and_then(Does::phrase))
            .collect()
    }

    /// Whether he has announced another move than that of the step.
    pub(super) fn is_other(&self, step: &Step, game: &Game) -> bool {
        let both = step.until.ply().zip(standing(game));
        both.is_some_and(|(ply, said)| !ply.is(said) && !self.open.is_misheard(said))
    }

    /// Whether only his move is left to be done.
    pub(super) fn has_turn(&self, game: &Game) -> bool {
        let is_free = self.question.is_none() && !owes_repetition(game);
        is_to_move(game) && is_free && !self.own_moves.is_accepted(game)
    }
}

/// Whether he has yet to repeat the opponent's announcement.
fn owes_repetition(game: &Game) -> bool {
    let waiting = game.waits_for(Person::Player(LEARNER));
    let mut waiting = waiting.iter();
    waiting.any(|it| matches!(it, Waiting::Repetition(_)))
}
