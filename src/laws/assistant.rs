//! The duties of assistants (D.2.10, D.2.11).

use serde::{Deserialize, Serialize};

use super::rules::Rules;

/// A duty that a blind player can give to his assistant (D.2.10). Everything else is the player's
/// own: an assistant does not resign, offer or answer a draw, claim a repetition or advise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Duty {
    /// Making either player's move on the opponent's board.
    ExecuteMoves,
    /// Announcing the moves of both players.
    Announce,
    /// Keeping the player's score and starting the opponent's clock.
    KeepScoreAndPress,
    /// Telling the number of moves and the times used, only when the player asks.
    TellMovesAndTimes,
    /// Claiming the game on time, and telling the arbiter of a touched piece.
    ClaimTimeAndReportTouch,
    /// The formalities of an adjournment.
    AdjournmentFormalities,
}

impl Duty {
    /// All duties that an assistant of a blind player can have.
    pub const OF_ASSISTANT: [Self; 6] = [
        Self::ExecuteMoves,
        Self::Announce,
        Self::KeepScoreAndPress,
        Self::TellMovesAndTimes,
        Self::ClaimTimeAndReportTouch,
        Self::AdjournmentFormalities,
    ];

    /// All duties that a helper of the sighted player can have, where the blind player has no
    /// assistant (D.2.11).
    pub const OF_SIGHTED_HELPER: [Self; 2] = [Self::ExecuteMoves, Self::Announce];

    /// The clause that gives the duty.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::ExecuteMoves => "D.2.10.1",
            Self::Announce => "D.2.10.2",
            Self::KeepScoreAndPress => "D.2.10.3",
            Self::TellMovesAndTimes => "D.2.10.4",
            Self::ClaimTimeAndReportTouch => "D.2.10.5",
            Self::AdjournmentFormalities => "D.2.10.6",
        }
    }
}

/// Returns whether a sighted player may have a helper: only where the blind player has no assistant
/// (D.2.11).
pub const fn may_have_sighted_helper(blind_has_assistant: bool) -> bool {
    !blind_has_assistant
}

/// Returns whether the blind player must have an assistant (D.2.11 since 2017).
pub const fn needs_assistant(rules: &Rules, opponent_is_hearing_impaired: bool) -> bool {
    rules.blind.assistant_against_hearing_impaired && opponent_is_hearing_impaired
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn a_hearing_impaired_opponent_makes_an_assistant_compulsory_since_2017() {
        for edition in Edition::ALL {
            let rules = edition.rules();
            let expected = edition >= Edition::E2017July;
            assert_eq!(needs_assistant(rules, true), expected, "{edition}");
            assert!(!needs_assistant(rules, false));
        }
    }
}
