//! Plays the game: what the people at the table do, and whether the results are right.

use std::time::Duration;

use shakmaty::{Color, Position as _};

use super::game_file::{GameFile, Ply};
use super::plan::{Check, plan};
use super::room::Dice;
use super::stage::Stage;
use super::tally::Tally;
use annexd::game::{Effect, Phase};
use annexd::notation::Announcement;
use annexd::persons::Person;
use annexd::phrases::{Argument, Language, Phrase, PhraseKey};
use annexd::shell::error::{Error, Result, Sentence, error, sentence};

pub(crate) const OPPONENT: Person = Person::Player(Color::Black);
pub(crate) const PLAYER: Person = Person::Player(Color::White);
const ASSISTANT: Person = Person::Assistant(Color::White);
pub(crate) const ARBITER: Person = Person::Arbiter;

/// The typed commands, in the words of `grammar/de/console.toml`.
const START: &str = "anfang";
pub(crate) const PRESS: &str = "uhr";
pub(crate) const CONFIRM: &str = "bestätigt";
pub(crate) const REJECT: &str = "falsch";
const EXECUTED: &str = "ausgeführt schwarz";

/// The people at the table.
pub(crate) struct Script {
    pub(crate) stage: Stage,
    pub(crate) language: Language,
    pub(crate) voice: String,
    pub(crate) dice: Dice,
    pub(crate) tally: Tally,
}

impl Script {
    /// A script for a stage.
    pub(crate) fn new(stage: Stage, language: Language, voice: String, dice: Dice) -> Self {
        Self {
            stage,
            language,
            voice,
            dice,
            tally: Tally::default(),
        }
    }

    /// Plays the whole game.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Negative` with the move at which the table did something wrong; and those of
    /// speaking. What was played and counted until then stays.
    pub(crate) fn play(&mut self, game: &GameFile) -> Result<()> {
        let first = game.first_position().turn();
        self.stage.types(ARBITER, START);
        if self.stage.game().running() != Some(first) {
            return Err(self.wrong(sentence!(DemoClockNotStarted)));
        }
        let plan = plan(&mut self.dice, game.moves_of_white());
        let mut planned = plan.iter();
        let is_white = |ply: &Ply| ply.side() == Color::White;
        let last = game.plies.iter().rposition(is_white);
        for (number, ply) in game.plies.iter().enumerate() {
            if self.has_ended() {
                break;
            }
            self.think();
            match ply.side() {
                Color::White => {
                    let checks = planned.next().map(Vec::as_slice).unwrap_or_default();
                    self.players_move(ply, checks, Some(number) == last)?;
                }
                Color::Black => self.opponents_move(ply)?,
            }
        }
        self.check_score();
        self.end(game)
    }

    /// Lets the side to move think, and checks that only its clock runs.
    fn think(&mut self) {
        let ms = 2000 + self.dice.below(6000) as u64;
        let turn = self.stage.game().turn();
        let before = self.stage.game().times(self.stage.now());
        self.stage.wait(Duration::from_millis(ms));
        let after = self.stage.game().times(self.stage.now());
        let used = |side: Color| before[side].saturating_sub(after[side]);
        let is_right =
            used(turn) == Duration::from_millis(ms.next_multiple_of(20)) && used(!turn).is_zero();
        self.tally.happened(Check::Clocks, is_right);
    }

    /// The blind player's move, by voice and on his board (D.2.1, D.2.3, D.2.4). Sometimes the
    /// opponent repeats it and the assistant executes it before it stands on the player's board.
    /// With the last move this always happens, because the move may end the game.
    fn players_move(&mut self, ply: &Ply, checks: &[Check], is_last: bool) -> Result<()> {
        for &check in checks {
            self.before_announcing(check)?;
        }
        self.announce_with_mishaps(ply, checks)?;
        if checks.contains(&Check::EarlyPress) {
            self.press_early(PhraseKey::NotPlaced);
        }
        let is_answered_first = is_last || self.dice.below(3) == 0;
        if is_answered_first {
            self.opponent_answers(ply, checks)?;
        }
        self.must_run(Color::White);
        self.stage.executes(Color::White, ply.played)?;
        if self.has_ended() {
            return Ok(());
        }
        self.must_run(Color::White);
        self.stage.types(PLAYER, PRESS);
        if self.has_ended() {
            return Ok(());
        }
        self.must_run(Color::Black);
        if self.stage.game().running() != Some(Color::Black) {
            return Err(self.wrong(sentence!(DemoNoOpponentsClock)));
        }
        if !is_answered_first {
            self.opponent_answers(ply, checks)?;
        }
        Ok(())
    }

    fn before_announcing(&mut self, check: Check) -> Result<()> {
        match check {
            Check::Cough => self.coughs(),
            Check::Remark => self.remarks(),
            Check::Time => self.asks_the_time(),
            Check::Moves => self.asks_the_moves(),
            Check::EarlyPress => {
                self.press_early(PhraseKey::NotAnnounced);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Presses the player's key while a condition of D.2.3 is missing.
    fn press_early(&mut self, missing: PhraseKey) {
        let effects = self.stage.types(PLAYER, PRESS);
        let is_refused = self.stage.game().running() == Some(Color::White);
        let is_explained = says(&effects, missing);
        self.tally
            .happened(Check::EarlyPress, is_refused && is_explained);
        self.tally.happened(Check::ClockStart, is_refused);
    }

    fn announce_with_mishaps(&mut self, ply: &Ply, checks: &[Check]) -> Result<()> {
        let announcement = ply.announcement();
        if checks.contains(&Check::Slip) {
            let slip = ply.another(&mut self.dice);
            self.announce(&slip)?;
            let is_corrected = self.correct(&announcement)?;
            let is_in_time = self.stage.game().running() == Some(Color::White);
            self.tally.happened(Check::Slip, is_corrected && is_in_time);
        } else {
            self.announce(&announcement)?;
        }
        if checks.contains(&Check::Rejection) {
            let effects = self.stage.types(ASSISTANT, REJECT);
            let is_asked = says(&effects, PhraseKey::HeardWrong)
                && says(&effects, PhraseKey::AnnounceAgain)
                && self.stage.game().announced(Color::White).is_none();
            self.announce(&announcement)?;
            self.tally.happened(Check::Rejection, is_asked);
        }
        let effects = self.stage.types(ASSISTANT, CONFIRM);
        let is_confirmed = says(&effects, PhraseKey::Confirmed)
            && self.stage.game().is_confirmed(Color::White) == Some(true);
        self.tally.happened(Check::Confirmations, is_confirmed);
        Ok(())
    }

    /// The opponent repeats the announcement, first wrongly if planned (D.2.1). The assistant makes
    /// the move on the opponent's board and says so (D.2.10.1).
    fn opponent_answers(&mut self, ply: &Ply, checks: &[Check]) -> Result<()> {
        if checks.contains(&Check::WrongRepetition) {
            let wrong = ply.another(&mut self.dice);
            let wrong = self.words_of(&wrong);
            let effects = self.stage.types(OPPONENT, &wrong);
            let is_caught = says(&effects, PhraseKey::RepeatAgain);
            self.tally.happened(Check::WrongRepetition, is_caught);
        }
        let right = self.words_of(&ply.announcement());
        let effects = self.stage.types(OPPONENT, &right);
        if is_repetition_refused(&effects) {
            return Err(self.wrong(sentence!(DemoRepetitionRefused)));
        }
        self.stage.executes(Color::Black, ply.played)?;
        let effects = self.stage.types(ASSISTANT, EXECUTED);
        self.tally
            .happened(Check::Executions, says(&effects, PhraseKey::Executed));
        Ok(())
    }

    /// The sighted opponent's move: made on his board, his clock pressed, and announced by annexd
    /// as his board shows it (D.2.10.2). The player repeats it by voice and executes it on his own
    /// board.
    fn opponents_move(&mut self, ply: &Ply) -> Result<()> {
        let mut effects = self.stage.executes(Color::Black, ply.played)?;
        if !self.has_ended() {
            self.must_run(Color::Black);
            effects.append(&mut self.stage.types(OPPONENT, PRESS));
        }
        let announcement = ply.announcement();
        if read_back(&effects) != Some(&announcement) {
            let said = self.words_of(&announcement);
            return Err(self.wrong(sentence!(DemoNotAnnounced, said = said)));
        }
        if self.has_ended() {
            return Ok(());
        }
        if self.stage.game().running() != Some(Color::White) {
            return Err(self.wrong(sentence!(DemoNoPlayersClock)));
        }
        self.repeat(&announcement)?;
        self.stage.executes(Color::White, ply.played)?;
        let is_executed = self.stage.game().is_executed(Color::White) == Some(true);
        self.tally.happened(Check::Executions, is_executed);
        Ok(())
    }

    /// Checks that the opponent's clock is started by the press of a made move, and by nothing
    /// else.
    fn must_run(&mut self, side: Color) {
        let is_running = self.stage.game().running() == Some(side);
        self.tally.happened(Check::ClockStart, is_running);
    }

    /// Checks that the score keeps the slip as the player's, and the rejected announcement as
    /// misheard.
    fn check_score(&mut self) {
        let entries = self.stage.game().score(Color::White).entries();
        let has_slip = entries.iter().any(|entry| !entry.slips.is_empty());
        let has_misheard = entries.iter().any(|entry| !entry.misheard.is_empty());
        self.tally.happened(Check::Slip, has_slip);
        self.tally.happened(Check::Rejection, has_misheard);
    }

    pub(crate) fn assistant_rejects(&mut self) {
        self.stage.types(ASSISTANT, REJECT);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.stage.game().phase() != Phase::Playing
    }

    /// The announcement as it is said and read back in the table's language.
    pub(crate) fn words_of(&self, announcement: &Announcement) -> String {
        let arguments = [Argument::Move(announcement.clone())];
        self.language
            .text(&Phrase::new(PhraseKey::Announced, arguments))
    }

    pub(crate) fn wrong(&self, why: Sentence) -> Error {
        let moves = self.stage.game().plies();
        error!(Negative, DemoFailed, moves = moves, why = why)
    }
}

/// The announcement that was read back last.
pub(crate) fn read_back(effects: &[Effect]) -> Option<&Announcement> {
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

/// Whether something was said, on any channel.
pub(crate) fn says(effects: &[Effect], key: PhraseKey) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Say { phrase, .. } if phrase.key == key))
}

pub(crate) fn is_repetition_refused(effects: &[Effect]) -> bool {
    says(effects, PhraseKey::RepetitionDiffers) || says(effects, PhraseKey::RepeatAgain)
}
