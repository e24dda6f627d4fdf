//! Types of game (standard, rapid, blitz) and their supervision (Annexes A and B).

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::rules::{ByGameType, GameTypes, IllegalMoveSanction, Rules};

/// The type of a game by its time control.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum GameType {
    /// Longer than rapid chess.
    #[default]
    Standard,
    /// Rapid chess (Annex A).
    Rapid,
    /// Blitz (Annex B).
    Blitz,
}

/// Whether the Competition Rules apply in full to a rapid or blitz game (A.3, B.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Supervision {
    /// They apply: one arbiter for at most three games (one in blitz), and the game is recorded.
    #[default]
    Adequate,
    /// They do not apply (A.4, B.4).
    Inadequate,
}

impl GameType {
    /// All types.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Rapid, Self::Blitz];

    /// Returns the type of a game in which each player has `main` for all his moves and `increment`
    /// for each. Sixty increments count as allotted time where the edition says so (trap 93: 5
    /// minutes and 5 seconds are blitz, 30 and 30 are standard).
    pub fn of(rules: &Rules, main: Duration, increment: Duration) -> Self {
        let windows = &rules.game_types;
        let allotted = allotted_for_sixty_moves(windows, main, increment);
        if is_within(
            allotted,
            windows.blitz_minutes,
            windows.blitz_minutes_included,
        ) {
            Self::Blitz
        } else if is_within(
            allotted,
            windows.rapid_minutes,
            windows.rapid_minutes_included,
        ) {
            Self::Rapid
        } else {
            Self::Standard
        }
    }
}

impl Supervision {
    /// Returns whether the Competition Rules apply in full.
    pub const fn is_adequate(self) -> bool {
        matches!(self, Self::Adequate)
    }
}

impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Standard => "standard",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
        })
    }
}

fn allotted_for_sixty_moves(windows: &GameTypes, main: Duration, increment: Duration) -> Duration {
    if windows.increment_counts {
        main.saturating_add(increment.saturating_mul(60))
    } else {
        main
    }
}

fn is_within(allotted: Duration, minutes: u32, included: bool) -> bool {
    let limit = Duration::from_secs(60 * u64::from(minutes));
    allotted < limit || included && allotted == limit
}

impl Rules {
    /// The sanction for an illegal move in a game of this type under this supervision.
    pub const fn illegal_move_sanction(
        &self,
        game: GameType,
        supervision: Supervision,
    ) -> &IllegalMoveSanction {
        let moves = &self.illegal_moves;
        match (game, supervision.is_adequate()) {
            (GameType::Standard, _) => &moves.standard,
            (GameType::Rapid, true) => &moves.rapid_supervised,
            (GameType::Rapid, false) => &moves.rapid_unsupervised,
            (GameType::Blitz, true) => &moves.blitz_supervised,
            (GameType::Blitz, false) => &moves.blitz_unsupervised,
        }
    }
}

impl ByGameType {
    /// The number for a type of game.
    pub const fn of(&self, game: GameType) -> u32 {
        match game {
            GameType::Standard => self.standard,
            GameType::Rapid => self.rapid,
            GameType::Blitz => self.blitz,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[track_caller]
    fn check(edition: Edition, minutes: u64, increment: u64, expected: GameType) {
        let game = GameType::of(
            edition.rules(),
            Duration::from_secs(60 * minutes),
            Duration::from_secs(increment),
        );
        assert_eq!(game, expected, "{edition}: {minutes} min + {increment} s");
    }

    #[test]
    fn a_type_follows_from_the_time_for_sixty_moves() {
        check(Edition::E2023, 5, 5, GameType::Blitz);
        check(Edition::E2023, 10, 0, GameType::Blitz);
        check(Edition::E2023, 10, 1, GameType::Rapid);
        check(Edition::E2023, 59, 0, GameType::Rapid);
        check(Edition::E2023, 30, 30, GameType::Standard);
        check(Edition::E2023, 45, 15, GameType::Standard);
        check(Edition::E2023, 60, 0, GameType::Standard);
        check(Edition::E2009, 14, 0, GameType::Blitz);
        check(Edition::E2009, 15, 0, GameType::Rapid);
        check(Edition::E2001, 60, 0, GameType::Rapid);
        check(Edition::E2001, 15, 0, GameType::Rapid);
    }
}
