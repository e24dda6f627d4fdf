//! What the players have to confirm: grave commands, claims and wishes that cannot be undone.

use std::time::Duration;

use shakmaty::Color;

use super::act::Act;
use super::notices::ElsewhereWish;
use annexd_laws::moment::Moment;
use annexd_laws::notation::Command;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::PhraseKey;

/// A grave command lapses if it is not confirmed within this time.
const CONFIRMATION_PATIENCE: Duration = Duration::from_secs(20);

/// What each player is being asked to confirm: one thing at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Confirmations {
    of: Sides<Option<Confirmation>>,
}

/// A grave command that waits for the confirmation of the player who gave it.
#[derive(Clone, Debug)]
pub(super) struct Confirmation {
    pub(super) grave: Grave,
    until: Moment,
    /// The channel on which it was asked.
    pub(super) asked_on: Channel,
}

/// What cannot be undone.
#[derive(Clone, Debug)]
pub(super) enum Grave {
    /// A command given by a word or one key.
    Command(Command),
    /// A claim that only a typed line can express.
    Claim(Act),
    /// A wish for the server.
    Elsewhere(ElsewhereWish),
    /// Leaving annexd.
    Leaving(Leaving),
}

/// What a player leaves behind when he leaves annexd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaving {
    /// A finished game or a lesson: nothing goes on.
    AtEnd,
    /// A finished game that he has not signed.
    Unsigned,
    /// A game that will be resumed another time.
    Interrupting,
}

impl Grave {
    /// The question that asks for confirmation.
    pub(super) const fn question(&self) -> PhraseKey {
        match self {
            Self::Command(Command::Resign) => PhraseKey::ConfirmResign,
            Self::Command(Command::OfferDraw) => PhraseKey::ConfirmOffer,
            Self::Command(Command::Accept) => PhraseKey::ConfirmAccept,
            Self::Command(Command::Arbiter) => PhraseKey::ConfirmArbiter,
            Self::Command(Command::Halt) => PhraseKey::ConfirmHalt,
            Self::Command(Command::SignResult) => PhraseKey::ConfirmSignature,
            Self::Command(Command::Arrive) => PhraseKey::ConfirmArrival,
            Self::Command(Command::AskLeave) => PhraseKey::ConfirmLeave,
            Self::Command(Command::AskComparison) => PhraseKey::ConfirmComparison,
            Self::Command(Command::DemandTwoBoards) => PhraseKey::ConfirmTwoBoards,
            Self::Command(Command::AskToAdjourn) => PhraseKey::ConfirmAdjourn,
            Self::Leaving(Leaving::AtEnd) => PhraseKey::ConfirmEnd,
            Self::Leaving(Leaving::Unsigned) => PhraseKey::ConfirmUnsigned,
            Self::Leaving(Leaving::Interrupting) => PhraseKey::ConfirmInterrupt,
            Self::Claim(Act::TakeBack) => PhraseKey::ConfirmTakeBack,
            Self::Elsewhere(ElsewhereWish::Abort) => PhraseKey::ConfirmAbort,
            Self::Elsewhere(ElsewhereWish::AllowTakeBack) => PhraseKey::OpponentWantsBack,
            Self::Elsewhere(ElsewhereWish::ClaimVictory) => PhraseKey::ConfirmVictory,
            Self::Command(_) | Self::Claim(_) | Self::Elsewhere(_) => PhraseKey::ConfirmClaim,
        }
    }
}

impl Confirmations {
    /// Asks a player to confirm something grave. An earlier question to him lapses.
    pub(super) fn ask(&mut self, now: Moment, side: Color, grave: Grave, asked_on: Channel) {
        let until = now + CONFIRMATION_PATIENCE;
        self.of[side] = Some(Confirmation {
            grave,
            until,
            asked_on,
        });
    }

    /// Whether a player is being asked to confirm something.
    pub(super) fn is_confirming(&self, side: Color) -> bool {
        self.of[side].is_some()
    }

    /// The player who was asked last about a wish of his own and has yet to answer.
    pub(super) fn asked_last(&self) -> Option<Color> {
        let asked = Color::ALL
            .into_iter()
            .filter(|&side| self.is_confirming(side));
        asked.max_by_key(|&side| self.of[side].as_ref().map(|it| it.until))
    }

    /// The question a player is being asked about his own wish.
    pub(super) fn question_to(&self, side: Color) -> Option<PhraseKey> {
        let confirmation = self.of[side].as_ref()?;
        Some(confirmation.grave.question())
    }

    /// Takes a player's confirmation away, once he has answered.
    pub(super) fn take_confirmation(&mut self, side: Color) -> Option<Confirmation> {
        self.of[side].take()
    }

    /// Takes away what a player himself wants and has not confirmed, so that it is no longer asked.
    pub(super) fn take_own_wish(&mut self, side: Color) -> Option<Confirmation> {
        let allowing = Grave::Elsewhere(ElsewhereWish::AllowTakeBack);
        let is_own = |it: &mut Confirmation| it.grave.question() != allowing.question();
        self.of[side].take_if(is_own)
    }

    /// Drops the question to a player that a server has settled without him. Returns whether he was
    /// being asked.
    pub(super) fn settle(&mut self, side: Color, wish: ElsewhereWish) -> bool {
        let is_that =
            |it: &mut Confirmation| matches!(it.grave, Grave::Elsewhere(of) if of == wish);
        self.of[side].take_if(is_that).is_some()
    }

    /// Takes away the confirmations not given in time.
    pub(super) fn drop_stale(&mut self, now: Moment) -> Vec<Confirmation> {
        let of = |side| self.of[side].take_if(|it| it.until <= now);
        Color::ALL.map(of).into_iter().flatten().collect()
    }

    /// When the next confirmation lapses.
    pub(super) fn confirmation_due(&self) -> Option<Moment> {
        let until = Color::ALL.map(|side| Some(self.of[side].as_ref()?.until));
        until.into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use Color::{Black, White};

    #[test]
    fn a_grave_command_waits_for_some_time() {
        let mut asked = Confirmations::default();
        let resign = || Grave::Command(Command::Resign);
        asked.ask(Moment::from_ms(0), White, resign(), Channel::Table);
        assert!(asked.is_confirming(White) && !asked.is_confirming(Black));
        let due = asked.confirmation_due().unwrap();
        assert!(asked.drop_stale(Moment::from_ms(1)).is_empty());
        assert_eq!(asked.drop_stale(due).len(), 1);
        assert!(asked.take_confirmation(White).is_none());
        asked.ask(Moment::from_ms(0), Black, resign(), Channel::Table);
        assert!(asked.take_own_wish(Black).is_some() && !asked.is_confirming(Black));
    }

    #[test]
    fn a_yes_of_nobody_known_is_that_of_who_was_asked_last() {
        let mut asked = Confirmations::default();
        assert_eq!(asked.asked_last(), None);
        let resign = || Grave::Command(Command::Resign);
        asked.ask(Moment::from_ms(1), White, resign(), Channel::Table);
        assert_eq!(asked.asked_last(), Some(White));
        asked.ask(Moment::from_ms(2), Black, resign(), Channel::Table);
        assert_eq!(asked.asked_last(), Some(Black));
        asked.ask(Moment::from_ms(3), White, resign(), Channel::Table);
        assert_eq!(asked.asked_last(), Some(White));
        assert!(asked.take_confirmation(White).is_some());
        assert_eq!(asked.asked_last(), Some(Black));
    }
}
