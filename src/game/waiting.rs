//! What waits for somebody's word, as a value for whoever shows it: nothing of it is told to
//! anybody else, and nothing depends on whether a move is legal.

use shakmaty::Color;

use super::Game;
use super::expectation::Form;
use super::phase::Phase;
use super::profile::{Duty, Sensors};
use super::ruling::Ruling;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Person;
use annexd_phrases::{Phrase, PhraseKey};

/// Something that waits for the word of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The arbiter carries this out or puts it aside.
    Proposal {
        /// Its number.
        number: u32,
        /// What it would do.
        rulings: Vec<Ruling>,
        /// Why: the facts with their article.
        because: Phrase,
    },
    /// The arbiter decides the claim of this side.
    Claim(Color),
    /// The player says yes or no to what he himself wants.
    Confirmation(PhraseKey),
    /// The player agrees to what both are asked, or does not.
    Consent(Vec<Phrase>),
    /// The player answers the draw offer of his opponent.
    Offer,
    /// The player repeats this announcement of his opponent (D.2.1).
    Repetition(Announcement),
    /// The player says from where his piece goes.
    Origin,
    /// The player says what his pawn becomes.
    Promotion,
    /// The assistant says whether this announcement of a side was heard right (D.2.10.2).
    Heard(Color, Announcement),
    /// This announced move is to be executed on the board of this side (D.2.10.1).
    Execution(Color, Announcement),
}

impl Game {
    /// All that waits for the word of a person, the oldest first.
    pub fn waits_for(&self, person: Person) -> Vec<Waiting> {
        match person {
            Person::Player(side) => self.waits_for_player(side),
            Person::Assistant(side) => self.waits_for_assistant(side),
            Person::Arbiter if self.profile.arbiter => self.waits_for_arbiter(),
            Person::Arbiter => Vec::new(),
        }
    }

    /// Whether an assistant has a duty, and may do it.
    pub fn has_duty(&self, assistant: Color, duty: Duty) -> bool {
        self.may(Person::Assistant(assistant), assistant, duty)
            .is_ok()
    }

    fn waits_for_player(&self, side: Color) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        waiting.extend(self.docket.question_to(side).map(Waiting::Confirmation));
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
            Form::Commands | Form::Announcement | Form::Confirmation | Form::Nothing => {}
        }
        waiting.extend(self.execution_on(side));
        waiting
    }

    fn waits_for_assistant(&self, side: Color) -> Vec<Waiting> {
        let mut waiting = Vec::new();
        let mover = self.last_mover();
        // What a player of the other side has said his own assistant confirms, if he has one.
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
        // A proposal answers it already, where the program can judge it.
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

    /// The side whose announcement stands last.
    fn last_mover(&self) -> Color {
        let turn = self.turn();
        if self.announced(turn).is_some() {
            turn
        } else {
            !turn
        }
    }

    /// The move that is to be executed on a board that cannot tell.
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
