//! Keeps the record, even while the disk fails or hangs.

use std::path::Path;
use std::time::Duration;

use super::rescue::Lost;
use super::store::Store;
use super::writer_thread::{RecordWriter, WriteResult, silent};
use crate::journal::{Body, Chain, Entry};
use crate::moment::Moment;
use crate::shell::error::{Fault, Part, Remedy};
use crate::shell::table::timeline::Timeline;

/// How long the game waits for the disk before reporting that it does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long it waits before the game begins, when no clock runs: a disk may only be busy.
const PATIENCE_AT_FIRST: Duration = Duration::from_secs(15);

/// How long it waits after that report.
const PATIENCE_IN_GAP: Duration = Duration::from_millis(20);

/// The last note in the record of a game that was left in order.
pub const LEFT: &str = "the game was left";

/// How long after a failed commit the disk is tried again.
const RETRY_MS: u64 = 1000;

/// How often a hanging disk is checked, in milliseconds.
const CHECK_MS: u64 = 100;

/// How long leaving waits for the disk to close the file.
const CLOSING: Duration = Duration::from_secs(10);

/// How many entries are kept in memory while the disk fails. A game has far fewer. Beyond that the
/// oldest sensor readings are dropped so that memory does not run out.
const BACKLOG_MAX: usize = 200_000;

/// Writes the game's entries to its file.
///
/// While the disk works, an entry is durable when [`Recorder::append`] returns. While it does not,
/// entries wait in memory, and are written with a note of the gap once it works again. A separate
/// thread writes, so a disk that neither writes nor fails stops nothing.
pub struct Recorder {
    writer: Option<RecordWriter>,
    gap: Option<Gap>,
}

/// Entries that could not be written in time.
struct Gap {
    since: Moment,
    reason: String,
    /// Entries that wait in addition to those given to the writer.
    entries: Vec<Entry>,
    /// How many entries have had to wait.
    waited: u64,
    left_out: u64,
    /// How many notes of this gap end the entries given to the writer.
    notes: usize,
    retry_at: Moment,
}

/// The result of an append.
#[derive(Debug, PartialEq, Eq)]
pub enum Kept {
    /// The entry is on the disk.
    Durable,
    /// The entry is on the disk, and so is everything that had been waiting.
    DurableAgain,
    /// The disk has just failed, or does not answer, for this reason. The entries wait in memory.
    Failed(Box<Fault>),
    /// The disk still fails. The entries wait in memory.
    Waiting,
}

impl Recorder {
    /// A recorder that writes into a store.
    pub fn new(store: Store) -> Self {
        Self {
            writer: Some(RecordWriter::new(store)),
            gap: None,
        }
    }

    /// A recorder that keeps nothing, for demonstrations and tests without a file.
    pub const fn keeping_nothing() -> Self {
        Self {
            writer: None,
            gap: None,
        }
    }

    /// Whether entries are waiting for the disk.
    pub const fn has_gap(&self) -> bool {
        self.gap.is_some()
    }

    /// When to try the disk again even if nothing else happens.
    pub fn retry_at(&self) -> Option<Moment> {
        self.gap.as_ref().map(|gap| gap.retry_at)
    }

    /// Whether the game's file is gone from its place and this was not reported yet.
    pub fn has_lost_file(&self) -> bool {
        self.gap.is_none() && self.writer.as_ref().is_some_and(RecordWriter::is_gone)
    }

    /// The record's file, if anything is kept.
    pub fn path(&self) -> Option<&Path> {
        self.writer.as_ref().map(RecordWriter::path)
    }

    /// Notes repeatedly from now on that the program is alive.
    pub fn follow(&self, timeline: Timeline) {
        if let Some(writer) = &self.writer {
            writer.follow(timeline);
        }
    }

    /// Notes that the program is alive.
    pub fn write_heartbeat(&self, at: Moment, wall_ms: u64) {
        if let Some(writer) = &self.writer {
            writer.write_heartbeat(at, wall_ms, self.waiting());
        }
    }

    /// How many entries wait for the disk.
    fn waiting(&self) -> u64 {
        let given = self.writer.as_ref().map_or(0, |it| it.given().len());
        let gap = self.gap.as_ref();
        gap.map_or(0, |it| it.entries.len() + given.saturating_sub(it.notes)) as u64
    }

    /// Limits the file to this many bytes, as if the disk were full then.
    pub fn limit(&self, bytes: u64) {
        if let Some(writer) = &self.writer {
            writer.limit(bytes);
        }
    }

    /// Writes the first entry, before the game begins.
    pub fn begin(&mut self, opening: Entry) -> Kept {
        let (at, wall_ms) = (opening.at, opening.wall_ms);
        self.append_within(PATIENCE_AT_FIRST, at, wall_ms, vec![opening])
    }

    /// Writes entries in one commit, after everything still waiting.
    pub fn append(&mut self, now: Moment, wall_ms: u64, entries: Vec<Entry>) -> Kept {
        self.append_within(PATIENCE, now, wall_ms, entries)
    }

    fn append_within(
        &mut self,
        patience: Duration,
        now: Moment,
        wall_ms: u64,
        entries: Vec<Entry>,
    ) -> Kept {
        let Some(writer) = &mut self.writer else {
            return Kept::Durable;
        };
        if let Some(mut gap) = self.gap.take() {
            gap.push(entries);
            if now >= gap.retry_at && gap.is_written(writer, now, wall_ms, PATIENCE_IN_GAP) {
                return Kept::DurableAgain;
            }
            self.gap = Some(gap);
            return Kept::Waiting;
        }
        if entries.is_empty() && !writer.is_gone() {
            return Kept::Durable;
        }
        let waited = entries.len() as u64;
        let (error, entries, again_ms) = match writer.write(entries, patience) {
            WriteResult::Yes => return Kept::Durable,
            WriteResult::No(error) => (error, writer.take_back(), RETRY_MS),
            WriteResult::Unknown => (silent(writer.path()), Vec::new(), CHECK_MS),
        };
        let mut fault = error.fault(Part::Disk);
        fault.remedy = Remedy::AgreeUnrecorded;
        self.gap = Some(Gap {
            since: now,
            reason: error.message,
            entries,
            waited,
            left_out: 0,
            notes: 0,
            retry_at: Moment::from_ms(now.as_ms() + again_ms),
        });
        Kept::Failed(Box::new(fault))
    }

    /// Tries once more to write what waits, notes that the game was left, and closes the file.
    /// Returns what could not be written. Entries for which the disk has not answered may or may
    /// not be written.
    pub fn close(&mut self, now: Moment, wall_ms: u64) -> Lost {
        let Some(mut writer) = self.writer.take() else {
            return Lost::default();
        };
        if let Some(mut gap) = self.gap.take()
            && !gap.is_written(&mut writer, now, wall_ms, PATIENCE)
        {
            let mut entries = writer.given().to_vec();
            entries.truncate(entries.len().saturating_sub(gap.notes));
            entries.append(&mut gap.entries);
            return give_up(writer, now, wall_ms, entries);
        }
        let left = Entry {
            seq: 0,
            at: now,
            wall_ms,
            body: Body::Note(LEFT.to_owned()),
        };
        // Without this note a removed seal could not be distinguished from one never made.
        let mut written = writer.write(vec![left], PATIENCE);
        if writer.is_gone()
            && let WriteResult::No(_) = written
        {
            let left = writer.take_back();
            written = writer.write(left, PATIENCE);
        }
        if writer.is_gone() && !matches!(written, WriteResult::Yes) {
            return give_up(writer, now, wall_ms, Vec::new());
        }
        writer.close(CLOSING);
        Lost::default()
    }
}

/// Returns what the record lacks: these entries, and those of a file that is gone.
fn give_up(mut writer: RecordWriter, now: Moment, wall_ms: u64, mut entries: Vec<Entry>) -> Lost {
    let mut after = writer.end().clone();
    if writer.is_gone() {
        let mut all = writer.everything(PATIENCE);
        if !all.is_empty() {
            all.append(&mut entries);
            (after, entries) = (Chain::new(), all);
        }
    }
    writer.write_heartbeat(now, wall_ms, entries.len() as u64);
    writer.close(PATIENCE);
    Lost { after, entries }
}

/// A file that nobody closed is still sealed.
impl Drop for Recorder {
    fn drop(&mut self) {
        if let Some(writer) = &mut self.writer {
            writer.close(CLOSING);
        }
    }
}

impl Gap {
    fn push(&mut self, entries: Vec<Entry>) {
        self.waited += entries.len() as u64;
        self.entries.extend(entries);
        let surplus = self.entries.len().saturating_sub(BACKLOG_MAX);
        self.entries.drain(..surplus);
        self.left_out += surplus as u64;
    }

    /// Writes everything that waits, with a note of the gap. Returns false if the disk still fails
    /// or has not answered yet.
    fn is_written(
        &mut self,
        writer: &mut RecordWriter,
        now: Moment,
        wall_ms: u64,
        patience: Duration,
    ) -> bool {
        let mut written = if writer.given().is_empty() {
            self.give(writer, now, wall_ms, patience)
        } else {
            writer.answer(patience)
        };
        loop {
            match written {
                WriteResult::Yes if self.notes > 0 && self.entries.is_empty() => return true,
                WriteResult::Yes => {
                    if self.notes > 0 {
                        // Entries that have come since are a new gap.
                        (self.waited, self.left_out) = (self.entries.len() as u64, 0);
                    }
                    written = self.give(writer, now, wall_ms, patience);
                }
                WriteResult::No(error) => {
                    let mut back = writer.take_back();
                    back.truncate(back.len().saturating_sub(self.notes));
                    back.append(&mut self.entries);
                    self.entries = back;
                    self.notes = 0;
                    self.reason = error.message;
                    self.retry_at = Moment::from_ms(now.as_ms() + RETRY_MS);
                    return false;
                }
                WriteResult::Unknown => {
                    self.retry_at = Moment::from_ms(now.as_ms() + CHECK_MS);
                    return false;
                }
            }
        }
    }

    /// Gives the writer what waits, and a note of how much had to wait until now.
    fn give(
        &mut self,
        writer: &mut RecordWriter,
        now: Moment,
        wall_ms: u64,
        patience: Duration,
    ) -> WriteResult {
        let note = |body| Entry {
            seq: 0,
            at: now,
            wall_ms,
            body,
        };
        let mut entries = std::mem::take(&mut self.entries);
        let before = entries.len();
        entries.push(note(Body::Gap {
            since: self.since,
            entries: self.waited,
            reason: self.reason.clone(),
        }));
        if self.left_out > 0 {
            entries.push(note(Body::Shed {
                device: "disk".to_owned(),
                reports: self.left_out,
            }));
        }
        self.notes = entries.len() - before;
        writer.write(entries, patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::error::Reason;
    use crate::shell::record::store::read;

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
        recorder.limit(0);
        let failed = recorder.append(at(10), 10, (1..20).map(note).collect());
        assert!(matches!(failed, Kept::Failed(_)), "{failed:?}");
        assert_eq!(recorder.append(at(20), 20, vec![note(20)]), Kept::Waiting);
        assert_eq!(recorder.retry_at(), Some(at(1010)));
        assert_eq!(recorder.append(at(1010), 1010, vec![]), Kept::Waiting);
        recorder.limit(1 << 30);
        until_durable_again(&mut recorder, note(21));
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

    /// Writes another entry and everything waiting, however long the disk takes.
    fn until_durable_again(recorder: &mut Recorder, entry: Entry) {
        let mut entries = vec![entry];
        for second in 2.. {
            let now = Moment::from_ms(second * 1010);
            match recorder.append(now, 0, std::mem::take(&mut entries)) {
                Kept::DurableAgain => return,
                kept => assert_eq!(kept, Kept::Waiting),
            }
        }
    }

    #[test]
    fn a_disk_that_hangs_stops_nothing_and_gets_all_when_it_answers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.annexd");
        let mut recorder = Recorder::new(Store::create(&path).unwrap());
        let at = Moment::from_ms;
        assert_eq!(recorder.append(at(0), 0, vec![note(0)]), Kept::Durable);
        let hanging = recorder.writer.as_ref().unwrap().hang();
        let failed = recorder.append(at(10), 10, vec![note(1), note(2)]);
        let Kept::Failed(fault) = failed else {
            panic!("{failed:?}");
        };
        assert_eq!(fault.part, Part::Disk);
        assert_eq!(fault.reason, Reason::Silent);
        assert_eq!(fault.remedy, Remedy::AgreeUnrecorded);
        for number in 3..20 {
            let kept = recorder.append(at(number * 1000), 0, vec![note(number)]);
            assert_eq!(kept, Kept::Waiting);
        }
        assert!(read(&path).unwrap().entries.len() == 1);
        drop(hanging);
        until_durable_again(&mut recorder, note(20));
        let record = read(&path).unwrap();
        assert_eq!(record.broken, None);
        let numbers: Vec<u64> = record
            .entries
            .iter()
            .filter(|entry| matches!(entry.body, Body::Note(_)))
            .map(|entry| entry.wall_ms)
            .collect();
        assert_eq!(
            numbers,
            (0..=20).collect::<Vec<u64>>(),
            "each once, in its order"
        );
        let gaps = record.entries.iter().filter_map(|entry| match entry.body {
            Body::Gap { entries, since, .. } => Some((entries, since.as_ms())),
            _ => None,
        });
        let gaps: Vec<(u64, u64)> = gaps.collect();
        assert!(gaps.iter().all(|(_, since)| *since == 10), "{gaps:?}");
        assert_eq!(gaps.iter().map(|(entries, _)| entries).sum::<u64>(), 20);
    }

    #[test]
    fn what_a_hanging_disk_never_took_is_given_back_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.annexd");
        let mut recorder = Recorder::new(Store::create(&path).unwrap());
        let at = Moment::from_ms;
        recorder.append(at(0), 0, vec![note(0)]);
        let hanging = recorder.writer.as_ref().unwrap().hang();
        recorder.append(at(10), 10, vec![note(1)]);
        recorder.append(at(20), 20, vec![note(2)]);
        let lost = recorder.close(at(30), 30);
        let numbers: Vec<u64> = lost.entries.iter().map(|entry| entry.wall_ms).collect();
        assert_eq!(numbers, [1, 2]);
        drop(hanging);
    }
}
