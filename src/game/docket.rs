//! What waits for somebody's decision: proposals to the arbiter, questions to both players without
//! one, and what a player has to confirm.

use shakmaty::Color;

use super::confirmations::Confirmations;
use super::ruling::Ruling;
use super::which::Which;
use annexd_laws::Fault;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Sides;
use annexd_phrases::{Phrase, PhraseKey};

/// Everything undecided. No two proposals ever have the same number.
#[derive(Clone, Debug)]
pub(super) struct Docket {
    /// The number of the last proposal.
    proposed: u32,
    proposals: Vec<Proposal>,
    /// The proposal that both players are being asked, or were asked last, and since when.
    asked: Option<u32>,
    asked_at: Moment,
    /// What the players have to confirm.
    pub(super) confirmations: Confirmations,
    /// Which of two moves somebody is to say that he means.
    pub(super) which: Which,
}

/// A fault of a side, and the move it was made in.
pub(super) type FaultMade = (Color, Fault, Option<usize>);

/// A decision that could be made now.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    number: u32,
    rulings: Vec<Ruling>,
    because: Phrase,
    /// The players' answers, if both are asked.
    question: Option<Question>,
    /// Whether it lapses once the opponent has made his next move (A.4.2).
    lapses: bool,
    /// The act that it is about, if it is about a fault.
    act: Option<u32>,
    /// The fault it is about, so that it can be proposed anew when another fault is counted.
    fault: Option<FaultMade>,
}

/// The answers of both players so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Question {
    answers: Sides<Option<bool>>,
    /// Whether play stands still until the question is answered.
    holds_play: bool,
}

/// The state of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuestionState {
    /// This side has not answered yet. White is asked first.
    WaitsFor(Color),
    /// One has said yes and the other no.
    Differ,
    /// Both have said yes.
    Agreed,
    /// Both have said no.
    Declined,
}

/// What an answer leads to.
#[derive(Clone, Debug)]
pub(super) enum Answered {
    /// The other player has yet to answer.
    WaitsFor(Color),
    /// The answers differ, and the question stays open.
    Differ {
        /// Whether play stands still until the question is answered.
        holds_play: bool,
    },
    /// Both players agree.
    Agreed(Proposal),
    /// Both players decline.
    Declined(Proposal),
}

impl Question {
    /// A question that nobody has answered yet.
    pub(super) fn new(holds_play: bool) -> Self {
        Self {
            answers: Sides::default(),
            holds_play,
        }
    }

    /// Takes a player's answer, which replaces his earlier one.
    pub(super) fn answer(&mut self, side: Color, is_yes: bool) -> QuestionState {
        self.answers[side] = Some(is_yes);
        self.standing()
    }

    /// The state of the question.
    pub(super) fn standing(&self) -> QuestionState {
        match (self.answers.white, self.answers.black) {
            (None, _) => QuestionState::WaitsFor(Color::White),
            (_, None) => QuestionState::WaitsFor(Color::Black),
            (Some(true), Some(true)) => QuestionState::Agreed,
            (Some(false), Some(false)) => QuestionState::Declined,
            _ => QuestionState::Differ,
        }
    }

    /// Whether a side may answer. A player who has answered waits for the other, unless play stands
    /// still for the question.
    pub(super) fn is_open_to(&self, side: Color) -> bool {
        let other_has_answered = self.answers[!side].is_some();
        self.answers[side].is_none() || other_has_answered || self.holds_play
    }

    /// A side's answer, if it has given one.
    pub(super) fn answer_of(&self, side: Color) -> Option<bool> {
        self.answers[side]
    }

    pub(super) fn is_unanswered(&self) -> bool {
        self.answers == Sides::default()
    }

    /// Forgets both answers, so that the question is put again.
    pub(super) fn ask_anew(&mut self) {
        self.answers = Sides::default();
    }

    /// Whether play stands still until the question is answered.
    pub(super) const fn holds_play(&self) -> bool {
        self.holds_play
    }
}

impl Proposal {
    /// The rulings it proposes, in order.
    pub(super) fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// Takes the rulings it proposes, to carry them out.
    pub(super) fn into_rulings(self) -> Vec<Ruling> {
        self.rulings
    }

    /// Why it is proposed.
    pub(super) const fn because(&self) -> &Phrase {
        &self.because
    }

    /// The proposal's number.
    pub(super) const fn number(&self) -> u32 {
        self.number
    }

    /// The question to both players, if it is one.
    pub(super) const fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// The act that it is about, if it is about a fault.
    pub(super) const fn act(&self) -> Option<u32> {
        self.act
    }

    /// The fault that it is about, if any.
    pub(super) const fn fault(&self) -> Option<FaultMade> {
        self.fault
    }
}

impl Docket {
    /// An empty docket after this many proposals.
    pub(super) fn after(proposed: u32) -> Self {
        Self {
            proposed,
            proposals: Vec::new(),
            asked: None,
            asked_at: Moment::START,
            confirmations: Confirmations::default(),
            which: Which::default(),
        }
    }

    // Proposals.

    /// The number of the last proposal ever made.
    pub(super) const fn proposed(&self) -> u32 {
        self.proposed
    }

    /// Makes sure that the next proposal has a higher number than this.
    pub(super) fn skip_to(&mut self, number: u32) {
        self.proposed = self.proposed.max(number);
    }

    /// Adds a proposal to the arbiter, or as a question to both players. Returns its number.
    pub(super) fn propose(
        &mut self,
        rulings: Vec<Ruling>,
        because: Phrase,
        question: Option<Question>,
    ) -> u32 {
        self.proposed += 1;
        self.proposals.push(Proposal {
            number: self.proposed,
            rulings,
            because,
            question,
            lapses: false,
            act: None,
            fault: None,
        });
        self.proposed
    }

    /// The proposals that the arbiter can decide.
    pub(super) fn for_the_arbiter(&self) -> impl Iterator<Item = &Proposal> {
        let proposals = self.proposals.iter();
        proposals.filter(|it| it.question.is_none())
    }

    /// The number of the last undecided proposal.
    pub(super) fn last_open(&self) -> Option<u32> {
        self.proposals.last().map(|proposal| proposal.number)
    }

    /// Whether an open proposal consists of exactly this ruling.
    pub(super) fn is_proposed(&self, ruling: &Ruling) -> bool {
        self.proposes(std::slice::from_ref(ruling))
    }

    /// Whether an open proposal consists of exactly these rulings.
    pub(super) fn proposes(&self, rulings: &[Ruling]) -> bool {
        self.proposals.iter().any(|it| it.rulings == rulings)
    }

    /// Whether a decision on a request in a game without increment is proposed.
    pub(super) fn has_quickplay(&self) -> bool {
        let grants = |it: &Proposal| matches!(it.rulings(), [Ruling::DecideQuickplay(_)]);
        self.proposals.iter().any(grants)
    }

    /// Whether a proposal about a fault is open.
    pub(super) fn has_fault(&self) -> bool {
        self.proposals.iter().any(|it| it.act.is_some())
    }

    /// Takes a proposal away, to decide it or put it aside.
    pub(super) fn take(&mut self, number: u32) -> Option<Proposal> {
        let index = self.proposals.iter().position(|it| it.number == number)?;
        Some(self.proposals.remove(index))
    }

    /// Links everything proposed since this number with this act and this fault.
    pub(super) fn is_about(&mut self, since: u32, act: u32, fault: FaultMade) {
        for proposal in self.proposals.iter_mut().filter(|it| it.number > since) {
            proposal.act = Some(act);
            proposal.fault = Some(fault);
        }
    }

    /// Lets everything proposed since this number lapse with the opponent's next move (A.4.2).
    pub(super) fn let_lapse(&mut self, since: u32) {
        for proposal in &mut self.proposals {
            proposal.lapses |= proposal.number > since;
        }
    }

    /// Drops what lapses now that the opponent has made his next move (A.4.2). Returns whether
    /// anything did. Times logged for a position from which play has gone on are dropped as well.
    pub(super) fn play_goes_on(&mut self) -> bool {
        self.proposals
            .retain(|it| it.because.key != PhraseKey::TimesAsLogged);
        self.drop(|it| it.lapses)
    }

    /// Drops all proposals about an act, which count once however often they were reported (7.5.5).
    pub(super) fn act_decided(&mut self, act: u32) {
        self.drop(|it| it.act == Some(act));
    }

    /// Takes all proposals about a side's faults, to be proposed anew.
    pub(super) fn take_faults_of(&mut self, side: Color) -> Vec<Proposal> {
        let is_own = |it: &Proposal| it.fault.is_some_and(|(of, ..)| of == side);
        let all = std::mem::take(&mut self.proposals).into_iter();
        let (his, others) = all.partition(is_own);
        self.proposals = others;
        his
    }

    /// Drops the proposals that only restart play, because that is asked on its own now.
    pub(super) fn drop_going_on(&mut self) {
        self.drop(|it| matches!(it.rulings(), [Ruling::Restart { .. }]));
    }

    /// Drops the proposals to call a flag, because it was claimed or called.
    pub(super) fn drop_call_of_flag(&mut self) {
        self.drop(|it| matches!(it.rulings(), [Ruling::CallFlag { .. }]));
    }

    /// Drops the question that both players answered differently. Returns whether there was one.
    pub(super) fn drop_what_differs(&mut self) -> bool {
        let differs = |it: &Question| it.standing() == QuestionState::Differ;
        self.drop(|it| it.question.as_ref().is_some_and(differs))
    }

    /// Restores the proposals as they were before a decision that is taken back. Numbers stay used.
    /// Returns whether that differs from what is open now.
    pub(super) fn restore_from(&mut self, before: &Self) -> bool {
        let numbers = |it: &Self| it.proposals.iter().map(|it| it.number).collect::<Vec<_>>();
        let differs = numbers(self) != numbers(before);
        self.proposals.clone_from(&before.proposals);
        differs
    }

    /// Drops all proposals, because something else has settled them.
    pub(super) fn clear(&mut self) {
        self.proposals.clear();
    }

    /// Drops what was proposed before boards and scores were compared, because it rests on older
    /// knowledge. Claims stay to be decided.
    pub(super) fn clear_but_claims(&mut self) {
        let decides = |ruling: &Ruling| {
            matches!(
                ruling,
                Ruling::DecideClaim { .. } | Ruling::DecideQuickplay(_)
            )
        };
        self.proposals.retain(|it| it.rulings.iter().any(decides));
    }

    fn drop(&mut self, is_dropped: impl Fn(&Proposal) -> bool) -> bool {
        let before = self.proposals.len();
        self.proposals.retain(|it| !is_dropped(it));
        self.proposals.len() < before
    }

    // Questions to both players.

    /// The question that both players are being asked.
    pub(super) fn asked(&self) -> Option<(&Proposal, &Question)> {
        let asked = |it: &&Proposal| Some(it.number) == self.asked;
        let proposal = self.proposals.iter().find(asked)?;
        Some((proposal, proposal.question.as_ref()?))
    }

    fn asked_mut(&mut self) -> Option<&mut Question> {
        let asked = self.asked;
        let mut proposals = self.proposals.iter_mut();
        let proposal = proposals.find(|it| Some(it.number) == asked)?;
        proposal.question.as_mut()
    }

    /// Whether the last question was put at this moment.
    pub(super) fn was_asked_at(&self, now: Moment) -> bool {
        self.asked_at == now
    }

    /// The number of the question to ask next, if none is being asked: first those after the last
    /// one, then those before it.
    pub(super) fn next_to_ask(&self) -> Option<u32> {
        let asked = self.asked.unwrap_or_default();
        let mut open = self.proposals.iter().filter(|it| it.question.is_some());
        let next = open.clone().find(|it| it.number > asked);
        let next = next.or_else(|| open.next_back());
        next.map(|it| it.number).filter(|_| self.asked().is_none())
    }

    /// Starts asking both players this. Returns whether it is a question to them.
    pub(super) fn ask(&mut self, number: u32, now: Moment) -> bool {
        let mut proposals = self.proposals.iter_mut();
        let proposal = proposals.find(|it| it.number == number);
        let Some(question) = proposal.and_then(|it| it.question.as_mut()) else {
            return false;
        };
        question.ask_anew();
        self.asked = Some(number);
        self.asked_at = now;
        // A "yes" answers what was asked last.
        for side in Color::ALL {
            self.confirmations.take_own_wish(side);
        }
        true
    }

    /// Puts the question anew, to one player after the other.
    pub(super) fn ask_by_name(&mut self) {
        if let Some(question) = self.asked_mut() {
            question.ask_anew();
        }
    }

    /// Takes a player's answer to the question to both. What both have decided is taken from the
    /// docket.
    pub(super) fn answer(&mut self, side: Color, is_yes: bool) -> Option<Answered> {
        let question = self.asked_mut()?;
        let holds_play = question.holds_play();
        Some(match question.answer(side, is_yes) {
            QuestionState::WaitsFor(other) => Answered::WaitsFor(other),
            QuestionState::Differ => Answered::Differ { holds_play },
            QuestionState::Agreed => Answered::Agreed(self.take(self.asked?)?),
            QuestionState::Declined => Answered::Declined(self.take(self.asked?)?),
        })
    }

    /// Drops everything, because the game is over.
    pub(super) fn close(&mut self) {
        self.clear();
        self.confirmations = Confirmations::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};

    fn at(ms: u64) -> Moment {
        Moment::from_ms(ms)
    }

    fn propose(docket: &mut Docket, question: Option<Question>) -> u32 {
        docket.propose(
            vec![Ruling::Compare],
            PhraseKey::CompareBoards.into(),
            question,
        )
    }

    #[test]
    fn numbers_are_given_once() {
        let mut docket = Docket::after(3);
        let first = propose(&mut docket, None);
        assert!(docket.take(first).is_some() && docket.take(first).is_none());
        assert_eq!((first, propose(&mut docket, None)), (4, 5));
        docket.skip_to(2);
        docket.skip_to(8);
        assert_eq!(
            (propose(&mut docket, None), docket.last_open()),
            (9, Some(9))
        );
        assert!(docket.is_proposed(&Ruling::Compare) && !docket.is_proposed(&Ruling::Annul));
    }

    #[test]
    fn what_both_have_decided_is_taken_and_what_they_differ_about_stays() {
        let mut docket = Docket::after(0);
        let one = propose(&mut docket, Some(Question::new(true)));
        assert!(docket.answer(White, true).is_none(), "nobody was asked");
        assert!(docket.ask(one, at(1)) && docket.was_asked_at(at(1)));
        let answered = docket.answer(White, true);
        assert!(matches!(answered, Some(Answered::WaitsFor(Black))));
        let answered = docket.answer(Black, false);
        assert!(matches!(
            answered,
            Some(Answered::Differ { holds_play: true })
        ));
        assert!(docket.asked().is_some());
        let answered = docket.answer(Black, true);
        assert!(matches!(answered, Some(Answered::Agreed(it)) if it.number() == one));
        assert!(docket.asked().is_none() && docket.last_open().is_none());
    }

    #[test]
    fn one_question_at_a_time_and_the_next_one_first() {
        let mut docket = Docket::after(0);
        let [one, two, three] = [(); 3].map(|()| propose(&mut docket, Some(Question::new(false))));
        docket.ask(two, at(1));
        assert_eq!(docket.next_to_ask(), None);
        docket.take(two);
        assert_eq!(docket.next_to_ask(), Some(three));
        docket.take(three);
        assert_eq!(docket.next_to_ask(), Some(one));
        let alone = propose(&mut docket, None);
        assert!(!docket.ask(alone, at(2)), "the arbiter decides that");
    }

    #[test]
    fn what_lapses_does_with_the_next_move_and_what_an_act_costs_is_decided_once() {
        let mut docket = Docket::after(0);
        propose(&mut docket, None);
        let since = docket.proposed();
        let fault = (White, Fault::IllegalMove, None);
        let ends = [(); 2].map(|()| propose(&mut docket, None));
        docket.is_about(since, 7, fault);
        assert!(docket.has_fault());
        docket.take(ends[0]);
        docket.act_decided(7);
        assert_eq!(
            (docket.has_fault(), docket.last_open()),
            (false, Some(since))
        );
        let late = propose(&mut docket, None);
        docket.let_lapse(since);
        assert!(docket.play_goes_on() && !docket.play_goes_on());
        assert!(docket.take(late).is_none() && docket.take(since).is_some());
    }

    #[test]
    fn what_is_open_again_keeps_its_number_and_no_other_gets_it() {
        let mut docket = Docket::after(0);
        let first = propose(&mut docket, None);
        let before = docket.clone();
        docket.take(first);
        propose(&mut docket, None);
        assert!(docket.restore_from(&before) && !docket.restore_from(&before));
        assert_eq!((docket.last_open(), docket.proposed()), (Some(first), 2));
    }

    #[test]
    fn a_question_ends_when_both_say_the_same() {
        let (white, black) = (White, Black);
        let mut asked = Question::new(true);
        assert_eq!(asked.standing(), QuestionState::WaitsFor(white));
        assert_eq!(asked.answer(black, false), QuestionState::WaitsFor(white));
        assert_eq!(asked.answer(white, true), QuestionState::Differ);
        assert_eq!(asked.answer(white, false), QuestionState::Declined);
        assert_eq!(asked.answer(black, true), QuestionState::Differ);
        assert_eq!(asked.answer(white, true), QuestionState::Agreed);
        asked.ask_anew();
        assert_eq!(asked.answer(white, true), QuestionState::WaitsFor(black));
    }

    #[test]
    fn who_has_answered_is_heard_again_only_where_play_waits_for_it() {
        let (white, black) = (White, Black);
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
