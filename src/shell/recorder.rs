//! Keeps the record, also while the disk fails.

use super::error::{Error, Fault, Part, Remedy};
use super::store::Store;
use crate::journal::{Body, Entry};
use crate::moment::Moment;

/// How long after a failed commit the disk is tried again.
const RETRY_MS: u64 = 1000;

/// How many entries are kept in memory while the disk fails. A game has far fewer; beyond that
/// the oldest readings are given up so that memory does not run out.
const BACKLOG_MAX: usize = 200_000;

/// The way from the game to its file.
///
/// While the disk can be written an entry is durable when [`Recorder::append`] returns. While it
/// cannot, entries wait in memory and are written, with a note of the gap, once there is room.
pub struct Recorder {
    store: Option<Store>,
    gap: Option<Gap>,
}

/// Entries that could not be written.
struct Gap {
    since: Moment,
    reason: String,
    entries: Vec<Entry>,
    left_out: u64,
    retry_at: Moment,
}

/// What became of an append.
#[derive(Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is on the disk.
    Durable,
    /// It is on the disk, and so is everything that had been waiting.
    DurableAgain,
    /// The disk has just failed, for this reason; the entries wait in memory.
    Failed(Box<Fault>),
    /// The disk still fails; the entries wait in memory.
    Waiting,
}

impl Recorder {
    /// A recorder that writes into a store.
    pub const fn new(store: Store) -> Self {
        Self {
            store: Some(store),
            gap: None,
        }
    }

    /// A recorder that keeps nothing, for demonstrations and tests that have no file.
    pub const fn keeping_nothing() -> Self {
        Self {
            store: None,
            gap: None,
        }
    }

    /// Whether entries are waiting for the disk.
    pub const fn has_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// When the disk should be tried again even if nothing else happens.
    pub fn retry_at(&self) -> Option<Moment> {
        self.gap.as_ref().map(|gap| gap.retry_at)
    }

    /// The store, if anything is kept.
    pub const fn store(&self) -> Option<&Store> {
        self.store.as_ref()
    }

    /// Notes that the program is alive.
    pub fn beat(&mut self, at: Moment, wall_ms: u64) {
        if let Some(store) = &mut self.store {
            store.beat(at, wall_ms);
        }
    }

    /// Writes entries in one commit, after everything that still waits.
    pub fn append(&mut self, now: Moment, wall_ms: u64, mut entries: Vec<Entry>) -> Kept {
        let Some(store) = &mut self.store else {
            return Kept::Durable;
        };
        match self.gap.take() {
            None => match store.append(&mut entries) {
                Ok(()) => Kept::Durable,
                Err(error) => {
                    let mut fault = error.fault(Part::Disk);
                    fault.remedy = Remedy::AgreeUnrecorded;
                    self.gap = Some(Gap::open(now, error, entries));
                    Kept::Failed(Box::new(fault))
                }
            },
            Some(mut gap) => {
                gap.push(entries);
                if now >= gap.retry_at {
                    if gap.write(store, now, wall_ms).is_ok() {
                        return Kept::DurableAgain;
                    }
                    gap.retry_at = Moment::from_ms(now.as_ms() + RETRY_MS);
                }
                self.gap = Some(gap);
                Kept::Waiting
            }
        }
    }
}

impl Gap {
    fn open(now: Moment, error: Error, entries: Vec<Entry>) -> Self {
        Self {
            since: now,
            reason: error.message,
            entries,
            left_out: 0,
            retry_at: Moment::from_ms(now.as_ms() + RETRY_MS),
        }
    }

    fn push(&mut self, entries: Vec<Entry>) {
        self.entries.extend(entries);
        let surplus = self.entries.len().saturating_sub(BACKLOG_MAX);
        self.entries.drain(..surplus);
        self.left_out += surplus as u64;
    }

    fn write(&mut self, store: &mut Store, now: Moment, wall_ms: u64) -> Result<(), Error> {
        let waiting = self.entries.len();
        let note = |body| Entry {
            seq: 0,
            at: now,
            wall_ms,
            body,
        };
        self.entries.push(note(Body::Gap {
            since: self.since,
            entries: waiting as u64,
            reason: self.reason.clone(),
        }));
        if self.left_out > 0 {
            self.entries.push(note(Body::Shed {
                device: "disk".to_owned(),
                reports: self.left_out,
            }));
        }
        store.append(&mut self.entries).inspect_err(|_| {
            self.entries.truncate(waiting);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::store::read;

    fn note(number: u64) -> Entry {
        Entry {
            seq: 0,
            at: Moment::from_ms(number),
            wall_ms: number,
            body: Body::Note("x".repeat(5000)),
        }
    }

    #[test]
    fn what_a_full_disk_refused_is_written_when_there_is_room() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.annexd");
        let mut recorder = Recorder::new(Store::create(&path).unwrap());
        let at = Moment::from_ms;
        assert_eq!(recorder.append(at(0), 0, vec![note(0)]), Kept::Durable);
        recorder.store().unwrap().limit(0).unwrap();
        let failed = recorder.append(at(10), 10, (1..20).map(note).collect());
        assert!(matches!(failed, Kept::Failed(_)), "{failed:?}");
        assert_eq!(recorder.append(at(20), 20, vec![note(20)]), Kept::Waiting);
        assert_eq!(recorder.retry_at(), Some(at(1010)));
        assert_eq!(recorder.append(at(1010), 1010, vec![]), Kept::Waiting);
        recorder.store().unwrap().limit(1 << 30).unwrap();
        let again = recorder.append(at(2010), 2010, vec![note(21)]);
        assert_eq!(again, Kept::DurableAgain);
        assert!(!recorder.has_gap());
        let record = read(&path).unwrap();
        assert_eq!(record.broken, None);
        assert_eq!(record.entries.len(), 23);
        let last = &record.entries.last().unwrap().body;
        assert!(
            matches!(last, Body::Gap { entries: 21, since, .. } if since.as_ms() == 10),
            "{last:?}"
        );
    }
}
