//! The program starts where libraries for sound, speech and gamepads are missing: it opens them
//! when they are wanted, and the loader does not look for them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]

use std::process::Command;

/// What the loader looks for before the program begins.
fn needed(program: &str) -> Vec<String> {
    // It comes with the linker.
    let output = Command::new("readelf")
        .args(["--dynamic", "--wide", program])
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines()
        .filter(|line| line.contains("(NEEDED)"))
        .filter_map(|line| Some(line.split_once('[')?.1.trim_end_matches(']').to_owned()))
        .collect()
}

#[test]
fn the_loader_looks_for_no_library_of_a_device() {
    let needed = needed(env!("CARGO_BIN_EXE_annexd"));
    assert!(
        needed.iter().any(|it| it.starts_with("libc.so")),
        "{needed:?}"
    );
    for library in ["libasound", "libspeechd", "libudev", "libvosk"] {
        assert!(
            !needed.iter().any(|it| it.starts_with(library)),
            "{library} in {needed:?}"
        );
    }
}
