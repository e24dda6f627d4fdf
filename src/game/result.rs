//! Ending the game (5, 6.9).

use shakmaty::Color;

use super::Game;
use super::effect::Effect;
use super::ending::Ending;
use super::queries::Phase;
use super::ruling::Ruling;
use crate::laws::{self, GameResult, LossOrDraw, NoTimeClaim, Termination};
use crate::moment::Moment;
use crate::persons::{Channel, Person, Sides};
use crate::phrases::{Argument, Phrase, PhraseKey};
use crate::score::Signature;

impl Game {
    /// The game has ended by a move on the board. It is over at once; the arbiter, or both
    /// players, confirm what it is.
    pub(super) fn over_on_the_board(&mut self, now: Moment, termination: Termination) {
        self.put_to_decision(now, termination, true);
    }

    /// Stops play and has an end of the game confirmed.
    pub(super) fn put_to_decision(&mut self, now: Moment, end: Termination, is_open: bool) {
        if self.ends_by_itself() {
            self.finish(now, end);
            return;
        }
        self.stop_play(now);
        let key = key_of(end);
        let arguments = side_of(end).map(Argument::Side);
        self.propose(
            vec![Ruling::End(end)],
            end.clause(),
            key,
            arguments,
            is_open,
        );
    }

    /// Two ends are possible and nothing proves which: the arbiter decides.
    pub(super) fn put_to_arbiter(&mut self, now: Moment, ends: [Termination; 2]) {
        self.stop_play(now);
        for end in ends {
            let arguments = side_of(end).map(Argument::Side);
            self.propose(
                vec![Ruling::End(end)],
                end.clause(),
                key_of(end),
                arguments,
                true,
            );
        }
    }

    /// The game ends.
    pub(super) fn finish(&mut self, now: Moment, termination: Termination) {
        let article = self.rules.cite(termination.clause());
        self.finish_with(now, termination.result(), Some(termination), article);
    }

    pub(super) fn finish_with(
        &mut self,
        now: Moment,
        result: Option<GameResult>,
        termination: Option<Termination>,
        article: String,
    ) {
        if self.ending.is_some() {
            return;
        }
        self.stop_clock(now);
        self.offer = None;
        self.claim = None;
        self.proposals.clear();
        self.confirmations = Sides::default();
        self.phase = Phase::Ended;
        if let Some(termination) = termination {
            let said = ending_phrase(termination);
            self.table(said.key, said.arguments);
        }
        let (key, side) = match result {
            Some(GameResult::Won(side)) => (PhraseKey::Wins, Some(side)),
            Some(GameResult::Draw) => (PhraseKey::Draw, None),
            Some(GameResult::BothLost) => (PhraseKey::BothLose, None),
            Some(GameResult::HalfFor(side)) => (PhraseKey::HalfFor, Some(side)),
            None => (PhraseKey::Annulled, None),
        };
        self.table(key, side.map(Argument::Side));
        for keeper in Color::ALL {
            let _ = self.scores[keeper].set_result(result);
        }
        let ending = Ending {
            result,
            termination,
            article,
        };
        self.ending = Some(ending.clone());
        self.out.push(Effect::Ended(ending));
    }

    /// A player resigns (5.1.2). In 2023 it is a draw if the opponent cannot mate.
    pub(super) fn resign(&mut self, now: Moment, side: Color) {
        self.table(PhraseKey::Resigned, [Argument::Side(side)]);
        match laws::resignation(&self.rules, self.position.chess(), side) {
            LossOrDraw::Ended(end) => self.finish(now, end),
            LossOrDraw::ArbiterDecides {
                if_mate_is_possible,
                if_not,
            } => self.put_to_arbiter(now, [if_mate_is_possible, if_not]),
        }
    }

    /// Notices a fallen flag. That is no result yet: it has to be claimed or called (6.8).
    pub(super) fn check_flag(&mut self, now: Moment) {
        let Some(clock) = &mut self.clock else { return };
        if let Some(fall) = clock.check_flag(now) {
            self.clock_changed = true;
            self.report("6.8", PhraseKey::FlagFallen, [Argument::Side(fall.side)]);
        }
    }

    /// Somebody claims that a side has overstepped the time (6.8, D.2.10.5).
    pub(super) fn claim_time(&mut self, now: Moment, claimant: Person, loser: Color) {
        self.report("6.8", PhraseKey::TimeClaimed, [Argument::Side(loser)]);
        let Some(clock) = &self.clock else { return };
        let game = (self.profile.game_type, self.profile.supervision);
        let (opponents, own) = (clock.left(loser, now), clock.left(!loser, now));
        match laws::time_claim(&self.rules, game, opponents, own) {
            Err(NoTimeClaim::NoOwnTime) if self.holds("A.4.3") => {
                self.refuse(self.channel_of(claimant), "A.4.3", PhraseKey::OwnFlagIsDown);
            }
            Err(NoTimeClaim::NotFallen) if self.holds("6.8") => {
                self.refuse(self.channel_of(claimant), "6.8", PhraseKey::FlagIsUp);
            }
            _ => self.flag_is_down(now, loser),
        }
    }

    /// A flag is down and somebody who may has said so (6.9).
    pub(super) fn flag_is_down(&mut self, now: Moment, loser: Color) {
        let lost = Termination::FlagFall(loser);
        if !self.holds("6.9") {
            self.put_to_decision(now, lost, true);
            return;
        }
        match laws::flag_fall(self.position.chess(), loser) {
            LossOrDraw::Ended(end) => self.put_to_decision(now, end, true),
            LossOrDraw::ArbiterDecides {
                if_mate_is_possible,
                if_not,
            } => self.put_to_arbiter(now, [if_mate_is_possible, if_not]),
        }
    }

    /// Both clocks stand and nothing goes on until it is decided (6.11).
    pub(super) fn stop_play(&mut self, now: Moment) {
        self.stop_clock(now);
        if self.is_playing() {
            self.phase = Phase::Stopped;
        }
    }

    pub(super) fn stop_clock(&mut self, now: Moment) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    /// A player signs the scores with the result, which is read to him first (8.7).
    pub(super) fn sign(&mut self, now: Moment, side: Color) {
        if self.ending.is_none() && self.holds("8.7") {
            self.refuse(self.private(side), "8.7", PhraseKey::NotNow);
            return;
        }
        self.signed[side] = true;
        for keeper in Color::ALL {
            let _ = self.scores[keeper].sign(Signature {
                side,
                at: Some(now),
            });
        }
        self.tell(side, PhraseKey::Signed, []);
        if self.signed.white && self.signed.black {
            self.say(
                Channel::Arbiter,
                PhraseKey::BothSigned,
                [],
                super::effect::Priority::Normal,
            );
        }
    }
}

/// The words for an end of the game.
/// What is said of an end.
pub fn ending_phrase(end: Termination) -> Phrase {
    Phrase::new(key_of(end), side_of(end).map(Argument::Side))
}

const fn key_of(end: Termination) -> PhraseKey {
    match end {
        Termination::Checkmate(_) => PhraseKey::Checkmate,
        Termination::Resignation(_) => PhraseKey::EndResigned,
        Termination::ResignationDrawn(_) => PhraseKey::EndResignedDrawn,
        Termination::Stalemate => PhraseKey::Stalemate,
        Termination::DeadPosition => PhraseKey::DeadPosition,
        Termination::Agreement => PhraseKey::Agreed,
        Termination::FlagFall(_) => PhraseKey::EndFlag,
        Termination::FlagFallDrawn(_) => PhraseKey::EndFlagDrawn,
        Termination::BothFlags => PhraseKey::EndBothFlags,
        Termination::IllegalMoves(_) => PhraseKey::EndIllegal,
        Termination::IllegalMovesDrawn(_) => PhraseKey::EndIllegalDrawn,
        Termination::IllegalPosition => PhraseKey::EndIllegalPosition,
        Termination::Threefold => PhraseKey::EndThreefold,
        Termination::FiftyMoves => PhraseKey::EndFifty,
        Termination::Fivefold => PhraseKey::EndFivefold,
        Termination::SeventyFiveMoves => PhraseKey::EndSeventyFive,
        Termination::NormalMeans => PhraseKey::EndNormalMeans,
        Termination::Default(_) => PhraseKey::EndDefault,
        Termination::BothDefault => PhraseKey::EndBothDefault,
        Termination::Device(_) => PhraseKey::EndDevice,
        Termination::DeviceDrawn(_) => PhraseKey::EndDeviceDrawn,
        Termination::Declared(_) => PhraseKey::EndDeclared,
        Termination::BothGuilty => PhraseKey::EndBothGuilty,
        Termination::FaultySeal(_) => PhraseKey::EndFaultySeal,
        Termination::Annulled => PhraseKey::EndAnnulled,
    }
}

/// The side an end speaks of.
const fn side_of(end: Termination) -> Option<Color> {
    match end {
        Termination::Checkmate(side)
        | Termination::Resignation(side)
        | Termination::ResignationDrawn(side)
        | Termination::FlagFall(side)
        | Termination::FlagFallDrawn(side)
        | Termination::IllegalMoves(side)
        | Termination::IllegalMovesDrawn(side)
        | Termination::Default(side)
        | Termination::Device(side)
        | Termination::DeviceDrawn(side)
        | Termination::Declared(side)
        | Termination::FaultySeal(side) => Some(side),
        _ => None,
    }
}
