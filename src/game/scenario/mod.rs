//! Games written down as text: what happens, and what must follow. `tests/games/README.md`
//! documents the format; `annexd run` plays it.

mod event;
mod expectation;
mod preparation;
mod squares;
#[cfg(test)]
mod tests;

use serde::Serialize;
use thiserror::Error;

use super::{Effect, Game, Input};
use crate::moment::Moment;
use event::Event;
use expectation::Expected;
use preparation::Preparation;

/// A game written down.
#[derive(Clone, Debug)]
pub struct Scenario {
    preparation: Preparation,
    events: Vec<(usize, Moment, Event)>,
    expected: Vec<(usize, usize, Expected)>,
}

/// One effect and when it came, as `annexd run` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Happening {
    /// The line of the event, counted from 1.
    pub line: usize,
    /// When.
    pub at: Moment,
    /// What.
    pub effect: Effect,
}

/// What is wrong in a scenario, or with what the game did.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {wrong}")]
pub struct Fault {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub wrong: String,
    /// Whether the file cannot be read as a scenario (and not that the game did otherwise).
    pub is_bad_input: bool,
}

impl Scenario {
    /// Reads a scenario.
    ///
    /// # Errors
    /// If a line is not understood; the fault names the line and how it should be.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let mut scenario = Self {
            preparation: Preparation::default(),
            events: Vec::new(),
            expected: Vec::new(),
        };
        for (index, full) in text.lines().enumerate() {
            let line = full.split("  #").next().unwrap_or_default();
            if line.trim().is_empty() || line.trim_start().starts_with('#') {
                continue;
            }
            scenario.read(index + 1, line).map_err(|wrong| Fault {
                line: index + 1,
                wrong,
                is_bad_input: true,
            })?;
        }
        Ok(scenario)
    }

    fn read(&mut self, number: usize, line: &str) -> Result<(), String> {
        if line.starts_with(char::is_whitespace) {
            let event = self.events.len().checked_sub(1);
            let event = event.ok_or("an expectation belongs under an event")?;
            let expected = Expected::parse(line.trim())?;
            self.expected.push((number, event, expected));
        } else if let Some((time, rest)) = at_time(line) {
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
        } else {
            return Err("an event begins with its time, such as 0:05".to_owned());
        }
        Ok(())
    }

    /// Plays the scenario.
    ///
    /// # Errors
    /// The first expectation that is not met, with everything that has happened so far.
    pub fn play(&self) -> (Vec<Happening>, Result<(), Fault>) {
        self.play_in(Game::new(self.preparation.profile.clone()))
    }

    fn play_in(&self, mut game: Game) -> (Vec<Happening>, Result<(), Fault>) {
        let mut happened: Vec<Happening> = Vec::new();
        for (index, (line, at, event)) in self.events.iter().enumerate() {
            let first = happened.len();
            let mut take = |game: &mut Game, at: Moment, input: Input| {
                let effects = game.handle(at, input);
                happened.extend(effects.into_iter().map(|effect| Happening {
                    line: *line,
                    at,
                    effect,
                }));
            };
            while let Some(due) = game.deadline().filter(|due| due <= at) {
                take(&mut game, due, Input::Deadline);
            }
            let mut step = 0;
            while let Some(input) = event.input(step, &game) {
                take(&mut game, *at, input);
                step += 1;
            }
            let effects: Vec<&Effect> = happened[first..]
                .iter()
                .map(|happened| &happened.effect)
                .collect();
            for (line, of, expected) in &self.expected {
                if *of == index
                    && let Err(wrong) = expected.check(&game, *at, &effects)
                {
                    let fault = Fault {
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
        format!("{} {}", self.at, expectation::plain(&self.effect))
    }
}

/// `1:02:03`, `2:03` or `2:03.250`, and what stands after it.
fn at_time(line: &str) -> Option<(Moment, &str)> {
    let (time, rest) = line.split_once(' ')?;
    squares::time(time).map(|time| (Moment::START + time, rest.trim()))
}
