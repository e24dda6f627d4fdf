//! The simplest sensor board: eight bytes, one bit per square.
//!
//! A frame is a colon, eight decimal numbers and a line end, sent whenever the board likes. The
//! first number is the eighth rank; its highest bit is the a-file. Boards that sense only whether a
//! square is occupied send it: the TabuTronic Tactum, a tactile board, and the Sentio. It takes a
//! dozen lines of code on a microcontroller.

use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::{File, Rank, Square};

use super::device::{Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use super::talk::{Protocol, ProtocolDriver, Taken};
use annexd_game::board::{Reading, Readings};
use annexd_laws::moment::Moment;

/// The longest frame: eight numbers of at most three digits, with blanks and some reserve.
const FRAME_MAX: usize = 64;

/// A frame for these readings.
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

/// Finds frames in bytes. A colon always begins one, and an impossible character ends it. A line of
/// eight numbers counts as a frame even if its colon was lost.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    line: LineState,
}

/// The state of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LineState {
    /// Numbers and blanks, and whether they began with a colon.
    Numbers(String, bool),
    /// Something that is no frame. The next line may be one.
    Wrong,
    /// Longer than a frame, as with boards of other formats. Only a colon begins a new frame.
    TooLong,
}

impl Default for LineState {
    fn default() -> Self {
        Self::Numbers(String::new(), false)
    }
}

impl Decoder {
    /// Takes one byte. Returns the frame it completes.
    pub fn push(&mut self, byte: u8) -> Option<Readings> {
        match (byte, &mut self.line) {
            (b':', _) => self.line = LineState::Numbers(String::new(), true),
            (b'\n' | b'\r', _) => return self.end_line(),
            (_, LineState::TooLong) => {}
            (b'0'..=b'9' | b' ', LineState::Numbers(numbers, _)) if numbers.len() < FRAME_MAX => {
                numbers.push(char::from(byte));
            }
            (b'0'..=b'9' | b' ', LineState::Numbers(..)) => self.line = LineState::TooLong,
            _ => self.line = LineState::Wrong,
        }
        None
    }

    /// Whether it is in the middle of a frame.
    fn is_partial(&self) -> bool {
        match &self.line {
            LineState::Numbers(numbers, has_colon) => *has_colon || !numbers.is_empty(),
            LineState::Wrong | LineState::TooLong => false,
        }
    }

    /// Ends a line. A frame may be broken between its numbers.
    fn end_line(&mut self) -> Option<Readings> {
        let (numbers, has_colon) = match std::mem::take(&mut self.line) {
            LineState::Numbers(numbers, has_colon) => (numbers, has_colon),
            LineState::Wrong => return None,
            LineState::TooLong => {
                self.line = LineState::TooLong;
                return None;
            }
        };
        if has_colon && numbers.split_ascii_whitespace().count() < 8 {
            self.line = LineState::Numbers(numbers + " ", true);
            return None;
        }
        readings_of(&numbers)
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

/// The readings in a frame, from the eighth rank to the first; the highest bit is the a-file.
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

/// The driver of a board that sends frames.
pub(super) type OccupancyBoard = ProtocolDriver<Occupancy>;

/// The protocol's part of the driver: which frames are believed.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupancy {
    decoder: Decoder,
    last: Option<Readings>,
    /// When the last frame came.
    last_at: Moment,
    told: Option<Readings>,
}

/// A frame that came only once is believed if nothing contradicts it for this long.
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
            is_never_quiet: true,
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    /// The board sends by itself.
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
        // A lost digit gives another number, so a frame is believed only when it comes twice.
        if self.last.replace(readings) == Some(readings) && self.told != Some(readings) {
            self.told = Some(readings);
            out.say(DeviceEvent::Snapshot(Box::new(readings)));
        }
        Taken::Message
    }

    fn is_partial(&self) -> bool {
        self.decoder.is_partial()
    }

    fn forget_partial(&mut self) {
        self.decoder = Decoder::default();
    }

    fn command(&mut self, _: DeviceCommand, _: &mut Outbox) {}

    /// Believes a single frame after a while: some boards send one frame for each change.
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
    use crate::Board;

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

    fn frames_in(bytes: &[u8]) -> usize {
        let mut decoder = Decoder::default();
        let frames = bytes.iter().filter_map(|&byte| decoder.push(byte));
        frames.count()
    }

    #[test]
    fn a_nul_costs_a_frame_and_a_lost_colon_none() {
        let frame = b":255 255 0 0 0 0 255 255\r\n";
        for at in 0..frame.len() {
            let mut wrong = frame.to_vec();
            wrong[at] = 0;
            let stream = [&frame[..], &wrong, frame, frame].concat();
            assert!(frames_in(&stream) >= 3, "{at}");
        }
        // If every colon is missing, the numbers still count as frames.
        assert_eq!(frames_in(&frame[1..].repeat(5)), 5);
        assert_eq!(frames_in(&[&frame[..], &frame[1..], frame].concat()), 3);
    }

    #[test]
    fn numbers_of_other_boards_are_no_frames() {
        let numbers = "5 0 0 0 0 ".repeat(64);
        let broken = numbers.replace("0 5 0", "0\r\n5 0");
        assert_eq!(frames_in(format!(":{broken}\r\n").repeat(3).as_bytes()), 0);
    }
}
