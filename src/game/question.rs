//! A question put to both players where there is no arbiter, and their answers.
//!
//! It ends when both agree or both decline. While they differ it stays open. From a position that
//! makes the record illegal, play goes on only if both say so.

use shakmaty::Color;

use super::Game;
use super::docket::{Answered, Proposal, Question, QuestionState};
use super::effect::Priority;
use super::profile::Microphones;
use super::ruling::Ruling;
use annexd_laws::QuickplayDecision;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Game {
    /// Whether both players are being asked something.
    pub(super) fn is_asking_both(&self) -> bool {
        self.docket.asked().is_some()
    }

    /// The question to a player about his own wish, and the number of the question to both. They
    /// stay the same until answered.
    pub fn question_to(&self, side: Color) -> Option<(Option<PhraseKey>, Option<u32>)> {
        let own = self.docket.confirmations.question_to(side);
        let of_both = self.docket.asked().map(|(proposal, _)| proposal.number());
        (own.is_some() || of_both.is_some()).then_some((own, of_both))
    }

    /// Whether a "yes" or "no" of an unknown speaker could be either player's answer.
    pub fn is_answer_eithers(&self) -> bool {
        let is_asked_back = Color::ALL
            .iter()
            .any(|side| self.docket.confirmations.is_confirming(*side));
        self.is_asking_both() && !is_asked_back
    }

    /// The side whose answer is awaited by name, so that an unknown voice can be assigned.
    pub(super) fn asked_by_name(&self) -> Option<Color> {
        match self.docket.asked()?.1.standing() {
            QuestionState::WaitsFor(side) => Some(side),
            _ => None,
        }
    }

    /// Whether a player's "yes" or "no" answers the question to both.
    pub(super) fn is_asked_to_consent(&self, side: Color) -> bool {
        self.docket
            .asked()
            .is_some_and(|(_, it)| it.is_open_to(side))
    }

    /// Whether play stands still until both have answered.
    pub(super) fn is_blocked_by_question(&self) -> bool {
        self.docket.asked().is_some_and(|(_, it)| it.holds_play())
    }

    /// Asks one question at a time: the next one when one is answered, then those that were asked
    /// before it.
    pub(super) fn ask_what_is_open(&mut self) {
        if let Some(number) = self.docket.next_to_ask() {
            self.ask(number);
        }
    }

    /// Asks a new question at once. Of several at the same moment, one follows the other. Nothing
    /// is put before a question for which play stands still.
    pub(super) fn put_question(&mut self, number: u32) {
        if self.is_blocked_by_question() {
            self.answer_first();
        } else if !self.is_asking_both() || !self.docket.was_asked_at(self.response.now()) {
            self.ask(number);
        }
    }

    /// Puts this question to both players from the beginning.
    fn ask(&mut self, number: u32) {
        if self.docket.ask(number, self.response.now()) {
            self.say_question(Channel::Table);
        }
    }

    /// Says the question to both, what "yes" and "no" do, and who may answer.
    pub(super) fn say_question(&mut self, channel: Channel) {
        for Phrase { key, arguments } in self.words_of_question() {
            self.say(channel, key, arguments, Priority::Next);
        }
    }

    /// The question in phrases; empty if nothing is being asked.
    pub(super) fn words_of_question(&self) -> Vec<Phrase> {
        let Some((proposal, question)) = self.docket.asked() else {
            return Vec::new();
        };
        let because = proposal.because();
        if let [Ruling::DecideClaim { upheld: true }] = proposal.rulings() {
            return self.words_of_claim(because, question);
        }
        let does = proposal.rulings().iter();
        let does = does.flat_map(|ruling| self.ruling_phrases(ruling));
        let mut words = vec![because.clone()];
        words.extend(does.filter(|phrase| phrase.key != because.key));
        let loses = proposal.rulings().iter().any(ends);
        if self.illegal_move_asked(proposal).is_some() && !loses {
            words.push(PhraseKey::NoIsGoingOn.into());
        }
        words.push(self.who_answers(question));
        words
    }

    /// The question about a claim. It says nothing of what the record shows: a position that cannot
    /// be judged must sound like every other (X1).
    fn words_of_claim(&self, because: &Phrase, question: &Question) -> Vec<Phrase> {
        let asks = PhraseKey::IsClaimJustified.into();
        vec![because.clone(), asks, self.who_answers(question)]
    }

    /// Who may answer.
    fn who_answers(&self, question: &Question) -> Phrase {
        let is_one_microphone = self.profile.microphones == Microphones::Shared;
        match question.standing() {
            _ if question.is_unanswered() && !is_one_microphone => PhraseKey::BothConfirm.into(),
            QuestionState::WaitsFor(side) => yes_or_no(side),
            _ => PhraseKey::OpenStill.into(),
        }
    }

    /// Says in short what both are being asked, and who may answer.
    pub(super) fn say_what_is_asked_and_whom(&mut self, channel: Channel) {
        let words = self.words_of_question();
        let (first, last) = (words.first().cloned(), words.last().cloned());
        for Phrase { key, arguments } in first.into_iter().chain(last) {
            self.say(channel, key, arguments, Priority::Next);
        }
    }

    /// Says that something has to wait for the answers.
    pub(super) fn answer_first(&mut self) {
        self.table(PhraseKey::AnswerFirst, []);
        self.say_question(Channel::Table);
    }

    /// Takes a player's answer to the question to both. Both hear it, and what is still open.
    pub(super) fn answer_both(&mut self, now: Moment, side: Color, is_yes: bool) {
        let Some(answered) = self.docket.answer(side, is_yes) else {
            return;
        };
        let says = match is_yes {
            true => PhraseKey::SaysYes,
            false => PhraseKey::SaysNo,
        };
        match answered {
            Answered::Agreed(proposal) => self.rule_all(now, proposal.into_rulings()),
            Answered::Declined(proposal) => self.both_declined(now, &proposal),
            Answered::WaitsFor(other) => {
                self.table(says, [Argument::Side(side)]);
                let Phrase { key, arguments } = yes_or_no(other);
                self.table(key, arguments);
            }
            Answered::Differ { holds_play } => {
                self.table(says, [Argument::Side(side)]);
                self.table(PhraseKey::OpenStill, []);
                if holds_play && self.profile.microphones == Microphones::Shared {
                    // Nobody could tell whose voice changes its mind, so both are asked by name
                    // again.
                    self.ask_by_name();
                }
            }
        }
    }

    fn ask_by_name(&mut self) {
        self.docket.ask_by_name();
        let Phrase { key, arguments } = yes_or_no(Color::White);
        self.table(key, arguments);
    }

    /// Both have declined. Everything stays as it is, and play that was stopped for the question
    /// goes on. Players who decline a loss for an illegal move may still want to go back.
    fn both_declined(&mut self, now: Moment, proposal: &Proposal) {
        if let Some(refused) = self.refused_by(proposal) {
            self.rule(now, refused);
            return;
        }
        let holds_play = proposal.question().is_some_and(Question::holds_play);
        match self.illegal_move_asked(proposal) {
            Some(index) if proposal.rulings().iter().any(ends) => {
                self.table(PhraseKey::BothSayNo, []);
                self.ask_to_go_back(index);
                return;
            }
            Some(_) => self.stands_as_it_is(),
            None => self.table(PhraseKey::BothSayNo, []),
        }
        if holds_play {
            self.rule(now, Ruling::Restart { clock: None });
        }
    }

    /// What both have decided by declining a claim, or the last decision that was possible on a
    /// request in a game without increment.
    fn refused_by(&self, proposal: &Proposal) -> Option<Ruling> {
        match proposal.rulings() {
            [Ruling::DecideClaim { upheld: true }] => Some(Ruling::DecideClaim { upheld: false }),
            [Ruling::DecideQuickplay(_)] if !self.docket.has_quickplay() => {
                Some(Ruling::DecideQuickplay(QuickplayDecision::Reject))
            }
            _ => None,
        }
    }

    /// Both play on after an illegal move. They decided that, and the record says so.
    fn stands_as_it_is(&mut self) {
        if let Some(side) = self.course.settle() {
            let who = [Color::White, Color::Black, side].map(Argument::Side);
            self.table(PhraseKey::PlayOnAsItStands, who);
        }
    }

    /// The illegal move that a proposal is about, if it is unsettled.
    fn illegal_move_asked(&self, proposal: &Proposal) -> Option<usize> {
        let is_it = proposal.because().key == PhraseKey::IllegalMoveBy;
        self.course.unsettled().filter(|_| is_it)
    }

    /// Whether both have to answer before play goes on; if so they are asked again. A bare proposal
    /// to go on is dropped, because going on is being asked for now.
    pub(super) fn must_answer_before_going_on(&mut self) -> bool {
        if self.profile.arbiter || self.scores.is_over() {
            return false;
        }
        self.docket.drop_going_on();
        let open = self.docket.asked().map(|(_, question)| *question);
        let is_open =
            open.is_some_and(|it| it.holds_play() || it.standing() != QuestionState::Differ);
        if is_open {
            self.answer_first();
            return true;
        }
        let unsettled = self.course.unsettled();
        if let Some(index) = unsettled {
            self.ask_both_about_illegal(index);
        }
        unsettled.is_some()
    }

    /// The opponent has moved on: a question they answered differently is not agreed.
    pub(super) fn drop_what_differs(&mut self) {
        if self.docket.drop_what_differs() {
            self.table(PhraseKey::NotAgreed, []);
        }
    }
}

const fn ends(ruling: &Ruling) -> bool {
    matches!(ruling, Ruling::End(_))
}

fn yes_or_no(side: Color) -> Phrase {
    Phrase::new(PhraseKey::YesOrNo, [Argument::Side(side)])
}
