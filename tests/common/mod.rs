//! What the tests of the whole program share: folders of their own and a program to talk to.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and touches the world; no test file uses all of this"
)]

mod home;
pub(crate) mod record;
pub(crate) mod served;

use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

pub(crate) use home::{Home, Talk};

/// The program that is tested.
const PROGRAM: &str = env!("CARGO_BIN_EXE_annexd");

/// The text that a finished program printed, with its errors.
pub(crate) fn text(output: &Output) -> String {
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    format!("{out}{err}")
}

/// Whether a line of a terminal is something that was said at the table. That something was
/// repeated rightly is only shown.
pub(crate) fn is_said_at_table(line: &str) -> bool {
    line.starts_with("Tisch: ") && line != "Tisch: Richtig wiederholt."
}

/// The moves of the demonstration's game, as they are typed.
pub(crate) const MOVES: [&str; 33] = [
    "e2e4", "e7e5", "Sg1f3", "d7d6", "d2d4", "Lc8g4", "d4xe5", "Lg4xf3", "Dd1xf3", "d6xe5",
    "Lf1c4", "Sg8f6", "Df3b3", "Dd8e7", "Sb1c3", "c7c6", "Lc1g5", "b7b5", "Sc3xb5", "c6xb5",
    "Lc4xb5", "Sb8d7", "0-0-0", "Ta8d8", "Td1xd7", "Td8xd7", "Th1d1", "De7e6", "Lb5xd7", "Sf6xd7",
    "Db3b8", "Sd7xb8", "Td1d8",
];

/// What is typed at a shared terminal for the move of this number, counted from 0, with the
/// opponent's repetition.
pub(crate) fn typed_move(ply: usize) -> Vec<String> {
    let (mover, other) = if ply.is_multiple_of(2) {
        ("weiß", "schwarz")
    } else {
        ("schwarz", "weiß")
    };
    vec![
        format!("{mover}: {}", MOVES[ply]),
        format!("{mover}: uhr"),
        format!("{other}: {}", MOVES[ply]),
    ]
}

/// Replaces a part of a file by another of the same length.
pub(crate) fn tamper(path: &Path, from: &str, to: &str) {
    assert_eq!(from.len(), to.len());
    let mut bytes = std::fs::read(path).unwrap();
    let place = bytes
        .windows(from.len())
        .rposition(|window| window == from.as_bytes())
        .unwrap();
    bytes[place..place + to.len()].copy_from_slice(to.as_bytes());
    std::fs::write(path, bytes).unwrap();
}

/// A file in the home of a test.
pub(crate) fn file(home: &Home, name: &str, text: &str) -> String {
    let path = home.path(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A command that is given all of its input at once.
pub(crate) fn given(home: &Home, arguments: &[&str], lines: impl AsRef<[u8]>) -> Output {
    let mut child = home
        .command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // It may have refused before it reads.
    let _ = input.write_all(lines.as_ref());
    drop(input);
    child.wait_with_output().unwrap()
}

pub(crate) fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
