//! `annexd check`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use crate::shell::error::{Error, Result};
use crate::shell::settings::Settings;
use crate::shell::voice::VoiceKind;
use crate::shell::{console, data, folders, games, wired};
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
}

/// What was found out about a part.
#[derive(Serialize)]
struct Finding {
    part: &'static str,
    ok: bool,
    text: String,
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
    /// Nothing that cannot be done otherwise.
    Comfort,
}

/// Less room than this may not last a game with everything that is kept.
const DISK_BYTES_MIN: u64 = 100 << 20;

/// Does it.
#[expect(clippy::print_stdout, reason = "the findings are what was asked for")]
pub(crate) fn run(arguments: Arguments) -> Result<ExitCode> {
    #[cfg(feature = "audio")]
    crate::shell::sound::quiet_alsa();
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
            serial_ports(),
        ])
        .chain(boards(&set))
        .chain([
            settings(arguments.settings, read),
            grammar(&language),
            data_folder(&set),
            free_disk(&set),
            consoles(),
            kept(&set),
        ])
        .collect();
    for finding in &findings {
        if arguments.json {
            println!("{}", serde_json::to_string(finding).unwrap_or_default());
        } else {
            let state = if finding.ok { "ok" } else { "missing" };
            show!("{}: {state}. {}", finding.part, finding.text);
        }
    }
    let lacks = |need| {
        findings
            .iter()
            .any(|finding| !finding.ok && finding.need == need)
    };
    let (status, text) = match (lacks(Need::AnyGame), lacks(Need::Voice)) {
        (true, _) => (2, "A game cannot be played until what is missing is there."),
        (false, true) => (1, "A game can be played by keyboard, not by voice."),
        (false, false) => (0, "A game can be played by voice."),
    };
    if !arguments.json {
        show!("{text}");
    }
    Ok(ExitCode::from(status))
}

fn finding(part: &'static str, need: Need, found: Result<String>) -> Finding {
    let ok = found.is_ok();
    let text = found.unwrap_or_else(|error| error.message);
    Finding {
        part,
        ok,
        text,
        need,
    }
}

fn missing(text: impl Into<String>) -> Error {
    Error::new(crate::shell::error::ErrorKind::Missing, text)
}

#[cfg(any(feature = "gamepad", feature = "serial"))]
fn listed(names: Vec<String>, none: &str) -> Result<String> {
    if names.is_empty() {
        return Err(missing(none));
    }
    Ok(format!("{}.", names.join("; ")))
}

/// The microphones that the settings name, or else the system's own.
fn microphones(settings: &Settings) -> Vec<Finding> {
    let named = settings.devices.microphone.values();
    let mut wanted: Vec<Option<&String>> = named.filter(|name| *name != "none").map(Some).collect();
    if settings.devices.microphone.is_empty() {
        wanted.push(None);
    }
    let open = |name: Option<&String>| finding("Microphone", Need::Voice, microphone(name));
    wanted.into_iter().map(open).collect()
}

#[cfg(feature = "audio")]
fn microphone(name: Option<&String>) -> Result<String> {
    let microphone = crate::shell::hearing::microphone::Microphone::open(name.map(String::as_str))?;
    let (name, rate) = (microphone.name(), microphone.rate());
    Ok(format!("{name} at {rate} samples a second opens."))
}

#[cfg(not(feature = "audio"))]
fn microphone(_: Option<&String>) -> Result<String> {
    Err(missing("This annexd was built without sound."))
}

/// The loudspeakers that the settings name, or else the system's own.
fn loudspeakers(settings: &Settings) -> Vec<Finding> {
    use crate::shell::sound::{Loudspeaker, loudspeakers};

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
        let which = device.unwrap_or("The usual one");
        Loudspeaker::open(device, |_| {})
            .map(|_| format!("{which} opens. There are {}.", loudspeakers().join("; ")))
    };
    let found = |device| finding("Loudspeakers", Need::Voice, open(device));
    devices.into_iter().map(found).collect()
}

/// The electronic boards that the settings name.
fn boards(settings: &Settings) -> Vec<Finding> {
    let wires = wired::wires(settings).unwrap_or_default();
    let port = |wire: wired::Wire| {
        let whose = wire.side.map_or_else(
            || "the chessclock".to_owned(),
            |side| format!("the board of {side}"),
        );
        let there = format!("{} is there, for {whose}.", wire.port);
        if !wire.port.starts_with('/') || Path::new(&wire.port).exists() {
            return Ok(there);
        }
        let port = wire.port;
        Err(missing(format!(
            "{port}, for {whose}, is not there. Connect the board or switch it on; \
             until then somebody says what stands on it."
        )))
    };
    let found = |wire| finding("Board", Need::Comfort, port(wire));
    wires.into_iter().map(found).collect()
}

#[cfg(feature = "voice")]
fn system_voice() -> Finding {
    // Whether it speaks is only known by speaking; whether it is installed is known at once.
    let found = tts_found();
    finding("System voice", Need::Comfort, found)
}

#[cfg(all(feature = "voice", target_os = "linux"))]
fn tts_found() -> Result<String> {
    if crate::shell::voice::has_system_voice() {
        return Ok("speech-dispatcher is installed; whether it speaks, `annexd say --voice system Nf3` shows.".to_owned());
    }
    Err(missing(
        "speech-dispatcher is not installed. Run `apt-get install speech-dispatcher \
         speech-dispatcher-espeak-ng`; the clips speak meanwhile.",
    ))
}

#[cfg(all(feature = "voice", not(target_os = "linux")))]
fn tts_found() -> Result<String> {
    Ok("The system's own.".to_owned())
}

#[cfg(not(feature = "voice"))]
fn system_voice() -> Finding {
    let found = Err(missing(
        "This annexd was built without a system voice; the clips speak.",
    ));
    finding("System voice", Need::Comfort, found)
}

fn clips(language: &str) -> Finding {
    let found = crate::shell::voice::Clips::open(language)
        .map(|_| format!("The spoken words of language {language} are there."));
    finding("Voice clips", Need::Voice, found)
}

#[cfg(feature = "recognizer")]
fn recogniser() -> Finding {
    let found = crate::shell::libvosk::open().map(|()| "libvosk is loaded.".to_owned());
    finding("Recogniser library", Need::Voice, found)
}

#[cfg(not(feature = "recognizer"))]
fn recogniser() -> Finding {
    let found = Err(missing("This annexd was built without a recogniser."));
    finding("Recogniser library", Need::Voice, found)
}

#[cfg(feature = "recognizer")]
fn model(language: &str) -> Finding {
    let found = data::lexicon(language).and_then(|lexicon| {
        let model = crate::shell::hearing::model::HearingModel::chosen(&lexicon)?;
        Ok(format!(
            "{} knows all {} words of language {language}.",
            model.name(),
            lexicon.words().len()
        ))
    });
    finding("Hearing model", Need::Voice, found)
}

#[cfg(not(feature = "recognizer"))]
fn model(_language: &str) -> Finding {
    let found = Err(missing("This annexd was built without a recogniser."));
    finding("Hearing model", Need::Voice, found)
}

fn gamepads() -> Finding {
    #[cfg(feature = "gamepad")]
    let found = match gilrs::Gilrs::new() {
        Ok(gilrs) => listed(
            gilrs
                .gamepads()
                .map(|(_, pad)| pad.name().to_owned())
                .collect(),
            "None is connected. Everything is done by voice or keys.",
        ),
        Err(error) => Err(missing(format!("Gamepads cannot be used: {error}."))),
    };
    #[cfg(not(feature = "gamepad"))]
    let found = Err(missing("This annexd was built without gamepads."));
    finding("Gamepads", Need::Comfort, found)
}

fn serial_ports() -> Finding {
    #[cfg(feature = "serial")]
    let found = match serialport::available_ports() {
        Ok(ports) => listed(
            ports.into_iter().map(|port| port.port_name).collect(),
            "None is there. Boards without sensors need none.",
        ),
        Err(error) => Err(missing(format!("Serial ports cannot be listed: {error}."))),
    };
    #[cfg(not(feature = "serial"))]
    let found = Err(missing("This annexd was built without serial boards."));
    finding("Serial ports", Need::Comfort, found)
}

fn settings(named: Option<PathBuf>, read: Result<Settings>) -> Finding {
    let found = read.and_then(|_| {
        let path = named.map_or_else(folders::settings_file, Ok)?;
        Ok(if path.is_file() {
            format!("{} is right.", path.display())
        } else {
            format!("{} is not there, the usual values count.", path.display())
        })
    });
    finding("Settings", Need::AnyGame, found)
}

fn grammar(language: &str) -> Finding {
    let found = data::language(language)
        .and_then(|_| data::lexicon(language))
        .map(|lexicon| format!("{} is complete.", lexicon.name()));
    finding("Language", Need::AnyGame, found)
}

fn data_folder(settings: &Settings) -> Finding {
    let found = games::folder(settings).and_then(|folder| {
        let probe = folder.join(".annexd-probe");
        let written = std::fs::write(&probe, "probe");
        let _ = std::fs::remove_file(&probe);
        match written {
            Ok(()) => Ok(format!(
                "{} holds {} games.",
                folder.display(),
                games::all(&folder).len()
            )),
            Err(error) => Err(missing(format!(
                "{} cannot be written: {error}.",
                folder.display()
            ))),
        }
    });
    finding("Data folder", Need::AnyGame, found)
}

fn free_disk(settings: &Settings) -> Finding {
    let found = games::folder(settings)
        .and_then(|folder| free_bytes(&folder))
        .and_then(|bytes| {
            let text = format!("{} megabytes are free", bytes >> 20);
            if bytes < DISK_BYTES_MIN {
                return Err(missing(format!("{text}; a game may need 100. Make room.")));
            }
            Ok(format!("{text}."))
        });
    finding("Free disk", Need::AnyGame, found)
}

fn free_bytes(folder: &Path) -> Result<u64> {
    fs4::available_space(folder).map_err(|error| {
        missing(format!(
            "The free room of {} is unknown: {error}.",
            folder.display()
        ))
    })
}

fn consoles() -> Finding {
    let found = folders::runtime_folder()
        .and_then(|folder| console::open_games().map(|games| (folder, games.len())))
        .map(|(folder, games)| {
            format!(
                "Other consoles attach through {}; {games} games are open.",
                folder.display()
            )
        });
    finding("Consoles", Need::Comfort, found)
}

/// Not a part that can be missing, but what everybody at the table may know.
fn kept(settings: &Settings) -> Finding {
    let sound = settings.record.sound_policy();
    let text = format!(
        "Of a game everything that was understood, typed and decided is kept, with its times, \
         readable by you alone, on this machine. {sound} Nothing is sent anywhere."
    );
    finding("What is kept", Need::Comfort, Ok(text))
}
