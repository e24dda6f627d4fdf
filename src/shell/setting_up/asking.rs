//! Asks one thing after the other: by loudspeaker, and hears by microphone, keys and gamepad.

#[cfg(all(feature = "audio", feature = "recognizer"))]
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

#[cfg(all(feature = "audio", feature = "recognizer"))]
use super::ear::Ear;
use super::read;
use super::voice::Voice;
use crate::phrases::{Language, Phrase, PhraseKey};
use crate::set_up::{AfterReply, Level, Place, Reply};
use crate::shell::config::data;
use crate::shell::config::language::language_of;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::terminal;
use crate::shell::consoles::text_outlet::fold;
use crate::shell::consoles::words::console_words;
use crate::shell::error::Result;
#[cfg(all(feature = "audio", feature = "recognizer"))]
use crate::shell::error::{Fault, Part, Reason, Remedy};
use crate::shell::table::inbox::{Arrivals, channel};
use crate::shell::table::signals;
use crate::show;

/// How many answers may wait.
const WAITING: usize = 16;

/// How long an answer in progress is heard out before checking whether it goes on.
const HEARING_OUT: Duration = Duration::from_millis(500);

/// How long after a question's time is over an answer is still heard out. Later it may be noise.
const LATE: Duration = Duration::from_secs(4);

/// The name in the settings for a device that is not to be used.
pub(super) const OFF: &str = "none";

/// A spoken answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spoken {
    /// Its meaning.
    pub(super) reply: Reply,
    /// How well the microphone took it.
    pub(super) level: Level,
}

/// A dialogue: it says something, and knows what an answer means.
pub(super) trait Dialogue {
    /// The separator between its sentences where they are read.
    const BETWEEN: &'static str;
    /// Whether it goes on by voice when nothing more can be typed.
    const OUTLIVES_KEYS: bool;

    /// The first step.
    fn first(&mut self) -> AfterReply;

    /// Takes an answer; for a spoken one also how well the microphone took it.
    fn answered(&mut self, reply: Reply, level: Option<Level>) -> AfterReply;

    /// How long to wait for an answer before [`Reply::Nothing`].
    fn waits(&self) -> Duration;

    /// The devices with which the open question is asked and answered.
    fn devices(&self) -> Place<'_>;

    /// Events meanwhile that have to be said, if there can be any.
    fn news(&self) -> Option<&Receiver<AfterReply>> {
        None
    }

    /// Notes such an event.
    fn told(&mut self, _: &AfterReply) {}

    /// What is said to a person who leaves it before its end, and in which language.
    fn farewell(&self) -> Option<(&str, PhraseKey)>;

    /// The answer of a typed line, which would mean `reply` in any dialogue of this language.
    ///
    /// # Errors
    ///
    /// If the words of a language are missing or wrong.
    fn read(&self, line: &str, reply: Reply, language: &Language) -> Result<Reply>;
}

/// How a dialogue has ended.
#[derive(Debug)]
pub enum End<D> {
    /// Everything is answered.
    Answered(D),
    /// Somebody has left it.
    Left,
    /// Nobody can answer: nothing more is typed, and nothing is heard.
    Unanswered,
}

/// Asks until everything is answered or it is left.
///
/// # Errors
///
/// If the words of a language are missing or wrong.
pub(super) fn ask<D: Dialogue>(
    settings: &Settings,
    has_devices: bool,
    dialogue: D,
) -> Result<End<D>> {
    let (speaking, heard) = bounded(WAITING);
    let (pressing, pressed) = channel();
    let table = Asking {
        dialogue,
        voice: Voice::default(),
        width: settings.text.braille_width,
        language: data::language(&language_of(settings))?,
        is_leaving: false,
        speaking,
        heard,
        pressed,
        #[cfg(all(feature = "audio", feature = "recognizer"))]
        ear: None,
        #[cfg(all(feature = "audio", feature = "recognizer"))]
        told_deaf: BTreeSet::new(),
    };
    #[cfg(feature = "gamepad")]
    let _gamepad = has_devices.then(|| gamepad(settings, pressing.clone()));
    #[cfg(not(feature = "gamepad"))]
    let _ = has_devices;
    let end = table.work();
    drop(pressing);
    end
}

/// Lets a gamepad answer too, whoever holds it.
#[cfg(feature = "gamepad")]
fn gamepad(
    settings: &Settings,
    reports: crate::shell::table::inbox::Reports,
) -> Option<crate::shell::typed::gamepad::Gamepad> {
    use shakmaty::Color;

    use crate::persons::Person;
    use crate::shell::table::watchdog::Turns;
    use crate::shell::typed::controls::{Controls, Pad};
    use crate::shell::typed::gamepad::Gamepad;

    if settings.devices.gamepad.as_deref() == Some(OFF) {
        return None;
    }
    let person = Person::Player(Color::White);
    let controls = Controls::load(person, &settings.gamepad, &settings.keys).ok()?;
    let language = data::language(&language_of(settings)).ok()?;
    let pad = Pad::new(person, controls);
    Gamepad::open(pad, person, language, Turns::default(), reports).ok()
}

/// A dialogue in progress.
struct Asking<D> {
    dialogue: D,
    voice: Voice,
    width: usize,
    /// The language of the open question.
    language: Language,
    /// Whether the user is being asked if he wants to leave.
    is_leaving: bool,
    #[cfg_attr(
        not(all(feature = "audio", feature = "recognizer")),
        expect(dead_code, reason = "nobody is heard")
    )]
    speaking: Sender<Option<Spoken>>,
    heard: Receiver<Option<Spoken>>,
    pressed: Arrivals,
    #[cfg(all(feature = "audio", feature = "recognizer"))]
    ear: Option<Ear>,
    /// The languages without hearing for which that was said.
    #[cfg(all(feature = "audio", feature = "recognizer"))]
    told_deaf: BTreeSet<String>,
}

impl<D: Dialogue> Asking<D> {
    fn work(mut self) -> Result<End<D>> {
        let (typed, nothing) = (terminal::lines(), crossbeam_channel::never());
        let mut has_keys = true;
        let (never, silence) = (crossbeam_channel::never(), crossbeam_channel::never());
        let ending = signals::in_dialogue();
        let step = self.dialogue.first();
        self.carry_out(step)?;
        let (mut answered_at, mut heard_out) = (Instant::now(), Instant::now());
        loop {
            let lines = if has_keys { typed } else { &nothing };
            let events = self.voice.events().unwrap_or(&never).clone();
            let news = self.dialogue.news().unwrap_or(&silence).clone();
            // A person begins to think when the question has been heard.
            let due = answered_at.max(self.voice.silent_since()) + self.dialogue.waits();
            let wait = self.patience(due.max(heard_out));
            let (reply, level) = crossbeam_channel::select! {
                recv(lines) -> line => match line {
                    Ok(line) if terminal::is_leaving(&line) => return self.left(),
                    Ok(line) => (self.typed(&line)?, None),
                    Err(_) if D::OUTLIVES_KEYS && self.is_heard() => {
                        has_keys = false;
                        continue;
                    }
                    Err(_) => return self.unanswered(),
                },
                recv(self.heard) -> spoken => match spoken {
                    Ok(Some(spoken)) => (spoken.reply, Some(spoken.level)),
                    Ok(None) if !has_keys && !self.is_heard() => return self.unanswered(),
                    _ => continue,
                },
                recv(self.pressed.heeded()) -> arrived => match arrived {
                    Ok(arrived) => match read::pressed_reply(&arrived.report) {
                        Some(reply) => (reply, None),
                        None => continue,
                    },
                    Err(_) => continue,
                },
                recv(events) -> event => {
                    if let Ok(event) = event {
                        self.voice.told(&event);
                        self.tell_ear();
                    }
                    continue;
                },
                recv(ending) -> _ => return self.left(),
                recv(news) -> step => {
                    let Ok(step) = step else {
                        return Ok(End::Left);
                    };
                    self.dialogue.told(&step);
                    if step.is_done {
                        return self.done(step);
                    }
                    self.carry_out(step)?;
                    answered_at = Instant::now();
                    continue;
                }
                // A person who is answering now is heard out: he means this question.
                recv(wait) -> _ => match self.hears_somebody() && due.elapsed() < LATE {
                    true => {
                        heard_out = Instant::now() + HEARING_OUT;
                        continue;
                    }
                    false => (Reply::Nothing, None),
                },
            };
            let is_silent = reply == Reply::Nothing;
            let Some(step) = self.answered(reply, level) else {
                return self.left();
            };
            answered_at = Instant::now();
            if step.is_done {
                return self.done(step);
            }
            if is_silent && !has_keys && step.says.is_empty() {
                return self.unanswered();
            }
            self.carry_out(step)?;
        }
    }

    /// What follows from an answer; `None` if the user leaves, which he is asked about first.
    fn answered(&mut self, reply: Reply, level: Option<Level>) -> Option<AfterReply> {
        let was_leaving = std::mem::replace(&mut self.is_leaving, reply == Reply::Leave);
        let reply = match reply {
            Reply::Leave => return Some(AfterReply::saying(vec![PhraseKey::ConfirmEnd.into()])),
            Reply::Yes if was_leaving => return None,
            // He stays, and hears the open question again.
            Reply::No | Reply::Nothing if was_leaving => Reply::Repeat,
            reply => reply,
        };
        Some(self.dialogue.answered(reply, level))
    }

    /// Until when to wait for an answer.
    fn patience(&self, until: Instant) -> Receiver<Instant> {
        if self.voice.is_speaking() || !self.somebody_may_be_lost() {
            crossbeam_channel::never()
        } else {
            crossbeam_channel::at(until)
        }
    }

    /// The last step; what it says is said to its end.
    fn done(mut self, step: AfterReply) -> Result<End<D>> {
        if !step.says.is_empty() {
            self.carry_out(step)?;
            self.voice.finish();
        }
        Ok(End::Answered(self.dialogue))
    }

    /// The user leaves.
    fn left(&mut self) -> Result<End<D>> {
        self.leave()?;
        Ok(End::Left)
    }

    /// Nobody answers. What was asked is said to its end.
    fn unanswered(&mut self) -> Result<End<D>> {
        self.leave()?;
        self.voice.finish();
        Ok(End::Unanswered)
    }

    /// Says what a step says, with the devices that it needs.
    fn carry_out(&mut self, step: AfterReply) -> Result<()> {
        if step.hushes {
            self.voice.silence();
        }
        let place = self.dialogue.devices();
        let language = data::language(place.language)?;
        self.voice.move_to(&place, &language);
        self.language = language;
        let deaf = self.listen();
        self.say(deaf.into_iter().chain(step.says).collect());
        Ok(())
    }

    fn say(&mut self, phrases: Vec<Phrase>) {
        let texts: Vec<String> = phrases
            .iter()
            .map(|phrase| self.language.text(phrase))
            .collect();
        if !texts.is_empty() {
            print_lines(&texts.join(D::BETWEEN), self.width);
        }
        self.voice.say(&phrases);
        self.tell_ear();
    }

    /// Opens the microphone of the question, unless it is open. Returns a remark, once, if it does
    /// not hear the language of the question.
    #[cfg(all(feature = "audio", feature = "recognizer"))]
    fn listen(&mut self) -> Option<Phrase> {
        let place = self.dialogue.devices();
        let (microphone, language) = (place.microphone.map(str::to_owned), place.language);
        let mut fault = None;
        if self.ear.as_ref().map(|ear| &ear.microphone) != microphone.as_ref() {
            self.ear = None;
            let opened = Ear::open(microphone?, language, self.speaking.clone());
            match opened {
                Ok(ear) => self.ear = Some(ear),
                Err(why) => fault = Some(why.fault(Part::Model)),
            }
        }
        let other = self.ear.as_ref().filter(|ear| ear.language != language);
        let name = || self.language.lexicon().name();
        let by_another =
            || Fault::new(Part::Model, Reason::Absent, Remedy::SpeakGerman).with(name());
        let fault = fault.or_else(|| other.map(|_| by_another()))?;
        let is_new = self.told_deaf.insert(language.to_owned());
        is_new.then(|| fault.into())
    }

    #[cfg(not(all(feature = "audio", feature = "recognizer")))]
    fn listen(&mut self) -> Option<Phrase> {
        None
    }

    #[cfg(all(feature = "audio", feature = "recognizer"))]
    fn tell_ear(&self) {
        if let Some(ear) = &self.ear {
            ear.set_own_speech(self.voice.is_speaking());
        }
    }

    #[cfg(not(all(feature = "audio", feature = "recognizer")))]
    fn tell_ear(&self) {}

    #[cfg(all(feature = "audio", feature = "recognizer"))]
    fn hears_somebody(&self) -> bool {
        self.ear.as_ref().is_some_and(Ear::hears_somebody)
    }

    #[cfg(not(all(feature = "audio", feature = "recognizer")))]
    fn hears_somebody(&self) -> bool {
        false
    }

    /// Whether there is a microphone for a spoken answer, as far as known.
    #[cfg(all(feature = "audio", feature = "recognizer"))]
    fn is_heard(&self) -> bool {
        self.ear.as_ref().is_some_and(Ear::listens)
    }

    #[cfg(not(all(feature = "audio", feature = "recognizer")))]
    fn is_heard(&self) -> bool {
        false
    }

    /// Whether somebody may be waiting in vain, at a device that he does not hear or that does not
    /// hear him. At a keyboard alone nobody is hurried.
    fn somebody_may_be_lost(&self) -> bool {
        let place = self.dialogue.devices();
        place.loudspeaker.is_some() || place.microphone.is_some()
    }

    /// The answer of a typed line, in the language of the question.
    fn typed(&self, line: &str) -> Result<Reply> {
        let words = console_words(self.dialogue.devices().language)?;
        let reply = read::typed_reply(line, &self.language, &words);
        self.dialogue.read(line, reply, &self.language)
    }

    fn leave(&mut self) -> Result<()> {
        let Some((language, farewell)) = self.dialogue.farewell() else {
            return Ok(());
        };
        let place = Place {
            language,
            ..self.dialogue.devices()
        };
        self.language = data::language(language)?;
        self.voice.move_to(&place, &self.language);
        self.say(vec![farewell.into()]);
        self.voice.finish();
        Ok(())
    }
}

fn print_lines(text: &str, width: usize) {
    for line in text.lines().flat_map(|line| fold(line, width)) {
        show!("{line}");
    }
}
