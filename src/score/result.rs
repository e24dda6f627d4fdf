//! How a game ended, in points (10.1).

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};
use shakmaty::Color;
use thiserror::Error;

/// The points of both players at the end of a game.
///
/// Besides the three usual results the arbiter may give both players a loss, or one of them half
/// a point against none (12.9). No other split exists (10.2).
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

/// What was given is no result.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a result")]
pub struct ParseGameResultError;

impl FromStr for GameResult {
    type Err = ParseGameResultError;

    /// Reads a result with any dash, with ½ or 1/2 or 0.5, and with `:` as on German sheets.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain: String = text
            .replace(['–', '—', '−', ':'], "-")
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
        assert_eq!("0 : 1".parse(), Ok(GameResult::Won(Color::Black)));
        assert!("3/4-1/4".parse::<GameResult>().is_err());
    }
}
