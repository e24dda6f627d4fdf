//! The microphone of the set-up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::Sender;

use super::asking::Spoken;
use super::read::{number_of, said_reply};
use crate::set_up::{Level, Reply};
use crate::shell::config::data;
use crate::shell::error::Result;
use crate::shell::hearing::endpoint::Patience;
use crate::shell::hearing::front::Front;
use crate::shell::hearing::listener::{Listener, Obeying, Utterance};
use crate::shell::hearing::microphone::Microphone;
use crate::shell::hearing::model::HearingModel;
use crate::shell::hearing::verdict::Decision;

/// The language heard in place of those without a hearing model.
const HEARD_BESIDES: &str = "de";

/// A microphone in use. Dropping it closes it.
pub(super) struct Ear {
    /// Its name.
    pub(super) microphone: String,
    /// The language that it hears.
    pub(super) language: String,
    speaks: Arc<AtomicBool>,
    hears: Arc<AtomicBool>,
    is_over: Arc<AtomicBool>,
    /// Whether it no longer listens, or never did.
    has_stopped: Arc<AtomicBool>,
}

impl Ear {
    /// Listens to a microphone. One that cannot be opened, or is lost, is silent: nobody answers
    /// there, and the set-up goes on to the next. This is reported as `None` among the answers. If
    /// the language has no hearing model German is heard, as in a game.
    ///
    /// # Errors
    ///
    /// If there is no hearing model.
    pub(super) fn open(
        microphone: String,
        language: &str,
        answers: Sender<Option<Spoken>>,
    ) -> Result<Self> {
        let lexicon = data::lexicon(language)?;
        let (lexicon, model) = match HearingModel::chosen(&lexicon) {
            Ok(model) => (lexicon, model),
            Err(why) => {
                let german = data::lexicon(HEARD_BESIDES)?;
                let model = HearingModel::chosen(&german).map_err(|_| why)?;
                (german, model)
            }
        };
        let (lexicon, model) = (Arc::new(lexicon), Arc::new(model));
        let listener = Listener::new(
            Arc::clone(&model),
            Arc::clone(&lexicon),
            Patience::default(),
        )?;
        let ear = Self {
            microphone,
            language: lexicon.language().to_owned(),
            speaks: Arc::new(AtomicBool::new(true)),
            hears: Arc::new(AtomicBool::new(false)),
            is_over: Arc::new(AtomicBool::new(false)),
            has_stopped: Arc::new(AtomicBool::new(false)),
        };
        let has_stopped = Arc::clone(&ear.has_stopped);
        let (name, speaks) = (ear.microphone.clone(), Arc::clone(&ear.speaks));
        let (hears, is_over) = (Arc::clone(&ear.hears), Arc::clone(&ear.is_over));
        thread::spawn(move || {
            let reply = |utterance: &Utterance| reply(&model, &lexicon, utterance);
            listen(&name, listener, [&speaks, &hears, &is_over], |utterance| {
                let Some(reply) = reply(utterance) else {
                    return true;
                };
                let level = Level::of(&utterance.sound);
                answers.send(Some(Spoken { reply, level })).is_ok()
            });
            has_stopped.store(true, Ordering::Relaxed);
            let _ = answers.send(None);
        });
        Ok(ear)
    }

    /// Whether somebody is speaking into it now.
    pub(super) fn hears_somebody(&self) -> bool {
        self.hears.load(Ordering::Relaxed)
    }

    /// Whether it listens, as far as known.
    pub(super) fn listens(&self) -> bool {
        !self.has_stopped.load(Ordering::Relaxed)
    }

    /// Notes whether annexd speaks. Then only Stopp, Korrektur and nein are obeyed.
    pub(super) fn set_own_speech(&self, speaks: bool) {
        self.speaks.store(speaks, Ordering::Relaxed);
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

/// Listens until it is over, nobody takes answers, or the microphone is lost.
fn listen(
    name: &str,
    mut listener: Listener,
    [speaks, hears, is_over]: [&AtomicBool; 3],
    mut tell: impl FnMut(&Utterance) -> bool,
) {
    let Ok(microphone) = Microphone::open(Some(name)) else {
        return;
    };
    let Ok(mut front) = Front::new(microphone.rate(), microphone.channels()) else {
        return;
    };
    while !is_over.load(Ordering::Relaxed) {
        let Ok(samples) = microphone.read() else {
            return;
        };
        listener.obey(if speaks.load(Ordering::Relaxed) {
            Obeying::BargeIn
        } else {
            Obeying::Everything
        });
        for utterance in listener.feed(&front.feed(&samples)) {
            if !tell(&utterance) {
                return;
            }
        }
        hears.store(listener.hears_somebody(), Ordering::Relaxed);
    }
    hears.store(false, Ordering::Relaxed);
}

/// The answer of an utterance. A bare number has no meaning in a game, so it is judged here.
fn reply(
    model: &HearingModel,
    lexicon: &crate::notation::Lexicon,
    utterance: &Utterance,
) -> Option<Reply> {
    let verdict = &utterance.verdict;
    let best = verdict.alternatives.first()?;
    if let Some(number) = number_of(lexicon, &best.words)
        && !utterance.was_spoken_over
    {
        let limit = model.limits.command;
        let is_sure = verdict.gain >= limit.clear && best.confidence >= limit.sure;
        return Some(if is_sure {
            Reply::Number(number)
        } else {
            Reply::Likely(number)
        });
    }
    match verdict.decision {
        Decision::Take => Some(
            utterance
                .reading()
                .and_then(said_reply)
                .unwrap_or(Reply::Unclear),
        ),
        Decision::Ask => Some(Reply::Unclear),
        Decision::Ignore => None,
    }
}
