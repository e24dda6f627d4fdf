//! What goes wrong in the demonstration, and when.

use super::room::Dice;

/// One thing that goes wrong, or is asked, once in every demonstration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mishap {
    /// The player coughs before he announces.
    Cough,
    /// He says something that is no move.
    Remark,
    /// He announces another move and corrects it before the opponent's clock starts (D.2.8).
    Slip,
    /// The assistant rejects the announcement as it was read back, and it is said again.
    Rejection,
    /// The opponent repeats it wrongly (D.2.1).
    WrongRepetition,
    /// The player's key is pressed before anything was announced (D.2.4).
    EarlyPress,
    /// The player asks for the time (D.2.10.4).
    Time,
    /// He asks for the number of moves (D.2.10.4).
    Moves,
}

impl Mishap {
    /// All of them.
    pub(super) const ALL: [Self; 8] = [
        Self::Cough,
        Self::Remark,
        Self::Slip,
        Self::Rejection,
        Self::WrongRepetition,
        Self::EarlyPress,
        Self::Time,
        Self::Moves,
    ];

    /// What it is, for the summary.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Cough => "a cough was ignored",
            Self::Remark => "a remark that is no move was ignored",
            Self::Slip => "a slip of the tongue was corrected before the clock",
            Self::Rejection => "the assistant rejected an announcement and it was said again",
            Self::WrongRepetition => "a wrong repetition was caught",
            Self::EarlyPress => "the clock did not start before the move was announced",
            Self::Time => "the time was told on request",
            Self::Moves => "the number of moves was told on request",
        }
    }
}

/// The mishaps in an order that follows from the seed, spread over the player's moves: for each
/// move those that happen at it.
pub(super) fn plan(dice: &mut Dice, moves: usize) -> Vec<Vec<Mishap>> {
    let mut order = Mishap::ALL;
    for last in (1..order.len()).rev() {
        order.swap(last, dice.below(last + 1));
    }
    let mut planned = vec![Vec::new(); moves];
    if moves == 0 {
        return planned;
    }
    for (index, mishap) in order.into_iter().enumerate() {
        // Not at the last move, which may end the game before anything more is said.
        let spread = moves.saturating_sub(1).max(1);
        planned[index * spread / order.len()].push(mishap);
    }
    planned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mishap_happens_once_in_games_of_any_length() {
        for moves in 1..40 {
            for seed in 0..20 {
                let mut all: Vec<Mishap> = plan(&mut Dice::new(seed), moves).concat();
                all.sort_by_key(|mishap| mishap.name());
                let mut expected = Mishap::ALL;
                expected.sort_by_key(|mishap| mishap.name());
                assert_eq!(all, expected);
            }
        }
    }

    #[test]
    fn another_seed_gives_another_order() {
        assert_ne!(plan(&mut Dice::new(1), 17), plan(&mut Dice::new(2), 17));
    }
}
