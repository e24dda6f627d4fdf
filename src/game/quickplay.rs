//! Games without increment: the request for five seconds, and the claim that the opponent does not
//! try to win (10 of 2001 and 2009, G.4 to G.6).

use std::time::Duration;

use shakmaty::Color;

use super::Game;
use super::act::Act;
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::clock::Bonus;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_laws::{QuickplayDecision, Termination};
use annexd_phrases::{Argument, PhraseKey};

/// The increment for each move when the five seconds are granted.
const FIVE_SECONDS: Duration = Duration::from_secs(5);

impl Game {
    /// A player with less than two minutes left asks for the five seconds, or claims that the
    /// opponent cannot win or does not try to (G.4, G.5).
    pub(super) fn quickplay(&mut self, now: Moment, side: Color, act: &Act) {
        let Some(clock) = self.clocks.chessclock() else {
            return;
        };
        let period = clock.period(side);
        let facts = laws::QuickplayFacts {
            game_type: self.profile.game_type,
            supervision: self.profile.supervision,
            was_announced: self.profile.quickplay,
            in_last_period: period.moves.is_none(),
            increment: period.bonus.time(),
            has_move: self.course.turn() == side,
            left: clock.left(side, now),
        };
        let asks_seconds = *act == Act::AskIncrement;
        let (clause, key) = if asks_seconds {
            ("G.4", PhraseKey::AsksIncrement)
        } else {
            ("G.5", PhraseKey::ClaimsNoAttempt)
        };
        let may = laws::may_claim_quickplay(&self.rules, facts).is_ok()
            && (!asks_seconds || laws::may_ask_five_seconds(&self.rules));
        if (!may || !self.is_playing()) && self.holds(clause) {
            self.refuse(self.private(side), clause, PhraseKey::NotNow);
            return;
        }
        self.stop_play(now);
        self.for_the_arbiter(clause, key, side, None);
        let offers_draw = if asks_seconds {
            laws::five_seconds_offer_draw(&self.rules)
        } else {
            self.rules.quickplay.claim_offers_draw
        };
        if asks_seconds {
            let said = [Argument::Side(side), self.article(clause)];
            self.table(key, said);
        } else if offers_draw {
            self.table(PhraseKey::ClaimsDraw, [Argument::Side(side)]);
        }
        if offers_draw && self.holds("9.1.2.3") {
            self.offer_by_claim(side);
        }
        self.draw.ask_quickplay(side);
        if !self.profile.arbiter && !asks_seconds && self.holds("G.6") {
            let position = Argument::Text(self.course.board().to_string());
            let article = self.article("G.6");
            self.table(PhraseKey::ClaimReferred, [position, article]);
        }
        let decisions: &[QuickplayDecision] = if asks_seconds && laws::may_give_delay(&self.rules) {
            &[
                QuickplayDecision::FiveSeconds,
                QuickplayDecision::FiveSecondsDelay,
                QuickplayDecision::Reject,
            ]
        } else if asks_seconds {
            &[QuickplayDecision::FiveSeconds, QuickplayDecision::Reject]
        } else {
            &[
                QuickplayDecision::Draw,
                QuickplayDecision::Postpone { with_time: true },
                QuickplayDecision::Reject,
            ]
        };
        for &decision in decisions {
            // Two players who decline every other decision have rejected the request.
            if decision == QuickplayDecision::Reject && !self.profile.arbiter {
                continue;
            }
            let rulings = vec![Ruling::DecideQuickplay(decision)];
            self.propose(rulings, clause, key, [Argument::Side(side)]);
        }
    }

    /// Carries out the arbiter's decision. A postponed claim may be decided at any time, even after
    /// the flag has fallen.
    pub(super) fn decide_quickplay(&mut self, now: Moment, decision: QuickplayDecision) {
        let Some(side) = self.draw.quickplay_by() else {
            self.nothing_to_decide();
            return;
        };
        let is_delay = decision == QuickplayDecision::FiveSecondsDelay;
        if is_delay && !laws::may_give_delay(&self.rules) {
            self.refuse(Channel::Arbiter, "G.4", PhraseKey::NotNow);
            return;
        }
        self.draw.quickplay_decided();
        self.docket.clear();
        let gains = laws::opponent_gains(&self.rules, decision);
        if !gains.is_zero() {
            self.add_time(now, !side, gains);
        }
        match decision {
            QuickplayDecision::Draw => {
                self.finish(now, Termination::NormalMeans);
                return;
            }
            QuickplayDecision::Postpone { .. } => self.draw.ask_quickplay(side),
            QuickplayDecision::Reject => {
                self.table(PhraseKey::ClaimRejected, [Argument::Side(side)]);
            }
            QuickplayDecision::FiveSeconds => {
                self.give_bonus(Bonus::Increment(FIVE_SECONDS), PhraseKey::DoFiveSeconds);
            }
            QuickplayDecision::FiveSecondsDelay => {
                self.give_bonus(Bonus::Delay(FIVE_SECONDS), PhraseKey::DoFiveSecondsDelay);
            }
        }
        self.say_offer_still_open();
        self.restart(now, Some(side));
    }

    fn give_bonus(&mut self, bonus: Bonus, said: PhraseKey) {
        self.clocks.set_bonus(bonus);
        self.table(said, []);
    }
}
