//! Irregularities: told to the arbiter once they exist in law, and decided by him (7; X2, X4).

use shakmaty::{Color, Square};

use super::Game;
use super::moving::Play;
use super::position::{Position, Step};
use super::profile::Mode;
use super::ruling::{Irregularity, Ruling};
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_laws::{
    BeginningRemedy, DeviceFound, DeviceRule, Fault, GameType, IllegalPosition, LossOrDraw,
    MovesMade, NoticedFrom, OpponentSince, Penalty, PositionRemedy, Supervision, Termination,
    WrongBeginning,
};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Reports an illegal move that was completed. It exists only since the clock was pressed
    /// (7.5.1). The players are told nothing.
    pub(super) fn report_illegal(&mut self, index: usize) {
        let Some(play) = self
            .course
            .plays()
            .get(index)
            .filter(|_| self.holds("7.5.1"))
        else {
            return;
        };
        let (side, fault) = (play.moving.side, self.course.fault_of(index));
        let said = Some(play.announcement());
        let arguments = [Some(Argument::Side(side)), said.map(Argument::Move)];
        self.report(
            fault.clause(),
            PhraseKey::IllegalMove,
            arguments.into_iter().flatten(),
        );
        if self.asks_both_about_faults() {
            self.ask_both_about_illegal(index);
        }
        if !self.profile.arbiter {
            // Nobody may tell the players. The opponent can claim it (A.4.2).
            return;
        }
        let noticed = laws::is_noticed_in_time(
            self.sanction(),
            NoticedFrom::Arbiter,
            OpponentSince::Nothing,
        );
        if noticed {
            self.report_fault(side, fault, Some(index));
        }
    }

    /// Whether both players are asked in the arbiter's place: in a club game without an arbiter.
    fn asks_both_about_faults(&self) -> bool {
        let is_club = self.profile.mode == Mode::Club && !self.profile.arbiter;
        is_club && !self.is_elsewhere() && self.holds("club_faults")
    }

    /// Tells both players of an illegal move once it is completed, and asks them in the arbiter's
    /// place. A piece that was not the mover's points to a phrase that was lost or ascribed to the
    /// wrong side: then nobody is at fault, and only the position is put right.
    pub(super) fn ask_both_about_illegal(&mut self, index: usize) {
        if self.has_fault_proposed() {
            return;
        }
        let Some(play) = self.course.plays().get(index) else {
            return;
        };
        let (side, fault) = (play.moving.side, self.course.fault_of(index));
        let stood = match play.step {
            Step::Piece { from, .. } => play.before.board().color_at(from),
            Step::Castling(_) => Some(side),
        };
        self.course.leave_open(index);
        let proposed = self.docket.proposed();
        if stood == Some(side) {
            self.report_fault(side, fault, Some(index));
        } else {
            self.table(PhraseKey::MayBeLost, [Argument::Side(side)]);
        }
        if self.docket.proposed() == proposed {
            self.ask_to_go_back(index);
        }
    }

    /// Asks both players only whether play goes back to the position before an illegal move.
    pub(super) fn ask_to_go_back(&mut self, index: usize) {
        let fault = self.course.fault_of(index);
        let Some(side) = self.course.plays().get(index).map(|it| it.moving.side) else {
            return;
        };
        let plies = u32::try_from(index).unwrap_or(u32::MAX);
        let proposed = self.docket.proposed();
        let rulings = vec![Ruling::Restore { plies }];
        let said = [Argument::Side(side)];
        self.propose(rulings, "7.5.1", PhraseKey::IllegalMoveBy, said);
        self.is_about_the_last_act(proposed, (side, fault, Some(index)));
    }

    /// Without a clock nobody presses. A move counts as completed when the opponent has repeated it
    /// or made his own.
    pub(super) fn answered_without_clock(&mut self, index: usize) {
        let is_illegal = self.course.plays().get(index).is_some_and(|play| {
            play.legal == Some(false) && play.completed_at.is_none() && !play.pressed
        });
        if is_illegal && self.clocks.chessclock().is_none() && self.asks_both_about_faults() {
            self.report_illegal(index);
        }
    }

    /// Proposes the penalty of a fault and what to do about the position. `index` is the move in
    /// which it was made; `None` for the last one.
    pub(super) fn report_fault(&mut self, side: Color, fault: Fault, index: Option<usize>) {
        if !self.holds(fault.clause()) {
            return;
        }
        let mut rulings = vec![Ruling::Stop];
        let about = (side, fault, index);
        let index = index.unwrap_or_else(|| self.course.plays().len().saturating_sub(1));
        match fault.remedy(&self.rules) {
            PositionRemedy::Restore => rulings.push(Ruling::Restore {
                plies: u32::try_from(index).unwrap_or(u32::MAX),
            }),
            PositionRemedy::PlaceQueen => {
                let square = self.last_square();
                rulings.extend(square.map(|square| Ruling::PlaceQueen { square }));
            }
            PositionRemedy::PlayOn | PositionRemedy::Stands => {}
        }
        let proposed = self.docket.proposed();
        self.propose_for_fault(side, fault, rulings, None);
        self.is_about_the_last_act(proposed, about);
        let stands_once_answered =
            !laws::is_noticed_in_time(self.sanction(), NoticedFrom::Arbiter, OpponentSince::Made);
        if stands_once_answered && self.holds("A.4.2") {
            self.let_lapse(proposed);
        }
    }

    /// Proposes the remedy for the position and the penalty of a fault. `before` is the position in
    /// which it was made, if not the one before the last move.
    pub(super) fn propose_for_fault(
        &mut self,
        side: Color,
        fault: Fault,
        mut rulings: Vec<Ruling>,
        before: Option<&Position>,
    ) {
        let clause = fault.clause();
        let key = match fault {
            Fault::IllegalMove | Fault::UnexchangedPawn => PhraseKey::IllegalMoveBy,
            Fault::TwoHands { .. } => PhraseKey::TwoHands,
            Fault::PressWithoutMove => PhraseKey::PressedWithoutMove,
        };
        let game = (self.profile.game_type, self.profile.supervision);
        let penalty = laws::penalty(
            &self.rules,
            game,
            self.conduct.faults(side),
            (self.conduct.act(), fault),
            side,
            before
                .and_then(Position::chess)
                .or_else(|| self.course.last().and_then(|play| play.before.chess()))
                .or_else(|| self.course.position().chess()),
        );
        match penalty {
            Penalty::OpponentGains { time, .. } => {
                // An arbiter may have a clock that annexd does not know.
                if self.profile.arbiter || self.clocks.chessclock().is_some() {
                    rulings.push(Ruling::AddTime { side: !side, time });
                }
                rulings.push(Ruling::CountFault { side, fault });
                let arguments = [Argument::Side(side), Argument::Time(time)];
                self.propose(rulings, clause, key, arguments);
            }
            Penalty::GameOver { end, .. } => {
                // Without adequate supervision the loss has its own article.
                let loss = self.clause_of(Termination::IllegalMoves(side));
                let is_own = loss == self.unsupervised_loss();
                self.propose_loss(end, key, side, if is_own { loss } else { clause });
            }
            Penalty::ArbiterChooses(_) => self.report("12.9", key, [Argument::Side(side)]),
            Penalty::CountedAlready | Penalty::NotAFault => {
                self.report(clause, key, [Argument::Side(side)]);
            }
        }
    }

    fn propose_loss(&mut self, end: LossOrDraw, key: PhraseKey, side: Color, clause: &'static str) {
        let ends = match end {
            LossOrDraw::Ended(end) => vec![end],
            LossOrDraw::ArbiterDecides {
                if_mate_is_possible,
                if_not,
            } => vec![if_mate_is_possible, if_not],
        };
        for end in ends {
            let rulings = vec![Ruling::End(end)];
            self.propose(rulings, clause, key, [Argument::Side(side)]);
        }
    }

    fn last_square(&self) -> Option<Square> {
        match self.course.last()?.step {
            Step::Piece { to, .. } => Some(to),
            Step::Castling(_) => None,
        }
    }

    /// The opponent claims that the last move was illegal, in editions that require a claim
    /// (A.4.2).
    pub(super) fn claim_illegal_move(&mut self, claimant: Color) {
        if !self.holds("A.4.2") {
            return;
        }
        let channel = self.private(claimant);
        // The Laws wait for a claim only without adequate supervision.
        let has_supervision =
            self.rules.game_types.has_supervised_mode && self.profile.supervision.is_adequate();
        let waits = self.profile.game_type != GameType::Standard && !has_supervision;
        let clause = match waits {
            true => self.unsupervised_loss(),
            false => "7.5.1",
        };
        if !waits {
            self.claim_before_the_arbiter(claimant, clause);
            return;
        }
        let last = self.course.last().filter(|play| {
            play.moving.side != claimant && play.pressed && play.legal == Some(false)
        });
        let Some(play) = last else {
            // The claimant has made his own next move: it is too late.
            let is_made = self
                .course
                .last()
                .is_some_and(|play| play.moving.side == claimant);
            let key = if is_made && self.course.plays().len() > 1 {
                PhraseKey::ClaimedTooLate
            } else {
                PhraseKey::NoIllegalMove
            };
            self.refuse(channel, clause, key);
            self.report(
                clause,
                PhraseKey::IllegalClaimed,
                [Argument::Side(claimant)],
            );
            return;
        };
        let side = play.moving.side;
        let since = if self.course.moving().hands.touched.is_empty() {
            OpponentSince::Nothing
        } else {
            OpponentSince::Touched
        };
        let in_time = laws::is_noticed_in_time(self.sanction(), NoticedFrom::Opponent, since);
        self.report(
            clause,
            PhraseKey::IllegalClaimed,
            [Argument::Side(claimant)],
        );
        if in_time {
            let index = self.course.plays().len() - 1;
            let fault = self.course.fault_of(index);
            self.report_fault(side, fault, Some(index));
        } else {
            self.refuse(channel, clause, PhraseKey::ClaimedTooLate);
        }
    }

    /// Puts a claim before the arbiter under the Competition Rules. No answer tells the players
    /// what was legal. An illegal move can be found as long as the game goes on (7.5.1).
    fn claim_before_the_arbiter(&mut self, claimant: Color, clause: &'static str) {
        self.for_the_arbiter(clause, PhraseKey::IllegalClaimed, claimant, None);
        let is_his = |play: &Play| play.moving.side != claimant && play.legal == Some(false);
        let found = self.course.plays().iter().rposition(is_his);
        if let Some(index) = found.filter(|_| !self.has_fault_proposed()) {
            let fault = self.course.fault_of(index);
            self.report_fault(!claimant, fault, Some(index));
        }
    }

    /// Takes the arbiter's report of what no sensor sees.
    pub(super) fn irregularity(&mut self, now: Moment, side: Color, what: Irregularity) {
        let made = |of: Color| {
            let plays = self
                .course
                .plays()
                .iter()
                .filter(|play| play.moving.side == of && play.completed_at.is_some());
            u32::try_from(plays.count()).unwrap_or(u32::MAX)
        };
        let completed = MovesMade {
            white: made(Color::White),
            black: made(Color::Black),
        };
        match what {
            Irregularity::TwoHands => self.two_hands(side),
            Irregularity::PressWithoutMove => {
                self.report_fault(side, Fault::PressWithoutMove, None);
            }
            Irregularity::IllegalMove => self.illegal_move_found(side),
            Irregularity::WrongSetup => self.wrong_beginning(WrongBeginning::Array, completed),
            Irregularity::BoardTurned => {
                self.wrong_beginning(WrongBeginning::Orientation, completed);
            }
            Irregularity::ColoursReversed => {
                self.wrong_beginning(WrongBeginning::ReversedColours, completed);
            }
            Irregularity::PiecesDisplaced => self.tell_recorded_position(side),
            Irregularity::ClockSetWrong => self.clock_set_wrong(now, side, completed),
            // The report does not say which device it was, nor where. The edition's rule decides
            // for what it counts.
            Irregularity::Device => match self.rules.conduct.device {
                DeviceRule::OnPersonLoses => self.device_found(side, DeviceFound::OnPerson),
                _ => self.device_found(side, DeviceFound::Unapproved),
            },
            Irregularity::DeviceNoise => self.device_found(side, DeviceFound::Noise),
            Irregularity::DeviceOnPerson => self.device_found(side, DeviceFound::OnPerson),
            Irregularity::AccidentalTouch => {
                self.judge_contact(side, laws::HowTouched::ClearlyByAccident);
            }
            Irregularity::DoubtfulTouch => self.judge_contact(side, laws::HowTouched::Doubtful),
            Irregularity::Disturbance => {
                self.report("11.5", PhraseKey::Disturbance, [Argument::Side(side)]);
            }
            Irregularity::Leaving => {
                self.report("11.2", PhraseKey::LeftTheHall, [Argument::Side(side)]);
            }
        }
    }

    /// Both hands were used for the move being made, or else for the last one made. If an edition
    /// makes this a fault only after the press, it waits for the press (7.5.4).
    fn two_hands(&mut self, side: Color) {
        let has_begun = self.course.turn() == side
            && (self.course.moving().words.is_some()
                || !self.course.moving().hands.touched.is_empty()
                || self.shown_step().is_some());
        let pressed = self.course.two_hands(side, has_begun);
        self.report_fault(side, Fault::TwoHands { pressed }, None);
    }

    /// The arbiter has found an illegal move of this side. Play goes back to the position before it
    /// (7.5.1), if he may still act on it (A.4.2).
    fn illegal_move_found(&mut self, side: Color) {
        let last = |is_wanted: fn(&Play) -> bool| {
            let of_side = |play: &Play| play.moving.side == side && is_wanted(play);
            self.course.plays().iter().rposition(of_side)
        };
        let found = last(|play| play.legal == Some(false)).or_else(|| last(|_| true));
        if found.is_none() {
            self.nothing_to_decide();
            return;
        }
        let sanction = self.sanction();
        let since = match found {
            Some(index) if index + 1 < self.course.plays().len() => OpponentSince::Made,
            _ => OpponentSince::Nothing,
        };
        let in_time = laws::is_noticed_in_time(sanction, NoticedFrom::Arbiter, since);
        if in_time || !self.holds("A.4.2") {
            let fault = found.map_or(Fault::IllegalMove, |index| self.course.fault_of(index));
            self.report_fault(side, fault, found);
        } else {
            self.report(self.unsupervised_loss(), PhraseKey::GameContinues, []);
        }
    }

    fn wrong_beginning(&mut self, wrong: WrongBeginning, completed: MovesMade) {
        let clause = laws::wrong_beginning_clause(wrong);
        if !self.holds(clause) {
            return;
        }
        let game = (self.profile.game_type, self.profile.supervision);
        match laws::wrong_beginning(&self.rules, game, wrong, completed) {
            BeginningRemedy::NewGame => {
                self.conduct.would_annul(clause);
                self.propose(vec![Ruling::Annul], clause, PhraseKey::NewGame, []);
            }
            BeginningRemedy::Transfer => self.report(clause, PhraseKey::TransferPosition, []),
            BeginningRemedy::ContinueUnlessArbiter | BeginningRemedy::Continue => {
                // Only reversed colours keep their own clause here. The other errors stand because
                // it is too late to complain (A.4.1).
                let is_too_late = wrong != WrongBeginning::ReversedColours;
                let clause = if is_too_late { "A.4.1" } else { clause };
                self.report(clause, PhraseKey::GameContinues, []);
                if wrong == WrongBeginning::Array {
                    self.misplaced_castles_no_more();
                }
            }
        }
    }

    /// Once it is too late to complain about the array, kings and rooks that were misplaced in it
    /// may not castle (A.4.1).
    fn misplaced_castles_no_more(&mut self) {
        let setup = self
            .profile
            .start
            .as_ref()
            .map(|fen| fen.as_setup().clone());
        let Some(began) = setup.filter(|_| !self.profile.chess960 && self.holds("A.4.1")) else {
            return;
        };
        let rights = self.course.position().setup().castling_rights;
        let kept = laws::castling_after_misplacement(&self.rules, &began.board, rights);
        if kept != rights {
            self.course.keep_castling(kept);
            self.report("A.4.1", PhraseKey::CastlingLost, []);
        }
    }

    /// A clock was set wrongly. It is corrected (6.10.2); in rapid and blitz without supervision
    /// only before both have made ten moves (A.4.1), and after an adjournment as E.13 says.
    fn clock_set_wrong(&mut self, now: Moment, side: Color, completed: MovesMade) {
        if self.wrong_time_after_resumption(side) {
            return;
        }
        let game = (self.profile.game_type, self.profile.supervision);
        let is_too_late = laws::is_too_late_to_complain(&self.rules, game, completed);
        if is_too_late && self.holds("A.4.1") {
            self.report("A.4.1", PhraseKey::ClockSettingStays, []);
        } else {
            self.stop_play(now);
            self.report("6.10.2", PhraseKey::ClockSetWrong, []);
        }
    }

    /// In rapid and blitz without supervision, when both kings are in check or a pawn stands on the
    /// last rank, the arbiter waits for the next move. If the position is still illegal, the game
    /// is drawn. In the 2009 edition he intervenes at once (A.4.4).
    pub(super) fn watch_illegal_position(&mut self, index: usize) {
        let is_unsupervised = self.profile.game_type != GameType::Standard
            && self.profile.supervision == Supervision::Inadequate;
        if !is_unsupervised || !self.profile.arbiter || !self.holds("A.4.4") {
            return;
        }
        if !laws::is_plainly_illegal(self.course.board()) {
            self.course.see_illegal(false);
            return;
        }
        match (
            self.rules.illegal_moves.illegal_position,
            self.course.illegal_since(),
        ) {
            (IllegalPosition::Unsaid, _) => {}
            (IllegalPosition::ArbiterStepsIn, _) => {
                let Some(side) = self.course.plays().get(index).map(|play| play.moving.side) else {
                    return;
                };
                let fault = self.course.fault_of(index);
                self.report_fault(side, fault, Some(index));
            }
            (IllegalPosition::DrawnAfterNextMove, None) => {
                self.course.see_illegal(true);
                self.report("A.4.4", PhraseKey::IllegalPosition, []);
            }
            (IllegalPosition::DrawnAfterNextMove, Some(since))
                if self.course.plays().len() > since =>
            {
                let end = vec![Ruling::End(Termination::IllegalPosition)];
                self.propose(end, "A.4.4", PhraseKey::EndIllegalPosition, []);
            }
            (IllegalPosition::DrawnAfterNextMove, Some(_)) => {}
        }
    }

    /// Reads out the recorded contents of the squares that differ, so that they can be set right
    /// (7.4).
    fn tell_recorded_position(&mut self, side: Color) {
        self.boards.report_anew(side);
        self.report("7.4.1", PhraseKey::Displaced, [Argument::Side(side)]);
        self.report_difference(side);
        if self.course.moving().side == side && self.holds("4.2.2") {
            // Pieces that were knocked over and are set up again were not touched to be moved
            // (4.2.2).
            let board = self.boards.placement(side).clone();
            self.course.set_up_again(&board);
        }
    }

    /// A device found on a player loses the game where the edition says so for the way it was
    /// found. Otherwise the arbiter chooses a penalty (11.3.2, 12.9).
    fn device_found(&mut self, side: Color, found: DeviceFound) {
        if !self.holds("11.3.2") {
            return;
        }
        let position = self.position_to_mate_in();
        match laws::device_penalty(&self.rules, found, side, position) {
            Some(end) => self.propose_loss(end, PhraseKey::DeviceFound, side, "11.3.2"),
            None => self.report("12.9", PhraseKey::DeviceFound, [Argument::Side(side)]),
        }
    }

    /// Reports something to the arbiter in a person's own words.
    pub(super) fn for_the_arbiter(
        &mut self,
        clause: &'static str,
        key: PhraseKey,
        side: Color,
        words: Option<String>,
    ) {
        let mut arguments = vec![Argument::Side(side)];
        arguments.extend(words.map(Argument::Text));
        self.report(clause, key, arguments);
        if self.has_ear(side) && self.profile.arbiter {
            self.say(
                Channel::Ear(side),
                PhraseKey::ArbiterInformed,
                [],
                super::effect::Priority::Next,
            );
        }
    }
}
