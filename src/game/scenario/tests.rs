//! The games of `tests/games`: all hold, and each notices when its rule is switched off.

#![expect(
    clippy::disallowed_methods,
    reason = "tests read their games and sources from files"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::*;
use crate::Profile;
use annexd_laws::notation::Lexicon;
use annexd_laws::{Adaptation, Edition};
use annexd_phrases::Language;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/games")
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

/// What follows this word at the head of a game.
fn headed<'a>(text: &'a str, head: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines()
        .filter_map(move |line| line.strip_prefix(head))
        .map(str::trim)
}

/// The rules that a game says it stands for: `# rule: D.2.4`.
fn rules_of(text: &str) -> Vec<&str> {
    headed(text, "# rule:")
        .flat_map(str::split_whitespace)
        .collect()
}

/// The languages of the table, from the grammar.
static LANGUAGES: LazyLock<BTreeMap<String, Language>> = LazyLock::new(|| {
    let grammar = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../grammar");
    let folders = fs::read_dir(grammar).unwrap().map(|entry| entry.unwrap());
    folders
        .map(|folder| {
            let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
            let lexicon = Lexicon::parse(&read("lexicon.toml"), &read("commands.toml")).unwrap();
            let texts = Language::FILES.map(read);
            let language = Language::parse(lexicon, texts.each_ref().map(String::as_str)).unwrap();
            (folder.file_name().to_string_lossy().into_owned(), language)
        })
        .collect()
});

/// Plays a game as `annexd run` does: its expectations may name the words of the table's language.
fn play(scenario: &Scenario, switched_off: &[&str]) -> Result<(), ScenarioError> {
    let mut game = Game::new(scenario.preparation.profile.clone());
    let switched_off = switched_off.iter().map(|&rule| rule.to_owned());
    game.switched_off.extend(switched_off);
    let language = &LANGUAGES[&scenario.table_language()];
    let words = |phrase: &Phrase| Some(language.text(phrase));
    scenario.play_in(game, &words).1
}

/// Fails with all faults together, each on its own line.
#[track_caller]
fn none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn every_game_does_what_it_says() {
    let mut faults = Vec::new();
    for (name, text) in games() {
        match Scenario::parse(&text) {
            Ok(scenario) => {
                if let Err(fault) = play(&scenario, &[]) {
                    faults.push(format!("{name}: {fault}"));
                }
            }
            Err(fault) => faults.push(format!("{name}: {fault}")),
        }
    }
    none(&faults);
}

#[test]
fn every_game_notices_when_its_rule_is_switched_off() {
    let mut faults = Vec::new();
    for (name, text) in games() {
        let (rules, otherwise) = (rules_of(&text), headed(&text, "# fails with:"));
        let mut stands_for = rules.len();
        let Ok(scenario) = Scenario::parse(&text) else {
            continue;
        };
        for rule in rules {
            if play(&scenario, &[rule]).is_ok() {
                faults.push(format!("{name}: passes without {rule}"));
            }
        }
        for line in otherwise {
            stands_for += 1;
            let mut other = scenario.clone();
            match other.preparation.read(line) {
                Ok(()) if play(&other, &[]).is_ok() => {
                    faults.push(format!("{name}: passes with {line}"));
                }
                Ok(()) => {}
                Err(wrong) => faults.push(format!("{name}: {wrong}")),
            }
        }
        if stands_for == 0 {
            faults.push(format!(
                "{name}: neither `# rule:` nor `# fails with:` says what it stands for"
            ));
        }
    }
    none(&faults);
}

#[test]
fn every_rule_of_the_game_has_a_scenario_that_fails_without_it() {
    let games = games();
    let stood_for: BTreeSet<&str> = games.iter().flat_map(|(_, text)| rules_of(text)).collect();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
    let missing: Vec<String> = fs::read_dir(sources)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .flat_map(|path| rules_in(&path))
        .filter(|rule| !stood_for.contains(rule.as_str()))
        .collect();
    none(&missing);
}

/// The rules that a source file asks for by `holds("D.2.4")`, and those it reports under.
fn rules_in(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let calls = ["holds(", "report("];
    let asked = calls.iter().flat_map(|call| text.split(call).skip(1));
    asked
        .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_clause_has_a_game_or_a_reason() {
    let read = |name: &str| fs::read_to_string(folder().join(name)).unwrap();
    let (table, catalogue) = (read("clauses.tsv"), read("../laws/clauses.txt"));
    let games: BTreeSet<String> = games().into_iter().map(|(name, _)| name).collect();
    let (mut ids, mut named, mut faults) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    for (index, line) in table.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields.as_slice() {
            [id, "game", name] if games.contains(*name) => {
                ids.insert(*id);
                named.insert((*name).to_owned());
            }
            [
                id,
                "laws" | "notation" | "score" | "shell" | "person" | "checklist",
                reason,
            ] if !reason.is_empty() => {
                ids.insert(*id);
            }
            _ => faults.push(format!("clauses.tsv, line {}: {line}", index + 1)),
        }
    }
    let catalogue: BTreeSet<&str> = catalogue
        .lines()
        .filter(|id| !id.starts_with('#'))
        .collect();
    faults.extend(
        catalogue
            .difference(&ids)
            .map(|id| format!("{id}: no game and no reason")),
    );
    faults.extend(
        ids.difference(&catalogue)
            .map(|id| format!("{id}: not in the catalogue")),
    );
    faults.extend(
        games
            .difference(&named)
            .map(|name| format!("{name} stands for no clause")),
    );
    none(&faults);
}

#[test]
fn all_fifteen_acceptance_vectors_are_played() {
    let games = games();
    let missing: Vec<String> = (1..=15)
        .map(|number| format!("vector-{number:02}-"))
        .filter(|start| !games.iter().any(|(name, _)| name.starts_with(start)))
        .collect();
    none(&missing);
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
fn the_games_of_the_description_do_what_they_say() {
    let text = fs::read_to_string(folder().join("README.md")).unwrap();
    let games: Vec<&str> = text
        .split("```game\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert_eq!(games.len(), 4);
    for (number, game) in games.iter().enumerate() {
        let scenario = Scenario::parse(game).unwrap_or_else(|fault| panic!("{number}: {fault}"));
        assert_eq!(play(&scenario, &[]), Ok(()), "game {number}");
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

// Every value that an arbiter can adapt is changed alone, one by one: some game notices it (D.1).
// Where the editions differ in it, the value of another edition is used.

/// The values of each key by edition; an edition without it has none.
fn values_of_editions() -> BTreeMap<String, Vec<Option<String>>> {
    let all: Vec<BTreeMap<String, String>> = Edition::ALL
        .iter()
        .map(|edition| edition.rules().values())
        .collect();
    let keys: BTreeSet<&String> = all.iter().flat_map(BTreeMap::keys).collect();
    let of = |key: &String| all.iter().map(|values| values.get(key).cloned()).collect();
    keys.into_iter().map(|key| (key.clone(), of(key))).collect()
}

/// Whether a game fails when only this value is changed; `None` if it cannot be changed.
fn fails_with(game: &Scenario, key: &str, value: &str) -> Option<bool> {
    let mut other = game.clone();
    let profile = &mut other.preparation.profile;
    profile.adaptations.push(Adaptation {
        key: key.to_owned(),
        value: value.to_owned(),
        arbiter: "the test".to_owned(),
        at: "before the game".to_owned(),
    });
    let rules = profile.edition.rules().adapted(&profile.adaptations);
    rules.is_ok().then(|| play(&other, &[]).is_err())
}

fn game(name: &str) -> Scenario {
    let file = folder().join(format!("{name}.txt"));
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    Scenario::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

#[test]
fn every_value_that_can_be_adapted_changes_what_a_game_shows() {
    let table = fs::read_to_string(folder().join("../laws/crossings.csv")).unwrap();
    let mut rows: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<&str> = line.split(';').map(str::trim).collect();
        let [key, game, value] = cells[..] else {
            panic!("three cells are expected: {line}");
        };
        rows.insert(key, (game, value));
    }
    let mut faults = Vec::new();
    for (key, values) in &values_of_editions() {
        let Some((name, named)) = rows.remove(key.as_str()) else {
            faults.push(format!("{key}: no game"));
            continue;
        };
        let played = game(name);
        let editions: BTreeSet<&str> = values.iter().flatten().map(String::as_str).collect();
        let others: Vec<&str> = match named {
            "" => editions.into_iter().collect(),
            named => vec![named],
        };
        let differs = |value: &&str| fails_with(&played, key, value) == Some(true);
        if !others.iter().any(differs) {
            faults.push(format!("{key}: {name} does not notice another value"));
        }
    }
    faults.extend(
        rows.keys()
            .map(|key| format!("{key}: no such value can be adapted")),
    );
    none(&faults);
}

#[test]
fn a_mistyped_adaptation_is_named_with_its_line_and_the_nearest_key() {
    let text = "adapt illegal_moves.standard.lose_at = 3 by Frau Holm\nprofile edition=2014\n";
    let fault = Scenario::parse(text).unwrap_err();
    assert!(fault.is_bad_input);
    assert_eq!(fault.line, 1);
    let nearest = "the nearest is illegal_moves.standard.loses_at";
    assert!(fault.wrong.contains(nearest), "{fault}");
}

#[test]
fn an_adaptation_that_cannot_be_taken_leaves_the_others_alone() {
    let adaptation = |key: &str, value: &str| Adaptation {
        key: key.to_owned(),
        value: value.to_owned(),
        arbiter: "Frau Holm".to_owned(),
        at: "as written".to_owned(),
    };
    let good = adaptation("illegal_moves.standard.loses_at", "5");
    let game = Game::new(Profile {
        adaptations: vec![adaptation("illegal.loses_at", "5"), good.clone()],
        ..Profile::default()
    });
    assert_eq!(game.rules().illegal_moves.standard.loses_at, 5);
    assert_eq!(game.profile().adaptations, [good]);
}
