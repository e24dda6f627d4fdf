//! Carries out the deliberate acts of persons.

use shakmaty::Color;

use super::Game;
use super::act::{Act, ClaimGround};
use super::confirmations::Grave;
use super::effect::Priority;
use super::profile::{Duty, Sensors};
use annexd_laws::moment::Moment;
use annexd_laws::persons::Person;
use annexd_laws::{DrawClaim, Termination};
use annexd_phrases::PhraseKey;

impl Game {
    /// Carries out a person's act, after asking back where the act needs it.
    pub(super) fn act(&mut self, now: Moment, person: Person, act: Act) {
        if let Person::Player(side) = person
            && act == Act::AskLeave
            && self.may_leave(side)
        {
            return self.confirm_leaving(now, side);
        }
        let is_for_players = !matches!(act, Act::Sign | Act::Appeal(_));
        if self.scores.is_over() && is_for_players && self.holds("11.4") {
            return self.refuse_plainly(person, PhraseKey::PlayIsOver);
        }
        let is_claim = matches!(
            act,
            Act::ClaimWithMove { .. } | Act::ClaimIllegalMove | Act::ClaimNoWinningAttempt
        );
        match person {
            Person::Player(side) if act == Act::TakeBack => self.want_back(now, side),
            Person::Player(side) if is_claim && self.asks_back_always() => {
                self.confirm_first(now, side, Grave::Claim(act), false);
            }
            Person::Player(side) if act != Act::AskHint => {
                self.drop_own_wish(side);
                self.act_at_once(now, person, act);
            }
            _ => self.act_at_once(now, person, act),
        }
    }

    /// Carries out an act without asking back.
    pub(super) fn act_at_once(&mut self, now: Moment, person: Person, act: Act) {
        match act {
            Act::ClaimWithMove { ground, intended } => {
                let claim = match ground {
                    ClaimGround::Repetition => DrawClaim::Repetition,
                    ClaimGround::FiftyMoves => DrawClaim::FiftyMoves,
                };
                self.claim_with_move(now, person, claim, &intended);
            }
            Act::HandInScore {
                side,
                score,
                remarks,
            } => {
                let is_assistant = matches!(person, Person::Assistant(_));
                match self.may(person, side, Duty::ScoreAndClock) {
                    Err(clause) if is_assistant => {
                        self.refuse(self.channel_of(person), clause, PhraseKey::NotYours);
                    }
                    _ => self.hand_in(side, *score, remarks),
                }
            }
            act => match duty_of(&act) {
                Some(duty) => self.act_of_duty(now, person, act, duty),
                None => self.players_act(now, person, act),
            },
        }
    }

    /// Carries out an act that an assistant may do as well, if it is among his duties.
    fn act_of_duty(&mut self, now: Moment, person: Person, act: Act, duty: Duty) {
        let side = self.side_of_act(person, &act);
        if let Err(clause) = self.may(person, side, duty) {
            self.refuse(self.channel_of(person), clause, PhraseKey::NotYours);
            return;
        }
        // Only the mover and his own assistant change what the mover has announced. The same words
        // from the other side's assistant are a repetition (D.2.8, D.2.10.2).
        if self.is_others_helper(person, side) {
            match act {
                Act::Announce(said) if self.last_words(side).is_some() => {
                    return self.repeat(now, !side, &said);
                }
                Act::Correct(_) | Act::RejectAnnouncement => {
                    return self.refuse(self.channel_of(person), "D.2.8", PhraseKey::NotYours);
                }
                act => {
                    self.carry_out_duty(now, person, side, act);
                    self.course.told_by_other(side, now);
                    return;
                }
            }
        }
        self.carry_out_duty(now, person, side, act);
    }

    /// Whether a person is the other side's assistant, and this side's move was not announced by
    /// that assistant.
    pub(super) fn is_others_helper(&self, person: Person, side: Color) -> bool {
        let told_by = match self.course.turn() == side {
            true => self.course.moving().told_by,
            false => self.course.last().and_then(|play| play.moving.told_by),
        };
        let is_others = matches!(person, Person::Assistant(own) if own != side);
        is_others && told_by.is_none() && self.holds("D.2.8")
    }

    fn carry_out_duty(&mut self, now: Moment, person: Person, side: Color, act: Act) {
        match act {
            // A move announced or made after the order to seal is the sealed one (E.1.1).
            Act::Announce(said) | Act::Correct(Some(said)) if self.is_sealing(side) => {
                self.seal(person, side, said);
            }
            Act::Announce(said) => self.announce(now, side, said),
            Act::Repeat(said) => self.repeat(now, side, &said),
            Act::Correct(new) => self.correct(now, side, new),
            Act::ConfirmAnnouncement => self.confirm_announcement(now, person, side),
            Act::RejectAnnouncement => self.reject_announcement(now, person, side),
            Act::Executed { board } => self.said_executed(now, person, board),
            Act::Moved => self.said_moved(now, side),
            Act::ReportTouch { square, piece } => {
                self.report_touch(side, square, piece);
                let channel = self.channel_of(person);
                self.say(channel, PhraseKey::IsReported, [], Priority::Next);
            }
            Act::FillEnvelope(envelope) => self.fill_envelope(envelope),
            Act::Seal(said) => self.seal(person, side, said),
            _ => {}
        }
    }

    /// The side whose move, board or matter an act is about.
    fn side_of_act(&self, person: Person, act: &Act) -> Color {
        let turn = self.course.turn();
        let last = if self.course.moving().words.is_some() || self.course.plays().is_empty() {
            turn
        } else {
            !turn
        };
        match (person, act) {
            (Person::Player(side), _) => side,
            (
                Person::Assistant(side),
                Act::ReportTouch { .. } | Act::FillEnvelope(_) | Act::Seal(_),
            ) => side,
            (_, Act::Announce(_)) => turn,
            (_, Act::Repeat(_)) => !last,
            (_, Act::Executed { board }) => *board,
            (Person::Assistant(side), Act::Moved) => side,
            _ => last,
        }
    }

    /// The player says that his move stands on his board, which has no sensors (D.2.3).
    fn said_moved(&mut self, now: Moment, side: Color) {
        if self.is_making_sealed() && self.sensors(side) == Sensors::None {
            self.sealed_move_executed(now, side);
        } else if self.course.turn() == side && self.sensors(side) == Sensors::None {
            self.course.place_by_word(true);
            self.try_make(now);
        } else {
            self.refuse(self.private(side), "D.2.3", PhraseKey::NotNow);
        }
    }

    /// Records an appeal in any case. The arbiter is told if the edition provides no appeal, or
    /// calls the decision final (10.2 d, 11.10).
    fn appeal(&mut self, side: Color, words: String) {
        let ended_by = self.scores.ending().and_then(|ending| ending.termination);
        let is_final = ended_by == Some(Termination::NormalMeans)
            && self.rules.quickplay.decision_final
            && self.holds("11.10");
        let key = match self.rules.conduct.appeal || !self.holds("11.10") {
            _ if is_final => PhraseKey::AppealsAgainstFinal,
            true => PhraseKey::Appeals,
            false => PhraseKey::AppealsUnprovided,
        };
        let clause = if is_final { "G.5" } else { "11.10" };
        self.for_the_arbiter(clause, key, side, Some(words));
    }

    /// Acts that only a player himself may do.
    fn players_act(&mut self, now: Moment, person: Person, act: Act) {
        let side = match self.only_player(person) {
            Ok(side) => side,
            Err(clause) => {
                self.refuse(self.channel_of(person), clause, PhraseKey::NotYours);
                return;
            }
        };
        match act {
            Act::ClaimIllegalMove => self.claim_illegal_move(side),
            Act::DemandTwoBoards => {
                self.profile.two_boards = true;
                self.table(PhraseKey::TwoBoards, []);
            }
            Act::Arrive if self.adjournment.resumption().is_some() => {
                self.arrived_at_resumption(now, side);
            }
            Act::Arrive => self.arrived(now, side),
            Act::AskLeave if !self.profile.arbiter => self.tell(side, PhraseKey::LeaveByTyping, []),
            Act::AskLeave => self.for_the_arbiter("11.2", PhraseKey::AsksLeave, side, None),
            Act::Complain(words) => {
                let is_late = self.course.moving().side == side
                    && !self.course.moving().hands.touched.is_empty();
                let key = if is_late && self.holds("4.8") {
                    PhraseKey::ComplainsTooLate
                } else {
                    PhraseKey::Complains
                };
                self.for_the_arbiter("4.8", key, side, Some(words));
                if key == PhraseKey::Complains {
                    self.report_obligation_of(!side);
                }
            }
            Act::Appeal(words) => self.appeal(side, words),
            Act::AskIncrement | Act::ClaimNoWinningAttempt => self.quickplay(now, side, &act),
            Act::AskHint => self.ask_hint(side),
            Act::TakeBack => self.take_back(now, side),
            Act::AskComparison => self.ask_comparison(side),
            Act::Sign => self.sign(now, side),
            // Without an arbiter nobody can keep the envelope (E.3).
            Act::AskAdjournment if !self.profile.arbiter => self.table(PhraseKey::NoArbiter, []),
            Act::AskAdjournment => {
                self.for_the_arbiter("E.1.2", PhraseKey::AsksAdjournment, side, None);
            }
            Act::RecallSealed(said) => self.recall_sealed(now, side, said),
            _ => {}
        }
    }
}

/// The assistant's duty that an act belongs to; `None` if only a player may do it.
const fn duty_of(act: &Act) -> Option<Duty> {
    match act {
        Act::Announce(_)
        | Act::Repeat(_)
        | Act::Correct(_)
        | Act::ConfirmAnnouncement
        | Act::RejectAnnouncement => Some(Duty::Announce),
        Act::Executed { .. } | Act::Moved => Some(Duty::Execute),
        Act::ReportTouch { .. } => Some(Duty::Claim),
        Act::FillEnvelope(_) | Act::Seal(_) => Some(Duty::Adjourn),
        _ => None,
    }
}
