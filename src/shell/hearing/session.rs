//! Listens to files and to the microphone, for `annexd listen`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::front_for;
use super::listener::Utterance;
use super::listeners::{Heard, Listeners};
use super::model::HearingModel;
use super::report::{Report, line};
use super::source::Source;
use super::{BLOCK, SAMPLE_RATE};
use crate::notation::Lexicon;
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::consoles::folded_output;
use crate::shell::error::{ErrorKind, Result, error, sentence};

/// One language or several, a model of each, and an output format.
pub struct Session {
    lexicon: Arc<Lexicon>,
    model: Arc<HearingModel>,
    /// Other languages that are heard too.
    others: Vec<Heard>,
    as_json: bool,
}

impl Session {
    /// Loads the words and the model. `languages` is a language, or several with commas between
    /// them; the model is the first one's.
    ///
    /// # Errors
    ///
    /// Those of [`data::lexicon`] and [`HearingModel::open`].
    pub fn new(languages: &str, model: Option<&Path>, as_json: bool) -> Result<Self> {
        let mut languages = languages.split(',');
        let lexicon = data::lexicon(languages.next().unwrap_or_default())?;
        let model = match model {
            Some(folder) => HearingModel::open(folder, &lexicon)?,
            None => HearingModel::chosen(&lexicon)?,
        };
        let others = languages.map(|language| {
            let lexicon = data::lexicon(language)?;
            let model = HearingModel::chosen(&lexicon)?;
            Ok((Arc::new(lexicon), Arc::new(model)))
        });
        Ok(Self {
            others: others.collect::<Result<_>>()?,
            lexicon: Arc::new(lexicon),
            model: Arc::new(model),
            as_json,
        })
    }

    /// New listeners.
    ///
    /// # Errors
    ///
    /// Those of [`Listeners::new`].
    pub fn listeners(&self) -> Result<Listeners> {
        let mut languages = vec![(Arc::clone(&self.lexicon), Arc::clone(&self.model))];
        languages.extend(self.others.iter().cloned());
        Listeners::new(&languages)
    }

    /// The model of the first language.
    pub const fn model(&self) -> &Arc<HearingModel> {
        &self.model
    }

    /// The words of the first language.
    pub const fn lexicon(&self) -> &Arc<Lexicon> {
        &self.lexicon
    }

    /// Recognises files. For one that cannot be heard the error is printed, and the others are
    /// still heard.
    ///
    /// # Errors
    ///
    /// Those of printing what was heard.
    #[expect(clippy::print_stderr, reason = "each bad file gets its sentence")]
    pub fn files(&self, files: &[PathBuf], realtime: bool) -> Result<ExitCode> {
        let mut status = ExitCode::SUCCESS;
        for file in files {
            let name = file.display().to_string();
            let mut told = 0;
            let mut tell = |utterance: &Utterance, latency: Option<f64>| {
                told += 1;
                self.tell(&name, told, utterance, latency)
            };
            match self.file(file, realtime, &mut tell) {
                Ok(played) => {
                    if told == 0 {
                        self.tell_silence(&name, &played)?;
                    }
                }
                Err(error) if error.kind == ErrorKind::BadInput => {
                    eprintln!("annexd: {}", language::text(&error.sentence()));
                    status = ExitCode::from(&error);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(status)
    }

    /// Feeds one file to new listeners.
    ///
    /// # Errors
    ///
    /// Those of reading the file and of `tell`.
    pub fn file(
        &self,
        file: &Path,
        realtime: bool,
        tell: &mut dyn FnMut(&Utterance, Option<f64>) -> Result<()>,
    ) -> Result<Played> {
        let mut source = Source::open(file)?;
        let mut front = front_for(source.rate(), source.channels())?;
        let mut listeners = self.listeners()?;
        let begun = Instant::now();
        let mut pace = Pace { begun, fed: 0 };
        let mut ended = None;
        let mut heard = Vec::new();
        while ended.is_none() {
            let samples = match source.read() {
                Ok(Some(samples)) => front.feed(&samples),
                Ok(None) => {
                    ended = Some(Ok(()));
                    front.finish()
                }
                Err(error) => {
                    ended = Some(Err(error));
                    front.finish()
                }
            };
            for block in samples.chunks(BLOCK) {
                if realtime {
                    pace.wait_for(block.len());
                }
                pace.fed += block.len();
                heard.extend(listeners.feed(block));
                for utterance in heard.drain(..) {
                    let latency = realtime.then(|| pace.since(utterance.speech_ended));
                    tell(&utterance, latency)?;
                }
            }
        }
        let audio_s = pace.fed as f64 / f64::from(SAMPLE_RATE);
        for utterance in listeners.finish() {
            // The sound ends here. The silence that decides it has not been waited for.
            let latency = realtime.then(|| {
                let silence = utterance.decided.saturating_sub(utterance.speech_ended);
                (silence + utterance.compute_at_end).as_secs_f64() * 1000.0
            });
            tell(&utterance, latency)?;
        }
        let compute_s = begun.elapsed().as_secs_f64();
        ended.unwrap_or(Ok(()))?;
        Ok(Played { audio_s, compute_s })
    }

    /// Listens to the microphone until the process is interrupted.
    ///
    /// # Errors
    ///
    /// Those of the device, and [`ErrorKind::Missing`] in a build without sound.
    pub fn microphone(&self, device: Option<&str>) -> Result<ExitCode> {
        self.microphone_of_this_build(device)
    }

    #[cfg(feature = "audio")]
    fn microphone_of_this_build(&self, device: Option<&str>) -> Result<ExitCode> {
        let mut listeners = self.listeners()?;
        let microphone = super::microphone::Microphone::open(device)?;
        let mut front = front_for(microphone.rate(), microphone.channels())?;
        let name = format!("microphone {}", microphone.name());
        let mut pace = Pace {
            begun: Instant::now(),
            fed: 0,
        };
        let mut told = 0;
        loop {
            let samples = front.feed(&microphone.read()?);
            pace.fed += samples.len();
            for utterance in listeners.feed(&samples) {
                told += 1;
                self.tell(
                    &name,
                    told,
                    &utterance,
                    Some(pace.since(utterance.speech_ended)),
                )?;
            }
        }
    }

    #[cfg(not(feature = "audio"))]
    fn microphone_of_this_build(&self, _device: Option<&str>) -> Result<ExitCode> {
        Err(error!(Missing, BuiltWithoutSound))
    }

    /// Listens to the microphone until `tell` returns true.
    ///
    /// # Errors
    ///
    /// Those of the device, and [`ErrorKind::Missing`] in a build without sound.
    #[cfg(feature = "audio")]
    pub fn microphone_until(
        &self,
        device: Option<&str>,
        tell: &mut dyn FnMut(&Utterance) -> bool,
    ) -> Result<()> {
        let mut listeners = self.listeners()?;
        let microphone = super::microphone::Microphone::open(device)?;
        let mut front = front_for(microphone.rate(), microphone.channels())?;
        loop {
            let samples = front.feed(&microphone.read()?);
            for utterance in listeners.feed(&samples) {
                if tell(&utterance) {
                    return Ok(());
                }
            }
        }
    }

    /// Reports that this build has no microphone.
    ///
    /// # Errors
    ///
    /// Always [`ErrorKind::Missing`].
    #[cfg(not(feature = "audio"))]
    pub fn microphone_until(
        &self,
        device: Option<&str>,
        _tell: &mut dyn FnMut(&Utterance) -> bool,
    ) -> Result<()> {
        self.microphone_of_this_build(device).map(|_| ())
    }

    fn tell(&self, name: &str, told: usize, heard: &Utterance, latency: Option<f64>) -> Result<()> {
        if self.as_json {
            print_json(&Report::new(name, told, heard, latency))
        } else {
            print(&language::text(&line(&heard.lexicon, name, heard)))
        }
    }

    fn tell_silence(&self, name: &str, played: &Played) -> Result<()> {
        if self.as_json {
            print_json(&Report::of_silence(name, played.audio_s, played.compute_s))
        } else {
            print(&language::text(&sentence!(NothingWasSaid, name = name)))
        }
    }
}

/// The length of a file, and the time its recognition took.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// Seconds of sound.
    pub audio_s: f64,
    /// Seconds until it was recognised.
    pub compute_s: f64,
}

/// Feeds sound at the speed at which it was spoken.
struct Pace {
    begun: Instant,
    fed: usize,
}

impl Pace {
    /// Waits until these samples would have come from a microphone.
    fn wait_for(&self, samples: usize) {
        let due = Duration::from_secs_f64((self.fed + samples) as f64 / f64::from(SAMPLE_RATE));
        thread::sleep(due.saturating_sub(self.begun.elapsed()));
    }

    /// The milliseconds from a moment of the sound until now.
    fn since(&self, moment: Duration) -> f64 {
        self.begun.elapsed().saturating_sub(moment).as_secs_f64() * 1000.0
    }
}

fn print_json(report: &Report) -> Result<()> {
    let text =
        serde_json::to_string(report).map_err(|error| error!(Unwritable, NoJson, why = error))?;
    print(&text)
}

fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")
        .and_then(|()| out.flush())
        .map_err(folded_output::unwritten)
}
