//! Grave commands are confirmed by the one who gives them; what an arbiter would decide, by him,
//! or by both players where there is none.

use std::time::Duration;

use shakmaty::Color;

use super::Game;
use super::act::Act;
use super::answers::help_for;
use super::effect::{Effect, Priority};
use super::expectation::Form;
use super::profile::{AsksBack, Microphones, Mode};
use super::queries::Phase;
use super::question::Question;
use super::ruling::Ruling;
use annexd_laws::Fault;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Command;
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// A grave command lapses if it is not confirmed in this time.
const CONFIRMATION_PATIENCE: Duration = Duration::from_secs(20);

/// Something grave that waits for the yes of the player who wants it.
#[derive(Clone, Debug)]
pub(super) struct Confirmation {
    grave: Grave,
    until: Moment,
    /// Where it was asked.
    asked_on: Channel,
}

/// What cannot be taken back.
#[derive(Clone, Debug)]
pub(super) enum Grave {
    /// What is said with a word or one key.
    Command(Command),
    /// A claim that only a line can make.
    Claim(Act),
}

impl Grave {
    /// The question.
    const fn question(&self) -> PhraseKey {
        match self {
            Self::Command(Command::Resign) => PhraseKey::ConfirmResign,
            Self::Command(Command::OfferDraw) => PhraseKey::ConfirmOffer,
            Self::Command(Command::Accept) => PhraseKey::ConfirmAccept,
            Self::Command(Command::Arbiter) => PhraseKey::ConfirmArbiter,
            Self::Command(_) | Self::Claim(_) => PhraseKey::ConfirmClaim,
        }
    }
}

/// What could be decided now.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    number: u32,
    rulings: Vec<Ruling>,
    because: Phrase,
    /// What the players have answered, where both are asked.
    question: Option<Question>,
    /// Whether it lapses as soon as the opponent has made his next move (A.4.2).
    lapses: bool,
    /// The act that it is about, if it is about a fault.
    act: Option<u32>,
    /// The fault and the move it was made in, to be proposed anew when another one is counted.
    fault: Option<(Color, Fault, Option<usize>)>,
}

impl Proposal {
    pub(super) const fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    pub(super) fn into_rulings(self) -> Vec<Ruling> {
        self.rulings
    }

    pub(super) const fn because(&self) -> &Phrase {
        &self.because
    }

    pub(super) const fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    pub(super) const fn question_mut(&mut self) -> Option<&mut Question> {
        self.question.as_mut()
    }
}

impl Game {
    /// Shows the arbiter again what he can decide.
    pub(super) fn propose_again(&mut self) {
        let shown = self.proposals.iter().filter(|it| it.question.is_none());
        self.out.extend(shown.map(|proposal| Effect::Propose {
            proposal: proposal.number,
            rulings: proposal.rulings.clone(),
            because: proposal.because.clone(),
        }));
    }

    /// Whether a player is asked back before this counts: always when he resigns; for the rest
    /// when it was spoken, or if so agreed however it was given.
    pub(super) fn is_asked_back(&self, command: Command, is_voice: bool) -> bool {
        let is_asked = match command {
            Command::Resign => true,
            // Where nothing is offered there is nothing to ask.
            Command::Accept if self.draw.offered_by().is_none() => false,
            Command::OfferDraw
            | Command::Accept
            | Command::ClaimRepetition
            | Command::ClaimFiftyMoves
            | Command::ClaimTime
            | Command::Arbiter => is_voice || self.asks_back_always(),
            _ => false,
        };
        is_asked && self.holds("5.1.2")
    }

    /// Whether what is typed or keyed is asked back like what is spoken.
    pub(super) fn asks_back_always(&self) -> bool {
        self.profile.asks_back == Some(AsksBack::Always)
    }

    /// Asks a player whether he means it. Whose voice it was in a microphone of both is a guess:
    /// then it is asked at the table, where both hear who is meant.
    pub(super) fn confirm_first(&mut self, now: Moment, side: Color, grave: Grave, is_voice: bool) {
        let key = grave.question();
        let until = now + CONFIRMATION_PATIENCE;
        let is_a_guess = is_voice && self.profile.microphones == Microphones::Shared;
        let asked_on = if is_a_guess {
            Channel::Table
        } else {
            self.private(side)
        };
        self.confirmations[side] = Some(Confirmation {
            grave,
            until,
            asked_on,
        });
        // Both hear the question there: whoever answers it must know for whom.
        if asked_on == Channel::Table {
            self.table(PhraseKey::IsAsked, [Argument::Side(side)]);
        }
        self.say(asked_on, key, [], Priority::Next);
    }

    pub(super) fn answered_yes(&mut self, now: Moment, side: Color) {
        if let Some(confirmation) = self.confirmations[side].take() {
            let person = Person::Player(side);
            match confirmation.grave {
                Grave::Command(command) => self.carry_out(now, person, command),
                Grave::Claim(act) => self.act_at_once(now, person, act),
            }
        } else if self.is_asked_to_consent(side) {
            self.answer_both(now, side, true);
        } else if let Some(key) = self.what_is_asked(side) {
            self.tell(side, key, []);
        } else if !self.confirm_heard(side) {
            self.tell(side, PhraseKey::NothingAsked, []);
        }
    }

    /// What a player has to say to what he was asked, if that is neither yes nor no.
    fn what_is_asked(&self, side: Color) -> Option<PhraseKey> {
        let form = self.form_for(side);
        let is_asked = match form {
            Form::Repetition | Form::Origin | Form::Promotion => true,
            // The opponent has repeated something else.
            Form::Announcement => self.last_words(side).is_some(),
            Form::Confirmation | Form::Commands | Form::Nothing => false,
        };
        (is_asked && self.holds("what_is_asked")).then(|| help_for(form))
    }

    /// "Nein" rejects what was asked, and otherwise one's own announcement as it was read back.
    pub(super) fn answered_no(&mut self, now: Moment, side: Color) {
        if let Some(confirmation) = self.confirmations[side].take() {
            self.say(
                confirmation.asked_on,
                PhraseKey::Dropped,
                [],
                Priority::Next,
            );
        } else if self.is_asked_to_consent(side) {
            self.answer_both(now, side, false);
        } else if self.phase == Phase::Stopped && !self.is_making_sealed() {
            // Nothing was asked any more, and no move is on its way.
            self.tell(side, PhraseKey::NothingAsked, []);
        } else if self.form_for(side) == Form::Repetition
            && !self.may_correct(side)
            && let Some(key) = self.what_is_asked(side)
        {
            self.tell(side, key, []);
        } else {
            self.correct(now, side, None);
        }
    }

    /// Whether a player has words of his own that he may still take back (D.2.8).
    fn may_correct(&self, side: Color) -> bool {
        if self.course.turn() == side {
            return self.course.moving().words.is_some();
        }
        let last = self.course.last_of(side);
        last.is_some_and(|play| !play.pressed)
    }

    /// "Ja" to a read-back changes nothing; it is welcome.
    fn confirm_heard(&self, side: Color) -> bool {
        self.last_words(side).is_some()
    }

    /// What a player is asked about something that he himself wants.
    pub(super) fn question_to(&self, side: Color) -> Option<PhraseKey> {
        let confirmation = self.confirmations[side].as_ref()?;
        Some(confirmation.grave.question())
    }

    /// What is proposed to the arbiter and not decided.
    pub(super) fn proposed_to_arbiter(&self) -> impl Iterator<Item = &Proposal> {
        self.proposals.iter().filter(|it| it.question.is_none())
    }

    /// Puts something to the arbiter; in a game without one, to both players. Where they are asked
    /// to stop, play stands still already until they have answered.
    pub(super) fn propose(
        &mut self,
        mut rulings: Vec<Ruling>,
        clause: &'static str,
        key: PhraseKey,
        arguments: impl IntoIterator<Item = Argument>,
    ) {
        let article = self.article(clause);
        let arguments: Vec<Argument> = arguments.into_iter().chain([article]).collect();
        let because = Phrase::new(key, arguments);
        if self.profile.arbiter {
            self.proposed += 1;
            self.proposals
                .push(self.proposal(rulings.clone(), because.clone()));
            self.out.push(Effect::Propose {
                proposal: self.proposed,
                rulings: rulings.clone(),
                because,
            });
        } else {
            let is_unsettled = key == PhraseKey::IllegalMoveBy && self.course.unsettled().is_some();
            let holds_play = is_unsettled || rulings.contains(&Ruling::Stop);
            if holds_play && self.is_playing() {
                self.stop_play(self.now);
                self.table(PhraseKey::ClocksStopped, []);
            }
            rulings.retain(|ruling| *ruling != Ruling::Stop);
            self.put_to_both(rulings.clone(), because, holds_play);
        }
        self.explain(Some(self.proposed), clause, &rulings);
    }

    /// A proposal with the last number.
    const fn proposal(&self, rulings: Vec<Ruling>, because: Phrase) -> Proposal {
        Proposal {
            number: self.proposed,
            rulings,
            because,
            question: None,
            lapses: false,
            act: None,
            fault: None,
        }
    }

    /// Asks both players to agree to what an arbiter would decide.
    fn put_to_both(&mut self, rulings: Vec<Ruling>, because: Phrase, holds_play: bool) {
        self.proposed += 1;
        self.proposals.push(Proposal {
            question: Some(Question::new(holds_play)),
            ..self.proposal(rulings, because)
        });
        self.put_question();
    }

    /// What has been proposed since this number lapses once the opponent has made his next move:
    /// after it the illegal move stands (A.4.2).
    pub(super) fn let_lapse(&mut self, since: u32) {
        for proposal in &mut self.proposals {
            proposal.lapses |= proposal.number > since;
        }
    }

    /// The opponent has made his next move: what nobody decided before it is too late (A.4.2).
    pub(super) fn drop_lapsed(&mut self) {
        self.drop_what_differs();
        // Times that were logged for a position from which play has gone on are stale as well.
        self.proposals
            .retain(|proposal| proposal.because.key != PhraseKey::TimesAsLogged);
        let before = self.proposals.len();
        self.proposals.retain(|proposal| !proposal.lapses);
        if self.proposals.len() < before {
            self.report(self.unsupervised_loss(), PhraseKey::GameContinues, []);
        }
    }

    /// The number of the last thing that was proposed and is not decided.
    pub fn last_proposal(&self) -> Option<u32> {
        self.proposals.last().map(|proposal| proposal.number)
    }

    /// Whether a proposal would do just this.
    pub(super) fn is_proposed(&self, ruling: &Ruling) -> bool {
        let only = std::slice::from_ref(ruling);
        self.proposals
            .iter()
            .any(|proposal| proposal.rulings == only)
    }

    /// Puts to both players what one of them asks for where there is no arbiter; what they are
    /// asked already is only said again.
    pub(super) fn propose_to_players(&mut self, ruling: Ruling) {
        if self.is_proposed(&ruling) && self.is_asking_both() {
            return self.say_question(Channel::Table);
        }
        let because = self.ruling_phrases(&ruling).into_iter().next();
        let because = because.unwrap_or_else(|| PhraseKey::BothConfirm.into());
        self.put_to_both(vec![ruling], because, false);
    }

    /// What was proposed because a move seemed to end the game lapses with that move.
    pub(super) fn withdraw_end(&mut self) -> bool {
        let Some(number) = self.course.goes_on() else {
            return false;
        };
        let before = self.proposals.len();
        self.proposals.retain(|proposal| proposal.number != number);
        self.proposals.len() < before
    }

    /// Whether ends of the game are carried out without asking anybody.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.profile.mode != Mode::Rated && !self.profile.arbiter
    }

    /// The arbiter carries a proposal out, or puts it aside.
    pub(super) fn decide_proposal(&mut self, now: Moment, number: u32, is_accepted: bool) {
        let Some(index) = self
            .proposals
            .iter()
            .position(|proposal| proposal.number == number)
        else {
            if number == 0 {
                // They are counted from 1: the last one was meant, and there is none.
                self.nothing_to_decide();
                return;
            }
            self.say(
                Channel::Arbiter,
                PhraseKey::NoSuchProposal,
                [Argument::Number(number)],
                Priority::Next,
            );
            return;
        };
        let proposal = self.proposals.remove(index);
        if is_accepted {
            if let Some(act) = proposal.act.filter(|_| self.holds("7.5.5")) {
                // What was done in one act counts once, however often it was reported.
                self.proposals.retain(|other| other.act != Some(act));
            }
            let counts = |ruling: &Ruling| matches!(ruling, Ruling::CountFault { .. });
            let is_counted = proposal.rulings.iter().any(counts);
            self.conduct.judge(proposal.act);
            self.rule_all(now, proposal.rulings);
            self.conduct.judge(None);
            if let (true, Some((side, ..))) = (is_counted && self.holds("7.5.5"), proposal.fault) {
                self.propose_faults_anew(side);
            }
        }
    }

    /// A fault of a side was counted: what its other faults cost may be more now (7.5.3).
    fn propose_faults_anew(&mut self, side: Color) {
        let is_his = |it: &Proposal| it.fault.is_some_and(|(of, ..)| of == side);
        let (his, others) = std::mem::take(&mut self.proposals)
            .into_iter()
            .partition(is_his);
        self.proposals = others;
        let his: Vec<Proposal> = his;
        for proposal in his {
            if let Some((side, fault, index)) = proposal.fault {
                self.conduct.judge(proposal.act);
                self.report_fault(side, fault, index);
            }
        }
        self.conduct.judge(None);
    }

    /// Whether something that costs a fault is proposed and not decided.
    pub(super) fn has_fault_proposed(&self) -> bool {
        self.proposals.iter().any(|proposal| proposal.act.is_some())
    }

    /// What has been proposed since this number is about the last act.
    pub(super) fn is_about_the_last_act(
        &mut self,
        since: u32,
        fault: (Color, Fault, Option<usize>),
    ) {
        let act = Some(self.conduct.act());
        for proposal in &mut self.proposals {
            if proposal.number > since {
                proposal.act = act;
                proposal.fault = Some(fault);
            }
        }
    }

    /// Confirmations that nobody gave in time lapse.
    pub(super) fn drop_stale_confirmations(&mut self, now: Moment) {
        for side in Color::ALL {
            let is_stale = |it: &&mut Confirmation| it.until <= now;
            if self.confirmations[side].as_mut().filter(is_stale).is_some()
                && let Some(stale) = self.confirmations[side].take()
            {
                self.say(stale.asked_on, PhraseKey::Dropped, [], Priority::Next);
            }
        }
    }

    /// When the next confirmation lapses.
    pub(super) fn confirmation_due(&self) -> Option<Moment> {
        let until = |side: Color| self.confirmations[side].as_ref().map(|it| it.until);
        [until(Color::White), until(Color::Black)]
            .into_iter()
            .flatten()
            .min()
    }
}
