//! A rated game reaches no network. Linux only: the proof is the list of its system calls.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and reads what strace wrote"
)]

mod common;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use common::{Home, MOVES};

/// What is typed at the start of a rated game.
fn type_game(mut typed: impl Write) {
    writeln!(typed, "arbiter 1: genehmigt Arbiter offline").unwrap();
    writeln!(typed, "arbiter 1: anfang").unwrap();
    for (ply, played) in MOVES.iter().enumerate().take(6) {
        let side = if ply % 2 == 0 { "weiß" } else { "schwarz" };
        writeln!(typed, "{side}: {played}\n{side}: uhr").unwrap();
    }
}

/// Plays a rated game in a program that another one starts, with all devices that are there.
fn play_under(mut command: Command, home: &Home) -> Output {
    let mut child = command
        .arg(env!("CARGO_BIN_EXE_annexd"))
        .args(["play", "--name", "r", "--mode", "rated"])
        .args(["--time", "90m+30s", "--terminal", "shared"])
        .env("XDG_DATA_HOME", home.path("data"))
        .env("XDG_CONFIG_HOME", home.path("config"))
        .env("XDG_RUNTIME_DIR", home.path("run"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    type_game(child.stdin.take().unwrap());
    child.wait_with_output().unwrap()
}

#[test]
fn a_rated_game_needs_no_network_at_all() {
    let alone = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--net", "--map-root-user", "sh", "-c", script]);
        command
    };
    let interfaces = alone("cat /proc/net/dev").output();
    let Some(interfaces) = interfaces.ok().filter(|output| output.status.success()) else {
        eprintln!("skipped: this system gives nobody a network of his own");
        return;
    };
    // Two lines of heading, and the loopback interface, which is down.
    let listed = String::from_utf8_lossy(&interfaces.stdout).lines().count();
    assert_eq!(listed, 3, "{interfaces:?}");
    let home = Home::new();
    let output = play_under(alone("exec \"$0\" \"$@\""), &home);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains("Eva zwei Eva vier"), "{shown}");
    assert!(output.status.success(), "{output:?}");
    let verified = home.run(&["verify", "r"]);
    assert!(verified.status.success(), "{}", common::text(&verified));
}

#[test]
fn a_rated_game_opens_no_socket_but_local_ones() {
    if Command::new("strace").arg("--version").output().is_err() {
        eprintln!("skipped: strace is not installed, so nothing shows what a game connects to");
        return;
    }
    let home = Home::new();
    let trace = home.path("trace");
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=socket,connect,bind,sendto", "-o"]);
    strace.arg(&trace);
    let output = play_under(strace, &home);
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
