//! Millennium ChessLink.
//!
//! Messages are ASCII characters with odd parity in bit 7, and end with two hexadecimal digits: the
//! exclusive or of all characters before them.

use std::fmt::Write as _;
use std::time::Duration;

use shakmaty::{Bitboard, File, Piece, Rank, Square};

use super::device::{Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use super::talk::{Protocol, ProtocolDriver, Taken};
use annexd_game::board::{Reading, Readings};
use annexd_laws::moment::Moment;
use annexd_phrases::sentence;

/// A message from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// All squares, numbered from a8 along the ranks. A board whose cable is on White's right
    /// numbers them from h1.
    State(Box<Readings>),
    /// The version, four hexadecimal digits.
    Version(String),
    /// A command was done: lights, registers.
    Done(u8),
}

/// Sets bit 7 so that the number of ones is odd.
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

/// The characters of a state message for these readings.
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

/// How many characters follow the first, without the check digits.
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

/// Finds messages in bytes, however they are split. At an impossible character it looks for a new
/// message.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    partial: Vec<u8>,
    has_lost: bool,
}

impl Decoder {
    /// Takes one byte. Returns the message it completes.
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

    /// Whether bytes have been lost since the last call.
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

    /// Looks for a message again, because a false beginning may hide a true one.
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

/// The driver of a ChessLink board.
pub(super) type ChesslinkBoard = ProtocolDriver<Chesslink>;

/// The protocol's part of the driver.
#[derive(Clone, Debug, Default)]
pub(super) struct Chesslink {
    decoder: Decoder,
}

impl Protocol for Chesslink {
    const KIND: Kind = Kind::Chesslink;
    const PARTIAL_MAX: Duration = Duration::from_millis(100);

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: Senses::Piece,
            has_lights: true,
            has_clock: false,
            tells_touch: true,
            is_never_quiet: false,
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn start(&mut self, out: &mut Outbox) {
        out.write(framed("V"));
        // The board shall report by itself on every change.
        out.write(framed("W0203"));
        self.ask(out);
    }

    fn ask(&mut self, out: &mut Outbox) {
        out.write(framed("S"));
    }

    fn take(&mut self, _: Moment, byte: u8, out: &mut Outbox) -> Taken {
        let message = self.decoder.push(byte);
        let has_lost = self.decoder.take_lost();
        match message {
            Some(Message::State(readings)) => out.say(DeviceEvent::Snapshot(readings)),
            Some(Message::Version(version)) => {
                let identity = sentence!(ChesslinkVersion, version = version);
                out.say(DeviceEvent::Identity(identity));
            }
            Some(Message::Done(_)) => {}
            None if has_lost => return Taken::Lost,
            None => return Taken::Part,
        }
        Taken::Message
    }

    fn is_partial(&self) -> bool {
        self.decoder.is_partial()
    }

    fn forget_partial(&mut self) {
        self.decoder.forget_partial();
    }

    fn command(&mut self, command: DeviceCommand, out: &mut Outbox) {
        match command {
            DeviceCommand::Light { squares, .. } if squares.is_empty() => out.write(framed("X")),
            DeviceCommand::Light { squares, .. } => out.write(framed(&lights_text(squares))),
            DeviceCommand::Identify => out.write(framed("V")),
            _ => {}
        }
    }
}

/// There is a light at each corner of a square: nine along each edge, counted from a8 down the
/// files. Each has a byte with one bit for each time slot.
const LIGHTS: usize = 9;
/// Eight slots of 50 ms each: a light that is on in four of them blinks calmly.
const SLOT: u8 = 12;
const BLINKS: u8 = 0x0f;

/// The command that lights the corners of these squares and no others.
pub fn lights_text(squares: Bitboard) -> String {
    let mut lights = [0_u8; LIGHTS * LIGHTS];
    for square in squares {
        let (column, row) = (square.file() as usize, 7 - square.rank() as usize);
        for (column, row) in [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(x, y)| (column + x, row + y)) {
            lights[column * LIGHTS + row] = BLINKS;
        }
    }
    let mut text = format!("L{SLOT:02X}");
    for light in lights {
        // Writing to a string cannot fail.
        let _ = write!(text, "{light:02X}");
    }
    text
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
    fn the_corners_of_a_square_are_lit() {
        let text = lights_text(Bitboard::from_square(Square::A8));
        assert_eq!(text.len(), 3 + 81 * 2);
        let lit: Vec<usize> = (0..81)
            .filter(|light| &text[3 + light * 2..5 + light * 2] != "00")
            .map(|light| light + 1)
            .collect();
        assert_eq!(lit, [1, 2, 10, 11]);
        let far = lights_text(Bitboard::from_square(Square::H1));
        assert!(
            far.ends_with("0F0F") && !far.starts_with("L0C0F"),
            "81 is the corner of h1"
        );
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
