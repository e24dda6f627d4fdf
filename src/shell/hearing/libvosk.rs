//! Opens libvosk at run time and hands its functions to the crate `vosk`.
//!
//! The crate declares these functions and expects the linker to find them. We define them as calls
//! into the library that [`open`] has opened. So the program starts without libvosk, and says
//! clearly what is missing.
#![expect(unsafe_code, reason = "a foreign library has a foreign interface")]

use std::ffi::{c_char, c_float, c_int, c_short, c_void};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use libloading::Library;

use crate::shell::config::data;
use crate::shell::error::{Fault, Part, Reason, Remedy, Result, error};

/// The library's file name on this system, as its builders name it.
const NAME: &str = if cfg!(windows) {
    "libvosk.dll"
} else if cfg!(target_os = "macos") {
    "libvosk.dyld"
} else {
    "libvosk.so"
};

/// The folder to which `make setup` installs it, relative to the root of the project.
const DEVELOPERS_FOLDER: &str = ".deps/lib";

static LIBRARY: OnceLock<Library> = OnceLock::new();

/// Opens the library once; later calls do nothing.
///
/// It is searched for in `ANNEXD_LIBVOSK` (a file), beside the program, in `../lib/annexd` relative
/// to the program, where `make setup` puts it, and among the system's libraries.
///
/// # Errors
///
/// `ErrorKind::Missing` if it is in none of these places or cannot be loaded.
pub fn open() -> Result<()> {
    if LIBRARY.get().is_some() {
        return Ok(());
    }
    let mut reason = String::new();
    for place in places() {
        if place.is_absolute() && !place.exists() {
            continue;
        }
        if !is_whole(&place) {
            reason = format!("{} is damaged", place.display());
            continue;
        }
        // SAFETY: libvosk runs no code of note on loading; nothing else of that name is sought.
        match unsafe { Library::new(&place) } {
            Ok(library) if !has_functions(&library) => {
                reason = format!("{} is not libvosk 0.3.45", place.display());
            }
            Ok(library) => {
                // Another thread may have been first; its library serves as well.
                let _ = LIBRARY.set(library);
                return Ok(());
            }
            Err(error) => reason = error.to_string(),
        }
    }
    Err(
        error!(Missing, NoRecogniser, name = NAME, why = reason).about(
            Fault::new(Part::Recogniser, Reason::Absent, Remedy::Type)
                .with(format!("{NAME}: {reason}")),
        ),
    )
}

/// The file that [`open`] would try first, if it exists. This does not include one that the system
/// finds by its name.
pub(in crate::shell) fn file() -> Option<PathBuf> {
    places()
        .into_iter()
        .find(|it| it.is_absolute() && it.exists())
}

/// Whether an ELF file is as long as its header says. The loader would crash on a truncated one.
fn is_whole(place: &Path) -> bool {
    use std::io::Read as _;

    let Ok(mut file) = std::fs::File::open(place) else {
        return true;
    };
    let mut head = [0; 64];
    if file.read_exact(&mut head).is_err() {
        return false;
    }
    if !head.starts_with(b"\x7fELF\x02\x01") {
        return true;
    }
    let short = |at: usize| u64::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let mut offset = [0; 8];
    offset.copy_from_slice(&head[0x28..0x30]);
    let sections = short(0x3a) * short(0x3c);
    let end = u64::from_le_bytes(offset).saturating_add(sections);
    file.metadata().is_ok_and(|data| data.len() >= end)
}

/// Whether the library has all functions that are called.
fn has_functions(library: &Library) -> bool {
    FUNCTIONS.iter().all(|name| {
        // SAFETY: the function is looked up and not called.
        unsafe { library.get::<unsafe extern "C" fn()>(name.as_bytes()) }.is_ok()
    })
}

fn places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    if let Ok(file) = std::env::var("ANNEXD_LIBVOSK") {
        places.push(PathBuf::from(file));
    }
    if let Some(folder) = std::env::current_exe()
        .ok()
        .as_deref()
        .and_then(Path::parent)
    {
        places.push(folder.join(NAME));
        places.push(folder.join("../lib/annexd").join(NAME));
    }
    places.extend(data::project().map(|it| it.join(DEVELOPERS_FOLDER).join(NAME)));
    places.push(PathBuf::from(NAME));
    places
}

#[expect(
    clippy::expect_used,
    reason = "a library that was opened and lacks its own functions cannot be called"
)]
fn call<F: Copy>(name: &str) -> F {
    let library = LIBRARY
        .get()
        .expect("the recogniser opens the library before it uses the crate vosk");
    // SAFETY: the names and types below are those of the library's public header.
    let symbol = unsafe { library.get::<F>(name.as_bytes()) };
    *symbol.expect("libvosk 0.3.45 exports every function of its header")
}

macro_rules! forward {
    ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        /// The names of all functions, as the loader needs them.
        const FUNCTIONS: &[&str] = &[$(concat!(stringify!($name), "\0")),*];

        $(
            #[unsafe(no_mangle)]
            extern "C" fn $name($($argument: $kind),*) $(-> $result)? {
                let function = call::<unsafe extern "C" fn($($kind),*) $(-> $result)?>(
                    concat!(stringify!($name), "\0"),
                );
                // SAFETY: the caller is the crate vosk, which keeps the library's rules.
                unsafe { function($($argument),*) }
            }
        )*
    };
}

forward! {
    vosk_model_new(path: *const c_char) -> *mut c_void;
    vosk_model_free(model: *mut c_void);
    vosk_model_find_word(model: *mut c_void, word: *const c_char) -> c_int;
    vosk_spk_model_new(path: *const c_char) -> *mut c_void;
    vosk_spk_model_free(model: *mut c_void);
    vosk_recognizer_new(model: *mut c_void, rate: c_float) -> *mut c_void;
    vosk_recognizer_new_spk(model: *mut c_void, rate: c_float, speaker: *mut c_void) -> *mut c_void;
    vosk_recognizer_new_grm(
        model: *mut c_void, rate: c_float, grammar: *const c_char
    ) -> *mut c_void;
    vosk_recognizer_set_spk_model(recognizer: *mut c_void, speaker: *mut c_void);
    vosk_recognizer_set_max_alternatives(recognizer: *mut c_void, count: c_int);
    vosk_recognizer_set_words(recognizer: *mut c_void, on: c_int);
    vosk_recognizer_set_partial_words(recognizer: *mut c_void, on: c_int);
    vosk_recognizer_set_nlsml(recognizer: *mut c_void, on: c_int);
    vosk_recognizer_accept_waveform_s(
        recognizer: *mut c_void, data: *const c_short, length: c_int
    ) -> c_int;
    vosk_recognizer_result(recognizer: *mut c_void) -> *const c_char;
    vosk_recognizer_partial_result(recognizer: *mut c_void) -> *const c_char;
    vosk_recognizer_final_result(recognizer: *mut c_void) -> *const c_char;
    vosk_recognizer_reset(recognizer: *mut c_void);
    vosk_recognizer_free(recognizer: *mut c_void);
    vosk_set_log_level(level: c_int);
}
