//! The Chess Peripheral Protocol, one message per line.
//!
//! The protocol was made for radio, where a message is a packet. Over a stream of bytes each
//! message ends with a line feed. annexd is the side that knows the game, and the board reports its
//! placement. With the feature `submove_state` it reports every peg that leaves its hole.

use std::collections::VecDeque;
use std::time::Duration;

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square, uci::UciMove};

use super::device::{Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use super::talk::{Protocol, ProtocolDriver, Taken};
use annexd_game::board::{Reading, Readings, placement_after};
use annexd_laws::moment::Moment;
use annexd_phrases::sentence;

/// The longest line that is kept. No message is longer.
const LINE_MAX: usize = 512;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A message from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The board accepts what was asked.
    Ok,
    /// The board refuses what was asked.
    Nok,
    /// The board's placement.
    State {
        /// Whether it is the expected one: `Some` in a `sync` or `unsync` message.
        is_synchronised: Option<bool>,
        /// The readings.
        readings: Box<Readings>,
    },
    /// Moves were taken back or made again; this is the placement now.
    TakenBack(Box<Readings>),
    /// A move as the board understood it.
    Move(UciMove),
    /// A text for people.
    Text(String),
    /// A message that annexd has no use for.
    Other,
}

impl Message {
    /// Parses one line. `None` if it is no message of the protocol.
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
            "undo" | "redo" if !rest.is_empty() => {
                return readings_of(rest).map(|readings| Self::TakenBack(Box::new(readings)));
            }
            "move" => Self::Move(rest.parse().ok()?),
            "msg" | "err" => Self::Text(rest.to_owned()),
            "moved" | "undo" | "redo" | "resign" | "draw_offer" | "undo_offer" | "end" | "side"
            | "option" | "options_begin" | "options_end" | "get_state" => Self::Other,
            _ => return None,
        })
    }
}

/// The readings in the first field of a FEN, in which `?` is an unknown piece, `U` an unknown white
/// and `u` an unknown black one. Older boards use `w` and `b` for these.
pub fn readings_of(fen: &str) -> Option<Readings> {
    let mut readings = Readings::default();
    let placement = fen.split(' ').next()?;
    let is_older = placement.contains('w');
    let mut ranks = placement.split('/');
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
                'w' => Reading::OfColor(Color::White),
                'b' if is_older => Reading::OfColor(Color::Black),
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

/// The first field of a FEN for these readings.
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

/// Finds lines in bytes. It skips what is no text, or too long, up to the next line feed.
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

    /// Takes one byte. Returns the line it completes.
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

/// The features that annexd asks boards for. A feature not asked for is off.
const FEATURES: [&str; 5] = [SUBMOVE, STREAM, GET_STATE, "msg", TIME];
const SUBMOVE: &str = "submove_state";
/// The name of [`SUBMOVE`] on older boards.
const STREAM: &str = "state_stream";
const GET_STATE: &str = "get_state";
const TIME: &str = "time";

/// The driver of a board with this protocol.
pub(super) type CppBoard = ProtocolDriver<Cpp>;

/// What the board can do, as far as it has said, and what it was told.
#[derive(Clone, Debug, Default)]
pub(super) struct Cpp {
    lines: LineDecoder,
    position: Option<String>,
    senses: Option<Senses>,
    /// Features asked for and not yet answered.
    asked: VecDeque<&'static str>,
    has: Vec<&'static str>,
    /// The board's readings, as far as it has reported them.
    readings: Option<Readings>,
    /// The placement after each move that it reported.
    stood: Vec<Board>,
    /// The move announced last.
    announced: Option<UciMove>,
}

impl Cpp {
    fn understand(&mut self, line: &str, out: &mut Outbox) -> Taken {
        let Some(message) = Message::parse(line) else {
            // A line that lost a character may have contained the placement.
            return Taken::Lost;
        };
        match message {
            Message::State { readings, .. } => self.stands_now(readings, out),
            Message::TakenBack(readings) => {
                out.say(DeviceEvent::TakenBack);
                self.stands_now(readings, out);
            }
            Message::Move(played) => {
                // Never refused: the board must not learn whether the move is legal.
                let (played, answer) = self.whole(played);
                out.write(answer);
                out.say(DeviceEvent::Move(played));
                self.move_pieces(played, out);
            }
            Message::Text(text) => {
                out.say(DeviceEvent::Identity(sentence!(AsItIs, text = text)));
            }
            Message::Ok => {
                let answered = self.asked.pop_front();
                self.has.extend(answered);
            }
            Message::Nok => {
                self.asked.pop_front();
            }
            Message::Other => {}
        }
        Taken::Message
    }
}

impl Cpp {
    fn stands_now(&mut self, readings: Box<Readings>, out: &mut Outbox) {
        self.readings = Some(*readings);
        let knows = |reading| match reading {
            Reading::Empty | Reading::Piece(_) => Senses::Piece,
            Reading::OfColor(_) => Senses::Color,
            Reading::Occupied => Senses::Occupancy,
        };
        self.senses = readings.iter().map(|(_, reading)| knows(reading)).min();
        out.say(DeviceEvent::Snapshot(readings));
    }

    /// A move with its promotion piece, and the answer to the board. A board that cannot tell the
    /// piece waits to be told. It is the announced piece, or else a queen.
    fn whole(&self, played: UciMove) -> (UciMove, String) {
        let UciMove::Normal {
            from,
            to,
            promotion: None,
        } = played
        else {
            return (played, "ok\n".to_owned());
        };
        let announced = self.announced.and_then(|announced| match announced {
            UciMove::Normal {
                from: its_from,
                to: its_to,
                promotion,
            } if (its_from, its_to) == (from, to) => promotion,
            _ => None,
        });
        let stands = self.stands().and_then(|board| board.piece_at(from));
        let is_promotion = stands.is_some_and(|piece| {
            piece.role == Role::Pawn && to.rank() == piece.color.other().backrank()
        });
        let becomes = announced.or(is_promotion.then_some(Role::Queen));
        let whole = UciMove::Normal {
            from,
            to,
            promotion: becomes,
        };
        let answer = match becomes {
            Some(_) => format!("promote {whole}\n"),
            None => "ok\n".to_owned(),
        };
        (whole, answer)
    }

    /// Moves the pieces for a board that reports its moves, but not its placement after each.
    fn move_pieces(&mut self, played: UciMove, out: &mut Outbox) {
        let Some(before) = self.stands() else { return };
        if self.readings.is_none() {
            out.say(DeviceEvent::Snapshot(Box::new(Readings::of(&before))));
        }
        if let Some(after) = placement_after(&before, played) {
            let readings = Readings::of(&after);
            self.readings = Some(readings);
            self.stood.push(after);
            out.say(DeviceEvent::Snapshot(Box::new(readings)));
        }
    }

    /// The placement. If the board cannot tell pieces apart or has not reported them, it is what
    /// its last moves lead to, or the position it was given.
    fn stands(&self) -> Option<Board> {
        let begun = readings_of(self.position.as_deref().unwrap_or(START)).map(|it| board_of(&it));
        let Some(readings) = self.readings else {
            return begun;
        };
        let is_known =
            |(_, reading): (Square, Reading)| reading.piece().is_some() || !reading.is_occupied();
        if readings.iter().all(is_known) {
            return Some(board_of(&readings));
        }
        let stood = self.stood.iter().rev().chain(&begun);
        stood.into_iter().find(|stood| readings.fit(stood)).cloned()
    }
}

fn board_of(readings: &Readings) -> Board {
    let mut board = Board::empty();
    for (square, reading) in readings.iter() {
        if let Some(piece) = reading.piece() {
            board.set_piece_at(square, piece);
        }
    }
    board
}

impl Protocol for Cpp {
    const KIND: Kind = Kind::Cpp;
    const PARTIAL_MAX: Duration = Duration::from_millis(200);

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: self.senses.unwrap_or(Senses::Piece),
            // The board is told the move, and shows it in its own way.
            has_lights: true,
            has_clock: false,
            tells_touch: true,
            is_never_quiet: false,
        }
    }

    fn reset(&mut self) {
        *self = Self {
            position: self.position.take(),
            senses: self.senses,
            ..Self::default()
        };
    }

    fn start(&mut self, out: &mut Outbox) {
        self.asked.clear();
        self.has.clear();
        for feature in FEATURES {
            self.asked.push_back(feature);
            out.write(format!("feature {feature}\n"));
        }
        let position = self.position.as_deref().unwrap_or(START);
        out.write(format!("begin {position}\n"));
    }

    fn ask(&mut self, out: &mut Outbox) {
        if self.has.contains(&GET_STATE) {
            out.write("get_state\n");
        } else {
            // Its answer shows whether it can report its squares. It reports them when it is
            // started again.
            self.start(out);
        }
    }

    fn take(&mut self, _: Moment, byte: u8, out: &mut Outbox) -> Taken {
        match self.lines.push(byte) {
            Some(line) => self.understand(&line, out),
            None => Taken::Part,
        }
    }

    fn is_partial(&self) -> bool {
        self.lines.is_partial()
    }

    fn forget_partial(&mut self) {
        self.lines = LineDecoder::default();
    }

    fn command(&mut self, command: DeviceCommand, out: &mut Outbox) {
        match command {
            DeviceCommand::Expect(fen) => self.position = Some(fen),
            DeviceCommand::Announced(announced) => self.announced = Some(announced),
            DeviceCommand::ShowText(text) => {
                let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
                out.write(format!("msg {text}\n"));
            }
            DeviceCommand::ShowTimes(white, black) if self.has.contains(&TIME) => {
                out.write(format!(
                    "time {} {}\n",
                    white.as_millis(),
                    black.as_millis()
                ));
            }
            DeviceCommand::Light {
                played: Some(played),
                ..
            } => out.write(format!("move {played}\n")),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

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
        assert_eq!(
            readings_of("bbbbbbbb/8/8/8/8/8/8/wwwwwwww"),
            readings_of("uuuuuuuu/8/8/8/8/8/8/UUUUUUUU"),
            "older boards"
        );
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

    /// A board that cannot tell a promotion piece waits until it is told, and reports no other move
    /// before.
    #[test]
    fn a_promotion_without_its_piece_is_answered_with_the_piece() {
        let answered = |fen: &str, announced: Option<&str>, said: &str| {
            let mut board = CppBoard::default();
            board.command(Moment::START, DeviceCommand::Expect(fen.to_owned()));
            let announced = announced.map(|it| DeviceCommand::Announced(it.parse().unwrap()));
            if let Some(command) = announced {
                board.command(Moment::START, command);
            }
            board.received(Moment::START, said.as_bytes());
            let written = board.next_write(Moment::START).unwrap();
            let moves = std::iter::from_fn(|| board.next_event()).find_map(|event| match event {
                DeviceEvent::Move(played) => Some(played.to_string()),
                _ => None,
            });
            (String::from_utf8(written).unwrap(), moves.unwrap())
        };
        let white = "5n1k/4P3/8/8/8/8/8/K7 w - - 0 1";
        let black = "7k/8/8/8/8/8/4p3/K7 b - - 0 1";
        for (fen, announced, said, answer, played) in [
            (white, None, "move e7f8\n", "promote e7f8q\n", "e7f8q"),
            (
                white,
                Some("e7f8n"),
                "move e7f8\n",
                "promote e7f8n\n",
                "e7f8n",
            ),
            (
                white,
                Some("e7e8n"),
                "move e7f8\n",
                "promote e7f8q\n",
                "e7f8q",
            ),
            (white, None, "move e7f8r\n", "ok\n", "e7f8r"),
            (white, None, "move a1a2\n", "ok\n", "a1a2"),
            (black, None, "move e2e1\n", "promote e2e1q\n", "e2e1q"),
        ] {
            let found = answered(fen, announced, said);
            assert_eq!(found, (answer.to_owned(), played.to_owned()), "{said}");
        }
    }

    #[test]
    fn a_board_that_says_moves_only_has_moved_its_pieces() {
        let snapshots = |said: &[u8]| {
            let mut board = CppBoard::default();
            board.received(Moment::START, said);
            std::iter::from_fn(|| board.next_event())
                .filter_map(|event| match event {
                    DeviceEvent::Snapshot(readings) => Some(placement_of(&readings)),
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let moved = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        assert_eq!(snapshots(b"move e2e4\n"), [start, moved]);
        let unknown = "????????/????????/8/8/8/8/????????/????????";
        let said = format!("sync {unknown}\nmove e2e4\n");
        assert_eq!(snapshots(said.as_bytes()), [unknown, moved]);
        let said = format!("sync {start}\nstate {moved}\nmove e2e4\n");
        assert_eq!(snapshots(said.as_bytes()), [start, moved], "it had said so");
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let mut lines = LineDecoder::default();
        for byte in b"state ".iter().cycle().take(100_000) {
            lines.push(*byte);
        }
        assert!(lines.partial.len() <= LINE_MAX);
        let mut board = CppBoard::default();
        for _ in 0..10_000 {
            board.received(Moment::START, b"state state state");
        }
        board.received(Moment::START, b"\nstate 8/8/8/8/8/8/8/8\n");
        assert!(matches!(board.next_event(), Some(DeviceEvent::Snapshot(_))));
    }

    #[test]
    fn times_are_shown_on_boards_that_show_times() {
        let times =
            DeviceCommand::ShowTimes(Duration::from_secs(300), Duration::from_millis(299_500));
        let shown = |answers: &[u8]| {
            let mut board = CppBoard::default();
            board.opened(Moment::START);
            while board.next_write(Moment::START).is_some() {}
            board.received(Moment::START, answers);
            board.command(Moment::START, times.clone());
            board.next_write(Moment::START)
        };
        let all = b"ok\nnok\nok\nok\nok\nsync 8/8/8/8/8/8/8/8\n";
        assert_eq!(shown(all), Some(b"time 300000 299500\n".to_vec()));
        assert_eq!(shown(b"ok\nok\nok\nok\nnok\n"), None);
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
