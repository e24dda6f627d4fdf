//! Offering and agreeing a draw (5.2.3, 9.1).

use serde::{Deserialize, Serialize};

use super::choices::DrawOfferLimit;
use super::rules::Rules;

/// What the regulations of an event say about draws by agreement (9.1.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventLimit {
    /// Nothing.
    #[default]
    None,
    /// No agreement before each player has made so many moves, unless the arbiter consents.
    Before(u32),
    /// No agreement at all, unless the arbiter consents.
    Never,
}

/// How many moves each player has made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovesMade {
    /// By White.
    pub white: u32,
    /// By Black.
    pub black: u32,
}

/// Why a draw cannot be offered or agreed now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAgreement {
    /// Each player has to make so many moves first (5.2.3).
    #[error("each player must have made {0} move(s) before a draw can be agreed")]
    TooEarly(u32),
    /// The event demands the arbiter's consent (9.1.1).
    #[error("this event allows no draw by agreement now without the arbiter's consent")]
    NeedsConsent,
}

impl NoAgreement {
    /// The clause it rests on.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::TooEarly(_) => "5.2.3",
            Self::NeedsConsent => "9.1.1",
        }
    }
}

impl EventLimit {
    /// Returns whether the limit applies after so many moves.
    const fn binds(self, made: MovesMade) -> bool {
        match self {
            Self::None => false,
            Self::Before(moves) => made.by_both() < moves,
            Self::Never => true,
        }
    }
}

impl MovesMade {
    /// The smaller of the two numbers, because only moves by both count (trap 101).
    pub const fn by_both(self) -> u32 {
        if self.white < self.black {
            self.white
        } else {
            self.black
        }
    }
}

/// Checks whether a draw can be agreed (5.2.3, 9.1.1).
///
/// # Errors
/// Why it cannot.
pub const fn may_agree(
    rules: &Rules,
    made: MovesMade,
    event: EventLimit,
    arbiter_consents: bool,
) -> Result<(), NoAgreement> {
    let needed = rules.draws.agreement_needs_moves;
    if made.by_both() < needed {
        return Err(NoAgreement::TooEarly(needed));
    }
    let limit_is_known = !matches!(rules.draws.offer_limit, DrawOfferLimit::Nothing);
    if limit_is_known && event.binds(made) && !arbiter_consents {
        Err(NoAgreement::NeedsConsent)
    } else {
        Ok(())
    }
}

/// Checks whether a draw can be offered. If an edition lets an event restrict only the agreement,
/// the offer is free. It is free under 5.2.3 too, which keeps players from agreeing before each has
/// moved.
///
/// # Errors
/// Why it cannot.
pub const fn may_offer(
    rules: &Rules,
    made: MovesMade,
    event: EventLimit,
    arbiter_consents: bool,
) -> Result<(), NoAgreement> {
    match rules.draws.offer_limit {
        DrawOfferLimit::OfferingOrAgreeing if event.binds(made) && !arbiter_consents => {
            Err(NoAgreement::NeedsConsent)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn both_must_have_moved_since_2017() {
        let after_white = MovesMade { white: 1, black: 0 };
        for edition in Edition::ALL {
            let answer = may_agree(edition.rules(), after_white, EventLimit::None, false);
            assert_eq!(answer.is_err(), edition >= Edition::E2017July, "{edition}");
        }
    }

    #[test]
    fn an_event_can_want_the_arbiters_consent() {
        let early = MovesMade {
            white: 29,
            black: 29,
        };
        let rules = Edition::E2023.rules();
        let event = EventLimit::Before(30);
        assert_eq!(
            may_offer(rules, early, event, false),
            Err(NoAgreement::NeedsConsent)
        );
        assert_eq!(may_agree(rules, early, event, true), Ok(()));
        assert_eq!(
            may_offer(Edition::E2014.rules(), early, event, false),
            Ok(())
        );
        assert_eq!(
            may_agree(Edition::E2001.rules(), early, event, false),
            Ok(())
        );
    }
}
