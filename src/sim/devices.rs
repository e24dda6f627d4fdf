//! Simulated boards of each protocol: they turn pieces and commands into bytes.

use std::time::Duration;

use shakmaty::Square;

use super::hands::Behaviour;
use super::rng::Rng;
use annexd_boards::clocks::{ClockReading, ClockSide, SideReading};
use annexd_boards::dgt::{Ack, ClockCommand, Command, CommandDecoder, Message};
use annexd_boards::{Kind, Senses};
use annexd_boards::{chesslink, cpp, occupancy};
use annexd_game::board::{Reading, Readings};
use annexd_laws::moment::Moment;

/// The inside of a simulated board.
pub trait SimulatedBoard: Send {
    /// The host has sent bytes.
    fn received(&mut self, now: Moment, bytes: &[u8], out: &mut Vec<u8>);
    /// A square has changed.
    fn set(&mut self, now: Moment, square: Square, reading: Reading, out: &mut Vec<u8>);
    /// The side to move has pressed the clock.
    fn press(&mut self, now: Moment, out: &mut Vec<u8>);
    /// Time has passed.
    fn wake(&mut self, now: Moment, out: &mut Vec<u8>);
    /// The cable was pulled: earlier commands are forgotten.
    fn unplugged(&mut self);
    /// Whether the host has begun to talk, or need not.
    fn is_awake(&self) -> bool;
}

/// The simulated board of a kind, with pieces on it.
pub fn simulated(
    kind: Kind,
    readings: Readings,
    senses: Senses,
    behaviours: &[Behaviour],
    seed: u64,
) -> Box<dyn SimulatedBoard> {
    match kind {
        Kind::Dgt => Box::new(Dgt::new(readings, behaviours, seed)),
        Kind::Cpp => Box::new(Cpp::new(readings, senses)),
        Kind::Chesslink => Box::new(Chesslink::new(readings)),
        Kind::Occupancy => Box::new(Occupancy::new(readings)),
    }
}

/// A DGT board with a clock: three minutes and two seconds a move, White at the left.
struct Dgt {
    readings: Readings,
    commands: CommandDecoder,
    updates: Updates,
    /// When the clock was last reported.
    clock_told: Moment,
    has_heard: bool,
    clock: Clock,
    says_twice: bool,
    is_hostile: bool,
    rng: Rng,
    stale: Option<Ack>,
}

/// What a DGT board reports by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Updates {
    Nothing,
    /// Changes of squares. The clock does not answer then.
    Squares,
    /// The clock too, when it changes.
    Changes,
    /// The clock too, once a second.
    EverySecond,
}

impl Updates {
    const fn has_clock(self) -> bool {
        matches!(self, Self::Changes | Self::EverySecond)
    }
}

impl Dgt {
    fn new(readings: Readings, behaviours: &[Behaviour], seed: u64) -> Self {
        Self {
            readings,
            commands: CommandDecoder::default(),
            updates: Updates::Nothing,
            clock_told: Moment::START,
            has_heard: false,
            clock: Clock::new(),
            says_twice: behaviours.contains(&Behaviour::StaleAcks),
            is_hostile: behaviours.contains(&Behaviour::Hostile),
            rng: Rng::new(seed ^ 0xd6),
            stale: None,
        }
    }

    fn answer(&mut self, now: Moment, command: Command, out: &mut Vec<u8>) {
        let mut say = |message: Message| out.extend(message.to_bytes());
        match command {
            Command::Reset => self.updates = Updates::Nothing,
            Command::SendUpdates => self.updates = Updates::EverySecond,
            Command::SendUpdatesBoard => self.updates = Updates::Squares,
            Command::SendUpdatesNice => self.updates = Updates::Changes,
            Command::SendBoard => say(Message::Dump(Box::new(self.readings))),
            Command::SendVersion => say(Message::Version(1, 7)),
            Command::SendSerial => {
                // Some boards send it three times.
                for _ in 0..if self.is_hostile { 3 } else { 1 } {
                    say(Message::Serial("01025".to_owned()));
                }
            }
            Command::SendLongSerial => say(Message::Serial("0000001025".to_owned())),
            // The digits of its serial number.
            Command::SendBusAddress => say(Message::BusAddress(0x401)),
            Command::SendTrademark => say(Message::Trademark(
                "annexd simulated board, nobody's trade mark".to_owned(),
            )),
            Command::SendBattery => say(Message::Battery(84)),
            Command::SendClock => say(Message::Clock(self.clock.reading(now))),
            Command::Clock(command) => self.answer_clock(now, &command, out),
        }
    }

    fn answer_clock(&mut self, now: Moment, command: &ClockCommand, out: &mut Vec<u8>) {
        if let ClockCommand::SetAndRun {
            left,
            right,
            running,
            ..
        } = command
        {
            self.clock.set(now, *left, *right, *running);
        }
        if !self.updates.has_clock() {
            return;
        }
        let is_version = matches!(command, ClockCommand::Version);
        let number = command.number();
        let ack = Ack {
            status: 0x10,
            // Some clocks answer END with another number.
            command: if self.is_hostile && number == 0x03 {
                0x81
            } else {
                number
            },
            data: [if is_version { 0x20 } else { 0 }, 0],
        };
        if let Some(stale) = self.stale.replace(ack)
            && self.says_twice
        {
            out.extend(Message::Ack(stale).to_bytes());
        }
        out.extend(Message::Ack(ack).to_bytes());
        if self.says_twice {
            out.extend(Message::Ack(ack).to_bytes());
        }
    }
}

impl SimulatedBoard for Dgt {
    fn received(&mut self, now: Moment, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            if let Some(command) = self.commands.push(byte) {
                self.has_heard = true;
                self.answer(now, command, out);
            }
        }
    }

    fn set(&mut self, _: Moment, square: Square, reading: Reading, out: &mut Vec<u8>) {
        if self.readings.at(square) == reading {
            return;
        }
        self.readings.set(square, reading);
        if self.updates != Updates::Nothing {
            out.extend(Message::Field { square, reading }.to_bytes());
        }
        if self.is_hostile && self.rng.per_mille(100) {
            // An unknown message, and a stray byte.
            out.extend([0xf7, 0, 5, 1, 2, 0x55]);
        }
    }

    fn press(&mut self, now: Moment, out: &mut Vec<u8>) {
        self.clock.press(now);
        self.wake(now, out);
    }

    fn wake(&mut self, now: Moment, out: &mut Vec<u8>) {
        let changed = self.clock.changed(now);
        let is_due = self.updates == Updates::EverySecond && now.since(self.clock_told) >= SECOND;
        let reading = changed.or_else(|| is_due.then(|| self.clock.reading(now)));
        if let Some(reading) = reading
            && (self.updates.has_clock() || self.is_hostile)
        {
            self.clock_told = now;
            out.extend(Message::Clock(reading).to_bytes());
        }
    }

    fn unplugged(&mut self) {
        self.updates = Updates::Nothing;
        self.has_heard = false;
        self.commands = CommandDecoder::default();
        self.clock.told = None;
    }

    fn is_awake(&self) -> bool {
        self.has_heard
    }
}

const SECOND: Duration = Duration::from_secs(1);

/// A clock with an increment.
struct Clock {
    left: Duration,
    right: Duration,
    increment: Duration,
    to_move: ClockSide,
    is_running: bool,
    since: Moment,
    told: Option<ClockReading>,
}

impl Clock {
    const fn new() -> Self {
        let time = Duration::from_secs(182);
        Self {
            left: time,
            right: time,
            increment: Duration::from_secs(2),
            to_move: ClockSide::Left,
            is_running: false,
            since: Moment::START,
            told: None,
        }
    }

    fn set(&mut self, now: Moment, left: Duration, right: Duration, running: Option<ClockSide>) {
        self.left = left;
        self.right = right;
        self.is_running = running.is_some();
        self.to_move = running.unwrap_or(self.to_move);
        self.since = now;
    }

    fn run(&mut self, now: Moment) {
        let passed = now.since(self.since);
        self.since = now;
        if self.is_running {
            let left = match self.to_move {
                ClockSide::Left => &mut self.left,
                ClockSide::Right => &mut self.right,
            };
            *left = left.saturating_sub(passed);
            if left.is_zero() {
                // It freezes when a flag falls, as clocks with an increment do.
                self.is_running = false;
            }
        }
    }

    fn press(&mut self, now: Moment) {
        self.run(now);
        if self.is_running {
            let presser = match self.to_move {
                ClockSide::Left => &mut self.left,
                ClockSide::Right => &mut self.right,
            };
            *presser += self.increment;
        }
        self.to_move = self.to_move.other();
        self.is_running = true;
    }

    fn reading(&mut self, now: Moment) -> ClockReading {
        self.run(now);
        let side = |time: Duration| SideReading {
            // A display rounds up to whole seconds.
            time: Duration::from_secs(time.as_millis().div_ceil(1000) as u64),
            is_per_move: true,
            has_flag: false,
            is_fallen: time.is_zero(),
        };
        ClockReading {
            left: side(self.left),
            right: side(self.right),
            is_running: self.is_running,
            to_move: self.to_move,
            is_battery_low: false,
        }
    }

    fn changed(&mut self, now: Moment) -> Option<ClockReading> {
        let reading = self.reading(now);
        (self.told.replace(reading) != Some(reading)).then_some(reading)
    }
}

/// A peg board on the Chess Peripheral Protocol.
struct Cpp {
    readings: Readings,
    senses: Senses,
    lines: cpp::LineDecoder,
    tells_lifts: bool,
    has_begun: bool,
}

impl Cpp {
    fn new(readings: Readings, senses: Senses) -> Self {
        Self {
            readings,
            senses,
            lines: cpp::LineDecoder::default(),
            tells_lifts: false,
            has_begun: false,
        }
    }

    /// The placement as its sensors see it.
    fn placement(&self) -> String {
        let mut sensed = Readings::default();
        for (square, reading) in self.readings.iter() {
            sensed.set(square, sense(reading, self.senses));
        }
        cpp::placement_of(&sensed)
    }
}

fn sense(reading: Reading, senses: Senses) -> Reading {
    match (reading, senses) {
        (Reading::Piece(piece), Senses::Color) => Reading::OfColor(piece.color),
        (Reading::Piece(_), Senses::Occupancy) => Reading::Occupied,
        _ => reading,
    }
}

impl SimulatedBoard for Cpp {
    fn received(&mut self, _: Moment, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            let Some(line) = self.lines.push(byte) else {
                continue;
            };
            let (word, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
            let answer = match (word, rest) {
                ("feature", "submove_state") => {
                    self.tells_lifts = true;
                    "ok".to_owned()
                }
                ("feature", "get_state" | "msg" | "time") => "ok".to_owned(),
                ("feature" | "variant", _) => "nok".to_owned(),
                ("begin", _) => {
                    self.has_begun = true;
                    let asked = cpp::readings_of(rest);
                    let agrees = asked.is_some_and(|asked| asked == self.readings);
                    let word = if agrees { "sync" } else { "unsync" };
                    format!("{word} {}", self.placement())
                }
                ("get_state", _) => format!("state {}", self.placement()),
                _ => continue,
            };
            out.extend(answer.as_bytes());
            out.push(b'\n');
        }
    }

    fn set(&mut self, _: Moment, square: Square, reading: Reading, out: &mut Vec<u8>) {
        if self.readings.at(square) == reading {
            return;
        }
        self.readings.set(square, reading);
        if self.tells_lifts && self.has_begun {
            out.extend(format!("state {}\n", self.placement()).into_bytes());
        }
    }

    fn press(&mut self, _: Moment, _: &mut Vec<u8>) {}
    fn wake(&mut self, _: Moment, _: &mut Vec<u8>) {}

    fn unplugged(&mut self) {
        self.tells_lifts = false;
        self.has_begun = false;
        self.lines = cpp::LineDecoder::default();
    }

    fn is_awake(&self) -> bool {
        self.has_begun
    }
}

/// A ChessLink board.
struct Chesslink {
    readings: Readings,
    partial: Vec<u8>,
    /// The contents of its registers, lost when it is switched off.
    registers: [u8; REGISTERS],
    /// When it last reported its squares by itself.
    told: Moment,
    has_heard: bool,
}

/// Parity, time for a scan, when to report, time between reports, brightness.
const REGISTERS: usize = 5;
const REPORT: usize = 2;
const REPORT_EVERY: usize = 3;
/// As switched on: parity is kept, a scan takes 41 ms, and nothing is sent unasked.
const REGISTERS_AT_FIRST: [u8; REGISTERS] = [0, 20, 1, 0, 14];

impl Chesslink {
    const fn new(readings: Readings) -> Self {
        Self {
            readings,
            partial: Vec::new(),
            registers: REGISTERS_AT_FIRST,
            told: Moment::START,
            has_heard: false,
        }
    }

    fn say_state(&self, out: &mut Vec<u8>) {
        out.extend(chesslink::framed(&chesslink::state_text(&self.readings)));
    }

    /// The time between its unasked reports, even without a change.
    fn report_every(&self) -> Option<Duration> {
        let millis = |units: u8, each: f32| Duration::from_secs_f32(f32::from(units) * each / 1e3);
        match self.registers[REPORT] {
            0 => Some(millis(self.registers[1].max(15), 2.048)),
            2 => Some(millis(self.registers[REPORT_EVERY].max(1), 4.096)),
            _ => None,
        }
    }

    fn answer(&mut self, command: &[u8], out: &mut Vec<u8>) {
        let text: String = command.iter().map(|&byte| char::from(byte)).collect();
        let hex = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
        let text = match command[0] {
            b'V' => "v0115".to_owned(),
            b'X' => "x".to_owned(),
            b'L' => "l".to_owned(),
            b'S' => chesslink::state_text(&self.readings),
            b'T' => {
                self.registers = REGISTERS_AT_FIRST;
                return;
            }
            b'W' | b'R' => {
                let Some(register) = hex(1) else { return };
                let Some(kept) = self.registers.get_mut(usize::from(register)) else {
                    return;
                };
                if command[0] == b'W' {
                    *kept = hex(3).unwrap_or(*kept);
                }
                let letter = command[0].to_ascii_lowercase();
                format!("{}{register:02X}{kept:02X}", char::from(letter))
            }
            _ => return,
        };
        out.extend(chesslink::framed(&text));
    }
}

impl SimulatedBoard for Chesslink {
    fn received(&mut self, _: Moment, bytes: &[u8], out: &mut Vec<u8>) {
        for &byte in bytes {
            let byte = byte & 0x7f;
            if matches!(byte, b'V' | b'W' | b'R' | b'S' | b'X' | b'T' | b'L') {
                self.partial.clear();
            }
            self.partial.push(byte);
            let length = match self.partial[0] {
                b'W' => 7,
                b'R' => 5,
                b'L' => 3 + 2 * 81 + 2,
                b'V' | b'S' | b'X' | b'T' => 3,
                _ => 1,
            };
            if self.partial.len() == length {
                let command = std::mem::take(&mut self.partial);
                self.has_heard |= length > 1;
                self.answer(&command, out);
            }
        }
    }

    fn set(&mut self, now: Moment, square: Square, reading: Reading, out: &mut Vec<u8>) {
        if self.readings.at(square) == reading {
            return;
        }
        self.readings.set(square, reading);
        if (3..=7).contains(&self.registers[REPORT]) {
            self.told = now;
            self.say_state(out);
        }
    }

    fn press(&mut self, _: Moment, _: &mut Vec<u8>) {}

    fn wake(&mut self, now: Moment, out: &mut Vec<u8>) {
        let due = self.report_every().map(|every| self.told + every);
        if due.is_some_and(|due| due <= now) {
            self.told = now;
            self.say_state(out);
        }
    }

    fn unplugged(&mut self) {
        self.registers = REGISTERS_AT_FIRST;
        self.has_heard = false;
        self.partial.clear();
    }

    fn is_awake(&self) -> bool {
        self.has_heard
    }
}

/// A board that sends its occupied squares all the time.
struct Occupancy {
    readings: Readings,
    /// When the next frame is due; `None` before the first one.
    next: Option<Moment>,
}

/// Twenty frames a second.
const FRAME_EVERY: Duration = Duration::from_millis(50);

impl Occupancy {
    const fn new(readings: Readings) -> Self {
        Self {
            readings,
            next: None,
        }
    }
}

impl SimulatedBoard for Occupancy {
    fn received(&mut self, _: Moment, _: &[u8], _: &mut Vec<u8>) {}

    fn set(&mut self, now: Moment, square: Square, reading: Reading, out: &mut Vec<u8>) {
        self.wake(now, out);
        self.readings.set(square, reading);
    }

    fn press(&mut self, _: Moment, _: &mut Vec<u8>) {}

    fn wake(&mut self, now: Moment, out: &mut Vec<u8>) {
        // However late this is called, there are as many frames as if it had been called in time.
        let mut next = self.next.unwrap_or(now);
        while next <= now {
            out.extend(occupancy::frame_of(&self.readings));
            next = next + FRAME_EVERY;
        }
        self.next = Some(next);
    }

    fn unplugged(&mut self) {}

    fn is_awake(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Board, Piece};

    /// A board's answers to commands, and what it then sends by itself while a pawn moves and
    /// seconds pass.
    fn said(kind: Kind, commands: &[&[u8]]) -> (Vec<u8>, Vec<u8>) {
        let readings = Readings::of(&Board::new());
        let mut board = simulated(kind, readings, Senses::Piece, &[], 0);
        let (mut answers, mut unasked) = (Vec::new(), Vec::new());
        board.wake(Moment::START, &mut Vec::new());
        for command in commands {
            board.received(Moment::START, command, &mut answers);
        }
        let pawn = Reading::from(Piece::from_char('P'));
        board.set(Moment::START, Square::E2, Reading::Empty, &mut unasked);
        board.set(Moment::START, Square::E4, pawn, &mut unasked);
        for second in 1..=3 {
            board.wake(Moment::from_ms(second * 1_001), &mut unasked);
        }
        (answers, unasked)
    }

    fn count(bytes: &[u8], first: u8) -> usize {
        bytes.iter().filter(|byte| **byte == first).count()
    }

    #[test]
    fn a_dgt_board_says_by_itself_what_it_was_asked_for() {
        let version: &[u8] = &[0x2b, 3, 3, 9, 0];
        for (mode, squares, times, answers) in [
            (0x40, 0, 0, 0),
            (0x43, 2, 3, 1),
            (0x44, 2, 0, 0),
            (0x4b, 2, 0, 1),
        ] {
            let (answered, unasked) = said(Kind::Dgt, &[&[mode], version]);
            assert_eq!(count(&unasked, 0x8e), squares, "{mode:x}");
            assert_eq!(count(&unasked, 0x8d), times, "{mode:x}");
            assert_eq!(count(&answered, 0x8d), answers, "{mode:x}");
        }
        let (address, _) = said(Kind::Dgt, &[&[0x46]]);
        assert_eq!(
            address,
            [0x90, 0, 5, 8, 1],
            "the digits of its serial number"
        );
    }

    #[test]
    fn a_board_of_occupancy_shows_each_moment_however_late_it_is_called() {
        let mut board = Occupancy::new(Readings::of(&Board::new()));
        let (mut frames, start) = (Vec::new(), board.readings);
        board.wake(Moment::START, &mut frames);
        let pawn = Reading::from(Piece::from_char('P'));
        board.set(
            Moment::from_ms(100),
            Square::E2,
            Reading::Empty,
            &mut frames,
        );
        let lifted = board.readings;
        board.set(Moment::from_ms(270), Square::E4, pawn, &mut frames);
        board.wake(Moment::from_ms(300), &mut frames);
        let shown = [(start, 3), (lifted, 3), (board.readings, 1)];
        let expected = shown.map(|(readings, times)| occupancy::frame_of(&readings).repeat(times));
        assert_eq!(frames, expected.concat());
    }

    fn chesslink(commands: &[&str]) -> (String, usize) {
        let framed: Vec<Vec<u8>> = commands.iter().map(|it| chesslink::framed(it)).collect();
        let framed: Vec<&[u8]> = framed.iter().map(Vec::as_slice).collect();
        let (answers, unasked) = said(Kind::Chesslink, &framed);
        let text = |bytes: Vec<u8>| -> String {
            bytes.iter().map(|byte| char::from(byte & 0x7f)).collect()
        };
        (text(answers), text(unasked).matches("sr").count())
    }

    #[test]
    fn a_chesslink_board_keeps_what_is_written_to_it() {
        let (answers, _) = chesslink(&["R02", "W0203", "R02", "W0414", "R04"]);
        let framed = |text: &str| -> String {
            let bytes = chesslink::framed(text);
            bytes.iter().map(|byte| char::from(byte & 0x7f)).collect()
        };
        let said = ["r0201", "w0203", "r0203", "w0414", "r0414"].map(framed);
        assert_eq!(answers, said.concat());
        assert_eq!(chesslink(&["V"]).1, 0, "nothing unasked");
        assert_eq!(chesslink(&["W0203"]).1, 2, "each change");
        assert_eq!(chesslink(&["W0200"]).1, 3, "each scan");
        assert_eq!(
            chesslink(&["W0203", "T"]).1,
            0,
            "as when it was switched on"
        );
    }
}
