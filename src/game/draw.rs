//! The open draw offer, the draw claim, and what was asked in a game without increment (9.1 to 9.5,
//! G.4, G.5).
//!
//! Only this file changes them. What is said about them is up to the game.

use shakmaty::Color;

use super::profile::Agreement;
use annexd_laws::notation::Announcement;
use annexd_laws::persons::Sides;
use annexd_laws::{ClaimVerdict, DrawClaim, EventLimit, MovesMade, Rules, may_agree, may_offer};

/// How many offers in a row by one player are tolerated.
const MOST_OFFERS: u32 = 2;

/// All that may lead to a draw.
#[derive(Clone, Debug, Default)]
pub(super) struct Draw {
    offer: Option<Offer>,
    /// How many offers in a row each player has made since the other's last one (11.5).
    offers_made: Sides<u32>,
    /// Whether the arbiter consents to a draw that the event restricts (9.1.1).
    is_allowed: bool,
    claim: Option<Claim>,
    upheld: Option<Claim>,
    /// The player whose request in a game without increment is not decided yet.
    quickplay_by: Option<Color>,
}

/// An open offer. It cannot be withdrawn: it ends by an answer, by the opponent's touch or move, or
/// with the position in which it was made (9.1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    by: Color,
    /// Whether a claim or request implied the offer (9.1.2.3, G.4).
    by_claim: bool,
}

/// The outcome of offering a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offered {
    /// The offer is open now.
    Now {
        /// Whether the player has offered too often (11.5).
        disturbs: bool,
    },
    /// The player's own earlier offer is still open.
    StandsAlready,
    /// The opponent's offer is open, and the player can accept it.
    OpponentsIsOpen,
}

/// A draw claim. It cannot be withdrawn (9.5.1).
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) side: Color,
    pub(super) claim: DrawClaim,
    /// `None` if only the arbiter can judge it.
    pub(super) verdict: Option<ClaimVerdict>,
    pub(super) intended: Option<Announcement>,
}

impl Draw {
    /// The side whose offer is open.
    pub(super) fn offered_by(&self) -> Option<Color> {
        self.offer.map(|offer| offer.by)
    }

    /// Whether this player may answer an offer.
    pub(super) fn is_offered_to(&self, side: Color) -> bool {
        self.offered_by() == Some(!side)
    }

    /// A player offers a draw.
    pub(super) fn offer(&mut self, side: Color) -> Offered {
        match self.offered_by() {
            Some(by) if by == side => return Offered::StandsAlready,
            Some(_) => return Offered::OpponentsIsOpen,
            None => {}
        }
        self.offers_made[!side] = 0;
        self.offers_made[side] += 1;
        let disturbs = self.offers_made[side] > MOST_OFFERS;
        self.offer = Some(Offer {
            by: side,
            by_claim: false,
        });
        Offered::Now { disturbs }
    }

    /// Counts a claim or request as an offer (9.1.2.3, G.4). An open offer stays as it is. Returns
    /// whether this is a new offer.
    pub(super) fn offer_by_claim(&mut self, side: Color) -> bool {
        let is_new = self.offer.is_none();
        self.offer.get_or_insert(Offer {
            by: side,
            by_claim: true,
        });
        is_new
    }

    /// The side whose open offer was implied by a claim.
    pub(super) fn offered_by_claim_of(&self) -> Option<Color> {
        self.offer
            .filter(|offer| offer.by_claim)
            .map(|offer| offer.by)
    }

    /// Takes the opponent's offer, because this player accepts or declines it, if only by a touch
    /// or a move. `None` if there is none that he could answer.
    pub(super) fn answered_by(&mut self, side: Color) -> Option<Offer> {
        self.offer.take_if(|offer| offer.by != side)
    }

    /// Reopens an offer whose declining touch did not count (4.2.2). Returns the side that made it.
    pub(super) const fn give_back(&mut self, offer: Offer) -> Color {
        self.offer = Some(offer);
        offer.by
    }

    /// The clause that forbids offering or agreeing a draw now, if one does: the event's
    /// restriction (9.1.1), or too few moves (5.2.3).
    pub(super) fn barred(
        &self,
        rules: &Rules,
        made: MovesMade,
        agreement: Agreement,
        is_offer: bool,
    ) -> Option<&'static str> {
        let event = match agreement {
            Agreement::Free => EventLimit::None,
            Agreement::AfterMoves(moves) => EventLimit::Before(moves),
            Agreement::Never => EventLimit::Never,
        };
        let may = match is_offer {
            true => may_offer(rules, made, event, self.is_allowed),
            false => may_agree(rules, made, event, self.is_allowed),
        };
        may.err().map(annexd_laws::NoAgreement::clause)
    }

    /// Notes that the arbiter consents to draws (9.1.1).
    pub(super) const fn allow(&mut self) {
        self.is_allowed = true;
    }

    /// The claim that waits for a decision.
    pub(super) const fn claim(&self) -> Option<&Claim> {
        self.claim.as_ref()
    }

    /// Takes a claim. An open claim stays, and the new one is ignored.
    pub(super) fn take_claim(&mut self, claim: Claim) {
        self.claim.get_or_insert(claim);
    }

    /// Takes the claim to be decided; an upheld claim is kept as the reason for the end of the
    /// game.
    pub(super) fn decide_claim(&mut self, is_upheld: bool) -> Option<Claim> {
        let claim = self.claim.take()?;
        if is_upheld {
            self.upheld = Some(claim.clone());
        }
        Some(claim)
    }

    /// The claim that was upheld.
    pub(super) const fn upheld(&self) -> Option<&Claim> {
        self.upheld.as_ref()
    }

    /// Forgets the upheld claim, because the result was struck out.
    pub(super) fn result_lifted(&mut self) {
        self.upheld = None;
    }

    /// The player who waits for a decision in a game without increment.
    pub(super) const fn quickplay_by(&self) -> Option<Color> {
        self.quickplay_by
    }

    /// Notes that a player asks for the five seconds, or claims that the opponent does not try to
    /// win.
    pub(super) const fn ask_quickplay(&mut self, side: Color) {
        self.quickplay_by = Some(side);
    }

    /// Notes that the request is decided, not only postponed.
    pub(super) const fn quickplay_decided(&mut self) {
        self.quickplay_by = None;
    }

    /// Drops offer and claim, because play goes back or the game is over. A request in a game
    /// without increment stays: it may be decided after the flag has fallen.
    pub(super) fn lapses(&mut self) {
        self.offer = None;
        self.claim = None;
    }

    /// Restores the offer that the scores show at the position play goes back to, or none (8.1.5).
    pub(super) fn goes_back_to(&mut self, offered_by: Option<Color>) {
        self.claim = None;
        self.offer = offered_by.map(|by| Offer {
            by,
            by_claim: false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};

    fn claim(side: Color) -> Claim {
        Claim {
            side,
            claim: DrawClaim::Repetition,
            verdict: None,
            intended: None,
        }
    }

    #[test]
    fn an_offer_stands_until_the_opponent_answers() {
        let mut draw = Draw::default();
        assert_eq!(draw.offer(White), Offered::Now { disturbs: false });
        assert_eq!(draw.offer(White), Offered::StandsAlready);
        assert_eq!(draw.offer(Black), Offered::OpponentsIsOpen);
        assert_eq!(draw.answered_by(White), None);
        assert!(draw.is_offered_to(Black) && !draw.is_offered_to(White));
        assert!(draw.answered_by(Black).is_some());
        assert_eq!(draw.offered_by(), None);
        assert_eq!(draw.answered_by(Black), None);
    }

    #[test]
    fn the_third_offer_in_a_row_disturbs() {
        let mut draw = Draw::default();
        let mut offers = |side: Color| {
            let offered = draw.offer(side);
            draw.answered_by(!side);
            offered == Offered::Now { disturbs: true }
        };
        assert_eq!([White; 4].map(&mut offers), [false, false, true, true]);
        assert!(!offers(Black));
        assert_eq!([White; 3].map(&mut offers), [false, false, true]);
    }

    #[test]
    fn what_a_touch_has_declined_comes_back_as_it_was() {
        let mut draw = Draw::default();
        assert!(draw.offer_by_claim(White));
        let declined = draw.answered_by(Black).unwrap();
        assert_eq!(draw.offered_by_claim_of(), None);
        assert_eq!(draw.give_back(declined), White);
        assert_eq!(draw.offered_by_claim_of(), Some(White));
    }

    #[test]
    fn a_claim_is_no_second_offer() {
        let mut draw = Draw::default();
        draw.offer(Black);
        assert!(!draw.offer_by_claim(White));
        assert_eq!(draw.offered_by(), Some(Black));
        assert_eq!(draw.offered_by_claim_of(), None);
    }

    #[test]
    fn a_claim_is_open_until_it_is_decided_and_the_first_one_counts() {
        let mut draw = Draw::default();
        draw.take_claim(claim(White));
        draw.take_claim(claim(Black));
        assert_eq!(draw.claim().map(|it| it.side), Some(White));
        assert!(draw.decide_claim(false).is_some());
        assert!(draw.upheld().is_none() && draw.claim().is_none());
        draw.take_claim(claim(White));
        draw.decide_claim(true);
        assert!(draw.upheld().is_some() && draw.claim().is_none());
        assert!(draw.decide_claim(true).is_none());
        draw.result_lifted();
        assert!(draw.upheld().is_none());
    }

    #[test]
    fn offer_and_claim_end_with_the_position_and_a_put_off_request_does_not() {
        let mut draw = Draw::default();
        draw.offer(White);
        draw.take_claim(claim(Black));
        draw.ask_quickplay(Black);
        draw.lapses();
        assert!(draw.offered_by().is_none() && draw.claim().is_none());
        assert_eq!(draw.quickplay_by(), Some(Black));
        draw.goes_back_to(Some(Black));
        assert_eq!(draw.offered_by(), Some(Black));
        draw.quickplay_decided();
        assert_eq!(draw.quickplay_by(), None);
    }
}
