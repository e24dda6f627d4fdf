//! A rated game reaches no network. Linux only: the proof is the list of its system calls.
#![cfg(target_os = "linux")]
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and reads what strace wrote"
)]

use crate::common;

use std::io::{BufRead as _, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Output, Stdio};

use annexd::journal::{Body, Network, Reach};
use annexd::shell::record::store;
use common::{Home, MOVES};

/// What is typed at the start of a rated game.
fn type_game(mut typed: impl Write) {
    writeln!(typed, "arbiter 4711: genehmigt Arbiter offline").unwrap();
    writeln!(typed, "arbiter 4711: anfang").unwrap();
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
        .args(["--arbiter-pin-file", &home.pin_file("4711")])
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

/// What the record says that a rated game reached.
fn reached(home: &Home) -> Reach {
    let entries = store::read(&home.game("r")).unwrap().entries;
    let of_entry = |body| match body {
        Body::Reach(reach) => Some(reach),
        _ => None,
    };
    // It stands among what is known before anything happens.
    of_entry(entries.into_iter().nth(1).unwrap().body).unwrap()
}

#[test]
fn sound_and_speech_elsewhere_are_refused_by_name_and_nothing_reaches_them() {
    let home = Home::new();
    let [sound, speech] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let address = |listener: &TcpListener| listener.local_addr().unwrap().to_string();
    let server = format!("tcp:{}", address(&sound));
    let service = format!("inet_socket:{}", address(&speech));
    let asound = home.path("asound.conf");
    std::fs::write(
        &asound,
        "pcm.!default { type pulse }\nctl.!default { type pulse }\n",
    )
    .unwrap();
    let alsa = format!("/usr/share/alsa/alsa.conf:{}", asound.display());
    let mut command = Command::new("env");
    command
        .arg(format!("PULSE_SERVER={server}"))
        .arg(format!("SPEECHD_ADDRESS={service}"))
        .arg(format!("ALSA_CONFIG_PATH={alsa}"));
    let output = play_under(command, &home);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    // The game is played, and its people know what to do.
    assert!(shown.contains("Eva zwei Eva vier"), "{shown}");
    assert!(
        shown.contains("Der Tonserver ist nicht auf diesem Rechner"),
        "{shown}"
    );
    assert!(shown.contains(&format!("PULSE_SERVER={server}")), "{shown}");
    let reach = reached(&home);
    let refused = [
        format!("PULSE_SERVER={server}"),
        format!("SPEECHD_ADDRESS={service}"),
    ];
    assert_eq!(reach.refused, refused);
    assert_eq!((reach.sound, reach.speech), (None, None));
    for listener in [sound, speech] {
        listener.set_nonblocking(true).unwrap();
        let nobody = listener.accept().unwrap_err();
        assert_eq!(nobody.kind(), std::io::ErrorKind::WouldBlock);
    }
}

#[test]
fn the_system_refuses_sockets_to_all_threads_of_a_rated_game_and_the_record_says_so() {
    let home = Home::new();
    let mut command = home.command(&["play", "--name", "r", "--mode", "rated", "--time", "90m"]);
    let mut child = command
        .args(["--terminal", "shared"])
        .args(["--arbiter-pin-file", &home.pin_file("4711")])
        .env("PULSE_SERVER", "unix:/nonexistent/pulse")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = child.stdin.take().unwrap();
    let mut shown = BufReader::new(child.stdout.take().unwrap()).lines();
    writeln!(typed, "arbiter 4711: genehmigt Arbiter offline").unwrap();
    writeln!(typed, "arbiter 4711: anfang").unwrap();
    assert!(shown.any(|line| line.unwrap().contains("Die Partie beginnt")));
    let tasks = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    let status = |task: std::io::Result<std::fs::DirEntry>| {
        // A thread may have ended meanwhile.
        std::fs::read_to_string(task.unwrap().path().join("status")).ok()
    };
    let statuses: Vec<String> = tasks.filter_map(status).collect();
    let is_fenced = |status: &String| status.contains("\nSeccomp:\t2\n");
    let fenced = statuses.iter().filter(|status| is_fenced(status)).count();
    writeln!(typed, "ende").unwrap();
    drop(typed);
    let _ = shown.count();
    assert!(child.wait().unwrap().success());
    let reach = reached(&home);
    assert_eq!(reach.sound.as_deref(), Some("unix:/nonexistent/pulse"));
    match reach.network {
        Network::Refused => assert_eq!(fenced, statuses.len()),
        Network::NotRefused(why) => assert_eq!(fenced, 0, "{why}"),
    }
}
