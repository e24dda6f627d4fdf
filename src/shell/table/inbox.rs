//! The way of reports to the table. Each gets the time of its arrival here, before it waits for
//! anything.
//!
//! There are two queues. One is for the acts of persons and the events of devices; a reporter waits
//! a moment for room in it. The other is for sensors, which can report thousands of times where a
//! contact is loose. Their reports are taken in frames. Where there is no room, only the last
//! report of each square is kept; the rest is dropped and counted.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, SendTimeoutError, Sender, TrySendError, bounded, select};
use shakmaty::{Color, Square};

use super::report::Report;
use crate::board::Fact;
use crate::game::Input;

/// How many reports may wait in each queue.
pub const QUEUE: usize = 1024;

/// How long a report of a person's act waits for room.
const WAIT_MAX: Duration = Duration::from_millis(100);

/// The least time between two takings of reports from sensors alone. All of a frame goes into one
/// commit: each commit waits for the disk, and a person who speaks meanwhile would wait behind it.
const FRAME: Duration = Duration::from_millis(10);

/// A report with the moment at which it was made.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// When it was made.
    pub at: Instant,
    /// The report.
    pub report: Report,
}

/// The sending side, on which everybody reports to the table.
#[derive(Clone, Debug)]
pub struct Reports {
    heeded: Sender<Arrived>,
    sensed: Sender<Arrived>,
    overflows: Overflows,
}

/// The receiving side, from which the table takes reports.
#[derive(Debug)]
pub struct Arrivals {
    heeded: Receiver<Arrived>,
    sensed: Receiver<Arrived>,
    overflows: Overflows,
    /// The moment of the last taking.
    taken: Cell<Option<Instant>>,
}

/// What found no room, for each device that reports.
type Overflows = Arc<Mutex<Vec<Arc<Overflow>>>>;

/// What found no room since the last taking, for one device.
#[derive(Debug)]
struct Overflow {
    device: String,
    /// How many reports were dropped.
    left_out: AtomicU64,
    /// The last report of its sensors for each place. As long as there is one here, all reports of
    /// its sensors come here, because they are later than those in the queue.
    last: Mutex<Vec<(SensorSource, Arrived)>>,
}

/// What a sensor reports on again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SensorSource {
    Square(Color, Square),
    Settled(Color),
    Clock,
}

/// Nobody takes reports any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closed;

/// Makes both sides of a queue for reports.
pub fn channel() -> (Reports, Arrivals) {
    let (heeded, heeds) = bounded(QUEUE);
    let (sensed, senses) = bounded(QUEUE);
    let overflows = Overflows::default();
    let reports = Reports {
        heeded,
        sensed,
        overflows: Arc::clone(&overflows),
    };
    let arrivals = Arrivals {
        heeded: heeds,
        sensed: senses,
        overflows,
        taken: Cell::new(None),
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

    /// Makes a reporter for a device of this name.
    pub fn reporter(&self, device: impl Into<String>) -> Reporter {
        let overflow = Arc::new(Overflow {
            device: device.into(),
            left_out: AtomicU64::new(0),
            last: Mutex::default(),
        });
        lock(&self.overflows).push(Arc::clone(&overflow));
        Reporter {
            reports: self.clone(),
            overflow,
        }
    }
}

/// Reports for one device. It never waits long: what finds no room is dropped, and the table
/// records how many.
#[derive(Clone, Debug)]
pub struct Reporter {
    reports: Reports,
    overflow: Arc<Overflow>,
}

impl Reporter {
    /// Reports something. Returns `false` if nobody takes reports any more.
    pub fn report(&self, report: Report) -> bool {
        if let Some(place) = place_of(&report) {
            return self.sense(place, arrived(report));
        }
        match self.reports.heeded.send_timeout(arrived(report), WAIT_MAX) {
            Ok(()) => true,
            Err(SendTimeoutError::Timeout(_)) => {
                self.leave_out(1);
                true
            }
            Err(SendTimeoutError::Disconnected(_)) => false,
        }
    }

    fn sense(&self, place: SensorSource, arrived: Arrived) -> bool {
        let mut last = lock(&self.overflow.last);
        let mut arrived = arrived;
        if last.is_empty() {
            arrived = match self.reports.sensed.try_send(arrived) {
                Ok(()) => return true,
                Err(TrySendError::Full(refused)) => refused,
                Err(TrySendError::Disconnected(_)) => return false,
            };
        }
        let before = last.len();
        last.retain(|(of, _)| *of != place);
        self.leave_out(before - last.len());
        last.push((place, arrived));
        true
    }

    fn leave_out(&self, reports: usize) {
        let left_out = &self.overflow.left_out;
        left_out.fetch_add(reports as u64, Ordering::Relaxed);
    }
}

impl Arrivals {
    /// Takes everything that has arrived, in the order of arrival, and what was dropped. It waits
    /// for the first report for at most so long. `None` if nobody can report any more.
    pub fn wait(&self, patience: Duration) -> Option<Vec<Arrived>> {
        let mut all = Vec::new();
        select! {
            recv(self.heeded) -> first => all.push(first.ok()?),
            recv(self.sensed) -> first => {
                all.push(first.ok()?);
                // The frame is full, or a person has acted.
                all.extend(self.heeded.recv_timeout(self.left_of_frame().min(patience)));
            }
            default(patience) => {}
        }
        // A person's act after this point goes with the next reports. What a sensor saw before such
        // an act must be among these.
        all.extend(self.heeded.try_iter().take(QUEUE));
        all.extend(self.sensed.try_iter().take(QUEUE));
        let mut left_out = Vec::new();
        for overflow in lock(&self.overflows).iter() {
            all.extend(lock(&overflow.last).drain(..).map(|(_, last)| last));
            left_out.extend(overflow.shed().map(arrived));
        }
        all.sort_by_key(|arrived| arrived.at);
        all.extend(left_out);
        if !all.is_empty() {
            self.taken.set(Some(Instant::now()));
        }
        Some(all)
    }

    /// How long reports of sensors alone still wait for more of their kind.
    fn left_of_frame(&self) -> Duration {
        self.taken.get().map_or(Duration::ZERO, |taken| {
            FRAME.saturating_sub(taken.elapsed())
        })
    }

    /// The acts of persons, for a caller that waits for other things too.
    pub const fn heeded(&self) -> &Receiver<Arrived> {
        &self.heeded
    }

    /// Returns whether no report waits.
    pub fn is_empty(&self) -> bool {
        let is_empty = |overflow: &Arc<Overflow>| lock(&overflow.last).is_empty();
        self.heeded.is_empty()
            && self.sensed.is_empty()
            && lock(&self.overflows).iter().all(is_empty)
    }
}

impl Overflow {
    /// Reports how much was dropped since the last call.
    fn shed(&self) -> Option<Report> {
        let reports = self.left_out.swap(0, Ordering::Relaxed);
        let device = self.device.clone();
        (reports > 0).then_some(Report::Shed { device, reports })
    }
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

fn arrived(report: Report) -> Arrived {
    Arrived {
        at: Instant::now(),
        report,
    }
}

/// Returns the place that a sensor reports on, if the report is a sensor's.
const fn place_of(report: &Report) -> Option<SensorSource> {
    let Report::Input(input) = report else {
        return None;
    };
    match input {
        Input::Board { board, fact } => Some(match fact {
            Fact::Lifted { square, .. } | Fact::Placed { square, .. } => {
                SensorSource::Square(*board, *square)
            }
            Fact::Settled(_) => SensorSource::Settled(*board),
        }),
        Input::ClockReads { .. } => Some(SensorSource::Clock),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Device;

    fn seen() -> Report {
        lifted(Square::E2)
    }

    fn lifted(square: Square) -> Report {
        Report::Input(Input::Board {
            board: Color::White,
            fact: Fact::Lifted {
                square,
                piece: None,
            },
        })
    }

    const fn is_sensed(report: &Report) -> bool {
        place_of(report).is_some()
    }

    fn lost() -> Report {
        Report::Input(Input::Device {
            device: Device::Clock,
            present: false,
        })
    }

    #[test]
    fn what_sensors_saw_is_left_out_and_counted_and_what_persons_did_is_not() {
        let (reports, arrivals) = channel();
        let board = reports.reporter("board");
        for _ in 0..QUEUE + 3 {
            assert!(board.report(seen()));
        }
        assert!(board.report(lost()));
        // From now on the board is silent and gone.
        drop(board);
        let all = arrivals.wait(Duration::ZERO).unwrap();
        let inputs = all.iter().filter(|it| is_sensed(&it.report)).count();
        assert_eq!(inputs, QUEUE + 1);
        let rest: Vec<&Report> = all[QUEUE + 1..].iter().map(|it| &it.report).collect();
        assert!(
            matches!(
                rest[..],
                [
                    Report::Input(Input::Device { .. }),
                    Report::Shed { reports: 2, device }
                ] if device == "board"
            ),
            "{rest:?}"
        );
        assert!(arrivals.wait(Duration::ZERO).unwrap().is_empty());
    }

    #[test]
    fn where_there_is_no_room_the_last_of_each_square_is_kept() {
        let (reports, arrivals) = channel();
        let board = reports.reporter("board");
        for _ in 0..QUEUE {
            board.report(seen());
        }
        for square in [Square::A1, Square::B1, Square::A1] {
            board.report(lifted(square));
        }
        let all = arrivals.wait(Duration::ZERO).unwrap();
        let rest: Vec<Option<SensorSource>> =
            all[QUEUE..].iter().map(|it| place_of(&it.report)).collect();
        let of = |square| Some(SensorSource::Square(Color::White, square));
        assert_eq!(rest, [of(Square::B1), of(Square::A1), None]);
        assert!(arrivals.is_empty());
    }

    #[test]
    fn what_happened_first_comes_first_whichever_way_it_came() {
        let (reports, arrivals) = channel();
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
