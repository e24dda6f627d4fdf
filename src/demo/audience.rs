//! Lets people listen to the demonstration.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use super::room::RATE;
use annexd::game::{Effect, Game};
use annexd::moment::Moment;
use annexd::persons::Channel;
use annexd::phrases::Language;
use annexd::shell::error::Result;
use annexd::shell::hearing::front_for;
use annexd::shell::speech::sound::{CLIP_RATE, Loudspeaker};
use annexd::shell::speech::voice::Clips;
use annexd::shell::table::Outlet;

/// A loudspeaker for everything that is heard at the table.
#[derive(Clone)]
pub(crate) struct Audience {
    loudspeaker: Rc<Loudspeaker>,
    clips: Rc<Clips>,
    language: Rc<Language>,
    /// How long the sounds that were begun still last.
    owed: Rc<Cell<Duration>>,
    sounds: Rc<Cell<u64>>,
}

impl Audience {
    /// Opens the usual loudspeaker.
    pub(crate) fn open(language_name: &str, language: Language) -> Result<Self> {
        Ok(Self {
            loudspeaker: Rc::new(Loudspeaker::open(None, |_| {})?),
            clips: Rc::new(Clips::open(language_name)?),
            language: Rc::new(language),
            owed: Rc::default(),
            sounds: Rc::default(),
        })
    }

    /// Plays what the player says.
    pub(crate) fn hears(&self, samples: &[f32]) -> Result<()> {
        let mut front = front_for(RATE, 1)?;
        let mut whole = front.feed(samples);
        whole.extend(front.finish());
        self.play(whole);
        Ok(())
    }

    /// How long to keep quiet so that sounds already begun are heard to their end. Resets the
    /// count.
    pub(crate) fn take_owed(&self) -> Duration {
        self.owed.take()
    }

    fn play(&self, samples: Vec<i16>) {
        let sound = self.sounds.get() + 1;
        self.sounds.set(sound);
        // An overloaded loudspeaker leaves a sound out. The transcript has the words.
        let _ = self.loudspeaker.play(sound, Arc::from(samples), 1.0);
    }
}

impl Outlet for Audience {
    fn carry_out(&mut self, _now: Moment, _game: &Game, effect: &Effect) -> bool {
        if let Effect::Say {
            channel: Channel::Table | Channel::Ear(_),
            phrase,
            ..
        } = effect
        {
            let (samples, _) = self.clips.say(&self.language, phrase, 100);
            let ms = samples.len() as u64 * 1000 / u64::from(CLIP_RATE);
            self.owed
                .set(self.owed.get() + Duration::from_millis(ms + 250));
            self.play(samples);
        }
        false
    }
}
