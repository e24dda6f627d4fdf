//! Says lines and records each as it is said again.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use super::super::record_kit::{lines_of, manifest_of};
use super::super::say::{OneVoice, Through};
use crate::notation::{Command, Heard, Lexicon, Said, Style, typed};
use crate::phrases::{Argument, Language, Phrase, PhraseKey};
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Result, error, sentence};
use crate::shell::hearing::SAMPLE_RATE;
use crate::shell::hearing::endpoint::Patience;
use crate::shell::hearing::enrolled::{Place, TABLE, command, replace};
use crate::shell::hearing::eval::{self, Recording};
use crate::shell::hearing::front_for;
use crate::shell::hearing::listener::{Listener, Utterance};
use crate::shell::hearing::microphone::Microphone;
use crate::shell::hearing::model::HearingModel;
use crate::shell::hearing::verdict::Decision;
use crate::shell::speech::voice::Extent;

/// How many lines there are: moves, castling and commands. What they are is written down before the
/// first is read, so that who broke off goes on with the same ones.
const LINES: u16 = 50;
const SEED: u64 = 20;
/// So many lines are read in a minute.
const IN_A_MINUTE: usize = 9;
/// A line that was heard as another one so often is taken as it was said.
const TRIES: usize = 2;
/// What lasts so long was said, though no word of it was understood.
const SAID: Duration = Duration::from_millis(400);
/// A line is said again after so many seconds in which nobody spoke, and so often in a row.
const PATIENCE_S: u32 = 15;
const TIMES: usize = 4;
/// What nobody would say again is said so often in all until it is heard to its end, after a pause
/// in which the loudspeaker may come back.
const SAYINGS: usize = 3;
const BEFORE_SAYING_AGAIN: Duration = Duration::from_secs(2);
/// How long annexd's own voice is still on its way from the loudspeaker.
const ECHO: Duration = Duration::from_millis(300);

/// What became of a line.
enum Answer {
    Said(Arc<[i16]>),
    /// It was heard as another line, or not understood.
    Misheard,
    /// He has said nothing.
    Silence,
    /// He wants to hear it again.
    Repeat,
    /// He wants to say the line before once more.
    Back,
    /// He wants to stop.
    Stop,
}

/// Lets somebody read. Returns whether he has read all.
pub(super) fn read(
    name: &str,
    place: &Place,
    code: &str,
    microphone: Option<&str>,
    voice: Through,
) -> Result<bool> {
    let spoken = data::language(code)?;
    let lines = lines(place, code, &spoken)?;
    let next = |from: usize| {
        let mut left = lines.iter().enumerate().skip(from);
        left.find(|(_, line)| !is_read(line)).map(|(at, _)| at)
    };
    let Some(mut number) = next(0) else {
        return Ok(true);
    };
    let chosen = match microphone {
        Some(name) => Some(name.to_owned()),
        None => of_settings()?,
    };
    let ear = Ear::open(chosen.as_deref(), code).inspect_err(|_| {
        // Who has read nothing yet has not begun.
        if !lines.iter().any(is_read) {
            let _ = fs::remove_file(place.folder().join(TABLE));
            place.clear();
        }
    })?;
    let left = lines.iter().filter(|line| !is_read(line)).count();
    language::show(&sentence!(
        EnrolmentBegins,
        count = left,
        minutes = left.div_ceil(IN_A_MINUTE),
        path = place.folder().display()
    ));
    let mut mouth = Mouth::open(voice, code)?;
    mouth.tell_surely(how(left));
    let (mut tries, mut silent) = (0, 0);
    while let Some(line) = lines.get(number) {
        language::show(&sentence!(
            EnrolmentLine,
            number = number + 1,
            count = lines.len(),
            text = as_read(&spoken, line)
        ));
        mouth.say(line);
        let answer = ear.answer(line, tries + 1 >= TRIES)?;
        silent = match answer {
            Answer::Silence => silent + 1,
            _ => 0,
        };
        match answer {
            Answer::Said(sound) => {
                write(&line.file, &sound)?;
                tries = 0;
                match next(number).or_else(|| next(0)) {
                    Some(next) => number = next,
                    None => {
                        mouth.tell_surely(PhraseKey::AllRead.into());
                        return Ok(true);
                    }
                }
            }
            Answer::Misheard => {
                tries += 1;
                language::show(&sentence!(EnrolmentAgain));
                mouth.tell(PhraseKey::SayAgain.into());
            }
            Answer::Repeat => {}
            Answer::Silence if silent < TIMES => {}
            Answer::Back => {
                number = number.saturating_sub(1);
                tries = 0;
            }
            Answer::Stop | Answer::Silence => break,
        }
    }
    tell_stopped(&lines, &command(name, code, ""));
    mouth.tell_surely(PhraseKey::NotAllRead.into());
    Ok(false)
}

fn tell_stopped(lines: &[Recording], command: &str) {
    language::show(&sentence!(
        EnrolmentStopped,
        number = lines.iter().filter(|line| is_read(line)).count(),
        count = lines.len(),
        command = command
    ));
}

/// How so many lines are read.
fn how(lines: usize) -> Phrase {
    let minutes = u32::try_from(lines.div_ceil(IN_A_MINUTE)).unwrap_or(u32::MAX);
    Phrase::new(PhraseKey::ReadAfterMe, [Argument::Number(minutes)])
}

/// Says what came of the learning to whoever was read to.
pub(super) fn tell_result(has_learnt: bool, voice: Through, code: &str) -> Result<()> {
    let key = match has_learnt {
        true => PhraseKey::VoiceLearnt,
        false => PhraseKey::VoiceNotLearnt,
    };
    Mouth::open(voice, code)?.tell_surely(key.into());
    Ok(())
}

/// The lines of a place: those that were begun with, or new ones.
fn lines(place: &Place, code: &str, language: &Language) -> Result<Vec<Recording>> {
    let table = place.folder().join(TABLE);
    if !table.is_file() {
        place.make()?;
        let text = manifest_of(&lines_of(code, language, LINES, SEED)?);
        replace(&table, text.as_bytes())?;
    }
    let lexicon = language.lexicon();
    let is_known = |word: &str| lexicon.words().iter().any(|it| it.word == word);
    let rows = eval::read(&table)?.into_iter();
    // An update may have taken a word away.
    let rows = rows.filter(|row| row.text.split_whitespace().all(is_known));
    Ok(rows.collect())
}

/// Whether a line's recording is there and can be read.
fn is_read(line: &Recording) -> bool {
    hound::WavReader::open(&line.file).is_ok_and(|sound| sound.len() > 0)
}

/// The microphone of the settings, if they name one.
fn of_settings() -> Result<Option<String>> {
    let settings = Settings::load(None)?;
    let mut named = settings.devices.microphone.into_values();
    Ok(named.find(|name| name != "none"))
}

/// What a line announces, if it is a move.
fn announced(lexicon: &Lexicon, line: &Recording) -> Option<crate::notation::Announcement> {
    match typed(lexicon, &line.text).as_slice() {
        [Said::Move(announcement)] => Some(announcement.clone()),
        _ => None,
    }
}

/// A line as it is written for whoever reads it.
fn as_read(language: &Language, line: &Recording) -> String {
    match announced(language.lexicon(), line) {
        Some(announcement) => language.announcement(&announcement, Style::Long).text(),
        None => language.as_read(&line.text.split_whitespace().collect::<Vec<_>>()),
    }
}

/// What says the lines; nothing where he reads them himself, and once the voice is lost.
struct Mouth {
    voice: Option<OneVoice>,
    language: Language,
}

impl Mouth {
    fn open(voice: Through, code: &str) -> Result<Self> {
        let open = |voice| Ok(OneVoice::open(voice, None, 100, data::language(code)?));
        let voice = Some(voice).filter(|it| *it != Through::None);
        Ok(Self {
            voice: voice.map(open).transpose()?,
            language: data::language(code)?,
        })
    }

    /// Says a line: a move as in a game, all else in its words.
    fn say(&mut self, line: &Recording) {
        let words = || Argument::Text(as_read(&self.language, line));
        self.tell(match announced(self.language.lexicon(), line) {
            Some(announcement) => Phrase::new(PhraseKey::Announced, [Argument::Move(announcement)]),
            None => Phrase::new(PhraseKey::Words, [words()]),
        });
    }

    /// Says what nobody would say again: how it is read, and what came of it.
    fn tell_surely(&mut self, phrase: Phrase) {
        for _ in 1..SAYINGS {
            match self.tell(phrase.clone()) {
                Some(Extent::Cut | Extent::Unheard) => thread::sleep(BEFORE_SAYING_AGAIN),
                Some(Extent::Whole) | None => return,
            }
        }
        self.tell(phrase);
    }

    /// Returns how much of it was heard; `None` without a voice. A line is not tried again: who
    /// reads it on the screen would speak meanwhile, and nobody would listen.
    fn tell(&mut self, phrase: Phrase) -> Option<Extent> {
        let said = self.voice.as_ref()?.say(&phrase, &self.language);
        for remark in &said.remarks {
            crate::show!("{remark}");
        }
        if said.extent.is_none() {
            self.voice = None;
        } else {
            thread::sleep(ECHO);
        }
        said.extent
    }
}

/// What listens to him.
struct Ear {
    microphone: Microphone,
    model: Arc<HearingModel>,
    lexicon: Arc<Lexicon>,
}

impl Ear {
    fn open(microphone: Option<&str>, code: &str) -> Result<Self> {
        let microphone = Microphone::open(microphone)?;
        let lexicon = data::lexicon(code)?;
        let model = HearingModel::bundled(&lexicon)?;
        Ok(Self {
            microphone,
            model: Arc::new(model),
            lexicon: Arc::new(lexicon),
        })
    }

    /// Waits until he has said something. What was heard clearly as another line, and what was not
    /// understood, is wanted again, unless it `is_last_try`: the line may be hard to hear, which is
    /// what it is read for.
    fn answer(&self, line: &Recording, is_last_try: bool) -> Result<Answer> {
        let (rate, channels) = (self.microphone.rate(), self.microphone.channels());
        let mut front = front_for(rate, channels)?;
        let (model, lexicon) = (Arc::clone(&self.model), Arc::clone(&self.lexicon));
        let mut listener = Listener::new(model, lexicon, Patience::default())?;
        // What came while the line was said is annexd's own voice.
        while self.microphone.waiting() > 0 {
            self.microphone.read()?;
        }
        let mut left = u64::from(PATIENCE_S * SAMPLE_RATE);
        loop {
            let samples = front.feed(&self.microphone.read()?);
            left = left.saturating_sub(samples.len() as u64);
            if left == 0 && !listener.hears_somebody() {
                return Ok(Answer::Silence);
            }
            for utterance in listener.feed(&samples) {
                if let Some(answer) = answer(line, &utterance, is_last_try) {
                    return Ok(answer);
                }
            }
        }
    }
}

/// What an utterance means; `None` if it was a noise.
fn answer(line: &Recording, utterance: &Utterance, is_last_try: bool) -> Option<Answer> {
    let words: Vec<&str> = utterance.words.iter().map(|it| it.word.as_str()).collect();
    let is_line = words.join(" ") == line.text;
    match utterance.heard() {
        _ if is_line => {}
        Some(Heard::Clear(Said::Command(Command::Stop))) => return Some(Answer::Stop),
        Some(Heard::Clear(Said::Command(Command::Repeat))) => return Some(Answer::Repeat),
        Some(Heard::Clear(Said::Correction(None))) => return Some(Answer::Back),
        Some(Heard::Unclear(readings)) if !is_last_try && is_order(readings.first()) => {
            return Some(Answer::Misheard);
        }
        _ => {}
    }
    let is_speech = utterance.verdict.is_speech;
    let lasted = utterance
        .speech_ended
        .saturating_sub(utterance.speech_began);
    if !is_speech && lasted < SAID {
        return None;
    }
    let is_unsure = is_speech && utterance.verdict.decision != Decision::Take;
    if is_line || is_unsure || is_last_try {
        return Some(Answer::Said(Arc::clone(&utterance.sound)));
    }
    Some(Answer::Misheard)
}

/// Whether it may be meant for the reading and not be a line.
const fn is_order(said: Option<&Said>) -> bool {
    matches!(
        said,
        Some(Said::Command(Command::Stop | Command::Repeat) | Said::Correction(None))
    )
}

fn write(path: &Path, sound: &[i16]) -> Result<()> {
    let shape = hound::WavSpec {
        channels: 1,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let failed = |why: &dyn std::fmt::Display| {
        let (path, why) = (path.display(), why.to_string());
        error!(Unwritable, UnwritableMakeRoom, path = path, why = why)
    };
    let new = path.with_extension("new");
    let written = hound::WavWriter::create(&new, shape).and_then(|mut file| {
        sound.iter().try_for_each(|it| file.write_sample(*it))?;
        file.finalize()
    });
    written.map_err(|why| failed(&why))?;
    // A file that a power cut left empty would count for nothing.
    fs::File::open(&new)
        .and_then(|file| file.sync_all())
        .and_then(|()| fs::rename(&new, path))
        .map_err(|why| failed(&why))
}
