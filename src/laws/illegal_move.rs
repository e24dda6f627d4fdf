//! Illegal moves and the faults counted with them, and their penalties (7.5, 7.7, 7.8, A.4.2).

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

use super::choices::{Counters, HandFault, NoticedBy, NoticedUntil, Sanction, UnexchangedPawn};
use super::game_type::{GameType, Supervision};
use super::rules::{IllegalMoveSanction, Rules};
use super::termination::{LossOrDraw, Termination, loss_or_draw};

/// A fault that is, or is treated as, an illegal move. It exists once the clock has been pressed
/// (7.5.1). Before that a player may correct it within the touch-move rule (trap 61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A completed illegal move.
    IllegalMove,
    /// A pawn was left on the last rank and the clock pressed (7.5.2).
    UnexchangedPawn,
    /// Two hands were used for one move (7.7).
    TwoHands {
        /// Whether the clock was pressed afterwards.
        pressed: bool,
    },
    /// The clock was pressed without a move (7.8). If a blind player placed a move without
    /// announcing it, that is not clearly this fault: it breaks D.2.4 and the arbiter decides.
    PressWithoutMove,
}

/// Kinds of fault that are counted separately where the counters are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FaultKind {
    Move,
    Hands,
    Press,
}

/// The penalised faults of one player, each with the number of the act it happened in. A move that
/// replaces an illegal one is another act.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FaultRecord(Vec<(u32, Fault)>);

/// The penalty for a fault. The arbiter confirms it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Penalty {
    /// The opponent gains this time.
    OpponentGains {
        /// The time.
        time: Duration,
        /// The number of this fault among those counted together.
        number: u32,
    },
    /// The game is lost, or drawn if the opponent cannot mate.
    GameOver {
        /// The end of the game.
        end: LossOrDraw,
        /// The number of this fault among those counted together.
        number: u32,
    },
    /// Forbidden but not counted. The arbiter chooses one of his penalties (12.9).
    ArbiterChooses(Vec<Sanction>),
    /// The same move was already penalised. Two faults in one move count once.
    CountedAlready,
    /// The edition has no such fault.
    NotAFault,
}

/// What happens to the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionRemedy {
    /// The position before the irregularity is restored, or else the last one that can be
    /// identified. A move of the touched piece replaces the move (4.3, 4.7).
    Restore,
    /// The pawn is replaced by a queen of its colour, before the penalty (trap 94).
    PlaceQueen,
    /// The player makes a move in his own time.
    PlayOn,
    /// The move stands.
    Stands,
}

/// The person who noticed an illegal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticedFrom {
    /// The arbiter saw it.
    Arbiter,
    /// The opponent claimed it.
    Opponent,
}

/// What the opponent has done since the illegal move was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OpponentSince {
    /// Nothing.
    Nothing,
    /// Touched a piece with intent.
    Touched,
    /// Made his next move. For a blind player that includes announcing it.
    Made,
}

impl FaultRecord {
    /// Records a fault in the given move. A second fault in the same move is not counted.
    pub fn note(&mut self, move_number: u32, fault: Fault) {
        if !self.has_move(move_number) {
            self.0.push((move_number, fault));
        }
    }

    /// The faults in the order in which they were penalised, with the numbers of their acts.
    pub fn faults(&self) -> &[(u32, Fault)] {
        &self.0
    }

    fn has_move(&self, move_number: u32) -> bool {
        self.0.iter().any(|(number, _)| *number == move_number)
    }

    fn counted_with(&self, counters: Counters, fault: Fault) -> u32 {
        let counted = self.0.iter().filter(|(_, earlier)| match counters {
            Counters::Joint => true,
            Counters::Split => earlier.kind() == fault.kind(),
        });
        u32::try_from(counted.count()).unwrap_or(u32::MAX)
    }
}

impl Fault {
    const fn kind(self) -> FaultKind {
        match self {
            Self::IllegalMove | Self::UnexchangedPawn => FaultKind::Move,
            Self::TwoHands { .. } => FaultKind::Hands,
            Self::PressWithoutMove => FaultKind::Press,
        }
    }

    /// The clause that makes it a fault.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::IllegalMove => "7.5.1",
            Self::UnexchangedPawn => "7.5.2",
            Self::TwoHands { .. } => "7.7",
            Self::PressWithoutMove => "7.8",
        }
    }

    /// What happens to the position.
    pub const fn remedy(self, rules: &Rules) -> PositionRemedy {
        match self {
            Self::IllegalMove => PositionRemedy::Restore,
            Self::UnexchangedPawn => match rules.illegal_moves.unexchanged_pawn {
                UnexchangedPawn::Queen => PositionRemedy::PlaceQueen,
                UnexchangedPawn::PositionRestored => PositionRemedy::Restore,
            },
            Self::TwoHands { .. } => PositionRemedy::Stands,
            Self::PressWithoutMove => PositionRemedy::PlayOn,
        }
    }

    const fn weight(self, rules: &Rules) -> HandFault {
        match self {
            Self::IllegalMove | Self::UnexchangedPawn => HandFault::Illegal,
            Self::TwoHands { .. } => rules.illegal_moves.two_hands,
            Self::PressWithoutMove => rules.illegal_moves.press_without_move,
        }
    }
}

/// Returns the penalty for a fault of `offender` in the act with this number, given his earlier
/// faults. `position` is the one in which the opponent would have to mate, or `None` if none can be
/// judged.
pub fn penalty(
    rules: &Rules,
    game: (GameType, Supervision),
    record: &FaultRecord,
    (move_number, fault): (u32, Fault),
    offender: Color,
    position: Option<&Chess>,
) -> Penalty {
    let is_counted = match fault.weight(rules) {
        HandFault::Unsaid => return Penalty::NotAFault,
        HandFault::General => false,
        HandFault::Illegal => true,
        HandFault::IllegalOncePressed => fault != Fault::TwoHands { pressed: false },
    };
    if !is_counted {
        return Penalty::ArbiterChooses(rules.conduct.sanctions.clone());
    }
    if record.has_move(move_number) {
        return Penalty::CountedAlready;
    }
    let sanction = rules.illegal_move_sanction(game.0, game.1);
    let number = record.counted_with(rules.illegal_moves.counters, fault) + 1;
    if number < sanction.loses_at {
        return Penalty::OpponentGains {
            time: Duration::from_secs(60 * u64::from(sanction.minutes)),
            number,
        };
    }
    let lost = Termination::IllegalMoves(offender);
    let end = if sanction.any_series_draw {
        loss_or_draw(
            position,
            offender,
            lost,
            Termination::IllegalMovesDrawn(offender),
        )
    } else {
        LossOrDraw::Ended(lost)
    };
    Penalty::GameOver { end, number }
}

/// Returns whether an illegal move was noticed in time. One that was not noticed in time stands. In
/// rapid and blitz the players may then correct it only if both agree and the arbiter does not
/// intervene.
pub fn is_noticed_in_time(
    sanction: &IllegalMoveSanction,
    from: NoticedFrom,
    since: OpponentSince,
) -> bool {
    let by = match sanction.noticed_by {
        NoticedBy::Anybody | NoticedBy::ArbiterOrClaim => true,
        NoticedBy::ClaimOnly => from == NoticedFrom::Opponent,
    };
    let until = match sanction.noticed_until {
        NoticedUntil::EndOfGame => true,
        NoticedUntil::OpponentsNextMove => since < OpponentSince::Made,
        NoticedUntil::OpponentsTouch => since < OpponentSince::Touched,
    };
    by && until
}
