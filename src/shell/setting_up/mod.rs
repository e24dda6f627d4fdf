//! The spoken set-up: asks by loudspeaker, hears by microphone, keys and gamepad, and keeps the
//! answers. What is asked, and what an answer means, is [`crate::set_up`].

#[cfg(all(feature = "audio", feature = "recognizer"))]
mod ear;
mod keep;
mod read;
mod room;
mod voice;

#[cfg(all(feature = "audio", feature = "recognizer"))]
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

pub use keep::{answers_of, kept, with_answers};

use self::room::room;
use self::voice::Voice;
use super::error::Result;
#[cfg(all(feature = "audio", feature = "recognizer"))]
use super::error::{Fault, Part, Reason, Remedy};
use crate::phrases::{Language, Phrase, PhraseKey};
use crate::set_up::{Answers, Level, Place, Question, Reply, SetUp, Step};
use crate::shell::config::data;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::terminal;
use crate::shell::consoles::text_outlet::fold;
use crate::shell::session::assemble::{console_words, language_of};
use crate::shell::table::inbox::{Arrivals, door};
use crate::show;

/// Answers that may wait.
const WAITING: usize = 16;

/// How long an answer that is being spoken is heard out, before it is seen whether it still is.
const HEARING_OUT: Duration = Duration::from_millis(500);

/// So long after a question was due to be over nobody is heard out any more: it may be noise.
const LATE: Duration = Duration::from_secs(4);

/// What a microphone made of something that was said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spoken {
    /// What it means.
    pub(super) reply: Reply,
    /// How well it was taken.
    pub(super) level: Level,
}

/// Asks everything. `None` if it was left before the end; then nothing is to be kept.
///
/// # Errors
///
/// If the words of a language are missing or wrong.
pub fn ask(settings: &Settings, has_devices: bool) -> Result<Option<Answers>> {
    let (speaking, heard) = bounded(WAITING);
    let (pressing, pressed) = door();
    let mut table = Asking {
        set_up: SetUp::new(room(has_devices)?, answers_of(settings, has_devices)),
        voice: Voice::default(),
        width: settings.text.braille_width,
        language: data::language(&language_of(settings))?,
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
    let answers = table.work()?;
    drop(pressing);
    Ok(answers)
}

/// A gamepad answers too, whoever holds it.
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

    let person = Person::Player(Color::White);
    let controls = Controls::load(person, &settings.gamepad, &settings.keys).ok()?;
    let language = data::language(&language_of(settings)).ok()?;
    let pad = Pad::new(person, controls);
    Gamepad::open(pad, person, language, Turns::default(), reports).ok()
}

/// The set-up at work.
struct Asking {
    set_up: SetUp,
    voice: Voice,
    width: usize,
    /// The language of the open question.
    language: Language,
    #[cfg_attr(
        not(all(feature = "audio", feature = "recognizer")),
        expect(dead_code, reason = "nobody is heard")
    )]
    speaking: Sender<Spoken>,
    heard: Receiver<Spoken>,
    pressed: Arrivals,
    #[cfg(all(feature = "audio", feature = "recognizer"))]
    ear: Option<ear::Ear>,
    /// The languages that are not heard, and of which that was said.
    #[cfg(all(feature = "audio", feature = "recognizer"))]
    told_deaf: BTreeSet<String>,
}

impl Asking {
    fn work(&mut self) -> Result<Option<Answers>> {
        let lines = terminal::lines();
        let never = crossbeam_channel::never();
        let step = self.set_up.begin();
        self.carry_out(step)?;
        let mut answered_at = Instant::now();
        let mut heard_out = answered_at;
        loop {
            let events = self.voice.events().unwrap_or(&never).clone();
            // A person begins to think when the question has been heard.
            let due = answered_at.max(self.voice.silent_since()) + self.set_up.patience();
            let until = due.max(heard_out);
            let wait = if self.voice.is_speaking() || !self.somebody_may_be_lost() {
                never_ending()
            } else {
                crossbeam_channel::at(until)
            };
            let (reply, level) = crossbeam_channel::select! {
                recv(lines) -> line => match line {
                    Ok(line) if terminal::is_leaving(&line) => return self.leave(),
                    Ok(line) => (self.typed(&line)?, None),
                    Err(_) => return self.leave(),
                },
                recv(self.heard) -> spoken => match spoken {
                    Ok(spoken) => (spoken.reply, Some(spoken.level)),
                    Err(_) => continue,
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
                // Who is answering just now is heard out: he means this question.
                recv(wait) -> _ => match self.hears_somebody() && due.elapsed() < LATE {
                    true => {
                        heard_out = Instant::now() + HEARING_OUT;
                        continue;
                    }
                    false => (Reply::Nothing, None),
                },
            };
            let step = self.set_up.hear(reply, level);
            answered_at = Instant::now();
            if step.is_done {
                return Ok(Some(self.set_up.answers().clone()));
            }
            self.carry_out(step)?;
        }
    }

    /// Says what a step says, with the devices that it needs.
    fn carry_out(&mut self, step: Step) -> Result<()> {
        if step.hushes {
            self.voice.hush();
        }
        let place = self.set_up.place();
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
            print_lines(&texts.join(" "), self.width);
        }
        for phrase in &phrases {
            self.voice.say(phrase);
        }
        self.tell_ear();
    }

    /// Opens the microphone of the question, unless it is open. If it does not hear the language of
    /// the question that is to be said, once.
    #[cfg(all(feature = "audio", feature = "recognizer"))]
    fn listen(&mut self) -> Option<Phrase> {
        let place = self.set_up.place();
        let (microphone, language) = (place.microphone.map(str::to_owned), place.language);
        let mut fault = None;
        if self.ear.as_ref().map(|ear| &ear.microphone) != microphone.as_ref() {
            self.ear = None;
            let opened = ear::Ear::open(microphone?, language, self.speaking.clone());
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
            ear.we_speak(self.voice.is_speaking());
        }
    }

    #[cfg(not(all(feature = "audio", feature = "recognizer")))]
    fn tell_ear(&self) {}

    #[cfg(all(feature = "audio", feature = "recognizer"))]
    fn hears_somebody(&self) -> bool {
        self.ear.as_ref().is_some_and(ear::Ear::hears_somebody)
    }

    #[cfg(not(all(feature = "audio", feature = "recognizer")))]
    fn hears_somebody(&self) -> bool {
        false
    }

    /// Whether somebody may be waiting in vain: at a device he does not hear, or that does not
    /// hear him. At a mere keyboard nobody is hurried.
    fn somebody_may_be_lost(&self) -> bool {
        let place = self.set_up.place();
        place.loudspeaker.is_some() || place.microphone.is_some()
    }

    /// What a typed line answers, in the language of the question, and where that is what is asked
    /// for, in any.
    fn typed(&self, line: &str) -> Result<Reply> {
        let reply = read::typed_reply(line, &self.language, &self.words()?);
        if self.set_up.question() != Question::Language || !matches!(reply, Reply::Text(_)) {
            return Ok(reply);
        }
        let mut read = Vec::new();
        for code in data::languages()? {
            read.push((data::language(&code)?, console_words(&code)?));
        }
        let among: Vec<_> = read
            .iter()
            .map(|(language, words)| (language, words))
            .collect();
        Ok(read::typed_reply_in_any(line, &among).unwrap_or(reply))
    }

    fn words(&self) -> Result<crate::shell::consoles::words::ConsoleWords> {
        console_words(self.set_up.place().language)
    }

    fn leave(&mut self) -> Result<Option<Answers>> {
        let language = &self.set_up.answers().language;
        let place = Place {
            language,
            ..self.set_up.place()
        };
        self.language = data::language(language)?;
        self.voice.move_to(&place, &self.language);
        self.say(vec![PhraseKey::SetUpLeft.into()]);
        self.voice.finish();
        Ok(None)
    }
}

fn never_ending() -> Receiver<Instant> {
    crossbeam_channel::never()
}

/// Keeps the answers in the settings file, the user's own if no other is named, and gives them
/// back as settings.
///
/// # Errors
///
/// If the file cannot be read, understood or written.
pub fn keep(named: Option<&Path>, answers: &Answers) -> Result<Settings> {
    keep::write(named, answers)?;
    let settings = Settings::load(named)?;
    Ok(with_answers(settings, answers))
}

/// The sentence that the answers were kept.
///
/// # Errors
///
/// If the words of the language are missing or wrong.
pub fn kept_sentence(answers: &Answers) -> Result<String> {
    let language = data::language(&answers.language)?;
    Ok(language.text(&PhraseKey::SetUpKept.into()))
}

fn print_lines(text: &str, width: usize) {
    for line in fold(text, width) {
        show!("{line}");
    }
}
