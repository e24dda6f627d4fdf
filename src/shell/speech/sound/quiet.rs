//! Access to the system's sound. It keeps ALSA from writing on the terminal.

use crate::shell::error::{Fault, Part, Reason, Remedy, Result, error};
use crate::shell::machine::libraries;

/// Returns the sound system, in which devices are found.
///
/// # Errors
///
/// `ErrorKind::Missing` if the system has no library for sound. The fault names this part.
pub(crate) fn host(part: Part) -> Result<cpal::Host> {
    if !libraries::has_alsa() {
        let fault = Fault::new(part, Reason::Absent, Remedy::Read);
        return Err(error!(Missing, NoSoundLibrary).about(fault.with("libasound.so.2")));
    }
    quiet_alsa();
    Ok(cpal::default_host())
}

/// Makes the ALSA library silent. It writes every device that it cannot open to the standard error,
/// where a screen reader would read it aloud. Its errors are still returned as errors.
///
/// Call it before the first device is opened. Calling it again does no harm.
#[cfg(target_os = "linux")]
pub fn quiet_alsa() {
    use std::ffi::{c_char, c_int};
    use std::sync::Once;

    if !libraries::has_alsa() {
        return;
    }

    static ONCE: Once = Once::new();

    type Fixed = extern "C" fn(*const c_char, c_int, *const c_char, c_int, *const c_char);
    type Variadic =
        unsafe extern "C" fn(*const c_char, c_int, *const c_char, c_int, *const c_char, ...);

    extern "C" fn ignore(
        _file: *const c_char,
        _line: c_int,
        _function: *const c_char,
        _error: c_int,
        _format: *const c_char,
    ) {
    }

    ONCE.call_once(|| {
        #[expect(
            unsafe_code,
            reason = "ALSA wants a variadic handler, which Rust cannot define; one that ignores \
                      the further arguments is called the same way"
        )]
        unsafe {
            let handler = std::mem::transmute::<Fixed, Variadic>(ignore);
            alsa_sys::snd_lib_error_set_handler(Some(handler));
        }
    });
}

/// Does nothing: only ALSA writes on the terminal.
#[cfg(not(target_os = "linux"))]
pub fn quiet_alsa() {}
