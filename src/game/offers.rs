//! Draw offers and their whole life (9.1).

use shakmaty::Color;

use super::Game;
use super::profile::Agreement;
use crate::laws::Termination;
use crate::moment::Moment;
use crate::phrases::{Argument, PhraseKey};

/// An offer that is open. It cannot be withdrawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    pub(super) by: Color,
    /// Whether it is the offer that lies in a claim (9.1.2.3); nothing was said of it.
    pub(super) by_claim: bool,
}

impl Game {
    /// A player offers a draw: properly after making his move and before stopping his clock; at
    /// other times it is valid, but 11.5 has to be considered (9.1.2.1).
    pub(super) fn offer(&mut self, side: Color) {
        if !self.is_playing() {
            self.refuse(self.private(side), "9.1", PhraseKey::NotNow);
            return;
        }
        if let Some(clause) = self.agreement_is_barred() {
            self.refuse(self.private(side), clause, PhraseKey::OfferBarred);
            self.report(
                clause,
                PhraseKey::OfferedThoughBarred,
                [Argument::Side(side)],
            );
            return;
        }
        if self.offer.is_some_and(|offer| offer.by == side) {
            self.tell(side, PhraseKey::OfferStands, []);
            return;
        }
        if self.offer.is_some() {
            // Both have offered: that is an agreement as good as any, but it has to be said.
            self.tell(side, PhraseKey::OfferOpen, [Argument::Side(!side)]);
            return;
        }
        let is_proper = self
            .plays
            .last()
            .is_some_and(|play| play.moving.side == side && !play.pressed);
        let with_the_move_underway =
            self.position.turn() == side && self.moving.complete_words().is_some();
        if !is_proper && !with_the_move_underway {
            self.report(
                "9.1.2.1",
                PhraseKey::OfferedOutOfTime,
                [Argument::Side(side)],
            );
        }
        self.offer = Some(Offer {
            by: side,
            by_claim: false,
        });
        self.mark_offer(side);
        if self.holds("9.1.2.1") {
            self.table(PhraseKey::DrawOffered, [Argument::Side(side)]);
        }
    }

    /// Both scores get (=) beside the move (8.1.5, 9.1.2.2).
    fn mark_offer(&mut self, side: Color) {
        if self.position.turn() == side && self.moving.words.is_some() {
            self.moving.offer = true;
        } else if let Some(play) = self.plays.last_mut() {
            play.moving.offer = true;
            if self.holds("8.1.5") {
                for keeper in Color::ALL {
                    let _ = self.scores[keeper].mark_offer();
                }
            }
        }
    }

    /// Why no draw may be agreed now, if so: the event's restriction (9.1.1), or not enough
    /// moves (5.2.3).
    fn agreement_is_barred(&self) -> Option<&'static str> {
        let moves = |side: Color| {
            let made = self.plays.iter().filter(|play| play.moving.side == side);
            made.count()
        };
        let fewest = moves(Color::White).min(moves(Color::Black));
        let needed = self.rules.draws.agreement_needs_moves as usize;
        if fewest < needed && self.holds("5.2.3") {
            return Some("5.2.3");
        }
        let is_restricted = match self.profile.agreement {
            Agreement::Free => false,
            Agreement::AfterMoves(moves) => fewest < moves as usize,
            Agreement::Never => true,
        };
        (is_restricted && self.holds("9.1.1")).then_some("9.1.1")
    }

    /// The opponent of the offerer accepts.
    pub(super) fn accept(&mut self, now: Moment, side: Color) {
        match self.offer {
            Some(offer) if offer.by != side => {
                self.offer = None;
                self.table(PhraseKey::DrawAccepted, [Argument::Side(side)]);
                self.finish(now, Termination::Agreement);
            }
            _ => self.tell(side, PhraseKey::NoOffer, []),
        }
    }

    /// He declines by word.
    pub(super) fn decline(&mut self, side: Color) {
        match self.offer {
            Some(offer) if offer.by != side => {
                self.offer = None;
                self.table(PhraseKey::DrawDeclined, [Argument::Side(side)]);
            }
            _ => self.tell(side, PhraseKey::NoOffer, []),
        }
    }

    /// He declines by touching a piece with intent to move or capture it (9.1.2.1). Lifting
    /// pieces to execute the opponent's move is no such touch (trap 67).
    pub(super) fn decline_by_touching(&mut self, side: Color) {
        if self.offer.is_some_and(|offer| offer.by != side) {
            self.offer = None;
            self.table(PhraseKey::DrawDeclined, [Argument::Side(side)]);
        }
    }

    /// He declines by making his move, where no board could tell that he touched a piece.
    pub(super) fn decline_by_moving(&mut self, side: Color) {
        self.decline_by_touching(side);
    }
}
