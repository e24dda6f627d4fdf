//! What waits for a person's word, as a value for consoles and pages. Each person gets only his
//! own, and nothing depends on whether a move is legal.

use shakmaty::Color;

use super::Game;
use super::expectation::Form;
use super::phase::Phase;
use super::profile::{Duty, Sensors};
use super::ruling::Ruling;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Person;
use annexd_phrases::{Phrase, PhraseKey};

/// Something that waits for a person's word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The arbiter carries out this proposal or puts it aside.
    Proposal {
        /// The proposal's number.
        number: u32,
        /// The rulings it would carry out.
        rulings: Vec<Ruling>,
        /// The reason: the facts with their article.
        because: Phrase,
    },
    /// The arbiter decides the claim of this side.
    Claim(Color),
    /// The player confirms or drops his own wish.
    Confirmation(PhraseKey),
    /// The player answers the question to both.
    Consent(Vec<Phrase>),
    /// The player answers his opponent's draw offer.
    Offer,
    /// The player repeats this announcement of his opponent (D.2.1).
    Repetition(Announcement),
    /// The player says from where his piece moves.
    Origin,
    /// The player names the piece of a promotion.
    Promotion,
    /// The assistant says whether a side's announcement was heard right (D.2.10.2).
    Heard(Color, Announcement),
    /// An announced move has to be executed on this side's board (D.2.10.1).
    Execution(Color, Announcement),
}

impl Game {
    /// Everything that waits for a person's word, oldest first.
    pub fn waits_for(&self, person: Person) -> Vec<Waiting> {
        match person {
            Person::Player(side) => self.waits_for_player(side),
            Person::Assistant(side) => self.waits_for_assistant(side),
            Person::Arbiter if self.profile.arbiter => self.waits_for_arbiter(),
            Person::Arbiter => Vec::new(),
        }
    }

    /// Whether an assistant has a duty and may carry it out.
    pub fn has_duty(&self, assistant: Color, duty: Duty) -> bool {
        self.may(Person::Assistant(assistant), assistant, duty)
            .is_ok()
    }

    fn waits_for_player(&self, side: Color) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        waiting.extend(
            self.docket
                .confirmations
                .question_to(side)
                .map(Waiting::Confirmation),
        );
        if self.is_asked_to_consent(side) {
            waiting.push(Waiting::Consent(self.words_of_question()));
        }
        if self.draw.is_offered_to(side) && self.ending().is_none() {
            waiting.push(Waiting::Offer);
        }
        match self.form_besides_questions(side) {
            Form::Repetition => {
                let said = self.announced(!side).cloned();
                waiting.extend(said.map(Waiting::Repetition));
            }
            Form::Origin => waiting.push(Waiting::Origin),
            Form::Promotion => waiting.push(Waiting::Promotion),
            Form::Commands
            | Form::Announcement
            | Form::Confirmation
            | Form::Answer
            | Form::Nothing => {}
        }
        waiting.extend(self.execution_on(side));
        waiting
    }

    fn waits_for_assistant(&self, side: Color) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        let mover = self.last_mover();
        // A player's own announcement is confirmed by his own assistant, if he has one.
        if mover == side
            && self.has_duty(side, Duty::Announce)
            && self.is_confirmed(side) == Some(false)
        {
            let said = self.announced(side).cloned();
            waiting.extend(said.map(|said| Waiting::Heard(side, said)));
        }
        if self.has_duty(side, Duty::Execute) {
            waiting.extend(self.execution_on(!side));
        }
        waiting
    }

    fn waits_for_arbiter(&self) -> Vec<Waiting> {
        let proposals = self.docket.for_the_arbiter();
        let proposals = proposals.map(|proposal| Waiting::Proposal {
            number: proposal.number(),
            rulings: proposal.rulings().to_vec(),
            because: proposal.because().clone(),
        });
        let mut waiting: Vec<_> = proposals.collect();
        // A proposal covers the claim already, where the program can judge it.
        let is_proposed = |it: &Waiting| {
            matches!(it, Waiting::Proposal { rulings, .. }
                if rulings.iter().any(|it| matches!(it, Ruling::DecideClaim { .. })))
        };
        if let Some(claim) = self.draw.claim()
            && !waiting.iter().any(is_proposed)
        {
            waiting.push(Waiting::Claim(claim.side));
        }
        waiting
    }

    /// The side of the latest standing announcement.
    fn last_mover(&self) -> Color {
        let turn = self.turn();
        if self.announced(turn).is_some() {
            turn
        } else {
            !turn
        }
    }

    /// The move to be executed on a board without sensors.
    fn execution_on(&self, board: Color) -> Option<Waiting> {
        let is_open = matches!(self.phase, Phase::Playing | Phase::Stopped);
        let is_owed = is_open
            && self.sensors(board) == Sensors::None
            && self.profile.two_boards
            && self.is_executed(board) == Some(false);
        let said = is_owed.then(|| self.announced(!board)).flatten();
        said.map(|said| Waiting::Execution(board, said.clone()))
    }
}
