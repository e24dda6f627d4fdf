//! The program that plays rated games speaks to no chess program (principle 7, X5).
#![expect(
    clippy::disallowed_methods,
    reason = "a test asks cargo, and reads the program itself"
)]

use std::path::Path;
use std::process::Command;

/// What is said in the protocols of chess programs, and in nothing else.
const WORDS: [&str; 5] = [
    "uciok",
    "ucinewgame",
    "setoption name",
    "UCI_LimitStrength",
    "go movetime",
];

/// Crates that speak to chess programs.
const CRATES: [&str; 5] = [
    "annexd-practice",
    "ruci",
    "shakmaty-uci",
    "uci",
    "vampirc-uci",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn no_word_to_a_chess_program_is_in_the_program() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_annexd")).unwrap();
    let program = String::from_utf8_lossy(&program);
    // It knows that there are such games, so that the search is known to find words.
    assert!(program.contains("annexd-practice"));
    let folder = root().join("src/practice/engine");
    let files = std::fs::read_dir(folder).unwrap();
    let said: String = files
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect();
    for word in WORDS {
        assert!(said.contains(word), "{word} is said to no chess program");
        assert!(!program.contains(word), "{word} is in the program");
    }
}

#[test]
fn no_crate_for_chess_programs_is_among_the_crates() {
    let output = Command::new(env!("CARGO"))
        .current_dir(root())
        .args(["tree", "--locked", "--offline", "--prefix", "none"])
        .args(["--edges", "normal", "--package", "annexd"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let crates = String::from_utf8(output.stdout).unwrap();
    let is_linked = |name: &str| crates.lines().any(|it| it.split(' ').next() == Some(name));
    assert!(is_linked("shakmaty"), "{crates}");
    for name in CRATES {
        assert!(!is_linked(name), "{name} is linked");
    }
}
