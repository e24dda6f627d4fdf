//! Games written down as text: what happens, and what must follow. `tests/games/README.md`
//! documents the format; `annexd run` plays it.

mod deeds;
mod event;
mod expectation;
mod preparation;
mod squares;
#[cfg(test)]
mod tests;
mod words;

use serde::Serialize;
use thiserror::Error;

use super::{Effect, Game, Input};
use annexd_laws::moment::Moment;
use annexd_phrases::Phrase;
use event::Event;
use expectation::Expected;
use preparation::Preparation;

/// A game written down.
#[derive(Clone, Debug)]
pub struct Scenario {
    preparation: Preparation,
    events: Vec<(usize, Moment, Event)>,
    expected: Vec<(usize, usize, Expected)>,
    /// The line numbers of the adaptations.
    adapting: Vec<usize>,
}

/// One effect with its time, as `annexd run` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Happening {
    /// The line of the event, counted from 1.
    pub line: usize,
    /// The time.
    pub at: Moment,
    /// The effect.
    pub effect: Effect,
    /// The words said or shown, if a language was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
}

/// What is wrong in a scenario, or in what the game did.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {wrong}")]
pub struct ScenarioError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub wrong: String,
    /// Whether the file is no valid scenario, rather than the game having done something else.
    pub is_bad_input: bool,
}

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// If a line is not understood; the fault names the line and how it should be.
    pub fn parse(text: &str) -> Result<Self, ScenarioError> {
        let mut scenario = Self {
            preparation: Preparation::default(),
            events: Vec::new(),
            expected: Vec::new(),
            adapting: Vec::new(),
        };
        // A byte order mark belongs to the file, not to its first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, full) in text.lines().enumerate() {
            let line = without_remark(full);
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            scenario
                .read(index + 1, line)
                .map_err(|wrong| ScenarioError {
                    line: index + 1,
                    wrong,
                    is_bad_input: true,
                })?;
        }
        scenario.check_adaptations()?;
        Ok(scenario)
    }

    /// The edition may be named after an adaptation, so all adaptations are checked at the end.
    fn check_adaptations(&self) -> Result<(), ScenarioError> {
        let profile = &self.preparation.profile;
        let mut rules = profile.edition.rules().clone();
        for (line, adaptation) in self.adapting.iter().zip(&profile.adaptations) {
            let adapted = rules.adapted(std::slice::from_ref(adaptation));
            rules = adapted.map_err(|error| ScenarioError {
                line: *line,
                wrong: error.to_string(),
                is_bad_input: true,
            })?;
        }
        Ok(())
    }

    fn read(&mut self, number: usize, line: &str) -> Result<(), String> {
        if line.starts_with(char::is_whitespace) {
            let event = self.events.len().checked_sub(1);
            let event = event.ok_or("an expectation belongs under an event")?;
            let expected = Expected::parse(line.trim())?;
            self.expected.push((number, event, expected));
        } else if let Some((time, rest)) = self.at_time(line) {
            if self
                .events
                .last()
                .is_some_and(|(_, before, _)| *before > time)
            {
                return Err("the time is earlier than the event before".to_owned());
            }
            self.events.push((number, time, Event::parse(rest)?));
        } else if self.events.is_empty() {
            self.preparation.read(line)?;
            let adaptations = self.preparation.profile.adaptations.len();
            self.adapting.resize(adaptations, number);
        } else {
            return Err("an event begins with its time, such as 0:05 or +0:05".to_owned());
        }
        Ok(())
    }

    /// Splits a line at its time: `1:02:03`, `2:03`, `2:03.250`, or `+0:05` after the previous
    /// event.
    fn at_time<'a>(&self, line: &'a str) -> Option<(Moment, &'a str)> {
        let (time, rest) = line.split_once(char::is_whitespace)?;
        let (since, time) = match time.strip_prefix('+') {
            Some(time) => (
                self.events.last().map_or(Moment::START, |(_, at, _)| *at),
                time,
            ),
            None => (Moment::START, time),
        };
        squares::time(time).map(|time| (since + time, rest.trim()))
    }

    /// Plays the scenario.
    ///
    /// # Errors
    /// The first expectation that is not met, with everything that has happened so far.
    pub fn play(&self) -> (Vec<Happening>, Result<(), ScenarioError>) {
        self.play_aloud(&|_| None)
    }

    /// Plays the scenario; `render` puts what is said into words, which expectations can name.
    ///
    /// # Errors
    /// The first expectation that is not met, with everything that has happened so far.
    pub fn play_aloud(
        &self,
        render: &dyn Fn(&Phrase) -> Option<String>,
    ) -> (Vec<Happening>, Result<(), ScenarioError>) {
        self.play_in(Game::new(self.preparation.profile.clone()), render)
    }

    /// Plays the scenario for somebody who sees the game after every input, with its effects. Its
    /// expectations are not checked.
    pub fn play_before(&self, see: &mut dyn FnMut(Moment, &Game, &[Effect])) {
        let expecting_nothing = Self {
            expected: Vec::new(),
            ..self.clone()
        };
        let game = Game::new(self.preparation.profile.clone());
        let _ = expecting_nothing.play_seen(game, &|_| None, see);
    }

    /// The language of the table that the scenario asks for.
    pub fn table_language(&self) -> String {
        self.preparation.profile.language_of_table()
    }

    fn play_in(
        &self,
        game: Game,
        render: &dyn Fn(&Phrase) -> Option<String>,
    ) -> (Vec<Happening>, Result<(), ScenarioError>) {
        self.play_seen(game, render, &mut |_, _, _| {})
    }

    fn play_seen(
        &self,
        mut game: Game,
        render: &dyn Fn(&Phrase) -> Option<String>,
        see: &mut dyn FnMut(Moment, &Game, &[Effect]),
    ) -> (Vec<Happening>, Result<(), ScenarioError>) {
        let mut happened: Vec<Happening> = Vec::new();
        for (index, (line, at, event)) in self.events.iter().enumerate() {
            let first = happened.len();
            let mut take = |game: &mut Game, at: Moment, input: Input| {
                let effects = game.handle(at, input);
                see(at, game, &effects);
                happened.extend(effects.into_iter().map(|effect| Happening {
                    line: *line,
                    at,
                    words: match &effect {
                        Effect::Say { phrase, .. } => render(phrase),
                        Effect::Propose { because, .. } => render(because),
                        _ => None,
                    },
                    effect,
                }));
            };
            while let Some(due) = game.deadline().filter(|due| due <= at) {
                take(&mut game, due, Input::Deadline);
            }
            if let Some(side) = event.runs_down(&game) {
                game.run_down(*at, side);
            }
            let mut step = 0;
            while let Some(input) = event.input(step, &game) {
                take(&mut game, *at, input);
                step += 1;
            }
            let effects = happened.get(first..).unwrap_or_default();
            for (line, of, expected) in &self.expected {
                if *of == index
                    && let Err(wrong) = expected.check(&game, *at, effects)
                {
                    let fault = ScenarioError {
                        line: *line,
                        wrong,
                        is_bad_input: false,
                    };
                    return (happened, Err(fault));
                }
            }
        }
        (happened, Ok(()))
    }
}

impl Happening {
    /// The effect as one plain line.
    pub fn text(&self) -> String {
        format!("{} {}", self.at, self.line())
    }

    /// The line without its time. Expectations are compared with it.
    fn line(&self) -> String {
        let plain = expectation::plain(&self.effect);
        match &self.words {
            Some(words) => format!("{plain} \"{words}\""),
            None => plain,
        }
    }
}

/// A line up to its remark: `#` after two spaces, or between spaces. `Qh7#` is a move.
fn without_remark(line: &str) -> &str {
    let end = ["  #", " # ", "\t#"]
        .iter()
        .filter_map(|mark| line.find(mark))
        .min();
    end.and_then(|end| line.get(..end)).unwrap_or(line)
}
