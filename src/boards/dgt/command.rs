//! The commands to a board on the serial protocol.
//!
//! Commands that write to the board's memory, start its boot loader, read out its log over the slow
//! line or freeze boards without lights have no name here, so nobody can send them.

use std::time::Duration;

use crate::clocks::ClockSide;

/// A command to the board or, through it, to the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Stop sending unasked.
    Reset,
    /// Report all squares.
    SendBoard,
    /// Report changes of squares, and the clock once a second.
    SendUpdates,
    /// Report changes of squares only.
    SendUpdatesBoard,
    /// Report changes of squares, and the clock whenever it changes.
    SendUpdatesNice,
    /// Report the version.
    SendVersion,
    /// Report the short serial number.
    SendSerial,
    /// Report the long serial number.
    SendLongSerial,
    /// Report the address on a bus of several boards.
    SendBusAddress,
    /// Report the maker's text.
    SendTrademark,
    /// Report the battery charge.
    SendBattery,
    /// Report the clock once.
    SendClock,
    /// A command for the clock.
    Clock(ClockCommand),
}

/// A command to the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockCommand {
    /// Show the time.
    End,
    /// Report the version.
    Version,
    /// Set both times and run. A clock does so only in the right mode.
    SetAndRun {
        /// The left time, up to 9:59:59.
        left: Duration,
        /// The right time, up to 9:59:59.
        right: Duration,
        /// The side that counts down; `None`: pause.
        running: Option<ClockSide>,
        /// Whether the lever switches sides.
        with_lever: bool,
    },
    /// Sound the buzzer for this many times 64 ms.
    Beep(u8),
    /// Show eight characters (DGT 3000).
    Text {
        /// ASCII, padded with blanks or cut to eight characters.
        text: String,
        /// The length of the accompanying beep, 0 to 15.
        beep: u8,
    },
}

impl ClockCommand {
    /// The command's number, which the answer repeats.
    pub const fn number(&self) -> u8 {
        match self {
            Self::End => 0x03,
            Self::Version => 0x09,
            Self::SetAndRun { .. } => 0x0a,
            Self::Beep(_) => 0x0b,
            Self::Text { .. } => 0x0c,
        }
    }

    fn data(&self) -> Vec<u8> {
        match self {
            Self::End | Self::Version => Vec::new(),
            Self::SetAndRun {
                left,
                right,
                running,
                with_lever,
            } => {
                let mode = match running {
                    Some(ClockSide::Left) => 0x01,
                    Some(ClockSide::Right) => 0x02,
                    None => 0x04,
                } | u8::from(*with_lever) << 3;
                let mut data = Vec::with_capacity(7);
                for time in [left, right] {
                    let seconds = time.as_secs().min(9 * 3600 + 59 * 60 + 59);
                    data.extend([
                        (seconds / 3600) as u8,
                        (seconds / 60 % 60) as u8,
                        (seconds % 60) as u8,
                    ]);
                }
                data.push(mode);
                data
            }
            Self::Beep(length) => vec![length & 0x7f],
            Self::Text { text, beep } => {
                let letters = text.chars().map(|letter| match letter {
                    ' '..='~' => letter as u8,
                    _ => b'?',
                });
                let blanks = std::iter::repeat(b' ');
                let mut data: Vec<u8> = letters.chain(blanks).take(8).collect();
                data.push(beep & 0x0f);
                data
            }
        }
    }
}

impl Command {
    /// The bytes to send.
    pub fn to_bytes(&self) -> Vec<u8> {
        vec![match self {
            Self::Reset => 0x40,
            Self::SendClock => 0x41,
            Self::SendBoard => 0x42,
            Self::SendUpdates => 0x43,
            Self::SendUpdatesBoard => 0x44,
            Self::SendSerial => 0x45,
            Self::SendBusAddress => 0x46,
            Self::SendTrademark => 0x47,
            Self::SendUpdatesNice => 0x4b,
            Self::SendBattery => 0x4c,
            Self::SendVersion => 0x4d,
            Self::SendLongSerial => 0x55,
            Self::Clock(command) => {
                let data = command.data();
                let mut bytes = vec![0x2b, data.len() as u8 + 3, 0x03, command.number()];
                bytes.extend(data);
                bytes.push(0);
                return bytes;
            }
        }]
    }
}

/// Finds commands in bytes, as a simulated board does.
#[derive(Clone, Debug, Default)]
pub struct CommandDecoder {
    partial: Vec<u8>,
}

impl CommandDecoder {
    /// Takes one byte. Returns the command it completes. Unknown commands are skipped.
    pub fn push(&mut self, byte: u8) -> Option<Command> {
        if self.partial.is_empty() {
            if byte == 0x2b {
                self.partial.push(byte);
            }
            return single(byte);
        }
        self.partial.push(byte);
        let size = usize::from(*self.partial.get(1)?);
        if !(3..=16).contains(&size) {
            self.partial.clear();
            return None;
        }
        if self.partial.len() < size + 2 {
            return None;
        }
        let bytes = std::mem::take(&mut self.partial);
        clock_command(&bytes[3..bytes.len() - 1]).map(Command::Clock)
    }
}

const fn single(byte: u8) -> Option<Command> {
    Some(match byte {
        0x40 => Command::Reset,
        0x41 => Command::SendClock,
        0x42 => Command::SendBoard,
        0x43 => Command::SendUpdates,
        0x44 => Command::SendUpdatesBoard,
        0x45 => Command::SendSerial,
        0x46 => Command::SendBusAddress,
        0x47 => Command::SendTrademark,
        0x4b => Command::SendUpdatesNice,
        0x4c => Command::SendBattery,
        0x4d => Command::SendVersion,
        0x55 => Command::SendLongSerial,
        _ => return None,
    })
}

fn clock_command(bytes: &[u8]) -> Option<ClockCommand> {
    Some(match *bytes {
        [0x03] => ClockCommand::End,
        [0x09] => ClockCommand::Version,
        [0x0b, length] => ClockCommand::Beep(length),
        [0x0a, lh, lm, ls, rh, rm, rs, mode] => {
            let time = |h: u8, m: u8, s: u8| {
                Duration::from_secs(u64::from(h) * 3600 + u64::from(m) * 60 + u64::from(s))
            };
            ClockCommand::SetAndRun {
                left: time(lh, lm, ls),
                right: time(rh, rm, rs),
                running: match mode & 0x07 {
                    0x01 => Some(ClockSide::Left),
                    0x02 => Some(ClockSide::Right),
                    _ => None,
                },
                with_lever: mode & 0x08 != 0,
            }
        }
        [0x0c, ref text @ .., beep] if text.len() == 8 => ClockCommand::Text {
            text: text.iter().map(|&byte| char::from(byte)).collect(),
            beep,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_commands_are_the_bytes_that_clocks_know() {
        let set = ClockCommand::SetAndRun {
            left: Duration::from_secs(3600),
            right: Duration::from_secs(5400),
            running: Some(ClockSide::Left),
            with_lever: false,
        };
        assert_eq!(
            Command::Clock(set).to_bytes(),
            [0x2b, 0x0a, 3, 0x0a, 1, 0, 0, 1, 30, 0, 1, 0]
        );
        let text = ClockCommand::Text {
            text: "hi blind".to_owned(),
            beep: 1,
        };
        assert_eq!(
            Command::Clock(text).to_bytes(),
            *b"\x2b\x0c\x03\x0chi blind\x01\x00"
        );
        assert_eq!(
            Command::Clock(ClockCommand::Version).to_bytes(),
            [0x2b, 3, 3, 9, 0]
        );
    }

    #[test]
    fn what_is_sent_is_understood_by_a_board() {
        let set = |running, with_lever| ClockCommand::SetAndRun {
            left: Duration::from_secs(9 * 3600 + 59 * 60 + 59),
            right: Duration::from_secs(61),
            running,
            with_lever,
        };
        let clock = [
            ClockCommand::End,
            ClockCommand::Version,
            ClockCommand::Beep(4),
            set(None, false),
            set(Some(ClockSide::Right), true),
            ClockCommand::Text {
                text: "annexd  ".to_owned(),
                beep: 0,
            },
        ];
        let mut commands = vec![
            Command::Reset,
            Command::SendBoard,
            Command::SendUpdates,
            Command::SendUpdatesBoard,
            Command::SendUpdatesNice,
            Command::SendVersion,
            Command::SendSerial,
            Command::SendBusAddress,
            Command::SendLongSerial,
            Command::SendTrademark,
            Command::SendBattery,
            Command::SendClock,
        ];
        commands.extend(clock.map(Command::Clock));
        let mut decoder = CommandDecoder::default();
        for command in commands {
            let heard: Vec<_> = command
                .to_bytes()
                .into_iter()
                .filter_map(|byte| decoder.push(byte))
                .collect();
            assert_eq!(heard, [command]);
        }
    }
}
