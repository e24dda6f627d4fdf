//! Finds the board among the serial ports, and its protocol.

use annexd_boards::Kind;

use super::port::PortSettings;
use crate::shell::error::Result;
#[cfg(not(feature = "serial"))]
use crate::shell::error::error;

/// The port and protocol of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The port.
    pub(super) port: String,
    /// The protocol.
    pub(super) kind: Kind,
    /// Bits per second on the line.
    pub(super) baud: u32,
}

impl Found {
    fn new(port: &str, kind: Kind) -> Self {
        Self {
            port: port.to_owned(),
            kind,
            baud: kind.baud(),
        }
    }
}

/// The port and protocol to use. What the settings leave open is tried.
///
/// # Errors
///
/// Says which ports were tried, and what to do.
pub(super) fn find(settings: &PortSettings) -> Result<Found> {
    if settings.port.starts_with("tcp:") {
        let kind = settings.kind.unwrap_or(Kind::Cpp);
        return Ok(Found::new(&settings.port, kind));
    }
    match settings.kind {
        Some(kind) if settings.port != "auto" && kind.bauds().len() == 1 => {
            Ok(Found::new(&settings.port, kind))
        }
        // The rate is found by listening. A board that sends nothing yet gets the most common rate.
        Some(kind) if settings.port != "auto" => {
            Ok(search(settings).unwrap_or_else(|_| Found::new(&settings.port, kind)))
        }
        _ => search(settings),
    }
}

#[cfg(not(feature = "serial"))]
pub(super) fn search(_: &PortSettings) -> Result<Found> {
    Err(error!(Missing, NoSerialSearch))
}

/// The ports with something connected that may be a board. None of them is opened.
pub fn ports() -> Vec<String> {
    #[cfg(feature = "serial")]
    return serial::available().unwrap_or_default();
    #[cfg(not(feature = "serial"))]
    Vec::new()
}

#[cfg(feature = "serial")]
pub(super) use serial::search;

#[cfg(feature = "serial")]
mod serial {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use annexd_boards::{Kind, driver};
    use serialport::SerialPort;

    use super::Found;
    use crate::moment::Moment;
    use crate::shell::boards::port::{
        POLL_INTERVAL, PortSettings, is_nothing_yet, open_serial_port,
    };
    use crate::shell::error::{Result, error};
    use crate::shell::machine::libraries;

    /// How long a board may take to be recognised.
    const RECOGNISED_MAX: Duration = Duration::from_millis(1_500);
    /// A busy machine may take so many times as long.
    const BUSY_SHARE: u32 = 8;
    /// How long to listen for boards that send unasked.
    const UNASKED_MAX: Duration = Duration::from_millis(500);
    /// How long to wait for boards on small computers, which restart when their port is opened.
    const START_MAX: Duration = Duration::from_millis(2_500);
    /// The names of serial ports by cable and by radio.
    const PORT_NAMES: [&str; 5] = ["ttyACM", "ttyUSB", "rfcomm", "cu.usb", "cu.DGT"];

    /// Tries all ports at once, and at each all protocols one after the other.
    pub(in crate::shell::boards) fn search(settings: &PortSettings) -> Result<Found> {
        let mut ports = match settings.port.as_str() {
            "auto" => available()?,
            port => vec![port.to_owned()],
        };
        ports.retain(|port| !settings.others.contains(port));
        let kinds: Vec<Kind> = match settings.kind {
            Some(kind) => vec![kind],
            None => Kind::ALL.to_vec(),
        };
        let is_found = AtomicBool::new(false);
        let try_port = |port: &String| {
            let found = recognise(port, &kinds, &is_found)?;
            is_found.fetch_or(found.is_some(), Ordering::Relaxed);
            Ok(found)
        };
        let tried: Vec<Result<Option<Found>>> = thread::scope(|scope| {
            let threads: Vec<_> = ports
                .iter()
                .map(|port| scope.spawn(move || try_port(port)))
                .collect();
            let results = threads.into_iter().filter_map(|thread| thread.join().ok());
            results.collect()
        });
        let mut first_error = None;
        for result in tried {
            match result {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => {}
                Err(error) => {
                    first_error.get_or_insert(error);
                }
            }
        }
        let names = ports.join(", ");
        let only_error = first_error.filter(|_| ports.len() == 1);
        Err(only_error.unwrap_or_else(|| error!(DeviceLost, NoBoardAt, names = names)))
    }

    /// The serial ports with something connected: those the system names, and those of radio
    /// boards, which it omits. `ANNEXD_DEV` names a folder to search instead of `/dev`, and then
    /// only there.
    pub(super) fn available() -> Result<Vec<String>> {
        let mut names = BTreeSet::new();
        let folder = std::env::var_os("ANNEXD_DEV").map(PathBuf::from);
        if folder.is_none() {
            let listed = libraries::has_udev().then(serialport::available_ports);
            let ports = listed.and_then(std::result::Result::ok).unwrap_or_default();
            let is_builtin = |port: &serialport::SerialPortInfo| {
                matches!(port.port_type, serialport::SerialPortType::PciPort)
                    || port.port_name.contains("ttyS")
            };
            let plugged = ports.into_iter().filter(|port| !is_builtin(port));
            names.extend(plugged.map(|port| port.port_name));
        }
        names.extend(ports_in(folder.as_deref().unwrap_or(Path::new("/dev"))));
        if names.is_empty() {
            return Err(error!(DeviceLost, NothingPluggedIn));
        }
        Ok(names.into_iter().collect())
    }

    fn ports_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten();
        let is_port = |name: &str| PORT_NAMES.iter().any(|start| name.starts_with(start));
        entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| is_port(name))
            .map(|name| folder.join(name).to_string_lossy().into_owned())
            .collect()
    }

    /// The order in which protocols are tried, and how long each. Boards that send unasked are
    /// listened for before anything is asked, and once more when they may have restarted.
    fn attempts(kinds: &[Kind]) -> Vec<(Kind, Duration)> {
        let (unasked, asked): (Vec<Kind>, Vec<Kind>) =
            kinds.iter().partition(|kind| **kind == Kind::Occupancy);
        let patience = |of: &[Kind], first: Duration, then: Duration| -> Vec<(Kind, Duration)> {
            let each = std::iter::once(first).chain(std::iter::repeat(then));
            of.iter().copied().zip(each).collect()
        };
        if asked.is_empty() {
            return patience(&unasked, START_MAX, START_MAX);
        }
        [
            patience(&unasked, UNASKED_MAX, UNASKED_MAX),
            patience(&asked, START_MAX, RECOGNISED_MAX),
            patience(&unasked, RECOGNISED_MAX, RECOGNISED_MAX),
        ]
        .concat()
    }

    /// The protocol in which something answers at a port.
    fn recognise(port: &str, kinds: &[Kind], is_found: &AtomicBool) -> Result<Option<Found>> {
        let Some(&first) = kinds.first() else {
            return Ok(None);
        };
        let mut line = open_serial_port(port, first.baud())?;
        for (kind, patience) in attempts(kinds) {
            for &baud in kind.bauds() {
                if line.set_baud_rate(baud).is_err() {
                    return Ok(None);
                }
                match speaks(&mut *line, kind, patience, is_found) {
                    Some(true) => {
                        let port = port.to_owned();
                        return Ok(Some(Found { port, kind, baud }));
                    }
                    Some(false) => {}
                    None => return Ok(None),
                }
            }
        }
        Ok(None)
    }

    /// Whether a board of this kind answers. `None` if the line is gone or another board was found.
    fn speaks(
        line: &mut dyn SerialPort,
        kind: Kind,
        patience: Duration,
        is_found: &AtomicBool,
    ) -> Option<bool> {
        let mut board = driver(kind);
        let begun = Instant::now();
        let mut listened = Duration::ZERO;
        let mut looked = begun;
        board.opened(Moment::START);
        let mut bytes = [0; 512];
        while listened < patience && begun.elapsed() < BUSY_SHARE * patience {
            // While the machine does something else, nobody listens.
            let now = Instant::now();
            listened += now.duration_since(looked).min(2 * POLL_INTERVAL);
            looked = now;
            if is_found.load(Ordering::Relaxed) {
                return None;
            }
            let now = Moment::START + begun.elapsed();
            board.wake(now);
            while let Some(write) = board.next_write(now) {
                line.write_all(&write).ok()?;
            }
            match line.read(&mut bytes) {
                Ok(0) => return None,
                Ok(length) => board.received(now, &bytes[..length]),
                Err(error) if is_nothing_yet(&error) => {}
                Err(_) => return None,
            }
            if board.is_recognised() {
                return Some(true);
            }
        }
        Some(false)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn ports_by_cable_and_by_radio_are_looked_at() {
            let folder = tempfile::tempdir().expect("a folder");
            for name in ["ttyACM0", "ttyUSB3", "rfcomm0", "ttyS0", "null"] {
                fs::write(folder.path().join(name), "").expect("a file");
            }
            let mut found = ports_in(folder.path());
            found.sort();
            let ends = |name: &str, end: &str| name.ends_with(end);
            assert_eq!(found.len(), 3);
            assert!(ends(&found[0], "rfcomm0") && ends(&found[2], "ttyUSB3"));
            assert!(ports_in(Path::new("/nowhere")).is_empty());
        }
    }
}
