//! Gives a game its voices and microphones. What is missing is reported once, with the remedy, and
//! the game is played without it.

use std::sync::Arc;

use shakmaty::{ByColor, Color};

use crate::game::{Device, Input, Microphones};
use crate::persons::Channel;
use crate::shell::boards::outlet::{self, BoardOutlet};
use crate::shell::config::data;
use crate::shell::config::holders::gamepad_of;
use crate::shell::config::language::language_of;
use crate::shell::config::settings::Settings;
use crate::shell::error::{Error, ErrorKind, Fault, Part, Reason, Remedy, Result};
use crate::shell::hearing::somebody_speaks::SpeechMonitor;
use crate::shell::reach::Bounds;
use crate::shell::speech::outlet::VoiceOutlet;
use crate::shell::speech::sound;
use crate::shell::speech::voice::{ChannelLanguages, Speaker, SpeakerSettings, VoiceKind};
use crate::shell::table::inbox::Reports;
use crate::shell::table::timeline::Timeline;
use crate::shell::table::watchdog::Watchdog;
use crate::shell::table::{Report, Table};

/// Opens the devices that the settings name.
///
/// # Errors
///
/// If the words of a language are missing or wrong.
pub(super) fn seat(
    table: &mut Table,
    settings: &Settings,
    timeline: Timeline,
    bounds: Option<&Bounds>,
    reports: &Reports,
) -> Result<()> {
    #[cfg(feature = "audio")]
    sound::quiet_alsa();
    let mut watchdog = Watchdog::default();
    let wires = outlet::wires(settings).map_err(|why| Error::of(ErrorKind::Usage, why))?;
    if !wires.is_empty() {
        let boards = BoardOutlet::open(wires, table.game(), timeline, &mut watchdog, reports);
        table.add(Box::new(boards));
    }
    let talk = SpeechMonitor::default();
    let forbidden = |part| bounds.and_then(|bounds| bounds.fault_of(part));
    let no_speech = forbidden(Part::SpeechService);
    let no_sound = forbidden(Part::SoundServer);
    let speaker = match &no_sound {
        Some(fault) => {
            failed(reports, Some(Device::Voice(Channel::Table)), fault.clone());
            None
        }
        None => seat_voices(table, settings, &talk, no_speech, reports)?,
    };
    if let Some(speaker) = &speaker {
        let device = Device::Voice(Channel::Table);
        watchdog.add(device, speaker.turns());
    }
    seat_gamepad(table, settings, &mut watchdog, reports)?;
    let room = Room { timeline, talk };
    match no_sound {
        Some(fault) => {
            let microphones = microphones(settings);
            if !microphones.is_empty() {
                failed(reports, microphone_of(&microphones), fault);
            }
        }
        None => seat_microphones(table, settings, room, &mut watchdog, reports)?,
    }
    watchdog.watch(reports.clone());
    Ok(())
}

#[cfg(feature = "gamepad")]
fn seat_gamepad(
    table: &mut Table,
    settings: &Settings,
    watchdog: &mut Watchdog,
    reports: &Reports,
) -> Result<()> {
    use crate::shell::typed::controls::{Controls, Pad};
    use crate::shell::typed::gamepad::Gamepad;

    let Some(person) = gamepad_of(settings)? else {
        return Ok(());
    };
    let controls = Controls::load(person, &settings.gamepad, &settings.keys)?;
    let language = data::language(&language_of(settings))?;
    let pad = Pad::new(person, controls);
    let side = person.side().unwrap_or(Color::White);
    let turns = watchdog.turns_of(Device::Gamepad(side));
    match Gamepad::open(pad, person, language, turns, reports.clone()) {
        Ok(gamepad) => {
            tracing::info!(?side, "gamepads are looked for");
            table.add(Box::new(gamepad));
        }
        Err(error) => failed(
            reports,
            Some(Device::Gamepad(side)),
            error.fault(Part::Gamepad),
        ),
    }
    Ok(())
}

#[cfg(not(feature = "gamepad"))]
fn seat_gamepad(_: &mut Table, settings: &Settings, _: &mut Watchdog, _: &Reports) -> Result<()> {
    gamepad_of(settings).map(|_| ())
}

/// What microphones know besides their own sound.
#[cfg_attr(
    not(all(feature = "audio", feature = "recognizer")),
    expect(dead_code, reason = "nobody is heard")
)]
struct Room {
    timeline: Timeline,
    talk: SpeechMonitor,
}

/// The players whose ear is a device that everybody at the table hears.
pub(crate) fn shared_ears(settings: &Settings) -> Vec<Color> {
    let speaker = settings.voice.for_speaker(settings.game.type_by_time());
    let is_shared = |side: &Color| speaker.is_ear_shared(*side);
    Color::ALL.into_iter().filter(is_shared).collect()
}

/// Reports what does not work to the people concerned.
pub(super) fn failed(reports: &Reports, device: Option<Device>, fault: Fault) {
    let _ = reports.send(Report::Input(Input::Failed {
        device,
        person: None,
        fault,
    }));
}

/// Opens the voices, if there are any.
fn seat_voices(
    table: &mut Table,
    settings: &Settings,
    talk: &SpeechMonitor,
    no_speech: Option<Fault>,
    reports: &Reports,
) -> Result<Option<Arc<Speaker>>> {
    let mut speaker = settings.voice.for_speaker(settings.game.type_by_time());
    if let Some(fault) = no_speech {
        speak_by_clips(&mut speaker, fault, reports);
    }
    let mut voiced = Vec::new();
    if speaker.table.voice != VoiceKind::Silent {
        voiced.push(Channel::Table);
    }
    for (side, ear) in [
        (Color::White, &speaker.ears.white),
        (Color::Black, &speaker.ears.black),
    ] {
        if ear
            .as_ref()
            .is_some_and(|ear| ear.voice != VoiceKind::Silent)
        {
            voiced.push(Channel::Ear(side));
        }
    }
    let needs_device = voiced.iter().any(|channel| match channel {
        Channel::Ear(side) => speaker
            .ears
            .get(*side)
            .as_ref()
            .is_some_and(|ear| ear.voice == VoiceKind::Clips),
        _ => speaker.table.voice == VoiceKind::Clips,
    });
    if voiced.is_empty() {
        return Ok(None);
    }
    if needs_device {
        let device = speaker.table.device.as_deref();
        let missing = match sound::Loudspeaker::open(device, |_| {}) {
            _ if sound::loudspeakers().is_empty() => {
                Some(Fault::new(Part::Loudspeaker, Reason::Absent, Remedy::Read))
            }
            Ok(_) => None,
            Err(error) => Some(error.fault(Part::Loudspeaker)),
        };
        let has_system_voice = [&speaker.ears.white, &speaker.ears.black]
            .into_iter()
            .flatten()
            .any(|ear| ear.voice == VoiceKind::System);
        if let Some(mut fault) = missing.filter(|_| !has_system_voice) {
            fault.remedy = Remedy::Read;
            failed(reports, Some(Device::Voice(Channel::Table)), fault);
            return Ok(None);
        }
    }
    let language = Arc::new(data::language(&language_of(settings))?);
    let of_table = table.game().profile().language_of_table();
    let languages = ChannelLanguages {
        table: Arc::new(data::language(&of_table)?),
        ears: ByColor {
            white: Arc::clone(&language),
            black: language,
        },
    };
    let mouth = VoiceOutlet::open(speaker, languages, voiced, talk.clone(), reports.clone());
    let speaker = mouth.speaker();
    table.add(Box::new(mouth));
    Ok(Some(speaker))
}

/// If the speech service must not be used, clips speak instead, as when it is lost.
fn speak_by_clips(speaker: &mut SpeakerSettings, fault: Fault, reports: &Reports) {
    let SpeakerSettings { table, ears, .. } = speaker;
    let ears = [
        (Color::White, &mut ears.white),
        (Color::Black, &mut ears.black),
    ];
    let ears = ears
        .into_iter()
        .filter_map(|(side, ear)| Some((Channel::Ear(side), ear.as_mut()?)));
    for (channel, voice) in ears.chain([(Channel::Table, table)]) {
        if voice.voice == VoiceKind::System {
            voice.voice = VoiceKind::Clips;
            failed(reports, Some(Device::SystemVoice(channel)), fault.clone());
        }
    }
}

/// The microphone that is missed. One that several share is missed by all.
fn microphone_of(microphones: &[(Option<Color>, Option<String>)]) -> Option<Device> {
    let side = match microphones {
        [(side, _)] => *side,
        _ => None,
    };
    Some(Device::Microphone(side))
}

/// Whether anybody is to be heard.
pub(crate) fn has_microphone(settings: &Settings) -> bool {
    cfg!(all(feature = "audio", feature = "recognizer")) && !microphones(settings).is_empty()
}

/// The microphone for each side: as configured, or else the system's own for all who need one.
fn microphones(settings: &Settings) -> Vec<(Option<Color>, Option<String>)> {
    let named = &settings.devices.microphone;
    let of = |key: &str| named.get(key).filter(|name| *name != "none").cloned();
    let mut chosen = Vec::new();
    for (key, side) in [
        ("shared", None),
        ("white", Some(Color::White)),
        ("black", Some(Color::Black)),
    ] {
        if let Some(name) = of(key) {
            chosen.push((side, Some(name)));
        }
    }
    if chosen.is_empty() && named.is_empty() {
        let side = match settings.game.microphones {
            Microphones::Shared => None,
            Microphones::Own => Color::ALL
                .into_iter()
                .find(|side| settings.game.is_visually_disabled(*side)),
        };
        chosen.push((side, None));
    }
    chosen
}

#[cfg(all(feature = "audio", feature = "recognizer"))]
fn seat_microphones(
    table: &mut Table,
    settings: &Settings,
    room: Room,
    watchdog: &mut Watchdog,
    reports: &Reports,
) -> Result<()> {
    use super::hearing_models::{heard, listeners};
    use crate::shell::hearing::enrolled::speakers_at;
    use crate::shell::hearing::microphone;
    use crate::shell::hearing::table_microphones::{Hearing, MicrophoneOutlet};
    use crate::shell::record::utterance_writer::SoundKeeper;

    let microphones = microphones(settings);
    if microphones.is_empty() {
        return Ok(());
    }
    if microphone::names().is_empty() {
        let fault = Fault::new(Part::Microphone, Reason::Absent, Remedy::Type);
        failed(reports, microphone_of(&microphones), fault);
        return Ok(());
    }
    let languages = table.game().profile().languages_heard();
    let speakers: Vec<Vec<String>> = microphones
        .iter()
        .map(|(side, _)| speakers_at(&settings.game, *side))
        .collect();
    let heard = match heard(&languages, &speakers, reports)? {
        Ok(heard) => heard,
        Err(error) => {
            let fault = error.fault(Part::Model);
            failed(reports, microphone_of(&microphones), fault);
            return Ok(());
        }
    };
    let game = table.recorder().path();
    let keeper = game
        .filter(|_| settings.record.sound)
        .and_then(|path| SoundKeeper::open(path, settings.record.sound_mb_max << 20, reports));
    let of_others = reports.clone();
    let hearing = Hearing {
        heard,
        languages,
        find: Arc::new(move |languages| {
            listeners(languages, &speakers, &of_others).unwrap_or_else(|error| {
                failed(&of_others, None, error.fault(Part::Model));
                Vec::new()
            })
        }),
        keeper,
        timeline: room.timeline,
        talk: room.talk,
    };
    let ears = MicrophoneOutlet::open(&hearing, microphones, watchdog, reports)?;
    table.add(Box::new(ears));
    Ok(())
}

#[cfg(not(all(feature = "audio", feature = "recognizer")))]
fn seat_microphones(
    _table: &mut Table,
    settings: &Settings,
    _room: Room,
    _watchdog: &mut Watchdog,
    reports: &Reports,
) -> Result<()> {
    let microphones = microphones(settings);
    if !microphones.is_empty() {
        let fault = Fault::new(Part::Microphone, Reason::NotBuilt, Remedy::Type);
        failed(reports, microphone_of(&microphones), fault);
    }
    Ok(())
}
