//! What the blind player says, and whether it was heard correctly.

use shakmaty::Color;

use super::plan::Check;
use super::room::{cough, speak};
use super::script::{PLAYER, Script, is_repetition_refused, read_back};
use super::stage::Answer;
use annexd::game::{Command, Effect, Form, Heard, Said};
use annexd::notation::Announcement;
use annexd::persons::Channel;
use annexd::phrases::{Argument, PhraseKey};
use annexd::shell::error::{Result, sentence};

/// How often something is said before the player types it, as annexd asks him to.
const TRIES: u32 = 3;

/// How often the player answers whether he has said this.
const ANSWERS: u32 = 8;

/// The rate of the player's voice in words per minute. He is slower each time he has to repeat
/// something.
pub(crate) const WORDS_A_MINUTE: u32 = 140;
const SLOWER: u32 = 10;

/// What the player says besides announcements, in the demonstration's language.
const REMARK: &str = "Das war ein sehr schöner Abend in der Oper.";
const CORRECTION: &str = "Korrektur";
const YES: &str = "Ja";
const NO: &str = "Nein";
pub(crate) const TIME: &str = "Zeit";
const MOVES: &str = "Züge";

/// The result of hearing words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hearing {
    /// They were taken correctly.
    Right,
    /// They were asked for again, or missed.
    Again,
    /// They were taken for other words.
    Wrong,
}

impl Script {
    /// Makes the player announce until he is heard.
    pub(crate) fn announce(&mut self, announcement: &Announcement) -> Result<()> {
        let text = self.words_of(announcement);
        let said = [Said::Move(announcement.clone())];
        self.announce_as(&text, &[&said], announcement)?;
        Ok(())
    }

    /// Makes the player correct a slip of the tongue with the right move (D.2.8). Returns whether
    /// "Korrektur" and the move were heard correctly.
    pub(crate) fn correct(&mut self, announcement: &Announcement) -> Result<bool> {
        let text = format!("{CORRECTION} {}", self.words_of(announcement));
        let whole = [Said::Correction(Some(announcement.clone()))];
        let parts = [Said::Correction(None), Said::Move(announcement.clone())];
        self.announce_as(&text, &[&whole, &parts], announcement)?;
        Ok(self.stage.game().announced(Color::White) == Some(announcement))
    }

    /// Says a text until it is taken for one of the right readings, and the read-back is the
    /// announcement.
    fn announce_as(
        &mut self,
        text: &str,
        readings: &[&[Said]],
        announcement: &Announcement,
    ) -> Result<()> {
        self.tally.announced += 1;
        for attempt in 0..TRIES {
            let first = self.says(text, attempt)?;
            let (answer, is_asked) = self.answers(first, announcement, attempt)?;
            let back = read_back(&answer.effects);
            let hearing = match judge(&answer, readings) {
                _ if is_asked && back.is_none() => Hearing::Again,
                Hearing::Again if back.is_none() => Hearing::Again,
                // What is heard as the same again counts, and so does "ja".
                Hearing::Again if back == Some(announcement) => Hearing::Right,
                _ if is_asked && back == Some(announcement) => Hearing::Right,
                Hearing::Right if back == Some(announcement) => Hearing::Right,
                _ => Hearing::Wrong,
            };
            self.count(hearing, attempt, &answer);
            match hearing {
                Hearing::Right => return Ok(()),
                // The read-back shows the mistake to everybody, and it is corrected; but it must
                // not happen.
                Hearing::Wrong if back.is_some() => self.assistant_rejects(),
                Hearing::Wrong | Hearing::Again => {}
            }
        }
        // The move alone corrects a standing announcement, and announces where none stands.
        let words = self.words_of(announcement);
        match read_back(&self.types_instead(&words)) == Some(announcement) {
            true => Ok(()),
            false => Err(self.wrong(sentence!(DemoNotUnderstood, said = text))),
        }
    }

    /// Makes the player repeat the opponent's move until he is heard (D.2.1).
    pub(crate) fn repeat(&mut self, announcement: &Announcement) -> Result<()> {
        let text = self.words_of(announcement);
        let said = [Said::Move(announcement.clone())];
        self.tally.announced += 1;
        for attempt in 0..TRIES {
            let first = self.says(&text, attempt)?;
            let (answer, is_asked) = self.answers(first, announcement, attempt)?;
            let hearing = match judge(&answer, &[&said]) {
                _ if is_asked && self.owes_repetition() => Hearing::Again,
                Hearing::Again if !self.owes_repetition() => Hearing::Right,
                _ if is_asked => Hearing::Right,
                hearing => hearing,
            };
            self.count(hearing, attempt, &answer);
            if hearing == Hearing::Right {
                return match is_repetition_refused(&answer.effects) {
                    false => Ok(()),
                    true => Err(self.wrong(sentence!(DemoRepetitionRefused))),
                };
            }
        }
        match is_repetition_refused(&self.types_instead(&text)) {
            false => Ok(()),
            true => Err(self.wrong(sentence!(DemoRepetitionRefused))),
        }
    }

    /// Makes the player answer whether he has said something, as long as he is asked that. Returns
    /// the last answer, and whether he was asked.
    fn answers(
        &mut self,
        mut answer: Answer,
        announcement: &Announcement,
        attempt: u32,
    ) -> Result<(Answer, bool)> {
        for number in 0..ANSWERS {
            let Some(asked) = asked_whether(&answer.effects) else {
                return Ok((answer, number > 0));
            };
            let said = if asked == announcement { YES } else { NO };
            answer = self.says(said, attempt)?;
        }
        Ok((answer, true))
    }

    /// Whether the player has yet to repeat the opponent's move.
    fn owes_repetition(&self) -> bool {
        let expected = self.stage.game().expectation(Some(Color::White));
        matches!(expected.form, Form::Repetition | Form::Answer)
    }

    /// Makes the player give a command until he is heard. Returns what the game did.
    pub(crate) fn commands(&mut self, text: &str, command: Command) -> Result<Vec<Effect>> {
        let said = [Said::Command(command)];
        for attempt in 0..TRIES {
            let answer = self.says(text, attempt)?;
            match judge(&answer, &[&said]) {
                Hearing::Right => {
                    self.tally.commands += 1;
                    self.tally.took(answer.latency);
                    return Ok(answer.effects);
                }
                Hearing::Wrong => self.tally.wrong += 1,
                Hearing::Again => self.tally.again += 1,
            }
        }
        Ok(self.types_instead(text))
    }

    /// Types what was not understood by voice. Users must rarely need this: see
    /// [`super::tally::Tally::is_heard_enough`].
    fn types_instead(&mut self, text: &str) -> Vec<Effect> {
        self.tally.typed += 1;
        self.stage.types(PLAYER, text)
    }

    pub(crate) fn asks_the_time(&mut self) -> Result<()> {
        let effects = self.commands(TIME, Command::Time)?;
        let is_time = |argument: &Argument| matches!(argument, Argument::Time(_));
        let is_told = is_told_in_private(&effects, is_time);
        self.tally.happened(Check::Time, is_told);
        Ok(())
    }

    pub(crate) fn asks_the_moves(&mut self) -> Result<()> {
        let effects = self.commands(MOVES, Command::Moves)?;
        let is_number = |argument: &Argument| matches!(argument, Argument::Number(_));
        let is_told = is_told_in_private(&effects, is_number);
        self.tally.happened(Check::Moves, is_told);
        Ok(())
    }

    pub(crate) fn coughs(&mut self) -> Result<()> {
        let sound = cough(&mut self.dice);
        let answer = self.stage.sounds("(hustet)", &sound)?;
        self.must_be_ignored(Check::Cough, &answer);
        Ok(())
    }

    pub(crate) fn remarks(&mut self) -> Result<()> {
        let answer = self.says(REMARK, 0)?;
        self.must_be_ignored(Check::Remark, &answer);
        Ok(())
    }

    fn must_be_ignored(&mut self, check: Check, answer: &Answer) {
        let is_taken = |heard: &&Heard| matches!(heard, Heard::Clear(_));
        self.tally.wrong += answer.heard.iter().filter(is_taken).count();
        let is_ignored = answer.heard.is_empty();
        self.tally.ignored += usize::from(is_ignored);
        self.tally.happened(check, is_ignored);
    }

    fn count(&mut self, hearing: Hearing, attempt: u32, answer: &Answer) {
        match hearing {
            Hearing::Right => {
                self.tally.right += usize::from(attempt == 0);
                self.tally.took(answer.latency);
            }
            Hearing::Again => self.tally.again += 1,
            Hearing::Wrong => self.tally.wrong += 1,
        }
    }

    fn says(&mut self, text: &str, attempt: u32) -> Result<Answer> {
        let rate = WORDS_A_MINUTE - SLOWER * attempt;
        // espeak-ng says "Kesar", as no German does, and annexd asks then.
        let sound = speak(&self.voice, rate, &self.language.voiced(text))?;
        self.stage.sounds(text, &sound)
    }
}

/// Judges the answer to words that mean one of these readings. Whatever was taken has to be what
/// was said, word for word.
fn judge(answer: &Answer, readings: &[&[Said]]) -> Hearing {
    let taken: Vec<&Said> = answer
        .heard
        .iter()
        .filter_map(|heard| match heard {
            Heard::Clear(said) => Some(said),
            Heard::Unclear(_) => None,
        })
        .collect();
    let is_whole = taken.len() == answer.heard.len() && !taken.is_empty();
    let is_right = |reading: &&[Said]| reading.iter().collect::<Vec<_>>() == taken;
    let begins = |reading: &&[Said]| {
        let mut both = reading.iter().zip(&taken);
        taken.len() <= reading.len() && both.all(|(meant, heard)| meant == *heard)
    };
    if is_whole && readings.iter().any(is_right) {
        Hearing::Right
    } else if readings.iter().any(begins) {
        Hearing::Again
    } else {
        Hearing::Wrong
    }
}

/// The announcement about which it is asked whether it was said.
fn asked_whether(effects: &[Effect]) -> Option<&Announcement> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Say { phrase, .. } if phrase.key == PhraseKey::Whether => {
            phrase.arguments.iter().find_map(|argument| match argument {
                Argument::Move(announcement) => Some(announcement),
                _ => None,
            })
        }
        _ => None,
    })
}

fn is_told_in_private(effects: &[Effect], is_answer: fn(&Argument) -> bool) -> bool {
    effects.iter().any(|effect| match effect {
        Effect::Say {
            channel: Channel::Ear(Color::White),
            phrase,
            ..
        } => phrase.arguments.iter().any(is_answer),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    fn answer(heard: &[Heard]) -> Answer {
        Answer {
            heard: heard.to_vec(),
            ..Answer::default()
        }
    }

    #[test]
    fn words_are_right_only_if_nothing_else_was_taken() {
        let pawn = |to| Said::Move(Announcement::of_move(Role::Pawn, Square::E2, to));
        let (meant, other) = (pawn(Square::E4), pawn(Square::E3));
        let clear = |said: &Said| Heard::Clear(said.clone());
        let readings: [&[Said]; 2] = [
            std::slice::from_ref(&meant),
            &[Said::Correction(None), meant.clone()],
        ];
        let judged = |heard: &[Heard]| judge(&answer(heard), &readings);
        assert_eq!(judged(&[clear(&meant)]), Hearing::Right);
        assert_eq!(judged(&[clear(&other)]), Hearing::Wrong);
        assert_eq!(judged(&[]), Hearing::Again);
        assert_eq!(
            judged(&[Heard::Unclear(vec![other.clone()])]),
            Hearing::Again
        );
        assert_eq!(
            judged(&[clear(&meant), Heard::Unclear(Vec::new())]),
            Hearing::Again
        );
        assert_eq!(judged(&[clear(&meant), clear(&other)]), Hearing::Wrong);
        let correction = clear(&Said::Correction(None));
        assert_eq!(judged(std::slice::from_ref(&correction)), Hearing::Again);
        assert_eq!(judged(&[correction, clear(&meant)]), Hearing::Right);
        assert_eq!(
            judged(&[clear(&Said::Command(Command::Yes))]),
            Hearing::Wrong
        );
    }
}
