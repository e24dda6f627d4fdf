//! `annexd say`.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, unbounded};
use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{ByColor, CastlingMode, Chess, Color};

use crate::game::Priority;
use crate::notation::{Announcement, Said, typed};
use crate::persons::Channel;
use crate::phrases::{Argument, Language, Phrase, PhraseKey, Spoken};
use crate::shell::config::data;
use crate::shell::config::language;
use crate::shell::error::{Result, error, sentence};
use crate::shell::hearing::somebody_speaks::SpeechMonitor;
use crate::shell::speech::sound::CLIP_RATE;
use crate::shell::speech::voice::{
    ANNOUNCEMENT, ChannelLanguages, Clips, EarconSettings, Extent, Speaker, SpeakerEvent,
    SpeakerSettings, VoiceKind, VoiceSettings,
};
use crate::show;

/// Prints the words of an announcement, and says them or writes them to a file.
///
/// The move may be written (Nf3, g1f3, e8=Q) or given in words of the language. The exit status
/// is 5 if something was not said to its end.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The move.
    #[arg(value_name = "MOVE", required_unless_present_any = ["text", "lines", "list_clips"])]
    announced: Vec<String>,
    /// The position before the move; the initial position if not given.
    #[arg(long)]
    fen: Option<String>,
    /// Says a text instead of a move.
    #[arg(long, conflicts_with_all = ["announced", "fen"])]
    text: Option<String>,
    /// Says every line of the standard input and prints how much of it was heard.
    #[arg(long, conflicts_with_all = ["announced", "text", "wav"])]
    lines: bool,
    /// The language; German if nothing else is said.
    #[arg(long)]
    language: Option<String>,
    /// Long names the square of departure, short leaves it out.
    #[arg(long, value_enum, default_value_t = Form::Long)]
    style: Form,
    /// Writes a WAV file instead of speaking; always with clips.
    #[arg(long, value_name = "OUT")]
    wav: Option<PathBuf>,
    /// By what it is said.
    #[arg(long, value_enum, default_value_t = Through::Clips)]
    voice: Through,
    /// The device for clips, by a name that `annexd check` prints.
    #[arg(long)]
    device: Option<String>,
    /// The rate of speech in percent, 50 to 250.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(50..=250))]
    rate: u32,
    /// Prints the name and the words of every clip the language needs.
    #[arg(long)]
    list_clips: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Form {
    Long,
    Short,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub(super) enum Through {
    /// The clips that come with annexd.
    Clips,
    /// The system's own voice; clips where it fails.
    System,
    /// Nothing: the words are only printed.
    None,
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the words are what the command is for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    let language = data::language(&language_of(&arguments))?;
    if arguments.list_clips {
        for words in language.vocabulary() {
            println!("{}\t{words}", Spoken::clip_name(&words));
        }
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.lines {
        let voice = one_voice(&arguments, language);
        let lines = std::io::stdin().lock().lines();
        let mut status = ExitCode::SUCCESS;
        for line in lines.map_while(std::result::Result::ok) {
            let phrase = Phrase::new(PhraseKey::Words, [Argument::Text(line)]);
            // Problems are reported at once, not after what is spoken instead.
            let said = voice.say_telling(&phrase, &voice.language, |remark| show!("{remark}"));
            show!("{}: {}", said.word(), voice.language.text(&phrase));
            status = said.status();
        }
        return Ok(status);
    }
    let phrase = match &arguments.text {
        Some(text) => Phrase::new(PhraseKey::Words, [Argument::Text(text.clone())]),
        None => announced(&arguments, &language)?,
    };
    let spoken = language.render(&phrase);
    show!("{}", spoken.text());
    if let Some(path) = &arguments.wav {
        if arguments.voice == Through::System {
            return Err(error!(Usage, AlwaysClips));
        }
        write_wav(path, &arguments, &language, &phrase)?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.voice == Through::None {
        return Ok(ExitCode::SUCCESS);
    }
    let text = spoken.text().to_owned();
    let voice = one_voice(&arguments, language);
    let told_in = data::language(&language::asked_or_answering(None))?;
    let said = voice.say(&phrase, &told_in);
    let why = said.remarks.join(" ");
    Err(match said.extent {
        Some(Extent::Whole) => return Ok(ExitCode::SUCCESS),
        Some(Extent::Cut) => error!(DeviceLost, NotSaidToTheEnd, text = text, why = why),
        _ => error!(DeviceLost, NotSaid, text = text, why = why),
    })
}

/// The language from the command line, or else from ANNEXD_LANGUAGE, which also sets the language
/// of answers.
fn language_of(arguments: &Arguments) -> String {
    let of_environment = || language::of_environment().filter(|code| data::language(code).is_ok());
    let asked = arguments.language.clone().or_else(of_environment);
    asked.unwrap_or_else(|| "de".to_owned())
}

fn announced(arguments: &Arguments, language: &Language) -> Result<Phrase> {
    let text = arguments.announced.join(" ");
    let position = position(arguments.fen.as_deref())?;
    let mut announced = match read_move(&text, &position) {
        Some(announcement) => announcement,
        None => match typed(language.lexicon(), &text).as_slice() {
            [Said::Move(announcement)] => announcement.clone(),
            _ => {
                return Err(error!(Usage, NoMoveToSay, text = text));
            }
        },
    };
    if let (Form::Short, Announcement::Move(announced)) = (arguments.style, &mut announced) {
        announced.from = None;
    }
    Ok(Phrase::new(
        PhraseKey::Announced,
        [Argument::Move(announced)],
    ))
}

fn position(fen: Option<&str>) -> Result<Chess> {
    let Some(fen) = fen else {
        return Ok(Chess::default());
    };
    let read = Fen::from_ascii(fen.as_bytes());
    let read = read.map_err(|why| error!(Usage, PositionWrong, fen = fen, why = why))?;
    read.into_position(CastlingMode::Standard).map_err(|_| {
        let why = sentence!(NoLegalPosition);
        error!(Usage, PositionWrong, fen = fen, why = why)
    })
}

fn read_move(text: &str, position: &Chess) -> Option<Announcement> {
    if let Ok(san) = text.parse::<San>()
        && let Ok(found) = san.to_move(position)
    {
        return Some(Announcement::from(&found));
    }
    let uci: UciMove = text.parse().ok()?;
    Some(Announcement::from(&uci.to_move(position).ok()?))
}

fn write_wav(
    path: &Path,
    arguments: &Arguments,
    language: &Language,
    phrase: &Phrase,
) -> Result<()> {
    let clips = Clips::open(language.lexicon().language())?;
    let (samples, silent) = clips.say(language, phrase, arguments.rate);
    if silent > 0 {
        return Err(error!(
            Missing,
            SayWithoutClip,
            count = silent,
            path = path.display()
        ));
    }
    let unwritable =
        |error: hound::Error| error!(Unwritable, Unwritable, path = path.display(), why = error);
    let shape = hound::WavSpec {
        channels: 1,
        sample_rate: CLIP_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut file = hound::WavWriter::create(path, shape).map_err(unwritable)?;
    // Silence before and after, as around everything spoken. With it an announcement takes two and
    // a half seconds.
    let most = CLIP_RATE as usize / 4;
    let around = match phrase.is_announcement() {
        true => (ANNOUNCEMENT.saturating_sub(samples.len()) / 2).clamp(most / 10, most),
        false => most,
    };
    let silence = || std::iter::repeat_n(0, around);
    for sample in silence().chain(samples).chain(silence()) {
        file.write_sample(sample).map_err(unwritable)?;
    }
    file.finalize().map_err(unwritable)
}

fn one_voice(arguments: &Arguments, language: Language) -> OneVoice {
    let device = arguments.device.clone();
    OneVoice::open(arguments.voice, device, arguments.rate, language)
}

/// Listing and choosing a system's voices takes seconds, and more on a busy machine.
const FOR_THE_SYSTEM_VOICE: Duration = Duration::from_secs(30);

/// A speaker with one channel.
pub(super) struct OneVoice {
    speaker: Speaker,
    events: Receiver<SpeakerEvent>,
    pub(super) language: Arc<Language>,
}

impl OneVoice {
    pub(super) fn open(
        through: Through,
        device: Option<String>,
        rate_percent: u32,
        language: Language,
    ) -> Self {
        let language = Arc::new(language);
        let voice = match through {
            Through::Clips => VoiceKind::Clips,
            Through::System => VoiceKind::System,
            Through::None => VoiceKind::Silent,
        };
        let ear = VoiceSettings {
            voice,
            device,
            rate_percent,
            ..VoiceSettings::default()
        };
        let settings = SpeakerSettings {
            table: VoiceSettings {
                voice: VoiceKind::Silent,
                ..VoiceSettings::default()
            },
            ears: ByColor {
                white: Some(ear),
                black: None,
            },
            earcons: EarconSettings::default(),
        };
        let languages = ChannelLanguages {
            table: Arc::clone(&language),
            ears: ByColor {
                white: Arc::clone(&language),
                black: Arc::clone(&language),
            },
        };
        let (told, events) = unbounded();
        let speaker = Speaker::open(settings, languages, SpeechMonitor::default(), told);
        speaker.wait_for_voices(FOR_THE_SYSTEM_VOICE);
        Self {
            speaker,
            events,
            language,
        }
    }

    /// Says a phrase to its end. Returns how much was heard, with remarks in the language
    /// `told_in`.
    pub(super) fn say(&self, phrase: &Phrase, told_in: &Language) -> Outcome {
        let mut remarks = Vec::new();
        let said = self.say_telling(phrase, told_in, |remark| remarks.push(remark));
        Outcome { remarks, ..said }
    }

    /// The same, but each remark is passed to `tell` at once, and none is in the outcome.
    fn say_telling(
        &self,
        phrase: &Phrase,
        told_in: &Language,
        mut tell: impl FnMut(String),
    ) -> Outcome {
        let saying = self
            .speaker
            .say(Channel::Ear(Color::White), phrase, Priority::Normal);
        let ended = |extent| Outcome {
            extent,
            remarks: Vec::new(),
        };
        loop {
            match self.events.recv_timeout(Duration::from_secs(60)) {
                Ok(SpeakerEvent::Finished { id, extent }) if id == saying => {
                    return ended(Some(extent));
                }
                // The usual remark, that it speaks on, would be wrong here.
                Ok(SpeakerEvent::Fault {
                    phrase,
                    speaks_on: false,
                    ..
                }) if phrase.key == PhraseKey::VoiceLost => {
                    tell(told_in.sentence(&sentence!(VoiceSilent)));
                }
                Ok(SpeakerEvent::Fault { phrase, .. } | SpeakerEvent::Recovered { phrase, .. }) => {
                    tell(told_in.text(&phrase));
                }
                Ok(SpeakerEvent::Torn { id }) if id == saying => {
                    tell(format!("torn: {}", self.language.text(phrase)));
                }
                Ok(_) => {}
                Err(_) => {
                    tell(told_in.sentence(&sentence!(VoiceSilent)));
                    return ended(None);
                }
            }
        }
    }
}

/// The outcome of saying something.
pub(super) struct Outcome {
    /// How much of it was heard; `None` if the voice never reported.
    pub(super) extent: Option<Extent>,
    /// What the voices reported meanwhile.
    pub(super) remarks: Vec<String>,
}

impl Outcome {
    fn status(&self) -> ExitCode {
        match self.extent {
            Some(Extent::Whole) => ExitCode::SUCCESS,
            Some(Extent::Cut | Extent::Unheard) | None => ExitCode::from(5),
        }
    }

    /// The outcome in one word, for a program that sends lines.
    const fn word(&self) -> &'static str {
        match self.extent {
            Some(Extent::Whole) => "heard",
            Some(Extent::Cut) => "cut",
            Some(Extent::Unheard) | None => "unheard",
        }
    }
}
