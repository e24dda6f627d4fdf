//! Games without increment and quickplay finishes (Article 10 until 2009, Annex G, Guidelines III).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::choices::FiveSeconds;
use super::game_type::{GameType, Supervision};
use super::rules::Rules;

/// The facts when a player asks for something in the last minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuickplayFacts {
    /// The type of the game.
    pub game_type: GameType,
    /// Whether it is supervised adequately.
    pub supervision: Supervision,
    /// Whether it was announced in advance that these rules apply.
    pub was_announced: bool,
    /// Whether the game is in its last period, to be finished in a limited time.
    pub in_last_period: bool,
    /// The increment of the time control.
    pub increment: Duration,
    /// Whether the player has the move.
    pub has_move: bool,
    /// The time the player has left.
    pub left: Duration,
}

/// Why nothing can be claimed under these rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoQuickplayClaim {
    /// They do not apply to this game.
    #[error("the rules for games without increment do not apply to this game")]
    DoesNotApply,
    /// Only the player on move may ask.
    #[error("only the player who has the move can claim")]
    NotOnMove,
    /// Two minutes or more are left.
    #[error("the claim needs less than two minutes on the own clock")]
    TimeLeft,
}

/// What the arbiter decides on such a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuickplayDecision {
    /// Drawn: the opponent cannot or does not try to win by normal means.
    Draw,
    /// Postponed: he continues to watch and decides later. He may give the opponent time.
    Postpone {
        /// Whether he gives time.
        with_time: bool,
    },
    /// Rejected: the opponent gains time.
    Reject,
    /// The five extra seconds are granted (G.4). The opponent gains time, and both get the seconds.
    FiveSeconds,
    /// The five seconds are granted as a delay, where the edition leaves the choice (2014).
    FiveSecondsDelay,
}

/// Checks whether the rules apply and the player may claim now (G.4, G.5).
///
/// # Errors
/// Why he may not.
pub fn may_claim_quickplay(rules: &Rules, facts: QuickplayFacts) -> Result<(), NoQuickplayClaim> {
    let quickplay = &rules.quickplay;
    let applies = facts.in_last_period
        && (facts.game_type != GameType::Blitz
            || quickplay.in_supervised_blitz && facts.supervision.is_adequate())
        && facts.increment.is_zero()
        && (facts.was_announced || !quickplay.must_be_announced);
    let below = Duration::from_secs(60 * u64::from(quickplay.claim_below_minutes));
    if !applies {
        Err(NoQuickplayClaim::DoesNotApply)
    } else if !facts.has_move {
        Err(NoQuickplayClaim::NotOnMove)
    } else if facts.left >= below {
        Err(NoQuickplayClaim::TimeLeft)
    } else {
        Ok(())
    }
}

/// Returns the time that the opponent gains from the arbiter's decision.
pub fn opponent_gains(rules: &Rules, decision: QuickplayDecision) -> Duration {
    let minutes = match decision {
        QuickplayDecision::Draw | QuickplayDecision::Postpone { with_time: false } => 0,
        QuickplayDecision::Postpone { with_time: true } | QuickplayDecision::Reject => {
            rules.quickplay.rejected_minutes
        }
        QuickplayDecision::FiveSeconds | QuickplayDecision::FiveSecondsDelay => {
            rules.quickplay.five_seconds_minutes
        }
    };
    Duration::from_secs(60 * u64::from(minutes))
}

/// Returns whether a request for the five seconds is also a draw offer (trap 23).
pub const fn five_seconds_offer_draw(rules: &Rules) -> bool {
    matches!(
        rules.quickplay.five_seconds,
        FiveSeconds::IncrementAndDrawOffer
    )
}

/// Returns whether the five seconds can also be given as a delay (2014).
pub const fn may_give_delay(rules: &Rules) -> bool {
    matches!(rules.quickplay.five_seconds, FiveSeconds::DelayOrIncrement)
}

/// Returns whether a player can ask for the five seconds.
pub const fn may_ask_five_seconds(rules: &Rules) -> bool {
    !matches!(rules.quickplay.five_seconds, FiveSeconds::No)
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    fn facts() -> QuickplayFacts {
        QuickplayFacts {
            game_type: GameType::Standard,
            supervision: Supervision::Adequate,
            was_announced: true,
            in_last_period: true,
            increment: Duration::ZERO,
            has_move: true,
            left: Duration::from_secs(119),
        }
    }

    #[test]
    fn less_than_two_minutes_are_needed() {
        for edition in Edition::ALL {
            let rules = edition.rules();
            assert_eq!(may_claim_quickplay(rules, facts()), Ok(()));
            let mut at_two = facts();
            at_two.left = Duration::from_secs(120);
            assert_eq!(
                may_claim_quickplay(rules, at_two),
                Err(NoQuickplayClaim::TimeLeft)
            );
        }
    }

    #[test]
    fn it_must_have_been_announced_since_2014_and_holds_in_no_blitz_but_supervised_of_2009() {
        for edition in Edition::ALL {
            let mut unannounced = facts();
            unannounced.was_announced = false;
            let claim = may_claim_quickplay(edition.rules(), unannounced);
            assert_eq!(claim.is_ok(), edition < Edition::E2014, "{edition}");
            let mut blitz = facts();
            blitz.game_type = GameType::Blitz;
            let supervised = may_claim_quickplay(edition.rules(), blitz);
            assert_eq!(supervised.is_ok(), edition == Edition::E2009, "{edition}");
            blitz.supervision = Supervision::Inadequate;
            assert!(may_claim_quickplay(edition.rules(), blitz).is_err());
        }
    }
}
