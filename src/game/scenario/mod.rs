//! Games written down as text: what happens, and what must follow. `tests/games/README.md`
//! documents the format; `annexd run` plays it.

mod event;
mod expectation;
mod preparation;
mod squares;

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

#[cfg(test)]
mod tests {
    #![expect(
        clippy::disallowed_methods,
        reason = "tests read their games from files"
    )]

    use std::fs;
    use std::path::PathBuf;

    use super::*;

    fn folder() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/games")
    }

    /// The games with their file names, in order.
    fn games() -> Vec<(String, String)> {
        let mut games: Vec<(String, String)> = fs::read_dir(folder())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "txt"))
            .map(|path| {
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                (name, fs::read_to_string(&path).unwrap())
            })
            .collect();
        games.sort();
        games
    }

    /// The rules that a game says it stands for: `# rule: D.2.4`.
    fn rules_of(text: &str) -> Vec<String> {
        text.lines()
            .filter_map(|line| line.strip_prefix("# rule:"))
            .flat_map(|rules| rules.split_whitespace().map(str::to_owned))
            .collect()
    }

    #[test]
    fn every_game_does_what_it_says() {
        let mut faults = Vec::new();
        for (name, text) in games() {
            match Scenario::parse(&text) {
                Ok(scenario) => {
                    if let (_, Err(fault)) = scenario.play() {
                        faults.push(format!("{name}: {fault}"));
                    }
                }
                Err(fault) => faults.push(format!("{name}: {fault}")),
            }
        }
        assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    }

    #[test]
    fn every_game_notices_when_its_rule_is_switched_off() {
        let mut faults = Vec::new();
        for (name, text) in games() {
            let Ok(scenario) = Scenario::parse(&text) else {
                continue;
            };
            for rule in rules_of(&text) {
                let mut game = Game::new(scenario.preparation.profile.clone());
                game.switched_off.push(rule.clone());
                if scenario.play_in(game).1.is_ok() {
                    faults.push(format!("{name}: passes without {rule}"));
                }
            }
        }
        assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    }

    #[test]
    fn every_clause_has_a_game_or_a_reason() {
        let clauses = fs::read_to_string(folder().join("clauses.tsv")).unwrap();
        let games = games();
        let mut faults = Vec::new();
        for (index, line) in clauses.lines().enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields.as_slice() {
                [_, "game", name] => {
                    if !games.iter().any(|(game, _)| game == name) {
                        faults.push(format!("line {}: no game {name}", index + 1));
                    }
                }
                [
                    _,
                    "laws" | "notation" | "score" | "shell" | "person" | "checklist",
                    reason,
                ] if !reason.is_empty() => {}
                _ => faults.push(format!("line {}: {line}", index + 1)),
            }
        }
        for (name, _) in &games {
            let is_listed = clauses
                .lines()
                .any(|line| line.ends_with(&format!("\t{name}")));
            if !is_listed {
                faults.push(format!("{name} stands for no clause"));
            }
        }
        assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    }

    #[test]
    fn replaying_the_inputs_gives_the_same_game() {
        for (name, text) in games() {
            let Ok(scenario) = Scenario::parse(&text) else {
                continue;
            };
            let [one, other] = [(); 2].map(|()| scenario.play().0);
            let text = |happened: &[Happening]| serde_json::to_string(happened).unwrap();
            assert_eq!(text(&one), text(&other), "{name}");
        }
    }

    #[test]
    fn a_wrong_line_is_named() {
        let fault = Scenario::parse("profile edition=1997\n").unwrap_err();
        assert_eq!(fault.line, 1);
        let fault = Scenario::parse("0:01 arbiter starts\n0:02 white flies\n").unwrap_err();
        assert_eq!(fault.line, 2);
        assert!(fault.wrong.contains("flies"));
        let scenario = Scenario::parse("0:01 arbiter starts\n    EAR white announced\n").unwrap();
        assert_eq!(scenario.play().1.unwrap_err().line, 2);
    }
}
