//! What is typed is shown, unless it is secret.

#[cfg(unix)]
pub(crate) use unix::{hide, show};

#[cfg(unix)]
mod unix {
    use std::io::stdin;
    use std::sync::{Mutex, PoisonError};

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    /// How the terminal was before anything was hidden.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    /// While it lives, what is typed at the terminal is not shown.
    pub(crate) struct Hidden;

    /// Hides what is typed from now on. Where the input is no terminal nothing is shown anyway.
    pub(crate) fn hide() -> Hidden {
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        if before.is_none()
            && let Ok(usual) = tcgetattr(stdin())
        {
            let mut hidden = usual.clone();
            hidden.local_modes.remove(LocalModes::ECHO);
            // That a line has ended is shown.
            hidden.local_modes.insert(LocalModes::ECHONL);
            if tcsetattr(stdin(), OptionalActions::Now, &hidden).is_ok() {
                *before = Some(usual);
            }
        }
        Hidden
    }

    /// Shows it again: also where a program ends while somebody types.
    pub(crate) fn show() {
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(usual) = before.take() {
            let _ = tcsetattr(stdin(), OptionalActions::Now, &usual);
        }
    }

    impl Drop for Hidden {
        fn drop(&mut self) {
            show();
        }
    }
}

/// Where terminals are not known, what is typed is shown.
#[cfg(not(unix))]
pub(crate) struct Hidden;

/// Nothing is hidden.
#[cfg(not(unix))]
pub(crate) fn hide() -> Hidden {
    Hidden
}

/// Nothing was hidden.
#[cfg(not(unix))]
pub(crate) fn show() {}
