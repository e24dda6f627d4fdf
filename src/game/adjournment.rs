//! An adjournment: what lies in the envelope and stands on it, and the resumption (E).
//!
//! What is sealed is known here and to the sealer, and is given out when the envelope is opened.

use std::time::Duration;

use shakmaty::Color;

use super::act::Envelope;
use super::moving::Asked;
use annexd_laws::Present;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Sides;

/// What is known of an adjournment.
#[derive(Clone, Debug, Default)]
pub(super) struct Adjournment {
    envelope: InEnvelope,
    outside: Option<Envelope>,
    /// The rest of the session, if the player on move adjourns early (E.1.2).
    session_left: Option<Duration>,
    /// What the sealer has dictated of his move, and what of it he is still asked.
    asked: Option<(Asked, Announcement)>,
    resumption: Option<Resumption>,
    /// After the envelope was opened: the boards that a person says show the sealed move. The
    /// replier's clock waits for both (E.9.1).
    shows_sealed: Option<Sides<bool>>,
}

/// What is in the envelope.
#[derive(Clone, Debug, Default)]
enum InEnvelope {
    /// Nothing yet.
    #[default]
    Nothing,
    /// This move. It was never said to anybody but the sealer.
    Move(Announcement),
    /// A move that the record holds under lock and the game does not know.
    Locked,
    /// The envelope is missing (E.12).
    Missing {
        /// Whether the position is known.
        position_known: bool,
    },
}

/// A resumption on its way.
#[derive(Clone, Debug)]
pub(super) struct Resumption {
    pub(super) at: Moment,
    pub(super) present: Present,
    /// The moves made before it, the sealed one included once it is made.
    pub(super) plies: usize,
    /// Who has not come while the other one waits.
    pub(super) awaited: Option<Color>,
    /// Whether the arbiter was told that he has lost (E.10).
    pub(super) default_is_told: bool,
}

impl Resumption {
    /// These are there.
    pub(super) fn new(at: Moment, present: Present, sealer: Color, plies: usize) -> Self {
        let awaited = match present {
            Present::Sealer => Some(!sealer),
            Present::Replier => Some(sealer),
            Present::Both | Present::Nobody => None,
        };
        Self {
            at,
            present,
            plies,
            awaited,
            default_is_told: false,
        }
    }
}

impl Adjournment {
    /// A move is to be sealed, or what was sealed lapses: what stands on the envelope stays.
    pub(super) fn order(&mut self, session_left: Option<Duration>) {
        *self = Self {
            outside: self.outside.take(),
            session_left,
            ..Self::default()
        };
    }

    /// The rest of the session, to be booked once.
    pub(super) const fn take_session_left(&mut self) -> Option<Duration> {
        self.session_left.take()
    }

    /// The outside of the envelope is filled (E.2).
    pub(super) fn fill(&mut self, outside: Envelope) {
        self.outside = Some(outside);
    }

    /// What stands on the envelope besides what the game knows.
    pub(super) const fn outside(&self) -> Option<&Envelope> {
        self.outside.as_ref()
    }

    /// The sealer dictates anew: what he said before is forgotten.
    pub(super) fn dictate_anew(&mut self) {
        self.asked = None;
        self.empty();
    }

    /// Of what he has dictated this is asked.
    pub(super) fn ask(&mut self, asked: Asked, said: Announcement) {
        self.asked = Some((asked, said));
    }

    /// What the sealer is still asked.
    pub(super) fn asked(&self) -> Option<Asked> {
        self.asked.as_ref().map(|(asked, _)| *asked)
    }

    /// He answers: what he had dictated is taken, to be completed.
    pub(super) const fn take_asked(&mut self) -> Option<(Asked, Announcement)> {
        self.asked.take()
    }

    /// His move lies in the envelope.
    pub(super) fn enclose(&mut self, said: Announcement) {
        self.envelope = InEnvelope::Move(said);
    }

    /// What he says is under lock: whether it is a move.
    pub(super) fn lock(&mut self, is_sealed: bool) {
        self.envelope = match is_sealed {
            true => InEnvelope::Locked,
            false => InEnvelope::Nothing,
        };
    }

    /// Nothing lies in it any more.
    pub(super) fn empty(&mut self) {
        self.envelope = InEnvelope::Nothing;
    }

    /// Whether a move lies in it, known or under lock.
    pub(super) const fn has_sealed(&self) -> bool {
        matches!(self.envelope, InEnvelope::Move(_) | InEnvelope::Locked)
    }

    /// The move in it, if it is known.
    pub(super) const fn sealed(&self) -> Option<&Announcement> {
        match &self.envelope {
            InEnvelope::Move(said) => Some(said),
            _ => None,
        }
    }

    /// It is opened: the move comes out, if it is known.
    pub(super) fn open(&mut self) -> Option<Announcement> {
        let said = self.sealed().cloned()?;
        self.empty();
        Some(said)
    }

    /// The envelope is missing (E.12).
    pub(super) fn miss(&mut self, position_known: bool) {
        self.envelope = InEnvelope::Missing { position_known };
    }

    /// Whether the position is known, if the envelope is missing.
    pub(super) const fn is_missing(&self) -> Option<bool> {
        match self.envelope {
            InEnvelope::Missing { position_known } => Some(position_known),
            _ => None,
        }
    }

    /// The game is resumed.
    pub(super) const fn resume(&mut self, resumption: Resumption) {
        self.resumption = Some(resumption);
    }

    /// The resumption, if it has begun.
    pub(super) const fn resumption(&self) -> Option<&Resumption> {
        self.resumption.as_ref()
    }

    /// A player comes after the time of resumption: who is there now, and who is awaited.
    pub(super) fn comes(&mut self, side: Color, sealer: Color) {
        if let Some(resumption) = &mut self.resumption {
            (resumption.present, resumption.awaited) = match resumption.present {
                Present::Nobody if side == sealer => (Present::Sealer, Some(!side)),
                Present::Nobody => (Present::Replier, Some(!side)),
                _ => (Present::Both, None),
            };
        }
    }

    /// The default time is over, which is told once: who has not come.
    pub(super) fn tell_default(&mut self) -> Option<Color> {
        let resumption = self.resumption.as_mut()?;
        resumption.default_is_told = true;
        resumption.awaited
    }

    /// The opened move is announced, and is now made on the boards (E.9.1).
    pub(super) fn begin_making(&mut self) {
        self.shows_sealed = Some(Sides::default());
    }

    /// A person says that a board shows it; one board may be that of both.
    pub(super) fn show(&mut self, board: Color, is_one: bool) {
        if let Some(shows) = &mut self.shows_sealed {
            shows[board] = true;
            shows[!board] |= is_one;
        }
    }

    /// On which boards it stands by the word of a person, while it is being made.
    pub(super) const fn shows_sealed(&self) -> Option<Sides<bool>> {
        self.shows_sealed
    }

    /// It is made: play goes on.
    pub(super) const fn end_making(&mut self) {
        self.shows_sealed = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};
    use shakmaty::{Role, Square};

    fn knight() -> Announcement {
        Announcement::of_move(Role::Knight, Square::G1, Square::F3)
    }

    #[test]
    fn a_move_comes_out_of_the_envelope_once() {
        let mut adjournment = Adjournment::default();
        adjournment.enclose(knight());
        assert!(adjournment.has_sealed());
        assert_eq!(adjournment.open(), Some(knight()));
        assert!(!adjournment.has_sealed() && adjournment.open().is_none());
        adjournment.lock(true);
        assert_eq!(adjournment.open(), None);
        assert!(adjournment.has_sealed(), "what is under lock stays there");
    }

    #[test]
    fn dictating_anew_forgets_what_was_dictated() {
        let mut adjournment = Adjournment::default();
        adjournment.ask(Asked::Origin, knight());
        adjournment.dictate_anew();
        assert_eq!(adjournment.asked(), None);
        adjournment.enclose(knight());
        adjournment.dictate_anew();
        assert!(!adjournment.has_sealed());
    }

    #[test]
    fn a_new_order_keeps_the_outside_of_the_envelope_and_nothing_else() {
        let outside = Envelope {
            resumption: "tomorrow".to_owned(),
            place: "here".to_owned(),
        };
        let mut adjournment = Adjournment::default();
        adjournment.fill(outside.clone());
        adjournment.miss(true);
        assert_eq!(adjournment.is_missing(), Some(true));
        let rest = Duration::from_secs(60);
        adjournment.order(Some(rest));
        assert_eq!(adjournment.outside(), Some(&outside));
        assert_eq!(adjournment.is_missing(), None);
        assert_eq!(adjournment.take_session_left(), Some(rest));
        assert_eq!(adjournment.take_session_left(), None);
    }

    #[test]
    fn whoever_comes_first_waits_for_the_other() {
        let mut adjournment = Adjournment::default();
        let at = Moment::START;
        adjournment.resume(Resumption::new(at, Present::Nobody, White, 1));
        adjournment.comes(Black, White);
        let awaited = |it: &Adjournment| it.resumption().and_then(|it| it.awaited);
        assert_eq!(awaited(&adjournment), Some(White));
        assert_eq!(adjournment.tell_default(), Some(White));
        adjournment.comes(White, White);
        assert_eq!(awaited(&adjournment), None);
        assert!(
            adjournment
                .resumption()
                .is_some_and(|it| it.present == Present::Both)
        );
    }

    #[test]
    fn both_boards_show_the_sealed_move_or_one_does_for_both() {
        let mut adjournment = Adjournment::default();
        adjournment.show(White, true);
        assert_eq!(adjournment.shows_sealed(), None, "none is being made");
        adjournment.begin_making();
        adjournment.show(White, false);
        assert!(
            adjournment
                .shows_sealed()
                .is_some_and(|it| it.white && !it.black)
        );
        adjournment.show(White, true);
        assert!(
            adjournment
                .shows_sealed()
                .is_some_and(|it| it.white && it.black)
        );
        adjournment.end_making();
        assert_eq!(adjournment.shows_sealed(), None);
    }
}
