//! The messages of a board on the serial protocol.
//!
//! Every message is a byte with bit 7 set, two bytes of length and a payload without bit 7. The
//! length includes these three bytes.

use std::time::Duration;

use shakmaty::{Color, File, Piece, Rank, Role, Square};

use crate::clocks::{ClockReading, ClockSide, SideReading};
use annexd_game::board::{Reading, Readings};

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// All 64 squares.
    Dump(Box<Readings>),
    /// One square has changed.
    Field {
        /// The board's own square, wherever White sits.
        square: Square,
        /// Its reading now.
        reading: Reading,
    },
    /// A piece that stands for a result was put on a square.
    ResultPiece(ResultPiece),
    /// A reading of the clock.
    Clock(ClockReading),
    /// The board hears no clock.
    NoClock,
    /// The clock answers a command, or reports something by itself.
    Ack(Ack),
    /// The version of the board's firmware.
    Version(u8, u8),
    /// Serial number, short or long.
    Serial(String),
    /// The maker's text.
    Trademark(String),
    /// Bus address.
    BusAddress(u16),
    /// The battery charge in percent.
    Battery(u8),
    /// A message that annexd has no use for.
    Other(u8),
}

/// The three codes that stand for results instead of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultPiece {
    /// Drawn.
    Draw,
    /// White wins.
    WhiteWins,
    /// Black wins.
    BlackWins,
}

impl ResultPiece {
    /// The result in the notation of a score.
    pub const fn result(self) -> &'static str {
        match self {
            Self::Draw => "1/2-1/2",
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
        }
    }
}

/// The four bytes of a clock's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ack {
    /// 0x10 if it was done; anything else if not.
    pub status: u8,
    /// The number of the command answered; from 0x80 on the clock reports unasked.
    pub command: u8,
    /// What depends on the command.
    pub data: [u8; 2],
}

impl Ack {
    /// Whether the command was done.
    pub const fn is_done(self) -> bool {
        self.status == 0x10
    }

    /// The button that was pressed, if the answer reports one.
    pub fn button(self) -> Option<ClockButton> {
        if self.command != 0x88 {
            return None;
        }
        Some(match self.data[1] {
            0x31 => ClockButton::Back,
            0x32 => ClockButton::Plus,
            0x33 => ClockButton::Run,
            0x34 => ClockButton::Minus,
            0x35 => ClockButton::Forward,
            _ => return None,
        })
    }
}

/// A button of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockButton {
    /// Back.
    Back,
    /// Plus.
    Plus,
    /// Start and stop.
    Run,
    /// Minus.
    Minus,
    /// Forward or OK.
    Forward,
}

const DUMP: u8 = 0x86;
const CLOCK: u8 = 0x8d;
const FIELD: u8 = 0x8e;
const LOG: u8 = 0x8f;
const BUS_ADDRESS: u8 = 0x90;
const SERIAL: u8 = 0x91;
const TRADEMARK: u8 = 0x92;
const VERSION: u8 = 0x93;
const BATTERY: u8 = 0xa0;
const LONG_SERIAL: u8 = 0xa2;

/// The longest message that is kept. The payload of a longer one is skipped.
const LENGTH_MAX: usize = 256;
/// The board's stored log, the only longer message.
const LOG_LENGTH: usize = 0x1f03;

/// Finds messages in bytes, however they are split.
///
/// A byte with bit 7 set in the middle of a message means that bytes were lost. The message is
/// dropped, and the byte begins the next one.
#[derive(Clone, Debug, Default)]
pub struct Decoder {
    partial: Vec<u8>,
    /// Payload bytes of an oversized message still to come.
    skip: usize,
    has_lost: bool,
}

impl Decoder {
    /// Takes one byte. Returns the message it completes.
    pub fn push(&mut self, byte: u8) -> Option<Message> {
        if byte >= 0x80 {
            self.has_lost |= self.is_partial();
            self.partial.clear();
            self.skip = 0;
            self.partial.push(byte);
            return None;
        }
        if self.skip > 0 {
            self.skip -= 1;
            return None;
        }
        if self.partial.is_empty() {
            self.has_lost = true;
            return None;
        }
        self.partial.push(byte);
        if self.partial.len() < 3 {
            return None;
        }
        let (id, length) = (self.partial[0], self.length());
        if !is_plausible(id, length) {
            self.has_lost = true;
            self.partial.clear();
            return None;
        }
        if length > LENGTH_MAX {
            self.partial.clear();
            self.skip = length - 3;
            return None;
        }
        if self.partial.len() < length {
            return None;
        }
        let message = understand(id, &self.partial[3..]);
        self.partial.clear();
        message
    }

    /// Whether bytes have been lost since the last call.
    pub fn take_lost(&mut self) -> bool {
        std::mem::take(&mut self.has_lost)
    }

    /// Drops an incomplete message after half a second of silence: the rest will not come.
    pub fn forget_partial(&mut self) {
        self.has_lost |= self.is_partial();
        self.partial.clear();
        self.skip = 0;
    }

    /// Whether it is in the middle of a message.
    pub const fn is_partial(&self) -> bool {
        !self.partial.is_empty() || self.skip > 0
    }

    fn length(&self) -> usize {
        usize::from(self.partial[1]) << 7 | usize::from(self.partial[2])
    }
}

fn is_plausible(id: u8, length: usize) -> bool {
    match id {
        DUMP => length == 67 || length == 103,
        CLOCK => length == 10,
        FIELD | BUS_ADDRESS | VERSION => length == 5,
        SERIAL => length == 8 || length == 12,
        LONG_SERIAL => length == 13,
        LOG => (3..=LOG_LENGTH).contains(&length),
        _ => (3..=LENGTH_MAX).contains(&length),
    }
}

fn understand(id: u8, payload: &[u8]) -> Option<Message> {
    Some(match (id, payload) {
        (DUMP, squares) if squares.len() == 64 => {
            let mut readings = Readings::default();
            for (index, &code) in squares.iter().enumerate() {
                readings.set(square_of(index as u8)?, reading_of(code)?);
            }
            Message::Dump(Box::new(readings))
        }
        (FIELD, &[square, code]) => match result_piece(code) {
            Some(result) => Message::ResultPiece(result),
            None => Message::Field {
                square: square_of(square)?,
                reading: reading_of(code)?,
            },
        },
        (CLOCK, payload) => return clock(payload),
        (BUS_ADDRESS, &[high, low]) => Message::BusAddress(u16::from(high) << 7 | u16::from(low)),
        (VERSION, &[main, sub]) => Message::Version(main, sub),
        (SERIAL | LONG_SERIAL, text) => Message::Serial(ascii(text)),
        (TRADEMARK, text) => Message::Trademark(ascii(text)),
        (BATTERY, &[percent, ..]) => Message::Battery(percent.min(100)),
        _ => Message::Other(id),
    })
}

fn ascii(text: &[u8]) -> String {
    let is_text = |byte: &&u8| (0x20..0x7f).contains(*byte) || **byte == b'\n';
    text.iter()
        .filter(is_text)
        .map(|&byte| char::from(byte))
        .collect()
}

/// The square of an index. The board counts from a8 along the ranks.
fn square_of(index: u8) -> Option<Square> {
    let (row, file) = (index / 8, index % 8);
    let rank = 7_u8.checked_sub(row)?;
    Some(Square::from_coords(
        File::new(u32::from(file)),
        Rank::new(u32::from(rank)),
    ))
}

fn index_of(square: Square) -> u8 {
    (7 - square.rank() as u8) * 8 + square.file() as u8
}

/// The king has a lower code than the queen.
const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Rook,
    Role::Knight,
    Role::Bishop,
    Role::King,
    Role::Queen,
];

fn reading_of(code: u8) -> Option<Reading> {
    let (color, index) = match code {
        // Codes 13 to 15 stand for results and are no pieces.
        0 | 13..=15 => return Some(Reading::Empty),
        1..=6 => (Color::White, code - 1),
        7..=12 => (Color::Black, code - 7),
        _ => return None,
    };
    let role = ROLES[usize::from(index)];
    Some(Reading::Piece(Piece { color, role }))
}

const fn result_piece(code: u8) -> Option<ResultPiece> {
    match code {
        13 => Some(ResultPiece::Draw),
        14 => Some(ResultPiece::WhiteWins),
        15 => Some(ResultPiece::BlackWins),
        _ => None,
    }
}

/// The code of a reading. A board of this kind recognises every piece.
fn code_of(reading: Reading) -> u8 {
    let Some(piece) = reading.piece() else {
        return u8::from(reading.is_occupied());
    };
    let index = ROLES.iter().position(|role| *role == piece.role);
    let first = if piece.color == Color::White { 1 } else { 7 };
    first + index.unwrap_or(0) as u8
}

fn clock(payload: &[u8]) -> Option<Message> {
    let &[b3, b4, b5, b6, b7, b8, status] = payload else {
        return None;
    };
    if b3 & 0x0f == 0x0a || b6 & 0x0f == 0x0a {
        return Some(Message::Ack(Ack {
            status: b4 | b6 << 3 & 0x80,
            command: b5 | b6 << 2 & 0x80,
            data: [b7 | b3 << 3 & 0x80, b8 | b3 << 2 & 0x80],
        }));
    }
    if status & 0x20 != 0 {
        return Some(Message::NoClock);
    }
    Some(Message::Clock(ClockReading {
        right: side_reading([b3, b4, b5])?,
        left: side_reading([b6, b7, b8])?,
        is_running: status & 0x01 != 0,
        // Bits 3 and 4 have the same meaning, but makers disagree about which is which.
        to_move: if status & 0x02 != 0 {
            ClockSide::Right
        } else {
            ClockSide::Left
        },
        is_battery_low: status & 0x04 != 0,
    }))
}

fn side_reading([hours, minutes, seconds]: [u8; 3]) -> Option<SideReading> {
    let from_bcd = |byte: u8| {
        let (tens, ones) = (byte >> 4, byte & 0x0f);
        (tens < 6 && ones < 10).then(|| u64::from(tens * 10 + ones))
    };
    let whole_hours = u64::from(hours & 0x0f);
    if whole_hours > 9 {
        return None;
    }
    let time = whole_hours * 3600 + from_bcd(minutes)? * 60 + from_bcd(seconds)?;
    Some(SideReading {
        time: Duration::from_secs(time),
        is_fallen: hours & 0x10 != 0,
        is_per_move: hours & 0x20 != 0,
        has_flag: hours & 0x40 != 0,
    })
}

impl Message {
    /// The bytes that a simulated board sends. `Other` is an empty message of its kind.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (id, payload) = match self {
            Self::Dump(readings) => (
                DUMP,
                (0..64)
                    .filter_map(square_of)
                    .map(|square| code_of(readings.at(square)))
                    .collect(),
            ),
            Self::Field { square, reading } => (FIELD, vec![index_of(*square), code_of(*reading)]),
            Self::ResultPiece(piece) => (FIELD, vec![0, 13 + *piece as u8]),
            Self::Clock(reading) => (CLOCK, clock_payload(reading)),
            Self::NoClock => (CLOCK, vec![0, 0, 0, 0, 0, 0, 0x20]),
            Self::Ack(ack) => (CLOCK, ack_payload(*ack)),
            Self::Version(main, sub) => (VERSION, vec![main & 0x7f, sub & 0x7f]),
            Self::Serial(text) if text.len() == 10 => (LONG_SERIAL, seven_bits(text)),
            Self::Serial(text) => (SERIAL, seven_bits(text)),
            Self::Trademark(text) => (TRADEMARK, seven_bits(text)),
            Self::BusAddress(address) => (
                BUS_ADDRESS,
                vec![(address >> 7 & 0x7f) as u8, (address & 0x7f) as u8],
            ),
            Self::Battery(percent) => (BATTERY, vec![percent & 0x7f, 0x7f, 0x7f, 0, 0, 0, 0, 0, 0]),
            Self::Other(id) => (id | 0x80, Vec::new()),
        };
        let length = payload.len() + 3;
        let mut bytes = vec![id, (length >> 7) as u8, (length & 0x7f) as u8];
        bytes.extend(payload);
        bytes
    }
}

fn seven_bits(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| byte & 0x7f).collect()
}

fn clock_payload(reading: &ClockReading) -> Vec<u8> {
    let mut payload = Vec::with_capacity(7);
    for side in [reading.right, reading.left] {
        let seconds = side.time.as_secs().min(9 * 3600 + 59 * 60 + 59);
        let bcd = |number: u64| (((number / 10) << 4) | (number % 10)) as u8;
        let bits = u8::from(side.is_fallen) << 4
            | u8::from(side.is_per_move) << 5
            | u8::from(side.has_flag) << 6;
        payload.extend([
            (seconds / 3600) as u8 | bits,
            bcd(seconds / 60 % 60),
            bcd(seconds % 60),
        ]);
    }
    let turn = match reading.to_move {
        ClockSide::Right => 0x12,
        ClockSide::Left => 0x08,
    };
    payload.push(turn | u8::from(reading.is_running) | u8::from(reading.is_battery_low) << 2);
    payload
}

fn ack_payload(ack: Ack) -> Vec<u8> {
    let Ack {
        status,
        command,
        data,
    } = ack;
    vec![
        0x0a | (data[0] & 0x80) >> 3 | (data[1] & 0x80) >> 2,
        status & 0x7f,
        command & 0x7f,
        0x0a | (status & 0x80) >> 3 | (command & 0x80) >> 2,
        data[0] & 0x7f,
        data[1] & 0x7f,
        0,
    ]
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

    fn times(bytes: [u8; 10]) -> (u64, u64, bool, ClockSide) {
        let [Message::Clock(reading)] = &decode(&bytes)[..] else {
            panic!("no clock reading");
        };
        (
            reading.left.time.as_secs(),
            reading.right.time.as_secs(),
            reading.is_running,
            reading.to_move,
        )
    }

    #[test]
    fn clock_messages_from_real_games_are_read_right() {
        use ClockSide::{Left, Right};
        let read = |bytes| times(bytes);
        assert_eq!(
            read([0x8d, 0, 10, 0x20, 3, 2, 0x20, 3, 2, 8]),
            (182, 182, false, Left)
        );
        assert_eq!(
            read([0x8d, 0, 10, 0x20, 3, 2, 0x20, 2, 0x59, 9]),
            (179, 182, true, Left)
        );
        assert_eq!(
            read([0x8d, 0, 10, 0x20, 3, 2, 0x20, 3, 1, 0x13]),
            (181, 182, true, Right)
        );
        let fallen = decode(&[0x8d, 0, 10, 0x30, 0, 0, 0x20, 0, 0x16, 0x12]);
        assert!(matches!(fallen[..], [Message::Clock(reading)]
            if reading.right.is_fallen && !reading.left.is_fallen && !reading.is_running));
    }

    #[test]
    fn acks_are_told_from_times() {
        let [Message::Ack(ack)] = decode(&[0x8d, 0, 10, 0x0a, 0x10, 0x0a, 0x0a, 0, 0, 0])[..]
        else {
            panic!("no ack");
        };
        assert!(ack.is_done() && ack.command == 0x0a);
        let [Message::Ack(ack)] = decode(&[0x8d, 0, 10, 0x0a, 0x10, 8, 0x2a, 5, 0x31, 0])[..]
        else {
            panic!("no ack");
        };
        assert_eq!(ack.button(), Some(ClockButton::Back));
    }

    #[test]
    fn impossible_times_are_no_readings() {
        for bytes in [
            [0x8d, 0, 10, 0x0b, 0, 0, 0, 0, 0, 8],
            [0x8d, 0, 10, 0, 0x60, 0, 0, 0, 0, 8],
            [0x8d, 0, 10, 0, 0, 0x0a, 0, 0, 0, 8],
        ] {
            assert!(decode(&bytes).is_empty(), "{bytes:?}");
        }
        assert_eq!(
            decode(&[0x8d, 0, 10, 0, 0, 0, 0, 0, 0, 0x20]),
            [Message::NoClock]
        );
    }

    #[test]
    fn a_lost_byte_costs_one_message() {
        let field = Message::Field {
            square: Square::E4,
            reading: Reading::Piece(Color::White.pawn()),
        };
        let bytes = [field.to_bytes(), field.to_bytes()].concat();
        for lost in 0..5 {
            let mut bytes = bytes.clone();
            bytes.remove(lost);
            assert_eq!(decode(&bytes), std::slice::from_ref(&field), "byte {lost}");
        }
    }

    #[test]
    fn the_stored_log_is_passed_over() {
        let mut bytes = vec![0x8f, 0x3e, 0x03];
        bytes.extend(vec![0x7f; 0x1f00]);
        bytes.extend(Message::Version(1, 7).to_bytes());
        assert_eq!(decode(&bytes), [Message::Version(1, 7)]);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut readings = Readings::of(&shakmaty::Board::new());
        readings.set(Square::E2, Reading::Empty);
        let clock = ClockReading {
            left: SideReading {
                time: Duration::from_secs(3661),
                is_per_move: true,
                ..SideReading::default()
            },
            right: SideReading {
                time: Duration::ZERO,
                is_fallen: true,
                has_flag: true,
                ..SideReading::default()
            },
            is_running: true,
            to_move: ClockSide::Right,
            is_battery_low: true,
        };
        let mut messages = vec![
            Message::Dump(Box::new(readings)),
            Message::Clock(clock),
            Message::NoClock,
            Message::Version(1, 7),
            Message::Serial("01025".to_owned()),
            Message::Serial("0000012345".to_owned()),
            Message::Trademark("annexd simulated board\n1.0".to_owned()),
            Message::BusAddress(0x401),
            Message::Battery(84),
            Message::Other(0xa4),
        ];
        for square in Square::ALL {
            for reading in [
                Reading::Empty,
                Reading::Piece(Color::Black.queen()),
                Reading::Piece(Color::White.king()),
            ] {
                messages.push(Message::Field { square, reading });
            }
        }
        for command in 0..=255 {
            messages.push(Message::Ack(Ack {
                status: command ^ 0x55,
                command,
                data: [command.rotate_left(3), !command],
            }));
        }
        for message in messages {
            assert_eq!(decode(&message.to_bytes()), [message]);
        }
    }
}
