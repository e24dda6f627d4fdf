//! Results and points (Article 10).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::Color;

use super::rules::Rules;

/// The result of a game as both players sign it.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// This side has won.
    Win(#[serde_as(as = "DisplayFromStr")] Color),
    /// Drawn.
    Draw,
    /// Lost by both (11.8).
    BothLose,
    /// The arbiter gave other points (12.9).
    Points(Points),
    /// Annulled (7.2.1, 7.3): a new game is played.
    Annulled,
}

/// Points of both sides in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Points {
    /// White's half points.
    pub white: u32,
    /// Black's half points.
    pub black: u32,
}

/// Points that may not be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointsError {
    /// Together more than the game is worth.
    #[error("together more points than the game is worth: 10.2 allows no more")]
    MoreThanTheGame,
}

impl Points {
    /// Whether an arbiter may give these points.
    ///
    /// # Errors
    /// If the edition caps the points (10.2) and a player would get more than a win or both
    /// together more than a game is worth.
    pub const fn check(self, rules: &Rules) -> Result<(), PointsError> {
        if rules.conduct.points_capped && self.white.saturating_add(self.black) > 2 {
            Err(PointsError::MoreThanTheGame)
        } else {
            Ok(())
        }
    }
}

impl GameResult {
    /// The points of both sides; none if the game was annulled.
    pub const fn points(self) -> Option<Points> {
        let (white, black) = match self {
            Self::Win(Color::White) => (2, 0),
            Self::Win(Color::Black) => (0, 2),
            Self::Draw => (1, 1),
            Self::BothLose => (0, 0),
            Self::Points(points) => return Some(points),
            Self::Annulled => return None,
        };
        Some(Points { white, black })
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", HalfPoints(self.white), HalfPoints(self.black))
    }
}

impl fmt::Display for GameResult {
    /// As a scoresheet and PGN write it where they can: `1-0`, `1/2-1/2`, `0-0`, `*`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.points() {
            Some(points) => points.fmt(f),
            None => f.write_str("*"),
        }
    }
}

struct HalfPoints(u32);

impl fmt::Display for HalfPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0 / 2, self.0 % 2) {
            (0, 1) => f.write_str("1/2"),
            (whole, 0) => write!(f, "{whole}"),
            (whole, _) => write!(f, "{whole} 1/2"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn results_read_as_on_a_scoresheet() {
        assert_eq!(GameResult::Win(Color::White).to_string(), "1-0");
        assert_eq!(GameResult::Draw.to_string(), "1/2-1/2");
        assert_eq!(GameResult::BothLose.to_string(), "0-0");
        assert_eq!(GameResult::Annulled.to_string(), "*");
        let points = Points { white: 1, black: 0 };
        assert_eq!(GameResult::Points(points).to_string(), "1/2-0");
    }

    #[test]
    fn points_are_capped_since_2017() {
        let generous = Points { white: 2, black: 1 };
        assert!(generous.check(Edition::E2023.rules()).is_err());
        assert!(generous.check(Edition::E2014.rules()).is_ok());
        for halves in [(2, 0), (1, 1), (0, 0), (1, 0)] {
            let points = Points {
                white: halves.0,
                black: halves.1,
            };
            assert!(points.check(Edition::E2023.rules()).is_ok());
        }
    }
}
