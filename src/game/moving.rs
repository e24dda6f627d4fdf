//! A move on its way: a set of facts in any order, not a chain (D.2.3).

use shakmaty::{Board, Color, Role, Square};

use super::draw::Offer;
use super::own_board::Touch;
use super::position::{Position, Step};
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Announcement, Castling, MoveAnnouncement};
use annexd_laws::persons::Sides;
use std::time::Duration;

/// After this time the opponent is reminded of repeating an announcement.
const REPETITION_PATIENCE: Duration = Duration::from_secs(12);
/// How often he is, before the arbiter is told.
const REMINDERS: u8 = 2;

/// The move of the player who has the move, as far as it has come.
///
/// Outside the course of play nobody has more than a look at it.
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
    /// Whose assistant announced it, if that was not the mover's own (D.2.10.2).
    pub(super) told_by: Option<Color>,
    pub(super) hands: Hands,
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
    /// Whether a draw was offered with it.
    pub(super) offer: bool,
    /// The opponent's offer that was declined by touching a piece for it.
    pub(super) declined: Option<Offer>,
}

/// What the mover's hands have done, and what binds him (4).
#[derive(Clone, Debug, Default)]
pub(super) struct Hands {
    /// Pieces touched with intent, in order (4.3, D.2.2).
    pub(super) touched: Vec<Touch>,
    /// Squares of pieces that bind the player besides: of an illegal move that this one replaces,
    /// or reported to the arbiter (7.5.1, D.2.10.5).
    pub(super) bound_by: Vec<Square>,
    /// The move a player has to play after a wrong claim (9.5.3).
    pub(super) must_play: Option<Announcement>,
    /// Whether "ich berichtige" was said and nothing has been placed elsewhere since (4.2.1).
    pub(super) adjusting: bool,
    /// Where a piece was released before, if that was a legal move (4.7).
    pub(super) released: Option<Released>,
    /// Whether the arbiter has seen both hands at it (7.7).
    pub(super) two_hands: bool,
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

/// An announcement that stands, and its repetition (D.2.1).
#[derive(Clone, Debug)]
pub(super) struct Words {
    said: Announcement,
    repetition: Repetition,
    /// Whether somebody who may has confirmed that it was heard right (D.2.10.2).
    is_confirmed: bool,
    /// The opponent's words when he repeated it last: what his score says (D.2.7).
    repeated: Option<Announcement>,
    /// When the opponent is reminded of repeating it, if he still is.
    remind_at: Option<Moment>,
    reminders: u8,
}

/// Who hears that a repetition is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reminder {
    Opponent,
    Arbiter,
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
            told_by: None,
            hands: Hands {
                touched: Vec::new(),
                bound_by: Vec::new(),
                must_play: None,
                adjusting: false,
                released: None,
                two_hands: false,
            },
            placed_by_word: false,
            at_rest: false,
            pressed_early: false,
            executed: false,
            sealed: false,
            offer: false,
            declined: None,
        }
    }

    /// The announcement, if it is complete in form.
    pub(super) fn complete_words(&self) -> Option<&Words> {
        self.words.as_ref().filter(|_| self.asked.is_none())
    }
}

impl Play {
    /// The words of the move: as announced, or as the board has shown it.
    pub(super) fn words(&self) -> Announcement {
        match &self.moving.words {
            Some(words) => words.said().clone(),
            None => self.announcement(),
        }
    }

    /// The long form of the move that a board has shown.
    pub(super) fn announcement(&self) -> Announcement {
        self.announcement_of(self.step)
    }

    /// The long form of a move from the same position.
    pub(super) fn announcement_of(&self, step: Step) -> Announcement {
        match step {
            Step::Castling(side) => Announcement::Castling(Castling { side, mark: None }),
            Step::Piece {
                from,
                to,
                promotion,
            } => Announcement::Move(MoveAnnouncement {
                piece: self.before.board().role_at(from),
                from: Some(from),
                to,
                capture: captures(self.before.board(), from, to),
                promotion,
                mark: None,
            }),
        }
    }
}

impl Words {
    /// An announcement that waits for its repetition.
    pub(super) fn new(said: Announcement, now: Moment) -> Self {
        Self {
            said,
            repetition: Repetition::Awaited,
            is_confirmed: false,
            repeated: None,
            remind_at: Some(now + REPETITION_PATIENCE),
            reminders: 0,
        }
    }

    /// What was said.
    pub(super) const fn said(&self) -> &Announcement {
        &self.said
    }

    /// Whether it was repeated.
    pub(super) const fn repetition(&self) -> Repetition {
        self.repetition
    }

    /// How it was repeated last, right or wrong.
    pub(super) const fn repeated(&self) -> Option<&Announcement> {
        self.repeated.as_ref()
    }

    /// Whether somebody who may has confirmed that it was heard right.
    pub(super) const fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    pub(super) fn is_awaiting_repetition(&self) -> bool {
        self.repetition != Repetition::Matched
    }

    /// Its repetition is waited for anew, from now on.
    pub(super) fn wait_again(&mut self, now: Moment) {
        self.repetition = Repetition::Awaited;
        self.remind_at = Some(now + REPETITION_PATIENCE);
    }

    /// The opponent repeats it. If his words differ the announcer has to say it again, unless it
    /// was confirmed: then the repetition alone is awaited again.
    pub(super) fn repeat(&mut self, now: Moment, said: &Announcement, is_matched: bool) {
        self.remind_at = None;
        self.repeated = Some(said.clone());
        if is_matched {
            self.repetition = Repetition::Matched;
        } else {
            self.wait_again(now);
            if !self.is_confirmed {
                self.repetition = Repetition::Differs;
            }
        }
    }

    /// Somebody who may confirms that it was heard right. Whether a repetition differs from it.
    pub(super) fn confirm(&mut self) -> bool {
        self.is_confirmed = true;
        self.repetition == Repetition::Differs
    }

    /// What was taken for a repetition was none. For the score it counts as said; whether there
    /// was one.
    pub(super) fn repeat_as_said(&mut self) -> bool {
        let was_repeated = self.repeated.is_some();
        self.repeated = was_repeated.then(|| self.said.clone());
        was_repeated
    }

    /// It is not repeated yet.
    pub(super) fn forget_repetition(&mut self) {
        self.repeated = None;
        self.repetition = Repetition::Awaited;
    }

    /// When somebody hears that the repetition is missing.
    pub(super) const fn remind_at(&self) -> Option<Moment> {
        self.remind_at
    }

    /// Who hears it now, if it is time: the opponent some times, and then the arbiter.
    pub(super) fn remind(&mut self, now: Moment) -> Option<Reminder> {
        self.remind_at.filter(|at| *at <= now)?;
        if self.reminders < REMINDERS {
            self.reminders += 1;
            self.remind_at = Some(now + REPETITION_PATIENCE);
            Some(Reminder::Opponent)
        } else {
            self.remind_at = None;
            Some(Reminder::Arbiter)
        }
    }

    /// It was heard to its end: from here on the repetition is waited for.
    pub(super) fn was_heard(&mut self, now: Moment) {
        self.rest_until(now + REPETITION_PATIENCE);
    }

    /// Nobody is reminded before this moment.
    pub(super) fn rest_until(&mut self, moment: Moment) {
        if let Some(at) = &mut self.remind_at {
            *at = (*at).max(moment);
        }
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

/// Whether a piece that goes from one square to the other captures, en passant included.
fn captures(before: &Board, from: Square, to: Square) -> bool {
    let pawn = before
        .piece_at(from)
        .filter(|piece| piece.role == Role::Pawn);
    let passed = Square::from_coords(to.file(), from.rank());
    before.piece_at(to).is_some()
        || pawn.is_some_and(|pawn| {
            from.rank() != to.rank() && before.piece_at(passed) == Some((!pawn.color).pawn())
        })
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingSide, Role, Square};

    use super::*;

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

    fn words() -> Words {
        let said = Announcement::of_move(Role::Knight, Square::G1, Square::F3);
        Words::new(said, Moment::START)
    }

    #[test]
    fn a_repetition_that_differs_asks_the_announcer_unless_his_words_are_confirmed() {
        let other = Announcement::of_move(Role::Knight, Square::G1, Square::H3);
        let mut words = words();
        words.repeat(Moment::START, &other, false);
        assert_eq!(words.repetition(), Repetition::Differs);
        assert!(words.confirm());
        words.repeat(Moment::START, &other, false);
        assert_eq!(words.repetition(), Repetition::Awaited);
        assert_eq!(words.repeated(), Some(&other));
        assert!(words.repeat_as_said());
        assert_eq!(words.repeated(), Some(words.said()));
        words.forget_repetition();
        assert!(!words.repeat_as_said() && words.repeated().is_none());
    }

    #[test]
    fn the_opponent_is_reminded_twice_and_then_the_arbiter_hears_it() {
        let mut words = words();
        let mut reminders = Vec::new();
        assert_eq!(words.remind(Moment::START), None);
        while let Some(at) = words.remind_at() {
            reminders.extend(words.remind(at));
        }
        let [opponent, arbiter] = [Reminder::Opponent, Reminder::Arbiter];
        assert_eq!(reminders, [opponent, opponent, arbiter]);
    }

    #[test]
    fn patience_begins_when_the_words_were_heard_and_never_shortens() {
        let mut words = words();
        let heard = Moment::START + REPETITION_PATIENCE;
        words.was_heard(heard);
        assert_eq!(words.remind_at(), Some(heard + REPETITION_PATIENCE));
        words.rest_until(heard);
        assert_eq!(words.remind_at(), Some(heard + REPETITION_PATIENCE));
        let said = words.said().clone();
        words.repeat(heard, &said, true);
        words.was_heard(heard);
        assert_eq!(words.remind_at(), None);
    }
}
