//! The simplest sensor board: eight bytes, one bit per square.
//!
//! A frame is a colon, eight decimal numbers and a line end, sent whenever the board likes. The
//! first number is the eighth rank; its highest bit is the a-file. Boards with reed switches send
//! it so (the Tabutronic Sentio is one), and it takes a dozen lines on a microcontroller.

use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::{File, Rank, Square};

use super::device::{Board, Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use crate::board::{Reading, Readings};
use crate::moment::Moment;

/// Eight numbers of at most three digits, with blanks between them and some to spare.
const FRAME_MAX: usize = 64;

/// A frame for what stands on a board.
pub fn frame_of(readings: &Readings) -> Vec<u8> {
    let mut frame = String::from(":");
    for rank in Rank::ALL.into_iter().rev() {
        let bits = File::ALL.into_iter().fold(0_u8, |bits, file| {
            let reading = readings.at(Square::from_coords(file, rank));
            bits << 1 | u8::from(reading.is_occupied())
        });
        let blank = if rank == Rank::Eighth { "" } else { " " };
        // Writing to a string cannot fail.
        let _ = write!(frame, "{blank}{bits}");
    }
    frame.push_str("\r\n");
    frame.into_bytes()
}

/// Finds frames in bytes. A colon always begins one; whatever cannot stand in one ends it.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    partial: Option<String>,
}

impl Decoder {
    /// Takes one byte; gives the frame it completes.
    pub fn push(&mut self, byte: u8) -> Option<Readings> {
        match byte {
            b':' => self.partial = Some(String::new()),
            b'\n' | b'\r' => return self.partial.take().and_then(|text| readings_of(&text)),
            b'0'..=b'9' | b' ' => {
                if let Some(partial) = &mut self.partial
                    && partial.len() < FRAME_MAX
                {
                    partial.push(char::from(byte));
                } else {
                    self.partial = None;
                }
            }
            _ => self.partial = None,
        }
        None
    }
}

fn readings_of(text: &str) -> Option<Readings> {
    let mut readings = Readings::default();
    let mut numbers = text.split_ascii_whitespace();
    for rank in Rank::ALL.into_iter().rev() {
        let bits: u8 = numbers.next()?.parse().ok()?;
        for file in File::ALL {
            if bits >> (7 - file as u8) & 1 == 1 {
                readings.set(Square::from_coords(file, rank), Reading::Occupied);
            }
        }
    }
    numbers.next().is_none().then_some(readings)
}

/// A board that sends frames.
#[derive(Clone, Debug, Default)]
pub struct OccupancyBoard {
    decoder: Decoder,
    out: Outbox,
    last: Option<Readings>,
    told: Option<Readings>,
    heard: Moment,
    is_open: bool,
    is_recognised: bool,
    is_silent: bool,
}

/// A board that sends frames by itself is missed after so long.
const SILENCE_MAX: Duration = Duration::from_secs(10);

impl Board for OccupancyBoard {
    fn kind(&self) -> Kind {
        Kind::Occupancy
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: Senses::Occupancy,
            has_lights: false,
            has_clock: false,
            tells_touch: true,
        }
    }

    fn opened(&mut self, now: Moment) {
        *self = Self {
            is_recognised: self.is_recognised,
            is_open: true,
            heard: now,
            ..Self::default()
        };
    }

    fn received(&mut self, now: Moment, bytes: &[u8]) {
        for &byte in bytes {
            let Some(readings) = self.decoder.push(byte) else {
                continue;
            };
            self.heard = now;
            self.is_silent = false;
            self.is_recognised = true;
            // A lost digit makes another number of it, so a frame is believed when it comes twice.
            if self.last.replace(readings) == Some(readings) && self.told != Some(readings) {
                self.told = Some(readings);
                self.out.say(DeviceEvent::Snapshot(Box::new(readings)));
            }
        }
    }

    fn wake(&mut self, now: Moment) {
        let is_missed = self.is_open && self.is_recognised && now.since(self.heard) >= SILENCE_MAX;
        if is_missed && !std::mem::replace(&mut self.is_silent, true) {
            self.out.say(DeviceEvent::Trouble(
                "The board has said nothing for ten seconds. Check its cable.".to_owned(),
            ));
        }
    }

    fn deadline(&self) -> Option<Moment> {
        (self.is_open && self.is_recognised && !self.is_silent).then(|| self.heard + SILENCE_MAX)
    }

    fn command(&mut self, _: Moment, command: DeviceCommand) {
        if command == DeviceCommand::Refresh {
            self.told = None;
        }
    }

    fn next_write(&mut self, _: Moment) -> Option<Vec<u8>> {
        None
    }

    fn next_event(&mut self) -> Option<DeviceEvent> {
        self.out.events.pop_front()
    }

    fn is_recognised(&self) -> bool {
        self.is_recognised
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_survives_the_line() {
        let mut readings = Readings::default();
        readings.set(Square::A8, Reading::Occupied);
        readings.set(Square::H1, Reading::Occupied);
        let bytes = frame_of(&readings);
        assert_eq!(bytes, b":128 0 0 0 0 0 0 1\r\n");
        let mut decoder = Decoder::default();
        let found: Vec<_> = bytes
            .iter()
            .filter_map(|&byte| decoder.push(byte))
            .collect();
        assert_eq!(found, [readings]);
    }

    #[test]
    fn a_broken_frame_costs_itself_only() {
        let mut board = OccupancyBoard::default();
        board.received(
            Moment::START,
            b":1 2 3\r\n:256 0 0 0 0 0 0 0\r\nL\n:1 0 0 0 0",
        );
        board.received(Moment::START, b" 0 0 0\r\n");
        assert_eq!(
            board.next_event(),
            None,
            "a frame is believed when it comes twice"
        );
        board.received(Moment::START, b":1 0 0 0 0 0 0 0\r\n");
        assert!(matches!(board.next_event(), Some(DeviceEvent::Snapshot(_))));
        assert_eq!(board.next_event(), None);
    }
}
