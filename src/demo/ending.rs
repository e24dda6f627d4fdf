//! The end of the game: on the board, or as the file says.

use shakmaty::{Color, KnownOutcome, Outcome};

use super::game_file::GameFile;
use super::script::{ARBITER, OPPONENT, Script, says};
use annexd::game::Command;
use annexd::phrases::PhraseKey;
use annexd::shell::error::{Result, sentence};

/// The words for resigning, spoken and typed.
const RESIGN: &str = "Aufgabe";
const YES: &str = "Ja";
const OFFER: &str = "Remis";
const ACCEPT: &str = "Angenommen";
const CARRY_OUT: &str = "annehmen";

/// At most this many proposals for one end.
const PROPOSALS_MAX: u32 = 20;

impl Script {
    /// Ends the game as in the file. The arbiter decides what the program proposes.
    pub(crate) fn end(&mut self, game: &GameFile) -> Result<()> {
        if !self.has_ended() && !game.ends_on_board {
            match game.outcome {
                Some(Outcome::Known(outcome)) => self.end_by_word(outcome)?,
                _ => return Ok(()),
            }
        }
        for proposal in 1..PROPOSALS_MAX {
            if self.stage.game().ending().is_some() {
                break;
            }
            self.stage
                .types(ARBITER, &format!("{CARRY_OUT} {proposal}"));
        }
        self.compare_result(game)
    }

    /// Ends the game in words: the loser resigns, or a draw is offered and accepted.
    fn end_by_word(&mut self, outcome: KnownOutcome) -> Result<()> {
        match outcome.winner() {
            Some(Color::White) => {
                self.stage.types(OPPONENT, RESIGN);
                self.stage.types(OPPONENT, YES);
            }
            Some(Color::Black) => {
                self.commands(RESIGN, Command::Resign)?;
                self.commands(YES, Command::Yes)?;
            }
            None => {
                self.stage.types(OPPONENT, OFFER);
                let effects = self.commands(ACCEPT, Command::Accept)?;
                if says(&effects, PhraseKey::ConfirmAccept) {
                    self.commands(YES, Command::Yes)?;
                }
            }
        }
        Ok(())
    }

    fn compare_result(&self, game: &GameFile) -> Result<()> {
        let expected = match game.outcome {
            Some(Outcome::Known(outcome)) => outcome.to_string(),
            _ => return Ok(()),
        };
        let played = self.stage.game().plies();
        match self.stage.game().ending() {
            None => Err(self.wrong(sentence!(DemoNotEnded, expected = expected))),
            Some(ending) => match &ending.result {
                Some(result) if result.to_string() == expected => Ok(()),
                _ if played < game.plies.len() => {
                    let article = ending.article.to_string();
                    Err(self.wrong(sentence!(
                        DemoLawsEndIt,
                        article = article,
                        expected = expected
                    )))
                }
                Some(result) => {
                    let result = result.to_string();
                    Err(self.wrong(sentence!(
                        DemoOtherResult,
                        result = result,
                        expected = expected
                    )))
                }
                None => Err(self.wrong(sentence!(DemoWithoutResult, expected = expected))),
            },
        }
    }
}
