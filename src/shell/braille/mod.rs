//! A Braille display driven by BRLTTY. It shows a player what is said to him, and the board when he
//! has asked for it.
//!
//! Like his ear it is his alone: nobody else can feel it. It shows only what he is told anyway, so
//! it needs no further permission. The board in figures appears only where the game has answered
//! him with the whole board.

mod brlapi;
mod figures;
mod outlet;
mod view;

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use self::brlapi::Connection;
use crate::shell::error::{Result, error};

pub(in crate::shell) use self::outlet::Display;

/// Where BRLTTY is reached, and what is needed for it.
#[derive(Clone, Debug)]
pub(in crate::shell) struct Place {
    socket: PathBuf,
    key_file: PathBuf,
    /// The path of consoles to the one in which we run. Our lines are shown only while that one is
    /// in front. Empty: always.
    console: Vec<u32>,
}

/// The display that was found.
pub(in crate::shell) struct Found {
    /// The name of its driver.
    pub driver: String,
    /// The number of its cells.
    pub cells: usize,
}

impl Place {
    /// The usual place, as BRLTTY's own programs find it. `ANNEXD_BRLAPI` names another socket.
    pub(in crate::shell) fn usual() -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let number = variable("BRLAPI_HOST");
        let number = number.as_deref().and_then(|it| it.strip_prefix(':'));
        let number: u32 = number.and_then(|it| it.parse().ok()).unwrap_or_default();
        let key = variable("BRLAPI_AUTH");
        let key = key.as_deref().and_then(|it| it.strip_prefix("keyfile:"));
        Self {
            socket: variable("ANNEXD_BRLAPI").map_or_else(
                || PathBuf::from(format!("/var/lib/BrlAPI/{number}")),
                Into::into,
            ),
            key_file: key.unwrap_or("/etc/brlapi.key").into(),
            console: console(
                variable("WINDOWPATH").as_deref(),
                variable("WINDOWID").or_else(|| variable("CONTROLVT")),
                std::fs::read_to_string("/proc/self/stat").ok().as_deref(),
            ),
        }
    }

    fn connect(&self) -> io::Result<Connection> {
        Connection::open(&self.socket, &self.key_file)
    }

    /// The display that is present.
    ///
    /// # Errors
    ///
    /// `ErrorKind::Missing` if there is none, with the reason.
    pub(in crate::shell) fn find(&self) -> Result<Found> {
        let found = self.connect().and_then(|mut connection| {
            let cells = connection.cells()?;
            let driver = connection.driver()?;
            Ok(Found { driver, cells })
        });
        match found {
            Ok(found) if found.cells == 0 => Err(error!(Missing, BrlttyHasNoDisplay)),
            Ok(found) => Ok(found),
            Err(error) => Err(match error.kind() {
                ErrorKind::NotFound | ErrorKind::ConnectionRefused => error!(Missing, NoBrltty),
                ErrorKind::PermissionDenied => error!(Missing, BrlttyRefuses),
                _ => error!(Missing, BrlttyUnusable, why = error),
            }),
        }
    }
}

/// The path to the console in which this program runs: the consoles around it, as they name
/// themselves, and its window or virtual terminal.
fn console(around: Option<&str>, window: Option<String>, stat: Option<&str>) -> Vec<u32> {
    let around = around.unwrap_or_default().split(':');
    let around = around.filter_map(|it| it.trim().parse().ok());
    let window = window.and_then(|it| it.trim().parse().ok());
    around.chain(window.or_else(|| terminal(stat?))).collect()
}

/// The number of the virtual terminal in a process's `stat`: the fifth field after its name.
fn terminal(stat: &str) -> Option<u32> {
    const VIRTUAL: u32 = 4;
    let (_, fields) = stat.rsplit_once(')')?;
    let device: u32 = fields.split_whitespace().nth(4)?.parse().ok()?;
    let number = device & 0xff;
    (device >> 8 == VIRTUAL && (1..64).contains(&number)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_console_is_found_by_its_windows_or_its_terminal() {
        let stat = "1234 (annexd :) x) S 1 1234 1234 1027 1234 4194304";
        let other = "1234 (annexd) S 1 1234 1234 34816 1234 4194304";
        let window = || Some("37".to_owned());
        assert_eq!(console(None, None, Some(stat)), [3]);
        assert_eq!(console(None, None, Some(other)), [] as [u32; 0]);
        assert_eq!(console(Some("2:7"), window(), Some(stat)), [2, 7, 37]);
        assert_eq!(console(Some("x"), None, None), [] as [u32; 0]);
    }
}
