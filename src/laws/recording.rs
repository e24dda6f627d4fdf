//! Which players have to record the moves (Article 8).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::game_type::GameType;
use super::rules::Rules;

/// Whether a player has to record now (8.4). The game keeps it for each player and updates it at
/// each of his moves. A new period begins with [`RecordingDuty::Owed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordingDuty {
    /// He has to record.
    #[default]
    Owed,
    /// He is free for the rest of the period. Time gained by increments does not change that.
    Released,
}

impl RecordingDuty {
    /// Updates the duty for a player with this time left and this increment. Strictly less than
    /// five minutes, together with an increment of less than thirty seconds, releases him
    /// (trap 92).
    #[must_use]
    pub fn now(self, rules: &Rules, left: Duration, increment: Duration) -> Self {
        let recording = &rules.recording;
        let keeps = Duration::from_secs(u64::from(recording.increment_keeps_duty_seconds));
        let below = Duration::from_secs(60 * u64::from(recording.free_below_minutes));
        let is_free = increment < keeps && left < below;
        match self {
            Self::Released if recording.rest_of_period => Self::Released,
            _ if is_free => Self::Released,
            _ => Self::Owed,
        }
    }
}

/// Returns whether the players of such a game record at all (8.1, A.2).
pub const fn is_recorded(rules: &Rules, game: GameType) -> bool {
    matches!(game, GameType::Standard) || rules.recording.in_rapid_and_blitz
}

/// Why a player cannot write (8.1.6, D.2.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CannotWrite {
    /// A disability.
    Disabled,
    /// Any other reason, such as a religious one.
    Other,
}

/// Returns whether a player who cannot write or use the clock, and has an assistant for it, loses
/// time at the arbiter's discretion (6.2.6, 8.1.6).
pub const fn loses_time_for_assistant(rules: &Rules, why: CannotWrite) -> bool {
    !(rules.time.no_deduction_for_disabled && matches!(why, CannotWrite::Disabled))
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn less_than_five_minutes_release_from_recording() {
        let rules = Edition::E2023.rules();
        let duty = |left, increment| RecordingDuty::Owed.now(rules, left, increment);
        assert_eq!(duty(seconds(300), seconds(0)), RecordingDuty::Owed);
        assert_eq!(duty(seconds(299), seconds(29)), RecordingDuty::Released);
        assert_eq!(duty(seconds(299), seconds(30)), RecordingDuty::Owed);
    }

    #[test]
    fn the_release_lasts_for_the_period_since_2009() {
        for edition in Edition::ALL {
            let regained = RecordingDuty::Released.now(edition.rules(), seconds(310), seconds(10));
            let is_released = regained == RecordingDuty::Released;
            assert_eq!(is_released, edition != Edition::E2001, "{edition}");
        }
    }

    #[test]
    fn a_disabled_player_loses_no_time_since_2014() {
        for edition in Edition::ALL {
            let loses = loses_time_for_assistant(edition.rules(), CannotWrite::Disabled);
            assert_eq!(loses, edition < Edition::E2014, "{edition}");
        }
    }
}
