//! The consequences of a fallen flag (6.8, 6.9, A.4.3, A.4.5, G.3).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

use super::choices::{ArbiterCallsFlag, BothFlags, TimeClaimNeeds};
use super::game_type::{GameType, Supervision};
use super::rules::Rules;
use super::termination::{LossOrDraw, Termination, loss_or_draw};

/// The period in which a flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PeriodKind {
    /// A period after which another follows.
    Earlier,
    /// The last period, with all remaining moves.
    Last,
}

/// The consequence when both flags have fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothFallen {
    /// It is known which flag fell first. That side has lost, unless the opponent cannot mate.
    First(Color),
    /// The game continues with the next period.
    Continue,
    /// The game is drawn.
    Draw,
    /// The Laws in force do not say. The arbiter decides with the recorded times.
    ArbiterDecides,
}

/// Why a claim that the opponent's flag has fallen fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTimeClaim {
    /// The flag has not fallen.
    #[error("the opponent's flag has not fallen")]
    NotFallen,
    /// The claimant's own flag has fallen too (A.4.3 until 2017).
    #[error("the claimant has no time left himself")]
    NoOwnTime,
}

/// Returns the end of a game in which the flag of `side` has fallen before the moves of the period
/// were completed (6.9): lost, or drawn if the opponent cannot mate by any series of legal moves.
/// `position` is `None` for a placement that is not a position. Ask only if the game had not ended
/// before, because a mate made before the flag fell stands (trap 85).
pub fn flag_fall(position: Option<&Chess>, side: Color) -> LossOrDraw {
    loss_or_draw(
        position,
        side,
        Termination::FlagFall(side),
        Termination::FlagFallDrawn(side),
    )
}

/// Returns the consequence of two fallen flags. `first` is the side whose flag fell first, if the
/// journal knows it. `guideline` says whether Annex G was announced for games without increment.
pub const fn both_flags(
    rules: &Rules,
    game: GameType,
    period: PeriodKind,
    guideline: bool,
    first: Option<Color>,
) -> BothFallen {
    if let Some(first) = first {
        return BothFallen::First(first);
    }
    let in_last = match period {
        PeriodKind::Earlier => return BothFallen::Continue,
        PeriodKind::Last => BothFallen::Draw,
    };
    match rules.time.both_flags {
        BothFlags::DrawInLastPeriod => in_last,
        BothFlags::ContinueDrawInQuickplay => match game {
            GameType::Standard if !guideline => BothFallen::Continue,
            _ => in_last,
        },
        BothFlags::GuidelineOnly if guideline => in_last,
        BothFlags::GuidelineOnly => BothFallen::ArbiterDecides,
    }
}

/// Checks whether a claim on time is correct (6.8, A.4.3). It may come from the player or, for a
/// blind player, from his assistant (D.2.10.5).
///
/// # Errors
/// Why it is not.
pub fn time_claim(
    rules: &Rules,
    game: (GameType, Supervision),
    opponents_left: Duration,
    own_left: Duration,
) -> Result<(), NoTimeClaim> {
    let needs_own_time = matches!(rules.time.time_claim_needs, TimeClaimNeeds::OwnTimeLeft)
        && game.0 != GameType::Standard
        && !(rules.game_types.has_supervised_mode && game.1.is_adequate());
    if !opponents_left.is_zero() {
        Err(NoTimeClaim::NotFallen)
    } else if needs_own_time && own_left.is_zero() {
        Err(NoTimeClaim::NoOwnTime)
    } else {
        Ok(())
    }
}

/// Returns what the arbiter does about a fallen flag that he sees, without a claim.
pub const fn arbiter_calls_flag(
    rules: &Rules,
    game: (GameType, Supervision),
    both_are_down: bool,
) -> FlagCall {
    let is_competition = matches!(game.0, GameType::Standard)
        || rules.game_types.has_supervised_mode && game.1.is_adequate();
    if is_competition {
        return FlagCall::Shall;
    }
    match rules.time.arbiter_calls_flag {
        ArbiterCallsFlag::Never => FlagCall::Never,
        ArbiterCallsFlag::OnlyBoth if both_are_down => FlagCall::May,
        ArbiterCallsFlag::OnlyBoth => FlagCall::Never,
        ArbiterCallsFlag::Unsaid | ArbiterCallsFlag::May => FlagCall::May,
        ArbiterCallsFlag::Shall => FlagCall::Shall,
    }
}

/// Whether the arbiter calls a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagCall {
    /// He leaves the flag to the players.
    Never,
    /// He may call it.
    May,
    /// He shall call it.
    Shall,
}

#[cfg(test)]
mod tests {
    use super::super::{Edition, resignation};
    use super::*;

    #[test]
    fn both_flags_of_unknown_order_follow_the_edition() {
        let last = |edition: Edition, game, guideline| {
            both_flags(edition.rules(), game, PeriodKind::Last, guideline, None)
        };
        use BothFallen::{ArbiterDecides, Continue, Draw};
        assert_eq!(last(Edition::E2001, GameType::Standard, false), Continue);
        assert_eq!(last(Edition::E2001, GameType::Standard, true), Draw);
        assert_eq!(last(Edition::E2001, GameType::Rapid, false), Draw);
        assert_eq!(last(Edition::E2014, GameType::Standard, false), Draw);
        assert_eq!(last(Edition::E2023, GameType::Standard, true), Draw);
        let unsaid = last(Edition::E2023, GameType::Standard, false);
        assert_eq!(unsaid, ArbiterDecides);
        let rules = Edition::E2014.rules();
        let earlier = both_flags(rules, GameType::Standard, PeriodKind::Earlier, false, None);
        assert_eq!(earlier, Continue);
    }

    #[test]
    fn after_a_mate_on_the_board_no_flag_makes_a_draw() {
        let position = |fen: &str| -> Chess {
            let fen: shakmaty::fen::Fen = fen.parse().unwrap();
            fen.into_position(shakmaty::CastlingMode::Standard).unwrap()
        };
        // Black is mated and has no mating material, so White's flag changes nothing.
        let mated = position("R6k/8/6K1/8/8/8/8/8 b - - 0 1");
        let ended = LossOrDraw::Ended(Termination::Checkmate(Color::White));
        for side in Color::ALL {
            assert_eq!(flag_fall(Some(&mated), side), ended);
        }
        let rules = Edition::E2023.rules();
        let resigned = resignation(rules, Some(&mated), Color::White);
        assert_eq!(resigned, ended);
        let stalemate = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        let drawn = LossOrDraw::Ended(Termination::Stalemate);
        assert_eq!(flag_fall(Some(&stalemate), Color::Black), drawn);
    }

    #[test]
    fn a_time_claim_needed_own_time_until_2017() {
        let game = (GameType::Blitz, Supervision::Inadequate);
        for edition in Edition::ALL {
            let claim = time_claim(edition.rules(), game, Duration::ZERO, Duration::ZERO);
            assert_eq!(claim.is_ok(), edition >= Edition::E2018, "{edition}");
        }
    }
}
