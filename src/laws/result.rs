//! Results and points (Article 10).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use shakmaty::Color;
use thiserror::Error;

use super::rules::Rules;

/// The result of a game as both players sign it. An annulled game has none.
///
/// Besides the three usual results the arbiter may give both players a loss, or one of them half a
/// point and the other none (12.9). No other split exists (10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub enum GameResult {
    /// The player of this colour has won.
    Won(Color),
    /// Half a point each.
    Draw,
    /// No point for either.
    BothLost,
    /// Half a point for this colour, none for the other.
    HalfFor(Color),
}

/// Points of both sides in half points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Points {
    /// White's half points.
    pub white: u32,
    /// Black's half points.
    pub black: u32,
}

/// The points for a win, a draw and a loss, in half points: 1, ½ and 0 unless the event says
/// otherwise (10.1). Written `3-1-0` or `1-1/2-0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct Scoring {
    win: u32,
    draw: u32,
    loss: u32,
}

/// The text is not a scoring.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not what win, draw and loss count, most first, such as 1-1/2-0 or 3-1-0")]
pub struct ParseScoringError;

impl Default for Scoring {
    fn default() -> Self {
        Self {
            win: 2,
            draw: 1,
            loss: 0,
        }
    }
}

impl Scoring {
    /// The half points for a win, the most that a player gets.
    pub const fn win(self) -> u32 {
        self.win
    }

    /// The points of both sides for a result.
    pub const fn points(self, result: GameResult) -> Points {
        let (white, black) = match result {
            GameResult::Won(Color::White) => (self.win, self.loss),
            GameResult::Won(Color::Black) => (self.loss, self.win),
            GameResult::Draw => (self.draw, self.draw),
            GameResult::BothLost => (self.loss, self.loss),
            GameResult::HalfFor(Color::White) => (self.draw, self.loss),
            GameResult::HalfFor(Color::Black) => (self.loss, self.draw),
        };
        Points { white, black }
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [win, draw, loss] = [self.win, self.draw, self.loss].map(in_halves);
        write!(f, "{win}-{draw}-{loss}")
    }
}

impl FromStr for Scoring {
    type Err = ParseScoringError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut halves = text.split('-').map(|part| match part.trim() {
            "1/2" | "½" | "0.5" | "0,5" => Some(1),
            whole => whole
                .parse::<u32>()
                .ok()
                .filter(|it| *it <= 100)
                .map(|it| 2 * it),
        });
        let mut next = || halves.next().flatten().ok_or(ParseScoringError);
        let (win, draw, loss) = (next()?, next()?, next()?);
        if halves.next().is_some() || win < draw || draw < loss {
            return Err(ParseScoringError);
        }
        Ok(Self { win, draw, loss })
    }
}

/// Writes half points as a score shows them: `1`, `1/2`, `1 1/2`.
pub fn in_halves(half: u32) -> String {
    match (half / 2, half % 2) {
        (0, 1) => "1/2".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole} 1/2"),
    }
}

/// Why points may not be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PointsError {
    /// Together they exceed what the game is worth.
    #[error("together more points than the game is worth: 10.2 allows no more")]
    MoreThanTheGame,
}

impl Points {
    /// Checks whether an arbiter may give these points.
    ///
    /// # Errors
    /// If the edition caps the points (10.2) and both players together would get more than a game
    /// is worth.
    pub const fn check(self, rules: &Rules) -> Result<(), PointsError> {
        if rules.conduct.points_capped && self.white.saturating_add(self.black) > 2 {
            Err(PointsError::MoreThanTheGame)
        } else {
            Ok(())
        }
    }
}

impl GameResult {
    /// The points of both sides.
    pub const fn points(self) -> Points {
        let (white, black) = match self {
            Self::Won(Color::White) => (2, 0),
            Self::Won(Color::Black) => (0, 2),
            Self::Draw => (1, 1),
            Self::BothLost => (0, 0),
            Self::HalfFor(Color::White) => (1, 0),
            Self::HalfFor(Color::Black) => (0, 1),
        };
        Points { white, black }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLost => "0-0",
            Self::HalfFor(Color::White) => "1/2-0",
            Self::HalfFor(Color::Black) => "0-1/2",
        })
    }
}

/// The text is not a result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a result")]
pub struct ParseGameResultError;

impl FromStr for GameResult {
    type Err = ParseGameResultError;

    /// Reads a result with any dash, with ½ or 1/2 or 0.5, and with `:` as on German sheets.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain: String = text
            .replace(['–', '—', '−', '‐', '‑', '‒', ':'], "-")
            .replace('½', "1/2")
            .replace("0.5", "1/2")
            .replace("0,5", "1/2")
            .split_whitespace()
            .collect();
        Ok(match plain.as_str() {
            "1-0" | "+--" | "1-" => Self::Won(Color::White),
            "0-1" | "--+" | "-1" => Self::Won(Color::Black),
            "1/2-1/2" | "1/2" => Self::Draw,
            "0-0" => Self::BothLost,
            "1/2-0" => Self::HalfFor(Color::White),
            "0-1/2" => Self::HalfFor(Color::Black),
            _ => return Err(ParseGameResultError),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn every_result_is_read_as_it_is_written() {
        for result in [
            GameResult::Won(Color::White),
            GameResult::Won(Color::Black),
            GameResult::Draw,
            GameResult::BothLost,
            GameResult::HalfFor(Color::White),
            GameResult::HalfFor(Color::Black),
        ] {
            assert_eq!(result.to_string().parse(), Ok(result));
        }
    }

    #[test]
    fn results_are_read_in_other_hands() {
        assert_eq!("½–½".parse(), Ok(GameResult::Draw));
        assert_eq!("1‑0".parse(), Ok(GameResult::Won(Color::White)));
        assert_eq!("0 : 1".parse(), Ok(GameResult::Won(Color::Black)));
        assert!("3/4-1/4".parse::<GameResult>().is_err());
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
