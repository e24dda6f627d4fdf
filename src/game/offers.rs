//! Draw offers from the offer to its answer (9.1).

use shakmaty::Color;

use super::Game;
use super::draw::Offered;
use super::phase::Phase;
use annexd_laws as laws;
use annexd_laws::Termination;
use annexd_laws::moment::Moment;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Takes a draw offer. It should be made after making a move and before pressing the clock. At
    /// other times it is valid, but 11.5 has to be considered (9.1.2.1).
    pub(super) fn offer(&mut self, side: Color) {
        // After sealing, an offer is carried over to the resumption (E.4).
        let is_adjourning = matches!(self.phase, Phase::Sealing | Phase::Adjourned);
        let may = self.is_playing() || is_adjourning && self.holds("E.4");
        if !may {
            self.refuse(self.private(side), "9.1", PhraseKey::NotNow);
            return;
        }
        if let Some(clause) = self.agreement_is_barred(true) {
            self.refuse(self.private(side), clause, PhraseKey::OfferBarred);
            self.report(
                clause,
                PhraseKey::OfferedThoughBarred,
                [Argument::Side(side)],
            );
            return;
        }
        let is_proper = self
            .course
            .last()
            .is_some_and(|play| play.moving.side == side && !play.pressed);
        let with_the_move_underway =
            self.course.turn() == side && self.course.moving().complete_words().is_some();
        match self.draw.offer(side) {
            Offered::StandsAlready => return self.tell(side, PhraseKey::OfferStands, []),
            // Both have offered. That could count as agreement, but one of them has to accept in
            // words.
            Offered::OpponentsIsOpen => {
                return self.tell(side, PhraseKey::OfferOpen, [Argument::Side(!side)]);
            }
            // A player who offers again and again without an answering offer disturbs his opponent.
            // The arbiter is told (11.5).
            Offered::Now { disturbs: true } => {
                self.report("11.5", PhraseKey::OffersAgain, [Argument::Side(side)]);
            }
            Offered::Now { disturbs: false } => {}
        }
        if !is_proper && !with_the_move_underway && !is_adjourning {
            self.report(
                "9.1.2.1",
                PhraseKey::OfferedOutOfTime,
                [Argument::Side(side)],
            );
        }
        self.mark_offer(side);
        // The other's yes would be said to the offer.
        self.drop_own_wish(!side);
        if self.holds("9.1.2.1") {
            self.table(PhraseKey::DrawOffered, [Argument::Side(side)]);
        }
    }

    /// Counts a claim (9.1.2.3) or a request for five seconds (G.4) as an offer. An open offer by
    /// the opponent stays.
    pub(super) fn offer_by_claim(&mut self, side: Color) {
        if self.draw.offer_by_claim(side) {
            self.table(PhraseKey::IsAlsoOffer, []);
        }
    }

    /// A claim was denied. The offer it implied stays open until it is answered (9.1.2.1).
    pub(super) fn say_offer_still_open(&mut self) {
        if let Some(side) = self.draw.offered_by_claim_of()
            && self.holds("9.1.2.3")
        {
            self.table(PhraseKey::OfferStillOpen, [Argument::Side(side)]);
        }
    }

    /// Marks the move with (=) in both scores (8.1.5, 9.1.2.2).
    fn mark_offer(&mut self, side: Color) {
        if self.course.offer(side) && self.holds("8.1.5") {
            self.scores.mark_offer();
        }
    }

    /// Marks an offer that is accepted before the offerer has made its move beside the last move
    /// made.
    fn mark_unmoved_offer(&mut self) {
        if self.course.take_offer() && self.holds("8.1.5") {
            self.scores.mark_offer();
        }
    }

    /// The clause that forbids offering or agreeing a draw now, if one does: the event's
    /// restriction (9.1.1), or too few moves (5.2.3).
    fn agreement_is_barred(&self, is_offer: bool) -> Option<&'static str> {
        let moves = |side: Color| {
            let made = self
                .course
                .plays()
                .iter()
                .filter(|play| play.moving.side == side);
            u32::try_from(made.count()).unwrap_or(u32::MAX)
        };
        let made = laws::MovesMade {
            white: moves(Color::White),
            black: moves(Color::Black),
        };
        let agreement = self.profile.agreement;
        let barred = self.draw.barred(&self.rules, made, agreement, is_offer);
        barred.filter(|clause| self.holds(clause))
    }

    /// The offerer's opponent accepts.
    pub(super) fn accept(&mut self, now: Moment, side: Color) {
        if !self.draw.is_offered_to(side) {
            return self.tell(side, PhraseKey::NoOffer, []);
        }
        if let Some(clause) = self.agreement_is_barred(false) {
            self.refuse(self.private(side), clause, PhraseKey::OfferBarred);
            let arguments = [Argument::Side(side)];
            self.report(clause, PhraseKey::AcceptedThoughBarred, arguments);
            return;
        }
        if self.is_over_by_what_is_given_in_to(now, side) {
            return;
        }
        self.draw.answered_by(side);
        self.mark_unmoved_offer();
        self.table(PhraseKey::DrawAccepted, [Argument::Side(side)]);
        self.finish(now, Termination::Agreement);
    }

    /// The offerer's opponent declines by word.
    pub(super) fn decline(&mut self, side: Color) {
        match self.draw.answered_by(side) {
            Some(_) => self.table(PhraseKey::DrawDeclined, [Argument::Side(side)]),
            None => self.tell(side, PhraseKey::NoOffer, []),
        }
    }

    /// Declines by touching a piece with intent to move or capture it (9.1.2.1). Lifting pieces to
    /// execute the opponent's move is no such touch (trap 67).
    pub(super) fn decline_by_touching(&mut self, side: Color) {
        if let Some(declined) = self.draw.answered_by(side) {
            self.course.decline(declined);
            self.table(PhraseKey::DrawDeclined, [Argument::Side(side)]);
        }
    }

    /// Declines by making a move, where no board could tell that a piece was touched.
    pub(super) fn decline_by_moving(&mut self, side: Color) {
        self.decline_by_touching(side);
    }
}
