//! What people read is in one language: no sentence has a word of another one, and no command
//! answers in two.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the words from files and runs the program, and fails where it cannot"
)]

use crate::common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

use common::{Home, text};

const CODES: [&str; 4] = ["de", "en", "sv", "da"];

/// A word that so many messages of a language have is one of its own …
const OFTEN: usize = 8;

/// … and strange to another that has it in so much fewer.
const SELDOM: usize = 12;

/// Words of the language that look like words of another.
const OWN: [(&str, &[&str]); 4] = [
    (
        "de",
        &["lost", "all", "alt", "computer", "du", "her", "start"],
    ),
    ("en", &["am"]),
    (
        "sv",
        &[
            "turneringen",
            "all",
            "denne",
            "regeln",
            "noteringen",
            "reklamation",
        ],
    ),
    (
        "da",
        &["stand", "reklamation", "ende", "set", "stands", "ordner"],
    ),
];

/// Messages that name words of another language, or values of a file.
fn quotes(name: &str) -> bool {
    name.starts_with("laws.toml says D.2.1")
        || [
            "errors.toml set_gamepad",
            "errors.toml practice_missing",
            "errors.toml kind_cpp",
            "pages.toml language",
        ]
        .contains(&name)
}

/// All texts of a table with the names by which they are found. What is typed is not read.
fn texts(name: &str, value: &toml::Value, into: &mut Vec<(String, String)>) {
    match value {
        toml::Value::String(text) => into.push((name.to_owned(), text.clone())),
        toml::Value::Array(all) => all.iter().for_each(|it| texts(name, it, into)),
        toml::Value::Table(table) => {
            for (key, value) in table {
                if !["words", "typed", "keys"].contains(&key.as_str()) {
                    texts(&format!("{name} {key}"), value, into);
                }
            }
        }
        _ => {}
    }
}

/// What people read in a language: the pages of its folder, and all that is said, put together as
/// `tests/spoken` has it.
fn messages(code: &str) -> Vec<(String, String)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for file in fs::read_dir(root.join("grammar").join(code)).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if ["lexicon.toml", "commands.toml"].contains(&name.as_str()) {
            continue;
        }
        let page: toml::Table = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        texts(&name, &toml::Value::Table(page), &mut all);
    }
    let spoken = fs::read_to_string(root.join(format!("tests/spoken/{code}.txt"))).unwrap();
    all.extend(spoken.lines().map(|line| {
        let (name, text) = line.split_once(": ").unwrap_or(("", line));
        (format!("spoken {name}"), text.to_owned())
    }));
    all
}

/// The words of a text in small letters. Places, what is typed, options, files and the commands of
/// annexd are no words.
fn words(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut depth = 0_u32;
    let mut is_command = false;
    // What stands between such signs is typed.
    let read: Vec<&str> = text.split('`').step_by(2).collect();
    for part in read.join(" ").split_inclusive([' ', '{', '}']) {
        let (is_open, is_closed) = (part.ends_with('{'), part.ends_with('}'));
        let part = part.trim_end_matches(['{', '}']).trim();
        let is_no_word = part.starts_with("--") || part.contains('=') || part.contains(".toml");
        if depth == 0 && !is_no_word && !is_command {
            let letters = part.split(|sign: char| !sign.is_alphabetic());
            let letters = letters.filter(|word| word.chars().count() > 1);
            all.extend(letters.map(str::to_lowercase));
        }
        is_command = part.eq_ignore_ascii_case("annexd");
        depth = (depth + u32::from(is_open)).saturating_sub(u32::from(is_closed));
    }
    all
}

/// In how many messages of the pages each word stands.
fn counted(messages: &[(String, String)]) -> BTreeMap<String, usize> {
    let mut count = BTreeMap::new();
    let pages = messages
        .iter()
        .filter(|(name, _)| !name.starts_with("spoken"));
    for word in pages.flat_map(|(_, text)| words(text)) {
        *count.entry(word).or_default() += 1;
    }
    count
}

/// The words of a text that belong to another language.
fn strange(
    code: &str,
    text: &str,
    counts: &BTreeMap<&str, BTreeMap<String, usize>>,
) -> Vec<String> {
    let of = |code: &str, word: &str| counts[code].get(word).copied().unwrap_or_default();
    let own = OWN.iter().find(|(of, _)| *of == code).unwrap().1;
    let is_strange = |word: &String| {
        let here = of(code, word);
        let is_others = |other: &&str| {
            let there = of(other, word);
            there >= OFTEN && here * SELDOM < there
        };
        here <= 1 && !own.contains(&word.as_str()) && CODES.iter().any(is_others)
    };
    words(text).into_iter().filter(is_strange).collect()
}

/// What people read in each language.
fn all_messages() -> BTreeMap<&'static str, Vec<(String, String)>> {
    CODES.iter().map(|code| (*code, messages(code))).collect()
}

/// In how many messages of each language each word stands.
fn all_counted(
    all: &BTreeMap<&'static str, Vec<(String, String)>>,
) -> BTreeMap<&'static str, BTreeMap<String, usize>> {
    all.iter().map(|(code, it)| (*code, counted(it))).collect()
}

#[test]
fn no_message_mixes_languages() {
    let all = all_messages();
    let counts = all_counted(&all);
    let mut mixed = Vec::new();
    for (code, messages) in &all {
        assert!(messages.len() > 1500, "{code}: {}", messages.len());
        for (name, text) in messages.iter().filter(|(name, _)| !quotes(name)) {
            let strange = strange(code, text, &counts);
            if !strange.is_empty() {
                mixed.push(format!("{code} {name}: {strange:?}: {text}"));
            }
        }
    }
    assert!(mixed.is_empty(), "{mixed:#?}");
    // A sentence that once came has to be found, and so has one word of another language.
    for (code, text) in [
        ("de", "Lautsprecher of the system ist nicht da."),
        ("de", "Die Uhr of Weiß läuft."),
        ("en", "The clock von White is running."),
        ("sv", "Anslut uret till brädet."),
        ("da", "Uret för Hvid går."),
    ] {
        assert!(!strange(code, text, &counts).is_empty(), "{code}: {text}");
    }
}

/// The words that lead to each command that does something.
fn paths(command: &clap::Command) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for inner in command.get_subcommands() {
        let name = inner.get_name().to_owned();
        if name == "help" {
            continue;
        }
        let below = paths(inner);
        if below.is_empty() {
            all.push(vec![name.clone()]);
        }
        all.extend(
            below
                .into_iter()
                .map(|path| [vec![name.clone()], path].concat()),
        );
    }
    all
}

/// The overview is in the language of the system, as its folder has it.
#[test]
fn the_overview_is_in_the_language_of_the_system() {
    let home = Home::new();
    for code in CODES {
        let page = format!("{}/grammar/{code}/help.toml", env!("CARGO_MANIFEST_DIR"));
        let page: toml::Table = toml::from_str(&fs::read_to_string(page).unwrap()).unwrap();
        let overview = page["overview"].as_str().unwrap().replace('`', "");
        let mut command = home.command(&["--help"]);
        command.env("LANG", format!("{code}_XX.UTF-8"));
        let said = text(&command.output().unwrap());
        assert_eq!(said.trim(), overview.trim(), "{code}");
    }
}

/// The names of the manual's pages, which are of no language.
fn pages_of_the_manual() -> BTreeSet<String> {
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs");
    let files = fs::read_dir(docs).unwrap().map(|file| file.unwrap().path());
    files
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}

/// A line without what is typed, files, and names of what is typed: they are of no language.
fn without_names(line: &str, typed: &[&str], pages: &BTreeSet<String>) -> String {
    let read = line.split(": annexd ").next().unwrap_or_default();
    let is_name = |word: &&str| {
        let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric());
        let is_file = word.contains('/') || bare.contains('.');
        is_file || word.contains('<') || typed.contains(&bare) || pages.contains(bare)
    };
    let words: Vec<&str> = read.split(' ').filter(|word| !is_name(word)).collect();
    words.join(" ")
}

/// What the program answers where it cannot do what it was told, in the language of the system.
#[test]
fn no_command_answers_in_two_languages() {
    let counts = all_counted(&all_messages());
    let home = Home::new();
    let file = |name: &str, content: &str| {
        let path = home.path(name);
        fs::write(&path, content).unwrap();
        path.display().to_string()
    };
    let bad = file("bad.json", "{\"start\": 5}");
    let sheet = file("sheet.txt", "1. e4 e5 2. Nf3 Zz\n");
    let wrong = [
        "games",
        "show nothing",
        "verify nothing",
        "resume nothing",
        "console --game nothing",
        "run /nowhere",
        "law 47.11",
        "law D.2.9",
        "manual nothing",
        "model use nothing",
        "listen /nowhere.wav",
        "eval /nowhere.tsv",
        "record-kit /dev/null",
        "record-kit kit --speaker Anna",
        "board replay --kind dgt /nowhere",
        "score show /nowhere",
        "score sign /nowhere --side white",
        "reconcile --player /nowhere --opponent /nowhere",
        "reconcile",
        "score export",
    ];
    let wrong = wrong
        .iter()
        .map(|line| line.split(' ').map(str::to_owned).collect());
    let mut tried: Vec<Vec<String>> = wrong.collect();
    for path in [&bad, &sheet] {
        tried.push(["score", "show", path].map(str::to_owned).into());
    }
    // What is said of practice another program says.
    let mut known = paths(&annexd::shell::cli::command());
    known.retain(|path| path[0] != "practice");
    for mut path in known {
        path.push("--nonsense".to_owned());
        tried.push(path);
    }
    let pages = pages_of_the_manual();
    let mut mixed = Vec::new();
    for code in CODES {
        for arguments in &tried {
            let typed: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let mut command = home.command(&typed);
            // Whoever asks for no language gets that of his system.
            command.env("LANG", format!("{code}_XX.UTF-8"));
            let said = text(&command.stdin(Stdio::null()).output().unwrap());
            assert!(!said.trim().is_empty(), "{code} {arguments:?}");
            for line in said.lines() {
                let read = without_names(line, &typed, &pages);
                let strange = strange(code, &read, &counts);
                if !strange.is_empty() {
                    mixed.push(format!("{code} {arguments:?}: {strange:?}: {line}"));
                }
            }
        }
    }
    assert!(mixed.is_empty(), "{mixed:#?}");
}
