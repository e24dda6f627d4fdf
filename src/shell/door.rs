//! The way to the table: whatever is reported gets the time of its arrival here, before it waits
//! for anything.
//!
//! There are two queues. What persons do and what happens to devices is heeded: whoever reports
//! it waits a moment for room. What sensors see, by the thousand where a contact is loose, is left
//! out when there is no room, and counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, SendTimeoutError, Sender, TrySendError, bounded, select};

use super::table::Report;
use crate::game::Input;

/// How many reports may wait in each queue.
pub const QUEUE: usize = 1024;

/// How long whoever reports what a person did waits for room.
const WAIT_MAX: Duration = Duration::from_millis(100);

/// A report with the moment at which it was made.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// When it was made.
    pub at: Instant,
    /// What.
    pub report: Report,
}

/// Where everybody reports to the table.
#[derive(Clone, Debug)]
pub struct Reports {
    heeded: Sender<Arrived>,
    sensed: Sender<Arrived>,
    counts: Counts,
}

/// Where the table finds what was reported.
#[derive(Debug)]
pub struct Arrivals {
    heeded: Receiver<Arrived>,
    sensed: Receiver<Arrived>,
    counts: Counts,
}

/// What was left out of each device that reports.
type Counts = Arc<Mutex<Vec<Arc<LeftOut>>>>;

/// How many reports of one device were left out since they were counted last.
#[derive(Debug)]
struct LeftOut {
    device: String,
    reports: AtomicU64,
}

/// Nobody takes reports any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

/// Both sides of a door.
pub fn door() -> (Reports, Arrivals) {
    let (heeded, heeds) = bounded(QUEUE);
    let (sensed, senses) = bounded(QUEUE);
    let counts = Counts::default();
    let reports = Reports {
        heeded,
        sensed,
        counts: Arc::clone(&counts),
    };
    let arrivals = Arrivals {
        heeded: heeds,
        sensed: senses,
        counts,
    };
    (reports, arrivals)
}

impl Reports {
    /// Reports something, and waits until there is room for it.
    ///
    /// # Errors
    ///
    /// If nobody takes reports any more.
    pub fn send(&self, report: Report) -> Result<(), Closed> {
        self.heeded.send(arrived(report)).map_err(|_| Closed)
    }

    /// For a device of this name.
    pub fn reporter(&self, device: impl Into<String>) -> Reporter {
        let left_out = Arc::new(LeftOut {
            device: device.into(),
            reports: AtomicU64::new(0),
        });
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.push(Arc::clone(&left_out));
        Reporter {
            reports: self.clone(),
            left_out,
        }
    }
}

/// Reports what one device has to tell. It never waits long: what finds no room is left out, and
/// the table records how many.
#[derive(Clone, Debug)]
pub struct Reporter {
    reports: Reports,
    left_out: Arc<LeftOut>,
}

impl Reporter {
    /// Reports something. False if nobody takes reports any more.
    pub fn report(&self, report: Report) -> bool {
        let is_taken = if is_sensed(&report) {
            match self.reports.sensed.try_send(arrived(report)) {
                Ok(()) => true,
                Err(TrySendError::Full(_)) => false,
                Err(TrySendError::Disconnected(_)) => return false,
            }
        } else {
            match self.reports.heeded.send_timeout(arrived(report), WAIT_MAX) {
                Ok(()) => true,
                Err(SendTimeoutError::Timeout(_)) => false,
                Err(SendTimeoutError::Disconnected(_)) => return false,
            }
        };
        if !is_taken {
            self.left_out.reports.fetch_add(1, Ordering::Relaxed);
        }
        true
    }
}

impl Arrivals {
    /// Everything that has arrived, in the order of its arrival, and what was left out; waits so
    /// long for the first. `None` if nobody can report any more.
    pub fn wait(&self, patience: Duration) -> Option<Vec<Arrived>> {
        let mut all = Vec::new();
        select! {
            recv(self.heeded) -> first => all.push(first.ok()?),
            recv(self.sensed) -> first => all.push(first.ok()?),
            default(patience) => {}
        }
        // What a person did after this counts with the next ones: what a sensor saw before it
        // must be among these.
        all.extend(self.heeded.try_iter().take(QUEUE));
        all.extend(self.sensed.try_iter().take(QUEUE));
        all.sort_by_key(|arrived| arrived.at);
        all.extend(self.left_out().map(arrived));
        Some(all)
    }

    /// What persons do, for whoever waits for other things too.
    pub const fn heeded(&self) -> &Receiver<Arrived> {
        &self.heeded
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.heeded.is_empty() && self.sensed.is_empty()
    }

    fn left_out(&self) -> impl Iterator<Item = Report> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let counted: Vec<Report> = counts
            .iter()
            .filter_map(|left_out| {
                let reports = left_out.reports.swap(0, Ordering::Relaxed);
                let device = left_out.device.clone();
                (reports > 0).then_some(Report::Shed { device, reports })
            })
            .collect();
        counted.into_iter()
    }
}

fn arrived(report: Report) -> Arrived {
    Arrived {
        at: Instant::now(),
        report,
    }
}

/// Whether a sensor tells it, again and again.
const fn is_sensed(report: &Report) -> bool {
    matches!(
        report,
        Report::Input(Input::Board { .. } | Input::ClockReads { .. })
    )
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Square};

    use super::*;
    use crate::board::Fact;
    use crate::game::Device;

    fn seen() -> Report {
        Report::Input(Input::Board {
            board: Color::White,
            fact: Fact::Lifted {
                square: Square::E2,
                piece: None,
            },
        })
    }

    fn lost() -> Report {
        Report::Input(Input::Device {
            device: Device::Clock,
            present: false,
        })
    }

    #[test]
    fn what_sensors_saw_is_left_out_and_counted_and_what_persons_did_is_not() {
        let (reports, arrivals) = door();
        let board = reports.reporter("board");
        for _ in 0..QUEUE + 3 {
            assert!(board.report(seen()));
        }
        assert!(board.report(lost()));
        // The board is silent from now on, and gone.
        drop(board);
        let all = arrivals.wait(Duration::ZERO).unwrap();
        let inputs = all.iter().filter(|it| is_sensed(&it.report)).count();
        assert_eq!(inputs, QUEUE);
        let rest: Vec<&Report> = all[QUEUE..].iter().map(|it| &it.report).collect();
        assert!(
            matches!(
                rest[..],
                [
                    Report::Input(Input::Device { .. }),
                    Report::Shed { reports: 3, device }
                ] if device == "board"
            ),
            "{rest:?}"
        );
        assert!(arrivals.wait(Duration::ZERO).unwrap().is_empty());
    }

    #[test]
    fn what_happened_first_comes_first_whichever_way_it_came() {
        let (reports, arrivals) = door();
        let device = reports.reporter("board");
        device.report(seen());
        device.report(lost());
        device.report(seen());
        let all = arrivals.wait(Duration::ZERO).unwrap();
        let order: Vec<bool> = all.iter().map(|it| is_sensed(&it.report)).collect();
        assert_eq!(order, [true, false, true]);
        drop(arrivals);
        assert!(!device.report(seen()));
        assert!(!device.report(lost()));
    }
}
