//! Millennium ChessLink.
//!
//! Messages are letters with odd parity in bit 7, and end with two hexadecimal digits: the
//! exclusive or of all letters before them.

use std::time::Duration;

use shakmaty::{File, Piece, Rank, Square};

use super::device::{Board, Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use crate::board::{Reading, Readings};
use crate::moment::Moment;

const START_AGAIN: Duration = Duration::from_secs(2);
/// Silence inside a message after which the rest will not come.
const PARTIAL_MAX: Duration = Duration::from_millis(100);
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// What the board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// All squares, numbered from a8 along the ranks; a board whose cable is on White's right
    /// numbers them from h1.
    State(Box<Readings>),
    /// The version, four hexadecimal digits.
    Version(String),
    /// Something was done: lights, registers.
    Done(u8),
}

/// Bit 7 set so that the number of ones is odd.
pub const fn with_odd_parity(byte: u8) -> u8 {
    let byte = byte & 0x7f;
    if byte.count_ones().is_multiple_of(2) {
        byte | 0x80
    } else {
        byte
    }
}

/// A message or command with its check digits and parity.
pub fn framed(text: &str) -> Vec<u8> {
    let check = text.bytes().fold(0, |check, byte| check ^ byte & 0x7f);
    let digits = format!("{check:02X}");
    text.bytes()
        .chain(digits.bytes())
        .map(with_odd_parity)
        .collect()
}

/// The letters of a state message for what stands on a board.
pub fn state_text(readings: &Readings) -> String {
    let letters = squares().map(|square| match readings.at(square) {
        Reading::Piece(piece) => piece.char(),
        _ => '.',
    });
    std::iter::once('s').chain(letters).collect()
}

fn squares() -> impl Iterator<Item = Square> {
    let ranks = Rank::ALL.into_iter().rev();
    ranks.flat_map(|rank| File::ALL.map(|file| Square::from_coords(file, rank)))
}

/// How many letters follow the first, without the check digits.
const fn payload_length(first: u8) -> Option<usize> {
    match first {
        b's' => Some(64),
        b'v' | b'w' | b'r' => Some(4),
        b'x' | b'l' => Some(0),
        _ => None,
    }
}

fn may_stand_at(first: u8, index: usize, byte: u8) -> bool {
    if first == b's' && index <= 64 {
        byte == b'.' || Piece::from_char(char::from(byte)).is_some()
    } else {
        byte.is_ascii_hexdigit()
    }
}

/// Finds messages in bytes, however they are chopped. Where a letter cannot stand, a new message
/// is looked for.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    partial: Vec<u8>,
    has_lost: bool,
}

impl Decoder {
    /// Takes one byte; gives the message it completes.
    pub fn push(&mut self, byte: u8) -> Option<Message> {
        let byte = byte & 0x7f;
        let Some(&first) = self.partial.first() else {
            if payload_length(byte).is_some() {
                self.partial.push(byte);
            } else {
                self.has_lost = true;
            }
            return None;
        };
        if !may_stand_at(first, self.partial.len(), byte) {
            self.has_lost = true;
            self.partial.clear();
            return self.push(byte);
        }
        self.partial.push(byte);
        let length = payload_length(first)? + 3;
        if self.partial.len() < length {
            return None;
        }
        let message = std::mem::take(&mut self.partial);
        let (text, digits) = message.split_at(length - 2);
        let check = text.iter().fold(0, |check, byte| check ^ byte);
        let said = std::str::from_utf8(digits).ok()?;
        if u8::from_str_radix(said, 16) != Ok(check) {
            self.has_lost = true;
            return self.look_again(&message[1..]);
        }
        Some(match first {
            b's' => Message::State(Box::new(state(&text[1..]))),
            b'v' => Message::Version(text[1..].iter().map(|&byte| char::from(byte)).collect()),
            _ => Message::Done(first),
        })
    }

    /// Whether bytes have been lost since this was last asked.
    pub fn take_lost(&mut self) -> bool {
        std::mem::take(&mut self.has_lost)
    }

    /// Whether it is in the middle of a message.
    pub const fn is_partial(&self) -> bool {
        !self.partial.is_empty()
    }

    /// Forgets the beginning of a message whose rest will not come.
    pub fn forget_partial(&mut self) {
        self.partial.clear();
    }

    /// A false beginning may hide a true one.
    fn look_again(&mut self, bytes: &[u8]) -> Option<Message> {
        let next = bytes.iter().position(|&byte| {
            payload_length(byte).is_some() && (byte == b's' || bytes.len() < 8)
        })?;
        let mut found = None;
        for &byte in &bytes[next..] {
            found = self.push(byte).or(found);
        }
        found
    }
}

fn state(letters: &[u8]) -> Readings {
    let mut readings = Readings::default();
    for (square, &letter) in squares().zip(letters) {
        if let Some(piece) = Piece::from_char(char::from(letter)) {
            readings.set(square, Reading::Piece(piece));
        }
    }
    readings
}

/// A board that speaks the protocol.
#[derive(Clone, Debug, Default)]
pub struct ChesslinkBoard {
    decoder: Decoder,
    out: Outbox,
    asked: Moment,
    heard: Moment,
    is_open: bool,
    is_recognised: bool,
}

impl ChesslinkBoard {
    fn start(&mut self, now: Moment) {
        self.asked = now;
        self.out.write(framed("V"));
        // Report by itself on every change.
        self.out.write(framed("W0203"));
        self.out.write(framed("S"));
    }

    const fn patience(&self) -> Duration {
        if self.is_recognised {
            KEEP_ALIVE
        } else {
            START_AGAIN
        }
    }
}

impl Board for ChesslinkBoard {
    fn kind(&self) -> Kind {
        Kind::Chesslink
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: Senses::Piece,
            has_lights: true,
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
        self.start(now);
    }

    fn received(&mut self, now: Moment, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.heard = now;
        }
        for &byte in bytes {
            let Some(message) = self.decoder.push(byte) else {
                continue;
            };
            self.is_recognised = true;
            self.asked = now;
            match message {
                Message::State(readings) => self.out.say(DeviceEvent::Snapshot(readings)),
                Message::Version(version) => {
                    let text = format!("ChessLink board, version {version}");
                    self.out.say(DeviceEvent::Identity(text));
                }
                Message::Done(_) => {}
            }
        }
        if self.decoder.take_lost() && self.is_open && self.out.writes.is_empty() {
            self.out.write(framed("S"));
        }
    }

    fn wake(&mut self, now: Moment) {
        if self.decoder.is_partial() && now.since(self.heard) >= PARTIAL_MAX {
            self.decoder.forget_partial();
            self.asked = now;
            self.out.write(framed("S"));
        }
        if self.is_open && now.since(self.asked) >= self.patience() {
            self.start(now);
        }
    }

    fn deadline(&self) -> Option<Moment> {
        let partial = self.decoder.is_partial().then(|| self.heard + PARTIAL_MAX);
        let asked = self.is_open.then(|| self.asked + self.patience());
        partial.into_iter().chain(asked).min()
    }

    fn command(&mut self, now: Moment, command: DeviceCommand) {
        if command == DeviceCommand::Refresh {
            self.asked = now;
            self.out.write(framed("S"));
        }
    }

    fn next_write(&mut self, _: Moment) -> Option<Vec<u8>> {
        self.out.writes.pop_front()
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

    fn decode(bytes: &[u8]) -> Vec<Message> {
        let mut decoder = Decoder::default();
        bytes
            .iter()
            .filter_map(|&byte| decoder.push(byte))
            .collect()
    }

    #[test]
    fn commands_and_answers_are_the_bytes_that_boards_know() {
        assert_eq!(framed("V"), [0xd6, 0xb5, 0xb6]);
        assert_eq!(framed("S"), [0xd3, 0xb5, 0xb3]);
        assert_eq!(framed("X"), [0x58, 0xb5, 0x38]);
        assert_eq!(framed("W0203"), [0x57, 0xb0, 0x32, 0xb0, 0xb3, 0xb5, 0xb6]);
        assert_eq!(
            decode(&[0x76, 0xb0, 0x31, 0x31, 0xb5, 0x37, 0xb3]),
            [Message::Version("0115".to_owned())]
        );
    }

    #[test]
    fn a_state_survives_the_line_and_a_wrong_one_does_not() {
        let readings = Readings::of(&shakmaty::Board::new());
        let mut bytes = framed(&state_text(&readings));
        assert_eq!(decode(&bytes), [Message::State(Box::new(readings))]);
        bytes[5] = with_odd_parity(b'.');
        assert!(decode(&bytes).is_empty(), "the check digits are wrong");
    }

    #[test]
    fn a_lost_byte_costs_one_message() {
        let readings = Readings::of(&shakmaty::Board::new());
        let one = framed(&state_text(&readings));
        for lost in 0..one.len() {
            let mut bytes = [one.clone(), one.clone()].concat();
            bytes.remove(lost);
            let found = decode(&bytes);
            assert_eq!(found.len(), 1, "byte {lost}");
            assert_eq!(found[0], Message::State(Box::new(readings)));
        }
    }
}
