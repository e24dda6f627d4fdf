//! How long a test has worked, whatever else the machine does meanwhile.

use std::time::Duration;

/// How long this thread has worked; other work of the machine does not count.
#[cfg(target_os = "linux")]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#[expect(clippy::disallowed_methods, reason = "a test asks the system")]
pub(crate) fn worked() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds = text.split(' ').next().unwrap().parse().unwrap();
    Duration::from_nanos(nanoseconds)
}

/// How long the test has run, where nothing tells more.
#[cfg(not(target_os = "linux"))]
pub(crate) fn worked() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}
