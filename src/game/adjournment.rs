//! Adjourning: the sealed move stays off every channel that is shared (Annex E).

use shakmaty::Color;

use super::Game;
use super::act::Envelope;
use super::effect::Priority;
use super::position::{Resolved, resolve};
use super::queries::Phase;
use crate::laws::{self, Opened, SealVerdict, Termination};
use crate::moment::Moment;
use crate::notation::Announcement;
use crate::persons::Channel;
use crate::phrases::{Argument, PhraseKey};

/// What is known of an adjournment.
#[derive(Clone, Debug, Default)]
pub(super) struct Adjournment {
    sealed: Option<Announcement>,
    outside: Option<Envelope>,
}

impl Game {
    /// The arbiter asks the player on move to seal (E.1.1).
    pub(super) fn adjourn(&mut self, _now: Moment) {
        if !self.profile.adjournment || !self.is_playing() {
            self.refuse(Channel::Arbiter, "E.1.1", PhraseKey::NotNow);
            return;
        }
        self.phase = Phase::Sealing;
        let side = self.position.turn();
        self.table(PhraseKey::SealAsked, [Argument::Side(side)]);
        self.tell_sealer(side, PhraseKey::SealNow);
    }

    pub(super) fn is_sealing(&self, side: Color) -> bool {
        self.phase == Phase::Sealing && self.position.turn() == side
    }

    /// Takes the move in private. It may be changed until the clock is stopped. Only its form is
    /// looked at: it must be unambiguous, legal or not (trap 102).
    pub(super) fn seal(&mut self, _now: Moment, side: Color, said: Announcement) {
        if !self.is_sealing(side) {
            self.refuse(self.private(side), "E.1.1", PhraseKey::NotNow);
            return;
        }
        match resolve(&said, side, self.position.board(), None) {
            Resolved::OriginUnsaid if self.holds("E.1.1") => {
                self.tell_sealer(side, PhraseKey::FromWhere);
            }
            Resolved::PromotionUnsaid(_) => self.tell_sealer(side, PhraseKey::WhichPiece),
            _ => {
                self.adjournment.sealed = Some(said.clone());
                let arguments = [Argument::Move(said)];
                self.say(
                    Channel::Ear(side),
                    PhraseKey::Sealed,
                    arguments,
                    Priority::Next,
                );
            }
        }
    }

    /// What concerns the sealed move is told to the sealer alone; without a private channel he
    /// writes it by hand.
    fn tell_sealer(&mut self, side: Color, key: PhraseKey) {
        self.say(Channel::Ear(side), key, [], Priority::Next);
    }

    /// The clock is stopped: from now on the move is sealed. The opponent's clock is not started.
    pub(super) fn sealed_and_stopped(&mut self, now: Moment, side: Color) {
        if self.adjournment.sealed.is_none() {
            self.tell_sealer(side, PhraseKey::SealNow);
            return;
        }
        self.stop_clock(now);
        self.phase = Phase::Adjourned;
        self.table(PhraseKey::Adjourned, []);
        self.describe_envelope(now, side);
    }

    /// What stands on the envelope (E.2); the move itself does not.
    fn describe_envelope(&mut self, now: Moment, side: Color) {
        let number = u32::try_from(self.plays.len() / 2 + 1).unwrap_or(u32::MAX);
        let arguments = [Argument::Side(side), Argument::Number(number)];
        self.report("E.2", PhraseKey::EnvelopeSealedBy, arguments);
        let setup = self.position.setup();
        let names = Color::ALL.map(|side| self.profile.sides[side].name.clone());
        self.report("E.2", PhraseKey::EnvelopeNames, names.map(Argument::Text));
        let placement = Argument::Text(setup.board.to_string());
        self.report("E.2", PhraseKey::EnvelopePosition, [placement]);
        if let Some(clock) = &self.clock {
            let used = Color::ALL.map(|side| Argument::Time(clock.used(side, now)));
            self.report("E.2", PhraseKey::EnvelopeTimes, used);
        }
        if let Some(offer) = self.offer {
            self.report("E.2", PhraseKey::OfferOpen, [Argument::Side(offer.by)]);
        }
        if let Some(outside) = self.adjournment.outside.clone() {
            let texts = [outside.resumption, outside.place].map(Argument::Text);
            self.report("E.2", PhraseKey::EnvelopeResumption, texts);
        }
    }

    pub(super) fn fill_envelope(&mut self, envelope: Envelope) {
        self.adjournment.outside = Some(envelope);
        self.report("D.2.10.6", PhraseKey::EnvelopeFilled, []);
    }

    /// The arbiter opens the envelope when the replier is there: the move is announced at the
    /// table and made, and the replier's clock starts (E.7, E.9.1).
    pub(super) fn open_envelope(&mut self, now: Moment, replier_present: bool) {
        if self.phase != Phase::Adjourned {
            self.nothing_to_decide();
            return;
        }
        if !replier_present && self.holds("E.7") {
            self.refuse(Channel::Arbiter, "E.7", PhraseKey::ReplierAbsent);
            return;
        }
        let Some(said) = self.adjournment.sealed.take() else {
            self.report("E.12", PhraseKey::EnvelopeMissing, []);
            return;
        };
        self.play_sealed(now, said);
    }

    fn play_sealed(&mut self, now: Moment, said: Announcement) {
        let side = self.position.turn();
        self.phase = Phase::Playing;
        self.read_back(&said);
        let (opened, step) = match resolve(&said, side, self.position.board(), None) {
            Resolved::Step(step) if self.position.legal(step).is_some() => {
                (Opened::Legal, Some(step))
            }
            Resolved::Step(_) => (Opened::Illegal, None),
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => (Opened::Ambiguous, None),
        };
        let verdict = laws::judge_seal(&self.rules, opened, None);
        if verdict == SealVerdict::SealerLoses && self.holds("E.8") {
            self.put_to_decision(now, Termination::FaultySeal(side), true);
            return;
        }
        let Some(step) = step else { return };
        self.moving.words = Some(super::moving::Words::new(said, now));
        self.moving.pressed_early = true;
        if let Some(clock) = &mut self.clock {
            clock.start(!side, now);
        }
        self.force_make(now, step);
    }

    /// The replier is not there: his clock is started, and the envelope stays closed (E.9.2).
    pub(super) fn resume(&mut self, now: Moment) {
        if self.phase != Phase::Adjourned {
            self.nothing_to_decide();
            return;
        }
        let replier = !self.position.turn();
        if let Some(clock) = &mut self.clock {
            clock.start(replier, now);
        }
        self.report(
            "E.9.2",
            PhraseKey::RepliersClockRuns,
            [Argument::Side(replier)],
        );
    }

    /// The envelope is missing and the sealer says what he sealed (E.12).
    pub(super) fn recall_sealed(&mut self, now: Moment, side: Color, said: Announcement) {
        let is_missing = self.phase == Phase::Adjourned
            && self.adjournment.sealed.is_none()
            && self.position.turn() == side;
        if is_missing {
            self.play_sealed(now, said);
        } else {
            self.refuse(self.private(side), "E.12", PhraseKey::NotNow);
        }
    }
}
