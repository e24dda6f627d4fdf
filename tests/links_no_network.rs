//! The program that plays rated games links nothing that could reach a network (principle 7).
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking, asks cargo and reads the program itself"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Crates that speak to networks, or are only there for those that do.
const CLIENTS: [&str; 10] = [
    "curl",
    "h2",
    "native-tls",
    "openssl",
    "quinn",
    "reqwest",
    "ring",
    "rustls",
    "tungstenite",
    "ureq",
];

/// What serves the pages has clients too, which are not built unless they are asked for.
const SERVERS: [&str; 2] = ["hyper", "hyper-util"];

/// The crates that a package of the workspace is linked from, with what is built of them.
fn built(package: &str) -> String {
    let output = Command::new(env!("CARGO"))
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--edges",
            "normal,no-proc-macro",
        ])
        .args([
            "--prefix",
            "none",
            "--format",
            "{p} {f}",
            "--package",
            package,
        ])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn linked(package: &str) -> BTreeSet<String> {
    built(package)
        .lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

fn clients_of(package: &str) -> Vec<String> {
    let linked = linked(package);
    assert!(linked.contains("shakmaty"), "{package}: {linked:?}");
    CLIENTS
        .iter()
        .map(|name| (*name).to_owned())
        .filter(|name| linked.contains(name))
        .collect()
}

#[test]
fn no_network_client_is_among_the_crates() {
    assert_eq!(clients_of("annexd"), Vec::<String>::new());
    // The other program has one, so that the list is known to find them.
    assert!(clients_of("annexd-practice").contains(&"ureq".to_owned()));
}

#[test]
fn what_serves_the_pages_is_built_without_its_clients() {
    let built = built("annexd");
    for server in SERVERS {
        let lines = built
            .lines()
            .filter(|line| line.starts_with(&format!("{server} ")));
        let lines: Vec<&str> = lines.collect();
        assert!(!lines.is_empty(), "{built}");
        for line in lines {
            let features = line.split(' ').nth(2).unwrap_or_default();
            let mut features = features.split(',');
            assert!(features.all(|it| !it.starts_with("client")), "{line}");
        }
    }
}

#[test]
fn no_network_client_is_in_the_program() {
    let program = std::fs::read(env!("CARGO_BIN_EXE_annexd")).unwrap();
    let program = String::from_utf8_lossy(&program);
    let holds = |name: &str| program.contains(name);
    // The names of crates are in the symbols, behind their lengths; this one is there. Without the
    // length a name may be part of a hash.
    assert!(holds("8shakmaty"));
    for client in [
        "4ureq",
        "6rustls",
        "hyper_util6client",
        "5hyper6client",
        "7reqwest",
    ] {
        assert!(!holds(client), "{client} is linked");
    }
}
