//! A move on its way: a set of facts in any order, not a chain (D.2.3).

use shakmaty::{Color, Role, Square};

use super::draw::Offer;
use super::own_board::Touch;
use super::position::{Position, Step};
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Sides;
use std::time::Duration;

/// The move of the player who has the move, as far as it has come.
#[derive(Clone, Debug)]
pub(super) struct Moving {
    pub(super) side: Color,
    /// The announcement that stands.
    pub(super) words: Option<Words>,
    /// Announcements that the announcer took back, oldest first (D.2.8).
    pub(super) slips: Vec<Announcement>,
    /// What was heard and read back but never said, oldest first (D.2.10.2).
    pub(super) misheard: Vec<Announcement>,
    /// What is still asked of the announcer.
    pub(super) asked: Option<Asked>,
    /// Pieces touched with intent, in order (4.3, D.2.2).
    pub(super) touched: Vec<Touch>,
    /// Squares of pieces that bind the player besides: of an illegal move that this one replaces,
    /// or reported to the arbiter (7.5.1, D.2.10.5).
    pub(super) bound_by: Vec<Square>,
    /// The move a player has to play after a wrong claim (9.5.3).
    pub(super) must_play: Option<Announcement>,
    /// Whether "ich berichtige" was said and nothing has been placed elsewhere since (4.2.1).
    pub(super) adjusting: bool,
    /// Whether the player has said that the move stands on his board, which cannot tell.
    pub(super) placed_by_word: bool,
    /// Whether his pieces have come to rest on a board with sensors.
    pub(super) at_rest: bool,
    /// Whether his clock was pressed before the move was made.
    pub(super) pressed_early: bool,
    /// Whether the move was executed on the opponent's board (D.2.1).
    pub(super) executed: bool,
    /// Whether it was sealed: it is made when the envelope is opened, and stands on no board yet.
    pub(super) sealed: bool,
    /// Whose assistant announced it, if that was not the mover's own (D.2.10.2).
    pub(super) told_by: Option<Color>,
    /// Where a piece was released before, if that was a legal move (4.7).
    pub(super) released: Option<Released>,
    /// Whether the arbiter has seen both hands at it (7.7).
    pub(super) two_hands: bool,
    /// Whether a draw was offered with it.
    pub(super) offer: bool,
    /// The opponent's offer that was declined by touching a piece for it.
    pub(super) declined: Option<Offer>,
}

/// A piece that a hand has let go of on another square (4.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Released {
    pub(super) from: Square,
    pub(super) to: Square,
    /// The new piece of a promotion: its choice is final with that (4.4.4).
    pub(super) promotion: Option<Role>,
}

/// What is asked of the announcer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Origin,
    Promotion,
}

/// An announcement that stands.
#[derive(Clone, Debug)]
pub(super) struct Words {
    pub(super) said: Announcement,
    pub(super) repetition: Repetition,
    /// Whether somebody who may has confirmed that it was heard right (D.2.10.2).
    pub(super) is_confirmed: bool,
    /// The opponent's words when he repeated it last: what his score says (D.2.7).
    pub(super) repeated: Option<Announcement>,
    /// When the opponent is reminded of repeating it, if he still is.
    pub(super) remind_at: Option<Moment>,
    pub(super) reminders: u8,
}

/// The repetition of an announcement by the opponent (D.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    Awaited,
    Matched,
    Differs,
}

/// A move that was made.
#[derive(Clone, Debug)]
pub(super) struct Play {
    pub(super) moving: Moving,
    pub(super) step: Step,
    /// Whether it is legal; `None` where the position cannot be judged. For the arbiter only.
    pub(super) legal: Option<bool>,
    pub(super) before: Position,
    pub(super) made_at: Moment,
    /// When it was completed (6.2.1).
    pub(super) completed_at: Option<Moment>,
    /// Whether the player's clock was pressed for it.
    pub(super) pressed: bool,
    /// Whether that was asked for by key, and is still to be done on the chessclock that counts.
    pub(super) press_asked: bool,
    /// What the mover's own board showed where his piece went, if that was one of his.
    pub(super) stood: Option<Role>,
    /// Whether it is illegal, both players were asked about it, and it is not decided whether it
    /// stands.
    pub(super) is_unsettled: bool,
    /// The time left to both after it was completed.
    pub(super) left: Option<Sides<Duration>>,
}

impl Moving {
    pub(super) const fn new(side: Color) -> Self {
        Self {
            side,
            words: None,
            slips: Vec::new(),
            misheard: Vec::new(),
            asked: None,
            touched: Vec::new(),
            bound_by: Vec::new(),
            must_play: None,
            adjusting: false,
            placed_by_word: false,
            at_rest: false,
            pressed_early: false,
            executed: false,
            sealed: false,
            two_hands: false,
            released: None,
            told_by: None,
            offer: false,
            declined: None,
        }
    }

    /// The announcement, if it is complete in form.
    pub(super) fn complete_words(&self) -> Option<&Words> {
        self.words.as_ref().filter(|_| self.asked.is_none())
    }

    /// Takes the announcement back and keeps it among the slips.
    pub(super) fn void_words(&mut self) -> Option<Announcement> {
        let said = self.take_words()?;
        self.slips.push(said.clone());
        Some(said)
    }

    /// Takes away what was heard wrong and keeps it as that: it is no slip of the announcer.
    pub(super) fn void_misheard(&mut self) -> Option<Announcement> {
        let heard = self.take_words()?;
        self.misheard.push(heard.clone());
        Some(heard)
    }

    fn take_words(&mut self) -> Option<Announcement> {
        self.asked = None;
        self.words.take().map(|words| words.said)
    }
}

impl Words {
    /// An announcement that waits for its repetition.
    pub(super) fn new(said: Announcement, remind_at: Moment) -> Self {
        Self {
            said,
            repetition: Repetition::Awaited,
            is_confirmed: false,
            repeated: None,
            remind_at: Some(remind_at),
            reminders: 0,
        }
    }

    pub(super) fn is_awaiting_repetition(&self) -> bool {
        self.repetition != Repetition::Matched
    }
}

/// Whether a repetition says the same as the announcement, field by field (D.2.1). What is not
/// said in one of them is no difference, except the piece chosen for a promotion; "schlägt",
/// "Schach" and "matt" nobody has to say.
pub(super) fn repeats(announced: &Announcement, repeated: &Announcement) -> bool {
    match (announced, repeated) {
        (Announcement::Castling(announced), Announcement::Castling(repeated)) => {
            announced.side == repeated.side
        }
        (Announcement::Move(announced), Announcement::Move(repeated)) => {
            let pawn = Role::Pawn;
            let same_piece = match (announced.piece, repeated.piece) {
                (Some(one), Some(other)) => one == other,
                (Some(one), None) | (None, Some(one)) => {
                    one == pawn || announced.from.is_some() && repeated.from.is_some()
                }
                (None, None) => true,
            };
            let same_from = match (announced.from, repeated.from) {
                (Some(one), Some(other)) => one == other,
                _ => true,
            };
            same_piece
                && same_from
                && announced.to == repeated.to
                && announced.promotion == repeated.promotion
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingSide, Role, Square};

    use super::*;
    use annexd_laws::notation::MoveAnnouncement;

    #[test]
    fn a_repetition_is_compared_word_by_word() {
        let announced = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        let with = |change: fn(&mut MoveAnnouncement)| {
            let Announcement::Move(mut said) = announced.clone() else {
                unreachable!()
            };
            change(&mut said);
            Announcement::Move(said)
        };
        assert!(repeats(&announced, &with(|_| {})));
        assert!(repeats(&announced, &with(|said| said.from = None)));
        assert!(!repeats(&announced, &with(|said| said.to = Square::F4)));
        assert!(!repeats(
            &announced,
            &with(|said| said.from = Some(Square::G2))
        ));
        assert!(!repeats(
            &announced,
            &with(|said| said.piece = Some(Role::Bishop))
        ));
        assert!(repeats(&announced, &with(|said| said.capture = true)));
        assert!(!repeats(
            &announced,
            &with(|said| said.promotion = Some(Role::Queen))
        ));
        let castling = Announcement::of_castling(CastlingSide::KingSide);
        assert!(!repeats(&announced, &castling));
        assert!(!repeats(
            &castling,
            &Announcement::of_castling(CastlingSide::QueenSide)
        ));
    }
}
