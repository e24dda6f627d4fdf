//! Every way in which a game can end, with its article (Articles 5, 6, 7, 9 and 11).

use serde::{Deserialize, Serialize};
use serde_with::{DisplayFromStr, serde_as};
use shakmaty::{Chess, Color, Position};

use super::any_series::{Answer, Effort, can_mate_with_effort, is_dead};
use super::result::GameResult;
use super::rules::Rules;

/// Why a game has ended.
#[serde_as]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// This side has checkmated (5.1.1).
    Checkmate(#[serde_as(as = "DisplayFromStr")] Color),
    /// This side has resigned (5.1.2).
    Resignation(#[serde_as(as = "DisplayFromStr")] Color),
    /// This side has resigned, but the opponent could not have mated (5.1.2 of 2023).
    ResignationDrawn(#[serde_as(as = "DisplayFromStr")] Color),
    /// The side to move has no legal move and is not in check (5.2.1).
    Stalemate,
    /// Neither side can mate by any series of legal moves (5.2.2).
    DeadPosition,
    /// Both players have agreed to a draw (5.2.3).
    Agreement,
    /// The flag of this side has fallen (6.9).
    FlagFall(#[serde_as(as = "DisplayFromStr")] Color),
    /// The flag of this side has fallen, but the opponent could not have mated (6.9).
    FlagFallDrawn(#[serde_as(as = "DisplayFromStr")] Color),
    /// Both flags have fallen in the last period, and nobody knows which first (G.3).
    BothFlags,
    /// This side made the last illegal move, or like fault, that it was allowed (7.5.3).
    IllegalMoves(#[serde_as(as = "DisplayFromStr")] Color),
    /// This side made the last illegal move, or like fault, but the opponent could not have mated.
    IllegalMovesDrawn(#[serde_as(as = "DisplayFromStr")] Color),
    /// An illegal position still stood after the next move in unsupervised rapid or blitz (A.4.4).
    IllegalPosition,
    /// A correct claim of the third appearance (9.2).
    Threefold,
    /// A correct claim of fifty moves (9.3).
    FiftyMoves,
    /// The fifth appearance (9.6.1).
    Fivefold,
    /// Seventy-five moves by each (9.6.2).
    SeventyFiveMoves,
    /// The opponent cannot or does not try to win by normal means (G.5).
    NormalMeans,
    /// This side arrived later than the default time (6.7.1).
    Default(#[serde_as(as = "DisplayFromStr")] Color),
    /// Both sides arrived too late.
    BothDefault,
    /// This side had a device that was not approved (11.3.2).
    Device(#[serde_as(as = "DisplayFromStr")] Color),
    /// This side had an unapproved device, but the opponent could not have mated (2009).
    DeviceDrawn(#[serde_as(as = "DisplayFromStr")] Color),
    /// The arbiter declared the game lost for this side (11.7, 12.9).
    Declared(#[serde_as(as = "DisplayFromStr")] Color),
    /// Both sides were found guilty (11.8).
    BothGuilty,
    /// This side sealed a move that is ambiguous or illegal (E.8).
    FaultySeal(#[serde_as(as = "DisplayFromStr")] Color),
    /// The initial position was wrong, or the colours were reversed (7.2.1, 7.3).
    Annulled,
}

impl Termination {
    /// The clause of the catalogue that this end rests on. [`Rules::article`] turns it into the
    /// number of an edition.
    pub const fn clause(self) -> &'static str {
        match self {
            Self::Checkmate(_) => "5.1.1",
            Self::Resignation(_) | Self::ResignationDrawn(_) => "5.1.2",
            Self::Stalemate => "5.2.1",
            Self::DeadPosition => "5.2.2",
            Self::Agreement => "5.2.3",
            Self::FlagFall(_) | Self::FlagFallDrawn(_) => "6.9",
            Self::BothFlags => "G.3",
            Self::IllegalMoves(_) | Self::IllegalMovesDrawn(_) => "7.5.3",
            Self::IllegalPosition => "A.4.4",
            Self::Threefold => "9.2",
            Self::FiftyMoves => "9.3",
            Self::Fivefold => "9.6.1",
            Self::SeventyFiveMoves => "9.6.2",
            Self::NormalMeans => "G.5",
            Self::Default(_) | Self::BothDefault => "6.7.1",
            Self::Device(_) | Self::DeviceDrawn(_) => "11.3.2",
            Self::Declared(_) => "12.9",
            Self::BothGuilty => "11.8",
            Self::FaultySeal(_) => "E.8",
            Self::Annulled => "7.2.1",
        }
    }

    /// The result that follows. `None` if the game was annulled. After [`Self::Declared`] the
    /// arbiter may give other points.
    pub const fn result(self) -> Option<GameResult> {
        Some(match self {
            Self::Checkmate(winner) => GameResult::Won(winner),
            Self::Resignation(loser)
            | Self::FlagFall(loser)
            | Self::IllegalMoves(loser)
            | Self::Default(loser)
            | Self::Device(loser)
            | Self::Declared(loser)
            | Self::FaultySeal(loser) => GameResult::Won(other(loser)),
            Self::ResignationDrawn(_)
            | Self::FlagFallDrawn(_)
            | Self::IllegalMovesDrawn(_)
            | Self::DeviceDrawn(_)
            | Self::Stalemate
            | Self::DeadPosition
            | Self::Agreement
            | Self::BothFlags
            | Self::IllegalPosition
            | Self::Threefold
            | Self::FiftyMoves
            | Self::Fivefold
            | Self::SeventyFiveMoves
            | Self::NormalMeans => GameResult::Draw,
            Self::BothDefault | Self::BothGuilty => GameResult::BothLost,
            Self::Annulled => return None,
        })
    }
}

/// Returns what ends the game at once in this position, if anything does: mate, stalemate, a dead
/// position.
///
/// It is called after every move. So a position with a queen, many pieces and a choice of moves is
/// not tested for being dead; [`is_dead`] tests any position.
pub fn immediate_end(position: &Chess) -> ImmediateEnd {
    if let Some(ended) = ended_by_the_move(position) {
        return ImmediateEnd::Ended(ended);
    }
    if !may_be_seen_to_be_dead(position) {
        return ImmediateEnd::GoesOn;
    }
    match is_dead(position) {
        Answer::Yes => ImmediateEnd::Ended(Termination::DeadPosition),
        Answer::No | Answer::Unknown => ImmediateEnd::GoesOn,
    }
}

/// Returns mate or stalemate (5.1.1, 5.2.1).
fn ended_by_the_move(position: &Chess) -> Option<Termination> {
    if position.is_checkmate() {
        Some(Termination::Checkmate(position.turn().other()))
    } else {
        position.is_stalemate().then_some(Termination::Stalemate)
    }
}

fn may_be_seen_to_be_dead(position: &Chess) -> bool {
    let board = position.board();
    board.queens().is_empty() || board.occupied().count() <= 8 || position.legal_moves().len() <= 3
}

/// The result of [`immediate_end`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImmediateEnd {
    /// The game is over.
    Ended(Termination),
    /// The game continues. If a position is dead but nobody has proved it, the arbiter decides.
    GoesOn,
}

/// The consequence of a loss that is a draw if the opponent cannot mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossOrDraw {
    /// This is the end of the game.
    Ended(Termination),
    /// It is not proved whether the opponent can mate. The arbiter decides between these two.
    ArbiterDecides {
        /// If he can.
        if_mate_is_possible: Termination,
        /// If he cannot.
        if_not: Termination,
    },
}

/// Returns the end of the game when a side resigns: lost, or in 2023 drawn if the opponent cannot
/// mate by any series of legal moves. `position` is `None` for a placement that is not a position.
pub fn resignation(rules: &Rules, position: Option<&Chess>, side: Color) -> LossOrDraw {
    if rules.draws.resignation_draws_if_no_mate {
        loss_or_draw(
            position,
            side,
            Termination::Resignation(side),
            Termination::ResignationDrawn(side),
        )
    } else {
        LossOrDraw::Ended(Termination::Resignation(side))
    }
}

/// Returns a loss, or a draw if the opponent of `loser` cannot mate by any series of legal moves. A
/// position that is mate or stalemate keeps that end, because the game had ended with it.
pub(super) fn loss_or_draw(
    position: Option<&Chess>,
    loser: Color,
    lost: Termination,
    drawn: Termination,
) -> LossOrDraw {
    if let Some(ended) = position.and_then(ended_by_the_move) {
        return LossOrDraw::Ended(ended);
    }
    let answer = position.map_or(Answer::Unknown, |position| {
        can_mate_with_effort(position, loser.other(), Effort::DECISION)
    });
    match answer {
        Answer::Yes => LossOrDraw::Ended(lost),
        Answer::No => LossOrDraw::Ended(drawn),
        Answer::Unknown => LossOrDraw::ArbiterDecides {
            if_mate_is_possible: lost,
            if_not: drawn,
        },
    }
}

const fn other(side: Color) -> Color {
    match side {
        Color::White => Color::Black,
        Color::Black => Color::White,
    }
}
