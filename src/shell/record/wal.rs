//! Merges the log of a game's file into the file while the game is played. SQLite would do it
//! within a commit, and everybody at the table would wait for it.

use std::path::Path;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded};
use rusqlite::Connection;

/// How many commits until the log is merged: some seconds of the busiest game, and a log of a few
/// megabytes at most.
const COMMITS: u32 = 250;

/// The handle of the thread that merges the log.
pub(crate) struct LogJoiner {
    /// `None` once the thread is to end.
    wishes: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    commits: u32,
}

impl LogJoiner {
    /// Merges the log of the game at `path`, whose writer must not do it too. Without a second
    /// connection the writer keeps doing it.
    pub(crate) fn beside(writer: &Connection, path: &Path) -> Self {
        let nobody = Self {
            wishes: None,
            thread: None,
            commits: 0,
        };
        let Ok(connection) = super::access::connect_again(path) else {
            return nobody;
        };
        if writer.pragma_update(None, "wal_autocheckpoint", 0).is_err() {
            return nobody;
        }
        let (wishes, wished) = bounded(1);
        Self {
            wishes: Some(wishes),
            thread: Some(thread::spawn(move || join(&connection, &wished))),
            commits: 0,
        }
    }

    /// Notes that the writer has committed.
    pub(crate) fn committed(&mut self) {
        self.commits += 1;
        if self.commits >= COMMITS
            && let Some(wishes) = &self.wishes
            && wishes.try_send(()).is_ok()
        {
            self.commits = 0;
        }
    }
}

/// Waits until nothing is being merged any more.
impl Drop for LogJoiner {
    fn drop(&mut self) {
        self.wishes = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The thread itself. A log that cannot be merged now is merged later, or stays: its content is as
/// safe as that of the file.
fn join(connection: &Connection, wished: &Receiver<()>) {
    for () in wished {
        let _ = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
    }
}
