//! The computer's battery, as Linux reports it. On other systems nothing is known about it.

use std::fs;
use std::path::Path;

/// The folder in which the system reports batteries and chargers.
pub(super) const POWER_SUPPLIES: &str = "/sys/class/power_supply";

/// The percentages at which the charge is reported once each.
const LEVELS: [u8; 3] = [20, 10, 5];

/// Once charged to this percentage, all levels may be reported again.
const CHARGED: u8 = 30;

/// The charge of the batteries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Charge {
    /// From 0 to 100.
    pub percent: u8,
    /// Whether it is decreasing.
    pub is_discharging: bool,
}

/// The charge of all the computer's batteries together, if it has any. Those of a mouse or a
/// gamepad are not counted.
pub(super) fn charge(power_supplies: &Path) -> Option<Charge> {
    let folders = fs::read_dir(power_supplies).ok()?.flatten();
    let batteries: Vec<Battery> = folders
        .filter_map(|folder| Battery::read(&folder.path()))
        .collect();
    let whole: f64 = batteries.iter().map(|it| it.whole).sum();
    let left: f64 = batteries.iter().map(|it| it.left).sum();
    (whole > 0.0).then(|| Charge {
        percent: (100.0 * left / whole).round().clamp(0.0, 100.0) as u8,
        is_discharging: batteries.iter().any(|it| it.is_discharging),
    })
}

/// One battery. The unit of its capacity is its maker's choice.
struct Battery {
    left: f64,
    whole: f64,
    is_discharging: bool,
}

impl Battery {
    fn read(folder: &Path) -> Option<Self> {
        let text = |name: &str| {
            let text = fs::read_to_string(folder.join(name)).ok()?;
            Some(text.trim().to_owned())
        };
        let number = |name: &str| text(name)?.parse::<f64>().ok();
        let is_own = text("type")? == "Battery" && text("scope").as_deref() != Some("Device");
        let held = |kind: &str| {
            let left = number(&format!("{kind}_now"))?;
            let whole = number(&format!("{kind}_full")).filter(|whole| *whole > 0.0)?;
            Some((left, whole))
        };
        let (left, whole) = held("energy")
            .or_else(|| held("charge"))
            .or_else(|| Some((number("capacity")?, 100.0)))?;
        is_own.then(|| Self {
            left,
            whole,
            is_discharging: text("status").as_deref() == Some("Discharging"),
        })
    }
}

/// The levels already reported.
#[derive(Debug, Default)]
pub(super) struct Levels {
    lowest: Option<u8>,
}

impl Levels {
    /// The remaining percentage, if it has to be reported now.
    pub(super) fn news(&mut self, charge: Charge) -> Option<u8> {
        if charge.percent >= CHARGED {
            self.lowest = None;
        }
        let reached = LEVELS.into_iter().filter(|level| charge.percent <= *level);
        let reached = reached.min().filter(|_| charge.is_discharging)?;
        if self.lowest.is_some_and(|lowest| lowest <= reached) {
            return None;
        }
        self.lowest = Some(reached);
        Some(charge.percent)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Writes a battery as Linux reports one.
    pub(in super::super) fn write(supplies: &Path, name: &str, status: &str, percent: u8) {
        let folder = supplies.join(name);
        fs::create_dir_all(&folder).unwrap();
        let capacity = percent.to_string();
        for (file, text) in [
            ("type", "Battery"),
            ("status", status),
            ("capacity", &capacity),
        ] {
            fs::write(folder.join(file), format!("{text}\n")).unwrap();
        }
    }

    #[test]
    fn each_level_is_said_once_while_the_battery_runs_down() {
        let mut levels = Levels::default();
        let mut said = |percent, is_discharging| {
            levels.news(Charge {
                percent,
                is_discharging,
            })
        };
        let down: Vec<u8> = (0..=100).rev().filter_map(|it| said(it, true)).collect();
        assert_eq!(down, [20, 10, 5]);
        assert_eq!(said(4, true), None);
        // A loose plug is no news; a recharged battery is.
        assert_eq!(said(15, false), None);
        assert_eq!(said(15, true), None);
        assert_eq!(said(60, false), None);
        assert_eq!(said(8, true), Some(8));
    }

    #[test]
    fn the_batteries_of_the_computer_count_together_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let supplies = folder.path();
        assert_eq!(charge(supplies), None);
        assert_eq!(charge(&supplies.join("absent")), None);
        write(supplies, "hidpp_battery_0", "Discharging", 2);
        fs::write(supplies.join("hidpp_battery_0/scope"), "Device\n").unwrap();
        fs::create_dir(supplies.join("AC")).unwrap();
        fs::write(supplies.join("AC/type"), "Mains\n").unwrap();
        assert_eq!(charge(supplies), None);
        write(supplies, "BAT0", "Not charging", 50);
        write(supplies, "BAT1", "Discharging", 50);
        for (battery, left, whole) in [("BAT0", 1, 40), ("BAT1", 17, 60)] {
            let place = supplies.join(battery);
            fs::write(place.join("energy_now"), left.to_string()).unwrap();
            fs::write(place.join("energy_full"), whole.to_string()).unwrap();
        }
        let expected = Charge {
            percent: 18,
            is_discharging: true,
        };
        assert_eq!(charge(supplies), Some(expected));
    }
}
