//! Going on after the program was closed. Devices are brought into the game's state, and whatever
//! may not have been heard is said once more.

use shakmaty::Color;

use super::Game;
use super::effect::{Effect, Priority};
use super::moving::Repetition;
use annexd_laws::moment::Moment;
use annexd_laws::persons::Channel;
use annexd_phrases::{Argument, Phrase, PhraseKey};

impl Game {
    /// The program was started again with this game. Devices count as present until one reports
    /// otherwise, and are told the state of the game. Each utterance that the record does not show
    /// as finished is said once more, as a new effect. Answers to questions are not: they are
    /// stale, and can be asked again (D.2.10.4).
    pub(super) fn resumed(&mut self, now: Moment) {
        self.equipment.begin_again();
        // Nobody remembers a question asked before the interruption.
        for side in Color::ALL {
            self.docket.confirmations.take_own_wish(side);
        }
        self.docket.which.forget_doubts();
        let unheard = self.speech.begin_again();
        if let Some((running, left)) = self.clocks.show_again(now) {
            self.response.push(Effect::Clock { running, left });
        }
        self.response.extend(self.boards.lights());
        self.propose_again();
        // A player who sits down again hears the open question. Answers already given stand.
        let asked = self.words_of_question();
        self.say_question(Channel::Table);
        let stands = self.where_it_stands().filter(|_| asked.is_empty());
        let is_told = stands.is_some();
        if let Some(Phrase { key, arguments }) = stands {
            self.say(Channel::Table, key, arguments, Priority::Next);
        }
        for saying in unheard {
            let Phrase { key, arguments } = saying.phrase;
            // Nobody remembers the words that he was asked about by yes and no.
            let is_stale = is_told && WHERE_IT_STANDS.contains(&key) || key == PhraseKey::Whether;
            if !is_stale && !asked.iter().any(|it| it.key == key) {
                self.say(saying.channel, key, arguments, saying.priority);
            }
        }
        // Behind the others: what is on its way already is not said twice.
        self.announce_missed();
    }

    /// What became of the last announcement (D.2.1), and whose turn it is if that is done with. Who
    /// repeated just before the pause would repeat again, and that would be his own move.
    fn where_it_stands(&self) -> Option<Phrase> {
        if !self.is_playing() || !self.holds("resumed_where") {
            return None;
        }
        let (announcer, turn) = (self.last_announcer(), self.course.turn());
        Some(match self.last_words(announcer)?.repetition() {
            Repetition::Awaited => {
                Phrase::new(PhraseKey::RepetitionMissing, [self.article("D.2.1")])
            }
            Repetition::Differs => PhraseKey::RepetitionDiffers.into(),
            Repetition::Matched if announcer == turn => PhraseKey::RepeatedRight.into(),
            Repetition::Matched => Phrase::new(PhraseKey::HasTheMove, [Argument::Side(turn)]),
        })
    }
}

/// What `where_it_stands` says. Where it says something, these are stale.
const WHERE_IT_STANDS: [PhraseKey; 4] = [
    PhraseKey::RepetitionMissing,
    PhraseKey::RepetitionDiffers,
    PhraseKey::RepeatedRight,
    PhraseKey::HasTheMove,
];

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::{Input, Mode, Profile, Ruling, VoiceMark};

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
        // Killed again before it was heard: it is said once, not twice.
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
        for utterance in 1..=game.utterances() {
            let heard = Input::Voice {
                channel: Channel::Table,
                utterance,
                mark: VoiceMark::Finished,
            };
            game.handle(Moment::from_ms(8), heard);
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
