//! The driver of a board on the serial protocol.

use std::collections::VecDeque;
use std::time::Duration;

use super::{Ack, ClockCommand, Command, Decoder, Message};
use crate::clocks::{ClockReading, ClockSide};
use crate::device::{Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses};
use crate::talk::{Protocol, ProtocolDriver, Taken};
use annexd_game::board::Readings;
use annexd_laws::moment::Moment;
use annexd_phrases::sentence;

/// A clock that has not answered for this long is asked again.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// How often a clock is asked before it counts as not answering.
const ASKED_MAX: u8 = 3;
/// How long a clock may still report its old times after it was set.
const SHOWN_MAX: Duration = Duration::from_secs(3);
/// How far a reading may be from the times that were set.
const SHOWN_DIFFERENCE_MAX: Duration = Duration::from_secs(2);

/// A doubted reading is asked for again if nothing has come for this long.
const DOUBTED_MAX: Duration = Duration::from_millis(300);
/// After this many questions without an answer a doubted reading is believed.
const DOUBTED_TIMES: u8 = 2;

/// The driver of a DGT board and the clock connected to it.
pub(crate) type DgtBoard = ProtocolDriver<Dgt>;

/// The protocol's part of the driver: what the board and its clock were asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dgt {
    decoder: Decoder,
    /// What stands on the board, as it has reported.
    squares: Option<Readings>,
    clock_commands: VecDeque<ClockCommand>,
    outstanding: Option<Outstanding>,
    /// Times that were set but are not shown yet, and until when they are awaited.
    awaited: Option<(Moment, [Duration; 2])>,
    /// Whether the line is open, so that a doubted reading can be asked for again. A recording
    /// cannot answer.
    can_ask: bool,
    /// The last believed reading of the clock.
    shown: Option<(Moment, ClockReading)>,
    doubted: Option<Doubted>,
    /// Changes of squares after a doubted press. They are reported after the press, in the order in
    /// which they came. Otherwise a captured piece would count as standing where it is dragged when
    /// the press takes effect.
    held: Vec<DeviceEvent>,
}

/// A reading that does not follow from the last one: somebody has pressed or set the clock, a flag
/// has fallen, or a bit was corrupted on the line.
#[derive(Clone, Copy, Debug)]
struct Doubted {
    reading: ClockReading,
    /// When it was last asked for again, and how often.
    since: Moment,
    asked: u8,
}

#[derive(Clone, Debug)]
struct Outstanding {
    command: ClockCommand,
    since: Moment,
    asked: u8,
}

impl Dgt {
    fn understand(&mut self, now: Moment, message: Message, out: &mut Outbox) {
        let event = match message {
            Message::Dump(readings) => {
                if self
                    .squares
                    .replace(*readings)
                    .is_some_and(|it| it != *readings)
                {
                    // It was switched off and on, or has not heard that it is to send changes.
                    out.write(Command::SendUpdatesNice.to_bytes());
                }
                return self.tell_squares(DeviceEvent::Snapshot(readings), out);
            }
            Message::Field { square, reading } => {
                if let Some(squares) = &mut self.squares {
                    squares.set(square, reading);
                }
                return self.tell_squares(DeviceEvent::Square(square, reading), out);
            }
            Message::ResultPiece(piece) => DeviceEvent::Result(piece.result()),
            Message::Clock(reading) if self.is_outdated(now, &reading) => return,
            Message::Clock(reading) => return self.read_clock(now, reading, out),
            Message::NoClock => DeviceEvent::NoClock,
            Message::Ack(ack) => return self.answered(now, ack, out),
            Message::Version(main, sub) => {
                let version = format!("{main}.{sub:02}");
                DeviceEvent::Identity(sentence!(DgtBoardVersion, version = version))
            }
            Message::Serial(number) => {
                DeviceEvent::Identity(sentence!(SerialNumber, number = number))
            }
            Message::Trademark(text) => DeviceEvent::Identity(sentence!(AsItIs, text = text)),
            Message::Battery(percent) => DeviceEvent::Battery(percent),
            Message::BusAddress(_) | Message::Other(_) => return,
        };
        out.say(event);
    }

    /// Takes a reading. One that changes more than the running time is read again before it counts.
    fn read_clock(&mut self, now: Moment, reading: ClockReading, out: &mut Outbox) {
        let goes_on = self
            .shown
            .is_some_and(|(then, shown)| reading.goes_on_from(&shown, now.since(then)));
        let is_confirmed = self.doubted.is_some_and(|doubted| {
            reading.goes_on_from(&doubted.reading, now.since(doubted.since))
        });
        if goes_on || is_confirmed || !self.can_ask {
            return self.believe(now, reading, out);
        }
        self.release(out);
        self.doubted = Some(Doubted {
            reading,
            since: now,
            asked: 1,
        });
        out.write(Command::SendClock.to_bytes());
    }

    fn believe(&mut self, now: Moment, reading: ClockReading, out: &mut Outbox) {
        self.doubted = None;
        self.shown = Some((now, reading));
        out.say(DeviceEvent::Clock(reading));
        self.release(out);
    }

    fn tell_squares(&mut self, said: DeviceEvent, out: &mut Outbox) {
        let is_pressed = self.doubted.is_some_and(|doubted| {
            self.shown
                .is_some_and(|(_, shown)| shown.to_move != doubted.reading.to_move)
        });
        if is_pressed {
            self.held.push(said);
        } else {
            out.say(said);
        }
    }

    fn release(&mut self, out: &mut Outbox) {
        for said in self.held.drain(..) {
            out.say(said);
        }
    }

    /// Asks again for a doubted reading if nothing has come that confirms or replaces it.
    fn ask_about_doubted(&mut self, now: Moment, out: &mut Outbox) {
        let Some(doubted) = &mut self.doubted else {
            return;
        };
        if now.since(doubted.since) < DOUBTED_MAX {
            return;
        }
        if doubted.asked >= DOUBTED_TIMES {
            let reading = doubted.reading;
            return self.believe(now, reading, out);
        }
        doubted.since = now;
        doubted.asked += 1;
        out.write(Command::SendClock.to_bytes());
    }

    /// Whether a reading is older than the times that were set.
    fn is_outdated(&mut self, now: Moment, reading: &ClockReading) -> bool {
        let Some((until, times)) = self.awaited else {
            return false;
        };
        let shown = [ClockSide::Left, ClockSide::Right].map(|side| reading.side(side).time);
        let is_near =
            |(shown, set): (Duration, Duration)| shown.abs_diff(set) <= SHOWN_DIFFERENCE_MAX;
        if now >= until || shown.into_iter().zip(times).all(is_near) {
            self.awaited = None;
        }
        self.awaited.is_some()
    }

    /// Takes an answer. One that nobody waits for is late or repeated, and means nothing. A refused
    /// command is repeated: some clocks refuse what they accept the next time.
    fn answered(&mut self, now: Moment, ack: Ack, out: &mut Outbox) {
        let waits = |waiting: &mut Outstanding| waiting.command.number() == ack.command;
        let Some(waiting) = self.outstanding.take_if(waits) else {
            return;
        };
        if !ack.is_done() && waiting.asked < ASKED_MAX {
            out.write(self.ask_clock(waiting.command, waiting.asked + 1, now));
            return;
        }
        match &waiting.command {
            ClockCommand::SetAndRun { left, right, .. } if ack.is_done() => {
                self.awaited = Some((now + SHOWN_MAX, [*left, *right]));
            }
            ClockCommand::Version if ack.is_done() => {
                let (main, sub) = (ack.data[0] >> 4, ack.data[0] & 0x0f);
                let version = format!("{main}.{sub}");
                let clock = sentence!(DgtClockVersion, version = version);
                return out.say(DeviceEvent::Identity(clock));
            }
            ClockCommand::Version => return,
            ClockCommand::SetAndRun { .. } => {
                out.say(DeviceEvent::Trouble(sentence!(ClockRefusesSetting)));
            }
            _ => {}
        }
        out.say(DeviceEvent::ClockAnswer(ack.is_done()));
    }

    fn ask_clock(&mut self, command: ClockCommand, asked: u8, now: Moment) -> Vec<u8> {
        let bytes = Command::Clock(command.clone()).to_bytes();
        self.outstanding = Some(Outstanding {
            command,
            since: now,
            asked,
        });
        bytes
    }

    /// Sets the clock. Newer times replace those still waiting.
    fn set_clock(&mut self, command: ClockCommand) {
        let is_superseded = |waiting: &ClockCommand| {
            matches!(waiting, ClockCommand::SetAndRun { .. } | ClockCommand::End)
        };
        self.clock_commands
            .retain(|waiting| !is_superseded(waiting));
        self.clock_commands.push_back(command);
        // Some clocks keep showing a text until they are told to show the time.
        self.clock_commands.push_back(ClockCommand::End);
    }
}

impl Protocol for Dgt {
    const KIND: Kind = Kind::Dgt;
    const PARTIAL_MAX: Duration = Duration::from_millis(500);
    /// The pause after a write: the board's input buffer holds ten bytes.
    const PAUSE: Duration = Duration::from_millis(100);

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: Senses::Piece,
            has_lights: false,
            has_clock: true,
            tells_touch: true,
            is_never_quiet: false,
        }
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn start(&mut self, out: &mut Outbox) {
        self.can_ask = true;
        out.write(Command::SendUpdatesNice.to_bytes());
        out.write(Command::SendBoard.to_bytes());
        out.write(Command::SendVersion.to_bytes());
    }

    fn ask(&mut self, out: &mut Outbox) {
        out.write(Command::SendBoard.to_bytes());
    }

    fn take(&mut self, now: Moment, byte: u8, out: &mut Outbox) -> Taken {
        let message = self.decoder.push(byte);
        let has_lost = self.decoder.take_lost();
        if has_lost {
            // All squares are asked for, and an old report must not pass for the answer.
            self.release(out);
        }
        let Some(message) = message else {
            return if has_lost { Taken::Lost } else { Taken::Part };
        };
        let is_known = !matches!(message, Message::Other(_));
        self.understand(now, message, out);
        match (has_lost, is_known) {
            (true, _) => Taken::Lost,
            (false, true) => Taken::Message,
            (false, false) => Taken::Part,
        }
    }

    fn is_partial(&self) -> bool {
        self.decoder.is_partial()
    }

    fn forget_partial(&mut self) {
        self.decoder.forget_partial();
    }

    fn command(&mut self, command: DeviceCommand, out: &mut Outbox) {
        match command {
            DeviceCommand::SetClock {
                left,
                right,
                running,
            } => self.set_clock(ClockCommand::SetAndRun {
                left,
                right,
                running,
                with_lever: true,
            }),
            DeviceCommand::ShowText(text) => {
                let text = ClockCommand::Text { text, beep: 0 };
                self.clock_commands.push_back(text);
            }
            DeviceCommand::EndText => self.clock_commands.push_back(ClockCommand::End),
            DeviceCommand::Beep => self.clock_commands.push_back(ClockCommand::Beep(4)),
            DeviceCommand::Identify => {
                out.write(Command::SendSerial.to_bytes());
                out.write(Command::SendLongSerial.to_bytes());
                out.write(Command::SendTrademark.to_bytes());
                out.write(Command::SendBattery.to_bytes());
                self.clock_commands.push_back(ClockCommand::Version);
            }
            DeviceCommand::Refresh
            | DeviceCommand::Expect(_)
            | DeviceCommand::Announced(_)
            | DeviceCommand::ShowTimes(..)
            | DeviceCommand::Light { .. } => {}
        }
    }

    fn wake(&mut self, now: Moment, out: &mut Outbox) {
        self.ask_about_doubted(now, out);
        let is_overdue = |waiting: &mut Outstanding| now.since(waiting.since) >= ANSWER_MAX;
        let Some(waiting) = self.outstanding.take_if(is_overdue) else {
            return;
        };
        if waiting.asked < ASKED_MAX {
            out.write(self.ask_clock(waiting.command, waiting.asked + 1, now));
        } else if waiting.command != ClockCommand::Version {
            out.say(DeviceEvent::ClockAnswer(false));
            out.say(DeviceEvent::Trouble(sentence!(ClockAnswersNothing)));
        }
    }

    fn deadline(&self) -> Option<Moment> {
        let outstanding = self.outstanding.as_ref();
        let answer = outstanding.map(|waiting| waiting.since + ANSWER_MAX);
        let doubted = self.doubted.map(|doubted| doubted.since + DOUBTED_MAX);
        answer.into_iter().chain(doubted).min()
    }

    fn next_write(&mut self, now: Moment) -> Option<Vec<u8>> {
        if self.outstanding.is_some() {
            return None;
        }
        let command = self.clock_commands.pop_front()?;
        Some(self.ask_clock(command, 1, now))
    }

    fn wants_to_write(&self) -> bool {
        self.outstanding.is_none() && !self.clock_commands.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::clocks::SideReading;

    fn at(ms: u64) -> Moment {
        Moment::from_ms(ms)
    }

    fn writes(board: &mut DgtBoard, until_ms: u64) -> Vec<Vec<u8>> {
        let mut written = Vec::new();
        for ms in (0..until_ms).step_by(10) {
            board.wake(at(ms));
            while let Some(bytes) = board.next_write(at(ms)) {
                written.push(bytes);
            }
        }
        written
    }

    fn ack(command: u8, status: u8) -> Vec<u8> {
        Message::Ack(Ack {
            status,
            command,
            data: [0, 0],
        })
        .to_bytes()
    }

    #[test]
    fn it_starts_with_updates_dump_and_version_and_never_in_one_burst() {
        let mut board = DgtBoard::default();
        board.opened(at(0));
        assert_eq!(board.next_write(at(0)), Some(vec![0x4b]));
        assert_eq!(board.next_write(at(0)), None, "the input holds ten bytes");
        assert_eq!(board.next_write(at(100)), Some(vec![0x42]));
        assert_eq!(board.next_write(at(200)), Some(vec![0x4d]));
    }

    #[test]
    fn one_clock_command_is_outstanding_and_stale_answers_are_dropped() {
        let mut board = DgtBoard::default();
        board.command(at(0), DeviceCommand::Beep);
        board.command(at(0), DeviceCommand::EndText);
        assert_eq!(board.next_write(at(0)).map(|bytes| bytes[3]), Some(0x0b));
        assert_eq!(board.next_write(at(500)), None, "waits for the answer");
        board.received(at(600), &ack(0x03, 0x10));
        assert_eq!(board.next_event(), None, "an answer to something else");
        board.received(at(700), &ack(0x0b, 0x10));
        board.received(at(710), &ack(0x0b, 0x10));
        assert_eq!(board.next_event(), Some(DeviceEvent::ClockAnswer(true)));
        assert_eq!(board.next_event(), None, "the second answer says nothing");
        assert_eq!(board.next_write(at(800)).map(|bytes| bytes[3]), Some(0x03));
        board.received(at(900), &ack(0x03, 0x10));
        assert_eq!(board.next_event(), Some(DeviceEvent::ClockAnswer(true)));
    }

    #[test]
    fn a_refusal_is_believed_the_third_time() {
        let mut board = DgtBoard::default();
        board.command(at(0), DeviceCommand::EndText);
        for ms in [0, 500, 1000] {
            assert_eq!(board.next_event(), None);
            assert_eq!(board.next_write(at(ms)).map(|bytes| bytes[3]), Some(0x03));
            board.received(at(ms + 200), &ack(0x03, 0x20));
        }
        assert_eq!(board.next_event(), Some(DeviceEvent::ClockAnswer(false)));
        assert_eq!(board.next_write(at(2000)), None);
    }

    #[test]
    fn what_the_clock_showed_before_it_was_set_is_not_read() {
        let shows = |seconds| {
            let side = SideReading {
                time: Duration::from_secs(seconds),
                ..SideReading::default()
            };
            Message::Clock(ClockReading {
                left: side,
                right: side,
                is_running: true,
                to_move: ClockSide::Left,
                is_battery_low: false,
            })
            .to_bytes()
        };
        let mut board = DgtBoard::default();
        let set = Duration::from_secs(300);
        board.command(
            at(0),
            DeviceCommand::SetClock {
                left: set,
                right: set,
                running: Some(ClockSide::Left),
            },
        );
        assert!(board.next_write(at(0)).is_some());
        board.received(at(500), &ack(0x0a, 0x10));
        assert_eq!(board.next_event(), Some(DeviceEvent::ClockAnswer(true)));
        board.received(at(600), &shows(0));
        board.received(at(900), &shows(182));
        assert_eq!(board.next_event(), None);
        board.received(at(1500), &shows(299));
        assert!(matches!(board.next_event(), Some(DeviceEvent::Clock(_))));
        board.received(at(2500), &shows(182));
        assert!(
            matches!(board.next_event(), Some(DeviceEvent::Clock(_))),
            "what comes later has been set by hand"
        );
    }

    fn shows(left: u64, right: u64, to_move: ClockSide) -> ClockReading {
        let side = |seconds| SideReading {
            time: Duration::from_secs(seconds),
            ..SideReading::default()
        };
        ClockReading {
            left: side(left),
            right: side(right),
            is_running: true,
            to_move,
            is_battery_low: false,
        }
    }

    /// The readings reported when these come, each at its time in milliseconds. A question is
    /// answered with what the clock really shows.
    fn told(said: &[(u64, ClockReading)], real: impl Fn(u64) -> ClockReading) -> Vec<ClockReading> {
        let mut board = DgtBoard::default();
        board.opened(at(0));
        let mut told = Vec::new();
        for ms in (0..10_000).step_by(10) {
            board.wake(at(ms));
            while let Some(bytes) = board.next_write(at(ms)) {
                if bytes == [0x41] {
                    board.received(at(ms), &Message::Clock(real(ms)).to_bytes());
                }
            }
            for (_, reading) in said.iter().filter(|(when, _)| *when == ms) {
                board.received(at(ms), &Message::Clock(*reading).to_bytes());
            }
            while let Some(event) = board.next_event() {
                if let DeviceEvent::Clock(reading) = event {
                    told.push(reading);
                }
            }
        }
        told
    }

    /// A press, a flag and an unexplained time are read again before they count.
    #[test]
    fn one_corrupt_reading_is_not_believed() {
        let real = |ms: u64| shows(300 - ms / 1000, 300, ClockSide::Left);
        let mut flag = real(4_000);
        flag.right.is_fallen = true;
        for corrupt in [
            shows(297, 300, ClockSide::Right),
            flag,
            shows(297, 100, ClockSide::Left),
        ] {
            let said = [(2_000, real(2_000)), (3_000, corrupt), (4_000, real(4_000))];
            let told = told(&said, real);
            assert!(told.len() >= 3 && told.iter().all(|it| it.to_move == ClockSide::Left));
            assert!(
                told.iter()
                    .all(|it| !it.right.is_fallen && it.right.time.as_secs() == 300)
            );
        }
    }

    #[test]
    fn a_press_that_is_read_twice_is_told_at_once() {
        let pressed = shows(300, 300, ClockSide::Right);
        let real = |ms: u64| {
            if ms < 3_000 {
                shows(300, 300, ClockSide::Left)
            } else {
                pressed
            }
        };
        let told = told(&[(2_000, real(0)), (3_000, pressed)], real);
        assert_eq!(told.last(), Some(&pressed));
    }

    #[test]
    fn a_press_is_told_also_if_the_clock_is_never_read_again() {
        let mut board = DgtBoard::default();
        board.opened(at(0));
        board.received(
            at(10),
            &Message::Clock(shows(300, 300, ClockSide::Left)).to_bytes(),
        );
        writes(&mut board, 2_000);
        board.received(
            at(2_000),
            &Message::Clock(shows(300, 300, ClockSide::Right)).to_bytes(),
        );
        for ms in (2_000..4_000).step_by(10) {
            board.wake(at(ms));
            while board.next_write(at(ms)).is_some() {}
        }
        let events = std::iter::from_fn(|| board.next_event());
        let clocks = events.filter(|event| matches!(event, DeviceEvent::Clock(_)));
        assert_eq!(clocks.count(), 2);
    }

    #[test]
    fn what_changes_while_a_press_is_doubted_is_told_after_it() {
        let pressed = Message::Clock(shows(300, 300, ClockSide::Right)).to_bytes();
        let lifted = Message::Field {
            square: shakmaty::Square::E4,
            reading: annexd_game::board::Reading::Empty,
        };
        let mut board = DgtBoard::default();
        board.opened(at(0));
        let before = Message::Clock(shows(300, 300, ClockSide::Left)).to_bytes();
        board.received(at(10), &before);
        board.received(at(20), &before);
        assert!(matches!(board.next_event(), Some(DeviceEvent::Clock(_))));
        board.received(at(100), &pressed);
        board.received(at(110), &lifted.to_bytes());
        assert_eq!(board.next_event(), None, "the press is read again");
        board.received(at(120), &pressed);
        assert!(matches!(board.next_event(), Some(DeviceEvent::Clock(_))));
        assert!(matches!(
            board.next_event(),
            Some(DeviceEvent::Square(shakmaty::Square::E4, _))
        ));
        // A false press holds nothing back.
        board.received(at(200), &before);
        board.received(at(210), &lifted.to_bytes());
        board.received(at(220), &pressed);
        assert!(matches!(board.next_event(), Some(DeviceEvent::Clock(_))));
        assert!(matches!(board.next_event(), Some(DeviceEvent::Square(..))));
        assert_eq!(board.next_event(), None);
    }

    #[test]
    fn a_clock_that_does_not_answer_is_asked_three_times() {
        let mut board = DgtBoard::default();
        board.opened(at(0));
        board.command(at(0), DeviceCommand::EndText);
        let asked = writes(&mut board, 9_000)
            .into_iter()
            .filter(|bytes| bytes[0] == 0x2b)
            .count();
        assert_eq!(asked, 3);
        let events: Vec<_> = std::iter::from_fn(|| board.next_event()).collect();
        assert!(
            matches!(events.last(), Some(DeviceEvent::Trouble(_))),
            "{events:?}"
        );
    }

    #[test]
    fn a_board_that_does_not_send_changes_is_told_again_to() {
        let is_told = |writes: &[Vec<u8>]| writes.contains(&vec![0x4b]);
        let mut board = DgtBoard::default();
        board.opened(at(0));
        assert!(is_told(&writes(&mut board, 1_000)));
        let start = shakmaty::Board::new();
        let dump =
            |board: &shakmaty::Board| Message::Dump(Box::new(Readings::of(board))).to_bytes();
        board.received(at(1_000), &dump(&start));
        let mut moved = start;
        let pawn = moved.remove_piece_at(shakmaty::Square::E2).unwrap();
        let field = Message::Field {
            square: shakmaty::Square::E2,
            reading: annexd_game::board::Reading::Empty,
        };
        board.received(at(2_000), &field.to_bytes());
        board.received(at(3_000), &dump(&moved));
        assert!(!is_told(&writes(&mut board, 5_000)), "it sends changes");
        moved.set_piece_at(shakmaty::Square::E4, pawn);
        board.received(at(6_000), &dump(&moved));
        assert!(
            is_told(&writes(&mut board, 8_000)),
            "it has told of no change"
        );
    }

    #[test]
    fn no_command_of_ours_is_dangerous() {
        let mut board = DgtBoard::default();
        board.opened(at(0));
        for command in [
            DeviceCommand::Refresh,
            DeviceCommand::Beep,
            DeviceCommand::EndText,
            DeviceCommand::ShowText("ICNN\u{4e}\u{60}".to_owned()),
            DeviceCommand::Expect(String::new()),
            DeviceCommand::Identify,
            DeviceCommand::ShowTimes(Duration::from_secs(0x49), Duration::from_secs(0x4e)),
            DeviceCommand::Light {
                played: None,
                squares: shakmaty::Bitboard::FULL,
            },
        ] {
            board.command(at(0), command);
        }
        for bytes in writes(&mut board, 30_000) {
            let dangerous = [0x49, 0x4a, 0x4e, 0x51, 0x53, 0x54, 0x60, 0x63];
            assert!(!dangerous.contains(&bytes[0]), "{bytes:?}");
        }
    }
}
