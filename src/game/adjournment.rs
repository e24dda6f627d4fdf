//! An adjournment: the contents and the outside of the envelope, and the resumption (E).
//!
//! Only the sealer and this value know the sealed move until the envelope is opened.

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
    /// The question still open about the move that the sealer has dictated, and that move.
    asked: Option<(Asked, Announcement)>,
    resumption: Option<Resumption>,
    /// While the opened move is being made: the boards on which a person says it stands. The
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
    /// A move that the record holds encrypted and the game does not know.
    Locked,
    /// The envelope is missing (E.12).
    Missing {
        /// Whether the position at the adjournment is known.
        position_known: bool,
    },
}

/// A resumption that has begun.
#[derive(Clone, Debug)]
pub(super) struct Resumption {
    pub(super) at: Moment,
    pub(super) present: Present,
    /// The number of moves made before it. It includes the sealed one once that is made.
    pub(super) plies: usize,
    /// The player who has not come yet while his opponent waits.
    pub(super) awaited: Option<Color>,
    /// Whether the arbiter was told that the awaited player has lost by default (E.10).
    pub(super) default_is_told: bool,
}

impl Resumption {
    /// A resumption at which these players are present.
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
    /// Starts a sealing, or lets a sealed move lapse. The outside of the envelope is kept.
    pub(super) fn order(&mut self, session_left: Option<Duration>) {
        *self = Self {
            outside: self.outside.take(),
            session_left,
            ..Self::default()
        };
    }

    /// Takes the rest of the session, so that it is booked once only.
    pub(super) const fn take_session_left(&mut self) -> Option<Duration> {
        self.session_left.take()
    }

    /// Fills in the outside of the envelope (E.2).
    pub(super) fn fill(&mut self, outside: Envelope) {
        self.outside = Some(outside);
    }

    /// The outside of the envelope, as far as the game does not know it itself.
    pub(super) const fn outside(&self) -> Option<&Envelope> {
        self.outside.as_ref()
    }

    /// The sealer dictates anew: his earlier words are forgotten.
    pub(super) fn dictate_anew(&mut self) {
        self.asked = None;
        self.empty();
    }

    /// Notes what is asked about the move that was dictated.
    pub(super) fn ask(&mut self, asked: Asked, said: Announcement) {
        self.asked = Some((asked, said));
    }

    /// The question that the sealer has yet to answer.
    pub(super) fn asked(&self) -> Option<Asked> {
        self.asked.as_ref().map(|(asked, _)| *asked)
    }

    /// Takes the open question and the dictated move, to be completed by the answer.
    pub(super) const fn take_asked(&mut self) -> Option<(Asked, Announcement)> {
        self.asked.take()
    }

    /// Puts the sealer's move into the envelope.
    pub(super) fn enclose(&mut self, said: Announcement) {
        self.envelope = InEnvelope::Move(said);
    }

    /// Notes that the record holds the sealer's words encrypted, and whether they are a move.
    pub(super) fn lock(&mut self, is_sealed: bool) {
        self.envelope = match is_sealed {
            true => InEnvelope::Locked,
            false => InEnvelope::Nothing,
        };
    }

    /// Empties the envelope.
    pub(super) fn empty(&mut self) {
        self.envelope = InEnvelope::Nothing;
    }

    /// Whether a move is in the envelope, known or encrypted.
    pub(super) const fn has_sealed(&self) -> bool {
        matches!(self.envelope, InEnvelope::Move(_) | InEnvelope::Locked)
    }

    /// The move in the envelope, if the game knows it.
    pub(super) const fn sealed(&self) -> Option<&Announcement> {
        match &self.envelope {
            InEnvelope::Move(said) => Some(said),
            _ => None,
        }
    }

    /// Opens the envelope and returns the move, if the game knows it.
    pub(super) fn open(&mut self) -> Option<Announcement> {
        let said = self.sealed().cloned()?;
        self.empty();
        Some(said)
    }

    /// Notes that the envelope is missing (E.12).
    pub(super) fn note_envelope_missing(&mut self, position_known: bool) {
        self.envelope = InEnvelope::Missing { position_known };
    }

    /// If the envelope is missing: whether the position is known.
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

    /// A player comes after the time of resumption. Updates who is present and who is awaited.
    pub(super) fn record_arrival(&mut self, side: Color, sealer: Color) {
        if let Some(resumption) = &mut self.resumption {
            (resumption.present, resumption.awaited) = match resumption.present {
                Present::Nobody if side == sealer => (Present::Sealer, Some(!side)),
                Present::Nobody => (Present::Replier, Some(!side)),
                _ => (Present::Both, None),
            };
        }
    }

    /// Notes that the default time is over and was told. Returns the player who has not come.
    pub(super) fn tell_default(&mut self) -> Option<Color> {
        let resumption = self.resumption.as_mut()?;
        resumption.default_is_told = true;
        resumption.awaited
    }

    /// The opened move is announced, and has now to be made on the boards (E.9.1).
    pub(super) fn begin_making(&mut self) {
        self.shows_sealed = Some(Sides::default());
    }

    /// A person says that a board shows the opened move. `is_single_board` means one board for
    /// both players.
    pub(super) fn show(&mut self, board: Color, is_single_board: bool) {
        if let Some(shows) = &mut self.shows_sealed {
            shows[board] = true;
            shows[!board] |= is_single_board;
        }
    }

    /// The boards on which a person says the opened move stands, while it is being made.
    pub(super) const fn shows_sealed(&self) -> Option<Sides<bool>> {
        self.shows_sealed
    }

    /// The opened move is made: play goes on.
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
        adjournment.note_envelope_missing(true);
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
        adjournment.record_arrival(Black, White);
        let awaited = |it: &Adjournment| it.resumption().and_then(|it| it.awaited);
        assert_eq!(awaited(&adjournment), Some(White));
        assert_eq!(adjournment.tell_default(), Some(White));
        adjournment.record_arrival(White, White);
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
