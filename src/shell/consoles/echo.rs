//! Shows what is typed, unless it is secret.

#[cfg(all(feature = "recognizer", unix))]
pub(crate) use unix::forget_typed;
#[cfg(unix)]
pub(crate) use unix::{hide, show};
#[cfg(all(feature = "recognizer", windows))]
pub(crate) use windows::forget_typed;
#[cfg(windows)]
pub(crate) use windows::{hide, show};

#[cfg(unix)]
mod unix {
    use std::io::stdin;
    use std::sync::{Mutex, PoisonError};

    use rustix::termios::{LocalModes, OptionalActions, QueueSelector, Termios};
    use rustix::termios::{tcflush, tcgetattr, tcsetattr};

    /// The terminal's settings before anything was hidden, and how often it is hidden.
    static BEFORE: Mutex<(Option<Termios>, u32)> = Mutex::new((None, 0));

    /// While it lives, typing at the terminal is not shown.
    pub(crate) struct Hidden;

    /// Hides typing from now on. If the input is no terminal, nothing is shown anyway.
    pub(crate) fn hide() -> Hidden {
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        before.1 += 1;
        if before.0.is_none()
            && let Ok(usual) = tcgetattr(stdin())
        {
            let mut hidden = usual.clone();
            hidden.local_modes.remove(LocalModes::ECHO);
            // The end of a line is still shown.
            hidden.local_modes.insert(LocalModes::ECHONL);
            if tcsetattr(stdin(), OptionalActions::Now, &hidden).is_ok() {
                before.0 = Some(usual);
            }
        }
        Hidden
    }

    /// Shows typing again, even if the program ends while somebody types.
    pub(crate) fn show() {
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        before.1 = 0;
        if let Some(usual) = before.0.take() {
            let _ = tcsetattr(stdin(), OptionalActions::Now, &usual);
        }
    }

    impl Hidden {
        /// Discards what was typed ahead: it may be a PIN, and must not become the next reader's
        /// line.
        pub(crate) fn forget(self) {
            forget_typed();
        }
    }

    /// Discards what was typed ahead at a terminal.
    pub(crate) fn forget_typed() {
        let _ = tcflush(stdin(), QueueSelector::IFlush);
    }

    impl Drop for Hidden {
        fn drop(&mut self) {
            let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
            before.1 = before.1.saturating_sub(1);
            let is_last = before.1 == 0;
            drop(before);
            if is_last {
                show();
            }
        }
    }
}

#[cfg(windows)]
mod windows {
    use std::sync::atomic::{AtomicU32, Ordering};

    pub(crate) use crate::shell::machine::windows::forget_typed;
    use crate::shell::machine::windows::set_echo;

    /// How often typing is hidden.
    static HIDDEN: AtomicU32 = AtomicU32::new(0);

    /// While it lives, typing at the console is not shown.
    pub(crate) struct Hidden;

    /// Hides typing from now on. If the input is no console, nothing is shown anyway.
    pub(crate) fn hide() -> Hidden {
        HIDDEN.fetch_add(1, Ordering::SeqCst);
        set_echo(false);
        Hidden
    }

    /// Shows typing again, even if the program ends while somebody types.
    pub(crate) fn show() {
        if HIDDEN.swap(0, Ordering::SeqCst) > 0 {
            set_echo(true);
        }
    }

    impl Hidden {
        /// Discards what was typed ahead: it may be a PIN, and must not become the next reader's
        /// line.
        pub(crate) fn forget(self) {
            forget_typed();
        }
    }

    impl Drop for Hidden {
        fn drop(&mut self) {
            let less = |count: u32| Some(count.saturating_sub(1));
            let before = HIDDEN.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
            if before == Ok(1) {
                set_echo(true);
            }
        }
    }
}
