//! The signals of the system. Ctrl-C, a polite kill and a closed terminal leave the game as `ende`
//! does. A limit on the size of files counts as a full disk.

#[cfg(unix)]
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};
#[cfg(unix)]
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
#[cfg(unix)]
use crossbeam_channel::{Sender, bounded};

#[cfg(unix)]
use super::inbox::Reports;
#[cfg(unix)]
use super::report::Report;

/// How long leaving may take on a disk that hangs. A session that ends sends several signals at
/// once. A second one must not cut the program off between the last entry and the seal.
#[cfg(unix)]
const LEAVING: Duration = Duration::from_secs(15);

/// Makes a limit on the size of files look like a full disk. Without a handler the signal would end
/// the program; with one the write returns an error.
#[cfg(unix)]
pub(crate) fn outlive_limits() {
    use std::sync::Arc;

    let never = Arc::new(AtomicBool::new(false));
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, never);
}

/// Does nothing: only Unix systems have such a signal.
#[cfg(not(unix))]
pub(crate) fn outlive_limits() {}

/// Whether the game is left in order when the system asks for it.
#[cfg(unix)]
static IS_HEEDED: AtomicBool = AtomicBool::new(false);

/// Restores the terminal's echo when the program is ended while somebody types a secret.
#[cfg(unix)]
pub(crate) fn show_at_end() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    static IS_WATCHED: AtomicBool = AtomicBool::new(false);

    if IS_WATCHED.swap(true, Ordering::Relaxed) {
        return;
    }
    let ending = [SIGHUP, SIGINT, SIGTERM].into_iter();
    let Ok(mut signals) = Signals::new(ending.filter(|it| !is_ignored(*it))) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            crate::shell::consoles::echo::show();
            if !IS_HEEDED.load(Ordering::Relaxed) && !leaves_dialogue() {
                let _ = emulate_default_handler(signal);
            }
        }
    });
}

/// Whom a dialogue has told what to do when the system asks for its end.
#[cfg(unix)]
static DIALOGUE: Mutex<Option<Sender<()>>> = Mutex::new(None);

/// Asks the open dialogue to leave. Whether there is one that was not asked before.
#[cfg(unix)]
fn leaves_dialogue() -> bool {
    let dialogue = DIALOGUE.lock().unwrap_or_else(PoisonError::into_inner);
    let sent = dialogue.as_ref().map(|it| it.try_send(()));
    sent.is_some_and(|it| it.is_ok())
}

/// As long as this lives it gets what would end the program, so that it can say goodbye first.
#[cfg(unix)]
pub(crate) fn in_dialogue() -> Receiver<()> {
    let (asking, asked) = bounded(1);
    *DIALOGUE.lock().unwrap_or_else(PoisonError::into_inner) = Some(asking);
    show_at_end();
    asked
}

/// Elsewhere the program ends at once.
#[cfg(not(unix))]
pub(crate) fn in_dialogue() -> Receiver<()> {
    crossbeam_channel::never()
}

#[cfg(windows)]
pub(crate) use crate::shell::machine::windows::{heed, show_at_end};

/// Leaves the game when the system asks for it. A signal that comes more than [`LEAVING`] later
/// ends the program at once.
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

/// Returns whether the user wants the program to go on in spite of a signal, as `nohup` does.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
