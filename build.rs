//! Lets the program be linked without libvosk, and tells it for which system it is built.
//!
//! The crate `vosk` asks the linker for a library of that name. We hand it an empty archive;
//! the functions themselves are in `src/shell/hearing/libvosk.rs`, which opens the real library at run
//! time. So a missing library is a clear sentence of ours and not an error of the loader.

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
    for name in ["libvosk.a", "libvosk.lib"] {
        if let Err(error) = fs::write(Path::new(&out).join(name), b"!<arch>\n") {
            println!("cargo:warning=cannot write {name} in {out}: {error}");
        }
    }
    println!("cargo:rustc-link-search=native={out}");
}
