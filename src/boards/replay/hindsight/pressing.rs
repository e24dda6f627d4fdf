//! What presses of the clock tell about the game.

use shakmaty::Position as _;

use super::Hindsight;
use annexd_laws::moment::Moment;

impl Hindsight {
    /// The clock was pressed, so what is shown was meant, if it is a position at all. A player who
    /// presses after a move is playing, even if a flag has fallen and the clock is stopped.
    pub(in crate::replay) fn press(&mut self, now: Moment) {
        self.seek_two(now);
        if !self.is_explained {
            self.presses.press_for_nothing();
            return;
        }
        // The move pressed for is taken back, and the clock is pressed back.
        let is_back = |last: usize| last != self.tip && self.tree.is_ancestor(self.tip, last);
        let is_pressed_back = self.presses.is_open() || self.presses.last().is_some_and(is_back);
        let is_again = self.tree[self.tip].pressed;
        let is_odd = is_again && !is_pressed_back || self.is_beside_wrong_squares();
        self.presses.press_for(self.tip, is_again, is_odd);
        self.tree.press(self.tip);
        if let Some(stopped) = self.clock.stopped()
            && self.tree.is_ancestor(stopped, self.tip)
        {
            self.clock.play_on(self.tip);
        }
    }

    /// Whether squares are wrong for another reason than the next player having lifted his piece.
    fn is_beside_wrong_squares(&self) -> bool {
        let position = &self.tree[self.tip].position;
        self.readings.iter().any(|(square, reading)| {
            let stands = position.board().piece_at(square);
            let is_lifted = !reading.is_occupied()
                && stands.is_some_and(|piece| piece.color == position.turn());
            !is_lifted && !reading.fits(stands)
        })
    }
}
