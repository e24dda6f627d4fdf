//! The lines that wait to be read at a console. The table puts lines in and never waits; the
//! console's thread takes them out. A console that reads slowly loses the oldest lines, and is told
//! how many. Only one that reads nothing at all for a long time is given up.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How many lines may wait.
const LINES_MAX: usize = 1024;

/// The lines of one console, used from both sides.
#[derive(Clone)]
pub(super) struct Letterbox {
    shared: Arc<Shared>,
    /// The beginning of the next line.
    begun: Vec<u8>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<Vec<u8>>,
    left_out: u64,
    /// The last line, once there is one. No more lines are taken after it.
    last: Option<Vec<u8>>,
    is_done: bool,
}

/// What comes next.
enum Next {
    LeftOut(u64),
    Line(Vec<u8>),
    Last(Vec<u8>),
}

impl Letterbox {
    /// A letterbox for a console that writes to `out`. `left_out` words the number of lines left
    /// out. `done` is called at the end, with the error if the console caused it.
    pub(super) fn new(
        mut out: impl Write + Send + 'static,
        left_out: impl Fn(u64) -> String + Send + 'static,
        done: impl FnOnce(Option<io::Error>) + Send + 'static,
    ) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            changed: Condvar::new(),
        });
        let taken = Arc::clone(&shared);
        let mut read = move || -> io::Result<()> {
            loop {
                match taken.next() {
                    Next::LeftOut(lines) => writeln!(out, "{}", left_out(lines))?,
                    Next::Line(line) => out.write_all(&line)?,
                    Next::Last(line) => return out.write_all(&line),
                }
            }
        };
        let told = Arc::clone(&shared);
        // Without a thread nobody reads, which is like a console that has gone.
        let _ = thread::Builder::new().spawn(move || {
            let why = read().err();
            told.lock().is_done = true;
            told.changed.notify_all();
            done(why);
        });
        Self {
            shared,
            begun: Vec::new(),
        }
    }

    /// Puts in the last line. Waiting lines are read before it.
    pub(super) fn close(&self, line: Vec<u8>) {
        let mut state = self.shared.lock();
        state.last.get_or_insert(line);
        self.shared.changed.notify_all();
    }

    /// Waits this long for everything to be read.
    pub(super) fn finish(&self, patience: Duration) {
        let state = self.shared.lock();
        let waited = self
            .shared
            .changed
            .wait_timeout_while(state, patience, |state| !state.is_done);
        drop(waited);
    }
}

impl Write for Letterbox {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.begun.is_empty() {
            return Ok(());
        }
        let line = std::mem::take(&mut self.begun);
        let mut state = self.shared.lock();
        if state.is_done || state.last.is_some() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if state.lines.len() >= LINES_MAX {
            state.lines.pop_front();
            state.left_out += 1;
        }
        state.lines.push_back(line);
        self.shared.changed.notify_all();
        Ok(())
    }
}

impl Shared {
    /// Waits for what has to be read next.
    fn next(&self) -> Next {
        let mut state = self.lock();
        loop {
            if state.left_out > 0 {
                return Next::LeftOut(std::mem::take(&mut state.left_out));
            }
            if let Some(line) = state.lines.pop_front() {
                return Next::Line(line);
            }
            if let Some(line) = &state.last {
                return Next::Last(line.clone());
            }
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn who_reads_late_reads_the_latest_and_how_many_were_left_out() {
        let (here, there) = UnixStream::pair().unwrap();
        let (done, ended) = crossbeam_channel::bounded(1);
        let mut letters = Letterbox::new(
            here,
            |lines| lines.to_string(),
            move |why| {
                done.send(why.is_none()).unwrap();
            },
        );
        let given = 5000;
        for number in 0..given {
            writeln!(letters, "line {number} {}", "x".repeat(500)).unwrap();
            letters.flush().unwrap();
        }
        letters.close(b"the last\n".to_vec());
        assert!(
            writeln!(letters, "late")
                .and_then(|()| letters.flush())
                .is_err()
        );
        let lines = BufReader::new(there).lines().map_while(Result::ok);
        let lines: Vec<String> = lines.collect();
        assert!(ended.recv().unwrap());
        let left_out: Vec<u64> = lines.iter().filter_map(|it| it.parse().ok()).collect();
        assert!(!left_out.is_empty());
        let read = lines.iter().filter(|it| it.starts_with("line ")).count() as u64;
        assert_eq!(read + left_out.iter().sum::<u64>(), given);
        let latest = format!("line {} ", given - 1);
        assert!(lines[lines.len() - 2].starts_with(&latest));
        assert_eq!(lines.last().unwrap(), "the last");
    }

    #[test]
    fn who_reads_nothing_for_long_is_given_up_and_nobody_waits_for_him() {
        let (here, _there) = UnixStream::pair().unwrap();
        let patience = Duration::from_millis(20);
        here.set_write_timeout(Some(patience)).unwrap();
        let (done, ended) = crossbeam_channel::bounded(1);
        let mut letters = Letterbox::new(
            here,
            |lines| lines.to_string(),
            move |why| {
                done.send(why).unwrap();
            },
        );
        let long = "x".repeat(4000);
        while writeln!(letters, "{long}")
            .and_then(|()| letters.flush())
            .is_ok()
        {}
        assert!(ended.recv().unwrap().is_some());
        assert!(
            writeln!(letters, "late")
                .and_then(|()| letters.flush())
                .is_err()
        );
    }
}
