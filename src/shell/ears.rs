//! The microphones at the table: each on a thread of its own, from sound to what was said.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

use shakmaty::Color;

use super::door::{Reporter, Reports};
use super::error::{Error, Part, Remedy, Result};
use super::hearing::endpoint::Patience;
use super::hearing::front::Front;
use super::hearing::listener::{Listener, Obeying};
use super::hearing::microphone::Microphone;
use super::hearing::model::HearingModel;
use super::sound_keeper::{SoundKeeper, may_keep};
use super::table::{Outlet, Report};
use super::timeline::Timeline;
use super::watchdog::{Turns, Watchdog};
use crate::game::{Device, Effect, Expectation, Form, Game, Input, Origin};
use crate::moment::Moment;
use crate::notation::Lexicon;

/// How long to wait before a lost microphone is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// What one microphone should obey, set by the game and read by the thread.
#[derive(Clone, Debug)]
struct Orders {
    obeyed: Arc<AtomicU8>,
    /// Whether the sound may be kept.
    keeps: Arc<AtomicBool>,
}

const NOTHING: u8 = 0;
const EVERYTHING: u8 = 1;
const URGENT: u8 = 2;

impl Orders {
    fn give(&self, expectation: &Expectation) {
        let order = match (expectation.form, expectation.urgent_only) {
            (Form::Nothing, _) => NOTHING,
            (_, true) => URGENT,
            (_, false) => EVERYTHING,
        };
        self.obeyed.store(order, Ordering::Relaxed);
    }
}

/// All microphones, as a place where [`Effect::Listen`] goes.
pub struct Ears {
    orders: Vec<(Option<Color>, Orders)>,
}

/// What all microphones share.
#[derive(Clone)]
pub struct Hearing {
    /// The model.
    pub model: Arc<HearingModel>,
    /// The words.
    pub lexicon: Arc<Lexicon>,
    /// What keeps the sound, if any is kept.
    pub keeper: Option<SoundKeeper>,
    /// The time of the game.
    pub timeline: Timeline,
}

impl Ears {
    /// Opens microphones, each for a side (or both: `None`) and by a part of its name.
    ///
    /// # Errors
    ///
    /// If the model cannot be used. A microphone that is not there is no error: it is reported,
    /// and tried again for as long as the game goes on.
    pub fn open(
        hearing: &Hearing,
        microphones: Vec<(Option<Color>, Option<String>)>,
        watchdog: &mut Watchdog,
        reports: &Reports,
    ) -> Result<Self> {
        let mut orders = Vec::new();
        for (side, name) in microphones {
            let listener = Listener::new(
                Arc::clone(&hearing.model),
                Arc::clone(&hearing.lexicon),
                Patience::default(),
            )?;
            let order = Orders {
                obeyed: Arc::new(AtomicU8::new(EVERYTHING)),
                keeps: Arc::new(AtomicBool::new(false)),
            };
            let mut ear = Ear {
                side,
                name,
                orders: order.clone(),
                keeper: hearing.keeper.clone(),
                timeline: hearing.timeline,
                turns: watchdog.turns_of(Device::Microphone(side)),
                reporter: reports.reporter("microphone"),
                is_present: true,
            };
            thread::spawn(move || ear.listen(listener));
            orders.push((side, order));
        }
        Ok(Self { orders })
    }
}

impl Outlet for Ears {
    fn carry_out(&mut self, _now: Moment, game: &Game, effect: &Effect) -> bool {
        for (side, orders) in &self.orders {
            orders.keeps.store(may_keep(game, *side), Ordering::Relaxed);
        }
        if let Effect::Listen(expectation) = effect {
            for (side, orders) in &self.orders {
                if *side == expectation.microphone {
                    orders.give(expectation);
                }
            }
        }
        false
    }
}

/// One microphone with its thread.
struct Ear {
    side: Option<Color>,
    name: Option<String>,
    orders: Orders,
    keeper: Option<SoundKeeper>,
    timeline: Timeline,
    turns: Turns,
    reporter: Reporter,
    is_present: bool,
}

impl Ear {
    /// Listens for ever; a microphone that is lost is tried again.
    fn listen(&mut self, mut listener: Listener) {
        loop {
            self.turns.turn();
            let is_over = match Microphone::open(self.name.as_deref()) {
                Ok(microphone) => self.hear(&microphone, &mut listener),
                Err(error) => self.is_over_after_loss(&error),
            };
            if is_over {
                return;
            }
            thread::sleep(RETRY);
        }
    }

    /// Hears until the microphone is lost; true if nobody takes reports any more.
    fn hear(&mut self, microphone: &Microphone, listener: &mut Listener) -> bool {
        let mut front = match Front::new(microphone.rate(), microphone.channels()) {
            Ok(front) => front,
            Err(error) => return self.is_over_after_loss(&error),
        };
        loop {
            self.turns.turn();
            let samples = match microphone.read() {
                Ok(samples) => front.feed(&samples),
                Err(error) => return self.is_over_after_loss(&error),
            };
            if !self.is_present && !self.tell_presence(true) {
                return true;
            }
            let order = self.orders.obeyed.load(Ordering::Relaxed);
            listener.obey(match order {
                URGENT => Obeying::BargeIn,
                _ => Obeying::Everything,
            });
            for utterance in listener.feed(&samples) {
                if order == NOTHING {
                    continue;
                }
                if let Some(heard) = utterance.heard() {
                    let origin = Origin::Microphone(self.side);
                    let input = Input::Heard { origin, heard };
                    if !self.reporter.report(Report::Input(input)) {
                        return true;
                    }
                }
                // What was not obeyed too: somebody may say later that he was not heard.
                if utterance.verdict.is_speech {
                    self.keep(utterance.sound);
                }
            }
        }
    }

    /// Keeps what was said, if its speaker has agreed. The game has it already.
    fn keep(&mut self, sound: Arc<[i16]>) {
        if let Some(keeper) = &self.keeper
            && self.orders.keeps.load(Ordering::Relaxed)
            && !keeper.keep(self.side, self.timeline.now(), sound)
        {
            self.reporter.report(Report::Shed {
                device: "sound".to_owned(),
                reports: 1,
            });
        }
    }

    /// Reports the loss once.
    fn is_over_after_loss(&mut self, why: &Error) -> bool {
        if !self.is_present {
            return false;
        }
        self.is_present = false;
        let mut fault = why.fault(Part::Microphone);
        // Play goes on at once without it.
        fault.remedy = Remedy::Type;
        !self.reporter.report(Report::Input(Input::Failed {
            device: Some(Device::Microphone(self.side)),
            person: None,
            fault,
        }))
    }

    fn tell_presence(&mut self, present: bool) -> bool {
        self.is_present = present;
        let device = Device::Microphone(self.side);
        self.reporter
            .report(Report::Input(Input::Device { device, present }))
    }
}
