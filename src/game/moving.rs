//! A move being made: a set of facts in any order, not a chain (D.2.3).

use shakmaty::{Board, Color, Role, Square};

use super::draw::Offer;
use super::own_board::Touch;
use super::position::{Position, Step};
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Announcement, Castling, MoveAnnouncement};
use annexd_laws::persons::Sides;
use std::time::Duration;

/// How long until the opponent is reminded to repeat an announcement.
const REPETITION_PATIENCE: Duration = Duration::from_secs(12);
/// How often he is reminded before the arbiter is told.
const REMINDERS: u8 = 2;

/// The move of the player having the move, as far as it has come.
///
/// Only `course.rs` changes it.
#[derive(Clone, Debug)]
pub(super) struct Moving {
    pub(super) side: Color,
    /// The standing announcement.
    pub(super) words: Option<Words>,
    /// Announcements that the announcer took back, oldest first (D.2.8).
    pub(super) slips: Vec<Announcement>,
    /// Words that were misheard and read back, oldest first (D.2.10.2).
    pub(super) misheard: Vec<Announcement>,
    /// What the announcer is still asked.
    pub(super) asked: Option<Asked>,
    /// The side whose assistant announced it, if not the mover's own (D.2.10.2).
    pub(super) told_by: Option<Color>,
    pub(super) hands: Hands,
    /// Whether the player has said that the move stands on his board without sensors.
    pub(super) placed_by_word: bool,
    /// Whether the mover's pieces have come to rest on a board with sensors.
    pub(super) at_rest: bool,
    /// Whether the mover's clock was pressed before the move was made.
    pub(super) pressed_early: bool,
    /// Whether the move was executed on the opponent's board (D.2.1).
    pub(super) executed: bool,
    /// Whether it was sealed. A sealed move is made when the envelope is opened.
    pub(super) sealed: bool,
    /// Whether a draw was offered with it.
    pub(super) offer: bool,
    /// The opponent's offer that was declined by touching a piece for this move.
    pub(super) declined: Option<Offer>,
}

/// What the mover's hands have done, and which pieces bind him (4).
#[derive(Clone, Debug, Default)]
pub(super) struct Hands {
    /// Pieces touched with intent, in order (4.3, D.2.2).
    pub(super) touched: Vec<Touch>,
    /// Squares of further pieces that bind the player: of an illegal move that this one replaces,
    /// or reported to the arbiter (7.5.1, D.2.10.5).
    pub(super) bound_by: Vec<Square>,
    /// The move a player has to play after a wrong claim (9.5.3).
    pub(super) must_play: Option<Announcement>,
    /// Whether "ich berichtige" was said and nothing has been placed elsewhere since (4.2.1).
    pub(super) adjusting: bool,
    /// A piece released earlier, if that was a legal move (4.7).
    pub(super) released: Option<Released>,
    /// Whether the arbiter has seen both hands used for it (7.7).
    pub(super) two_hands: bool,
}

/// A piece that the player has released on another square (4.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Released {
    pub(super) from: Square,
    pub(super) to: Square,
    /// The new piece of a promotion: releasing it makes the choice final (4.4.4).
    pub(super) promotion: Option<Role>,
}

/// A question to the announcer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    Origin,
    Promotion,
}

/// A standing announcement and its repetition (D.2.1).
#[derive(Clone, Debug)]
pub(super) struct Words {
    said: Announcement,
    repetition: Repetition,
    /// Whether somebody entitled to has confirmed that it was heard right (D.2.10.2).
    is_confirmed: bool,
    /// The opponent's latest repetition, which his score records (D.2.7).
    repeated: Option<Announcement>,
    /// When the opponent is reminded to repeat it, if he still is.
    remind_at: Option<Moment>,
    reminders: u8,
}

/// Who is told that a repetition is missing.
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
    /// Whether the press was requested by key and has yet to be done on the chessclock that counts.
    pub(super) press_asked: bool,
    /// The mover's own piece that his board showed on the target square, if any.
    pub(super) stood: Option<Role>,
    /// The time left to both players after it was completed.
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

    /// The announcement, if nothing is asked about it.
    pub(super) fn complete_words(&self) -> Option<&Words> {
        self.words.as_ref().filter(|_| self.asked.is_none())
    }
}

impl Play {
    /// The words of the move: as announced, or else as the board has shown it.
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

    /// The announcement.
    pub(super) const fn said(&self) -> &Announcement {
        &self.said
    }

    /// The state of its repetition.
    pub(super) const fn repetition(&self) -> Repetition {
        self.repetition
    }

    /// The latest repetition, right or wrong.
    pub(super) const fn repeated(&self) -> Option<&Announcement> {
        self.repeated.as_ref()
    }

    /// Whether somebody entitled to has confirmed that it was heard right.
    pub(super) const fn is_confirmed(&self) -> bool {
        self.is_confirmed
    }

    pub(super) fn is_awaiting_repetition(&self) -> bool {
        self.repetition != Repetition::Matched
    }

    /// Starts waiting for its repetition anew.
    pub(super) fn wait_again(&mut self, now: Moment) {
        self.repetition = Repetition::Awaited;
        self.remind_at = Some(now + REPETITION_PATIENCE);
    }

    /// Takes the opponent's repetition. If it differs, the announcer has to say his move again; but
    /// if the announcement was confirmed, only the repetition is awaited again.
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

    /// Notes that somebody entitled to confirms that it was heard right. Returns whether a
    /// repetition differs from it.
    pub(super) fn confirm(&mut self) -> bool {
        self.is_confirmed = true;
        self.repetition == Repetition::Differs
    }

    /// Words taken for a repetition were none. For the score the move counts as repeated correctly.
    /// Returns whether there was a repetition.
    pub(super) fn repeat_as_said(&mut self) -> bool {
        let was_repeated = self.repeated.is_some();
        self.repeated = was_repeated.then(|| self.said.clone());
        was_repeated
    }

    /// Forgets the repetition: it is awaited again.
    pub(super) fn forget_repetition(&mut self) {
        self.repeated = None;
        self.repetition = Repetition::Awaited;
    }

    /// When the next reminder of the missing repetition is due.
    pub(super) const fn remind_at(&self) -> Option<Moment> {
        self.remind_at
    }

    /// Who is to be reminded now, if it is time: the opponent at first, then the arbiter.
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

    /// It was heard to its end: the wait for its repetition starts here.
    pub(super) fn was_heard(&mut self, now: Moment) {
        self.rest_until(now + REPETITION_PATIENCE);
    }

    /// Puts reminders off until this moment.
    pub(super) fn rest_until(&mut self, moment: Moment) {
        if let Some(at) = &mut self.remind_at {
            *at = (*at).max(moment);
        }
    }
}

/// Whether a repetition says the same as the announcement, field by field (D.2.1). A field left out
/// in one of them is no difference, except the promotion piece. "Schlägt", "Schach" and "matt" need
/// not be said.
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

/// Whether a move from one square to another captures, en passant included.
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
