//! What the system asks of the program: Ctrl-C, a polite kill and a terminal that is closed leave
//! the game as `ende` does, and a limit of the size of files is a full disk.

#[cfg(unix)]
use std::time::{Duration, Instant};

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
    use std::sync::atomic::AtomicBool;

    let never = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, never);
}

/// Elsewhere there is no such signal.
#[cfg(not(unix))]
pub(crate) fn outlive_limits() {}

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

/// Elsewhere the system ends the program, and the record is whole up to there.
#[cfg(not(unix))]
pub(crate) fn heed(_reports: Reports) {}
