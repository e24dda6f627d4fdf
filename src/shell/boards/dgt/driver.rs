//! How annexd talks with a board on the serial protocol.

use std::collections::VecDeque;
use std::time::Duration;

use super::{Ack, ClockCommand, Command, Decoder, Message};
use crate::moment::Moment;
use crate::shell::boards::device::{
    Board, Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox, Senses,
};

/// Silence inside a message after which the rest will not come.
const PARTIAL_MAX: Duration = Duration::from_millis(500);
/// The board's input holds ten bytes: nothing is sent for so long after a command.
const PAUSE: Duration = Duration::from_millis(100);
/// A clock that has not answered for so long is asked again.
const ANSWER_MAX: Duration = Duration::from_secs(2);
/// A clock that has been asked so often does not answer.
const ASKED_MAX: u8 = 3;
/// The board is asked for all squares when nothing has come from it for so long.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// How often the start is repeated until the board says something.
const START_AGAIN: Duration = Duration::from_secs(2);

/// A board, and the clock that is connected to it.
#[derive(Clone, Debug, Default)]
pub struct DgtBoard {
    decoder: Decoder,
    out: Outbox,
    clock_commands: VecDeque<ClockCommand>,
    outstanding: Option<Outstanding>,
    may_write: Moment,
    last_byte: Moment,
    last_refresh: Moment,
    is_open: bool,
    is_recognised: bool,
}

#[derive(Clone, Debug)]
struct Outstanding {
    command: ClockCommand,
    since: Moment,
    asked: u8,
}

impl DgtBoard {
    fn start(&mut self, now: Moment) {
        for command in [
            Command::SendUpdatesNice,
            Command::SendBoard,
            Command::SendVersion,
        ] {
            self.out.write(command.to_bytes());
        }
        self.last_refresh = now;
    }

    /// After lost bytes only a full dump says what stands where.
    fn ask_again(&mut self, now: Moment) {
        let has_lost = self.decoder.take_lost();
        if self.is_open && has_lost && self.out.writes.is_empty() {
            self.out.write(Command::SendBoard.to_bytes());
            self.last_refresh = now;
        }
    }

    fn understand(&mut self, message: Message) {
        if !matches!(message, Message::Other(_)) {
            self.is_recognised = true;
        }
        let event = match message {
            Message::Dump(readings) => DeviceEvent::Snapshot(readings),
            Message::Field { square, reading } => DeviceEvent::Square(square, reading),
            Message::ResultPiece(piece) => DeviceEvent::Result(piece.result()),
            Message::Clock(reading) => DeviceEvent::Clock(reading),
            Message::NoClock => DeviceEvent::NoClock,
            Message::Ack(ack) => return self.answered(ack),
            Message::Version(main, sub) => {
                DeviceEvent::Identity(format!("DGT board, version {main}.{sub:02}"))
            }
            Message::Serial(number) => DeviceEvent::Identity(format!("serial number {number}")),
            Message::Trademark(text) => DeviceEvent::Identity(text),
            Message::Battery(percent) => DeviceEvent::Battery(percent),
            Message::BusAddress(_) | Message::Other(_) => return,
        };
        self.out.say(event);
    }

    /// An answer that nobody waits for is late or said twice, and means nothing.
    fn answered(&mut self, ack: Ack) {
        let waits = self
            .outstanding
            .as_ref()
            .is_some_and(|waiting| waiting.command.number() == ack.command);
        if waits {
            self.outstanding = None;
            self.out.say(DeviceEvent::ClockAnswer(ack.is_done()));
        }
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
}

impl Board for DgtBoard {
    fn kind(&self) -> Kind {
        Kind::Dgt
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            senses: Senses::Piece,
            has_lights: false,
            has_clock: true,
            tells_touch: true,
        }
    }

    fn opened(&mut self, now: Moment) {
        let is_recognised = self.is_recognised;
        *self = Self {
            is_open: true,
            is_recognised,
            last_byte: now,
            may_write: now,
            ..Self::default()
        };
        self.start(now);
    }

    fn received(&mut self, now: Moment, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.last_byte = now;
        }
        for &byte in bytes {
            if let Some(message) = self.decoder.push(byte) {
                self.understand(message);
            }
        }
        self.ask_again(now);
    }

    fn wake(&mut self, now: Moment) {
        if !self.is_open {
            return;
        }
        let silence = now.since(self.last_byte);
        if self.decoder.is_partial() && silence >= PARTIAL_MAX {
            self.decoder.forget_partial();
            self.ask_again(now);
        }
        let patience = if self.is_recognised {
            KEEP_ALIVE
        } else {
            START_AGAIN
        };
        if now.since(self.last_refresh) >= patience && silence >= START_AGAIN {
            self.start(now);
        }
        let is_overdue = |waiting: &Outstanding| now.since(waiting.since) >= ANSWER_MAX;
        if self.outstanding.as_ref().is_some_and(is_overdue)
            && let Some(waiting) = self.outstanding.take()
        {
            if waiting.asked < ASKED_MAX {
                let bytes = self.ask_clock(waiting.command, waiting.asked + 1, now);
                self.out.write(bytes);
            } else {
                self.out.say(DeviceEvent::ClockAnswer(false));
                self.out.say(DeviceEvent::Trouble(
                    "The clock does not answer. Put it into the mode in which a computer sets it \
                     (23 on the XL, 25 on the 3000), check its cable, and move its lever once."
                        .to_owned(),
                ));
            }
        }
    }

    fn deadline(&self) -> Option<Moment> {
        if !self.is_open {
            return None;
        }
        let patience = if self.is_recognised {
            KEEP_ALIVE
        } else {
            START_AGAIN
        };
        let refresh = (self.last_refresh + patience).max(self.last_byte + START_AGAIN);
        let partial = self
            .decoder
            .is_partial()
            .then(|| self.last_byte + PARTIAL_MAX);
        let answer = self
            .outstanding
            .as_ref()
            .map(|waiting| waiting.since + ANSWER_MAX);
        let write = (!self.out.writes.is_empty()
            || (self.outstanding.is_none() && !self.clock_commands.is_empty()))
        .then_some(self.may_write);
        [Some(refresh), partial, answer, write]
            .into_iter()
            .flatten()
            .min()
    }

    fn command(&mut self, now: Moment, command: DeviceCommand) {
        let command = match command {
            DeviceCommand::Refresh => {
                self.out.write(Command::SendBoard.to_bytes());
                self.last_refresh = now;
                return;
            }
            DeviceCommand::SetClock {
                left,
                right,
                running,
            } => {
                self.clock_commands.push_back(ClockCommand::SetAndRun {
                    left,
                    right,
                    running,
                    with_lever: true,
                });
                // Some clocks keep showing text until they are told to show the time.
                ClockCommand::End
            }
            DeviceCommand::ShowText(text) => ClockCommand::Text { text, beep: 0 },
            DeviceCommand::EndText => ClockCommand::End,
            DeviceCommand::Beep => ClockCommand::Beep(4),
            DeviceCommand::Expect(_) => return,
        };
        self.clock_commands.push_back(command);
    }

    fn next_write(&mut self, now: Moment) -> Option<Vec<u8>> {
        if now < self.may_write {
            return None;
        }
        let bytes = match self.out.writes.pop_front() {
            Some(bytes) => bytes,
            None if self.outstanding.is_none() => {
                let command = self.clock_commands.pop_front()?;
                self.ask_clock(command, 1, now)
            }
            None => return None,
        };
        self.may_write = now + PAUSE;
        Some(bytes)
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
        board.received(at(900), &ack(0x03, 0x40));
        assert_eq!(board.next_event(), Some(DeviceEvent::ClockAnswer(false)));
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
    fn no_command_of_ours_is_dangerous() {
        let mut board = DgtBoard::default();
        board.opened(at(0));
        for command in [
            DeviceCommand::Refresh,
            DeviceCommand::Beep,
            DeviceCommand::EndText,
            DeviceCommand::ShowText("ICNN\u{4e}\u{60}".to_owned()),
            DeviceCommand::Expect(String::new()),
        ] {
            board.command(at(0), command);
        }
        for bytes in writes(&mut board, 30_000) {
            let dangerous = [0x49, 0x4a, 0x4e, 0x51, 0x53, 0x54, 0x60, 0x63];
            assert!(!dangerous.contains(&bytes[0]), "{bytes:?}");
        }
    }
}
