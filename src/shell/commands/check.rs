//! `annexd check`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::{Serialize, Serializer};

use super::bundle::{Bundle, told_of};
use crate::game::Mode;
use crate::phrases::{Sentence, SentenceKey};
use crate::shell::boards::outlet;
use crate::shell::boards::wire;
use crate::shell::boards::{self, Kind, PortSettings};
use crate::shell::config::data;
use crate::shell::config::folders;
use crate::shell::config::language;
use crate::shell::config::settings::Settings;
use crate::shell::consoles::server;
#[cfg(any(feature = "gamepad", feature = "serial"))]
use crate::shell::error::Error;
use crate::shell::error::{Result, error, sentence};
#[cfg(any(feature = "gamepad", feature = "serial"))]
use crate::shell::machine::libraries;
use crate::shell::record::catalogue;
use crate::shell::speech::voice::VoiceKind;
use crate::show;

/// Says of every part whether it works, and if not, what to do.
///
/// The exit status is 0 if a game can be played by voice, 1 if by keyboard only, and 2 or more
/// if not at all.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Print one JSON object per part.
    #[arg(long)]
    json: bool,
    /// The language spoken at the table, if not that of the settings.
    #[arg(long)]
    language: Option<String>,
    /// The settings file, if not the usual one.
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Write what whoever looks for a fault needs into this new text file: what was found, the
    /// settings, the diary and an outline of the last game, without sound and names.
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// With names, and with all that was said in the last game.
    #[arg(long, requires = "bundle")]
    names: bool,
}

/// What was found about a part.
#[derive(Serialize)]
struct Finding {
    #[serde(serialize_with = "part_in_english")]
    part: SentenceKey,
    ok: bool,
    #[serde(serialize_with = "in_english")]
    text: Sentence,
    #[serde(skip)]
    need: Need,
}

/// What cannot be done without a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// No game at all.
    AnyGame,
    /// No game by voice.
    Voice,
    /// Nothing that cannot be done another way.
    Comfort,
}

/// With less free space the disk may not hold a whole game with everything that is kept.
const DISK_BYTES_MIN: u64 = 100 << 20;

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the findings are what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    #[cfg(feature = "audio")]
    crate::shell::speech::sound::quiet_alsa();
    let read = Settings::load(arguments.settings.as_deref());
    let set = read.as_ref().map(Clone::clone).unwrap_or_default();
    let language = arguments
        .language
        .unwrap_or_else(|| set.game.language_of_table());
    let findings: Vec<Finding> = microphones(&set)
        .into_iter()
        .chain(loudspeakers(&set))
        .chain([
            system_voice(),
            clips(&language),
            recogniser(),
            model(&language),
            gamepads(),
            braille(),
            serial_ports(),
        ])
        .chain(electronic_boards(&set))
        .chain([
            settings(arguments.settings.as_deref(), read),
            grammar(&language),
            data_folder(&set),
            free_disk(&set),
            consoles(),
            kept(&set),
        ])
        .collect();
    for finding in &findings {
        if arguments.json {
            println!("{}", finding.json());
        } else {
            show!("{}", language::text(&finding.sentence()));
        }
    }
    let lacks = |need| {
        findings
            .iter()
            .any(|finding| !finding.ok && finding.need == need)
    };
    let (status, text) = match (lacks(Need::AnyGame), lacks(Need::Voice)) {
        (true, _) => (2, sentence!(NoGameCanBePlayed)),
        (false, true) => (1, sentence!(KeyboardGameCanBePlayed)),
        (false, false) => (0, sentence!(VoiceGameCanBePlayed)),
    };
    if !arguments.json {
        show!("{}", language::text(&text));
    }
    if let Some(path) = &arguments.bundle {
        let bundle = Bundle {
            findings: findings.iter().map(Finding::json).collect(),
            settings: &set,
            settings_file: arguments.settings.as_deref(),
            names: arguments.names,
        };
        bundle.write(path)?;
        if !arguments.json {
            show!("{}", language::text(&told_of(path, arguments.names)));
        }
    }
    Ok(ExitCode::from(status))
}

impl Finding {
    fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    fn sentence(&self) -> Sentence {
        let state = if self.ok {
            sentence!(IsOk)
        } else {
            sentence!(IsMissing)
        };
        let part = Sentence::new(self.part);
        sentence!(Finding, part = part, state = state, text = self.text)
    }
}

fn finding(part: SentenceKey, need: Need, found: Result<Sentence>) -> Finding {
    let ok = found.is_ok();
    let text = found.unwrap_or_else(|error| error.sentence());
    Finding {
        part,
        ok,
        text,
        need,
    }
}

/// Serialises a sentence in English, for programs.
fn in_english<S: Serializer>(sentence: &Sentence, to: S) -> std::result::Result<S::Ok, S::Error> {
    to.collect_str(sentence)
}

fn part_in_english<S: Serializer>(
    part: &SentenceKey,
    to: S,
) -> std::result::Result<S::Ok, S::Error> {
    to.collect_str(&Sentence::new(*part))
}

#[cfg(any(feature = "gamepad", feature = "serial"))]
fn listed(names: &[String], none: Error) -> Result<Sentence> {
    if names.is_empty() {
        return Err(none);
    }
    Ok(sentence!(NamesEnd, names = names.join("; ")))
}

/// Checks the microphones that the settings name, or else the system's own.
fn microphones(settings: &Settings) -> Vec<Finding> {
    let named = settings.devices.microphone.values();
    let mut wanted: Vec<Option<&String>> = named.filter(|name| *name != "none").map(Some).collect();
    if settings.devices.microphone.is_empty() {
        wanted.push(None);
    }
    let open =
        |name: Option<&String>| finding(SentenceKey::PartMicrophone, Need::Voice, microphone(name));
    wanted.into_iter().map(open).collect()
}

#[cfg(feature = "audio")]
fn microphone(name: Option<&String>) -> Result<Sentence> {
    let microphone = crate::shell::hearing::microphone::Microphone::open(name.map(String::as_str))?;
    let (name, rate) = (microphone.name(), microphone.rate());
    Ok(sentence!(MicrophoneOpens, name = name, rate = rate))
}

#[cfg(not(feature = "audio"))]
fn microphone(_: Option<&String>) -> Result<Sentence> {
    Err(error!(Missing, NoSoundBuilt))
}

/// Checks the loudspeakers that the settings name, or else the system's own.
fn loudspeakers(settings: &Settings) -> Vec<Finding> {
    use crate::shell::speech::sound::{Loudspeaker, loudspeakers};

    let voice = &settings.voice;
    let channels = [
        Some(&voice.table),
        voice.ear.white.as_ref(),
        voice.ear.black.as_ref(),
    ];
    let devices: BTreeSet<Option<&str>> = channels
        .into_iter()
        .flatten()
        .filter(|channel| channel.voice == VoiceKind::Clips)
        .map(|channel| channel.device.as_deref())
        .collect();
    let open = |device: Option<&str>| {
        let which = device.map_or(sentence!(UsualOne), |name| sentence!(AsItIs, text = name));
        let names = || loudspeakers().join("; ");
        Loudspeaker::open(device, |_| {})
            .map(|_| sentence!(LoudspeakerOpens, name = which, names = names()))
    };
    let found = |device| finding(SentenceKey::PartLoudspeakers, Need::Voice, open(device));
    devices.into_iter().map(found).collect()
}

/// Checks the electronic boards that the settings name: each is opened, and has to answer.
fn electronic_boards(settings: &Settings) -> Vec<Finding> {
    let wires = outlet::wires(settings).unwrap_or_default();
    let answers = |wire: wire::Wire| {
        let whose = wire.side.map_or_else(
            || sentence!(TheChessclock),
            |side| sentence!(BoardOf, side = side),
        );
        let port = PortSettings {
            kind: wire.kind,
            allows_network: settings.game.mode != Mode::Rated,
            ..PortSettings::new(wire.port)
        };
        let (port, kind) = boards::recognised(&port)?;
        let kind = match kind {
            Kind::Dgt => sentence!(KindDgt),
            Kind::Chesslink => sentence!(KindChesslink),
            Kind::Cpp => sentence!(KindCpp),
            Kind::Occupancy => sentence!(KindOccupancy),
        };
        Ok(sentence!(
            BoardAnswers,
            port = port,
            kind = kind,
            whose = whose
        ))
    };
    let found = |wire| finding(SentenceKey::PartBoard, Need::Comfort, answers(wire));
    wires.into_iter().map(found).collect()
}

#[cfg(feature = "voice")]
fn system_voice() -> Finding {
    // Only speaking would show whether it speaks. Whether it is installed is known at once.
    let found = speech_found();
    finding(SentenceKey::PartSystemVoice, Need::Comfort, found)
}

#[cfg(feature = "voice")]
fn speech_found() -> Result<Sentence> {
    use crate::shell::speech::voice::{nvda_is_installed, nvda_runs};

    match (nvda_is_installed(), nvda_runs()) {
        (true, true) => Ok(sentence!(NvdaSpeaks)),
        (true, false) if cfg!(windows) => Ok(sentence!(NvdaIsSilent)),
        _ => tts_found(),
    }
}

#[cfg(all(feature = "voice", target_os = "linux"))]
fn tts_found() -> Result<Sentence> {
    if crate::shell::speech::voice::has_system_voice() {
        return Ok(sentence!(SpeechServiceInstalled));
    }
    Err(error!(Missing, SpeechServiceAbsent))
}

#[cfg(all(feature = "voice", not(target_os = "linux")))]
fn tts_found() -> Result<Sentence> {
    Ok(sentence!(SystemsOwnVoice))
}

#[cfg(not(feature = "voice"))]
fn system_voice() -> Finding {
    let found = Err(error!(Missing, BuiltWithoutVoice));
    finding(SentenceKey::PartSystemVoice, Need::Comfort, found)
}

fn clips(language: &str) -> Finding {
    let found = crate::shell::speech::voice::Clips::open(language)
        .map(|_| sentence!(ClipsAreThere, language = language));
    finding(SentenceKey::PartClips, Need::Voice, found)
}

#[cfg(feature = "recognizer")]
fn recogniser() -> Finding {
    let found = crate::shell::hearing::libvosk::open().map(|()| sentence!(RecogniserLoaded));
    finding(SentenceKey::PartRecogniser, Need::Voice, found)
}

#[cfg(not(feature = "recognizer"))]
fn recogniser() -> Finding {
    let found = Err(error!(Missing, NoRecogniserBuilt));
    finding(SentenceKey::PartRecogniser, Need::Voice, found)
}

#[cfg(feature = "recognizer")]
fn model(language: &str) -> Finding {
    let found = data::lexicon(language).and_then(|lexicon| {
        let model = crate::shell::hearing::model::HearingModel::chosen(&lexicon)?;
        Ok(sentence!(
            ModelKnows,
            name = model.name(),
            count = lexicon.words().len(),
            language = language
        ))
    });
    finding(SentenceKey::PartModel, Need::Voice, found)
}

#[cfg(not(feature = "recognizer"))]
fn model(_language: &str) -> Finding {
    let found = Err(error!(Missing, NoRecogniserBuilt));
    finding(SentenceKey::PartModel, Need::Voice, found)
}

fn gamepads() -> Finding {
    #[cfg(feature = "gamepad")]
    let found = match libraries::has_udev().then(gilrs::Gilrs::new) {
        Some(Ok(gilrs)) => {
            let pads = gilrs.gamepads();
            let names: Vec<String> = pads.map(|(_, pad)| pad.name().to_owned()).collect();
            listed(&names, error!(Missing, NoGamepad))
        }
        Some(Err(error)) => Err(error!(Missing, GamepadsFailed, why = error.to_string())),
        None => Err(error!(Missing, NoUdevLibrary)),
    };
    #[cfg(not(feature = "gamepad"))]
    let found = Err(error!(Missing, BuiltWithoutGamepads));
    finding(SentenceKey::PartGamepads, Need::Comfort, found)
}

#[cfg(unix)]
fn braille() -> Finding {
    let found = crate::shell::braille::Place::usual().find();
    let found =
        found.map(|found| sentence!(BrailleFound, driver = found.driver, cells = found.cells));
    finding(SentenceKey::PartBraille, Need::Comfort, found)
}

#[cfg(not(unix))]
fn braille() -> Finding {
    let found = match crate::shell::speech::voice::nvda_runs() {
        true => Ok(sentence!(BrailleByNvda)),
        false => Err(error!(Missing, BrailleByNvda)),
    };
    finding(SentenceKey::PartBraille, Need::Comfort, found)
}

fn serial_ports() -> Finding {
    #[cfg(feature = "serial")]
    let found = match libraries::has_udev().then(serialport::available_ports) {
        Some(Ok(ports)) => {
            let names: Vec<String> = ports.into_iter().map(|port| port.port_name).collect();
            listed(&names, error!(Missing, NoSerialPort))
        }
        Some(Err(error)) => Err(error!(Missing, SerialPortsFailed, why = error.to_string())),
        None => Err(error!(Missing, NoUdevLibrary)),
    };
    #[cfg(not(feature = "serial"))]
    let found = Err(error!(Missing, BuiltWithoutBoards));
    finding(SentenceKey::PartSerialPorts, Need::Comfort, found)
}

fn settings(named: Option<&Path>, read: Result<Settings>) -> Finding {
    let found = read.and_then(|_| {
        let path = named.map_or_else(folders::settings_file, |it| Ok(it.to_owned()))?;
        Ok(if path.is_file() {
            sentence!(SettingsRight, path = path.display())
        } else {
            sentence!(SettingsUsual, path = path.display())
        })
    });
    finding(SentenceKey::PartSettings, Need::AnyGame, found)
}

fn grammar(language: &str) -> Finding {
    let found = data::language(language)
        .and_then(|_| data::lexicon(language))
        .map(|lexicon| sentence!(LanguageComplete, name = lexicon.name()));
    finding(SentenceKey::PartLanguage, Need::AnyGame, found)
}

fn data_folder(settings: &Settings) -> Finding {
    let found = catalogue::folder(settings).and_then(|folder| {
        let probe = folder.join(".annexd-probe");
        let written = std::fs::write(&probe, "probe");
        let _ = std::fs::remove_file(&probe);
        match written {
            Ok(()) => Ok(sentence!(
                FolderHolds,
                path = folder.display(),
                count = catalogue::all(&folder).len()
            )),
            Err(error) => Err(error!(
                Missing,
                Unwritable,
                path = folder.display(),
                why = error
            )),
        }
    });
    finding(SentenceKey::PartDataFolder, Need::AnyGame, found)
}

fn free_disk(settings: &Settings) -> Finding {
    let found = catalogue::folder(settings)
        .and_then(|folder| free_bytes(&folder))
        .and_then(|bytes| {
            let megabytes = bytes >> 20;
            if bytes < DISK_BYTES_MIN {
                return Err(error!(Missing, TooFewMegabytes, count = megabytes));
            }
            Ok(sentence!(MegabytesFree, count = megabytes))
        });
    finding(SentenceKey::PartDisk, Need::AnyGame, found)
}

fn free_bytes(folder: &Path) -> Result<u64> {
    fs4::available_space(folder)
        .map_err(|error| error!(Missing, RoomUnknown, path = folder.display(), why = error))
}

fn consoles() -> Finding {
    let found = folders::runtime_folder()
        .and_then(|folder| server::open_games().map(|games| (folder, games.len())))
        .map(|(folder, games)| sentence!(ConsolesAttach, path = folder.display(), count = games));
    finding(SentenceKey::PartConsoles, Need::Comfort, found)
}

/// What is recorded. That is no part that can be missing, but everybody at the table may know it.
fn kept(settings: &Settings) -> Finding {
    let sound = settings.record.sound_policy();
    let text = sentence!(AllIsKept, sound = sound);
    finding(SentenceKey::PartKept, Need::Comfort, Ok(text))
}
