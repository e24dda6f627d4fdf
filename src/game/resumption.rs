//! Resuming an adjourned game: who is present, whose clock runs, what was sealed (E.5 to E.13).

use std::time::Duration;

use shakmaty::{Color, Position as _};

use super::Game;
use super::adjournment::Resumption;
use super::phase::Phase;
use super::position::{Resolved, changed, resolve};
use super::profile::Sensors;
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Channel;
use annexd_laws::{
    DefaultTime, LateButSaved, LossOrDraw, Opened, Present, Saved, SealVerdict, Termination,
    TimesAtResumption, WrongTime,
};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Resumes the game at the appointed time with those present (E.9, E.11).
    pub(super) fn resume(&mut self, now: Moment, present: Present) {
        if self.phase != Phase::Adjourned {
            self.nothing_to_decide();
            return;
        }
        if !self.boards_are_set_up() {
            self.refuse(Channel::Arbiter, "E.5", PhraseKey::BoardNotSetUp);
            return;
        }
        self.report_times_to_set(now);
        let turn = self.course.turn();
        let plies = self.course.plays().len() + 1;
        let resumption = Resumption::new(now, present, turn, plies);
        self.adjournment.resume(resumption);
        let sealer = turn;
        let envelope = match self.adjournment.is_missing() {
            Some(true) => laws::Envelope::MissingPositionKnown,
            Some(false) => laws::Envelope::MissingPositionLost,
            None => laws::Envelope::There,
        };
        let (resume, clause) = laws::resume(&self.rules, present, envelope);
        if self.holds(clause) {
            self.begin_resumption(now, sealer, resume, clause);
        }
    }

    fn begin_resumption(
        &mut self,
        now: Moment,
        sealer: Color,
        resume: laws::Resume,
        clause: &'static str,
    ) {
        let replier = [Argument::Side(!sealer)];
        match resume {
            laws::Resume::OpenAndPlay => {
                self.report(clause, PhraseKey::EnvelopeCanBeOpened, []);
            }
            laws::Resume::OpenAndMaySealReply => {
                self.report(clause, PhraseKey::EnvelopeCanBeOpened, []);
                self.report(clause, PhraseKey::MaySealReply, replier);
            }
            laws::Resume::StartRepliersClock => {
                self.clocks.start(!sealer, now);
                self.report(clause, PhraseKey::RepliersClockRuns, replier);
            }
            laws::Resume::ReplierLosesTime if self.default_time() > Duration::ZERO => {
                self.clocks.start(!sealer, now);
                self.report(clause, PhraseKey::ReplierLosesTime, replier);
            }
            laws::Resume::ReplierLosesTime | laws::Resume::ArbiterDecides => {
                self.report(clause, PhraseKey::ArbiterDecidesAbsence, []);
            }
            laws::Resume::SealerSaysHisMove => {
                self.report(clause, PhraseKey::SealerSays, [Argument::Side(sealer)]);
            }
            laws::Resume::NewGame => {
                self.conduct.would_annul(clause);
                self.propose(vec![Ruling::Annul], clause, PhraseKey::NewGame, []);
            }
        }
    }

    /// Whether both boards show the adjourned position, as far as they can tell (E.5).
    fn boards_are_set_up(&self) -> bool {
        Color::ALL.into_iter().all(|side| {
            let board = self.boards.placement(side);
            self.sensors(side) == Sensors::None
                || changed(board, self.course.board()).is_empty()
                || !self.holds("E.5")
        })
    }

    /// Reports the times to be set: used or remaining, as the edition says (trap 14).
    fn report_times_to_set(&mut self, now: Moment) {
        let Some(clock) = self.clocks.chessclock() else {
            return;
        };
        let (key, times) = match self.rules.adjournment.times_at_resumption {
            TimesAtResumption::Used => (
                PhraseKey::TimesUsedToSet,
                Color::ALL.map(|side| clock.used(side, now)),
            ),
            TimesAtResumption::Remaining => (
                PhraseKey::TimesLeftToSet,
                Color::ALL.map(|side| clock.left(side, now)),
            ),
        };
        self.report("E.5", key, times.map(Argument::Time));
    }

    /// A player arrives after the time of resumption (E.9.2, E.10).
    pub(super) fn arrived_at_resumption(&mut self, now: Moment, side: Color) {
        let Some(resumption) = self.adjournment.resumption().cloned() else {
            return;
        };
        let late = now.since(resumption.at);
        self.clocks.came(side, now);
        let arguments = [Argument::Side(side), Argument::Time(late)];
        self.report("E.10", PhraseKey::CameLate, arguments);
        let sealer = self.course.turn();
        let is_closed = self.phase == Phase::Adjourned;
        if is_closed && side != sealer {
            self.stop_clock(now);
            self.report("E.9.2", PhraseKey::EnvelopeCanBeOpened, []);
        }
        self.adjournment.record_arrival(side, sealer);
        let saved = self.saved_though_late(side);
        let event = self.default_time();
        let is_told = resumption.default_is_told;
        let is_late = laws::is_late_for_resumption(&self.rules, late, event, saved);
        if is_late && !is_told && self.holds("E.10") {
            self.propose_default(side, is_closed);
        }
    }

    /// What saves a player who comes too late: the one who is present has lost on time, or the
    /// envelope is open and his sealed move has ended the game (E.10).
    fn saved_though_late(&self, side: Color) -> Option<LateButSaved> {
        let clock = self.clocks.chessclock();
        if clock.is_some_and(|clock| clock.has_fallen(!side)) {
            return Some(LateButSaved::PresentLostOnTime);
        }
        let last = self.course.last()?;
        let is_his = last.moving.sealed && last.moving.side == side && last.legal == Some(true);
        let position = self.course.position().chess().filter(|_| is_his)?;
        LateButSaved::by_sealed_move(position).filter(|_| self.holds("E.10.sealed"))
    }

    fn propose_default(&mut self, side: Color, is_closed: bool) {
        if is_closed {
            self.report("E.10", PhraseKey::LateUnlessSealed, []);
        }
        let rulings = vec![Ruling::End(Termination::Default(side))];
        let arguments = [Argument::Side(side)];
        self.propose(rulings, "E.10", PhraseKey::EndDefault, arguments);
    }

    /// When an absent player loses, if exactly one player is awaited and the event waits at all
    /// (E.10).
    pub(super) fn default_due(&self) -> Option<Moment> {
        let resumption = self.adjournment.resumption()?;
        let limit = laws::latest_for_resumption(&self.rules, self.default_time());
        let is_awaited = resumption.awaited.is_some() && !limit.is_zero();
        let is_due = is_awaited && !resumption.default_is_told && !self.scores.is_over();
        // A player who arrives at that very moment is in time.
        is_due.then(|| resumption.at + limit + Duration::from_millis(1))
    }

    /// The default time is over and a player has not come: the arbiter decides (E.10).
    pub(super) fn look_for_absent(&mut self, now: Moment) {
        let is_due = self.default_due().is_some_and(|due| due <= now);
        if !is_due {
            return;
        }
        let Some(side) = self.adjournment.tell_default() else {
            return;
        };
        if self.saved_though_late(side).is_none() && self.holds("E.10") {
            self.propose_default(side, self.phase == Phase::Adjourned);
        }
    }

    /// How late a player may come.
    fn default_time(&self) -> Duration {
        match (self.profile.default_time, self.rules.time.default_time) {
            (Some(event), _) => event,
            (None, DefaultTime::Minutes { minutes }) => {
                Duration::from_secs(60 * u64::from(minutes))
            }
            (None, _) => Duration::ZERO,
        }
    }

    /// Opens the envelope on the arbiter's word when the replier is present. The move is announced
    /// at the table and made, and the replier's clock starts (E.7, E.9.1).
    pub(super) fn open_envelope(
        &mut self,
        now: Moment,
        replier_present: bool,
        unlocked: Option<Announcement>,
    ) {
        if self.phase != Phase::Adjourned {
            self.nothing_to_decide();
            return;
        }
        if !(replier_present && self.may_replier_be_here()) && self.holds("E.7") {
            self.refuse(Channel::Arbiter, "E.7", PhraseKey::ReplierAbsent);
            return;
        }
        if !self.boards_are_set_up() {
            self.refuse(Channel::Arbiter, "E.5", PhraseKey::BoardNotSetUp);
            return;
        }
        if self.adjournment.resumption().is_none() && self.holds("E.5") {
            // Opening the envelope without a resumption resumes with both players present.
            self.resume(now, Present::Both);
        }
        let sealed = self.adjournment.open().or(unlocked);
        match sealed {
            Some(said) => self.play_sealed(now, said),
            None => self.report("E.12", PhraseKey::EnvelopeMissing, []),
        }
    }

    /// Whether the replier may be present, as far as the arbiter has said.
    fn may_replier_be_here(&self) -> bool {
        let resumption = self.adjournment.resumption();
        let absent = [Present::Sealer, Present::Nobody];
        resumption.is_none_or(|resumption| !absent.contains(&resumption.present))
    }

    /// The envelope is missing. The sealer says what he sealed and plays it from the known position
    /// and times; if the position is unknown, a new game is played (E.12).
    pub(super) fn envelope_is_missing(&mut self, position_known: bool) {
        if self.phase != Phase::Adjourned {
            self.nothing_to_decide();
            return;
        }
        self.adjournment.note_envelope_missing(position_known);
        self.report("E.12", PhraseKey::EnvelopeMissing, []);
        if position_known {
            let sealer = [Argument::Side(self.course.turn())];
            self.report("E.12", PhraseKey::SealerSays, sealer);
        } else if self.holds("E.12") {
            self.conduct.would_annul("E.12");
            self.propose(vec![Ruling::Annul], "E.12", PhraseKey::NewGame, []);
        }
    }

    /// Whether a player is to say what was in the missing envelope (E.12).
    pub fn is_to_recall(&self, side: Color) -> bool {
        self.phase == Phase::Adjourned
            && self.adjournment.is_missing() == Some(true)
            && self.course.turn() == side
            && self.holds("E.12")
    }

    /// The sealer says what was in the missing envelope (E.12).
    pub(super) fn recall_sealed(&mut self, now: Moment, side: Color, said: Announcement) {
        if self.is_to_recall(side) {
            self.play_sealed(now, said);
        } else {
            self.refuse(self.private(side), "E.12", PhraseKey::NotNow);
        }
    }

    fn play_sealed(&mut self, now: Moment, said: Announcement) {
        let side = self.course.turn();
        self.adjournment.empty();
        self.phase = Phase::Playing;
        self.read_back(&said);
        let (opened, step) = match resolve(&said, side, self.course.board(), None) {
            Resolved::Step(step) if self.course.position().legal(step).is_some() => {
                (Opened::Legal, Some(step))
            }
            Resolved::Step(_) => (Opened::Illegal, None),
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => (Opened::Ambiguous, None),
        };
        let (saved, ends) = self.saves_sealer(side).unzip();
        match laws::judge_seal(&self.rules, opened, saved) {
            SealVerdict::SealerLoses if self.holds("E.8") => {
                self.put_to_decision(now, Termination::FaultySeal(side));
                return;
            }
            SealVerdict::Excepted if self.holds("E.8") => {
                self.stop_play(now);
                self.report("E.8", PhraseKey::SealExcepted, []);
                for end in ends.into_iter().flatten() {
                    self.put_to_decision(now, end);
                }
                return;
            }
            _ => {}
        }
        let Some(step) = step else { return };
        let is_sealed = self.holds("E.9.1");
        self.course.open_envelope(said, is_sealed, now);
        if self.adjournment.resumption().is_none() {
            let plies = self.course.plays().len() + 1;
            let resumption = Resumption::new(now, Present::Both, side, plies);
            self.adjournment.resume(resumption);
        }
        if self.holds("E.9.1") {
            self.stop_clock(now);
        } else {
            self.clocks.start(!side, now);
        }
        self.force_make(now, step);
        if self.holds("E.9.1") && self.is_playing() {
            self.phase = Phase::Stopped;
            self.adjournment.begin_making();
            let replier = [Argument::Side(!side)];
            self.report("E.9.1", PhraseKey::ClockWaitsForBoards, replier);
        }
    }

    /// Whether the sealed move was announced and is being made on the boards, before the replier's
    /// clock starts (E.9.1).
    pub(super) fn is_making_sealed(&self) -> bool {
        self.phase == Phase::Stopped && self.adjournment.shows_sealed().is_some()
    }

    /// A person says that a board without sensors shows the sealed move.
    pub(super) fn sealed_move_executed(&mut self, now: Moment, board: Color) {
        let one_for_both = !self.profile.two_boards;
        self.adjournment.show(board, one_for_both);
        self.start_replier(now);
    }

    /// Starts the replier's clock as soon as both boards show the sealed move (E.9.1).
    pub(super) fn start_replier(&mut self, now: Moment) {
        let Some(shows) = self
            .adjournment
            .shows_sealed()
            .filter(|_| self.is_making_sealed())
        else {
            return;
        };
        // Nobody sits at an absent player's board (E.9.3).
        let resumption = self.adjournment.resumption();
        let awaited = resumption.and_then(|resumption| resumption.awaited);
        let is_ready = Color::ALL.into_iter().all(|side| match self.sensors(side) {
            _ if awaited == Some(side) && self.holds("E.9.3") => true,
            Sensors::None => shows[side],
            _ => !self.boards.differs(side, self.course.board()),
        });
        if is_ready {
            self.restart(now, None);
        }
    }

    /// What saves the sealer of a faulty move, with the possible ends of the game (E.8).
    fn saves_sealer(&self, sealer: Color) -> Option<(Saved, Vec<Termination>)> {
        let has_fallen = self
            .clocks
            .chessclock()
            .is_some_and(|clock| clock.has_fallen(!sealer));
        if has_fallen {
            let ends = match laws::flag_fall(self.course.position().chess(), !sealer) {
                LossOrDraw::Ended(end) => vec![end],
                LossOrDraw::ArbiterDecides {
                    if_mate_is_possible,
                    if_not,
                } => vec![if_mate_is_possible, if_not],
            };
            return Some((Saved::OpponentsFlag, ends));
        }
        let quiet = self.course.position().chess()?.halfmoves();
        if laws::is_fivefold(&self.rules, self.course.position_keys()) {
            Some((Saved::DrawnByItself, vec![Termination::Fivefold]))
        } else if laws::is_seventy_five_moves(&self.rules, quiet) {
            Some((Saved::DrawnByItself, vec![Termination::SeventyFiveMoves]))
        } else {
            None
        }
    }

    /// Deals with a wrong time noticed after a resumption (E.13). Returns false in a game without
    /// one.
    pub(super) fn wrong_time_after_resumption(&mut self, side: Color) -> bool {
        let Some(resumption) = self.adjournment.resumption() else {
            return false;
        };
        if !self.holds("E.13") {
            return false;
        }
        let has_moved = self
            .course
            .plays()
            .iter()
            .skip(resumption.plies)
            .any(|play| play.moving.side == side);
        let (key, arguments) = match laws::wrong_time(&self.rules, !has_moved) {
            WrongTime::Correct => (PhraseKey::WrongTimeCorrect, vec![Argument::Side(side)]),
            WrongTime::ContinueUnlessSerious => (PhraseKey::WrongTimeUnlessSerious, vec![]),
            WrongTime::ContinueUnlessArbiter => (PhraseKey::WrongTimeStays, vec![]),
        };
        self.report("E.13", key, arguments);
        true
    }
}
