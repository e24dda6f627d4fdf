//! The computer that runs the game. It is kept awake, a sleep that happens all the same is
//! detected, and its battery is watched. Its libraries for devices are opened when needed.

#[cfg(not(windows))]
mod awake;
mod battery;
#[cfg(any(
    feature = "audio",
    feature = "voice",
    feature = "gamepad",
    feature = "serial"
))]
pub(super) mod libraries;
mod sleep;
#[cfg(windows)]
pub(super) mod windows;

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use awake::Awake;
use battery::{Levels, POWER_SUPPLIES};
use sleep::{BothClocks, SleepWatch};
#[cfg(windows)]
use windows as awake;

use crate::game::{Input, MachineNotice};
use crate::phrases::PhraseKey;
use crate::shell::table::Report;
use crate::shell::table::inbox::Reports;

/// How often to check whether the computer slept. Each check wakes the processor.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// The battery is read at every check with this number: once a minute.
const CHECKS_TO_BATTERY: u64 = 30;

/// Keeps the computer awake, and watches it, until the game is left.
pub(super) fn attend(reports: &Reports) -> Attended {
    watch(reports.clone());
    Attended {
        _awake: keep_awake(reports.clone()),
    }
}

/// While it lives, the computer is kept awake, where possible.
pub(super) struct Attended {
    _awake: Option<Awake>,
}

/// Asks the system to stay awake. If that is impossible, it is reported once. A system that never
/// sleeps need not be asked.
fn keep_awake(reports: Reports) -> Option<Awake> {
    if !awake::can_sleep() {
        return None;
    }
    Awake::keep(move || {
        let _ = reports.send(Report::Note(PhraseKey::MaySleep.into()));
    })
}

/// Checks repeatedly, in its own thread, until nobody takes reports any more.
fn watch(reports: Reports) {
    let (clocks, least) = sleep::clocks();
    let mut watch = Watch::new(clocks, least, POWER_SUPPLIES.into());
    thread::spawn(move || {
        let reporter = reports.reporter("computer");
        drop(reports);
        loop {
            thread::sleep(CHECK_INTERVAL);
            for notice in watch.look() {
                if !reporter.report(Report::Input(Input::Machine(notice))) {
                    return;
                }
            }
        }
    });
}

/// What was noticed so far.
struct Watch<C> {
    sleep: SleepWatch<C>,
    levels: Levels,
    power_supplies: PathBuf,
    looks: u64,
}

impl<C: FnMut() -> Option<BothClocks>> Watch<C> {
    fn new(clocks: C, least: Duration, power_supplies: PathBuf) -> Self {
        Self {
            sleep: SleepWatch::new(clocks, least),
            levels: Levels::default(),
            power_supplies,
            looks: 0,
        }
    }

    /// What is new since the last check.
    fn look(&mut self) -> Vec<MachineNotice> {
        let mut news = Vec::new();
        news.extend(self.sleep.slept().map(MachineNotice::Slept));
        if self.looks.is_multiple_of(CHECKS_TO_BATTERY) {
            let charge = battery::charge(&self.power_supplies);
            let level = charge.and_then(|charge| self.levels.news(charge));
            news.extend(level.map(MachineNotice::BatteryAt));
        }
        self.looks += 1;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleep_and_a_low_battery_are_noticed_once_each() {
        let folder = tempfile::tempdir().unwrap();
        battery::tests::write(folder.path(), "BAT0", "Discharging", 9);
        let second = Duration::from_secs(1);
        // The checks are a second apart. Before the third the computer slept for five minutes.
        let mut looks = 0;
        let clocks = move || {
            looks += 1;
            let slept = if looks > 3 {
                300 * second
            } else {
                Duration::ZERO
            };
            Some(BothClocks {
                awake: looks * second,
                all: looks * second + slept,
            })
        };
        let mut watch = Watch::new(clocks, second, folder.path().into());
        let news: Vec<_> = (0..5).map(|_| watch.look()).collect();
        assert_eq!(news[0], [MachineNotice::BatteryAt(9)]);
        assert_eq!(news[2], [MachineNotice::Slept(300 * second)]);
        assert_eq!(news.concat().len(), 2, "{news:?}");
    }
}
