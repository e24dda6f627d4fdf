//! What has to happen in the demonstration, and when.

use super::room::Dice;
use annexd::phrases::{Sentence, SentenceKey};

/// Something that the demonstration shows. It fails unless all of these go as they should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Check {
    /// The player coughs before he announces.
    Cough,
    /// The player says something that is no move.
    Remark,
    /// The player announces another move and corrects it before the opponent's clock starts
    /// (D.2.8).
    Slip,
    /// The assistant rejects the announcement as read back, and it is said again (D.2.10.2).
    Rejection,
    /// The opponent repeats it wrongly (D.2.1).
    WrongRepetition,
    /// The player's key is pressed before the move is announced, and again before it stands on his
    /// board (D.2.4).
    EarlyPress,
    /// The player asks for the time (D.2.10.4).
    Time,
    /// The player asks for the number of moves (D.2.10.4).
    Moves,
    /// Every announcement of the player was confirmed by the assistant (D.2.10.2).
    Confirmations,
    /// Every move was executed on the other board (D.2.1), the player's moves confirmed by the
    /// assistant (D.2.10.1).
    Executions,
    /// Each clock ran while its owner had to move, and the other was stopped.
    Clocks,
    /// The opponent's clock ran from the press of a move that was announced and placed, and
    /// never before (D.2.3).
    ClockStart,
}

impl Check {
    /// All of them.
    pub(crate) const ALL: [Self; 12] = [
        Self::Cough,
        Self::Remark,
        Self::Slip,
        Self::Rejection,
        Self::WrongRepetition,
        Self::EarlyPress,
        Self::Time,
        Self::Moves,
        Self::Confirmations,
        Self::Executions,
        Self::Clocks,
        Self::ClockStart,
    ];

    /// The checks that happen once in a game, at a planned move. The others apply all the time.
    pub(crate) const PLANNED: [Self; 8] = [
        Self::Cough,
        Self::Remark,
        Self::Slip,
        Self::Rejection,
        Self::WrongRepetition,
        Self::EarlyPress,
        Self::Time,
        Self::Moves,
    ];

    /// What the summary says of it.
    pub(crate) const fn sentence(self) -> Sentence {
        Sentence::new(match self {
            Self::Cough => SentenceKey::DemoCough,
            Self::Remark => SentenceKey::DemoRemark,
            Self::Slip => SentenceKey::DemoSlip,
            Self::Rejection => SentenceKey::DemoRejection,
            Self::WrongRepetition => SentenceKey::DemoWrongRepetition,
            Self::EarlyPress => SentenceKey::DemoEarlyPress,
            Self::Time => SentenceKey::DemoTime,
            Self::Moves => SentenceKey::DemoMoves,
            Self::Confirmations => SentenceKey::DemoConfirmations,
            Self::Executions => SentenceKey::DemoExecutions,
            Self::Clocks => SentenceKey::DemoClocks,
            Self::ClockStart => SentenceKey::DemoClockStart,
        })
    }
}

/// Spreads the planned checks over the player's moves, in an order that follows from the seed.
/// Returns the checks of each move.
pub(crate) fn plan(dice: &mut Dice, moves: usize) -> Vec<Vec<Check>> {
    let mut order = Check::PLANNED;
    for last in (1..order.len()).rev() {
        order.swap(last, dice.below(last + 1));
    }
    let mut planned = vec![Vec::new(); moves];
    if moves == 0 {
        return planned;
    }
    for (index, check) in order.into_iter().enumerate() {
        planned[index * moves / order.len()].push(check);
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_planned_happens_once_in_games_of_any_length() {
        for moves in 1..40 {
            for seed in 0..20 {
                let mut all: Vec<Check> = plan(&mut Dice::new(seed), moves).concat();
                all.sort();
                assert_eq!(all, Check::PLANNED);
            }
        }
    }

    #[test]
    fn another_seed_gives_another_order() {
        assert_ne!(plan(&mut Dice::new(1), 17), plan(&mut Dice::new(2), 17));
    }
}
