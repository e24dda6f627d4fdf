//! Lets the program be linked without libraries that may be missing where it runs, and tells it for
//! which system it is built.
//!
//! Some crates ask the linker for a library of the system. We hand it empty archives of these names;
//! the functions themselves are in `src/shell/hearing/libvosk.rs` and
//! `src/shell/machine/libraries.rs`, which open the real libraries at run time. So a missing library
//! is a clear sentence of ours and not an error of the loader.

#![expect(
    clippy::disallowed_methods,
    reason = "a build script is told its folder by the environment"
)]

use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo:rustc-env=ANNEXD_TARGET={target}");
    let Ok(out) = env::var("OUT_DIR") else { return };
    let mut names = vec!["libvosk.a", "libvosk.lib"];
    println!("cargo:rustc-check-cfg=cfg(opened_at_run_time)");
    // The jumps are written for these processors, and the names of files for Linux.
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|it| it == value);
    let has_jumps = is("CARGO_CFG_TARGET_ARCH", "x86_64") || is("CARGO_CFG_TARGET_ARCH", "aarch64");
    if has_jumps && is("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo:rustc-cfg=opened_at_run_time");
        names.extend(["libasound.a", "libspeechd.a", "libudev.a"]);
    }
    for name in names {
        if let Err(error) = fs::write(Path::new(&out).join(name), b"!<arch>\n") {
            println!("cargo:warning=cannot write {name} in {out}: {error}");
        }
    }
    println!("cargo:rustc-link-search=native={out}");
}
