//! The documents: their links lead somewhere, their commands run, and their words are explained.
//!
//! A block of code says what it is. The lines of `sh` are run here, page by page, with the built
//! program and the files named in [`FILES`]. Those of `sh no-run` need a device, a second person
//! or a build; of them, and of commands within a line, subcommands and options are looked up.
//! `toml` is read as settings, `game` is played, `text` is what somebody reads.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the project's files, runs its program, and fails where they fail"
)]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use annexd::shell::config::settings::Settings;
use common::{Home, given, printed, text};

/// What lies where the commands of a page are run.
const FILES: [(&str, &str); 2] = [
    ("sheet.txt", "tests/sheets/spaces-inside.txt"),
    ("game.pgn", "assets/games/opera.pgn"),
];

/// Where pages stand that are installed: nothing else may be linked to.
const INSTALLED: [&str; 4] = ["docs/", "assets/", "tests/games/", "tests/reconcile/"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| name.ends_with(".md"));
    let mut pages: Vec<String> = pages.map(|name| format!("{folder}{name}")).collect();
    pages.sort();
    pages
}

/// The pages that are written for people, by their place in the project.
fn documents() -> Vec<String> {
    ["", "docs/", "docs/de/"]
        .into_iter()
        .flat_map(pages_in)
        .collect()
}

/// Those that they link to besides.
fn all_pages() -> Vec<String> {
    let beside = ["tests/games/", "tests/reconcile/", "assets/model-de/"];
    let beside = beside.map(|folder| format!("{folder}README.md"));
    documents().into_iter().chain(beside).collect()
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap()
}

/// A block of code, with the words behind its fence.
struct Block {
    info: String,
    line: usize,
    lines: Vec<String>,
}

/// The lines of a page outside its blocks of code, numbered from 1, and these blocks.
fn parts(page: &str) -> (Vec<(usize, String)>, Vec<Block>) {
    let (mut prose, mut blocks) = (Vec::new(), Vec::<Block>::new());
    let mut is_inside = false;
    for (number, line) in read(page).lines().enumerate() {
        match (line.strip_prefix("```"), is_inside) {
            (Some(info), false) => blocks.push(Block {
                info: info.to_owned(),
                line: number + 1,
                lines: Vec::new(),
            }),
            (Some(_), true) => {}
            (None, true) => blocks.last_mut().unwrap().lines.push(line.to_owned()),
            (None, false) => prose.push((number + 1, line.to_owned())),
        }
        is_inside ^= line.starts_with("```");
    }
    assert!(!is_inside, "{page}: a block of code has no end");
    (prose, blocks)
}

/// A line without what stands in it as code, and that code.
fn spans(line: &str) -> (String, Vec<String>) {
    let mut pieces = line.split('`').map(str::to_owned);
    let mut outside = pieces.next().unwrap_or_default();
    let mut code = Vec::new();
    while let (Some(inside), Some(after)) = (pieces.next(), pieces.next()) {
        code.push(inside);
        outside.push_str(&after);
    }
    (outside, code)
}

fn links(line: &str) -> Vec<String> {
    let (outside, _) = spans(line);
    let behind = outside.split("](").skip(1);
    let targets = behind.filter_map(|rest| rest.split_once(')'));
    targets.map(|(target, _)| target.to_owned()).collect()
}

/// The name by which a heading is linked to.
fn anchor(heading: &str) -> String {
    let letters = heading.trim().to_lowercase();
    let letters = letters.chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => Some(letter).filter(|letter| letter.is_alphanumeric()),
    });
    letters.collect()
}

fn anchors(page: &str) -> BTreeSet<String> {
    let (prose, _) = parts(page);
    let headings = prose.iter().filter(|(_, line)| line.starts_with('#'));
    headings
        .map(|(_, line)| anchor(line.trim_start_matches('#')))
        .collect()
}

/// A link's target as a place in the project.
fn resolved(page: &str, target: &str) -> String {
    let mut place = PathBuf::new();
    let folder = Path::new(page).parent().unwrap();
    for part in folder.join(target).iter() {
        if part == ".." {
            assert!(place.pop(), "{page}: {target} leads out of the project");
        } else {
            place.push(part);
        }
    }
    place.to_str().unwrap().to_owned()
}

#[test]
fn every_link_leads_somewhere_that_is_installed() {
    let mut faults = Vec::new();
    for page in all_pages() {
        for (number, line) in parts(&page).0 {
            for link in links(&line) {
                if link.starts_with("https://") {
                    continue;
                }
                let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
                let place = match file {
                    "" => page.clone(),
                    file => resolved(&page, file),
                };
                let at = format!("{page}:{number}: {link}");
                let is_installed = INSTALLED.iter().any(|it| place.starts_with(it));
                if !root().join(&place).is_file() {
                    faults.push(format!("{at}: there is no such file"));
                } else if !is_installed && place.contains('/') {
                    faults.push(format!("{at}: make install does not install it"));
                } else if !heading.is_empty() && !anchors(&place).contains(heading) {
                    faults.push(format!("{at}: there is no such heading"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// A file or folder of the project that a page names is there.
#[test]
fn every_place_that_is_named_is_there() {
    let folders = [
        "src/", "tests/", "benches/", "grammar/", "assets/", "docs/", ".ci/",
    ];
    let mut faults = Vec::new();
    for page in all_pages() {
        for (number, line) in parts(&page).0 {
            for code in spans(&line).1 {
                let is_place = folders.iter().any(|folder| code.starts_with(folder));
                let is_pattern = code.contains([' ', '*']) || code.contains("LANGUAGE");
                let is_example = is_pattern || code.contains("XX");
                if is_place && !is_example && !root().join(&code).exists() {
                    faults.push(format!("{page}:{number}: there is no {code}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[test]
fn every_page_is_reached_from_the_readme() {
    let mut reached = BTreeSet::from(["README.md".to_owned()]);
    let mut waiting = vec!["README.md".to_owned()];
    while let Some(page) = waiting.pop() {
        for link in parts(&page).0.iter().flat_map(|(_, line)| links(line)) {
            let file = link.split('#').next().unwrap();
            if file.ends_with(".md") && !file.contains("://") {
                let place = resolved(&page, file);
                if reached.insert(place.clone()) {
                    waiting.push(place);
                }
            }
        }
    }
    let mut pages = documents();
    pages.retain(|page| !reached.contains(page));
    assert!(pages.is_empty(), "nobody finds {pages:?}");
}

/// What a page for one person says in one language it says in the other: as many headings, rows
/// and steps.
#[test]
fn the_pages_of_both_languages_say_the_same() {
    let shape = |page: &str| {
        let (prose, blocks) = parts(page);
        let begins = |mark: &str| prose.iter().filter(|it| it.1.starts_with(mark)).count();
        let steps = (1..=9).map(|step| begins(&format!("{step}. "))).sum();
        [begins("#"), begins("|"), begins("- "), steps, blocks.len()]
    };
    for german in pages_in("docs/de/") {
        let english = german.replace("docs/de/", "docs/");
        assert_eq!(shape(&german), shape(&english), "{german} and {english}");
    }
}

/// One printed page holds some sixty lines of ninety letters.
#[test]
fn a_page_for_one_person_is_one_printed_page_and_the_readme_is_short() {
    for person in ["player", "opponent", "assistant", "arbiter"] {
        for folder in ["docs/", "docs/de/"] {
            let page = format!("{folder}{person}.md");
            let text = read(&page);
            let printed = text.lines().filter(|line| !line.is_empty());
            let lines: usize = printed.map(|line| line.chars().count().div_ceil(90)).sum();
            assert!(lines <= 66, "{page} has {lines} lines");
        }
    }
    assert!(read("README.md").lines().count() <= 150);
    assert!(read("CHANGELOG.md").lines().count() <= 60);
}

#[test]
fn every_block_of_code_says_what_it_is() {
    let known = ["sh", "sh no-run", "toml", "text", "rust", "game"];
    for page in documents() {
        let (prose, blocks) = parts(&page);
        for block in &blocks {
            let info = block.info.as_str();
            assert!(known.contains(&info), "{page}:{}: {info:?}", block.line);
        }
        let indented = prose.iter().find(|(_, line)| line.starts_with("    "));
        assert!(indented.is_none(), "{page}: {indented:?} says it not");
    }
}

#[test]
fn what_stands_there_as_settings_is_right() {
    let mut count = 0;
    for page in documents() {
        for block in parts(&page).1.iter().filter(|it| it.info == "toml") {
            let settings = Settings::parse(&block.lines.join("\n"));
            assert!(settings.is_ok(), "{page}:{}: {settings:?}", block.line);
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn the_games_that_stand_there_are_played() {
    for page in documents() {
        for block in parts(&page).1.iter().filter(|it| it.info == "game") {
            let output = given(&Home::new(), &["run", "-"], block.lines.join("\n"));
            let at = format!("{page}:{}", block.line);
            assert!(output.status.success(), "{at}\n{}", text(&output));
        }
    }
}

#[test]
fn every_command_that_needs_no_device_runs() {
    let folder = Path::new(env!("CARGO_BIN_EXE_annexd")).parent().unwrap();
    let usual = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{usual}", folder.display());
    let mut count = 0;
    for page in documents() {
        let home = Home::new();
        let place = home.path("here");
        fs::create_dir(&place).unwrap();
        for (name, from) in FILES {
            fs::copy(root().join(from), place.join(name)).unwrap();
        }
        for block in parts(&page).1.iter().filter(|it| it.info == "sh") {
            for line in &block.lines {
                if line.contains("annexd listen") && cfg!(not(feature = "recognizer")) {
                    continue;
                }
                let mut shell = home.command_by(&["sh", "-c", line], &[]);
                let shell = shell.env("PATH", &path).current_dir(&place);
                let output = shell.stdin(Stdio::null()).output().unwrap();
                let at = format!("{page}:{}: {line}", block.line);
                assert!(output.status.success(), "{at}\n{}", text(&output));
                count += 1;
            }
        }
    }
    assert!(count >= 10, "only {count} commands");
}

/// The README's moves, typed as they stand there: what is answered comes in the same order.
#[test]
fn the_first_moves_of_the_readme_are_answered_as_it_says() {
    let (prose, blocks) = parts("README.md");
    let lines = blocks.iter().flat_map(|block| &block.lines);
    let command = lines.map(String::as_str).find(|it| it.contains(" play "));
    let arguments: Vec<&str> = command.unwrap().split(' ').skip(1).collect();
    let mut typed = String::new();
    let mut answers = Vec::new();
    let rows = prose.iter().map(|(_, line)| line.as_str());
    let rows = rows.skip_while(|line| !line.starts_with("| you type |"));
    for row in rows.skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        typed.push_str(cells[0].trim_matches('`'));
        typed.push('\n');
        answers.push(cells[1]);
    }
    assert!(answers.len() > 18, "six moves need more lines");
    let output = given(&Home::new(), &arguments, typed);
    let printed = printed(&output);
    let mut lines = printed.lines();
    for answer in answers {
        let pieces: Vec<&str> = answer.split('…').collect();
        let is_answer = |line: &str| {
            let mut rest = line;
            pieces.iter().all(|piece| {
                let found = rest.split_once(piece.trim());
                rest = found.map_or("", |(_, behind)| behind);
                found.is_some()
            })
        };
        assert!(lines.any(is_answer), "{answer:?} is missing:\n{printed}");
    }
}

/// What is known of the program's own commands, each asked once.
#[derive(Default)]
struct Help(BTreeMap<Vec<String>, Option<String>>);

impl Help {
    /// The help of a command; none if there is no such command.
    fn of(&mut self, words: &[&str]) -> Option<&str> {
        let key: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let ask = || {
            let mut arguments = words.to_vec();
            arguments.push("--help");
            let output = Home::new().run(&arguments);
            output.status.success().then(|| printed(&output))
        };
        self.0.entry(key).or_insert_with(ask).as_deref()
    }

    /// What is wrong with a command of annexd.
    fn fault(&mut self, words: &[&str]) -> Option<String> {
        let &first = words.first()?;
        if first.starts_with('-') {
            return None;
        }
        let mut command = vec![first];
        let Some(help) = self.of(&command) else {
            return Some(format!("there is no annexd {first}"));
        };
        if help.contains("<COMMAND>") {
            command.extend(words.get(1).filter(|word| !word.starts_with('-')));
        }
        let Some(help) = self.of(&command) else {
            return Some(format!("there is no annexd {}", command.join(" ")));
        };
        let options = words.iter().filter(|word| word.starts_with("--"));
        let names = options.filter_map(|word| word.split('=').next());
        let mut unknown = names.filter(|name| !help.contains(*name));
        let unknown = unknown.next()?;
        Some(format!("annexd {} has no {unknown}", command.join(" ")))
    }
}

/// What is wrong with a command of cargo: a test, a bench or the name of a test that is not there.
fn fault_of_cargo(words: &[&str], sources: &str) -> Option<String> {
    let mut names = Vec::new();
    let mut words = words.iter().take_while(|word| **word != "--");
    while let Some(&word) = words.next() {
        match word {
            "--test" => {
                let name = words.next()?;
                let file = format!("tests/{name}.rs");
                if !root().join(&file).is_file() {
                    return Some(format!("there is no {file}"));
                }
            }
            "--bench" => {
                let file = format!("benches/{}.rs", words.next()?);
                if !root().join(&file).is_file() {
                    return Some(format!("there is no {file}"));
                }
            }
            "-p" => {
                words.next();
            }
            _ if word.starts_with('-') => {}
            name => names.push(name),
        }
    }
    let asked = names.iter().skip(1).map(|name| name.rsplit("::").next());
    let mut missing = asked.flatten().filter(|name| !sources.contains(name));
    missing
        .next()
        .map(|name| format!("no test is named {name}"))
}

fn fault_of_make(words: &[&str], makefile: &str) -> Option<String> {
    let mut targets = words.iter().filter(|word| !word.contains('='));
    let rules = makefile.lines().filter_map(|line| line.split_once(':'));
    let made: Vec<&str> = rules.flat_map(|(made, _)| made.split(' ')).collect();
    let target = targets.find(|target| !made.contains(target))?;
    Some(format!("there is no make {target}"))
}

fn sources() -> String {
    let mut text = String::new();
    let mut waiting = vec![root().join("src"), root().join("tests")];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    text
}

#[test]
fn every_command_that_is_named_is_there() {
    let makefile = read("Makefile");
    let sources = sources();
    let mut help = Help::default();
    let mut faults = Vec::new();
    for page in documents() {
        let (prose, blocks) = parts(&page);
        let within = prose
            .iter()
            .flat_map(|(number, line)| spans(line).1.into_iter().map(|code| (*number, code)));
        let shells = blocks.iter().filter(|block| block.info.starts_with("sh"));
        let in_blocks = shells.flat_map(|it| it.lines.iter().map(|line| (it.line, line.clone())));
        for (number, line) in within.chain(in_blocks) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let fault = match words.split_first() {
                Some((&"annexd", words)) => help.fault(words),
                Some((&"cargo", words)) if ["test", "bench"].contains(&words[0]) => {
                    fault_of_cargo(words, &sources)
                }
                Some((&"make", words)) => fault_of_make(words, &makefile),
                _ => None,
            };
            faults.extend(fault.map(|fault| format!("{page}:{number}: {line}: {fault}")));
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

/// The numbers behind a word: "trap 66", "traps 66, 67".
fn numbers_behind(text: &str, word: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in text.split(word).skip(1) {
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        let Some(rest) = rest.strip_prefix(' ') else {
            continue;
        };
        for number in rest.split(", ") {
            let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
            let is_alone = digits.len() == number.len();
            found.extend(Some(digits).filter(|it| !it.is_empty()));
            if !is_alone {
                break;
            }
        }
    }
    found
}

#[test]
fn every_trap_and_invariant_that_a_comment_names_is_explained() {
    let sources = sources();
    let comments = sources.lines().filter_map(|line| line.split_once("//"));
    let comments: String = comments.map(|(_, rest)| format!("{rest}\n")).collect();
    let traps = read("docs/traps.md");
    let cited = numbers_behind(&comments, "trap");
    assert!(cited.len() > 10, "{cited:?}");
    for number in cited {
        let row = format!("| {number} |");
        assert!(
            traps.contains(&row),
            "docs/traps.md explains no trap {number}"
        );
    }
    let architecture = read("ARCHITECTURE.md");
    let words = comments.split(|letter: char| !letter.is_alphanumeric());
    let is_invariant = |word: &&str| {
        let number = word.strip_prefix('X').unwrap_or_default();
        number.len() == 1 && number.chars().all(|letter| letter.is_ascii_digit())
    };
    let cited: BTreeSet<&str> = words.filter(is_invariant).collect();
    assert!(cited.contains("X1"), "{cited:?}");
    for name in cited {
        let row = format!("| {name} |");
        assert!(
            architecture.contains(&row),
            "ARCHITECTURE.md explains no {name}"
        );
    }
}
