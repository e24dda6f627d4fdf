//! The part of a driver common to all protocols. It asks until the board answers, asks again when
//! bytes were lost, and notices when nothing comes any more.

use std::time::Duration;

use super::device::{Board, Capabilities, DeviceCommand, DeviceEvent, Kind, Outbox};
use annexd_laws::moment::Moment;

/// How often the start is repeated until the board answers.
const START_AGAIN: Duration = Duration::from_secs(2);
/// A board that has not reported its squares for this long is asked for them: a change may have
/// been lost.
const ASK_AGAIN: Duration = Duration::from_secs(10);
/// The shortest time between two questions to a board on a bad line.
const LOST_AGAIN: Duration = Duration::from_millis(200);
/// A board that is silent for this long, though it was asked or should send by itself, is missing.
const SILENCE_MAX: Duration = Duration::from_secs(15);

/// What a byte has completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is part of a message.
    Part,
    /// It has completed a message that only this kind of board sends.
    Message,
    /// Bytes have been lost.
    Lost,
}

/// What differs between protocols.
pub(super) trait Protocol: Clone + Default + Send {
    /// Its name.
    const KIND: Kind;
    /// The silence inside a message after which the rest will not come.
    const PARTIAL_MAX: Duration;
    /// How long to leave the line quiet after a write.
    const PAUSE: Duration = Duration::ZERO;

    /// What the board can do, as far as known.
    fn capabilities(&self) -> Capabilities;
    /// The line is open again: forgets what the board was told, but not what it is.
    fn reset(&mut self);
    /// Makes the board send.
    fn start(&mut self, out: &mut Outbox);
    /// Asks for all squares.
    fn ask(&mut self, out: &mut Outbox);
    /// Takes a byte.
    fn take(&mut self, now: Moment, byte: u8, out: &mut Outbox) -> Taken;
    /// Whether it is in the middle of a message.
    fn is_partial(&self) -> bool;
    /// Forgets the beginning of a message whose rest will not come.
    fn forget_partial(&mut self);
    /// Asks for something other than all squares.
    fn command(&mut self, command: DeviceCommand, out: &mut Outbox);

    /// Lets time pass, for a protocol's own deadlines.
    fn wake(&mut self, _now: Moment, _out: &mut Outbox) {}
    /// The protocol's own deadline.
    fn deadline(&self) -> Option<Moment> {
        None
    }
    /// What may be written when nothing else waits.
    fn next_write(&mut self, _now: Moment) -> Option<Vec<u8>> {
        None
    }
    /// Whether [`Self::next_write`] has anything.
    fn wants_to_write(&self) -> bool {
        false
    }
}

/// The driver of a protocol.
#[derive(Clone, Debug, Default)]
pub(super) struct ProtocolDriver<P> {
    protocol: P,
    out: Outbox,
    /// When the last byte came.
    heard: Moment,
    /// When the board was last asked for its squares.
    asked: Moment,
    /// When it last reported them.
    told: Moment,
    may_write: Moment,
    is_open: bool,
    is_recognised: bool,
    is_silent: bool,
    /// Whether bytes were lost since it was last asked.
    has_lost: bool,
}

impl<P: Protocol> ProtocolDriver<P> {
    fn start(&mut self, now: Moment) {
        self.asked = now;
        self.has_lost = false;
        self.protocol.start(&mut self.out);
    }

    fn ask(&mut self, now: Moment) {
        self.asked = now;
        self.has_lost = false;
        self.protocol.ask(&mut self.out);
    }

    /// When the board has to be asked again if nothing happens.
    fn ask_due(&self) -> Moment {
        if !self.is_recognised {
            self.asked + START_AGAIN
        } else if self.has_lost {
            self.asked + LOST_AGAIN
        } else {
            self.asked.max(self.told) + ASK_AGAIN
        }
    }

    fn note_lost(&mut self) {
        self.has_lost = true;
        if self.is_open && self.is_recognised {
            self.out.say(DeviceEvent::Lost);
        }
    }

    /// Asks for all squares after lost bytes: nothing else shows what stands where.
    fn ask_for_lost(&mut self, now: Moment) {
        let may_ask = self.is_open && self.is_recognised && self.out.writes.is_empty();
        if self.has_lost && may_ask && now >= self.asked + LOST_AGAIN {
            self.ask(now);
        }
    }

    fn silence_due(&self) -> Option<Moment> {
        (self.is_recognised && !self.is_silent).then(|| self.heard + SILENCE_MAX)
    }

    fn note_squares(&mut self, now: Moment, events_before: usize) {
        let is_of_squares = |event: &DeviceEvent| {
            matches!(event, DeviceEvent::Square(..) | DeviceEvent::Snapshot(_))
        };
        if self
            .out
            .events
            .iter()
            .skip(events_before)
            .any(is_of_squares)
        {
            self.told = now;
        }
    }
}

impl<P: Protocol> Board for ProtocolDriver<P> {
    fn kind(&self) -> Kind {
        P::KIND
    }

    fn capabilities(&self) -> Capabilities {
        self.protocol.capabilities()
    }

    fn opened(&mut self, now: Moment) {
        let mut protocol = std::mem::take(&mut self.protocol);
        protocol.reset();
        *self = Self {
            protocol,
            is_recognised: self.is_recognised,
            is_open: true,
            heard: now,
            told: now,
            may_write: now,
            ..Self::default()
        };
        self.start(now);
    }

    fn received(&mut self, now: Moment, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.heard = now;
        if std::mem::take(&mut self.is_silent) {
            self.out.say(DeviceEvent::Back);
        }
        let events_before = self.out.events.len();
        for &byte in bytes {
            match self.protocol.take(now, byte, &mut self.out) {
                Taken::Part => {}
                Taken::Message => self.is_recognised = true,
                Taken::Lost => self.note_lost(),
            }
        }
        self.note_squares(now, events_before);
        self.ask_for_lost(now);
    }

    fn wake(&mut self, now: Moment) {
        if !self.is_open {
            return;
        }
        if self.protocol.is_partial() && now.since(self.heard) >= P::PARTIAL_MAX {
            self.protocol.forget_partial();
            self.note_lost();
        }
        self.ask_for_lost(now);
        if self.ask_due() <= now {
            // A board that did not answer the last time may have been switched off and on.
            if self.is_recognised && self.heard >= self.asked {
                self.ask(now);
            } else {
                self.start(now);
            }
        }
        if self.silence_due().is_some_and(|due| due <= now) {
            self.is_silent = true;
            self.out.say(DeviceEvent::Silent);
        }
        self.protocol.wake(now, &mut self.out);
    }

    fn deadline(&self) -> Option<Moment> {
        if !self.is_open {
            return None;
        }
        let partial = self.protocol.is_partial();
        let wants_to_write = !self.out.writes.is_empty() || self.protocol.wants_to_write();
        [
            Some(self.ask_due()),
            partial.then(|| self.heard + P::PARTIAL_MAX),
            self.silence_due(),
            self.protocol.deadline(),
            wants_to_write.then_some(self.may_write),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn command(&mut self, now: Moment, command: DeviceCommand) {
        match command {
            DeviceCommand::Refresh => self.ask(now),
            other => self.protocol.command(other, &mut self.out),
        }
    }

    fn next_write(&mut self, now: Moment) -> Option<Vec<u8>> {
        if now < self.may_write {
            return None;
        }
        let next = self.out.writes.pop_front();
        let bytes = next.or_else(|| self.protocol.next_write(now))?;
        self.may_write = now + P::PAUSE;
        Some(bytes)
    }

    fn next_event(&mut self) -> Option<DeviceEvent> {
        self.out.events.pop_front()
    }

    fn is_mid_message(&self) -> bool {
        self.protocol.is_partial()
    }

    fn is_recognised(&self) -> bool {
        self.is_recognised
    }
}
