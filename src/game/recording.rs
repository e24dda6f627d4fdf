//! Watches who has to keep the score, for the arbiter (8.4, 8.5). The program keeps a blind
//! player's score in any case (D.2.7).

use std::time::Duration;

use shakmaty::Color;

use super::Game;
use super::profile::Mode;
use annexd_laws::moment::Moment;
use annexd_laws::{GameType, RecordingDuty, is_recorded};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Checks whether a player has less than five minutes left, or has entered a new period.
    pub(super) fn watch_recording(&mut self, now: Moment) {
        if !self.is_recording_watched() {
            return;
        }
        for side in Color::ALL {
            let Some((left, bonus)) = self.time_for_recording(now, side) else {
                return;
            };
            let number = self
                .clocks
                .chessclock()
                .map(|clock| clock.period_number(side));
            let period = number.unwrap_or_default();
            let time = (left, bonus);
            let Some(after) = self.scores.watch_duty(&self.rules, side, period, time) else {
                continue;
            };
            let key = match after {
                RecordingDuty::Released => PhraseKey::NeedNotRecord,
                RecordingDuty::Owed => PhraseKey::MustRecordAgain,
            };
            self.report("8.4", key, [Argument::Side(side)]);
            if self.scores.is_nobody_recording() {
                self.report("8.5.1", PhraseKey::NobodyRecords, []);
            }
        }
    }

    fn is_recording_watched(&self) -> bool {
        is_recorded(&self.rules, self.profile.game_type)
            && self.profile.mode == Mode::Rated
            && self.profile.arbiter
            && self.is_playing()
            && self.holds("8.4")
    }

    /// When the player whose clock runs will be released by his time left.
    pub(super) fn recording_due(&self) -> Option<Moment> {
        let clock = self
            .clocks
            .chessclock()
            .filter(|_| self.is_recording_watched())?;
        let side = clock.running()?;
        let recording = &self.rules.recording;
        let keeps = u64::from(recording.increment_keeps_duty_seconds);
        let is_kept = clock.bonus(side).time().as_secs() >= keeps;
        if is_kept || self.scores.is_released(side) {
            return None;
        }
        // Released only below that time, not at it.
        let below = Duration::from_secs(60 * u64::from(recording.free_below_minutes));
        clock.when_at_most(below.saturating_sub(Duration::from_millis(1)))
    }

    /// A flag has fallen. A player who did not have to record completes his score: both players
    /// with the clocks stopped (8.5.1), one of them on his own time (8.5.2). A blind player's score
    /// is complete.
    pub(super) fn scores_to_complete(&mut self) {
        if self.profile.game_type != GameType::Standard || !self.profile.arbiter {
            return;
        }
        let clause = if self.scores.is_nobody_recording() {
            "8.5.1"
        } else {
            "8.5.2"
        };
        for side in Color::ALL {
            let is_released = self.scores.is_released(side);
            if is_released && !self.profile.is_visually_disabled(side) {
                self.report(clause, PhraseKey::CompleteScore, [Argument::Side(side)]);
            }
        }
    }

    /// Notes what an arbiter notes before a game is reconstructed (8.5.3).
    pub(super) fn note_state(&mut self, now: Moment) {
        let times = self.times(now);
        let plies = u32::try_from(self.course.plays().len()).unwrap_or(u32::MAX);
        let arguments = [
            Argument::Text(self.course.board().to_string()),
            Argument::Time(times.white),
            Argument::Time(times.black),
            Argument::Number(plies),
        ];
        self.report("8.5.3", PhraseKey::StateNoted, arguments);
    }

    /// The time left in the period and the bonus per move, for the duty to record (8.4).
    fn time_for_recording(&self, now: Moment, side: Color) -> Option<(Duration, Duration)> {
        let clock = self.clocks.chessclock()?;
        Some((clock.left(side, now), clock.bonus(side).time()))
    }
}
