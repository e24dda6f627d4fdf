//! What the system asks of the program: Ctrl-C, a polite kill and a terminal that is closed leave
//! the game as `ende` does, and a limit of the size of files is a full disk.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::time::{Duration, Instant};

#[cfg(unix)]
use super::inbox::Reports;
#[cfg(unix)]
use super::report::Report;

/// So long leaving may take on a disk that hangs. A session that ends asks in several ways at once,
/// and who asks again meanwhile must not cut it off between the last entry and the seal.
#[cfg(unix)]
const LEAVING: Duration = Duration::from_secs(15);

/// A file that may not grow further is a disk that is full: unheeded the signal would end the
/// program, heeded the disk's error comes back from the write.
#[cfg(unix)]
pub(crate) fn outlive_limits() {
    use std::sync::Arc;

    let never = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, never);
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub(crate) fn outlive_limits() {}

/// Whether the game is left in order when the system asks for it.
#[cfg(unix)]
static IS_HEEDED: AtomicBool = AtomicBool::new(false);

/// Shows again what is typed when the program is ended while somebody types what is secret.
#[cfg(unix)]
pub(crate) fn show_at_end() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let ending = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let Ok(mut signals) = Signals::new(ending.filter(|it| !is_ignored(*it))) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            crate::shell::consoles::echo::show();
            if !IS_HEEDED.load(Ordering::Relaxed) {
                let _ = emulate_default_handler(signal);
            }
        }
    });
}

#[cfg(windows)]
pub(crate) use crate::shell::machine::windows::{heed, show_at_end};

/// Leaves the game when the system asks for it. Who asks once more is not made to wait until the
/// disk has taken everything.
#[cfg(unix)]
pub(crate) fn heed(reports: Reports) {
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let Ok(mut signals) = Signals::new(heeded.filter(|it| !is_ignored(*it))) else {
        return;
    };
    IS_HEEDED.store(true, Ordering::Relaxed);
    thread::spawn(move || {
        let mut asked = signals.forever();
        asked.next();
        let first = Instant::now();
        let _ = reports.send(Report::Leave);
        for signal in asked.filter(|_| first.elapsed() > LEAVING) {
            let _ = emulate_default_handler(signal);
        }
    });
}

/// Whether whoever started the program wants it to go on in spite of a signal, as `nohup` does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
