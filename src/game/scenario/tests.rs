//! All games of `tests/games` do what they say, every clause of the catalogue has its game or its
//! reason, and each game notices when its rule is switched off.

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
