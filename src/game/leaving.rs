//! Leaving annexd by voice: after a game, or from a practice game that is resumed another time. In
//! any other game a player who wants to leave the playing venue asks the arbiter (11.2).

use shakmaty::Color;

use super::Game;
use super::confirmations::{Grave, Leaving};
use super::profile::Mode;
use annexd_laws::moment::Moment;
use annexd_phrases::PhraseKey;

impl Game {
    /// Whether a player may leave annexd. With an arbiter both players sign first (8.7). Without
    /// one, nobody leaves before an opponent who has yet to sign by voice. A sighted player closes
    /// his own console, and ends nothing for others.
    pub(super) fn may_leave(&self, side: Color) -> bool {
        let is_practice = self.profile.mode == Mode::Practice && !self.profile.arbiter;
        if !is_practice && !self.profile.is_visually_disabled(side) {
            return false;
        }
        let may_at_end = match self.profile.arbiter {
            true => self.is_signed(),
            // Leaving ends annexd for the other player too, who may have yet to sign.
            false => is_practice || !self.signs_by_voice_now(!side),
        };
        match self.scores.is_over() {
            true => may_at_end,
            // With an opponent elsewhere the clock would go on.
            false => is_practice && !self.is_elsewhere(),
        }
    }

    /// Whether both players have signed (8.7).
    pub fn is_signed(&self) -> bool {
        Color::ALL.iter().all(|&side| self.scores.has_signed(side))
    }

    /// Asks a player whether he means to leave, however he said it.
    pub(super) fn confirm_leaving(&mut self, now: Moment, side: Color) {
        let leaving = match self.scores.is_over() {
            true if self.signs_by_voice_now(side) => Leaving::Unsigned,
            false if !self.guests.is_taught() => Leaving::Interrupting,
            _ => Leaving::AtEnd,
        };
        self.confirm_first(now, side, Grave::Leaving(leaving), false);
    }

    /// Lets the player leave. What is being said is said to its end.
    pub(super) fn leave(&mut self, side: Color) {
        self.tell(side, PhraseKey::Farewell, []);
        self.equipment.leave();
    }

    /// Whether a player is leaving annexd: only what is being said is still finished.
    pub const fn is_leaving(&self) -> bool {
        self.equipment.is_left()
    }

    /// Whether a player has left annexd and everything has been said.
    pub fn is_left(&self) -> bool {
        let is_spoken_to = |side: &Color| self.is_spoken_to(*side);
        self.is_leaving() && !Color::ALL.iter().any(is_spoken_to)
    }
}

#[cfg(test)]
mod tests {
    use annexd_laws::notation::{Command, Heard, Said};
    use annexd_laws::persons::Person;

    use super::*;
    use crate::{Act, DeviceApproval, Effect, Form, Input, Origin, Profile, Ruling, VoiceMark};

    const WHITE: Color = Color::White;

    fn game(mode: Mode, arbiter: bool) -> Game {
        let mut profile = Profile {
            mode,
            arbiter,
            signed_by_voice: true,
            ..Profile::default()
        };
        profile.sides[WHITE].visually_disabled = true;
        // Without it no arbiter's game begins (11.3.2).
        profile.device = Some(DeviceApproval {
            by: "the arbiter".to_owned(),
            scope: "annexd".to_owned(),
        });
        let mut game = Game::new(profile);
        let effects = game.handle(Moment::from_ms(1), Input::Ruling(Ruling::Start));
        heard(&mut game, &effects);
        game
    }

    /// What is said in reply to a command, once everything has been said to its end.
    fn says(game: &mut Game, command: Command) -> Vec<PhraseKey> {
        let origin = Origin::Microphone(Some(WHITE));
        let now = Moment::from_ms(60_000);
        let said = Heard::Clear(Said::Command(command));
        let effects = game.handle(now, Input::heard(origin, said));
        heard(game, &effects)
    }

    fn heard(game: &mut Game, effects: &[Effect]) -> Vec<PhraseKey> {
        let mut keys = Vec::new();
        for effect in effects {
            let Effect::Say {
                utterance,
                channel,
                phrase,
                ..
            } = effect
            else {
                continue;
            };
            keys.push(phrase.key);
            assert!(!game.is_left(), "{phrase:?} is still said");
            let heard = Input::Voice {
                channel: *channel,
                utterance: *utterance,
                mark: VoiceMark::Finished,
            };
            game.handle(Moment::from_ms(60_000), heard);
        }
        keys
    }

    #[test]
    fn who_practises_may_leave_and_come_back() {
        let mut game = game(Mode::Practice, false);
        assert!(says(&mut game, Command::AskLeave).contains(&PhraseKey::ConfirmInterrupt));
        assert_eq!(says(&mut game, Command::No), [PhraseKey::Dropped]);
        says(&mut game, Command::AskLeave);
        assert!(says(&mut game, Command::Yes).contains(&PhraseKey::Farewell));
        assert!(game.is_left());
        game.handle(Moment::from_ms(60_001), Input::Resumed);
        assert!(!game.is_left());
    }

    #[test]
    fn a_game_that_counts_is_not_left_before_its_end() {
        let mut game = game(Mode::Club, false);
        assert_eq!(
            says(&mut game, Command::AskLeave),
            [PhraseKey::LeaveByTyping]
        );
        says(&mut game, Command::Resign);
        says(&mut game, Command::Yes);
        // A player may leave without signing, and is told so.
        let asked = says(&mut game, Command::AskLeave);
        assert_eq!(asked, [PhraseKey::ConfirmUnsigned]);
        assert_eq!(says(&mut game, Command::No), [PhraseKey::Dropped]);
        // The other player does not leave before him.
        let (person, act) = (Person::Player(!WHITE), Act::AskLeave);
        let effects = game.handle(Moment::from_ms(60_000), Input::Act { person, act });
        assert_eq!(heard(&mut game, &effects), [PhraseKey::PlayIsOver]);
        assert!(!game.docket.confirmations.is_confirming(!WHITE));
        says(&mut game, Command::SignResult);
        assert!(says(&mut game, Command::Yes).contains(&PhraseKey::HelpLeave));
        says(&mut game, Command::AskLeave);
        let due = game.deadline().unwrap();
        let lapsed = game.handle(due, Input::Deadline);
        assert_eq!(heard(&mut game, &lapsed), [PhraseKey::Dropped]);
        assert_eq!(says(&mut game, Command::Yes), [PhraseKey::PlayIsOver]);
        assert_eq!(says(&mut game, Command::Help), [PhraseKey::HelpLeave]);
        assert_eq!(says(&mut game, Command::AskLeave), [PhraseKey::ConfirmEnd]);
        assert_eq!(says(&mut game, Command::Yes), [PhraseKey::Farewell]);
        assert!(game.is_left());
    }

    #[test]
    fn where_there_is_an_arbiter_both_sign_first() {
        let mut game = game(Mode::Rated, true);
        says(&mut game, Command::Resign);
        says(&mut game, Command::Yes);
        says(&mut game, Command::SignResult);
        assert!(!says(&mut game, Command::Yes).contains(&PhraseKey::HelpLeave));
        // Black has gone without a signature: only the arbiter can help.
        assert_eq!(game.expectation(Some(WHITE)).form, Form::Commands);
        let told = says(&mut game, Command::AskLeave);
        for key in [PhraseKey::WaitsForSignature, PhraseKey::ArbiterInformed] {
            assert!(told.contains(&key), "{told:?}");
        }
        let act = Act::Sign;
        let person = Person::Player(!WHITE);
        let effects = game.handle(Moment::from_ms(60_002), Input::Act { person, act });
        assert!(heard(&mut game, &effects).contains(&PhraseKey::HelpLeave));
        let (person, act) = (Person::Player(!WHITE), Act::AskLeave);
        let effects = game.handle(Moment::from_ms(60_003), Input::Act { person, act });
        assert_eq!(heard(&mut game, &effects), [PhraseKey::PlayIsOver]);
        assert_eq!(game.expectation(Some(WHITE)).form, Form::Commands);
        says(&mut game, Command::AskLeave);
        says(&mut game, Command::Yes);
        assert!(game.is_left() && game.expectation(Some(WHITE)).form == Form::Nothing);
    }
}
