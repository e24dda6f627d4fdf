//! The microphones at the table, each in its own thread, from sound to what was said.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use shakmaty::Color;

use super::SAMPLE_RATE;
use super::front_for;
use super::listener::{Obeying, Utterance};
use super::listeners::{Heard, Listeners};
use super::microphone::Microphone;
use super::somebody_speaks::{MicrophoneSpeech, SpeechMonitor};
use crate::game::{Device, Effect, Expectation, Form, Game, Input, Origin};
use crate::moment::Moment;
use crate::shell::error::{Error, Part, Remedy, Result};
use crate::shell::record::utterance_writer::{SoundKeeper, may_keep};
use crate::shell::table::inbox::{Reporter, Reports};
use crate::shell::table::timeline::Timeline;
use crate::shell::table::watchdog::{Turns, Watchdog};
use crate::shell::table::{Outlet, Report};

/// How long to wait before a lost microphone is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// What one microphone should obey, set by the game and read by the thread.
#[derive(Clone, Debug)]
struct Orders {
    obeyed: Arc<AtomicU8>,
    /// Whether the speaker is asked by yes or no what he has said.
    expects_answer: Arc<AtomicBool>,
    /// Whether the sound may be recorded.
    keeps: Arc<AtomicBool>,
    /// Whether annexd speaks only into this speaker's own ear. Then the microphone cannot hear it.
    speaks_into_ear_only: Arc<AtomicBool>,
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
        let is_asked = expectation.form == Form::Answer;
        self.expects_answer.store(is_asked, Ordering::Relaxed);
    }
}

/// All microphones, as the target of [`Effect::Listen`].
pub struct MicrophoneOutlet {
    orders: Vec<(Option<Color>, Orders)>,
    /// The languages that are announced at the table.
    languages: Vec<String>,
    find: Finder,
    /// Where each microphone gets what listens in other languages.
    listeners: Vec<Sender<Listeners>>,
    /// How often the languages have changed.
    changes: Arc<AtomicU64>,
}

/// Makes the listeners of all microphones for these languages. None, which it reports, if they
/// cannot be made.
pub type Finder = Arc<dyn Fn(&[String]) -> Vec<Listeners> + Send + Sync>;

/// What all microphones share.
#[derive(Clone)]
pub struct Hearing {
    /// What is heard at each microphone, with the model of each language.
    pub heard: Vec<Vec<Heard>>,
    /// The languages of the table, which may be others than those heard.
    pub languages: Vec<String>,
    /// Makes what listens in other languages of the table.
    pub find: Finder,
    /// What records the sound, if any is recorded.
    pub keeper: Option<SoundKeeper>,
    /// The time of the game.
    pub timeline: Timeline,
    /// Where each microphone reports whether somebody speaks.
    pub talk: SpeechMonitor,
}

impl MicrophoneOutlet {
    /// Opens microphones, each for a side (or both: `None`) and by a part of its name.
    ///
    /// # Errors
    ///
    /// If the model cannot be used. A missing microphone is no error: it is reported, and tried
    /// again as long as the game goes on.
    pub fn open(
        hearing: &Hearing,
        microphones: Vec<(Option<Color>, Option<String>)>,
        watchdog: &mut Watchdog,
        reports: &Reports,
    ) -> Result<Self> {
        let (mut orders, mut listeners) = (Vec::new(), Vec::new());
        for ((side, name), heard) in microphones.into_iter().zip(&hearing.heard) {
            let own = Listeners::new(heard)?;
            let (sender, receiver) = unbounded();
            let order = Orders {
                obeyed: Arc::new(AtomicU8::new(EVERYTHING)),
                expects_answer: Arc::new(AtomicBool::new(false)),
                keeps: Arc::new(AtomicBool::new(false)),
                speaks_into_ear_only: Arc::new(AtomicBool::new(false)),
            };
            let mut ear = Ear {
                side,
                name,
                orders: order.clone(),
                listeners: receiver,
                keeper: hearing.keeper.clone(),
                timeline: hearing.timeline,
                turns: watchdog.turns_of(Device::Microphone(side)),
                reporter: reports.reporter("microphone"),
                talk: hearing.talk.clone().of_microphone(),
                fed: 0,
                apart: None,
                is_present: true,
            };
            thread::spawn(move || ear.listen(own));
            orders.push((side, order));
            listeners.push(sender);
        }
        Ok(Self {
            orders,
            languages: hearing.languages.clone(),
            find: Arc::clone(&hearing.find),
            listeners,
            changes: Arc::default(),
        })
    }

    /// Follows the languages of the table, which the arbiter may change at any time (D.1). A model
    /// takes a moment to be read, in which the microphones listen on.
    fn follow_languages(&mut self, game: &Game) {
        let languages = game.profile().languages_heard();
        if languages == self.languages {
            return;
        }
        self.languages.clone_from(&languages);
        let (find, listeners) = (Arc::clone(&self.find), self.listeners.clone());
        let changes = Arc::clone(&self.changes);
        let change = changes.fetch_add(1, Ordering::Relaxed) + 1;
        thread::spawn(move || {
            let new = find(&languages);
            for (to_microphone, new) in listeners.iter().zip(new) {
                // Whoever changes it twice wants the later one. A microphone may have ended.
                if changes.load(Ordering::Relaxed) == change {
                    let _ = to_microphone.send(new);
                }
            }
        });
    }
}

impl Outlet for MicrophoneOutlet {
    fn carry_out(&mut self, _now: Moment, game: &Game, effect: &Effect) -> bool {
        self.follow_languages(game);
        for (side, orders) in &self.orders {
            orders.keeps.store(may_keep(game, *side), Ordering::Relaxed);
            let speaks_into_ear_only = side.is_some_and(|side| game.speaks_to_him_alone(side));
            orders
                .speaks_into_ear_only
                .store(speaks_into_ear_only, Ordering::Relaxed);
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
    /// What listens in other languages from now on.
    listeners: Receiver<Listeners>,
    keeper: Option<SoundKeeper>,
    timeline: Timeline,
    turns: Turns,
    reporter: Reporter,
    talk: MicrophoneSpeech,
    /// The number of samples given to the listener.
    fed: u64,
    /// Until which position of the stream annexd spoke only into this speaker's own ear.
    apart: Option<Duration>,
    is_present: bool,
}

/// Sound recorded while annexd still spoke but processed only later, as on a busy machine.
#[derive(Default)]
struct Late {
    /// Whether annexd spoke when the last piece of sound was read.
    spoke: bool,
    /// How many pieces date from before it ended.
    pieces: usize,
}

impl Late {
    /// What is obeyed in the piece of sound just read. `waiting` tells how many more have already
    /// been recorded.
    fn obeying(&mut self, order: u8, waiting: impl FnOnce() -> usize) -> Obeying {
        if self.spoke && order != URGENT {
            self.pieces = waiting() + 1;
        }
        self.spoke = order == URGENT;
        let is_late = self.pieces > 0;
        self.pieces = self.pieces.saturating_sub(1);
        match order {
            NOTHING => Obeying::Nothing,
            URGENT => Obeying::BargeIn,
            _ if is_late => Obeying::BargeIn,
            _ => Obeying::Everything,
        }
    }
}

impl Ear {
    /// Listens for ever. A lost microphone is tried again.
    fn listen(&mut self, mut listeners: Listeners) {
        loop {
            self.turns.turn();
            let is_over = match Microphone::open(self.name.as_deref()) {
                Ok(microphone) => self.hear(&microphone, &mut listeners),
                Err(error) => self.is_over_after_loss(&error),
            };
            if is_over {
                return;
            }
            thread::sleep(RETRY);
        }
    }

    /// Listens until the microphone is lost. Returns true if nobody takes reports any more.
    fn hear(&mut self, microphone: &Microphone, listeners: &mut Listeners) -> bool {
        let mut front = match front_for(microphone.rate(), microphone.channels()) {
            Ok(front) => front,
            Err(error) => return self.is_over_after_loss(&error),
        };
        tracing::info!(
            side = ?self.side,
            rate = microphone.rate(),
            channels = microphone.channels(),
            "a microphone is opened"
        );
        let mut clock = StreamClock::default();
        let mut late = Late::default();
        loop {
            self.turns.turn();
            let samples = match microphone.read() {
                Ok(samples) => front.feed(&samples),
                Err(error) => return self.is_over_after_loss(&error),
            };
            if !self.is_present && !self.tell_presence(true) {
                return true;
            }
            if let Some(new) = self.listeners.try_iter().last() {
                // It counts its sound from its beginning.
                *listeners = new;
                (self.fed, self.apart, clock) = (0, None, StreamClock::default());
            }
            let order = self.orders.obeyed.load(Ordering::Relaxed);
            listeners.obey(late.obeying(order, || microphone.waiting()));
            listeners.expect_answer(self.orders.expects_answer.load(Ordering::Relaxed));
            self.fed += samples.len() as u64;
            clock.fed(self.fed, samples.len());
            if self.orders.speaks_into_ear_only.load(Ordering::Relaxed) {
                self.apart = Some(duration_of(self.fed));
            }
            let utterances = listeners.feed(&samples);
            self.talk.tell(listeners.hears_somebody());
            for utterance in utterances {
                // A speaker who lets the key go has finished. Only then is it decided.
                if utterance.was_unobeyed {
                    continue;
                }
                if let Some(input) = self.input_of(&utterance, &clock)
                    && !self.reporter.report(Report::Input(input))
                {
                    return true;
                }
                // Unobeyed speech too: somebody may say later that he was not heard.
                if utterance.verdict.is_speech {
                    self.keep(utterance.sound);
                }
            }
        }
    }

    /// The input for an utterance. One not taken because annexd spoke is passed on only if it
    /// cannot be annexd's own voice.
    fn input_of(&self, utterance: &Utterance, clock: &StreamClock) -> Option<Input> {
        let when = |place| self.timeline.at(clock.at(place));
        let begun = when(utterance.speech_began);
        let ended = when(utterance.speech_ended);
        if let Some(heard) = utterance.heard() {
            return Some(Input::Heard {
                origin: Origin::Microphone(self.side),
                heard,
                begun: Some(begun),
                ended: Some(ended),
            });
        }
        let was_apart = self
            .apart
            .is_some_and(|until| until > utterance.speech_began);
        let side = self.side.filter(|_| utterance.was_unheeded && was_apart)?;
        Some(Input::Unheeded { side, begun, ended })
    }

    /// Records what was said, if the speaker has agreed. The game has it already.
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

    /// Reports the loss once. Returns whether nobody takes reports any more.
    fn is_over_after_loss(&mut self, why: &Error) -> bool {
        if !self.is_present {
            return false;
        }
        self.is_present = false;
        self.talk.tell(false);
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

/// Tells when a position of the stream was spoken. Processing may lag behind the microphone, on a
/// busy machine by a second and more. The sound that came with the least delay shows when the
/// stream began.
#[derive(Default)]
struct StreamClock {
    began: Option<Instant>,
}

impl StreamClock {
    /// Takes the total amount of sound so far. Lost sound, and a clock of a different speed,
    /// gradually make the stream seem to begin later.
    fn fed(&mut self, all: u64, new: usize) {
        let now = Instant::now();
        let seems = now.checked_sub(duration_of(all)).unwrap_or(now);
        let began = self.began.unwrap_or(seems);
        self.began = Some((began + duration_of(new as u64) / 100).min(seems));
    }

    fn at(&self, place: Duration) -> Instant {
        self.began.unwrap_or_else(Instant::now) + place
    }
}

fn duration_of(samples: u64) -> Duration {
    Duration::from_micros(samples * 1_000_000 / u64::from(SAMPLE_RATE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_while_annexd_spoke_is_not_obeyed_later() {
        let mut late = Late::default();
        assert_eq!(late.obeying(EVERYTHING, || 9), Obeying::Everything);
        assert_eq!(late.obeying(URGENT, || 9), Obeying::BargeIn);
        // Two more pieces wait when it is noticed that annexd has ended.
        assert_eq!(late.obeying(EVERYTHING, || 2), Obeying::BargeIn);
        assert_eq!(late.obeying(EVERYTHING, || 5), Obeying::BargeIn);
        assert_eq!(late.obeying(EVERYTHING, || 5), Obeying::BargeIn);
        assert_eq!(late.obeying(EVERYTHING, || 5), Obeying::Everything);
        assert_eq!(late.obeying(URGENT, || 0), Obeying::BargeIn);
        assert_eq!(late.obeying(NOTHING, || 3), Obeying::Nothing);
    }

    #[test]
    fn a_lag_does_not_change_when_something_was_spoken() {
        let second = u64::from(SAMPLE_RATE);
        let mut clock = StreamClock::default();
        // Sixty seconds have come. Of ten earlier ones only the last are here now.
        clock.fed(60 * second, 0);
        let began = clock.began.unwrap();
        clock.fed(50 * second, 320);
        let five = Duration::from_secs(5);
        let spoken = clock.at(five).duration_since(began);
        assert!(spoken.abs_diff(five) < Duration::from_millis(100));
    }
}
