//! Rules that the program keeps by not doing something. With the rule switched off the program does
//! it, which shows that the rule's test games would notice.

use shakmaty::Position as _;

use super::Game;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Says what the switched-off rules forbid to say.
    pub(super) fn break_silence(&mut self) {
        if self.switched_off.is_empty() || !self.is_playing() {
            return;
        }
        let (turn, to_press) = (self.turn(), self.to_press());
        if !self.holds("X2")
            && self
                .course
                .last()
                .is_some_and(|play| play.legal == Some(false))
        {
            self.table(PhraseKey::IllegalInPractice, [self.article("7.5.1")]);
        }
        if !self.holds("X3") {
            self.tell(turn, PhraseKey::TimeLeftAsWished, []);
        }
        if !self.holds("3.9")
            && self
                .course
                .position()
                .chess()
                .is_some_and(|chess| chess.is_check())
        {
            self.table(PhraseKey::Checkmate, [Argument::Side(turn)]);
        }
        if !self.holds("12.6") && to_press != turn {
            self.tell(to_press, PhraseKey::NotYourTurn, []);
        }
    }
}
