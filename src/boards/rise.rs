//! More pieces than a game began with: its position was still being set up, or a piece was seen on
//! its new square before it had left the old one.

use annexd_game::board::{Reading, Readings};

/// After this many moves it is a game, and an extra piece is believed only with a second one.
const EARLY_PLIES_MAX: usize = 3;

/// The readings since there were more pieces than at the beginning.
#[derive(Clone, Debug, Default)]
pub(super) struct Rise {
    seen: Vec<Readings>,
    /// The extra piece.
    arrived: Reading,
    was_more: bool,
}

impl Rise {
    /// Takes the current readings. If the position was still being set up, returns everything read
    /// since it was complete.
    pub(super) fn take(
        &mut self,
        before: &Readings,
        readings: &Readings,
        is_more: bool,
        plies: usize,
    ) -> Option<Vec<Readings>> {
        let was_more = std::mem::replace(&mut self.was_more, is_more);
        if self.seen.is_empty() {
            if is_more {
                self.arrived = changed_to(before, readings);
                self.seen.push(*readings);
            }
            return None;
        }
        if is_more && was_more {
            self.seen.clear();
            return Some(vec![*readings]);
        }
        self.seen.push(*readings);
        // The next change shows it: a piece that leaves its old square is the same piece.
        let left = changed_to(readings, before);
        let is_another = self.seen.len() == 2
            && left.is_occupied()
            && left != self.arrived
            && plies <= EARLY_PLIES_MAX;
        (is_more || is_another).then(|| std::mem::take(&mut self.seen))
    }

    /// The board shows a position of the game.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }
}

/// The piece on a square where something else was read before, if there is one.
fn changed_to(before: &Readings, after: &Readings) -> Reading {
    let mut changed = after
        .iter()
        .filter(|&(square, reading)| reading.is_occupied() && reading != before.at(square));
    changed
        .next()
        .map(|(_, reading)| reading)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Board;

    fn readings(placement: &str) -> Readings {
        Readings::of(&placement.parse::<Board>().unwrap())
    }

    /// The number of the placement with which a game begins, after these placements in order. The
    /// first is the one that the game began with.
    fn begun(placements: &[&str], plies: usize) -> Option<usize> {
        let all: Vec<Readings> = placements.iter().map(|it| readings(it)).collect();
        let count = |of: &Readings| of.iter().filter(|(_, it)| it.is_occupied()).count();
        let mut rise = Rise::default();
        all.windows(2).find_map(|pair| {
            let is_more = count(&pair[1]) > count(&all[0]);
            let found = rise.take(&pair[0], &pair[1], is_more, plies);
            found.map(|found| found.len())
        })
    }

    #[test]
    fn pieces_that_come_one_after_the_other_set_a_position_up() {
        let placements = [
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/4P3/4K3",
            "4k3/8/8/8/8/8/4PP2/4K3",
        ];
        assert_eq!(begun(&placements, 0), Some(1));
    }

    #[test]
    fn the_same_piece_leaving_its_old_square_sets_nothing_up() {
        let slid = [
            "4k3/8/8/8/8/8/4P3/4K3",
            "4k3/8/8/8/4P3/8/4P3/4K3",
            "4k3/8/8/8/4P3/8/8/4K3",
            "8/8/8/8/4P3/8/8/4K3",
        ];
        assert_eq!(begun(&slid, 0), None);
    }

    #[test]
    fn another_piece_that_moves_then_is_the_first_move_but_not_late_in_a_game() {
        let placements = [
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/4P3/4K3",
            "8/8/8/8/8/8/4P3/4K3",
        ];
        assert_eq!(begun(&placements, 0), Some(2));
        assert_eq!(begun(&placements, 20), None);
    }
}
