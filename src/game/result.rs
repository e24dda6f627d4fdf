//! Ending the game (5, 6.9).

use shakmaty::Color;

use super::Game;
use super::effect::Effect;
use super::ending::{Ending, key_of, side_of};
use super::phase::Phase;
use super::ruling::Ruling;
use annexd_laws as laws;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_laws::{GameResult, LossOrDraw, Termination};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// A move on the board has ended the game at once. The arbiter, or both players, confirm how.
    pub(super) fn over_on_the_board(&mut self, now: Moment, termination: Termination) {
        self.put_to_decision(now, termination);
        let proposal = self.last_proposal().filter(|_| !self.scores.is_over());
        self.course.set_end_proposal(proposal);
    }

    /// Stops play and asks for confirmation of an end of the game.
    pub(super) fn put_to_decision(&mut self, now: Moment, end: Termination) {
        if self.is_elsewhere() {
            return;
        }
        if self.ends_by_itself() {
            self.finish(now, end);
            return;
        }
        self.stop_play(now);
        if self.is_proposed(&Ruling::End(end)) {
            // It is still open: asking once is enough.
            return;
        }
        let key = key_of(end);
        let arguments = side_of(end).map(Argument::Side);
        let clause = self.clause_of(end);
        self.propose(vec![Ruling::End(end)], clause, key, arguments);
    }

    /// More than one end is possible and nothing proves which. The arbiter decides.
    pub(super) fn put_to_arbiter(&mut self, now: Moment, ends: &[Termination]) {
        if self.is_elsewhere() {
            return;
        }
        self.stop_play(now);
        for &end in ends {
            if self.is_proposed(&Ruling::End(end)) {
                continue;
            }
            let arguments = side_of(end).map(Argument::Side);
            let clause = self.clause_of(end);
            self.propose(vec![Ruling::End(end)], clause, key_of(end), arguments);
        }
    }

    /// Ends the game for this reason.
    pub(super) fn finish(&mut self, now: Moment, termination: Termination) {
        let clause = self.clause_of(termination);
        self.finish_with(now, termination.result(), Some(termination), clause);
    }

    /// Strikes the result out of the scores, with the signatures under it, because the arbiter
    /// decides otherwise (7.5.1, 8.7).
    pub(super) fn lift_result(&mut self) {
        if !self.scores.lift_result() {
            return;
        }
        self.draw.result_lifted();
        self.phase = Phase::Stopped;
        self.table(PhraseKey::ResultLifted, []);
    }

    pub(super) fn finish_with(
        &mut self,
        now: Moment,
        result: Option<GameResult>,
        termination: Option<Termination>,
        clause: &'static str,
    ) {
        if self.scores.is_over() {
            return;
        }
        self.stop_clock(now);
        self.draw.lapses();
        self.docket.close();
        self.phase = Phase::Ended;
        // A result stated by the arbiter stands as it is. Penalties change only what the game
        // itself gave.
        let (result, points) = match termination {
            None if self.holds("12.9") => {
                let is_said = self.profile.counts_otherwise();
                let points = result.map(|result| self.profile.points_of(result));
                (result, points.filter(|_| is_said))
            }
            _ => self.after_penalties(result),
        };
        let ending = Ending {
            result,
            termination,
            points,
            article: self.rules.cite(clause),
        };
        for phrase in ending.phrases() {
            let key = match phrase.key {
                PhraseKey::ByTheArbiter if self.is_elsewhere() => PhraseKey::ByTheServer,
                PhraseKey::ByTheArbiter if !self.profile.arbiter => PhraseKey::ByBoth,
                key => key,
            };
            self.table(key, phrase.arguments);
        }
        if let (Some(GameResult::Draw), Some(side)) = (result, self.profile.draw_odds) {
            self.table(PhraseKey::DrawCountsAsWin, [Argument::Side(side)]);
        }
        self.scores.end(ending.clone());
        self.report_points(points);
        let ruling = termination.map(Ruling::End);
        self.explain(None, clause, ruling.as_slice());
        self.response.push(Effect::Ended(ending));
        for side in Color::ALL {
            // A lesson is over with its game.
            if self.guests.is_taught() {
                continue;
            }
            if self.signs_by_voice_now(side) {
                self.tell(side, PhraseKey::HelpSign, []);
            } else if self.leaves_by_voice_now(side) {
                self.tell(side, PhraseKey::HelpLeave, []);
            }
        }
    }

    /// A player resigns (5.1.2). In the 2023 edition that is a draw if the opponent cannot mate.
    pub(super) fn resign(&mut self, now: Moment, side: Color) {
        if self.is_over_by_what_is_given_in_to(now, side) {
            return;
        }
        self.table(PhraseKey::Resigned, [Argument::Side(side)]);
        match laws::resignation(&self.rules, self.position_to_mate_in(), side) {
            LossOrDraw::Ended(end) => self.finish(now, end),
            LossOrDraw::ArbiterDecides {
                if_mate_is_possible,
                if_not,
            } => self.put_to_arbiter(now, &[if_mate_is_possible, if_not]),
        }
    }

    /// Stops both clocks. Nothing goes on until the matter is decided (6.11).
    pub(super) fn stop_play(&mut self, now: Moment) {
        self.stop_clock(now);
        if self.is_playing() {
            self.phase = Phase::Stopped;
        }
    }

    pub(super) fn stop_clock(&mut self, now: Moment) {
        self.clocks.stop(now);
    }

    /// A player signs the scores with the result, which is read to him first (8.7).
    pub(super) fn sign(&mut self, now: Moment, side: Color) {
        if !self.scores.is_over() && self.holds("8.7") {
            self.refuse(self.private(side), "8.7", PhraseKey::NotNow);
            return;
        }
        if self.scores.has_signed(side) {
            return self.tell(side, PhraseKey::Signed, []);
        }
        let have_both = self.scores.sign(now, side);
        // The result is read to him before it is final.
        let ending = self.scores.ending();
        let result = ending.and_then(|ending| ending.phrases().pop());
        if let Some(phrase) = result {
            self.tell(side, phrase.key, phrase.arguments);
        }
        self.tell(side, PhraseKey::Signed, []);
        for side in Color::ALL {
            if self.leaves_by_voice_now(side) {
                self.tell(side, PhraseKey::HelpLeave, []);
            }
        }
        if have_both {
            self.say(
                Channel::Arbiter,
                PhraseKey::BothSigned,
                [],
                super::effect::Priority::Normal,
            );
        }
    }
}
