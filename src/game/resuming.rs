//! Going on after the program was away: the devices are brought into the game's state, and what
//! nobody can be shown to have heard is said once more.

use super::Game;
use super::effect::{Effect, Priority};
use super::input::VoiceMark;
use annexd_laws::moment::Moment;
use annexd_laws::persons::{Channel, Sides};
use annexd_phrases::{Argument, Phrase, PhraseKey};

/// How many sayings may wait for the mark that they were heard. A voice that tells nothing for
/// so long has said the oldest of them or never will.
const UNHEARD_MAX: usize = 64;

/// Something that was to be said and of which nothing says yet that it was.
#[derive(Clone, Debug)]
pub(super) struct Saying {
    utterance: u32,
    channel: Channel,
    phrase: Phrase,
    priority: Priority,
}

impl Game {
    /// Remembers what is to be said until a voice or console has told how far it came.
    pub(super) fn note_saying(&mut self, effect: &Effect) {
        let Effect::Say {
            utterance,
            channel,
            phrase,
            priority,
        } = effect
        else {
            return;
        };
        if self.unheard.len() == UNHEARD_MAX {
            self.unheard.remove(0);
        }
        self.unheard.push(Saying {
            utterance: *utterance,
            channel: *channel,
            phrase: phrase.clone(),
            priority: *priority,
        });
    }

    /// A saying that was heard to its end or read, or cut off on purpose, is done with.
    pub(super) fn note_mark(
        &mut self,
        now: Moment,
        channel: Channel,
        utterance: u32,
        mark: VoiceMark,
    ) {
        if mark == VoiceMark::Begun {
            return;
        }
        let is_it = |saying: &Saying| (saying.channel, saying.utterance) == (channel, utterance);
        let ended = self.unheard.iter().find(|saying| is_it(saying));
        if let Some(phrase) = ended.map(|saying| saying.phrase.clone()) {
            self.wait_for_repetition(now, &phrase);
        }
        self.unheard.retain(|saying| !is_it(saying));
    }

    /// The program was started again on this game. Devices are taken for present until one of
    /// them says otherwise; they are told the state of the game; and each saying of which the
    /// record does not show that it ended is said once more, as an effect of its own. Answers to
    /// questions are not: they are stale, and the question can be put again (D.2.10.4).
    pub(super) fn resumed(&mut self, now: Moment) {
        self.lost.clear();
        self.consoles = Sides::default();
        self.shared_ears = Sides::default();
        self.speaking.clear();
        self.spoken.clear();
        self.listening.clear();
        if let Some(clock) = &self.clock {
            let running = clock.running();
            let left = Sides::from_fn(|side| clock.left(side, now));
            self.shown_running = running;
            self.clock_changed = false;
            self.out.push(Effect::Clock { running, left });
        }
        for board in shakmaty::Color::ALL {
            let squares = self.lit[board].clone();
            if !squares.is_empty() {
                self.out.push(Effect::Light { board, squares });
            }
        }
        self.propose_again();
        let unheard = std::mem::take(&mut self.unheard);
        // Who sits down again hears what he is asked; answers that were given stand.
        let asked = self.words_of_question();
        self.say_question(Channel::Table);
        for saying in unheard {
            if !is_answer(&saying.phrase) && !asked.contains(&saying.phrase) {
                let Phrase { key, arguments } = saying.phrase;
                self.say(saying.channel, key, arguments, saying.priority);
            }
        }
    }
}

/// Whether it was said on request only.
fn is_answer(phrase: &Phrase) -> bool {
    matches!(
        phrase.key,
        PhraseKey::MovesMade | PhraseKey::ScoreWhite | PhraseKey::ScoreBlack
    ) || phrase
        .arguments
        .iter()
        .any(|argument| matches!(argument, Argument::Time(_)))
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::{Input, Mode, Profile, Ruling};

    fn club() -> Game {
        let mut game = Game::new(Profile {
            mode: Mode::Club,
            time_control: "15m".parse().ok(),
            arbiter: false,
            ..Profile::default()
        });
        let said = game.handle(Moment::from_ms(1), Input::Ruling(Ruling::Start));
        assert!(
            said.iter()
                .any(|effect| matches!(effect, Effect::Say { .. }))
        );
        game
    }

    fn sayings(effects: &[Effect]) -> Vec<(u32, Phrase)> {
        effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Say {
                    utterance, phrase, ..
                } => Some((*utterance, phrase.clone())),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn what_was_not_heard_is_said_once_more_and_what_was_heard_is_not() {
        let mut game = club();
        let resumed = game.handle(Moment::from_ms(2), Input::Resumed);
        let again = sayings(&resumed);
        assert!(!again.is_empty(), "{resumed:?}");
        // Killed again before it was heard: still once, not twice.
        let twice = sayings(&game.handle(Moment::from_ms(3), Input::Resumed));
        let phrases = |all: &[(u32, Phrase)]| all.iter().map(|it| it.1.clone()).collect::<Vec<_>>();
        assert_eq!(phrases(&again), phrases(&twice));
        assert_ne!(again[0].0, twice[0].0);
        for (utterance, _) in twice {
            game.handle(
                Moment::from_ms(4),
                Input::Voice {
                    channel: Channel::Table,
                    utterance,
                    mark: VoiceMark::Finished,
                },
            );
        }
        assert_eq!(
            sayings(&game.handle(Moment::from_ms(5), Input::Resumed)),
            []
        );
    }

    #[test]
    fn clocks_and_microphones_are_brought_into_the_state_of_the_game() {
        let mut game = club();
        let resumed = game.handle(Moment::from_ms(1001), Input::Resumed);
        assert!(resumed.iter().any(|effect| matches!(
            effect,
            Effect::Clock {
                running: Some(Color::White),
                ..
            }
        )));
        assert!(
            resumed
                .iter()
                .any(|effect| matches!(effect, Effect::Listen(_)))
        );
    }

    #[test]
    fn a_time_that_was_asked_for_is_stale_after_a_pause() {
        let mut game = club();
        for saying in std::mem::take(&mut game.unheard) {
            let now = Moment::from_ms(8);
            game.note_mark(now, saying.channel, saying.utterance, VoiceMark::Finished);
        }
        let person = annexd_laws::persons::Person::Player(Color::White);
        let heard = annexd_laws::notation::Heard::Clear(annexd_laws::notation::Said::Command(
            annexd_laws::notation::Command::Time,
        ));
        let origin = crate::Origin::Console(person);
        let told = game.handle(Moment::from_ms(9), Input::heard(origin, heard));
        assert!(!sayings(&told).is_empty());
        assert_eq!(
            sayings(&game.handle(Moment::from_ms(10), Input::Resumed)),
            []
        );
    }
}
