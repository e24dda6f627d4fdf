//! What boards of each kind send of what people do, written down.

use std::time::Duration;

use annexd::board::{Orientation, Reading, Readings};
use annexd::shell::boards::clocks::{ClockReading, ClockSide, SideReading};
use annexd::shell::boards::dgt::{Ack, Message};
use annexd::shell::boards::simulate::Rng;
use annexd::shell::boards::{Kind, chesslink, cpp, occupancy};
use shakmaty::Board;

use super::people::Act;

/// How a recording was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recorder {
    pub(crate) kind: Kind,
    pub(crate) orientation: Orientation,
    /// A clock hangs on the board, and where White sits.
    pub(crate) clock: Option<ClockSide>,
    /// The clock is one that answers and speaks unasked now and then.
    pub(crate) clock_answers: bool,
    /// All squares are said at the beginning.
    pub(crate) dump: bool,
    /// All squares are said every so many milliseconds.
    pub(crate) dump_every: Option<u64>,
    /// Changes said twice, per mille.
    pub(crate) twice: u64,
    /// Frames come on a change only.
    pub(crate) on_change: bool,
}

impl Recorder {
    pub(crate) const fn new(kind: Kind) -> Self {
        Self {
            kind,
            orientation: Orientation::Normal,
            clock: None,
            clock_answers: false,
            dump: true,
            dump_every: None,
            twice: 0,
            on_change: false,
        }
    }

    /// The recording, one read after the other.
    pub(crate) fn record(&self, start: &Board, acts: &[(u64, Act)], seed: u64) -> Vec<Vec<u8>> {
        let mut tape = Tape {
            recorder: *self,
            stands: self.orientation.readings(&Readings::of(start)),
            reads: Vec::new(),
            rng: Rng::new(seed ^ 0x7a9e),
            clock: [180_000, 180_000],
            to_move: self.clock.unwrap_or(ClockSide::Left),
            runs: false,
            shown: None,
            now: 0,
        };
        tape.begin();
        for &(at, act) in acts {
            tape.until(at);
            tape.happens(act);
        }
        let end = tape.now + 400;
        tape.until(end);
        tape.reads
    }
}

struct Tape {
    recorder: Recorder,
    stands: Readings,
    reads: Vec<Vec<u8>>,
    rng: Rng,
    /// Left and right, in milliseconds.
    clock: [u64; 2],
    to_move: ClockSide,
    runs: bool,
    shown: Option<ClockReading>,
    now: u64,
}

impl Tape {
    fn begin(&mut self) {
        if self.recorder.kind == Kind::Dgt && self.recorder.clock_answers {
            self.say(Message::Version(1, 7));
            self.say(Message::Serial("01025".to_owned()));
            self.say(Message::Ack(Ack {
                status: 0x10,
                command: 0x09,
                data: [0x20, 0],
            }));
        }
        if self.recorder.dump {
            self.say_all();
        }
        self.show_clock();
    }

    fn say(&mut self, message: Message) {
        self.reads.push(message.to_bytes());
    }

    fn say_all(&mut self) {
        let readings = self.stands;
        self.reads.push(match self.recorder.kind {
            Kind::Dgt => Message::Dump(Box::new(readings)).to_bytes(),
            Kind::Chesslink => chesslink::framed(&chesslink::state_text(&readings)),
            Kind::Cpp => format!("state {}\n", cpp::placement_of(&readings)).into_bytes(),
            Kind::Occupancy => occupancy::frame_of(&readings),
        });
    }

    /// Time passes: the clock shows its seconds, boards repeat themselves.
    fn until(&mut self, at: u64) {
        const STEP: u64 = 50;
        while self.now < at {
            let step = STEP.min(at - self.now);
            self.now += step;
            let index = usize::from(self.to_move == ClockSide::Right);
            if self.runs {
                self.clock[index] = self.clock[index].saturating_sub(step);
            }
            self.show_clock();
            let is_frame = self.recorder.kind == Kind::Occupancy && !self.recorder.on_change;
            let is_due = |every: u64| self.now / every != (self.now - step) / every;
            if is_frame || self.recorder.dump_every.is_some_and(is_due) {
                self.say_all();
            }
        }
    }

    fn show_clock(&mut self) {
        if self.recorder.clock.is_none() {
            return;
        }
        let side = |ms: u64| SideReading {
            time: Duration::from_secs(ms.div_ceil(1000)),
            is_per_move: true,
            ..SideReading::default()
        };
        let reading = ClockReading {
            left: side(self.clock[0]),
            right: side(self.clock[1]),
            is_running: self.runs,
            to_move: self.to_move,
            is_battery_low: false,
        };
        if self.shown.replace(reading) != Some(reading) {
            self.say(Message::Clock(reading));
            if self.recorder.clock_answers && self.rng.per_mille(60) {
                // A button; and an answer that nobody waits for.
                let data = [0x05, 0x31];
                self.say(Message::Ack(Ack {
                    status: 0x10,
                    command: 0x88,
                    data,
                }));
                self.say(Message::Ack(Ack {
                    status: 0x10,
                    command: 0x03,
                    data: [0, 0],
                }));
            }
        }
    }

    fn happens(&mut self, act: Act) {
        match act {
            Act::Set(square, piece) => {
                let (square, reading) = (
                    self.recorder.orientation.square(square),
                    Reading::from(piece),
                );
                if self.stands.at(square) == reading {
                    return;
                }
                self.stands.set(square, reading);
                let times = 1 + u64::from(self.rng.per_mille(self.recorder.twice));
                for _ in 0..times {
                    match self.recorder.kind {
                        Kind::Dgt => self.say(Message::Field { square, reading }),
                        Kind::Occupancy if !self.recorder.on_change => {}
                        _ => self.say_all(),
                    }
                }
            }
            Act::Press => {
                let index = usize::from(self.to_move == ClockSide::Right);
                if self.runs {
                    self.clock[index] += 2_000;
                }
                self.to_move = self.to_move.other();
                self.show_clock();
            }
            Act::Start => {
                self.runs = true;
                self.show_clock();
            }
            Act::Stop => {
                self.runs = false;
                self.show_clock();
            }
        }
    }
}
