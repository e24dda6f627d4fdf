//! How tests wait: for what happens, with a patience that no busy machine needs.
#![allow(
    dead_code,
    clippy::disallowed_methods,
    reason = "a test looks at the clock only to give up; no test file uses all of this"
)]

use std::thread;
use std::time::{Duration, Instant};

/// How long anything is waited for. It comes much sooner, whatever else the machine does.
pub(crate) const PATIENCE: Duration = Duration::from_secs(300);

/// How often it is looked at. To read a record costs more than to write it, and who reads it all
/// the time leaves the game no time to go on.
const EVERY: Duration = Duration::from_millis(150);

/// Whether something is so before this much time has gone by.
pub(crate) fn comes_within(patience: Duration, mut is_so: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + patience;
    while !is_so() {
        if Instant::now() > until {
            return false;
        }
        thread::sleep(EVERY);
    }
    true
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait_until(what: &str, is_so: impl FnMut() -> bool) {
    assert!(comes_within(PATIENCE, is_so), "never: {what}");
}
