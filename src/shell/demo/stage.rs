//! The table of the demonstration: the real one, in simulated time, with one microphone.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::Color;

use super::audience::Audience;
use super::room::{RATE, Room};
use crate::game::{Effect, Game, Input, Origin};
use crate::moment::Moment;
use crate::notation::Lexicon;
use crate::shell::error::Result;
use crate::shell::hearing::endpoint::Patience;
use crate::shell::hearing::front::Front;
use crate::shell::hearing::listener::{Listener, Obeying};
use crate::shell::hearing::model::HearingModel;
use crate::shell::table::{Outlet, Report, Seat, Table};

/// Samples in one block of 20 ms, as a microphone delivers them.
const BLOCK: usize = RATE as usize / 50;
const BLOCK_MS: u64 = 20;

/// How long the room is listened to before somebody speaks, in blocks.
const BEFORE: usize = 20;

/// How long an answer is waited for after somebody has spoken, in blocks.
const AFTER: usize = 150;

/// Everything that the game does, for the script to look at.
#[derive(Clone, Default)]
pub(super) struct Witness(Rc<RefCell<Vec<Effect>>>);

impl Outlet for Witness {
    fn carry_out(&mut self, _now: Moment, _game: &Game, effect: &Effect) -> bool {
        self.0.borrow_mut().push(effect.clone());
        false
    }
}

/// What came of something said into the microphone.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    /// How many utterances were taken for words, clear or not.
    pub(super) understood: usize,
    /// How long after the end of the speech the answer was there, if there was one.
    pub(super) latency: Option<Duration>,
    /// What the game did.
    pub(super) effects: Vec<Effect>,
}

/// The table with its microphone.
pub(super) struct Stage {
    table: Table,
    witness: Witness,
    now: Moment,
    room: Room,
    front: Front,
    listener: Listener,
    audience: Option<Audience>,
    begun: Instant,
}

impl Stage {
    /// A stage for a table; its microphone is White's.
    ///
    /// # Errors
    ///
    /// If the recogniser cannot be made.
    pub(super) fn new(
        mut table: Table,
        model: Arc<HearingModel>,
        lexicon: Arc<Lexicon>,
        seed: u64,
        audience: Option<Audience>,
    ) -> Result<Self> {
        let witness = Witness::default();
        table.add(Box::new(witness.clone()));
        if let Some(audience) = &audience {
            table.add(Box::new(audience.clone()));
        }
        Ok(Self {
            table,
            witness,
            now: Moment::START,
            room: Room::new(seed),
            front: Front::new(RATE, 1)?,
            listener: Listener::new(model, lexicon, Patience::default())?,
            audience,
            begun: Instant::now(),
        })
    }

    /// The game.
    pub(super) const fn game(&self) -> &Game {
        self.table.game()
    }

    /// The moment it is.
    pub(super) const fn now(&self) -> Moment {
        self.now
    }

    /// Somebody types a line at his console.
    #[expect(clippy::print_stdout, reason = "the transcript is what was asked for")]
    pub(super) fn types(&mut self, seat: Seat, text: &str) -> Vec<Effect> {
        if let Seat::Of(person) = seat {
            println!("{} {person} types: {text}", self.now);
        }
        let text = text.to_owned();
        let mut effects = self.report(Report::Typed { seat, text });
        effects.append(&mut self.let_finish());
        effects
    }

    /// Lets time pass.
    pub(super) fn wait(&mut self, time: Duration) -> Vec<Effect> {
        let until = self.now + time;
        while self.now < until {
            let next = self.now + Duration::from_millis(BLOCK_MS);
            self.now = next.min(until);
            self.table.take(self.now, 0, Vec::new());
        }
        self.keep_pace();
        self.witness.0.take()
    }

    /// Something sounds in front of the microphone. It takes the way that every microphone's
    /// samples take: blocks of 20 ms, resampled, heard, understood, reported to the table.
    pub(super) fn sounds(&mut self, samples: &[f32]) -> Result<Heard> {
        let mut heard = Heard::default();
        for _ in 0..BEFORE {
            self.block(&[0.0; BLOCK], None, &mut heard);
        }
        if let Some(audience) = &self.audience {
            audience.hears(samples)?;
        }
        let ended = self.now + Duration::from_millis(samples.len() as u64 * 1000 / u64::from(RATE));
        for block in samples.chunks(BLOCK) {
            let mut whole = block.to_vec();
            whole.resize(BLOCK, 0.0);
            self.block(&whole, Some(ended), &mut heard);
        }
        for _ in 0..AFTER {
            self.block(&[0.0; BLOCK], Some(ended), &mut heard);
            if heard.understood > 0 {
                break;
            }
        }
        heard.effects.append(&mut self.let_finish());
        Ok(heard)
    }

    /// With an audience, waits until what was begun has been said.
    fn let_finish(&mut self) -> Vec<Effect> {
        let owed = self.audience.as_ref().map(Audience::take_owed);
        match owed {
            Some(time) if !time.is_zero() => self.wait(time),
            _ => Vec::new(),
        }
    }

    fn block(&mut self, samples: &[f32], ended: Option<Moment>, heard: &mut Heard) {
        self.now = self.now + Duration::from_millis(BLOCK_MS);
        let before = Instant::now();
        let expectation = self.game().expectation(Some(Color::White));
        self.listener.obey(if expectation.urgent_only {
            Obeying::BargeIn
        } else {
            Obeying::Everything
        });
        let ready = self.front.feed(&self.room.around(samples));
        let mut reports = Vec::new();
        for utterance in self.listener.feed(&ready) {
            if let Some(heard) = utterance.heard() {
                let origin = Origin::Microphone(Some(Color::White));
                reports.push(Report::Input(Input::Heard { origin, heard }));
            }
        }
        let is_answer = !reports.is_empty();
        heard.understood += reports.len();
        self.table.take(self.now, 0, reports);
        if let Some(ended) = ended.filter(|_| is_answer) {
            // In real time the computation comes on top of the time that the sound takes.
            heard.latency = Some(self.now.since(ended) + before.elapsed());
        }
        heard.effects.append(&mut self.witness.0.borrow_mut());
        self.keep_pace();
    }

    /// Reports something and gives what the game did.
    fn report(&mut self, report: Report) -> Vec<Effect> {
        self.table.take(self.now, 0, vec![report]);
        self.witness.0.take()
    }

    /// With an audience the simulated time is the real one.
    fn keep_pace(&self) {
        if self.audience.is_some() {
            let played = self.now.since(Moment::START);
            std::thread::sleep(played.saturating_sub(self.begun.elapsed()));
        }
    }
}
