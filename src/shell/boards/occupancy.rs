//! The simplest sensor board: eight bytes, one bit per square.
//!
//! A frame is a colon, eight decimal numbers and a line end, sent whenever the board likes. The
//! first number is the eighth rank; its highest bit is the a-file. Boards with reed switches send
//! it so (the Tabutronic Sentio is one), and it takes a dozen lines on a microcontroller.

use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::{File, Rank, Square};

use super::device::{Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use super::talk::{Protocol, Taken, Talk};
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
            b'\n' | b'\r' => return self.end_line(),
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

impl Decoder {
    /// Lines may be broken between the numbers of a frame.
    fn end_line(&mut self) -> Option<Readings> {
        let partial = self.partial.take()?;
        if partial.split_ascii_whitespace().count() < 8 {
            self.partial = Some(partial + " ").filter(|it| it.len() < FRAME_MAX);
            return None;
        }
        readings_of(&partial)
    }
}

fn readings_of(text: &str) -> Option<Readings> {
    let mut numbers = text.split_ascii_whitespace();
    let mut frame = [0_u8; 8];
    for bits in &mut frame {
        *bits = numbers.next()?.parse().ok()?;
    }
    numbers.next().is_none().then(|| readings_of_bytes(&frame))
}

/// What a frame says, from the eighth rank to the first; the highest bit is the a-file.
pub fn readings_of_bytes(frame: &[u8; 8]) -> Readings {
    let mut readings = Readings::default();
    for (rank, bits) in Rank::ALL.into_iter().rev().zip(frame) {
        for file in File::ALL {
            if bits >> (7 - file as u8) & 1 == 1 {
                readings.set(Square::from_coords(file, rank), Reading::Occupied);
            }
        }
    }
    readings
}

/// A board that sends frames.
pub(super) type OccupancyBoard = Talk<Occupancy>;

/// What frames are believed.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupancy {
    decoder: Decoder,
    last: Option<Readings>,
    /// When that frame came.
    last_at: Moment,
    told: Option<Readings>,
}

/// A frame that nothing contradicts for so long is believed though it came only once.
const ALONE: Duration = Duration::from_millis(200);

impl Protocol for Occupancy {
    const KIND: Kind = Kind::Occupancy;
    const PARTIAL_MAX: Duration = Duration::from_millis(500);

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: Senses::Occupancy,
            has_lights: false,
            has_clock: false,
            tells_touch: true,
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    /// It speaks by itself.
    fn start(&mut self, _: &mut Outbox) {
        self.told = None;
    }

    fn ask(&mut self, _: &mut Outbox) {
        self.told = None;
    }

    fn take(&mut self, now: Moment, byte: u8, out: &mut Outbox) -> Taken {
        let Some(readings) = self.decoder.push(byte) else {
            return Taken::Part;
        };
        self.last_at = now;
        // A lost digit makes another number of it, so a frame is believed when it comes twice.
        if self.last.replace(readings) == Some(readings) && self.told != Some(readings) {
            self.told = Some(readings);
            out.say(DeviceEvent::Snapshot(Box::new(readings)));
        }
        Taken::Message
    }

    fn is_partial(&self) -> bool {
        self.decoder.partial.is_some()
    }

    fn forget_partial(&mut self) {
        self.decoder = Decoder::default();
    }

    fn command(&mut self, _: DeviceCommand, _: &mut Outbox) {}

    /// Boards may send a frame once for each change.
    fn wake(&mut self, now: Moment, out: &mut Outbox) {
        if self.deadline().is_some_and(|deadline| deadline <= now)
            && let Some(readings) = self.last
        {
            self.told = Some(readings);
            out.say(DeviceEvent::Snapshot(Box::new(readings)));
        }
    }

    fn deadline(&self) -> Option<Moment> {
        (self.last.is_some() && self.last != self.told).then(|| self.last_at + ALONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::boards::Board;

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
