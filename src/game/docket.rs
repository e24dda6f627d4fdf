//! What waits for somebody's word: proposals to the arbiter, questions to both players where there
//! is none, and grave commands that a player has to confirm.

use std::time::Duration;

use shakmaty::Color;

use super::act::Act;
use super::notices::ElsewhereWish;
use super::ruling::Ruling;
use annexd_laws::Fault;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Command;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Phrase, PhraseKey};

/// A grave command lapses if it is not confirmed in this time.
const CONFIRMATION_PATIENCE: Duration = Duration::from_secs(20);

/// What is open. A number is given once, and never to two proposals.
#[derive(Clone, Debug)]
pub(super) struct Docket {
    /// The number of the last proposal.
    proposed: u32,
    proposals: Vec<Proposal>,
    /// The proposal that both players are asked, or were asked last, and since when.
    asked: Option<u32>,
    asked_at: Moment,
    confirmations: Sides<Option<Confirmation>>,
}

/// A fault of a side, and the move it was made in.
pub(super) type FaultMade = (Color, Fault, Option<usize>);

/// Something grave that waits for the yes of the player who wants it.
#[derive(Clone, Debug)]
pub(super) struct Confirmation {
    pub(super) grave: Grave,
    until: Moment,
    /// Where it was asked.
    pub(super) asked_on: Channel,
}

/// What cannot be taken back.
#[derive(Clone, Debug)]
pub(super) enum Grave {
    /// What is said with a word or one key.
    Command(Command),
    /// A claim that only a line can make.
    Claim(Act),
    /// What a server is to be told.
    Elsewhere(ElsewhereWish),
    /// annexd is left.
    Leaving(Leaving),
}

/// What is left with annexd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaving {
    /// Nothing that goes on: a game that is over, or a lesson.
    AtEnd,
    /// A game that is over and that he has not signed.
    Unsigned,
    /// A game that goes on another time.
    Interrupting,
}

impl Grave {
    /// The question.
    pub(super) const fn question(&self) -> PhraseKey {
        match self {
            Self::Command(Command::Resign) => PhraseKey::ConfirmResign,
            Self::Command(Command::OfferDraw) => PhraseKey::ConfirmOffer,
            Self::Command(Command::Accept) => PhraseKey::ConfirmAccept,
            Self::Command(Command::Arbiter) => PhraseKey::ConfirmArbiter,
            Self::Command(Command::Halt) => PhraseKey::ConfirmHalt,
            Self::Command(Command::SignResult) => PhraseKey::ConfirmSignature,
            Self::Command(Command::Arrive) => PhraseKey::ConfirmArrival,
            Self::Command(Command::AskLeave) => PhraseKey::ConfirmLeave,
            Self::Command(Command::AskComparison) => PhraseKey::ConfirmComparison,
            Self::Command(Command::DemandTwoBoards) => PhraseKey::ConfirmTwoBoards,
            Self::Command(Command::AskToAdjourn) => PhraseKey::ConfirmAdjourn,
            Self::Leaving(Leaving::AtEnd) => PhraseKey::ConfirmEnd,
            Self::Leaving(Leaving::Unsigned) => PhraseKey::ConfirmUnsigned,
            Self::Leaving(Leaving::Interrupting) => PhraseKey::ConfirmInterrupt,
            Self::Claim(Act::TakeBack) => PhraseKey::ConfirmTakeBack,
            Self::Elsewhere(ElsewhereWish::Abort) => PhraseKey::ConfirmAbort,
            Self::Elsewhere(ElsewhereWish::AllowTakeBack) => PhraseKey::OpponentWantsBack,
            Self::Elsewhere(ElsewhereWish::ClaimVictory) => PhraseKey::ConfirmVictory,
            Self::Command(_) | Self::Claim(_) | Self::Elsewhere(_) => PhraseKey::ConfirmClaim,
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
    fault: Option<FaultMade>,
}

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

/// What follows from an answer.
#[derive(Clone, Debug)]
pub(super) enum Answered {
    /// The other one is waited for.
    WaitsFor(Color),
    /// They differ, and it stays open.
    Differ {
        /// Whether play stands still for it.
        holds_play: bool,
    },
    /// Both want it.
    Agreed(Proposal),
    /// Neither does.
    Declined(Proposal),
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
    pub(super) fn is_open_to(&self, side: Color) -> bool {
        let other_has_answered = self.answers[!side].is_some();
        self.answers[side].is_none() || other_has_answered || self.holds_play
    }

    /// What a side has answered, if it has.
    pub(super) fn answer_of(&self, side: Color) -> Option<bool> {
        self.answers[side]
    }

    pub(super) fn is_unanswered(&self) -> bool {
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

impl Proposal {
    /// What it would do.
    pub(super) fn rulings(&self) -> &[Ruling] {
        &self.rulings
    }

    /// The same, to be done.
    pub(super) fn into_rulings(self) -> Vec<Ruling> {
        self.rulings
    }

    /// Why it is proposed.
    pub(super) const fn because(&self) -> &Phrase {
        &self.because
    }

    /// Its number.
    pub(super) const fn number(&self) -> u32 {
        self.number
    }

    /// What both are asked about it.
    pub(super) const fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// The act that it is about.
    pub(super) const fn act(&self) -> Option<u32> {
        self.act
    }

    /// The fault that it is about.
    pub(super) const fn fault(&self) -> Option<FaultMade> {
        self.fault
    }
}

impl Docket {
    /// Nothing is open, and so much was proposed before.
    pub(super) fn after(proposed: u32) -> Self {
        Self {
            proposed,
            proposals: Vec::new(),
            asked: None,
            asked_at: Moment::START,
            confirmations: Sides::default(),
        }
    }

    // Proposals.

    /// The number of the last proposal there was.
    pub(super) const fn proposed(&self) -> u32 {
        self.proposed
    }

    /// The next proposal has a higher number than this.
    pub(super) fn skip_to(&mut self, number: u32) {
        self.proposed = self.proposed.max(number);
    }

    /// Proposes this: to the arbiter, or as a question to both players. Its number.
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

    /// What the arbiter can decide.
    pub(super) fn for_the_arbiter(&self) -> impl Iterator<Item = &Proposal> {
        let proposals = self.proposals.iter();
        proposals.filter(|it| it.question.is_none())
    }

    /// The number of the last thing that was proposed and is not decided.
    pub(super) fn last_open(&self) -> Option<u32> {
        self.proposals.last().map(|proposal| proposal.number)
    }

    /// Whether a proposal would do just this.
    pub(super) fn is_proposed(&self, ruling: &Ruling) -> bool {
        self.proposes(std::slice::from_ref(ruling))
    }

    /// Whether a proposal would do just these.
    pub(super) fn proposes(&self, rulings: &[Ruling]) -> bool {
        self.proposals.iter().any(|it| it.rulings == rulings)
    }

    /// Whether something could be granted of what was asked without increment.
    pub(super) fn has_quickplay(&self) -> bool {
        let grants = |it: &Proposal| matches!(it.rulings(), [Ruling::DecideQuickplay(_)]);
        self.proposals.iter().any(grants)
    }

    /// Whether something that costs a fault is proposed.
    pub(super) fn has_fault(&self) -> bool {
        self.proposals.iter().any(|it| it.act.is_some())
    }

    /// A proposal is decided, or put aside: it is taken.
    pub(super) fn take(&mut self, number: u32) -> Option<Proposal> {
        let index = self.proposals.iter().position(|it| it.number == number)?;
        Some(self.proposals.remove(index))
    }

    /// What has been proposed since this number is about this act and this fault.
    pub(super) fn is_about(&mut self, since: u32, act: u32, fault: FaultMade) {
        for proposal in self.proposals.iter_mut().filter(|it| it.number > since) {
            proposal.act = Some(act);
            proposal.fault = Some(fault);
        }
    }

    /// What has been proposed since this number lapses with the opponent's next move (A.4.2).
    pub(super) fn let_lapse(&mut self, since: u32) {
        for proposal in &mut self.proposals {
            proposal.lapses |= proposal.number > since;
        }
    }

    /// The opponent has made his next move: whether that was too late for something (A.4.2). Times
    /// that were logged for a position from which play has gone on are stale as well.
    pub(super) fn play_goes_on(&mut self) -> bool {
        self.proposals
            .retain(|it| it.because.key != PhraseKey::TimesAsLogged);
        self.drop(|it| it.lapses)
    }

    /// What was done in an act is decided, however often it was reported (7.5.5).
    pub(super) fn act_decided(&mut self, act: u32) {
        self.drop(|it| it.act == Some(act));
    }

    /// What a side's faults cost is taken, to be proposed anew.
    pub(super) fn take_faults_of(&mut self, side: Color) -> Vec<Proposal> {
        let is_his = |it: &Proposal| it.fault.is_some_and(|(of, ..)| of == side);
        let all = std::mem::take(&mut self.proposals).into_iter();
        let (his, others) = all.partition(is_his);
        self.proposals = others;
        his
    }

    /// Going on is asked for itself, and nothing that was asked besides.
    pub(super) fn drop_going_on(&mut self) {
        self.drop(|it| matches!(it.rulings(), [Ruling::Restart { .. }]));
    }

    /// A fallen flag was claimed or called.
    pub(super) fn drop_call_of_flag(&mut self) {
        self.drop(|it| matches!(it.rulings(), [Ruling::CallFlag { .. }]));
    }

    /// What both could not agree about is dropped. Whether there was such a thing.
    pub(super) fn drop_what_differs(&mut self) -> bool {
        let differs = |it: &Question| it.standing() == Standing::Differ;
        self.drop(|it| it.question.as_ref().is_some_and(differs))
    }

    /// A decision is taken back: what was proposed before it is open again, and nothing else. A
    /// number stays given. Whether that is something else than is open now.
    pub(super) fn stand_as(&mut self, before: &Self) -> bool {
        let numbers = |it: &Self| it.proposals.iter().map(|it| it.number).collect::<Vec<_>>();
        let differs = numbers(self) != numbers(before);
        self.proposals.clone_from(&before.proposals);
        differs
    }

    /// Everything that was proposed is settled by something else.
    pub(super) fn clear(&mut self) {
        self.proposals.clear();
    }

    /// The boards and scores were compared: what was proposed before rests on what was known then.
    /// A claim stays to be decided.
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

    /// What both are being asked.
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

    /// What is to be asked next, if nothing is: what came after the last question, and then what
    /// was asked before it.
    pub(super) fn next_to_ask(&self) -> Option<u32> {
        let asked = self.asked.unwrap_or_default();
        let mut open = self.proposals.iter().filter(|it| it.question.is_some());
        let next = open.clone().find(|it| it.number > asked);
        let next = next.or_else(|| open.next_back());
        next.map(|it| it.number).filter(|_| self.asked().is_none())
    }

    /// Both are asked this from the beginning. Whether it is a question to them.
    pub(super) fn ask(&mut self, number: u32, now: Moment) -> bool {
        let mut proposals = self.proposals.iter_mut();
        let proposal = proposals.find(|it| it.number == number);
        let Some(question) = proposal.and_then(|it| it.question.as_mut()) else {
            return false;
        };
        question.ask_anew();
        self.asked = Some(number);
        self.asked_at = now;
        // A yes answers what was asked last.
        for side in Color::ALL {
            self.take_own_wish(side);
        }
        true
    }

    /// The question is put anew, to one after the other.
    pub(super) fn ask_by_name(&mut self) {
        if let Some(question) = self.asked_mut() {
            question.ask_anew();
        }
    }

    /// A player answers what both are asked. What both have decided is taken.
    pub(super) fn answer(&mut self, side: Color, is_yes: bool) -> Option<Answered> {
        let question = self.asked_mut()?;
        let holds_play = question.holds_play();
        Some(match question.answer(side, is_yes) {
            Standing::WaitsFor(other) => Answered::WaitsFor(other),
            Standing::Differ => Answered::Differ { holds_play },
            Standing::Agreed => Answered::Agreed(self.take(self.asked?)?),
            Standing::Declined => Answered::Declined(self.take(self.asked?)?),
        })
    }

    // Confirmations.

    /// A player is asked whether he means something grave. What he was asked before lapses.
    pub(super) fn confirm_first(
        &mut self,
        now: Moment,
        side: Color,
        grave: Grave,
        asked_on: Channel,
    ) {
        let until = now + CONFIRMATION_PATIENCE;
        self.confirmations[side] = Some(Confirmation {
            grave,
            until,
            asked_on,
        });
    }

    /// Whether a player is asked that.
    pub(super) fn is_confirming(&self, side: Color) -> bool {
        self.confirmations[side].is_some()
    }

    /// What a player is asked about something that he himself wants.
    pub(super) fn question_to(&self, side: Color) -> Option<PhraseKey> {
        let confirmation = self.confirmations[side].as_ref()?;
        Some(confirmation.grave.question())
    }

    /// He has answered.
    pub(super) fn take_confirmation(&mut self, side: Color) -> Option<Confirmation> {
        self.confirmations[side].take()
    }

    /// What a player wants himself and has yet to confirm, which is not asked any more.
    pub(super) fn take_own_wish(&mut self, side: Color) -> Option<Confirmation> {
        let allowing = Grave::Elsewhere(ElsewhereWish::AllowTakeBack);
        let is_own = |it: &mut Confirmation| it.grave.question() != allowing.question();
        self.confirmations[side].take_if(is_own)
    }

    /// What a player is asked for a server is settled without him. Whether he was asked that.
    pub(super) fn settle(&mut self, side: Color, wish: ElsewhereWish) -> bool {
        let is_that =
            |it: &mut Confirmation| matches!(it.grave, Grave::Elsewhere(of) if of == wish);
        self.confirmations[side].take_if(is_that).is_some()
    }

    /// Confirmations that nobody gave in time lapse.
    pub(super) fn drop_stale(&mut self, now: Moment) -> Vec<Confirmation> {
        let of = |side| self.confirmations[side].take_if(|it| it.until <= now);
        Color::ALL.map(of).into_iter().flatten().collect()
    }

    /// When the next one lapses.
    pub(super) fn confirmation_due(&self) -> Option<Moment> {
        let until = Color::ALL.map(|side| Some(self.confirmations[side].as_ref()?.until));
        until.into_iter().flatten().min()
    }

    /// The game is over: nothing is open any more.
    pub(super) fn close(&mut self) {
        self.clear();
        self.confirmations = Sides::default();
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
        assert!(docket.stand_as(&before) && !docket.stand_as(&before));
        assert_eq!((docket.last_open(), docket.proposed()), (Some(first), 2));
    }

    #[test]
    fn a_grave_command_waits_for_some_time() {
        let mut docket = Docket::after(0);
        let resign = || Grave::Command(Command::Resign);
        docket.confirm_first(at(0), White, resign(), Channel::Table);
        assert!(docket.is_confirming(White) && !docket.is_confirming(Black));
        let due = docket.confirmation_due().unwrap();
        assert!(docket.drop_stale(at(1)).is_empty());
        assert_eq!(docket.drop_stale(due).len(), 1);
        assert!(docket.take_confirmation(White).is_none());
        docket.confirm_first(at(0), Black, resign(), Channel::Table);
        docket.close();
        assert!(!docket.is_confirming(Black));
    }

    #[test]
    fn a_question_ends_when_both_say_the_same() {
        let (white, black) = (White, Black);
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
