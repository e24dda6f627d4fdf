//! The Chess Peripheral Protocol, one message per line.
//!
//! The protocol is made for radio, where a message is a packet; over a stream of bytes each
//! message ends with a line feed. annexd is the side that knows the game; the board tells what
//! stands on it. The feature `submove_state` makes it tell every peg that leaves its hole.

use std::time::Duration;

use shakmaty::{Color, File, Piece, Rank, Square, uci::UciMove};

use super::device::{Board, Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use crate::board::{Reading, Readings};
use crate::moment::Moment;

/// The longest line that is kept; no message is so long.
const LINE_MAX: usize = 512;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const START_AGAIN: Duration = Duration::from_secs(2);
/// Silence inside a line after which the rest will not come.
const PARTIAL_MAX: Duration = Duration::from_millis(200);
const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// What the board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Agrees with what was asked.
    Ok,
    /// Does not.
    Nok,
    /// What stands on it; whether it is what should.
    State {
        /// `Some` in a `sync` or `unsync` message.
        is_synchronised: Option<bool>,
        /// What stands there.
        readings: Box<Readings>,
    },
    /// A move as the board understood it.
    Move(UciMove),
    /// A text for people.
    Text(String),
    /// A message that annexd has no use for.
    Other,
}

impl Message {
    /// Understands one line. `None`: it is no message of the protocol.
    pub fn parse(line: &str) -> Option<Self> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let state = |is_synchronised| {
            readings_of(rest).map(|readings| Self::State {
                is_synchronised,
                readings: Box::new(readings),
            })
        };
        Some(match word {
            "ok" => Self::Ok,
            "nok" => Self::Nok,
            "sync" => return state(Some(true)),
            "unsync" => return state(Some(false)),
            "state" => return state(None),
            "move" => Self::Move(rest.parse().ok()?),
            "msg" | "err" => Self::Text(rest.to_owned()),
            "moved" | "undo" | "redo" | "resign" | "draw_offer" | "undo_offer" | "end" | "side"
            | "option" | "options_begin" | "options_end" | "get_state" => Self::Other,
            _ => return None,
        })
    }
}

/// What stands on a board, from the first field of a FEN in which `?` is an unknown piece, `U` an
/// unknown white and `u` an unknown black one.
pub fn readings_of(fen: &str) -> Option<Readings> {
    let mut readings = Readings::default();
    let mut ranks = fen.split(' ').next()?.split('/');
    for rank in Rank::ALL.into_iter().rev() {
        let mut file = 0;
        for letter in ranks.next()?.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty;
                continue;
            }
            let reading = match letter {
                '?' => Reading::Occupied,
                'U' => Reading::OfColor(Color::White),
                'u' => Reading::OfColor(Color::Black),
                _ => Reading::Piece(Piece::from_char(letter)?),
            };
            let square = Square::from_coords(File::try_from(file).ok()?, rank);
            readings.set(square, reading);
            file += 1;
        }
        if file != 8 {
            return None;
        }
    }
    ranks.next().is_none().then_some(readings)
}

/// The first field of a FEN for what stands on a board.
pub fn placement_of(readings: &Readings) -> String {
    let mut placement = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        let mut row = String::new();
        for file in File::ALL {
            let letter = match readings.at(Square::from_coords(file, rank)) {
                Reading::Empty => {
                    empty += 1;
                    continue;
                }
                Reading::Occupied => '?',
                Reading::OfColor(color) => color.fold_wb('U', 'u'),
                Reading::Piece(piece) => piece.char(),
            };
            if empty > 0 {
                row.push_str(&empty.to_string());
                empty = 0;
            }
            row.push(letter);
        }
        if empty > 0 {
            row.push_str(&empty.to_string());
        }
        if !placement.is_empty() {
            placement.push('/');
        }
        placement.push_str(&row);
    }
    placement
}

/// Finds lines in bytes. What is no text, or too long, is passed over to the next line feed.
#[derive(Clone, Debug, Default)]
pub struct LineDecoder {
    partial: Vec<u8>,
    is_broken: bool,
}

impl LineDecoder {
    /// Whether it is in the middle of a line.
    pub const fn is_partial(&self) -> bool {
        !self.partial.is_empty() || self.is_broken
    }

    /// Takes one byte; gives the line it completes.
    pub fn push(&mut self, byte: u8) -> Option<String> {
        match byte {
            b'\n' => {
                let line = std::mem::take(&mut self.partial);
                if std::mem::take(&mut self.is_broken) {
                    return None;
                }
                let line = String::from_utf8(line).ok()?;
                let line = line.trim();
                (!line.is_empty()).then(|| line.to_owned())
            }
            _ if self.is_broken => None,
            _ if self.partial.len() >= LINE_MAX || byte == 0 => {
                self.partial.clear();
                self.is_broken = true;
                None
            }
            _ => {
                self.partial.push(byte);
                None
            }
        }
    }
}

/// A board that speaks the protocol.
#[derive(Clone, Debug, Default)]
pub struct CppBoard {
    lines: LineDecoder,
    out: Outbox,
    position: Option<String>,
    senses: Option<Senses>,
    asked: Moment,
    heard: Moment,
    is_open: bool,
    is_recognised: bool,
}

impl CppBoard {
    fn start(&mut self, now: Moment) {
        self.asked = now;
        self.out.write("feature submove_state\n");
        self.out.write("feature get_state\n");
        self.out.write("feature msg\n");
        let position = self.position.as_deref().unwrap_or(START);
        let begin = format!("begin {position}\n");
        self.out.write(begin);
    }

    fn understand(&mut self, line: &str) {
        let Some(message) = Message::parse(line) else {
            // A line that lost a letter may have said what stands on the board.
            if self.is_open && self.is_recognised && self.out.writes.is_empty() {
                self.out.write("get_state\n");
            }
            return;
        };
        self.is_recognised = true;
        match message {
            Message::State { readings, .. } => {
                let knows = |reading| match reading {
                    Reading::Empty | Reading::Piece(_) => Senses::Piece,
                    Reading::OfColor(_) => Senses::Color,
                    Reading::Occupied => Senses::Occupancy,
                };
                self.senses = readings.iter().map(|(_, reading)| knows(reading)).min();
                self.out.say(DeviceEvent::Snapshot(readings));
            }
            Message::Move(played) => {
                // Never a refusal: whether the move is legal is not for the board to know.
                self.out.write("ok\n");
                self.out.say(DeviceEvent::Move(played));
            }
            Message::Text(text) => self.out.say(DeviceEvent::Identity(text)),
            Message::Ok | Message::Nok | Message::Other => {}
        }
    }

    const fn patience(&self) -> Duration {
        if self.is_recognised {
            KEEP_ALIVE
        } else {
            START_AGAIN
        }
    }
}

impl Board for CppBoard {
    fn kind(&self) -> Kind {
        Kind::Cpp
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: self.senses.unwrap_or(Senses::Piece),
            has_lights: false,
            has_clock: false,
            tells_touch: true,
        }
    }

    fn opened(&mut self, now: Moment) {
        *self = Self {
            position: self.position.take(),
            is_recognised: self.is_recognised,
            is_open: true,
            ..Self::default()
        };
        self.start(now);
    }

    fn received(&mut self, now: Moment, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.heard = now;
        }
        for &byte in bytes {
            if let Some(line) = self.lines.push(byte) {
                self.asked = now;
                self.understand(&line);
            }
        }
    }

    fn wake(&mut self, now: Moment) {
        if self.lines.is_partial() && now.since(self.heard) >= PARTIAL_MAX {
            self.lines = LineDecoder::default();
            self.asked = now;
            self.out.write("get_state\n");
        }
        if !self.is_open || now.since(self.asked) < self.patience() {
            return;
        }
        if self.is_recognised {
            self.asked = now;
            self.out.write("get_state\n");
        } else {
            self.start(now);
        }
    }

    fn deadline(&self) -> Option<Moment> {
        let partial = self.lines.is_partial().then(|| self.heard + PARTIAL_MAX);
        let asked = self.is_open.then(|| self.asked + self.patience());
        partial.into_iter().chain(asked).min()
    }

    fn command(&mut self, now: Moment, command: DeviceCommand) {
        match command {
            DeviceCommand::Refresh => {
                self.asked = now;
                self.out.write("get_state\n");
            }
            DeviceCommand::Expect(fen) => self.position = Some(fen),
            DeviceCommand::ShowText(text) => {
                let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
                self.out.write(format!("msg {text}\n"));
            }
            DeviceCommand::SetClock { .. } | DeviceCommand::EndText | DeviceCommand::Beep => {}
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

    #[test]
    fn unknown_pieces_are_read_and_written() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "????????/????????/8/8/4?3/8/????1???/????????",
            "uuuuuuuu/uuuuuuuu/8/8/8/8/UUUUUUUU/UUUUUUUU",
        ] {
            let readings = readings_of(placement).unwrap();
            assert_eq!(placement_of(&readings), placement);
        }
        for bad in [
            "",
            "8/8/8/8/8/8/8",
            "9/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/8/8",
            "pppppppppp/8",
        ] {
            assert_eq!(readings_of(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_move_of_the_board_is_never_refused() {
        let mut board = CppBoard::default();
        board.received(Moment::START, b"move e2e5\n");
        assert_eq!(board.next_write(Moment::START), Some(b"ok\n".to_vec()));
        assert_eq!(
            board.next_event(),
            Some(DeviceEvent::Move("e2e5".parse().unwrap()))
        );
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let mut board = CppBoard::default();
        for _ in 0..10_000 {
            board.received(Moment::START, b"state state state");
        }
        assert!(board.lines.partial.len() <= LINE_MAX);
        board.received(Moment::START, b"\nstate 8/8/8/8/8/8/8/8\n");
        assert!(matches!(board.next_event(), Some(DeviceEvent::Snapshot(_))));
    }

    #[test]
    fn a_wrong_line_is_passed_over() {
        let mut board = CppBoard::default();
        board.received(
            Moment::START,
            b"state 9/8\n\xff\xfe\nnonsense\nstate 8/8/8/8/8/8/8/8 w\n",
        );
        assert!(matches!(board.next_event(), Some(DeviceEvent::Snapshot(_))));
        assert_eq!(board.next_event(), None);
    }
}
