//! Confirmations. A player confirms his own grave commands. The arbiter confirms proposals, and
//! without an arbiter both players do.

use shakmaty::Color;

use super::Game;
use super::act::Act;
use super::confirmations::Grave;
use super::docket::{FaultMade, Question};
use super::effect::{Effect, Priority};
use super::expectation::Form;
use super::helping::help_for;
use super::phase::Phase;
use super::profile::{AsksBack, Microphones, Mode};
use super::ruling::Ruling;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Command;
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Game {
    /// Shows the arbiter again what he can decide.
    pub(super) fn propose_again(&mut self) {
        let shown = self.docket.for_the_arbiter();
        self.response.extend(shown.map(|proposal| Effect::Propose {
            proposal: proposal.number(),
            rulings: proposal.rulings().to_vec(),
            because: proposal.because().clone(),
        }));
    }

    /// Whether a command is asked back before it counts. Resigning always is; other grave commands
    /// are when spoken, or however they are given if so agreed.
    pub(super) fn is_asked_back(&self, side: Color, command: Command, is_voice: bool) -> bool {
        let is_asked = match command {
            Command::Resign => self.phase != Phase::BeforePlay,
            // An acceptance without an offer, or a signature before the end, needs no question.
            Command::Accept if self.draw.offered_by().is_none() => false,
            Command::SignResult if !self.scores.is_over() => false,
            // It has to wait for what both are asked, as he is told at once.
            Command::OfferDraw | Command::ClaimRepetition | Command::ClaimFiftyMoves
                if self.is_blocked_by_question() =>
            {
                false
            }
            // He is told only that he has signed.
            Command::SignResult if self.scores.has_signed(side) => false,
            Command::Arbiter | Command::AskLeave | Command::AskToAdjourn
                if !self.profile.arbiter =>
            {
                false
            }
            Command::OfferDraw
            | Command::Accept
            | Command::ClaimRepetition
            | Command::ClaimFiftyMoves
            | Command::ClaimTime
            | Command::ClaimIllegalMove
            | Command::ClaimNoWinningAttempt
            | Command::SignResult
            | Command::Halt
            | Command::Arbiter => is_voice || self.asks_back_always(),
            // Everyday words sound like these, and a "nicht" among them is not heard.
            Command::Arrive
            | Command::AskLeave
            | Command::AskComparison
            | Command::DemandTwoBoards
            | Command::AskToAdjourn => is_voice,
            _ => false,
        };
        is_asked && self.holds("5.1.2")
    }

    /// Whether what is typed or keyed is asked back like what is spoken.
    pub(super) fn asks_back_always(&self) -> bool {
        self.profile.asks_back == Some(AsksBack::Always)
    }

    /// Asks a player whether he means it. In a shared microphone the speaker is a guess: the
    /// question is then put at the table, where both hear who is meant.
    pub(super) fn confirm_first(&mut self, now: Moment, side: Color, grave: Grave, is_voice: bool) {
        let key = grave.question();
        let is_signature = matches!(grave, Grave::Command(Command::SignResult));
        let is_a_guess = is_voice && self.profile.microphones == Microphones::Shared;
        let asked_on = if is_a_guess {
            Channel::Table
        } else {
            self.private(side)
        };
        self.docket.confirmations.ask(now, side, grave, asked_on);
        // Both players hear a question at the table, so it must name the one who is asked.
        if asked_on == Channel::Table {
            self.table(PhraseKey::IsAsked, [Argument::Side(side)]);
        }
        // The player hears the result that he is to sign (8.7).
        let result = self.scores.ending().filter(|_| is_signature);
        if let Some(result) = result.and_then(|it| it.phrases().pop()) {
            self.say(asked_on, result.key, result.arguments, Priority::Next);
        }
        self.say(asked_on, key, [], Priority::Next);
    }

    /// Drops the question a player has yet to confirm when he goes on with something else. A later
    /// "yes" would answer that.
    pub(super) fn drop_own_wish(&mut self, side: Color) {
        if self.scores.is_over() || !self.holds("plays_on") {
            return;
        }
        if let Some(wish) = self.docket.confirmations.take_own_wish(side) {
            self.say(wish.asked_on, PhraseKey::Dropped, [], Priority::Next);
        }
    }

    pub(super) fn answered_yes(&mut self, now: Moment, side: Color) {
        if let Some(confirmation) = self.docket.confirmations.take_confirmation(side) {
            let person = Person::Player(side);
            match confirmation.grave {
                Grave::Command(command) => self.carry_out(now, person, command),
                Grave::Claim(act) => self.act_at_once(now, person, act),
                Grave::Elsewhere(wish) => self.send(side, wish),
                Grave::Leaving(_) => self.leave(side),
            }
        } else if self.is_asked_to_consent(side) {
            self.answer_both(now, side, true);
        } else if let Some(key) = self.what_is_asked(side) {
            self.tell(side, key, []);
            // "Ja" accepts no offer, which one word takes as it is meant.
            self.tell_answers_to_offer(side);
        } else if !self.goes_on_with_program(now, side) && !self.confirm_heard(side) {
            self.tell(side, PhraseKey::NothingAsked, []);
        }
    }

    /// What a player has to say to an open question that is answered by neither yes nor no.
    fn what_is_asked(&self, side: Color) -> Option<PhraseKey> {
        let form = self.form_for(side);
        let is_asked = match form {
            Form::Repetition | Form::Origin | Form::Promotion => true,
            // The opponent has repeated something else.
            Form::Announcement => self.last_words(side).is_some(),
            Form::Confirmation | Form::Answer | Form::Commands | Form::Nothing => false,
        };
        (is_asked && self.holds("what_is_asked")).then(|| help_for(form))
    }

    /// "Nein" rejects what was asked; if nothing was asked, it rejects the player's own
    /// announcement as read back.
    pub(super) fn answered_no(&mut self, now: Moment, side: Color) {
        if let Some(confirmation) = self.docket.confirmations.take_confirmation(side) {
            self.refuses_elsewhere(&confirmation.grave);
            self.say(
                confirmation.asked_on,
                PhraseKey::Dropped,
                [],
                Priority::Next,
            );
            let takes_back = matches!(confirmation.grave, Grave::Claim(Act::TakeBack));
            if takes_back && self.program_waits_for_take_back(side) {
                self.tell(side, PhraseKey::ProgramCannotGoOn, []);
            }
        } else if self.is_asked_to_consent(side) {
            self.answer_both(now, side, false);
        } else if self.phase == Phase::Stopped && !self.is_making_sealed() {
            // Nothing is being asked any more, and no move is on its way.
            self.tell(side, PhraseKey::NothingAsked, []);
        } else if self.form_for(side) == Form::Repetition
            && !self.may_correct(side)
            && let Some(key) = self.what_is_asked(side)
        {
            self.tell(side, key, []);
            self.tell_answers_to_offer(side);
        } else if self.is_offered_draw(side) && !self.may_correct(side) {
            self.tell(side, PhraseKey::HelpOffer, []);
        } else {
            self.correct(now, side, None);
        }
    }

    /// Tells a player who was offered a draw how he answers that.
    fn tell_answers_to_offer(&mut self, side: Color) {
        if self.is_offered_draw(side) {
            self.tell(side, PhraseKey::HelpOffer, []);
        }
    }

    /// Whether this player has a draw offer of his opponent to answer.
    pub(super) fn is_offered_draw(&self, side: Color) -> bool {
        self.draw.offered_by() == Some(!side)
    }

    /// Whether a player has an announcement that he may still correct (D.2.8).
    pub(super) fn may_correct(&self, side: Color) -> bool {
        if self.course.turn() == side {
            return self.course.moving().words.is_some();
        }
        let last = self.course.last_of(side);
        last.is_some_and(|play| !play.pressed)
    }

    /// Whether "ja" answers a read-back. It changes nothing and is allowed.
    fn confirm_heard(&self, side: Color) -> bool {
        self.last_words(side).is_some()
    }

    /// Puts a proposal to the arbiter, or without one to both players. A proposal to stop play
    /// stops it at once, until the players have answered.
    pub(super) fn propose(
        &mut self,
        mut rulings: Vec<Ruling>,
        clause: &'static str,
        key: PhraseKey,
        arguments: impl IntoIterator<Item = Argument>,
    ) {
        if self.is_elsewhere() {
            return;
        }
        let article = self.article(clause);
        let arguments: Vec<Argument> = arguments.into_iter().chain([article]).collect();
        let because = Phrase::new(key, arguments);
        if self.profile.arbiter {
            let docket = &mut self.docket;
            self.response.push(Effect::Propose {
                proposal: docket.propose(rulings.clone(), because.clone(), None),
                rulings: rulings.clone(),
                because,
            });
        } else {
            let is_unsettled = key == PhraseKey::IllegalMoveBy && self.course.unsettled().is_some();
            let holds_play = is_unsettled || rulings.contains(&Ruling::Stop);
            if holds_play && self.is_playing() {
                self.stop_play(self.response.now());
                self.table(PhraseKey::ClocksStopped, []);
            }
            rulings.retain(|ruling| *ruling != Ruling::Stop);
            self.put_to_both(rulings.clone(), because, holds_play);
        }
        self.explain(Some(self.docket.proposed()), clause, &rulings);
    }

    /// Asks both players to agree to what an arbiter would decide.
    fn put_to_both(&mut self, rulings: Vec<Ruling>, because: Phrase, holds_play: bool) {
        let question = Some(Question::new(holds_play));
        let number = self.docket.propose(rulings, because, question);
        self.put_question(number);
    }

    /// Lets everything proposed since this number lapse once the opponent has made his next move:
    /// after that the illegal move stands (A.4.2).
    pub(super) fn let_lapse(&mut self, since: u32) {
        self.docket.let_lapse(since);
    }

    /// The opponent has made his next move: undecided proposals that lapse with it are dropped
    /// (A.4.2).
    pub(super) fn drop_lapsed(&mut self) {
        self.drop_what_differs();
        if self.docket.play_goes_on() {
            self.report(self.unsupervised_loss(), PhraseKey::GameContinues, []);
        }
    }

    /// The number of the last open proposal.
    pub fn last_proposal(&self) -> Option<u32> {
        self.docket.last_open()
    }

    /// Whether an open proposal consists of exactly this ruling.
    pub(super) fn is_proposed(&self, ruling: &Ruling) -> bool {
        self.docket.is_proposed(ruling)
    }

    /// Without an arbiter, puts one player's request to both players. A question that they are
    /// already being asked is only said again.
    pub(super) fn propose_to_players(&mut self, ruling: Ruling) {
        if self.is_proposed(&ruling) && self.is_asking_both() {
            return self.say_question(Channel::Table);
        }
        let because = self.ruling_phrases(&ruling).into_iter().next();
        let because = because.unwrap_or_else(|| PhraseKey::BothConfirm.into());
        self.put_to_both(vec![ruling], because, false);
    }

    /// Withdraws the proposal to end the game when the move that caused it lapses. Returns whether
    /// there was one.
    pub(super) fn withdraw_end(&mut self) -> bool {
        let number = self.course.take_end_proposal();
        number.is_some_and(|number| self.docket.take(number).is_some())
    }

    /// Whether ends of the game are carried out without asking anybody.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.profile.mode != Mode::Rated && !self.profile.arbiter
    }

    /// The arbiter carries out a proposal or puts it aside.
    pub(super) fn decide_proposal(&mut self, now: Moment, number: u32, is_accepted: bool) {
        let Some(proposal) = self.docket.take(number) else {
            if number == 0 {
                // Proposals are counted from 1. Number 0 means the last one, and there is none.
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
        if is_accepted {
            let (act, fault) = (proposal.act(), proposal.fault());
            if let Some(act) = act.filter(|_| self.holds("7.5.5")) {
                self.docket.act_decided(act);
            }
            let counts = |ruling: &Ruling| matches!(ruling, Ruling::CountFault { .. });
            let is_counted = proposal.rulings().iter().any(counts);
            self.conduct.judge(act);
            self.rule_all(now, proposal.into_rulings());
            self.conduct.judge(None);
            if let (true, Some((side, ..))) = (is_counted && self.holds("7.5.5"), fault) {
                self.propose_faults_anew(side);
            }
        }
    }

    /// Proposes a side's other faults anew after one was counted: their penalty may now be higher
    /// (7.5.3).
    fn propose_faults_anew(&mut self, side: Color) {
        for proposal in self.docket.take_faults_of(side) {
            if let Some((side, fault, index)) = proposal.fault() {
                self.conduct.judge(proposal.act());
                self.report_fault(side, fault, index);
            }
        }
        self.conduct.judge(None);
    }

    /// Whether a proposal about a fault is open.
    pub(super) fn has_fault_proposed(&self) -> bool {
        self.docket.has_fault()
    }

    /// Links everything proposed since this number with the last act.
    pub(super) fn is_about_the_last_act(&mut self, since: u32, fault: FaultMade) {
        self.docket.is_about(since, self.conduct.act(), fault);
    }

    /// Drops confirmations that were not given in time.
    pub(super) fn drop_stale_confirmations(&mut self, now: Moment) {
        for stale in self.docket.confirmations.drop_stale(now) {
            self.say(stale.asked_on, PhraseKey::Dropped, [], Priority::Next);
        }
    }
}
