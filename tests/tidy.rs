//! The house rules that no compiler checks: sizes, words, dead files.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads the sources, and says so by failing when it cannot"
)]

use std::fs;
use std::path::{Path, PathBuf};

const LINES_MAX: usize = 700;
const FUNCTION_LINES_MAX: usize = 80;
const COLUMNS_MAX: usize = 100;

/// Files of the core with a map or set that is looked up and never walked, so that its order,
/// which differs from run to run, reaches nothing.
const ONLY_LOOKED_UP: [&str; 1] = ["score/discrepancy/explain.rs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                waiting.push(path);
            } else if endings.contains(&&*ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["src", "tests", "benches", "fuzz/fuzz_targets"] {
        found.extend(files(&root().join(folder), &["rs"]));
    }
    found
}

/// Reports every fault at once, so that one run is enough to mend them.
#[track_caller]
fn expect_none(faults: &[String]) {
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

fn place(path: &Path, line: usize) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    format!("{}:{}", path.display(), line + 1)
}

/// The code of a file without its unit tests, which stand at its end and may use anything.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

#[test]
fn the_core_does_not_know_the_world() {
    let foreign = [
        "std::fs",
        "std::env",
        "std::net",
        "std::thread",
        "std::io",
        "std::process",
        "Mutex",
        "RwLock",
        "Atomic",
        "mpsc",
        "SystemTime",
        "Instant",
        "HashMap",
        "HashSet",
        "println!",
        "eprintln!",
        "print!(",
        "crossbeam",
        "rusqlite",
        "cpal",
        "vosk",
        "gilrs",
        "serialport",
        "tts::",
    ];
    let mut faults = Vec::new();
    for path in files(&root().join("src"), &["rs"]) {
        let inside = path.strip_prefix(root().join("src")).unwrap();
        // The tests of a module may stand in a file of their own.
        let is_program = inside.starts_with("shell") || inside.starts_with("practice");
        let is_program = is_program || inside.starts_with("pages") || inside.starts_with("demo");
        // A simulated board reads its game, and plays in real time behind a pseudo-terminal.
        let of_the_world = ["main.rs", "sim/game_file.rs", "sim/pty.rs"].map(Path::new);
        let is_of_the_world = is_program || of_the_world.contains(&inside);
        if is_of_the_world || inside.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in without_tests(&text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in foreign.iter().filter(|word| code.contains(**word)) {
                if ONLY_LOOKED_UP.iter().any(|file| inside == Path::new(file))
                    && matches!(*word, "HashMap" | "HashSet")
                {
                    continue;
                }
                faults.push(format!("{}: {word} in the core", place(&path, number)));
            }
        }
    }
    expect_none(&faults);
}

#[test]
fn files_functions_and_lines_are_short() {
    let mut faults = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        if lines.len() > LINES_MAX {
            faults.push(format!("{}: {} lines", place(&path, 0), lines.len()));
        }
        for (number, line) in lines.iter().enumerate() {
            if line.chars().count() > COLUMNS_MAX && !line.contains('"') {
                faults.push(format!("{}: too wide", place(&path, number)));
            }
            if let Some(length) = function_lines(&lines[number..])
                && length > FUNCTION_LINES_MAX
            {
                faults.push(format!(
                    "{}: function of {length} lines",
                    place(&path, number)
                ));
            }
        }
    }
    expect_none(&faults);
}

/// How long the function is that begins in the first line, if one does.
fn function_lines(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?;
    let code = first.trim_start();
    let indent = first.len() - code.len();
    let signature = [
        "pub(crate) ",
        "pub(super) ",
        "pub ",
        "const ",
        "extern \"C\" ",
    ]
    .iter()
    .fold(code, |code, word| code.strip_prefix(word).unwrap_or(code));
    signature.strip_prefix("fn ")?;
    // What a trait only asks for has no lines of its own.
    if lines
        .iter()
        .find(|line| line.ends_with([';', '{']))?
        .ends_with(';')
    {
        return None;
    }
    let end = format!("{}}}", " ".repeat(indent));
    lines
        .iter()
        .position(|line| *line == end)
        .map(|last| last + 1)
}

#[test]
fn every_test_belongs_to_a_program() {
    let tests = root().join("tests");
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    // One program is of the crate of the scores.
    let score = fs::read_to_string(root().join("src/score/Cargo.toml")).unwrap();
    let names: Vec<String> = fs::read_dir(&tests)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("mod.rs").is_file() || path.extension() == Some("rs".as_ref()))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let is_program = |name: &&String| {
        let is_test = |target: &str| target.starts_with(&format!("\nname = \"{name}\"\n"));
        manifest.split("[[test]]").skip(1).any(is_test)
    };
    let (programs, parts): (Vec<_>, Vec<_>) = names.iter().partition(is_program);
    assert!(programs.len() > 1 && parts.len() > 10, "{programs:?}");
    let text = |name| fs::read_to_string(tests.join(format!("{name}.rs"))).unwrap();
    let texts: Vec<String> = programs.into_iter().map(text).collect();
    let is_lost = |name: &&String| {
        let declaration = format!("mod {name};");
        let declares = |text: &String| text.lines().any(|line| line == declaration);
        !texts.iter().any(declares)
    };
    let of_the_score = |name: &&String| score.contains(&format!("/tests/{name}/mod.rs\""));
    let lost = parts
        .into_iter()
        .filter(|it| is_lost(it) && !of_the_score(it));
    let faults = lost.map(|name| format!("tests/{name}: no program declares it"));
    expect_none(&faults.collect::<Vec<_>>());
}

#[test]
fn every_source_file_belongs_to_the_program() {
    let mut faults = Vec::new();
    for path in files(&root().join("src"), &["rs"]) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = path.parent().unwrap();
        // A test of a crate is a program of its own.
        if folder.ends_with("tests") && folder.with_file_name("Cargo.toml").exists() {
            continue;
        }
        let is_shared = folder.parent().is_some_and(|it| it.ends_with("tests"));
        let (name, owners) = match name.as_str() {
            "main" | "lib" => continue,
            // Several tests of a crate share it.
            "mod" if is_shared => (
                folder.file_name().unwrap().to_string_lossy().into_owned(),
                files(&folder.join(".."), &["rs"]),
            ),
            "mod" => (
                folder.file_name().unwrap().to_string_lossy().into_owned(),
                vec![
                    folder.with_file_name("mod.rs"),
                    folder.with_file_name("lib.rs"),
                    folder.with_file_name("main.rs"),
                ],
            ),
            _ => (
                name,
                vec![
                    folder.join("mod.rs"),
                    folder.join("lib.rs"),
                    folder.join("main.rs"),
                    folder.with_extension("rs"),
                ],
            ),
        };
        let declaration = format!("mod {name};");
        let is_declared = owners
            .iter()
            .filter_map(|owner| fs::read_to_string(owner).ok())
            .any(|text| text.lines().any(|line| line.ends_with(&declaration)));
        if !is_declared {
            faults.push(format!("{}: no module declares it", place(&path, 0)));
        }
    }
    expect_none(&faults);
}

#[test]
fn nothing_is_half_done_drawn_or_out_of_place() {
    // Written in two parts so that this file does not find itself.
    let banned = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("/wo", "rk/"),
        concat!("/ro", "ot/"),
        concat!("crates", ".io"),
        concat!("pypi", ".org"),
        concat!("github", ".com/rust-lang/crates"),
        concat!("====", "="),
        concat!("----", "--"),
        concat!("####", "###"),
    ];
    let mut texts = sources();
    texts.extend(files(&root().join("grammar"), &["toml", "md"]));
    texts.extend(files(&root().join("docs"), &["md"]));
    texts.extend(files(&root().join(".ci"), &[""]));
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "Makefile",
        "Cargo.toml",
        "build.rs",
    ] {
        texts.push(root().join(name));
    }
    let mut faults = Vec::new();
    for path in texts {
        let text = fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            for word in banned.iter().filter(|word| line.contains(**word)) {
                // A table in Markdown needs its rule.
                let is_table = line.starts_with('|') && word.starts_with('-');
                if !is_table {
                    faults.push(format!("{}: {word}", place(&path, number)));
                }
            }
            if line
                .chars()
                .any(|letter| ('\u{2500}'..='\u{259f}').contains(&letter))
            {
                faults.push(format!("{}: a drawing", place(&path, number)));
            }
        }
    }
    expect_none(&faults);
}

/// Files that may say `unsafe`, and why.
const UNSAFE: [(&str, &str); 7] = [
    (
        "src/shell/hearing/libvosk.rs",
        "the recogniser is a foreign library, opened at run time",
    ),
    (
        "src/shell/speech/sound/quiet.rs",
        "ALSA writes on the terminal unless it is given a function",
    ),
    (
        "src/shell/machine/libraries.rs",
        "libraries of the system are opened at run time",
    ),
    (
        "src/shell/machine/windows.rs",
        "the console of Windows is asked by functions of the system",
    ),
    (
        "src/shell/speech/voice/nvda/mod.rs",
        "NVDA is spoken to by a foreign library, opened at run time",
    ),
    (
        "src/shell/speech/voice/nvda/tests.rs",
        "the test opens the library that stands for it",
    ),
    ("tests/nvda/controller.rs", "it is that library"),
];

#[test]
fn only_named_files_are_unsafe() {
    // Written in two parts so that this file does not find itself.
    let word = concat!("uns", "afe");
    let mut seen = Vec::new();
    let mut faults = Vec::new();
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let inside = path
            .strip_prefix(root())
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let used = text.lines().position(|line| {
            let code = line.split("//").next().unwrap_or_default();
            let mut words = code.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.any(|it| it == word || it == concat!("uns", "afe_code"))
        });
        let Some(line) = used else { continue };
        if UNSAFE.iter().any(|(file, _)| inside == *file) {
            seen.push(inside);
        } else if path.file_name().unwrap() != "tidy.rs" {
            faults.push(format!(
                "{}: {word} code is allowed in named files only",
                place(&path, line)
            ));
        }
    }
    for (file, reason) in UNSAFE {
        assert!(
            !reason.is_empty() && seen.iter().any(|it| it == file),
            "{file} is safe now"
        );
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains(concat!("uns", "afe_code = \"deny\"")));
    expect_none(&faults);
}

#[test]
fn every_dependency_has_its_reason() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut inside = false;
    let mut has_reason = false;
    let mut faults = Vec::new();
    for (number, line) in manifest.lines().enumerate() {
        if line.starts_with('[') {
            inside = line.contains("dependencies");
            has_reason = false;
        } else if line.starts_with('#') {
            has_reason = true;
        } else if line.is_empty() {
            has_reason = false;
        } else if line.ends_with(".workspace = true") {
            // Its reason stands where the workspace chooses its version.
        } else if inside && !has_reason && !line.starts_with([' ', ']', '}']) {
            faults.push(format!("Cargo.toml:{}: no reason", number + 1));
        }
    }
    expect_none(&faults);
}

/// Values of an edition that say where it comes from, and decide nothing.
const ONLY_SHOWN: [&str; 2] = ["in_force", "source"];

/// How code calls a part of the Laws that it holds, where it is not the name of the part.
const HELD_AS: [(&str, &str); 5] = [
    ("Rules", "rules"),
    ("GameTypes", "windows"),
    ("IllegalMoves", "moves"),
    ("IllegalMoveSanction", "sanction"),
    ("ByGameType", "self"),
];

/// A value of the Laws, or a part with values of its own.
struct Field {
    part: String,
    name: String,
    kind: String,
}

/// An arbiter may adapt every value of the Laws (D.1). One that no code reads would change nothing.
#[test]
fn every_value_of_the_laws_is_read() {
    let page = root().join("src/laws/rules.rs");
    let fields = fields_in(&fs::read_to_string(&page).unwrap());
    assert!(fields.len() > 80, "{}", fields.len());
    let others = files(&root().join("src"), &["rs"]);
    let others = others.into_iter().filter(|path| *path != page);
    let code: String = others.map(|path| code_of(&path)).collect();
    let is_value = |it: &&Field| fields.iter().all(|field| field.part != it.kind);
    let mut faults = Vec::new();
    for Field { part, name, .. } in fields.iter().filter(is_value) {
        let holders = fields.iter().filter(|it| it.kind == *part);
        let called = HELD_AS.iter().filter(|it| it.0 == part).map(|it| it.1);
        let mut called = holders.map(|it| &*it.name).chain(called);
        let is_read = called.any(|holder| reads(&code, holder, name));
        if !is_read && !ONLY_SHOWN.contains(&&**name) {
            faults.push(format!("{part}.{name}: no code reads it"));
        }
    }
    expect_none(&faults);
}

fn fields_in(text: &str) -> Vec<Field> {
    let mut fields = Vec::new();
    for item in text.split("\npub struct ").skip(1) {
        let (part, rest) = item.split_once(" {\n").unwrap();
        let lines = rest.split("\n}").next().unwrap_or_default().lines();
        let declared = lines.filter_map(|line| line.strip_prefix("    pub ")?.split_once(": "));
        fields.extend(declared.map(|(name, kind)| Field {
            part: part.to_owned(),
            name: name.to_owned(),
            kind: kind.trim_end_matches(',').to_owned(),
        }));
    }
    fields
}

/// The code of a file without comments and tests, with every chain of fields in one line.
fn code_of(path: &Path) -> String {
    if path.ends_with("tests.rs") || path.components().any(|it| it.as_os_str() == "tests") {
        return String::new();
    }
    let text = fs::read_to_string(path).unwrap();
    let mut code = String::new();
    for line in without_tests(&text).lines() {
        let line = line.split("//").next().unwrap_or_default();
        if !line.trim_start().starts_with('.') {
            code.push('\n');
        }
        code.push_str(line.trim());
    }
    code + "\n"
}

/// Whether code reads this field of what it calls so.
fn reads(code: &str, holder: &str, field: &str) -> bool {
    let chain = format!("{holder}.{field}");
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    code.match_indices(&chain).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + chain.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(|it| is_word(it) || it == '(')
    })
}
