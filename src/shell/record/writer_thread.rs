//! The thread that writes the record. A disk may fail, which it reports, or hang, which it cannot.
//! So nobody but this thread ever waits for the disk without a limit.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::heartbeat::HEARTBEAT_MS;
use super::store::Store;
use crate::journal::{Chain, Entry};
use crate::moment::Moment;
use crate::shell::config::data;
use crate::shell::consoles::folded_output;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, error};
use crate::shell::table::timeline::{Timeline, wall_ms};

/// How many orders may wait for a hanging disk: one commit and some heartbeats.
const ORDERS: usize = 4;

/// How long opening a game's file may take before that is reported.
const OPENING: Duration = Duration::from_secs(2);

/// An order to the thread.
enum WriterOrder {
    /// Write these entries in one commit, and answer.
    Write(Arc<Vec<Entry>>),
    /// Note that the program is alive, and how many entries wait.
    Heartbeat(Moment, u64, u64),
    /// Note the same repeatedly from now on, by this time line.
    Follow(Timeline),
    /// Return everything that was written.
    Everything(Sender<Vec<Entry>>),
    /// Limit the file to this many bytes.
    Limit(u64),
    /// Hang until the other end is dropped.
    #[cfg(test)]
    Hang(Receiver<()>),
}

/// The handle of the thread.
pub(crate) struct RecordWriter {
    /// `None` once the thread is to close the file.
    orders: Option<Sender<WriterOrder>>,
    answers: Receiver<Result<Chain>>,
    /// The entries given to be written and not answered for yet.
    given: Option<Arc<Vec<Entry>>>,
    path: PathBuf,
    /// The chain at the end of what is known to be written.
    end: Chain,
    /// Whether the file is gone from its place.
    is_gone: Arc<AtomicBool>,
}

/// The result of writing entries.
pub(crate) enum WriteResult {
    /// They are on the disk.
    Yes,
    /// They are not, for this reason.
    No(Error),
    /// There is no answer yet.
    Unknown,
}

impl RecordWriter {
    /// Gives a store to its own thread.
    pub(crate) fn new(store: Store) -> Self {
        let path = store.path().to_path_buf();
        let end = store.chain().clone();
        let (orders, ordered) = bounded(ORDERS);
        let (answering, answers) = bounded(1);
        let is_gone = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_gone);
        thread::spawn(move || work(store, &ordered, &answering, &told));
        Self {
            orders: Some(orders),
            answers,
            given: None,
            path,
            end,
            is_gone,
        }
    }

    /// The chain at the end of what is known to be written.
    pub(crate) const fn end(&self) -> &Chain {
        &self.end
    }

    /// Whether the file is gone from its place and is not rewritten yet.
    pub(crate) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Relaxed)
    }

    /// Everything that was written, if it is returned within this time.
    pub(crate) fn everything(&self, patience: Duration) -> Vec<Entry> {
        let (giving, given) = bounded(1);
        self.order(WriterOrder::Everything(giving));
        given.recv_timeout(patience).unwrap_or_default()
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The entries given that may or may not be written.
    pub(crate) fn given(&self) -> &[Entry] {
        self.given.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Gives entries to be written in one commit, and waits this long for the answer. Entries given
    /// before must have been answered for.
    pub(crate) fn write(&mut self, entries: Vec<Entry>, patience: Duration) -> WriteResult {
        let until = Instant::now() + patience;
        let entries = Arc::new(entries);
        self.given = Some(Arc::clone(&entries));
        let order = WriterOrder::Write(entries);
        match self
            .orders
            .as_ref()
            .map(|it| it.send_timeout(order, patience))
        {
            Some(Ok(())) => self.answer(until.saturating_duration_since(Instant::now())),
            // The queue is full of heartbeats, and hangs.
            Some(Err(_)) | None => WriteResult::No(silent(&self.path)),
        }
    }

    /// The answer for the entries given, if it comes within this time.
    pub(crate) fn answer(&mut self, patience: Duration) -> WriteResult {
        match self.answers.recv_timeout(patience) {
            Ok(Ok(end)) => {
                self.given = None;
                self.end = end;
                WriteResult::Yes
            }
            Ok(Err(error)) => WriteResult::No(error),
            Err(RecvTimeoutError::Timeout) => WriteResult::Unknown,
            Err(RecvTimeoutError::Disconnected) => WriteResult::No(silent(&self.path)),
        }
    }

    /// Takes back the entries given and not written.
    pub(crate) fn take_back(&mut self) -> Vec<Entry> {
        self.given
            .take()
            .map_or_else(Vec::new, |given| given.to_vec())
    }

    /// Notes that the program is alive. A heartbeat for which there is no room is skipped.
    pub(crate) fn write_heartbeat(&self, at: Moment, wall_ms: u64, waiting: u64) {
        self.order(WriterOrder::Heartbeat(at, wall_ms, waiting));
    }

    /// Notes repeatedly from now on that the program is alive, so that nobody else need wake for
    /// it.
    pub(super) fn follow(&self, timeline: Timeline) {
        self.order(WriterOrder::Follow(timeline));
    }

    /// Limits the file to this many bytes, as if the disk were full then.
    pub(crate) fn limit(&self, bytes: u64) {
        self.order(WriterOrder::Limit(bytes));
    }

    /// Makes the disk hang until the returned value is dropped.
    #[cfg(test)]
    pub(crate) fn hang(&self) -> Sender<()> {
        let (end, waiting) = bounded(0);
        self.order(WriterOrder::Hang(waiting));
        end
    }

    fn order(&self, order: WriterOrder) {
        if let Some(orders) = &self.orders {
            let _ = orders.try_send(order);
        }
    }

    /// Closes the file, and waits this long for it.
    pub(crate) fn close(&mut self, patience: Duration) {
        self.orders = None;
        let until = Instant::now() + patience;
        while Instant::now() < until
            && let Ok(_) = self
                .answers
                .recv_timeout(until.saturating_duration_since(Instant::now()))
        {}
    }
}

/// The thread itself, until there are no more orders. Then the file is sealed.
fn work(
    mut store: Store,
    orders: &Receiver<WriterOrder>,
    answers: &Sender<Result<Chain>>,
    is_gone: &AtomicBool,
) {
    let mut heartbeat = HeartbeatTimer::default();
    loop {
        let order = match heartbeat.next_order(orders) {
            Ok(order) => order,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(timeline) = heartbeat.timeline {
                    store.write_heartbeat(timeline.now(), wall_ms(), heartbeat.waiting);
                    is_gone.store(store.is_gone(), Ordering::Relaxed);
                }
                continue;
            }
        };
        match order {
            WriterOrder::Write(entries) => {
                let written = store.append(&mut entries.to_vec());
                is_gone.store(store.is_gone(), Ordering::Relaxed);
                let answer = written.map(|()| store.chain().clone());
                if answers.send(answer).is_err() {
                    return;
                }
            }
            WriterOrder::Follow(timeline) => heartbeat.timeline = Some(timeline),
            WriterOrder::Heartbeat(at, wall_ms, waiting) => {
                heartbeat.waiting = waiting;
                store.write_heartbeat(at, wall_ms, waiting);
                is_gone.store(store.is_gone(), Ordering::Relaxed);
            }
            WriterOrder::Everything(giving) => {
                let _ = giving.send(store.everything());
            }
            WriterOrder::Limit(bytes) => {
                let _ = store.limit(bytes);
            }
            #[cfg(test)]
            WriterOrder::Hang(end) => {
                let _ = end.recv();
            }
        }
    }
    // This comes before the answers end, which is the sign that it is done.
    drop(store);
}

/// When the next heartbeat is due, and its content.
#[derive(Default)]
struct HeartbeatTimer {
    timeline: Option<Timeline>,
    /// How many entries were waiting at the last report.
    waiting: u64,
    due: Option<Instant>,
}

impl HeartbeatTimer {
    /// The next order; a time-out if a heartbeat is due before it.
    fn next_order(
        &mut self,
        orders: &Receiver<WriterOrder>,
    ) -> std::result::Result<WriterOrder, RecvTimeoutError> {
        if self.timeline.is_none() {
            return orders.recv().map_err(|_| RecvTimeoutError::Disconnected);
        }
        let interval = Duration::from_millis(HEARTBEAT_MS);
        let due = *self.due.get_or_insert_with(|| Instant::now() + interval);
        let order = orders.recv_deadline(due);
        if matches!(order, Err(RecvTimeoutError::Timeout)) {
            self.due = Some(Instant::now() + interval);
        }
        order
    }
}

/// Opens a game's file. A hanging disk is reported after a while, in this language if possible, and
/// then waited for: no game begins without a record.
///
/// # Errors
///
/// Those of `open`.
pub(crate) fn patiently<T: Send + 'static>(
    language: &str,
    path: &Path,
    open: fn(&Path) -> Result<T>,
) -> Result<T> {
    let (done, opened) = bounded(1);
    let file = path.to_path_buf();
    thread::spawn(move || done.send(open(&file)));
    opened
        .recv_timeout(OPENING)
        .or_else(|_| {
            let error = silent(path);
            let error = match data::language(language) {
                Ok(language) => error.in_language(&language),
                Err(_) => error,
            };
            folded_output::print(&error.to_string());
            opened.recv()
        })
        .unwrap_or_else(|_| Err(silent(path)))
}

/// The error of a disk that does not answer.
pub(crate) fn silent(path: &Path) -> Error {
    error!(Unwritable, GameDiskSilent, path = path.display()).about(
        Fault::new(Part::Disk, Reason::Silent, Remedy::Wait).with(path.display().to_string()),
    )
}
