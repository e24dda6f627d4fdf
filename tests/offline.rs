//! A rated game reaches no network. Linux only: the proof is the list of its system calls.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads what strace wrote"
)]

mod common;

use std::io::Write as _;
use std::process::{Command, Stdio};

use common::{Home, MOVES};

#[test]
fn a_rated_game_opens_no_socket_but_local_ones() {
    if Command::new("strace").arg("--version").output().is_err() {
        eprintln!("skipped: strace is not installed, so nothing shows what a game connects to");
        return;
    }
    let home = Home::new();
    let trace = home.path("trace");
    let mut child = Command::new("strace")
        .args(["-f", "-qq", "-e", "trace=socket,connect,bind,sendto", "-o"])
        .arg(&trace)
        .arg(env!("CARGO_BIN_EXE_annexd"))
        .args([
            "play", "--name", "r", "--mode", "rated", "--time", "90m+30s",
        ])
        .args(["--terminal", "shared"])
        .env("XDG_DATA_HOME", home.path("data"))
        .env("XDG_CONFIG_HOME", home.path("config"))
        .env("XDG_RUNTIME_DIR", home.path("run"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = child.stdin.take().unwrap();
    writeln!(typed, "arbiter 1: genehmigt Arbiter offline").unwrap();
    writeln!(typed, "arbiter 1: anfang").unwrap();
    for (ply, played) in MOVES.iter().enumerate().take(6) {
        let side = if ply % 2 == 0 { "weiß" } else { "schwarz" };
        writeln!(typed, "{side}: {played}\n{side}: uhr").unwrap();
    }
    drop(typed);
    let output = child.wait_with_output().unwrap();
    if String::from_utf8_lossy(&output.stderr).contains("ptrace") {
        eprintln!("skipped: this system lets nobody trace a process");
        return;
    }
    let calls = std::fs::read_to_string(&trace).unwrap();
    let opened: Vec<&str> = calls
        .lines()
        .filter(|line| line.contains("socket("))
        .collect();
    let foreign: Vec<&&str> = opened
        .iter()
        .filter(|line| !line.contains("AF_UNIX") && !line.contains("AF_NETLINK"))
        .collect();
    assert!(foreign.is_empty(), "{foreign:#?}");
    // The consoles' own socket shows that the trace saw something.
    assert!(!opened.is_empty(), "{calls}");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("Eva zwei Eva vier"), "{shown}");
}
