//! Whether a game that was found afterwards agrees with the presses of the clock.

use annexd_game::board::PlayedMove;
use annexd_laws::moment::Moment;

/// A press may come before the board reports its move, or only after the reply. Presses and moves
/// may be out of step for this many presses.
const ASTRAY_MAX: usize = 3;

/// How a game agrees with the presses of the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Agreement {
    /// The number of presses without a move, and of moves without a press.
    pub(super) faults: usize,
    /// The number of the first move that is unsure because of this.
    pub(super) unsure_from: Option<usize>,
}

impl Agreement {
    /// Compares moves with presses. Each press is for one move. Before the first move and after the
    /// last one the clock may be pressed for other reasons.
    pub(super) fn of(moves: &[PlayedMove], presses: &[Moment]) -> Self {
        let made = |press: &Moment| moves.iter().filter(|it| it.since <= *press).count();
        let counts: Vec<usize> = presses
            .iter()
            .map(made)
            .filter(|&count| count > 0)
            .collect();
        let Some((&first, others)) = counts.split_first() else {
            return Self::default();
        };
        let mut agreement = Self::default();
        let (mut due, mut before) = (first, first);
        // Since when, and for how many presses, the number of moves has differed from that of
        // presses.
        let mut astray: Option<(usize, usize)> = None;
        for &count in others {
            due += 1;
            agreement.faults += (count - before).abs_diff(1);
            astray = match astray {
                _ if count == due => None,
                None => Some((before, 1)),
                Some((since, presses)) => Some((since, presses + 1)),
            };
            let is_over = count == moves.len() && count < due;
            if let Some((since, presses)) = astray
                && presses > ASTRAY_MAX
                && !(is_over && since == count)
            {
                agreement.unsure_from.get_or_insert(since + 1);
            }
            before = count;
        }
        let left = moves.len() - before;
        if left > 1 {
            agreement.faults += left - 1;
            let since = astray.map_or(before, |(since, _)| since);
            agreement.unsure_from.get_or_insert(since + 1);
        }
        agreement
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    /// Moves (`m`) and presses (`p`) in the order in which they came.
    fn of(game: &str) -> Agreement {
        let (mut moves, mut presses) = (Vec::new(), Vec::new());
        for (at, what) in game.chars().enumerate() {
            let moment = Moment::from_ms(at as u64);
            if what == 'p' {
                presses.push(moment);
                continue;
            }
            moves.push(PlayedMove {
                ply: moves.len() + 1,
                side: Color::White,
                played: "e2e4".parse().unwrap(),
                since: moment,
            });
        }
        Agreement::of(&moves, &presses)
    }

    #[test]
    fn a_game_agrees_in_which_each_press_is_for_one_move() {
        for game in ["", "mpmpmp", "pmpmpm", "mpmpm", "mmm", "ppmpmp"] {
            assert_eq!(of(game), Agreement::default(), "{game}");
        }
        // A press before its move, one after the reply, and a clock that is tried out at the end.
        for game in ["mppmmpmp", "mpmmppmp", "mpmppppppp"] {
            assert_eq!(of(game).unsure_from, None, "{game}");
            assert!(of(game).faults > 0, "{game}");
        }
    }

    #[test]
    fn presses_for_nothing_and_moves_without_one_make_what_follows_unsure() {
        for (game, from) in [("mpmpppmpmpmpmp", 3), ("mpmmmpmpmpmpmp", 2), ("mpmpmmm", 3)] {
            assert_eq!(of(game).unsure_from, Some(from), "{game}");
        }
    }
}
