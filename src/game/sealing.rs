//! Sealing a move, which never appears on a shared channel (E.1 to E.4).

use std::time::Duration;

use shakmaty::{Color, Role, Square};

use super::Game;
use super::act::{Act, Envelope};
use super::effect::Priority;
use super::input::Input;
use super::moving::Asked;
use super::phase::Phase;
use super::position::{Resolved, resolve};
use super::profile::Sensors;
use annexd_laws::Present;
use annexd_laws::moment::Moment;
use annexd_laws::notation::{Announcement, Heard, Said};
use annexd_laws::persons::{Channel, Person};
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// The arbiter asks the player having the move to seal it (E.1.1). `session_left` is the rest
    /// of the session, if the player wishes to adjourn early (E.1.2).
    pub(super) fn adjourn(&mut self, session_left: Option<Duration>) {
        let side = self.course.turn();
        if self.phase == Phase::Sealing {
            self.tell_sealer(side, PhraseKey::SealNow, None);
            return;
        }
        // A claim is decided before sealing, because its move may have to be played.
        if !self.profile.adjournment || !self.is_playing() || self.draw.claim().is_some() {
            self.refuse(Channel::Arbiter, "E.1.1", PhraseKey::NotNow);
            return;
        }
        self.adjournment.order(session_left);
        self.phase = Phase::Sealing;
        // Until 2009 the end of the session is announced like its start (E.14).
        if self.rules.adjournment.announce_end && session_left.is_none() {
            self.table(PhraseKey::SessionOver, []);
        }
        self.table(PhraseKey::SealAsked, [Argument::Side(side)]);
        self.tell_sealer(side, PhraseKey::SealNow, None);
    }

    /// Play goes back to another position, or one is set. The sealed move no longer belongs to it,
    /// and the arbiter has to order sealing anew. Nobody learns what it was, nor what the sealer
    /// tried on his board.
    pub(super) fn seal_lapses(&mut self) {
        if !self.is_adjourning() || !self.holds("E.1.1") {
            return;
        }
        let side = self.course.turn();
        self.phase = Phase::Stopped;
        self.boards.set(side, self.course.board().clone());
        self.adjournment.order(None);
        self.report("E.1.1", PhraseKey::SealLapsed, [Argument::Side(side)]);
    }

    /// Whether a player may seal his reply because the sealer has not come (E.9.3).
    fn may_seal_reply(&self, side: Color) -> bool {
        let is_alone = self
            .adjournment
            .resumption()
            .is_some_and(|resumption| resumption.present == Present::Replier);
        is_alone
            && (self.is_playing() || self.is_making_sealed())
            && self.course.turn() == side
            && self.holds("E.9.3")
    }

    /// Whether an input tells what is to be sealed, so that the shell has to encrypt it. That is
    /// everything the sealer says, types or shows on his board between the arbiter's order and the
    /// stop of his clock.
    pub fn is_secret(&self, input: &Input) -> bool {
        let turn = self.course.turn();
        let is_sealing = self.phase == Phase::Sealing;
        match input {
            Input::Act {
                act: Act::Seal(_), ..
            } => is_sealing || self.may_seal_reply(turn),
            Input::Act {
                act: Act::Announce(_) | Act::Repeat(_) | Act::Correct(_),
                ..
            } => is_sealing,
            Input::Heard { heard, .. } => is_sealing && names_something(heard),
            Input::Board { board, .. } => is_sealing && *board == turn,
            _ => false,
        }
    }

    /// Whether a sealed move is in the envelope.
    pub const fn has_sealed(&self) -> bool {
        self.adjournment.has_sealed()
    }

    /// The number of the last utterance.
    pub const fn utterances(&self) -> u32 {
        self.speech.utterances()
    }

    /// Takes a step of sealing whose words are encrypted and unknown here.
    pub(super) fn locked(&mut self, utterances: u32, is_sealed: bool) {
        self.speech.skip_to(utterances);
        if self.may_seal_reply(self.course.turn()) {
            self.phase = Phase::Sealing;
        }
        self.adjournment.lock(is_sealed);
    }

    /// Takes the move in private from the player, or as one of the formalities from his assistant
    /// (D.2.10.6). It may be changed until the clock is stopped. Only its form is checked: it must
    /// be unambiguous, legal or not (trap 102).
    pub(super) fn seal(&mut self, person: Person, side: Color, said: Announcement) {
        if self.may_seal_reply(side) {
            // A player who seals his reply has made the sealed move.
            self.restart(self.response.now(), None);
            self.phase = Phase::Sealing;
            self.adjournment.empty();
        }
        if matches!(person, Person::Assistant(own) if own != side) && self.holds("D.2.10.6") {
            self.refuse(self.channel_of(person), "D.2.10.6", PhraseKey::NotYours);
            return;
        }
        if !self.is_sealing(side) {
            self.refuse(self.channel_of(person), "E.1.1", PhraseKey::NotNow);
            return;
        }
        // Earlier dictation is replaced, whatever becomes of this (E.1.1).
        self.adjournment.dictate_anew();
        if self.is_malformed(&said) {
            self.tell_sealer(side, PhraseKey::SayAgain, Some(person));
            return;
        }
        match resolve(&said, side, self.course.board(), None) {
            Resolved::OriginUnsaid if self.holds("E.1.1") => {
                self.adjournment.ask(Asked::Origin, said);
                self.tell_sealer(side, PhraseKey::FromWhere, Some(person));
            }
            Resolved::PromotionUnsaid(_) => {
                self.adjournment.ask(Asked::Promotion, said);
                self.tell_sealer(side, PhraseKey::WhichPiece, Some(person));
            }
            _ => {
                self.adjournment.enclose(said.clone());
                for channel in sealers_channels(side, Some(person)) {
                    let arguments = [Argument::Move(said.clone())];
                    self.say(channel, PhraseKey::Sealed, arguments, Priority::Next);
                }
            }
        }
    }

    /// "Korrektur" takes a dictated move out of the envelope while it is open.
    pub(super) fn unseal(&mut self, side: Color) {
        self.adjournment.dictate_anew();
        self.tell_sealer(side, PhraseKey::AnnounceAgain, None);
    }

    /// The question that the sealer has yet to answer.
    pub(super) fn asked_of_sealer(&self) -> Option<Asked> {
        self.adjournment.asked()
    }

    /// Takes the sealer's answer to "from where?", as private as the question.
    pub(super) fn seal_origin(&mut self, person: Person, side: Color, from: Square) {
        if let Some((Asked::Origin, Announcement::Move(mut said))) = self.adjournment.take_asked() {
            said.from = Some(from);
            self.seal(person, side, Announcement::Move(said));
        }
    }

    /// Takes the sealer's answer to "which piece?".
    pub(super) fn seal_promotion(&mut self, person: Person, side: Color, role: Role) {
        if let Some((Asked::Promotion, Announcement::Move(mut said))) =
            self.adjournment.take_asked()
        {
            said.promotion = Some(role);
            self.seal(person, side, Announcement::Move(said));
        }
    }

    /// Tells something about the sealed move to the sealer alone, and to his assistant if he wrote
    /// it. A player without a private channel seals by hand.
    fn tell_sealer(&mut self, side: Color, key: PhraseKey, writer: Option<Person>) {
        for channel in sealers_channels(side, writer) {
            self.say(channel, key, [], Priority::Next);
        }
    }

    /// The clock is stopped, which seals the move. The opponent's clock is started only by a player
    /// who seals a reply to an absent one (E.1.1, E.9.3).
    pub(super) fn sealed_and_stopped(&mut self, now: Moment, side: Color) {
        if !self.has_sealed() {
            self.tell_sealer(side, PhraseKey::SealNow, None);
            return;
        }
        let is_reply = self.adjournment.resumption().is_some();
        self.compare_with_the_sealed(side);
        self.stop_clock(now);
        self.phase = Phase::Adjourned;
        if is_reply {
            self.clocks.start(!side, now);
            self.table(PhraseKey::ReplySealed, [Argument::Side(side)]);
        } else {
            self.table(PhraseKey::Adjourned, []);
            self.book_session(now, side);
        }
        self.describe_envelope(now, side);
    }

    /// A move made on the board after the order to seal is the one to be sealed. If the envelope
    /// holds another, the arbiter is told that they differ, but not which it is (E.1.1).
    fn compare_with_the_sealed(&mut self, side: Color) {
        let shown = self.boards.placement(side);
        let (Some(said), true) = (
            self.adjournment.sealed(),
            self.sensors(side) != Sensors::None && shown != self.course.board(),
        ) else {
            return;
        };
        // A move of the opponent that he has yet to execute is not his own.
        let before = self.course.last().map(|play| play.before.board());
        if self.owes_execution(side) && before == Some(shown) && self.holds("D.2.1.c") {
            return;
        }
        let is_it = match resolve(said, side, self.course.board(), None) {
            Resolved::Step(step) => {
                let after = match self.course.position().legal(step) {
                    Some(legal) => self.course.position().played(legal),
                    None => self.course.position().stepped(step),
                };
                match self.sensors(side) {
                    Sensors::Occupancy => after.board().occupied() == shown.occupied(),
                    _ => after.board() == shown,
                }
            }
            Resolved::OriginUnsaid | Resolved::PromotionUnsaid(_) => false,
        };
        if !is_it {
            self.report("E.1.1", PhraseKey::SealedOtherwise, [Argument::Side(side)]);
        }
    }

    /// Treats a player who adjourns early as if he had sealed at the end of the session (E.1.2).
    fn book_session(&mut self, now: Moment, side: Color) {
        let Some(rest) = self.adjournment.take_session_left() else {
            return;
        };
        let left = self.clocks.chessclock().map(|clock| clock.left(side, now));
        if let Some(left) = left.filter(|_| self.holds("E.1.2")) {
            self.set_clock(now, side, left.saturating_sub(rest));
            self.clocks.add_used(side, rest.min(left));
            let arguments = [Argument::Side(side), Argument::Time(rest)];
            self.report("E.1.2", PhraseKey::TimeBooked, arguments);
        }
    }

    /// Reports what is written on the envelope (E.2), without the move itself.
    fn describe_envelope(&mut self, now: Moment, side: Color) {
        let setup = self.course.position().setup();
        let arguments = [
            Argument::Side(side),
            Argument::Number(setup.fullmoves.get()),
        ];
        self.report("E.2", PhraseKey::EnvelopeSealedBy, arguments);
        let names = Color::ALL.map(|side| self.profile.sides[side].name.clone());
        self.report("E.2", PhraseKey::EnvelopeNames, names.map(Argument::Text));
        let placement = Argument::Text(setup.board.to_string());
        self.report("E.2", PhraseKey::EnvelopePosition, [placement]);
        if let Some(clock) = self.clocks.chessclock() {
            let used = Color::ALL.map(|side| Argument::Time(clock.used(side, now)));
            self.report("E.2", PhraseKey::EnvelopeTimes, used);
        }
        match self.draw.offered_by() {
            Some(by) => {
                self.report("E.2", PhraseKey::EnvelopeOffer, [Argument::Side(by)]);
            }
            None => self.report("E.2", PhraseKey::EnvelopeNoOffer, []),
        }
        match self.adjournment.outside().cloned() {
            Some(outside) => {
                let texts = [outside.resumption, outside.place].map(Argument::Text);
                self.report("E.2", PhraseKey::EnvelopeResumption, texts);
            }
            None => self.report("E.2", PhraseKey::EnvelopeLacks, []),
        }
    }

    pub(super) fn fill_envelope(&mut self, envelope: Envelope) {
        let texts = [envelope.resumption.clone(), envelope.place.clone()].map(Argument::Text);
        self.adjournment.fill(envelope);
        self.report("D.2.10.6", PhraseKey::EnvelopeFilled, []);
        self.report("E.2", PhraseKey::EnvelopeResumption, texts);
    }
}

/// The channels of the sealer and of the assistant who writes for him.
fn sealers_channels(side: Color, writer: Option<Person>) -> Vec<Channel> {
    let assistant = match writer {
        Some(Person::Assistant(of)) => Some(Channel::Assistant(of)),
        _ => None,
    };
    [Some(Channel::Ear(side)), assistant]
        .into_iter()
        .flatten()
        .collect()
}

/// Whether words name a move or part of one.
const fn names_something(heard: &Heard) -> bool {
    match heard {
        Heard::Unclear(_) => true,
        Heard::Clear(said) => !matches!(said, Said::Command(_) | Said::Correction(None)),
    }
}
