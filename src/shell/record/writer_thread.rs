//! The thread that writes the record. A disk may fail, which it tells, or hang, which it cannot:
//! so nobody but this thread ever waits for the disk without a limit.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::heartbeat::BEAT_MS;
use super::store::Store;
use crate::journal::{Chain, Entry};
use crate::moment::Moment;
use crate::shell::config::data;
use crate::shell::consoles::folded_output;
use crate::shell::error::{Error, Fault, Part, Reason, Remedy, Result, told};
use crate::shell::table::timeline::{Timeline, wall_ms};

/// How many orders may wait for a disk that hangs: one commit and some beats.
const ORDERS: usize = 4;

/// How long a game's file may take to be opened before it is said.
const OPENING: Duration = Duration::from_secs(2);

/// What the thread is to do.
enum Order {
    /// Write these in one commit, and answer.
    Write(Arc<Vec<Entry>>),
    /// Note that the program is alive, and how many entries wait.
    Beat(Moment, u64, u64),
    /// Note the same from now on without being told, by this time line.
    Follow(Timeline),
    /// Give back all that was written.
    Everything(Sender<Vec<Entry>>),
    /// Let the file grow to so many bytes.
    Limit(u64),
    /// Hang until the other end is dropped.
    #[cfg(test)]
    Hang(Receiver<()>),
}

/// The thread, from outside.
pub(crate) struct Scribe {
    /// `None` once it is to close the file.
    orders: Option<Sender<Order>>,
    answers: Receiver<Result<Chain>>,
    /// What it was given to write and has not answered for.
    given: Option<Arc<Vec<Entry>>>,
    path: PathBuf,
    /// The end of what is known to be written.
    end: Chain,
    /// Whether the file has gone from its place.
    is_gone: Arc<AtomicBool>,
}

/// What became of entries that were to be written.
pub(crate) enum Written {
    /// They are on the disk.
    Yes,
    /// They are not.
    No(Error),
    /// There is no answer yet.
    Unknown,
}

impl Scribe {
    /// Gives a store to a thread of its own.
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

    /// The end of what is known to be written.
    pub(crate) const fn end(&self) -> &Chain {
        &self.end
    }

    /// Whether the file has gone from its place and is not written anew yet.
    pub(crate) fn is_gone(&self) -> bool {
        self.is_gone.load(Ordering::Relaxed)
    }

    /// All that was written, as far as it is given back in this time.
    pub(crate) fn everything(&self, patience: Duration) -> Vec<Entry> {
        let (giving, given) = bounded(1);
        self.order(Order::Everything(giving));
        given.recv_timeout(patience).unwrap_or_default()
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What was given and is neither known to be written nor known not to be.
    pub(crate) fn given(&self) -> &[Entry] {
        self.given.as_deref().map_or(&[], Vec::as_slice)
    }

    /// Gives entries to be written in one commit, and waits so long for the answer. Only what was
    /// given before has to be answered.
    pub(crate) fn write(&mut self, entries: Vec<Entry>, patience: Duration) -> Written {
        let until = Instant::now() + patience;
        let entries = Arc::new(entries);
        self.given = Some(Arc::clone(&entries));
        let order = Order::Write(entries);
        match self
            .orders
            .as_ref()
            .map(|it| it.send_timeout(order, patience))
        {
            Some(Ok(())) => self.answer(until.saturating_duration_since(Instant::now())),
            // Beats are before it, and hang.
            Some(Err(_)) | None => Written::No(silent(&self.path)),
        }
    }

    /// The answer for what was given, if it comes in this time.
    pub(crate) fn answer(&mut self, patience: Duration) -> Written {
        match self.answers.recv_timeout(patience) {
            Ok(Ok(end)) => {
                self.given = None;
                self.end = end;
                Written::Yes
            }
            Ok(Err(error)) => Written::No(error),
            Err(RecvTimeoutError::Timeout) => Written::Unknown,
            Err(RecvTimeoutError::Disconnected) => Written::No(silent(&self.path)),
        }
    }

    /// Takes back what was given and not written.
    pub(crate) fn take_back(&mut self) -> Vec<Entry> {
        self.given
            .take()
            .map_or_else(Vec::new, |given| given.to_vec())
    }

    /// Notes that the program is alive. A beat for which a hanging disk has no room is left out.
    pub(crate) fn beat(&self, at: Moment, wall_ms: u64, waiting: u64) {
        self.order(Order::Beat(at, wall_ms, waiting));
    }

    /// Notes from now on, again and again, that the program is alive: nobody else need wake for
    /// it.
    pub(super) fn follow(&self, timeline: Timeline) {
        self.order(Order::Follow(timeline));
    }

    /// Lets the file grow to so many bytes and no further, as if the disk were full then.
    pub(crate) fn limit(&self, bytes: u64) {
        self.order(Order::Limit(bytes));
    }

    /// Lets the disk hang until what is returned is dropped.
    #[cfg(test)]
    pub(crate) fn hang(&self) -> Sender<()> {
        let (end, waiting) = bounded(0);
        self.order(Order::Hang(waiting));
        end
    }

    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            let _ = orders.try_send(order);
        }
    }

    /// Closes the file, and waits so long until that is done.
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
    orders: &Receiver<Order>,
    answers: &Sender<Result<Chain>>,
    is_gone: &AtomicBool,
) {
    let mut pulse = Pulse::default();
    loop {
        let order = match pulse.next_order(orders) {
            Ok(order) => order,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if let Some(timeline) = pulse.timeline {
                    store.beat(timeline.now(), wall_ms(), pulse.waiting);
                    is_gone.store(store.is_gone(), Ordering::Relaxed);
                }
                continue;
            }
        };
        match order {
            Order::Write(entries) => {
                let written = store.append(&mut entries.to_vec());
                is_gone.store(store.is_gone(), Ordering::Relaxed);
                let answer = written.map(|()| store.chain().clone());
                if answers.send(answer).is_err() {
                    return;
                }
            }
            Order::Follow(timeline) => pulse.timeline = Some(timeline),
            Order::Beat(at, wall_ms, waiting) => {
                pulse.waiting = waiting;
                store.beat(at, wall_ms, waiting);
                is_gone.store(store.is_gone(), Ordering::Relaxed);
            }
            Order::Everything(giving) => {
                let _ = giving.send(store.everything());
            }
            Order::Limit(bytes) => {
                let _ = store.limit(bytes);
            }
            #[cfg(test)]
            Order::Hang(end) => {
                let _ = end.recv();
            }
        }
    }
    // Before the answers end, which is the sign that it is done.
    drop(store);
}

/// When the next beat is due, and what it tells.
#[derive(Default)]
struct Pulse {
    timeline: Option<Timeline>,
    /// How many entries waited when that was told last.
    waiting: u64,
    due: Option<Instant>,
}

impl Pulse {
    /// The next order; a time-out when a beat is due before it.
    fn next_order(
        &mut self,
        orders: &Receiver<Order>,
    ) -> std::result::Result<Order, RecvTimeoutError> {
        if self.timeline.is_none() {
            return orders.recv().map_err(|_| RecvTimeoutError::Disconnected);
        }
        let beat = Duration::from_millis(BEAT_MS);
        let due = *self.due.get_or_insert_with(|| Instant::now() + beat);
        let order = orders.recv_deadline(due);
        if matches!(order, Err(RecvTimeoutError::Timeout)) {
            self.due = Some(Instant::now() + beat);
        }
        order
    }
}

/// Opens a game's file. That a disk hangs is said after a while, in a language if there is one,
/// and then it is waited for: without a record no game begins.
///
/// # Errors
///
/// Those of what opens it.
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
    told!(Unwritable, GameDiskSilent, path = path.display()).about(
        Fault::new(Part::Disk, Reason::Silent, Remedy::Wait).with(path.display().to_string()),
    )
}
