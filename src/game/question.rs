//! A question that is put to both players where there is no arbiter, and what they answer.
//!
//! It ends when both agree or both say no. While they differ it stays open, and nobody goes on from
//! a position that makes the record illegal before both have said so.

use shakmaty::Color;

use super::Game;
use super::confirming::Proposal;
use super::effect::Priority;
use super::profile::Microphones;
use super::ruling::Ruling;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// What both have answered so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Question {
    answers: Sides<Option<bool>>,
    /// Whether play stands still for it: then nothing goes on before it is answered.
    holds_play: bool,
}

/// How a question stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// This side has not answered; White comes first.
    WaitsFor(Color),
    /// One has said yes and the other no.
    Differ,
    /// Both have said yes.
    Agreed,
    /// Both have said no.
    Declined,
}

impl Question {
    /// A question nobody has answered yet.
    pub(super) fn new(holds_play: bool) -> Self {
        Self {
            answers: Sides::default(),
            holds_play,
        }
    }

    /// Takes an answer; a later one of the same side takes its place.
    pub(super) fn answer(&mut self, side: Color, is_yes: bool) -> Standing {
        self.answers[side] = Some(is_yes);
        self.standing()
    }

    /// How it stands.
    pub(super) fn standing(&self) -> Standing {
        match (self.answers.white, self.answers.black) {
            (None, _) => Standing::WaitsFor(Color::White),
            (_, None) => Standing::WaitsFor(Color::Black),
            (Some(true), Some(true)) => Standing::Agreed,
            (Some(false), Some(false)) => Standing::Declined,
            _ => Standing::Differ,
        }
    }

    /// Whether this side's word answers it. Who has answered waits for the other, unless play
    /// stands still for it.
    fn is_open_to(&self, side: Color) -> bool {
        let other_has_answered = self.answers[!side].is_some();
        self.answers[side].is_none() || other_has_answered || self.holds_play
    }

    fn is_unanswered(&self) -> bool {
        self.answers == Sides::default()
    }

    /// Asked from the beginning.
    pub(super) fn ask_anew(&mut self) {
        self.answers = Sides::default();
    }

    /// Whether play stands still for it.
    pub(super) const fn holds_play(&self) -> bool {
        self.holds_play
    }
}

impl Game {
    /// The question that both are being asked.
    fn asked(&self) -> Option<(&Proposal, &Question)> {
        let asked = |it: &&Proposal| Some(it.number()) == self.question;
        let proposal = self.proposals.iter().find(asked)?;
        Some((proposal, proposal.question()?))
    }

    /// Whether both players are being asked something.
    pub(super) fn is_asking_both(&self) -> bool {
        self.asked().is_some()
    }

    /// Whether a yes or no of nobody knows whom could be either player's answer.
    pub fn is_answer_eithers(&self) -> bool {
        let is_asked_back = Color::ALL
            .iter()
            .any(|side| self.confirmations[*side].is_some());
        self.is_asking_both() && !is_asked_back
    }

    /// Whose answer is waited for by name, so that a voice that may be either's is known.
    pub(super) fn asked_by_name(&self) -> Option<Color> {
        match self.asked()?.1.standing() {
            Standing::WaitsFor(side) => Some(side),
            _ => None,
        }
    }

    /// Whether a player's yes or no answers what both are asked.
    pub(super) fn is_asked_to_consent(&self, side: Color) -> bool {
        self.asked().is_some_and(|(_, it)| it.is_open_to(side))
    }

    /// Whether play stands still until both have answered.
    fn is_blocked_by_question(&self) -> bool {
        self.asked().is_some_and(|(_, it)| it.holds_play())
    }

    /// One question at a time: when one is answered the next is asked, and then those again that
    /// were asked before it.
    pub(super) fn ask_what_is_open(&mut self) {
        if self.is_asking_both() {
            return;
        }
        let asked = self.question.unwrap_or_default();
        let mut open = self.proposals.iter().filter(|it| it.question().is_some());
        let next = open.clone().find(|it| it.number() > asked);
        let Some(proposal) = next.or_else(|| open.next_back()) else {
            return;
        };
        let number = proposal.number();
        self.ask(number);
    }

    /// What comes up is asked at once; of several things that come up together, one after the
    /// other. Nothing comes before a question for which play stands still.
    pub(super) fn put_question(&mut self) {
        if self.is_blocked_by_question() {
            self.answer_first();
        } else if !self.is_asking_both() || self.asked_at != self.now {
            self.ask(self.proposed);
        }
    }

    /// Asks both players this, from the beginning.
    fn ask(&mut self, number: u32) {
        let mut proposals = self.proposals.iter_mut();
        let proposal = proposals.find(|it| it.number() == number);
        let Some(question) = proposal.and_then(Proposal::question_mut) else {
            return;
        };
        question.ask_anew();
        self.question = Some(number);
        self.asked_at = self.now;
        self.say_question(Channel::Table);
    }

    /// Says what both are asked, what yes does and what no does, and who may answer.
    pub(super) fn say_question(&mut self, channel: Channel) {
        for Phrase { key, arguments } in self.words_of_question() {
            self.say(channel, key, arguments, Priority::Next);
        }
    }

    /// The question in phrases; none if nothing is asked.
    pub(super) fn words_of_question(&self) -> Vec<Phrase> {
        let Some((proposal, question)) = self.asked() else {
            return Vec::new();
        };
        let because = proposal.because();
        let does = proposal.rulings().iter();
        let does = does.flat_map(|ruling| self.ruling_phrases(ruling));
        let mut words = vec![because.clone()];
        words.extend(does.filter(|phrase| phrase.key != because.key));
        let loses = proposal.rulings().iter().any(ends);
        if self.illegal_move_asked(proposal).is_some() && !loses {
            words.push(PhraseKey::NoIsGoingOn.into());
        }
        let is_one_microphone = self.profile.microphones == Microphones::Shared;
        words.push(match question.standing() {
            _ if question.is_unanswered() && !is_one_microphone => PhraseKey::BothConfirm.into(),
            Standing::WaitsFor(side) => yes_or_no(side),
            _ => PhraseKey::OpenStill.into(),
        });
        words
    }

    /// Something was asked for that has to wait for the answers.
    pub(super) fn answer_first(&mut self) {
        self.table(PhraseKey::AnswerFirst, []);
        self.say_question(Channel::Table);
    }

    /// A player answers what both are asked; both hear what he says and what is open still.
    pub(super) fn answer_both(&mut self, now: Moment, side: Color, is_yes: bool) {
        let Some(number) = self.question else { return };
        let is_it = |it: &Proposal| it.number() == number;
        let Some(index) = self.proposals.iter().position(is_it) else {
            return;
        };
        let proposal = self.proposals.get_mut(index);
        let Some(question) = proposal.and_then(Proposal::question_mut) else {
            return;
        };
        let standing = question.answer(side, is_yes);
        let holds_play = question.holds_play();
        let says = match is_yes {
            true => PhraseKey::SaysYes,
            false => PhraseKey::SaysNo,
        };
        match standing {
            Standing::Agreed => {
                let proposal = self.proposals.remove(index);
                self.rule_all(now, proposal.into_rulings());
            }
            Standing::Declined => {
                let proposal = self.proposals.remove(index);
                self.both_declined(now, &proposal);
            }
            Standing::WaitsFor(other) => {
                self.table(says, [Argument::Side(side)]);
                let Phrase { key, arguments } = yes_or_no(other);
                self.table(key, arguments);
            }
            Standing::Differ => {
                self.table(says, [Argument::Side(side)]);
                self.table(PhraseKey::OpenStill, []);
                if holds_play && self.profile.microphones == Microphones::Shared {
                    // Whose voice changes its mind nobody would know: it is asked by name again.
                    self.ask_by_name(index);
                }
            }
        }
    }

    fn ask_by_name(&mut self, index: usize) {
        let proposal = self.proposals.get_mut(index);
        if let Some(question) = proposal.and_then(Proposal::question_mut) {
            question.ask_anew();
        }
        let Phrase { key, arguments } = yes_or_no(Color::White);
        self.table(key, arguments);
    }

    /// Both have said no: everything stays as it is, and play that was stopped for it goes on. Who
    /// wants no loss for an illegal move may still want to go back.
    fn both_declined(&mut self, now: Moment, proposal: &Proposal) {
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

    /// Both play on from an illegal move: that is what they decided, and the record says so.
    fn stands_as_it_is(&mut self) {
        if let Some(side) = self.course.settle() {
            let who = [Color::White, Color::Black, side].map(Argument::Side);
            self.table(PhraseKey::PlayOnAsItStands, who);
        }
    }

    /// The illegal move that a proposal is about, if it is not settled.
    fn illegal_move_asked(&self, proposal: &Proposal) -> Option<usize> {
        let is_it = proposal.because().key == PhraseKey::IllegalMoveBy;
        self.course.unsettled().filter(|_| is_it)
    }

    /// Whether nobody may go on before both have answered, and they are asked again. Going on is
    /// what is asked itself where nothing else is.
    pub(super) fn must_answer_before_going_on(&mut self) -> bool {
        if self.profile.arbiter || self.scores.is_over() {
            return false;
        }
        let goes_on = |it: &Proposal| matches!(it.rulings(), [Ruling::Restart { .. }]);
        self.proposals.retain(|it| !goes_on(it));
        let open = self.asked().map(|(_, question)| *question);
        let is_open = open.is_some_and(|it| it.holds_play() || it.standing() != Standing::Differ);
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

    /// The opponent has moved on: what they could not agree about is not agreed.
    pub(super) fn drop_what_differs(&mut self) {
        let differs = |it: &Proposal| {
            let question = it.question();
            question.is_some_and(|it| it.standing() == Standing::Differ)
        };
        let before = self.proposals.len();
        self.proposals.retain(|it| !differs(it));
        if self.proposals.len() < before {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_ends_when_both_say_the_same() {
        let (white, black) = (Color::White, Color::Black);
        let mut asked = Question::new(true);
        assert_eq!(asked.standing(), Standing::WaitsFor(white));
        assert_eq!(asked.answer(black, false), Standing::WaitsFor(white));
        assert_eq!(asked.answer(white, true), Standing::Differ);
        assert_eq!(asked.answer(white, false), Standing::Declined);
        assert_eq!(asked.answer(black, true), Standing::Differ);
        assert_eq!(asked.answer(white, true), Standing::Agreed);
        asked.ask_anew();
        assert_eq!(asked.answer(white, true), Standing::WaitsFor(black));
    }

    #[test]
    fn who_has_answered_is_heard_again_only_where_play_waits_for_it() {
        let (white, black) = (Color::White, Color::Black);
        for holds_play in [true, false] {
            let mut asked = Question::new(holds_play);
            asked.answer(white, true);
            assert_eq!(asked.is_open_to(white), holds_play);
            assert!(asked.is_open_to(black));
            asked.answer(black, false);
            assert!(asked.is_open_to(white) && asked.is_open_to(black));
        }
    }
}
