//! Help: what a player can say or do now.

use shakmaty::Color;

use super::Game;
use super::effect::Priority;
use super::expectation::Form;
use super::phase::Phase;
use annexd_laws::persons::Channel;
use annexd_phrases::{Argument, PhraseKey};

impl Game {
    /// Tells a player what he can say or do now. A question that is open comes first.
    pub(super) fn help(&mut self, channel: Channel, side: Color) {
        if self.is_asked_to_consent(side) {
            return self.say_question(channel);
        }
        if let Some(question) = self.docket.confirmations.question_to(side) {
            return self.say(channel, question, [], Priority::Next);
        }
        // A lesson says again what is to be done.
        if self.phase == Phase::BeforePlay && self.guests.is_taught() {
            return;
        }
        if self.scores.is_over() {
            return self.help_at_end(channel, side);
        }
        self.say(channel, self.help_in_game(side), [], Priority::Next);
        if self.is_offered_draw(side) {
            self.say(channel, PhraseKey::HelpOffer, [], Priority::Next);
        }
    }

    /// Helps a player who signs (8.7), waits for his opponent's signature, or leaves.
    fn help_at_end(&mut self, channel: Channel, side: Color) {
        let signs = self.signs_by_voice_now(side);
        let is_arbiters = self.profile.arbiter;
        let key = match () {
            () if signs => PhraseKey::HelpSign,
            () if self.leaves_by_voice_now(side) => PhraseKey::HelpLeave,
            () if is_arbiters && !self.scores.has_signed(side) => PhraseKey::HelpSign,
            () if is_arbiters && !self.scores.has_signed(!side) => {
                let other = [Argument::Side(!side)];
                self.say(channel, PhraseKey::WaitsForSignature, other, Priority::Next);
                PhraseKey::LeaveByTyping
            }
            () if !is_arbiters => PhraseKey::LeaveByTyping,
            () => help_for(self.form_for(side)),
        };
        self.say(channel, key, [], Priority::Next);
    }

    fn help_in_game(&self, side: Color) -> PhraseKey {
        if self.program_waits_for_take_back(side) {
            return PhraseKey::ProgramCannotGoOn;
        }
        let is_waited_for = self.is_waited_for_by_guest(side) && !self.guests.is_taught();
        match self.phase {
            Phase::BeforePlay if is_waited_for => PhraseKey::ProgramIsReady,
            _ if is_waited_for => PhraseKey::YesGoesOn,
            Phase::BeforePlay if self.profile.arbiter => PhraseKey::HelpArbiterBegins,
            Phase::BeforePlay => PhraseKey::PlayersBegin,
            Phase::Stopped if self.profile.arbiter => PhraseKey::HelpArbiterGoesOn,
            Phase::Stopped => PhraseKey::HelpGoOn,
            _ => match self.form_for(side) {
                // A lesson says itself what comes before the press.
                Form::Commands if self.is_to_press(side) && !self.guests.is_taught() => {
                    PhraseKey::HelpPress
                }
                form => help_for(form),
            },
        }
    }
}

/// The help for what is expected to be said.
pub(super) const fn help_for(form: Form) -> PhraseKey {
    match form {
        Form::Announcement => PhraseKey::HelpAnnounce,
        Form::Repetition => PhraseKey::HelpRepeat,
        Form::Origin => PhraseKey::FromWhere,
        Form::Promotion => PhraseKey::WhichPiece,
        Form::Confirmation | Form::Answer => PhraseKey::HelpConfirm,
        Form::Commands | Form::Nothing => PhraseKey::HelpCommands,
    }
}
