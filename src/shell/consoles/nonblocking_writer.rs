//! Writers that never make the table wait long. Their own thread writes, and may hang while a
//! terminal is held (Ctrl-S), a pipe is full or a screen reader stops.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Sender, TrySendError, bounded};

/// How many lines may wait: enough for a long game.
const LINES_MAX: usize = 4096;

/// How long the table waits for a line to be written. A terminal that takes longer is held.
const WAIT_MAX: Duration = Duration::from_millis(100);

/// Writes lines, and knows whether they were written.
///
/// [`Write::flush`] reports it: [`io::ErrorKind::TimedOut`] if earlier lines still wait,
/// [`io::ErrorKind::WouldBlock`] if lines were left out because too many were waiting.
pub(crate) struct Patient {
    blocks: Sender<Vec<u8>>,
    begun: Vec<u8>,
    given: u64,
    progress: Arc<Progress>,
    /// Whether lines already wait, so that there is no need to wait for the next one.
    is_behind: bool,
}

/// How far the thread has come.
#[derive(Default)]
struct Progress {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    written: u64,
    has_failed: bool,
}

impl Patient {
    /// A writer to this output.
    pub(crate) fn new(mut out: impl Write + Send + 'static) -> Self {
        let (blocks, waiting) = bounded::<Vec<u8>>(LINES_MAX);
        let progress = Arc::new(Progress::default());
        let told = Arc::clone(&progress);
        thread::spawn(move || {
            for block in waiting {
                let written = out.write_all(&block).and_then(|()| out.flush());
                let mut state = told.lock();
                state.written += 1;
                state.has_failed |= written.is_err();
                let has_failed = state.has_failed;
                drop(state);
                told.changed.notify_all();
                if has_failed {
                    return;
                }
            }
        });
        Self {
            blocks,
            begun: Vec::new(),
            given: 0,
            progress,
            is_behind: false,
        }
    }

    /// Waits this long until everything given is written.
    ///
    /// # Errors
    ///
    /// [`io::ErrorKind::TimedOut`] if it is not, [`io::ErrorKind::BrokenPipe`] if it never will be.
    pub(crate) fn catch_up(&mut self, patience: Duration) -> io::Result<()> {
        let state = self.progress.lock();
        let is_waiting = |state: &mut State| state.written < self.given && !state.has_failed;
        let waited = self
            .progress
            .changed
            .wait_timeout_while(state, patience, is_waiting);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        self.is_behind = state.written < self.given;
        if state.has_failed {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if self.is_behind {
            return Err(io::ErrorKind::TimedOut.into());
        }
        Ok(())
    }
}

impl Progress {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.begun.is_empty() {
            match self.blocks.try_send(std::mem::take(&mut self.begun)) {
                Ok(()) => self.given += 1,
                Err(TrySendError::Full(_)) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(TrySendError::Disconnected(_)) => {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
            }
        }
        let patience = if self.is_behind {
            Duration::ZERO
        } else {
            WAIT_MAX
        };
        self.catch_up(patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that takes nothing until it is released.
    struct Held {
        may: crossbeam_channel::Receiver<()>,
        taken: Sender<Vec<u8>>,
    }

    impl Write for Held {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.may.recv();
            self.taken.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_that_is_held_says_so_and_gets_all_lines_later() {
        let (go, may) = bounded(0);
        let (taken, lines) = crossbeam_channel::unbounded();
        let mut patient = Patient::new(Held { may, taken });
        for number in 0..LINES_MAX + 1 {
            writeln!(patient, "{number}").unwrap();
            let error = patient.flush().unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::TimedOut, "{number}");
        }
        writeln!(patient, "one too many").unwrap();
        let error = patient.flush().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        drop(go);
        patient.catch_up(Duration::from_secs(60)).unwrap();
        assert_eq!(lines.try_iter().count(), LINES_MAX + 1);
        writeln!(patient, "again").unwrap();
        patient.flush().unwrap();
        assert_eq!(lines.try_iter().collect::<Vec<_>>(), [b"again\n"]);
    }
}
