//! Another game that may have begun while the followed one is not recognised.

use super::hindsight::Hindsight;
use annexd_game::board::Readings;
use annexd_laws::moment::Moment;

/// After this many changes that lead to no known position, another game may have begun.
const LOST_MIN: u32 = 10;
/// With this many moves in a row, it has.
const ANOTHER_GAME_MIN: usize = 4;

/// Counts what the followed game does not explain, and looks for a game that does.
#[derive(Default)]
pub(super) struct Another {
    /// The number of changes in a row that have led to no known position.
    unexplained: u32,
    game: Option<Hindsight>,
}

impl Another {
    /// The number of changes in a row that have led to no known position.
    pub(super) const fn unexplained(&self) -> u32 {
        self.unexplained
    }

    /// Takes what the board shows and the followed game does not explain. Returns another game once
    /// it has begun; that is looked for only if `seeks`.
    pub(super) fn look(
        &mut self,
        readings: &Readings,
        now: Moment,
        seeks: bool,
    ) -> Option<Hindsight> {
        self.unexplained += 1;
        if self.unexplained < LOST_MIN || !seeks {
            return None;
        }
        let Some(game) = &mut self.game else {
            self.game = Hindsight::from_placement(readings, now);
            return None;
        };
        game.see(readings, now);
        if game.is_explained() && game.plies() >= ANOTHER_GAME_MIN {
            self.unexplained = 0;
            return self.game.take();
        }
        if !game.is_explained() && game.plies() == 0
            || game.is_still_set_up(readings)
            || game.is_lost()
        {
            self.game = Hindsight::from_placement(readings, now);
        }
        None
    }
}
