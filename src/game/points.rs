//! Points that a penalty makes differ from those of the result (10.1, 10.2, 12.9).

use shakmaty::Color;

use super::Game;
use super::ruling::Penalty;
use annexd_laws as laws;
use annexd_laws::persons::Channel;
use annexd_laws::{GameResult, Points, in_halves};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Notes a penalty in points. It counts when the game ends, or at once if it has ended.
    pub(super) fn penalise_points(&mut self, side: Color, penalty: Penalty) {
        let (of, change) = match penalty {
            Penalty::MorePointsForOpponent(halves) => (!side, i32::from(halves)),
            Penalty::FewerPointsForOffender(halves) => (side, -i32::from(halves)),
            _ => return,
        };
        if change > self.win() && self.rules.conduct.points_capped && self.holds("10.2") {
            self.refuse(Channel::Arbiter, "10.2", PhraseKey::TooManyPoints);
            return;
        }
        self.conduct.penalise(of, change);
        let Some(ending) = self.scores.ending() else {
            return;
        };
        let unpenalised = ending
            .termination
            .map_or(ending.result, laws::Termination::result);
        let (result, points) = self.after_penalties(unpenalised);
        self.report_points(points);
        let ending = self.scores.penalised(result, points);
        self.response.extend(ending.map(super::Effect::Ended));
    }

    /// The result and the points with the penalties of both players counted (10.2).
    pub(super) fn after_penalties(
        &self,
        result: Option<GameResult>,
    ) -> (Option<GameResult>, Option<Points>) {
        let Some(given) = result else {
            return (result, None);
        };
        let given = self.profile.points_of(given);
        let is_capped = self.rules.conduct.points_capped && self.holds("10.2");
        let Some(points) = self.conduct.points_after(given, self.win(), is_capped) else {
            let is_said = self.profile.counts_otherwise() && self.holds("10.1");
            return (result, is_said.then_some(given));
        };
        let written = match self.profile.counts_otherwise() {
            true => result,
            false => written(points).or(result),
        };
        (written, Some(points))
    }

    /// The value of a win in half points.
    fn win(&self) -> i32 {
        self.profile.scoring.unwrap_or_default().win().cast_signed()
    }

    /// Reports the points: to the arbiter after a penalty, to everybody if results do not count 1,
    /// ½ and 0.
    pub(super) fn report_points(&mut self, points: Option<Points>) {
        let Some(points) = points else { return };
        let texts = [points.white, points.black].map(|half| Argument::Text(in_halves(half)));
        if self.profile.counts_otherwise() {
            let said = texts.into_iter().chain([self.article("10.1")]);
            self.table(PhraseKey::Points, said);
        } else {
            self.report("12.9", PhraseKey::Points, texts);
        }
    }
}

/// The result with these points, if a score can show it.
const fn written(points: Points) -> Option<GameResult> {
    Some(match (points.white, points.black) {
        (2, 0) => GameResult::Won(Color::White),
        (0, 2) => GameResult::Won(Color::Black),
        (1, 1) => GameResult::Draw,
        (0, 0) => GameResult::BothLost,
        (1, 0) => GameResult::HalfFor(Color::White),
        (0, 1) => GameResult::HalfFor(Color::Black),
        _ => return None,
    })
}
