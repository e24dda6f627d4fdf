//! Watches the threads of devices. A thread that hangs means that its device is lost.
//!
//! A thread notices most losses by itself. It cannot notice a driver that never returns from a call
//! into the system, or a recogniser that never ends. The watchdog can.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::inbox::{Reporter, Reports};
use super::report::Report;
use crate::game::{Device, Input};
use crate::shell::error::{Fault, Part, Reason, Remedy};

/// How often the watchdog looks.
const CHECK_INTERVAL: Duration = Duration::from_millis(250);

/// How long a thread may go without a turn before it counts as hung. It is longer than any time
/// that a thread waits by itself.
pub const HANGS_AFTER: Duration = Duration::from_secs(6);

/// Counts the turns of one thread. The thread counts one in each round of its loop.
#[derive(Clone, Debug, Default)]
pub struct Turns(Arc<AtomicU64>);

impl Turns {
    /// Counts a turn: the thread is alive.
    pub fn turn(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The threads to be watched.
#[derive(Default)]
pub struct Watchdog {
    watched: Vec<Watched>,
}

/// One watched thread.
struct Watched {
    device: Device,
    turns: Turns,
    seen: u64,
    seen_at: Option<Instant>,
    hangs: bool,
}

impl Watchdog {
    /// Returns a count of turns for the thread of a device. It is watched from its first turn on.
    pub fn turns_of(&mut self, device: Device) -> Turns {
        let turns = Turns::default();
        self.add(device, turns.clone());
        turns
    }

    /// Watches a thread that counts its turns already.
    pub fn add(&mut self, device: Device, turns: Turns) {
        self.watched.push(Watched {
            device,
            turns,
            seen: 0,
            seen_at: None,
            hangs: false,
        });
    }

    /// Watches until nobody takes reports any more.
    pub fn watch(mut self, reports: Reports) {
        if self.watched.is_empty() {
            return;
        }
        let reporter = reports.reporter("watchdog");
        thread::spawn(move || {
            loop {
                thread::sleep(CHECK_INTERVAL);
                if !self.look(Instant::now(), &reporter) {
                    return;
                }
            }
        });
    }

    /// Reports each thread that has begun or ceased to hang. Returns whether anybody takes reports.
    fn look(&mut self, now: Instant, reporter: &Reporter) -> bool {
        let mut is_heard = true;
        for watched in &mut self.watched {
            let Some(hangs) = watched.look(now) else {
                continue;
            };
            let device = watched.device;
            let input = if hangs {
                Input::Failed {
                    device: Some(device),
                    person: None,
                    fault: hung(device),
                }
            } else {
                let present = true;
                Input::Device { device, present }
            };
            is_heard &= reporter.report(Report::Input(input));
        }
        is_heard
    }
}

/// The fault of a device whose thread has not turned for long.
const fn hung(device: Device) -> Fault {
    let (part, remedy) = match device {
        Device::Board(_) => (Part::Board, Remedy::ConfirmMoves),
        Device::Clock => (Part::Clock, Remedy::ReadClock),
        Device::Microphone(_) => (Part::Microphone, Remedy::Type),
        Device::Voice(_) | Device::SystemVoice(_) => (Part::Loudspeaker, Remedy::Read),
        Device::Gamepad(_) => (Part::Gamepad, Remedy::UseKeys),
        Device::Braille(_) => (Part::Braille, Remedy::Reconnect),
        Device::Disk => (Part::Disk, Remedy::Wait),
    };
    Fault::new(part, Reason::Silent, remedy)
}

impl Watched {
    /// Returns whether the thread hangs, if that has changed.
    fn look(&mut self, now: Instant) -> Option<bool> {
        let count = self.turns.count();
        if count != self.seen {
            self.seen = count;
            self.seen_at = Some(now);
        }
        let hangs = self
            .seen_at
            .is_some_and(|seen| now.saturating_duration_since(seen) > HANGS_AFTER);
        (hangs != std::mem::replace(&mut self.hangs, hangs)).then_some(hangs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::table::inbox::channel;

    #[test]
    fn a_thread_that_hangs_is_told_once_and_so_is_its_return() {
        let (sender, arrivals) = channel();
        let reporter = sender.reporter("watchdog");
        let told = || -> Vec<Report> {
            let all = arrivals.wait(Duration::ZERO).unwrap();
            all.into_iter().map(|arrived| arrived.report).collect()
        };
        let mut watchdog = Watchdog::default();
        let turns = watchdog.turns_of(Device::Microphone(None));
        let idle = watchdog.turns_of(Device::Clock);
        let begun = Instant::now();
        let at = |seconds| begun + Duration::from_secs(seconds);
        turns.turn();
        for seconds in [0, 3, 6] {
            assert!(watchdog.look(at(seconds), &reporter));
            assert!(arrivals.is_empty(), "{seconds}");
        }
        for seconds in [7, 8, 100] {
            assert!(watchdog.look(at(seconds), &reporter));
        }
        let present = |report: &Report| match report {
            Report::Input(Input::Device { device, present }) => {
                assert_eq!(*device, Device::Microphone(None));
                Some(*present)
            }
            Report::Input(Input::Failed { device, .. }) => {
                assert_eq!(*device, Some(Device::Microphone(None)));
                Some(false)
            }
            _ => None,
        };
        let news = told();
        assert_eq!(news.len(), 1);
        assert_eq!(news.iter().find_map(present), Some(false));
        turns.turn();
        assert!(watchdog.look(at(101), &reporter));
        let news = told();
        assert_eq!(news.iter().find_map(present), Some(true));
        drop(idle);
    }
}
