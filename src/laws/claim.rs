//! Claims of a draw by repetition and by the fifty-move rule (9.2 to 9.5).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move, Position, Role, Square};

use super::choices::{ClaimLostBy, ClaimantLoses};
use super::game_type::GameType;
use super::repetition::{PositionKey, appearances};
use super::rules::Rules;

/// What is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrawClaim {
    /// The same position for the third time (9.2).
    Repetition,
    /// Fifty moves by each without a pawn moved or a piece captured (9.3).
    FiftyMoves,
}

/// What a claimant has done at this move so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClaimantFacts {
    /// Whether he has the move.
    pub has_move: bool,
    /// Whether he has touched a piece in the sense of 4.3. A blind player touches a piece when he
    /// takes its peg out of its hole, other than to adjust it or to execute the opponent's move
    /// (traps 66, 67).
    pub has_touched: bool,
    /// Whether he has made a move.
    pub has_made: bool,
}

/// Why a claim cannot be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRightToClaim {
    /// Only the player who has the move may claim.
    #[error("only the player who has the move can claim")]
    NotOnMove,
    /// He has touched a piece (9.4).
    #[error("the right to claim on this move was lost by touching a piece")]
    Touched,
    /// He has made a move.
    #[error("the right to claim on this move was lost by making a move")]
    Made,
}

/// Checks whether a player may claim now (9.4). Whether the claim is correct is another question.
///
/// # Errors
/// Why he may not.
pub const fn may_claim(rules: &Rules, facts: ClaimantFacts) -> Result<(), NoRightToClaim> {
    if !facts.has_move {
        Err(NoRightToClaim::NotOnMove)
    } else if facts.has_made {
        Err(NoRightToClaim::Made)
    } else if facts.has_touched && matches!(rules.draws.claim_lost_by, ClaimLostBy::Touching) {
        Err(NoRightToClaim::Touched)
    } else {
        Ok(())
    }
}

/// The move that a claimant has written and declared but not made (9.2.1, 9.3.1). It cannot be
/// changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intended {
    /// A legal move.
    Legal(Move),
    /// An illegal move, with the square it would start from, if that was said.
    Illegal(Option<Square>),
}

/// The facts with which the arbiter decides a claim.
#[derive(Clone, Copy, Debug)]
pub struct ClaimCase<'a> {
    /// The rules in force.
    pub rules: &'a Rules,
    /// The type of game.
    pub game_type: GameType,
    /// What is claimed.
    pub claim: DrawClaim,
    /// Every position since the initial one; the last is the one on the board.
    pub history: &'a [PositionKey],
    /// The position on the board.
    pub position: &'a Chess,
    /// Moves of both sides, in plies, since the last pawn move or capture.
    pub quiet_plies: u32,
    /// The intended move, if the position is only about to appear.
    pub intended: Option<&'a Intended>,
    /// The time the claimant has left.
    pub claimant_left: Duration,
}

/// The decision on a claim. The arbiter confirms it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimVerdict {
    /// The game is drawn at once (9.5.2).
    Correct {
        /// The plies after which the position appeared, or the number of quiet plies.
        evidence: ClaimEvidence,
    },
    /// The game continues (9.5.3).
    Wrong {
        /// What was found instead.
        evidence: ClaimEvidence,
        /// The consequences.
        consequences: WrongClaim,
    },
}

/// What was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimEvidence {
    /// The plies after which the position appeared, the claimed appearance included.
    Appearances(Vec<usize>),
    /// Plies without pawn move or capture, the intended move included.
    QuietPlies(u32),
    /// The intended move is illegal, so the claim fails.
    IntendedIllegal,
}

/// The consequences of a wrong claim (9.5.3). A claim also counts as a draw offer (9.1.2.3), which
/// the opponent may accept before the claim is decided (trap 99).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongClaim {
    /// The time that the opponent gains.
    pub opponent_gains: Duration,
    /// The time that the claimant has left afterwards, if the edition takes some.
    pub claimant_left: Option<Duration>,
    /// What the claimant has to play.
    pub must_play: MustPlay,
}

/// What a claimant of a wrong claim has to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MustPlay {
    /// Any legal move, because he declared none.
    Anything,
    /// The move he declared.
    Intended(Move),
    /// A move of this piece, if it has one, because the declared move was illegal (4.3.1).
    Piece(Square),
}

/// Decides a claim (9.5).
pub fn decide_claim(case: &ClaimCase<'_>) -> ClaimVerdict {
    let (is_correct, evidence) = match case.intended {
        Some(Intended::Illegal(_)) => (false, ClaimEvidence::IntendedIllegal),
        intended => count(case, intended),
    };
    if is_correct {
        return ClaimVerdict::Correct { evidence };
    }
    let draws = &case.rules.draws;
    let minutes = draws.wrong_claim_minutes.of(case.game_type);
    let consequences = WrongClaim {
        opponent_gains: Duration::from_secs(60 * u64::from(minutes)),
        claimant_left: match draws.wrong_claim_claimant {
            ClaimantLoses::Nothing => None,
            ClaimantLoses::Halving2001 => Some(halved_2001(case.claimant_left)),
        },
        must_play: must_play(case),
    };
    ClaimVerdict::Wrong {
        evidence,
        consequences,
    }
}

fn count(case: &ClaimCase<'_>, intended: Option<&Intended>) -> (bool, ClaimEvidence) {
    let intended = match intended {
        Some(Intended::Legal(intended)) => Some(*intended),
        _ => None,
    };
    match case.claim {
        DrawClaim::Repetition => {
            let plies = match intended {
                None => appearances(case.history),
                Some(intended) => {
                    let mut after = case.position.clone();
                    after.play_unchecked(intended);
                    let mut history = case.history.to_vec();
                    history.push(PositionKey::of(&after));
                    appearances(&history)
                }
            };
            (plies.len() >= 3, ClaimEvidence::Appearances(plies))
        }
        DrawClaim::FiftyMoves => {
            let plies = match intended {
                None => case.quiet_plies,
                Some(intended) if is_quiet(intended) => case.quiet_plies.saturating_add(1),
                Some(_) => 0,
            };
            (plies >= 100, ClaimEvidence::QuietPlies(plies))
        }
    }
}

/// Returns whether a move neither moves a pawn nor captures. Castling is quiet (trap 91).
pub fn is_quiet(played: Move) -> bool {
    !played.is_capture() && played.role() != Role::Pawn
}

/// Returns whether seventy-five moves by each end the game (9.6.2). Mate on the last move takes
/// precedence, so ask this only for a position that is not mate.
pub const fn is_seventy_five_moves(rules: &Rules, quiet_plies: u32) -> bool {
    rules.draws.seventy_five_moves && quiet_plies >= 150
}

fn must_play(case: &ClaimCase<'_>) -> MustPlay {
    match case.intended {
        Some(Intended::Legal(intended)) => MustPlay::Intended(*intended),
        Some(Intended::Illegal(Some(from))) if case.position.us().contains(*from) => {
            MustPlay::Piece(*from)
        }
        _ => MustPlay::Anything,
    }
}

/// Returns the time left to the claimant of a wrong claim under 9.5 b of 2001. With more than two
/// minutes he loses half, but at most three minutes. Between one and two minutes he keeps one.
/// Below one minute he keeps all. The text leaves exactly 2:00 and 1:00 open, and both formulas
/// give 1:00 there. The result is in milliseconds and not rounded.
pub fn halved_2001(left: Duration) -> Duration {
    const MINUTE: Duration = Duration::from_secs(60);
    if left > 2 * MINUTE {
        left - (left / 2).min(3 * MINUTE)
    } else {
        left.min(MINUTE)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Edition;
    use super::*;

    #[test]
    fn the_halving_of_2001_has_its_boundaries() {
        for (before, after) in [
            (600, 420),
            (360, 180),
            (240, 120),
            (121, 60),
            (120, 60),
            (90, 60),
            (61, 60),
            (60, 60),
            (59, 59),
            (0, 0),
        ] {
            let left = halved_2001(Duration::from_secs(before));
            assert_eq!(left.as_secs(), after, "{before} s");
        }
    }

    #[test]
    fn touching_ends_the_right_to_claim_except_in_2001() {
        let touched = ClaimantFacts {
            has_move: true,
            has_touched: true,
            has_made: false,
        };
        for edition in Edition::ALL {
            let expected = if edition == Edition::E2001 {
                Ok(())
            } else {
                Err(NoRightToClaim::Touched)
            };
            assert_eq!(may_claim(edition.rules(), touched), expected, "{edition}");
        }
    }

    #[test]
    fn only_the_player_on_move_claims() {
        let waiting = ClaimantFacts::default();
        assert_eq!(
            may_claim(Edition::E2023.rules(), waiting),
            Err(NoRightToClaim::NotOnMove)
        );
    }
}
