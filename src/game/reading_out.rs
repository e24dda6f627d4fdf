//! The board read out on request (11.3.1): outside rated play, or where the arbiter has allowed it.

use shakmaty::{ByRole, Color, Role, Square};

use super::Game;
use super::effect::Priority;
use super::profile::{Aid, Mode};
use annexd_laws::persons::Channel;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Tells a player alone what stands on a square, or on the whole board by the moves made:
    /// White first, from the king down.
    pub(super) fn read_board(&mut self, side: Color, square: Option<Square>) {
        if !self.may_use(Aid::Board) {
            self.refuse(self.private(side), "11.3.1", PhraseKey::BoardForbidden);
            return;
        }
        let channel = Channel::Ear(side);
        if !self.has_ear(side) {
            self.table(PhraseKey::AnsweredInPrivate, [Argument::Side(side)]);
        }
        if self.profile.mode == Mode::Rated {
            let whom = Argument::Side(side);
            self.report("11.3.1", PhraseKey::BoardReadAloud, [whom]);
        }
        match square {
            Some(square) => self.tell_square(channel, square),
            None => self.tell_board(channel),
        }
    }

    fn tell_square(&mut self, channel: Channel, square: Square) {
        let at = Argument::Square(square);
        match self.course.board().piece_at(square) {
            Some(piece) => {
                let what = Argument::Piece(Some(piece.role));
                let arguments = [at, what, Argument::Side(piece.color)];
                self.say(channel, PhraseKey::SquareHolds, arguments, Priority::Next);
            }
            None => self.say(channel, PhraseKey::SquareIsEmpty, [at], Priority::Next),
        }
    }

    fn tell_board(&mut self, channel: Channel) {
        let board = self.course.board().clone();
        for side in Color::ALL {
            let header = [Argument::Side(side)];
            self.say(channel, PhraseKey::BoardOf, header, Priority::Normal);
            let by_role: ByRole<_> = ByRole::new_with(|role| board.by_piece(role.of(side)));
            for role in Role::ALL.into_iter().rev() {
                for square in *by_role.get(role) {
                    let arguments = [Argument::Piece(Some(role)), Argument::Square(square)];
                    self.say(channel, PhraseKey::BoardHas, arguments, Priority::Normal);
                }
            }
        }
    }

    /// In rated play only what the arbiter has allowed; after the end nothing is a hint any more.
    fn may_use(&self, aid: Aid) -> bool {
        self.profile.mode != Mode::Rated
            || self.scores.is_over()
            || self.profile.aids.contains(&aid)
            || !self.holds("11.3.1")
    }

    /// The arbiter allows an aid or forbids it; both players hear it.
    pub(super) fn allow_aid(&mut self, aid: Aid, is_allowed: bool) {
        let key = if is_allowed {
            self.profile.aids.insert(aid);
            PhraseKey::BoardAllowed
        } else {
            self.profile.aids.remove(&aid);
            PhraseKey::BoardForbidden
        };
        let article = self.article("11.3.1");
        self.table(key, [article]);
    }
}
