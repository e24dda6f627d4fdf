//! A king's two squares from its first square are castling, however they are said or typed. They
//! are turned into castling before anything else reads them, so that game, scores and repetition
//! mean the same by them (D.2.1, C.13).

use shakmaty::Color;

use super::Game;
use super::act::Act;
use super::input::Input;
use super::position::as_castling;
use annexd_laws::notation::{Announcement, Heard, Said};

impl Game {
    /// The input with every such announcement turned into castling.
    pub(super) fn with_castling(&self, input: Input) -> Input {
        if !self.holds("D.2.1.g") {
            return input;
        }
        match input {
            Input::Act { person, act } => Input::Act {
                person,
                act: self.act_with_castling(act),
            },
            Input::Heard {
                origin,
                heard,
                begun,
                ended,
            } => Input::Heard {
                origin,
                heard: self.heard_with_castling(heard),
                begun,
                ended,
            },
            other => other,
        }
    }

    fn heard_with_castling(&self, heard: Heard) -> Heard {
        match heard {
            Heard::Clear(said) => Heard::Clear(self.said_with_castling(said)),
            Heard::Unclear(readings) => {
                let readings = readings.into_iter();
                Heard::Unclear(readings.map(|said| self.said_with_castling(said)).collect())
            }
        }
    }

    fn act_with_castling(&self, act: Act) -> Act {
        match act {
            Act::Announce(said) => Act::Announce(self.castling_of(said)),
            Act::Repeat(said) => Act::Repeat(self.castling_of(said)),
            Act::Correct(said) => Act::Correct(said.map(|said| self.castling_of(said))),
            Act::ClaimWithMove { ground, intended } => Act::ClaimWithMove {
                ground,
                intended: self.castling_of(intended),
            },
            Act::Seal(said) => Act::Seal(self.castling_of(said)),
            Act::RecallSealed(said) => Act::RecallSealed(self.castling_of(said)),
            other => other,
        }
    }

    fn said_with_castling(&self, said: Said) -> Said {
        match said {
            Said::Move(said) => Said::Move(self.castling_of(said)),
            Said::Correction(said) => Said::Correction(said.map(|said| self.castling_of(said))),
            other => other,
        }
    }

    /// Tries the current position and those before the last two moves, which may be repeated or
    /// said again.
    fn castling_of(&self, said: Announcement) -> Announcement {
        let before = self
            .course
            .plays()
            .iter()
            .rev()
            .take(2)
            .map(|play| &play.before);
        let mut boards = std::iter::once(self.course.position())
            .chain(before)
            .map(|position| position.board());
        let castling = boards.find_map(|board| {
            Color::ALL
                .into_iter()
                .find_map(|side| as_castling(&said, side, board))
        });
        castling.map_or(said, Announcement::Castling)
    }
}
