//! What presses of the clock tell about the game.

use shakmaty::Position as _;

use super::Hindsight;
use annexd_laws::moment::Moment;

impl Hindsight {
    /// The clock was pressed, so what is shown was meant, if it is a position at all. A player who
    /// presses after a move is playing, even if a flag has fallen and the clock is stopped.
    pub fn press(&mut self, now: Moment) {
        self.seek_two(now);
        if !self.is_explained {
            self.odd_presses += 1;
            self.is_press_open = true;
            return;
        }
        // The move pressed for is taken back, and the clock is pressed back.
        let was_open = std::mem::take(&mut self.is_press_open);
        let is_back = |last: usize| last != self.tip && self.is_ancestor(self.tip, last);
        let is_pressed_back = was_open || self.last_pressed.is_some_and(is_back);
        let is_again = self.nodes[self.tip].pressed;
        let is_odd = is_again && !is_pressed_back || self.is_beside_wrong_squares();
        self.odd_presses += usize::from(is_odd);
        if is_again && was_open {
            self.odd_presses -= 1;
        }
        self.nodes[self.tip].pressed = true;
        self.last_pressed = Some(self.tip);
        if let Some(stopped) = self.stopped
            && self.is_ancestor(stopped, self.tip)
        {
            self.stopped = Some(self.tip);
            self.is_stopped_in_play = true;
        }
    }

    /// Whether squares are wrong for another reason than the next player having lifted his piece.
    fn is_beside_wrong_squares(&self) -> bool {
        let position = &self.nodes[self.tip].position;
        self.readings.iter().any(|(square, reading)| {
            let stands = position.board().piece_at(square);
            let is_lifted = !reading.is_occupied()
                && stands.is_some_and(|piece| piece.color == position.turn());
            !is_lifted && !reading.fits(stands)
        })
    }
}
