//! Plays the game: what the persons at the table do, and whether it came out right.

use std::time::Duration;

use shakmaty::Color;

use super::game_file::{GameFile, side_of, slip_of};
use super::plan::{Mishap, plan};
use super::room::{Dice, cough, speak};
use super::stage::{Heard, Stage};
use super::tally::Tally;
use crate::game::Effect;
use crate::notation::{Announcement, Lexicon, Style, words};
use crate::persons::{Channel, Person};
use crate::phrases::{Argument, PhraseKey};
use crate::shell::error::{Error, ErrorKind, Result};
use crate::shell::table::Seat;

/// How often something is said before the demonstration gives up.
const TRIES: u32 = 5;

/// The speed of the player's voice.
const WORDS_A_MINUTE: u32 = 140;

/// What the player says besides, in the language of the demonstration: a remark, and the words
/// of his commands.
const REMARK: &str = "Das war ein sehr schöner Abend in der Oper.";
const CORRECTION: &str = "Korrektur";
const TIME: &str = "Zeit";
const MOVES: &str = "Züge";

const OPPONENT: Seat = Seat::Of(Person::Player(Color::Black));
const PLAYER: Seat = Seat::Of(Person::Player(Color::White));
const ASSISTANT: Seat = Seat::Of(Person::Assistant(Color::White));
const ARBITER: Seat = Seat::Of(Person::Arbiter);

/// The persons at the table.
pub(super) struct Script<'a> {
    stage: Stage,
    lexicon: &'a Lexicon,
    voice: String,
    dice: Dice,
    tally: Tally,
}

impl<'a> Script<'a> {
    /// A script for a stage.
    pub(super) fn new(stage: Stage, lexicon: &'a Lexicon, voice: String, dice: Dice) -> Self {
        Self {
            stage,
            lexicon,
            voice,
            dice,
            tally: Tally::default(),
        }
    }

    /// Plays the whole game.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Negative`] with the move at which the table did something else than it
    /// should; and what speaking can fail with.
    pub(super) fn play(mut self, game: &GameFile) -> Result<(Stage, Tally)> {
        self.stage.types(ARBITER, "anfang");
        if self.stage.game().running() != Some(Color::White) {
            return Err(self.wrong("White's clock does not run after the start"));
        }
        let players_moves = game.announcements.len().div_ceil(2);
        let plan = plan(&mut self.dice, players_moves);
        for (ply, announcement) in game.announcements.iter().enumerate() {
            self.think();
            match side_of(ply) {
                Color::White => self.players_move(announcement, &plan[ply / 2])?,
                Color::Black => self.opponents_move(announcement)?,
            }
        }
        self.end(game)?;
        Ok((self.stage, self.tally))
    }

    fn think(&mut self) {
        let ms = 2000 + self.dice.below(6000) as u64;
        self.stage.wait(Duration::from_millis(ms));
    }

    /// The blind player's move, by voice (D.2.1, D.2.3, D.2.4).
    fn players_move(&mut self, announcement: &Announcement, mishaps: &[Mishap]) -> Result<()> {
        for &mishap in mishaps {
            self.before_announcing(mishap)?;
        }
        if mishaps.contains(&Mishap::Slip) {
            self.announce(&slip_of(announcement), "")?;
            let is_corrected = self.announce(announcement, CORRECTION)?;
            let is_in_time = self.stage.game().running() == Some(Color::White);
            self.tally
                .happened(Mishap::Slip, is_corrected && is_in_time);
        } else {
            self.announce(announcement, "")?;
        }
        if mishaps.contains(&Mishap::Rejection) {
            let asked = self.stage.types(ASSISTANT, "falsch");
            let asks = says(&asked, PhraseKey::AnnounceAgain);
            let is_said_again = self.announce(announcement, "")?;
            self.tally
                .happened(Mishap::Rejection, asks && is_said_again);
        }
        self.assistant_does("bestätigt")?;
        if self.has_ended() {
            return Ok(());
        }
        self.stage.types(PLAYER, "uhr");
        self.stage.wait(Duration::from_millis(300));
        if self.has_ended() {
            return Ok(());
        }
        if self.stage.game().running() != Some(Color::Black) {
            return Err(self.wrong("the opponent's clock did not start after the player's move"));
        }
        self.opponent_repeats(announcement, mishaps.contains(&Mishap::WrongRepetition))?;
        self.assistant_does("ausgeführt schwarz")
    }

    /// A duty of the assistant by key; he has the right to it (D.2.10).
    fn assistant_does(&mut self, text: &str) -> Result<()> {
        let effects = self.stage.types(ASSISTANT, text);
        let is_refused = says(&effects, PhraseKey::NotYours) || says(&effects, PhraseKey::NotNow);
        if is_refused {
            return Err(self.wrong(&format!("the assistant's \"{text}\" was refused")));
        }
        Ok(())
    }

    fn before_announcing(&mut self, mishap: Mishap) -> Result<()> {
        match mishap {
            Mishap::Cough => {
                let sound = cough(&mut self.dice);
                let heard = self.sounds("(hustet)", &sound)?;
                self.note_ignored(mishap, &heard);
            }
            Mishap::Remark => {
                let heard = self.says(REMARK, WORDS_A_MINUTE)?;
                self.note_ignored(mishap, &heard);
            }
            Mishap::EarlyPress => {
                self.stage.types(PLAYER, "uhr");
                let is_refused = self.stage.game().running() == Some(Color::White);
                self.tally.happened(mishap, is_refused);
            }
            Mishap::Time => self.asks(mishap, TIME, |argument| {
                matches!(argument, Argument::Time(_))
            })?,
            Mishap::Moves => {
                self.asks(mishap, MOVES, |argument| {
                    matches!(argument, Argument::Number(_))
                })?;
            }
            Mishap::Slip | Mishap::Rejection | Mishap::WrongRepetition => {}
        }
        Ok(())
    }

    fn note_ignored(&mut self, mishap: Mishap, heard: &Heard) {
        let is_ignored = heard.understood == 0;
        self.tally.ignored += usize::from(is_ignored);
        self.tally.happened(mishap, is_ignored);
    }

    /// The player asks something, and must be told in private.
    fn asks(
        &mut self,
        mishap: Mishap,
        question: &str,
        is_answer: fn(&Argument) -> bool,
    ) -> Result<()> {
        for attempt in 0..TRIES {
            let heard = self.says(question, WORDS_A_MINUTE - 10 * attempt)?;
            let is_told = heard.effects.iter().any(|effect| match effect {
                Effect::Say {
                    channel: Channel::Ear(Color::White),
                    phrase,
                    ..
                } => phrase.arguments.iter().any(is_answer),
                _ => false,
            });
            if is_told {
                self.tally.commands += 1;
                self.tally.took(heard.latency);
                self.tally.happened(mishap, true);
                return Ok(());
            }
            self.tally.again += 1;
        }
        self.tally.happened(mishap, false);
        Ok(())
    }

    /// The player announces until he is read back. Returns whether it is what he said.
    fn announce(&mut self, announcement: &Announcement, before: &str) -> Result<bool> {
        let said = self.words_of(announcement);
        let text = format!("{before} {said}");
        self.tally.announced += 1;
        for attempt in 0..TRIES {
            let heard = self.says(text.trim(), WORDS_A_MINUTE - 10 * attempt)?;
            match read_back(&heard.effects) {
                Some(taken) if taken == announcement => {
                    self.tally.right += usize::from(attempt == 0);
                    self.tally.took(heard.latency);
                    return Ok(true);
                }
                Some(_) => {
                    // The read-back shows the mistake to everybody, and it is corrected; but it
                    // must not happen.
                    self.tally.wrong += 1;
                    self.stage.types(ASSISTANT, "falsch");
                }
                None => self.tally.again += 1,
            }
        }
        Err(self.wrong(&format!(
            "\"{said}\" was not understood after {TRIES} times"
        )))
    }

    /// The opponent says back what he heard, wrongly at first if that is planned (D.2.1).
    fn opponent_repeats(
        &mut self,
        announcement: &Announcement,
        is_wrong_first: bool,
    ) -> Result<()> {
        if is_wrong_first {
            let wrong = self.words_of(&slip_of(announcement));
            let effects = self.stage.types(OPPONENT, &wrong);
            let is_caught = says(&effects, PhraseKey::RepetitionDiffers);
            let is_said_again = self.announce(announcement, "")?;
            self.tally
                .happened(Mishap::WrongRepetition, is_caught && is_said_again);
        }
        let right = self.words_of(announcement);
        let effects = self.stage.types(OPPONENT, &right);
        if says(&effects, PhraseKey::RepetitionDiffers) {
            return Err(self.wrong("the right repetition was taken for a wrong one"));
        }
        Ok(())
    }

    /// The sighted opponent's move: announced at the table, typed by the assistant, his clock
    /// pressed; the player repeats it by voice and executes it on his own board.
    fn opponents_move(&mut self, announcement: &Announcement) -> Result<()> {
        let said = self.words_of(announcement);
        let effects = self.stage.types(ASSISTANT, &said);
        if read_back(&effects) != Some(announcement) {
            return Err(self.wrong(&format!("the opponent's \"{said}\" was not read back")));
        }
        if self.has_ended() {
            return Ok(());
        }
        self.stage.types(OPPONENT, "uhr");
        if self.has_ended() {
            return Ok(());
        }
        if self.stage.game().running() != Some(Color::White) {
            return Err(self.wrong("the player's clock did not start after the opponent's move"));
        }
        self.player_repeats(announcement)
    }

    fn player_repeats(&mut self, announcement: &Announcement) -> Result<()> {
        let said = self.words_of(announcement);
        self.tally.announced += 1;
        for attempt in 0..TRIES {
            let heard = self.says(&said, WORDS_A_MINUTE - 10 * attempt)?;
            if says(&heard.effects, PhraseKey::RepetitionDiffers) {
                // The opponent announces again, as he has to; the player's words were taken for
                // others, which everybody heard.
                self.tally.wrong += 1;
                self.stage.types(ASSISTANT, &said);
            } else if heard.understood > 0 && !asks_again(&heard.effects) {
                self.tally.right += usize::from(attempt == 0);
                self.tally.took(heard.latency);
                return Ok(());
            } else {
                self.tally.again += 1;
            }
        }
        Err(self.wrong(&format!("the repetition \"{said}\" was not understood")))
    }

    /// The end of the game: on the board, or as the file says it ended.
    fn end(&mut self, game: &GameFile) -> Result<()> {
        use shakmaty::{KnownOutcome, Outcome};

        if !self.has_ended() && !game.ends_on_board {
            match game.outcome {
                Some(Outcome::Known(KnownOutcome::Decisive {
                    winner: Color::White,
                })) => {
                    self.stage.types(OPPONENT, "aufgabe");
                    self.stage.types(OPPONENT, "ja");
                }
                Some(Outcome::Known(KnownOutcome::Decisive {
                    winner: Color::Black,
                })) => {
                    self.stage.types(PLAYER, "aufgabe");
                    self.stage.types(PLAYER, "ja");
                }
                Some(Outcome::Known(KnownOutcome::Draw)) => {
                    self.stage.types(OPPONENT, "remis");
                    self.stage.types(PLAYER, "angenommen");
                }
                _ => return Ok(()),
            }
        }
        // The arbiter decides what the program proposes (principle: the arbiter decides).
        for proposal in 1..20 {
            if self.stage.game().ending().is_some() {
                break;
            }
            self.stage.types(ARBITER, &format!("annehmen {proposal}"));
        }
        let ended = self.stage.game().ending().and_then(|ending| ending.result);
        let expected = match game.outcome {
            Some(Outcome::Known(outcome)) => outcome.to_string(),
            _ => return Ok(()),
        };
        match ended {
            Some(result) if result.to_string() == expected => Ok(()),
            Some(result) => Err(self.wrong(&format!("the result is {result}, not {expected}"))),
            None => Err(self.wrong(&format!("the game has not ended with {expected}"))),
        }
    }

    fn has_ended(&self) -> bool {
        !matches!(self.stage.game().phase(), crate::game::Phase::Playing)
    }

    fn words_of(&self, announcement: &Announcement) -> String {
        words(self.lexicon, announcement, Style::Long).join(" ")
    }

    fn says(&mut self, text: &str, words_a_minute: u32) -> Result<Heard> {
        let sound = speak(&self.voice, words_a_minute, text)?;
        self.sounds(text, &sound)
    }

    #[expect(clippy::print_stdout, reason = "the transcript is what was asked for")]
    fn sounds(&mut self, text: &str, sound: &[f32]) -> Result<Heard> {
        println!("{} white says: {text}", self.stage.now());
        self.stage.sounds(sound)
    }

    fn wrong(&self, what: &str) -> Error {
        let number = self.stage.game().plies() / 2 + 1;
        Error::new(
            ErrorKind::Negative,
            format!("The demonstration failed at move {number}: {what}."),
        )
    }
}

/// The announcement that was read back last.
fn read_back(effects: &[Effect]) -> Option<&Announcement> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::Say { phrase, .. } if phrase.key == PhraseKey::Announced => {
            match phrase.arguments.first() {
                Some(Argument::Move(announcement)) => Some(announcement),
                _ => None,
            }
        }
        _ => None,
    })
}

fn says(effects: &[Effect], key: PhraseKey) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Say { phrase, .. } if phrase.key == key))
}

fn asks_again(effects: &[Effect]) -> bool {
    says(effects, PhraseKey::SayAgain) || says(effects, PhraseKey::EitherOr)
}
